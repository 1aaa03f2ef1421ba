//! Depth-first search from the rules alone: minimax, negamax and alpha-beta, each with or without a
//! transposition table, to the end of the game or to a depth limit.
//!
//! Minimax takes the first player's view: one side maximises outcomes, the other minimises them.
//! Negamax does the same from the view of the side to move. Alpha-beta (Knuth and Moore 1975)
//! searches within a window, between the best results that each side already has, and prunes moves
//! that cannot matter.
//!
//! All three also find the exact distance, which needs care in alpha-beta. Wins and losses with
//! their distances form an order that reverses with the point of view, but draws do not: *both*
//! sides delay them. So the window treats all draws as equal, and a bound is never set on a draw
//! but next to it; every drawn move of a drawn position is then searched in full. (Here a draw is a
//! value equal to endless play, and a win a larger one. If a move changes the value of play
//! without end, the search after it uses the full window.)

#[cfg(not(target_family = "wasm"))]
mod plain;
mod run;
pub mod walk;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use foregone_record::threads::{beside, inside, lock};
use foregone_rules::{Game, Outcome, Value, Worth, Written};

use self::run::Run;
use crate::control::{Control, Halted};
use crate::found::{Estimate, Found};
use crate::moves::{self, gather};
use crate::remembered::Remembered;
use crate::tables::leaves::Leaf;
use crate::tree::Representative;

/// The longest line of play that is searched, in plies.
pub const DEEPEST: u32 = 20_000;

/// The stack size for a line of that length.
const STACK: usize = DEEPEST as usize * 4096;

/// The longest line that is searched on the caller's stack, in plies. Starting a thread with a
/// large stack takes longer than most searches within this limit.
const SHALLOW: u32 = 100;

/// Whether a thread can have a stack for the longest line. In a browser all have the browser's, of about 1 MB.
const LONG_STACKS: bool = cfg!(not(target_family = "wasm"));

/// How a remembered worth bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What is remembered of a position.
struct Known {
    worth: Worth,
    bound: Bound,
    /// The search depth in plies; `None` if the result is proven.
    depth: Option<u32>,
}

/// The transposition table of one thread.
type Memory<S> = Remembered<S, Known>;

/// The transposition tables of earlier searches, for the next one.
pub struct Kept<S>(Vec<Memory<S>>);

impl<S> Default for Kept<S> {
    fn default() -> Kept<S> {
        Kept(Vec::new())
    }
}

/// A search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// Every line of play, from the first player's view.
    Minimax,
    /// Every line of play, from the view of the side to move.
    Negamax,
    /// Only lines of play that may matter.
    AlphaBeta,
}

impl Algorithm {
    /// Every algorithm.
    pub const ALL: [Algorithm; 3] = [Algorithm::Minimax, Algorithm::Negamax, Algorithm::AlphaBeta];
}

/// The evaluation of a position that is not over; see [`foregone_rules::Evaluate`].
pub type Opinion<G> = fn(&G, &<G as Game>::State) -> Outcome;

/// How promising a move looks, higher first; see [`foregone_rules::Order`].
pub type MoveOrder<G> = fn(&G, &<G as Game>::State, <G as Game>::Move) -> i32;

/// A search: an algorithm and its limits, for positions of a game.
///
/// ```
/// use foregone::{Algorithm, Control, Distance, Found, Game, Search, Value, Worth, games::Mnk};
///
/// let game = Mnk::tic_tac_toe();
/// let search = Search::new(&game, Algorithm::AlphaBeta).with_memory(1 << 20);
/// let seen = search.run(&game.start(), &Control::default());
/// assert_eq!(seen.found(), Some(Found::Proven(Worth::new(Value(0), Distance::Plies(9)))));
/// ```
pub struct Search<'g, G: Game> {
    game: &'g G,
    algorithm: Algorithm,
    depth: Option<u32>,
    memory: Option<u64>,
    threads: usize,
    /// The number of positions after which a thread gives up.
    enough: u64,
    opinion: Option<Opinion<G>>,
    order: Option<MoveOrder<G>>,
    representative: Option<Representative<G>>,
    written: Option<Written<G>>,
    leaf: Option<Leaf<'g, G::State>>,
    loops: bool,
}

