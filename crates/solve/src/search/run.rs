//! A running search on one thread: alpha-beta, with its window, and what it shares with the plain algorithms.

use foregone_rules::sort::by_rank;
use foregone_rules::{Distance, Game, Side, Value, Worth, Written};

use super::{Bound, Known, Memory, Search};
use crate::control::{Control, Halted, Pace, Progress};
use crate::found::{Estimate, Found};
use crate::moves::{self, after, gather};

/// The worth of a position, backed up from the positions below, for the side to move.
#[derive(Clone, Copy)]
pub(super) struct Backed {
    pub worth: Worth,
    /// Whether no line of play below was cut off.
    pub proven: bool,
}

/// A worth for comparison with the window of alpha-beta: all worths of value `endless` are 0; all
/// others are ordered by the preference of the side to move.
type Code = i64;

fn code(worth: Worth, endless: Value) -> Code {
    let equal = Worth::new(endless, Distance::Plies(0)).key(endless);
    if worth.value() == endless { 0 } else { worth.key(endless) - equal }
}

/// The bounds between which a search is exact; neither is 0.
#[derive(Clone, Copy)]
pub(super) struct Window {
    low: Code,
    high: Code,
}

impl Window {
    pub const ALL: Window = Window { low: Code::MIN / 2, high: Code::MAX / 2 };

    /// Raises the lower bound to a worth that is certain. For a draw the bound is just below it, so
    /// that another draw is still searched in full.
    fn above(self, certain: Code) -> Window {
        let low = if certain == 0 { -1 } else { certain };
        Window { low: self.low.max(low), ..self }
    }

    /// The window for the position after a move: one ply nearer to the end, and negated if the
    /// other side moves there.
    fn after(self, again: bool) -> Window {
        let [low, high] = [self.low, self.high].map(|bound| bound + bound.signum());
        if again { Window { low, high } } else { Window { low: -high, high: -low } }
    }
}

/// A running search on one thread.
pub(super) struct Run<'a, 'g, G: Game> {
    pub search: &'a Search<'g, G>,
    control: &'a Control,
    pub memory: Option<Memory<G::State>>,
    /// The positions from the root to the current one; maintained only if play may loop.
    path: Vec<G::State>,
    /// The length of that line, and its limit.
    length: u32,
    deepest: u32,
    /// Unused lists of moves, for reuse.
    lists: Vec<Vec<G::Move>>,
    pub nodes: u64,
    pace: Pace,
    pub halted: Option<Halted>,
}

/// The search was halted; the reason is stored in [`Run`], so that results fit into registers.
pub(super) struct Stop;

pub(super) type Result<T = Backed> = std::result::Result<T, Stop>;

