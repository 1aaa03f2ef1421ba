//! Deriving a table again: every position's entry from those of the positions that its moves lead
//! to, by the plain rules. Nothing here is shared with what builds tables.
//!
//! With distances this is a proof, loops or not: wins and losses rest on entries whose distances
//! are smaller, down to positions that are over. Without distances it is one where play cannot loop.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use foregone_rules::{Indexed, Worth};

use crate::format::{Broken, derived, with_banked};
use crate::table::Table;

/// What came of checking a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every entry is right: so many positions.
    Right(u64),
    /// An entry is wrong.
    Wrong {
        /// The layer of the position, and its number there.
        place: (u32, u64),
        /// The position's debug text.
        position: String,
        /// What the table says.
        stored: Option<Worth>,
        /// What is right by the entries of the positions after it; nothing where there is no such
        /// position at all, or one after it is missing.
        right: Option<Worth>,
    },
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
type Found = (u64, String, Option<Worth>, Option<Worth>);

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
) -> Result<Verdict, Broken> {
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
    fn layer(&self, size: u64, threads: usize) -> Result<Option<Found>, Broken> {
        let next = AtomicU64::new(0);
        let found: Mutex<Result<Option<Found>, Broken>> = Mutex::new(Ok(None));
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
    fn part(&self, part: std::ops::Range<u64>) -> Result<Option<Found>, Broken> {
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
                return Ok(Some((index, format!("{state:?}"), stored, right)));
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
