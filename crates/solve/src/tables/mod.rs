//! Building tables: every position of a game that numbers its positions ([`Indexed`](foregone_rules::Indexed)), layer by
//! layer from the end. Positions are reached by their numbers alone, so nothing is hashed, and only
//! the layers that moves from a layer lead to are in memory with it.
//!
//! A game may tell of many positions at once (bands.rs), or have no numbers at all (keyed.rs). Else,
//! if play cannot loop, each position asks for those that its moves lead to, and those of the
//! same layer first ask for theirs; threads share the layer and at worst do the same twice. Where it
//! can (retrograde.rs), wins and losses are settled by plies as in [`Strong`](crate::Strong), largest first;
//! what is never settled goes on without end. Distances and ranks ask that play without end is worth the
//! same to the first player everywhere, beyond what is banked.
//!
//! What comes out depends on the game alone.

mod bands;
mod build;
mod cell;
mod engine;
mod keyed;
mod layer;
pub(crate) mod leaves;
mod retrograde;

pub use build::{Technique, build, needs};
pub(crate) use engine::{Dense, Keyed, Tables};
pub use keyed::{build_keyed, needs_keyed};

use foregone_record::{Error, Values};

use self::cell::{MOST_PLIES, MOST_VALUE};
use crate::control::Halted;

const PHASE: &str = "solving a layer";

/// How to build a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What to keep of each position.
    pub values: Values,
    /// Only so many layers, the lowest.
    pub layers: Option<u32>,
    /// On how many threads; what is built does not depend on it.
    pub threads: usize,
}

impl Plan {
    /// All layers, on one thread.
    pub const fn new(values: Values) -> Plan {
        Plan { values, layers: None, threads: 1 }
    }
}

/// What building will take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// How many layers there are.
    pub layers: u32,
    /// How many numbers they have in all, most of them positions; not known where positions are
    /// listed as they are found.
    pub numbers: Option<u64>,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes on disk, at the very most.
    pub disk: u64,
}

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// It was stopped, or would have gone over a limit. What was finished is kept.
    #[error(transparent)]
    Halted(#[from] Halted),
    /// It could not be written, or what was begun cannot be gone on with.
    #[error(transparent)]
    File(#[from] Error),
    /// The game has values or distances that a table has no room for.
    #[error(
        "a position is worth {0}: tables hold values to {MOST_VALUE} and distances to {MOST_PLIES}"
    )]
    Worth(String),
    /// A layer has more different worths than a cell of two bytes can tell apart.
    #[error("layer {layer} has {worths} different worths: a table tells 65,534 apart in a layer")]
    Many {
        /// The layer.
        layer: u32,
        /// How many there are.
        worths: usize,
    },
    /// Distances or signs were asked for of a game that banks points.
    #[error(
        "this game banks points, and neither a distance nor a sign is the same whatever is banked: \
         build the table with --values score, or score+rank if play can loop"
    )]
    Banks,
    /// Values alone were asked for, but play can loop; these would do.
    #[error(
        "play can loop in this game, and only distances or ranks prove what its table says: build \
         it with --values {}", .0.name()
    )]
    Loops(Values),
    /// Distances or ranks were asked for, but what play without end is worth differs.
    #[error(
        "play without end is not worth the same everywhere in this game (it changes at {position}), \
         so a table can hold neither distances nor ranks"
    )]
    Endless {
        /// A position where a move changes it.
        position: String,
    },
    /// Only some layers were asked for of a game that has none.
    #[error("this game lists its positions by keys, it has no layers: leave --layers out")]
    Layers,
    /// The game has no numbers for so many positions.
    #[error("the game has more positions than numbers")]
    Numbers,
}

#[cfg(test)]
mod faults;
#[cfg(test)]
mod tests;
