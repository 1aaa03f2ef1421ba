//! Solves a layer band by band. All states of a band share a move, so a move is a loop over two
//! rows of numbers, one read and one written; the compiler vectorises most of these loops.
//!
//! A worth is a small number here, in the order of the mover's preference: `scale * value - plies`
//! for wins, `scale * value + plies` otherwise.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use foregone_record::format::layer::worth_order;
use foregone_record::{TableWriter, Values};
use foregone_rules::{Band, BandMove, Banded, Block, Distance, Loose, Places, Value, Worth};

use super::kernel::Cell;
use super::layer::{inside, lock};
use super::{Failed, PHASE};
use crate::control::{Control, Progress};

/// An integer type that holds a worth or [`NOTHING`](Lane::NOTHING).
pub trait Lane: Cell + Default {
    /// No state, or an unknown worth; less than every worth.
    const NOTHING: Self;
    /// The largest number.
    const MOST: i32;
    fn of(number: i32) -> Self;
    fn number(self) -> i32;
    /// The worth before a move that gains `gain` points; `passes` if the turn passes to the other
    /// side.
    fn banked(self, passes: bool, gain: Self) -> Self;
    /// The worth one ply earlier; numbers from 0 to `half` are draws.
    fn earlier(self, passes: bool, half: Self) -> Self;
}

macro_rules! lane {
    ($($lane:ty),*) => {
        $(impl Lane for $lane {
            const NOTHING: $lane = <$lane>::MIN;
            const MOST: i32 = <$lane>::MAX as i32;

            #[inline(always)]
            fn of(number: i32) -> $lane {
                number as $lane
            }

            #[inline(always)]
            fn number(self) -> i32 {
                self.into()
            }

            #[inline(always)]
            fn banked(self, passes: bool, gain: $lane) -> $lane {
                let value = if passes { self.wrapping_neg() } else { self };
                let value = value.wrapping_add(gain);
                if self == Self::NOTHING { self } else { value }
            }

            #[inline(always)]
            fn earlier(self, passes: bool, half: $lane) -> $lane {
                let drawn = self >= 0 && self <= half;
                let turned = if passes && !drawn { self.wrapping_neg() } else { self };
                // One ply more: minus 1 for wins, plus 1 for all else.
                let less = <$lane>::from(turned > half);
                let later = turned.wrapping_add(1 - 2 * less);
                if self == Self::NOTHING { self } else { later }
            }
        })*
    };
}

lane!(i8, i16);

/// The encoding of worths as numbers, in a table.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    values: Values,
    /// The number of a value of 1, at distance 0.
    scale: i32,
}

impl Scale {
    /// For absolute values of at most `most`; `None` if the type is too small.
    pub fn new<L: Lane>(values: Values, most: i32) -> Option<Scale> {
        let scale = match values {
            Values::Wdl | Values::Score => 1,
            Values::ScoreDistance => L::MOST / (most + 1),
            // Ranks restart in each layer, so such layers are solved position by position.
            Values::ScoreRank => return None,
        };
        (scale * most.max(1) <= L::MOST && (values != Values::ScoreDistance || scale > 64))
            .then_some(Scale { values, scale })
    }

    /// The largest distance that fits.
    const fn half(self) -> i32 {
        self.scale / 2 - 1
    }

    pub fn number(self, worth: Worth) -> i32 {
        let Value(value) = worth.value();
        let plies = worth.distance().plies().unwrap_or(0) as i32;
        match value {
            1.. => value * self.scale - plies,
            _ => value * self.scale + plies,
        }
    }

    /// Fails if distances that follow from this one may be too large for the type.
    pub fn has_room<L: Lane>(self, lane: L) -> Result<(), Failed> {
        if self.values != Values::ScoreDistance || lane == L::NOTHING {
            return Ok(());
        }
        let worth = self.worth(lane.number());
        match worth.distance().plies().is_some_and(|plies| plies as i32 + 2 > self.half()) {
            true => Err(Failed::Worth(format!("{worth:?}"))),
            false => Ok(()),
        }
    }

