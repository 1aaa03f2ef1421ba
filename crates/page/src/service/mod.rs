//! Answers the questions of the page. It keeps and shares what has been solved, work is bounded, and no
//! visitor waits for another visitor's hard question.
//!
//! The fast lane answers if the position is known, over or small. Otherwise the page asks again, and a
//! worker takes up to the time to think.

mod cache;
mod deadline;
mod thinking;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use foregone::record::Table;
use foregone::record::threads::lock;
use foregone::sample::Dice;
use foregone::solver::Advice;
use foregone::{
    AnyGame, Control, Halted, Invalid, Method, Player, Registry, Report, Request, Session,
};
use lru::LruCache;

use self::cache::Answers;
pub use self::deadline::Deadline;
pub use self::thinking::SoFar;
use self::thinking::Thinking;
use crate::players;
use crate::tables::TableFolder;
use crate::view::home::{self, Card};

/// The time limit of what is answered at once.
pub const FAST: Duration = Duration::from_millis(20);

/// The most positions that the fast lane solves for one answer.
const FAST_POSITIONS: u64 = 20_000;

/// The most games that are kept.
const GAMES: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// If a game is too large for strong solving, it is tried again this many plies later.
const HARD_FOR: usize = 4;

/// A game that was asked for, and what is known about it.
struct Known {
    game: Arc<dyn AnyGame>,
    session: Box<dyn Session>,
    table: Option<Arc<Table>>,
    proof: Option<Arc<Table>>,
    /// Strong solving is not tried before this ply, because it failed earlier.
    hard_until: usize,
}

/// A game and a session of it.
pub type Opened = (Arc<dyn AnyGame>, Box<dyn Session>);

/// Answers questions about all games of a registry.
pub struct Service {
    /// The games.
    pub registry: Registry,
    /// The memory limit in bytes, for all questions and stored results.
    memory: u64,
    /// How many questions are worked on at the same time.
    workers: u64,
    /// Where tables are.
    tables: Option<TableFolder>,
    /// How many threads work on a question, at least 1.
    pub threads: usize,
    /// Whether programs can ask, too, by the address `api/v1/`.
    pub api: bool,
    /// By specification.
    known: Mutex<LruCache<String, Known>>,
    /// The specifications of games as visitors write them.
    names: Mutex<LruCache<String, String>>,
    answers: Mutex<Answers>,
    thinking: Thinking,
    /// The list of all games, once somebody has looked at it.
    cards: OnceLock<Result<Vec<Card>, Invalid>>,
}

impl Service {
    /// Answers with at most this much memory in bytes, for this many questions at the same time, with tables from a
    /// folder.
    pub fn new(
        registry: Registry,
        memory: u64,
        workers: usize,
        tables: Option<PathBuf>,
    ) -> Service {
        Service {
            registry,
            memory,
            workers: workers.max(1) as u64,
            tables: tables.map(TableFolder::new),
            threads: 1,
            api: false,
            known: Mutex::new(LruCache::new(GAMES)),
            names: Mutex::new(LruCache::new(GAMES)),
            answers: Mutex::new(Answers::new()),
            thinking: Thinking::default(),
            cards: OnceLock::new(),
        }
    }

