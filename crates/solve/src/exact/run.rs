//! The search of one question on one thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use foregone_rules::{Candidates, Game, Value, Written};

use super::bounds::{ANY, Bounds, seen_before};
use super::dense::Dense;
use super::hints::Hints;
use super::opinions::{Numbers, Opinions};
use super::table::{Slot, TranspositionTable};
use crate::control::{Control, Halted, Progress};
use crate::moves;
use crate::tables::leaves::Leaf;
use std::marker::PhantomData;

/// The longest line of play that fits on the stack, in plies.
pub(super) const LONGEST: u32 = 2_000;

/// The limit of what is learned of a kind of move, in both directions; so it only breaks ties of
/// the game's own order. (More weight does harm: on Connect Four 6x6 61 million nodes become 120 if
/// it can outweigh 2 points of the 16 for a threat, and 213 with 4; without learning it is 89.)
const MOST_LEARNED: i32 = 256;

/// The number of positions after which a thread checks whether another has the answer.
const OFTEN: u64 = 1 << 10;

/// A list of this many moves is checked against the memory limit: a game may yield moves without end.
const MANY: usize = Control::INTERVAL as usize;

/// Marks a move that another thread is searching; scores of games are larger.
const PUT_OFF: i32 = i32::MIN;

/// The search was halted.
pub(super) struct Stop;

/// The data that one thread keeps from one question to the next.
pub(super) struct Scratch<S, M> {
    /// The history score of each kind of move.
    learned: Vec<i32>,
    /// A stack with the moves of all positions on the current path.
    pub moves: Vec<(i32, M)>,
    /// The table places of the positions after the moves of one of them.
    ahead: Vec<Ahead>,
    /// A stack with the open moves of all positions on the path, in proof-number search.
    pub open: Vec<Open<S>>,
}

impl<S, M> Scratch<S, M> {
    pub fn new(kinds: usize) -> Scratch<S, M> {
        Scratch { learned: vec![0; kinds], moves: Vec::new(), ahead: Vec::new(), open: Vec::new() }
    }
}

/// A move without an answer yet, in proof-number search.
#[derive(Clone, Copy)]
pub(super) struct Open<S> {
    pub child: S,
    pub memo: Memo,
    pub again: bool,
    pub numbers: Numbers,
}

/// The table place of a position, and the offset from the stored value to its value.
#[derive(Clone, Copy)]
pub(super) struct Memo {
    spot: Spot,
    offset: i32,
}

#[derive(Clone, Copy)]
enum Spot {
    Far(Slot),
    Near(Slot),
    Dense(usize),
    Nowhere,
}

/// The result of entering a position.
pub(super) enum Entered {
    /// The answer, as a bound of the value.
    Answer(i32),
    /// The value is between `low` and `high`; the moves to try begin at `first`.
    Open { first: usize, low: i32, high: i32 },
}

#[derive(Clone, Copy)]
struct Ahead {
    memo: Memo,
    /// Whether the mover is to move again.
    again: bool,
}

/// The data shared by all threads for one question.
pub(super) struct Shared<'r, S> {
    pub control: &'r Control,
    pub far: TranspositionTable<'r>,
    pub dense: Dense<'r>,
    pub opinions: Opinions<'r>,
    /// The positions that threads are searching, so that others begin elsewhere; `None` for a
    /// single thread.
    pub busy: Option<Busy>,
    /// Whether the question is answered, or all threads should stop.
    pub over: AtomicBool,
    /// The number of position visits, and where to stop.
    pub nodes: AtomicU64,
    pub most: u64,
    /// The number of positions and moves, and where to stop.
    pub work: AtomicU64,
    pub enough: u64,
    /// The number of positions stored in the far table, and where to stop.
    pub kept: AtomicU64,
    pub room: u64,
    /// The proven bounds of the value, for progress reports.
    pub proven: Option<(Value, Value)>,
    /// Known worths of positions.
    pub leaf: Option<Leaf<'r, S>>,
}

/// The positions that threads are searching, by a few bits of their mixed keys. A collision is
/// harmless: it postpones a move without need.
pub(super) struct Busy(Vec<AtomicU64>);

impl Busy {
    const SLOTS: usize = 1 << 12;

