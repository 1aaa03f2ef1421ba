//! What a table needs on many machines, before it is built. The lowest layers are solved here, on one
//! thread, to measure how fast the game goes; what machines would have to ask each other is counted with
//! the layout that they would have. The rest is a model of waves: in each, every machine solves its part
//! while cells arrive, and then all wait for the slowest.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foregone::record::write::Packer;
use foregone::tables::Failed;
use foregone::tables::kernel::{
    Ask, Blueprint, Cell, Held, Kernel, Piece, Seen, Settling, View, layout,
};
use foregone::{Control, Progress};

use crate::files::packer_of;
use crate::layer::{batch, split};
use crate::wire::Message;

/// The number of batches of a layer that are sampled to count what is asked, about.
const SAMPLE: usize = 256;

/// The part of the time for measuring in which a sample is looked through.
const PART: f64 = 0.5;

/// The fewest batches in a sample, if the layer has as many, however busy this machine is.
const FEWEST: usize = 16;

/// A large sample is looked through in this many rounds, each over the whole layer, until the time is over.
const ROUNDS: usize = 8;

/// How many numbers are solved before the time is looked at, if they need not be whole blocks.
const AT_ONCE: u64 = 1 << 14;

/// Layers with more numbers are not solved for a measurement.
const SOLVED: u64 = 1 << 22;

/// Layers with more numbers are not cut into pieces: what they need is taken from the largest layer that is, so that a
/// plan takes a second or two, and some hundred megabytes, however large the table is.
const LARGE: u64 = 1 << 33;

/// Bytes of a number in the news for another machine, with its part of the mail.
const TOLD: f64 = 1.0;

/// News is counted for one number in 16.
const RARELY: u64 = 16;

/// Bytes of an answer beside its cells.
const ANSWER: f64 = 8.0;

/// Machines.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// How many there are.
    pub machines: usize,
    /// The threads of each.
    pub threads: usize,
    /// The bytes that each can send and receive in a second.
    pub network: f64,
    /// The time until all know that all are ready.
    pub latency: Duration,
}

/// What was measured on the lowest layers.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// By layer, the bytes that are sent for a number, with the machines of the site.
    pub bytes: Vec<f64>,
    /// The bytes in the largest layer that can be cut into pieces; taken for all that were not measured.
    pub above: f64,
    /// Numbers that a thread solves in a second, in the last of them.
    pub rate: f64,
    /// How often all wait for all in a layer that is settled ply by ply.
    pub plies: u64,
}

/// What a table needs.
#[derive(Clone, Debug, Default)]
pub struct Planned {
    /// The numbers of all layers.
    pub numbers: u64,
    /// Bytes of memory of each machine.
    pub memory: u64,
    /// Bytes that all machines send, all together.
    pub sent: f64,
    /// Seconds of work.
    pub work: f64,
    /// Seconds in which machines wait for cells, although they could work.
    pub network: f64,
    /// Seconds in which machines wait for the slowest in a wave.
    pub uneven: f64,
    /// Seconds until all know that all are ready, in all waves and plies.
    pub waves: f64,
    /// What each layer needs.
    pub layers: Vec<PlannedLayer>,
}

/// What a layer needs.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlannedLayer {
    /// Its numbers.
    pub numbers: u64,
    /// Bytes of memory of each machine.
    pub memory: u64,
    /// Seconds.
    pub seconds: f64,
}

impl Planned {
    /// Seconds from beginning to end.
    pub fn seconds(&self) -> f64 {
        self.work + self.network + self.uneven + self.waves
    }
}

/// Measures a game for a time, and calculates what its table needs on a site.
///
/// # Errors
/// If the game breaks its promises, or the control stops it.
pub fn plan(
    blueprint: &Blueprint<'_>,
    site: &Site,
    time: Duration,
    control: &Control,
) -> Result<(Measured, Planned), Failed> {
    let measured = with_kernel!(&blueprint.kernel, kernel => {
        measure(&**kernel, blueprint.layers, site, time, control)
    })?;
    let mut planned = Planned {
        numbers: blueprint.numbers(),
        memory: blueprint.memory(1.0 / site.machines as f64),
        ..Planned::default()
    };
    let mut done = 0;
    let mut cut = Waves { layer: 0, count: 1.0, max: 1.0 };
    for layer in 0..blueprint.layers {
        report(control, "calculating", done, Some(planned.numbers))?;
        done += blueprint.size(layer);
        let before = planned.seconds();
        with_kernel!(&blueprint.kernel, kernel => {
            planned.add(&**kernel, layer, site, &measured, &mut cut);
        });
        planned.layers.push(PlannedLayer {
            numbers: blueprint.size(layer),
            memory: blueprint.memory_of(layer, 1.0 / site.machines as f64),
            seconds: planned.seconds() - before,
        });
    }
    Ok((measured, planned))
}

