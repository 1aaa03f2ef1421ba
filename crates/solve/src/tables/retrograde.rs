//! Solves a layer in which play may loop. Results are settled by size (the difference from play
//! without end, mostly from 0), the largest first, and within a size the soonest first, as
//! [`Strong`](crate::Strong) does with all positions at once. A win in n plies follows from a loss
//! in n - 1. Positions that are never decided are endless play.
//!
//! If a game generates the positions before one ([`Indexed::predecessors`]), only these are looked
//! at when it is settled (retrograde analysis, R. Bellman 1965, K. Thompson 1986). Instead of a
//! count of unsettled moves, each position stores one move that is still open, the watched move;
//! only when that one is settled, another is searched for. Unlike counting, this is exact also if
//! symmetric positions share a number. Without predecessors, all open positions are looked at again
//! after every ply.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};

use foregone_rules::{Bank, Distance, Indexed, Value, Worth};

use super::Failed;
use super::cell::OPEN;
use super::layer::{PART, Solving, inside, lock};
use crate::moves;

/// Settled positions that a thread takes at a time.
const FEW: u64 = 64;

/// In place of a watched move: a move out of the layer keeps the position open for this size of
/// result.
const SAFE: u32 = u32::MAX;

/// In place of the best exit: there is no exit; or it is not known yet.
const NO_EXIT: i32 = i32::MIN;
const UNKNOWN: i32 = i32::MAX;

/// A bit for every number of a layer.
struct Bitset(Vec<AtomicU64>);

impl Bitset {
    fn new(size: usize) -> Bitset {
        Bitset((0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    fn set(&self, index: u64) {
        self.0[index as usize / 64].fetch_or(1 << (index % 64), Ordering::Relaxed);
    }

    /// Returns the set bits of a word and clears them.
    fn take(&self, word: u64) -> impl Iterator<Item = u64> {
        let mut bits = self.0[word as usize].swap(0, Ordering::Relaxed);
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            Some(64 * word + u64::from(bit))
        })
    }
}

/// Data for the positions of a layer, in addition to their worths.
struct Kept {
    /// The watched move of an open position: a number of the layer that was open when last looked
    /// at; or [`SAFE`].
    watched: Vec<AtomicU32>,
    /// The size of the best exit, which is a move that leaves the layer or ends the game;
    /// [`NO_EXIT`] if there is none, [`UNKNOWN`] before the first look.
    exits: Vec<AtomicI32>,
    /// Positions that have a move to a position settled in this ply.
    closing: Bitset,
}

/// The state of a position at one size of result.
enum Look {
    /// It is decided: it has a move that wins a result of this size, or no open move.
    Decided(Worth),
    /// It is open because of this number of the layer, or of a move out of the layer ([`SAFE`]).
    Open(u32),
}

/// The difference between a worth and endless play.
fn size(worth: Worth, endless: Value) -> i64 {
    i64::from(worth.value().0) - i64::from(endless.0)
}

/// Positions, by their distance in plies.
type Due = BTreeMap<u32, Vec<(u64, Worth)>>;

impl<G: Indexed> Solving<'_, G> {
    /// Solves the layer.
    pub(super) fn settle(&self, threads: usize) -> Result<(), Failed> {
        if self.size() >= u64::from(SAFE) {
            return Err(Failed::Numbers);
        }
        let kept = Kept {
            watched: self.cells.iter().map(|_| AtomicU32::new(SAFE)).collect(),
            exits: self.cells.iter().map(|_| AtomicI32::new(UNKNOWN)).collect(),
            closing: Bitset::new(self.cells.len()),
        };
        for size in self.settle_finished(threads)?.into_iter().rev() {
            self.settle_size(size as i64, &kept, threads)?;
        }
        self.share(threads, self.size(), PART, |part| {
            self.report(part.end - part.start)?;
            for (index, state) in self.game.states(self.number, part) {
                if self.is_open(index) {
                    let endless = self.endless(&state);
                    self.set(index, Worth::endless(endless), endless)?;
                }
            }
            Ok(())
        })
    }

