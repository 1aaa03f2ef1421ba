//! Depth-first search from the rules alone: minimax, negamax and alpha-beta, each with or without a
//! memory of positions, to the end of the game or to a depth.
//!
//! Minimax sees the game from above: one side wants outcomes large, the other small. Negamax is the
//! same told from the side of whoever moves. Alpha-beta leaves out what cannot matter (Knuth and
//! Moore 1975): it looks for a worth between two bounds, the best that either side is sure of.
//!
//! All three find the exact distance too, and alpha-beta needs care for it. Wins and losses with
//! their distances are in one order that turns around with the point of view, but draws are not:
//! *both* sides delay them. So all draws are one to the bounds, and no bound is ever laid on a draw
//! itself but just beside it: every drawn move of a drawn position is then looked at whole. (A draw
//! is here what is worth as much as play without end, and a win what is worth more. If a move
//! changes what that is worth, what comes after it is looked at without bounds.)

mod memory;
pub mod walk;

use std::sync::atomic::{AtomicUsize, Ordering};

use foregone_rules::{Distance, Game, Outcome, Side, Value, Worth, Written};

pub use self::memory::Kept;
use self::memory::{Bound, Known, Memory};
use crate::control::{Control, Halted, Pace, Progress};
use crate::found::{Estimate, Found};
use crate::moves::{self, gather};
use crate::tables::leaves::Leaf;
use crate::tree::Representative;

const SEARCHING: &str = "searching";

/// The longest line of play that is followed, in plies.
pub const DEEPEST: u32 = 20_000;

/// Room for a line of that length on the searching thread's stack.
const STACK: usize = DEEPEST as usize * 4096;

/// The longest line that is followed on the caller's own stack, in plies. To give a thread its
/// stack takes longer than most searches that stay within this.
const SHALLOW: u32 = 100;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Every line of play, each position seen from above.
    Minimax,
    /// Every line of play, each position seen by the side to move.
    Negamax,
    /// Only lines of play that may matter.
    AlphaBeta,
}

/// An opinion on a position that is not over; see [`foregone_rules::Evaluate`].
pub type Opinion<G> = fn(&G, &<G as Game>::State) -> Outcome;

/// How promising a move looks; see [`foregone_rules::Order`].
pub type Judgement<G> = fn(&G, &<G as Game>::State, <G as Game>::Move) -> i32;

/// A search: the algorithm and its limits, ready to be run on positions of a game.
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
    /// After how many positions a thread is to give up.
    enough: u64,
    opinion: Option<Opinion<G>>,
    judgement: Option<Judgement<G>>,
    representative: Option<Representative<G>>,
    written: Option<Written<G>>,
    leaf: Option<Leaf<'g, G::State>>,
    loops: bool,
}

/// What a search of a position saw.
#[derive(Clone, Debug)]
pub struct Seen<M> {
    /// Every legal move with what it leads to, seen by the side to move; where the search was
    /// halted, those that were finished.
    pub moves: Vec<(M, Found)>,
    /// The result of a position that was over before the search.
    pub over: Option<Worth>,
    /// What play without end is worth there to the side to move.
    pub endless: Value,
    /// How many positions were visited, each as often as it was.
    pub nodes: u64,
    /// How many different positions were remembered, where there was a memory.
    pub remembered: Option<u64>,
    /// Why the search ended before all moves were searched.
    pub halted: Option<Halted>,
}

