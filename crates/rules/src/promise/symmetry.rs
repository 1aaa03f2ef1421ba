//! Equivalent positions.

use crate::game::Game;

/// A symmetry of the game: one position represents all that are equivalent.
///
/// A position and its representative have the same worth (value and distance) to their side to
/// move. Banked points stay unchanged; [`Banked`](super::Banked) removes them.
pub trait Symmetry: Game {
    /// The representative of all positions that are equivalent to `state`. A representative is its
    /// own representative. By default every position is its own representative.
    fn representative(&self, state: &Self::State) -> Self::State {
        *state
    }

    /// The largest number of positions with the same representative; 1 if there is no symmetry.
    fn images(&self) -> u64 {
        1
    }

    /// The image of a position under the symmetry of this number, from 0 to [`images`](Self::images) - 1, of which 0 changes
    /// nothing. `None` for other numbers, and if the game does not list its symmetries: then a checker has to visit all
    /// positions to see that those with one representative are equivalent.
    ///
    /// The images of a position have one representative, of which each of them is an image.
    fn image(&self, state: &Self::State, number: u64) -> Option<Self::State> {
        (number == 0).then_some(*state)
    }

    /// Whether a representative may have the sides exchanged, so that the other side is to move
    /// there. A solver must therefore test whether a player moves again before it replaces a
    /// position by its representative.
    fn exchanges(&self) -> bool {
        false
    }
}
