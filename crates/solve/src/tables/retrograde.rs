//! Solves a layer in which play may loop, from the ends back (retrograde analysis, R. Bellman 1965,
//! K. Thompson 1986). Results are settled by size (the difference from endless play, mostly from 0), the
//! largest first, and within a size the soonest first, as [`Strong`](crate::Strong) does with all
//! positions at once. A win in n plies follows from a loss in n - 1. Positions that are never settled
//! are endless play.
//!
//! One pass over the layer finds for each position the best move out of it, and counts the positions of
//! the layer that its moves lead to. From then on no move is looked at again: a settled position tells its
//! predecessors, who lower their counts; when a count reaches 0, all moves are known. Positions that are
//! alike share a number, and two moves may lead to one number; so pairs of numbers are counted, once each,
//! and each pair is told once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use foregone_rules::{Bank, Indexed, Value, Worth};

use super::Failed;
use super::cell::{OPEN, code};
use super::layer::{PART, Solving, inside, lock};
use super::preference::Preference;
use crate::moves;

/// Settled positions that a thread takes at a time.
const FEW: u64 = 64;

/// In place of a count: the position is settled, or no position has this number.
const SETTLED: u16 = u16::MAX;

const LISTING: &str = "listing predecessors";

/// Numbers to settle, by the plies of their results.
type Due = BTreeMap<u32, Vec<u64>>;

/// What is known of a layer besides the best worths, which are in its cells as [`Preference`]s.
struct Layer {
    /// By number: how many positions of the layer that are not settled its moves lead to, or [`SETTLED`].
    counts: Vec<AtomicU16>,
    /// The sizes of the best moves out of the layer: no other size can arise in it.
    sizes: BTreeSet<u32>,
    /// Whether endless play is worth 0 everywhere.
    zero: bool,
    /// The predecessors, if the game does not list them.
    edges: Option<Vec<Edge>>,
}

/// A move within a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    to: u64,
    from: u64,
    /// Whether it gives the turn to the other side.
    passes: bool,
}

impl Layer {
    fn is_settled(&self, index: u64) -> bool {
        self.counts[index as usize].load(Ordering::Relaxed) == SETTLED
    }
}

