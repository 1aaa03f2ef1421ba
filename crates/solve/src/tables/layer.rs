//! A layer being solved position by position: cells shared by threads, and solving on demand if
//! play cannot loop.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use foldhash::fast::FixedState;
use foregone_record::read::with_banked;
use foregone_record::threads::{beside, inside, lock};
use foregone_record::{Layer, Values};
use foregone_rules::{Bank, Distance, Indexed, Value, Worth};
use hashbrown::HashMap;

use super::cell::{OPEN, code, worth};
use super::{Failed, PHASE, same_endless};
use crate::control::{Control, Halted, Progress};
use crate::moves;
use crate::subject::Subject;

/// Positions that a thread takes at a time.
pub(super) const PART: u64 = 1 << 12;

/// The longest line of play within a layer, in plies.
const DEEPEST: u32 = 20_000;

/// Stack size of a thread, for such a line.
const STACK: usize = DEEPEST as usize * 1024;

/// A layer being solved.
pub(super) struct Solving<'a, G: Indexed> {
    pub(super) subject: Subject<'a, G>,
    pub(super) game: &'a G,
    pub(super) number: u32,
    pub(super) values: Values,
    /// The code of the worth for each number, or [`OPEN`].
    pub(super) cells: Vec<AtomicU32>,
    pub(super) below: &'a [Option<Layer>],
    pub(super) control: &'a Control,
    /// Numbers solved so far, and numbers in all layers.
    pub(super) done: AtomicU64,
    pub(super) total: u64,
}

impl<G: Indexed> Solving<'_, G> {
    pub(super) fn size(&self) -> u64 {
        self.cells.len() as u64
    }

    pub(super) fn report(&self, more: u64) -> Result<(), Halted> {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        let total = Some(self.total);
        self.control.report(Progress { phase: PHASE, done, total, bounds: None })
    }

    /// Lets `threads` threads work on parts of `0..size`; see [`share`].
    pub(super) fn share(
        &self,
        threads: usize,
        size: u64,
        part: u64,
        work: impl Fn(Range<u64>) -> Result<(), Failed> + Sync,
    ) -> Result<(), Failed> {
        share(threads, size, part, &|part| work(part).and_then(|()| Ok(self.report(0)?)))
    }

    /// The worth of a position of this layer or one below, for its mover; `None` if it is not
    /// settled yet.
    #[inline]
    pub(super) fn known(&self, state: &G::State, (layer, index): (u32, u64)) -> Option<Worth> {
        let worth = match layer == self.number {
            true => match self.cells[index as usize].load(Ordering::Relaxed) {
                OPEN => return None,
                code => worth(code),
            },
            false => self.as_exit(self.below[layer as usize].as_ref()?.get(index)?),
        };
        Some(with_banked(self.game, state, worth))
    }

    /// The worth of a position in a lower layer as this layer sees it: ranks restart in each layer.
    #[inline]
    pub(super) fn as_exit(&self, worth: Worth) -> Worth {
        match self.values {
            Values::ScoreRank => Worth::new(worth.value(), Distance::Plies(0)),
            _ => worth,
        }
    }

    /// The value of endless play for the mover, without banked points.
    #[inline]
    pub(super) fn endless(&self, state: &G::State) -> Value {
        let bare = G::Bank::unbanked(self.game, state);
        self.game.endless(&bare).value_for(self.game.turn(&bare))
    }

    /// See [`same_endless`].
    #[inline]
    pub(super) fn check_endless(&self, state: &G::State, child: &G::State) -> Result<(), Failed> {
        let bare = |state| G::Bank::unbanked(self.game, state);
        same_endless(&self.subject, self.values, [&bare(state), &bare(child)])
    }

    /// Stores the worth of a number. `endless` is the value of endless play there. Drops what a
    /// table of these values does not hold.
    pub(super) fn set(&self, index: u64, worth: Worth, endless: Value) -> Result<Worth, Failed> {
        self.put(index, self.values.keep(worth, endless))
    }

    pub(super) fn put(&self, index: u64, kept: Worth) -> Result<Worth, Failed> {
        self.cells[index as usize].store(code(kept)?, Ordering::Relaxed);
        Ok(kept)
    }

    /// Solves a layer in which play cannot loop.
    pub(super) fn ask(&self, threads: usize) -> Result<(), Failed> {
        self.share(threads, self.size(), PART, |part| {
            self.report(part.end - part.start)?;
            for (index, state) in self.game.states(self.number, part) {
                if self.cells[index as usize].load(Ordering::Relaxed) == OPEN {
                    self.solve(&state, index, 0)?;
                }
            }
            Ok(())
        })
    }

    /// The worth of a position with no banked points.
    pub(super) fn solve(&self, state: &G::State, index: u64, depth: u32) -> Result<Worth, Failed> {
        if depth >= DEEPEST {
            return Err(Halted::Deep { limit: DEEPEST }.into());
        }
        let game = self.game;
        let (mover, endless) = (game.turn(state), self.endless(state));
        if let Some(outcome) = game.outcome(state) {
            return self.set(index, Worth::finished(outcome, mover), endless);
        }
        let mut best: Option<Worth> = None;
        for (_, child) in game.successors(state) {
            self.check_endless(state, &child)?;
            let place = game.index(&child);
            let worth = match self.known(&child, place) {
                Some(worth) => worth,
                None => {
                    // It is in the same layer, or else it would be known.
                    let plain = match G::Bank::banked(game, &child) {
                        Value(0) => child,
                        _ => game.state(place.0, place.1).unwrap_or(child),
                    };
                    with_banked(game, &child, self.solve(&plain, place.1, depth + 1)?)
                }
            };
            let worth = worth.backed_up(game.turn(&child), mover);
            best = best.into_iter().chain([worth]).max_by_key(|worth| worth.key(endless));
        }
        match best {
            Some(best) => self.set(index, best, endless),
            None => Err(moves::none(game, state, self.subject.written).into()),
        }
    }

    /// The layer as it is written.
    pub(super) fn layer(self) -> Result<Layer, Failed> {
        layer(self.number, &self.cells)
    }
}