    /// A game, and a session at its start that shares all known results.
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
        let mut session = game.session();
        let folder = self.tables.as_ref();
        let table = folder.and_then(|folder| folder.find(&*game));
        let book = folder.and_then(|folder| folder.book(&*game));
        let proof = folder.and_then(|folder| folder.proof(&*game));
        for file in [&table, &book, &proof].into_iter().flatten() {
            session.consult(file.clone());
        }
        let fresh = || Known { game: game.clone(), session, table, proof, hard_until: 0 };
        let mut all = lock(&self.known);
        let known = all.get_or_insert(game.specification(), fresh);
        Ok((known.game.clone(), known.session.fork()))
    }

    /// All games, to choose from.
    pub fn cards(&self) -> Result<&[Card], &Invalid> {
        self.cards.get_or_init(|| home::cards(&self.registry)).as_deref()
    }

    /// How many answers are kept, and the memory in bytes of what was solved.
    pub fn kept(&self) -> (usize, u64) {
        let bytes = lock(&self.known).iter().map(|(_, known)| known.session.bytes()).sum();
        (lock(&self.answers).len(), bytes)
    }

    /// The table of a game, if there is one.
    pub fn table(&self, game: &dyn AnyGame) -> Option<Arc<Table>> {
        lock(&self.known).peek(&game.specification())?.table.clone()
    }

    /// The proof about a game, if there is one.
    pub fn proof(&self, game: &str) -> Option<Arc<Table>> {
        lock(&self.known).peek(game)?.proof.clone()
    }

    /// The answer that is known, or that the fast lane can find.
    pub fn at_once(
        &self,
        session: &mut dyn Session,
        game: &str,
        deadline: &Deadline,
    ) -> Option<Arc<Report>> {
        let key = (game.to_owned(), session.position());
        if let Some(kept) = lock(&self.answers).get(&key) {
            return kept.answer.clone();
        }
        let left = deadline.left();
        if left.is_zero() {
            return None;
        }
        let control = self.small(deadline);
        let ask =
            |session: &mut dyn Session, method| session.solve(&self.request(method), &control);
        // All that is missing of a book's answer is the end of its line. Of other answers more can be found, such as the moves
        // beside one that wins at once.
        let moves = session.moves().len();
        let known = |report: &Report| match &report.halted {
            None => report.value.is_some(),
            Some(halted) => report.proven && halted.is_limit() && report.moves.len() == moves,
        };
        let mut looked_up =
            [Method::Table, Method::Book].into_iter().map(|method| ask(session, method));
        let looked_up = looked_up.find(known);
        let report = looked_up.unwrap_or_else(|| ask(session, Method::Strong));
        if report.halted.is_some() && !known(&report) {
            // With less time than the whole it might have been enough.
            if left > FAST / 2 {
                lock(&self.answers).put(key, None, false, self.memory);
            }
            return None;
        }
        self.learn(game, session);
        Some(self.keep(key, report, false))
    }

    /// A request for all that a page shows.
    fn request(&self, method: Method) -> Request {
        Request::default().with_method(method).with_threads(self.threads)
    }

    /// The value of a position alone, if it was found by [`value`](Service::value).
    pub fn known_value(&self, session: &dyn Session, game: &str) -> Option<Arc<Report>> {
        lock(&self.answers).get(&value_key(session, game)).and_then(|kept| kept.answer.clone())
    }

    /// The value of a position alone, which takes a part of the time that the values of all its moves take: what a
    /// review needs of most positions. If a quarter of the time is not enough, all that can be found out.
    pub fn value(&self, session: &mut dyn Session, game: &str, deadline: &Deadline) {
        let request = self.request(Method::Auto).with_threads(self.threads_now());
        let thought = self.thinking.begin((game.to_owned(), session.position()), deadline);
        let watched = deadline.clone().with_progress(thought.on_progress());
        let control = self.control(&watched).with_quarters_of_time(1);
        let report = session.solve(&request.with_moves(false).with_line(false), &control);
        drop(thought);
        if report.halted.is_none() && report.proven {
            self.keep(value_key(session, game), report, false);
        } else {
            self.think(session, game, deadline);
        }
    }

    /// How many threads work on a question: one that comes alone has all cores.
    fn threads_now(&self) -> usize {
        let alone = if self.thinking.any().is_none() { self.workers as usize } else { 1 };
        self.threads.max(alone)
    }

    /// What can be found out about a position in the time to think.
    pub fn think(&self, session: &mut dyn Session, game: &str, deadline: &Deadline) -> Arc<Report> {
        let key = (game.to_owned(), session.position());
        if let Some(answer) = lock(&self.answers).get(&key).and_then(|kept| kept.answer.clone()) {
            return answer;
        }
        // Plies tell how far a game is only where it began at its start.
        let plies = session.began_at_start().then(|| session.played().len());
        let until = lock(&self.known).peek(game).map_or(0, |known| known.hard_until);
        let hard = plies.is_some_and(|plies| plies < until);
        let request = self.request(Method::Auto).with_threads(self.threads_now());
        let request = request.with_strong(!hard).with_estimate(true);
        let thought = self.thinking.begin(key.clone(), deadline);
        let watched = deadline.clone().with_progress(thought.on_progress());
        let control = self.control(&watched).with_move_listener(Arc::new(thought.on_move()));
        let report = session.solve(&request, &control);
        drop(thought);
        if ["search", "proof"].contains(&report.method.as_str())
            && let Some(plies) = plies
            && let Some(known) = lock(&self.known).peek_mut(game)
        {
            known.hard_until = known.hard_until.max(plies + HARD_FOR);
        }
        self.learn(game, session);
        let stopped = matches!(report.halted, Some(Halted::Stopped { .. }));
        match stopped || deadline.is_stopped() {
            true => Arc::new(report),
            false => {
                let hurried = deadline.is_hurried() && report.halted.is_some();
                self.keep(key, report, hurried)
            }
        }
    }

    /// The move of a player, if the fast lane can find it.
    pub fn choose_at_once(
        &self,
        player: Player,
        game: &dyn AnyGame,
        session: &mut dyn Session,
        deadline: &Deadline,
    ) -> Option<String> {
        match player {
            Player::Perfect => {
                let name = game.specification();
                if let Ok(Some(Advice::Move { best: true, .. })) = session.advice() {
                    let choice = session.choose(player, &mut dice(), &self.small(deadline));
                    return choice.ok().map(|choice| choice.mv);
                }
                let answer = self.at_once(session, &name, deadline)?;
                let exact = answer.distance.is_some() || answer.endless;
                if answer.halted.is_some() || !exact || answer.preferred.is_empty() {
                    return None;
                }
                let at = dice().below(answer.preferred.len());
                Some(answer.preferred[at].clone())
            }
            Player::MonteCarlo | Player::Deepening | Player::Hard => None,
            player => {
                let control = self.small(deadline);
                session.choose(player, &mut dice(), &control).ok().map(|choice| choice.mv)
            }
        }
    }

    /// The move that a player makes in the time to think, and whether it is proven to be best.
    ///
    /// # Errors
    /// If it was stopped.
    pub fn choose(
        &self,
        player: Player,
        game: &dyn AnyGame,
        session: &mut dyn Session,
        deadline: &Deadline,
    ) -> Result<(String, bool), Halted> {
        let name = game.specification();
        let thought = self.thinking.begin((name.clone(), session.position()), deadline);
        let control = self.control(&deadline.clone().with_progress(thought.on_progress()));
        let choice = players::choose(player, session, &mut dice(), &control)?.choice;
        self.learn(&name, session);
        Ok((choice.mv, choice.best))
    }

    /// How far the question about a position has come; `None` if nobody thinks about it.
    pub fn so_far(&self, game: &str, position: &str) -> Option<SoFar> {
        self.thinking.so_far(game, position)
    }

    /// How far any question has come.
    pub fn any_so_far(&self) -> Option<SoFar> {
        self.thinking.any()
    }

    /// Limits for work that may take until the deadline.
    pub fn control(&self, deadline: &Deadline) -> Control {
        deadline.control(self.memory / 4 / self.workers)
    }

    /// Limits for what is small enough for the fast lane.
    pub fn small(&self, deadline: &Deadline) -> Control {
        let memory = (self.memory / 32).min(64 << 20);
        self.control(deadline).with_positions(FAST_POSITIONS).with_memory(memory)
    }

    /// Keeps an answer; for a short time if it was `hurried`.
    fn keep(&self, key: (String, String), answer: Report, hurried: bool) -> Arc<Report> {
        let answer = Arc::new(answer);
        lock(&self.answers).put(key, Some(answer.clone()), hurried, self.memory);
        answer
    }

    /// Keeps what a session has solved for those to come, within an eighth of the memory.
    fn learn(&self, game: &str, session: &mut dyn Session) {
        let max = self.memory / 8;
        let mut all = lock(&self.known);
        let Some(known) = all.get_mut(game) else { return };
        if session.bytes() <= known.session.bytes() || session.bytes() > max {
            return;
        }
        known.session = session.fork();
        // Who opens the game begins at its start.
        let _ = known.session.go(None, "");
        while all.iter().map(|(_, known)| known.session.bytes()).sum::<u64>() > max {
            if all.pop_lru().is_none() {
                break;
            }
        }
    }
}

