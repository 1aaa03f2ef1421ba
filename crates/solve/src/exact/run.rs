//! One thread of a search: what it keeps, and what it does at every position, however it searches.

use std::sync::atomic::Ordering;

use foregone_rules::{Candidates, Game, Value, Written};

use super::bounds::{ANY, Bounds};
use super::hints::Hints;
use super::opinions::Numbers;
use super::shared::{Over, Shared};
use super::table::{Slot, TranspositionTable};
use crate::control::{Control, Halted, Progress};
use crate::moves;
use std::marker::PhantomData;

/// The longest line of play that fits on the stack, in plies.
pub(super) const LONGEST: u32 = 2_000;

/// The longest line without optimisation, on the stack of a test.
pub(super) const SHALLOW: u32 = 200;

/// The number of positions after which a thread checks whether another has the answer, or time is up.
const STOP_CHECKED_EVERY: u64 = 1 << 7;

/// The number of positions after which a thread checks whether another has answered a position on its path.
const PATH_CHECKED_EVERY: u64 = 1 << 10;

/// A list of this many moves is checked against the memory limit: a game may yield moves without end.
pub(super) const MANY: usize = Control::INTERVAL as usize;

/// The search was halted.
pub(super) struct Stop;

/// The data that one thread keeps from one question to the next.
pub(super) struct Scratch<S, M> {
    /// The history score of each kind of move.
    pub learned: Vec<i32>,
    /// A stack with the moves of all positions on the current path.
    pub moves: Vec<(i32, M)>,
    /// A stack with the positions after the moves of all positions on the path where they were looked up, in
    /// the order of these moves.
    pub ahead: Vec<Ahead<S>>,
    /// A stack with the open moves of all positions on the path, in proof-number search.
    pub open: Vec<Open<S>>,
    /// A stack with the positions on the path that are marked for other threads, and their questions.
    pub path: Vec<(Memo, i32)>,
    /// By depth: the average number of positions that a position takes.
    pub sizes: Vec<u64>,
}

impl<S, M> Scratch<S, M> {
    pub fn new(kinds: usize) -> Scratch<S, M> {
        let sizes = vec![u64::MAX / 16; LONGEST as usize + 1];
        Scratch {
            learned: vec![0; kinds],
            moves: Vec::new(),
            ahead: Vec::new(),
            open: Vec::new(),
            path: Vec::new(),
            sizes,
        }
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
    /// The place in a transposition table; the number and the layer in the endgame table.
    slot: Slot,
    offset: i32,
    pub kept_in: KeptIn,
}

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeptIn {
    Far,
    Near,
    Endgame,
    Nothing,
}

/// The result of entering a position.
pub(super) enum Entered {
    /// The answer, as a bound of the value.
    Answer(i32),
    /// The value is between `low` and `high`; the moves to try begin at `first`.
    Open { first: usize, low: i32, high: i32 },
}

/// A position after a move, in depth-first search.
#[derive(Clone, Copy)]
pub(super) struct Ahead<S> {
    pub child: S,
    pub memo: Memo,
    /// Whether the mover is to move again.
    pub again: bool,
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
    /// The place on the path to go back to, since another thread has answered it.
    pub answered: Option<usize>,
    /// Moves generated since the last check.
    pub moves: u64,
    pub written: Option<Written<G>>,
    /// The longest line of play that is searched, in plies.
    pub longest: u32,
    /// Why it was halted; `None` if it stopped to let the table grow, or because another thread was
    /// faster.
    pub halted: Option<Halted>,
    pub hints: PhantomData<H>,
}

impl<'r, G: Game, H: Hints<G>> Run<'r, G, H> {
    /// A thread's search, before its question.
    pub fn new(
        game: &'r G,
        shared: &'r Shared<'r, G::State>,
        near: TranspositionTable<'r>,
        scratch: &'r mut Scratch<G::State, G::Move>,
        written: Option<Written<G>>,
        longest: u32,
    ) -> Run<'r, G, H> {
        Run {
            game,
            shared,
            near,
            scratch,
            nodes: 0,
            kept: 0,
            answered: None,
            moves: 0,
            written,
            longest,
            halted: None,
            hints: PhantomData,
        }
    }

    /// Begins a question, unless it is answered already. When this thread ends, for any reason, the
    /// others stop.
    pub fn begin(&mut self) -> Result<Over<'r>, Stop> {
        self.scratch.moves.clear();
        self.scratch.ahead.clear();
        self.scratch.open.clear();
        self.scratch.path.clear();
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

    /// Counts a position and generates its bounds and moves, unless the bounds answer the question.
    #[inline]
    pub fn enter(&mut self, state: &G::State, question: i32) -> Result<Entered, Stop> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(STOP_CHECKED_EVERY) {
            self.report()?;
        }
        if let Some(worth) = self.shared.leaf.and_then(|leaf| leaf(state)) {
            return Ok(Entered::Answer(worth.value().0));
        }
        let first = self.scratch.moves.len();
        let candidates = &mut Candidates::at_most(&mut self.scratch.moves, MANY);
        let (Value(low), Value(high)) = H::bounds_and_moves(self.game, state, candidates);
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

