//! Exact values at speed: null-window search with everything a game foresees.
//!
//! One question is asked again and again: is the value at least n? The answers close in on the
//! value, starting at the sign, since most values are small, and then a third of the way on (Pons
//! asks in much the same order; MTD(f), Plaat 1996, is the same idea). Answers are fail-soft: each
//! is a bound as good as the search below could make it.
//!
//! - **Two tables.** Positions near the end of the game are many, cheap to search again and seldom
//!   met again much later. They have a table of their own that stays in the processor's second
//!   cache; only positions farther off go to the large table in memory, where each look costs as
//!   much as some five positions. (On Connect Four 7x5 that is 24 million positions at 18 million a
//!   second, against 21 at 5 with one table of 128 MiB.)
//! - **A look ahead.** Before any move of a position far from the end is searched, the table is
//!   asked about all of them: one may answer the question at once (the enhanced transposition
//!   cut-off, Schaeffer and Plaat 1996), and the looks into memory overlap.
//! - **Numbers instead of keys.** Where a game can number its last positions without gaps, both
//!   bounds of each are kept in two bytes.
//! - **Order.** The game's own promise first; between equals what was learned of each kind of move
//!   (the history heuristic, Schaeffer 1983): moves that cut off gain, moves that were tried in vain
//!   before them lose.

mod dense;
mod proof;
mod run;
mod table;
mod values;

pub(crate) use values::{ByHints, ValueSearch, Valuer, Valuing};

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use foregone_rules::{Candidates, Game, Outcome, SearchHints, Value, Written};

use self::dense::DenseMemory;
use self::proof::OpinionMemory;
use self::run::{Busy, Mind, Run, Shared};
use self::table::Memory;
use crate::control::{Control, Halted};
use crate::leaves::Leaf;
use crate::moves::gather;

/// Bytes of the table of positions near the end, one for each thread, if there is that much memory.
const NEAR: u64 = 512 << 10;

/// How many numbered positions there may be at most, if nobody says otherwise.
const DENSE: u64 = 32 << 20;

/// A question is searched by one thread alone until it has seen so many positions: most take less
/// than it takes to start others.
const ALONE: u64 = 1 << 18;

/// Stack of the other threads, in bytes: enough for the longest line of play.
const STACK: usize = 8 << 20;

/// A search for values of positions of one game, which remembers from one to the next.
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
pub struct Exact<'a, G: SearchHints> {
    game: &'a G,
    control: &'a Control,
    far: Memory,
    dense: DenseMemory,
    opinions: OpinionMemory,
    threads: Vec<Own<G>>,
    nodes: u64,
    /// How many positions and moves were looked at, and at how many to stop.
    work: u64,
    enough: u64,
    /// How many positions were put into the far table, and at how many it grows.
    kept: u64,
    room: u64,
    /// See [`ALONE`].
    alone: u64,
    by_proof: bool,
    leaf: Option<Leaf<'a, G::State>>,
    written: Option<Written<G>>,
}

/// How to go about a search; the answer is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many threads search; 0 counts as 1.
    pub threads: usize,
    /// Positions with at most so much left, in the game's own measure, are remembered by number
    /// ([`SearchHints::numbers`]); as many as do well, where nothing is given.
    pub endgame: Option<u32>,
    /// Whether to search by proof numbers, which finds deep forced wins far sooner and most other
    /// values far later. Threads but the first go on by alpha-beta.
    pub by_proof: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 1, endgame: None, by_proof: false }
    }
}

/// What a thread has for itself: the table of positions near the end, and what it has learned.
type Own<G> = (Memory, Mind<<G as Game>::State, <G as Game>::Move>);

/// What is proven of a position's value: it is the same as both bounds, unless the search was
/// halted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// The value is at least this.
    pub low: Value,
    /// The value is at most this.
    pub high: Value,
    /// Why the bounds differ, if they do.
    pub halted: Option<Halted>,
}

impl Proven {
    fn value(self) -> Result<Value, Halted> {
        self.halted.map_or(Ok(self.low), Err)
    }
}

