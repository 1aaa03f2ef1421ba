//! Fast search for exact values: null-window search with the hints of a game.
//!
//! The search repeats one question with different n: is the value at least n? The answers close in
//! on the value (MTD(f), Plaat 1996); `questions.rs` chooses them, a long search from a guess
//! (`guess.rs`). Answers are fail-soft: each is a bound as tight as the search below could prove.
//!
//! - **Two tables.** Positions near the end of the game are many, cheap to search again and seldom
//!   met again much later. They have their own table, which stays in the processor's second-level
//!   cache. Only other positions go to the large table in memory, where a probe costs as much as
//!   about five positions. (On Connect Four 7x5 that is 24 million positions at 18 million a
//!   second, against 21 at 5 with one table of 128 MiB.)
//! - **Looking ahead.** Before the search of any move of a position far from the end, all moves are
//!   probed in the table: one may answer the question at once (the enhanced transposition cut-off,
//!   Schaeffer and Plaat 1996), and the memory accesses overlap.
//! - **An endgame table.** If a game can solve its last positions in bulk, a long search begins with that:
//!   one byte a position, which answers while moves are made (`tables/endgame.rs`; Geoffrey Irving's and
//!   other Kalah solvers do so with tables from files).
//! - **Move order.** The game's own order first. Ties are broken by what was learned of each kind
//!   of move (the history heuristic, Schaeffer 1983): moves that cause a cut-off gain, moves tried
//!   in vain before them lose.

mod ask;
mod bounds;
mod depth_first;
mod distances;
mod guess;
mod hints;
mod opinions;
mod proof;
mod questions;
mod run;
mod shared;
mod table;
mod values;

pub(crate) use distances::Distances;
pub use hints::{AsListed, ByCode, Hints, InOrder, OwnHints, Promise, WithEndgame};
pub(crate) use values::{BySearch, ValueSearch, Valuer, Valuing, keeps};

use std::cmp::Reverse;
use std::marker::PhantomData;

use foregone_rules::{Banded, Candidates, Game, Outcome, SearchHints, Value, Written};

use self::opinions::OpinionMemory;
use self::questions::Questions;
use self::run::Scratch;
use self::table::Memory;
use crate::control::{Control, Halted};
use crate::moves::gather;
use crate::tables::endgame::Endgame;
use crate::tables::leaves::Leaf;

/// The bytes of each thread's table of positions near the end, if there is enough memory.
const NEAR: u64 = 512 << 10;

/// A search of more positions is long: it gets an endgame table.
const LONG: u64 = 1 << 16;

/// A search that is this many times as long gets a guess.
const WORTH_GUESSING: u64 = 8;

/// Solving a layer takes as long as a search of one position for so many bytes of it. (Measured with Kalah; twice
/// as much, so that it pays even if the search soon ends.)
const LAYER: u64 = 8;

/// The most positions of a search for a guess.
const GUESSING: u64 = 1 << 20;

/// One thread searches a question alone for this many positions: most questions take less than
/// starting other threads.
const ALONE: u64 = 1 << 18;

/// The stack of the other threads, in bytes: enough for the longest line of play.
const STACK: usize = 8 << 20;

/// A search for values of positions of one game. It keeps its tables from one position to the next.
///
/// ```
/// use foregone::games::ConnectFour;
/// use foregone::{Args, Control, Exact, Family, Game, Value};
///
/// let args = Args::new(&ConnectFour::ABOUT, [("columns", "5"), ("rows", "4")]).unwrap();
/// let game = ConnectFour::create(&args).unwrap();
/// let control = Control::default().with_memory(1 << 24);
/// let mut exact = Exact::new(&game, &control).unwrap();
/// assert_eq!(exact.value(&game.start()), Ok(Value(0)));
/// ```
pub struct Exact<'a, G: Game, H: Hints<G> = OwnHints> {
    game: &'a G,
    control: &'a Control,
    far: Memory,
    opinions: OpinionMemory,
    endgame: Endgame,
    /// Bytes for the endgame table, at most.
    room_of_endgame: u64,
    /// See [`LONG`].
    long: u64,
    /// The number of positions at which the endgame table gets its next layer.
    more_layers_at: u64,
    /// The last search for a value, if it was halted.
    asked: Option<Asked<G::State>>,
    threads: Vec<Own<G>>,
    nodes: u64,
    /// The number of positions and moves so far, and where to stop.
    work: u64,
    enough: u64,
    /// The number of positions stored in the far table, and the number at which it grows.
    kept: u64,
    room: u64,
    /// See [`ALONE`].
    alone: u64,
    by_proof: bool,
    leaf: Option<Leaf<'a, G::State>>,
    written: Option<Written<G>>,
    hints: PhantomData<H>,
}