    pub fn worth(self, number: i32) -> Worth {
        let (value, plies) = if self.values != Values::ScoreDistance {
            (number, 0)
        } else if number > self.half() {
            let value = (number + self.scale - 1) / self.scale;
            (value, value * self.scale - number)
        } else if number >= 0 {
            (0, number)
        } else {
            let value = -((-number + self.scale - 1) / self.scale);
            (value, number - value * self.scale)
        };
        Worth::new(Value(value), Distance::Plies(plies as u32))
    }
}

/// A solved layer.
pub(super) struct Lanes<L> {
    lanes: Vec<L>,
    /// Whether each number occurs, starting with the smallest.
    seen: Vec<bool>,
}

impl<L: Lane> Lanes<L> {
    /// Reads a layer from the unfinished table.
    pub fn load(
        building: &TableWriter,
        number: u32,
        size: u64,
        scale: Scale,
    ) -> Result<Lanes<L>, Failed> {
        let mut lanes = Vec::with_capacity(size as usize);
        let mut meaning: Vec<L> = Vec::new();
        building.read_layer(number, |worths, cells| {
            if meaning.is_empty() {
                let lane = |worth: &Worth| L::of(scale.number(*worth));
                meaning = [L::NOTHING].into_iter().chain(worths.iter().map(lane)).collect();
            }
            lanes.extend(cells.iter().map(|cell| meaning[usize::from(*cell)]));
        })?;
        Ok(Lanes { lanes, seen: Vec::new() })
    }

    /// Writes the layer to the unfinished table.
    pub fn keep(
        &self,
        building: &mut TableWriter,
        number: u32,
        scale: Scale,
        threads: usize,
    ) -> Result<(), Failed> {
        let least = L::NOTHING.number();
        let seen = (0..).zip(&self.seen).filter(|(_, seen)| **seen).map(|(at, _)| at + least);
        let mut found: Vec<(Worth, i32)> =
            seen.filter(|at| *at != least).map(|at| (scale.worth(at), at)).collect();
        if found.len() >= usize::from(u16::MAX) {
            return Err(Failed::Many { layer: number, worths: found.len() });
        }
        found.sort_unstable_by_key(|(worth, _)| worth_order(*worth));
        let mut cells = vec![0; self.seen.len()];
        for (cell, (_, at)) in (1..).zip(&found) {
            cells[(at - least) as usize] = cell;
        }
        let worths = found.iter().map(|(worth, _)| *worth).collect();
        let worths: Vec<Worth> = worths;
        building.write_layer(number, &worths, self.lanes.len() as u64, threads, &|from, out| {
            let lanes = &self.lanes[from as usize..from as usize + out.len()];
            for (cell, lane) in out.iter_mut().zip(lanes) {
                *cell = cells[(lane.number() - least) as usize];
            }
        })?;
        Ok(())
    }
}

/// The inputs for solving a layer.
pub(super) struct Solving<'a, G: Banded, L> {
    pub game: &'a G,
    pub number: u32,
    pub scale: Scale,
    pub below: &'a [Option<Lanes<L>>],
    pub control: &'a Control,
    pub threads: usize,
    /// Positions in the layers before this one, and positions in all layers.
    pub done: u64,
    pub total: u64,
}

