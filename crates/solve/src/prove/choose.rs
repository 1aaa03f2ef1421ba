//! Choosing the moves of a proof: starting at its position, each position of the claim's side that
//! the other side's replies can reach gets a move.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::num::NonZeroU16;
use std::ops::ControlFlow;

use foldhash::fast::FixedState;
use foregone_record::KeyMap;
use foregone_record::proof::{Claim, has_to_end, proof_key};
use foregone_rules::sort::by_rank;
use foregone_rules::{Encode, Game, Merged, Value};

use super::{Note, Oracle, Unproven};
use crate::control::{Control, Halted, Pace, Progress};

/// The search depth for weights, in narrow games. If a root has more than [`WIDE`] moves, new
/// positions are only counted. (Weights make proofs of narrow games half as large; in wide games
/// they take long, and find moves that look light and lose.)
const DEPTH: u32 = 2;
const WIDE: usize = 8;

/// Weights are no longer looked for after so many moves of the other side, and so many more for each
/// position of the proof: where it moves often in a row, there are very many.
const MAX_LOOKED_AT: u64 = 1 << 21;
const MAX_FOR_EACH: u64 = 1 << 13;

/// The weight of a position in which a move ends the game with the bound reached, and of any other.
const ENDS: u32 = 1;
const OPEN: u32 = 4;

/// No move weighs more.
const HEAVIEST: u32 = u32::MAX - 1;

/// Of a move that adds more positions than this, only this many are weighed: no list of them needs much memory.
const MAX_NEW: u32 = 1 << 16;

/// Positions that are looked up at once.
const AT_ONCE: usize = 16;

const PROVING: &str = "proving";
const KEEPING: &str = "keeping the needed positions";

/// A position in which the claim's side moves and must get at least `bound`.
struct Task<S> {
    state: S,
    bound: i32,
}

/// What is done with a task, and whether more are wanted.
type Visit<'v, G> = &'v mut dyn FnMut(Task<<G as Game>::State>) -> ControlFlow<()>;

/// More are wanted.
const GO_ON: ControlFlow<()> = ControlFlow::Continue(());

/// A claim being proven.
pub(super) struct Proving<'a, G: Encode> {
    game: &'a G,
    number: usize,
    claim: Claim,
    book: &'a mut KeyMap<Note>,
    control: &'a Control,
    /// Whether play may loop.
    can_loop: bool,
    /// The search depth for weights.
    depth: u32,
    /// How many moves of the other side have been looked at.
    looked_at: Cell<u64>,
    /// When the control is looked at next.
    pace: RefCell<Pace>,
    /// The number of notes of earlier claims.
    before: u64,
}

