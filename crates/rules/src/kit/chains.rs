//! Chains of neighbouring cells, and whether they join two sets of cells.

use super::{Bits, Board};

/// For each of at most 64 cells, its neighbours.
#[derive(Clone, Debug)]
pub struct Chains(Vec<u64>);

impl Chains {
    /// Cells are neighbours if one of `steps` (columns to the right, rows down) leads from one to
    /// the other. For each step, `steps` must contain the step back.
    ///
    /// # Panics
    /// If the board has more than 64 cells.
    pub fn new(board: &Board, steps: &[(isize, isize)]) -> Chains {
        assert!(board.len() <= 64, "at most 64 cells");
        Chains(board.neighbours(steps).into_iter().map(|cells| cells as u64).collect())
    }

    /// The neighbours of a cell.
    #[inline]
    pub fn next_to(&self, cell: usize) -> u64 {
        self.0[cell]
    }

    /// The neighbours of all of `cells`.
    #[inline]
    pub fn around(&self, cells: u64) -> u64 {
        Bits(cells).fold(0, |all, cell| all | self.0[usize::from(cell)])
    }

    /// The cells of `within` that chains inside it join to cells of `from`.
    #[inline]
    pub fn joined(&self, from: u64, within: u64) -> u64 {
        let mut all = from & within;
        let mut new = all;
        while new != 0 {
            new = self.around(new) & within & !all;
            all |= new;
        }
        all
    }

    /// A shortest chain inside `within` from a cell of `from` to a cell of `to`; empty if there is
    /// none.
    ///
    /// ```
    /// use foregone_rules::kit::{Board, Chains};
    ///
    /// let board = Board::squares(3, 3);
    /// let chains = Chains::new(&board, &[(1, 0), (-1, 0), (0, 1), (0, -1)]);
    /// // From the left column to the right one, around the centre.
    /// assert_eq!(chains.shortest(0b001_001_001, 0b100_100_100, 0b111_101_101), [6, 7, 8]);
    /// assert_eq!(chains.shortest(0b001_001_001, 0b100_100_100, 0b101_101_101), []);
    /// ```
    pub fn shortest(&self, from: u64, to: u64, within: u64) -> Vec<usize> {
        let mut steps = vec![from & within];
        let mut all = from & within;
        while let Some(last) = steps.last()
            && last & to == 0
        {
            let new = self.around(*last) & within & !all;
            if new == 0 {
                return Vec::new();
            }
            all |= new;
            steps.push(new);
        }
        let mut ends = to;
        let back = steps.iter().rev().map(|step| {
            let cell = (step & ends).trailing_zeros() as usize;
            ends = self.0[cell];
            cell
        });
        let mut chain: Vec<usize> = back.collect();
        chain.reverse();
        chain
    }
}
