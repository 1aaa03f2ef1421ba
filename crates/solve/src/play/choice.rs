//! The choice of a player.

use crate::found::Found;

/// A move that a player has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// The player's result for it; `None` if it did not search.
    pub found: Option<Found>,
    /// Whether it is proven that no move is better.
    pub best: bool,
}