    /// Settles finished positions, and returns all possible sizes of results. Results inside the
    /// layer come from its exits.
    fn settle_finished(&self, threads: usize) -> Result<BTreeSet<u64>, Failed> {
        let below = self.below.iter().flatten().flat_map(|layer| &layer.worths);
        let below = below.filter(|worth| !worth.is_endless());
        // Whose view they are is not known, so both are taken; sizes that do not occur are
        // harmless.
        let start = self.endless(&self.game.start());
        let views = [start, Value(-start.0)];
        let sizes: BTreeSet<u64> = below
            .flat_map(|worth| views.map(|endless| size(*worth, endless).unsigned_abs()))
            .collect();
        let sizes = Mutex::new(sizes);
        self.share(threads, self.size(), PART, |part| {
            let mut here = BTreeSet::new();
            for (index, state) in self.game.states(self.number, part) {
                if let Some(outcome) = self.game.outcome(&state) {
                    let worth = Worth::finished(outcome, self.game.turn(&state));
                    let endless = self.endless(&state);
                    self.set(index, worth, endless)?;
                    here.insert(size(worth, endless).unsigned_abs());
                    continue;
                }
                if self.game.moves(&state).next().is_none() {
                    return Err(moves::none(self.game, &state, self.subject.written).into());
                }
                for (_, child) in self.game.successors(&state) {
                    self.check_endless(&state, &child)?;
                    if !G::Bank::BANKS {
                        continue;
                    }
                    // Points banked by an exit change the sizes of the results below.
                    let place = self.game.index(&child);
                    if place.0 != self.number {
                        let known = self.known(&child, place);
                        let endless = self.endless(&child);
                        here.extend(known.map(|worth| size(worth, endless).unsigned_abs()));
                    }
                }
            }
            lock(&sizes).extend(here);
            Ok(())
        })?;
        Ok(inside(sizes))
    }

    /// Settles all results of one size, the soonest first.
    fn settle_size(&self, size: i64, kept: &Kept, threads: usize) -> Result<(), Failed> {
        let mut due = self.look_at_all(size, kept, true, threads)?;
        while let Some((_, mut found)) = due.pop_first() {
            found.sort_unstable_by_key(|(index, _)| *index);
            found.dedup_by_key(|(index, _)| *index);
            found.retain(|(index, _)| self.is_open(*index));
            // Stored only now, so that the result does not depend on the order of threads.
            for (index, worth) in &found {
                // A result of size 0 has the value of endless play.
                let worth = match size {
                    0 => self.values.keep(*worth, worth.value()),
                    _ => *worth,
                };
                self.put(*index, worth)?;
            }
            if found.is_empty() {
                continue;
            }
            match self.propagate(&found, size, kept, threads)? {
                Some(wins) => {
                    let losses = self.look_at_closing(size, kept, threads)?;
                    for (plies, more) in [wins, losses].into_iter().flatten() {
                        due.entry(plies).or_default().extend(more);
                    }
                }
                None => due = self.look_at_all(size, kept, false, threads)?,
            }
        }
        Ok(())
    }

    fn is_open(&self, index: u64) -> bool {
        self.cells[index as usize].load(Ordering::Relaxed) == OPEN
    }

    /// All open positions that are decided at this size of result by the known worths; the others
    /// get a watched move. `first`: nothing of this size is settled yet.
    fn look_at_all(
        &self,
        size: i64,
        kept: &Kept,
        first: bool,
        threads: usize,
    ) -> Result<Due, Failed> {
        let due = Mutex::new(Due::new());
        self.share(threads, self.size(), PART, |part| {
            let states = self.game.states(self.number, part);
            let open = states.filter(|(index, _)| {
                self.is_open(*index) && !(first && self.stays_open(*index, size, kept))
            });
            self.look(open, size, kept, &due);
            Ok(())
        })?;
        Ok(inside(due))
    }

    /// Whether an open position stays open at a size with nothing settled yet, known without
    /// another look at its moves.
    fn stays_open(&self, index: u64, size: i64, kept: &Kept) -> bool {
        let exit = i64::from(kept.exits[index as usize].load(Ordering::Relaxed));
        if exit.abs() < size {
            // The exit is not a win of this size, and it prevents a loss of this size.
            return true;
        }
        let watched = kept.watched[index as usize].load(Ordering::Relaxed);
        exit < size && watched != SAFE && self.is_open(watched.into())
    }

