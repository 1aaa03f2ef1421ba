//! Play that cannot come back to a position.

use crate::game::Game;

/// A number that rises with every move: the game cannot loop.
///
/// Depth-first search needs it, or else has to watch for loops itself.
pub trait Acyclic: Game {
    /// A number that is smaller than that of every position one move later.
    fn progress(&self, state: &Self::State) -> u32;

    /// Whether the promise holds for these parameters of the game.
    fn is_acyclic(&self) -> bool {
        true
    }
}

/// [`Acyclic::progress`] without what it asks of the game.
pub type Measure<G> = fn(&G, &<G as Game>::State) -> u32;
