//! A table as a tape: the worths of all positions as they are, in the order in which a walk from the start comes to them,
//! as in [`prove::Tape`](crate::prove::Tape). Nothing is said of keys, numbers, and positions that are alike.

use std::collections::HashSet;

use foregone_record::{Table, Values};
use foregone_rules::{Distance, Game};

use super::{Failed, Tables};
use crate::control::{Control, Progress};
use crate::prove::Tape;

/// The tape of a table with distances; `None` if it has no distances, or no worth for a position.
///
/// The walk: positions are open, the first of them is taken. It is left out if the game is over or it was there before.
/// Else it has the next entry, and the positions after its moves are opened in front of all others, in their order.
pub(crate) fn tape<G: Game>(
    game: &G,
    engine: &dyn Tables<G>,
    table: &Table,
    control: &Control,
) -> Result<Option<Tape>, Failed> {
    if table.manifest().values != Values::ScoreDistance {
        return Ok(None);
    }
    let phase = "walking through the table";
    let (mut open, mut known, mut states) = (vec![game.start()], HashSet::new(), Vec::new());
    // Half of a table of hashes may be empty, and it is copied to one of twice the size; then comes what is looked up.
    let each = 5 * size_of::<G::State>() as u64 + 64;
    while let Some(state) = open.pop() {
        if game.outcome(&state).is_some() || !known.insert(state) {
            continue;
        }
        let done = states.len() as u64;
        if done.is_multiple_of(Control::INTERVAL) {
            control.check_memory(each * (done + open.len() as u64), phase, done)?;
            control.report(Progress { phase, done, total: None, bounds: None })?;
        }
        states.push(state);
        let from = open.len();
        open.extend(game.successors(&state).map(|(_, next)| next));
        open[from..].reverse();
    }
    drop((open, known));

    // Each block of the table is read once.
    let mut order: Vec<_> = (0..states.len()).collect();
    order.sort_by_cached_key(|&at| engine.order(game, &states[at]));
    let mut worths = vec![None; states.len()];
    for at in order {
        worths[at] = engine.probe(game, table, &states[at])?;
    }
    let mut tape = Tape::default();
    for worth in worths {
        let Some(worth) = worth else { return Ok(None) };
        let value = worth.value().0;
        tape.push(((value << 1) ^ (value >> 31)) as u32);
        tape.push(match worth.distance() {
            Distance::Plies(plies) => plies + 1,
            Distance::Endless => 0,
        });
        tape.count += 1;
    }
    Ok(Some(tape))
}
