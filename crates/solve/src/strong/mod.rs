//! Strong solving of any game: the worth of every position that can arise.
//!
//! Two steps, both from the rules alone. First the positions are found, breadth first, and with
//! each the numbers of those that its moves lead to. Then worths are worked out backwards:
//!
//! - Where every move leads to a position found later than its own (all games in which a position
//!   can only arise at one ply), from the last position to the first.
//! - Else in an order in which every position comes before those it leads to, if there is one
//!   (Kahn 1962).
//! - Else the game loops: retrograde analysis (Ströhlein 1970, Thompson 1986), from the finished
//!   positions back over the moves, the largest results first, quick ones before slow ones. A
//!   position is settled as won as soon as one move wins so much, and as lost or drawn when the
//!   last of its moves is settled. What is never settled goes on without end.
//!
//! What is won and lost counts from what play without end is worth, mostly 0. If that is not the same
//! everywhere, positions that lead to each other are settled together, those that play comes to last
//! before all others (`components.rs`).

mod blocks;
mod components;

use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::mem::size_of;

use foldhash::fast::FixedState;
use foregone_rules::{Bank, Encode, Game, Merged, Side, Symmetry, Value, Worth, Written};
use hashbrown::HashTable;

use self::blocks::Blocks;
use crate::control::{Control, Halted, Pace, Progress};
use crate::moves;

const FINDING: &str = "finding positions";
const SORTING: &str = "sorting positions";
const SETTLING: &str = "working back from the end";

/// The worth of every position that can arise from one.
pub struct Strong<G: Game> {
    positions: Positions<G::State>,
    worths: Blocks<Worth>,
    /// When each position was settled, if play without end is not worth the same everywhere.
    settled: Option<Blocks<u32>>,
}

impl<G: Game> fmt::Debug for Strong<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Strong {{ positions: {} }}", self.positions())
    }
}

/// What came of trying whether a game is small.
pub(crate) enum Quickly<G: Game> {
    /// It is.
    Solved(Strong<G>),
    /// It is not.
    Not {
        /// How many positions are to be expected, at least.
        expected: u64,
    },
}

impl<G: Game> Quickly<G> {
    /// What was solved; a game that no number of positions was too many for is.
    fn solved(self) -> Result<Strong<G>, Halted> {
        match self {
            Quickly::Solved(strong) => Ok(strong),
            Quickly::Not { .. } => Err(Halted::Positions { limit: u64::MAX }),
        }
    }
}

/// How large a game looks while its positions are being found.
struct Outlook {
    /// How many positions are few enough.
    most: u64,
    expected: u64,
    /// At how many positions whose moves are known to look next.
    next: u64,
    /// What was seen before: positions whose moves are known, positions found, moves.
    seen: Vec<[u64; 3]>,
}

impl Outlook {
    /// What is seen of so few positions is noted, but tells too little to judge by.
    const FEW: u64 = 1 << 15;

    /// So many moves for each position that is allowed are few enough.
    const MOVES: u64 = 24;

    fn new(most: u64) -> Outlook {
        Outlook { most, expected: 0, next: 1 << 10, seen: vec![[0, 1, 0]] }
    }

    /// Whether the game looks too large; told when the moves of `known` positions have been found.
    ///
    /// Positions are found breadth first. So those whose moves are not known yet will bring about as
    /// many new positions and moves as the last ones did, or fewer new ones where lines of play come
    /// together; what these bring in turn is not counted.
    fn is_bad(&mut self, known: u64, found: u64, moves: u64) -> bool {
        self.expected = self.expected.max(found);
        if found > self.most {
            return true;
        }
        if known < self.next {
            return false;
        }
        self.next = known + known / 4;
        // The last half and the last fifth: whichever brought less.
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
        let most = u128::from(self.most);
        found_at_end > most || moves_at_end > most * u128::from(Outlook::MOVES)
    }
}

/// The positions of a game, numbered in the order they were found.
struct Positions<S> {
    states: Blocks<S>,
    /// The number of each state, found by its hash.
    numbers: HashTable<u32>,
}

/// Numbers of positions need the bit that tells who moves there.
const MOST: u64 = 1 << 31;

/// A move, as the solver keeps it.
trait Step: Copy {
    /// To the position with this number, whether the player who moves there is the one who moved
    /// before, and what the move banks.
    fn new(number: u32, again: bool, gain: i32) -> Self;

    /// The number of the position.
    fn number(self) -> usize;

