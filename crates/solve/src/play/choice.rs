//! The choice of a player.

use crate::found::Found;
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
    /// A move, with what an analysis says of it.
    pub(super) fn of(mv: M, analysis: &Analysis<M>) -> Choice<M> {
        let found = analysis.moves.iter().find(|(each, _)| *each == mv);
        let best = analysis.found.is_some_and(|found| found.is_proven());
        Choice { mv, found: found.map(|(_, found)| *found), best }
    }
}
