//! Bands: many states that differ only in one small part, told of together.
//!
//! What all states of a band share decides most of their moves: the same move takes every one of
//! them to the state of another band that differs from its neighbours in the same small part. So one
//! look at what is shared serves the whole band, and the rest is walking along rows of numbers. With
//! fox and hounds the fox's square is the small part; with Kalah it is the other side's pits.

use std::ops::Range;

use super::{Acyclic, Indexed};
use crate::game::Value;

/// The numbers of each layer in bands.
///
/// Layers are solved many times faster with it, as nothing is asked of single states. It is used, and
/// checked, only if the parameters let the game be [`Acyclic`]. Distances are compared as if play without
/// end were worth 0, so [`endless`](crate::Game::endless) has to be a draw with nothing banked.
pub trait Banded: Indexed + Acyclic {
    /// The most that a state can be worth, to either side, with nothing banked, in so many layers.
    fn most_in(&self, layers: u32) -> i32;

    /// The numbers of a layer cut into blocks, those of earlier waves first: moves lead to lower
    /// layers, and in the same layer to blocks of earlier waves.
    fn blocks(&self, layer: u32) -> Vec<Block>;

    /// The bands of a block, one after the other: each number of the block is in one of them.
    fn bands<'g>(&'g self, layer: u32, block: &Block, visit: &mut dyn FnMut(&Band<'g>));
}

/// Some numbers of a layer, one behind the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Blocks of one wave do not lead to each other.
    pub wave: u32,
    /// The numbers, at least one.
    pub numbers: Range<u64>,
}

/// States whose numbers are evenly spaced.
#[derive(Clone, Debug, Default)]
pub struct Band<'g> {
    /// The number of the first.
    pub first: u64,
    /// From one number to the next.
    pub step: u64,
    /// How many there are.
    pub len: u32,
    /// Places in the band that stand for no state.
    pub missing: Vec<u32>,
    /// Places of positions that are over, each with its value for the side to move.
    pub over: Vec<(u32, Value)>,
    /// Moves that many states of the band have.
    pub moves: Vec<BandMove<'g>>,
    /// Moves that single states have besides.
    pub loose: Vec<Loose>,
}

impl Band<'_> {
    /// Begins the next band.
    pub fn begin(&mut self, first: u64, step: u64, len: u32) {
        (self.first, self.step, self.len) = (first, step, len);
        self.missing.clear();
        self.over.clear();
        self.moves.clear();
        self.loose.clear();
    }
}

/// A move that states of a band have in common. What it says of places that are missing or over has
/// no meaning, and where it leads to a number that stands for no state there is no such move.
#[derive(Clone, Copy, Debug)]
pub struct BandMove<'g> {
    /// The layer that it leads to.
    pub layer: u32,
    /// The number there that place 0 stands for.
    pub first: u64,
    /// From one place to the next.
    pub step: u64,
    /// Whether it becomes the other side's turn.
    pub passes: bool,
    /// What the mover banks with it.
    pub gain: i32,
    /// Which states have it, and to which places it leads.
    pub places: Places<'g>,
}

/// The places of a band that have a move, and those that it leads to.
#[derive(Clone, Copy, Debug)]
pub enum Places<'g> {
    /// Every place, to the same place.
    Same,
    /// Every place, to the place in the list.
    To(&'g [u32]),
    /// Each first place, to the second.
    Pairs(&'g [(u32, u32)]),
}

impl Places<'_> {
    /// From where to where, of a band of so many places.
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
    /// Whether it becomes the other side's turn.
    pub passes: bool,
    /// What the mover banks with it.
    pub gain: i32,
}
