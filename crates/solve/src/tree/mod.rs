//! The game tree as the founding texts define it: every node is a position, expanded on demand, cut
//! off at a depth, and valued by minimax or alpha-beta, which count the visited nodes. Also the
//! census of a tree ply by ply, which builds no tree.

use std::cell::{Cell, OnceCell};
use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use foregone_rules::{Game, Outcome, Side, Written};

use crate::control::{Control, Halted, Pace, Progress};
use crate::moves::{self, outcome};

/// A node of a game tree: a position and its children, expanded on demand.
///
/// ```
/// use foregone::{Outcome, Tree, games::Mnk};
///
/// let game = Mnk::tic_tac_toe();
/// let tree = Tree::new(&game).cut(4);
/// let plain = tree.minimax(&|_| Outcome::DRAW);
/// let pruned = tree.alpha_beta(&|_| Outcome::DRAW);
/// assert_eq!(plain.nodes, 1 + 9 + 9 * 8 + 9 * 8 * 7 + 9 * 8 * 7 * 6);
/// assert_eq!(plain.outcome, pruned.outcome);
/// assert!(pruned.nodes < plain.nodes);
/// ```
pub struct Tree<'g, G: Game> {
    game: &'g G,
    state: G::State,
    /// The remaining depth in plies; `None` if unlimited.
    depth: Option<u32>,
    children: OnceCell<Vec<(G::Move, Tree<'g, G>)>>,
    /// Whether alpha-beta has visited it.
    looked_at: Cell<bool>,
}

/// The result of a tree search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeValue<M> {
    /// The first of the best moves; `None` at a leaf.
    pub best: Option<M>,
    /// The minimax value, from the first player's view.
    pub outcome: Outcome,
    /// The number of visited nodes.
    pub nodes: u64,
}

impl<'g, G: Game> Tree<'g, G> {
    /// The whole tree of a game.
    pub fn new(game: &'g G) -> Tree<'g, G> {
        Tree::from(game, game.start())
    }

    /// The whole tree below a position.
    pub fn from(game: &'g G, state: G::State) -> Tree<'g, G> {
        Tree { game, state, depth: None, children: OnceCell::new(), looked_at: Cell::new(false) }
    }

    /// This tree, cut off `depth` plies below its root.
    pub fn cut(self, depth: u32) -> Tree<'g, G> {
        let depth = self.depth.map_or(depth, |before| before.min(depth));
        Tree { depth: Some(depth), children: OnceCell::new(), ..self }
    }

    /// The position of this node.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The side to move, also if the game is over.
    pub fn turn(&self) -> Side {
        self.game.turn(&self.state)
    }

    /// The result, if the game is over here.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(&self.state)
    }

