//! Building tables: every position of a game that numbers its positions ([`Indexed`]), layer by
//! layer from the end. Positions are reached by their numbers alone, so nothing is hashed, and only
//! the layers that moves from a layer lead to are in memory with it.
//!
//! A game may tell of many positions at once (bands.rs), or have no numbers at all (keyed.rs). Else,
//! if play cannot loop, each position asks for those that its moves lead to, and those of the
//! same layer first ask for theirs; threads share the layer and at worst do the same twice. Where it
//! can (loops.rs), wins and losses are settled by plies as in [`Strong`](crate::Strong), largest first;
//! what is never settled goes on without end. Distances and ranks ask that play without end is worth the
//! same to the first player everywhere, beyond what is banked.
//!
//! What comes out depends on the game alone.

mod bands;
mod engine;
mod keyed;
pub(crate) mod leaves;
mod loops;

pub(crate) use engine::{Dense, Keyed, Tables};
pub use keyed::{build_listed, needs_listed};

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use foldhash::fast::FixedState;
use foregone_record::format::fingerprint;
use foregone_record::read::with_banked;
use foregone_record::write::Target;
use foregone_record::{Error, Layer, TableWriter, Values};
use foregone_rules::{Banded, Bank, Distance, Indexed, Value, Worth};
use hashbrown::HashMap;

use crate::control::{Control, Halted, Progress};
use crate::moves;

const PHASE: &str = "solving a layer";

/// So many positions of a layer are taken by a thread at a time.
const PART: u64 = 1 << 12;

/// The longest line of play within a layer, in plies.
const DEEPEST: u32 = 20_000;

/// Room for such a line on a thread's stack.
const STACK: usize = DEEPEST as usize * 1024;

/// Room for what a thread compresses at a time, and the like.
const BUFFERS: u64 = 4 << 20;

/// Nothing is known of a number yet, or no position has it.
const OPEN: u32 = 0;

/// The largest value, and the largest distance, that a table has room for.
const MOST_VALUE: i32 = (1 << 14) - 1;
const MOST_PLIES: u32 = (1 << 16) - 3;
const ENDLESS: u32 = MOST_PLIES + 1;

/// How to build a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What to keep of each position.
    pub values: Values,
    /// Only so many layers, the lowest.
    pub layers: Option<u32>,
    /// On how many threads; what is built does not depend on it.
    pub threads: usize,
}

/// What building will take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// How many layers there are.
    pub layers: u32,
    /// How many numbers they have in all, most of them positions; not known where positions are
    /// listed as they are found.
    pub numbers: Option<u64>,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes on disk, at the very most.
    pub disk: u64,
}

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// It was stopped, or would have gone over a limit. What was finished is kept.
    #[error(transparent)]
    Halted(#[from] Halted),
    /// It could not be written, or what was begun cannot be gone on with.
    #[error(transparent)]
    File(#[from] Error),
    /// The game has values or distances that a table has no room for.
    #[error(
        "a position is worth {0}: tables hold values to {MOST_VALUE} and distances to {MOST_PLIES}"
    )]
    Worth(String),
    /// A layer has more different worths than a cell of two bytes can tell apart.
    #[error("layer {layer} has {worths} different worths: a table tells 65,534 apart in a layer")]
    Many {
        /// The layer.
        layer: u32,
        /// How many there are.
        worths: usize,
    },
    /// Distances or signs were asked for of a game that banks points.
    #[error(
        "this game banks points, and neither a distance nor a sign is the same whatever is banked: \
         build the table with --values score, or score+rank if play can loop"
    )]
    Banks,
    /// Values alone were asked for, but play can loop; these would do.
    #[error(
        "play can loop in this game, and only distances or ranks prove what its table says: build \
         it with --values {}", .0.name()
    )]
    Loops(Values),
    /// Distances or ranks were asked for, but what play without end is worth differs.
    #[error(
        "play without end is not worth the same everywhere in this game (it changes at {position}), \
         so a table can hold neither distances nor ranks"
    )]
    Endless {
        /// A position where a move changes it.
        position: String,
    },
    /// Only some layers were asked for of a game that has none.
    #[error("this game lists its positions by keys, it has no layers: leave --layers out")]
    Layers,
    /// The game has no numbers for so many positions.
    #[error("the game has more positions than numbers")]
    Numbers,
}

