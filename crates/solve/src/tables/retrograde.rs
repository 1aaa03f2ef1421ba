//! A layer in which play may loop: results by size (how much more or less they are than play without
//! end, mostly than 0), the largest first, and of each those that come soonest, as
//! [`Strong`](crate::Strong) does with all positions at once. What is won in so many plies rests on
//! what is lost in one less; what is never decided goes on without end.
//!
//! Where a game tells the positions before one ([`Indexed::predecessors`]), the news of each that is
//! settled goes there alone (retrograde analysis, R. Bellman 1965, K. Thompson 1986). Instead of
//! counting the moves that are left to a position, one of them that is still open is kept in mind for
//! each: only when that one is settled another is looked for. It is exact also where alike positions
//! share a number, which counting is not. Other games are gone through again after every ply.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};

use foregone_rules::{Bank, Distance, Indexed, Value, Worth};

use super::Failed;
use super::cell::OPEN;
use super::layer::{PART, Solving, inside, lock};
use crate::moves;

/// So many settled positions are taken by a thread at a time.
const FEW: u64 = 64;

/// Stands for a move out of the layer that keeps a position open, at this size of result, for good.
const SAFE: u32 = u32::MAX;

/// Stands for the best way out where there is none, and before it is known.
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

    /// The bits of a word that are set; none is afterwards.
    fn take(&self, word: u64) -> impl Iterator<Item = u64> {
        let mut bits = self.0[word as usize].swap(0, Ordering::Relaxed);
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            Some(64 * word + u64::from(bit))
        })
    }
}

/// What is kept of the positions of a layer beside their worths.
struct Kept {
    /// A number of the layer that an open position has a move to, open when last looked at; or [`SAFE`].
    watched: Vec<AtomicU32>,
    /// How much more than play without end the best of the moves is worth that lead out of the layer or end
    /// the game; or [`NO_EXIT`], or [`UNKNOWN`] before the first look.
    exits: Vec<AtomicI32>,
}

/// What is known of an open position at one size of result.
enum Look {
    /// It is decided: it has a move that wins so much, or no open move.
    Decided(Worth),
    /// It is not, because of this number of the layer, or of a move out of it ([`SAFE`]).
    Open(u32),
}

/// How much more a worth is than play without end.
fn size(worth: Worth, endless: Value) -> i64 {
    i64::from(worth.value().0) - i64::from(endless.0)
}

/// Positions by the plies in which they are decided.
type Due = BTreeMap<u32, Vec<(u64, Worth)>>;

impl<G: Indexed> Solving<'_, G> {
    /// Solves the layer.
    pub(super) fn settle(&self, threads: usize) -> Result<(), Failed> {
        if self.size() >= u64::from(SAFE) {
            return Err(Failed::Numbers);
        }
        // The sizes of results that there can be. Of those that come from outside loops are made.
        let below = self.below.iter().flatten().flat_map(|layer| &layer.worths);
        let below = below.filter(|worth| !worth.is_endless());
        // Whose view they are is not known; sizes that nothing has do no harm.
        let start = self.endless(&self.game.start());
        let views = [start, Value(-start.0)];
        let sizes: BTreeSet<u64> = below
            .flat_map(|worth| views.map(|endless| size(*worth, endless).unsigned_abs()))
            .collect();
        let sizes = Mutex::new(sizes);
        let kept = Kept {
            watched: self.cells.iter().map(|_| AtomicU32::new(SAFE)).collect(),
            exits: self.cells.iter().map(|_| AtomicI32::new(UNKNOWN)).collect(),
        };
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
                    return Err(moves::none(self.game, &state, None).into());
                }
                for child in self.game.moves(&state).map(|mv| self.game.play(&state, mv)) {
                    self.check_endless(&state, &child)?;
                    if !G::Bank::BANKS {
                        continue;
                    }
                    // What a move banks on its way out makes other sizes of those below.
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
        let closing = Bitset::new(self.cells.len());
        for size in inside(sizes).into_iter().rev() {
            let size = size as i64;
            let mut due = self.look_at_all(size, &kept, true, threads)?;
            while let Some((_, mut found)) = due.pop_first() {
                found.sort_unstable_by_key(|(index, _)| *index);
                found.dedup_by_key(|(index, _)| *index);
                found.retain(|(index, _)| self.is_open(*index));
                // Only now, so that what comes of it does not depend on the order of threads.
                for (index, worth) in &found {
                    // What has no size is worth as much as play without end.
                    let worth = match size {
                        0 => self.values.keep(*worth, worth.value()),
                        _ => *worth,
                    };
                    self.put(*index, worth)?;
                }
                if found.is_empty() {
                    continue;
                }
                match self.tell(&found, size, &closing, threads)? {
                    Some(wins) => {
                        let losses = self.look_at_closing(&closing, size, &kept, threads)?;
                        for (plies, more) in [wins, losses].into_iter().flatten() {
                            due.entry(plies).or_default().extend(more);
                        }
                    }
                    None => due = self.look_at_all(size, &kept, false, threads)?,
                }
            }
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

    fn is_open(&self, index: u64) -> bool {
        self.cells[index as usize].load(Ordering::Relaxed) == OPEN
    }

    /// All open positions that are decided at this size of result by what is known; for the others
    /// an open move is kept in mind. `first`: nothing of this size is settled yet.
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

    /// Whether an open position is known, without another look at its moves, not to be decided at a size of
    /// which nothing is settled yet.
    fn stays_open(&self, index: u64, size: i64, kept: &Kept) -> bool {
        let exit = i64::from(kept.exits[index as usize].load(Ordering::Relaxed));
        if exit.abs() < size {
            // Neither is it a win, nor will it be worse than that.
            return true;
        }
        let watched = kept.watched[index as usize].load(Ordering::Relaxed);
        exit < size && watched != SAFE && self.is_open(watched.into())
    }

    /// The same for those of which an open move was settled.
    fn look_at_closing(
        &self,
        closing: &Bitset,
        size: i64,
        kept: &Kept,
        threads: usize,
    ) -> Result<Due, Failed> {
        let due = Mutex::new(Due::new());
        self.share(threads, closing.0.len() as u64, PART / 64, |words| {
            let numbers = words.flat_map(|word| closing.take(word));
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
            // At the first look nothing else of the layer is known.
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

    /// Tells the positions before those that were settled: of some it is a win, and the others are
    /// put down as closing. `None` if the game does not tell what is before.
    fn tell(
        &self,
        found: &[(u64, Worth)],
        size: i64,
        closing: &Bitset,
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
                        _ => closing.set(before),
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

    /// Whether an open position is decided at this size of result, and how much more than play without end
    /// the best move is worth of those that are known; [`NO_EXIT`] if none is.
    fn decided(&self, state: &G::State, size: i64) -> (Look, i32) {
        let (mover, endless) = (self.game.turn(state), self.endless(state));
        let mut best: Option<Worth> = None;
        let (mut open, mut most) = (None, NO_EXIT);
        for mv in self.game.moves(state) {
            let child = self.game.play(state, mv);
            let place = self.game.index(&child);
            match self.known(&child, place) {
                Some(worth) => {
                    let worth = worth.backed_up(self.game.turn(&child), mover);
                    let more = self::size(worth, endless);
                    most = most.max(more as i32);
                    // Results of smaller size, and play without end, are looked at later.
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
