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

/// The number of positions after which a thread checks whether another has the answer, or time is up.
const OFTEN: u64 = 1 << 7;

/// A list of this many moves is checked against the memory limit: a game may yield moves without end.
const MANY: usize = Control::INTERVAL as usize;

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
    pub spot: Spot,
    offset: i32,
}

/// The place of a position in one of the tables.
#[derive(Clone, Copy)]
pub(super) enum Spot {
    Far(Slot),
    Near(Slot),
    /// A layer and a number of the endgame table.
    Endgame(u32, u64),
    Nowhere,
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
    /// Moves generated since the last check.
    pub moves: u64,
    pub written: Option<Written<G>>,
    /// Why it was halted; `None` if it stopped to let the table grow, or because another thread was
    /// faster.
    pub halted: Option<Halted>,
    pub hints: PhantomData<H>,
}

impl<'r, G: Game, H: Hints<G>> Run<'r, G, H> {
    /// Begins a question, unless it is answered already. When this thread ends, for any reason, the
    /// others stop.
    pub fn begin(&mut self) -> Result<Over<'r>, Stop> {
        self.scratch.moves.clear();
        self.scratch.ahead.clear();
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
    #[inline]
    pub fn memo(&self, state: &G::State) -> Memo {
        let below = self.shared.endgame.layers();
        if let Some((layer, number, Value(offset))) = H::number(self.game, state, below) {
            return Memo { spot: Spot::Endgame(layer, number), offset };
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
            Spot::Endgame(layer, number) => !(number ^ u64::from(layer) << 40),
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
            Spot::Endgame(layer, number) => {
                let value = self.shared.endgame.value(layer, number);
                value.map_or(ANY, |Value(value)| (value, value))
            }
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
            Spot::Endgame(..) | Spot::Nowhere => {}
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
    /// Whether the position has no place in any table.
    pub fn is_nowhere(self) -> bool {
        matches!(self.spot, Spot::Nowhere)
    }
}
