//! A build: one process of those that solve the layers of a game together. Every process has the same
//! number of workers, each on its own thread, joined by timely dataflow (F. McSherry and others, 2013).
//! A wave or a ply is a timestamp of timely: it is over when the frontier has passed it, which means that
//! all workers have come to its end, and all that was sent has arrived.

use std::collections::BTreeMap;
use std::net::TcpStream;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use foregone::record::Error;
use foregone::record::threads::lock;
use foregone::tables::Failed;
use foregone::tables::kernel::{Blueprint, Cell, Kernel};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, initialize_from};
use timely::worker::Worker as Timely;

use crate::files::Files;
use crate::stream::Wire;
use crate::watch::{Fault, Watch};
use crate::worker::{Shared, Worker};

/// Why a build ended.
#[derive(Debug, thiserror::Error)]
pub enum Ended {
    /// A process failed.
    #[error(transparent)]
    Fault(Fault),
    /// A process does not see the directory of process 0.
    #[error(
        "{} differs from process 0's directory: all processes need the same directory, or each its own with --local",
        .0.display()
    )]
    Unshared(PathBuf),
    /// The layers cannot be solved or written.
    #[error(transparent)]
    Failed(#[from] Failed),
}

impl From<Fault> for Ended {
    fn from(fault: Fault) -> Ended {
        Ended::Fault(fault)
    }
}

impl From<Error> for Ended {
    fn from(error: Error) -> Ended {
        Ended::Failed(error.into())
    }
}

/// One process of a build.
pub struct Process {
    /// Its number.
    pub me: usize,
    /// The number of workers of each process.
    pub threads: usize,
    /// By process, its share of the work.
    pub weights: Vec<f64>,
    /// The state of all processes.
    pub watch: Watch,
    /// Where finished layers are.
    pub files: Files,
}

impl Process {
    /// Builds a table together with the processes at the other ends of `sockets`, by their numbers.
    ///
    /// # Errors
    /// If a process fails, or the table cannot be built.
    pub fn build(
        self,
        blueprint: Blueprint<'static>,
        sockets: Vec<Option<TcpStream>>,
    ) -> Result<(), Ended> {
        let layers = blueprint.layers;
        // Threads of timely want what lives as long as the program; a kernel is small.
        with_kernel!(blueprint.kernel, kernel => self.with(Box::leak(kernel), layers).run(sockets))
    }

    fn with<C: Cell>(self, kernel: &'static dyn Kernel<C>, layers: u32) -> Build<C> {
        let Process { me, threads, weights, watch, files } = self;
        Build { kernel, layers, me, threads, weights, watch, files }
    }
}

/// A process that knows how layers are solved.
pub struct Build<C: Cell> {
    pub kernel: &'static dyn Kernel<C>,
    /// The layers of the table.
    pub layers: u32,
    pub me: usize,
    pub threads: usize,
    pub weights: Vec<f64>,
    pub watch: Watch,
    pub files: Files,
}

impl<C: Cell> Build<C> {
    fn run(self, sockets: Vec<Option<TcpStream>>) -> Result<(), Ended> {
        let hooks = Hooks::default();
        let own = ProcessBuilder::new_typed_vector(self.threads, hooks.refill.clone(), None);
        let wire = |(other, stream): (usize, Option<TcpStream>)| {
            Some(Wire::new(stream?, other, self.watch.clone()))
        };
        let alone = sockets.len() == 1;
        let sockets: Vec<_> = sockets.into_iter().enumerate().map(wire).collect();
        let (builders, guard) = match alone {
            true => (own.into_iter().map(AllocatorBuilder::Process).collect::<Vec<_>>(), None),
            false => {
                let joined =
                    initialize_networking_from_sockets(own, sockets, self.me, self.threads, hooks);
                let (builders, guard) =
                    joined.map_err(|error| self.own_fault(error.to_string()))?;
                (builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Some(guard))
            }
        };
        let build = Arc::new(self);
        let (here, shared) = (Arc::clone(&build), Shared::default());
        let workers = initialize_from(builders, Box::new(()), move |allocator| {
            let now = Some(Instant::now());
            let mut timely = Timely::new(WorkerConfig::default(), allocator, now);
            let work = AssertUnwindSafe(|| here.work(&mut timely, &shared));
            // The other workers must not wait for one that panicked.
            let ended = catch_unwind(work).unwrap_or_else(|_| {
                Err(here.own_fault("has an internal error: a worker panicked").into())
            });
            if let Err(error @ (Ended::Failed(_) | Ended::Unshared(_))) = &ended {
                here.watch.fail(here.me, format!("says: {error}"));
            }
            // If it failed, nobody waits for its dataflows.
            for dataflow in timely.installed_dataflows() {
                timely.drop_dataflow(dataflow);
            }
            ended
        });
        let panicked = |_| Err(build.own_fault("has an internal error: a worker panicked").into());
        let workers = workers.map_err(|error| build.own_fault(error))?;
        let ended: Vec<Result<(), Ended>> =
            workers.join().into_iter().map(|worker| worker.unwrap_or_else(panicked)).collect();
        // An error of this process says more than that others heard of it.
        let (faults, failed): (Vec<_>, Vec<_>) = ended
            .into_iter()
            .filter_map(Result::err)
            .partition(|end| matches!(end, Ended::Fault(_)));
        match failed.into_iter().chain(faults).next() {
            None => {
                build.watch.complete();
                drop(guard);
                Ok(())
            }
            Some(ended) => {
                // Its threads wait for what will never come.
                std::mem::forget(guard);
                Err(ended)
            }
        }
    }

    /// The fault that ends the build; it is this process's, if there was none before.
    pub(crate) fn own_fault(&self, why: impl Into<String>) -> Fault {
        self.watch.fail(self.me, why);
        self.watch.check().err().unwrap_or_else(|| Fault {
            process: self.me,
            address: String::new(),
            why: "has ended".to_owned(),
        })
    }

    /// What a worker does.
    fn work(&self, timely: &mut Timely, shared: &Shared<C>) -> Result<(), Ended> {
        let mut worker = Worker::new(self, shared, timely);
        let first = worker.agree()?;
        let last_use = self.last_use(first..self.layers);
        for lower in last_use.keys().filter(|lower| **lower < first) {
            worker.restore(*lower)?;
        }
        for layer in first..self.layers {
            self.watch.begin(layer);
            worker.layer(layer)?;
            self.watch.keep();
            if worker.is_leader() {
                let needed = |lower: &u32| last_use.get(lower).is_some_and(|last| *last > layer);
                lock(&shared.layers).retain(|lower, _| needed(lower));
            }
            worker.barrier()?;
        }
        worker.gather()?;
        worker.close()
    }

    /// By layer that moves from some layers lead to: the last of these.
    fn last_use(&self, layers: Range<u32>) -> BTreeMap<u32, u32> {
        let mut last = BTreeMap::new();
        for layer in layers {
            last.extend(self.kernel.after(layer).into_iter().map(|lower| (lower, layer)));
        }
        last
    }
}
