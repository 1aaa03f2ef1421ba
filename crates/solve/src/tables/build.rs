//! Building a table layer by layer, with any technique for a layer: resource needs, and writing
//! layers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64};

use foregone_record::format::fingerprint;
use foregone_record::write::Target;
use foregone_record::{Listed, TableWriter, Values};
use foregone_rules::{Banded, Bank, Indexed, Worth};

use super::cell::{OPEN, code, worth};
use super::kernel::{AnyKernel, Bands, Blueprint, Held, Points, View};
use super::layer::{Solving, packed};
use super::retrograde::settle;
use super::work::Work;
use super::{Failed, Needs, PHASE, Plan, bands};
use crate::control::{Control, Halted};
use crate::subject::{Subject, makes};

/// Memory for compression and other buffers, per thread.
const BUFFERS: u64 = 4 << 20;

/// How the layers of a game are solved.
pub enum Technique<G: Indexed> {
    /// Position by position, if play cannot loop.
    OnDemand,
    /// Pass by pass, if play can loop.
    Retrograde,
    /// Band by band.
    Banded(BuildBands<G>),
}

/// The functions of a game that has bands.
pub struct BuildBands<G: Indexed> {
    max: fn(&G, u32) -> i32,
    across: fn(&G) -> bool,
    build: fn(Job<'_, G>, i32) -> Result<(), Failed>,
    kernel: for<'g> fn(&'g G, Values, u32) -> Option<AnyKernel<'g>>,
}

impl<G: Indexed> Clone for BuildBands<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Indexed> Copy for BuildBands<G> {}

impl<G: Indexed> Technique<G> {
    /// Position by position, or pass by pass if play can loop.
    pub const fn plain(acyclic: bool) -> Technique<G> {
        if acyclic { Technique::OnDemand } else { Technique::Retrograde }
    }

    /// Band by band, or pass by pass if play can loop.
    pub fn banded(acyclic: bool) -> Technique<G>
    where
        G: Banded,
    {
        let bands = BuildBands {
            max: G::max_value_in,
            across: G::across,
            build: build_bands::<G>,
            kernel: band_kernel::<G>,
        };
        if acyclic { Technique::Banded(bands) } else { Technique::Retrograde }
    }

    /// The functions to solve band by band and the largest value; `None` if that is impossible with
    /// these values.
    fn fits(&self, game: &G, plan: &Plan) -> Option<(BuildBands<G>, i32)> {
        let Technique::Banded(bands) = self else { return None };
        let max = (bands.max)(game, plan.layers.unwrap_or(u32::MAX).min(game.layers()));
        bands::Scale::new::<i16>(plan.values, max).map(|_| (*bands, max))
    }
}

/// Resources for building a table of a game.
///
/// # Errors
/// If such a table is impossible, or its size overflows.
pub fn needs<G: Indexed>(game: &G, technique: &Technique<G>, plan: &Plan) -> Result<Needs, Failed> {
    match plan.values {
        Values::ScoreDistance if G::Bank::BANKS => return Err(Failed::Banks),
        Values::Wdl | Values::Score if matches!(technique, Technique::Retrograde) => {
            let banks = G::Bank::BANKS;
            let wanted = if banks { Values::ScoreRank } else { Values::ScoreDistance };
            return Err(Failed::Loops(wanted));
        }
        // A sign is not enough to add banked points.
        Values::Wdl if G::Bank::BANKS => return Err(Failed::Banks),
        _ => {}
    }
    let layers = plan.layers.map_or(game.layers(), |layers| layers.min(game.layers()));
    // Bytes per number: in the layer being solved (with loops including the results of a pass), in the
    // layers below, and on disk.
    let (each, kept, disk) = match technique.fits(game, plan) {
        Some((bands, max)) => {
            let byte = bands::Scale::new::<i8>(plan.values, max).is_some();
            let disk = if byte { 1 } else { 2 };
            // Blocks are kept in both directions.
            let memory = if (bands.across)(game) { 2 * disk } else { disk };
            (memory, memory, disk)
        }
        None if matches!(technique, Technique::Retrograde) => (6 + size_of::<u64>() as u64, 2, 2),
        None => (6, 2, 2),
    };
    let (mut numbers, mut memory, mut bytes) = (0u64, 0, 0u64);
    for layer in 0..layers {
        let size = game.size(layer);
        numbers = numbers.checked_add(size).ok_or(Failed::Numbers)?;
        let below = layers_below(game, layer).map(|layer| game.size(layer));
        let below = below.fold(0u64, u64::saturating_add);
        let here = size.saturating_mul(each).saturating_add(below.saturating_mul(kept));
        memory = here.max(memory);
        // Incompressible blocks, their entries, and the entry of the layer in the manifest.
        let raw = size.saturating_mul(disk);
        let entries = 512 + 32 * size.min(u64::from(u16::MAX));
        bytes = bytes.saturating_add(raw.saturating_add(raw / 64).saturating_add(entries));
    }
    // At the end the finished table exists beside the layers.
    let disk = bytes.saturating_mul(2).saturating_add(4096);
    let memory = memory.saturating_add(BUFFERS.saturating_mul(plan.threads.max(1) as u64));
    Ok(Needs { layers, numbers: Some(numbers), memory, disk, listed: Listed::All })
}