/// How far a search for a value has come.
struct Asked<S> {
    state: S,
    questions: Questions,
    /// The numbers of positions at which it gets an endgame table and a guess.
    layers_at: u64,
    guess_at: u64,
}

/// Options of a search; the results do not depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The number of threads; 0 counts as 1.
    pub threads: usize,
    /// The lowest layers, up to this one, are solved first, if the game has an endgame table; `None` for as
    /// many as pay.
    pub endgame: Option<u32>,
    /// Whether to use proof-number search, which finds deep forced wins much sooner and most other
    /// values much later. Threads other than the first still use alpha-beta.
    pub by_proof: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 1, endgame: None, by_proof: false }
    }
}

/// The data of one thread: the table of positions near the end, and its scratch memory.
type Own<G> = (Memory, Scratch<<G as Game>::State, <G as Game>::Move>);

/// Proven bounds of a position's value; both are the value, unless the search was halted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// The value is at least this.
    pub low: Value,
    /// The value is at most this.
    pub high: Value,
    /// Why the bounds differ; `None` if they are equal.
    pub halted: Option<Halted>,
}

impl Proven {
    fn value(self) -> Result<Value, Halted> {
        self.halted.map_or(Ok(self.low), Err)
    }
}

impl<'a, G: SearchHints> Exact<'a, G> {
    /// A search on one thread, within the limits of `control`.
    ///
    /// # Errors
    /// If the system cannot allocate the tables.
    pub fn new(game: &'a G, control: &'a Control) -> Result<Exact<'a, G>, Halted> {
        Exact::with(game, control, Options::default())
    }

    /// A search with options, within the limits of `control`. Most of the memory is for the far
    /// table.
    ///
    /// # Errors
    /// If the endgame exceeds the memory limit, or the system cannot allocate the tables.
    pub fn with(
        game: &'a G,
        control: &'a Control,
        options: Options,
    ) -> Result<Exact<'a, G>, Halted> {
        Exact::hinted(game, control, options)
    }
}

impl<'a, G: SearchHints + Banded> Exact<'a, G, WithEndgame> {
    /// A search with options, within the limits of `control`, which solves the lowest layers of the game at
    /// once, as far as it pays. Half of the memory is for them.
    ///
    /// # Errors
    /// If the endgame exceeds its memory, a limit is reached, or the system cannot allocate the tables.
    pub fn with_endgame(
        game: &'a G,
        control: &'a Control,
        options: Options,
    ) -> Result<Exact<'a, G, WithEndgame>, Halted> {
        Exact::hinted(game, control, options)
    }
}

