//! Moves as numbers, for programs that learn: [`Actions`].

use crate::game::Game;

/// Every move that can ever be legal has a number, so that a policy is a list of fixed length.
///
/// ```
/// use foregone_rules::games::Mnk;
/// use foregone_rules::{Actions, Game};
///
/// let game = Mnk::tic_tac_toe();
/// let numbers: Vec<_> = game.moves(&game.start()).map(|mv| game.action(mv)).collect();
/// assert_eq!((game.actions(), numbers), (9, (0..9).collect()));
/// ```
pub trait Actions: Game {
    /// How many numbers there are; some may never be legal.
    fn actions(&self) -> usize;

    /// The number of a move, from 0, below [`actions`](Actions::actions). Different moves of a position have different
    /// numbers.
    fn action(&self, mv: Self::Move) -> usize;
}
