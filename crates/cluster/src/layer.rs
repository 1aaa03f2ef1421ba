//! Solving a layer. A block is solved by one worker of the process that holds it. What it needs of other
//! processes is asked for in one mail to each, and comes back in one; while answers are on their way,
//! the worker goes on with other blocks.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use foregone::record::threads::lock;
use foregone::tables::kernel::{Ask, Begun, Cell, Held, Seen, View, layout};

use crate::build::Ended;
use crate::watch::Done;
use crate::wire::Message;
use crate::worker::{POLL, Worker};

/// Batches that a worker has begun and not ended.
const WINDOW: usize = 3;

/// Numbers in a batch, about: few mails, and little that waits.
const BATCH: u64 = 1 << 15;

/// The size of a thread's batches, for a process with `numbers` in a wave.
pub fn batch(numbers: u64, threads: usize) -> u64 {
    (numbers / (4 * threads as u64)).clamp(1, BATCH)
}

/// Blocks that wait for answers, which are asked for together.
struct Open<'k, C> {
    blocks: Vec<Block<'k, C>>,
    answers: Vec<C>,
    /// By process: what it was asked.
    parts: HashMap<usize, Part>,
}

/// A block of a batch.
struct Block<'k, C> {
    piece: usize,
    begun: Box<dyn Begun<C> + 'k>,
    /// Where its answers are.
    answers: Range<usize>,
}

/// What a process is asked of a batch.
struct Part {
    /// The layer of each ask, and where its answers belong.
    asks: Vec<(u32, Range<usize>)>,
}

impl<C: Cell> Worker<'_, C> {
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
            // All have the layer before questions arrive.
            self.barrier()?;
            let mut seen = Seen::default();
            for wave in 0..now.waves() {
                self.wave(layer, &now, wave, &mut seen)?;
                self.barrier()?;
            }
            seen
        };
        // All pieces are taken once more, when all workers have passed the next barrier.
        now.rewind();
        let meaning = self.meaning(&seen)?;
        self.keep(layer, &now, &meaning)?;
        self.view = None;
        self.finish(layer, now, meaning)
    }

    /// The layer is complete in memory; `meaning` are the cells that occur in it, sorted.
    pub fn finish(&mut self, layer: u32, held: Arc<Held<C>>, meaning: Vec<C>) -> Result<(), Ended> {
        drop(held);
        self.barrier()?;
        if self.is_leader() {
            lock(&self.shared.cells).clear();
            let mut layers = lock(&self.shared.layers);
            let held = layers.remove(&layer).and_then(Arc::into_inner);
            layers.extend(held.map(|held| (layer, Arc::new(held.finish(meaning)))));
        }
        self.barrier()
    }

    /// All cells that occur in the layer anywhere, sorted.
    fn meaning(&mut self, seen: &Seen<C>) -> Result<Vec<C>, Ended> {
        let mut bytes = Vec::new();
        C::put(&seen.cells(), &mut bytes);
        let mut all = Vec::new();
        for (_, bytes) in self.exchange(Some(&bytes))? {
            let before = all.len();
            all.resize(before + bytes.len() / C::BYTES, self.build.kernel.cell(None)?);
            C::take(&bytes, &mut all[before..]);
        }
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
        seen: &mut Seen<C>,
    ) -> Result<(), Ended> {
        let kernel = self.build.kernel;
        self.blocks(
            held,
            wave,
            |numbers, view| kernel.begin(layer, numbers, view),
            |_, piece, cells| {
                seen.note(&cells);
                held.keep(piece, cells);
                Ok(())
            },
        )?;
        Ok(seen.cells().iter().try_for_each(|cell| kernel.check(*cell))?)
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
        let none = self.build.kernel.cell(None)?;
        // Each worker gets several batches, if there are enough blocks.
        let max = batch(held.numbers_of(wave), self.build.threads);
        let (mut more, mut question) = (true, 0);
        loop {
            while more && open.len() < WINDOW {
                let (mut blocks, mut asks, mut count, mut size) = (Vec::new(), Vec::new(), 0, 0);
                while size < max {
                    let Some(piece) = held.take(wave) else {
                        more = false;
                        break;
                    };
                    let Some(view) = &self.view else { return Err(self.protocol_error()) };
                    let numbers = held.numbers(piece);
                    size += numbers.end - numbers.start;
                    let (begun, asked) = begin(numbers, view)?;
                    if asked.is_empty() {
                        self.end(held, piece, begun, &[], &mut done)?;
                        continue;
                    }
                    let begin = count;
                    count += asked.iter().map(|ask| ask.len as usize).sum::<usize>();
                    blocks.push(Block { piece, begun, answers: begin..count });
                    asks.extend(asked);
                }
                if blocks.is_empty() {
                    // Others may wait for this worker.
                    self.pump(Duration::ZERO)?;
                    continue;
                }
                let split = self.view.as_ref().and_then(|view| split(&asks, view));
                let split = split.ok_or_else(|| self.protocol_error())?;
                let mut parts = HashMap::new();
                for (holder, (asks, places)) in split {
                    let asked = asks.iter().map(|ask| ask.layer).zip(places);
                    parts.insert(holder, Part { asks: asked.collect() });
                    // The workers of a process take turns.
                    let threads = self.build.threads;
                    let to = holder * threads + (self.number + question as usize) % threads;
                    self.send(to, &Message::Asks { from: self.number, question, asks });
                }
                open.insert(question, Open { blocks, answers: vec![none; count], parts });
                question += 1;
            }
            if open.is_empty() && !more {
                return Ok(());
            }
            let full = !open.is_empty() && (!more || open.len() == WINDOW);
            self.pump(if full { POLL } else { Duration::ZERO })?;
            for mail in std::mem::take(&mut self.answers) {
                let Some(Message::Answer { from, question, cells }) =
                    Message::of_bytes(mail.bytes())
                else {
                    return Err(self.protocol_error());
                };
                let waiting = open.get_mut(&question).and_then(|open| {
                    let part = open.parts.remove(&from)?;
                    self.apply(&part, cells, &mut open.answers)?;
                    Some(open.parts.is_empty())
                });
                if !waiting.ok_or_else(|| self.protocol_error())? {
                    continue;
                }
                let Some(Open { blocks, answers, .. }) = open.remove(&question) else { continue };
                for block in blocks {
                    let answers = &answers[block.answers];
                    self.end(held, block.piece, block.begun, answers, &mut done)?;
                }
            }
        }
    }

    /// Takes over the cells of an answer; `None` if it does not fit what was asked.
    fn apply(&self, part: &Part, mut bytes: &[u8], answers: &mut [C]) -> Option<()> {
        let view = self.view.as_ref()?;
        for (layer, places) in &part.asks {
            let answers = answers.get_mut(places.clone())?;
            view.layer(*layer)?.received(&mut bytes, answers).then_some(())?;
        }
        bytes.is_empty().then_some(())
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
        let Some(view) = &self.view else { return Err(self.protocol_error()) };
        let cells = begun.end(answers, view)?;
        let numbers = held.numbers(piece);
        let numbers = numbers.end - numbers.start;
        self.build.watch.add(Done { numbers, ..Done::default() });
        done(self, piece, cells)
    }
}

/// Asks by the process that holds what they ask for, each part with the places of its answers.
type Split = BTreeMap<usize, (Vec<Ask>, Vec<Range<usize>>)>;

/// Groups asks by holder; `None` if a number has no holder.
pub fn split<C: Cell>(asks: &[Ask], view: &View<C>) -> Option<Split> {
    let (mut all, mut at) = (Split::new(), 0);
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
    Some(all)
}