/// What a lock holds is whole between any two lines that hold it, even if one panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same when nobody can hold it any longer.
fn inside<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn code(worth: Worth) -> Result<u32, Failed> {
    let value = worth.value().0;
    let plies = match worth.distance() {
        Distance::Plies(plies) if plies <= MOST_PLIES => plies,
        Distance::Endless => ENDLESS,
        Distance::Plies(_) => return Err(Failed::Worth(format!("{worth:?}"))),
    };
    if value.abs() > MOST_VALUE {
        return Err(Failed::Worth(format!("{worth:?}")));
    }
    Ok(((value + MOST_VALUE + 1) as u32) << 16 | plies)
}

fn worth(code: u32) -> Worth {
    let value = Value((code >> 16) as i32 - MOST_VALUE - 1);
    match code & 0xffff {
        ENDLESS => Worth::endless(value),
        plies => Worth::new(value, Distance::Plies(plies)),
    }
}

/// How the layers of a game are solved.
pub enum How<G: Indexed> {
    /// Position by position: play cannot loop.
    Ask,
    /// Pass by pass: it can.
    Settle,
    /// Band by band.
    Bands(BuildBands<G>),
}

/// What is asked of a game that has bands.
pub struct BuildBands<G: Indexed> {
    most: fn(&G, u32) -> i32,
    build: fn(Job<'_, G>, i32) -> Result<(), Failed>,
}

impl<G: Indexed> Clone for BuildBands<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Indexed> Copy for BuildBands<G> {}

impl<G: Indexed> How<G> {
    /// Position by position, or pass by pass if play can loop.
    pub const fn plain(ranked: bool) -> How<G> {
        if ranked { How::Ask } else { How::Settle }
    }

    /// Band by band, or pass by pass if play can loop.
    pub fn banded(ranked: bool) -> How<G>
    where
        G: Banded,
    {
        let bands = BuildBands { most: G::most_in, build: build_bands::<G> };
        if ranked { How::Bands(bands) } else { How::Settle }
    }

