//! Tables of games that do not number their positions: all that can arise from the start are found
//! and solved in memory ([`Strong`]), one for all alike, and written in the order of their keys.

use std::path::Path;

use foregone_record::format::fingerprint_listed;
use foregone_record::{Building, Values};
use foregone_rules::{Game, Outcome, Packed, Reduce, Side, Value, Worth};

use super::{Failed, Needs, PHASE, Plan};
use crate::control::Control;
use crate::strong::Strong;

/// A game of the representatives of positions.
pub(crate) struct Alike<G>(pub G);

impl<G: Reduce> Alike<G> {
    fn of(&self, state: &G::State) -> G::State {
        self.0.reduce(state).state
    }
}

impl<G: Reduce> Game for Alike<G> {
    type State = G::State;
    type Move = G::Move;

    fn start(&self) -> G::State {
        self.of(&self.0.start())
    }

    fn turn(&self, state: &G::State) -> Side {
        self.0.turn(state)
    }

    fn outcome(&self, state: &G::State) -> Option<Outcome> {
        self.0.outcome(state)
    }

    fn moves(&self, state: &G::State) -> impl Iterator<Item = G::Move> {
        self.0.moves(state)
    }

    fn play(&self, state: &G::State, mv: G::Move) -> G::State {
        self.of(&self.0.play(state, mv))
    }
}

/// How many there are is not known before; the memory is what is allowed.
pub fn needs_listed(plan: &Plan, memory: u64) -> Result<Needs, Failed> {
    match plan.layers {
        Some(_) => Err(Failed::Layers),
        None => Ok(Needs { layers: 1, numbers: None, memory, disk: 0 }),
    }
}

/// Builds a table of all positions that can arise. It cannot be gone on with: what was found is in
/// memory alone until it is written. `told` hears of it when it is.
///
/// # Errors
/// Where it was stopped, or needs more memory than is allowed, or cannot be written.
pub fn build_listed<G: Packed + Reduce + Clone>(
    game: &G,
    specification: &str,
    ranked: bool,
    target: &Path,
    plan: &Plan,
    control: &Control,
    told: &mut dyn FnMut(u32, u64),
) -> Result<(), Failed> {
    needs_listed(plan, control.memory())?;
    if plan.values != Values::ScoreDistance && !ranked {
        return Err(Failed::Loops);
    }
    if game.reduce(&game.start()).offset != Value(0) {
        return Err(Failed::Banks);
    }
    let print = fingerprint_listed(game);
    let strong = Strong::solve(&Alike(game.clone()), control)?;
    // For each a key and a worth.
    let each = size_of::<(u128, Worth)>() as u64 * strong.positions();
    control.check_memory(strong.bytes() + each, PHASE, strong.positions())?;
    let kept = |(state, worth)| (game.pack(state), plan.values.keep(worth));
    let mut all: Vec<_> = strong.iter().map(kept).collect();
    drop(strong);
    all.sort_unstable_by_key(|(key, _)| *key);
    let mut building = Building::open(target, specification, print, plan.values)?;
    let worth = |at: u64| all.get(at as usize).map(|(_, worth)| *worth);
    building.keep_each(0, all.len() as u64, plan.threads, &worth)?;
    building.keep_keys(all.iter().map(|(key, _)| *key))?;
    told(0, building.bytes());
    building.finish(1)?;
    Ok(())
}
