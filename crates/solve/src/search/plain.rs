//! Minimax and negamax as they are taught, without a window. Alpha-beta finds the same.

use foregone_rules::{Distance, Game, Outcome, Side, Worth};

use super::Bound;
use super::run::{Backed, Result, Run, Window, better};

impl<G: Game> Run<'_, '_, G> {
    /// The outcome, the plies to it, and whether it is proven. The first player maximises the
    /// outcome, the second minimises it.
    pub(super) fn minimax(
        &mut self,
        state: &G::State,
        depth: Option<u32>,
    ) -> Result<(Outcome, u32, bool)> {
        let game = self.search.game;
        let mover = game.turn(state);
        if let Some(Backed { worth, proven }) = self.without_search(state, depth, Window::ALL)? {
            return Ok((worth.value().outcome_for(mover), plies(worth), proven));
        }
        let (outcome, plies, proven) = self.deeper(state, |run| {
            let mut best: Option<(Outcome, u32)> = None;
            let mut all_proven = true;
            game.each_successor(state, |_, child| {
                let (outcome, plies, proven) = run.minimax(child, depth.map(|depth| depth - 1))?;
                let plies = plies + 1;
                all_proven &= proven;
                let better = best.is_none_or(|(best, best_plies)| {
                    let (new, old) = match mover {
                        Side::First => (outcome, best),
                        Side::Second => (best, outcome),
                    };
                    // Equal outcomes: a winner, who gets more than by endless play, minimises
                    // plies; all others maximise them.
                    let wins = outcome.value_for(mover) > game.endless(state).value_for(mover);
                    new > old || new == old && (plies != best_plies) && wins == (plies < best_plies)
                });
                if better {
                    best = Some((outcome, plies));
                }
                Ok(())
            })?;
            let (outcome, plies) = best.ok_or_else(|| run.no_moves(state))?;
            Ok((outcome, plies, all_proven))
        })?;
        let worth = Worth::new(outcome.value_for(mover), Distance::Plies(plies));
        self.remember(state, depth, Backed { worth, proven }, Bound::Exact);
        Ok((outcome, plies, proven))
    }

    pub(super) fn negamax(&mut self, state: &G::State, depth: Option<u32>) -> Result {
        if let Some(backed) = self.without_search(state, depth, Window::ALL)? {
            return Ok(backed);
        }
        let game = self.search.game;
        let mover = game.turn(state);
        let endless = self.endless(state);
        let backed = self.deeper(state, |run| {
            let mut best: Option<Worth> = None;
            let mut proven = true;
            game.each_successor(state, |_, child| {
                let backed = run.negamax(child, depth.map(|depth| depth - 1))?;
                let worth = backed.worth.backed_up(game.turn(child), mover);
                best = Some(better(best, worth, endless));
                proven &= backed.proven;
                Ok(())
            })?;
            let worth = best.ok_or_else(|| run.no_moves(state))?;
            Ok(Backed { worth, proven })
        })?;
        self.remember(state, depth, backed, Bound::Exact);
        Ok(backed)
    }
}

/// The plies of a worth from depth-first search, which has no endless play.
fn plies(worth: Worth) -> u32 {
    worth.distance().plies().unwrap_or(u32::MAX)
}
