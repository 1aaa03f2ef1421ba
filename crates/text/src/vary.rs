//! Variants of a text, made by chance: other parameters, cells that are taken, other goals, other names and letters, for
//! benchmarks whose answers are hardly known by heart. A change of the source is small and said in English, in `about`, so
//! that the rules for people stay true. Whether the variant can be read, and is worth playing, is for others to say: some
//! are neither.

use std::collections::BTreeMap;

use foregone_rules::sample::Dice;

use crate::syntax::formatted;

/// What titles are made of.
const SYLLABLES: [&str; 16] = [
    "ba", "del", "fi", "gor", "hu", "jan", "ke", "lum", "mo", "ner", "pi", "ras", "su", "tal",
    "ve", "zo",
];

/// Letters that pieces may get, and the one of a cell that is taken.
const LETTERS: &str = "CDEGHJKLMNPQRSTUVYZ";
const TAKEN: char = '*';

/// A variant of a text, made by chance; `None` if the dice found nothing to change but its names.
pub fn vary(source: &str, dice: &mut Dice) -> Option<String> {
    let source = formatted(source, false);
    let mut lines: Vec<String> = without(&source, &["source", "known"]);
    let mut changes = Vec::new();
    let mut tries = 0;
    while changes.is_empty() && tries < 16 {
        tries += 1;
        changes.extend(parameters(&mut lines, dice));
        changes.extend(chance(dice, 2).then(|| take_cells(&mut lines, dice)).flatten());
        changes.extend(chance(dice, 3).then(|| lengthen(&mut lines, dice)).flatten());
        changes.extend(chance(dice, 4).then(|| turn_around(&mut lines)).flatten());
    }
    if changes.is_empty() {
        return None;
    }
    rename(&mut lines, dice);
    let title = title(dice);
    for line in &mut lines {
        if line.starts_with("game ") {
            *line = format!("game {title}");
        }
    }
    say(&mut lines, &changes);
    Some(lines.join("\n") + "\n")
}

