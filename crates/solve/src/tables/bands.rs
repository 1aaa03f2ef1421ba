//! Solves a layer band by band. All states of a band share a move, so a move is a loop over two
//! rows of numbers, one read and one written; the compiler vectorises most of these loops.
//!
//! A worth is a small number here, in the order of the mover's preference: `scale * value - plies`
//! for wins, `scale * value + plies` otherwise.

use std::array;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use foregone_record::format::layer::worth_order;
use foregone_record::{TableWriter, Values};
use foregone_rules::sort::by_rank;
use foregone_rules::{
    Band, BandMove, Banded, Block, Distance, Line, Loose, Outcome, Places, Side, Split, Target,
    Value, Way, Worth,
};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use super::kernel::Cell;
use super::{Failed, PHASE};
use crate::control::{Control, Halted, Progress};
use crate::large::Large;
use foregone_record::threads::{inside, lock, together};

/// An integer type that holds a worth or [`NOTHING`](Lane::NOTHING).
pub trait Lane: Cell + Default + FromBytes + IntoBytes + Immutable + KnownLayout {
    /// No state, or an unknown worth; less than every worth.
    const NOTHING: Self;
    /// The largest number.
    const MAX: i32;
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
            const MAX: i32 = <$lane>::MAX as i32;

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
    /// For absolute values of at most `max`; `None` if the type is too small.
    pub fn new<L: Lane>(values: Values, max: i32) -> Option<Scale> {
        let scale = match values {
            Values::Wdl | Values::Score => 1,
            Values::ScoreDistance => L::MAX / (max + 1),
            // Ranks restart in each layer, so such layers are solved position by position.
            Values::ScoreRank => return None,
        };
        (scale * max.max(1) <= L::MAX && (values != Values::ScoreDistance || scale > 64))
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
    /// In the order of numbers.
    lanes: Large<L>,
    /// If bands lie across, each block with its bands one after the other; empty if they do not.
    turned: Large<L>,
    /// The first number of each block.
    starts: Vec<usize>,
    /// Whether each number occurs, starting with the smallest.
    seen: Vec<bool>,
}

impl<L: Lane> Lanes<L> {
    /// Reads a layer from the unfinished table.
    pub fn load<G: Banded>(
        building: &TableWriter,
        game: &G,
        number: u32,
        scale: Scale,
    ) -> Result<Lanes<L>, Failed> {
        let mut lanes = room(game.size(number) as usize)?;
        let mut filled = 0;
        let mut meaning: Vec<L> = Vec::new();
        building.read_layer(number, |worths, cells| {
            if meaning.is_empty() {
                let lane = |worth: &Worth| L::of(scale.number(*worth));
                meaning = [L::NOTHING].into_iter().chain(worths.iter().map(lane)).collect();
            }
            let here = lanes[filled..].iter_mut().zip(cells);
            here.for_each(|(lane, cell)| *lane = meaning[usize::from(*cell)]);
            filled += cells.len();
        })?;
        let blocks = in_order(game.blocks(number));
        let mut turned = room(if game.across() { lanes.len() } else { 0 })?;
        if game.across() {
            for Block { numbers, places, .. } in &blocks {
                let numbers = numbers.start as usize..numbers.end as usize;
                let bands = numbers.len() / *places as usize;
                turn(&lanes[numbers.clone()], bands, &mut turned[numbers]);
            }
        }
        Ok(Lanes { lanes, turned, starts: starts(&blocks), seen: Vec::new() })
    }

    /// The lane of a number.
    #[inline]
    pub fn lane(&self, number: u64) -> Option<L> {
        self.lanes.get(number as usize).copied()
    }

    /// Its bytes in memory.
    pub fn bytes(&self) -> u64 {
        ((self.lanes.len() + self.turned.len()) * size_of::<L>()) as u64
    }

    /// Loads the lane of a number into the cache.
    #[inline]
    pub fn prefetch(&self, number: u64) {
        self.lanes.get(number as usize).into_iter().for_each(foregone_prefetch::load);
    }

