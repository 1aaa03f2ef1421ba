//! Distances of positions with a known value: how soon the game ends if both sides keep the value, the one who
//! wins by the shortest way and all others by the longest.
//!
//! Only moves that keep the value are followed; whether a move does is one question to the search for values.
//! All these positions have the same value, so only plies are compared: "at most n plies?" for growing n
//! (iterative deepening, D. Slate and L. Atkin 1977), or, if both sides delay, for falling n.

use foregone_rules::sort::by_rank;
use foregone_rules::{Game, Side, Value, Written};

use super::values::{Valuing, keeps};
use crate::control::{Control, Halted, Pace, Progress};
use crate::declared::Declared;
use crate::moves::{self, gather};
use crate::remembered::Remembered;
use crate::tables::leaves::Leaf;

/// More plies than any line of play has.
const ENDLESS: i32 = i32::MAX / 2;

/// The longest line of play that fits on the stack, in plies.
const LONGEST_SECOND_PASS: i32 = 1_000;

/// A search for distances of positions, with what it remembers of positions of one value.
pub(crate) struct Distances<'s, G: Game> {
    declared: &'s Declared<G>,
    game: &'s G,
    control: &'s Control,
    leaf: Option<Leaf<'s, G::State>>,
    /// The value of all positions that are followed, for the first side.
    value: Value,
    /// What is known of positions whose mover should have this value, and of those whose mover should have
    /// it negated.
    memories: [Remembered<G::State, Known>; 2],
    nodes: u64,
    pace: Pace,
}

/// Bounds of a distance: it is at least the first and at most the second.
pub(crate) type Bounds = (i32, i32);

/// What is known of the distance of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// It does not have the value.
    OtherValue,
    /// If it has the value, the distance is within bounds.
    Within(Bounds),
}

use Known::{OtherValue, Within};

/// A position after a move.
struct Child<S> {
    state: S,
    /// Bounds of its distance, if it has the value for certain.
    known: Option<Bounds>,
}

