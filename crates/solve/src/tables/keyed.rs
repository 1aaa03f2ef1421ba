//! Tables of games that do not number their positions. [`Strong`] finds and solves all positions
//! that can arise from the start, in memory, one for each symmetry class; they are written in the
//! order of their keys.

use foregone_record::format::fingerprint_keyed;
use foregone_record::write::Target;
use foregone_record::{GameId, TableWriter, Values};
use foregone_rules::{Encode, NoBank, Worth};

use super::{Failed, Needs, PHASE, Plan};
use crate::control::Control;
use crate::strong::Strong;

/// The number of positions is not known in advance, so the memory is the limit.
pub fn needs_keyed(plan: &Plan, memory: u64) -> Result<Needs, Failed> {
    match plan.layers {
        Some(_) => Err(Failed::Layers),
        None => Ok(Needs { layers: 1, numbers: None, memory, disk: 0 }),
    }
}

/// Builds a table of all positions that can arise. An unfinished build cannot be resumed, because
/// results are in memory alone until they are written. Then `on_layer` is called.
///
/// # Errors
/// If it was stopped, exceeds the memory limit, or cannot be written.
pub fn build_keyed<'a, G: Encode<Bank = NoBank>>(
    game: &G,
    id: impl Into<GameId<'a>>,
    acyclic: bool,
    target: impl Into<Target>,
    plan: &Plan,
    control: &Control,
    on_layer: &mut dyn FnMut(u32, u64),
) -> Result<(), Failed> {
    needs_keyed(plan, control.memory())?;
    if plan.values.need_progress() && !acyclic {
        return Err(Failed::Loops(Values::ScoreDistance));
    }
    let print = fingerprint_keyed(game);
    let strong = Strong::solve_up_to_symmetry(game, &game.start(), control)?;
    if !plan.values.need_progress() && !strong.is_even() {
        let uneven = strong.iter().find(|(state, _)| {
            let mut moves = game.moves(state).filter(|_| game.outcome(state).is_none());
            moves.any(|mv| game.endless(&game.play(state, mv)) != game.endless(state))
        });
        let position = uneven.map_or(String::new(), |(state, _)| format!("{state:?}"));
        return Err(Failed::Endless { position });
    }
    // A key and a worth for each position.
    let each = size_of::<(u128, Worth)>() as u64 * strong.positions();
    control.check_memory(strong.bytes() + each, PHASE, strong.positions())?;
    let kept = |(state, worth): (&G::State, _)| {
        let endless = game.endless(state).value_for(game.turn(state));
        (game.encode(state), plan.values.keep(worth, endless))
    };
    let mut all: Vec<_> = strong.iter().map(kept).collect();
    drop(strong);
    all.sort_unstable_by_key(|(key, _)| *key);
    let mut building = TableWriter::open(target, id, print, plan.values)?;
    let worth = |at: u64| all.get(at as usize).map(|(_, worth)| *worth);
    building.write_layer_by(0, all.len() as u64, plan.threads, &worth)?;
    building.write_keys(all.iter().map(|(key, _)| *key))?;
    on_layer(0, building.bytes());
    building.finish(1)?;
    Ok(())
}