    pub fn new() -> Busy {
        Busy((0..Busy::SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// The slot of a mixed key, and its mark.
    fn slot(&self, whole: u64) -> (&AtomicU64, u64) {
        (&self.0[whole as usize % Busy::SLOTS], whole | 1 << 63)
    }
}

/// The search of one thread.
pub(super) struct Run<'r, G: Game, H: Hints<G>> {
    pub game: &'r G,
    pub shared: &'r Shared<'r, G::State>,
    pub near: TranspositionTable<'r>,
    pub scratch: &'r mut Scratch<G::State, G::Move>,
    pub nodes: u64,
    /// Positions stored in the far table since the last sum of all threads.
    pub kept: u64,
    /// Moves generated since the last check.
    pub moves: u64,
    pub written: Option<Written<G>>,
    /// Why it was halted; `None` if it stopped to let the table grow, or because another thread was
    /// faster.
    pub halted: Option<Halted>,
    pub hints: PhantomData<H>,
}

/// Marks the question as over when dropped.
pub(super) struct Over<'r>(&'r AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<'r, G: Game, H: Hints<G>> Run<'r, G, H> {
    /// Answers the question for a position that is not over.
    pub fn ask(&mut self, state: &G::State, question: i32) -> Result<i32, Stop> {
        let _over = self.begin()?;
        let answer = self.search(state, question, 0);
        self.sum_up();
        answer
    }

    /// Begins a question, unless it is answered already. When this thread ends, for any reason, the
    /// others stop.
    pub fn begin(&mut self) -> Result<Over<'r>, Stop> {
        self.scratch.moves.clear();
        self.scratch.open.clear();
        match self.shared.over.load(Ordering::Relaxed) {
            true => Err(Stop),
            false => Ok(Over(&self.shared.over)),
        }
    }

    /// Adds the unreported counts to the shared ones.
    pub fn sum_up(&mut self) {
        self.shared.nodes.fetch_add(self.nodes % Control::INTERVAL, Ordering::Relaxed);
        self.shared.kept.fetch_add(std::mem::take(&mut self.kept), Ordering::Relaxed);
        let work = self.nodes % Control::INTERVAL + std::mem::take(&mut self.moves);
        self.shared.work.fetch_add(work, Ordering::Relaxed);
    }

    /// Is the value at least `question`? If so, a lower bound that is; if not, an upper bound that
    /// is below.
    pub fn search(&mut self, state: &G::State, question: i32, depth: u32) -> Result<i32, Stop> {
        let (first, low, high) = match self.enter(state, question)? {
            Entered::Answer(answer) => return Ok(answer),
            Entered::Open { first, low, high } => (first, low, high),
        };
        let visited = self.nodes;
        let memo = self.memo(state);
        let known = self.recall(memo);
        if known.0 >= question || known.1 < question {
            self.scratch.moves.truncate(first);
            return Ok(if known.0 >= question { known.0 } else { known.1 });
        }
        let mut best = low;
        if !matches!(memo.spot, Spot::Near(_)) {
            best = self.look_ahead(state, question, first, low);
        }
        if best < question {
            best = self.try_moves(state, question, first, best, depth)?;
        }
        self.scratch.moves.truncate(first);
        // Moves that the game left out are worth at most `low`.
        let bounds = match best >= question {
            true => (best, i32::MAX),
            false => (i32::MIN, best.min(high)),
        };
        self.keep(memo, bounds, self.nodes - visited + 1);
        Ok(best.min(high))
    }

    /// Counts a position and generates its bounds and moves, unless the bounds answer the question.
    #[inline]
    pub fn enter(&mut self, state: &G::State, question: i32) -> Result<Entered, Stop> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(OFTEN) {
            self.report()?;
        }
        if let Some(worth) = self.shared.leaf.and_then(|leaf| leaf(state)) {
            return Ok(Entered::Answer(worth.value().0));
        }
        let first = self.scratch.moves.len();
        let candidates = &mut Candidates::new(&mut self.scratch.moves);
        let (Value(low), Value(high)) = H::bounds_and_moves(self.game, state, candidates, MANY);
        if low < question && high >= question {
            let mut moves = self.scratch.moves.len() - first;
            if moves == MANY {
                moves = self.list_all(state, first)?;
            }
            if moves == 0 && self.game.moves(state).next().is_none() {
                self.halted = Some(moves::none(self.game, state, self.written));
                return Err(Stop);
            }
            self.moves += moves as u64;
            if self.moves >= Control::INTERVAL {
                self.look_up()?;
            }
            return Ok(Entered::Open { first, low, high });
        }
        self.scratch.moves.truncate(first);
        Ok(Entered::Answer(if low >= question { low } else { high }))
    }

