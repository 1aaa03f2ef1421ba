//! The choice of a player.

use foregone_rules::Game;
use foregone_rules::sample::Dice;

use crate::found::Found;
use crate::moves::wins_at_once;
use crate::solver::Analysis;

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

impl<M: Copy + PartialEq> Choice<M> {
    /// A move that ends the game with the best result there is.
    pub(super) fn to_win<G: Game<Move = M>>(
        game: &G,
        state: &G::State,
        dice: &mut Dice,
    ) -> Option<Choice<M>> {
        let wins = wins_at_once(game, state);
        let (mv, found) = *wins.get(dice.below(wins.len().max(1)))?;
        Some(Choice { mv, found: Some(found), best: true })
    }

    /// A move, with what an analysis says of it.
    pub(super) fn of(mv: M, analysis: &Analysis<M>) -> Choice<M> {
        let found = analysis.moves.iter().find(|(each, _)| *each == mv);
        let best = analysis.found.is_some_and(|found| found.is_proven());
        Choice { mv, found: found.map(|(_, found)| *found), best }
    }
}