impl<M> Seen<M> {
    /// What the position is worth: the best of its moves, and an estimate where any of them is, as
    /// that one may be the best in truth. `None` if the search was halted.
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
            judgement: None,
            representative: None,
            written: None,
            leaf: None,
            loops: true,
        }
    }

    /// Breaks lines of play off after `depth` plies, at least 1; positions there count as what play
    /// without end is worth, mostly as level, unless there is an [opinion](Search::with_opinion).
    pub fn with_depth(self, depth: u32) -> Self {
        Search { depth: Some(depth.max(1)), ..self }
    }

    /// Remembers positions in at most `bytes`. When that is full nothing more is remembered.
    pub fn with_memory(self, bytes: u64) -> Self {
        Search { memory: Some(bytes), ..self }
    }

    /// Searches the moves of the position on so many threads, at least 1; each has its part of the
    /// memory. What is found does not depend on it.
    pub fn with_threads(self, threads: usize) -> Self {
        Search { threads: threads.max(1), ..self }
    }

    /// Lets each thread give up after so many positions (or a few more) with
    /// [`Halted::Positions`].
    pub(crate) fn with_nodes(self, enough: u64) -> Self {
        Search { enough, ..self }
    }

    /// Judges positions at the depth limit.
    pub fn with_opinion(self, opinion: Opinion<G>) -> Self {
        Search { opinion: Some(opinion), ..self }
    }

    /// Tries the moves that are judged highest first. Alpha-beta profits; what is found does not
    /// depend on it.
    pub fn with_judgement(self, judgement: Judgement<G>) -> Self {
        Search { judgement: Some(judgement), ..self }
    }

    /// Remembers positions that are alike as one. They must have the same worth, distance
    /// included.
    pub fn with_representative(self, representative: Representative<G>) -> Self {
        Search { representative: Some(representative), ..self }
    }

    /// Names positions this way where it has to tell of one, instead of by their debug text.
    pub fn with_notation(self, written: Written<G>) -> Self {
        Search { written: Some(written), ..self }
    }

    /// Takes what is known of positions.
    pub(crate) fn with_leaf(self, leaf: Option<Leaf<'g, G::State>>) -> Self {
        Search { leaf, ..self }
    }

    /// Trusts that play cannot come back to a position, and does not watch for it.
    pub fn without_loops(self) -> Self {
        Search { loops: false, ..self }
    }

    /// The position that all positions like this one are remembered as.
    fn representative(&self, state: &G::State) -> G::State {
        self.representative.map_or(*state, |like| like(self.game, state))
    }

    /// Searches every move of a position, in the order in which the game names them.
    ///
    /// A search that is halted (by the control, or because the game loops or is too deep for it)
    /// still tells of the moves it had finished.
    pub fn run(&self, state: &G::State, control: &Control) -> Seen<G::Move> {
        self.run_on(state, control, &mut Kept::default())
    }

    /// The same with what searches before remembered, and to remember for those to come: searches
    /// of the same game with the same opinion.
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
        let threads = self.threads.min(moves.len()).max(1);
        let next = AtomicUsize::new(0);
        // Each thread takes the next move that none has taken, until one is halted.
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
            if matches!(run.halted, Some(Halted::Deep { .. })) {
                // Once more, with room for the longest line.
                seen.nodes += run.nodes;
                memories.push(run.memory);
                next.store(0, Ordering::Relaxed);
            } else {
                runs.push((run, done));
            }
        }
        if runs.is_empty() {
            runs = std::thread::scope(|scope| {
                let work = &work;
                let spawn = |memory| {
                    let thread = std::thread::Builder::new().stack_size(STACK);
                    thread.spawn_scoped(scope, move || work(memory, DEEPEST)).ok()
                };
                // Where the system has no room for all threads, fewer do the same.
                let threads: Vec<_> = memories.into_iter().map_while(spawn).collect();
                let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                };
                threads.into_iter().map(join).collect()
            });
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
            seen.halted = seen.halted.or(run.halted);
            done.into_iter().for_each(|(at, result)| found[at] = Some(result));
        }
        let known = moves.into_iter().zip(found);
        seen.moves = known.filter_map(|(mv, found)| Some((mv, found?))).collect();
        seen
    }
}

/// What is known of a position, seen by the side to move.
#[derive(Clone, Copy)]
struct Judged {
    worth: Worth,
    /// Whether no line of play below was broken off.
    proven: bool,
}

/// A worth as the bounds of alpha-beta see it, where play without end is worth `endless`: all that are
/// worth as much are one, 0; everything else is ordered as the side to move prefers it.
type Code = i64;

