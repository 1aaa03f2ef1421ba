//! Exact values at speed: null-window search with everything a game foresees.
//!
//! One question is asked again and again: is the value at least n? The answers close in on the
//! value, starting at the sign and then in steps that double, since most values are small (Pons asks
//! in much the same order; MTD(f), Plaat 1996, is the same idea). Answers are fail-soft: each is a
//! bound as good as the search below could make it.
//!
//! - **Whole keys.** A remembered position is never taken for another: the key is mixed by a function
//!   that can be undone, part of the result is the place in the table and all the rest is stored
//!   there. An entry is one word.
//! - **Two tables.** Positions near the end of the game are many, cheap to search again and seldom
//!   met again much later. They have a table of their own that stays in the processor's second
//!   cache; only positions farther off go to the large table in memory, where each look costs as
//!   much as some five positions. (On Connect Four 7x5 that is 24 million positions at 18 million a
//!   second, against 21 at 5 with one table of 128 MiB.)
//! - **Order.** The game's own promise first; between equals what was learned of each kind of move
//!   (the history heuristic, Schaeffer 1983): moves that cut off gain, moves that were tried in vain
//!   before them lose.

use foregone_rules::{Candidates, Foresight, Value};

use crate::control::{Control, Halted, Progress};

/// Bits of an entry that hold a value and what it bounds; the rest holds the rest of the key.
const DATA: u32 = 12;

/// Values that an entry can hold are below this, either way.
const WIDEST: i32 = 512;

/// Positions with at most so many plies left go to the near table, whose entries fill half a MiB.
const NEAR_PLIES: u32 = 20;
const NEAR_BITS: u32 = 16;

/// The longest game that the stack has room for, in plies.
const LONGEST: u32 = 5_000;

/// What is learned of a kind of move stays within this either way, and so only decides between
/// moves of which the game promises the same. (More weight does harm: on Connect Four 6x6 61 million
/// nodes become 120 when it can outweigh 2 points of the 16 that a threat is worth, and 213 with 4;
/// without learning it is 89.)
const MOST_LEARNED: i32 = 256;

/// The search was halted; the reason is kept aside.
struct Stop;

/// A search for values of positions of one game, which remembers from one to the next.
///
/// ```
/// use foregone::games::ConnectFour;
/// use foregone::{Args, Control, Exact, Family, Game, Value};
///
/// let args = Args::new(&ConnectFour::ABOUT, [("columns", "5"), ("rows", "4")]).unwrap();
/// let game = ConnectFour::create(&args).unwrap();
/// let control = Control::default().with_memory(1 << 24);
/// let value = Exact::new(&game, &control).value(&game.start()).unwrap();
/// assert_eq!(value, Value(0));
/// ```
pub struct Exact<'a, G: Foresight> {
    game: &'a G,
    control: &'a Control,
    far: Table,
    near: Table,
    /// What was learned of each kind of move.
    learned: Vec<i32>,
    /// The moves of all positions on the way to the one that is looked at, one after the other.
    moves: Vec<(i32, G::Move)>,
    nodes: u64,
    halted: Option<Halted>,
}

/// A table of bounds by key, each entry one word: the rest of the key, the bound and its kind.
struct Table {
    entries: Vec<u64>,
    key_bits: u32,
    /// How many bits of the mixed key say where its entry is.
    place_bits: u32,
}

/// Whether the value is at least or at most what is remembered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    AtLeast = 1,
    AtMost = 2,
}

/// Where a key's entry is, and what tells it from all other keys there.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    rest: u64,
}

impl Table {
    /// A table of `2^place_bits` entries, or as many as there are keys, for keys of so many bits;
    /// where the system has no room for that, the largest that it has room for.
    fn new(key_bits: u32, place_bits: u32) -> Table {
        // An entry must have room for the rest of a key.
        let least = (key_bits + DATA).saturating_sub(64);
        let mut place_bits = place_bits.max(least).min(key_bits);
        let room = |bits: u32| Vec::<u64>::new().try_reserve_exact(1 << bits).is_ok();
        while place_bits > least && !room(place_bits) {
            place_bits -= 1;
        }
        Table { entries: vec![0; 1 << place_bits], key_bits, place_bits }
    }