    /// The same move, kept at the position that it leads to, with the number of the one before.
    fn back(self, number: u32) -> Self;

    /// The worth of this step, for who makes it, to a position of this worth.
    fn worth(self, worth: Worth) -> Worth;
}

/// A move in a game of which positions are whole.
#[derive(Clone, Copy)]
struct Plain(u32);

impl Step for Plain {
    #[inline]
    fn new(number: u32, again: bool, _: i32) -> Plain {
        Plain(number << 1 | u32::from(again))
    }

    #[inline]
    fn number(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    fn back(self, number: u32) -> Plain {
        Plain(number << 1 | self.0 & 1)
    }

    /// Whose turn it is really does not matter, only whether it is the same player's.
    #[inline]
    fn worth(self, worth: Worth) -> Worth {
        let next = if self.0 & 1 == 1 { Side::First } else { Side::Second };
        worth.backed_up(next, Side::First)
    }
}

/// A move that may bank points, where positions are kept without what is banked.
#[derive(Clone, Copy)]
struct Banking(Plain, i32);

impl Step for Banking {
    fn new(number: u32, again: bool, gain: i32) -> Banking {
        Banking(Plain::new(number, again, 0), gain)
    }

    fn number(self) -> usize {
        self.0.number()
    }

    fn back(self, number: u32) -> Banking {
        Banking(self.0.back(number), self.1)
    }

    fn worth(self, worth: Worth) -> Worth {
        let worth = self.0.worth(worth);
        Worth::new(Value(worth.value().0.saturating_add(self.1)), worth.distance())
    }
}

/// The moves between positions, as numbers: those of position n are `steps[from[n]..from[n + 1]]`.
struct Steps<S> {
    from: Blocks<u64>,
    steps: Blocks<S>,
    /// Whether every step leads to a higher number.
    rising: bool,
    /// Whether play without end is worth the same to the first player before and after every step: a
    /// step that banks points changes it.
    even: bool,
}

impl<S: Step> Steps<S> {
    fn of(&self, number: usize) -> impl Iterator<Item = S> + '_ {
        (self.from.get(number)..self.from.get(number + 1)).map(|at| self.steps.get(at as usize))
    }

    fn count(&self, number: usize) -> u32 {
        (self.from.get(number + 1) - self.from.get(number)) as u32
    }

    fn bytes(&self) -> u64 {
        self.from.bytes() + self.steps.bytes()
    }
}

impl<S: Copy + Eq + Hash> Positions<S> {
    fn number(&self, state: &S) -> Option<u32> {
        let hash = FixedState::default().hash_one(state);
        self.numbers.find(hash, |&number| self.states.get(number as usize) == *state).copied()
    }

    fn bytes(&self) -> u64 {
        self.states.bytes() + table_bytes(self.numbers.capacity())
    }