/// The result of searching a position.
#[derive(Clone, Debug)]
pub struct Seen<M> {
    /// Every legal move with its result, from the view of the side to move; for a halted search,
    /// the finished moves.
    pub moves: Vec<(M, Found)>,
    /// The result of a position that was over before the search.
    pub over: Option<Worth>,
    /// The value of endless play for the side to move.
    pub endless: Value,
    /// The number of position visits.
    pub nodes: u64,
    /// The number of remembered positions; `None` without a memory.
    pub remembered: Option<u64>,
    /// Why the search ended early; `None` if it finished.
    pub halted: Option<Halted>,
}

impl<M> Seen<M> {
    /// The result of the position: that of its best move. It is an estimate if any move has one,
    /// because that move may be the best in truth. `None` if the search was halted.
    pub fn found(&self) -> Option<Found> {
        if let Some(worth) = self.over {
            return Some(Found::Proven(worth));
        }
        if self.halted.is_some() {
            return None;
        }
        let moves = self.moves.iter().map(|(_, found)| *found);
        let best = moves.max_by_key(|found| found.key(self.endless))?;
        match best {
            Found::Proven(worth)
                if self.moves.iter().any(|(_, found)| found.proven().is_none()) =>
            {
                Some(Found::Estimate(Estimate::new(worth)))
            }
            found => Some(found),
        }
    }
}

