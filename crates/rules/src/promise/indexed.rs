//! Dense numbers of states.

use super::Bank;
use crate::game::Game;

/// A dense number of each state inside a layer, both ways.
///
/// Strong solving needs no hashing then: a layer is an array. A layer may hold numbers that stand
/// for no state; moves never lead to a higher layer.
///
/// Where points are [banked](Indexed::Bank), states that differ only in them share a number, and the
/// state that a number gives back has nothing banked. Where alike states are merged
/// ([`merges`](Indexed::merges)), they share a number too, and it gives back one of them.
pub trait Indexed: Game {
    /// What the numbers leave out.
    type Bank: Bank<Self>;
    /// The number of layers; the last positions of a game lie in the lowest.
    fn layers(&self) -> u32;
    /// How many numbers a layer has; [`u64::MAX`] if that is too large for a number.
    fn size(&self, layer: u32) -> u64;
    /// The layer of a state and its number there.
    fn index(&self, state: &Self::State) -> (u32, u64);
    /// The layer of a state; games override it if that takes less than its number.
    #[inline]
    fn layer(&self, state: &Self::State) -> u32 {
        self.index(state).0
    }
    /// The state that has a number, if there is one.
    fn state(&self, layer: u32, index: u64) -> Option<Self::State>;

    /// All states of a part of a layer with their numbers, in order; games override it where going
    /// from one to the next is cheaper than finding each by its number.
    fn states(
        &self,
        layer: u32,
        part: std::ops::Range<u64>,
    ) -> impl Iterator<Item = (u64, Self::State)> {
        part.filter_map(move |index| Some((index, self.state(layer, index)?)))
    }

    /// The lowest layer that moves lead to from a layer.
    fn lowest_after(&self, _layer: u32) -> u32 {
        0
    }

    /// The positions of the same layer that are not over and from which one move leads to `state`,
    /// some more than once; `None` if the game does not tell. Layers in which play can loop are
    /// solved many times faster with it.
    fn predecessors(&self, _state: &Self::State) -> Option<Vec<Self::State>> {
        None
    }

    /// Whether states share a number that are alike: by symmetry, or with the sides exchanged. Each has
    /// moves to states of the same numbers, and results are the same for the side to move.
    fn merges(&self) -> bool {
        false
    }
}