    /// The best of the known answers of the moves from `first` on. Unless it is a yes, these moves
    /// are removed.
    fn look_ahead(&mut self, state: &G::State, question: i32, first: usize, low: i32) -> i32 {
        let game = self.game;
        let mover = game.turn(state);
        // First the bounds from the game and the table places of the rest, then all memory
        // accesses, so that they overlap, then the stored bounds.
        let mut best = low;
        let mut ahead = std::mem::take(&mut self.scratch.ahead);
        let mut at = first;
        while let Some((_, mv)) = self.scratch.moves.get(at) {
            let child = game.play(state, *mv);
            let again = game.turn(&child) == mover;
            let (Value(low), Value(high)) = H::quick_bounds(game, &child);
            let (least, most) = seen_before((low, high), again);
            if least >= question {
                ahead.clear();
                self.scratch.ahead = ahead;
                return least;
            }
            if most < question {
                best = best.max(most);
                self.scratch.moves.remove(at);
            } else {
                ahead.push(Ahead { memo: self.memo(&child), again });
                at += 1;
            }
        }
        let touched = ahead.iter().fold(0, |all, ahead| match ahead.memo.spot {
            Spot::Far(place) => all | self.shared.far.touch(place),
            Spot::Dense(number) => all | self.shared.dense.touch(number),
            Spot::Near(_) | Spot::Nowhere => all,
        });
        std::hint::black_box(touched);
        let mut at = first;
        for Ahead { memo, again } in ahead.drain(..) {
            let (least, most) = seen_before(self.recall(memo), again);
            if least >= question {
                best = best.max(least);
                break;
            }
            if most < question {
                best = best.max(most);
                self.scratch.moves.remove(at);
            } else {
                at += 1;
            }
        }
        self.scratch.ahead = ahead;
        best
    }

    /// The best answer of the moves from `first` on; stops at the first yes.
    fn try_moves(
        &mut self,
        state: &G::State,
        question: i32,
        first: usize,
        low: i32,
        depth: u32,
    ) -> Result<i32, Stop> {
        if depth >= LONGEST {
            self.halted = Some(Halted::Deep { limit: LONGEST });
            return Err(Stop);
        }
        let game = self.game;
        let mover = game.turn(state);
        let Scratch { learned, moves, .. } = &mut *self.scratch;
        let end = moves.len();
        if end - first > 1 {
            for (promise, mv) in &mut moves[first..] {
                *promise = 2 * MOST_LEARNED * *promise + learned[H::history_slot(game, state, *mv)];
            }
        }
        let mut best = low;
        let mut at = first;
        while at < end {
            // Selects the most promising of the rest; few are needed, so sorting would not pay.
            let moves = &mut self.scratch.moves;
            let most = |next: usize, other: usize| {
                if moves[other].0 > moves[next].0 { other } else { next }
            };
            let next = (at + 1..end).fold(at, most);
            moves.swap(at, next);
            let (promise, mv) = moves[at];
            let child = game.play(state, mv);
            let answer = match game.outcome(&child) {
                Some(outcome) => outcome.value_for(mover).0,
                None => {
                    let shared = self.shared;
                    let mine = shared.busy.as_ref().and_then(|busy| match self.memo(&child).spot {
                        Spot::Far(place) => Some(busy.slot(shared.far.whole(place))),
                        _ => None,
                    });
                    if let Some((slot, mark)) = mine {
                        let elsewhere = at > first && promise != PUT_OFF;
                        if elsewhere && slot.load(Ordering::Relaxed) == mark {
                            self.scratch.moves[at].0 = PUT_OFF;
                            continue;
                        }
                        slot.store(mark, Ordering::Relaxed);
                    }
                    let answer = match game.turn(&child) == mover {
                        true => self.search(&child, question, depth + 1),
                        false => self.search(&child, 1 - question, depth + 1).map(|a| -a),
                    };
                    if let Some((slot, _)) = mine {
                        slot.store(0, Ordering::Relaxed);
                    }
                    answer?
                }
            };
            best = best.max(answer);
            if answer >= question {
                self.learn(state, first, at);
                break;
            }
            at += 1;
        }
        Ok(best)
    }

    /// Learns from a cut-off: the move at `at` caused it, those before it were tried in vain.
    fn learn(&mut self, state: &G::State, first: usize, at: usize) {
        let tried = (at - first) as i32;
        let Scratch { learned, moves, .. } = &mut *self.scratch;
        for (_, vain) in &moves[first..at] {
            let learned = &mut learned[H::history_slot(self.game, state, *vain)];
            *learned -= 1 + *learned / MOST_LEARNED;
        }
        let learned = &mut learned[H::history_slot(self.game, state, moves[at].1)];
        *learned += tried - tried * *learned / MOST_LEARNED;
    }

