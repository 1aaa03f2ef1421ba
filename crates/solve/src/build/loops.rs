//! A layer in which play may loop: results by size, the largest first, and of each those that come
//! soonest, pass by pass, as [`Strong`](crate::Strong) does with all positions at once. What is won
//! in so many plies rests on what is lost in one less; what is never decided goes on without end.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use foregone_rules::{Distance, Indexed, Value, Worth};

use super::{Failed, OPEN, Solving, inside, lock};

/// A bit for every number of a layer.
struct Bitset(Vec<AtomicU64>);

impl Bitset {
    fn new(size: usize) -> Bitset {
        Bitset((0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    fn fill(&self) {
        self.0.iter().for_each(|word| word.store(u64::MAX, Ordering::Relaxed));
    }

    #[inline]
    fn set(&self, index: u64) {
        self.0[index as usize / 64].fetch_or(1 << (index % 64), Ordering::Relaxed);
    }

    /// Whether a bit is set, which it is not afterwards.
    #[inline]
    fn take(&self, index: u64) -> bool {
        let (word, bit) = (&self.0[index as usize / 64], 1 << (index % 64));
        let set = word.load(Ordering::Relaxed) & bit != 0;
        if set {
            word.fetch_and(!bit, Ordering::Relaxed);
        }
        set
    }
}

/// What passes over a layer in which play may loop hand on.
struct Settling {
    /// A bit for every number that is to be looked at: at first all, then those from which a move
    /// leads to one that was settled as lost.
    stale: Bitset,
    /// The same for those from which a move leads to another that was settled: they are decided only
    /// if no move is open any longer.
    closing: Bitset,
    /// What a pass finds, kept for its room.
    found: Vec<(u64, Worth)>,
}

impl<G: Indexed> Solving<'_, G> {
    /// Solves the layer.
    pub(super) fn settle(&self, threads: usize) -> Result<(), Failed> {
        // Results that are decided outside the layer, by size: of them loops are made.
        let sizes = Mutex::new(BTreeSet::new());
        self.share(threads, self.size(), |part| {
            let mut here = BTreeSet::new();
            for (index, state) in self.game.states(self.number, part) {
                if let Some(outcome) = self.game.outcome(&state) {
                    let worth = Worth::finished(outcome, self.game.turn(&state));
                    self.set(index, worth)?;
                    here.insert(worth.value().0.unsigned_abs());
                    continue;
                }
                for mv in self.game.moves(&state) {
                    let child = self.game.play(&state, mv);
                    let place = self.game.index(&child);
                    if place.0 != self.number
                        && let Some(worth) = self.known(&child, place)
                        && !worth.is_endless()
                    {
                        here.insert(worth.value().0.unsigned_abs());
                    }
                }
            }
            lock(&sizes).extend(here);
            Ok(())
        })?;
        let sizes = inside(sizes);
        let [stale, closing] = [(), ()].map(|()| Bitset::new(self.cells.len()));
        let mut settling = Settling { stale, closing, found: Vec::new() };
        for size in sizes.into_iter().rev() {
            settling.stale.fill();
            let mut plies = 1;
            // Until nothing comes about later.
            while plies < u32::MAX {
                plies = self.pass(&mut settling, size as i32, plies, threads)?;
            }
        }
        self.share(threads, self.size(), |part| {
            self.report(part.end - part.start)?;
            for (index, _) in self.game.states(self.number, part) {
                if self.cells[index as usize].load(Ordering::Relaxed) == OPEN {
                    self.set(index, Worth::ENDLESS_DRAW)?;
                }
            }
            Ok(())
        })
    }

    /// Settles every open position that is decided, at this size of result, in exactly so many
    /// plies. The next number of plies at which something may be decided; the largest number where
    /// there is none.
    fn pass(
        &self,
        settling: &mut Settling,
        size: i32,
        plies: u32,
        threads: usize,
    ) -> Result<u32, Failed> {
        let next = AtomicU32::new(u32::MAX);
        let found = Mutex::new(std::mem::take(&mut settling.found));
        let Settling { stale, closing, .. } = &*settling;
        self.share(threads, self.size(), |part| {
            let mut here = Vec::new();
            let mut later = u32::MAX;
            for index in part {
                let (any, closed) = (stale.take(index), closing.take(index));
                let open = self.cells[index as usize].load(Ordering::Relaxed) == OPEN;
                if !(any || closed) || !open {
                    continue;
                }
                let Some(state) = self.game.state(self.number, index) else { continue };
                let Some(worth) = self.decided(&state, size, any) else { continue };
                match worth.distance() {
                    Distance::Plies(at) if at <= plies => here.push((index, worth)),
                    Distance::Plies(at) => {
                        later = later.min(at);
                        stale.set(index);
                    }
                    Distance::Endless => {}
                }
            }
            if !here.is_empty() {
                later = later.min(plies + 1);
            }
            next.fetch_min(later, Ordering::Relaxed);
            lock(&found).extend(here);
            Ok(())
        })?;
        // Only now, so that what a pass finds does not depend on the order of its threads.
        let found = inside(found);
        for (index, worth) in &found {
            self.set(*index, *worth)?;
        }
        self.share(threads, found.len() as u64, |part| {
            for (index, worth) in &found[part.start as usize..part.end as usize] {
                let Some(state) = self.game.state(self.number, *index) else { continue };
                let Some(earlier) = self.game.before(&state) else {
                    // All are to be looked at again.
                    stale.fill();
                    break;
                };
                for earlier in earlier {
                    let (_, before) = self.game.index(&earlier);
                    let value =
                        worth.value().before(self.game.turn(&state), self.game.turn(&earlier));
                    match value.0 > 0 {
                        true => stale.set(before),
                        false => closing.set(before),
                    }
                }
            }
            Ok(())
        })?;
        settling.found = found;
        settling.found.clear();
        Ok(next.into_inner())
    }

    /// What an open position is worth, if that is decided at this size of result: it has a move
    /// that wins so much, or no open move. Unless `any`, only the latter is looked for.
    fn decided(&self, state: &G::State, size: i32, any: bool) -> Option<Worth> {
        let mover = self.game.turn(state);
        let mut best: Option<Worth> = None;
        let mut open = false;
        for mv in self.game.moves(state) {
            let child = self.game.play(state, mv);
            let place = self.game.index(&child);
            match self.known(&child, place) {
                Some(worth) => {
                    let worth = worth.before(self.game.turn(&child), mover);
                    // Results of smaller size, and play without end, are looked at later.
                    let smaller = worth.value().0.abs() < size || worth.is_endless();
                    open |= smaller;
                    best = best.max((!smaller).then_some(worth));
                }
                None if !any => return None,
                None => open = true,
            }
        }
        let wins = size > 0 && best.is_some_and(|worth| worth.value() == Value(size));
        if wins || !open { best } else { None }
    }
}