    /// The moves and their nodes; empty if the game is over or the tree is cut off. (For a game
    /// that breaks its rules it may be empty elsewhere; [`Census`] reports where.)
    pub fn children(&self) -> &[(G::Move, Tree<'g, G>)] {
        self.children.get_or_init(|| {
            if self.depth == Some(0) || self.outcome().is_some() {
                return Vec::new();
            }
            let depth = self.depth.map(|depth| depth - 1);
            let child = |mv| {
                let state = self.game.play(&self.state, mv);
                (mv, Tree { depth, ..Tree::from(self.game, state) })
            };
            self.game.moves(&self.state).map(child).collect()
        })
    }

    /// Whether [`alpha_beta`](Tree::alpha_beta) on this node or on an ancestor has visited it.
    pub fn looked_at(&self) -> bool {
        self.looked_at.get()
    }

    /// The number of nodes of the tree. Visits all of them.
    pub fn count(&self) -> u64 {
        1 + self.children().iter().map(|(_, child)| child.count()).sum::<u64>()
    }

    /// Whether the side to move prefers an outcome to the best so far.
    fn prefers(&self, outcome: Outcome, best: Option<(G::Move, Outcome)>) -> bool {
        best.is_none_or(|(_, best)| match self.turn() {
            Side::First => outcome > best,
            Side::Second => outcome < best,
        })
    }

    /// The result at this node: that of its best move, or a leaf's outcome or evaluation.
    fn value(
        &self,
        best: Option<(G::Move, Outcome)>,
        nodes: u64,
        opinion: &dyn Fn(&G::State) -> Outcome,
    ) -> TreeValue<G::Move> {
        let leaf = || self.outcome().unwrap_or_else(|| opinion(&self.state));
        let outcome = best.map_or_else(leaf, |(_, outcome)| outcome);
        TreeValue { best: best.map(|(mv, _)| mv), outcome, nodes }
    }

    /// Visits every node: the first player takes the largest outcome, the second the smallest.
    /// `opinion` evaluates the nodes where the tree is cut off.
    pub fn minimax(&self, opinion: &dyn Fn(&G::State) -> Outcome) -> TreeValue<G::Move> {
        let mut best = None;
        let mut nodes = 1;
        for (mv, child) in self.children() {
            let below = child.minimax(opinion);
            nodes += below.nodes;
            if self.prefers(below.outcome, best) {
                best = Some((*mv, below.outcome));
            }
        }
        self.value(best, nodes, opinion)
    }

    /// The result of minimax from fewer nodes: prunes moves that one of the players would never allow.
    pub fn alpha_beta(&self, opinion: &dyn Fn(&G::State) -> Outcome) -> TreeValue<G::Move> {
        self.between(Outcome(i32::MIN), Outcome(i32::MAX), opinion)
    }

    /// Alpha-beta with a window: the first player already has `alpha` elsewhere, the second `beta`.
    fn between(
        &self,
        mut alpha: Outcome,
        mut beta: Outcome,
        opinion: &dyn Fn(&G::State) -> Outcome,
    ) -> TreeValue<G::Move> {
        self.looked_at.set(true);
        let mut best = None;
        let mut nodes = 1;
        for (mv, child) in self.children() {
            let below = child.between(alpha, beta, opinion);
            nodes += below.nodes;
            if self.prefers(below.outcome, best) {
                best = Some((*mv, below.outcome));
            }
            match self.turn() {
                Side::First => alpha = alpha.max(below.outcome),
                Side::Second => beta = beta.min(below.outcome),
            }
            if alpha >= beta {
                break;
            }
        }
        self.value(best, nodes, opinion)
    }
}

/// Counts of a game tree at one ply. They saturate at the largest number of their type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// Nodes, which are lines of play of this length.
    pub nodes: u128,
    /// Nodes that are finished games.
    pub finished: u128,
    /// Different positions.
    pub positions: u64,
    /// Counts up to symmetry, if the game declares symmetries.
    pub merged: Option<Merged>,
}

/// Counts of a game tree at one ply, if moves to symmetric positions count as one at every step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Different positions.
    pub positions: u64,
    /// Lines of play that are finished games.
    pub finished: u128,
}

/// The representative of all positions that are symmetric to this one.
pub type Representative<G> = fn(&G, &<G as Game>::State) -> <G as Game>::State;

/// The number of lines of play to each position of a ply.
type Lines<S> = HashMap<S, u128, FixedState>;

/// Counts a game tree ply by ply, from its root to its end. It visits every position of a ply once,
/// with the number of lines that lead to it. If play can loop, there is no last ply.
///
/// ```
/// use foregone::{Control, Game, games::Mnk, tree::Census};
///
/// let game = Mnk::tic_tac_toe();
/// let control = Control::default();
/// let census = Census::new(&game, game.start(), None, &control);
/// let nodes: Vec<u128> = census.take(4).map(|ply| ply.unwrap().nodes).collect();
/// assert_eq!(nodes, [1, 9, 72, 504]);
/// ```
pub struct Census<'a, G: Game> {
    game: &'a G,
    control: &'a Control,
    representative: Option<Representative<G>>,
    /// The positions of the last returned ply, and the same up to symmetry.
    lines: Lines<G::State>,
    classes: Lines<G::State>,
    begun: bool,
    seen: u64,
    pace: Pace,
    written: Option<Written<G>>,
}