    /// What serves to go band by band, if that is possible with these values.
    fn fits(&self, game: &G, plan: &Plan) -> Option<(BuildBands<G>, i32)> {
        let How::Bands(bands) = self else { return None };
        let most = (bands.most)(game, plan.layers.unwrap_or(u32::MAX).min(game.layers()));
        bands::Scale::new::<i16>(plan.values, most).map(|_| (*bands, most))
    }
}

/// What building a table of a game will take.
///
/// # Errors
/// If such a table cannot be, or needs more than can be counted.
pub fn needs<G: Indexed>(game: &G, how: &How<G>, plan: &Plan) -> Result<Needs, Failed> {
    match plan.values {
        Values::ScoreDistance if G::Bank::BANKS => return Err(Failed::Banks),
        Values::Wdl | Values::Score if matches!(how, How::Settle) => {
            let banks = G::Bank::BANKS;
            let wanted = if banks { Values::ScoreRank } else { Values::ScoreDistance };
            return Err(Failed::Loops(wanted));
        }
        // The sign alone does not tell what a banked point makes of it.
        Values::Wdl if G::Bank::BANKS => return Err(Failed::Banks),
        _ => {}
    }
    let layers = plan.layers.map_or(game.layers(), |layers| layers.min(game.layers()));
    // The bytes that a number takes in the layer as it is solved (with bands and with loops also as a
    // wave or a pass finds it), in those below as they were kept, and on disk.
    let (each, kept, disk) = match how.fits(game, plan) {
        Some((_, most)) if bands::Scale::new::<i8>(plan.values, most).is_some() => (2, 1, 1),
        Some(_) => (4, 2, 2),
        None if matches!(how, How::Settle) => (7 + size_of::<(u64, Worth)>() as u64, 2, 2),
        None => (6, 2, 2),
    };
    let (mut numbers, mut memory, mut bytes) = (0u64, 0, 0u64);
    for layer in 0..layers {
        let size = game.size(layer);
        numbers = numbers.checked_add(size).ok_or(Failed::Numbers)?;
        let below = (game.lowest_after(layer)..layer).map(|layer| game.size(layer));
        let below = below.fold(0u64, u64::saturating_add);
        let here = size.saturating_mul(each).saturating_add(below.saturating_mul(kept));
        memory = here.max(memory);
        // Blocks that cannot be made smaller, their entries, and what is said of the layer.
        let raw = size.saturating_mul(disk);
        let told = 512 + 32 * size.min(u64::from(u16::MAX));
        bytes = bytes.saturating_add(raw.saturating_add(raw / 64).saturating_add(told));
    }
    // At the end the table is put together beside its layers.
    let disk = bytes.saturating_mul(2).saturating_add(4096);
    let memory = memory.saturating_add(BUFFERS.saturating_mul(plan.threads.max(1) as u64));
    Ok(Needs { layers, numbers: Some(numbers), memory, disk })
}

/// Builds a table, or goes on with one that was begun. `told` hears of every layer that is finished,
/// with how many bytes there are by then.
///
/// # Errors
/// If it was stopped or cannot be written; what was finished is kept and gone on with.
pub fn build<G: Indexed>(
    game: &G,
    specification: &str,
    how: &How<G>,
    target: impl Into<Target>,
    plan: &Plan,
    control: &Control,
    told: &mut dyn FnMut(u32, u64),
) -> Result<(), Failed> {
    let needs = needs(game, how, plan)?;
    if needs.memory > control.memory() {
        let (limit, needed) = (control.memory(), needs.memory);
        return Err(Halted::Memory { limit, needed, phase: PHASE, done: 0 }.into());
    }
    let building = TableWriter::open(target, specification, fingerprint(game), plan.values)?;
    let job = Job {
        game,
        plan: Plan { threads: plan.threads.max(1), ..*plan },
        needs,
        building,
        control,
        told,
    };
    if let Some((bands, most)) = how.fits(game, plan) {
        return (bands.build)(job, most);
    }
    job.run(
        |building, number| {
            let mut layer = Layer::default();
            building.read_layer(number, |worths, cells| {
                if layer.worths.is_empty() {
                    layer.worths = worths.to_vec();
                }
                layer.cells.extend(cells);
            })?;
            Ok(layer)
        },
        |job, number, below: &[Option<Layer>], done| {
            let solving = Solving {
                game,
                number,
                values: plan.values,
                cells: (0..game.size(number)).map(|_| AtomicU32::new(OPEN)).collect(),
                below,
                control,
                done: AtomicU64::new(done),
                total: needs.numbers.unwrap_or(u64::MAX),
            };
            match how {
                How::Settle => solving.settle(job.plan.threads)?,
                _ => solving.ask(job.plan.threads)?,
            }
            let Layer { worths, cells } = solving.layer()?;
            job.building.write_layer(
                number,
                &worths,
                cells.len() as u64,
                job.plan.threads,
                &|from, out| {
                    out.copy_from_slice(&cells[from as usize..from as usize + out.len()]);
                },
            )?;
            Ok(Layer { worths, cells })
        },
    )
}

fn build_bands<G: Banded>(job: Job<'_, G>, most: i32) -> Result<(), Failed> {
    match bands::Scale::new::<i8>(job.plan.values, most) {
        Some(scale) => build_lanes::<G, i8>(job, scale),
        None => {
            let scale = bands::Scale::new::<i16>(job.plan.values, most);
            build_lanes::<G, i16>(job, scale.ok_or(Failed::Numbers)?)
        }
    }
}

fn build_lanes<G: Banded, L: bands::Lane>(
    job: Job<'_, G>,
    scale: bands::Scale,
) -> Result<(), Failed> {
    let game = job.game;
    job.run(
        |building, number| bands::Lanes::<L>::load(building, number, game.size(number), scale),
        |job, number, below, done| {
            let (threads, total) = (job.plan.threads, job.needs.numbers.unwrap_or(u64::MAX));
            let Job { game, control, .. } = *job;
            let solving =
                bands::Solving { game, number, scale, below, control, threads, done, total };
            let layer = solving.solve()?;
            layer.keep(&mut job.building, number, scale, threads)?;
            Ok(layer)
        },
    )
}

/// A table being built.
struct Job<'a, G: Indexed> {
    game: &'a G,
    plan: Plan,
    needs: Needs,
    building: TableWriter,
    control: &'a Control,
    told: &'a mut dyn FnMut(u32, u64),
}

