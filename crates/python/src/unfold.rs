//! What all ways to unfold a game share: the graph that comes of it, and limits, signals and progress on the way.

use std::mem::size_of;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foregone::control::counted;
use foregone::{Graph, Outcome, Side, Worth};
use pyo3::prelude::*;

use crate::ending::{Working, leave, stay_out};
use crate::errors::{exception, halted, wrong};
use crate::running::{Limits, run};

/// How many positions are unfolded between two looks at the clock and the memory.
pub const OFTEN: usize = 256;

/// How often progress is told.
const TELL: Duration = Duration::from_millis(50);

/// What Python tells of a graph, before it is checked.
#[derive(Default)]
pub struct Unfolded {
    pub offsets: Vec<u64>,
    pub targets: Vec<u32>,
    pub turns: Vec<Side>,
    pub outcomes: Vec<Option<Outcome>>,
}

impl Unfolded {
    pub fn new() -> Unfolded {
        Unfolded { offsets: vec![0], ..Unfolded::default() }
    }

    pub fn bytes(&self) -> u64 {
        let Unfolded { offsets, targets, turns, outcomes } = self;
        let lists = [
            offsets.len() * size_of::<u64>(),
            // Steps and steps back.
            3 * targets.len() * size_of::<u32>(),
            turns.len(),
            outcomes.len() * size_of::<Option<Outcome>>(),
        ];
        lists.iter().sum::<usize>() as u64
    }

    /// The worths of all positions, and the graph.
    pub fn solve(
        self,
        py: Python<'_>,
        limits: &Limits,
        endless: i32,
    ) -> PyResult<(Arc<Graph>, Vec<Worth>)> {
        let graph = Graph::new(self.offsets, self.targets, self.turns, self.outcomes)
            .and_then(|graph| graph.with_endless(Outcome(endless)))
            .map_err(|error| wrong(py, error))?;
        let graph = Arc::new(graph);
        let solved = graph.clone();
        let worths = run(py, limits, move |control| solved.solve(control))?;
        Ok((graph, worths.map_err(|why| halted(py, &why))?))
    }
}

/// Watches over the unfolding of a game.
pub struct Watch<'a> {
    limits: &'a Limits,
    time: Option<Duration>,
    _working: Working,
    listener: Option<Py<PyAny>>,
    begun: Instant,
    told: Instant,
    looked: Instant,
    count: usize,
}

impl Watch<'_> {
    pub fn new<'a>(py: Python<'_>, limits: &'a Limits) -> PyResult<Watch<'a>> {
        let now = Instant::now();
        Ok(Watch {
            limits,
            time: limits.time(py)?,
            _working: Working::new(),
            listener: limits.listener(py)?,
            begun: now,
            told: now,
            looked: now,
            count: 0,
        })
    }

    /// Looks now and then, after a position or a move.
    pub fn tick(
        &mut self,
        py: Python<'_>,
        found: usize,
        bytes: impl FnOnce() -> u64,
    ) -> PyResult<()> {
        leave(py);
        self.count += 1;
        match self.count.is_multiple_of(OFTEN) || self.looked.elapsed() > TELL {
            true => self.look(py, found, bytes()),
            false => Ok(()),
        }
    }

    /// Looks at signals and limits when `found` positions are known, which take `bytes`.
    pub fn look(&mut self, py: Python<'_>, found: usize, bytes: u64) -> PyResult<()> {
        py.check_signals()?;
        // Other threads of Python have their turn.
        py.detach(|| {
            std::thread::yield_now();
            stay_out();
        });
        self.looked = Instant::now();
        let Limits { memory, positions, .. } = self.limits;
        let so_far = |what: &str| {
            format!(
                "{what} was reached while finding positions, after {}",
                counted(found as u64, "position", "positions")
            )
        };
        if self.time.is_some_and(|time| self.begun.elapsed() > time) {
            return Err(exception(py, "TimeLimit", so_far("the time limit")));
        }
        let limit = memory.unwrap_or(4 << 30);
        if bytes > limit {
            let limit = foregone::control::bytes(limit);
            let why = so_far(&format!("the memory limit of {limit}"));
            return Err(exception(py, "MemoryLimit", why + ": the game may be infinite"));
        }
        if positions.is_some_and(|max| found as u64 > max) {
            let max = positions.unwrap_or(0);
            return Err(exception(
                py,
                "PositionLimit",
                format!("more than {max} positions can arise"),
            ));
        }
        if let Some(listener) = &self.listener
            && self.told.elapsed() > TELL
        {
            self.told = Instant::now();
            listener.call1(py, ("finding positions", found, None::<u64>))?;
        }
        Ok(())
    }
}
