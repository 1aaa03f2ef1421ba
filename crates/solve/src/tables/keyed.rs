//! Tables of games that do not number their positions: the positions that can arise from the start, one
//! for each symmetry class, in the order of their keys. If play cannot loop, they are found and solved
//! stage by stage (staged.rs); otherwise from forward moves in little memory (`loops`), where finished positions are left
//! out; or, where that is not possible, by [`Strong`].

use std::time::Duration;

use foregone_record::format::fingerprint_keyed;
use foregone_record::write::Target;
use foregone_record::{Error, Listed, TableWriter, Values};
use foregone_rules::{Encode, Game, NoBank, Side, Value, Worth};

use super::{Failed, Needs, PHASE, Plan, staged};
use crate::control::Control;
use crate::loops::{self, Failure, Folder, Follow, Solution, Way};
use crate::moves::sort_by_first;
use crate::strong::Strong;
use crate::subject::Subject;

/// The time between two files of what was found.
const EVERY: Duration = Duration::from_secs(300);

/// The number of positions is not known in advance, so the memory is the limit.
pub fn needs_keyed<G: Game>(
    subject: Subject<'_, G>,
    plan: &Plan,
    memory: u64,
) -> Result<Needs, Failed> {
    let listed = match plan.values {
        Values::ScoreDistance if subject.is_acyclic() => Listed::All,
        Values::ScoreDistance if plan.all => Listed::Open,
        Values::ScoreDistance => Listed::InPlay,
        Values::Wdl | Values::Score | Values::ScoreRank => Listed::All,
    };
    match plan.layers {
        Some(_) => Err(Failed::Layers),
        None => Ok(Needs { layers: 1, numbers: None, memory, disk: 0, listed }),
    }
}

/// A key with enough bits for the keys of a game.
pub(super) trait Key: Copy + Ord + Send + Sync + Into<u128> {
    /// A key with few enough bits.
    fn of(key: u128) -> Self;
}

impl Key for u64 {
    #[inline]
    fn of(key: u128) -> u64 {
        key as u64
    }
}

impl Key for u128 {
    #[inline]
    fn of(key: u128) -> u128 {
        key
    }
}

/// The key of a position and its worth.
pub(super) type Solved<K> = (K, Worth);

/// Builds a table of all positions that can arise. Then `on_layer` is called. Of a build of a game that loops, the positions
/// that it has found are kept in the folder of the unfinished table, so that it can be resumed; others begin anew, since
/// they are in memory alone until they are written.
///
/// # Errors
/// If it was stopped, exceeds the memory limit, or cannot be written.
pub fn build_keyed<G: Encode<Bank = NoBank>>(
    subject: Subject<'_, G>,
    target: impl Into<Target>,
    plan: &Plan,
    control: &Control,
    on_layer: &mut dyn FnMut(u32, u64),
) -> Result<(), Failed> {
    match subject.game.bits() <= u64::BITS {
        true => build_by::<G, u64>(subject, target.into(), plan, control, on_layer),
        false => build_by::<G, u128>(subject, target.into(), plan, control, on_layer),
    }
}

fn build_by<G: Encode<Bank = NoBank>, K: Key>(
    subject: Subject<'_, G>,
    target: Target,
    plan: &Plan,
    control: &Control,
    on_layer: &mut dyn FnMut(u32, u64),
) -> Result<(), Failed> {
    needs_keyed(subject, plan, control.memory())?;
    if plan.values.need_progress() && !subject.is_acyclic() {
        return Err(Failed::Loops(Values::ScoreDistance));
    }
    let fingerprint = fingerprint_keyed(subject.game);
    let mut building = TableWriter::open(target, subject.id, fingerprint, plan.values)?;
    if let Err(why) = fill::<G, K>(subject, &mut building, plan, control) {
        building.withdraw()?;
        return Err(why);
    }
    on_layer(0, building.bytes());
    building.finish(1)?;
    Ok(())
}