/// How a layer is cut into waves.
struct Waves {
    layer: u32,
    count: f64,
    /// What the machines have that have most in each wave, by what they would have if all waves were even.
    max: f64,
}

impl Planned {
    /// Adds a layer. `cut` is the largest layer so far that was cut into waves.
    fn add<C: Cell>(
        &mut self,
        kernel: &dyn Kernel<C>,
        layer: u32,
        site: &Site,
        measured: &Measured,
        cut: &mut Waves,
    ) {
        let (machines, size) = (site.machines as f64, kernel.size(layer) as f64);
        let rate = measured.rate * site.threads as f64;
        let bytes = measured.bytes.get(layer as usize).copied().unwrap_or(measured.above);
        self.sent += size * bytes;
        // Layers with millions of blocks of one wave are even.
        let settles = kernel.after(layer).contains(&layer) && !has_waves(kernel, layer);
        let (rounds, max) = match settles {
            true => ((measured.plies + 1) as f64, size / machines),
            // One machine has all, however it is cut.
            false if site.machines == 1 => (1.0, size),
            false if kernel.size(layer) > LARGE => {
                // Waves grow with the layers.
                let more = f64::from(layer + 1) / f64::from(cut.layer + 1);
                (cut.count * more, cut.max * size / machines)
            }
            false => {
                let waves = max_by_wave(kernel, layer, site.machines);
                let (count, max) = (waves.len() as f64, waves.iter().sum::<f64>());
                if size > 0.0 {
                    *cut = Waves { layer, count, max: max * machines / size };
                }
                (count, max)
            }
        };
        let (even, slowest) = (size / machines / rate, max / rate);
        // What leaves a machine comes from all of its numbers.
        let arriving = max * bytes / site.network;
        self.work += even;
        self.uneven += slowest - even;
        self.network += (arriving - slowest).max(0.0);
        // Some for what is agreed on in each layer, and for writing it.
        if site.machines > 1 {
            self.waves += (rounds + 8.0) * site.latency.as_secs_f64();
        }
    }
}

/// Reports how far the plan is.
fn report(
    control: &Control,
    phase: &'static str,
    done: u64,
    total: Option<u64>,
) -> Result<(), Failed> {
    Ok(control.report(Progress { phase, done, total, bounds: None })?)
}

/// Whether waves put the moves within a layer in order.
fn has_waves<C: Cell>(kernel: &dyn Kernel<C>, layer: u32) -> bool {
    kernel.settling(layer, 0..0).is_none()
}

/// For each wave of a layer, the most numbers that one machine has in it.
fn max_by_wave<C: Cell>(kernel: &dyn Kernel<C>, layer: u32, machines: usize) -> Vec<f64> {
    let mut waves: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for Piece { first, end, wave, holder } in layout(kernel.blocks(layer), &vec![1.0; machines]) {
        let held = waves.entry(wave).or_insert_with(|| vec![0.0; machines]);
        held[holder] += (end - first) as f64;
    }
    waves.into_values().map(|held| held.into_iter().fold(0.0, f64::max)).collect()
}

