//! Solving a layer. A block is solved by one worker of the process that holds it. What it needs of other
//! processes is asked for in one mail to each, and comes back in one; while answers are on their way,
//! the worker goes on with other blocks.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use foregone::tables::kernel::{Ask, Begun, Cell, Held, View, layout};

use crate::build::Ended;
use crate::desk::{Desk, NAP, lock};
use crate::watch::Done;
use crate::wire::Letter;

/// Blocks that a worker has begun and not ended.
const WINDOW: usize = 8;

/// A block that waits for answers.
struct Open<'k, C> {
    piece: usize,
    begun: Box<dyn Begun<C> + 'k>,
    answers: Vec<Option<C>>,
    /// By process: what it was asked.
    parts: HashMap<usize, Part>,
}

/// What a process is asked of a block.
struct Part {
    /// The layer and the number of cells of each ask.
    asks: Vec<(u32, usize)>,
    /// Where the answers belong, one after the other.
    places: Vec<Range<usize>>,
}

impl<C: Cell> Desk<'_, C> {
    /// A layer in memory, for all workers of this process.
    pub fn held(&self, layer: u32) -> Arc<Held<C>> {
        let build = self.build;
        let make = || {
            let pieces = layout(build.kernel.blocks(layer), &build.weights);
            Arc::new(Held::new(pieces, build.me))
        };
        Arc::clone(lock(&self.shared.layers).entry(layer).or_insert_with(make))
    }

    /// Solves a layer, and writes it.
    pub fn layer(&mut self, layer: u32) -> Result<(), Ended> {
        let now = self.held(layer);
        let lower: Vec<_> =
            self.build.kernel.after(layer).into_iter().filter(|lower| *lower < layer).collect();
        let view: Vec<_> = lower.into_iter().map(|lower| (lower, self.held(lower))).collect();
        self.view = Some(View::new(view.into_iter().chain([(layer, Arc::clone(&now))])));
        let seen = if self.settles(layer, &now) {
            self.settle(&now)?
        } else {
            // Nobody asks before all have the layer.
            self.barrier()?;
            let mut seen = BTreeSet::new();
            for wave in 0..now.waves() {
                self.wave(layer, &now, wave, &mut seen)?;
                self.barrier()?;
            }
            seen
        };
        let meaning = self.meaning(&seen)?;
        self.keep(layer, &now, &meaning)?;
        self.view = None;
        drop(now);
        self.barrier()?;
        if self.is_clerk() {
            let mut layers = lock(&self.shared.layers);
            let held = layers.remove(&layer).and_then(Arc::into_inner);
            layers.extend(held.map(|held| (layer, Arc::new(held.finish(meaning)))));
        }
        self.barrier()
    }

    /// All cells that occur in the layer anywhere, sorted.
    fn meaning(&mut self, seen: &BTreeSet<C>) -> Result<Vec<C>, Ended> {
        let mut bytes = Vec::new();
        C::put(&Vec::from_iter(seen.iter().copied()), &mut bytes);
        let mut all = Vec::new();
        self.exchange(Some(&bytes))?.iter().for_each(|(_, cells)| C::take(cells, &mut all));
        // In files, whatever has no position is 0.
        all.push(self.build.kernel.cell(None)?);
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// Solves this worker's blocks of a wave.
    fn wave(
        &mut self,
        layer: u32,
        held: &Held<C>,
        wave: usize,
        seen: &mut BTreeSet<C>,
    ) -> Result<(), Ended> {
        let kernel = self.build.kernel;
        self.blocks(
            held,
            wave,
            |numbers, view| kernel.begin(layer, numbers, view),
            |_, piece, cells| {
                occur(&cells, seen);
                held.keep(piece, cells);
                Ok(())
            },
        )?;
        Ok(seen.iter().try_for_each(|cell| kernel.check(*cell))?)
    }

    /// Begins and ends this worker's blocks of a wave; `done` gets the cells of each.
    pub fn blocks<'k>(
        &mut self,
        held: &Held<C>,
        wave: usize,
        begin: impl Fn(
            Range<u64>,
            &View<C>,
        ) -> Result<(Box<dyn Begun<C> + 'k>, Vec<Ask>), foregone::tables::Failed>,
        mut done: impl FnMut(&mut Self, usize, Vec<C>) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        let mut open: HashMap<u64, Open<'k, C>> = HashMap::new();
        let (mut more, mut question) = (true, 0);
        loop {
            while more && open.len() < WINDOW {
                let Some(piece) = held.take(wave) else {
                    more = false;
                    break;
                };
                let Some(view) = &self.view else { return Err(self.garbage()) };
                let (begun, asks) = begin(held.numbers(piece), view)?;
                if asks.is_empty() {
                    self.end(held, piece, begun, &[], &mut done)?;
                    continue;
                }
                let split = split(&asks, view);
                let Some((count, split)) = split else { return Err(self.garbage()) };
                let mut parts = HashMap::new();
                for (holder, (asks, places)) in split {
                    let count = |ask: &Ask| (ask.layer, ask.len as usize);
                    parts.insert(holder, Part { asks: asks.iter().map(count).collect(), places });
                    // The workers of a process take turns.
                    let threads = self.build.threads;
                    let to = holder * threads + piece % threads;
                    self.send(to, &Letter::Asks { from: self.number, question, asks });
                }
                open.insert(question, Open { piece, begun, answers: vec![None; count], parts });
                question += 1;
            }
            if open.is_empty() && !more {
                return Ok(());
            }
            let full = !open.is_empty() && (!more || open.len() == WINDOW);
            self.pump(if full { NAP } else { Duration::ZERO })?;
            for (from, question, bytes) in std::mem::take(&mut self.answers) {
                let waiting = open.get_mut(&question).and_then(|open| {
                    let part = open.parts.remove(&from)?;
                    Some((open, part))
                });
                let heard = waiting.and_then(|(waiting, part)| {
                    let cells = self.heard(&part, &bytes)?;
                    let mut cells = cells.into_iter();
                    for place in part.places {
                        waiting.answers[place].iter_mut().for_each(|answer| *answer = cells.next());
                    }
                    Some(waiting.parts.is_empty())
                });
                match heard {
                    Some(true) => {}
                    Some(false) => continue,
                    None => return Err(self.garbage()),
                }
                let Some(whole) = open.remove(&question) else { continue };
                let answers: Option<Vec<_>> = whole.answers.into_iter().collect();
                let Some(answers) = answers else { return Err(self.garbage()) };
                self.end(held, whole.piece, whole.begun, &answers, &mut done)?;
            }
        }
    }

    /// The cells of an answer; `None` if it does not fit what was asked.
    fn heard(&self, part: &Part, mut bytes: &[u8]) -> Option<Vec<C>> {
        let (view, mut cells) = (self.view.as_ref()?, Vec::new());
        for (layer, count) in &part.asks {
            view.layer(*layer)?.heard(*count, &mut bytes, &mut cells).then_some(())?;
        }
        bytes.is_empty().then_some(cells)
    }

    /// Ends a block.
    fn end(
        &mut self,
        held: &Held<C>,
        piece: usize,
        begun: Box<dyn Begun<C> + '_>,
        answers: &[C],
        done: &mut impl FnMut(&mut Self, usize, Vec<C>) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        let Some(view) = &self.view else { return Err(self.garbage()) };
        let cells = begun.end(answers, view)?;
        let numbers = held.numbers(piece);
        let numbers = numbers.end - numbers.start;
        self.build.watch.add(Done { numbers, ..Done::default() });
        done(self, piece, cells)
    }
}

