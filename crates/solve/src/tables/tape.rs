//! A table as a tape: the worths of all positions as they are, in the order in which a walk from the start comes to them,
//! as in [`prove::Tape`](crate::prove::Tape). Nothing is said of keys, numbers, and positions that are alike.

use std::collections::HashSet;

use foregone_record::{Error, Listed, Table, Values};
use foregone_rules::{Distance, Game, Value, Worth};

use super::{Failed, Tables};
use crate::control::{Control, Progress};
use crate::prove::Tape;
use crate::twin::{At, Order};

/// The tape of a table with distances; `None` if it has none, or covers a part of the game alone. Positions in which the
/// game is over are not on it, so they are compared with the rules here.
///
/// The walk: positions are open, the first of them is taken. It is left out if the game is over or it was there before.
/// Else it has the next entry, and the positions after its moves are opened in front of all others, in their order.
pub(crate) fn tape<G: Game>(
    mut order: Order<'_, G>,
    engine: &dyn Tables<G>,
    table: &Table,
    control: &Control,
) -> Result<Option<Tape>, Failed> {
    if table.manifest().values != Values::ScoreDistance {
        return Ok(None);
    }
    let (phase, game) = ("walking through the table", order.game);
    let (mut open, mut known, mut states) = (vec![(game.start(), 0)], HashSet::new(), Vec::new());
    let mut playing = 0;
    // Half of a table of hashes may be empty, and it is copied to one of twice the size; then comes what is looked up.
    let each = 5 * size_of::<At<G>>() as u64 + 64;
    while let Some(at) = open.pop() {
        let state = at.0;
        if !known.insert(at) {
            continue;
        }
        let done = states.len() as u64;
        if done.is_multiple_of(Control::INTERVAL) {
            let bytes = each * (done + open.len() as u64) + order.bytes();
            control.check_memory(bytes, phase, done)?;
            control.report(Progress { phase, done, total: None, bounds: None })?;
        }
        states.push(state);
        if game.outcome(&state).is_some() {
            continue;
        }
        playing += 1;
        let from = open.len();
        open.extend(order.successors(&at)?.into_iter().map(|(_, next)| next));
        open[from..].reverse();
    }
    drop((open, known));

    // Each block of the table is read once.
    let order = |(at, state)| (engine.order(game, state), at);
    let mut sorted: Vec<_> = states.iter().enumerate().map(order).collect();
    sorted.sort_unstable();
    let mut worths = vec![Worth::endless(Value(0)); states.len()];
    for &(_, at) in &sorted {
        let Some(worth) = engine.probe(game, table, &states[at])? else { return Ok(None) };
        worths[at] = worth;
    }
    if table.listed() != Listed::All {
        sorted.retain(|(_, at)| game.outcome(&states[*at]).is_none());
    }
    // A table of numbers may have numbers to which play never comes; one of keys has no others.
    sorted.dedup_by_key(|(order, _)| *order);
    if table.manifest().keys.is_some() && table.manifest().positions() != sorted.len() as u64 {
        let why = "it has positions to which play from the start does not come";
        return Err(Error::Damaged(why.to_owned()).into());
    }
    let mut tape = Tape { count: playing, ..Tape::default() };
    for (state, worth) in states.iter().zip(worths) {
        if let Some(outcome) = game.outcome(state) {
            if worth != Worth::finished(outcome, game.turn(state)) {
                let why = "where the game is over, it has another result than the rules";
                return Err(Error::Damaged(why.to_owned()).into());
            }
            continue;
        }
        let value = worth.value().0;
        tape.push(((value << 1) ^ (value >> 31)) as u32);
        tape.push(match worth.distance() {
            Distance::Plies(plies) => plies + 1,
            Distance::Endless => 0,
        });
    }
    Ok(Some(tape))
}
