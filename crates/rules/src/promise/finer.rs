//! Games with a finer variant.

use crate::game::{Game, Value, Worth};

/// A game with a finer variant: one that has the same positions, moves and keys, and whose values tell more, such as
/// how many stones the winner of Connect Four has left. A book of the finer variant is a book of this game, too.
pub trait Finer: Game + Clone {
    /// The finest variant: perhaps the game itself.
    fn finest(&self) -> Self;

    /// The worth of a position in this game, by its value in the finest one; both for the side to move.
    fn worth_by(&self, state: &Self::State, finest: Value) -> Worth;
}