impl<G: Indexed> Job<'_, G> {
    /// Goes through the layers: those that a layer needs are made of what was kept, where they are
    /// not there any more, and a layer is solved and kept. It is told how many numbers were dealt
    /// with before.
    fn run<T>(
        mut self,
        of: impl Fn(&TableWriter, u32) -> Result<T, Failed>,
        solve: impl Fn(&mut Self, u32, &[Option<T>], u64) -> Result<T, Failed>,
    ) -> Result<(), Failed> {
        let mut below: Vec<Option<T>> = Vec::new();
        let mut done = 0;
        for number in 0..self.needs.layers {
            let lowest = self.game.lowest_after(number);
            below.iter_mut().take(lowest as usize).for_each(|layer| *layer = None);
            if self.building.has(number) {
                below.push(None);
            } else {
                for layer in lowest..number {
                    let known = &mut below[layer as usize];
                    if known.is_none() {
                        *known = Some(of(&self.building, layer)?);
                    }
                }
                let layer = solve(&mut self, number, &below, done)?;
                (self.told)(number, self.building.bytes());
                below.push(Some(layer));
            }
            done += self.game.size(number);
        }
        self.building.finish(self.needs.layers)?;
        Ok(())
    }
}

/// A layer being solved.
struct Solving<'a, G: Indexed> {
    game: &'a G,
    number: u32,
    values: Values,
    /// For each number, what is known of it.
    cells: Vec<AtomicU32>,
    below: &'a [Option<Layer>],
    control: &'a Control,
    /// How many numbers were dealt with, and how many there are in all layers.
    done: AtomicU64,
    total: u64,
}

