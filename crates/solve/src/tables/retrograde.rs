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

use foregone_rules::{Indexed, Value};

use super::Failed;
use super::kernel::{Neighbour, Points};
use super::known::Known;
use super::layer::{PART, Solving};
use super::preference::Preference;
use foregone_record::threads::{inside, lock};

/// Settled positions that a thread takes at a time.
const FEW: u64 = 64;

const LISTING: &str = "listing predecessors";

/// Numbers to settle, by the plies of their results.
type Due = BTreeMap<u32, Vec<u64>>;

/// What is known of a layer besides the best worths, which are in its cells as [`Preference`]s.
struct Layer {
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
pub struct Edge {
    /// The number that it leads to.
    pub to: u64,
    /// The number where it begins.
    pub from: u64,
    /// Whether it gives the turn to the other side.
    pub passes: bool,
}

impl Edge {
    /// A move from a number.
    pub(super) const fn new(from: u64, to: Neighbour) -> Edge {
        Edge { to: to.number(), from, passes: to.passes() }
    }
}

/// The edges to a number, of edges that are sorted.
pub(super) fn edges_to(edges: &[Edge], number: u64) -> impl Iterator<Item = &Edge> {
    let from = edges.partition_point(|edge| edge.to < number);
    edges[from..].iter().take_while(move |edge| edge.to == number)
}

impl<G: Indexed> Solving<'_, G> {
    /// Solves the layer.
    pub(super) fn settle(&self, threads: usize) -> Result<(), Failed> {
        let layer = self.look_at_all(threads)?;
        for size in layer.sizes.iter().rev() {
            self.settle_size(*size as i32, &layer, threads)?;
        }
        let known = self.of(&layer.counts);
        self.share(threads, self.size(), PART, |part| {
            for index in part {
                let code = self.points().result(self.number, index, &known, layer.zero)?;
                self.cells[index as usize].store(code, Ordering::Relaxed);
            }
            Ok(())
        })
    }

    fn of<'k>(&'k self, counts: &'k [AtomicU16]) -> Known<'k> {
        Known { first: 0, best: &self.cells, counts }
    }

    fn points(&self) -> Points<'_, G> {
        Points { subject: self.subject, values: self.values }
    }

    /// Looks at all moves of the layer.
    fn look_at_all(&self, threads: usize) -> Result<Layer, Failed> {
        let counts = Known::counts(self.size());
        let (sizes, zero) = (Mutex::new(BTreeSet::new()), AtomicBool::new(true));
        let lists = self.game.predecessors(&self.game.start()).is_some();
        let edges = Mutex::new(Vec::new());
        let (points, known) = (self.points(), self.of(&counts));
        self.share(threads, self.size(), PART, |part| {
            self.report(part.end - part.start)?;
            let (mut here, mut last, mut found) = (BTreeSet::new(), None, Vec::new());
            let mut within = Vec::new();
            for (index, state) in self.game.states(self.number, part) {
                within.clear();
                let (endless, mut best) = (points.endless(&state), Preference::NONE);
                if endless != Value(0) {
                    zero.store(false, Ordering::Relaxed);
                }
                let over = points.look(&state, endless, |(lower, number), mv| {
                    if lower == self.number {
                        points.stays(&state, mv)?;
                        within.push(Neighbour::new(number, mv.passes));
                    } else if let Some(below) = &self.below[lower as usize]
                        && let Some(worth) = below.get(number)
                    {
                        best = best.max(points.exit(mv, worth));
                    }
                    Ok(())
                })?;
                let best = best.max(over);
                if best != Preference::NONE {
                    let size = best.size().unsigned_abs();
                    if last.replace(size) != Some(size) {
                        here.insert(size);
                    }
                }
                within.sort_unstable();
                within.dedup();
                if !known.open(index, best, within.len()) {
                    return Err(Failed::Moves { layer: self.number });
                }
                if !lists {
                    found.extend(within.iter().map(|to| Edge::new(index, *to)));
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

    /// Settles all results of one size, the soonest first.
    fn settle_size(&self, size: i32, layer: &Layer, threads: usize) -> Result<(), Failed> {
        let known = self.of(&layer.counts);
        let mut due = self.first_due(size, known, threads)?;
        while let Some((_, mut found)) = due.pop_first() {
            // Only now, so that the result does not depend on the order of threads.
            found.retain(|index| known.settle(*index));
            for (plies, more) in self.notify(&found, size, layer, threads)? {
                due.entry(plies).or_default().extend(more);
            }
        }
        Ok(())
    }

    /// The positions that have a result of a size with nothing of that size settled yet.
    fn first_due(&self, size: i32, known: Known<'_>, threads: usize) -> Result<Due, Failed> {
        let due = Mutex::new(Due::new());
        self.share(threads, self.size(), PART, |part| {
            let mut here = Due::new();
            for index in part {
                if let Some(plies) = known.due(index, size) {
                    here.entry(plies).or_default().push(index);
                }
            }
            merge(&due, here);
            Ok(())
        })?;
        Ok(inside(due))
    }

    /// Tells the predecessors of settled positions; those that get a result of this size by it.
    fn notify(
        &self,
        found: &[u64],
        size: i32,
        layer: &Layer,
        threads: usize,
    ) -> Result<Due, Failed> {
        let due = Mutex::new(Due::new());
        let (points, known) = (self.points(), self.of(&layer.counts));
        self.share(threads, found.len() as u64, FEW, |part| {
            let (mut here, mut before) = (Due::new(), Vec::new());
            for index in &found[part.start as usize..part.end as usize] {
                before.clear();
                match &layer.edges {
                    Some(edges) => before.extend(
                        edges_to(edges, *index).map(|edge| Neighbour::new(edge.from, edge.passes)),
                    ),
                    None => points.list_before(self.number, *index, &mut before)?,
                }
                let best = known.best(*index);
                for one in &before {
                    let (number, news) = (one.number(), best.earlier(one.passes()));
                    if let Some(plies) = known.apply(number, news, size) {
                        here.entry(plies).or_default().push(number);
                    }
                }
            }
            merge(&due, here);
            Ok(())
        })?;
        Ok(inside(due))
    }
}

fn merge(due: &Mutex<Due>, here: Due) {
    let mut due = lock(due);
    for (plies, more) in here {
        due.entry(plies).or_default().extend(more);
    }
}