    /// Mixes a key: every step can be undone, so different keys have different places or rests.
    #[inline]
    fn place(&self, key: u64) -> Place {
        let mask = u64::MAX >> (64 - self.key_bits);
        let half = self.key_bits.div_ceil(2);
        let mut mixed = key ^ key >> half;
        mixed = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
        mixed ^= mixed >> half;
        mixed = mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) & mask;
        mixed ^= mixed >> half;
        let rest_bits = self.key_bits - self.place_bits;
        // In two steps, as a shift by all 64 bits is not defined.
        let at = (mixed >> (rest_bits / 2)) >> rest_bits.div_ceil(2);
        Place {
            at: at as usize,
            rest: mixed & !(u64::MAX << (rest_bits / 2) << rest_bits.div_ceil(2)),
        }
    }

    #[inline]
    fn get(&self, place: Place) -> Option<(i32, Bound)> {
        let entry = self.entries[place.at];
        let value = (entry >> 2) as i32 & (2 * WIDEST - 1);
        let bound = match entry & 3 {
            1 => Bound::AtLeast,
            2 => Bound::AtMost,
            _ => return None,
        };
        (entry >> DATA == place.rest).then_some((value - WIDEST, bound))
    }

    #[inline]
    fn set(&mut self, place: Place, value: i32, bound: Bound) {
        if (-WIDEST..WIDEST).contains(&value) {
            let data = ((value + WIDEST) as u64) << 2 | bound as u64;
            self.entries[place.at] = place.rest << DATA | data;
        }
    }
}

impl<'a, G: Foresight> Exact<'a, G> {
    /// A search within the control's limits; most of the memory goes to the far table at once.
    pub fn new(game: &'a G, control: &'a Control) -> Exact<'a, G> {
        let key_bits = game.key_bits();
        let near = Table::new(key_bits, NEAR_BITS);
        let rest = control.memory().saturating_sub(8 << NEAR_BITS);
        let far = Table::new(key_bits, (rest / 8).max(1).ilog2());
        let learned = vec![0; game.kinds()];
        Exact { game, control, far, near, learned, moves: Vec::new(), nodes: 0, halted: None }
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
        if let Some(outcome) = self.game.outcome(state) {
            return Ok(outcome.value_for(self.game.turn(state)));
        }
        self.moves.clear();
        let (Value(mut low), Value(mut high)) =
            self.game.foresee(state, &mut Candidates::new(&mut self.moves));
        self.moves.clear();
        let mut step = 1;
        while low < high {
            let question = question(low, high, step);
            let answer = self.ask(state, question)?;
            if answer >= question {
                low = answer;
            } else {
                high = answer;
            }
            step *= 2;
        }
        Ok(Value(low))
    }

    /// Whether the value of a position is at least this: one question instead of several.
    ///
    /// # Errors
    /// Where the control's limits are reached, or a game may be too long.
    pub fn at_least(&mut self, state: &G::State, value: Value) -> Result<bool, Halted> {
        match self.game.outcome(state) {
            Some(outcome) => Ok(outcome.value_for(self.game.turn(state)) >= value),
            None => Ok(self.ask(state, value.0)? >= value.0),
        }
    }

    /// Begins a search; see [`search`](Exact::search).
    fn ask(&mut self, state: &G::State, question: i32) -> Result<i32, Halted> {
        if self.game.plies_left(state) > LONGEST {
            return Err(Halted::Deep { limit: LONGEST });
        }
        self.moves.clear();
        let answer = self.search(state, question);
        answer.map_err(|Stop| self.halted.take().expect("a halted search has a reason"))
    }

    /// The values of all moves, in the order of the game, for the side that makes them.
    ///
    /// # Errors
    /// Where the control's limits are reached.
    pub fn moves(&mut self, state: &G::State) -> Result<Vec<(G::Move, Value)>, Halted> {
        if self.game.outcome(state).is_some() {
            return Ok(Vec::new());
        }
        let game = self.game;
        let value = |mv| {
            let child = game.play(state, mv);
            Ok((mv, self.value(&child)?.before(game.turn(&child), game.turn(state))))
        };
        game.moves(state).map(value).collect()
    }

    /// Is the value at least `question`? If so, a lower bound that is; if not, an upper bound that
    /// is below.
    fn search(&mut self, state: &G::State, question: i32) -> Result<i32, Stop> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(Control::INTERVAL) {
            self.report()?;
        }
        let first = self.moves.len();
        let (Value(low), Value(high)) =
            self.game.foresee(state, &mut Candidates::new(&mut self.moves));
        if low >= question || high < question {
            self.moves.truncate(first);
            return Ok(if low >= question { low } else { high });
        }
        let near = self.game.plies_left(state) <= NEAR_PLIES;
        let table = if near { &self.near } else { &self.far };
        let place = self.game.key(state).map(|(key, Value(offset))| (table.place(key), offset));
        if let Some((place, offset)) = place
            && let Some((value, bound)) = table.get(place)
            && (bound == Bound::AtLeast) == (value + offset >= question)
        {
            self.moves.truncate(first);
            return Ok(value + offset);
        }
        let best = self.try_moves(state, question, first, low)?;
        self.moves.truncate(first);
        // Moves that were left out are worth no more than the lower bound.
        let (value, bound) = match best >= question {
            true => (best, Bound::AtLeast),
            false => (best.min(high), Bound::AtMost),
        };
        if let Some((place, offset)) = place {
            let table = if near { &mut self.near } else { &mut self.far };
            table.set(place, value - offset, bound);
        }
        Ok(value)
    }

    /// The best answer of the moves from `first` on, down to the first that answers yes.
    fn try_moves(
        &mut self,
        state: &G::State,
        question: i32,
        first: usize,
        low: i32,
    ) -> Result<i32, Stop> {
        let game = self.game;
        let mover = game.turn(state);
        let end = self.moves.len();
        if end - first > 1 {
            for (promise, mv) in &mut self.moves[first..] {
                *promise = 2 * MOST_LEARNED * *promise + self.learned[game.kind(state, *mv)];
            }
        }
        let mut best = low;
        for at in first..end {
            // The most promising of the rest; few are ever needed, so they are not sorted.
            let rest = at + 1..end;
            let next =
                rest.fold(
                    at,
                    |next, other| {
                        if self.moves[other].0 > self.moves[next].0 { other } else { next }
                    },
                );
            self.moves.swap(at, next);
            let (_, mv) = self.moves[at];
            let child = game.play(state, mv);
            let answer = match game.outcome(&child) {
                Some(outcome) => outcome.value_for(mover).0,
                None if game.turn(&child) == mover => self.search(&child, question)?,
                None => -self.search(&child, 1 - question)?,
            };
            best = best.max(answer);
            if answer >= question {
                self.learn(state, first, at);
                break;
            }
        }
        Ok(best)
    }

    /// Learns from a cut-off: the move at `at` did it, those before it were tried in vain.
    fn learn(&mut self, state: &G::State, first: usize, at: usize) {
        let tried = (at - first) as i32;
        for vain in first..at {
            let kind = self.game.kind(state, self.moves[vain].1);
            let learned = &mut self.learned[kind];
            *learned -= 1 + *learned / MOST_LEARNED;
        }
        let kind = self.game.kind(state, self.moves[at].1);
        let learned = &mut self.learned[kind];
        *learned += tried - tried * *learned / MOST_LEARNED;
    }

    #[cold]
    fn report(&mut self) -> Result<(), Stop> {
        let progress = Progress { phase: "searching", done: self.nodes, total: None };
        self.control.report(progress).map_err(|reason| {
            self.halted = Some(reason);
            Stop
        })
    }
}