impl<'a, G: Game> Census<'a, G> {
    /// The census of the tree below `root`; with a representative also up to symmetry.
    pub fn new(
        game: &'a G,
        root: G::State,
        representative: Option<Representative<G>>,
        control: &'a Control,
    ) -> Census<'a, G> {
        let lines = Lines::from_iter([(root, 1)]);
        let classes = representative.map(|like| (like(game, &root), 1)).into_iter().collect();
        let (begun, seen, pace, written) = (false, 0, Pace::new(), None);
        Census { game, control, representative, lines, classes, begun, seen, pace, written }
    }

    /// Writes positions in errors by this notation instead of their debug text.
    pub fn with_notation(self, written: Written<G>) -> Self {
        Census { written: Some(written), ..self }
    }

    fn over(&self, lines: &Lines<G::State>) -> u128 {
        let over = lines.iter().filter(|(state, _)| outcome(self.game, state).is_some());
        total(over.map(|(_, count)| *count))
    }

    /// The positions of the next ply; with a representative, moves to symmetric positions count as
    /// one.
    fn next_ply(
        &mut self,
        lines: Lines<G::State>,
        representative: Option<Representative<G>>,
    ) -> Result<Lines<G::State>, Halted> {
        let game = self.game;
        let phase = "counting positions";
        let entry = size_of::<(G::State, u128)>() as u64 + 1;
        let mut next = Lines::default();
        let mut merged = HashSet::new();
        for (state, count) in lines.iter().filter(|(state, _)| outcome(game, state).is_none()) {
            self.seen += 1;
            merged.clear();
            let mut any = false;
            for (_, mut child) in game.successors(state) {
                any = true;
                // A full map is copied to one of twice the size; both exist for a moment.
                if self.pace.is_up(1) || next.len() == next.capacity() {
                    let done = self.seen;
                    self.control.report(Progress { phase, done, total: None, bounds: None })?;
                    let growing =
                        if next.len() == next.capacity() { 2 * next.capacity() } else { 0 };
                    let room = self.lines.capacity() + lines.capacity() + next.capacity() + growing;
                    self.control.check_memory(
                        (room + merged.capacity()) as u64 * entry,
                        phase,
                        done,
                    )?;
                }
                if let Some(like) = representative {
                    child = like(game, &child);
                    if !merged.insert(child) {
                        continue;
                    }
                }
                let sum: &mut u128 = next.entry(child).or_default();
                *sum = sum.saturating_add(*count);
            }
            if !any {
                return Err(moves::none(game, state, self.written));
            }
        }
        Ok(next)
    }

    fn advance(&mut self) -> Result<(), Halted> {
        let lines = std::mem::take(&mut self.lines);
        self.lines = self.next_ply(lines, None)?;
        if self.representative.is_some() {
            let classes = std::mem::take(&mut self.classes);
            self.classes = self.next_ply(classes, self.representative)?;
        }
        Ok(())
    }
}

impl<G: Game> Iterator for Census<'_, G> {
    type Item = Result<Ply, Halted>;

    /// The next ply; an error if a limit is reached or `control` stops the run.
    fn next(&mut self) -> Option<Result<Ply, Halted>> {
        if std::mem::replace(&mut self.begun, true)
            && let Err(halted) = self.advance()
        {
            self.lines.clear();
            return Some(Err(halted));
        }
        if self.lines.is_empty() {
            return None;
        }
        Some(Ok(Ply {
            nodes: total(self.lines.values().copied()),
            finished: self.over(&self.lines),
            positions: self.lines.len() as u64,
            merged: self.representative.map(|_| Merged {
                positions: self.classes.len() as u64,
                finished: self.over(&self.classes),
            }),
        }))
    }
}

/// A saturating sum.
fn total(counts: impl Iterator<Item = u128>) -> u128 {
    counts.fold(0, u128::saturating_add)
}

#[cfg(test)]
mod tests;