    /// The number of a state, which is given the next one if it is new.
    fn find_or_add(&mut self, state: &S) -> u32 {
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

/// The bytes of a hash table with room for so many numbers: a power of two of slots, at most seven
/// of eight filled, a number and a byte each.
fn table_bytes(capacity: usize) -> u64 {
    let slots = (capacity as u64 * 8).div_ceil(7).next_power_of_two();
    slots * (size_of::<u32>() as u64 + 1)
}

impl<G: Game> Strong<G> {
    /// Solves every position that can arise from the start.
    ///
    /// # Errors
    /// If the control's limits are reached, or it says to stop.
    pub fn solve(game: &G, control: &Control) -> Result<Strong<G>, Halted> {
        Strong::solve_from(game, &game.start(), control)
    }

    /// Solves every position that can arise from `state`.
    ///
    /// # Errors
    /// If the control's limits are reached, or it says to stop.
    pub fn solve_from(game: &G, state: &G::State, control: &Control) -> Result<Strong<G>, Halted> {
        Strong::solve_written(game, state, None, control)
    }

    /// The same, with a notation to name positions in.
    pub(crate) fn solve_written(
        game: &G,
        state: &G::State,
        written: Option<Written<G>>,
        control: &Control,
    ) -> Result<Strong<G>, Halted> {
        Strong::solve_quickly(game, state, written, control, u64::MAX)?.solved()
    }

    /// The same if at most so many positions can arise, and few enough moves for their number.
    pub(crate) fn solve_quickly(
        game: &G,
        state: &G::State,
        written: Option<Written<G>>,
        control: &Control,
        most: u64,
    ) -> Result<Quickly<G>, Halted> {
        let like = |_: &G, state: &G::State| Merged { state: *state, offset: Value(0) };
        Strong::solve_merged::<Plain>(game, state, like, written, control, most)
    }

    /// Solves every position that can arise from `state`, one for all that are alike: of those alone
    /// the worth is known.
    ///
    /// # Errors
    /// If the control's limits are reached, or it says to stop.
    pub fn solve_up_to_symmetry(
        game: &G,
        state: &G::State,
        control: &Control,
    ) -> Result<Strong<G>, Halted>
    where
        G: Symmetry,
    {
        let like = |game: &G, state: &G::State| {
            let state = game.representative(state);
            Merged { state, offset: Value(0) }
        };
        Strong::solve_merged::<Plain>(game, state, like, None, control, u64::MAX)?.solved()
    }

    /// The same with nothing banked, too ([`Merged`]). Of a game that banks points distances are known
    /// only if play without end is worth what is banked, too.
    pub(crate) fn solve_bare(
        game: &G,
        state: &G::State,
        control: &Control,
    ) -> Result<Strong<G>, Halted>
    where
        G: Encode,
    {
        let quickly = match G::Bank::BANKS {
            true => Strong::solve_merged::<Banking>,
            false => Strong::solve_merged::<Plain>,
        };
        quickly(game, state, Merged::of, None, control, u64::MAX)?.solved()
    }

    fn solve_merged<S: Step>(
        game: &G,
        state: &G::State,
        like: impl Fn(&G, &G::State) -> Merged<G::State>,
        written: Option<Written<G>>,
        control: &Control,
        most: u64,
    ) -> Result<Quickly<G>, Halted> {
        let mut outlook = Outlook::new(most);
        let Some((positions, steps, worths)) =
            explore::<G, S>(game, state, like, written, control, &mut outlook)?
        else {
            return Ok(Quickly::Not { expected: outlook.expected });
        };
        let mut settling = Settling {
            taken: positions.bytes() + steps.bytes() + worths.bytes(),
            steps,
            worths,
            endless: |number| endless_at(game, &positions.states.get(number)),
            control,
            pace: Pace::new(),
        };
        let mut settled = None;
        if !settling.steps.even {
            settled = Some(settling.by_components()?);
        } else if settling.steps.rising {
            settling.sweep(None)?;
        } else {
            match settling.sorted()? {
                Some(order) => settling.sweep(Some(&order))?,
                None => settling.retrograde()?,
            }
        }
        let worths = settling.worths;
        Ok(Quickly::Solved(Strong { positions, worths, settled }))
    }

    /// The worth of a position; `None` if it cannot arise.
    pub fn worth(&self, state: &G::State) -> Option<Worth> {
        Some(self.worths.get(self.positions.number(state)? as usize))
    }

    /// How many positions can arise.
    pub fn positions(&self) -> u64 {
        self.worths.len() as u64
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        let settled = self.settled.as_ref().map_or(0, Blocks::bytes);
        self.positions.bytes() + self.worths.bytes() + settled
    }

    /// Whether play without end is worth the same to the first player wherever it goes on.
    pub(crate) fn is_even(&self) -> bool {
        self.settled.is_none()
    }

    /// A number that shows that play comes to an end, or to where it may go on without: if a side
    /// gets more in a position than play without end is worth to it there, the number falls along
    /// some move of that side that keeps what it gets, and along every move of the other side.
    /// `None` if the position cannot arise.
    pub(crate) fn left(&self, game: &G, state: &G::State) -> Option<u64> {
        let number = self.positions.number(state)? as usize;
        if let Some(settled) = &self.settled {
            return Some(settled.get(number).into());
        }
        // What wins more is settled first.
        let worth = self.worths.get(number);
        let size = u64::from(u32::MAX) - size(worth, endless_at(game, state)).unsigned_abs();
        Some(size << 32 | u64::from(worth.distance().plies().unwrap_or(u32::MAX)))
    }

    /// All positions with their worths, in the order in which they can first arise.
    pub fn iter(&self) -> impl Iterator<Item = (&G::State, Worth)> {
        self.positions.states.iter().zip(self.worths.iter().copied())
    }
}

/// What play without end is worth to the mover of a position.
fn endless_at<G: Game>(game: &G, state: &G::State) -> Value {
    game.endless(state).value_for(game.turn(state))
}

/// How much more a worth is than play without end.
fn size(worth: Worth, Value(endless): Value) -> i64 {
    i64::from(worth.value().0) - i64::from(endless)
}

type Explored<P, S> = (Positions<P>, Steps<S>, Blocks<Worth>);

/// Finds the positions and the steps between them, where `like` gives the one that stands for all
/// that are alike; the worths of the finished ones are set, all others go on without end until they
/// are settled. `None` if the game looks too large.
fn explore<G: Game, S: Step>(
    game: &G,
    state: &G::State,
    like: impl Fn(&G, &G::State) -> Merged<G::State>,
    written: Option<Written<G>>,
    control: &Control,
    outlook: &mut Outlook,
) -> Result<Option<Explored<G::State, S>>, Halted> {
    let most = control.positions().min(MOST);
    let mut positions = Positions { states: Blocks::new(), numbers: HashTable::new() };
    let mut steps = Steps { from: Blocks::new(), steps: Blocks::new(), rising: true, even: true };
    let mut worths: Blocks<Worth> = Blocks::new();
    let mut pace = Pace::new();
    positions.find_or_add(&like(game, state).state);
    let mut at = 0;
    while at < positions.states.len() {
        let found = positions.states.len() as u64;
        if outlook.is_bad(at as u64, found, steps.steps.len() as u64) {
            return Ok(None);
        }
        if pace.is_up(1) {
            control.report(Progress { phase: FINDING, done: found, total: None, bounds: None })?;
        }
        // Within a position this is looked at again when there are many moves.
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
            for mv in game.moves(&state) {
                let child = game.play(&state, mv);
                if positions.numbers.len() == positions.numbers.capacity() {
                    // The table doubles; the old one is needed until it is copied.
                    let taken = positions.bytes() + steps.bytes() + worths.bytes();
                    let doubled = table_bytes(2 * positions.numbers.capacity());
                    control.check_memory(taken + doubled, FINDING, found)?;
                }
                // Seen before the sides may be exchanged.
                let next = game.turn(&child);
                let Merged { state: child, offset } = like(game, &child);
                let Value(gain) = offset.seen_from(next, mover);
                let there = endless_at(game, &child).seen_from(next, mover);
                steps.even &= gain == 0 && there == endless;
                let number = positions.find_or_add(&child);
                steps.rising &= number as usize > at;
                steps.steps.push(S::new(number, next == mover, gain));
                if pace.is_up(1) {
                    let done = positions.states.len() as u64;
                    control.report(Progress { phase: FINDING, done, total: None, bounds: None })?;
                    let taken = positions.bytes() + steps.bytes() + worths.bytes();
                    control.check_memory(taken, FINDING, done)?;
                    if done > most {
                        break;
                    }
                }
            }
            if steps.steps.len() == first {
                return Err(moves::none(game, &state, written));
            }
            if positions.states.len() as u64 > most {
                return Err(Halted::Positions { limit: most });
            }
        }
        at += 1;
    }
    steps.from.push(steps.steps.len() as u64);
    Ok(Some((positions, steps, worths)))
}

/// The second step, under way.
struct Settling<'c, S, E> {
    steps: Steps<S>,
    worths: Blocks<Worth>,
    /// What play without end is worth to the mover of each position.
    endless: E,
    control: &'c Control,
    /// Bytes taken by all that was there before.
    taken: u64,
    pace: Pace,
}

