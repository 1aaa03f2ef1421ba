//! Two queues for work. Every request first runs in the fast queue, for at most [`FAST`]. If it needs
//! longer, it waits for one of a few workers, which may take up to the time to think. In both queues
//! visitors take turns (see [`turn`]).

mod limits;
mod recent;
mod turn;

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use foregone::record::threads::lock;
use foregone_page::service::{Deadline, FAST};
use tokio::sync::oneshot;

pub use self::limits::Limits;
use self::recent::Recent;
use self::turn::Queue;
use super::visitor::Tab;

/// The most questions that may wait for a worker.
const LONGEST_QUEUE: usize = 64;

/// However many wait, a question gets at least this time.
const LEAST: Duration = Duration::from_millis(200);

/// All who wait have an answer after about this time, as long as [`LEAST`] allows.
const PATIENCE: Duration = Duration::from_millis(300);

/// The time of a question, of all the time to think: a share of it where more asked lately than there are workers, and less
/// while others wait long. A move asks two questions, one for the computer's move and one for what it is worth.
fn time(think: Duration, asking: usize, waiting: usize, workers: usize) -> Duration {
    let [asking, waiting] = [asking, waiting].map(|count| count as f64 / workers as f64);
    let share = think.div_f64((2.0 * asking - 1.0).max(1.0 + waiting));
    let share = match waiting > 0.0 {
        true => share.min(PATIENCE.div_f64(waiting)),
        false => share,
    };
    share.max(LEAST).min(think)
}

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// Too many are waiting.
    Busy {
        /// When to ask again.
        again: Duration,
    },
    /// The work for it panicked.
    Panicked,
}

/// A visitor who waits for an answer; the work for it stops when this is dropped.
struct Waits(Arc<AtomicBool>);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Work for the workers.
type Job = Box<dyn FnOnce() + Send>;

/// Starts the workers. They are separate threads, because each thread keeps some of the memory that it
/// has freed.
fn start(workers: usize) -> Sender<Job> {
    let (jobs, waiting) = channel::<Job>();
    let waiting = Arc::new(Mutex::new(waiting));
    for _ in 0..workers {
        let waiting = waiting.clone();
        std::thread::spawn(move || {
            loop {
                // A panic leaves the channel as it was.
                let job = lock(&waiting).recv();
                match job {
                    Ok(job) => job(),
                    Err(_) => return,
                }
            }
        });
    }
    jobs
}

/// Both queues.
pub struct Queues {
    think: Duration,
    workers: usize,
    /// The most threads that the fast queue needs.
    threads: usize,
    jobs: Sender<Job>,
    fast: Arc<Queue>,
    slow: Arc<Queue>,
    /// Who has asked the workers lately.
    recent: Arc<Mutex<Recent>>,
    /// Whether the server is ending.
    closing: Arc<AtomicBool>,
}

impl Queues {
    pub fn new(limits: &Limits) -> Queues {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = 2 * cores;
        Queues {
            think: limits.think,
            workers: limits.workers,
            threads,
            jobs: start(limits.workers),
            // Each connection asks one question at a time. One visitor leaves a seat to the others.
            fast: Arc::new(Queue::new(threads, threads - 1, usize::MAX)),
            slow: Arc::new(Queue::new(limits.workers, limits.share, LONGEST_QUEUE)),
            recent: Arc::default(),
            closing: Arc::new(AtomicBool::new(false)),
        }
    }

    /// Ends all work.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        self.slow.close();
    }

    /// The most threads that the fast queue needs.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How many questions wait or are worked on with a worker.
    pub fn queue(&self) -> usize {
        self.slow.count()
    }

    /// How many questions workers work on, and how many wait for one.
    pub fn load(&self) -> (usize, usize) {
        self.slow.load()
    }

    /// After how long a worker is free again, as a rule.
    pub fn again(&self) -> Duration {
        self.think / self.workers.try_into().unwrap_or(u32::MAX)
    }

    fn busy(&self) -> NoAnswer {
        NoAnswer::Busy { again: self.again() }
    }

    /// Runs work in the fast queue. It stops when the future is dropped.
    pub async fn fast<R: Send + 'static>(
        &self,
        asker: Tab,
        work: impl FnOnce(&Deadline) -> R + Send + 'static,
    ) -> Result<R, NoAnswer> {
        let turn = self.fast.turn(asker).await.ok_or_else(|| self.busy())?;
        let stop = Arc::new(AtomicBool::new(false));
        let deadline = Deadline::after(FAST).with_stop(stop.clone());
        let waits = Waits(stop);
        let work = move || {
            let _turn = turn;
            work(&deadline)
        };
        let result = tokio::task::spawn_blocking(work).await.map_err(|_| NoAnswer::Panicked);
        drop(waits);
        result
    }

    /// Waits for a visitor's turn, and has a worker do the work. It stops when the
    /// future is dropped, as it is when the visitor goes away.
    pub async fn worker<R: Send + 'static>(
        &self,
        asker: Tab,
        work: impl FnOnce(&Deadline) -> R + Send + 'static,
    ) -> Result<R, NoAnswer> {
        lock(&self.recent).ask(Instant::now(), asker);
        let turn = self.slow.turn(asker).await.ok_or_else(|| self.busy())?;
        let stop = Arc::new(AtomicBool::new(false));
        let (closing, slow) = (self.closing.clone(), self.slow.clone());
        let recent = self.recent.clone();
        let (think, workers) = (self.think, self.workers);
        let deadline = Deadline::after(think).with_stop(stop.clone());
        let end = deadline.end().clone();
        let deadline = deadline.with_ending(move || {
            let (_, waiting) = slow.load();
            let asking = lock(&recent).count(Instant::now());
            end.bring_forward(time(think, asking, waiting, workers));
            closing.load(Ordering::Relaxed)
        });
        let waits = Waits(stop);
        let (answer, answered) = oneshot::channel();
        let job = move || {
            // The worker is free only when the work has ended, which may be after the visitor has gone.
            let _turn = turn;
            // A job that panics has no answer; the worker continues.
            let worked = catch_unwind(AssertUnwindSafe(|| work(&deadline)));
            // The visitor may have gone.
            let _ = answer.send(worked.map_err(|_| NoAnswer::Panicked));
        };
        self.jobs.send(Box::new(job)).map_err(|_| self.busy())?;
        let result = answered.await.unwrap_or(Err(NoAnswer::Panicked));
        drop(waits);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_question_shrinks_with_the_queue() {
        let think = Duration::from_secs(5);
        assert_eq!(time(think, 1, 0, 1), think);
        assert_eq!(time(think, 2, 0, 2), think);
        assert_eq!(time(think, 3, 0, 2), think / 2);
        assert_eq!(time(think, 30, 0, 2), LEAST);
        assert_eq!(time(think, 2, 1, 1), PATIENCE);
        assert_eq!(time(think, 3, 1, 2), 2 * PATIENCE);
        assert_eq!(time(think, 6, 4, 2), LEAST);
        assert_eq!(time(think, 250, 0, 1), LEAST);
        let short = Duration::from_millis(100);
        assert!((0..99).all(|waiting| time(short, waiting, waiting, 1) == short));
        for waiting in 0..99 {
            for asking in waiting..99 {
                let one = time(think, asking, waiting, 3);
                let more =
                    [time(think, asking, waiting + 1, 3), time(think, asking + 1, waiting, 3)];
                assert!(more.iter().all(|more| *more <= one), "{asking} {waiting}");
            }
        }
    }
}