    /// The lanes of a line.
    #[inline]
    fn line(&self, block: u32, line: Line) -> &[L] {
        let lanes = if line.across { &self.turned } else { &self.lanes };
        &lanes[self.starts[block as usize] + line.start()..][..line.len as usize]
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
        let worths: Vec<Worth> = found.iter().map(|(worth, _)| *worth).collect();
        building.write_layer(number, &worths, self.lanes.len() as u64, threads, &|from, out| {
            let lanes = &self.lanes[from as usize..from as usize + out.len()];
            for (cell, lane) in out.iter_mut().zip(lanes) {
                *cell = cells[(lane.number() - least) as usize];
            }
        })?;
        Ok(())
    }
}

/// Room for `lanes` lanes.
fn room<L: Lane>(lanes: usize) -> Result<Large<L>, Failed> {
    Large::filled(L::NOTHING, lanes).map_err(|size| Halted::Table { size }.into())
}

/// The inputs for solving a layer.
pub(super) struct Solving<'a, G: Banded, L> {
    pub game: &'a G,
    pub number: u32,
    pub scale: Scale,
    pub below: &'a [Option<Arc<Lanes<L>>>],
    pub control: &'a Control,
    pub threads: usize,
    /// Positions in the layers before this one, and positions in all layers.
    pub done: u64,
    pub total: u64,
}

/// The blocks of a layer in the order of their numbers.
fn in_order(mut blocks: Vec<Block>) -> Vec<Block> {
    blocks.sort_unstable_by_key(|block| block.numbers.start);
    blocks
}

fn starts(blocks: &[Block]) -> Vec<usize> {
    blocks.iter().map(|block| block.numbers.start as usize).collect()
}

/// A block of the layer that is being solved: its lanes in the order of numbers, and band by band if bands
/// lie across.
type Ready<'l, L> = (&'l [L], &'l [L]);

/// A block before it is solved.
type Open<'l, L> = (&'l mut [L], &'l mut [L]);

impl<G: Banded, L: Lane> Solving<'_, G, L> {
    /// Solves the layer.
    pub fn solve(&self) -> Result<Lanes<L>, Failed> {
        let size = self.game.size(self.number) as usize;
        let mut lanes = room(size)?;
        let mut turned = room(if self.game.across() { size } else { 0 })?;
        let mut seen = vec![false; L::MAX as usize * 2 + 2];
        let blocks = in_order(self.game.blocks(self.number));
        let starts = starts(&blocks);
        self.solve_blocks((&blocks, &starts), (&mut lanes, &mut turned), &mut seen)?;
        Ok(Lanes { lanes, turned, starts, seen })
    }

    /// Solves the blocks, wave by wave.
    fn solve_blocks(
        &self,
        (blocks, starts): (&[Block], &[usize]),
        (mut lanes, mut turned): Open<'_, L>,
        seen: &mut [bool],
    ) -> Result<(), Failed> {
        let mut open = Vec::with_capacity(blocks.len());
        for (at, block) in blocks.iter().enumerate() {
            let size = (block.numbers.end - block.numbers.start) as usize;
            let lanes = lanes.split_off_mut(..size).unwrap_or_default();
            let turned = turned.split_off_mut(..size).unwrap_or_default();
            open.push((at, (lanes, turned)));
        }
        by_rank(&mut open, &|(at, _)| blocks[*at].wave.into());
        let mut ready: Vec<Ready<'_, L>> = vec![(&[], &[]); blocks.len()];
        let done = AtomicU64::new(self.done);
        let mut open = open.into_iter().peekable();
        while let Some((first, _)) = open.peek() {
            let wave = blocks[*first].wave;
            let part: Vec<_> =
                std::iter::from_fn(|| open.next_if(|(at, _)| blocks[*at].wave == wave)).collect();
            let threads = self.threads.min(part.len());
            let parts = Mutex::new(part.into_iter());
            let found = Mutex::new(Ok(Vec::new()));
            let run = || {
                let mut solver = Solver::new(self, &ready, starts);
                let mut solved = Vec::new();
                loop {
                    let Some((at, cells)) = lock(&parts).next() else { break };
                    solved.push((at, solver.block(&blocks[at], cells)));
                    let more = blocks[at].numbers.end - blocks[at].numbers.start;
                    let done = done.fetch_add(more, Ordering::Relaxed) + more;
                    let total = Some(self.total);
                    let progress = Progress { phase: PHASE, done, total, bounds: None };
                    if let Err(halted) = self.control.report(progress) {
                        lock(&parts).by_ref().for_each(drop);
                        *lock(&found) = Err(halted);
                    }
                }
                if let Ok(found) = &mut *lock(&found) {
                    found.push((solved, solver.seen));
                }
            };
            together(threads, &run);
            for (solved, here) in inside(found)? {
                solved.into_iter().for_each(|(at, cells)| ready[at] = cells);
                seen.iter_mut().zip(here).for_each(|(all, here)| *all |= here);
            }
            self.has_room(seen)?;
        }
        Ok(())
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
    /// The blocks of the layer that earlier waves solved, and their first numbers; the others are empty.
    ready: &'a [Ready<'a, L>],
    starts: &'a [usize],
    seen: Vec<bool>,
}