impl<'g, G: Game> Search<'g, G> {
    /// A search to the end of the game, without memory, on one thread.
    pub fn new(game: &'g G, algorithm: Algorithm) -> Search<'g, G> {
        Search {
            game,
            algorithm,
            depth: None,
            memory: None,
            threads: 1,
            enough: u64::MAX,
            opinion: None,
            order: None,
            representative: None,
            written: None,
            leaf: None,
            loops: true,
        }
    }

    /// Cuts off lines of play after `depth` plies, at least 1. Positions there have the value of
    /// endless play, mostly a draw, unless there is an [evaluation](Search::with_opinion).
    pub fn with_depth(self, depth: u32) -> Self {
        Search { depth: Some(depth.max(1)), ..self }
    }

    /// Uses a transposition table of at most `bytes`. When it is full, it takes no new positions.
    pub fn with_memory(self, bytes: u64) -> Self {
        Search { memory: Some(bytes), ..self }
    }

    /// Searches the moves of the position on `threads` threads, at least 1; each has its part of
    /// the memory. The results do not depend on the number of threads.
    pub fn with_threads(self, threads: usize) -> Self {
        Search { threads: threads.max(1), ..self }
    }

    /// Each thread gives up after `enough` positions (or a few more) with [`Halted::Positions`].
    pub(crate) fn with_nodes(self, enough: u64) -> Self {
        Search { enough, ..self }
    }

    /// Evaluates positions at the depth limit.
    pub fn with_opinion(self, opinion: Opinion<G>) -> Self {
        Search { opinion: Some(opinion), ..self }
    }

    /// Tries moves with the highest score first. This speeds up alpha-beta; the results do not
    /// depend on it.
    pub fn with_order(self, order: MoveOrder<G>) -> Self {
        Search { order: Some(order), ..self }
    }

    /// Remembers symmetric positions as one. They must have the same worth, including the distance.
    pub fn with_representative(self, representative: Representative<G>) -> Self {
        Search { representative: Some(representative), ..self }
    }

    /// Writes positions in errors by this notation instead of their debug text.
    pub fn with_notation(self, written: Written<G>) -> Self {
        Search { written: Some(written), ..self }
    }

    /// Uses known worths of positions.
    pub(crate) fn with_leaf(self, leaf: Option<Leaf<'g, G::State>>) -> Self {
        Search { leaf, ..self }
    }

    /// Assumes that play cannot repeat a position, and skips the check.
    pub fn without_loops(self) -> Self {
        Search { loops: false, ..self }
    }

    /// The representative of all positions symmetric to this one.
    fn representative(&self, state: &G::State) -> G::State {
        self.representative.map_or(*state, |like| like(self.game, state))
    }

    /// Searches every move of a position, in the order of the game.
    ///
    /// A halted search (by `control`, or because the game loops or is too deep) still reports the
    /// finished moves.
    pub fn run(&self, state: &G::State, control: &Control) -> Seen<G::Move> {
        self.run_on(state, control, &mut Kept::default())
    }

    /// Like [`run`](Search::run), with the transposition tables of earlier searches of the same
    /// game with the same evaluation; leaves them for later searches.
    pub fn run_on(
        &self,
        state: &G::State,
        control: &Control,
        kept: &mut Kept<G::State>,
    ) -> Seen<G::Move> {
        let mover = self.game.turn(state);
        let mut seen = Seen {
            moves: Vec::new(),
            over: self.game.outcome(state).map(|outcome| Worth::finished(outcome, mover)),
            endless: self.game.endless(state).value_for(mover),
            nodes: 1,
            remembered: None,
            halted: None,
        };
        if seen.over.is_some() {
            return seen;
        }
        let mut moves = Vec::new();
        if let Err(halted) = gather(self.game, state, &mut moves, control, 0) {
            seen.halted = Some(halted);
            return seen;
        }
        if moves.is_empty() {
            seen.halted = Some(moves::none(self.game, state, self.written));
            return seen;
        }
        self.search_moves(state, &moves, control, kept, &mut seen);
        seen
    }

    /// Searches these moves on all threads: each takes the next free move, until one is halted.
    fn search_moves(
        &self,
        state: &G::State,
        moves: &[G::Move],
        control: &Control,
        kept: &mut Kept<G::State>,
        seen: &mut Seen<G::Move>,
    ) {
        let mover = self.game.turn(state);
        let threads = if LONG_STACKS { self.threads.min(moves.len()).max(1) } else { 1 };
        let next = AtomicUsize::new(0);
        let work = |memory, deepest| {
            let mut run = Run::new(self, control, memory, *state, deepest);
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(&mv) = moves.get(at) else { break };
                let Ok(found) = run.root_move(mv, mover) else { break };
                done.push((at, found));
            }
            (run, done)
        };
        let new = |bytes| Memory::new(bytes / threads as u64);
        let memory = |_| self.memory.map(|bytes| kept.0.pop().unwrap_or_else(|| new(bytes)));
        let mut memories: Vec<_> = (0..threads).map(memory).collect();
        let mut runs = Vec::new();
        if threads == 1 {
            let (run, done) = work(memories.pop().flatten(), SHALLOW);
            if LONG_STACKS && matches!(run.halted, Some(Halted::Deep { .. })) {
                // Repeats the search with a stack for the longest line.
                seen.nodes += run.nodes;
                memories.push(run.memory);
                next.store(0, Ordering::Relaxed);
            } else {
                runs.push((run, done));
            }
        }
        if runs.is_empty() {
            runs = on_threads(memories, |memory| work(memory, DEEPEST));
        }
        if runs.is_empty() {
            seen.halted = Some(Halted::Thread { stack: STACK as u64 });
        }
        let mut found: Vec<Option<Found>> = vec![None; moves.len()];
        for (run, done) in runs {
            seen.nodes += run.nodes;
            if let Some(memory) = run.memory {
                *seen.remembered.get_or_insert(0) += memory.len() as u64;
                kept.0.push(memory);
            }
            seen.halted = seen.halted.take().or(run.halted);
            done.into_iter().for_each(|(at, result)| found[at] = Some(result));
        }
        let known = moves.iter().zip(found);
        seen.moves = known.filter_map(|(mv, found)| Some((*mv, found?))).collect();
    }
}

/// Does the work of each part on a thread with a stack for the longest line. If the system cannot
/// start all threads, fewer do the same work.
fn on_threads<T: Send, R: Send>(parts: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let parts: Vec<_> = parts.into_iter().map(|part| Mutex::new((Some(part), None))).collect();
    let run = |nth: usize| {
        let mut part = lock(&parts[nth]);
        part.1 = part.0.take().map(&work);
    };
    beside(parts.len(), Some(STACK), &run, &mut || {});
    parts.into_iter().filter_map(|part| inside(part).1).collect()
}

#[cfg(test)]
mod tests;
