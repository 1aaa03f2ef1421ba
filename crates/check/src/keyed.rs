//! Checks tables that list positions by their keys: visits the positions that can arise from the
//! start, one for each symmetry class, and checks each entry. There may be no other entries.

use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone_record::read::state_of;
use foregone_record::threads::each;
use foregone_record::{Error, Listed, Table};
use foregone_rules::{Encode, Measure, NoBank, Worth};

use crate::equation::{self, Found, Reached, Said};
use crate::images::{Images, UNLIKE, Walk, lists};
use crate::plain;
use crate::verdict::{Counts, Coverage, Fault, Flaw, Tally, Unshown, Verdict};
use crate::{Effort, OnProgress, Progress, check_memory};

/// The least number of positions that a thread takes.
const PART: usize = 1 << 12;

/// The coverage of a right table: what can arise from the start, as far as such tables list it.
pub const fn coverage(listed: Listed) -> Coverage {
    Coverage { layers: 1, of: 1, start: true, listed }
}

/// Checks every entry of a table. `measure` is the game's measure of progress, if it has one. Since
/// the game banks no points, all kinds of values can be checked.
///
/// # Errors
/// If the table is damaged or exceeds the memory limit, or checking was stopped
/// ([`std::io::ErrorKind::Interrupted`]).
pub fn check<G: Encode<Bank = NoBank>>(
    game: &G,
    table: &Table,
    measure: Option<Measure<G>>,
    effort: Effort,
    on_progress: OnProgress<'_>,
) -> Result<Verdict<G::State>, Error> {
    let merged = check_merged(game, table, measure, effort, on_progress)?;
    // All positions are visited as they are, too, if their images are to be visited and cannot be listed.
    if merged.is_right() && effort.symmetries.are_checked(table) && !lists(game) {
        let plain = plain::check_keyed(game, table, measure, effort, on_progress)?;
        return Ok(if plain.is_right() { merged } else { plain });
    }
    Ok(merged)
}

/// [`check`], with images if they are listed.
fn check_merged<G: Encode<Bank = NoBank>>(
    game: &G,
    table: &Table,
    measure: Option<Measure<G>>,
    effort: Effort,
    on_progress: OnProgress<'_>,
) -> Result<Verdict<G::State>, Error> {
    let (Some(_), [part]) = (&table.manifest().keys, &table.manifest().layers[..]) else {
        return Err(Error::Damaged("it lists no keys".to_owned()));
    };
    let checks_images = effort.symmetries.are_checked(table) && lists(game);
    // Finished positions that are left out are not visited.
    let walk = if table.listed().is_all() { Walk::Whole } else { Walk::Part };
    let images = checks_images.then(|| Images::new(game, walk));
    let size = part.size;
    // For each position a key, its cell and a bit; the fronts are counted separately.
    let base = size.saturating_mul((size_of::<u128>() + size_of::<u16>()) as u64 + 1);
    check_memory(base, effort)?;
    let seen = (0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let (keys, cells) = (table.all_keys()?, table.layer(0)?);
    let (room, values) = (Room::new(base, effort), table.manifest().values);
    let checking = Checking { game, images, table, measure, keys, cells, seen, room };
    let start = game.representative(&game.start());
    let missing =
        |position| Ok(Verdict::False(Flaw::Entry { place: None, position, fault: Fault::Missing }));
    let Some(first) = checking.number(&start) else { return missing(Some(start)) };
    if checking.images.as_ref().is_some_and(|images| !images.has(&game.start())) {
        let position = Some(game.start());
        return Ok(Verdict::Unshown(Unshown { why: UNLIKE, position }));
    }
    checking.is_new(first);
    let progress = Progress::new(on_progress);
    // Everything released below must be counted first, also the start.
    checking.room.take(size_of::<G::State>())?;
    let (mut front, mut all) = (vec![start], Tally::new(values));
    while !front.is_empty() {
        let mut next = Vec::new();
        // The parts are in the order of the front, so this is the first flaw.
        for part in checking.front(&front, all.count.positions(), effort.threads.max(1)) {
            if let Some((_, flaw)) = part.tally.flaw {
                return Ok(Verdict::False(flaw));
            }
            part.next.room?;
            progress.add(part.tally.count.positions())?;
            all = all.and(part.tally);
            next.push(part.next.states);
        }
        let before = std::mem::take(&mut front);
        checking.room.give(before.capacity() * size_of::<G::State>());
        drop(before);
        front = checking.room.joined(next)?;
    }
    if let Some(number) = (0..size).find(|number| !checking.was_seen(*number)) {
        let position = state_of(game, checking.keys[number as usize]);
        let fault = if position.is_some() { Fault::Unreached } else { Fault::NoPosition };
        let place = Some((0, number));
        return Ok(Verdict::False(Flaw::Entry { place, position, fault }));
    }
    table.check_worths(0, Some(&checking.cells))?;
    // A file must state as many positions as keys, so the count of positions is checked.
    let counts = Counts { layers: vec![all.count] };
    Ok(all.unshown.map_or(Verdict::Right(counts), |(_, unshown)| Verdict::Unshown(unshown)))
}

/// A table being checked.
struct Checking<'a, G: Encode> {
    game: &'a G,
    /// If positions are compared with their images.
    images: Option<Images<'a, G>>,
    table: &'a Table,
    measure: Option<Measure<G>>,
    keys: Vec<u128>,
    cells: Vec<u16>,
    /// A bit for every visited position.
    seen: Vec<AtomicU64>,
    room: Room,
}