impl<'a, G: Encode> Proving<'a, G> {
    /// The claim with a number about a position; the notes of earlier claims stay in the book.
    pub fn new(
        game: &'a G,
        root: &G::State,
        (number, claim): (usize, Claim),
        can_loop: bool,
        book: &'a mut KeyMap<Note>,
        control: &'a Control,
    ) -> Proving<'a, G> {
        let over = game.outcome(root).is_some();
        let depth = if over || game.moves(root).count() > WIDE { 0 } else { DEPTH };
        let before = book.len();
        let looked_at = Cell::new(0);
        let pace = RefCell::new(Pace::new());
        Proving { game, number, claim, book, control, can_loop, depth, looked_at, pace, before }
    }

    /// The task for the representative of a position: the claim's side must get at least `worth`.
    fn task(&self, state: &G::State, mine: bool, worth: i32) -> Task<G::State> {
        let merged = Merged::of(self.game, state);
        let value = if mine { worth } else { -worth };
        Task { state: merged.state, bound: value - merged.offset.0 }
    }

    /// Visits the positions after the other side's moves, until the claim's side moves or play is
    /// over, or until a visit ends it. The mover of `state` may get at most `-bound`.
    fn replies(&self, state: &G::State, bound: i32, visit: Visit<'_, G>) -> ControlFlow<()> {
        let game = self.game;
        let mut rows = vec![(*state, bound)];
        // If the other side moves again, positions may repeat.
        let mut known = HashSet::with_hasher(FixedState::default());
        while let Some((state, bound)) = rows.pop() {
            if game.outcome(&state).is_some() || !known.is_empty() && !known.insert((state, bound))
            {
                continue;
            }
            let mover = game.turn(&state);
            for (_, child) in game.successors(&state) {
                self.looked_at.set(self.looked_at.get() + 1);
                let again = game.turn(&child) == mover;
                let task = self.task(&child, !again, -bound);
                match again {
                    true => {
                        known.insert((state, bound));
                        rows.push((task.state, task.bound));
                    }
                    false if game.outcome(&task.state).is_some() => {}
                    false => visit(task)?,
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// [`new_after`](Self::new_after) for the largest number of positions; looks at the control now and then, since a
    /// position may have very many moves, and each very many replies.
    fn weighed(&self, state: &G::State, note: Note) -> Result<Vec<Task<G::State>>, Halted> {
        let before = self.looked_at.get();
        let new = self.new_after(state, note, MAX_NEW);
        if self.pace.borrow_mut().is_up(1 + self.looked_at.get() - before) {
            let done = self.book.len() - self.before;
            self.control.report(Progress { phase: PROVING, done, total: None, bounds: None })?;
        }
        Ok(new)
    }

    fn key(&self, state: &G::State) -> u128 {
        proof_key(self.game.encode(state), self.number)
    }

    /// Whether the number of moves left must fall at a position, because endless play does not
    /// reach the bound there. If play can loop, endless play is worth its value plus banked
    /// points, so it counts against the bound of the task; otherwise its value means nothing and it
    /// counts against the claim.
    fn falls(&self, task: &Task<G::State>) -> bool {
        let needed = if self.can_loop { task.bound } else { self.claim.at_least };
        let endless = self.game.endless(&task.state).value_for(self.game.turn(&task.state));
        has_to_end(Value(needed), endless)
    }

    fn is_known(&self, task: &Task<G::State>) -> bool {
        let known = self.book.get(self.key(&task.state));
        known.is_some_and(|note| note.at_least >= task.bound)
    }

    /// Visits the first positions in which the claim's side moves.
    fn begin(&self, root: &G::State, mut visit: impl FnMut(Task<G::State>)) {
        let mine = self.game.turn(root) == self.claim.side();
        let task = self.task(root, mine, self.claim.at_least);
        match mine {
            _ if self.game.outcome(root).is_some() => {}
            true => visit(task),
            false => {
                let _ = self.replies(&task.state, task.bound, &mut |task| {
                    visit(task);
                    GO_ON
                });
            }
        }
    }

    /// Visits the next positions in which the claim's side moves, after its move in `note`.
    fn after(&self, state: &G::State, note: Note, mut visit: impl FnMut(Task<G::State>)) {
        let _ = self.after_until(state, note, &mut |task| {
            visit(task);
            GO_ON
        });
    }

    /// Visits the moves until a visit ends it.
    fn after_until(&self, state: &G::State, note: Note, visit: Visit<'_, G>) -> ControlFlow<()> {
        let game = self.game;
        let Some(mv) = game.moves(state).nth(note.number().into()) else { return GO_ON };
        let child = game.play(state, mv);
        let again = game.turn(&child) == game.turn(state);
        let task = self.task(&child, again, note.at_least);
        match again {
            true if game.outcome(&task.state).is_some() => GO_ON,
            true => visit(task),
            false => self.replies(&task.state, task.bound, visit),
        }
    }

    fn untrue(&self) -> Unproven {
        let Claim { first, at_least } = self.claim;
        Unproven::False { side: if first { "first" } else { "second" }, at_least }
    }

    /// Finds a move for every position that needs one.
    pub fn choose(&mut self, root: &G::State, oracle: &mut dyn Oracle<G>) -> Result<(), Unproven> {
        let Claim { at_least, .. } = self.claim;
        let holds = match self.game.outcome(root) {
            Some(outcome) => outcome.value_for(self.claim.side()).0 >= at_least,
            None if self.game.turn(root) == self.claim.side() => oracle.at_least(root, at_least)?,
            None => !oracle.at_least(root, 1 - at_least)?,
        };
        if !holds {
            return Err(self.untrue());
        }
        let mut open = Vec::new();
        self.begin(root, |task| open.push(task));
        while let Some(task) = open.pop() {
            if self.is_known(&task) {
                continue;
            }
            let before = self.looked_at.get();
            let note = self.pick(&task, oracle)?;
            self.book.insert(self.key(&task.state), note);
            self.after(&task.state, note, |task| {
                if !self.is_known(&task) {
                    open.push(task);
                }
            });
            let done = self.book.len() - self.before;
            if self.pace.get_mut().is_up(1 + self.looked_at.get() - before) {
                self.control.report(Progress {
                    phase: PROVING,
                    done,
                    total: None,
                    bounds: None,
                })?;
                let open = (open.capacity() * size_of::<Task<G::State>>()) as u64;
                let taken = oracle.bytes() + self.book.bytes() + open;
                self.control.check_memory(taken, PROVING, done)?;
            }
        }
        Ok(())
    }

    /// Whether the effort for weights is below its limit.
    fn may_weigh(&self) -> bool {
        let each = MAX_FOR_EACH * (self.book.len() - self.before);
        self.looked_at.get() < MAX_LOOKED_AT + each
    }

    /// The positions that a move adds to the proof at once: all if they are fewer than `max`, otherwise at least
    /// `max` of them.
    fn new_after(&self, state: &G::State, note: Note, max: u32) -> Vec<Task<G::State>> {
        let (mut new, mut looked_up) = (Vec::new(), 0);
        let _ = self.after_until(state, note, &mut |task| {
            new.push(task);
            if new.len() - looked_up == AT_ONCE {
                looked_up = self.keep_new(&mut new, looked_up);
            }
            if looked_up < max as usize { GO_ON } else { ControlFlow::Break(()) }
        });
        self.keep_new(&mut new, looked_up);
        new
    }

    /// Estimates how many positions new ones add to the proof, with search depth `depth`; exact
    /// below `max`, otherwise any number from `max`.
    fn weight_of(&self, new: &[Task<G::State>], depth: u32, max: u32) -> u32 {
        // Each adds at least one.
        let (mut sum, mut rest) = (0u32, new.len() as u32);
        for task in new {
            if sum.saturating_add(rest) >= max {
                return max;
            }
            rest -= 1;
            sum = sum.saturating_add(self.weight(task, depth, max - sum - rest));
        }
        sum
    }

    /// Removes the known tasks, all before `from` being new; returns how many are left.
    fn keep_new(&self, tasks: &mut Vec<Task<G::State>>, from: usize) -> usize {
        // Look-ups one after the other overlap.
        let mut known = [false; AT_ONCE];
        for (known, task) in known.iter_mut().zip(&tasks[from..]) {
            *known = self.is_known(task);
        }
        let mut kept = from;
        for at in from..tasks.len() {
            if !known[at - from] {
                tasks.swap(kept, at);
                kept += 1;
            }
        }
        tasks.truncate(kept);
        kept
    }

    /// Estimates how many positions an open position adds to the proof: few if a move ends the game
    /// with the bound reached, else as many as its lightest move, whether or not that move keeps
    /// the bound.
    fn weight(&self, task: &Task<G::State>, depth: u32, max: u32) -> u32 {
        let game = self.game;
        let Task { state, bound } = task;
        let mover = game.turn(state);
        if depth == 0 || !self.may_weigh() {
            return OPEN;
        }
        let mut going_on = Vec::new();
        for (at, mv) in game.moves(state).enumerate() {
            match game.outcome(&game.play(state, mv)) {
                Some(outcome) if outcome.value_for(mover).0 >= *bound => return ENDS,
                Some(_) => {}
                None => going_on.extend(Note::new(*bound, at)),
            }
        }
        if depth == 1 {
            return OPEN;
        }
        going_on.into_iter().fold(max, |best, note| {
            let new = self.new_after(state, note, best);
            best.min(self.weight_of(&new, depth - 1, best).saturating_add(ENDS))
        })
    }

    /// A move that keeps the bound: the one with the smallest weight, or, if play may loop, the one
    /// that ends play soonest.
    fn pick(&self, task: &Task<G::State>, oracle: &mut dyn Oracle<G>) -> Result<Note, Unproven> {
        let (game, state) = (self.game, &task.state);
        let falls = self.falls(task);
        // The moves that keep the bound, and those of which it is not known soon.
        let (mut keeping, mut unknown) = (Vec::new(), Vec::new());
        for (at, mv) in game.moves(state).enumerate() {
            let note = Note::new(task.bound, at);
            let note = note.ok_or(Unproven::Room("a position has more than 65,535 moves"))?;
            let child = game.play(state, mv);
            let keeps = self.keeps(task, &child, |child, bound| match self.can_loop {
                true => oracle.at_least(child, bound).map(Some),
                // Weights cost less than questions.
                false if self.depth == 0 => Ok(None),
                false => oracle.soon_at_least(child, bound),
            });
            match keeps? {
                Some(true) => keeping.push((oracle.rank(&child).filter(|_| falls), note)),
                Some(false) => {}
                None => unknown.push((child, note)),
            }
        }
        let soonest = keeping.iter().map(|(rank, _)| *rank).min().flatten();
        keeping.retain(|(rank, _)| *rank == soonest);
        if let ([(_, note)], []) = (&keeping[..], &unknown[..]) {
            return Ok(*note);
        }
        let depth = if self.may_weigh() { self.depth } else { 0 };
        let weighed = |(_, note)| Ok((self.weighed(state, note)?, note));
        let mut keeping = keeping.into_iter().map(weighed).collect::<Result<Vec<_>, Halted>>()?;
        // With the fewest new positions first, the others are soon too heavy.
        by_rank(&mut keeping, &|(new, _)| new.len() as i64);
        let mut lightest: Option<(u32, Note)> = None;
        let lighter = |new: &[Task<G::State>], note: Note, lightest: Option<(u32, Note)>| {
            // Of equally light moves the first is taken.
            let max =
                lightest.map_or(u32::MAX, |(weight, other)| weight + u32::from(note.mv < other.mv));
            let weight = self.weight_of(new, depth, max).min(HEAVIEST);
            (weight < max).then_some((weight, note))
        };
        for (new, note) in keeping {
            lightest = lighter(&new, note, lightest).or(lightest);
        }
        // The lightest first: a question may take long.
        let mut light_enough = Vec::new();
        for (child, note) in unknown {
            let new = self.weighed(state, note)?;
            light_enough.extend(lighter(&new, note, lightest).map(|found| (found, child)));
        }
        by_rank(&mut light_enough, &|((weight, note), _)| {
            (i64::from(*weight) << 32) + i64::from(note.mv.get())
        });
        for (light, child) in light_enough {
            let ask = |child: &G::State, bound| oracle.at_least(child, bound).map(Some);
            if self.keeps(task, &child, ask)? == Some(true) {
                return Ok(light.1);
            }
        }
        lightest.map(|(_, note)| note).ok_or_else(|| self.untrue())
    }

    /// Whether the bound is kept in a position after a move; `None` if that is not known.
    fn keeps(
        &self,
        Task { state, bound }: &Task<G::State>,
        child: &G::State,
        mut at_least: impl FnMut(&G::State, i32) -> Result<Option<bool>, Halted>,
    ) -> Result<Option<bool>, Unproven> {
        let game = self.game;
        let mover = game.turn(state);
        Ok(match game.outcome(child) {
            Some(outcome) => Some(outcome.value_for(mover).0 >= *bound),
            None if game.turn(child) == mover => at_least(child, *bound)?,
            None => at_least(child, 1 - bound)?.map(|reached| !reached),
        })
    }

    /// Sets for each needed position the largest number of moves left for its side. Notes that
    /// later choices made unreachable are left out.
    pub fn keep(&mut self, root: &G::State) -> Result<(), Unproven> {
        let total = Some(self.book.len() - self.before);
        let mut done = 0;
        // A position is visited before its successors, and again when all of them are done.
        let mut open: Vec<(G::State, bool)> = Vec::new();
        self.begin(root, |task| open.push((task.state, false)));
        while let Some((state, left)) = open.pop() {
            let key = self.key(&state);
            let Some(note) = self.book.get(key) else { continue };
            if left {
                let mut max = 0;
                self.after(&state, note, |task| {
                    let next = self.book.get(self.key(&task.state)).and_then(|note| note.left);
                    let next = next.filter(|_| self.falls(&task));
                    max = max.max(next.map_or(0, NonZeroU16::get));
                });
                let left = NonZeroU16::MIN.checked_add(max);
                let left =
                    left.ok_or(Unproven::Room("a line of the proof has more than 65,535 moves"))?;
                self.book.insert(key, Note { left: Some(left), ..note });
                continue;
            }
            if note.left.is_some() {
                continue;
            }
            self.book.insert(key, Note { left: Some(NonZeroU16::MIN), ..note });
            done += 1;
            if done % (1 << 16) == 0 {
                self.control.report(Progress { phase: KEEPING, done, total, bounds: None })?;
            }
            let (before, mut falls) = (open.len(), false);
            self.after(&state, note, |task| {
                falls |= self.falls(&task);
                let next = self.book.get(self.key(&task.state));
                if next.is_some_and(|note| note.left.is_none()) {
                    open.push((task.state, false));
                }
            });
            // If endless play reaches the bound, nothing has to fall.
            if falls {
                open.insert(before, (state, true));
            }
        }
        Ok(())
    }
}