impl<'a, G: SearchHints> Exact<'a, G> {
    /// A search by one thread within the control's limits.
    ///
    /// # Errors
    /// Where the system has no room for the tables.
    pub fn new(game: &'a G, control: &'a Control) -> Result<Exact<'a, G>, Halted> {
        Exact::with(game, control, Options::default())
    }

    /// A search within the control's limits that goes about it as told. Most of the memory is for
    /// the far table.
    ///
    /// # Errors
    /// Where the control's memory is too little for that endgame, or the system's for the tables.
    pub fn with(
        game: &'a G,
        control: &'a Control,
        options: Options,
    ) -> Result<Exact<'a, G>, Halted> {
        let Options { threads, endgame, by_proof } = options;
        let limit = control.memory();
        let bytes = |left| 2 * game.dense_len(left);
        let left = endgame.unwrap_or_else(|| {
            let most = (2 * DENSE).min(limit / 4);
            let fits = |left: &u32| bytes(*left) <= most && bytes(*left) < bytes(left + 1);
            (0..).take_while(fits).last().unwrap_or(0)
        });
        let numbered = if endgame.is_none() && bytes(0) > limit / 4 { 0 } else { bytes(left) };
        if numbered > limit {
            return Err(Halted::Endgame { left, size: numbered, limit });
        }
        let no_room = |size| Halted::Table { size };
        let keyed = |bytes| Memory::new(game.key_bits(), bytes).map_err(no_room);
        let threads = threads.max(1);
        let near = NEAR.min(limit / 4 / threads as u64);
        let own = || Ok((keyed(near)?, Mind::new(game.history_slots())));
        let opinions = if by_proof { limit / 4 } else { 0 };
        let far = keyed(limit.saturating_sub(numbered + opinions + near * threads as u64))?;
        let room = far.entries();
        Ok(Exact {
            game,
            control,
            far,
            dense: DenseMemory::new(numbered / 2).map_err(no_room)?,
            opinions: OpinionMemory::new(opinions).map_err(no_room)?,
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
        })
    }

    /// The same with positions that are known.
    pub(crate) fn with_leaf(self, leaf: Option<Leaf<'a, G::State>>) -> Exact<'a, G> {
        Exact { leaf, ..self }
    }

    /// Names positions this way where it has to tell of one, instead of by their debug text.
    pub fn with_notation(self, written: Option<Written<G>>) -> Exact<'a, G> {
        Exact { written, ..self }
    }

    /// From now on looks at so many positions and moves (or a few more) before it gives up with
    /// [`Halted::Positions`]; asked again, it goes on from what it has learned.
    pub(crate) fn allow(&mut self, work: u64) {
        self.enough = self.work.saturating_add(work);
    }

    /// How many positions and moves were looked at so far.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// How many positions were visited so far, each as often as it was.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a position.
    ///
    /// # Errors
    /// Where the control's limits are reached, or a game may be too long.
    pub fn value(&mut self, state: &G::State) -> Result<Value, Halted> {
        self.bounds(state).value()
    }

    /// What a position is worth at least to either side, without any search.
    pub fn least(&self, state: &G::State) -> Value {
        let hint = self.game.quick_bounds(state);
        let foreseen = self.game.bounds_and_moves(state, &mut Candidates::new(&mut Vec::new()));
        let (low, high) = (hint.0.max(foreseen.0), hint.1.min(foreseen.1));
        low.min(Value(-high.0))
    }

    /// The closest bounds of a position's value that can be found.
    pub fn bounds(&mut self, state: &G::State) -> Proven {
        self.bounds_within(state, ANY_VALUE)
    }

    /// The same where the value is known to lie between two.
    pub(crate) fn bounds_within(&mut self, state: &G::State, known: (Value, Value)) -> Proven {
        if let Some(outcome) = self.game.outcome(state) {
            let value = outcome.value_for(self.game.turn(state));
            return Proven { low: value, high: value, halted: None };
        }
        let (low, high) = self.game.bounds_and_moves(state, &mut Candidates::new(&mut Vec::new()));
        let (mut low, mut high) = (low.max(known.0), high.min(known.1));
        let mut halted = None;
        while low < high && halted.is_none() {
            let question = question(low.0, high.0);
            match self.ask(state, question, Some((low, high))) {
                Ok(answer) if answer >= question => low = Value(answer).min(high),
                Ok(answer) => high = Value(answer).max(low),
                Err(reason) => halted = Some(reason),
            }
        }
        Proven { low, high, halted }
    }

    /// Whether the value of a position is at least this: one question instead of several.
    ///
    /// # Errors
    /// Where the control's limits are reached, or a game may be too long.
    pub fn at_least(&mut self, state: &G::State, value: Value) -> Result<bool, Halted> {
        match self.game.outcome(state) {
            Some(outcome) => Ok(outcome.value_for(self.game.turn(state)) >= value),
            None => Ok(self.ask(state, value.0, None)? >= value.0),
        }
    }

    /// The value of a move for the side that makes it, where it is known to be worth `most` or
    /// less; no move is worth more than its position.
    ///
    /// # Errors
    /// Where the control's limits are reached, or a game may be too long.
    pub fn move_value(
        &mut self,
        state: &G::State,
        mv: G::Move,
        most: Value,
    ) -> Result<Value, Halted> {
        let game = self.game;
        move_value(game, state, mv, most, |child, known| self.bounds_within(child, known))
    }

    /// The values of all moves, in the order of the game, for the side that makes them.
    ///
    /// # Errors
    /// Where the control's limits are reached, or a game may be too long.
    pub fn moves(&mut self, state: &G::State) -> Result<Vec<(G::Move, Value)>, Halted> {
        if self.game.outcome(state).is_some() {
            return Ok(Vec::new());
        }
        let most = self.value(state)?;
        let mut moves = Vec::new();
        gather(self.game, state, &mut moves, self.control, self.nodes)?;
        moves.into_iter().map(|mv| Ok((mv, self.move_value(state, mv, most)?))).collect()
    }

    /// Is the value at least `question`? If so, a lower bound that is; if not, an upper bound that
    /// is below.
    fn ask(
        &mut self,
        state: &G::State,
        question: i32,
        proven: Option<(Value, Value)>,
    ) -> Result<i32, Halted> {
        let alone = self.nodes + self.alone;
        loop {
            let is_alone = self.nodes < alone;
            let (by_proof, leaf, written) = (self.by_proof, self.leaf, self.written);
            let enough = self.enough;
            let Exact { game, control, far, dense, opinions, threads, nodes, .. } = self;
            let (work, kept, room) = (&mut self.work, &mut self.kept, &self.room);
            let count = if is_alone { 1 } else { threads.len() };
            let shared = Shared::<G::State> {
                control,
                far: far.table(),
                dense: dense.table(),
                opinions: opinions.table(),
                busy: (count > 1).then(Busy::new),
                over: AtomicBool::new(false),
                nodes: AtomicU64::new(*nodes),
                work: AtomicU64::new(*work),
                enough,
                most: if threads.len() > 1 && is_alone { alone } else { u64::MAX },
                kept: AtomicU64::new(*kept),
                room: *room,
                proven,
                leaf,
            };
            let mut runs = threads[..count].iter_mut().map(|(near, mind)| Run {
                game: *game,
                shared: &shared,
                near: near.table(),
                mind,
                nodes: 0,
                kept: 0,
                moves: 0,
                written,
                halted: None,
            });
            let mut first = runs.next().expect("there is at least one thread");
            let (answer, halted) = thread::scope(|scope| {
                let others: Vec<_> = runs
                    .map(|mut run| {
                        let work = move || (run.ask(state, question), run.halted);
                        // A thread that does not start is one less.
                        thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()
                    })
                    .collect();
                let answer = match by_proof {
                    true => first.ask_by_proof(state, question),
                    false => first.ask(state, question),
                };
                let mut all = vec![(answer, first.halted)];
                all.extend(others.into_iter().flatten().map(|other| {
                    other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                }));
                let answer = all.iter().find_map(|(answer, _)| answer.as_ref().ok().copied());
                (answer, all.into_iter().find_map(|(_, halted)| halted))
            });
            *nodes = shared.nodes.into_inner();
            *work = shared.work.into_inner();
            *kept = shared.kept.into_inner();
            match (answer, halted) {
                (Some(answer), _) => return Ok(answer),
                (None, Some(halted)) => return Err(halted),
                (None, None) if self.work >= enough => {
                    return Err(Halted::Positions { limit: enough });
                }
                (None, None) if self.kept >= self.room => {
                    // A table that is as large as it may get is never too small again.
                    let grown = self.far.grow();
                    self.room = if grown { self.kept + self.far.entries() } else { u64::MAX };
                }
                (None, None) => {}
            }
        }
    }
}

