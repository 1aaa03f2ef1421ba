//! Answers by a table on disk.

use foregone_record::{Error, Values};
use foregone_rules::Game;
use foregone_rules::sample::Dice;

use super::line::line;
use super::{Analysis, Question, Solver};
use crate::control::Halted;
use crate::declared::Declared;
use crate::found::Found;

impl<G: Game> Solver<G> {
    /// What the table says of a position.
    pub(super) fn look_up(&self, state: &G::State) -> Result<Option<Found>, Error> {
        let Declared { game, tables, .. } = &*self.declared;
        let (Some(table), Some(tables)) = (&self.table, tables) else { return Ok(None) };
        let worth = tables.probe(game, table, state)?;
        Ok(worth.map(|worth| match table.manifest().values {
            Values::ScoreDistance => Found::Proven(worth),
            Values::Score | Values::ScoreRank | Values::Wdl => Found::Value(worth.value()),
        }))
    }

    pub(super) fn looks_up(&self, state: &G::State) -> bool {
        // A table that is damaged is told of when it is looked up in.
        !matches!(self.look_up(state), Ok(None))
    }

    pub(super) fn analyse_by_table(
        &self,
        question: Question<'_, G>,
        analysis: &mut Analysis<G::Move>,
        dice: Option<&mut Dice>,
    ) {
        let Question { declared, state, request, asked, .. } = question;
        let game = &declared.game;
        let mut broken = None;
        let mut nodes = 0;
        let mut found = |state: &G::State| {
            nodes += 1;
            self.look_up(state).unwrap_or_else(|error| {
                broken = Some(Halted::Damaged { why: error.to_string() });
                None
            })
        };
        let mut moves = |state: &G::State| -> Option<Vec<(G::Move, Found)>> {
            if game.outcome(state).is_some() {
                return None;
            }
            let mover = game.turn(state);
            let reached = |mv| {
                let child = game.play(state, mv);
                let next = game.turn(&child);
                let found = match found(&child)? {
                    Found::Proven(worth) => Found::Proven(worth.backed_up(next, mover)),
                    found => Found::Value(found.value().seen_from(next, mover)),
                };
                Some((mv, found))
            };
            game.moves(state).map(reached).collect()
        };
        analysis.moves = moves(state).unwrap_or_default();
        if request.line {
            analysis.line = line(game, state, dice, moves);
        }
        analysis.found = found(state);
        analysis.nodes = nodes;
        analysis.halted = broken;
        analysis.time = asked.elapsed();
    }
}