    /// The table place of a position.
    #[inline(always)]
    pub fn memo(&self, state: &G::State) -> Memo {
        let below = self.shared.endgame.layers();
        if let Some((layer, number, Value(offset))) = H::number(self.game, state, below) {
            let slot = Slot { slot: number as usize, rest: layer.into() };
            return Memo { slot, offset, kept_in: KeptIn::Endgame };
        }
        let Some((key, Value(offset))) = H::key(self.game, state) else {
            return Memo { slot: Slot { slot: 0, rest: 0 }, offset: 0, kept_in: KeptIn::Nothing };
        };
        match H::near_end(self.game, state) {
            true => Memo { slot: self.near.place(key), offset, kept_in: KeptIn::Near },
            false => Memo { slot: self.shared.far.place(key), offset, kept_in: KeptIn::Far },
        }
    }

    /// A hash of a position and a question, independent of the size of the far table.
    pub fn identity(&self, Memo { slot, offset, kept_in }: Memo, question: i32) -> u64 {
        let position = match kept_in {
            KeptIn::Far => self.shared.far.whole(slot),
            KeptIn::Near => self.near.whole(slot),
            KeptIn::Endgame => !(slot.slot as u64 ^ slot.rest << 40),
            KeptIn::Nothing => 0,
        };
        position ^ ((question - offset) as u64).rotate_left(48)
    }

    /// The stored bounds of a position's value.
    #[inline(always)]
    pub fn recall(&self, memo: &Memo) -> Bounds {
        // Most positions are in the far table.
        let (low, high) = match memo.kept_in == KeptIn::Far {
            true => self.shared.far.get(memo.slot),
            false => self.recall_others(memo),
        };
        (low.saturating_add(memo.offset), high.saturating_add(memo.offset))
    }

    #[inline]
    fn recall_others(&self, Memo { slot, kept_in, .. }: &Memo) -> Bounds {
        match kept_in {
            KeptIn::Near => self.near.get(*slot),
            KeptIn::Endgame => {
                let value = self.shared.endgame.value(slot.rest as u32, slot.slot as u64);
                value.map_or(ANY, |Value(value)| (value, value))
            }
            _ => ANY,
        }
    }

    /// Loads what is stored of a position into the cache.
    #[inline]
    pub fn prefetch(&self, Memo { slot, kept_in, .. }: &Memo) {
        if *kept_in == KeptIn::Far {
            self.shared.far.prefetch(*slot);
        } else if *kept_in == KeptIn::Endgame {
            self.shared.endgame.prefetch(slot.rest as u32, slot.slot as u64);
        }
    }

    /// Stores a bound that took `positions` positions to find; the other bound is unknown.
    #[inline]
    pub fn keep(&mut self, memo: Memo, (low, high): Bounds, positions: u64) {
        let Memo { slot, offset, kept_in } = memo;
        let bounds = match low == i32::MIN {
            true => (low, high - offset),
            false => (low - offset, high),
        };
        match kept_in {
            KeptIn::Far => {
                self.kept += 1;
                self.shared.far.set(slot, bounds, positions);
            }
            KeptIn::Near => self.near.set(slot, bounds, positions),
            KeptIn::Endgame | KeptIn::Nothing => {}
        }
    }

    #[cold]
    fn report(&mut self) -> Result<(), Stop> {
        let shared = self.shared;
        if shared.over.load(Ordering::Relaxed) {
            return Err(Stop);
        }
        if !self.nodes.is_multiple_of(Control::INTERVAL) {
            // Counts are summed up at the interval; here only the end is looked for.
            if self.nodes.is_multiple_of(PATH_CHECKED_EVERY) {
                self.answered = self.answered_on_path();
                if self.answered.is_some() {
                    return Err(Stop);
                }
            }
            return match shared.control.is_over() {
                true => self.report_progress(
                    shared.nodes.load(Ordering::Relaxed) + self.nodes % Control::INTERVAL,
                ),
                false => Ok(()),
            };
        }
        let done = shared.nodes.fetch_add(Control::INTERVAL, Ordering::Relaxed) + Control::INTERVAL;
        let kept = std::mem::take(&mut self.kept);
        let kept = shared.kept.fetch_add(kept, Ordering::Relaxed) + kept;
        let work = shared.work.fetch_add(Control::INTERVAL, Ordering::Relaxed);
        let enough = work + Control::INTERVAL >= shared.enough;
        if done >= shared.max || kept >= shared.room || enough {
            return Err(Stop);
        }
        self.report_progress(done)
    }

    /// The first place on the path that another thread has answered: what is searched there is in vain.
    fn answered_on_path(&self) -> Option<usize> {
        self.scratch.path.iter().position(|(memo, question)| {
            let (low, high) = self.recall(memo);
            low >= *question || high < *question
        })
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
        H::bounds_and_moves(self.game, state, candidates);
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
    /// The place in the far table; `None` if it is kept elsewhere.
    #[inline]
    pub fn far(&self) -> Option<Slot> {
        (self.kept_in == KeptIn::Far).then_some(self.slot)
    }
}