/// The key of an answer without moves.
fn value_key(session: &dyn Session, game: &str) -> (String, String) {
    (game.to_owned(), format!("value of {}", session.position()))
}

/// Dice that fall differently each time.
fn dice() -> Dice {
    use std::hash::{BuildHasher, RandomState};
    Dice::new(RandomState::new().hash_one(0))
}

#[cfg(test)]
mod tests {
    use foregone::book::SHIPPED;
    use foregone::record::read::Bytes;

    use super::*;

    #[test]
    fn positions_in_books_are_answered_at_once() {
        let service = Service::new(Registry::standard(), 256 << 20, 1, None);
        for (name, book) in SHIPPED.iter().copied() {
            let table = Table::read(Bytes(book)).unwrap();
            let (game, mut session) = service.open(&table.manifest().game).unwrap();
            // A search looks for the end of the line until then, which takes minutes in some games.
            let deadline = Deadline::after(Duration::from_secs(1));
            let answer = service.at_once(&mut *session, &game.specification(), &deadline).unwrap();
            assert_eq!(
                (&*answer.method, answer.moves.len()),
                ("book", session.moves().len()),
                "{name}"
            );
            assert!(answer.line.len() >= 2, "{name}");
        }
    }

    /// A win in one move is known without a search, the other moves are not.
    #[test]
    fn an_answer_without_all_moves_is_not_the_last() {
        let service = Service::new(Registry::standard(), 256 << 20, 1, None);
        let (game, mut session) = service.open("connect-four").unwrap();
        session.go(None, "17172626354").unwrap();
        session.undo();
        let deadline = Deadline::after(Duration::from_secs(60));
        let answer = service.at_once(&mut *session, &game.specification(), &deadline);
        assert!(answer.is_none_or(|answer| answer.moves.len() == session.moves().len()));
        let answer = service.think(&mut *session, &game.specification(), &deadline);
        assert_eq!((answer.value, answer.distance), (Some(1), Some(1)));
        assert_eq!(answer.moves.len(), session.moves().len());
    }
}
