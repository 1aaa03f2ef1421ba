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
    fn most_in(&self, layers: u32) -> i32;

    /// The numbers of a layer, divided into blocks sorted by wave. Moves lead to lower layers, or
    /// to blocks of earlier waves in the same layer.
    fn blocks(&self, layer: u32) -> Vec<Block>;

    /// Calls `visit` for each band of a block; each number of the block is in exactly one band.
    fn bands<'g>(&'g self, layer: u32, block: &Block, visit: &mut dyn FnMut(&Band<'g>));
}

/// A range of numbers of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// No move leads from a block to a block of the same wave, itself included.
    pub wave: u32,
    /// The numbers, at least one.
    pub numbers: Range<u64>,
    /// Blocks whose moves mostly lead to each other, also in different layers, have close numbers here:
    /// if many processes solve a table, they keep such blocks together.
    pub region: u64,
}

/// States whose numbers are evenly spaced.
#[derive(Clone, Debug, Default)]
pub struct Band<'g> {
    /// The number at place 0.
    pub first: u64,
    /// The difference between the numbers of neighbouring places.
    pub step: u64,
    /// The number of places.
    pub len: u32,
    /// Places without a state.
    pub missing: Vec<u32>,
    /// Places of positions that are over, each with its value for the side to move.
    pub over: Vec<(u32, Value)>,
    /// Moves that many states of the band have.
    pub moves: Vec<BandMove<'g>>,
    /// Additional moves of single states.
    pub loose: Vec<Loose>,
}

impl Band<'_> {
    /// Starts a new band without missing or finished places and without moves.
    pub fn begin(&mut self, first: u64, step: u64, len: u32) {
        (self.first, self.step, self.len) = (first, step, len);
        self.missing.clear();
        self.over.clear();
        self.moves.clear();
        self.loose.clear();
    }
}

/// A move that states of a band have in common. It has no meaning at places that are missing or
/// over. A state whose target number has no state does not have the move.
#[derive(Clone, Copy, Debug)]
pub struct BandMove<'g> {
    /// The layer that it leads to.
    pub layer: u32,
    /// The number of target place 0 in that layer.
    pub first: u64,
    /// The difference between the numbers of neighbouring target places.
    pub step: u64,
    /// The number of target places; all of them are numbers of that layer.
    pub len: u32,
    /// Whether the turn passes to the other side.
    pub passes: bool,
    /// The points that the mover banks.
    pub gain: i32,
    /// Which places have the move, and their target places.
    pub places: Places<'g>,
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
