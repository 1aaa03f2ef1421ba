//! Building tables: solves every position of a game that numbers its positions
//! ([`Indexed`](foregone_rules::Indexed)), layer by layer from the end. Numbers address positions
//! directly, so nothing is hashed. Only the layer being solved and the layers that its moves lead
//! to are in memory.
//!
//! There are five techniques. A game may describe many positions at once (bands.rs), or have no
//! numbers at all (keyed.rs, staged.rs). Otherwise, if play cannot loop (layer.rs), each position is solved on
//! demand after its successors in the same layer; threads share the layer and at worst solve a
//! position twice. If play can loop (retrograde.rs), wins and losses are settled ply by ply as in
//! [`Strong`](crate::Strong), the largest first; positions that are never settled are play without
//! end. Distances and ranks require that endless play has the same value for the first player
//! everywhere, without banked points.
//!
//! The result depends on the game alone.

mod bands;
mod build;
mod cell;
pub(crate) mod endgame;
mod engine;
#[doc(hidden)]
pub mod kernel;
mod keyed;
mod known;
mod layer;
pub(crate) mod leaves;
mod preference;
mod retrograde;
mod staged;
mod tape;
mod work;

pub use crate::subject::{Misplayed, Subject};
pub use build::{Technique, blueprint, build, build_layer, needs};
pub(crate) use engine::{Dense, Keyed, Tables};
pub use keyed::{build_keyed, needs_keyed};
pub(crate) use tape::tape;

use foregone_record::{Error, Listed, Values};
use foregone_rules::Game;

use self::cell::{MAX_PLIES, MAX_VALUE};
use crate::control::Halted;

const PHASE: &str = "solving a layer";

/// How to build a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What to store for each position.
    pub values: Values,
    /// Builds only the lowest `layers` layers; `None` for all.
    pub layers: Option<u32>,
    /// The number of threads; the result does not depend on it.
    pub threads: usize,
    /// Whether a table of a game that loops, if it lists positions by keys and keeps distances, also has positions that
    /// only come after a win at once was passed over.
    pub all: bool,
}

impl Plan {
    /// All layers, on one thread.
    pub const fn new(values: Values) -> Plan {
        Plan { values, layers: None, threads: 1, all: false }
    }
}

/// Resources for building a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Needs {
    /// The number of layers.
    pub layers: u32,
    /// The count of numbers in all layers, most of them positions; `None` if positions are listed
    /// as they are found.
    pub numbers: Option<u64>,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes on disk, an upper bound.
    pub disk: u64,
    /// Which positions are listed, if they are listed by keys and the game does not need more.
    pub listed: Listed,
}

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failed {
    /// It was stopped, or would exceed a limit. Finished layers are kept.
    #[error(transparent)]
    Halted(#[from] Halted),
    /// It could not be written, or an unfinished table cannot be resumed.
    #[error(transparent)]
    File(#[from] Error),
    /// A game from text is not played as its text says.
    #[error(transparent)]
    Misplayed(#[from] Misplayed),
    /// The game has values or distances that do not fit into a table.
    #[error(
        "a position has {0}, but a table holds values up to {MAX_VALUE} and distances up to \
         {MAX_PLIES}"
    )]
    Worth(String),
    /// A layer has more different worths than a cell of two bytes can hold.
    #[error(
        "layer {layer} has {worths} different worths, but a table holds at most 65,534 in a layer"
    )]
    Many {
        /// The layer.
        layer: u32,
        /// The number of different worths.
        worths: usize,
    },
    /// Distances or signs were requested, but the game banks points.
    #[error(
        "this game banks points, which change distances and signs: \
         build the table with --values score, or score+rank if play can loop"
    )]
    Banks,
    /// Values alone were requested, but play can loop; the field names values that work.
    #[error(
        "play can loop in this game, so its table needs distances or ranks as proof: build \
         it with --values {}", .0.name()
    )]
    Loops(Values),
    /// Distances or ranks were requested, but the value of endless play differs between
    /// positions.
    #[error(
        "the value of endless play is not the same everywhere in this game (it changes at \
         {position}), so a table can hold neither distances nor ranks"
    )]
    Endless {
        /// A position with a move that changes it.
        position: String,
    },
    /// A move within a layer banks points, though play can loop.
    #[error("a move from {position} banks points, but stays in its layer, in which play can loop")]
    BanksWithin {
        /// Where the move begins.
        position: String,
    },
    /// A position of a layer in which play can loop has too many moves.
    #[error("a position of layer {layer} has more than 65,534 moves within its layer")]
    Moves {
        /// The layer.
        layer: u32,
    },
    /// A move leads to a layer that the game does not name.
    #[error("a move from layer {layer} leads to layer {lower}, which is not among those after it")]
    After {
        /// Where the move begins.
        layer: u32,
        /// Where it leads.
        lower: u32,
    },
    /// Some positions have predecessors, and this one says that the game lists none.
    #[error("the game lists the predecessors of its start, but not those of {position}")]
    Predecessors {
        /// The position.
        position: String,
    },
    /// Only some layers were requested, but the game has no layers.
    #[error(
        "a table of this game lists positions by their keys and has no layers: leave out --layers"
    )]
    Layers,
    /// Several processes were requested, but the table lists positions by their keys.
    #[error("a table of this game lists positions by their keys: only one process can build it")]
    Together,
    /// A book was requested of a game that has no search for values.
    #[error(
        "a book needs a game that cannot loop and whose positions have keys: in this game play can loop, or its positions have no keys"
    )]
    NoBook,
    /// The game has too many positions to number them.
    #[error("the game has more positions than a table can number")]
    Numbers,
}

/// Fails if a move changes the value of endless play: distances and ranks are compared relative to
/// that value.
#[inline]
fn same_endless<G: Game>(
    subject: &Subject<'_, G>,
    values: Values,
    [state, child]: [&G::State; 2],
) -> Result<(), Failed> {
    let same = subject.game.endless(state) == subject.game.endless(child);
    match same || values.need_progress() {
        true => Ok(()),
        false => Err(Failed::Endless { position: subject.position(state) }),
    }
}

#[cfg(test)]
mod faults;
#[cfg(test)]
mod tests;