/// What several processes need to build a table together.
///
/// # Errors
/// If such a table is impossible.
pub fn blueprint<'a, G: Indexed>(
    subject: Subject<'a, G>,
    technique: &Technique<G>,
    plan: &Plan,
) -> Result<Blueprint<'a>, Failed> {
    let Needs { layers, .. } = needs(subject.game, technique, plan)?;
    let banded = match technique {
        Technique::Banded(bands) => (bands.kernel)(subject.game, plan.values, layers),
        _ => None,
    };
    let points = || AnyKernel::Word(Box::new(Points { subject, values: plan.values }));
    Ok(Blueprint {
        kernel: banded.unwrap_or_else(points),
        layers,
        id: subject.id,
        fingerprint: fingerprint(subject.game),
        values: plan.values,
    })
}

fn band_kernel<G: Banded>(game: &G, values: Values, layers: u32) -> Option<AnyKernel<'_>> {
    makes().ok()?;
    let byte = Bands::<G, i8>::new(game, values, layers);
    let byte = byte.map(|bands| AnyKernel::Byte(Box::new(bands)));
    let short = || Bands::<G, i16>::new(game, values, layers);
    byte.or_else(|| Some(AnyKernel::Short(Box::new(short()?))))
}

/// Builds a table, or resumes an unfinished one. Calls `on_layer` after every layer, with its
/// number and the number of bytes written so far.
///
/// # Errors
/// If it was stopped or cannot be written. Finished layers are kept; the next call resumes after
/// them.
pub fn build<G: Indexed>(
    subject: Subject<'_, G>,
    technique: &Technique<G>,
    target: impl Into<Target>,
    plan: &Plan,
    control: &Control,
    on_layer: &mut dyn FnMut(u32, u64),
) -> Result<(), Failed> {
    build_layers(subject, technique, target, plan, None, control, on_layer)
}

/// Builds one layer of a table, if those below it are finished, and does not put the table together.
///
/// # Errors
/// As for [`build`], or if a layer below is not finished.
pub fn build_layer<G: Indexed>(
    subject: Subject<'_, G>,
    technique: &Technique<G>,
    target: impl Into<Target>,
    plan: &Plan,
    layer: u32,
    control: &Control,
) -> Result<(), Failed> {
    let plan = Plan { layers: Some(layer.saturating_add(1)), ..*plan };
    build_layers(subject, technique, target, &plan, Some(layer), control, &mut |_, _| {})
}