/// Solves the lowest layers for a time.
fn measure<C: Cell>(
    kernel: &dyn Kernel<C>,
    layers: u32,
    site: &Site,
    time: Duration,
    control: &Control,
) -> Result<Measured, Failed> {
    let begun = Instant::now();
    let mut solved: BTreeMap<u32, Arc<Held<C>>> = BTreeMap::new();
    let mut measured = Measured::default();
    // Bytes of news for a number of the last layer.
    let mut told = 0.0;
    let mut all = 0;
    for layer in 0..layers {
        report(control, "measuring", all, None)?;
        // A layer may take several times as long as the one before.
        let seconds = kernel.size(layer) as f64 / measured.rate;
        let long = begun.elapsed() > time / 4
            || kernel.size(layer) > SOLVED
            || seconds > time.as_secs_f64();
        if long && measured.rate > 0.0 {
            break;
        }
        let held = Arc::new(Held::new(layout(kernel.blocks(layer), &[1.0]), 0));
        let lower = kernel.after(layer).into_iter().filter(|lower| *lower < layer);
        let known = lower.filter_map(|lower| Some((lower, Arc::clone(solved.get(&lower)?))));
        let view = View::new(known.chain([(layer, Arc::clone(&held))]));
        let mut seen = Seen::default();
        let size = kernel.size(layer);
        let mut cut = Cut::new(kernel, layer, site);
        let started = Instant::now();
        let mut done = 0;
        match kernel.settling(layer, 0..size) {
            Some(settling) => {
                let alone = Alone { held: &held, view: &view, settling: &*settling };
                measured.plies = measured.plies.max(alone.settle(&mut seen, &mut cut)?);
                done = size;
            }
            None => {
                'layer: for wave in 0..held.waves() {
                    while let Some(piece) = held.take(wave) {
                        let numbers = held.numbers(piece);
                        let mut solved = Vec::new();
                        let length = numbers.end - numbers.start;
                        let at_once = if kernel.takes_parts() { AT_ONCE } else { length };
                        for from in numbers.clone().step_by(at_once as usize) {
                            // At least some numbers, however slow the machine.
                            if done > 0 && begun.elapsed() >= time {
                                break 'layer;
                            }
                            report(control, "measuring", all + done, None)?;
                            let part = from..numbers.end.min(from + at_once);
                            done += part.end - part.start;
                            let (block, asks) = kernel.begin(layer, part, &view)?;
                            debug_assert!(asks.is_empty());
                            let cells = block.end(&[], &view)?;
                            seen.note(&cells);
                            solved.extend(cells);
                        }
                        held.keep(piece, solved);
                    }
                }
            }
        }
        let seconds = started.elapsed().as_secs_f64().max(1e-9);
        all += done;
        // Small layers say little.
        measured.rate = if done > 0 { done as f64 / seconds } else { measured.rate };
        drop(view);
        let mut meaning = seen.cells();
        meaning.push(kernel.cell(None)?);
        meaning.sort_unstable();
        meaning.dedup();
        let sent = cut.told
            + cut.asked(&solved, measured.rate, time.mul_f64(PART))?
            + cut.packed(meaning.len())?;
        measured.bytes.push(sent / size.max(1) as f64);
        told = cut.told / size.max(1) as f64;
        if done < size {
            break;
        }
        if let Some(held) = Arc::into_inner(held) {
            solved.insert(layer, Arc::new(held.finish(meaning)));
        }
    }
    measured.above = measured.bytes.last().copied().unwrap_or_default();
    let above = (measured.bytes.len() as u32..layers).filter(|layer| kernel.size(*layer) <= LARGE);
    let largest = above.max_by_key(|layer| kernel.size(*layer));
    if let Some(largest) = largest.filter(|_| site.machines > 1) {
        let cut = Cut::new(kernel, largest, site);
        report(control, "counting questions", 0, None)?;
        let sent = cut.asked(&solved, measured.rate, time.mul_f64(PART))? + cut.packed(1)?;
        measured.above = told + sent / kernel.size(largest).max(1) as f64;
    }
    Ok(measured)
}

/// A layer as machines would hold it, and what they would send each other.
struct Cut<'a, C> {
    kernel: &'a dyn Kernel<C>,
    layer: u32,
    /// The layer, without any cells.
    held: Held<C>,
    weights: Vec<f64>,
    threads: usize,
    /// Bytes of news.
    told: f64,
}