/// The rules of a text with numbers in place of its pieces' letters, without its title and what is written for people:
/// equal for texts that differ in names alone.
pub fn nameless(source: &str) -> String {
    let lines = without(&formatted(source, false), &["game", "about", "source", "known"]);
    let pieces = lines.iter().filter(|line| line.starts_with("piece "));
    let letters: Vec<&str> = pieces.flat_map(|line| line.split(' ').skip(2)).collect();
    let numbered = |word: &str| match letters.iter().position(|letter| *letter == word) {
        Some(at) => at.to_string(),
        None => word.to_owned(),
    };
    let line = |line: &String| line.split(' ').map(numbered).collect::<Vec<_>>().join(" ");
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// True once in `of` times.
fn chance(dice: &mut Dice, of: usize) -> bool {
    dice.below(of) == 0
}

/// The lines of a text without some parts.
fn without(source: &str, parts: &[&str]) -> Vec<String> {
    let mut left_out = false;
    let mut kept = Vec::new();
    for line in source.lines() {
        if !line.starts_with(' ') {
            let word = line.split(' ').next().unwrap_or("");
            left_out = parts.contains(&word);
        }
        if !left_out {
            kept.push(line.to_owned());
        }
    }
    kept
}

fn title(dice: &mut Dice) -> String {
    let mut word: String =
        (0..2 + dice.below(2)).map(|_| SYLLABLES[dice.below(SYLLABLES.len())]).collect();
    word[..1].make_ascii_uppercase();
    word
}

/// Other usual values of the parameters, near those of the text.
fn parameters(lines: &mut [String], dice: &mut Dice) -> Vec<String> {
    let mut changes = Vec::new();
    for line in lines.iter_mut().filter(|line| line.starts_with("parameter ")) {
        let (rule, meaning) =
            line.split_once(':').map_or((&line[..], ""), |(rule, more)| (rule, more));
        let words: Vec<&str> = rule.split_whitespace().collect();
        let ["parameter", name, "=", usual, "in", range @ ..] = &words[..] else { continue };
        let values: Vec<String> = match (range, usual.parse::<i64>()) {
            ([numbers, step @ ..], Ok(usual)) => {
                let Some((min, max)) = numbers.split_once("..") else { continue };
                let (Ok(min), Ok(max)) = (min.parse::<i64>(), max.parse::<i64>()) else { continue };
                let step = step.last().and_then(|step| step.parse().ok()).unwrap_or(1_usize).max(1);
                let near = (min..=max).step_by(step).filter(|value| (value - usual).abs() <= 2);
                near.map(|value| value.to_string()).collect()
            }
            // As usual, it is as another parameter.
            _ if rule.contains("..") => continue,
            (words, _) => words.iter().map(|word| (*word).to_owned()).collect(),
        };
        if values.is_empty() {
            continue;
        }
        let value = &values[dice.below(values.len())];
        if value == usual {
            continue;
        }
        changes.push(format!("{name} is {value} instead of {usual}"));
        let meaning = if meaning.is_empty() { String::new() } else { format!(":{meaning}") };
        *line = format!("parameter {name} = {value} in {}{meaning}", range.join(" "));
    }
    changes
}

/// One cell or two of a board of squares or hexagons are taken from the start.
fn take_cells(lines: &mut Vec<String>, dice: &mut Dice) -> Option<String> {
    let board = lines.iter().position(|line| {
        let shape = line.strip_prefix("board ");
        shape.is_some_and(|shape| !shape.starts_with("ring") && !shape.starts_with("points"))
    })?;
    if lines.iter().any(|line| line.contains(TAKEN)) {
        return None;
    }
    let mut cell = || format!("{}{}", ["a", "b", "c", "d"][dice.below(4)], 1 + dice.below(4));
    let (one, other) = (cell(), cell());
    let cells = if one < other { vec![one, other] } else { vec![one] };
    lines.insert(board + 1, format!("piece taken {TAKEN}"));
    let put = format!("  put taken on {}", cells.join(" | "));
    let is_statement = |line: &String| line.starts_with("  put") || line.starts_with("  let");
    match lines.iter().position(|line| line == "start") {
        // A drawing says by its letters what stands where.
        Some(at) if !lines.get(at + 1).is_some_and(is_statement) => {
            lines.remove(board + 1);
            return None;
        }
        Some(at) => {
            let end = lines[at + 1..].iter().position(|line| !line.starts_with(' '));
            lines.insert(end.map_or(lines.len(), |end| at + 1 + end), put);
        }
        None => {
            let at = lines.iter().position(|line| line == "move")?;
            lines.splice(at..at, ["start".to_owned(), put]);
        }
    }
    let cells = cells.join(" and ");
    Some(format!("a piece {TAKEN}, which belongs to nobody, stands on {cells} at the start"))
}

/// Rows are longer by one, or shorter.
fn lengthen(lines: &mut [String], dice: &mut Dice) -> Option<String> {
    const CALL: &str = "line(mine, ";
    let usual = lines.iter().find_map(|line| {
        let (_, rest) = line.split_once(CALL)?;
        rest.split(')').next()?.parse::<u32>().ok()
    })?;
    // Rows of the other side, or in some directions, would keep their length.
    let rows = lines.iter().map(|line| line.matches("line(").count()).sum::<usize>();
    let whole = format!("{CALL}{usual})");
    if rows != lines.iter().map(|line| line.matches(&whole).count()).sum::<usize>() {
        return None;
    }
    let length = if usual > 2 && chance(dice, 2) { usual - 1 } else { usual + 1 };
    for line in lines {
        *line = line.replace(&whole, &format!("{CALL}{length})"));
    }
    Some(format!("a row needs {length} instead of {usual}"))
}

/// What wins after a move loses, and the other way round.
fn turn_around(lines: &mut [String]) -> Option<String> {
    let end = lines.iter().position(|line| line == "end")?;
    // A result within a move would stay as it is.
    let decides =
        |line: &String| ["win", "lose"].iter().any(|word| line.ends_with(&format!(" {word}")));
    if lines[..end].iter().any(decides) {
        return None;
    }
    let mut turned = false;
    for line in lines[end + 1..].iter_mut().take_while(|line| line.starts_with(' ')) {
        for (from, to) in [("win", "lose"), ("lose", "win")] {
            if let Some(before) = line.strip_suffix(from)
                && before.ends_with(' ')
            {
                *line = format!("{before}{to}");
                turned = true;
                break;
            }
        }
    }
    turned.then(|| "a move that would win loses, and one that would lose wins; for a player who cannot move all is as before".to_owned())
}

/// Pieces get other letters, in rules and prose.
fn rename(lines: &mut [String], dice: &mut Dice) {
    let mut pool: Vec<char> = LETTERS.chars().collect();
    let mut letters = BTreeMap::new();
    for line in lines.iter().filter(|line| line.starts_with("piece ")) {
        for letter in line.split(' ').skip(2).filter_map(|word| word.chars().next()) {
            // An L may be the shape of a piece.
            let is_shape = |line: &String| {
                ["a", "an"].iter().any(|a| line.contains(&format!(" {a} {letter} ")))
            };
            if letter != TAKEN && !pool.is_empty() && !lines.iter().any(is_shape) {
                letters.entry(letter).or_insert_with(|| pool.swap_remove(dice.below(pool.len())));
            }
        }
    }
    let mut prose = false;
    for line in lines.iter_mut() {
        if !line.starts_with(' ') {
            prose = line.starts_with("about");
        }
        // An article is no letter of a piece.
        let is_word = |letter: char| prose && matches!(letter, 'A' | 'I' | 'a' | 'o' | 's' | 't');
        let chars: Vec<char> = line.chars().collect();
        let alone = |at: usize| {
            let part = |other: Option<&char>| {
                other.is_some_and(|c| c.is_alphanumeric() || matches!(c, '\'' | '_'))
            };
            !part(at.checked_sub(1).and_then(|at| chars.get(at))) && !part(chars.get(at + 1))
        };
        // A letter before brackets is a direction.
        let is_call = |at: usize| !prose && chars.get(at + 1) == Some(&'(');
        let new = |(at, letter): (usize, &char)| match letters.get(letter) {
            Some(new) if alone(at) && !is_word(*letter) && !is_call(at) => *new,
            _ => *letter,
        };
        *line = chars.iter().enumerate().map(new).collect();
    }
}

/// The changes become the end of `about`.
fn say(lines: &mut Vec<String>, changes: &[String]) {
    let said = format!("  In this variant, whatever is said above: {}.", changes.join("; "));
    match lines.iter().position(|line| line.starts_with("about ")) {
        Some(at) => {
            let end = lines[at + 1..].iter().position(|line| !line.starts_with(' '));
            lines.insert(end.map_or(lines.len(), |end| at + 1 + end), said);
        }
        None => lines.insert(1, format!("about{}", &said[1..])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SHIPPED, load};

    #[test]
    fn most_variants_are_games_and_none_has_its_name() {
        let mut dice = Dice::new(7);
        let (mut games, mut taken, mut all) = (0, 0, 0);
        for text in SHIPPED {
            // Letters change in no game so that it cannot be read.
            let mut lines: Vec<String> = text.source.lines().map(str::to_owned).collect();
            rename(&mut lines, &mut dice);
            let renamed = lines.join("\n") + "\n";
            load(&renamed).unwrap_or_else(|why| panic!("{why}\n{renamed}"));
            let title = text.source.lines().next().unwrap();
            for _ in 0..4 {
                let Some(varied) = vary(text.source, &mut dice) else { continue };
                assert!(!varied.contains(title), "{varied}");
                assert!(!varied.contains("\nsource ") && !varied.contains("\nknown "), "{varied}");
                assert!(varied.contains("whatever is said above: ") && !varied.contains(": ."));
                let is_game = load(&varied).is_ok();
                taken += u32::from(is_game && varied.contains("\n  put taken on "));
                (games, all) = (games + u32::from(is_game), all + 1);
            }
        }
        assert!(all > 100 && 2 * games > all && taken > 10, "{games} of {all}, {taken}");
        // Equal seeds make equal variants.
        let once = |seed| vary(SHIPPED[0].source, &mut Dice::new(seed));
        assert_eq!(once(3), once(3));
        assert_ne!(once(3), once(4));
    }

    #[test]
    fn changes_are_said_in_the_rules_for_people() {
        let source = crate::shipped("tic-tac-toe").unwrap().source;
        let mut dice = Dice::new(1);
        let all: Vec<String> = (0..60).filter_map(|_| vary(source, &mut dice)).collect();
        for (said, done) in [
            ("a piece *, ", "\npiece taken *\n"),
            ("a row needs 2 instead of 3", "line(mine, 2)"),
            ("a move that would win loses", ": lose"),
        ] {
            let with = all.iter().filter(|text| text.contains(said)).collect::<Vec<_>>();
            assert!(!with.is_empty(), "{said}");
            assert!(with.iter().all(|text| text.contains(done)), "{said}: {with:?}");
            let count = all.iter().filter(|text| text.contains(done)).count();
            assert_eq!(count, with.len(), "{done} is said");
        }
        // The shape of a piece is no letter.
        let l_game = crate::shipped("l-game").unwrap().source;
        let varied = (0..200).find_map(|seed| vary(l_game, &mut Dice::new(seed)));
        assert!(varied.is_none_or(|text| text.contains("an L ")), "it is an L");
    }

    #[test]
    fn texts_that_differ_in_names_are_one() {
        let mut lines: Vec<String> = SHIPPED[0].source.lines().map(str::to_owned).collect();
        rename(&mut lines, &mut Dice::new(2));
        lines[0] = "game Other".to_owned();
        assert_eq!(nameless(&(lines.join("\n") + "\n")), nameless(SHIPPED[0].source));
        let all: std::collections::BTreeSet<String> =
            SHIPPED.iter().map(|text| nameless(text.source)).collect();
        assert!(all.len() > SHIPPED.len() - 3, "different games are different");
        // Whatever is no text of a game has no variant, and ends nothing.
        for wrong in [
            "",
            "start",
            "parameter a = 9 in 1..3",
            "parameter a = 1 in 1..3 by 0",
            "board 3 3\nstart",
        ] {
            for seed in 0..8 {
                let _ = vary(wrong, &mut Dice::new(seed));
            }
        }
    }

    #[test]
    fn letters_change_in_rules_and_prose_alike() {
        let source = "game Small\nabout A player moves X or O. X begins.\nboard 3 3\npiece man X O\nstuck loses\nstart\n  X . .\n  . . O\n  . . .\nmove\n  choose from in mine\n  choose to in around(from) & empty\n  move from -> to\n";
        let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
        rename(&mut lines, &mut Dice::new(5));
        let letters: Vec<&str> = lines[3].split(' ').skip(2).collect();
        assert!(letters[0] != "X" && letters[1] != "O" && letters[0] != letters[1]);
        assert_eq!(
            lines[1],
            format!("about A player moves {0} or {1}. {0} begins.", letters[0], letters[1])
        );
        assert_eq!(lines[6], format!("  {} . .", letters[0]));
    }
}
