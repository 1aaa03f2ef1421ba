//! Positions as text: the rows of the board, what else there is, and the side to move.
//!
//! The pieces are rows from the top, joined by `/`, with `.` for an empty cell. Then come, each as one
//! word, the cells of each mark (`crossed:a1,b2`), the numbers of each count (`seeds:4,4,0`), the other
//! numbers (`left:3`, or `points:2,0` if each player has one), and the side. A result is written (`result:1`) only if the rules would not give
//! the same for the position.

use std::ops::Range;

use foregone_rules::Invalid;
use foregone_rules::sort::by_rank;

use crate::board::{bit, cells};
use crate::budget::Budget;
use crate::interpret::result_after;
use crate::problem::did_you_mean;
use crate::results::results;
use crate::state::Position;
use crate::typed::Rules;

/// The result that the rules give to a position: that after a move of the side that is not to move.
pub(crate) fn derived_result(rules: &Rules, position: &Position) -> Option<i32> {
    result_after(rules, 1 - position.turn, position, &Budget::unlimited())
}

/// A position as text.
pub(crate) fn format(rules: &Rules, sides: [&str; 2], position: &Position) -> String {
    let mut words = Vec::new();
    if !rules.pieces.is_empty() {
        words.push(rows(rules, position));
    }
    for (name, set) in rules.marks.iter().zip(&position.sets[rules.layout.pieces..]) {
        let names: Vec<_> = cells(*set).map(|cell| rules.board.cells[cell].name.as_str()).collect();
        words.push(format!("{name}:{}", names.join(",")));
    }
    for (name, counts) in rules.counts.iter().zip(&position.counts) {
        let counts: Vec<_> = counts.iter().map(i32::to_string).collect();
        words.push(format!("{name}:{}", counts.join(",")));
    }
    for at in numbers(rules) {
        let values: Vec<_> = position.numbers[at.clone()].iter().map(i32::to_string).collect();
        words.push(format!("{}:{}", rules.numbers[at.start], values.join(",")));
    }
    words.push(sides[position.turn].to_owned());
    if position.result != derived_result(rules, position) {
        let result = position.result.map_or("none".to_owned(), |result| result.to_string());
        words.push(format!("result:{result}"));
    }
    words.join(" ")
}

/// What a board does not show of a position, in lines: marks that have cells, counts, numbers; but those that the
/// picture shows.
pub(crate) fn beside_the_board(
    rules: &Rules,
    sides: [&str; 2],
    position: &Position,
    is_shown: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, set) in rules.marks.iter().zip(&position.sets[rules.layout.pieces..]) {
        let names: Vec<_> = cells(*set).map(|cell| rules.board.cells[cell].name.as_str()).collect();
        if !names.is_empty() && !is_shown(name) {
            lines.push(format!("{name}: {}", names.join(" ")));
        }
    }
    let counts = rules.counts.iter().zip(&position.counts);
    for (name, counts) in counts.filter(|(name, _)| !is_shown(name)) {
        let counts: Vec<_> = counts.iter().map(i32::to_string).collect();
        lines.push(format!("{name}: {}", counts.join(" ")));
    }
    for at in numbers(rules) {
        let name = &rules.numbers[at.start];
        if is_shown(name) {
            continue;
        }
        lines.push(match position.numbers[at] {
            [first, second] => format!("{name}: {} {first}, {} {second}", sides[0], sides[1]),
            ref alone => format!("{name}: {}", alone[0]),
        });
    }
    lines
}

/// The numbers of a position: each alone, or those of both sides together.
fn numbers(rules: &Rules) -> impl Iterator<Item = Range<usize>> {
    let pairs: Vec<[usize; 2]> = rules.pairs().map(|(first, second)| [first, second]).collect();
    (0..rules.numbers.len()).filter_map(move |at| {
        let pair = pairs.iter().find(|pair| pair.contains(&at));
        match pair {
            Some([first, second]) => (at == *first).then(|| at..second + 1),
            None => Some(at..at + 1),
        }
    })
}

fn letter_at(rules: &Rules, position: &Position, cell: usize) -> char {
    let all = rules.pieces.iter().flat_map(|piece| piece.sets.iter().zip(&piece.letters));
    let mut here = all.filter(|(set, _)| position.sets[**set] & bit(cell) != 0);
    here.next().map_or('.', |(_, letter)| *letter)
}

/// The cells in the order of the rows, each row by itself.
fn row_cells(rules: &Rules) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..rules.board.cells.len()).collect();
    let row = |cell: usize| rules.board.cells[cell].row;
    let mut sorted = all;
    by_rank(&mut sorted, &|cell| (row(*cell) << 16 | rules.board.cells[*cell].column) as i64);
    sorted.chunk_by(|one, other| row(*one) == row(*other)).map(<[usize]>::to_vec).collect()
}

fn rows(rules: &Rules, position: &Position) -> String {
    let row = |row: Vec<usize>| -> String {
        row.into_iter().map(|cell| letter_at(rules, position, cell)).collect()
    };
    row_cells(rules).into_iter().map(row).collect::<Vec<_>>().join("/")
}

