//! Books: the values of all positions that the first moves of a game lead to, one for all that are alike. The positions
//! after the last of these moves are at the horizon: a search finds their values, and all others follow from them by
//! the rules. What is found is kept now and then, so that a book of days can be made in hours.
//!
//! Opening books of this kind are as old as solved games: James Allen and Victor Allis both made one of Connect Four
//! in 1988.

mod shipped;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use foregone_record::format::checksum::Checksum;
use foregone_record::format::fingerprint_keyed;
use foregone_record::threads::{inside, lock, together};
use foregone_record::write::Target;
use foregone_record::{Error, GameId, Table, TableWriter};
use foregone_rules::sample::Dice;
use foregone_rules::{Distance, Encode, Game, Merged, Value, Worth, Written};

use crate::control::{Control, Halted, Pace, Progress};
use crate::declared::Declared;
use crate::exact::{Given, Options, Proven};
use crate::moves::sort_by_first;
use crate::prove::ByKeys;
use crate::subject::makes;
use crate::tables::Failed;
use crate::tables::endgame::Store;
pub use shipped::SHIPPED;
pub(crate) use shipped::shipped;

const LISTING: &str = "listing positions";
const PHASE: &str = "solving the horizon";

/// The file with the values found so far, in the folder of the unfinished book.
const FOUND: &str = "horizon";

/// In place of a value that is not found yet.
const OPEN: i32 = i32::MIN;

/// A thread solves this many positions in a row: neighbours in the order of keys have much in common.
const RUN: usize = 32;

/// Found values are kept this often.
const OFTEN: Duration = Duration::from_secs(20);

/// What a book holds, and how to make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookPlan {
    /// The number of moves from the start to the horizon.
    pub plies: u32,
    /// The number of threads; the book does not depend on it.
    pub threads: usize,
}

/// What a book has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookSize {
    /// Positions, one for all that are alike.
    pub positions: u64,
    /// How many of them are at the horizon.
    pub horizon: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

/// How many positions were compared, and the first with another value: what a book says of it, and what a search says.
pub(crate) type Compared<S> = Result<(u64, Option<(S, Option<Value>, Value)>), Failed>;

/// What was found at the horizon of a book.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The number of positions that were solved again.
    pub positions: u64,
    /// The first with another value, in words; `None` if all are right.
    pub wrong: Option<String>,
}

/// Representatives of positions with their keys.
type Keyed<S> = Vec<(u128, S)>;

/// The positions of a book, with nothing banked.
struct Positions<S> {
    /// Those whose values follow by the rules.
    inner: Keyed<S>,
    /// Those that are solved, in the order of their keys.
    horizon: Keyed<S>,
}

impl<S: Copy> Positions<S> {
    /// All positions that at most `plies` moves lead to.
    fn new<G>(game: &G, plies: u32, control: &Control) -> Result<Positions<S>, Halted>
    where
        G: Encode<State = S>,
    {
        let keyed = |state: &S| {
            let Merged { state, .. } = Merged::of(game, state);
            (game.encode(&state), state)
        };
        let mut front = vec![keyed(&game.start())];
        let mut seen = HashSet::from([front[0].0]);
        let (mut inner, mut pace) = (Vec::new(), Pace::new());
        for ply in 0..=plies {
            if front.is_empty() {
                break;
            }
            let (over, open): (Keyed<S>, _) =
                front.drain(..).partition(|(_, state)| game.outcome(state).is_some());
            inner.extend(over);
            if ply == plies {
                front = open;
                break;
            }
            for (_, state) in &open {
                for (_, child) in game.successors(state) {
                    let (key, child) = keyed(&child);
                    if seen.insert(key) {
                        front.push((key, child));
                    }
                }
                let (each, done) = (2 * size_of::<(u128, S)>() as u64 + 32, seen.len() as u64);
                control.check_memory(each * done, LISTING, done)?;
                if pace.is_up(1) {
                    let (phase, total, bounds) = (LISTING, None, None);
                    control.report(Progress { phase, done, total, bounds })?;
                }
            }
            inner.extend(open);
        }
        sort_by_first(&mut front);
        Ok(Positions { inner, horizon: front })
    }
}

