//! A worker with its mail. While it waits for others, it answers their questions.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use foregone::record::threads::lock;
use foregone::tables::kernel::{Cell, Held, Preference, Settling, View};
use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::{Input, Probe, generic::Operator};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker as Timely;

use crate::build::{Build, Ended};
use crate::watch::Done;
use crate::wire::{ByName, Mail, Message, answer_to};

/// How long a worker sleeps if nothing arrives.
pub const POLL: Duration = Duration::from_millis(20);

/// What the workers of a process share.
pub struct Shared<C> {
    /// The layers in memory.
    pub layers: Mutex<BTreeMap<u32, Arc<Held<C>>>>,
    /// The layer that is being settled.
    pub settling: Mutex<Option<Arc<dyn Settling<C>>>>,
    /// Cells on their way between memory and files, by their first number.
    pub cells: Mutex<BTreeMap<u64, Vec<u16>>>,
}

impl<C> Default for Shared<C> {
    fn default() -> Shared<C> {
        let (layers, settling, cells) = (Mutex::default(), Mutex::default(), Mutex::default());
        Shared { layers, settling, cells }
    }
}

/// A worker with its mail.
pub struct Worker<'a, C: Cell> {
    pub build: &'a Build<C>,
    pub shared: &'a Shared<C>,
    timely: &'a mut Timely,
    /// The number of this worker among all.
    pub number: usize,
    inbox: Rc<RefCell<Vec<Mail>>>,
    input: InputHandle<u64, NoopBuilder<Mail>>,
    probe: ProbeHandle<u64>,
    epoch: u64,
    /// The layers that can be asked for.
    pub view: Option<View<C>>,
    /// Answers that nobody has looked at.
    pub answers: Vec<Mail>,
    /// By epoch, what was said, and by whom.
    news: BTreeMap<u64, Vec<(usize, Vec<u8>)>>,
    /// The layer that is being settled, and the size of results.
    pub settling: Option<(Arc<dyn Settling<C>>, i32)>,
    /// Numbers that get their results, by plies.
    pub due: BTreeMap<u32, Vec<u64>>,
}

