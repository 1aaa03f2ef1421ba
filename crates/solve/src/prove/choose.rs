//! Choosing the moves of a proof: starting at its position, each position of the claim's side that
//! the other side's replies can reach gets a move.

use std::cell::Cell;
use std::collections::HashSet;
use std::num::NonZeroU16;

use foregone_record::KeyMap;
use foregone_record::proof::{Claim, has_to_end, proof_key};
use foregone_rules::{Encode, Merged, Value};

use super::{Note, Oracle, Unproven};
use crate::control::{Control, Pace, Progress};

/// The search depth for weights, in narrow games. If a root has more than [`WIDE`] moves, new
/// positions are only counted. (Weights make proofs of narrow games half as large; in wide games
/// they take long, and find moves that look light and lose.)
const DEPTH: u32 = 2;
const WIDE: usize = 8;

/// Weights are no longer looked for after so many moves of the other side, and so many more for each
/// position of the proof: where it moves often in a row, there are very many.
const MOST_LOOKED_AT: u64 = 1 << 21;
const MOST_FOR_EACH: u64 = 1 << 13;

/// The weight of a position in which a move ends the game with the bound reached, and of any other.
const ENDS: u32 = 1;
const OPEN: u32 = 4;

const PROVING: &str = "proving";
const KEEPING: &str = "keeping the needed positions";

/// A position in which the claim's side moves and must get at least `bound`.
struct Task<S> {
    state: S,
    bound: i32,
}

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
        Proving { game, number, claim, book, control, can_loop, depth, looked_at, before }
    }

    /// The task for the representative of a position: the claim's side must get at least `worth`.
    fn task(&self, state: &G::State, mine: bool, worth: i32) -> Task<G::State> {
        let merged = Merged::of(self.game, state);
        let value = if mine { worth } else { -worth };
        Task { state: merged.state, bound: value - merged.offset.0 }
    }

    /// Visits the positions after the other side's moves, until the claim's side moves or play is
    /// over. The mover of `state` may get at most `-bound`.
    fn replies(&self, state: &G::State, bound: i32, visit: &mut dyn FnMut(Task<G::State>)) {
        let game = self.game;
        let mut rows = vec![(*state, bound)];
        // If the other side moves again, positions may repeat.
        let mut known = HashSet::new();
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
                    false => visit(task),
                }
            }
        }
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
    fn begin(&self, root: &G::State, visit: &mut dyn FnMut(Task<G::State>)) {
        let mine = self.game.turn(root) == self.claim.side();
        let task = self.task(root, mine, self.claim.at_least);
        match mine {
            _ if self.game.outcome(root).is_some() => {}
            true => visit(task),
            false => self.replies(&task.state, task.bound, visit),
        }
    }

    /// Visits the next positions in which the claim's side moves, after its move in `note`.
    fn after(&self, state: &G::State, note: Note, visit: &mut dyn FnMut(Task<G::State>)) {
        let game = self.game;
        let Some(mv) = game.moves(state).nth(note.number().into()) else { return };
        let child = game.play(state, mv);
        let again = game.turn(&child) == game.turn(state);
        let task = self.task(&child, again, note.at_least);
        match again {
            true if game.outcome(&task.state).is_some() => {}
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
        let (mut open, mut pace) = (Vec::new(), Pace::new());
        self.begin(root, &mut |task| open.push(task));
        while let Some(task) = open.pop() {
            if self.is_known(&task) {
                continue;
            }
            let before = self.looked_at.get();
            let note = self.pick(&task, oracle)?;
            self.book.insert(self.key(&task.state), note);
            self.after(&task.state, note, &mut |task| {
                if !self.is_known(&task) {
                    open.push(task);
                }
            });
            let done = self.book.len() - self.before;
            if pace.is_up(1 + self.looked_at.get() - before) {
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
        let each = MOST_FOR_EACH * (self.book.len() - self.before);
        self.looked_at.get() < MOST_LOOKED_AT + each
    }

    /// Estimates how many positions a move adds to the proof, with search depth `depth`; exact
    /// below `most`, otherwise any number from `most`.
    fn weight_after(&self, state: &G::State, note: Note, depth: u32, most: u32) -> u32 {
        let mut sum: u32 = 0;
        self.after(state, note, &mut |task| {
            if sum < most && !self.is_known(&task) {
                sum = sum.saturating_add(self.weight(&task, depth, most - sum));
            }
        });
        sum
    }

    /// Estimates how many positions an open position adds to the proof: few if a move ends the game
    /// with the bound reached, else as many as its lightest move, whether or not that move keeps
    /// the bound.
    fn weight(&self, task: &Task<G::State>, depth: u32, most: u32) -> u32 {
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
        going_on.into_iter().fold(most, |best, note| {
            best.min(self.weight_after(state, note, depth - 1, best).saturating_add(ENDS))
        })
    }

    /// A move that keeps the bound: the one with the smallest weight, or, if play may loop, the one
    /// that ends play soonest.
    fn pick(&self, task: &Task<G::State>, oracle: &mut dyn Oracle<G>) -> Result<Note, Unproven> {
        let game = self.game;
        let Task { state, bound } = task;
        let mover = game.turn(state);
        let mut moves: Vec<(u32, Note, G::Move)> = Vec::new();
        let depth = if self.may_weigh() { self.depth } else { 0 };
        for (at, mv) in game.moves(state).enumerate() {
            let note = Note::new(*bound, at);
            let note = note.ok_or(Unproven::Room("a position has more than 65,535 moves"))?;
            moves.push((self.weight_after(state, note, depth, u32::MAX), note, mv));
        }
        moves.sort_by_key(|(weight, note, _)| (*weight, note.mv));
        let falls = self.falls(task);
        let mut soonest: Option<(u64, Note)> = None;
        for (_, note, mv) in moves {
            let child = game.play(state, mv);
            let again = game.turn(&child) == mover;
            let keeps = match game.outcome(&child) {
                Some(outcome) => outcome.value_for(mover).0 >= *bound,
                None if again => oracle.at_least(&child, *bound)?,
                None => !oracle.at_least(&child, 1 - bound)?,
            };
            if !keeps {
                continue;
            }
            match oracle.rank(&child).filter(|_| falls) {
                None => return Ok(note),
                Some(left) => {
                    let sooner = soonest.is_none_or(|(other, _)| left < other);
                    soonest = if sooner { Some((left, note)) } else { soonest };
                }
            }
        }
        soonest.map(|(_, note)| note).ok_or_else(|| self.untrue())
    }

    /// Sets for each needed position the largest number of moves left for its side. Notes that
    /// later choices made unreachable are left out.
    pub fn keep(&mut self, root: &G::State) -> Result<(), Unproven> {
        let total = Some(self.book.len() - self.before);
        let mut done = 0;
        // A position is visited before its successors, and again when all of them are done.
        let mut open: Vec<(G::State, bool)> = Vec::new();
        self.begin(root, &mut |task| open.push((task.state, false)));
        while let Some((state, left)) = open.pop() {
            let key = self.key(&state);
            let Some(note) = self.book.get(key) else { continue };
            if left {
                let mut most = 0;
                self.after(&state, note, &mut |task| {
                    let next = self.book.get(self.key(&task.state)).and_then(|note| note.left);
                    let next = next.filter(|_| self.falls(&task));
                    most = most.max(next.map_or(0, NonZeroU16::get));
                });
                let left = NonZeroU16::MIN.checked_add(most);
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
            self.after(&state, note, &mut |task| {
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
