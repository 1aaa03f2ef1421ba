//! Building tables: every position of a game that numbers its positions ([`Indexed`]), layer by
//! layer from the end. Positions are reached by their numbers alone, so nothing is hashed, and only
//! the layers that moves from a layer lead to are in memory with it.
//!
//! A game may tell of many positions at once (bands.rs), or have no numbers at all (listed.rs). Else,
//! where play cannot loop, each position asks for those that its moves lead to, and those of the
//! same layer first ask for theirs; threads share the layer and at worst do the same twice. Where it
//! can (loops.rs), wins and losses are settled by plies as in [`Strong`](crate::Strong), largest first;
//! what is never settled goes on without end.
//!
//! What comes out depends on the game alone.

mod bands;
mod listed;
mod loops;

pub(crate) use listed::Alike;
pub use listed::{build_listed, needs_listed};

use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use foldhash::fast::FixedState;
use foregone_record::format::with_banked;
use foregone_record::{Broken, Building, Layer, Values, fingerprint};
use foregone_rules::{Banded, Distance, Indexed, Value, Worth};
use hashbrown::HashMap;

use crate::control::{Control, Halted, Progress};

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
    Broken(#[from] Broken),
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
    /// Distances were asked for where they depend on what is banked.
    #[error(
        "in this game distances depend on points already banked, so that they belong to no number: \
         build the table with values alone (--values score)"
    )]
    Banks,
    /// Values alone were asked for where play can loop.
    #[error(
        "play can loop in this game, and only distances prove what its table says: build it with \
         --values score+distance"
    )]
    Loops,
    /// Only some layers were asked for of a game that has none.
    #[error("the positions of this game are listed, not numbered in layers: leave --layers out")]
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

/// In this order worths stand in a layer.
fn worth_order(worth: Worth) -> (Value, u32) {
    (worth.value(), worth.distance().plies().unwrap_or(u32::MAX))
}