impl<'a, C: Cell> Worker<'a, C> {
    pub fn new(
        build: &'a Build<C>,
        shared: &'a Shared<C>,
        timely: &'a mut Timely,
    ) -> Worker<'a, C> {
        let inbox = Rc::new(RefCell::new(Vec::new()));
        let mut input = InputHandle::<u64, NoopBuilder<Mail>>::new_with_builder();
        let probe = ProbeHandle::new();
        timely.dataflow(|scope| {
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
        let number = timely.index();
        Worker {
            build,
            shared,
            timely,
            number,
            inbox,
            input,
            probe,
            epoch: 0,
            view: None,
            answers: Vec::new(),
            news: BTreeMap::new(),
            settling: None,
            due: BTreeMap::new(),
        }
    }

    /// Waits until all workers have come to the end.
    pub fn close(self) -> Result<(), Ended> {
        self.input.close();
        while self.timely.has_dataflows() {
            self.timely.step_or_park(Some(POLL));
            self.build.watch.check()?;
        }
        Ok(())
    }

    /// Whether this is the one worker of its process that does what is done once.
    pub fn is_leader(&self) -> bool {
        self.number.is_multiple_of(self.build.threads)
    }

    /// The error for a process that does not keep to what all have agreed on.
    pub fn protocol_error(&self) -> Ended {
        self.build.own_fault("got a message that no process sends").into()
    }

    pub fn send(&mut self, to: usize, message: &Message<'_>) {
        self.send_bytes(to, message.to_bytes());
    }

    fn send_bytes(&mut self, to: usize, bytes: Vec<u8>) {
        let mut mail = Mail::new(to, bytes);
        if to / self.build.threads != self.build.me {
            self.build.watch.add(Done { sent: mail.bytes().len() as u64, ..Done::default() });
        }
        self.input.send_batch(&mut mail);
    }

    /// The worker of another process that has to do with this one.
    pub fn opposite(&self, process: usize) -> usize {
        let threads = self.build.threads;
        process * threads + self.number % threads
    }

    /// Lets timely work, and reads and answers the mail.
    pub fn pump(&mut self, nap: Duration) -> Result<(), Ended> {
        if self.inbox.borrow().is_empty() && nap > Duration::ZERO {
            let begun = Instant::now();
            self.timely.step_or_park(Some(nap));
            let waited = begun.elapsed().as_micros() as u64;
            self.build.watch.add(Done { waited, ..Done::default() });
        } else {
            self.timely.step();
        }
        self.build.watch.check()?;
        let mails = std::mem::take(&mut *self.inbox.borrow_mut());
        for mail in mails {
            match Message::of_bytes(mail.bytes()).ok_or_else(|| self.protocol_error())? {
                Message::Answer { .. } => self.answers.push(mail),
                message => self.read(message)?,
            }
        }
        Ok(())
    }

    fn read(&mut self, message: Message<'_>) -> Result<(), Ended> {
        match message {
            Message::Asks { from, question, asks } => {
                let view = self.view.as_ref().ok_or_else(|| self.protocol_error())?;
                let answer = |cells: &mut Vec<u8>| {
                    asks.iter().all(|ask| {
                        view.layer(ask.layer).is_some_and(|held| held.answer(ask, cells))
                    })
                };
                let message = answer_to(self.build.me, question, answer);
                let message = message.ok_or_else(|| self.protocol_error())?;
                self.send_bytes(from, message);
            }
            Message::Answer { .. } => return Err(self.protocol_error()),
            Message::Cells { first, cells } => {
                lock(&self.shared.cells).insert(first, cells);
            }
            Message::Told { news, numbers } => {
                let Some((settling, size)) = self.settling.clone() else {
                    return Err(self.protocol_error());
                };
                for number in numbers {
                    let due = settling.apply(number, Preference::from_bits(news), size);
                    self.add_due(due, number);
                }
            }
            Message::Edges(edges) => match &self.settling {
                Some((settling, _)) => settling.keep(edges),
                None => return Err(self.protocol_error()),
            },
            Message::News { from, at, says } => {
                self.news.entry(at).or_default().push((from, says.to_vec()));
            }
        }
        Ok(())
    }

    pub fn add_due(&mut self, plies: Option<u32>, number: u64) {
        if let Some(plies) = plies {
            self.due.entry(plies).or_default().push(number);
        }
    }

    /// Waits until all workers are here, and everything that was sent to this one before has arrived.
    pub fn barrier(&mut self) -> Result<(), Ended> {
        self.epoch += 1;
        self.input.advance_to(self.epoch);
        while self.probe.less_than(&self.epoch) {
            self.pump(POLL)?;
        }
        // What arrived with the last step.
        self.pump(Duration::ZERO)
    }

    /// Waits until everything that was sent before has arrived, to all workers.
    pub fn barrier_of_all(&mut self) -> Result<(), Ended> {
        self.barrier()?;
        self.barrier()
    }

    /// Tells something to all workers if this one has something to say, and hears what others say, in the
    /// order of who says it. All workers have to come here.
    pub fn exchange(&mut self, says: Option<&[u8]>) -> Result<Vec<(usize, Vec<u8>)>, Ended> {
        self.exchange_with(0..self.build.weights.len() * self.build.threads, says)
    }

    /// Sends something to some workers only.
    pub fn exchange_with(
        &mut self,
        workers: Range<usize>,
        says: Option<&[u8]>,
    ) -> Result<Vec<(usize, Vec<u8>)>, Ended> {
        let (from, at) = (self.build.me, self.epoch);
        if let Some(says) = says {
            for to in workers {
                self.send(to, &Message::News { from, at, says });
            }
        }
        self.barrier()?;
        let mut news = self.news.remove(&at).unwrap_or_default();
        news.sort_unstable();
        Ok(news)
    }

    /// Exchanges one number of each worker that has one.
    pub fn exchange_numbers(&mut self, says: Option<u64>) -> Result<Vec<u64>, Ended> {
        let bytes = says.map(u64::to_le_bytes);
        let news = self.exchange(bytes.as_ref().map(|bytes| &bytes[..]))?;
        let number = |(_, says): (usize, Vec<u8>)| {
            says.try_into().map(u64::from_le_bytes).map_err(|_| self.protocol_error())
        };
        news.into_iter().map(number).collect()
    }
}