/// Builds all layers of a plan, or only one of them.
fn build_layers<G: Indexed>(
    subject: Subject<'_, G>,
    technique: &Technique<G>,
    target: impl Into<Target>,
    plan: &Plan,
    only: Option<u32>,
    control: &Control,
    on_layer: &mut dyn FnMut(u32, u64),
) -> Result<(), Failed> {
    let Subject { game, id, .. } = subject;
    let needs = needs(game, technique, plan)?;
    if needs.memory > control.memory() {
        let (limit, needed) = (control.memory(), needs.memory);
        return Err(Halted::Memory { limit, needed, phase: PHASE, done: 0 }.into());
    }
    let building = match only {
        Some(layer) => {
            let after = game.layers_after(layer);
            TableWriter::of_layer(target, id, fingerprint(game), plan.values, layer, &after)
        }
        None => TableWriter::open(target, id, fingerprint(game), plan.values),
    }?;
    let job = Job {
        game,
        plan: Plan { threads: plan.threads.max(1), ..*plan },
        only,
        needs,
        building,
        control,
        on_layer,
    };
    if let Some((bands, max)) = technique.fits(game, plan) {
        return (bands.build)(job, max);
    }
    job.run(
        |building, number| {
            let (mut meaning, mut cells) = (vec![OPEN], Vec::new());
            let mut wrong = Ok(());
            building.read_layer(number, |worths, places| {
                if meaning.len() == 1 {
                    for worth in worths {
                        match code(*worth) {
                            Ok(code) => meaning.push(code),
                            Err(error) => wrong = Err(error),
                        }
                    }
                }
                cells.extend(places);
            })?;
            wrong.map(|()| Arc::new(Held::whole(meaning, cells)))
        },
        |job, number, below: &[Option<Arc<Held<u32>>>], done| {
            let threads = job.plan.threads;
            let total = needs.numbers.unwrap_or(u64::MAX);
            let work = &Work { control, threads, done: AtomicU64::new(done), total };
            let below = (0..).zip(below);
            let view = &View::new(below.filter_map(|(layer, held)| Some((layer, held.clone()?))));
            let points = Points { subject, values: plan.values };
            let cells = match technique {
                Technique::Retrograde => settle(&points, number, view, work)?,
                _ => {
                    let cells = (0..game.size(number)).map(|_| AtomicU32::new(OPEN)).collect();
                    let solving = Solving { points, number, cells, below: view, work };
                    solving.ask()?;
                    solving.cells
                }
            };
            let (meaning, cells) = packed(number, &cells)?;
            let worths: Vec<Worth> = meaning[1..].iter().map(|code| worth(*code)).collect();
            job.building.write_layer(
                number,
                &worths,
                cells.len() as u64,
                threads,
                &|from, out| {
                    out.copy_from_slice(&cells[from as usize..from as usize + out.len()]);
                },
            )?;
            Ok(Arc::new(Held::whole(meaning, cells)))
        },
    )
}

fn build_bands<G: Banded>(job: Job<'_, G>, max: i32) -> Result<(), Failed> {
    makes()?;
    match bands::Scale::new::<i8>(job.plan.values, max) {
        Some(scale) => build_lanes::<G, i8>(job, scale),
        None => {
            let scale = bands::Scale::new::<i16>(job.plan.values, max);
            build_lanes::<G, i16>(job, scale.ok_or(Failed::Numbers)?)
        }
    }
}

fn build_lanes<G: Banded, L: bands::Lane>(
    job: Job<'_, G>,
    scale: bands::Scale,
) -> Result<(), Failed> {
    let game = job.game;
    job.run(
        |building, number| bands::Lanes::<L>::load(building, game, number, scale).map(Arc::new),
        |job, number, below, done| {
            let (threads, total) = (job.plan.threads, job.needs.numbers.unwrap_or(u64::MAX));
            let Job { game, control, .. } = *job;
            let solving =
                bands::Solving { game, number, scale, below, control, threads, done, total };
            let layer = solving.solve()?;
            layer.keep(&mut job.building, number, scale, threads)?;
            Ok(Arc::new(layer))
        },
    )
}

/// The lower layers that moves from a layer lead to.
fn layers_below<G: Indexed>(game: &G, number: u32) -> impl Iterator<Item = u32> {
    game.layers_after(number).into_iter().filter(move |layer| *layer < number)
}

/// A table being built.
struct Job<'a, G: Indexed> {
    game: &'a G,
    plan: Plan,
    /// The layer to build, if not all.
    only: Option<u32>,
    needs: Needs,
    building: TableWriter,
    control: &'a Control,
    on_layer: &'a mut dyn FnMut(u32, u64),
}

impl<G: Indexed> Job<'_, G> {
    /// Solves and writes the missing layers. `load` reads layers that a later layer needs and that
    /// are not in memory; `solve` gets the number of positions in the layers before.
    fn run<T>(
        mut self,
        load: impl Fn(&TableWriter, u32) -> Result<T, Failed>,
        solve: impl Fn(&mut Self, u32, &[Option<T>], u64) -> Result<T, Failed>,
    ) -> Result<(), Failed> {
        let mut below: Vec<Option<T>> = Vec::new();
        let mut done = 0;
        for number in 0..self.needs.layers {
            let after: Vec<u32> = layers_below(self.game, number).collect();
            let unused = |layer: &u32| !after.contains(layer);
            (0..number).filter(unused).for_each(|layer| below[layer as usize] = None);
            if self.building.has(number) || self.only.is_some_and(|only| only != number) {
                below.push(None);
            } else {
                for layer in after {
                    let known = &mut below[layer as usize];
                    if known.is_none() {
                        *known = Some(load(&self.building, layer)?);
                    }
                }
                let layer = solve(&mut self, number, &below, done)?;
                (self.on_layer)(number, self.building.bytes());
                below.push(Some(layer));
            }
            done += self.game.size(number);
        }
        if self.only.is_none() {
            self.building.finish(self.needs.layers)?;
        }
        Ok(())
    }
}
