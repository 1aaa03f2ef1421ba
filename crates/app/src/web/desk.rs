//! Where the page's questions are answered: what has been solved is kept and shared, work is
//! bounded, and nobody waits for another's hard question.
//!
//! There are two lanes. Every request first runs in the quick one, which gives each at most
//! [`QUICK`] and answers what is known, over, or small. What is left is asked for again by the page
//! and waits its turn in the slow lane, where few workers each take up to the time to think. In both,
//! visitors take turns (see [`turn`](super::turn)).

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foregone::record::Table;
use foregone::sample::Dice;
use foregone::{
    AnyGame, Control, Halted, Invalid, Method, Player, Registry, Report, Request, Session,
};
use lru::LruCache;
use tokio::sync::oneshot;

use super::turn::Lane;
use super::visitor::Visitor;
use crate::tables::TableFolder;

/// How long the quick lane may work for one request.
const QUICK: Duration = Duration::from_millis(20);

/// How many positions the quick lane may solve for one answer.
const QUICK_POSITIONS: u64 = 20_000;

/// How many questions may wait for the slow lane.
const LONGEST_QUEUE: usize = 64;

/// How many games are kept ready.
const GAMES: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// Of so many bytes of the memory, one is for a move's value in an answer that is kept: a 32nd
/// part, as a value takes some 100 bytes.
const BYTES_A_VALUE: u64 = 32 * 100;

/// After a game proved too large to be solved whole, so many plies later it is tried again.
const HARD_FOR: usize = 4;

/// What the server may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long to think about one question.
    pub think: Duration,
    /// Bytes for everything that is solved and kept.
    pub memory: u64,
    /// How many hard questions are worked on at once, and how many of one visitor.
    pub workers: usize,
    pub share: usize,
}

/// A game that somebody asked for, and what is known of it.
struct Known {
    game: Arc<dyn AnyGame>,
    session: Box<dyn Session>,
    table: Option<Arc<Table>>,
    /// Before so many plies from the start solving whole has proved to be too much.
    hard_until: usize,
}

/// What is known of a position.
#[derive(Clone, Debug)]
pub struct Answer {
    pub report: Report,
    /// Where nothing could be proven: how far was looked ahead, and what that showed.
    pub opinion: Option<(u32, Report)>,
}

impl Answer {
    /// The report to show: what is proven, or else the opinion.
    pub fn shown(&self) -> &Report {
        match &self.opinion {
            Some((_, opinion)) => opinion,
            None => &self.report,
        }
    }
}

/// A game and a session of it.
pub type Opened = (Arc<dyn AnyGame>, Box<dyn Session>);

/// Answers that are kept, the least used going first.
struct Answers {
    /// By game and position; `None` if the quick lane has tried in vain.
    kept: LruCache<(String, String), Option<Arc<Answer>>>,
    values: usize,
}

impl Answers {
    /// Keeps what is known of a position, within its part of this much memory.
    fn put(&mut self, key: (String, String), answer: Option<Arc<Answer>>, memory: u64) {
        let values = |answer: &Option<Arc<Answer>>| {
            let report = |report: &Report| report.moves.len() + report.line.len();
            let of = |answer: &Arc<Answer>| {
                report(&answer.report)
                    + answer.opinion.as_ref().map_or(0, |(_, other)| report(other))
            };
            8 + answer.as_ref().map_or(0, of)
        };
        self.values += values(&answer);
        if let Some(old) = self.kept.put(key, answer) {
            self.values -= values(&old);
        }
        while self.values as u64 > memory / BYTES_A_VALUE {
            let Some((_, old)) = self.kept.pop_lru() else { break };
            self.values -= values(&old);
        }
    }
}

/// Work for the slow lane.
type Job = Box<dyn FnOnce() + Send>;

