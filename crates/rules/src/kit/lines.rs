//! Lines on a board of squares: a given number of squares in a row, across, down or diagonally.

use super::Bits;

/// The lines of one length on a board of at most 64 squares, numbered row by row from the top left.
#[derive(Clone, Debug)]
pub struct Lines {
    length: u32,
    /// For across, down and the two diagonals: the step, and the squares where a line can start.
    directions: [(u32, u64); 4],
    all: Vec<u64>,
    /// On boards of few squares, a bit for every set: whether it holds a line. Otherwise empty.
    held: Vec<u64>,
}

impl Lines {
    /// Boards of at most this many squares have a table of the sets that hold a line: 8 KiB, which
    /// fits in the first-level cache and doubles the speed of a walk over tic-tac-toe.
    const FEW_SQUARES: usize = 16;

    /// The lines of `length` squares on a board of `columns` x `rows`.
    ///
    /// # Panics
    /// If the board has more than 64 squares, or none.
    pub fn new(columns: usize, rows: usize, length: u32) -> Lines {
        let squares = columns * rows;
        assert!((1..=64).contains(&squares), "1 to 64 squares");
        let long = length as usize;
        let starts = |across: bool, down: bool, back: bool| {
            let fits = |square: &usize| {
                let (row, column) = (square / columns, square % columns);
                (!across || column + long <= columns)
                    && (!back || column + 1 >= long)
                    && (!down || row + long <= rows)
            };
            (0..squares).filter(fits).fold(0, |set, square| set | 1u64 << square)
        };
        let width = columns as u32;
        // A direction without lines has no starts. Its step is set to 0, so that no shift exceeds
        // the word.
        let directions = [
            (1, starts(true, false, false)),
            (width, starts(false, true, false)),
            (width + 1, starts(true, true, false)),
            (width - 1, starts(false, true, true)),
        ]
        .map(|(step, starts)| if starts == 0 { (0, 0) } else { (step, starts) });
        let lines = directions.iter().flat_map(|&(step, starts)| {
            let line =
                (0..length).fold(0, |line, nth| line | 1u64.checked_shl(step * nth).unwrap_or(0));
            Bits(starts).map(move |start| line << start)
        });
        // A line of one square is the same in all directions.
        let all = match length {
            1 => (0..squares).map(|at| 1 << at).collect(),
            _ => lines.collect(),
        };
        let mut lines = Lines { length, directions, all, held: Vec::new() };
        if squares <= Lines::FEW_SQUARES {
            let mut held = vec![0u64; (1usize << squares).div_ceil(64)];
            for set in 0..1u64 << squares {
                held[set as usize / 64] |= u64::from(lines.finds(set)) << (set % 64);
            }
            lines.held = held;
        }
        lines
    }

    /// Every line, as the set of its squares.
    #[inline]
    pub fn all(&self) -> &[u64] {
        &self.all
    }

    /// The first and the last square of each line that a set holds.
    pub fn ends_in(&self, set: u64) -> Vec<[usize; 2]> {
        let held = self.all.iter().filter(|line| set & **line == **line);
        held.map(|line| [line.trailing_zeros() as usize, line.ilog2() as usize]).collect()
    }

    /// Whether a set holds a line.
    #[inline(always)]
    pub fn any_in(&self, set: u64) -> bool {
        match self.held.get(set as usize / 64) {
            Some(word) => word >> (set % 64) & 1 == 1,
            None => self.finds(set),
        }
    }

    /// Finds lines by shifting the word over itself. Only lines from a valid start count, so that
    /// none wraps around the edge.
    fn finds(&self, set: u64) -> bool {
        let found =
            self.directions.iter().map(|&(step, starts)| rows_of(set, step, self.length) & starts);
        found.fold(0, |all, rows| all | rows) != 0
    }
}

/// The lowest squares of all rows of `length` squares of `set` in direction `step`. Rows may wrap
/// around the edge; the caller must compare them with the squares where a row can start.
#[inline(always)]
pub(crate) fn rows_of(set: u64, step: u32, length: u32) -> u64 {
    let mut rows = set;
    for nth in 1..length {
        rows &= set >> (step * nth);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_plain_search_is_found_and_no_other() {
        // Compares the shifts with a walk along every line, on random boards.
        let mut dice = crate::sample::Dice::new(1);
        for (columns, rows, length) in [(3, 3, 3), (5, 4, 4), (8, 8, 3), (7, 2, 2), (3, 5, 1)] {
            let lines = Lines::new(columns, rows, length);
            for _ in 0..2000 {
                let set = dice.roll() & dice.roll() & (u64::MAX >> (64 - columns * rows));
                let has = |row: isize, column: isize| {
                    (0..rows as isize).contains(&row)
                        && (0..columns as isize).contains(&column)
                        && set >> (row as usize * columns + column as usize) & 1 == 1
                };
                let plain = (0..(columns * rows) as isize).any(|square| {
                    let (row, column) = (square / columns as isize, square % columns as isize);
                    [(0, 1), (1, 0), (1, 1), (1, -1)].iter().any(|(down, right)| {
                        (0..length as isize).all(|nth| has(row + nth * down, column + nth * right))
                    })
                });
                assert_eq!(lines.any_in(set), plain, "{columns}x{rows} {length} {set:b}");
                assert_eq!(lines.ends_in(set).is_empty(), !plain);
            }
        }
    }
}
