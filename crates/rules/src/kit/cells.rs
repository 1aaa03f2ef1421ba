//! A position in the form of the kit: sets of cells, counts and the side to move.

use crate::game::Side;

/// The pieces on the cells of a [`Board`](super::Board), its counts, and the side to move.
///
/// Pieces, cells and counts are numbered in the order of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    sets: [u128; Cells::MAX_PIECES],
    counts: [u16; Cells::MAX_COUNTS],
    /// The side to move.
    pub turn: Side,
}

impl Cells {
    /// The largest number of cells of a board.
    pub const MAX: usize = 128;
    /// The largest number of kinds of pieces of a board.
    pub const MAX_PIECES: usize = 12;
    /// The largest number of counts of a board.
    pub const MAX_COUNTS: usize = 32;

    /// An empty board.
    #[inline]
    pub const fn new(turn: Side) -> Cells {
        Cells { sets: [0; Cells::MAX_PIECES], counts: [0; Cells::MAX_COUNTS], turn }
    }

    /// Adds a piece on each cell of `set`, a bit for each cell.
    #[inline]
    pub fn with(mut self, piece: usize, set: impl Into<u128>) -> Cells {
        self.sets[piece] |= set.into();
        self
    }

    /// Sets `count` as count number `nth`.
    #[inline]
    pub fn counting(mut self, nth: usize, count: impl Into<u16>) -> Cells {
        self.counts[nth] = count.into();
        self
    }

    /// The cells with this kind of piece.
    #[inline]
    pub const fn set(&self, piece: usize) -> u128 {
        self.sets[piece]
    }

    /// For each kind of piece, its cells.
    #[inline]
    pub(super) const fn sets(&self) -> &[u128; Cells::MAX_PIECES] {
        &self.sets
    }

    /// All cells with a piece.
    #[inline]
    pub fn taken(&self) -> u128 {
        self.sets.iter().fold(0, |all, set| all | set)
    }

    /// The piece on a cell; `None` if it is empty.
    pub fn piece(&self, cell: usize) -> Option<usize> {
        self.sets.iter().position(|set| set >> cell & 1 == 1)
    }

    /// All pieces on a cell: a board may have marks beside or without a piece.
    pub fn pieces(&self, cell: usize) -> impl Iterator<Item = usize> {
        let sets = self.sets.iter().enumerate();
        sets.filter(move |(_, set)| **set >> cell & 1 == 1).map(|(piece, _)| piece)
    }

    /// Count number `nth`.
    #[inline]
    pub const fn count(&self, nth: usize) -> u16 {
        self.counts[nth]
    }

    /// Replaces the sets.
    pub(super) fn with_sets(&self, sets: [u128; Cells::MAX_PIECES]) -> Cells {
        Cells { sets, ..*self }
    }
}
