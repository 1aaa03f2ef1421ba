//! Checks tables that list positions by their keys: the positions that can arise from the start are
//! gone through, one for all that are alike, each entry is checked, and there may be no others.

use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;

use foregone_record::read::state_of;
use foregone_record::{Error, Table};
use foregone_rules::games::Progress as Measure;
use foregone_rules::{NoBank, Packed, Symmetry, Worth};

use crate::equation::{self, Found, Reached, Said};
use crate::verdict::{Count, Counts, Coverage, Flaw, Unshown, Verdict};
use crate::{Effort, OnProgress, Progress, check_memory};

/// A thread takes at least so many positions.
const PART: usize = 1 << 12;

/// What a table covers that is right: everything that can arise from the start.
pub const COVERAGE: Coverage = Coverage { layers: 1, of: 1, start: true };

/// Checks every entry of a table. `measure` is the game's measure of progress, if it has one.
///
/// # Errors
/// If the table is damaged or larger than the memory allowed, or checking was stopped
/// ([`std::io::ErrorKind::Interrupted`]).
pub fn check<G: Packed<Bank = NoBank> + Symmetry>(
    game: &G,
    table: &Table,
    measure: Option<Measure<G>>,
    effort: Effort,
    on_progress: OnProgress<'_>,
) -> Result<Verdict<G::State>, Error> {
    let (Some(_), [part]) = (&table.manifest().keys, &table.manifest().layers[..]) else {
        return Err(Error::Damaged("it lists no keys".to_owned()));
    };
    let size = part.size;
    check_memory(size.saturating_mul(size_of::<(u128, u16)>() as u64), effort)?;
    let seen = (0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let (keys, cells) = (table.all_keys()?, table.layer(0)?);
    let checking = Checking { game, table, measure, keys, cells, seen };
    let start = game.representative(&game.start());
    let Some(first) = checking.number(&start) else {
        return Ok(Verdict::False(checking.flaw(0, Some(start), None, None)));
    };
    checking.is_new(first);
    let progress = Progress::new(on_progress);
    let (mut front, mut unshown, mut count) = (vec![start], None, Count::default());
    while !front.is_empty() {
        let parts = checking.front(&front, effort.threads.max(1));
        let checked: u64 = parts.iter().map(|part| part.count.positions()).sum();
        let mut next = Vec::new();
        for part in parts {
            // Parts come in the order of the front: the first flaw is the first of them.
            if let Some(flaw) = part.flaw {
                return Ok(Verdict::False(flaw));
            }
            unshown = unshown.or(part.unshown);
            count = count.and(part.count);
            next.extend(part.next);
        }
        progress.add(checked)?;
        front = next;
    }
    if let Some(number) = (0..size).find(|number| !checking.was_seen(*number)) {
        // No play leads there.
        let position = state_of(game, checking.keys[number as usize]);
        let stored = checking.worth(number);
        return Ok(Verdict::False(checking.flaw(number, position, stored, None)));
    }
    // The file states as many positions as keys, or it is not read: all of them were counted.
    let counts = Counts { layers: vec![count] };
    Ok(unshown.map_or(Verdict::Right(counts), Verdict::Unshown))
}

/// A table being checked.
struct Checking<'a, G: Packed + Symmetry> {
    game: &'a G,
    table: &'a Table,
    measure: Option<Measure<G>>,
    keys: Vec<u128>,
    cells: Vec<u16>,
    /// A bit for every position that play led to.
    seen: Vec<AtomicU64>,
}

/// What was found in a part of a front.
struct Part<S> {
    flaw: Option<Flaw<S>>,
    unshown: Option<Unshown<S>>,
    count: Count,
    /// The positions that were led to for the first time.
    next: Vec<S>,
}

impl<G: Packed<Bank = NoBank> + Symmetry> Checking<'_, G> {
    fn number(&self, representative: &G::State) -> Option<u64> {
        let key = self.game.pack(representative);
        self.keys.binary_search(&key).ok().map(|number| number as u64)
    }

    fn worth(&self, number: u64) -> Option<Worth> {
        let cell = usize::from(*self.cells.get(number as usize)?);
        self.table.worths(0).get(cell.checked_sub(1)?).copied()
    }

    fn was_seen(&self, number: u64) -> bool {
        self.seen[number as usize / 64].load(Ordering::Relaxed) >> (number % 64) & 1 == 1
    }

    /// Whether play leads to a position for the first time.
    fn is_new(&self, number: u64) -> bool {
        let bit = 1 << (number % 64);
        self.seen[number as usize / 64].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    fn flaw(
        &self,
        number: u64,
        position: Option<G::State>,
        stored: Option<Worth>,
        right: Option<Worth>,
    ) -> Flaw<G::State> {
        Flaw::Entry { place: Some((0, number)), position, stored, right }
    }

    /// Checks positions, shared among threads.
    fn front(&self, front: &[G::State], threads: usize) -> Vec<Part<G::State>> {
        std::thread::scope(|scope| {
            let start = |part| {
                let thread = std::thread::Builder::new();
                (part, thread.spawn_scoped(scope, move || self.part(part)).ok())
            };
            let parts = front.chunks(front.len().div_ceil(threads).max(PART));
            let started: Vec<_> = parts.map(start).collect();
            let end = |(part, thread): (_, Option<ScopedJoinHandle<'_, _>>)| {
                // A part whose thread did not start is done here.
                let done = thread.and_then(|thread| thread.join().ok());
                done.unwrap_or_else(|| self.part(part))
            };
            started.into_iter().map(end).collect()
        })
    }

    /// Checks positions, up to the first flaw.
    fn part(&self, front: &[G::State]) -> Part<G::State> {
        let (count, next) = (Count::default(), Vec::new());
        let mut part = Part { flaw: None, unshown: None, count, next };
        for state in front {
            let number = self.number(state).unwrap_or(u64::MAX);
            let stored = self.worth(number);
            let found = stored.map(|worth| self.entry(state, worth, &mut part.next));
            match found {
                Some(Found::Right) => {}
                Some(Found::Unshown(why)) => {
                    part.unshown.get_or_insert(Unshown { why, position: Some(*state) });
                }
                Some(Found::Wrong(right)) => {
                    part.flaw = Some(self.flaw(number, Some(*state), stored, right));
                    return part;
                }
                None => {
                    part.flaw = Some(self.flaw(number, Some(*state), None, None));
                    return part;
                }
            }
            stored.into_iter().for_each(|worth| part.count.add(worth));
        }
        part
    }

    /// Whether the entry of a representative is right; what it leads to for the first time is put into
    /// `next`.
    fn entry(&self, state: &G::State, worth: Worth, next: &mut Vec<G::State>) -> Found {
        let values = self.table.manifest().values;
        let here = Said { worth, layer: 0, banked: 0 };
        let Ok(found) = equation::check::<G, Infallible>(self.game, values, state, here, |child| {
            let child = self.game.representative(child);
            let Some(number) = self.number(&child) else { return Ok(None) };
            if self.is_new(number) {
                next.push(child);
            }
            let said = self.worth(number).map(|worth| Said { worth, layer: 0, banked: 0 });
            let rises = values.need_progress() && self.rises(state, &child);
            Ok(said.map(|said| Reached { said, rises }))
        });
        found
    }

    /// Whether the game's measure of progress is larger in one representative than in another.
    fn rises(&self, from: &G::State, to: &G::State) -> bool {
        self.measure.is_some_and(|measure| measure(self.game, to) > measure(self.game, from))
    }
}