impl<'a, G: Banded, L: Lane> Solver<'a, G, L> {
    fn new(
        solving: &'a Solving<'a, G, L>,
        ready: &'a [Ready<'a, L>],
        starts: &'a [usize],
    ) -> Solver<'a, G, L> {
        let seen = vec![false; L::MAX as usize * 2 + 2];
        Solver { solving, ready, starts, seen }
    }

    /// The lanes of a line, if they are known.
    #[inline]
    fn line(&self, Target { layer, block, line }: Target) -> &'a [L] {
        if layer != self.solving.number {
            return match &self.solving.below[layer as usize] {
                Some(layer) => layer.line(block, line),
                None => &[],
            };
        }
        let (lanes, turned) = self.ready[block as usize];
        &(if line.across { turned } else { lanes })[line.start()..][..line.len as usize]
    }

    /// The lane that a loose move leads to.
    fn lane(&self, (layer, number): (u32, u64)) -> L {
        if layer != self.solving.number {
            let lower = &self.solving.below[layer as usize];
            return lower.as_ref().map_or(L::NOTHING, |lower| lower.lanes[number as usize]);
        }
        let at = self.starts.partition_point(|start| *start <= number as usize) - 1;
        self.ready[at].0[number as usize - self.starts[at]]
    }

    /// Solves a block.
    fn block<'l>(&mut self, block: &Block, (lanes, turned): Open<'l, L>) -> Ready<'l, L> {
        let solving = self.solving;
        let across = solving.game.across();
        let by_bands = if across { &mut *turned } else { &mut *lanes };
        let (mut here, mut next) = (Waiting::default(), Waiting::default());
        let mut seen = std::mem::take(&mut self.seen);
        let places = block.places as usize;
        let mut solve = |waiting: &Waiting<'_, '_, L>| {
            let best = &mut by_bands[waiting.band.nth as usize * places..][..places];
            waiting.solve(solving.scale, best, |to| self.lane(to));
            let least = L::NOTHING.number();
            for lane in best {
                seen[(lane.number() - least) as usize] = true;
            }
        };
        let mut any = false;
        solving.game.bands(solving.number, block, &mut |band| {
            // What this band needs is on its way while the one before is solved.
            next.take(band, |to| self.line(to));
            if any {
                solve(&here);
            }
            any = true;
            std::mem::swap(&mut here, &mut next);
        });
        if any {
            solve(&here);
        }
        self.seen = seen;
        if across {
            turn(turned, places, lanes);
        }
        (lanes, turned)
    }
}

/// A band, and the lines that its moves and its ways lead to; a line is empty if the game is over.
struct Waiting<'g, 'l, L> {
    band: Band<'g>,
    lines: Vec<&'l [L]>,
}

impl<L> Default for Waiting<'_, '_, L> {
    fn default() -> Self {
        Waiting { band: Band::default(), lines: Vec::new() }
    }
}

impl<'g, 'l, L: Lane> Waiting<'g, 'l, L> {
    /// Takes over a band, and loads what it needs into the cache.
    fn take(&mut self, band: &Band<'g>, line: impl Fn(Target) -> &'l [L]) {
        self.band.copy(band);
        self.lines.clear();
        let targets = band.moves.iter().map(|mv| mv.to);
        let targets = targets.chain(band.ways.iter().map(|way| way.to));
        self.lines.extend(targets.map(|to| to.map_or(&[][..], &line)));
        self.lines.iter().for_each(|line| foregone_prefetch::load_all(line));
    }

    /// Solves the band; nothing is known of its lanes yet. `lane` is what a loose move leads to.
    fn solve(&self, scale: Scale, best: &mut [L], lane: impl Fn((u32, u64)) -> L) {
        let Waiting { band, lines } = self;
        let (of_moves, of_ways) = lines.split_at(band.moves.len());
        for (mv, line) in band.moves.iter().zip(of_moves) {
            match mv.to {
                Some(_) => improve(scale, best, mv, line),
                None => improve_over(scale, best, mv),
            }
        }
        for split in &band.splits {
            let ways = (&band.ways[split.ways.clone()], &of_ways[split.ways.clone()]);
            improve_split(scale, best, split, ways);
        }
        for loose in &band.loose {
            improve_one(scale, best, loose, lane(loose.to));
        }
        end(scale, best, &band.over, &band.missing);
    }
}

