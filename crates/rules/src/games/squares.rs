//! What the games on a board of squares share: lines of stones on a bitboard, the symmetries of a
//! rectangle, and boards written as rows joined by `/`.

use crate::family::Invalid;
use crate::game::Side;

/// The letters that stand for the two sides' stones in texts and pictures.
pub(super) const LETTERS: [&str; 2] = ["X", "O"];

/// The stones of two sides that move in turn, one word each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stones {
    pub(super) to_move: u64,
    pub(super) waiting: u64,
    pub(super) turn: Side,
}

impl Stones {
    /// No stones; the first player is to move.
    pub(super) const NONE: Stones = Stones { to_move: 0, waiting: 0, turn: Side::First };

    /// The position of these stones: the first side has as many as the second, or one more when the
    /// second is to move.
    pub(super) const fn of_both(first: u64, second: u64) -> Stones {
        if first.count_ones() == second.count_ones() {
            Stones { to_move: first, waiting: second, turn: Side::First }
        } else {
            Stones { to_move: second, waiting: first, turn: Side::Second }
        }
    }

    /// The stones of both sides.
    #[inline]
    pub(super) const fn taken(&self) -> u64 {
        self.to_move | self.waiting
    }

    /// The stones of a side.
    pub(super) fn of(&self, side: Side) -> u64 {
        if side == self.turn { self.to_move } else { self.waiting }
    }

    /// After the side to move has put down these stones.
    #[inline]
    pub(super) const fn with(&self, stones: u64) -> Stones {
        Stones { to_move: self.waiting, waiting: self.to_move | stones, turn: self.turn.other() }
    }

    /// The same with either side's stones changed.
    pub(super) fn map(&self, change: impl Fn(u64) -> u64) -> Stones {
        Stones { to_move: change(self.to_move), waiting: change(self.waiting), turn: self.turn }
    }
}

/// A position of stones on a board, as it was read.
pub(super) struct Setup<'t> {
    /// Who has a stone on each square.
    pub owners: Vec<Option<Side>>,
    /// The words between the board and the side to move.
    pub extra: Vec<&'t str>,
    pub turn: Side,
}

impl Setup<'_> {
    /// The squares with a stone of `side`.
    pub fn squares_of(&self, side: Side) -> impl Iterator<Item = usize> + '_ {
        (0..self.owners.len()).filter(move |square| self.owners[*square] == Some(side))
    }
}

/// A board of `columns` x `rows` squares, numbered row by row from the top left, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub columns: usize,
    pub rows: usize,
}

impl Board {
    pub const fn squares(self) -> usize {
        self.columns * self.rows
    }

    /// Where each square goes under each symmetry of the board, the identity first: 8 where it is
    /// square, else 4.
    pub fn symmetries(self) -> Vec<Vec<u8>> {
        let (last_column, last_row) = (self.columns - 1, self.rows - 1);
        let turned = [false, true].into_iter().filter(|turn| !turn || self.columns == self.rows);
        let flips = [(false, false), (true, false), (false, true), (true, true)];
        let all = turned.flat_map(|turn| flips.map(|(across, down)| (turn, across, down)));
        all.map(|(turn, across, down)| {
            let image = |square: usize| {
                let (row, column) = (square / self.columns, square % self.columns);
                let (row, column) = if turn { (column, row) } else { (row, column) };
                let row = if down { last_row - row } else { row };
                let column = if across { last_column - column } else { column };
                (row * self.columns + column) as u8
            };
            (0..self.squares()).map(image).collect()
        })
        .collect()
    }

    /// The stones of both sides and the side to move as `X.O/.../... X`.
    pub fn format(
        self,
        mut owner: impl FnMut(usize) -> Option<Side>,
        extra: &str,
        turn: Side,
    ) -> String {
        let letter = |side: Option<Side>| side.map_or(".", |side| LETTERS[side.index()]);
        let rows = (0..self.rows).map(|row| {
            (0..self.columns).map(|column| letter(owner(row * self.columns + column))).collect()
        });
        let rows: Vec<String> = rows.collect();
        format!("{}{extra} {}", rows.join("/"), LETTERS[turn.index()])
    }

    /// Reads what [`format`](Board::format) writes, with `extra` words between board and side.
    pub fn parse<'t>(self, text: &'t str, extra: usize, form: &str) -> Result<Setup<'t>, Invalid> {
        let wrong = |found: &str| Invalid::new(found, format!("{form} on a {self} board"));
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() != extra + 2 {
            return Err(wrong(text));
        }
        let rows: Vec<&str> = words[0].split('/').collect();
        if rows.len() != self.rows {
            return Err(wrong(words[0]));
        }
        let mut owners = Vec::with_capacity(self.squares());
        for row in rows {
            if row.chars().count() != self.columns {
                return Err(wrong(row));
            }
            for letter in row.chars() {
                owners.push(match letter {
                    '.' => None,
                    'X' | 'x' => Some(Side::First),
                    'O' | 'o' => Some(Side::Second),
                    _ => return Err(wrong(row)),
                });
            }
        }
        let turn = parse_side(words[extra + 1], LETTERS)?;
        Ok(Setup { owners, extra: words[1..=extra].to_vec(), turn })
    }
}

impl std::fmt::Display for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

/// The side that a word names, whatever its case.
pub(super) fn parse_side(word: &str, names: [&str; 2]) -> Result<Side, Invalid> {
    match names.iter().position(|name| name.eq_ignore_ascii_case(word)) {
        Some(at) => Ok(Side::BOTH[at]),
        None => Err(Invalid::new(word, format!("the side to move: {} or {}", names[0], names[1]))),
    }
}

/// Checks that the numbers of stones fit the side to move: the first side has as many as the
/// second, or one more when the second is to move.
pub(super) fn check_alternation(text: &str, setup: &Setup<'_>) -> Result<(), Invalid> {
    let [first, second] = Side::BOTH.map(|side| setup.squares_of(side).count());
    if first == second + setup.turn.index() {
        return Ok(());
    }
    let [x, o] = LETTERS;
    let should = match setup.turn {
        Side::First => format!("as many {x} as {o} where {x} is to move"),
        Side::Second => format!("one {x} more than {o} where {o} is to move"),
    };
    Err(Invalid::new(text, format!("{should} (not {first} and {second})")))
}

/// Whether `stones` hold `length` squares in a row in direction `step`: the lowest squares of all
/// such rows, to be compared with the squares where a row can start.
#[inline(always)]
pub(super) fn rows_of(stones: u64, step: u32, length: u32) -> u64 {
    let mut rows = stones;
    for nth in 1..length {
        rows &= stones >> (step * nth);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_eight_symmetries_and_a_rectangle_four() {
        for (columns, rows, count) in [(3, 3, 8), (4, 3, 4), (1, 2, 4)] {
            let board = Board { columns, rows };
            let all = board.symmetries();
            assert_eq!(all.len(), count);
            assert!(all[0].iter().enumerate().all(|(at, to)| at == usize::from(*to)));
            for symmetry in all {
                let mut images = symmetry.clone();
                images.sort_unstable();
                assert!(images.iter().enumerate().all(|(at, to)| at == usize::from(*to)));
            }
        }
    }
}