impl<'a, G: Game, H: Hints<G>> Exact<'a, G, H> {
    /// A search with options, within the limits of `control`. Most of the memory is for the far
    /// table.
    ///
    /// # Errors
    /// If the endgame exceeds the memory limit, or the system cannot allocate the tables.
    pub(crate) fn hinted(
        game: &'a G,
        control: &'a Control,
        options: Options,
    ) -> Result<Exact<'a, G, H>, Halted> {
        let Options { threads, endgame, by_proof } = options;
        let limit = control.memory();
        let mut table = Endgame::default();
        let room_of_endgame = match endgame {
            Some(left) => {
                let size = H::endgame_bytes(game, left.saturating_add(1));
                if size > limit {
                    return Err(Halted::Endgame { left, size, limit });
                }
                while table.layers() <= left && H::add_layer(game, &mut table, threads, control)? {}
                size
            }
            None if !by_proof && H::endgame(game, &game.start()) > 0 => limit / 2,
            None => 0,
        };
        let no_room = |size| Halted::Table { size };
        let keyed = |bytes| Memory::new(H::key_bits(game), bytes).map_err(no_room);
        let threads = threads.max(1);
        let near = NEAR.min(limit / 4 / threads as u64);
        let own = || Ok((keyed(near)?, Scratch::new(H::history_slots(game))));
        let opinions = if by_proof { limit / 4 } else { 0 };
        let others = opinions + near * threads as u64 + room_of_endgame;
        let far = keyed(limit.saturating_sub(others))?;
        let room = far.entries();
        Ok(Exact {
            game,
            control,
            far,
            opinions: OpinionMemory::new(opinions).map_err(no_room)?,
            endgame: table,
            long: LONG,
            more_layers_at: u64::MAX,
            asked: None,
            room_of_endgame: if endgame.is_none() { room_of_endgame } else { 0 },
            threads: (0..threads).map(|_| own()).collect::<Result<_, _>>()?,
            nodes: 0,
            work: 0,
            enough: u64::MAX,
            kept: 0,
            room,
            alone: ALONE,
            by_proof,
            leaf: None,
            written: None,
            hints: PhantomData,
        })
    }

    /// Uses known worths of positions.
    pub(crate) fn with_leaf(self, leaf: Option<Leaf<'a, G::State>>) -> Self {
        Exact { leaf, ..self }
    }

    /// Writes positions in errors by this notation instead of their debug text.
    pub fn with_notation(self, written: Option<Written<G>>) -> Self {
        Exact { written, ..self }
    }

    /// Allows `work` more positions and moves (or a few more) before the search gives up with
    /// [`Halted::Positions`]; the next call continues from its tables.
    pub(crate) fn allow(&mut self, work: u64) {
        self.enough = self.work.saturating_add(work);
    }

    /// The number of positions and moves so far.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// The number of position visits so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a position.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or a line of play is too long.
    pub fn value(&mut self, state: &G::State) -> Result<Value, Halted> {
        self.bounds(state).value()
    }

    /// A lower bound on the value of a position for both sides, without any search.
    pub fn least(&self, state: &G::State) -> Value {
        let hint = H::quick_bounds(self.game, state);
        let foreseen = H::bounds(self.game, state);
        let (low, high) = (hint.0.max(foreseen.0), hint.1.min(foreseen.1));
        low.min(Value(-high.0))
    }

    /// The tightest bounds of a position's value within the limits.
    pub fn bounds(&mut self, state: &G::State) -> Proven {
        self.bounds_within(state, ANY_VALUE, None)
    }

    /// Like [`bounds`](Exact::bounds), given known bounds and perhaps a guess of the value.
    pub(crate) fn bounds_within(
        &mut self,
        state: &G::State,
        known: (Value, Value),
        guess: Option<Value>,
    ) -> Proven {
        if let Some(outcome) = self.game.outcome(state) {
            let value = outcome.value_for(self.game.turn(state));
            return Proven { low: value, high: value, halted: None };
        }
        let (low, high) = H::bounds(self.game, state);
        let (mut low, mut high) = (low.max(known.0), high.min(known.1));
        let mut halted = None;
        let asked = self.asked.take().filter(|asked| asked.state == *state);
        let mut asked = asked.unwrap_or_else(|| Asked {
            state: *state,
            questions: Questions::from(guess),
            layers_at: self.nodes + self.long,
            guess_at: self.nodes + WORTH_GUESSING * self.long,
        });
        if self.by_proof {
            (asked.layers_at, asked.guess_at) = (u64::MAX, u64::MAX);
        }
        while low < high && halted.is_none() {
            let question = asked.questions.next(low.0, high.0);
            let pause = asked.layers_at.min(asked.guess_at).min(self.more_layers_at);
            match self.ask(state, question, Some((low, high)), pause) {
                Ok(Some(answer)) => {
                    match answer >= question {
                        true => low = Value(answer).min(high),
                        false => high = Value(answer).max(low),
                    }
                    asked.questions.answered(answer >= question);
                }
                Ok(None) => {
                    halted = self.add_layers(state).err();
                    if self.nodes >= asked.layers_at {
                        asked.layers_at = u64::MAX;
                    }
                    if self.nodes >= asked.guess_at {
                        asked.guess_at = u64::MAX;
                        if let guess @ Some(_) = self.guess(state) {
                            asked.questions = Questions::from(guess);
                        }
                    }
                }
                Err(reason) => halted = Some(reason),
            }
        }
        if halted.is_some() {
            self.asked = Some(asked);
        }
        Proven { low, high, halted }
    }

    /// Whether the value of a position is at least `value`: one question instead of several.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or a line of play is too long.
    pub fn at_least(&mut self, state: &G::State, value: Value) -> Result<bool, Halted> {
        match self.game.outcome(state) {
            Some(outcome) => Ok(outcome.value_for(self.game.turn(state)) >= value),
            None => {
                let mut long = if self.by_proof { u64::MAX } else { self.nodes + self.long };
                loop {
                    let answer = self.ask(state, value.0, None, long.min(self.more_layers_at))?;
                    if let Some(answer) = answer {
                        return Ok(answer >= value.0);
                    }
                    self.add_layers(state)?;
                    long = if self.nodes >= long { u64::MAX } else { long };
                }
            }
        }
    }

    /// The value of a move for the side that makes it, given that it is at most `most`, for example
    /// the value of the position.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or a line of play is too long.
    pub fn move_value(
        &mut self,
        state: &G::State,
        mv: G::Move,
        most: Value,
    ) -> Result<Value, Halted> {
        let game = self.game;
        move_value(game, state, mv, most, |child, known| self.bounds_within(child, known, None))
    }

    /// The values of all moves, in the order of the game, for the side that makes them.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or a line of play is too long.
    pub fn moves(&mut self, state: &G::State) -> Result<Vec<(G::Move, Value)>, Halted> {
        if self.game.outcome(state).is_some() {
            return Ok(Vec::new());
        }
        let most = self.value(state)?;
        let (game, mut moves, mut values) = (self.game, Vec::new(), Vec::new());
        gather(game, state, &mut moves, self.control, self.nodes)?;
        let order = self.order(state, &moves);
        move_values(game, state, (&moves, &order), most, &mut values, |child, known, guess| {
            self.bounds_within(child, known, guess)
        })?;
        Ok(values)
    }

    /// The places of moves, the most promising first.
    pub(crate) fn order(&self, state: &G::State, moves: &[G::Move]) -> Vec<usize> {
        // With very many moves, the order matters less than the time to find it.
        const MOST: usize = 1 << 10;
        let mut listed = Vec::new();
        H::bounds_and_moves(self.game, state, &mut Candidates::at_most(&mut listed, MOST));
        let promise = |mv: &G::Move| {
            listed.iter().find(|(_, each)| each == mv).map(|(promise, _)| Reverse(*promise))
        };
        let mut order: Vec<usize> = (0..moves.len()).collect();
        // Moves that the game leaves out are the worst.
        order.sort_by_cached_key(|at| {
            let promise = promise(&moves[*at]);
            (promise.is_none(), promise)
        });
        order
    }
}

