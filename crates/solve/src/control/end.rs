//! When a run ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time at which a run ends. It can come sooner than was planned, while the run goes on: all parts of the run then
/// get less.
#[derive(Debug)]
pub struct End {
    from: Instant,
    /// Nanoseconds after `from`.
    after: AtomicU64,
}

impl End {
    /// An end when `time` has passed from now.
    pub fn after(time: Duration) -> Arc<End> {
        Arc::new(End { from: Instant::now(), after: AtomicU64::new(nanoseconds(time)) })
    }

    /// Lets the run end when `time` has passed since this end was made, if that is sooner.
    pub fn bring_forward(&self, time: Duration) {
        self.after.fetch_min(nanoseconds(time), Ordering::Relaxed);
    }

    /// The whole time of the run, as of now.
    pub fn whole(&self) -> Duration {
        Duration::from_nanos(self.after.load(Ordering::Relaxed))
    }

    /// The time left.
    pub fn left(&self) -> Duration {
        self.at().saturating_duration_since(Instant::now())
    }

    /// When it is, as of now.
    pub(super) fn at(&self) -> Instant {
        self.from + self.whole()
    }
}

/// At most 584 years.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