/// Parses what [`format`] writes.
///
/// # Errors
/// If the text is not a position of the game.
pub(crate) fn parse(rules: &Rules, sides: [&str; 2], text: &str) -> Result<Position, Invalid> {
    let mut position = Position::empty(&rules.layout, rules.board.cells.len());
    let mut words = text.split_whitespace();
    let example = || format!("such as `{}`", format(rules, sides, &rules.start));
    let mut next = |what: &str| {
        words.next().ok_or_else(|| Invalid::new(text, format!("{what}, {}", example())))
    };
    if !rules.pieces.is_empty() {
        parse_rows(rules, next("the rows of the board")?, &example, &mut position)?;
    }
    for (at, name) in rules.marks.iter().enumerate() {
        let list = after(name, next(name)?, "and cells joined by commas")?;
        for cell in list.split(',').filter(|cell| !cell.is_empty()) {
            let names = || rules.board.cells.iter().map(|cell| &cell.name[..]);
            let cell =
                names().position(|each| each.eq_ignore_ascii_case(cell)).ok_or_else(|| {
                    Invalid::new(cell, format!("a cell{}", did_you_mean(cell, names())))
                })?;
            position.sets[rules.layout.pieces + at] |= bit(cell);
        }
    }
    for (at, name) in rules.counts.iter().enumerate() {
        let [least, max] = rules.layout.counts[at];
        let all = position.counts[at].len();
        let list = after(name, next(name)?, "and a number for each cell, joined by commas")?;
        let numbers = list.split(',').map(|number| parse_number(name, number, [least, max]));
        position.counts[at] = numbers.collect::<Result<_, _>>()?;
        if position.counts[at].len() != all {
            let found = format!("{} numbers", position.counts[at].len());
            return Err(Invalid::new(found, format!("{all} of {name}, one for each cell")));
        }
    }
    for at in numbers(rules) {
        let name = &rules.numbers[at.start];
        let what = if at.len() == 2 {
            "and the numbers of both players, joined by a comma"
        } else {
            "and a number"
        };
        let list = after(name, next(name)?, what)?;
        let values: Vec<&str> = list.split(',').collect();
        if values.len() != at.len() {
            return Err(Invalid::new(list, format!("`{name}:` {what}")));
        }
        for (at, value) in at.zip(values) {
            position.numbers[at] = parse_number(name, value, rules.layout.numbers[at])?;
        }
    }
    let side = next("the side to move")?;
    let named = sides.iter().position(|name| name.eq_ignore_ascii_case(side));
    position.turn = named.ok_or_else(|| {
        Invalid::new(side, format!("the side to move: {} or {}", sides[0], sides[1]))
    })?;
    position.result = derived_result(rules, &position);
    if let Some(word) = words.next() {
        let result = after("result", word, "and a number, or nothing after the side")?;
        position.result = match result {
            "none" => None,
            number => Some(parse_number("result", number, results(rules))?),
        };
    }
    match words.next() {
        Some(more) => Err(Invalid::new(more, format!("nothing more, {}", example()))),
        None => Ok(position),
    }
}

/// What follows a name and a colon.
fn after<'t>(name: &str, word: &'t str, what: &str) -> Result<&'t str, Invalid> {
    let rest = word.strip_prefix(name).and_then(|rest| rest.strip_prefix(':'));
    rest.ok_or_else(|| Invalid::new(word, format!("`{name}:` {what}")))
}

fn parse_number(name: &str, text: &str, [least, max]: [i32; 2]) -> Result<i32, Invalid> {
    let number = text.parse().ok().filter(|number| (least..=max).contains(number));
    number.ok_or_else(|| Invalid::new(text, format!("{least} to {max} {name}")))
}

fn parse_rows(
    rules: &Rules,
    text: &str,
    example: &dyn Fn() -> String,
    position: &mut Position,
) -> Result<(), Invalid> {
    let (rows, possible) = (row_cells(rules), rules.possible());
    let texts: Vec<&str> = text.split('/').collect();
    if texts.len() != rows.len() {
        return Err(Invalid::new(
            text,
            format!("{} rows joined by `/`, {}", rows.len(), example()),
        ));
    }
    for (text, row) in texts.into_iter().zip(rows) {
        if text.chars().count() != row.len() {
            let found = format!("{text} ({} cells)", text.chars().count());
            return Err(Invalid::new(found, format!("{} cells in this row", row.len())));
        }
        for (letter, cell) in text.chars().zip(row) {
            let all = || {
                let all =
                    rules.pieces.iter().flat_map(|piece| piece.letters.iter().zip(&piece.sets));
                all.filter(|(_, set)| possible[**set])
            };
            let exact = all().find(|(each, _)| **each == letter);
            let other_case =
                || all().find(|(each, _)| each.to_lowercase().eq(letter.to_lowercase()));
            match exact.or_else(other_case) {
                Some((_, set)) => position.sets[*set] |= bit(cell),
                None if letter == '.' => {}
                None => {
                    let letters: Vec<_> = all().map(|(each, _)| format!("`{each}`")).collect();
                    let expected = format!("`.` or {} on each cell", letters.join(" or "));
                    return Err(Invalid::new(letter.to_string(), expected));
                }
            }
        }
    }
    Ok(())
}
