//! Dense numbers of states.

use super::Bank;
use crate::game::Game;

/// A dense number for each state of a layer, and the state of each number.
///
/// Strong solving then needs no hashing: a layer is an array. A layer may have numbers without a
/// state. Moves never lead to a higher layer. If play can loop, moves that bank points lead to a lower one.
///
/// States that differ only in [banked](Indexed::Bank) points share a number; the state of that
/// number has nothing banked. If equivalent states are merged ([`merges`](Indexed::merges)), they
/// share a number too, and the state of that number is one of them.
pub trait Indexed: Game {
    /// What the numbers leave out.
    type Bank: Bank<Self>;
    /// The number of layers; games end in the lowest layers.
    fn layers(&self) -> u32;
    /// How many numbers a layer has; [`u64::MAX`] if they do not fit in a `u64`.
    fn size(&self, layer: u32) -> u64;
    /// The layer of a state and its number there.
    fn index(&self, state: &Self::State) -> (u32, u64);
    /// The layer of a state; a game overrides it if this is cheaper than [`index`](Indexed::index).
    #[inline]
    fn layer(&self, state: &Self::State) -> u32 {
        self.index(state).0
    }
    /// The state with a number; `None` if there is none.
    fn state(&self, layer: u32, index: u64) -> Option<Self::State>;

    /// All states of a part of a layer with their numbers, in order; a game overrides it if the
    /// next state is cheaper to find than a state by its number.
    fn states(
        &self,
        layer: u32,
        part: std::ops::Range<u64>,
    ) -> impl Iterator<Item = (u64, Self::State)> {
        part.filter_map(move |index| Some((index, self.state(layer, index)?)))
    }

    /// The layers that moves from a layer may lead to, the lowest first; the layer itself is one of
    /// them if a move may stay in it. While a layer is solved, these are in memory.
    fn layers_after(&self, layer: u32) -> Vec<u32> {
        (0..=layer).collect()
    }

    /// The predecessors of `state` in the same layer: positions that are not over and from which
    /// one move leads to `state`. Some may be repeated. `None`, for every state, if the game cannot list
    /// them: then a table of a game in which play can loop keeps all moves of a layer in memory.
    fn predecessors(&self, _state: &Self::State) -> Option<Vec<Self::State>> {
        None
    }

    /// Whether equivalent states (by symmetry, or with the sides exchanged) share a number. Their
    /// moves lead to states with the same numbers, and their results are the same for the side to
    /// move.
    fn merges(&self) -> bool {
        false
    }
}