/// All that values can be.
pub(crate) const ANY_VALUE: (Value, Value) = (Value(-Outcome::LIMIT), Value(Outcome::LIMIT));

/// The value of a move that is known to be worth `most` or less, where `bounds` tells the value of a
/// position that is known to lie between two.
pub(crate) fn move_value<G: Game>(
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

/// What to ask next, where the value is from `low` to `high`: first its sign, then a third of the way
/// from the bound that is nearer to 0. (Of Kalah (6,4), worth 10, a third asks for 28 million nodes,
/// a half for 32, a quarter for 34, steps that double for 31.)
fn question(low: i32, high: i32) -> i32 {
    let third = (high - low + 2) / 3;
    match () {
        () if low < 1 && high >= 1 => 1,
        () if low < 0 && high >= 0 => 0,
        () if low >= 0 => low + third,
        () => high - third + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strong::Strong;
    use foregone_rules::games::{ConnectFour, FoxAndHounds, Kalah, Mnk, QuantumTicTacToe};
    use foregone_rules::{Acyclic, Args, Family, Notation, Side};

    fn connect_four(columns: &str, rows: &str, line: &str, score: &str) -> ConnectFour {
        let given = [("columns", columns), ("rows", rows), ("line", line), ("score", score)];
        ConnectFour::create(&Args::new(&ConnectFour::ABOUT, given).unwrap()).unwrap()
    }

    #[test]
    fn questions_close_in() {
        for low in -20..20 {
            for high in low + 1..21 {
                let question = question(low, high);
                assert!(low < question && question <= high, "{low}..{high}: {question}");
            }
        }
    }

    /// Every n-th position, by one search that remembers from one to the next, in tables of
    /// different sizes so that entries are replaced, by one thread and by several.
    fn check<G: SearchHints>(game: &G, every: usize) {
        let strong = Strong::solve(game, &Control::default()).unwrap();
        for (memory, threads, endgame, by_proof, step) in [
            (1 << 24, 1, None, false, every),
            (1 << 16, 1, Some(0), false, 13 * every),
            (1 << 20, 2, None, false, 13 * every),
            (1 << 22, 4, Some(3), false, 29 * every),
            (1 << 22, 1, None, true, 7 * every),
            (1 << 16, 2, Some(0), true, 29 * every),
        ] {
            let control = Control::default().with_memory(memory);
            let mut exact =
                Exact::with(game, &control, Options { threads, endgame, by_proof }).unwrap();
            for (nth, (state, worth)) in strong.iter().step_by(step).enumerate() {
                // Starting threads takes longer than these searches do, so only some have them.
                exact.alone = if threads > 1 && nth < 50 { 0 } else { ALONE };
                let at = || format!("{state:?} {memory} {threads} {endgame:?} {by_proof}");
                let Value(value) = worth.value();
                assert_eq!(exact.value(state), Ok(Value(value)), "{}", at());
                if nth % 7 > 0 {
                    continue;
                }
                for less in [1, 0, -1] {
                    let reached = exact.at_least(state, Value(value - less));
                    assert_eq!(reached, Ok(less >= 0), "{}", at());
                }
                let known = (Value(value - 3), Value(value));
                let Proven { low, high, halted } = exact.bounds_within(state, known);
                assert_eq!((low, high, halted), (worth.value(), worth.value(), None), "{}", at());
            }
        }
    }

    fn game<F: Family>(given: &[(&str, &str)]) -> F {
        F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
    }

    #[test]
    fn kalah_equals_strong_solving_in_all_variants() {
        for capture in ["always", "nonempty"] {
            for end in ["either", "mover"] {
                for rest in ["owner", "mover", "none"] {
                    let variant = |pits, stones| -> Kalah {
                        let size = [("pits", pits), ("stones", stones)];
                        let rules = [("capture", capture), ("end", end), ("rest", rest)];
                        game(&[&size[..], &rules].concat())
                    };
                    check(&variant("3", "3"), 1);
                    check(&variant("4", "2"), 1);
                    check(&variant("2", "5"), 1);
                    check(&variant("1", "12"), 1);
                }
            }
        }
    }

    #[test]
    fn other_games_equal_strong_solving() {
        for misere in ["false", "true"] {
            check::<Mnk>(&game(&[("misere", misere)]), 1);
            let size = [("columns", "4"), ("rows", "3"), ("line", "3"), ("misere", misere)];
            check::<Mnk>(&game(&size), 17);
        }
        for stuck in ["draw", "lose"] {
            for size in ["4", "6"] {
                check::<FoxAndHounds>(&game(&[("size", size), ("stuck", stuck)]), 1);
            }
            let usual = game::<FoxAndHounds>(&[("stuck", stuck)]);
            let control = Control::default();
            let value = Exact::new(&usual, &control).unwrap().value(&usual.start());
            assert_eq!(value, Ok(Value(-1)), "the hounds win");
        }
    }

    /// The whole game has too many positions for strong solving in a test.
    #[test]
    fn quantum_positions_equal_strong_solving() {
        let game = game::<QuantumTicTacToe>(&[]);
        let control = Control::default();
        let mut exact = Exact::new(&game, &control).unwrap();
        let late =
            |state: &_| game.outcome(state).is_none() && Acyclic::progress(&game, state) >= 11;
        let samples = foregone_rules::sample::positions(&game, 2_000, 11);
        let mut checked = 0;
        for sample in samples.into_iter().filter(|sample| late(&sample.state)) {
            let strong = Strong::solve_from(&game, &sample.state, &control).unwrap();
            let expected = strong.worth(&sample.state).unwrap().value();
            assert_eq!(exact.value(&sample.state), Ok(expected), "{:?}", sample.state);
            checked += 1;
        }
        assert!(checked > 300, "{checked}");
    }

    #[test]
    fn the_first_player_wins_half_a_point_of_quantum_tic_tac_toe_from_opposite_corners() {
        let game = game::<QuantumTicTacToe>(&[]);
        let control = Control::default().with_memory(1 << 28);
        let mut exact =
            Exact::with(&game, &control, Options { threads: 2, ..Options::default() }).unwrap();
        for (mv, value) in exact.moves(&game.start()).unwrap() {
            let corners = ["1-9", "3-7"].contains(&mv.to_string().as_str());
            assert_eq!(value, Value(i32::from(corners)), "{mv}");
        }
    }

    #[test]
    fn threads_agree_where_they_have_much_to_do() {
        let game = connect_four("6", "5", "4", "stones");
        let mut alone = None;
        for (threads, memory) in [(1, 1 << 26), (1, 1 << 20), (2, 1 << 22), (4, 1 << 26)] {
            let control = Control::default().with_memory(memory);
            let mut exact =
                Exact::with(&game, &control, Options { threads, ..Options::default() }).unwrap();
            let values: Vec<_> = exact.moves(&game.start()).unwrap();
            let values: Vec<_> = values.into_iter().map(|(_, value)| value).collect();
            assert_eq!(values.iter().max(), Some(&Value(0)));
            assert_eq!(*alone.get_or_insert(values.clone()), values, "{threads}");
        }
    }

    #[test]
    fn proof_numbers_do_without_keys() {
        // A board of more than 32 squares has none.
        for size in [("6", "6"), ("11", "3")] {
            let given = [("columns", size.0), ("rows", size.1), ("line", "3")];
            let game = game::<Mnk>(&given);
            let control = Control::default().with_memory(1 << 20);
            let options = Options { by_proof: true, ..Options::default() };
            let value = Exact::with(&game, &control, options).unwrap().value(&game.start());
            assert_eq!(value, Ok(Value(1)));
        }
    }

    #[test]
    fn tables_beyond_the_memory_are_refused() {
        let game = connect_four("7", "6", "4", "result");
        let control = Control::default().with_memory(1 << 60);
        let refused = Exact::new(&game, &control).err();
        assert!(matches!(refused, Some(Halted::Table { size }) if size > 1 << 50), "{refused:?}");
        let control = Control::default().with_memory(1 << 20);
        let kalah = self::game::<Kalah>(&[]);
        let refused =
            Exact::with(&kalah, &control, Options { endgame: Some(20), ..Options::default() })
                .err();
        assert!(matches!(refused, Some(Halted::Endgame { left: 20, .. })), "{refused:?}");
    }

    #[test]
    fn stones_left_tell_the_distance() {
        // With scores in stones a win is worth the winner's stones left, so a quick one more.
        let stones = connect_four("4", "4", "3", "stones");
        let result = connect_four("4", "4", "3", "result");
        let strong = Strong::solve(&result, &Control::default()).unwrap();
        let control = Control::default().with_memory(1 << 22);
        let mut exact = Exact::new(&stones, &control).unwrap();
        for (state, worth) in strong.iter() {
            let Some(plies) = worth.distance().plies() else { panic!("it ends") };
            let value = exact.value(state).unwrap();
            assert_eq!(value.verdict(), worth.value().verdict());
            if worth.value() != Value(0) {
                let placed = foregone_rules::Acyclic::progress(&result, state);
                let (winner, total) = (placed + plies - 1, 16);
                // The winner has put down every second stone, the last one included.
                let left = (total + 1 - winner % 2) / 2 - winner / 2;
                assert_eq!(value.0.unsigned_abs(), left, "{}", result.format(state));
            }
        }
    }

    #[test]
    fn all_moves_are_valued() {
        let game = connect_four("5", "4", "4", "stones");
        let control = Control::default().with_memory(1 << 22);
        let mut exact = Exact::new(&game, &control).unwrap();
        let moves = exact.moves(&game.start()).unwrap();
        let strong = Strong::solve(&game, &control.clone().with_memory(1 << 31)).unwrap();
        for (mv, value) in moves {
            let child = strong.worth(&game.play(&game.start(), mv)).unwrap();
            assert_eq!(value, Value(-child.value().0), "{mv}");
        }
    }

    /// Nothing but a long way to go.
    struct Countdown;

    impl Game for Countdown {
        type State = u32;
        type Move = u32;

        fn start(&self) -> u32 {
            5_000
        }

        fn turn(&self, state: &u32) -> Side {
            Side::BOTH[*state as usize % 2]
        }

        fn outcome(&self, state: &u32) -> Option<Outcome> {
            (*state == 0).then_some(Outcome::DRAW)
        }

        fn moves(&self, _: &u32) -> impl Iterator<Item = u32> {
            std::iter::once(1)
        }

        fn play(&self, state: &u32, less: u32) -> u32 {
            state - less
        }
    }

    impl Acyclic for Countdown {
        fn progress(&self, state: &u32) -> u32 {
            self.start() - state
        }
    }

    impl SearchHints for Countdown {
        fn key_bits(&self) -> u32 {
            13
        }

        fn key(&self, state: &u32) -> Option<(u64, Value)> {
            Some(((*state).into(), Value(0)))
        }

        fn near_end(&self, _: &u32) -> bool {
            false
        }

        fn history_slots(&self) -> usize {
            1
        }

        fn history_slot(&self, _: &u32, _: u32) -> usize {
            0
        }

        fn bounds_and_moves(&self, _: &u32, moves: &mut Candidates<'_, u32>) -> (Value, Value) {
            moves.push(0, 1);
            (Value(-1), Value(1))
        }
    }

    /// On the stack of a test, which is a quarter of the usual one.
    #[test]
    fn a_line_that_is_too_long_is_told_of_before_the_stack_ends() {
        for by_proof in [false, true] {
            let control = Control::default().with_memory(1 << 20);
            let options = Options { by_proof, ..Options::default() };
            let mut exact = Exact::with(&Countdown, &control, options).unwrap();
            let deep = exact.value(&Countdown.start());
            assert!(matches!(deep, Err(Halted::Deep { .. })), "{by_proof}: {deep:?}");
            assert_eq!(exact.value(&1_900), Ok(Value(0)), "{by_proof}");
        }
    }

    #[test]
    fn it_stops_when_told() {
        let game = connect_four("7", "6", "4", "result");
        let control = Control::default().with_memory(1 << 20);
        let control = control.with_time(std::time::Duration::from_millis(20));
        let halted = Exact::new(&game, &control).unwrap().value(&game.start());
        assert!(matches!(halted, Err(Halted::Time { phase: "searching", .. })));
    }
}
