//! Analysis by a table on disk.

use foregone_record::{Error, Listed, Values};
use foregone_rules::{Distance, Game, Worth};

use super::haste::Haste;
use super::line::{hardest, line};
use super::{Analysis, Method, Question, Request, Solver};
use crate::control::Halted;
use crate::declared::Declared;
use crate::found::Found;
use crate::moves::{after, outcome};

/// Moves with their results, and the best moves that make progress.
type Ranked<M> = (Vec<(M, Found)>, Vec<M>);

impl<G: Game> Solver<G> {
    /// The worth of a position in the table; the meaning of its plies depends on the table's
    /// values.
    fn look_up(&self, state: &G::State) -> Result<Option<Worth>, Error> {
        let Declared { game, tables, .. } = &*self.declared;
        let (Some(table), Some(tables)) = (&self.table, tables) else { return Ok(None) };
        tables.probe(game, table, state)
    }

    pub(super) fn looks_up(&self, state: &G::State) -> bool {
        // For a damaged table too, so that the look-up reports the error.
        !matches!(self.look_up(state), Ok(None))
    }

    /// Whether the table has distances if the request needs them; it always suits a request
    /// for the table.
    pub(super) fn table_suits(&self, request: &Request) -> bool {
        let values = self.table.as_ref().map(|table| table.manifest().values);
        request.method == Method::Table
            || !request.distances
            || values == Some(Values::ScoreDistance)
    }

    pub(super) fn analyse_by_table(
        &self,
        question: Question<'_, G>,
        analysis: &mut Analysis<G::Move>,
    ) {
        let Question { declared, state, request, control, started, .. } = question;
        let Declared { game, tables, .. } = declared;
        let (Some(table), Some(tables)) = (&self.table, tables) else { return };
        let values = table.manifest().values;
        let found = |worth: Worth| match values {
            Values::ScoreDistance => Found::Proven(worth),
            Values::Score | Values::ScoreRank | Values::Wdl => Found::Value(worth.value()),
        };
        let mut broken = None;
        let mut nodes = 0;
        let mut look_up = |state: &G::State| {
            nodes += 1;
            self.look_up(state).unwrap_or_else(|error| {
                broken = Some(Halted::Damaged { why: error.to_string() });
                None
            })
        };
        analysis.found = look_up(state).map(found);
        // Every move with its result, and the best moves by rank.
        let mut moves = |state: &G::State| -> Option<Ranked<G::Move>> {
            if outcome(game, state).is_some() {
                return None;
            }
            let mover = game.turn(state);
            let layer = tables.layer(game, state);
            let reached = |mv| {
                let child = after(game, state, mv);
                let worth = look_up(&child)?;
                // A rank counts plies until play leaves the layer or ends.
                let leaves = values == Values::ScoreRank && tables.layer(game, &child) < layer;
                let worth =
                    if leaves { Worth::new(worth.value(), Distance::Plies(0)) } else { worth };
                Some((mv, worth.backed_up(game.turn(&child), mover)))
            };
            let moves = game.moves(state).map(reached);
            // After a win at once was passed over, nothing is known.
            let moves: Vec<_> = match table.listed() {
                Listed::InPlay => moves.flatten().collect(),
                Listed::All | Listed::Open => moves.collect::<Option<_>>()?,
            };
            let endless = game.endless(state).value_for(mover);
            let best = moves.iter().map(|(_, worth)| worth.key(endless)).max();
            let nearer = moves.iter().filter(|(_, worth)| {
                values == Values::ScoreRank && Some(worth.key(endless)) == best
            });
            let nearer = nearer.map(|(mv, _)| *mv).collect();
            Some((moves.into_iter().map(|(mv, worth)| (mv, found(worth))).collect(), nearer))
        };
        (analysis.moves, analysis.nearer) = moves(state).unwrap_or_default();
        analysis.hardest =
            hardest(game, state, &analysis.moves, &mut |state| Some(moves(state)?.0));
        let hastened = match values {
            Values::Score | Values::Wdl => {
                analysis.hasten(&mut Haste::new(declared, control), state)
            }
            Values::ScoreDistance | Values::ScoreRank => Ok(()),
        };
        if request.line {
            let first = analysis.preferred();
            analysis.line = line(game, state, request.seed, true, &mut |here| {
                let (mut all, mut kept) = moves(here)?;
                if here == state {
                    kept.clone_from(&first);
                }
                all.retain(|(mv, _)| kept.is_empty() || kept.contains(mv));
                Some(all)
            });
        }
        analysis.nodes = nodes;
        analysis.halted = broken.or(hastened.err());
        analysis.time = started.elapsed();
    }
}
