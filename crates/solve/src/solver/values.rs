//! Analysis by search for values alone; see [`crate::exact`].

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Worth};

use super::line::line_of_values;
use super::{Analysis, Question, Request};
use crate::exact::{Options, Proven, Valuing, move_values};
use crate::found::Found;
use crate::moves::gather;

/// The values of a position and of all its moves, without distances.
pub(super) fn analyse_values<G: Game>(
    question: Question<'_, G>,
    valuer: &mut dyn Valuing<G>,
    analysis: &mut Analysis<G::Move>,
    dice: Option<&mut Dice>,
) {
    let Question { declared, state, request, control, started } = question;
    let game = &declared.game;
    let over = game.outcome(state).map(|outcome| Worth::finished(outcome, analysis.turn));
    if let Some(worth) = over {
        analysis.found = Some(Found::Proven(worth));
        return;
    }
    let Proven { low, high, halted } = valuer.bounds(state);
    analysis.halted = halted;
    match low == high {
        true => analysis.found = Some(Found::Value(low)),
        false => analysis.bounds = Some((low, high)),
    }
    if request.moves && analysis.halted.is_none() {
        let mut moves = Vec::new();
        analysis.halted = gather(game, state, &mut moves, control, 0).err();
        if analysis.halted.is_none() {
            let (order, mut values) = (valuer.order(state, &moves), Vec::new());
            let found = move_values(
                game,
                state,
                (&moves, &order),
                low,
                &mut values,
                |child, known, guess| valuer.bounds_within(child, known, guess),
            );
            analysis.halted = found.err();
            let found = |(mv, value)| (mv, Found::Value(value));
            analysis.moves.extend(values.into_iter().map(found));
        }
    }
    analysis.nodes = valuer.nodes();
    analysis.time = started.elapsed();
    if request.line && analysis.halted.is_none() {
        let line = &mut analysis.line;
        analysis.halted = line_of_values(game, state, low, (valuer, control), dice, line);
    }
}

/// The options of a search for values, from a request.
pub(super) fn value_options(request: &Request, by_proof: bool) -> Options {
    Options { threads: request.threads, endgame: request.endgame, by_proof }
}
