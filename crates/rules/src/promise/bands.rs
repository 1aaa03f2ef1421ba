//! Bands: many states that differ only in one small part, handled together.
//!
//! The part that all states of a band share decides most of their moves: the same move leads from
//! each of them to the corresponding state of another band. So moves are generated once for the
//! whole band, and the rest is a walk along rows of numbers. In fox and hounds the small part is
//! the fox's square; in Kalah it is the other side's pits.

use std::ops::Range;

use super::{Acyclic, Indexed};
use crate::game::Value;

/// The numbers of each layer, grouped in bands.
///
/// It makes solving a layer many times faster, because states are not handled one by one. It is
/// used and checked only if the game with its parameters is [`Acyclic`]. Distances are compared as
/// if endless play had the value 0, so [`endless`](crate::Game::endless) must be a draw with
/// nothing banked.
pub trait Banded: Indexed + Acyclic {
    /// The largest magnitude of the value of a state with nothing banked in the lowest `layers`
    /// layers.
    fn max_value_in(&self, layers: u32) -> i32;

    /// The numbers of a layer, divided into blocks sorted by wave. Moves lead to lower layers, or
    /// to blocks of earlier waves in the same layer. A layer has fewer than 2^32 blocks.
    fn blocks(&self, layer: u32) -> Vec<Block>;

    /// Whether bands lie across their blocks; see [`Line`]. If not, no move leads to a line across.
    fn across(&self) -> bool {
        false
    }

    /// Calls `visit` for each band of a block: the lines with [`Block::places`] numbers, once each.
    fn bands<'g>(&'g self, layer: u32, block: &Block, visit: &mut dyn FnMut(&Band<'g>));
}

/// A range of numbers of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// No move leads from a block to a block of the same wave, itself included.
    pub wave: u32,
    /// The numbers, at least one.
    pub numbers: Range<u64>,
    /// How many places each band has.
    pub places: u32,
    /// Blocks whose moves mostly lead to each other, also in different layers, have close numbers here:
    /// if many processes solve a table, they keep such blocks together.
    pub region: u64,
}

/// States of a block that share most of their moves.
#[derive(Clone, Debug, Default)]
pub struct Band<'g> {
    /// Which of the block's bands it is, from 0.
    pub nth: u32,
    /// How many places it has, as all bands of the block.
    pub len: u32,
    /// Places without a state.
    pub missing: Vec<u32>,
    /// Places of positions that are over, each with its value for the side to move.
    pub over: Vec<(u32, Value)>,
    /// Moves that many states of the band have.
    pub moves: Vec<BandMove<'g>>,
    /// Moves that all states of the band have, but that lead to different lines.
    pub splits: Vec<Split<'g>>,
    /// Where these lead to.
    pub ways: Vec<Way>,
    /// Additional moves of single states.
    pub loose: Vec<Loose>,
}

impl<'g> Band<'g> {
    /// Becomes a copy of another band, in the memory that it has.
    pub fn copy(&mut self, other: &Band<'g>) {
        (self.nth, self.len) = (other.nth, other.len);
        self.missing.clone_from(&other.missing);
        self.over.clone_from(&other.over);
        self.moves.clone_from(&other.moves);
        self.splits.clone_from(&other.splits);
        self.ways.clone_from(&other.ways);
        self.loose.clone_from(&other.loose);
    }

    /// Starts a new band without missing or finished places and without moves.
    pub fn begin(&mut self, nth: u32, len: u32) {
        (self.nth, self.len) = (nth, len);
        self.missing.clear();
        self.over.clear();
        self.moves.clear();
        self.splits.clear();
        self.ways.clear();
        self.loose.clear();
    }
}

