//! Games that cannot loop.

use crate::game::Game;

/// A progress measure that rises with every move: the game cannot loop.
///
/// Depth-first search needs it; without it, a search must detect loops.
pub trait Acyclic: Game {
    /// The progress measure: smaller than at every position one move later.
    fn progress(&self, state: &Self::State) -> u32;

    /// An upper bound on the plies of any play from here; `None` if none is known. A search for distances
    /// then stops where it has found the longest play.
    fn plies_left(&self, _state: &Self::State) -> Option<u32> {
        None
    }

    /// Whether the promise holds for these parameters of the game.
    fn is_acyclic(&self) -> bool {
        true
    }
}

/// [`Acyclic::plies_left`] as a function pointer.
pub type PliesLeft<G> = fn(&G, &<G as Game>::State) -> Option<u32>;

/// [`Acyclic::progress`] as a function pointer, without the bound `G: Acyclic`.
pub type Measure<G> = fn(&G, &<G as Game>::State) -> u32;
