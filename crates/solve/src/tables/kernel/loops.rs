//! A layer whose moves may stay in it, settled from the ends back by many: see retrograde.rs. Each process
//! has the best worths and the counts of its own numbers. When it settles a number, it sends the news to
//! the processes that hold the predecessors.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use foregone_rules::{Indexed, Value};

use super::super::known::Known;
use super::super::preference::Preference;
use super::points::{Move, Neighbour, Points};
use super::{Ask, Beginning, Begun, Cell, Failed, View, joined};
use foregone_record::threads::lock;

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
    const fn new(from: u64, to: Neighbour) -> Edge {
        Edge { to: to.number(), from, passes: to.passes() }
    }
}

/// The edges to a number, of edges that are sorted.
fn edges_to(edges: &[Edge], number: u64) -> impl Iterator<Item = &Edge> {
    let from = edges.partition_point(|edge| edge.to < number);
    edges[from..].iter().take_while(move |edge| edge.to == number)
}

/// One process's part of a layer, while it is settled.
///
/// First all blocks are begun and ended. Then, for each size that occurs anywhere, the largest first,
/// numbers are settled in the order of their plies, and predecessors get the news. At the end come the
/// cells.
pub trait Settling<C: Cell>: Send + Sync {
    /// The first half of looking at the moves of a block; the second half keeps what is known here, and
    /// returns no cells.
    ///
    /// # Errors
    /// If the game breaks its promises.
    fn begin<'s>(&'s self, part: Range<u64>, view: &View<C>) -> Beginning<'s, C>;

    /// The moves that were found, if the game lists no predecessors. The process that holds the number a
    /// move leads to has to [`keep`](Settling::keep) it.
    fn edges(&self) -> Vec<Edge>;

    /// Keeps moves to numbers of this part, which [`edges`](Settling::edges) found anywhere.
    fn keep(&self, edges: Vec<Edge>);

    /// The sizes of results that occur here, and whether endless play is worth 0 here everywhere. No
    /// other sizes arise. All edges have to be kept by now.
    fn sizes(&self) -> (BTreeSet<u32>, bool);

    /// Calls `due` with the plies and the number for each number of `part` that has a result of this
    /// size by what is settled so far.
    fn due(&self, part: Range<u64>, size: i32, due: &mut dyn FnMut(u32, u64));

    /// Settles a number; whether it was open.
    fn settle(&self, number: u64) -> bool;

    /// Tells the predecessors of a settled number what they get by a move to it.
    ///
    /// # Errors
    /// If the game does not list them.
    fn notify(&self, number: u64, apply: &mut dyn FnMut(u64, Preference)) -> Result<(), Failed>;

    /// Applies the result of a settled successor to a number; the plies of its own result, if this settles it.
    fn apply(&self, number: u64, news: Preference, size: i32) -> Option<u32>;

    /// The cells of a block, when all sizes are settled; `zero` says whether endless play is worth 0
    /// everywhere.
    ///
    /// # Errors
    /// If a worth does not fit into a table.
    fn finish(&self, part: Range<u64>, zero: bool) -> Result<Vec<C>, Failed>;
}

pub(super) struct Loops<'k, 'a, G: Indexed> {
    points: &'k Points<'a, G>,
    layer: u32,
    numbers: Range<u64>,
    best: Vec<AtomicU32>,
    counts: Vec<AtomicU16>,
    sizes: Mutex<BTreeSet<u32>>,
    zero: AtomicBool,
    /// Whether the game lists predecessors.
    lists: bool,
    found: Mutex<Vec<Edge>>,
    /// Sorted when all are known.
    kept: RwLock<Vec<Edge>>,
}

impl<'k, 'a, G: Indexed> Loops<'k, 'a, G> {
    pub fn new(points: &'k Points<'a, G>, layer: u32, numbers: Range<u64>) -> Loops<'k, 'a, G> {
        let game = points.subject.game;
        let size = numbers.end - numbers.start;
        Loops {
            points,
            layer,
            numbers,
            best: (0..size).map(|_| AtomicU32::new(Preference::NONE.bits())).collect(),
            counts: Known::counts(size),
            sizes: Mutex::default(),
            zero: AtomicBool::new(true),
            lists: game.predecessors(&game.start()).is_some(),
            found: Mutex::default(),
            kept: RwLock::default(),
        }
    }

    fn known(&self) -> Known<'_> {
        Known { first: self.numbers.start, best: &self.best, counts: &self.counts }
    }
}

