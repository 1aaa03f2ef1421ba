//! Checks tables of games that number their positions: layer by layer, it checks the entry of each
//! number against the entries of the positions that its moves lead to.
//!
//! Each entry is checked for the position that the game returns for its number. Other positions
//! with the same number have the same worth, by the game's promises (`Merging.v`, `Banked.v`).
//! [`plain`](crate::plain) does not rely on these.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone_record::threads::{inside, lock, together};
use foregone_record::{Error, Listed, Table};
use foregone_rules::Measure;
use foregone_rules::{Bank, Indexed, Value, Worth};

use crate::equation::{self, Found, Reached, Said, showable};
use crate::share::{Alone, Finding, Sharing};
use crate::verdict::{Counts, Coverage, Fault, Flaw, Tally, Unshown, Verdict};
use crate::{Effort, OnProgress, Progress};

/// The count of numbers that a thread takes at a time.
const PART: u64 = 1 << 12;

/// The part of the game that a table covers.
pub fn coverage<G: Indexed>(game: &G, table: &Table) -> Coverage {
    let layers = table.manifest().layers.len() as u32;
    let start = game.layer(&game.start()) < layers;
    Coverage { layers, of: game.layers(), start, listed: Listed::All }
}

/// For each of the lowest `layers` layers, the last one from which a move leads to it. (Layers that are
/// needed although this says otherwise are read again from the table.)
fn last_use<G: Indexed>(game: &G, layers: u32) -> Vec<u32> {
    let layers = layers.min(game.layers());
    let mut last: Vec<u32> = (0..layers).collect();
    for number in 0..layers {
        let after = game.layers_after(number);
        after
            .into_iter()
            .filter(|layer| *layer < number)
            .for_each(|layer| last[layer as usize] = number);
    }
    last
}

/// Checks every entry of a table. `measure` is the game's measure of progress, if it has one.
///
/// # Errors
/// If the table is damaged, or checking was stopped ([`std::io::ErrorKind::Interrupted`]).
pub fn check<G: Indexed>(
    game: &G,
    table: &Table,
    measure: Option<Measure<G>>,
    effort: Effort,
    on_progress: OnProgress<'_>,
) -> Result<Verdict<G::State>, Error> {
    check_shared(game, table, measure, effort, &Alone, on_progress)
}

/// As [`check`], as one of several checkers of the same table. All get the same verdict.
///
/// # Errors
/// As [`check`], and if another checker has failed.
pub fn check_shared<G: Indexed>(
    game: &G,
    table: &Table,
    measure: Option<Measure<G>>,
    effort: Effort,
    sharing: &dyn Sharing,
    on_progress: OnProgress<'_>,
) -> Result<Verdict<G::State>, Error> {
    let manifest = table.manifest();
    if let Err(why) = showable(manifest.values, G::Bank::BANKS) {
        return Ok(Verdict::Unshown(Unshown { why, position: None }));
    }
    let progress = Progress::new(on_progress);
    let mut layers: Vec<Option<Vec<u16>>> = Vec::new();
    let last_use = last_use(game, manifest.layers.len() as u32);
    let (mut counts, mut unshown) = (Counts::default(), None);
    for (number, part) in (0u32..).zip(&manifest.layers) {
        if number >= game.layers() {
            let (has, more) = (game.layers(), manifest.layers.len());
            return Err(Error::Damaged(format!("it has {more} layers, and the game has {has}")));
        }
        if part.size != game.size(number) {
            let why = format!("layer {number} does not have the size that the game's rules give");
            return Err(Error::Damaged(why));
        }
        let done = |layer: &u32| last_use.get(*layer as usize).is_none_or(|last| *last < number);
        for layer in (0..number).filter(done) {
            layers[layer as usize] = None;
        }
        let taken: u64 = layers.iter().flatten().map(|cells| 2 * cells.len() as u64).sum();
        let fits = taken + 2 * part.size <= effort.memory;
        table.check_entries(number)?;
        layers.push(if fits { Some(table.layer(number)?) } else { None });
        let checking =
            Checking { game, table, measure, number, layers: &layers, progress: &progress };
        let tally = checking.layer(sharing.share(part.size), effort.threads)?;
        let check_worths = || table.check_worths(number, layers.last().and_then(Option::as_deref));
        // Checked before results are exchanged: after the last layer the others do not wait.
        let whole = if sharing.leads(number) { check_worths() } else { Ok(()) };
        let damaged = matches!(whole, Err(Error::Damaged(_)));
        if !damaged {
            whole?;
        }
        let own = Finding { damaged, ..Finding::of(&tally) };
        let Finding { flaw, unshown: here, count, damaged } = sharing.joined(number, own)?;
        if let Some(at) = flaw {
            let (_, flaw) = checking.again(at)?.flaw.ok_or_else(disagree)?;
            return Ok(Verdict::False(flaw));
        }
        if count.positions() != part.positions {
            let (stated, counted) = (part.positions, count.positions());
            return Ok(Verdict::False(Flaw::Count { layer: number, stated, counted }));
        }
        if damaged {
            check_worths()?;
            return Err(disagree());
        }
        if let (None, Some(at)) = (&unshown, here) {
            let (_, seen) = checking.again(at)?.unshown.ok_or_else(disagree)?;
            unshown = Some(seen);
        }
        counts.layers.push(count);
    }
    Ok(unshown.map_or(Verdict::Right(counts), Verdict::Unshown))
}