/// Making and reading books of a game.
pub(crate) trait Books<G: Game>: Send + Sync {
    /// Makes a book, or resumes an unfinished one.
    ///
    /// # Errors
    /// If the game has no search for values, it was stopped (what was found is kept), or the book cannot be written.
    fn build(
        &self,
        named: (&Declared<G>, GameId<'_>),
        target: &Target,
        plan: BookPlan,
        control: &Control,
    ) -> Result<BookSize, Failed>;

    /// Solves positions at the horizon of a book again, `sample` of them if that is given.
    ///
    /// # Errors
    /// If the book is about another game or damaged, or it was stopped.
    fn verify(
        &self,
        named: (&Declared<G>, GameId<'_>),
        book: &Table,
        sample: Option<usize>,
        threads: usize,
        control: &Control,
    ) -> Compared<G::State>;

    /// Checks that a file is a book of exactly this game.
    fn is_of(&self, game: &G, id: GameId<'_>, book: &Table) -> Result<(), Error>;

    /// The value of a position in a book, for the side to move; `None` if the book does not have it.
    fn value(&self, game: &G, book: &Table, state: &G::State) -> Result<Option<Value>, Error>;
}

impl<G: Encode> Books<G> for ByKeys {
    fn build(
        &self,
        (declared, id): (&Declared<G>, GameId<'_>),
        target: &Target,
        plan: BookPlan,
        control: &Control,
    ) -> Result<BookSize, Failed> {
        makes()?;
        let game = &declared.game;
        let (Some(measure), Some(_)) = (declared.measure, declared.values) else {
            return Err(Failed::NoBook);
        };
        let mut writer = TableWriter::of_book(target, id, fingerprint_keyed(game), plan.plies)?;
        let Positions { mut inner, horizon } = Positions::new(game, plan.plies, control)?;
        let values = solve(declared, &horizon, plan.threads, Some(&writer), control)?;
        let keys = horizon.iter().map(|(key, _)| *key);
        let mut known: HashMap<u128, i32> = keys.zip(values).collect();
        // Moves lead to positions that are further on, which come first.
        inner.sort_by_cached_key(|(_, state)| Reverse(measure(game, state)));
        for (key, state) in &inner {
            let position = || Written::text(declared.notation, game, state);
            let Value(value) = derived(game, state, &known, &position)?;
            known.insert(*key, value);
        }
        let mut all: Vec<(u128, i32)> = known.into_iter().collect();
        sort_by_first(&mut all);
        let worth = |at: u64| {
            let (_, value) = all.get(at as usize)?;
            Some(Worth::new(Value(*value), Distance::Plies(0)))
        };
        writer.write_layer_by(0, all.len() as u64, plan.threads, &worth)?;
        writer.write_keys(all.iter().map(|(key, _)| *key))?;
        writer.finish(1)?;
        let bytes = std::fs::metadata(target.path()).map_err(Error::from)?.len();
        Ok(BookSize { positions: all.len() as u64, horizon: horizon.len() as u64, bytes })
    }

    fn verify(
        &self,
        (declared, id): (&Declared<G>, GameId<'_>),
        book: &Table,
        sample: Option<usize>,
        threads: usize,
        control: &Control,
    ) -> Compared<G::State> {
        makes()?;
        let game = &declared.game;
        book.is_book_of(game, id)?;
        let plies = book.manifest().horizon.unwrap_or(0);
        let Positions { mut horizon, .. } = Positions::new(game, plies, control)?;
        if let Some(sample) = sample {
            let mut dice = Dice::new(plies.into());
            while horizon.len() > sample {
                horizon.swap_remove(dice.below(horizon.len()));
            }
        }
        let values = solve(declared, &horizon, threads, None, control)?;
        let count = horizon.len() as u64;
        for ((_, state), found) in horizon.into_iter().zip(values) {
            let stored = book.value(game, &state)?;
            if stored != Some(Value(found)) {
                return Ok((count, Some((state, stored, Value(found)))));
            }
        }
        Ok((count, None))
    }

    fn is_of(&self, game: &G, id: GameId<'_>, book: &Table) -> Result<(), Error> {
        book.is_book_of(game, id)
    }

    fn value(&self, game: &G, book: &Table, state: &G::State) -> Result<Option<Value>, Error> {
        book.value(game, state)
    }
}

/// The value of a position with nothing banked, by those of the positions that its moves lead to.
///
/// # Errors
/// If the game breaks its promises: a position that is not over has no move, or a move makes no progress.
fn derived<G: Encode>(
    game: &G,
    state: &G::State,
    known: &HashMap<u128, i32>,
    position: &dyn Fn() -> String,
) -> Result<Value, Halted> {
    let mover = game.turn(state);
    if let Some(outcome) = game.outcome(state) {
        return Ok(outcome.value_for(mover));
    }
    let mut best = None;
    for (_, child) in game.successors(state) {
        let Merged { state, offset } = Merged::of(game, &child);
        let Some(value) = known.get(&game.encode(&state)) else {
            return Err(Halted::Loops { position: position() });
        };
        best = best.max(Some(Value(value + offset.0).seen_from(game.turn(&child), mover)));
    }
    best.ok_or_else(|| Halted::NoMoves { position: position() })
}

/// The values of positions, in their order, from what is kept and by search.
fn solve<G: Game>(
    declared: &Declared<G>,
    positions: &[(u128, G::State)],
    threads: usize,
    writer: Option<&TableWriter>,
    control: &Control,
) -> Result<Vec<i32>, Failed> {
    let (game, search) = (&declared.game, declared.values.ok_or(Failed::NoBook)?);
    let keeping = Keeping::new(positions.iter().map(|(key, _)| *key), writer)?;
    let threads = threads.clamp(1, positions.len().max(1));
    let limits = control
        .clone()
        .with_memory(control.memory() / threads as u64)
        .with_quiet(Arc::new(AtomicBool::new(true)))
        .with_checkpoint(None);
    let (next, endgame) = (AtomicUsize::new(0), Store::default());
    together(threads, &|| {
        let endgame = Some(&endgame);
        let given = Given { leaf: None, notation: declared.notation, endgame };
        let mut valuer = match search.valuer(game, &limits, Options::default(), given) {
            Ok(valuer) => valuer,
            Err(halted) => return keeping.fail(halted.into()),
        };
        let mut run = 0..0;
        loop {
            let at = run.next().unwrap_or_else(|| {
                let first = RUN * next.fetch_add(1, Ordering::Relaxed);
                run = first + 1..first + RUN;
                first
            });
            let Some((_, state)) = positions.get(at) else { return };
            if keeping.has(at) {
                continue;
            }
            let Proven { low, halted, .. } = valuer.bounds(state);
            let kept = match halted {
                Some(halted) => Err(halted.into()),
                None => keeping.keep(at, low.0),
            };
            let reported = kept.and_then(|done| {
                let total = Some(positions.len() as u64);
                Ok(control.report(Progress { phase: PHASE, done, total, bounds: None })?)
            });
            if let Err(failed) = reported {
                return keeping.fail(failed);
            }
            if keeping.has_failed() {
                return;
            }
        }
    });
    keeping.finish()
}

/// The values found so far.
struct Keeping<'w> {
    found: Mutex<Kept>,
    /// Where they are kept.
    writer: Option<&'w TableWriter>,
    /// Changes with the positions.
    sum: Checksum,
}

struct Kept {
    values: Vec<i32>,
    done: u64,
    written: Instant,
    failed: Option<Failed>,
}

impl<'w> Keeping<'w> {
    /// What an earlier run has kept of these positions.
    fn new(
        keys: impl ExactSizeIterator<Item = u128>,
        writer: Option<&'w TableWriter>,
    ) -> Result<Keeping<'w>, Failed> {
        let mut values = vec![OPEN; keys.len()];
        let bytes: Vec<u8> = keys.flat_map(|key| key.to_le_bytes()).collect();
        let sum = Checksum::of(&bytes);
        if let Some(writer) = writer
            && let Some(kept) = writer.kept(FOUND)?
            && let Some(kept) = read(&kept, sum, values.len())
        {
            values = kept;
        }
        let done = values.iter().filter(|value| **value != OPEN).count() as u64;
        let found = Kept { values, done, written: Instant::now(), failed: None };
        Ok(Keeping { found: found.into(), writer, sum })
    }

    fn has(&self, at: usize) -> bool {
        lock(&self.found).values[at] != OPEN
    }

    fn has_failed(&self) -> bool {
        lock(&self.found).failed.is_some()
    }

    /// Keeps a value; how many there are.
    fn keep(&self, at: usize, value: i32) -> Result<u64, Failed> {
        let mut found = lock(&self.found);
        found.values[at] = value;
        found.done += 1;
        if let Some(writer) = self.writer
            && found.written.elapsed() > OFTEN
        {
            writer.keep(FOUND, &self.written(&found.values))?;
            found.written = Instant::now();
        }
        Ok(found.done)
    }

    /// Notes why a thread has ended; the first reason counts.
    fn fail(&self, failed: Failed) {
        lock(&self.found).failed.get_or_insert(failed);
    }

    /// The values found so far as bytes, after a checksum.
    fn written(&self, values: &[i32]) -> Vec<u8> {
        let values: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let sums = [self.sum, Checksum::of(&values)].map(|Checksum(sum)| sum.to_le_bytes());
        [&sums.concat()[..], &values].concat()
    }

    /// All values; if some are missing, those that there are have been written.
    fn finish(self) -> Result<Vec<i32>, Failed> {
        let bytes = self.written(&lock(&self.found).values);
        let Kept { values, failed, .. } = inside(self.found);
        match failed {
            None => Ok(values),
            Some(failed) => {
                self.writer.map_or(Ok(()), |writer| writer.keep(FOUND, &bytes))?;
                Err(failed)
            }
        }
    }
}

/// The values in a file that was kept for positions with this checksum; `None` if it is about others, or damaged.
fn read(bytes: &[u8], sum: Checksum, count: usize) -> Option<Vec<i32>> {
    let (sums, values) = bytes.split_at_checked(16)?;
    let sums = sums.as_chunks::<8>().0.iter().map(|sum| Checksum(u64::from_le_bytes(*sum)));
    let expected = [sum, Checksum::of(values)];
    let (values, rest) = values.as_chunks::<4>();
    (sums.eq(expected) && rest.is_empty() && values.len() == count)
        .then(|| values.iter().map(|value| i32::from_le_bytes(*value)).collect())
}
