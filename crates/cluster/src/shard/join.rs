//! A task that puts a layer together: cells as solvers have them become blocks as files have them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone::control::Progress;
use foregone::record::Error;
use foregone::record::format::LayerPart;
use foregone::record::threads::lock;
use foregone::record::write::{Packed, Packer, Parts, Shard};
use foregone::tables::kernel::{Ask, Cell, Kernel};

use super::cells::{Library, Shards};
use super::{Broken, Tasks};
use crate::files::Meaning;

/// Blocks in a file of a layer: what is packed is in memory until it is written.
const BLOCKS: u64 = 1 << 10;

impl Tasks<'_> {
    pub(super) fn join_shards<C: Cell>(
        &self,
        kernel: &dyn Kernel<C>,
        parts: &Parts,
        layer: u32,
        shards: &[Shard],
    ) -> Result<LayerPart, Broken> {
        let size = kernel.size(layer);
        let open = Shards::open(parts, shards, self.coding::<C>())?;
        if !open.cover(size) {
            let why = format!("the shards of layer {layer} do not have each number once");
            return Err(Error::Damaged(why).into());
        }
        let mut codes: Vec<u64> = open.seen().collect();
        codes.sort_unstable();
        codes.dedup();
        let cells: Vec<C> = codes.into_iter().map(|code| C::of_code(code as usize)).collect();
        let Meaning { places, worths } = Meaning::of(kernel, layer, &cells)?;
        let blocks = Packer::new(layer, &worths, size)?.part().blocks();
        let mut sealed = Vec::new();
        for (nth, first) in (0..blocks).step_by(BLOCKS as usize).enumerate() {
            let next = AtomicU64::new(first);
            let end = blocks.min(first + BLOCKS);
            let all: Mutex<Vec<Packed>> = Mutex::default();
            self.on_threads(|room| {
                let mut packer = Packer::new(layer, &worths, size)?;
                let mut library = Library::new(kernel, parts, &open, room);
                let (mut cells, mut plain) = (Vec::new(), Vec::new());
                loop {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    if block >= end {
                        return Ok(());
                    }
                    let numbers = packer.part().numbers(block);
                    let (first, len) = (numbers.start, numbers.end - numbers.start);
                    cells.clear();
                    library.answer(layer, &Ask { layer, step: 1, first, len }, &mut cells)?;
                    plain.clear();
                    plain.extend(cells.iter().map(|cell| places.of(*cell)));
                    let packed = packer.pack(block, &plain)?;
                    lock(&all).push(packed);
                    let (done, total) = (numbers.end, Some(size));
                    self.control.report(Progress {
                        phase: "joining",
                        done,
                        total,
                        bounds: None,
                    })?;
                }
            })?;
            let packed = all.into_inner().unwrap_or_default();
            sealed.push(parts.write_share(layer, nth, packed)?);
        }
        Ok(parts.complete(layer, &worths, size, &sealed)?)
    }
}