/// The error for a checker that found something where this one finds nothing.
fn disagree() -> Error {
    std::io::Error::other("two checkers of the same entry disagree").into()
}

/// A layer being checked.
struct Checking<'a, G: Indexed> {
    game: &'a G,
    table: &'a Table,
    measure: Option<Measure<G>>,
    number: u32,
    layers: &'a [Option<Vec<u16>>],
    progress: &'a Progress<'a>,
}

impl<G: Indexed> Checking<'_, G> {
    /// Checks some numbers of the layer.
    fn layer(&self, share: Range<u64>, threads: usize) -> Result<Tally<G::State>, Error> {
        let values = self.table.manifest().values;
        let next = AtomicU64::new(share.start);
        let all: Mutex<Result<Tally<G::State>, Error>> = Mutex::new(Ok(Tally::new(values)));
        let run = || loop {
            let from = next.fetch_add(PART, Ordering::Relaxed);
            if from >= share.end {
                return;
            }
            let part = self.shown(from..share.end.min(from + PART));
            let goes_on = part.as_ref().is_ok_and(|part| part.flaw.is_none());
            let mut all = lock(&all);
            let before = std::mem::replace(&mut *all, Ok(Tally::new(values)));
            *all = match (before, part) {
                (Ok(before), Ok(part)) => Ok(before.and(part)),
                (Err(error), _) | (_, Err(error)) => Err(error),
            };
            if !goes_on {
                next.store(share.end, Ordering::Relaxed);
            }
        };
        together(threads, &run);
        inside(all)
    }

    /// Checks a part of the layer, and shows progress.
    fn shown(&self, part: Range<u64>) -> Result<Tally<G::State>, Error> {
        let tally = self.part(part)?;
        self.progress.add(tally.count.positions())?;
        Ok(tally)
    }

    /// Checks a number again that a checker, perhaps another one, found something about.
    fn again(&self, number: u64) -> Result<Tally<G::State>, Error> {
        match number < self.game.size(self.number) {
            true => self.part(number..number + 1),
            false => Err(disagree()),
        }
    }

    /// Checks a part of the layer, up to the first flaw. A number has an entry if and only if it
    /// has a position (hypothesis `checked_position`).
    fn part(&self, part: Range<u64>) -> Result<Tally<G::State>, Error> {
        let mut tally = Tally::new(self.table.manifest().values);
        for index in part {
            let place = Some((self.number, index));
            let stored = self.get(self.number, index)?;
            let goes_on = match (stored, self.game.state(self.number, index)) {
                (None, None) => true,
                (Some(worth), Some(state)) => {
                    tally.take(index, place, (&state, worth), self.entry(&state, worth)?)
                }
                (stored, position) => {
                    let fault = if stored.is_some() { Fault::NoPosition } else { Fault::Missing };
                    tally.fault(index, Flaw::Entry { place, position, fault })
                }
            };
            if !goes_on {
                break;
            }
        }
        Ok(tally)
    }

    /// Whether the entry of a position that the game returned for its number is right.
    fn entry(&self, state: &G::State, worth: Worth) -> Result<Found, Error> {
        let here = Said { worth, layer: self.number, banked: 0 };
        let endless = self.game.endless(state).value_for(self.game.turn(state));
        let values = self.table.manifest().values;
        let measure = self.measure.filter(|_| values.need_progress());
        // Whether a move makes progress: it leads to a lower layer, or the game's measure rises.
        // The measure is assumed to be the same for all positions with the same number
        // (`trusted_measure` in `Merging.v`).
        let rises = |child: &G::State, layer| {
            let measure = || measure.is_some_and(|of| of(self.game, child) > of(self.game, state));
            layer < self.number || layer == self.number && measure()
        };
        equation::check(self.game, (values, Listed::All), state, here, endless, |child| {
            let (layer, index) = self.game.index(child);
            let Some(worth) = self.get(layer, index)? else { return Ok(None) };
            let Value(banked) = G::Bank::banked(self.game, child);
            let said = Said { worth, layer, banked };
            Ok(Some(Reached { said, rises: rises(child, layer) }))
        })
    }

    fn get(&self, layer: u32, index: u64) -> Result<Option<Worth>, Error> {
        let Some(Some(cells)) = self.layers.get(layer as usize) else {
            return self.table.get(layer, index);
        };
        let cell = cells.get(index as usize).map_or(0, |cell| usize::from(*cell));
        Ok(cell.checked_sub(1).map(|at| self.table.worths(layer)[at]))
    }
}
