//! Moves, sorted by where they lead to: in parts by their target first, then each part alone, so that nothing is sorted
//! that does not fit into the processor's cache.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone_record::threads::{inside, lock};

use crate::large::Large;

/// A move: the position that it leads to, and what is kept of where it comes from.
type Pair = (u32, u32);

/// Parts of the targets.
const PARTS: usize = 128;

/// Moves in a block of memory.
const BLOCK: usize = 1 << 16;

/// Moves that a thread collects before it shares them.
const LOT: usize = 1 << 10;

/// Moves that are being collected.
pub(super) struct Sorting {
    targets: usize,
    /// Targets in a part.
    each: usize,
    parts: Vec<Mutex<Vec<Vec<Pair>>>>,
    blocks: AtomicU64,
}

/// What a thread has collected, by parts.
pub(super) struct Mine(Vec<Vec<Pair>>);

impl Sorting {
    /// Moves to places below `targets`.
    pub fn new(targets: usize) -> Sorting {
        let each = targets.div_ceil(PARTS).max(1);
        let parts = (0..PARTS).map(|_| Mutex::default()).collect();
        Sorting { targets, each, parts, blocks: AtomicU64::new(0) }
    }

    pub fn mine(&self) -> Mine {
        Mine(vec![Vec::new(); PARTS])
    }

    pub fn add(&self, mine: &mut Mine, (to, from): Pair) {
        let part = to as usize / self.each;
        mine.0[part].push((to, from));
        if mine.0[part].len() == LOT {
            self.share(part, &mut mine.0[part]);
        }
    }

    /// Shares what a thread still has.
    pub fn end(&self, mut mine: Mine) {
        for (part, pairs) in mine.0.iter_mut().enumerate() {
            self.share(part, pairs);
        }
    }

    fn share(&self, part: usize, pairs: &mut Vec<Pair>) {
        let mut blocks = lock(&self.parts[part]);
        for pair in pairs.drain(..) {
            if blocks.last().is_none_or(|block| block.len() == BLOCK) {
                blocks.push(Vec::with_capacity(BLOCK));
                self.blocks.fetch_add(1, Ordering::Relaxed);
            }
            if let Some(block) = blocks.last_mut() {
                block.push(pair);
            }
        }
    }

    /// The bytes of what was shared.
    pub fn bytes(&self) -> u64 {
        self.blocks.load(Ordering::Relaxed) * (BLOCK * size_of::<Pair>()) as u64
    }

    /// The moves to each place, if there are at most 2^32.
    ///
    /// # Errors
    /// The bytes that the system could not allocate.
    pub fn sorted(self) -> Result<Option<Sorted>, u64> {
        let Sorting { targets, each, parts, .. } = self;
        let parts: Vec<_> = parts.into_iter().map(inside).collect();
        let count: usize = parts.iter().flatten().map(Vec::len).sum();
        if u32::try_from(count).is_err() {
            return Ok(None);
        }
        let mut from = Large::<u32>::zeroed(targets + 1)?;
        let mut all = Large::<u32>::zeroed(count)?;
        let (from_all, edges) = (&mut from[..], &mut all[..]);
        let mut total = 0u32;
        for (part, blocks) in parts.into_iter().enumerate() {
            for (to, _) in blocks.iter().flatten() {
                from_all[*to as usize] += 1;
            }
            // At first the end of each target's moves; filling them in moves it to the beginning.
            let targets = (part * each).min(targets)..((part + 1) * each).min(targets);
            for from in &mut from_all[targets] {
                total += *from;
                *from = total;
            }
            for (to, back) in blocks.into_iter().flatten() {
                let from = &mut from_all[to as usize];
                *from -= 1;
                edges[*from as usize] = back;
            }
        }
        from_all[targets] = total;
        Ok(Some(Sorted { from, all }))
    }
}

/// The moves to each place.
pub(super) struct Sorted {
    from: Large<u32>,
    all: Large<u32>,
}

impl Sorted {
    /// What was kept of where the moves to this place come from.
    #[inline]
    pub fn of(&self, target: u32) -> &[u32] {
        let from = &self.from[target as usize..][..2];
        &self.all[from[0] as usize..from[1] as usize]
    }

    /// Asks the memory for the moves to this place.
    #[inline]
    pub fn load(&self, target: u32) {
        foregone_prefetch::load_all(self.of(target).get(..16).unwrap_or(&[]));
    }

    pub fn bytes(&self) -> u64 {
        ((self.from.len() + self.all.len()) * size_of::<u32>()) as u64
    }
}
