//! Deriving a table again: every position's entry from those of the positions that its moves lead
//! to, by the plain rules. Nothing here is shared with what builds tables.
//!
//! With distances this is a proof, loops or not: wins and losses rest on entries whose distances
//! are smaller, down to positions that are over. Without distances it is one where play cannot loop.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use foregone_rules::{Indexed, NoBank, Packed, Symmetry, Worth};
use serde_json::json;

use crate::format::{Broken, derived, state_of, with_banked};
use crate::table::Table;
use crate::words::counted;

/// What came of checking a table; positions are states of the game, or texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<S> {
    /// Every entry is right: so many positions.
    Right(u64),
    /// An entry is wrong.
    Wrong {
        /// The layer of the position, and its number there.
        place: (u32, u64),
        /// The position; nothing where the entry is that of none.
        position: Option<S>,
        /// What the table says.
        stored: Option<Worth>,
        /// What is right by the entries of the positions after it; nothing where there is no such
        /// position at all, or one after it is missing.
        right: Option<Worth>,
    },
}

impl<S> Verdict<S> {
    /// The same with a text for the position.
    pub fn named(self, name: impl FnOnce(&S) -> String) -> Verdict<String> {
        match self {
            Verdict::Right(positions) => Verdict::Right(positions),
            Verdict::Wrong { place, position, stored, right } => {
                Verdict::Wrong { place, position: position.as_ref().map(name), stored, right }
            }
        }
    }
}

fn said(worth: Option<Worth>) -> String {
    worth.map_or("nothing".to_owned(), |worth| worth.to_string())
}

impl fmt::Display for Verdict<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Right(positions) => {
                write!(f, "{} checked, all right", counted(*positions, "position", "positions"))
            }
            Verdict::Wrong { place: (layer, index), position, stored, right } => {
                match position {
                    Some(position) => write!(f, "wrong entry for `{position}`")?,
                    None => f.write_str("an entry of no position")?,
                }
                write!(
                    f,
                    " (number {index} of layer {layer}): the table says {}, the rules say {}",
                    said(*stored),
                    said(*right)
                )
            }
        }
    }
}

impl Verdict<String> {
    /// As fields of a report.
    pub fn fields(&self) -> serde_json::Value {
        match self {
            Verdict::Right(positions) => json!({"right": true, "positions": positions}),
            Verdict::Wrong { place: (layer, index), position, stored, right } => json!({
                "right": false, "position": position, "layer": layer, "index": index,
                "stored": said(*stored), "derived": said(*right),
            }),
        }
    }
}

/// What checking may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// On how many threads; 0 counts as 1.
    pub threads: usize,
    /// How many bytes of layers may be in memory at once; others are looked up block by block.
    pub memory: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { threads: 1, memory: 1 << 30 }
    }
}

/// So many numbers are taken by a thread at a time.
const PART: u64 = 1 << 12;

/// An entry that was found wrong.
type Found<S> = (u64, Option<S>, Option<Worth>, Option<Worth>);

