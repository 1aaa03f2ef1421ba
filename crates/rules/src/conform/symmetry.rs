//! Checks of [`Symmetry`] and [`Banked`].

use std::collections::HashMap;

use super::{Conform, children, mover_result, same};
use crate::game::{Game, Value};
use crate::promise::{Banked, Symmetry};

/// Symmetries of games with more are not compared one by one.
const MAX_IMAGES: u64 = 1 << 10;

impl<G: Game> Conform<'_, G> {
    /// Checks [`Symmetry`]:
    /// - A representative is its own representative.
    /// - A state and its representative have the same result for their mover, or both are not over.
    /// - They have the same side to move, unless sides may be exchanged.
    /// - Endless play has the same value for their mover.
    /// - If the game lists its symmetries, all images have the same representative, which is one of them.
    /// - Their moves lead to the same representatives, equally often, and the mover moves again in
    ///   the same cases.
    ///
    /// By induction over the length of play, this makes their worths equal.
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
            // Symmetries that are listed make the positions that have one representative.
            let images: Vec<_> = (0..game.images().min(MAX_IMAGES))
                .map_while(|number| game.image(state, number))
                .collect();
            if images.len() as u64 == game.images() {
                for image in &images {
                    same("the representative of an image,", game.representative(image), like)?;
                }
                let is_image = images.contains(&like);
                same("the representative to be an image:", is_image, true)?;
            }
            let what = "the mover's result, as in the representative,";
            same(what, mover_result(game, &like), mover_result(game, state))?;
            let endless = |state| game.endless(state).value_for(game.turn(state));
            let what = "the mover's value of endless play, as in the representative,";
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

    /// Checks [`Banked`], by comparing a position with the same position with nothing banked:
    /// - The same side is to move.
    /// - The results differ by the banked points, or both are not over.
    /// - The same moves lead to positions that differ only in banked points, and gain as many
    ///   points.
    /// - The values of endless play differ by the banked points. This is skipped if
    ///   [`acyclic`](Conform::acyclic) was checked before.
    pub fn banked(self) -> Self
    where
        G: Banked,
    {
        let can_loop = self.can_loop;
        self.check("Banked", |game, state| {
            let (bare, Value(banked)) = (game.unbanked(state), game.banked(state));
            same("no points in the position without a bank,", Value(0), game.banked(&bare))?;
            let what = "the position without a bank to stay the same without a bank,";
            same(what, bare, game.unbanked(&bare))?;
            same("the same side to move without a bank,", game.turn(state), game.turn(&bare))?;
            let shifted = mover_result(game, &bare).map(|value| value + banked);
            let what = "the mover's result without a bank, plus the bank,";
            same(what, shifted, mover_result(game, state))?;
            if can_loop {
                let endless = |state| game.endless(state).value_for(game.turn(state)).0;
                let what = "the mover's value of endless play without a bank, plus the bank,";
                same(what, endless(&bare).saturating_add(banked), endless(state))?;
            }
            let reached = |from: &G::State, banked: i32| -> Vec<_> {
                let reached = children(game, from).map(|(mv, child)| {
                    let Value(then) =
                        game.banked(&child).seen_from(game.turn(&child), game.turn(from));
                    (game.move_text(mv), game.unbanked(&child), then - banked)
                });
                reached.collect()
            };
            same("the same moves as without a bank,", reached(&bare, 0), reached(state, banked))
        })
    }
}
