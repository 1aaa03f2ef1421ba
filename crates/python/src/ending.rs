//! The end of the interpreter, as threads see it that are at work then.
//!
//! A daemon thread that comes back to a finished interpreter is killed in the middle of Rust code, which ends in a crash.
//! So, when the interpreter is about to end, threads at work here stay outside of it for good as soon as they notice.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// The thread that ends the interpreter, once it does.
static ENDING: OnceLock<ThreadId> = OnceLock::new();

/// How many threads are at work and may come back.
static WORKING: AtomicUsize = AtomicUsize::new(0);

/// How long the end waits for a thread that is in a function of Python.
const PATIENCE: Duration = Duration::from_secs(3);

thread_local! {
    /// How many pieces of work of this thread have begun and not ended, one within the other.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// A thread is at work as long as this lives.
pub struct Working;

impl Working {
    pub fn new() -> Working {
        if DEPTH.replace(DEPTH.get() + 1) == 0 {
            WORKING.fetch_add(1, Ordering::SeqCst);
        }
        Working
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        if DEPTH.get() == 0 {
            WORKING.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Called when the interpreter is about to end.
#[pyfunction]
pub fn ending(py: Python<'_>) {
    ENDING.get_or_init(|| thread::current().id());
    let until = Instant::now() + PATIENCE;
    while WORKING.load(Ordering::SeqCst) > 0 && Instant::now() < until {
        py.detach(|| thread::sleep(Duration::from_millis(5)));
    }
}

/// Stops this thread for good if the interpreter ends; for threads that are outside of it.
pub fn stay_out() {
    if ENDING.get().is_some_and(|ending| *ending != thread::current().id()) {
        WORKING.fetch_sub(1, Ordering::SeqCst);
        loop {
            thread::park();
        }
    }
}

/// For a thread that leaves Rust: it stays out once Python ends.
#[inline]
pub fn leave(py: Python<'_>) {
    if ENDING.get().is_some() {
        py.detach(stay_out);
    }
}