impl<G: Banded, L: Lane> Solving<'_, G, L> {
    /// Solves the layer.
    pub fn solve(&self) -> Result<Lanes<L>, Failed> {
        let size = self.game.size(self.number) as usize;
        let mut lanes = vec![L::NOTHING; size];
        let mut all = vec![false; L::MOST as usize * 2 + 2];
        let blocks = self.game.blocks(self.number);
        let done = AtomicU64::new(self.done);
        for wave in blocks.chunk_by(|one, next| one.wave == next.wave) {
            let threads = self.threads.min(wave.len());
            let parts = Mutex::new(wave.iter());
            // Results are written when the wave is over: until then all threads may read.
            let found = Mutex::new(Ok(Vec::with_capacity(threads)));
            let run = || {
                let mut solver = Solver::new(self, &lanes);
                loop {
                    let Some(block) = lock(&parts).next() else { break };
                    let more = block.numbers.end - block.numbers.start;
                    solver.block(block);
                    let done = done.fetch_add(more, Ordering::Relaxed) + more;
                    let total = Some(self.total);
                    let progress = Progress { phase: PHASE, done, total, bounds: None };
                    if let Err(halted) = self.control.report(progress) {
                        lock(&parts).by_ref().for_each(drop);
                        *lock(&found) = Err(halted);
                    }
                }
                if let Ok(found) = &mut *lock(&found) {
                    found.push((solver.found, solver.seen));
                }
            };
            thread::scope(|scope| {
                for _ in 1..threads {
                    // If a thread does not start, the others do its work.
                    let _ = thread::Builder::new().spawn_scoped(scope, run);
                }
                run();
            });
            for (found, seen) in inside(found)? {
                for (begin, part) in found {
                    lanes[begin as usize..begin as usize + part.len()].copy_from_slice(&part);
                }
                all.iter_mut().zip(seen).for_each(|(all, seen)| *all |= seen);
            }
            self.has_room(&all)?;
        }
        Ok(Lanes { lanes, seen: all })
    }

    /// Fails if distances of the next wave may be too large for the type.
    fn has_room(&self, seen: &[bool]) -> Result<(), Failed> {
        let least = L::NOTHING.number();
        let mut found = (0..).zip(seen).filter(|(_, seen)| **seen).map(|(at, _)| at + least);
        found.try_for_each(|number| self.scale.has_room(L::of(number)))
    }
}

/// The state of one thread.
struct Solver<'a, G: Banded, L> {
    solving: &'a Solving<'a, G, L>,
    /// The layer, as far as earlier waves solved it.
    known: &'a [L],
    /// The results of each block, with its first number.
    found: Vec<(u64, Vec<L>)>,
    /// The best worth so far at every place of a band.
    best: Vec<L>,
    seen: Vec<bool>,
}

impl<'a, G: Banded, L: Lane> Solver<'a, G, L> {
    fn new(solving: &'a Solving<'a, G, L>, known: &'a [L]) -> Solver<'a, G, L> {
        let seen = vec![false; L::MOST as usize * 2 + 2];
        Solver { solving, known, found: Vec::new(), best: Vec::new(), seen }
    }

    /// The lanes of a layer, as far as they are known.
    fn lanes(&self, layer: u32) -> &'a [L] {
        match layer == self.solving.number {
            true => self.known,
            false => match &self.solving.below[layer as usize] {
                Some(layer) => &layer.lanes,
                None => &[],
            },
        }
    }

    fn block(&mut self, block: &Block) {
        let solving = self.solving;
        let size = block.numbers.end - block.numbers.start;
        let mut part = vec![L::NOTHING; size as usize];
        let (mut best, mut seen) = (std::mem::take(&mut self.best), std::mem::take(&mut self.seen));
        solving.game.bands(solving.number, block, &mut |band| {
            let row = |mv: &BandMove<'_>| (&self.lanes(mv.layer)[mv.first as usize..], mv.step);
            let lane = |loose: &Loose| self.lanes(loose.to.0)[loose.to.1 as usize];
            solve_band(solving.scale, band, &mut best, row, lane);
            let start = (band.first - block.numbers.start) as usize;
            let least = L::NOTHING.number();
            match band.step {
                1 => part[start..start + best.len()].copy_from_slice(&best),
                step => {
                    let places = part[start..].iter_mut().step_by(step as usize);
                    places.zip(&best).for_each(|(place, best)| *place = *best);
                }
            }
            for lane in &best {
                seen[(lane.number() - least) as usize] = true;
            }
        });
        (self.best, self.seen) = (best, seen);
        self.found.push((block.numbers.start, part));
    }
}

