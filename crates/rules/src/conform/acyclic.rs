//! Checks of [`Acyclic`].

use super::{Conform, children, hold, numbered, same};
use crate::game::Game;
use crate::promise::{Acyclic, Indexed};

impl<G: Game> Conform<'_, G> {
    /// Checks [`Acyclic`]: the progress measure rises and the plies left fall with every move, if the game with its
    /// parameters makes the promise.
    pub fn acyclic(mut self) -> Self
    where
        G: Acyclic,
    {
        if !self.game.is_acyclic() {
            return self;
        }
        self.can_loop = false;
        self.check("Acyclic", |game, state| {
            let (here, left) = (game.progress(state), game.plies_left(state));
            for (mv, child) in children(game, state) {
                let there = game.progress(&child);
                let expected = format!("progress above {here} after {mv}");
                hold(there > here, &expected, || there.to_string())?;
                if let Some(left) = left {
                    let expected = format!("fewer than {left} plies left after {mv}");
                    let after = game.plies_left(&child);
                    let what = || after.map_or("no limit".to_owned(), |after| after.to_string());
                    hold(after.is_some_and(|after| after < left), &expected, what)?;
                }
            }
            Ok(())
        })
    }

    /// Checks that positions with the same number of [`Indexed`] have the same progress measure of
    /// [`Acyclic`], if the game with its parameters makes the promise. So a check that the measure
    /// rises may use the position after a move, instead of the state of its number.
    pub fn measured_numbers(self) -> Self
    where
        G: Acyclic + Indexed,
    {
        if !self.game.is_acyclic() || !numbered(self.game) {
            return self;
        }
        self.check("Acyclic and Indexed", |game, state| {
            let (layer, index) = game.index(state);
            match game.state(layer, index) {
                Some(back) => {
                    let what = "the progress of the state of its number,";
                    same(what, game.progress(&back), game.progress(state))
                }
                None => Ok(()),
            }
        })
    }
}