impl<G: Indexed> Solving<'_, G> {
    fn size(&self) -> u64 {
        self.cells.len() as u64
    }

    fn report(&self, more: u64) -> Result<(), Halted> {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        let total = Some(self.total);
        self.control.report(Progress { phase: PHASE, done, total, bounds: None })
    }

    /// Lets threads work on parts of a size, one after the other, until all are done or one
    /// fails.
    fn share(
        &self,
        threads: usize,
        size: u64,
        part: u64,
        work: impl Fn(std::ops::Range<u64>) -> Result<(), Failed> + Sync,
    ) -> Result<(), Failed> {
        let next = AtomicU64::new(0);
        let failed = Mutex::new(None);
        let run = || loop {
            let from = next.fetch_add(part, Ordering::Relaxed);
            if from >= size {
                return;
            }
            let to = size.min(from + part);
            if let Err(error) = work(from..to).and_then(|()| Ok(self.report(0)?)) {
                next.store(size, Ordering::Relaxed);
                lock(&failed).get_or_insert(error);
                return;
            }
        };
        let threads = threads.min(size.div_ceil(part).max(1) as usize);
        thread::scope(|scope| {
            let spawn = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).ok();
            // Where the system has no room for all threads, fewer do the same.
            let others: Vec<_> = (0..threads).map_while(spawn).collect();
            match others.is_empty() {
                true => Err(Halted::Thread { stack: STACK as u64 }),
                false => Ok(()),
            }
        })?;
        match inside(failed) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// What is known of a position of this layer or one below, for its mover; `None` if that is
    /// not settled yet.
    #[inline]
    fn known(&self, state: &G::State, (layer, index): (u32, u64)) -> Option<Worth> {
        let worth = match layer == self.number {
            true => match self.cells[index as usize].load(Ordering::Relaxed) {
                OPEN => return None,
                code => worth(code),
            },
            false => self.left_behind(self.below[layer as usize].as_ref()?.get(index)?),
        };
        Some(with_banked(self.game, state, worth))
    }

    /// What is kept of the worth of a position in a lower layer: ranks begin anew in each layer.
    #[inline]
    fn left_behind(&self, worth: Worth) -> Worth {
        match self.values {
            Values::ScoreRank => Worth::new(worth.value(), Distance::Plies(0)),
            _ => worth,
        }
    }

    /// What play without end is worth to the mover of a position, beyond what is banked.
    #[inline]
    fn endless(&self, state: &G::State) -> Value {
        let bare = G::Bank::unbanked(self.game, state);
        self.game.endless(&bare).value_for(self.game.turn(&bare))
    }

    /// Whether a table can hold what is compared by what play without end is worth: a move may not
    /// change that.
    #[inline]
    fn check_endless(&self, state: &G::State, child: &G::State) -> Result<(), Failed> {
        let [before, after] =
            [state, child].map(|state| self.game.endless(&G::Bank::unbanked(self.game, state)));
        match before == after || self.values.need_progress() {
            true => Ok(()),
            false => Err(Failed::Endless { position: format!("{state:?}") }),
        }
    }

    /// Keeps what was found out about a number, of a position where play without end is worth
    /// `endless`; what a table of these values does not keep is left out at once.
    fn set(&self, index: u64, worth: Worth, endless: Value) -> Result<Worth, Failed> {
        self.put(index, self.values.keep(worth, endless))
    }

    fn put(&self, index: u64, kept: Worth) -> Result<Worth, Failed> {
        self.cells[index as usize].store(code(kept)?, Ordering::Relaxed);
        Ok(kept)
    }

    /// Solves a layer in which play cannot loop.
    fn ask(&self, threads: usize) -> Result<(), Failed> {
        self.share(threads, self.size(), PART, |part| {
            self.report(part.end - part.start)?;
            for (index, state) in self.game.states(self.number, part) {
                if self.cells[index as usize].load(Ordering::Relaxed) == OPEN {
                    self.solve(&state, index, 0)?;
                }
            }
            Ok(())
        })
    }

    /// The worth of a position with nothing banked.
    fn solve(&self, state: &G::State, index: u64, depth: u32) -> Result<Worth, Failed> {
        if depth >= DEEPEST {
            return Err(Halted::Deep { limit: DEEPEST }.into());
        }
        let game = self.game;
        let (mover, endless) = (game.turn(state), self.endless(state));
        if let Some(outcome) = game.outcome(state) {
            return self.set(index, Worth::finished(outcome, mover), endless);
        }
        let mut best: Option<Worth> = None;
        for mv in game.moves(state) {
            let child = game.play(state, mv);
            self.check_endless(state, &child)?;
            let place = game.index(&child);
            let worth = match self.known(&child, place) {
                Some(worth) => worth,
                None => {
                    // Of the same layer, or else it would be known.
                    let plain = match G::Bank::banked(game, &child) {
                        Value(0) => child,
                        _ => game.state(place.0, place.1).unwrap_or(child),
                    };
                    with_banked(game, &child, self.solve(&plain, place.1, depth + 1)?)
                }
            };
            let worth = worth.backed_up(game.turn(&child), mover);
            best = best.into_iter().chain([worth]).max_by_key(|worth| worth.key(endless));
        }
        match best {
            Some(best) => self.set(index, best, endless),
            None => Err(moves::none(game, state, None).into()),
        }
    }

    /// The layer as it is kept.
    fn layer(self) -> Result<Layer, Failed> {
        let mut codes: Vec<u32> = Vec::new();
        let mut known: HashMap<u32, u16, FixedState> = HashMap::default();
        for cell in &self.cells {
            let code = cell.load(Ordering::Relaxed);
            if code != OPEN && codes.last() != Some(&code) && known.insert(code, 0).is_none() {
                codes.push(code);
            }
        }
        if codes.len() >= usize::from(u16::MAX) {
            return Err(Failed::Many { layer: self.number, worths: codes.len() });
        }
        codes.sort_unstable();
        for (at, code) in codes.iter().enumerate() {
            known.insert(*code, at as u16 + 1);
        }
        let cell = |cell: &AtomicU32| match cell.load(Ordering::Relaxed) {
            OPEN => 0,
            code => known[&code],
        };
        let cells = self.cells.iter().map(cell).collect();
        Ok(Layer { worths: codes.into_iter().map(worth).collect(), cells })
    }
}

#[cfg(test)]
mod faults;
#[cfg(test)]
mod tests;
