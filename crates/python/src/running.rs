//! Long work: on a thread of its own, while this one waits in short pieces, sees to Ctrl-C and tells how far it is.
//! Other threads of Python run meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use foregone::record::threads::lock;
use foregone::{Control, Progress};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::ending::{Working, stay_out};
use crate::errors::wrong;

/// How often signals are looked at.
const PIECE: Duration = Duration::from_millis(50);

/// The stack of the thread, in bytes: enough for the longest line of play.
const STACK: usize = 64 << 20;

/// The limits of a piece of work, as Python gives them.
#[derive(Default)]
pub struct Limits {
    pub seconds: Option<f64>,
    pub memory: Option<u64>,
    pub positions: Option<u64>,
    /// A function of phase, positions done, and all positions or `None`; `True` for a bar.
    pub progress: Option<Py<PyAny>>,
}

impl Limits {
    /// The progress function; a bar for `True`, and `None` for `False`.
    pub fn listener(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let Some(progress) = &self.progress else { return Ok(None) };
        match progress.bind(py).cast::<PyBool>() {
            Ok(asked) if asked.is_true() => {
                Ok(Some(py.import("foregone.progress")?.call_method0("bar")?.unbind()))
            }
            Ok(_) => Ok(None),
            Err(_) => Ok(Some(progress.clone_ref(py))),
        }
    }

    /// The time limit; a time without end is none.
    pub fn time(&self, py: Python<'_>) -> PyResult<Option<Duration>> {
        match self.seconds {
            Some(seconds) if seconds.is_nan() || seconds < 0.0 => {
                Err(wrong(py, format!("found {seconds} seconds, expected a time from 0")))
            }
            // A longer time than a thousand years is none, too.
            Some(seconds) if seconds < 3e10 => Ok(Some(Duration::from_secs_f64(seconds))),
            _ => Ok(None),
        }
    }

    fn control(&self, py: Python<'_>) -> PyResult<Control> {
        let mut control = Control::default();
        if let Some(time) = self.time(py)? {
            control = control.with_time(time);
        }
        if let Some(memory) = self.memory {
            control = control.with_memory(memory);
        }
        if let Some(positions) = self.positions {
            control = control.with_positions(positions);
        }
        Ok(control)
    }
}

/// Does `work`, which ends soon after its control is told to stop. An exception of the progress function, or Ctrl-C,
/// stops it and is raised.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    limits: &Limits,
    work: impl FnOnce(&Control) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let latest: Arc<Mutex<Option<Progress>>> = Arc::default();
    let mut control = limits.control(py)?.with_stop(stop.clone());
    let listener = limits.listener(py)?;
    if listener.is_some() {
        let latest = latest.clone();
        control = control.with_listener(Arc::new(move |progress| {
            if let Ok(mut latest) = latest.try_lock() {
                *latest = Some(progress);
            }
        }));
    }
    let (done, result) = mpsc::channel();
    let begun = thread::Builder::new().stack_size(STACK).spawn(move || {
        // If nobody waits any more, nobody needs it.
        let _ = done.send(work(&control));
    });
    let worker = begun?;
    let _working = Working::new();
    // The receiver is not shared by itself, but the closure below may run anywhere.
    let result = Mutex::new(result);
    let mut raised = None;
    loop {
        let got = py.detach(|| {
            let got = lock(&result).recv_timeout(PIECE);
            stay_out();
            got
        });
        match got {
            Ok(result) => {
                return match raised {
                    Some(error) => Err(error),
                    None => {
                        tell(py, listener.as_ref(), &latest)?;
                        Ok(result)
                    }
                };
            }
            Err(RecvTimeoutError::Disconnected) => {
                let why = match worker.join() {
                    Err(panic) => panic.downcast::<String>().map_or_else(
                        |panic| {
                            panic
                                .downcast::<&str>()
                                .map_or(String::new(), |text| (*text).to_owned())
                        },
                        |text| *text,
                    ),
                    Ok(()) => String::new(),
                };
                return Err(raised.unwrap_or_else(|| {
                    PyRuntimeError::new_err(format!("an error of Foregone: {why}"))
                }));
            }
            Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                let seen = py.check_signals().and_then(|()| tell(py, listener.as_ref(), &latest));
                if let Err(error) = seen {
                    raised = Some(error);
                    stop.store(true, Ordering::Relaxed);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn tell(
    py: Python<'_>,
    listener: Option<&Py<PyAny>>,
    latest: &Mutex<Option<Progress>>,
) -> PyResult<()> {
    let progress = lock(latest).take();
    if let (Some(listener), Some(Progress { phase, done, total, .. })) = (listener, progress) {
        listener.call1(py, (phase, done, total))?;
    }
    Ok(())
}