fn code(worth: Worth, endless: Value) -> Code {
    let equal = Worth::new(endless, Distance::Plies(0)).key(endless);
    if worth.value() == endless { 0 } else { worth.key(endless) - equal }
}

/// Bounds between which a worth is wanted exactly; neither is 0.
#[derive(Clone, Copy)]
struct Window {
    low: Code,
    high: Code,
}

impl Window {
    const ALL: Window = Window { low: Code::MIN / 2, high: Code::MAX / 2 };

    /// The same with the lower bound raised to a worth that is certain; if that is a draw, the
    /// bound is just below, so that another draw is still looked at whole.
    fn above(self, certain: Code) -> Window {
        let low = if certain == 0 { -1 } else { certain };
        Window { low: self.low.max(low), ..self }
    }

    /// The same window for the position after a move: one ply nearer to the end, and turned around
    /// where the other side moves there.
    fn after(self, again: bool) -> Window {
        let [low, high] = [self.low, self.high].map(|bound| bound + bound.signum());
        if again { Window { low, high } } else { Window { low: -high, high: -low } }
    }
}

/// A search under way on one thread.
struct Run<'a, 'g, G: Game> {
    search: &'a Search<'g, G>,
    control: &'a Control,
    memory: Option<Memory<G::State>>,
    /// The positions from the root to the one that is looked at; kept only where loops may be.
    path: Vec<G::State>,
    /// How long that line is, and how long it may be.
    length: u32,
    deepest: u32,
    /// Lists of moves that are not in use, to be used again.
    lists: Vec<Vec<G::Move>>,
    nodes: u64,
    pace: Pace,
    halted: Option<Halted>,
}

/// The search was halted; the reason is kept aside, so that results stay small enough for
/// registers.
struct Stop;

type Judgment = Result<Judged, Stop>;

impl<'a, 'g, G: Game> Run<'a, 'g, G> {
    fn new(
        search: &'a Search<'g, G>,
        control: &'a Control,
        memory: Option<Memory<G::State>>,
        root: G::State,
        deepest: u32,
    ) -> Run<'a, 'g, G> {
        Run {
            search,
            control,
            memory,
            path: vec![root],
            length: 0,
            deepest,
            lists: Vec::new(),
            nodes: 0,
            pace: Pace::new(),
            halted: None,
        }
    }

    #[cold]
    fn halt(&mut self, reason: Halted) -> Stop {
        self.halted = Some(reason);
        Stop
    }

    #[cold]
    fn no_moves(&mut self, state: &G::State) -> Stop {
        self.halt(moves::none(self.search.game, state, self.search.written))
    }

    #[cold]
    fn report(&mut self) -> Result<(), Stop> {
        if self.nodes >= self.search.enough {
            return Err(self.halt(Halted::Positions { limit: self.search.enough }));
        }
        let progress = Progress { phase: SEARCHING, done: self.nodes, total: None, bounds: None };
        self.control.report(progress).map_err(|reason| self.halt(reason))
    }

    /// What a move of the root leads to, for `mover`.
    fn root_move(&mut self, mv: G::Move, mover: Side) -> Result<Found, Stop> {
        let child = self.search.game.play(&self.path[0], mv);
        let depth = self.search.depth.map(|depth| depth - 1);
        let next = self.search.game.turn(&child);
        let judged = match self.search.algorithm {
            Algorithm::Minimax => {
                let (outcome, plies, proven) = self.minimax(&child, depth)?;
                let worth = Worth::new(outcome.value_for(next), Distance::Plies(plies));
                Judged { worth, proven }
            }
            Algorithm::Negamax => self.negamax(&child, depth)?,
            Algorithm::AlphaBeta => self.alpha_beta(&child, depth, Window::ALL)?,
        };
        let worth = judged.worth.backed_up(next, mover);
        Ok(if judged.proven { Found::Proven(worth) } else { Found::Estimate(Estimate::new(worth)) })
    }

