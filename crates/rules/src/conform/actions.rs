//! Checks of [`Actions`].

use std::collections::HashSet;

use super::{Conform, hold};
use crate::game::Game;
use crate::promise::Actions;

impl<G: Game> Conform<'_, G> {
    /// Checks [`Actions`]: the moves of a position have different numbers, all of them small enough.
    pub fn actions(self) -> Self
    where
        G: Actions,
    {
        self.check("Actions", |game, state| {
            if game.outcome(state).is_some() {
                return Ok(());
            }
            let mut seen = HashSet::new();
            for mv in game.moves(state) {
                let (number, max) = (game.action(mv), game.actions());
                hold(number < max, "a number below `actions`", || format!("{number} for {mv}"))?;
                hold(seen.insert(number), "a number of its own", || format!("{number} for {mv}"))?;
            }
            Ok(())
        })
    }
}
