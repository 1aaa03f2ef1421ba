//! Positions that are alike.

use crate::game::Game;

/// A symmetry of the game: one position stands for all that are alike.
///
/// The representative is worth the same to its mover as the position is to its own, distance
/// included. Points that are banked stay as they are: what leaves them out is [`Banked`](super::Banked).
pub trait Symmetry: Game {
    /// The position that stands for all those that are like `state`. Its own representative is
    /// itself. Without symmetry every position stands for itself.
    fn representative(&self, state: &Self::State) -> Self::State {
        *state
    }

    /// How many positions have the same representative, at most; 1 if there is no symmetry.
    fn images(&self) -> u64 {
        1
    }

    /// Whether a representative may have the sides exchanged: then the other side may be to move
    /// there. Whether a player moves again must be seen before a position is replaced by its
    /// representative.
    fn exchanges(&self) -> bool {
        false
    }
}