    /// Counts a position, and judges it where that needs no search: it is over, at the depth
    /// limit, or (unless a window is to be compared first) remembered.
    fn without_search(
        &mut self,
        state: &G::State,
        depth: Option<u32>,
        window: Window,
    ) -> Result<Option<Judged>, Stop> {
        self.nodes += 1;
        if self.pace.is_up(1) {
            self.report()?;
        }
        let mover = self.search.game.turn(state);
        if let Some(outcome) = self.search.game.outcome(state) {
            return Ok(Some(Judged { worth: Worth::finished(outcome, mover), proven: true }));
        }
        if let Some(worth) = self.search.leaf.and_then(|leaf| leaf(state)) {
            return Ok(Some(Judged { worth, proven: true }));
        }
        if depth == Some(0) {
            let game = self.search.game;
            let opinion =
                self.search.opinion.map_or_else(|| game.endless(state), |judge| judge(game, state));
            return Ok(Some(Judged { worth: Worth::finished(opinion, mover), proven: false }));
        }
        if self.length >= self.deepest {
            return Err(self.halt(Halted::Deep { limit: self.deepest }));
        }
        let watched = self.search.loops && depth.is_none();
        if watched && self.path.contains(state) {
            let position = Written::text(self.search.written, self.search.game, state);
            return Err(self.halt(Halted::Loops { position }));
        }
        let Some(memory) = &self.memory else { return Ok(None) };
        let Some(known) = memory.find(&self.search.representative(state)) else { return Ok(None) };
        let deep = known.depth.is_none() || known.depth == depth;
        let decided = match known.bound {
            Bound::Exact => true,
            Bound::AtLeast => code(known.worth, self.endless(state)) >= window.high,
            Bound::AtMost => code(known.worth, self.endless(state)) <= window.low,
        };
        let judged = Judged { worth: known.worth, proven: known.depth.is_none() };
        Ok((deep && decided).then_some(judged))
    }

    /// What play without end is worth to the mover of a position.
    fn endless(&self, state: &G::State) -> Value {
        self.search.game.endless(state).value_for(self.search.game.turn(state))
    }

    fn remember(&mut self, state: &G::State, depth: Option<u32>, judged: Judged, bound: Bound) {
        let (search, depth) = (self.search, if judged.proven { None } else { depth });
        if let Some(memory) = &mut self.memory {
            let state = search.representative(state);
            memory.keep(Known { state, worth: judged.worth, bound, depth });
        }
    }

    /// Goes one ply deeper for the time that `search` takes.
    fn deeper<R>(&mut self, state: &G::State, search: impl FnOnce(&mut Self) -> R) -> R {
        self.length += 1;
        if self.search.loops {
            self.path.push(*state);
        }
        let result = search(self);
        if self.search.loops {
            self.path.pop();
        }
        self.length -= 1;
        result
    }

    /// The outcome, the plies to it, and whether it is proven: the first player wants the outcome
    /// large, the second small.
    fn minimax(
        &mut self,
        state: &G::State,
        depth: Option<u32>,
    ) -> Result<(Outcome, u32, bool), Stop> {
        let game = self.search.game;
        let mover = game.turn(state);
        if let Some(Judged { worth, proven }) = self.without_search(state, depth, Window::ALL)? {
            return Ok((worth.value().outcome_for(mover), plies(worth), proven));
        }
        let (outcome, plies, proven) = self.deeper(state, |run| {
            let mut best: Option<(Outcome, u32)> = None;
            let mut all_proven = true;
            for mv in game.moves(state) {
                let (outcome, plies, proven) =
                    run.minimax(&game.play(state, mv), depth.map(|depth| depth - 1))?;
                let plies = plies + 1;
                all_proven &= proven;
                let better = best.is_none_or(|(best, best_plies)| {
                    let (new, old) = match mover {
                        Side::First => (outcome, best),
                        Side::Second => (best, outcome),
                    };
                    // Equal outcomes: who gets more than by play without end hurries, anybody
                    // else delays.
                    let wins = outcome.value_for(mover) > game.endless(state).value_for(mover);
                    new > old || new == old && (plies != best_plies) && wins == (plies < best_plies)
                });
                if better {
                    best = Some((outcome, plies));
                }
            }
            let (outcome, plies) = best.ok_or_else(|| run.no_moves(state))?;
            Ok((outcome, plies, all_proven))
        })?;
        let worth = Worth::new(outcome.value_for(mover), Distance::Plies(plies));
        self.remember(state, depth, Judged { worth, proven }, Bound::Exact);
        Ok((outcome, plies, proven))
    }