fn worth(code: u32) -> Worth {
    match code & 0xffff {
        ENDLESS => Worth::ENDLESS_DRAW,
        plies => Worth::new(Value((code >> 16) as i32 - MOST_VALUE - 1), Distance::Plies(plies)),
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
    /// Position by position, or pass by pass where play can loop.
    pub const fn plain(ranked: bool) -> How<G> {
        if ranked { How::Ask } else { How::Settle }
    }

    /// Band by band, or pass by pass where play can loop.
    pub fn banded(ranked: bool) -> How<G>
    where
        G: Banded,
    {
        let bands = BuildBands { most: G::most, build: build_bands::<G> };
        if ranked { How::Bands(bands) } else { How::Settle }
    }

    /// What serves to go band by band, where that is possible with these values.
    fn fits(&self, game: &G, plan: &Plan) -> Option<(BuildBands<G>, i32)> {
        let How::Bands(bands) = self else { return None };
        let most = (bands.most)(game, plan.layers.unwrap_or(u32::MAX).min(game.layers()));
        bands::Scale::new::<i16>(plan.values, most).map(|_| (*bands, most))
    }
}

/// What building a table of a game will take.
///
/// # Errors
/// Where such a table cannot be, or needs more than can be counted.
pub fn needs<G: Indexed>(game: &G, how: &How<G>, plan: &Plan) -> Result<Needs, Failed> {
    match plan.values {
        Values::ScoreDistance if game.banks() => return Err(Failed::Banks),
        Values::Wdl | Values::Score if matches!(how, How::Settle) => return Err(Failed::Loops),
        // The sign alone does not tell what a banked point makes of it.
        Values::Wdl if game.banks() => return Err(Failed::Banks),
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
/// Where it was stopped or cannot be written; what was finished is kept and gone on with.
pub fn build<G: Indexed>(
    game: &G,
    specification: &str,
    how: &How<G>,
    target: &Path,
    plan: &Plan,
    control: &Control,
    told: &mut dyn FnMut(u32, u64),
) -> Result<(), Failed> {
    let needs = needs(game, how, plan)?;
    if needs.memory > control.memory() {
        let (limit, needed) = (control.memory(), needs.memory);
        return Err(Halted::Memory { limit, needed, phase: PHASE, done: 0 }.into());
    }
    let building = Building::open(target, specification, fingerprint(game), plan.values)?;
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
            building.load(number, |worths, cells| {
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
            job.building.keep(
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
    building: Building,
    control: &'a Control,
    told: &'a mut dyn FnMut(u32, u64),
}

impl<G: Indexed> Job<'_, G> {
    /// Goes through the layers: those that a layer needs are made of what was kept, where they are
    /// not there any more, and a layer is solved and kept. It is told how many numbers were dealt
    /// with before.
    fn run<T>(
        mut self,
        of: impl Fn(&Building, u32) -> Result<T, Failed>,
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

    /// What is known of a position of this layer or one below, for its mover; nothing where that is
    /// not settled yet.
    #[inline]
    fn known(&self, state: &G::State, (layer, index): (u32, u64)) -> Option<Worth> {
        let worth = match layer == self.number {
            true => match self.cells[index as usize].load(Ordering::Relaxed) {
                OPEN => return None,
                code => worth(code),
            },
            false => self.below[layer as usize].as_ref()?.get(index)?,
        };
        Some(with_banked(self.game, state, worth))
    }

    /// Keeps what was found out about a number; what a table of these values does not keep is left
    /// out at once.
    fn set(&self, index: u64, worth: Worth) -> Result<Worth, Failed> {
        let worth = self.values.keep(worth);
        self.cells[index as usize].store(code(worth)?, Ordering::Relaxed);
        Ok(worth)
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
        let mover = game.turn(state);
        if let Some(outcome) = game.outcome(state) {
            return self.set(index, Worth::finished(outcome, mover));
        }
        let mut best = None;
        for mv in game.moves(state) {
            let child = game.play(state, mv);
            let place = game.index(&child);
            let worth = match self.known(&child, place) {
                Some(worth) => worth,
                None => {
                    // Of the same layer, or else it would be known.
                    let plain = match game.banked(&child) {
                        Value(0) => child,
                        _ => game.state(place.0, place.1).unwrap_or(child),
                    };
                    with_banked(game, &child, self.solve(&plain, place.1, depth + 1)?)
                }
            };
            best = best.max(Some(worth.before(game.turn(&child), mover)));
        }
        self.set(index, best.unwrap_or(Worth::ENDLESS_DRAW))
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
mod tests {
    use super::*;
    use crate::reference;
    use foregone_record::verify::Verdict;
    use foregone_record::{Effort, Table, verify, verify_listed};
    use foregone_rules::games::{ConnectFour, FoxAndHounds, Kalah, Mnk, Nim, ThreeMensMorris};
    use foregone_rules::{Args, Family, Packed, Ranked, Reduce};
    use std::path::PathBuf;

    fn game<F: Family>(given: &[(&str, &str)]) -> F {
        F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
    }

    /// A place for a test's files, empty at the start and gone at the end.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Place {
            let path = std::env::temp_dir().join(format!("foregone-{name}-{}", std::process::id()));
            let _ = std::fs::remove_dir_all(&path);
            std::fs::create_dir_all(&path).unwrap();
            Place(path)
        }

        fn file(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn plan(values: Values, threads: usize) -> Plan {
        Plan { values, layers: None, threads }
    }

    /// Builds with one thread and with several, checks that they are the same, that the table holds
    /// what the reference says of every position, and that it can be derived again.
    fn check<G: Indexed>(game: &G, ranked: bool, values: Values, name: &str) {
        check_ways(game, &[How::plain(ranked)], values, name);
    }

    /// The same, also band by band.
    fn check_bands<G: Banded>(game: &G, ranked: bool, values: Values, name: &str) {
        check_ways(game, &[How::plain(ranked), How::banded(ranked)], values, name);
    }

    fn check_ways<G: Indexed>(game: &G, ways: &[How<G>], values: Values, name: &str) {
        let place = Place::new(name);
        let control = Control::default();
        let mut bytes = Vec::new();
        let file = place.file("table");
        for (how, threads) in ways.iter().flat_map(|how| [(how, 1), (how, 3)]) {
            let plan = plan(values, threads);
            build(game, name, how, &file, &plan, &control, &mut |_, _| {}).unwrap();
            bytes.push(std::fs::read(&file).unwrap());
        }
        let same = bytes.iter().all(|other| *other == bytes[0]);
        assert!(same, "the same whichever way, whatever the threads");
        let table = Table::open(&place.file("table")).unwrap();
        table.is_of(game, name).unwrap();
        let worths = reference::worths(game, &game.start());
        for (state, worth) in &worths {
            let found = table.probe(game, state).unwrap();
            assert_eq!(found, Some(values.keep(*worth)), "{name} {state:?}");
        }
        let effort = Effort { threads: 2, memory: 1 << 12 };
        for effort in [Effort::default(), effort] {
            match verify(game, &table, effort, &|_| true).unwrap() {
                Verdict::Right(positions) => assert!(positions >= worths.len() as u64 / 20),
                wrong => panic!("{name}: {wrong:?}"),
            }
        }
    }

    #[test]
    fn tables_hold_what_the_reference_says() {
        for stuck in ["draw", "pass", "lose"] {
            for first in ["fox", "hounds"] {
                for size in ["4", "6"] {
                    let given = [("size", size), ("stuck", stuck), ("first", first)];
                    let fox = game::<FoxAndHounds>(&given);
                    let name = format!("fox-{size}-{stuck}-{first}");
                    check_bands(&fox, Ranked::holds(&fox), Values::ScoreDistance, &name);
                }
            }
        }
        for misere in ["false", "true"] {
            let mnk = game::<Mnk>(&[("misere", misere)]);
            check(&mnk, true, Values::ScoreDistance, &format!("mnk-{misere}"));
        }
        for score in ["result", "stones"] {
            let size = [("columns", "4"), ("rows", "3"), ("line", "3"), ("score", score)];
            let four = game::<ConnectFour>(&size);
            check(&four, true, Values::ScoreDistance, &format!("four-{score}"));
        }
        check_bands(&game::<FoxAndHounds>(&[("size", "4")]), true, Values::Wdl, "fox-wdl");
        check(&game::<ThreeMensMorris>(&[]), false, Values::ScoreDistance, "morris");
        for misere in ["false", "true"] {
            let nim = game::<Nim>(&[("misere", misere)]);
            check(&nim, true, Values::ScoreDistance, &format!("nim-{misere}"));
            check(&nim, false, Values::ScoreDistance, &format!("nim-loops-{misere}"));
        }
        for (pits, stones) in [("1", "3"), ("2", "2"), ("3", "2")] {
            for capture in ["always", "nonempty"] {
                for end in ["either", "mover"] {
                    for rest in ["owner", "mover", "none"] {
                        let size = [("pits", pits), ("stones", stones), ("capture", capture)];
                        let rules = [("end", end), ("rest", rest)];
                        let kalah = game::<Kalah>(&[&size[..], &rules].concat());
                        let name = format!("kalah-{pits}-{stones}-{capture}-{end}-{rest}");
                        check_bands(&kalah, true, Values::Score, &name);
                    }
                }
            }
        }
    }

    /// The same of a game whose positions are listed.
    fn check_listed<G: Packed + Reduce + Clone>(
        game: &G,
        ranked: bool,
        values: Values,
        name: &str,
    ) {
        let place = Place::new(name);
        let file = place.file("table");
        let control = Control::default();
        let mut bytes = Vec::new();
        for threads in [1, 3] {
            let plan = plan(values, threads);
            build_listed(game, name, ranked, &file, &plan, &control, &mut |_, _| {}).unwrap();
            bytes.push(std::fs::read(&file).unwrap());
        }
        assert!(bytes[0] == bytes[1], "the same whatever the threads");
        let table = Table::open(&file).unwrap();
        table.lists(game, name).unwrap();
        let worths = reference::worths(game, &game.start());
        for (state, worth) in &worths {
            assert_eq!(table.find(game, state).unwrap(), Some(values.keep(*worth)), "{state:?}");
        }
        let size = table.contents().layers[0].size;
        for place in (0..size).step_by(37) {
            let keys = table.listed(place).unwrap();
            let state = game.unpack(keys[0]);
            assert!(worths.iter().any(|(other, _)| game.reduce(other).state == state));
            assert_eq!(table.place(keys[0]).unwrap(), Some(place));
            assert_eq!(
                table.place(keys[0] + 1).unwrap(),
                (keys.get(1) == Some(&(keys[0] + 1))).then_some(place + 1)
            );
        }
        for threads in [1, 2] {
            let effort = Effort { threads, ..Effort::default() };
            let verdict = verify_listed(game, &table, effort, &|_| true).unwrap();
            assert_eq!(verdict, Verdict::Right(size));
        }
        // One entry wrong, one position left out, one too many.
        let worths: Vec<Worth> = table.worths(0).to_vec();
        let cells = table.layer(0).unwrap();
        let mut keys = Vec::new();
        while (keys.len() as u64) < size {
            keys.extend(table.listed(keys.len() as u64).unwrap());
        }
        let print = foregone_record::format::fingerprint_listed(game);
        let check = |cells: &[u16], keys: &[u128]| {
            std::fs::remove_file(&file).unwrap();
            let mut building = Building::open(&file, name, print, values).unwrap();
            let fill = |from: u64, out: &mut [u16]| {
                out.copy_from_slice(&cells[from as usize..from as usize + out.len()]);
            };
            building.keep(0, &worths, cells.len() as u64, 1, &fill).unwrap();
            building.keep_keys(keys).unwrap();
            building.finish(1).unwrap();
            let table = Table::open(&file).unwrap();
            verify_listed(game, &table, Effort::default(), &|_| true).unwrap()
        };
        assert_eq!(check(&cells, &keys), Verdict::Right(size));
        for at in [0, size as usize / 3, size as usize - 1] {
            let mut other = cells.clone();
            other[at] = other[at] % worths.len() as u16 + 1;
            assert!(matches!(check(&other, &keys), Verdict::Wrong { .. }), "{at}");
            let (mut fewer, mut left) = (cells.clone(), keys.clone());
            fewer.remove(at);
            left.remove(at);
            assert!(matches!(check(&fewer, &left), Verdict::Wrong { .. }), "{at}");
        }
        let last = keys[keys.len() - 1];
        let verdict = check(&[&cells[..], &[1]].concat(), &[&keys[..], &[last + 1]].concat());
        assert!(matches!(verdict, Verdict::Wrong { right: None, .. }), "{verdict:?}");
    }

    #[test]
    fn listed_positions_are_all_there_and_right() {
        for (size, name) in [("3", "mnk"), ("2", "mnk-2")] {
            let mnk = game::<Mnk>(&[("columns", size), ("rows", "3"), ("line", size)]);
            check_listed(&mnk, true, Values::ScoreDistance, &format!("listed-{name}"));
            check_listed(&mnk, true, Values::Wdl, &format!("listed-wdl-{name}"));
        }
        let morris = game::<ThreeMensMorris>(&[]);
        check_listed(&morris, false, Values::ScoreDistance, "listed-morris");
    }

    /// Everything that a table has to say.
    fn read_whole(bytes: Vec<u8>) -> Result<(), Broken> {
        let table = Table::read(foregone_record::table::Bytes(bytes))?;
        for layer in 0..table.contents().layers.len() as u32 {
            table.layer(layer)?;
        }
        if let (Some(_), [layer]) = (&table.contents().keys, &table.contents().layers[..]) {
            for place in (0..layer.size).step_by(100) {
                table.listed(place)?;
            }
        }
        Ok(())
    }

    #[test]
    fn no_damage_goes_unseen() {
        let place = Place::new("damage");
        let fox = game::<FoxAndHounds>(&[("size", "4")]);
        let mnk = game::<Mnk>(&[("columns", "2"), ("rows", "2"), ("line", "2")]);
        let (file, control) = (place.file("table"), Control::default());
        let plan = plan(Values::ScoreDistance, 1);
        build(&fox, "fox", &How::banded(true), &file, &plan, &control, &mut |_, _| {}).unwrap();
        let numbered = std::fs::read(&file).unwrap();
        build_listed(&mnk, "mnk", true, &file, &plan, &control, &mut |_, _| {}).unwrap();
        for bytes in [numbered, std::fs::read(&file).unwrap()] {
            no_damage_to(bytes);
        }
    }

    fn no_damage_to(bytes: Vec<u8>) {
        read_whole(bytes.clone()).unwrap();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut other = bytes.clone();
                other[at] ^= 1 << bit;
                assert!(read_whole(other).is_err(), "bit {bit} of byte {at}");
            }
            assert!(read_whole(bytes[..at].to_vec()).is_err(), "cut to {at} bytes");
        }
        let mut longer = bytes;
        longer.push(0);
        assert!(read_whole(longer).is_err());
    }

    #[test]
    fn other_rules_and_other_games_are_refused() {
        let place = Place::new("other");
        let file = place.file("table");
        let plan = plan(Values::ScoreDistance, 1);
        let nim = game::<Nim>(&[]);
        build(&nim, "nim", &How::Ask, &file, &plan, &Control::default(), &mut |_, _| {}).unwrap();
        let table = Table::open(&file).unwrap();
        assert!(table.is_of(&nim, "nim").is_ok());
        assert!(matches!(table.is_of(&nim, "other"), Err(Broken::Game { .. })));
        let other = game::<Nim>(&[("misere", "true")]);
        assert!(matches!(table.is_of(&other, "nim"), Err(Broken::Game { .. })));
        // A table that is right for one game is wrong for the other, and verifying tells where.
        let verdict = verify(&other, &table, Effort::default(), &|_| true).unwrap();
        assert!(matches!(verdict, Verdict::Wrong { place: (0, _), .. }), "{verdict:?}");
    }

    /// Stopped again and again, at a later position each time, it goes on and comes out the same.
    #[test]
    fn an_interrupted_build_goes_on() {
        let place = Place::new("interrupted");
        let game = game::<FoxAndHounds>(&[("size", "6")]);
        let (whole, parts) = (place.file("whole"), place.file("parts"));
        let plan = plan(Values::ScoreDistance, 2);
        build(&game, "fox", &How::banded(true), &whole, &plan, &Control::default(), &mut |_, _| {})
            .unwrap();
        let mut stops = 0;
        loop {
            let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
            let (heard, asked) = (AtomicU64::new(0), stop.clone());
            let most = 2 + stops % 3;
            let listener = move |_: Progress| {
                if heard.fetch_add(1, Ordering::Relaxed) >= most {
                    asked.store(true, Ordering::Relaxed);
                }
            };
            let control =
                Control::default().with_stop(stop).with_listener(std::sync::Arc::new(listener));
            match build(&game, "fox", &How::banded(true), &parts, &plan, &control, &mut |_, _| {}) {
                Ok(()) => break,
                Err(Failed::Halted(Halted::Stopped { .. })) => stops += 1,
                Err(other) => panic!("{other}"),
            }
            assert!(!parts.exists(), "nothing unfinished is taken for whole");
        }
        assert!(stops > 2, "{stops}");
        assert!(std::fs::read(&whole).unwrap() == std::fs::read(&parts).unwrap());
    }

    /// Whatever becomes of what is finished before the table is: no damage gets into the table.
    #[test]
    fn damaged_layers_are_built_again() {
        let place = Place::new("damaged-layers");
        let (whole, parts) = (place.file("whole"), place.file("parts"));
        let fox = game::<FoxAndHounds>(&[("size", "4")]);
        let (plan, control) = (plan(Values::ScoreDistance, 1), Control::default());
        let how = How::banded(true);
        build(&fox, "fox", &how, &whole, &plan, &control, &mut |_, _| {}).unwrap();
        let folder = foregone_record::write::unfinished(&parts);
        let begin = |stop_at: u32| {
            let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
            let control = Control::default().with_stop(stop.clone());
            let told = &mut |layer: u32, _: u64| stop.store(layer >= stop_at, Ordering::Relaxed);
            build(&fox, "fox", &how, &parts, &plan, &control, told).unwrap_err();
        };
        type Damage<'a> = &'a dyn Fn(&Path);
        let flip = |name: &'static str, at: usize| {
            move |folder: &Path| {
                let mut bytes = std::fs::read(folder.join(name)).unwrap();
                let at = at % bytes.len();
                bytes[at] ^= 1;
                std::fs::write(folder.join(name), bytes).unwrap();
            }
        };
        let (block, told, cut): (_, _, Damage<'_>) =
            (flip("1.blocks", 7), flip("2.json", 40), &|folder| {
                std::fs::write(folder.join("3.blocks"), [1, 2, 3]).unwrap();
            });
        let gone: Damage<'_> = &|folder| std::fs::remove_file(folder.join("0.blocks")).unwrap();
        let swapped: Damage<'_> = &|folder| {
            for kind in ["json", "blocks"] {
                let [one, two] = [1, 2].map(|layer| folder.join(format!("{layer}.{kind}")));
                let other = folder.join("other");
                std::fs::rename(&one, &other).unwrap();
                std::fs::rename(&two, &one).unwrap();
                std::fs::rename(&other, &two).unwrap();
            }
        };
        for damage in [&block as Damage<'_>, &told, cut, gone, swapped] {
            begin(4);
            damage(&folder);
            build(&fox, "fox", &how, &parts, &plan, &control, &mut |_, _| {}).unwrap();
            assert!(std::fs::read(&whole).unwrap() == std::fs::read(&parts).unwrap());
        }
        // Fewer layers do not throw more away, and nobody else builds the same at the same time.
        begin(4);
        let fewer = Plan { layers: Some(2), ..plan };
        let building = Building::open(&parts, "fox", fingerprint(&fox), plan.values).unwrap();
        let busy = build(&fox, "fox", &how, &parts, &fewer, &control, &mut |_, _| {}).unwrap_err();
        assert!(matches!(busy, Failed::Broken(Broken::Busy(_))), "{busy}");
        drop(building);
        build(&fox, "fox", &how, &parts, &fewer, &control, &mut |_, _| {}).unwrap();
        assert!(folder.join("4.json").exists());
    }

    /// Positions one, two or no plies from ends of very many values.
    struct Various;

    impl Various {
        const ENDS: u32 = 2 * MOST_VALUE as u32 + 1;
    }

    impl foregone_rules::Game for Various {
        type State = u32;
        type Move = u32;

        fn start(&self) -> u32 {
            3 * Various::ENDS - 1
        }

        fn turn(&self, _: &u32) -> foregone_rules::Side {
            foregone_rules::Side::First
        }

        fn outcome(&self, state: &u32) -> Option<foregone_rules::Outcome> {
            let value = *state as i32 - MOST_VALUE;
            (*state < Various::ENDS).then_some(foregone_rules::Outcome(value))
        }

        fn moves(&self, _: &u32) -> impl Iterator<Item = u32> {
            std::iter::once(Various::ENDS)
        }

        fn play(&self, state: &u32, less: u32) -> u32 {
            state - less
        }
    }

    impl Indexed for Various {
        fn layers(&self) -> u32 {
            1
        }

        fn size(&self, _: u32) -> u64 {
            3 * u64::from(Various::ENDS)
        }

        fn index(&self, state: &u32) -> (u32, u64) {
            (0, (*state).into())
        }

        fn state(&self, _: u32, index: u64) -> Option<u32> {
            Some(index as u32)
        }
    }

    #[test]
    fn more_worths_than_cells_can_tell_apart_are_refused() {
        let place = Place::new("various");
        let file = place.file("table");
        let control = Control::default();
        let build = |values| {
            build(&Various, "various", &How::Ask, &file, &plan(values, 1), &control, &mut |_, _| {})
        };
        let many = build(Values::ScoreDistance).unwrap_err();
        assert!(matches!(many, Failed::Many { layer: 0, worths: 98_301 }), "{many}");
        std::fs::remove_dir_all(foregone_record::write::unfinished(&file)).unwrap();
        build(Values::Score).unwrap();
        let table = Table::open(&file).unwrap();
        assert_eq!(table.get(0, 5).unwrap().map(Worth::value), Some(Value(5 - MOST_VALUE)));
    }

    /// With a table or without, what is told of a position is the same.
    #[test]
    fn answers_from_a_table_are_those_of_solving() {
        use crate::{Method, Registry, Request};
        let place = Place::new("answers");
        for name in ["fox-and-hounds(size=4)", "three-mens-morris", "kalah(pits=2,stones=2)"] {
            let game = Registry::standard().game(name).unwrap();
            let tables = game.tables().unwrap();
            let (file, plan) = (place.file(game.about().name), plan(tables.usual(), 2));
            tables.build(&file, &plan, &Control::default(), &mut |_, _| {}).unwrap();
            let table = std::sync::Arc::new(tables.open(&file).unwrap());
            let mut dice = foregone_rules::sample::Dice::new(5);
            let mut plain = game.open(None, "").unwrap();
            let mut looking = game.open(None, "").unwrap();
            looking.consult(table);
            for _ in 0..200 {
                let moves = plain.moves();
                if moves.is_empty() {
                    plain.go(None, "").unwrap();
                    looking.go(None, "").unwrap();
                    continue;
                }
                let request = Request { method: Method::Strong, ..Request::default() };
                let expected = plain.solve(&request, &Control::default(), None);
                let found = looking.solve(&Request::default(), &Control::default(), None);
                assert_eq!((found.method.as_str(), &found.halted), ("table", &None));
                assert_eq!((found.value, found.endless), (expected.value, expected.endless));
                assert_eq!(found.moves.len(), expected.moves.len());
                for (found, expected) in found.moves.iter().zip(&expected.moves) {
                    assert_eq!(found.result.value, expected.result.value, "{name}");
                    if tables.usual() == Values::ScoreDistance {
                        assert_eq!(found.result.distance, expected.result.distance, "{name}");
                    }
                }
                if tables.usual() == Values::ScoreDistance {
                    assert_eq!((found.best, found.line), (expected.best, expected.line), "{name}");
                }
                let mv = &moves[dice.below(moves.len())];
                plain.play(mv).unwrap();
                looking.play(mv).unwrap();
            }
        }
    }

    /// A table of the last layers alone makes searches shorter, and changes no answer.
    #[test]
    fn searches_take_tables_as_leaves() {
        use crate::{Method, Registry, Request};
        let place = Place::new("leaves");
        for (name, layers) in [("fox-and-hounds(size=6)", 10), ("kalah(pits=3,stones=3)", 11)] {
            let game = Registry::standard().game(name).unwrap();
            let tables = game.tables().unwrap();
            let file = place.file(game.about().name);
            let plan = Plan { layers: Some(layers), ..plan(tables.usual(), 1) };
            tables.build(&file, &plan, &Control::default(), &mut |_, _| {}).unwrap();
            let mut plain = game.open(None, "").unwrap();
            let mut looking = game.open(None, "").unwrap();
            looking.consult(std::sync::Arc::new(tables.open(&file).unwrap()));
            for method in [Method::Search, Method::Proof, Method::AlphaBeta] {
                for distances in [false, true] {
                    let request =
                        Request { method, distances, remember: true, ..Request::default() };
                    let control = Control::default().with_memory(1 << 24);
                    let expected = plain.solve(&request, &control, None);
                    let found = looking.solve(&request, &control, None);
                    assert_eq!((&expected.halted, &found.halted), (&None, &None));
                    assert_eq!(found.value, expected.value, "{name} {method}");
                    // Values alone leave distances out.
                    let known = tables.usual() == Values::ScoreDistance;
                    for (one, other) in found.moves.iter().zip(&expected.moves) {
                        assert_eq!(one.result.value, other.result.value, "{name} {method}");
                        if known {
                            assert_eq!(one.result.distance, other.result.distance, "{name}");
                        }
                    }
                    // Where distances are wanted, values alone are of no use.
                    let wants =
                        method == Method::AlphaBeta || distances && method == Method::Search;
                    let nodes = (found.nodes, expected.nodes);
                    match known || !wants {
                        true => assert!(nodes.0 < nodes.1, "{name} {method} {nodes:?}"),
                        false => assert_eq!(nodes.0, nodes.1, "{name} {method}"),
                    }
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        let place = Place::new("refused");
        let file = place.file("table");
        let kalah = game::<Kalah>(&[("pits", "2"), ("stones", "1")]);
        let control = Control::default();
        let refused = |values, ranked, control: &Control| {
            build(
                &kalah,
                "k",
                &How::plain(ranked),
                &file,
                &plan(values, 1),
                control,
                &mut |_, _| {},
            )
            .unwrap_err()
        };
        assert!(matches!(refused(Values::ScoreDistance, true, &control), Failed::Banks));
        assert!(matches!(refused(Values::Wdl, true, &control), Failed::Banks));
        assert!(matches!(refused(Values::Score, false, &control), Failed::Loops));
        let little = Control::default().with_memory(100);
        let halted = refused(Values::Score, true, &little);
        assert!(matches!(halted, Failed::Halted(Halted::Memory { limit: 100, .. })), "{halted}");
        let large = game::<Kalah>(&[("pits", "8"), ("stones", "12")]);
        assert!(matches!(needs(&large, &How::Ask, &plan(Values::Score, 1)), Err(Failed::Numbers)));
        // Another table's beginnings are not gone on with.
        let stopped = Control::default().with_stop(std::sync::Arc::new(true.into()));
        let fox = game::<FoxAndHounds>(&[("size", "4")]);
        let wanted = plan(Values::ScoreDistance, 1);
        build(&fox, "fox", &How::Ask, &file, &wanted, &stopped, &mut |_, _| {}).unwrap_err();
        let other =
            build(&fox, "hen", &How::Ask, &file, &wanted, &control, &mut |_, _| {}).unwrap_err();
        assert!(matches!(other, Failed::Broken(Broken::Game { .. })), "{other}");
        build(&fox, "fox", &How::Ask, &file, &wanted, &control, &mut |_, _| {}).unwrap();
    }
}