/// Checks every entry of a table. `heard` is told again and again how many positions were checked,
/// and says whether to go on.
///
/// # Errors
/// Where the table is damaged, or it was stopped ([`io::ErrorKind::Interrupted`]).
pub fn verify<G: Indexed>(
    game: &G,
    table: &Table,
    effort: Effort,
    heard: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Verdict<G::State>, Broken> {
    let contents = table.contents();
    let checked = AtomicU64::new(0);
    let mut layers: Vec<Option<Vec<u16>>> = Vec::new();
    for (number, layer) in (0u32..).zip(&contents.layers) {
        if number >= game.layers() || layer.size != game.size(number) {
            let why = format!("layer {number} has another size than the game's rules say");
            return Err(Broken::Damaged(why));
        }
        let lowest = game.lowest_after(number);
        layers.iter_mut().take(lowest as usize).for_each(|layer| *layer = None);
        let taken: u64 = layers.iter().flatten().map(|cells| 2 * cells.len() as u64).sum();
        let fits = taken + 2 * layer.size <= effort.memory;
        layers.push(if fits { Some(table.layer(number)?) } else { None });
        let checking = Checking { game, table, number, layers: &layers, checked: &checked, heard };
        if let Some((index, position, stored, right)) =
            checking.layer(layer.size, effort.threads)?
        {
            return Ok(Verdict::Wrong { place: (number, index), position, stored, right });
        }
    }
    Ok(Verdict::Right(checked.into_inner()))
}

/// Checks every entry of a table that lists its positions: those that can arise from the start are
/// gone through, and there may be no others.
///
/// # Errors
/// Where the table is damaged or larger than the memory allowed, or it was stopped
/// ([`io::ErrorKind::Interrupted`]).
pub fn verify_listed<G: Packed<Bank = NoBank> + Symmetry>(
    game: &G,
    table: &Table,
    effort: Effort,
    heard: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Verdict<G::State>, Broken> {
    let (Some(_), [layer]) = (&table.contents().keys, &table.contents().layers[..]) else {
        return Err(Broken::Damaged("it lists no positions".to_owned()));
    };
    let size = layer.size;
    let needed = size.saturating_mul(size_of::<(u128, u16)>() as u64);
    if needed > effort.memory {
        let why = format!("checking it takes {needed} bytes, and {} are allowed", effort.memory);
        return Err(io::Error::new(io::ErrorKind::OutOfMemory, why).into());
    }
    let keys = table.all_listed()?;
    let cells = table.layer(0)?;
    let seen = (0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let listed = Listed { game, table, keys, cells, seen };
    let start = game.representative(&game.start());
    let Some(first) = listed.number(&start) else {
        return Ok(listed.wrong((0, Some(start), None, None)));
    };
    listed.is_new(first);
    let (mut front, mut checked) = (vec![start], 0);
    while !front.is_empty() {
        let (next, found) = listed.front(&front, effort.threads.max(1));
        // Of several the first, whichever thread was quicker.
        if let Some(wrong) = found.into_iter().min_by_key(|wrong| wrong.0) {
            return Ok(listed.wrong(wrong));
        }
        checked += front.len() as u64;
        if !heard(checked) {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "stopped").into());
        }
        front = next;
    }
    match (0..size).find(|number| !listed.was_seen(*number)) {
        Some(number) => {
            // No play leads there.
            let key = listed.keys[number as usize];
            Ok(listed.wrong((number, state_of(game, key), listed.worth(number), None)))
        }
        None => Ok(Verdict::Right(checked)),
    }
}

/// A table of listed positions being checked.
struct Listed<'a, G: Packed<Bank = NoBank> + Symmetry> {
    game: &'a G,
    table: &'a Table,
    keys: Vec<u128>,
    cells: Vec<u16>,
    /// A bit for every position that play led to.
    seen: Vec<AtomicU64>,
}

impl<G: Packed<Bank = NoBank> + Symmetry> Listed<'_, G> {
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

    fn wrong(&self, (number, position, stored, right): Found<G::State>) -> Verdict<G::State> {
        Verdict::Wrong { place: (0, number), position, stored, right }
    }

    /// Checks positions: those that they lead to for the first time, and those that are wrong.
    fn front(&self, front: &[G::State], threads: usize) -> (Vec<G::State>, Vec<Found<G::State>>) {
        let parts = front.chunks(front.len().div_ceil(threads).max(PART as usize));
        let run = |part: &[G::State]| {
            let (mut next, mut found) = (Vec::new(), Vec::new());
            for state in part {
                if let Some(wrong) = self.check(state, &mut next) {
                    found.push(wrong);
                    break;
                }
            }
            (next, found)
        };
        let done: Vec<_> = std::thread::scope(|scope| {
            let start =
                |part| (part, std::thread::Builder::new().spawn_scoped(scope, move || run(part)));
            let others: Vec<_> = parts.map(start).collect();
            // A part whose thread did not start is done here.
            let end =
                |(part, thread): (_, std::io::Result<std::thread::ScopedJoinHandle<'_, _>>)| {
                    let done = thread.ok().and_then(|thread| thread.join().ok());
                    done.unwrap_or_else(|| run(part))
                };
            others.into_iter().map(end).collect()
        });
        let (next, found): (Vec<_>, Vec<_>) = done.into_iter().unzip();
        (next.concat(), found.concat())
    }

    fn check(&self, state: &G::State, next: &mut Vec<G::State>) -> Option<Found<G::State>> {
        let number = self.number(state)?;
        let right = derived(self.game, state, |child| {
            let child = self.game.representative(child);
            let number = self.number(&child)?;
            if self.is_new(number) {
                next.push(child);
            }
            self.worth(number)
        });
        let values = self.table.contents().values;
        let (stored, right) = (self.worth(number), right.map(|worth| values.keep(worth)));
        // Where a position after it is missing, nothing is right.
        (stored != right || right.is_none()).then_some((number, Some(*state), stored, right))
    }
}