    fn negamax(&mut self, state: &G::State, depth: Option<u32>) -> Judgment {
        if let Some(judged) = self.without_search(state, depth, Window::ALL)? {
            return Ok(judged);
        }
        let game = self.search.game;
        let mover = game.turn(state);
        let endless = self.endless(state);
        let judged = self.deeper(state, |run| {
            let mut best: Option<Worth> = None;
            let mut proven = true;
            for mv in game.moves(state) {
                let child = game.play(state, mv);
                let judged = run.negamax(&child, depth.map(|depth| depth - 1))?;
                let worth = judged.worth.backed_up(game.turn(&child), mover);
                best = Some(better(best, worth, endless));
                proven &= judged.proven;
            }
            let worth = best.ok_or_else(|| run.no_moves(state))?;
            Ok(Judged { worth, proven })
        })?;
        self.remember(state, depth, judged, Bound::Exact);
        Ok(judged)
    }

    /// The worth if that is inside the window; else a bound of it on the same side of the
    /// window.
    fn alpha_beta(&mut self, state: &G::State, depth: Option<u32>, window: Window) -> Judgment {
        if let Some(judged) = self.without_search(state, depth, window)? {
            return Ok(judged);
        }
        let game = self.search.game;
        let mover = game.turn(state);
        let endless = self.endless(state);
        let mut moves = self.lists.pop().unwrap_or_default();
        gather(game, state, &mut moves, self.control, self.nodes)
            .map_err(|reason| self.halt(reason))?;
        if self.pace.is_up(moves.len() as u64) {
            self.report()?;
        }
        if let Some(judge) = self.search.judgement {
            moves.sort_by_key(|mv| -i64::from(judge(game, state, *mv)));
        }
        let judged = self.deeper(state, |run| {
            let mut best: Option<Worth> = None;
            let mut proven = true;
            let mut open = window;
            for mv in &moves {
                let child = game.play(state, *mv);
                let next = game.turn(&child);
                let deeper = depth.map(|depth| depth - 1);
                let after = match game.endless(&child) == game.endless(state) {
                    true => open.after(next == mover),
                    false => Window::ALL,
                };
                let judged = run.alpha_beta(&child, deeper, after)?;
                let worth = judged.worth.backed_up(next, mover);
                best = Some(better(best, worth, endless));
                proven &= judged.proven;
                let found = code(worth, endless);
                if found >= window.high {
                    break;
                }
                open = open.above(found);
            }
            let worth = best.ok_or_else(|| run.no_moves(state))?;
            Ok(Judged { worth, proven })
        })?;
        self.lists.push(moves);
        let found = code(judged.worth, endless);
        let bound = match () {
            () if found >= window.high => Bound::AtLeast,
            () if found <= window.low => Bound::AtMost,
            () => Bound::Exact,
        };
        self.remember(state, depth, judged, bound);
        Ok(judged)
    }
}

/// The better of two worths, where play without end is worth `endless`.
#[inline]
fn better(best: Option<Worth>, worth: Worth, endless: Value) -> Worth {
    match best {
        Some(best) if best.key(endless) > worth.key(endless) => best,
        _ => worth,
    }
}

/// The plies of a worth that depth-first search found: it knows no endless play.
fn plies(worth: Worth) -> u32 {
    worth.distance().plies().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
