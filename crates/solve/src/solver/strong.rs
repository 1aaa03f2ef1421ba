//! Analysis by solving every position that can arise; see [`crate::strong`].

use std::sync::Arc;

use foregone_rules::Game;

use super::line::{hardest, line};
use super::{Analysis, Question, Solver};
use crate::found::Found;
use crate::moves::{after, outcome};
use crate::strong::Strong;

impl<G: Game> Solver<G> {
    pub(super) fn solved(&self, state: &G::State) -> bool {
        self.strong.as_ref().is_some_and(|strong| strong.worth(state).is_some())
    }

    pub(super) fn analyse_strongly(
        &mut self,
        question: Question<'_, G>,
        analysis: &mut Analysis<G::Move>,
    ) {
        let Question { declared, state, request, control, started, .. } = question;
        let game = &declared.game;
        if !self.solved(state) {
            match Strong::solve_written(game, state, declared.notation, control) {
                Ok(strong) => self.strong = Some(Arc::new(strong)),
                Err(halted) => {
                    analysis.halted = Some(halted);
                    return;
                }
            }
        }
        let Some(strong) = &self.strong else { return };
        let worth = |state: &G::State| strong.worth(state).expect("it can arise, so it is solved");
        let moves = |state: &G::State| -> Vec<(G::Move, Found)> {
            if outcome(game, state).is_some() {
                return Vec::new();
            }
            let mover = game.turn(state);
            let reached = |mv| {
                let child = after(game, state, mv);
                (mv, Found::Proven(worth(&child).backed_up(game.turn(&child), mover)))
            };
            game.moves(state).map(reached).collect()
        };
        // If the value comes from endless play elsewhere: the moves that keep it and come
        // nearer to there.
        let nearer = |state: &G::State, all: &[(G::Move, Found)]| -> Vec<G::Move> {
            let here = worth(state);
            let endless = game.endless(state).value_for(game.turn(state));
            if !here.is_endless() || here.value() <= endless {
                return Vec::new();
            }
            let rank = |state: &G::State| strong.rank(game, state);
            let comes = |(mv, found): &&(G::Move, Found)| {
                *found == Found::Proven(here) && rank(&after(game, state, *mv)) < rank(state)
            };
            all.iter().filter(comes).map(|(mv, _)| *mv).collect()
        };
        analysis.found = Some(Found::Proven(worth(state)));
        analysis.moves = moves(state);
        analysis.nearer = nearer(state, &analysis.moves);
        analysis.hardest = hardest(game, state, &analysis.moves, &mut |state| Some(moves(state)));
        analysis.positions = Some(strong.positions());
        analysis.nodes = strong.positions();
        analysis.time = started.elapsed();
        if request.line {
            analysis.line = line(game, state, request.seed, true, &mut |state| {
                let mut moves = moves(state);
                let kept = nearer(state, &moves);
                moves.retain(|(mv, _)| kept.is_empty() || kept.contains(mv));
                Some(moves)
            });
        }
    }
}
