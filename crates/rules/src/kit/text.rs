//! Formats and parses positions on a board.

use super::board::{Form, Piece};
use super::{Board, Cells};
use crate::family::Invalid;
use crate::game::Side;

/// The text of a position.
pub(super) fn format(board: &Board, cells: &Cells) -> String {
    let counts = (0..board.counts.len()).map(|nth| cells.count(nth).to_string());
    let counts: Vec<_> = counts.collect();
    let mut words = match board.form {
        Form::Rows => {
            let letter = |cell| cells.piece(cell).map_or('.', |piece| board.pieces[piece].letter);
            std::iter::once(rows(board, letter)).chain(counts).collect()
        }
        Form::Lists => lists(board, cells).chain(counts).collect(),
        Form::Counts(between) => vec![counts.join(&between.to_string())],
    };
    words.push(board.sides[cells.turn.index()].clone());
    words.join(" ")
}

/// The letters of all cells, in rows.
fn rows(board: &Board, letter: impl Fn(usize) -> char) -> String {
    let mut text = String::new();
    let mut row = None;
    for (cell, spot) in board.spots.iter().enumerate() {
        if row.replace(spot.row).is_some_and(|before| before != spot.row) {
            text.push('/');
        }
        text.push(letter(cell));
    }
    text
}

fn lists(board: &Board, cells: &Cells) -> impl Iterator<Item = String> {
    board.pieces.iter().enumerate().map(|(nth, piece)| {
        let names = super::Bits(cells.set(nth)).map(|cell| board.name(cell.into()));
        let names: Vec<_> = names.collect();
        format!("{}:{}", piece.letter.to_lowercase(), names.join(","))
    })
}

/// Parses what [`format`] writes; `example` gives a valid text for errors.
pub(super) fn parse(
    board: &Board,
    text: &str,
    example: impl Fn() -> String,
) -> Result<Cells, Invalid> {
    let joined = rows_of(board, text);
    let text = joined.as_deref().unwrap_or(text);
    let parts = |letter: char| match board.form {
        // Brackets and commas are also accepted, because people write lists in many ways.
        Form::Counts(between) => letter == between || "[],".contains(letter),
        Form::Rows | Form::Lists => false,
    };
    let words = text.split(|letter: char| letter.is_whitespace() || parts(letter));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let on_board = match board.form {
        Form::Rows => 1,
        Form::Lists => board.pieces.len(),
        Form::Counts(_) => 0,
    };
    let expected = || format!("{}, such as `{}`", form(board), example());
    if words.len() != on_board + board.counts.len() + 1 {
        let cells = text.chars().filter(|letter| !letter.is_whitespace()).count();
        let expected = match board.form == Form::Rows && !text.contains('/') && cells == board.len()
        {
            true => format!(
                "the side to move behind the {cells} cells, {} or {}",
                board.sides[0], board.sides[1]
            ),
            false => expected(),
        };
        return Err(Invalid::new(text, expected));
    }
    let (on_board, words) = words.split_at(on_board);
    let (counts, side) = words.split_at(board.counts.len());
    let sides = board.sides.each_ref().map(String::as_str);
    let mut cells = Cells::new(parse_side(side.concat().as_str(), sides)?);
    match board.form {
        Form::Rows => cells = parse_rows(board, on_board[0], cells, expected)?,
        Form::Lists => {
            for (nth, list) in on_board.iter().enumerate() {
                cells = parse_list(board, nth, list, cells)?;
            }
        }
        Form::Counts(_) => {}
    }
    parse_counts(board, counts, cells)
}

/// A board as programs for Othello write it, with a character for each cell and one for the side, in rows: `-` is empty,
/// `*` and `B` are the first player's, `W` is the second player's; the number of rows may stand before them. `None` if the
/// text is no such board.
fn rows_of(board: &Board, text: &str) -> Option<String> {
    let text = text.trim_start().strip_prefix(&format!("{} ", board.rows)).unwrap_or(text);
    let letters: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let fits =
        board.form == Form::Rows && board.counts.is_empty() && letters.len() == board.len() + 1;
    if !fits || text.contains('/') {
        return None;
    }
    let of_side = |side| board.pieces.iter().find(|piece| piece.side == Some(side));
    let own = |letter: char| match letter {
        '-' => '.',
        _ if piece_of(board, letter).is_some() => letter,
        '*' | 'B' | 'b' => of_side(Side::First).map_or(letter, |piece| piece.letter),
        'W' | 'w' => of_side(Side::Second).map_or(letter, |piece| piece.letter),
        _ => letter,
    };
    let (side, cells) = letters.split_last()?;
    let side = board.pieces[piece_of(board, own(*side))?].side?;
    Some(format!("{} {}", rows(board, |cell| own(cells[cell])), board.sides[side.index()]))
}