/// Bounds that hold for every value.
pub(crate) const ANY_VALUE: (Value, Value) = (Value(-Outcome::LIMIT), Value(Outcome::LIMIT));

/// The value of a move that is at most `most`; `bounds` finds bounds of a position, given known
/// ones.
fn move_value<G: Game>(
    game: &G,
    state: &G::State,
    mv: G::Move,
    most: Value,
    bounds: impl FnOnce(&G::State, (Value, Value)) -> Proven,
) -> Result<Value, Halted> {
    let child = game.play(state, mv);
    let (mover, next) = (game.turn(state), game.turn(&child));
    let most = most.seen_from(mover, next);
    let known = match next == mover {
        true => (ANY_VALUE.0, most),
        false => (most, ANY_VALUE.1),
    };
    Ok(bounds(&child, known).value()?.seen_from(next, mover))
}

/// The values of moves that are worth at most `most`, in the order of the moves: if the search is halted, those
/// that are known. They are searched in another order, the most promising first; the first question about each is
/// whether it is as good as the one before.
pub(crate) fn move_values<G: Game>(
    game: &G,
    state: &G::State,
    (moves, order): (&[G::Move], &[usize]),
    most: Value,
    values: &mut Vec<(G::Move, Value)>,
    mut bounds: impl FnMut(&G::State, (Value, Value), Option<Value>) -> Proven,
) -> Result<(), Halted> {
    let mut found = vec![None; moves.len()];
    let mut guess = most;
    let mut halted = Ok(());
    for at in order {
        let mover = game.turn(state);
        let value = move_value(game, state, moves[*at], most, |child, known| {
            // Is the move at least as good as the one before?
            let next = game.turn(child);
            let Value(question) = guess.seen_from(mover, next);
            bounds(child, known, Some(Value(question + i32::from(next != mover))))
        });
        match value {
            Ok(value) => {
                guess = value;
                found[*at] = Some(value);
            }
            Err(reason) => {
                halted = Err(reason);
                break;
            }
        }
    }
    values.extend(moves.iter().zip(found).filter_map(|(mv, value)| Some((*mv, value?))));
    halted
}

#[cfg(test)]
mod tests;