impl<'s, G: Game> Distances<'s, G> {
    /// A search within the limits of `control`, that uses `bytes` of memory. `leaf` knows worths with distances.
    pub fn new(
        declared: &'s Declared<G>,
        control: &'s Control,
        bytes: u64,
        leaf: Option<Leaf<'s, G::State>>,
    ) -> Distances<'s, G> {
        Distances {
            declared,
            game: &declared.game,
            control,
            leaf,
            value: Value(0),
            memories: [(); 2].map(|()| Remembered::new(bytes / 2)),
            nodes: 0,
            pace: Pace::new(),
        }
    }

    /// The number of positions so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The distance of a position in plies, given its value.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or a line of play is too long.
    pub fn plies(
        &mut self,
        values: &mut dyn Valuing<G>,
        state: &G::State,
        value: Value,
    ) -> Result<u32, Halted> {
        if self.game.outcome(state).is_some() {
            return Ok(0);
        }
        self.follow(state, value);
        let endless = self.game.endless(state).value_for(self.game.turn(state));
        // If both sides delay, the longest play is the most likely; one line is enough to show that.
        let both_delay = value == endless;
        let mut max = if both_delay { self.longest(state) - 1 } else { 1 };
        loop {
            let answer = self.within(values, state, max, 0)?;
            if both_delay != (answer <= max) {
                return Ok(answer as u32);
            }
            max = if both_delay { answer - 1 } else { answer };
        }
    }

    /// Whether the distance of a position is at most `max` plies, given its value.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or a line of play is too long.
    pub fn at_most(
        &mut self,
        values: &mut dyn Valuing<G>,
        state: &G::State,
        value: Value,
        max: u32,
    ) -> Result<bool, Halted> {
        if self.game.outcome(state).is_some() {
            return Ok(true);
        }
        self.follow(state, value);
        Ok(self.within(values, state, max as i32, 0)? <= max as i32)
    }

    /// From now on, all positions have the value of this one.
    fn follow(&mut self, state: &G::State, value: Value) {
        let value = value.seen_from(self.game.turn(state), Side::First);
        if value != self.value {
            self.memories.iter_mut().for_each(Remembered::clear);
            self.value = value;
        }
    }

    /// Whether the distance is at most `max` plies: if so an upper bound that is, if not a lower bound that is
    /// larger.
    fn within(
        &mut self,
        values: &mut dyn Valuing<G>,
        state: &G::State,
        max: i32,
        length: i32,
    ) -> Result<i32, Halted> {
        self.nodes += 1;
        if let Some(plies) = self.leaf.and_then(|leaf| leaf(state)?.distance().plies()) {
            return Ok(plies as i32);
        }
        if max < 1 {
            return Ok(1);
        }
        let longest = self.longest(state);
        if longest <= max {
            return Ok(longest);
        }
        if length >= LONGEST_SECOND_PASS {
            return Err(Halted::Deep { limit: LONGEST_SECOND_PASS as u32 });
        }
        let (low, high) = match self.recall(state) {
            Some(Within(bounds)) => bounds,
            _ => (1, longest),
        };
        if low > max || high <= max {
            return Ok(if low > max { low } else { high });
        }
        let game = self.game;
        let mover = game.turn(state);
        let wins = self.value.seen_from(Side::First, mover) > game.endless(state).value_for(mover);
        let mut best = None;
        for Child { state: child, known } in self.children(state, wins)? {
            let (low, high) = known.unwrap_or((1, ENDLESS));
            let answer = match () {
                // Whether a move that takes too long keeps the value does not matter to the one who wins.
                () if low >= max && (wins || known.is_some()) => low,
                () if high < max => high,
                () if known.is_none() && !self.keeps(values, (mover, &child))? => continue,
                () => self.within(values, &child, max - 1, length + 1)?,
            };
            let better = best.is_none_or(|best| wins == (answer < best));
            best = if better { Some(answer) } else { best };
            if wins == (answer < max) {
                break;
            }
        }
        let Some(best) = best else {
            let position = Written::text(self.declared.notation, game, state);
            return Err(Halted::Promise { position });
        };
        let bounds = if best < max { (low, best + 1) } else { (best + 1, high) };
        self.keep(state, Within(bounds));
        Ok(best + 1)
    }

    /// The positions after all moves that may keep the value; those first that may answer the question.
    fn children(&mut self, state: &G::State, wins: bool) -> Result<Vec<Child<G::State>>, Halted> {
        let (mut moves, mut children) = (Vec::new(), Vec::new());
        gather(self.game, state, &mut moves, self.control, self.nodes)?;
        if moves.is_empty() {
            return Err(moves::none(self.game, state, self.declared.notation));
        }
        if self.pace.is_up(1 + moves.len() as u64) {
            let phase = "finding distances";
            self.control.report(Progress { phase, done: self.nodes, total: None, bounds: None })?;
        }
        for mv in moves {
            let child = self.game.play(state, mv);
            let known = match self.game.outcome(&child) {
                Some(outcome) if outcome.value_for(Side::First) == self.value => Some((0, 0)),
                Some(_) => continue,
                None => match self.recall(&child) {
                    Some(OtherValue) => continue,
                    Some(Within(bounds)) => Some(bounds),
                    None => None,
                },
            };
            children.push(Child { state: child, known });
        }
        by_rank(&mut children, &|child| {
            let (first, then) = match child.known {
                Some((low, high)) if wins => (high, low),
                Some((low, high)) => (-low, -high),
                None => (if wins { ENDLESS } else { 0 }, 0),
            };
            (i64::from(first) << 32) + i64::from(then)
        });
        Ok(children)
    }

    /// Whether a position has the value, given the side that moved there: the move did not gain anything.
    fn keeps(
        &mut self,
        values: &mut dyn Valuing<G>,
        (before, state): (Side, &G::State),
    ) -> Result<bool, Halted> {
        let next = self.game.turn(state);
        let value = self.value.seen_from(Side::First, next);
        let keeps = keeps(values, state, value, next == before)?;
        if !keeps {
            self.keep(state, OtherValue);
        }
        Ok(keeps)
    }

    /// The most plies that play from here can take.
    fn longest(&self, state: &G::State) -> i32 {
        let left = self.declared.plies_left.and_then(|left| left(self.game, state));
        left.map_or(ENDLESS, |left| (left as i32).clamp(1, ENDLESS))
    }

    fn recall(&self, state: &G::State) -> Option<Known> {
        self.memories[self.memory_of(state)].find(&self.representative(state)).copied()
    }

    fn keep(&mut self, state: &G::State, known: Known) {
        let memory = self.memory_of(state);
        self.memories[memory].keep(self.representative(state), known);
    }

    fn memory_of(&self, state: &G::State) -> usize {
        let Value(value) = self.value.seen_from(Side::First, self.game.turn(state));
        usize::from(value < 0)
    }

    fn representative(&self, state: &G::State) -> G::State {
        self.declared.symmetry.map_or(*state, |like| like(self.game, state))
    }
}
