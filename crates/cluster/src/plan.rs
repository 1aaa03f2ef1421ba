//! What a table needs on many machines, before it is built. The lowest layers are solved here, on one
//! thread, to measure how fast the game goes; what machines would have to ask each other is counted with
//! the layout that they would have. The rest is a model of waves: in each, every machine solves its part
//! while cells arrive, and then all wait for the slowest.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foregone::tables::Failed;
use foregone::tables::kernel::{
    AnyKernel, Ask, Blueprint, Cell, Held, Kernel, Piece, Seen, Settling, View, layout,
};

use crate::layer::split;
use crate::wire::Letter;

/// Every eighth block is looked at to count what is asked.
const SAMPLE: usize = 8;

/// Numbers of a layer that is too large to be solved for a measurement.
const LARGE: u64 = 1 << 27;

/// Bytes of a number in the news for another machine, with its part of the mail.
const TOLD: f64 = 2.0;

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
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// The layers.
    pub layers: u32,
    /// Numbers that a thread solves in a second.
    pub rate: f64,
    /// Bytes that are sent for a number, with the machines of the site.
    pub bytes: f64,
    /// How often all wait for all in a layer that is settled ply by ply.
    pub plies: u64,
}

/// What a table needs.
#[derive(Clone, Copy, Debug, Default)]
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
}

impl Planned {
    /// Seconds from beginning to end.
    pub fn seconds(&self) -> f64 {
        self.work + self.network + self.uneven + self.waves
    }
}

/// Measures a game for a time, and calculates what its table needs on a site. If the lowest layer is too
/// large to be solved here, the rate is 0, and the times are not known.
///
/// # Errors
/// If the game breaks its promises.
pub fn plan(
    blueprint: &Blueprint<'_>,
    site: &Site,
    time: Duration,
) -> Result<(Measured, Planned), Failed> {
    let measured = match &blueprint.kernel {
        AnyKernel::Byte(kernel) => measure(&**kernel, blueprint.layers, site, time),
        AnyKernel::Short(kernel) => measure(&**kernel, blueprint.layers, site, time),
        AnyKernel::Word(kernel) => measure(&**kernel, blueprint.layers, site, time),
    }?;
    let mut planned = Planned {
        numbers: blueprint.numbers(),
        memory: blueprint.memory(1.0 / site.machines as f64),
        ..Planned::default()
    };
    for layer in 0..blueprint.layers {
        match &blueprint.kernel {
            AnyKernel::Byte(kernel) => planned.add(&**kernel, layer, site, &measured),
            AnyKernel::Short(kernel) => planned.add(&**kernel, layer, site, &measured),
            AnyKernel::Word(kernel) => planned.add(&**kernel, layer, site, &measured),
        }
    }
    Ok((measured, planned))
}

impl Planned {
    /// Adds a layer.
    fn add<C: Cell>(
        &mut self,
        kernel: &dyn Kernel<C>,
        layer: u32,
        site: &Site,
        measured: &Measured,
    ) {
        let (machines, size) = (site.machines as f64, kernel.size(layer) as f64);
        let rate = measured.rate * site.threads as f64;
        self.sent += size * measured.bytes;
        let mut rounds = 0;
        // Layers with millions of blocks of one wave are even.
        let waves = match kernel.after(layer).contains(&layer) && !has_waves(kernel, layer) {
            true => {
                rounds += measured.plies;
                vec![size / machines]
            }
            false => most_by_wave(kernel, layer, site.machines),
        };
        rounds += waves.len() as u64;
        let most: f64 = waves.iter().sum();
        let (even, slowest) = (size / machines / rate, most / rate);
        let arriving = most * measured.bytes / site.network;
        self.work += even;
        self.uneven += slowest - even;
        self.network += (arriving - slowest).max(0.0);
        // Some for what is agreed on in each layer, and for writing it.
        self.waves += (rounds + 8) as f64 * site.latency.as_secs_f64();
    }
}

/// Whether waves put the moves within a layer in order.
fn has_waves<C: Cell>(kernel: &dyn Kernel<C>, layer: u32) -> bool {
    kernel.settling(layer, 0..0).is_none()
}

