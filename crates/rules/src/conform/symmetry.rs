//! Checks of [`Symmetry`] and [`Banked`].

use std::collections::HashMap;

use super::{Conform, children, mover_result, same};
use crate::game::{Game, Value};
use crate::promise::{Banked, Symmetry};

impl<G: Game> Conform<'_, G> {
    /// Checks [`Symmetry`]: a representative is its own; it is over when the state is, with the same
    /// result for its mover; it has the same side to move, unless sides may be exchanged; play without
    /// end is worth the same to its mover; and the moves of both lead to positions with the same representatives, each as often, with the same
    /// player moving again or not. (By induction over the length of play, this is what makes their
    /// worths the same.)
    pub fn symmetry(self) -> Self
    where
        G: Symmetry,
    {
        self.check("Symmetry", |game, state| {
            let like = game.representative(state);
            let again = game.representative(&like);
            same("the representative of a representative to be", like, again)?;
            if game.images() == 1 {
                same("without symmetry every position to stand for itself:", *state, like)?;
            }
            if !game.exchanges() {
                let what = "the same side to move in the representative,";
                same(what, game.turn(state), game.turn(&like))?;
            }
            let what = "the mover's result, as in the representative,";
            same(what, mover_result(game, &like), mover_result(game, state))?;
            let endless = |state| game.endless(state).value_for(game.turn(state));
            let what = "play without end to be worth to the mover, as in the representative,";
            same(what, endless(&like), endless(state))?;
            let reached = |from: &G::State| {
                let mut reached: HashMap<(G::State, bool), usize> = HashMap::new();
                for (_, child) in children(game, from) {
                    let again = game.turn(&child) == game.turn(from);
                    *reached.entry((game.representative(&child), again)).or_default() += 1;
                }
                reached
            };
            same("children like the representative's,", reached(&like), reached(state))
        })
    }

    /// Checks [`Banked`]: with nothing banked a position is the same but for the points: the same side
    /// moves, it is over when the other is, with a result that differs by what is banked, and each move
    /// leads to the same position but for the points, and gains as many. Unless [`acyclic`](Conform::acyclic)
    /// was checked before: play without end is worth what is banked, and what it is worth with nothing
    /// banked.
    pub fn banked(self) -> Self
    where
        G: Banked,
    {
        let can_loop = self.can_loop;
        self.check("Banked", |game, state| {
            let (bare, Value(banked)) = (game.unbanked(state), game.banked(state));
            same("nothing banked in the position without,", Value(0), game.banked(&bare))?;
            same("the position without a bank to be its own,", bare, game.unbanked(&bare))?;
            same("the same side to move without a bank,", game.turn(state), game.turn(&bare))?;
            let shifted = mover_result(game, &bare).map(|value| value + banked);
            let what = "the mover's result, with what is banked added,";
            same(what, shifted, mover_result(game, state))?;
            if can_loop {
                let endless = |state| game.endless(state).value_for(game.turn(state)).0;
                let what = "play without end to be worth to the mover, with what is banked added,";
                same(what, endless(&bare).saturating_add(banked), endless(state))?;
            }
            let reached = |from: &G::State, banked: i32| -> Vec<_> {
                let reached = children(game, from).map(|(mv, child)| {
                    let Value(then) =
                        game.banked(&child).seen_from(game.turn(&child), game.turn(from));
                    (mv.to_string(), game.unbanked(&child), then - banked)
                });
                reached.collect()
            };
            same("moves as without a bank,", reached(&bare, 0), reached(state, banked))
        })
    }
}