/// The memory in use, and its limit.
struct Room {
    taken: AtomicU64,
    effort: Effort,
}

impl Room {
    fn new(taken: u64, effort: Effort) -> Room {
        Room { taken: AtomicU64::new(taken), effort }
    }

    fn take(&self, bytes: usize) -> Result<(), Error> {
        let bytes = bytes as u64;
        check_memory(self.taken.fetch_add(bytes, Ordering::Relaxed) + bytes, self.effort)
    }

    fn give(&self, bytes: usize) {
        self.taken.fetch_sub(bytes as u64, Ordering::Relaxed);
    }

    /// Joins several lists.
    fn joined<S>(&self, mut lists: Vec<Vec<S>>) -> Result<Vec<S>, Error> {
        if lists.len() == 1 {
            return Ok(lists.pop().unwrap_or_default());
        }
        let all = lists.iter().map(Vec::len).sum();
        self.take(all * size_of::<S>())?;
        let mut joined = Vec::with_capacity(all);
        for list in lists {
            self.give(list.capacity() * size_of::<S>());
            joined.extend(list);
        }
        Ok(joined)
    }
}

/// Positions visited for the first time, as far as memory allows.
struct Next<S> {
    states: Vec<S>,
    room: Result<(), Error>,
}

impl<S> Next<S> {
    fn push(&mut self, state: S, room: &Room) {
        if self.states.len() == self.states.capacity() && self.room.is_ok() {
            // The old and the new list both exist for a moment.
            let (before, after) = (self.states.capacity(), (2 * self.states.capacity()).max(64));
            self.room = room.take(after * size_of::<S>());
            if self.room.is_ok() {
                self.states.reserve_exact(after - before);
                room.give(before * size_of::<S>());
            }
        }
        if self.room.is_ok() {
            self.states.push(state);
        }
    }
}

/// The results for a part of a front.
struct Part<S> {
    tally: Tally<S>,
    next: Next<S>,
}

impl<G: Encode<Bank = NoBank>> Checking<'_, G> {
    fn number(&self, representative: &G::State) -> Option<u64> {
        let key = self.game.encode(representative);
        self.keys.binary_search(&key).ok().map(|number| number as u64)
    }

    fn worth(&self, number: u64) -> Option<Worth> {
        let cell = usize::from(*self.cells.get(number as usize)?);
        self.table.worths(0).get(cell.checked_sub(1)?).copied()
    }

    fn was_seen(&self, number: u64) -> bool {
        self.seen[number as usize / 64].load(Ordering::Relaxed) >> (number % 64) & 1 == 1
    }

    /// Whether a position is visited for the first time; marks it as visited.
    fn is_new(&self, number: u64) -> bool {
        let bit = 1 << (number % 64);
        self.seen[number as usize / 64].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// Checks positions on `threads` threads; `done` positions were checked before.
    fn front(&self, front: &[G::State], done: u64, threads: usize) -> Vec<Part<G::State>> {
        let size = front.len().div_ceil(threads).max(PART);
        let parts: Vec<_> = front.chunks(size).collect();
        each(threads, parts.len(), &|nth| self.part(done + (nth * size) as u64, parts[nth]))
    }

    /// Checks positions, up to the first flaw; `first` is the number of checked positions before
    /// them.
    fn part(&self, first: u64, front: &[G::State]) -> Part<G::State> {
        let next = Next { states: Vec::new(), room: Ok(()) };
        let mut part = Part { tally: Tally::new(self.table.manifest().values), next };
        for (at, state) in (first..).zip(front) {
            let number = self.number(state);
            let place = number.map(|number| (0, number));
            let goes_on = match number.and_then(|number| self.worth(number)) {
                Some(worth) => {
                    let found = self.entry(state, worth, &mut part.next);
                    part.tally.take(at, place, (state, worth), found)
                }
                None => {
                    let (position, fault) = (Some(*state), Fault::Missing);
                    part.tally.fault(at, Flaw::Entry { place, position, fault })
                }
            };
            if !goes_on || part.next.room.is_err() {
                break;
            }
        }
        part
    }

    /// Whether the entry of a representative is right; its new successors go into `next`.
    fn entry(&self, state: &G::State, worth: Worth, next: &mut Next<G::State>) -> Found {
        let values = self.table.manifest().values;
        let here = Said { worth, layer: 0, banked: 0 };
        let endless = self.game.endless(state).value_for(self.game.turn(state));
        let look_up = |child: &G::State| {
            let child = self.game.representative(child);
            let Some(number) = self.number(&child) else { return Ok(None) };
            if self.is_new(number) {
                next.push(child, &self.room);
            }
            let said = self.worth(number).map(|worth| Said { worth, layer: 0, banked: 0 });
            let rises = values.need_progress() && self.rises(state, &child);
            Ok(said.map(|said| Reached { said, rises }))
        };
        let kind = (values, self.table.listed());
        let found =
            equation::check::<G, Infallible>(self.game, kind, state, here, endless, look_up);
        let Ok(found) = found;
        let alike = || self.images.as_ref().is_none_or(|images| images.are_alike(state));
        match found {
            Found::Right if !alike() => Found::Unshown(UNLIKE),
            found => found,
        }
    }

    /// Whether the game's measure of progress rises from one representative to another.
    fn rises(&self, from: &G::State, to: &G::State) -> bool {
        self.measure.is_some_and(|measure| measure(self.game, to) > measure(self.game, from))
    }
}