/// What to ask next, where the value is from `low` to `high`: first its sign, then in steps from
/// the bound that is nearer to 0.
fn question(low: i32, high: i32, step: i32) -> i32 {
    match () {
        () if low < 1 && high >= 1 => 1,
        () if low < 0 && high >= 0 => 0,
        () if low >= 0 => low.saturating_add(step).min(high),
        () => high.saturating_sub(step).max(low) + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strong::Strong;
    use foregone_rules::games::ConnectFour;
    use foregone_rules::{Args, Family, Game, Notation};
    use std::collections::HashSet;

    fn connect_four(columns: &str, rows: &str, line: &str, score: &str) -> ConnectFour {
        let given = [("columns", columns), ("rows", rows), ("line", line), ("score", score)];
        ConnectFour::create(&Args::new(&ConnectFour::ABOUT, given).unwrap()).unwrap()
    }

    #[test]
    fn different_keys_never_look_alike() {
        for key_bits in 1..=16 {
            for place_bits in [0, 1, 5, 16] {
                let table = Table::new(key_bits, place_bits);
                let seen: HashSet<_> = (0..1u64 << key_bits)
                    .map(|key| table.place(key))
                    .map(|p| (p.at, p.rest))
                    .collect();
                assert_eq!(seen.len(), 1 << key_bits);
                assert!(seen.iter().all(|(at, _)| *at < table.entries.len()));
            }
        }
        let table = Table::new(64, 1);
        assert_eq!(table.place_bits, 12, "the rest of a key of 64 bits needs that");
        assert!(table.place(u64::MAX).rest < 1 << (64 - DATA));
    }

    #[test]
    fn entries_hold_what_fits_and_nothing_else() {
        let mut table = Table::new(49, 8);
        let place = table.place(12345);
        assert_eq!(table.get(place), None);
        for value in [-WIDEST, -1, 0, 1, WIDEST - 1] {
            for bound in [Bound::AtLeast, Bound::AtMost] {
                table.set(place, value, bound);
                assert!(table.get(place) == Some((value, bound)));
                assert!(table.get(Place { rest: place.rest ^ 1, ..place }).is_none());
            }
        }
        table.set(place, WIDEST, Bound::AtLeast);
        assert!(table.get(place) == Some((WIDEST - 1, Bound::AtMost)));
    }

    impl std::fmt::Debug for Bound {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(if *self == Bound::AtLeast { "at least" } else { "at most" })
        }
    }

    #[test]
    fn questions_close_in() {
        for low in -20..20 {
            for high in low + 1..21 {
                for step in [1, 2, 64] {
                    let question = question(low, high, step);
                    assert!(low < question && question <= high, "{low}..{high}: {question}");
                }
            }
        }
    }

    #[test]
    fn more_memory_than_there_is_does_no_harm() {
        let game = connect_four("7", "6", "4", "result");
        let control = Control::default().with_memory(u64::MAX);
        let exact = Exact::new(&game, &control);
        assert_eq!(exact.far.entries.len(), 1 << exact.far.place_bits);
    }

    /// Every n-th position, by one search that remembers from one to the next, in tables of
    /// different sizes so that entries are replaced.
    fn check(game: &ConnectFour, every: usize) {
        let strong = Strong::solve(game, &Control::default()).unwrap();
        for memory in [0, 1 << 20, 1 << 24] {
            let control = Control::default().with_memory(memory);
            let mut exact = Exact::new(game, &control);
            for (state, worth) in strong.iter().step_by(every) {
                let Value(value) = worth.value();
                for less in [1, 0, -1] {
                    let reached = exact.at_least(state, Value(value - less));
                    assert_eq!(reached, Ok(less >= 0), "{} {memory}", game.format(state));
                }
                assert_eq!(exact.value(state), Ok(Value(value)), "{} {memory}", game.format(state));
            }
        }
    }

    #[test]
    fn connect_four_equals_strong_solving() {
        for score in ["result", "stones"] {
            check(&connect_four("4", "4", "4", score), 1);
            check(&connect_four("4", "4", "3", score), 1);
            check(&connect_four("3", "3", "3", score), 1);
            check(&connect_four("5", "3", "4", score), 7);
            check(&connect_four("6", "3", "2", score), 1);
            check(&connect_four("5", "4", "4", score), 397);
        }
    }

    #[test]
    fn stones_left_tell_the_distance() {
        // With scores in stones a win is worth the winner's stones left, so a quick one more.
        let stones = connect_four("4", "4", "3", "stones");
        let result = connect_four("4", "4", "3", "result");
        let strong = Strong::solve(&result, &Control::default()).unwrap();
        let control = Control::default().with_memory(1 << 22);
        let mut exact = Exact::new(&stones, &control);
        for (state, worth) in strong.iter() {
            let Some(plies) = worth.distance().plies() else { panic!("it ends") };
            let value = exact.value(state).unwrap();
            assert_eq!(value.verdict(), worth.value().verdict());
            if worth.value() != Value(0) {
                let placed = foregone_rules::Ranked::rank(&result, state);
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
        let mut exact = Exact::new(&game, &control);
        let moves = exact.moves(&game.start()).unwrap();
        let strong = Strong::solve(&game, &control.clone().with_memory(1 << 31)).unwrap();
        for (mv, value) in moves {
            let child = strong.worth(&game.play(&game.start(), mv)).unwrap();
            assert_eq!(value, Value(-child.value().0), "{mv}");
        }
    }

    #[test]
    fn it_stops_when_told() {
        let game = connect_four("7", "6", "4", "result");
        let control = Control::default().with_memory(1 << 20);
        let control = control.with_time(std::time::Duration::from_millis(20));
        let halted = Exact::new(&game, &control).value(&game.start());
        assert!(matches!(halted, Err(Halted::Time { phase: "searching", .. })));
    }
}