/// The piece with a letter, in upper or lower case.
fn piece_of(board: &Board, letter: char) -> Option<usize> {
    let upper = letter.to_ascii_uppercase();
    board.pieces.iter().position(|piece| piece.letter == letter || piece.letter == upper)
}

/// A description of valid texts.
fn form(board: &Board) -> String {
    let mut parts = match board.form {
        Form::Rows => {
            vec![format!("{} rows of {}, joined by `/`", board.rows, letters(board, "and"))]
        }
        Form::Lists => {
            let list = |piece: &Piece| {
                format!("`{}:` and the cells of each {}", piece.letter.to_lowercase(), piece.name)
            };
            board.pieces.iter().map(list).collect()
        }
        Form::Counts(_) => vec![format!("{} numbers", board.counts.len())],
    };
    if !matches!(board.form, Form::Counts(_)) {
        parts.extend(board.counts.iter().map(|count| count.name.clone()));
    }
    format!("{} and the side to move", parts.join(", "))
}

/// The valid letters of a cell, with `last` before the last one.
fn letters(board: &Board, last: &str) -> String {
    let pieces: Vec<_> = board.pieces.iter().map(|piece| format!("`{}`", piece.letter)).collect();
    match &pieces[..] {
        [max @ .., end] if !max.is_empty() => format!("`.`, {} {last} {end}", max.join(", ")),
        all => format!("`.` {last} {}", all.concat()),
    }
}

fn parse_rows(
    board: &Board,
    text: &str,
    mut cells: Cells,
    expected: impl Fn() -> String,
) -> Result<Cells, Invalid> {
    let rows: Vec<_> = board.spots.chunk_by(|one, other| one.row == other.row).collect();
    let texts: Vec<&str> = text.split('/').collect();
    if texts.len() != rows.len() {
        return Err(Invalid::new(text, expected()));
    }
    let mut cell = 0;
    for (text, row) in texts.iter().zip(rows) {
        if text.chars().count() != row.len() {
            let found = format!("{text} ({} cells)", text.chars().count());
            return Err(Invalid::new(found, format!("{} cells in this row", row.len())));
        }
        for letter in text.chars() {
            if let Some(piece) = piece_of(board, letter) {
                cells = cells.with(piece, 1u128 << cell);
            } else if letter != '.' {
                let expected = format!("{} on each cell", letters(board, "or"));
                return Err(Invalid::new(letter.to_string(), expected));
            }
            cell += 1;
        }
    }
    Ok(cells)
}

fn parse_list(board: &Board, nth: usize, text: &str, mut cells: Cells) -> Result<Cells, Invalid> {
    let piece = &board.pieces[nth];
    let letter = piece.letter.to_ascii_lowercase();
    let list =
        text.strip_prefix(letter).and_then(|list| list.strip_prefix(':')).ok_or_else(|| {
            Invalid::new(text, format!("`{letter}:` and the cells of each {}", piece.name))
        })?;
    for word in list.split(',').filter(|word| !word.is_empty()) {
        let cell = board.spots.iter().position(|spot| spot.name.eq_ignore_ascii_case(word));
        let cell = cell.ok_or_else(|| {
            let names = [0, 1, board.len() - 1].map(|cell| board.name(cell));
            let [first, second, last] = names;
            let expected = format!("a cell for a {}: {first}, {second}, ... {last}", piece.name);
            Invalid::new(word, expected)
        })?;
        if cells.taken() >> cell & 1 == 1 {
            return Err(Invalid::new(word, "at most one piece on each cell"));
        }
        cells = cells.with(nth, 1u128 << cell);
    }
    Ok(cells)
}

fn parse_counts(board: &Board, words: &[&str], mut cells: Cells) -> Result<Cells, Invalid> {
    for (nth, (word, count)) in words.iter().zip(&board.counts).enumerate() {
        let plain = word.len() <= 5 && word.bytes().all(|byte| byte.is_ascii_digit());
        let number = word.parse().ok().filter(|number: &u16| plain && *number <= count.max);
        let number = number
            .ok_or_else(|| Invalid::new(*word, format!("0 to {} {}", count.max, count.name)))?;
        cells = cells.counting(nth, number);
    }
    Ok(cells)
}

/// The side with a name, in upper or lower case.
fn parse_side(word: &str, names: [&str; 2]) -> Result<Side, Invalid> {
    match names.iter().position(|name| name.eq_ignore_ascii_case(word)) {
        Some(at) => Ok(Side::BOTH[at]),
        None => Err(Invalid::new(word, format!("the side to move: {} or {}", names[0], names[1]))),
    }
}
