//! Games that cannot loop.

use crate::game::Game;

/// A progress measure that rises with every move: the game cannot loop.
///
/// Depth-first search needs it; without it, a search must detect loops.
pub trait Acyclic: Game {
    /// The progress measure: smaller than at every position one move later.
    fn progress(&self, state: &Self::State) -> u32;

    /// Whether the promise holds for these parameters of the game.
    fn is_acyclic(&self) -> bool {
        true
    }
}

/// [`Acyclic::progress`] as a function pointer, without the bound `G: Acyclic`.
pub type Measure<G> = fn(&G, &<G as Game>::State) -> u32;