/// For each wave of a layer, the most numbers that one machine has in it.
fn most_by_wave<C: Cell>(kernel: &dyn Kernel<C>, layer: u32, machines: usize) -> Vec<f64> {
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
) -> Result<Measured, Failed> {
    let begun = Instant::now();
    let mut solved: BTreeMap<u32, Arc<Held<C>>> = BTreeMap::new();
    let mut measured = Measured::default();
    for layer in 0..layers {
        let started = Instant::now();
        // A layer may take several times as long as the one before.
        let long = begun.elapsed() > time / 4 || kernel.size(layer) > LARGE;
        if long && measured.rate > 0.0 || kernel.size(layer) > 8 * LARGE {
            break;
        }
        let held = Arc::new(Held::new(layout(kernel.blocks(layer), &[1.0]), 0));
        let lower = kernel.after(layer).into_iter().filter(|lower| *lower < layer);
        let known = lower.filter_map(|lower| Some((lower, Arc::clone(solved.get(&lower)?))));
        let view = View::new(known.chain([(layer, Arc::clone(&held))]));
        let mut seen = Seen::default();
        let size = kernel.size(layer);
        match kernel.settling(layer, 0..size) {
            Some(settling) => {
                let alone = Alone { held: &held, view: &view, settling: &*settling };
                measured.plies = measured.plies.max(alone.settle(&mut seen)?);
            }
            None => {
                for wave in 0..held.waves() {
                    while let Some(piece) = held.take(wave) {
                        let (block, asks) = kernel.begin(layer, held.numbers(piece), &view)?;
                        debug_assert!(asks.is_empty());
                        let cells = block.end(&[], &view)?;
                        seen.note(&cells);
                        held.keep(piece, cells);
                    }
                }
            }
        }
        let seconds = started.elapsed().as_secs_f64().max(1e-9);
        measured.layers = layer + 1;
        // Small layers say little.
        let rate = size as f64 / seconds;
        if size > 0 {
            measured.rate = rate;
            measured.bytes = asked(kernel, layer, site.machines)?;
        }
        drop(view);
        let mut meaning = seen.cells();
        meaning.push(kernel.cell(None)?);
        meaning.sort_unstable();
        meaning.dedup();
        if let Some(held) = Arc::into_inner(held) {
            solved.insert(layer, Arc::new(held.finish(meaning)));
        }
    }
    Ok(measured)
}

/// Bytes that machines send each other for a number of a layer.
fn asked<C: Cell>(kernel: &dyn Kernel<C>, layer: u32, machines: usize) -> Result<f64, Failed> {
    let weights = vec![1.0; machines];
    let nothing = |layer: u32| {
        let held = Held::new(layout(kernel.blocks(layer), &weights), usize::MAX);
        (layer, Arc::new(held))
    };
    let view = View::new(kernel.after(layer).into_iter().chain([layer]).map(nothing));
    let settling = kernel.settling(layer, 0..kernel.size(layer));
    let Some(held) = view.layer(layer) else { return Ok(0.0) };
    let (mut bytes, mut numbers) = (0.0, 0.0);
    for piece in held.pieces().iter().step_by(SAMPLE.min(held.pieces().len()).max(1)) {
        let part = piece.first..piece.end;
        numbers += (part.end - part.start) as f64;
        let (_, asks) = match &settling {
            Some(settling) => settling.begin(part.clone(), &view)?,
            None => kernel.begin(layer, part.clone(), &view)?,
        };
        for (holder, (asks, _)) in split(&asks, &view).unwrap_or_default() {
            if holder != piece.holder {
                let cells: u64 = asks.iter().map(|ask: &Ask| ask.len).sum();
                let question = Letter::Asks { from: 0, question: 0, asks };
                let width = C::BYTES.min(2) as f64;
                bytes += question.to_bytes().len() as f64 + cells as f64 * width;
            }
        }
        if let Some(settling) = &settling {
            bytes += TOLD * told(&**settling, held, part, piece.holder)?;
        }
    }
    Ok(if numbers > 0.0 { bytes / numbers } else { 0.0 })
}

/// How many predecessors of some numbers other machines hold.
fn told<C: Cell>(
    settling: &dyn Settling<C>,
    held: &Held<C>,
    part: std::ops::Range<u64>,
    me: usize,
) -> Result<f64, Failed> {
    let mut count = 0.0;
    for number in part {
        settling.tell(number, &mut |to, _| {
            let elsewhere = held.holder(to).is_some_and(|(holder, _)| holder != me);
            count += f64::from(u8::from(elsewhere));
        })?;
    }
    Ok(count)
}

/// A layer that is settled without others.
struct Alone<'a, C> {
    held: &'a Held<C>,
    view: &'a View<C>,
    settling: &'a dyn Settling<C>,
}

impl<C: Cell> Alone<'_, C> {
    /// Settles the layer; the number of plies, of all sizes together.
    fn settle(&self, seen: &mut Seen<C>) -> Result<u64, Failed> {
        let Alone { held, view, settling } = self;
        while let Some(piece) = held.take(0) {
            let (block, _) = settling.begin(held.numbers(piece), view)?;
            block.end(&[], view)?;
        }
        settling.keep(settling.edges());
        let (sizes, zero) = settling.sizes();
        let mut plies = 0;
        for size in sizes.into_iter().rev() {
            plies += self.settle_size(size as i32)?;
        }
        held.rewind();
        while let Some(piece) = held.take(0) {
            let cells = settling.finish(held.numbers(piece), zero)?;
            seen.note(&cells);
            held.keep(piece, cells);
        }
        Ok(plies)
    }

    fn settle_size(&self, size: i32) -> Result<u64, Failed> {
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
                    settling.tell(number, &mut |to, news| {
                        if let Some(plies) = settling.hear(to, news, size) {
                            due.entry(plies).or_default().push(to);
                        }
                    })?;
                }
            }
        }
        Ok(count)
    }
}
