//! Step one of strong solving: finds all positions that can arise, breadth first, and the moves
//! between them.

use std::hash::{BuildHasher, Hash};
use std::mem::size_of;

use foldhash::fast::FixedState;
use foregone_rules::{Game, Merged, Value, Worth, Written};
use hashbrown::HashTable;

use super::blocks::Blocks;
use super::step::{Step, Steps};
use crate::control::{Control, Halted, Pace, Progress};
use crate::moves;

pub(super) const FINDING: &str = "finding positions";

/// One bit of a number says whether the same side moves again.
pub(super) const MAX: u64 = 1 << 31;

/// The positions of a game, numbered in the order they were found.
pub(super) struct Positions<S> {
    pub states: Blocks<S>,
    /// The number of each state, by its hash.
    pub numbers: HashTable<u32>,
}

impl<S: Copy + Eq + Hash> Positions<S> {
    pub fn number(&self, state: &S) -> Option<u32> {
        let hash = FixedState::default().hash_one(state);
        self.numbers.find(hash, |&number| self.states.get(number as usize) == *state).copied()
    }

    pub fn bytes(&self) -> u64 {
        self.states.bytes() + table_bytes(self.numbers.capacity())
    }

    /// The number of a state; a new state gets the next number.
    pub fn find_or_add(&mut self, state: &S) -> u32 {
        let hasher = FixedState::default();
        let Positions { states, numbers } = self;
        let found = numbers.entry(
            hasher.hash_one(state),
            |&number| states.get(number as usize) == *state,
            |&number| hasher.hash_one(states.get(number as usize)),
        );
        let next = states.len() as u32;
        let number = *found.or_insert(next).get();
        if number == next {
            states.push(*state);
        }
        number
    }
}

/// The bytes of a hash table for `capacity` numbers: a power of two of slots, at most seven of
/// eight filled, a number and a byte each.
pub(super) fn table_bytes(capacity: usize) -> u64 {
    let slots = (capacity as u64 * 8).div_ceil(7).next_power_of_two();
    slots * (size_of::<u32>() as u64 + 1)
}

/// Predicts the size of a game while its positions are being found.
pub(super) struct Outlook {
    /// The limit on the number of positions.
    pub max: u64,
    pub expected: u64,
    /// The next prediction is due when the moves of this many positions are known.
    pub next: u64,
    /// Earlier counts: positions with known moves, positions found, moves.
    pub seen: Vec<[u64; 3]>,
}

impl Outlook {
    /// Below this number of positions there is no prediction, because it would be too uncertain.
    const FEW: u64 = 1 << 15;

    /// The limit on the number of moves, per allowed position.
    const MOVES: u64 = 24;

    pub fn new(max: u64) -> Outlook {
        Outlook { max, expected: 0, next: 1 << 10, seen: vec![[0, 1, 0]] }
    }

    /// Whether the game looks too large, given the counts when the moves of `known` positions have
    /// been found.
    ///
    /// Positions are found breadth first. So positions with unknown moves will add about as many
    /// new positions and moves as the last ones did, or fewer new positions if lines of play
    /// transpose. Positions after these are not counted.
    #[inline]
    pub fn is_bad(&mut self, known: u64, found: u64, moves: u64) -> bool {
        (known >= self.next || found > self.max) && self.predicts_bad(known, found, moves)
    }

    #[cold]
    fn predicts_bad(&mut self, known: u64, found: u64, moves: u64) -> bool {
        self.expected = self.expected.max(found);
        if found > self.max {
            return true;
        }
        self.next = known + known / 4;
        // The last half and the last fifth; the one with the smaller growth counts.
        let half = self.seen.iter().rfind(|[before, ..]| *before <= known / 2);
        let windows = [half, self.seen.last()].map(|seen| *seen.unwrap_or(&[0, 1, 0]));
        self.seen.push([known, found, moves]);
        if known < Outlook::FEW {
            return false;
        }
        let waiting = u128::from(found - known);
        let to_come = windows.map(|[before, found_before, moves_before]| {
            [found - found_before, moves - moves_before]
                .map(|more| waiting * u128::from(more) / u128::from(known - before))
        });
        let found_at_end = u128::from(found) + to_come[0][0].min(to_come[1][0]);
        let moves_at_end = u128::from(moves) + to_come[0][1].min(to_come[1][1]);
        self.expected = u64::try_from(found_at_end).unwrap_or(u64::MAX);
        let max = u128::from(self.max);
        found_at_end > max || moves_at_end > max * u128::from(Outlook::MOVES)
    }
}

