//! A position as a board sees it: sets of cells, counts and a side.

use crate::game::Side;

/// What stands on the cells of a [`Board`](super::Board), its counts, and whose turn it is.
///
/// Pieces, cells and counts are numbered as the board lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    sets: [u128; Cells::MOST_PIECES],
    counts: [u16; Cells::MOST_COUNTS],
    /// Whose turn it is.
    pub turn: Side,
}

impl Cells {
    /// The most cells that a board has.
    pub const MOST: usize = 128;
    /// The most pieces that a board tells apart.
    pub const MOST_PIECES: usize = 12;
    /// The most counts that a board keeps.
    pub const MOST_COUNTS: usize = 32;

    /// An empty board.
    #[inline]
    pub const fn new(turn: Side) -> Cells {
        Cells { sets: [0; Cells::MOST_PIECES], counts: [0; Cells::MOST_COUNTS], turn }
    }

    /// The same with a piece on each cell of a set, a bit each.
    #[inline]
    pub fn with(mut self, piece: usize, set: impl Into<u128>) -> Cells {
        self.sets[piece] |= set.into();
        self
    }

    /// The same with a count.
    #[inline]
    pub fn counting(mut self, nth: usize, count: impl Into<u16>) -> Cells {
        self.counts[nth] = count.into();
        self
    }

    /// The cells on which a piece stands.
    #[inline]
    pub const fn set(&self, piece: usize) -> u128 {
        self.sets[piece]
    }

    /// The cells on which each piece stands.
    #[inline]
    pub(super) const fn sets(&self) -> &[u128; Cells::MOST_PIECES] {
        &self.sets
    }

    /// All cells on which something stands.
    #[inline]
    pub fn taken(&self) -> u128 {
        self.sets.iter().fold(0, |all, set| all | set)
    }

    /// The piece on a cell; `None` if it is empty.
    pub fn piece(&self, cell: usize) -> Option<usize> {
        self.sets.iter().position(|set| set >> cell & 1 == 1)
    }

    /// A count.
    #[inline]
    pub const fn count(&self, nth: usize) -> u16 {
        self.counts[nth]
    }

    /// The same with other sets.
    pub(super) fn with_sets(&self, sets: [u128; Cells::MOST_PIECES]) -> Cells {
        Cells { sets, ..*self }
    }
}
