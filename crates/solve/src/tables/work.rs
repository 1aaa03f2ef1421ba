//! The threads that solve a layer on one machine: they take parts of its numbers, report progress, and end early if one
//! fails.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone_record::threads::{beside, inside, lock};

use super::{Failed, PHASE};
use crate::control::{Control, Halted, Progress};

/// Positions that a thread takes at a time.
pub(super) const PART: u64 = 1 << 12;

/// The longest line of play within a layer, in plies.
pub(super) const DEEPEST: u32 = 20_000;

/// Stack size of a thread, for such a line.
const STACK: usize = DEEPEST as usize * 1024;

/// Threads at work.
pub(super) struct Work<'a> {
    pub control: &'a Control,
    pub threads: usize,
    /// Numbers solved so far.
    pub done: AtomicU64,
    /// Numbers in all layers.
    pub total: u64,
}

impl Work<'_> {
    /// Reports that more numbers are solved.
    pub fn report(&self, more: u64) -> Result<(), Halted> {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        let total = Some(self.total);
        self.control.report(Progress { phase: PHASE, done, total, bounds: None })
    }

    /// Splits `0..size` into parts and lets the threads work on them, until all are done or one fails.
    pub fn share(
        &self,
        size: u64,
        part: u64,
        work: &(dyn Fn(Range<u64>) -> Result<(), Failed> + Sync),
    ) -> Result<(), Failed> {
        let next = AtomicU64::new(0);
        let failed = Mutex::new(None);
        let run = || loop {
            let from = next.fetch_add(part, Ordering::Relaxed);
            if from >= size {
                return;
            }
            let done = work(from..size.min(from + part));
            if let Err(error) = done.and_then(|()| Ok(self.report(0)?)) {
                next.store(size, Ordering::Relaxed);
                lock(&failed).get_or_insert(error);
                return;
            }
        };
        let threads = self.threads.min(size.div_ceil(part).max(1) as usize);
        // If the system cannot start all threads, fewer do the same work.
        if beside(threads, Some(STACK), &|_| run(), &mut || {}) == 0 {
            return Err(Halted::Thread { stack: STACK as u64 }.into());
        }
        inside(failed).map_or(Ok(()), Err)
    }
}