    /// The table place of a position.
    #[inline]
    pub fn memo(&self, state: &G::State) -> Memo {
        if let Some((number, Value(offset))) = H::dense_index(self.game, state)
            && self.shared.dense.holds(number)
        {
            return Memo { spot: Spot::Dense(number as usize), offset };
        }
        match H::key(self.game, state) {
            Some((key, Value(offset))) if H::near_end(self.game, state) => {
                Memo { spot: Spot::Near(self.near.place(key)), offset }
            }
            Some((key, Value(offset))) => {
                Memo { spot: Spot::Far(self.shared.far.place(key)), offset }
            }
            None => Memo { spot: Spot::Nowhere, offset: 0 },
        }
    }

    /// A hash of a position and a question, independent of the size of the far table.
    pub fn identity(&self, Memo { spot, offset }: Memo, question: i32) -> u64 {
        let position = match spot {
            Spot::Far(place) => self.shared.far.whole(place),
            Spot::Near(place) => self.near.whole(place),
            Spot::Dense(number) => !(number as u64),
            Spot::Nowhere => 0,
        };
        position ^ ((question - offset) as u64).rotate_left(48)
    }

    /// The stored bounds of a position's value.
    #[inline]
    pub fn recall(&self, Memo { spot, offset }: Memo) -> Bounds {
        let (low, high) = match spot {
            Spot::Far(place) => self.shared.far.get(place),
            Spot::Near(place) => self.near.get(place),
            Spot::Dense(number) => self.shared.dense.get(number),
            Spot::Nowhere => ANY,
        };
        (low.saturating_add(offset), high.saturating_add(offset))
    }

    /// Stores a bound that took `positions` positions to find; the other bound is unknown.
    #[inline]
    pub fn keep(&mut self, Memo { spot, offset }: Memo, (low, high): Bounds, positions: u64) {
        let bounds = match low == i32::MIN {
            true => (low, high - offset),
            false => (low - offset, high),
        };
        match spot {
            Spot::Far(place) => {
                self.kept += 1;
                self.shared.far.set(place, bounds, positions);
            }
            Spot::Near(place) => self.near.set(place, bounds, positions),
            Spot::Dense(number) => self.shared.dense.set(number, bounds),
            Spot::Nowhere => {}
        }
    }

    #[cold]
    fn report(&mut self) -> Result<(), Stop> {
        let shared = self.shared;
        if shared.over.load(Ordering::Relaxed) {
            return Err(Stop);
        }
        if !self.nodes.is_multiple_of(Control::INTERVAL) {
            return Ok(());
        }
        let done = shared.nodes.fetch_add(Control::INTERVAL, Ordering::Relaxed) + Control::INTERVAL;
        let kept = std::mem::take(&mut self.kept);
        let kept = shared.kept.fetch_add(kept, Ordering::Relaxed) + kept;
        let work = shared.work.fetch_add(Control::INTERVAL, Ordering::Relaxed);
        let enough = work + Control::INTERVAL >= shared.enough;
        if done >= shared.most || kept >= shared.room || enough {
            return Err(Stop);
        }
        self.report_progress(done)
    }

    /// Replaces the moves from `first` on by all moves of the position, if they fit the memory limit.
    #[cold]
    fn list_all(&mut self, state: &G::State, first: usize) -> Result<usize, Stop> {
        let nodes = self.shared.nodes.load(Ordering::Relaxed);
        let listed = moves::gather(self.game, state, &mut Vec::new(), self.shared.control, nodes);
        listed.map_err(|reason| {
            self.halted = Some(reason);
            Stop
        })?;
        self.scratch.moves.truncate(first);
        let candidates = &mut Candidates::new(&mut self.scratch.moves);
        H::bounds_and_moves(self.game, state, candidates, usize::MAX);
        Ok(self.scratch.moves.len() - first)
    }

    /// Like `report`, after many moves.
    #[cold]
    fn look_up(&mut self) -> Result<(), Stop> {
        let shared = self.shared;
        let moves = std::mem::take(&mut self.moves);
        let work = shared.work.fetch_add(moves, Ordering::Relaxed) + moves;
        if shared.over.load(Ordering::Relaxed) || work >= shared.enough {
            return Err(Stop);
        }
        self.report_progress(shared.nodes.load(Ordering::Relaxed) + self.nodes % Control::INTERVAL)
    }

    fn report_progress(&mut self, done: u64) -> Result<(), Stop> {
        let shared = self.shared;
        let progress = Progress { phase: "searching", done, total: None, bounds: shared.proven };
        shared.control.report(progress).map_err(|reason| {
            self.halted = Some(reason);
            Stop
        })
    }
}

impl Memo {
    /// Whether the position has no place in any table.
    pub fn is_nowhere(self) -> bool {
        matches!(self.spot, Spot::Nowhere)
    }
}