/// Splits `0..size` into parts and lets `threads` threads work on them, until all are done or one fails.
fn share(
    threads: usize,
    size: u64,
    part: u64,
    work: &(dyn Fn(Range<u64>) -> Result<(), Failed> + Sync),
) -> Result<(), Failed> {
    let next = AtomicU64::new(0);
    let failed = Mutex::new(None);
    let run = || loop {
        let from = next.fetch_add(part, Ordering::Relaxed);
        if from >= size {
            return;
        }
        if let Err(error) = work(from..size.min(from + part)) {
            next.store(size, Ordering::Relaxed);
            lock(&failed).get_or_insert(error);
            return;
        }
    };
    let threads = threads.min(size.div_ceil(part).max(1) as usize);
    // If the system cannot start all threads, fewer do the same work.
    if beside(threads, Some(STACK), &|_| run(), &mut || {}) == 0 {
        return Err(Halted::Thread { stack: STACK as u64 }.into());
    }
    inside(failed).map_or(Ok(()), Err)
}

/// A layer of these cells as it is written.
fn layer(number: u32, cells: &[AtomicU32]) -> Result<Layer, Failed> {
    let mut codes: Vec<u32> = Vec::new();
    let mut known: HashMap<u32, u16, FixedState> = HashMap::default();
    for cell in cells {
        let code = cell.load(Ordering::Relaxed);
        if code != OPEN && codes.last() != Some(&code) && known.insert(code, 0).is_none() {
            codes.push(code);
        }
    }
    if codes.len() >= usize::from(u16::MAX) {
        return Err(Failed::Many { layer: number, worths: codes.len() });
    }
    codes.sort_unstable();
    for (at, code) in codes.iter().enumerate() {
        known.insert(*code, at as u16 + 1);
    }
    let cell = |cell: &AtomicU32| match cell.load(Ordering::Relaxed) {
        OPEN => 0,
        code => known[&code],
    };
    let cells = cells.iter().map(cell).collect();
    Ok(Layer { worths: codes.into_iter().map(worth).collect(), cells })
}