/// Computes the best worth over all moves, for every place of a band. `row` gives for a move the lanes
/// that it leads to, from target place 0 on, and the difference between neighbouring places; `lane` the
/// lane that a loose move leads to.
fn solve_band<'l, L: Lane>(
    scale: Scale,
    band: &Band<'_>,
    best: &mut Vec<L>,
    row: impl Fn(&BandMove<'_>) -> (&'l [L], u64),
    lane: impl Fn(&Loose) -> L,
) {
    best.clear();
    best.resize(band.len as usize, L::NOTHING);
    band.moves.iter().for_each(|mv| improve(scale, best, mv, row(mv)));
    band.loose.iter().for_each(|loose| improve_one(scale, best, loose, lane(loose)));
    end(scale, best, &band.over, &band.missing);
}

/// Takes a move into account: `row` are the lanes that it leads to, from target place 0 on, and the
/// difference between neighbouring places.
#[inline]
pub(super) fn improve<L: Lane>(scale: Scale, best: &mut [L], mv: &BandMove<'_>, row: (&[L], u64)) {
    let (gain, half) = (L::of(mv.gain), L::of(scale.half()));
    // Branches here, so that the loops need no branches.
    match (scale.values == Values::ScoreDistance, mv.passes) {
        (true, true) => walk(best, row, mv, |lane| lane.earlier(true, half)),
        (true, false) => walk(best, row, mv, |lane| lane.earlier(false, half)),
        (false, true) => walk(best, row, mv, |lane| lane.banked(true, gain)),
        (false, false) => walk(best, row, mv, |lane| lane.banked(false, gain)),
    }
}

/// Takes a loose move into account, which leads to a lane.
#[inline]
pub(super) fn improve_one<L: Lane>(scale: Scale, best: &mut [L], loose: &Loose, lane: L) {
    let lane = match scale.values {
        Values::ScoreDistance => lane.earlier(loose.passes, L::of(scale.half())),
        _ => lane.banked(loose.passes, L::of(loose.gain)),
    };
    let best = &mut best[loose.place as usize];
    *best = (*best).max(lane);
}

/// When all moves are taken into account: moves have no meaning at places that are over or missing.
#[inline]
pub(super) fn end<L: Lane>(scale: Scale, best: &mut [L], over: &[(u32, Value)], missing: &[u32]) {
    for (place, value) in over {
        let worth = Worth::new(*value, Distance::Plies(0));
        best[*place as usize] = L::of(scale.number(scale.values.keep(worth, Value(0))));
    }
    for place in missing {
        best[*place as usize] = L::NOTHING;
    }
}

#[inline(always)]
fn walk<L: Lane>(
    best: &mut [L],
    (lanes, step): (&[L], u64),
    mv: &BandMove<'_>,
    before: impl Fn(L) -> L,
) {
    let better = |best: &mut L, lane: &L| *best = (*best).max(before(*lane));
    let step = step as usize;
    match mv.places {
        Places::Same if step == 1 => {
            best.iter_mut().zip(lanes).for_each(|(best, lane)| better(best, lane))
        }
        Places::Same if step == 0 => best.iter_mut().for_each(|best| better(best, &lanes[0])),
        Places::Same => {
            let lanes = lanes.iter().step_by(step);
            best.iter_mut().zip(lanes).for_each(|(best, lane)| better(best, lane));
        }
        Places::To(to) => {
            for (best, to) in best.iter_mut().zip(to) {
                better(best, &lanes[*to as usize * step]);
            }
        }
        Places::Pairs(pairs) => {
            for (from, to) in pairs {
                better(&mut best[*from as usize], &lanes[*to as usize * step]);
            }
        }
    }
}
