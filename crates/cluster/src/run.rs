//! Solves layers on all workers of all processes. A block is solved by one worker of the process that holds
//! it. What it needs of other processes is asked for in one mail to each, and comes back in one; while
//! answers are on their way, the worker goes on with other blocks. A wave is a timestamp of timely: it is
//! over when the frontier has passed it, which means that all workers have solved their blocks.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::TcpStream;
use std::ops::Range;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use foregone::Worth;
use foregone::record::format::layer::worth_order;
use foregone::tables::Failed;
use foregone::tables::kernel::{Ask, Cell, Kernel};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, initialize_from};
use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::{Input, Probe, generic::Operator};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use crate::layout::layout;
use crate::store::{Held, View};
use crate::stream::Wire;
use crate::watch::{Done, Fault, Watch};
use crate::wire::{ByName, Letter, Mail};

/// Blocks that a worker has begun and not ended.
const WINDOW: usize = 8;

/// How long a worker sleeps if nothing arrives.
const NAP: Duration = Duration::from_millis(20);

/// Why a build ended.
#[derive(Debug, thiserror::Error)]
pub enum Ended {
    /// A process failed.
    #[error("{0}; finished layers are kept, and the same command goes on from there")]
    Fault(#[from] Fault),
    /// The layers cannot be solved.
    #[error(transparent)]
    Failed(#[from] Failed),
}

/// The layers to solve, and one process of those that solve them.
pub struct Build<K: Kernel> {
    /// How blocks are solved.
    pub kernel: K,
    /// The layers that moves from a layer lead to.
    pub after: Box<dyn Fn(u32) -> Vec<u32> + Send + Sync>,
    /// The layers to solve, from the first that is not finished.
    pub layers: Range<u32>,
    /// The number of this process.
    pub me: usize,
    /// The number of workers of each process.
    pub threads: usize,
    /// By process, its share of the work.
    pub weights: Vec<f64>,
    /// Who lives, and how far all are.
    pub watch: Watch,
    /// Called on one worker of each process when a layer is solved.
    pub finish: Finish<K::Cell>,
}

/// What happens with a solved layer.
pub type Finish<C> = Box<dyn Fn(&Finished<'_, C>) -> Result<(), Failed> + Send + Sync>;

/// A solved layer.
pub struct Finished<'a, C> {
    /// Its number.
    pub layer: u32,
    /// The worths that occur in it, in order.
    pub worths: &'a [Worth],
    /// The cells that this process holds.
    pub held: &'a Held<C>,
}

/// The layers that a process has in memory, for all of its workers.
type Store<C> = Mutex<BTreeMap<u32, Arc<Held<C>>>>;

impl<K: Kernel + Send + 'static> Build<K> {
    /// Solves the layers together with the processes at the other ends of `sockets`, by their numbers.
    ///
    /// # Errors
    /// If a process fails.
    pub fn run(self, sockets: Vec<Option<TcpStream>>) -> Result<(), Ended> {
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
        let (here, store) = (Arc::clone(&build), Store::new(BTreeMap::new()));
        let workers = initialize_from(builders, Box::new(()), move |allocator| {
            let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
            let ended = here.work(&mut worker, &store);
            if let Err(Ended::Failed(error)) = &ended {
                here.watch.fail(here.me, format!("says: {error}"));
            }
            // If it failed: nobody waits for what is left of it.
            for dataflow in worker.installed_dataflows() {
                worker.drop_dataflow(dataflow);
            }
            ended
        });
        let panicked = |_| Err(build.own_fault("has an error in itself").into());
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

    fn own_fault(&self, why: impl Into<String>) -> Fault {
        self.watch.fail(self.me, why);
        self.watch.check().err().unwrap_or_else(|| Fault {
            process: self.me,
            address: String::new(),
            why: "has ended".to_owned(),
        })
    }

    /// What a worker does.
    fn work(&self, worker: &mut Worker, store: &Store<K::Cell>) -> Result<(), Ended> {
        let inbox = Rc::new(RefCell::new(Vec::new()));
        let mut input = InputHandle::<u64, NoopBuilder<Mail>>::new_with_builder();
        let probe = ProbeHandle::new();
        worker.dataflow(|scope| {
            let inbox = Rc::clone(&inbox);
            scope
                .input_from(&mut input)
                .unary::<NoopBuilder<Mail>, _, _, _>(
                    DistributorPact(|_| ByName),
                    "Arrive",
                    move |_, _| {
                        move |input, _| {
                            input.for_each(|_, mail| inbox.borrow_mut().push(std::mem::take(mail)));
                        }
                    },
                )
                .probe_with(&probe);
        });
        let number = worker.index();
        let mut desk = Desk {
            build: self,
            worker,
            number,
            inbox,
            input,
            probe,
            epoch: 0,
            view: None,
            answers: Vec::new(),
            news: Vec::new(),
            seen: BTreeSet::new(),
        };
        let mut last_use: BTreeMap<u32, u32> = BTreeMap::new();
        for layer in self.layers.clone() {
            last_use.extend((self.after)(layer).into_iter().map(|lower| (lower, layer)));
        }
        for layer in self.layers.clone() {
            desk.layer(layer, store)?;
            let needed = |lower: &u32| last_use.get(lower).is_some_and(|last| *last > layer);
            lock(store).retain(|lower, _| needed(lower));
            desk.barrier()?;
        }
        // All that is left is to say so.
        desk.input.close();
        while worker.has_dataflows() {
            worker.step_or_park(Some(NAP));
            self.watch.check()?;
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A block that waits for answers.
struct Open<K: Kernel> {
    piece: usize,
    begun: K::Begun,
    answers: Vec<Option<K::Cell>>,
    /// By process: where its answers belong.
    parts: HashMap<usize, Vec<Range<usize>>>,
}

/// A worker with its mail.
struct Desk<'a, K: Kernel> {
    build: &'a Build<K>,
    worker: &'a mut Worker,
    number: usize,
    inbox: Rc<RefCell<Vec<Mail>>>,
    input: InputHandle<u64, NoopBuilder<Mail>>,
    probe: ProbeHandle<u64>,
    epoch: u64,
    /// The layers that can be asked for.
    view: Option<View<K::Cell>>,
    /// What arrived and was not looked at: from whom, the number of the question, the cells.
    answers: Vec<(usize, u64, Vec<K::Cell>)>,
    news: Vec<Vec<u8>>,
    /// The cells that occur in this worker's blocks of the layer.
    seen: BTreeSet<K::Cell>,
}

impl<K: Kernel + Send + 'static> Desk<'_, K> {
    fn process(&self) -> usize {
        self.build.me
    }

    /// The error for a process that does not keep to what all have agreed on.
    fn garbage(&self) -> Ended {
        self.build.own_fault("got a message that no process sends").into()
    }

    fn send(&mut self, to: usize, letter: &Letter<'_>) {
        let mut mail = Mail::new(to, letter.to_bytes());
        if to / self.build.threads != self.process() {
            self.build.watch.add(Done { numbers: 0, sent: mail.bytes().len() as u64 });
        }
        self.input.send_batch(&mut mail);
    }

    /// Lets timely work, and reads and answers the mail.
    fn pump(&mut self, nap: Duration) -> Result<(), Ended> {
        let idle = self.inbox.borrow().is_empty().then_some(nap);
        self.worker.step_or_park(Some(idle.unwrap_or_default()));
        self.build.watch.check()?;
        let mails = std::mem::take(&mut *self.inbox.borrow_mut());
        for mail in mails {
            match Letter::of_bytes(mail.bytes()) {
                Some(Letter::Asks { from, question, asks }) => {
                    let mut cells = Vec::new();
                    for ask in &asks {
                        let held = self.view.as_ref().and_then(|view| view.layer(ask.layer));
                        if !held.is_some_and(|held| held.answer(ask, &mut cells)) {
                            return Err(self.garbage());
                        }
                    }
                    let mut bytes = Vec::with_capacity(cells.len() * K::Cell::BYTES);
                    K::Cell::put(&cells, &mut bytes);
                    let from_here = self.process();
                    self.send(from, &Letter::Answer { from: from_here, question, cells: &bytes });
                }
                Some(Letter::Answer { from, question, cells: bytes }) => {
                    let mut cells = Vec::with_capacity(bytes.len() / K::Cell::BYTES);
                    K::Cell::take(bytes, &mut cells);
                    self.answers.push((from, question, cells));
                }
                Some(Letter::News(news)) => self.news.push(news.to_vec()),
                None => return Err(self.garbage()),
            }
        }
        Ok(())
    }

    /// Waits until all workers are here, and everything that was sent before has arrived.
    fn barrier(&mut self) -> Result<(), Ended> {
        self.epoch += 1;
        self.input.advance_to(self.epoch);
        while self.probe.less_than(&self.epoch) {
            self.pump(NAP)?;
        }
        // What arrived with the last step.
        self.pump(Duration::ZERO)
    }

    fn layer(&mut self, layer: u32, store: &Store<K::Cell>) -> Result<(), Ended> {
        let build = self.build;
        let held = |number: u32| {
            let make = || {
                let pieces = layout(build.kernel.blocks(number), &build.weights);
                Arc::new(Held::new(pieces, build.me))
            };
            Arc::clone(lock(store).entry(number).or_insert_with(make))
        };
        let now = held(layer);
        let lower = (build.after)(layer).into_iter().filter(|lower| *lower < layer);
        let view = lower.map(|lower| (lower, held(lower))).chain([(layer, Arc::clone(&now))]);
        self.view = Some(View::new(view));
        // Nobody asks before all have the layer.
        self.barrier()?;
        for wave in 0..now.waves() {
            self.wave(layer, &now, wave)?;
            self.barrier()?;
        }
        let seen = std::mem::take(&mut self.seen);
        seen.iter().try_for_each(|cell| build.kernel.check(*cell))?;
        // All processes learn which worths there are.
        let mut news = Vec::new();
        K::Cell::put(&Vec::from_iter(seen), &mut news);
        for process in 0..build.weights.len() {
            self.send(process * build.threads, &Letter::News(&news));
        }
        self.barrier()?;
        let mut all = Vec::new();
        std::mem::take(&mut self.news).iter().for_each(|news| K::Cell::take(news, &mut all));
        if self.number.is_multiple_of(build.threads) {
            let mut worths: Vec<Worth> =
                all.into_iter().filter_map(|cell| build.kernel.worth(cell)).collect();
            worths.sort_unstable_by_key(|worth| worth_order(*worth));
            worths.dedup();
            (build.finish)(&Finished { layer, worths: &worths, held: &now })?;
        }
        self.barrier()
    }

    /// Solves this worker's blocks of a wave.
    fn wave(&mut self, layer: u32, held: &Held<K::Cell>, wave: usize) -> Result<(), Ended> {
        let kernel = &self.build.kernel;
        let mut open: HashMap<u64, Open<K>> = HashMap::new();
        let (mut more, mut question) = (true, 0);
        loop {
            while more && open.len() < WINDOW {
                let Some(piece) = held.take(wave) else {
                    more = false;
                    break;
                };
                let Some(view) = &self.view else { return Err(self.garbage()) };
                let (begun, asks) = kernel.begin(layer, held.numbers(piece), view)?;
                if asks.is_empty() {
                    self.end(layer, held, piece, begun, &[])?;
                    continue;
                }
                let split = split(&asks, view);
                let Some((count, split)) = split else { return Err(self.garbage()) };
                let mut parts = HashMap::new();
                for (holder, (asks, places)) in split {
                    // The workers of a process take turns.
                    let threads = self.build.threads;
                    let to = holder * threads + piece % threads;
                    let from = self.number;
                    self.send(to, &Letter::Asks { from, question, asks });
                    parts.insert(holder, places);
                }
                open.insert(question, Open { piece, begun, answers: vec![None; count], parts });
                question += 1;
            }
            if open.is_empty() && !more {
                return Ok(());
            }
            self.pump(if open.is_empty() { Duration::ZERO } else { NAP })?;
            for (from, question, cells) in std::mem::take(&mut self.answers) {
                let waiting = open.get_mut(&question).and_then(|open| {
                    let places = open.parts.remove(&from)?;
                    Some((open, places))
                });
                let Some((waiting, places)) = waiting else { return Err(self.garbage()) };
                let mut cells = cells.into_iter();
                for place in places {
                    for answer in &mut waiting.answers[place] {
                        *answer = cells.next();
                    }
                }
                if !waiting.parts.is_empty() {
                    continue;
                }
                let Some(whole) = open.remove(&question) else { continue };
                let answers: Option<Vec<_>> = whole.answers.into_iter().collect();
                let Some(answers) = answers else { return Err(self.garbage()) };
                self.end(layer, held, whole.piece, whole.begun, &answers)?;
            }
        }
    }

    /// Ends a block.
    fn end(
        &mut self,
        layer: u32,
        held: &Held<K::Cell>,
        piece: usize,
        begun: K::Begun,
        answers: &[K::Cell],
    ) -> Result<(), Ended> {
        let Some(view) = &self.view else { return Err(self.garbage()) };
        let cells = self.build.kernel.end(layer, held.numbers(piece), begun, answers, view)?;
        let mut last = None;
        for cell in &cells {
            if last.replace(*cell) != Some(*cell) {
                self.seen.insert(*cell);
            }
        }
        self.build.watch.add(Done { numbers: cells.len() as u64, sent: 0 });
        held.keep(piece, cells);
        Ok(())
    }
}

/// Asks by the process that holds what they ask for, each part with the places of its answers; and the
/// number of all answers. `None` if nobody holds something.
type Split = (usize, BTreeMap<usize, (Vec<Ask>, Vec<Range<usize>>)>);

fn split<C: Copy>(asks: &[Ask], view: &View<C>) -> Option<Split> {
    let mut all: BTreeMap<usize, (Vec<Ask>, Vec<Range<usize>>)> = BTreeMap::new();
    let mut at = 0;
    for ask in asks {
        let held = view.layer(ask.layer)?;
        let mut rest = *ask;
        while rest.len > 0 {
            let (holder, end) = held.holder(rest.first);
            let here = end.checked_sub(rest.first)?.div_ceil(rest.step).min(rest.len);
            if here == 0 {
                return None;
            }
            let (asks, places) = all.entry(holder).or_default();
            let next = at + here as usize;
            match (asks.last_mut(), places.last_mut()) {
                // The piece after the last one, of the same holder.
                (Some(last), Some(place))
                    if place.end == at
                        && (last.layer, last.step) == (rest.layer, rest.step)
                        && last.first + last.len * last.step == rest.first =>
                {
                    last.len += here;
                    place.end = next;
                }
                _ => {
                    asks.push(Ask { len: here, ..rest });
                    places.push(at..next);
                }
            }
            at = next;
            rest = Ask { first: rest.first + here * rest.step, len: rest.len - here, ..rest };
        }
    }
    Some((at, all))
}
