//! A layer being solved position by position: cells shared by threads, and solving on demand if
//! play cannot loop.

use std::sync::atomic::{AtomicU32, Ordering};

use foldhash::fast::FixedState;
use foregone_record::Values;
use foregone_record::read::with_banked;
use foregone_rules::{Bank, Distance, Indexed, Value, Worth};
use hashbrown::HashMap;

use super::cell::{OPEN, code, worth};
use super::kernel::{Points, View};
use super::work::{DEEPEST, PART, Work};
use super::{Failed, same_endless};
use crate::control::Halted;
use crate::moves;

/// A layer being solved.
pub(super) struct Solving<'a, G: Indexed> {
    pub points: Points<'a, G>,
    pub number: u32,
    /// The code of the worth for each number, or [`OPEN`].
    pub cells: Vec<AtomicU32>,
    /// The layers below.
    pub below: &'a View<u32>,
    pub work: &'a Work<'a>,
}

impl<G: Indexed> Solving<'_, G> {
    /// The worth of a position of this layer or one below, for its mover; `None` if it is not
    /// settled yet.
    #[inline]
    fn known(&self, state: &G::State, (layer, index): (u32, u64)) -> Option<Worth> {
        let code = match layer == self.number {
            true => self.cells[index as usize].load(Ordering::Relaxed),
            false => self.below.cell(layer, index)?,
        };
        let mut worth = if code == OPEN { return None } else { worth(code) };
        // Ranks restart in each layer.
        if layer != self.number && self.points.values == Values::ScoreRank {
            worth = Worth::new(worth.value(), Distance::Plies(0));
        }
        Some(with_banked(self.points.subject.game, state, worth))
    }

    /// Stores the worth of a number. `endless` is the value of endless play there. Drops what a
    /// table of these values does not hold.
    fn set(&self, index: u64, worth: Worth, endless: Value) -> Result<Worth, Failed> {
        let kept = self.points.values.keep(worth, endless);
        self.cells[index as usize].store(code(kept)?, Ordering::Relaxed);
        Ok(kept)
    }

    /// Solves a layer in which play cannot loop.
    pub fn ask(&self) -> Result<(), Failed> {
        self.work.share(self.cells.len() as u64, PART, &|part| {
            self.work.report(part.end - part.start)?;
            for (index, state) in self.points.subject.game.states(self.number, part) {
                if self.cells[index as usize].load(Ordering::Relaxed) == OPEN {
                    self.solve(&state, index, 0)?;
                }
            }
            Ok(())
        })
    }

    /// The worth of a position with no banked points.
    fn solve(&self, state: &G::State, index: u64, depth: u32) -> Result<Worth, Failed> {
        if depth >= DEEPEST {
            return Err(Halted::Deep { limit: DEEPEST }.into());
        }
        let Points { subject, values } = &self.points;
        let game = subject.game;
        let (mover, endless) = (game.turn(state), self.points.endless(state));
        let bare = |state: &G::State| G::Bank::unbanked(game, state);
        if let Some(outcome) = game.outcome(state) {
            return self.set(index, Worth::finished(outcome, mover), endless);
        }
        let mut best: Option<Worth> = None;
        for (_, child) in game.successors(state) {
            same_endless(subject, *values, [&bare(state), &bare(&child)])?;
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
            None => Err(moves::none(game, state, subject.written).into()),
        }
    }
}

/// The cells that occur in a layer, in the order of their worths behind [`OPEN`], and for each number the place of its
/// cell among them.
pub(super) fn packed(number: u32, cells: &[AtomicU32]) -> Result<(Vec<u32>, Vec<u16>), Failed> {
    let mut codes = vec![OPEN];
    let mut known: HashMap<u32, u16, FixedState> = HashMap::from_iter([(OPEN, 0)]);
    for cell in cells {
        let code = cell.load(Ordering::Relaxed);
        if codes.last() != Some(&code) && known.insert(code, 0).is_none() {
            codes.push(code);
        }
    }
    let worths = codes.len() - 1;
    if worths >= usize::from(u16::MAX) {
        return Err(Failed::Many { layer: number, worths });
    }
    codes.sort_unstable();
    for (code, place) in codes.iter().zip(0..) {
        known.insert(*code, place);
    }
    let places = cells.iter().map(|cell| known[&cell.load(Ordering::Relaxed)]).collect();
    Ok((codes, places))
}