impl<S: Step, E: Fn(usize) -> Value> Settling<'_, S, E> {
    fn check_memory(&self, more: u64) -> Result<(), Halted> {
        self.control.check_memory(self.taken + more, SORTING, self.worths.len() as u64)
    }

    /// Looks up if that is due, after `more` moves and a position.
    fn report(&mut self, phase: &'static str, done: usize, more: u32) -> Result<(), Halted> {
        if !self.pace.is_up(1 + u64::from(more)) {
            return Ok(());
        }
        let total = Some(self.worths.len() as u64);
        self.control.report(Progress { phase, done: done as u64, total, bounds: None })
    }

    /// Settles all positions from the end of an order in which each comes before those it leads
    /// to; the order of the numbers if none is given.
    fn sweep(&mut self, order: Option<&Blocks<u32>>) -> Result<(), Halted> {
        let count = self.worths.len();
        for done in 0..count {
            let at = count - 1 - done;
            let number = order.map_or(at, |order| order.get(at) as usize);
            self.report(SETTLING, done, self.steps.count(number))?;
            let moves =
                self.steps.of(number).map(|step| step.worth(self.worths.get(step.number())));
            let endless = (self.endless)(number);
            if let Some(best) = moves.max_by_key(|worth| worth.key(endless)) {
                self.worths.set(number, best);
            }
        }
        Ok(())
    }

    /// How much more a position is worth to its mover than play without end.
    fn size(&self, number: usize) -> i64 {
        size(self.worths.get(number), (self.endless)(number))
    }

    /// How many steps lead to each position.
    fn arrivals(&mut self) -> Result<Blocks<u32>, Halted> {
        let count = self.worths.len();
        self.check_memory(Blocks::<u32>::bytes_for(count))?;
        let mut arrivals = Blocks::filled(0u32, count);
        for number in 0..count {
            self.report(SORTING, number, self.steps.count(number))?;
            for step in self.steps.of(number) {
                *arrivals.get_mut(step.number()) += 1;
            }
        }
        Ok(arrivals)
    }

    /// An order in which every position comes before those it leads to; `None` if the game
    /// loops.
    fn sorted(&mut self) -> Result<Option<Blocks<u32>>, Halted> {
        let count = self.worths.len();
        self.check_memory(2 * Blocks::<u32>::bytes_for(count))?;
        let mut waiting = self.arrivals()?;
        let mut order = Blocks::new();
        // Everything is reached from position 0, so only that can have no arrivals; where it has
        // some, it lies on a loop.
        if waiting.get(0) == 0 {
            order.push(0);
        }
        let mut at = 0;
        while at < order.len() {
            let number = order.get(at) as usize;
            self.report(SORTING, at, self.steps.count(number))?;
            for step in self.steps.of(number) {
                let left = waiting.get_mut(step.number());
                *left -= 1;
                if *left == 0 {
                    order.push(step.number() as u32);
                }
            }
            at += 1;
        }
        Ok((order.len() == count).then_some(order))
    }

    /// The steps that lead to each position, as steps back.
    fn backwards(&mut self) -> Result<Steps<S>, Halted> {
        let count = self.worths.len();
        let steps = self.steps.steps.len();
        let size = Blocks::<u64>::bytes_for(count + 1) + Blocks::<S>::bytes_for(steps);
        self.check_memory(size + Blocks::<u32>::bytes_for(count))?;
        let arrivals = self.arrivals()?;
        let mut from = Blocks::new();
        let mut sum = 0;
        for arriving in arrivals.iter() {
            // For now the end of each position's part; filling it moves this to its beginning.
            sum += u64::from(*arriving);
            from.push(sum);
        }
        from.push(sum);
        let mut back = Blocks::filled(S::new(0, false, 0), steps);
        for number in 0..count {
            self.report(SORTING, number, self.steps.count(number))?;
            for step in self.steps.of(number) {
                let at = from.get_mut(step.number());
                *at -= 1;
                back.set(*at as usize, step.back(number as u32));
            }
        }
        Ok(Steps { from, steps: back, rising: false, even: true })
    }

    /// Settles a game that loops.
    fn retrograde(&mut self) -> Result<(), Halted> {
        let count = self.worths.len();
        let back = self.backwards()?;
        // For the numbers of open moves and the list of settled positions.
        self.check_memory(back.bytes() + 2 * Blocks::<u32>::bytes_for(count))?;
        let mut open: Blocks<u32> = Blocks::new();
        let mut levels = Vec::new();
        for number in 0..count {
            self.report(SORTING, number, 0)?;
            let moves = self.steps.count(number);
            open.push(moves);
            if moves == 0 {
                levels.push(self.size(number).abs());
                // Few different results, many finished positions.
                if levels.len() > 1 << 16 {
                    levels.sort_unstable();
                    levels.dedup();
                }
            }
        }
        levels.sort_unstable();
        levels.dedup();
        let mut settled: Blocks<u32> = Blocks::new();
        let mut at = 0;
        for level in levels.into_iter().rev() {
            for number in 0..count {
                self.report(SETTLING, settled.len(), 0)?;
                let finished = self.steps.count(number) == 0;
                if finished && self.size(number).abs() == level {
                    settled.push(number as u32);
                }
            }
            while at < settled.len() {
                let here = settled.get(at) as usize;
                self.report(SETTLING, at, back.count(here))?;
                at += 1;
                for step in back.of(here) {
                    let before = step.number();
                    let left = open.get_mut(before);
                    if *left == 0 {
                        continue; // settled already
                    }
                    let worth = step.worth(self.worths.get(here));
                    let wins = level > 0 && size(worth, (self.endless)(before)) == level;
                    *left = if wins { 0 } else { *left - 1 };
                    if *left == 0 {
                        self.worths.set(before, worth);
                        settled.push(before as u32);
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