/// Some numbers of a block, evenly spaced: one of its rows or columns, if its numbers are written line by
/// line into a rectangle.
///
/// A program may keep a block in both orders, so that all lines are contiguous in one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Which of the block's lines of the same direction, from 0.
    pub nth: u32,
    /// How many numbers it has, at least one; it divides the size of the block.
    pub len: u32,
    /// Whether the numbers follow each other (line 0 has the first `len` numbers), or are as far apart as
    /// there are lines (line 0 has the first number of each line of the other direction).
    pub across: bool,
}

impl Line {
    /// The offsets of its numbers in a block of `size` numbers: the first one, and the difference between
    /// neighbours.
    ///
    /// ```
    /// use foregone_rules::promise::Line;
    ///
    /// // 0 1 2
    /// // 3 4 5
    /// assert_eq!(Line { nth: 1, len: 3, across: false }.offsets(6), (3, 1));
    /// assert_eq!(Line { nth: 1, len: 2, across: true }.offsets(6), (1, 3));
    /// ```
    #[inline]
    pub fn offsets(self, size: u64) -> (u64, u64) {
        match self.across {
            false => (u64::from(self.nth) * u64::from(self.len), 1),
            true => (self.nth.into(), size / u64::from(self.len.max(1))),
        }
    }

    /// The offset of its first number, if the block is kept in the order in which this line's numbers follow
    /// each other.
    #[inline]
    pub fn start(self) -> usize {
        self.nth as usize * self.len as usize
    }
}

/// A line of a block of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The layer.
    pub layer: u32,
    /// How many blocks of this layer have smaller numbers.
    pub block: u32,
    /// The line in this block.
    pub line: Line,
}

/// A move that states of a band have in common. It has no meaning at places that are missing or
/// over. A state whose target number has no state does not have the move.
#[derive(Clone, Copy, Debug)]
pub struct BandMove<'g> {
    /// Where it leads to. `None` if the game is over after it, and was drawn but for the points that are
    /// banked.
    pub to: Option<Target>,
    /// Whether the turn passes to the other side.
    pub passes: bool,
    /// The points that the mover banks.
    pub gain: i32,
    /// Which places have the move, and their places in the target.
    pub places: Places<'g>,
}

/// A move that every state of a band has, but that leads to different lines, for example because it takes
/// what lies there. Like other moves, it has no meaning at places that are missing or over.
#[derive(Clone, Debug)]
pub struct Split<'g> {
    /// Whether the turn passes to the other side.
    pub passes: bool,
    /// For each place: which way it takes, counted from the first one.
    pub which: &'g [u8],
    /// For each place: its place in the target.
    pub to: &'g [u32],
    /// Its ways: their places in [`Band::ways`].
    pub ways: Range<usize>,
}

/// One of the lines that a [`Split`] leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The line; `None` if the game is over after the move, and was drawn but for the points that are banked.
    pub to: Option<Target>,
    /// The points that the mover banks.
    pub gain: i32,
}

/// The places of a band that have a move, and their target places.
#[derive(Clone, Copy, Debug)]
pub enum Places<'g> {
    /// Every place has the move; the target is the same place.
    Same,
    /// Every place has the move; entry `place` of the list is its target.
    To(&'g [u32]),
    /// Pairs of a place that has the move and its target.
    Pairs(&'g [(u32, u32)]),
}

impl Places<'_> {
    /// The pairs of place and target in a band of `len` places.
    pub fn iter(&self, len: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let (same, to, pairs): (_, &[u32], &[(u32, u32)]) = match self {
            Places::Same => (len, &[], &[]),
            Places::To(to) => (0, to, &[]),
            Places::Pairs(pairs) => (0, &[], pairs),
        };
        let same = (0..same).map(|place| (place, place));
        same.chain((0..).zip(to.iter().copied())).chain(pairs.iter().copied())
    }
}

/// A move of a single state of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loose {
    /// The state's place in the band.
    pub place: u32,
    /// The layer and the number that it leads to.
    pub to: (u32, u64),
    /// Whether the turn passes to the other side.
    pub passes: bool,
    /// The points that the mover banks.
    pub gain: i32,
}
