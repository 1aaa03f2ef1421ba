//! How long the work for a request may take, and when it is no longer wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use foregone::control::End;
use foregone::{Control, Progress};

/// When the work for a request has to end: at a time, or when it is stopped.
#[derive(Clone)]
pub struct Deadline {
    end: Arc<End>,
    /// The time that was planned.
    whole: Duration,
    stop: Arc<AtomicBool>,
    ending: Arc<dyn Fn() -> bool + Send + Sync>,
    progress: Arc<dyn Fn(&Progress) + Send + Sync>,
}

impl Deadline {
    /// A deadline after this time.
    pub fn after(time: Duration) -> Deadline {
        let stop = Arc::new(AtomicBool::new(false));
        let (ending, progress) = (Arc::new(|| false), Arc::new(|_: &Progress| {}));
        Deadline { end: End::after(time), whole: time, stop, ending, progress }
    }

    /// Also stops the work when the flag is set.
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Deadline {
        Deadline { stop, ..self }
    }

    /// Also stops the work when `ending` says so; it is called several times a second.
    pub fn with_ending(self, ending: impl Fn() -> bool + Send + Sync + 'static) -> Deadline {
        Deadline { ending: Arc::new(ending), ..self }
    }

    /// Also reports progress to `progress`.
    pub fn with_progress(self, progress: impl Fn(&Progress) + Send + Sync + 'static) -> Deadline {
        Deadline { progress: Arc::new(progress), ..self }
    }

    /// The time left.
    pub fn left(&self) -> Duration {
        self.end.left()
    }

    /// The end, to bring it forward.
    pub fn end(&self) -> &Arc<End> {
        &self.end
    }

    /// Whether the end was brought forward.
    pub fn is_hurried(&self) -> bool {
        self.end.whole() < self.whole
    }

    /// Whether the work was stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Limits for work that ends with the deadline, within this much memory in bytes.
    pub fn control(&self, memory: u64) -> Control {
        let (stop, ending) = (self.stop.clone(), self.ending.clone());
        let tell = self.progress.clone();
        let listener = move |progress| {
            tell(&progress);
            if ending() {
                stop.store(true, Ordering::Relaxed);
            }
        };
        Control::default()
            .with_memory(memory)
            .with_end(self.end.clone())
            .with_stop(self.stop.clone())
            .with_listener(Arc::new(listener))
    }
}