/// Writes lines of `len` lanes in the other direction: the first lanes of all lines, then the second ones.
pub(super) fn turn<L: Lane>(from: &[L], len: usize, to: &mut [L]) {
    /// Lines and lanes that the compiler keeps in registers.
    const TILE: usize = 8;
    let lines = from.len() / len.max(1);
    let even = |count: usize| count - count % TILE;
    for line in (0..even(lines)).step_by(TILE) {
        for at in (0..even(len)).step_by(TILE) {
            let rows: [[L; TILE]; TILE] = array::from_fn(|row| {
                let first = (line + row) * len + at;
                from[first..first + TILE].try_into().unwrap_or([L::NOTHING; TILE])
            });
            let columns: [[L; TILE]; TILE] = array::from_fn(|column| rows.map(|row| row[column]));
            for (column, lanes) in (at..).zip(columns) {
                to[column * lines + line..][..TILE].copy_from_slice(&lanes);
            }
        }
    }
    for line in 0..lines {
        let done = if line < even(lines) { even(len) } else { 0 };
        for at in done..len {
            to[at * lines + line] = from[line * len + at];
        }
    }
}

/// Takes a move into account that leads to a line.
#[inline]
pub(super) fn improve<L: Lane>(scale: Scale, best: &mut [L], mv: &BandMove<'_>, line: &[L]) {
    let (gain, half) = (L::of(mv.gain), L::of(scale.half()));
    // Branches here, so that the loops need no branches.
    match (scale.values == Values::ScoreDistance, mv.passes) {
        (true, true) => walk(best, line, mv.places, |lane| lane.earlier(true, half)),
        (true, false) => walk(best, line, mv.places, |lane| lane.earlier(false, half)),
        (false, true) => walk(best, line, mv.places, |lane| lane.banked(true, gain)),
        (false, false) => walk(best, line, mv.places, |lane| lane.banked(false, gain)),
    }
}

/// Takes a move into account that leads to different lines: those of its ways. If a line is empty, the game is
/// over.
pub(super) fn improve_split<L: Lane>(
    scale: Scale,
    best: &mut [L],
    split: &Split<'_>,
    (ways, lines): (&[Way], &[&[L]]),
) {
    let drawn = L::of(scale.number(Worth::finished(Outcome::DRAW, Side::First)));
    for (best, (which, to)) in best.iter_mut().zip(split.which.iter().zip(split.to)) {
        let which = usize::from(*which);
        let lane = lines[which].get(*to as usize).copied().unwrap_or(drawn);
        *best = (*best).max(before(scale, lane, split.passes, ways[which].gain));
    }
}

/// Takes a move into account after which the game is over.
pub(super) fn improve_over<L: Lane>(scale: Scale, best: &mut [L], mv: &BandMove<'_>) {
    let drawn = L::of(scale.number(Worth::finished(Outcome::DRAW, Side::First)));
    let lane = before(scale, drawn, mv.passes, mv.gain);
    for (place, _) in mv.places.iter(best.len() as u32) {
        let best = &mut best[place as usize];
        *best = (*best).max(lane);
    }
}

/// The worth before a move, from the one after it.
fn before<L: Lane>(scale: Scale, lane: L, passes: bool, gain: i32) -> L {
    match scale.values {
        Values::ScoreDistance => lane.earlier(passes, L::of(scale.half())),
        _ => lane.banked(passes, L::of(gain)),
    }
}

/// Takes a loose move into account, which leads to a lane.
#[inline]
pub(super) fn improve_one<L: Lane>(scale: Scale, best: &mut [L], loose: &Loose, lane: L) {
    let lane = before(scale, lane, loose.passes, loose.gain);
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
fn walk<L: Lane>(best: &mut [L], line: &[L], places: Places<'_>, before: impl Fn(L) -> L) {
    let better = |best: &mut L, lane: &L| *best = (*best).max(before(*lane));
    match places {
        Places::Same => best.iter_mut().zip(line).for_each(|(best, lane)| better(best, lane)),
        Places::To(to) => {
            for (best, to) in best.iter_mut().zip(to) {
                better(best, &line[*to as usize]);
            }
        }
        Places::Pairs(pairs) => {
            for (from, to) in pairs {
                better(&mut best[*from as usize], &line[*to as usize]);
            }
        }
    }
}