impl<'a, 'g, G: Game> Run<'a, 'g, G> {
    pub(super) fn new(
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
    pub(super) fn no_moves(&mut self, state: &G::State) -> Stop {
        self.halt(moves::none(self.search.game, state, self.search.written))
    }

    #[cold]
    fn report(&mut self) -> Result<()> {
        if self.nodes >= self.search.enough {
            return Err(self.halt(Halted::Positions { limit: self.search.enough }));
        }
        let progress = Progress { phase: "searching", done: self.nodes, total: None, bounds: None };
        self.control.report(progress).map_err(|reason| self.halt(reason))
    }

    /// The result of a root move, for `mover`.
    pub(super) fn root_move(&mut self, mv: G::Move, mover: Side) -> Result<Found> {
        let child = after(self.search.game, &self.path[0], mv);
        let depth = self.search.depth.map(|depth| depth - 1);
        let next = self.search.game.turn(&child);
        let backed = match self.search.algorithm {
            #[cfg(not(target_family = "wasm"))]
            super::Algorithm::Minimax => {
                let (outcome, plies, proven) = self.minimax(&child, depth)?;
                let worth = Worth::new(outcome.value_for(next), Distance::Plies(plies));
                Backed { worth, proven }
            }
            #[cfg(not(target_family = "wasm"))]
            super::Algorithm::Negamax => self.negamax(&child, depth)?,
            // In browsers it stands for the others, too, which find the same: that saves 9 kB of the module.
            _ => self.alpha_beta(&child, depth, Window::ALL)?,
        };
        let worth = backed.worth.backed_up(next, mover);
        Ok(if backed.proven { Found::Proven(worth) } else { Found::Estimate(Estimate::new(worth)) })
    }

    /// Counts a position, and evaluates it if that needs no search: it is over, at the depth limit,
    /// or remembered with a bound that decides the window.
    pub(super) fn without_search(
        &mut self,
        state: &G::State,
        depth: Option<u32>,
        window: Window,
    ) -> Result<Option<Backed>> {
        self.nodes += 1;
        if self.pace.is_up(1) {
            self.report()?;
        }
        let mover = self.search.game.turn(state);
        if let Some(outcome) = self.search.game.outcome(state) {
            return Ok(Some(Backed { worth: Worth::finished(outcome, mover), proven: true }));
        }
        if let Some(worth) = self.search.leaf.and_then(|leaf| leaf(state)) {
            return Ok(Some(Backed { worth, proven: true }));
        }
        if depth == Some(0) {
            let game = self.search.game;
            let opinion =
                self.search.opinion.map_or_else(|| game.endless(state), |judge| judge(game, state));
            return Ok(Some(Backed { worth: Worth::finished(opinion, mover), proven: false }));
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
        let backed = Backed { worth: known.worth, proven: known.depth.is_none() };
        Ok((deep && decided).then_some(backed))
    }

    /// The value of endless play for the mover of a position.
    pub(super) fn endless(&self, state: &G::State) -> Value {
        self.search.game.endless(state).value_for(self.search.game.turn(state))
    }

    pub(super) fn remember(
        &mut self,
        state: &G::State,
        depth: Option<u32>,
        backed: Backed,
        bound: Bound,
    ) {
        let (search, depth) = (self.search, if backed.proven { None } else { depth });
        if let Some(memory) = &mut self.memory {
            let state = search.representative(state);
            memory.keep(state, Known { worth: backed.worth, bound, depth });
        }
    }

    /// Runs `search` one ply deeper.
    pub(super) fn deeper<R>(&mut self, state: &G::State, search: impl FnOnce(&mut Self) -> R) -> R {
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

    /// The worth if it is inside the window; otherwise a bound on the same side of the window. So the distance of a
    /// draw is exact only if the draw lies inside. `proven` is of this answer alone.
    fn alpha_beta(&mut self, state: &G::State, depth: Option<u32>, window: Window) -> Result {
        if let Some(backed) = self.without_search(state, depth, window)? {
            return Ok(backed);
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
        if let Some(order) = self.search.order {
            by_rank(&mut moves, &|mv| -i64::from(order(game, state, *mv)));
        }
        let backed = self.deeper(state, |run| {
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
                let backed = run.alpha_beta(&child, deeper, after)?;
                let worth = backed.worth.backed_up(next, mover);
                best = Some(better(best, worth, endless));
                proven &= backed.proven;
                let found = code(worth, endless);
                if found >= window.high {
                    break;
                }
                open = open.above(found);
            }
            let worth = best.ok_or_else(|| run.no_moves(state))?;
            Ok(Backed { worth, proven })
        })?;
        self.lists.push(moves);
        let found = code(backed.worth, endless);
        let bound = match () {
            () if found >= window.high => Bound::AtLeast,
            () if found <= window.low => Bound::AtMost,
            () => Bound::Exact,
        };
        self.remember(state, depth, backed, bound);
        Ok(backed)
    }
}

/// The better of two worths; `endless` is the value of endless play.
#[inline]
pub(super) fn better(best: Option<Worth>, worth: Worth, endless: Value) -> Worth {
    match best {
        Some(best) if best.key(endless) > worth.key(endless) => best,
        _ => worth,
    }
}