/// Starts the workers of the slow lane. They are threads of their own, as each thread keeps some of
/// the memory that it has freed.
fn start(workers: usize) -> Sender<Job> {
    let (jobs, waiting) = channel::<Job>();
    let waiting = Arc::new(Mutex::new(waiting));
    for _ in 0..workers {
        let waiting = waiting.clone();
        std::thread::spawn(move || {
            loop {
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

pub struct Desk {
    pub registry: Registry,
    pub limits: Limits,
    /// Where tables are.
    tables: Option<TableFolder>,
    /// By specification.
    known: Mutex<LruCache<String, Known>>,
    /// The specifications of games as visitors write them.
    names: Mutex<LruCache<String, String>>,
    answers: Mutex<Answers>,
    /// How many threads the quick lane needs.
    threads: usize,
    jobs: Sender<Job>,
    quick: Arc<Lane>,
    slow: Arc<Lane>,
    /// Turns true when the server ends.
    closing: Arc<AtomicBool>,
}

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// Too many are waiting.
    Busy {
        /// After how long it may be worth while to ask again.
        again: Duration,
    },
    /// The work for it panicked.
    Panicked,
}

/// Whoever waits for an answer; the work for it stops when this is dropped.
struct Asker(Arc<AtomicBool>);

impl Drop for Asker {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How long the work for one request may take.
#[derive(Clone)]
pub struct Patience {
    until: Instant,
    stop: Arc<AtomicBool>,
}

impl Patience {
    fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }
}

/// Data behind a lock are whole between any two lines that hold it, even if one panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    pub fn new(registry: Registry, limits: Limits, tables: Option<PathBuf>) -> Desk {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let quick = 2 * cores;
        Desk {
            registry,
            tables: tables.map(TableFolder::new),
            threads: quick,
            jobs: start(limits.workers),
            limits,
            known: Mutex::new(LruCache::new(GAMES)),
            names: Mutex::new(LruCache::new(GAMES)),
            answers: Mutex::new(Answers { kept: LruCache::unbounded(), values: 0 }),
            // Nobody keeps a seat for long, and each of the connections asks one thing at a time.
            quick: Arc::new(Lane::new(quick, quick, usize::MAX)),
            slow: Arc::new(Lane::new(limits.workers, limits.share, LONGEST_QUEUE)),
            closing: Arc::new(AtomicBool::new(false)),
        }
    }

    /// Makes all work end.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        self.slow.close();
    }

    /// How many threads the quick lane needs at most.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How many questions wait or are worked on in the slow lane.
    pub fn queue(&self) -> usize {
        self.slow.count()
    }

    /// After how long a worker of the slow lane is free again, as a rule.
    pub fn again(&self) -> Duration {
        self.limits.think / self.limits.workers.try_into().unwrap_or(u32::MAX)
    }

    fn busy(&self) -> NoAnswer {
        NoAnswer::Busy { again: self.again() }
    }

    /// Runs what a visitor's request needs at once, in the quick lane.
    pub async fn quickly<R: Send + 'static>(
        &self,
        visitor: Visitor,
        work: impl FnOnce(&Patience) -> R + Send + 'static,
    ) -> Result<R, NoAnswer> {
        let turn = self.quick.turn(visitor).await.ok_or_else(|| self.busy())?;
        let patience =
            Patience { until: Instant::now() + QUICK, stop: Arc::new(AtomicBool::new(false)) };
        let work = move || {
            let _turn = turn;
            work(&patience)
        };
        tokio::task::spawn_blocking(work).await.map_err(|_| NoAnswer::Panicked)
    }

    /// Waits for a visitor's turn in the slow lane and runs the work there. It is told to stop when the
    /// future is dropped, as it is when the visitor goes away.
    pub async fn slowly<R: Send + 'static>(
        &self,
        visitor: Visitor,
        work: impl FnOnce(&Patience) -> R + Send + 'static,
    ) -> Result<R, NoAnswer> {
        let turn = self.slow.turn(visitor).await.ok_or_else(|| self.busy())?;
        let stop = Arc::new(AtomicBool::new(false));
        let patience = Patience { until: Instant::now() + self.limits.think, stop: stop.clone() };
        let asker = Asker(stop);
        let (answer, answered) = oneshot::channel();
        let job = move || {
            // The worker is free only when the work has ended, which is after whoever asked has gone.
            let _turn = turn;
            // A job that panics is one without an answer; its worker goes on.
            let worked = catch_unwind(AssertUnwindSafe(|| work(&patience)));
            // Whoever asked may have gone.
            let _ = answer.send(worked.map_err(|_| NoAnswer::Panicked));
        };
        self.jobs.send(Box::new(job)).map_err(|_| self.busy())?;
        let result = answered.await.unwrap_or(Err(NoAnswer::Panicked));
        drop(asker);
        result
    }

    /// A game, and a session at its start that knows all that is known of it.
    pub fn open(&self, text: &str) -> Result<Opened, Invalid> {
        let known = |name: &str| {
            let mut all = lock(&self.known);
            all.get(name).map(|known| (known.game.clone(), known.session.fork()))
        };
        let name = lock(&self.names).get(text).cloned();
        if let Some(opened) = name.and_then(|name| known(&name)) {
            return Ok(opened);
        }
        let game = self.registry.game(text)?;
        lock(&self.names).put(text.to_owned(), game.specification());
        if let Some(opened) = known(&game.specification()) {
            return Ok(opened);
        }
        let mut session = game.open(None, "")?;
        let table = self.tables.as_ref().and_then(|folder| folder.find(&*game));
        if let Some(table) = &table {
            session.consult(table.clone());
        }
        let fresh = || Known { game: game.clone(), session, table, hard_until: 0 };
        let mut all = lock(&self.known);
        let known = all.get_or_insert(game.specification(), fresh);
        Ok((known.game.clone(), known.session.fork()))
    }

    /// The table of a game, if there is one.
    pub fn table(&self, game: &dyn AnyGame) -> Option<Arc<Table>> {
        lock(&self.known).peek(&game.specification())?.table.clone()
    }

    /// What is known of a position already, or can be found at once.
    pub fn at_once(
        &self,
        session: &mut dyn Session,
        game: &str,
        patience: &Patience,
    ) -> Option<Arc<Answer>> {
        let key = (game.to_owned(), session.position());
        if let Some(answer) = lock(&self.answers).kept.get(&key) {
            return answer.clone();
        }
        let left = patience.left();
        if left.is_zero() {
            return None;
        }
        let control = self.small(patience);
        let ask = |session: &mut dyn Session, method| {
            session.solve(&Request { method, ..Request::default() }, &control, None)
        };
        let report = ask(session, Method::Table);
        let known = report.halted.is_none() && report.value.is_some();
        let report = if known { report } else { ask(session, Method::Strong) };
        if report.halted.is_some() {
            // With less time than the whole it might have been enough.
            if left > QUICK / 2 {
                lock(&self.answers).put(key, None, self.limits.memory);
            }
            return None;
        }
        self.learn(game, session);
        Some(self.keep(key, Answer { report, opinion: None }))
    }

    /// What can be found out about a position in the time to think.
    pub fn think(&self, session: &mut dyn Session, game: &str, patience: &Patience) -> Arc<Answer> {
        let key = (game.to_owned(), session.position());
        if let Some(Some(answer)) = lock(&self.answers).kept.get(&key) {
            return answer.clone();
        }
        // Plies tell how far a game is only where it began at its start.
        let plies = session.began_at_start().then(|| session.played().len());
        let until = lock(&self.known).peek(game).map_or(0, |known| known.hard_until);
        let hard = plies.is_some_and(|plies| plies < until);
        let method = if hard { Method::Search } else { Method::Auto };
        // A quarter of the time is for an opinion, where nothing can be proven.
        let most = patience.left().mul_f32(0.75);
        let control = self.control(patience, most);
        let report = session.solve(&Request { method, ..Request::default() }, &control, None);
        if ["search", "proof"].contains(&report.method.as_str())
            && let Some(plies) = plies
            && let Some(known) = lock(&self.known).peek_mut(game)
        {
            known.hard_until = known.hard_until.max(plies + HARD_FOR);
        }
        self.learn(game, session);
        let stopped = matches!(report.halted, Some(Halted::Stopped { .. }));
        let finished = report.halted.is_none();
        let opinion = if finished { None } else { self.opinion(session, patience) };
        let answer = Answer { report, opinion };
        match stopped || patience.stop.load(Ordering::Relaxed) {
            true => Arc::new(answer),
            false => self.keep(key, answer),
        }
    }

    /// What looking ahead as far as the time allows shows.
    fn opinion(&self, session: &mut dyn Session, patience: &Patience) -> Option<(u32, Report)> {
        let mut seen = None;
        for depth in 1..=100 {
            let request =
                Request { method: Method::Search, depth: Some(depth), ..Request::default() };
            let report = session.solve(&request, &self.control(patience, Duration::MAX), None);
            if report.halted.is_some() {
                break;
            }
            let proven = report.proven;
            seen = Some((depth, report));
            if proven {
                break;
            }
        }
        seen
    }

    /// The move that a player makes at once, if it can.
    pub fn choose_at_once(
        &self,
        player: Player,
        session: &mut dyn Session,
        game: &str,
        patience: &Patience,
    ) -> Option<String> {
        match player {
            Player::Perfect => {
                let answer = self.at_once(session, game, patience)?;
                let exact = answer.report.distance.is_some() || answer.report.endless;
                if answer.report.halted.is_some() || !exact || answer.report.best.is_empty() {
                    return None;
                }
                let at = dice().below(answer.report.best.len());
                Some(answer.report.best[at].clone())
            }
            Player::Deepening => None,
            player => {
                let control = self.small(patience);
                session.choose(player, &mut dice(), &control).ok().map(|choice| choice.mv)
            }
        }
    }

    /// The move that a player makes in the time to think, and whether it is proven to be best.
    ///
    /// # Errors
    /// If it was told to stop.
    pub fn choose(
        &self,
        player: Player,
        session: &mut dyn Session,
        game: &str,
        patience: &Patience,
    ) -> Result<(String, bool), Halted> {
        let half = Patience { until: Instant::now() + patience.left() / 2, ..patience.clone() };
        let choice = match session.choose(player, &mut dice(), &self.control(&half, Duration::MAX))
        {
            Err(halted @ Halted::Stopped { .. }) => return Err(halted),
            Err(_) => session.choose(
                Player::Deepening,
                &mut dice(),
                &self.control(patience, Duration::MAX),
            )?,
            Ok(choice) => choice,
        };
        self.learn(game, session);
        let proven = choice.result.is_some_and(|result| result.result.is_some());
        Ok((choice.mv, proven))
    }

    /// Limits for work of the slow lane that is to take no longer than `time`.
    pub fn control(&self, patience: &Patience, time: Duration) -> Control {
        let workers = self.limits.workers as u64;
        let (stop, closing) = (patience.stop.clone(), self.closing.clone());
        let listener = move |_| {
            if closing.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        Control::default()
            .with_memory(self.limits.memory / 4 / workers)
            .with_time(time.min(patience.left()))
            .with_stop(patience.stop.clone())
            .with_listener(Arc::new(listener))
    }

    /// Limits for what is small enough for the quick lane.
    pub fn small(&self, patience: &Patience) -> Control {
        let memory = (self.limits.memory / 32).min(64 << 20);
        self.control(patience, Duration::MAX).with_positions(QUICK_POSITIONS).with_memory(memory)
    }

    fn keep(&self, key: (String, String), answer: Answer) -> Arc<Answer> {
        let answer = Arc::new(answer);
        lock(&self.answers).put(key, Some(answer.clone()), self.limits.memory);
        answer
    }

    /// Keeps what a session has solved for those to come, within an eighth of the memory.
    fn learn(&self, game: &str, session: &mut dyn Session) {
        let most = self.limits.memory / 8;
        let mut all = lock(&self.known);
        let Some(known) = all.get_mut(game) else { return };
        if session.bytes() <= known.session.bytes() || session.bytes() > most {
            return;
        }
        known.session = session.fork();
        // Whoever opens the game begins at its start.
        let _ = known.session.go(None, "");
        while all.iter().map(|(_, known)| known.session.bytes()).sum::<u64>() > most {
            if all.pop_lru().is_none() {
                break;
            }
        }
    }
}

/// Dice that fall differently each time.
fn dice() -> Dice {
    use std::hash::{BuildHasher, RandomState};
    Dice::new(RandomState::new().hash_one(0))
}