/// Notes which cells occur.
pub fn occur<C: Cell>(cells: &[C], seen: &mut BTreeSet<C>) {
    let mut last = None;
    for cell in cells {
        if last.replace(*cell) != Some(*cell) {
            seen.insert(*cell);
        }
    }
}

/// Asks by the process that holds what they ask for, each part with the places of its answers; and the
/// number of all answers. `None` if nobody holds something.
type Split = (usize, BTreeMap<usize, (Vec<Ask>, Vec<Range<usize>>)>);

fn split<C: Cell>(asks: &[Ask], view: &View<C>) -> Option<Split> {
    let mut all: BTreeMap<usize, (Vec<Ask>, Vec<Range<usize>>)> = BTreeMap::new();
    let mut at = 0;
    for ask in asks {
        let held = view.layer(ask.layer)?;
        let mut rest = *ask;
        while rest.len > 0 {
            let (holder, end) = held.holder(rest.first)?;
            let here = end.checked_sub(rest.first)?.div_ceil(rest.step).min(rest.len);
            if here == 0 {
                return None;
            }
            let (asks, places) = all.entry(holder).or_default();
            let next = at + here as usize;
            match (asks.last_mut(), places.last_mut()) {
                // The piece after the last one, of the same holder.
                (Some(last), Some(place))
                    if place.end == at
                        && (last.layer, last.step) == (rest.layer, rest.step)
                        && last.first + last.len * last.step == rest.first =>
                {
                    last.len += here;
                    place.end = next;
                }
                _ => {
                    asks.push(Ask { len: here, ..rest });
                    places.push(at..next);
                }
            }
            at = next;
            rest = Ask { first: rest.first + here * rest.step, len: rest.len - here, ..rest };
        }
    }
    Some((at, all))
}