impl<G: Indexed> Solving<'_, G> {
    /// Solves the layer.
    pub(super) fn settle(&self, threads: usize) -> Result<(), Failed> {
        let layer = self.look_at_all(threads)?;
        for size in layer.sizes.iter().rev() {
            self.settle_size(*size as i32, &layer, threads)?;
        }
        self.share(threads, self.size(), PART, |part| {
            part.into_iter().try_for_each(|index| self.finish(&layer, index))
        })
    }

    fn best(&self, index: u64) -> Preference {
        Preference::from_bits(self.cells[index as usize].load(Ordering::Relaxed))
    }

    /// Keeps the better of two; the one before.
    fn improve(&self, index: u64, best: Preference) -> Preference {
        let cell = &self.cells[index as usize];
        Preference::from_bits(cell.fetch_max(best.bits(), Ordering::Relaxed))
    }

    /// Looks at all moves of the layer.
    fn look_at_all(&self, threads: usize) -> Result<Layer, Failed> {
        let counts: Vec<_> = self.cells.iter().map(|_| AtomicU16::new(SETTLED)).collect();
        let (sizes, zero) = (Mutex::new(BTreeSet::new()), AtomicBool::new(true));
        let lists = self.game.predecessors(&self.game.start()).is_some();
        let edges = Mutex::new(Vec::new());
        self.share(threads, self.size(), PART, |part| {
            self.report(part.end - part.start)?;
            let (mut here, mut last, mut found) = (BTreeSet::new(), None, Vec::new());
            let mut within = Vec::new();
            for (index, state) in self.game.states(self.number, part) {
                within.clear();
                let best = self.look(&state, &mut within)?;
                if self.endless(&state) != Value(0) {
                    zero.store(false, Ordering::Relaxed);
                }
                if best != Preference::NONE {
                    self.improve(index, best);
                    let size = best.size().unsigned_abs();
                    if last.replace(size) != Some(size) {
                        here.insert(size);
                    }
                }
                within.sort_unstable();
                within.dedup();
                let count = u16::try_from(within.len()).ok().filter(|count| *count != SETTLED);
                let count = count.ok_or(Failed::Moves { layer: self.number })?;
                counts[index as usize].store(count, Ordering::Relaxed);
                if !lists {
                    found.extend(within.iter().map(|(to, passes)| Edge {
                        to: *to,
                        from: index,
                        passes: *passes,
                    }));
                }
            }
            lock(&sizes).extend(here);
            let mut edges = lock(&edges);
            edges.extend(found);
            // A full list is copied to one of twice the size; both exist for a moment.
            let bytes = 3 * edges.len() * size_of::<Edge>();
            let solved = self.done.load(Ordering::Relaxed);
            Ok(self.control.check_memory(bytes as u64, LISTING, solved)?)
        })?;
        let edges = (!lists).then(|| {
            let mut edges = inside(edges);
            edges.sort_unstable();
            edges
        });
        Ok(Layer { counts, sizes: inside(sizes), zero: zero.into_inner(), edges })
    }

    /// The best move out of the layer; or the result, if play is over. Lists the numbers in the layer
    /// that moves lead to, and whether these moves give the turn to the other side.
    fn look(&self, state: &G::State, within: &mut Vec<(u64, bool)>) -> Result<Preference, Failed> {
        let (game, mover, endless) = (self.game, self.game.turn(state), self.endless(state));
        if let Some(outcome) = game.outcome(state) {
            return Ok(Preference::of(Worth::finished(outcome, mover), endless));
        }
        let (mut best, mut moves) = (Preference::NONE, 0u64);
        game.each_successor(state, |_, child| {
            moves += 1;
            self.check_endless(state, child)?;
            let place = game.index(child);
            let turn = game.turn(child);
            if place.0 == self.number {
                if G::Bank::BANKS && G::Bank::banked(game, child) != G::Bank::banked(game, state) {
                    let position = self.subject.position(state);
                    return Err(Failed::BanksWithin { position });
                }
                within.push((place.1, turn != mover));
            } else if let Some(worth) = self.known(child, place) {
                best = best.max(Preference::of(worth.backed_up(turn, mover), endless));
            }
            Ok(())
        })?;
        match moves {
            0 => Err(moves::none(game, state, self.subject.written).into()),
            _ => Ok(best),
        }
    }

    /// Settles all results of one size, the soonest first.
    fn settle_size(&self, size: i32, layer: &Layer, threads: usize) -> Result<(), Failed> {
        let mut due = self.first_due(size, layer, threads)?;
        while let Some((_, mut found)) = due.pop_first() {
            found.sort_unstable();
            found.dedup();
            found.retain(|index| !layer.is_settled(*index));
            // Only now, so that the result does not depend on the order of threads.
            for index in &found {
                layer.counts[*index as usize].store(SETTLED, Ordering::Relaxed);
            }
            for (plies, more) in self.tell(&found, size, layer, threads)? {
                due.entry(plies).or_default().extend(more);
            }
        }
        Ok(())
    }

    /// The plies after which a position gets its result, if it has this size by what is known: by a
    /// winning move, or if all moves are known.
    fn due(&self, index: u64, count: u16, size: i32) -> Option<u32> {
        let best = self.best(index);
        let wins = size > 0 && best.size() == size;
        (wins || count == 0 && best.size() == -size).then(|| best.plies()).flatten()
    }

    /// The positions that have a result of a size with nothing of that size settled yet.
    fn first_due(&self, size: i32, layer: &Layer, threads: usize) -> Result<Due, Failed> {
        let due = Mutex::new(Due::new());
        self.share(threads, self.size(), PART, |part| {
            let mut here = Due::new();
            for index in part {
                let count = layer.counts[index as usize].load(Ordering::Relaxed);
                if count != SETTLED
                    && let Some(plies) = self.due(index, count, size)
                {
                    here.entry(plies).or_default().push(index);
                }
            }
            merge(&due, here);
            Ok(())
        })?;
        Ok(inside(due))
    }

    /// Tells the predecessors of settled positions; those that get a result of this size by it.
    fn tell(&self, found: &[u64], size: i32, layer: &Layer, threads: usize) -> Result<Due, Failed> {
        let due = Mutex::new(Due::new());
        self.share(threads, found.len() as u64, FEW, |part| {
            let (mut here, mut before) = (Due::new(), Vec::new());
            for index in &found[part.start as usize..part.end as usize] {
                before.clear();
                self.list_before(*index, layer, &mut before)?;
                before.sort_unstable();
                before.dedup();
                let best = self.best(*index);
                for (number, passes) in &before {
                    if layer.is_settled(*number) {
                        continue;
                    }
                    self.improve(*number, best.earlier(*passes));
                    // Who lowers the count to 0 sees what all others stored before they lowered it.
                    let count = layer.counts[*number as usize]
                        .fetch_sub(1, Ordering::AcqRel)
                        .wrapping_sub(1);
                    if let Some(plies) = self.due(*number, count, size) {
                        here.entry(plies).or_default().push(*number);
                    }
                }
            }
            merge(&due, here);
            Ok(())
        })?;
        Ok(inside(due))
    }

    /// Lists the numbers of the predecessors of a position within the layer, and whether their moves give
    /// the turn to the other side.
    fn list_before(
        &self,
        index: u64,
        layer: &Layer,
        before: &mut Vec<(u64, bool)>,
    ) -> Result<(), Failed> {
        if let Some(edges) = &layer.edges {
            let from = edges.partition_point(|edge| edge.to < index);
            let edges = edges[from..].iter().take_while(|edge| edge.to == index);
            before.extend(edges.map(|edge| (edge.from, edge.passes)));
            return Ok(());
        }
        let Some(state) = self.game.state(self.number, index) else { return Ok(()) };
        let turn = self.game.turn(&state);
        let all = self
            .game
            .predecessors(&state)
            .ok_or_else(|| Failed::Predecessors { position: self.subject.position(&state) })?;
        before.extend(
            all.iter().map(|earlier| (self.game.index(earlier).1, self.game.turn(earlier) != turn)),
        );
        Ok(())
    }

    /// Replaces the best known worth of a number by its result.
    fn finish(&self, layer: &Layer, index: u64) -> Result<(), Failed> {
        let best = self.best(index);
        let settled = layer.is_settled(index);
        let cell = &self.cells[index as usize];
        if settled && best == Preference::NONE {
            cell.store(OPEN, Ordering::Relaxed);
            return Ok(());
        }
        let endless = match layer.zero {
            true => Value(0),
            false => match self.game.state(self.number, index) {
                Some(state) => self.endless(&state),
                None => Value(0),
            },
        };
        let worth = if settled { best.worth(endless) } else { Worth::endless(endless) };
        cell.store(code(self.values.keep(worth, endless))?, Ordering::Relaxed);
        Ok(())
    }
}

fn merge(due: &Mutex<Due>, here: Due) {
    let mut due = lock(due);
    for (plies, more) in here {
        due.entry(plies).or_default().extend(more);
    }
}