impl<'a, C: Cell> Cut<'a, C> {
    fn new(kernel: &'a dyn Kernel<C>, layer: u32, site: &Site) -> Cut<'a, C> {
        let weights = vec![1.0; site.machines];
        let held = Held::new(layout(kernel.blocks(layer), &weights), usize::MAX);
        Cut { kernel, layer, held, weights, threads: site.threads, told: 0.0 }
    }

    /// Counts news about a number for another.
    fn notify(&mut self, from: u64, to: u64) {
        // Counting must not take as long as what is measured.
        if self.weights.len() == 1 || !from.is_multiple_of(RARELY) {
            return;
        }
        let holder = |number| self.held.holder(number).map(|(holder, _)| holder);
        if holder(from) != holder(to) {
            self.told += TOLD * RARELY as f64;
        }
    }

    /// Bytes of questions and answers, by a sample that takes about this time at a rate of numbers a second.
    fn asked(
        &self,
        solved: &BTreeMap<u32, Arc<Held<C>>>,
        rate: f64,
        time: Duration,
    ) -> Result<f64, Failed> {
        let Cut { kernel, layer, held, weights, .. } = self;
        if weights.len() == 1 {
            return Ok(0.0);
        }
        let view = View::empty(*kernel, *layer, weights);
        let mut groups: BTreeMap<(u32, usize), Vec<&Piece>> = BTreeMap::new();
        for piece in held.pieces() {
            groups.entry((piece.wave, piece.holder)).or_default().push(piece);
        }
        let mut batches: Vec<Vec<&Piece>> = Vec::new();
        for pieces in groups.into_values() {
            let max = batch(pieces.iter().map(|piece| piece.end - piece.first).sum(), self.threads);
            let mut size = max;
            for piece in pieces {
                if size >= max {
                    batches.push(Vec::new());
                    size = 0;
                }
                size += piece.end - piece.first;
                batches.last_mut().expect("pushed above").push(piece);
            }
        }
        let (mut bytes, mut numbers) = (0.0, 0.0);
        let (size, sample) = (kernel.size(*layer) as f64, rate * time.as_secs_f64());
        let whole = size / batches.len().max(1) as f64;
        // Questions for the same cells are one question in a batch: whole ones are counted.
        let count = ((sample / whole) as usize).clamp(FEWEST, SAMPLE);
        let step = (batches.len() / count).max(1);
        // The first ones are not like the others.
        let chosen: Vec<_> = batches.iter().skip(step / 2).step_by(step).collect();
        let rounds = ROUNDS.min(chosen.len().div_ceil(FEWEST)).max(1);
        let in_rounds = (0..rounds).flat_map(|round| chosen.iter().skip(round).step_by(rounds));
        let begun = Instant::now();
        for (done, batch) in in_rounds.enumerate() {
            // A question may take longer than the solution of a number.
            if done >= FEWEST && begun.elapsed() > time {
                break;
            }
            let mut asks = Vec::new();
            for piece in batch.iter() {
                // A block of a large layer is larger than a batch.
                let length = if kernel.takes_parts() { AT_ONCE } else { u64::MAX };
                let part = piece.first..piece.end.min(piece.first.saturating_add(length));
                numbers += (part.end - part.start) as f64;
                match kernel.settling(*layer, part.clone()) {
                    Some(settling) => asks.extend(settling.begin(part, &view)?.1),
                    None => asks.extend(kernel.begin(*layer, part, &view)?.1),
                }
            }
            for (holder, (asks, _)) in split(&asks, &view).unwrap_or_default() {
                if holder != batch[0].holder {
                    let width =
                        |ask: &Ask| solved.get(&ask.layer).map_or(C::BYTES, |held| held.width());
                    let cells: f64 =
                        asks.iter().map(|ask| (ask.len as usize * width(ask)) as f64).sum();
                    let question = Message::Asks { from: 0, question: 0, asks };
                    bytes += question.to_bytes().len() as f64 + ANSWER + cells;
                }
            }
        }
        Ok(if numbers > 0.0 { bytes / numbers * size } else { 0.0 })
    }

    /// Bytes of cells that are packed on another machine, in a layer with this many worths: the machine that
    /// holds the first number of a block packs it.
    fn packed(&self, worths: usize) -> Result<f64, Failed> {
        let each = if worths <= 256 { 1.0 } else { 2.0 };
        let size = self.kernel.size(self.layer);
        let packer = Packer::new(self.layer, &[], size)?;
        let part = packer.part();
        let mut bytes = 0.0;
        for piece in self.held.pieces() {
            // All blocks but the first one begin in the piece.
            let block = piece.first / part.cells();
            if packer_of(part, block, &self.held) != piece.holder {
                let end = part.numbers(block).end.min(piece.end);
                bytes += each * (end - piece.first) as f64;
            }
        }
        Ok(bytes)
    }
}

/// A layer that is settled without others.
struct Alone<'a, C> {
    held: &'a Held<C>,
    view: &'a View<C>,
    settling: &'a dyn Settling<C>,
}

impl<C: Cell> Alone<'_, C> {
    /// Settles the layer; the number of plies, of all sizes together.
    fn settle(&self, seen: &mut Seen<C>, cut: &mut Cut<'_, C>) -> Result<u64, Failed> {
        let Alone { held, view, settling } = self;
        while let Some(piece) = held.take(0) {
            let (block, _) = settling.begin(held.numbers(piece), view)?;
            block.end(&[], view)?;
        }
        settling.keep(settling.edges());
        let (sizes, zero) = settling.sizes();
        let mut plies = 0;
        for size in sizes.into_iter().rev() {
            plies += self.settle_size(size as i32, cut)?;
        }
        held.rewind();
        while let Some(piece) = held.take(0) {
            let cells = settling.finish(held.numbers(piece), zero)?;
            seen.note(&cells);
            held.keep(piece, cells);
        }
        Ok(plies)
    }

    fn settle_size(&self, size: i32, cut: &mut Cut<'_, C>) -> Result<u64, Failed> {
        let Alone { held, settling, .. } = self;
        let mut due: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for piece in held.pieces() {
            settling.due(piece.first..piece.end, size, &mut |plies, number| {
                due.entry(plies).or_default().push(number);
            });
        }
        let mut count = 0;
        while let Some((_, found)) = due.pop_first() {
            count += 1;
            for number in found {
                if settling.settle(number) {
                    settling.notify(number, &mut |to, news| {
                        cut.notify(number, to);
                        if let Some(plies) = settling.apply(to, news, size) {
                            due.entry(plies).or_default().push(to);
                        }
                    })?;
                }
            }
        }
        Ok(count)
    }
}