/// The representative of a position: a function, so that one exploration serves them all; `None` if each stands for
/// itself.
pub(crate) type Like<G> = Option<fn(&G, &<G as Game>::State) -> Merged<<G as Game>::State>>;

pub(super) type Explored<P, S> = (Positions<P>, Steps<S>, Blocks<Worth>);

/// Finds the positions and the steps between them; `like` returns the representative of a position.
/// Finished positions get their worth, all others count as endless play until they are settled.
/// `None` if the game looks too large.
pub(super) fn explore<G: Game, S: Step>(
    game: &G,
    state: &G::State,
    like: Like<G>,
    written: Option<Written<G>>,
    control: &Control,
    outlook: &mut Outlook,
) -> Result<Option<Explored<G::State, S>>, Halted> {
    let max = control.positions().min(MAX);
    let mut positions = Positions { states: Blocks::new(), numbers: HashTable::new() };
    let mut steps = Steps { from: Blocks::new(), steps: Blocks::new(), rising: true, even: true };
    let mut worths: Blocks<Worth> = Blocks::new();
    let mut pace = Pace::new();
    positions.find_or_add(&like.map_or(*state, |like| like(game, state).state));
    let mut at = 0;
    while at < positions.states.len() {
        let found = positions.states.len() as u64;
        if outlook.is_bad(at as u64, found, steps.steps.len() as u64) {
            return Ok(None);
        }
        if pace.is_up(1) {
            control.report(Progress { phase: FINDING, done: found, total: None, bounds: None })?;
        }
        // Within a position, this is checked again every [`Control::INTERVAL`] moves.
        let growing = worths.bytes_to_push()
            + steps.from.bytes_to_push()
            + steps.steps.bytes_to_push()
            + positions.states.bytes_to_push();
        if growing > 0 {
            let taken = positions.bytes() + steps.bytes() + worths.bytes();
            control.check_memory(taken + growing, FINDING, found)?;
        }
        let state = positions.states.get(at);
        let mover = game.turn(&state);
        let first = steps.steps.len();
        steps.from.push(first as u64);
        if let Some(outcome) = game.outcome(&state) {
            worths.push(Worth::finished(outcome, mover));
        } else {
            let endless = endless_at(game, &state);
            worths.push(Worth::endless(endless));
            // Iterated from inside, chained and nested moves are faster.
            game.each_successor(&state, |_, child| {
                if positions.numbers.len() == positions.numbers.capacity() {
                    // The table doubles; the old one exists until it is copied.
                    let taken = positions.bytes() + steps.bytes() + worths.bytes();
                    let doubled = table_bytes(2 * positions.numbers.capacity());
                    control.check_memory(taken + doubled, FINDING, found)?;
                }
                // Taken before the representative may exchange the sides.
                let next = game.turn(child);
                // Without a copy of a child that stands for itself: it takes as long as all else here.
                let merged = like.map(|like| like(game, child));
                let child = merged.as_ref().map_or(child, |merged| &merged.state);
                let offset = merged.as_ref().map_or(Value(0), |merged| merged.offset);
                let Value(gain) = offset.seen_from(next, mover);
                let there = endless_at(game, child).seen_from(next, mover);
                steps.even &= gain == 0 && there == endless;
                let number = positions.find_or_add(child);
                steps.rising &= number as usize > at;
                steps.steps.push(S::new(number, next == mover, gain));
                if pace.is_up(1) {
                    let done = positions.states.len() as u64;
                    control.report(Progress { phase: FINDING, done, total: None, bounds: None })?;
                    let taken = positions.bytes() + steps.bytes() + worths.bytes();
                    control.check_memory(taken, FINDING, done)?;
                    if done > max {
                        return Err(Halted::Positions { limit: max });
                    }
                }
                Ok(())
            })?;
            if steps.steps.len() == first {
                return Err(moves::none(game, &state, written));
            }
            if positions.states.len() as u64 > max {
                return Err(Halted::Positions { limit: max });
            }
        }
        at += 1;
    }
    steps.from.push(steps.steps.len() as u64);
    Ok(Some((positions, steps, worths)))
}

/// The value of endless play for the mover of a position.
pub(super) fn endless_at<G: Game>(game: &G, state: &G::State) -> Value {
    game.endless(state).value_for(game.turn(state))
}
