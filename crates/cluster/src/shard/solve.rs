//! A task that solves a shard: its blocks one after the other, each from the cells that it asks for.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use foregone::control::Progress;
use foregone::record::threads::{inside, lock, together};
use foregone::record::write::{PackedFrame, Parts, Shard, ShardWriter};
use foregone::tables::kernel::{Cell, Kernel, Seen, View, layout};

use super::cells::{Library, Shards};
use super::{Broken, Tasks};

/// Numbers in a frame, about.
const FRAME: u64 = 1 << 16;

impl Tasks<'_> {
    pub(super) fn solve_shard<C: Cell>(
        &self,
        kernel: &dyn Kernel<C>,
        parts: &Parts,
        shard: Shard,
    ) -> Result<bool, Broken> {
        let coding = self.coding::<C>();
        match parts.coding(shard)? {
            Some(found) if found != coding => {
                return Err(Broken::Layers { found: found.layers, wanted: coding.layers });
            }
            Some(_) if parts.open_shard(shard, coding)?.is_intact() => return Ok(false),
            _ => {}
        }
        let pieces = layout(kernel.blocks(shard.layer), &vec![1.0; shard.of]);
        let own =
            pieces.iter().filter(|piece| (piece.wave, piece.holder) == (shard.wave, shard.place));
        let mut frames: Vec<Vec<Range<u64>>> = Vec::new();
        let (mut size, mut total) = (FRAME, 0);
        for piece in own {
            if size >= FRAME {
                frames.push(Vec::new());
                size = 0;
            }
            size += piece.end - piece.first;
            total += piece.end - piece.first;
            frames.last_mut().expect("pushed above").push(piece.first..piece.end);
        }
        drop(pieces);
        // Of the waves before, as one number of shards has them.
        let mut before = parts.shards(shard.layer)?;
        before.retain(|other| other.wave < shard.wave && other.of == shard.of);
        let before = Shards::open(parts, &before, coding)?;
        let view = View::empty(kernel, shard.layer, &[1.0]);
        parts
            .write_shard(shard, coding, |writer| {
                let work = Work {
                    kernel,
                    parts,
                    shard,
                    view: &view,
                    before: &before,
                    frames: &frames,
                    next: AtomicUsize::new(0),
                    writer: Mutex::new(writer),
                    seen: Mutex::new(Seen::default()),
                    solved: AtomicU64::new(0),
                    total,
                    ended: AtomicBool::new(false),
                };
                self.on_threads(|room| work.run(self, room))?;
                let seen = lock(&work.seen).cells();
                seen.iter().try_for_each(|cell| kernel.check(*cell))?;
                Ok(seen.iter().map(|cell| cell.code() as u64).collect())
            })
            .map(|()| true)
    }

    /// Runs `work` on all threads; each gets its part of the memory.
    pub(super) fn on_threads(
        &self,
        work: impl Fn(usize) -> Result<(), Broken> + Sync,
    ) -> Result<(), Broken> {
        let threads = self.threads.max(1);
        let room = (self.control.memory() / 2 / threads as u64) as usize;
        let ended = Mutex::new(Ok(()));
        together(threads, &|| {
            if let Err(broken) = work(room) {
                *lock(&ended) = Err(broken);
            }
        });
        inside(ended)
    }
}

/// A shard that is being solved.
struct Work<'a, 'w, C> {
    kernel: &'a dyn Kernel<C>,
    parts: &'a Parts,
    shard: Shard,
    /// Where cells are; none is at hand.
    view: &'a View<C>,
    /// Of the waves before.
    before: &'a Shards,
    /// The blocks of each frame.
    frames: &'a [Vec<Range<u64>>],
    next: AtomicUsize,
    writer: Mutex<&'a mut ShardWriter<'w>>,
    seen: Mutex<Seen<C>>,
    solved: AtomicU64,
    total: u64,
    /// Whether a thread has failed.
    ended: AtomicBool,
}

impl<C: Cell> Work<'_, '_, C> {
    /// The work of a thread, with `room` bytes of memory.
    fn run(&self, tasks: &Tasks<'_>, room: usize) -> Result<(), Broken> {
        let ended = self.run_to_end(tasks, room);
        if ended.is_err() {
            self.ended.store(true, Ordering::Relaxed);
        }
        ended
    }

    fn run_to_end(&self, tasks: &Tasks<'_>, room: usize) -> Result<(), Broken> {
        let mut library = Library::new(self.kernel, self.parts, self.before, room);
        let (mut answers, mut bytes) = (Vec::new(), Vec::new());
        while !self.ended.load(Ordering::Relaxed) {
            let nth = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(blocks) = self.frames.get(nth) else { return Ok(()) };
            bytes.clear();
            for block in blocks {
                let layer = self.shard.layer;
                let (begun, asks) = self.kernel.begin(layer, block.clone(), self.view)?;
                answers.clear();
                asks.iter().try_for_each(|ask| library.answer(layer, ask, &mut answers))?;
                let cells = begun.end(&answers, self.view)?;
                lock(&self.seen).note(&cells);
                C::put(&cells, &mut bytes);
            }
            lock(&self.writer).write(PackedFrame::new(blocks.clone(), &bytes)?)?;
            let numbers: u64 = blocks.iter().map(|block| block.end - block.start).sum();
            let done = self.solved.fetch_add(numbers, Ordering::Relaxed) + numbers;
            let total = Some(self.total);
            tasks.control.report(Progress { phase: "solving", done, total, bounds: None })?;
        }
        Ok(())
    }
}
