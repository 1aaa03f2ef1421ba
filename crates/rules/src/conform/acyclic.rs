//! Checks of [`Acyclic`].

use super::{Conform, children, hold, numbered, same};
use crate::game::Game;
use crate::promise::{Acyclic, Indexed};

impl<G: Game> Conform<'_, G> {
    /// Checks [`Acyclic`]: the rank rises with every move (where the promise holds at all).
    pub fn acyclic(mut self) -> Self
    where
        G: Acyclic,
    {
        if !self.game.is_acyclic() {
            return self;
        }
        self.can_loop = false;
        self.check("Acyclic", |game, state| {
            let here = game.progress(state);
            for (mv, child) in children(game, state) {
                let there = game.progress(&child);
                let expected = format!("a rank above {here} after {mv}");
                hold(there > here, &expected, || there.to_string())?;
            }
            Ok(())
        })
    }

    /// Checks that [`Acyclic`] measures all positions alike that share a number of [`Indexed`] (where
    /// the promise holds at all): whoever sees the measure rise along a move may look at what the move
    /// leads to, instead of the position that its number gives back.
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
                    same("the measure of its number,", game.progress(&back), game.progress(state))
                }
                None => Ok(()),
            }
        })
    }
}