/// A layer being checked.
struct Checking<'a, G: Indexed> {
    game: &'a G,
    table: &'a Table,
    number: u32,
    layers: &'a [Option<Vec<u16>>],
    checked: &'a AtomicU64,
    heard: &'a (dyn Fn(u64) -> bool + Sync),
}

impl<G: Indexed> Checking<'_, G> {
    /// The first entry of the layer that is wrong.
    fn layer(&self, size: u64, threads: usize) -> Result<Option<Found<G::State>>, Broken> {
        let next = AtomicU64::new(0);
        let found: Mutex<Result<Option<Found<G::State>>, Broken>> = Mutex::new(Ok(None));
        let run = || loop {
            let from = next.fetch_add(PART, Ordering::Relaxed);
            if from >= size {
                return;
            }
            let part = self.part(from..size.min(from + PART));
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            match part {
                Ok(None) => continue,
                // Of several the first, whichever thread was quicker.
                Ok(Some(wrong)) => {
                    let earlier = matches!(&*found, Ok(Some((index, ..))) if *index < wrong.0);
                    if found.is_ok() && !earlier {
                        *found = Ok(Some(wrong));
                    }
                }
                Err(error) => *found = Err(error),
            }
            next.store(size, Ordering::Relaxed);
            return;
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // A thread that does not start is one less.
                let _ = std::thread::Builder::new().spawn_scoped(scope, run);
            }
            run();
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first entry of a part that is wrong.
    fn part(&self, part: std::ops::Range<u64>) -> Result<Option<Found<G::State>>, Broken> {
        let values = self.table.contents().values;
        let mut count = 0;
        for index in part {
            let stored = self.get(self.number, index)?;
            let state = self.game.state(self.number, index);
            let mut broken = None;
            let right = state.as_ref().and_then(|state| {
                derived(self.game, state, |child| {
                    self.probe(child).unwrap_or_else(|error| {
                        broken = Some(error);
                        None
                    })
                })
            });
            if let Some(error) = broken {
                return Err(error);
            }
            let right = right.map(|worth| values.keep(worth));
            // Where a position after it is missing, nothing is right.
            if stored != right || state.is_some() != right.is_some() {
                return Ok(Some((index, state, stored, right)));
            }
            count += u64::from(right.is_some());
        }
        let checked = self.checked.fetch_add(count, Ordering::Relaxed) + count;
        match (self.heard)(checked) {
            true => Ok(None),
            false => Err(io::Error::new(io::ErrorKind::Interrupted, "stopped").into()),
        }
    }

    fn get(&self, layer: u32, index: u64) -> Result<Option<Worth>, Broken> {
        let Some(Some(cells)) = self.layers.get(layer as usize) else {
            return self.table.get(layer, index);
        };
        let cell = cells.get(index as usize).map_or(0, |cell| usize::from(*cell));
        Ok(cell.checked_sub(1).map(|at| self.table.worths(layer)[at]))
    }

    fn probe(&self, state: &G::State) -> Result<Option<Worth>, Broken> {
        let (layer, index) = self.game.index(state);
        Ok(self.get(layer, index)?.map(|worth| with_banked(self.game, state, worth)))
    }
}