/// A block that waits for answers.
struct Half<'s, 'k, 'a, G: Indexed> {
    loops: &'s Loops<'k, 'a, G>,
    looked: Vec<Looked>,
    waiting: Vec<(usize, Move)>,
    /// For each of these, the place of its answer.
    answers: Vec<usize>,
}

/// A number, the best move out of its layer, and how many numbers in its layer moves lead to.
struct Looked {
    number: u64,
    best: Preference,
    within: usize,
}

impl<G: Indexed> Settling<u32> for Loops<'_, '_, G> {
    fn begin<'s>(&'s self, part: Range<u64>, view: &View<u32>) -> Beginning<'s, u32> {
        let (points, game) = (self.points, self.points.subject.game);
        let (mut rows, mut waiting, mut looked) = (Vec::new(), Vec::new(), Vec::new());
        let (mut within, mut found) = (Vec::new(), Vec::new());
        for (number, state) in game.states(self.layer, part) {
            let endless = points.endless(&state);
            if endless != Value(0) {
                self.zero.store(false, Ordering::Relaxed);
            }
            let mut best = Preference::NONE;
            within.clear();
            let over = points.look(&state, endless, |(lower, to), mv| {
                if lower == self.layer {
                    points.stays(&state, mv)?;
                    within.push(Neighbour::new(to, mv.passes));
                    return Ok(());
                }
                match view.cell(lower, to) {
                    Some(cell) => best = best.max(points.before(mv, cell)),
                    None => {
                        rows.push(Ask::one(lower, to));
                        waiting.push((looked.len(), mv));
                    }
                }
                Ok(())
            })?;
            within.sort_unstable();
            within.dedup();
            if !self.lists {
                found.extend(within.iter().map(|to| Edge::new(number, *to)));
            }
            looked.push(Looked { number, best: best.max(over), within: within.len() });
        }
        lock(&self.found).extend(found);
        let (asks, answers) = joined(&rows);
        Ok((Box::new(Half { loops: self, looked, waiting, answers }), asks))
    }

    fn edges(&self) -> Vec<Edge> {
        std::mem::take(&mut lock(&self.found))
    }

    fn keep(&self, edges: Vec<Edge>) {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.is_empty() {
            *kept = edges;
        } else {
            kept.extend(edges);
        }
    }

    fn sizes(&self) -> (BTreeSet<u32>, bool) {
        self.kept.write().unwrap_or_else(PoisonError::into_inner).sort_unstable();
        (lock(&self.sizes).clone(), self.zero.load(Ordering::Relaxed))
    }

    fn due(&self, part: Range<u64>, size: i32, due: &mut dyn FnMut(u32, u64)) {
        let known = self.known();
        for number in part {
            if let Some(plies) = known.due(number, size) {
                due(plies, number);
            }
        }
    }

    fn settle(&self, number: u64) -> bool {
        self.known().settle(number)
    }

    fn notify(&self, number: u64, apply: &mut dyn FnMut(u64, Preference)) -> Result<(), Failed> {
        let best = self.known().best(number);
        if !self.lists {
            let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
            edges_to(&kept, number).for_each(|edge| apply(edge.from, best.earlier(edge.passes)));
            return Ok(());
        }
        let mut before = Vec::new();
        self.points.list_before(self.layer, number, &mut before)?;
        before.iter().for_each(|one| apply(one.number(), best.earlier(one.passes())));
        Ok(())
    }

    fn apply(&self, number: u64, news: Preference, size: i32) -> Option<u32> {
        self.numbers.contains(&number).then(|| self.known().apply(number, news, size)).flatten()
    }

    fn finish(&self, part: Range<u64>, zero: bool) -> Result<Vec<u32>, Failed> {
        let known = self.known();
        part.map(|number| self.points.result(self.layer, number, &known, zero)).collect()
    }
}

impl<G: Indexed> Begun<u32> for Half<'_, '_, '_, G> {
    fn end(self: Box<Self>, answers: &[u32], _: &View<u32>) -> Result<Vec<u32>, Failed> {
        let Half { loops, mut looked, waiting, answers: places } = *self;
        for ((at, mv), place) in waiting.into_iter().zip(places) {
            let looked = &mut looked[at];
            looked.best = looked.best.max(loops.points.before(mv, answers[place]));
        }
        let (known, mut sizes, mut last) = (loops.known(), BTreeSet::new(), None);
        for Looked { number, best, within } in looked {
            if !known.open(number, best, within) {
                return Err(Failed::Moves { layer: loops.layer });
            }
            let size = best.size().unsigned_abs();
            if best != Preference::NONE && last.replace(size) != Some(size) {
                sizes.insert(size);
            }
        }
        lock(&loops.sizes).extend(sizes);
        Ok(Vec::new())
    }
}