/// Solves all positions, and writes them.
fn fill<G: Encode<Bank = NoBank>, K: Key>(
    subject: Subject<'_, G>,
    building: &mut TableWriter,
    plan: &Plan,
    control: &Control,
) -> Result<(), Failed> {
    let all = match staged::solve::<G, K>(subject, plan, control)? {
        Some(all) => all,
        None => match by_loops(subject, building, plan, control)? {
            Some(solution) => return write(subject, building, plan, &solution, control),
            None => by_strong(subject, plan, control)?,
        },
    };
    let worth = |at: u64| all.get(at as usize).map(|(_, worth)| *worth);
    building.write_layer_by(0, all.len() as u64, plan.threads, &worth)?;
    building.write_keys(all.iter().map(|(key, _)| (*key).into()))?;
    Ok(())
}

/// The solution of a game that loops; `None` if it needs [`Strong`], or has no position to list.
fn by_loops<G: Encode<Bank = NoBank>>(
    subject: Subject<'_, G>,
    building: &TableWriter,
    plan: &Plan,
    control: &Control,
) -> Result<Option<Solution>, Failed> {
    let (game, start) = (subject.game, subject.game.start());
    if plan.values != Values::ScoreDistance || game.outcome(&start).is_some() {
        return Ok(None);
    }
    let follow = if plan.all { Follow::All } else { Follow::InPlay };
    let (disk, path) = building.folder();
    let folder = Some(Folder { disk, path, every: EVERY });
    let way = Way { follow, threads: plan.threads.max(1), folder };
    match loops::solve((game, &start), subject.written, way, control) {
        Ok(solution) => Ok(Some(solution)),
        Err(Failure::Unfit) => Ok(None),
        Err(Failure::Halted(halted)) => Err(halted.into()),
        Err(Failure::File(error)) => Err(Error::from(error).into()),
    }
}

/// Writes the positions of a game that loops.
fn write<G: Encode<Bank = NoBank>>(
    subject: Subject<'_, G>,
    building: &mut TableWriter,
    plan: &Plan,
    solution: &Solution,
    control: &Control,
) -> Result<(), Failed> {
    let (game, count) = (subject.game, solution.positions());
    // A cell of each position, and a part of the keys with their codes.
    let more = count * (size_of::<u16>() as u64 + 1);
    control.check_memory(solution.bytes() + more, PHASE, count)?;
    // Of each position the code of its worth, and in the last bit whether endless play is worth the opposite for the mover of
    // what it is at the start.
    let mut cells = Vec::with_capacity(count as usize);
    let endless = game.endless(&game.start()).value_for(Side::First);
    let is_opposite = |key: u64| {
        let state = game.decode(key.into());
        game.endless(&state).value_for(game.turn(&state)) != endless
    };
    building.write_keys(solution.in_order().map(|(key, code)| {
        cells.push(code << 1 | u16::from(endless != Value(0) && is_opposite(key)));
        key.into()
    }))?;
    building.set_listed(if plan.all { Listed::Open } else { Listed::InPlay });
    building.write_layer_by(0, count, plan.threads, &|at| {
        let cell = cells.get(at as usize)?;
        let endless = if cell & 1 == 1 { -endless.0 } else { endless.0 };
        Some(solution.worth_of(cell >> 1, Value(endless)))
    })?;
    Ok(())
}

/// The keys of all positions, in order, and what a table stores of their worths.
fn by_strong<G: Encode<Bank = NoBank>, K: Key>(
    subject: Subject<'_, G>,
    plan: &Plan,
    control: &Control,
) -> Result<Vec<Solved<K>>, Failed> {
    let game = subject.game;
    let strong = Strong::solve_bare(game, &game.start(), control)?;
    if !plan.values.need_progress() && !strong.is_even() {
        let uneven = strong.iter().find(|(state, _)| {
            let mut moves = game.moves(state).filter(|_| game.outcome(state).is_none());
            moves.any(|mv| game.endless(&game.play(state, mv)) != game.endless(state))
        });
        let position = uneven.map_or(String::new(), |(state, _)| subject.position(state));
        return Err(Failed::Endless { position });
    }
    let each = size_of::<Solved<K>>() as u64 * strong.positions();
    control.check_memory(strong.bytes() + each, PHASE, strong.positions())?;
    let kept = |(state, worth): (&G::State, _)| {
        let endless = game.endless(state).value_for(game.turn(state));
        (K::of(game.encode(state)), plan.values.keep(worth, endless))
    };
    let mut all: Vec<_> = strong.iter().map(kept).collect();
    drop(strong);
    sort_by_first(&mut all);
    Ok(all)
}
