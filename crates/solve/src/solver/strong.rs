//! Analysis by solving every position that can arise; see [`crate::strong`].

use std::sync::Arc;

use foregone_rules::Game;

use super::line::{hardest, line};
use super::{Analysis, Question, Solver};
use crate::declared::Declared;
use crate::found::Found;
use crate::moves::{after, outcome};
use crate::strong::Strong;

impl<G: Game> Solver<G> {
    pub(super) fn solved(&self, state: &G::State) -> bool {
        let like = |strong: &Strong<G>| strong.worth(&like(strong, &self.declared, state));
        self.strong.as_deref().and_then(like).is_some()
    }

    pub(super) fn analyse_strongly(
        &mut self,
        question: Question<'_, G>,
        analysis: &mut Analysis<G::Move>,
    ) {
        let Question { declared, state, request, control, started, .. } = question;
        let game = &declared.game;
        if !self.solved(state) {
            match Strong::solve_written(game, state, declared.alike, declared.notation, control) {
                Ok(strong) => self.strong = Some(Arc::new(strong)),
                Err(halted) => {
                    analysis.halted = Some(halted);
                    return;
                }
            }
        }
        let Some(strong) = &self.strong else { return };
        let like = |state: &G::State| like(strong, declared, state);
        let worth =
            |state: &G::State| strong.worth(&like(state)).expect("it can arise, so it is solved");
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
            let rank = |state: &G::State| strong.rank(game, &like(state));
            let comes = |(mv, found): &&(G::Move, Found)| {
                *found == Found::Proven(here) && rank(&after(game, state, *mv)) < rank(state)
            };
            all.iter().filter(comes).map(|(mv, _)| *mv).collect()
        };
        analysis.found = Some(Found::Proven(worth(state)));
        analysis.moves = moves(state);
        analysis.nearer = nearer(state, &analysis.moves);
        analysis.hardest = hardest(game, state, &analysis.moves, &mut |state| Some(moves(state)));
        if strong.is_merged() {
            analysis.why += "; positions that are alike count once";
        }
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

/// The position that has the worth of a position.
fn like<G: Game>(strong: &Strong<G>, declared: &Declared<G>, state: &G::State) -> G::State {
    match declared.symmetry.filter(|_| strong.is_merged()) {
        Some(representative) => representative(&declared.game, state),
        None => *state,
    }
}