    /// Like `look_at_all`, for positions whose watched move was settled.
    fn look_at_closing(&self, size: i64, kept: &Kept, threads: usize) -> Result<Due, Failed> {
        let due = Mutex::new(Due::new());
        self.share(threads, kept.closing.0.len() as u64, PART / 64, |words| {
            let numbers = words.flat_map(|word| kept.closing.take(word));
            let open = numbers.filter(|index| {
                let watched = kept.watched[*index as usize].load(Ordering::Relaxed);
                self.is_open(*index) && watched != SAFE && !self.is_open(watched.into())
            });
            let states =
                open.filter_map(|index| Some((index, self.game.state(self.number, index)?)));
            self.look(states, size, kept, &due);
            Ok(())
        })?;
        Ok(inside(due))
    }

    fn look(
        &self,
        states: impl Iterator<Item = (u64, G::State)>,
        size: i64,
        kept: &Kept,
        due: &Mutex<Due>,
    ) {
        let mut here = Due::new();
        for (index, state) in states {
            let (look, most) = self.decided(&state, size);
            let exit = &kept.exits[index as usize];
            // At the first look nothing else in the layer is known, so this is the best exit.
            if exit.load(Ordering::Relaxed) == UNKNOWN {
                exit.store(most, Ordering::Relaxed);
            }
            match look {
                Look::Decided(worth) => {
                    if let Distance::Plies(plies) = worth.distance() {
                        here.entry(plies).or_default().push((index, worth));
                    }
                }
                Look::Open(child) => kept.watched[index as usize].store(child, Ordering::Relaxed),
            }
        }
        let mut due = lock(due);
        for (plies, more) in here {
            due.entry(plies).or_default().extend(more);
        }
    }

    /// Visits the predecessors of settled positions: returns those that win, and marks the others
    /// as closing. `None` if the game has no predecessors.
    fn propagate(
        &self,
        found: &[(u64, Worth)],
        size: i64,
        kept: &Kept,
        threads: usize,
    ) -> Result<Option<Due>, Failed> {
        let due = Mutex::new(Some(Due::new()));
        self.share(threads, found.len() as u64, FEW, |part| {
            let mut wins = Due::new();
            for (index, worth) in &found[part.start as usize..part.end as usize] {
                let Some(state) = self.game.state(self.number, *index) else { continue };
                let Some(all) = self.game.predecessors(&state) else {
                    *lock(&due) = None;
                    return Ok(());
                };
                for earlier in all {
                    let (_, before) = self.game.index(&earlier);
                    if !self.is_open(before) {
                        continue;
                    }
                    let worth = worth.backed_up(self.game.turn(&state), self.game.turn(&earlier));
                    let more = self::size(worth, self.endless(&earlier));
                    match worth.distance() {
                        Distance::Plies(plies) if size > 0 && more == size => {
                            wins.entry(plies).or_default().push((before, worth));
                        }
                        _ => kept.closing.set(before),
                    }
                }
            }
            if let Some(due) = &mut *lock(&due) {
                for (plies, more) in wins {
                    due.entry(plies).or_default().extend(more);
                }
            }
            Ok(())
        })?;
        Ok(inside(due))
    }

    /// Whether an open position is decided at this size of result, and the largest size among its
    /// known moves; [`NO_EXIT`] if no move is known.
    fn decided(&self, state: &G::State, size: i64) -> (Look, i32) {
        let (mover, endless) = (self.game.turn(state), self.endless(state));
        let mut best: Option<Worth> = None;
        let (mut open, mut most) = (None, NO_EXIT);
        for (_, child) in self.game.successors(state) {
            let place = self.game.index(&child);
            match self.known(&child, place) {
                Some(worth) => {
                    let worth = worth.backed_up(self.game.turn(&child), mover);
                    let more = self::size(worth, endless);
                    most = most.max(more as i32);
                    // Results of smaller size, and endless play, come later.
                    if more.abs() < size || worth.is_endless() {
                        open = Some(SAFE);
                    } else {
                        let all = best.into_iter().chain([worth]);
                        best = all.max_by_key(|worth| worth.key(endless));
                    }
                }
                None => open = open.or(Some(place.1 as u32)),
            }
        }
        let wins = size > 0 && best.is_some_and(|worth| self::size(worth, endless) == size);
        let look = match (best, open) {
            (Some(best), _) if wins => Look::Decided(best),
            (Some(best), None) => Look::Decided(best),
            (_, open) => Look::Open(open.unwrap_or(SAFE)),
        };
        (look, most)
    }
}
