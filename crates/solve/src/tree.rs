//! The game tree as the founding texts have it: every node a position, unfolded when it is looked
//! at, cut off at a depth, judged by minimax or by alpha-beta, which say how many nodes they
//! looked at. And the census of a tree ply by ply, which needs no tree.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use foregone_rules::{Game, Outcome, Side};

use crate::control::{Control, Halted, Progress};

/// A node of a game tree: a position and, as soon as somebody looks, what its moves lead to.
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
    /// How many plies follow; any number where nothing is said.
    depth: Option<u32>,
    children: OnceCell<Vec<(G::Move, Tree<'g, G>)>>,
}

/// What a search of a tree found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged<M> {
    /// The first of the best moves; nothing at a leaf.
    pub best: Option<M>,
    /// What both sides can be sure of, seen by the first player.
    pub outcome: Outcome,
    /// How many nodes were looked at.
    pub nodes: u64,
}

impl<'g, G: Game> Tree<'g, G> {
    /// The whole tree of a game.
    pub fn new(game: &'g G) -> Tree<'g, G> {
        Tree::from(game, game.start())
    }

    /// The whole tree below a position.
    pub fn from(game: &'g G, state: G::State) -> Tree<'g, G> {
        Tree { game, state, depth: None, children: OnceCell::new() }
    }

    /// The same tree without what is more than `depth` plies below its root.
    pub fn cut(self, depth: u32) -> Tree<'g, G> {
        let depth = self.depth.map_or(depth, |before| before.min(depth));
        Tree { depth: Some(depth), children: OnceCell::new(), ..self }
    }

    /// The position of this node.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Whose turn it is; in a finished game, would be.
    pub fn turn(&self) -> Side {
        self.game.turn(&self.state)
    }

    /// The result, where the game is over here.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(&self.state)
    }

    /// The moves and what they lead to; none where the game is over or the tree is cut off.
    pub fn children(&self) -> &[(G::Move, Tree<'g, G>)] {
        self.children.get_or_init(|| {
            if self.depth == Some(0) || self.outcome().is_some() {
                return Vec::new();
            }
            let depth = self.depth.map(|depth| depth - 1);
            let child = |mv| {
                let state = self.game.play(&self.state, mv);
                (mv, Tree { game: self.game, state, depth, children: OnceCell::new() })
            };
            self.game.moves(&self.state).map(child).collect()
        })
    }

    /// How many nodes the tree has. Looks at all of them.
    pub fn count(&self) -> u64 {
        1 + self.children().iter().map(|(_, child)| child.count()).sum::<u64>()
    }

    fn leaf(&self, opinion: &dyn Fn(&G::State) -> Outcome) -> Outcome {
        self.outcome().unwrap_or_else(|| opinion(&self.state))
    }

    /// Looks at every node: the first player takes the largest outcome, the second the smallest.
    /// Where the tree is cut off, `opinion` judges.
    pub fn minimax(&self, opinion: &dyn Fn(&G::State) -> Outcome) -> Judged<G::Move> {
        let mut best: Option<(G::Move, Outcome)> = None;
        let mut nodes = 1;
        for (mv, child) in self.children() {
            let below = child.minimax(opinion);
            nodes += below.nodes;
            let better = best.is_none_or(|(_, outcome)| match self.turn() {
                Side::First => below.outcome > outcome,
                Side::Second => below.outcome < outcome,
            });
            if better {
                best = Some((*mv, below.outcome));
            }
        }
        match best {
            Some((mv, outcome)) => Judged { best: Some(mv), outcome, nodes },
            None => Judged { best: None, outcome: self.leaf(opinion), nodes },
        }
    }

    /// The same result from fewer nodes: leaves out moves that one of the players would never let
    /// come about.
    pub fn alpha_beta(&self, opinion: &dyn Fn(&G::State) -> Outcome) -> Judged<G::Move> {
        self.between(Outcome(i32::MIN), Outcome(i32::MAX), opinion)
    }

    /// Alpha-beta where the first player is sure of `alpha` elsewhere, the second of `beta`.
    fn between(
        &self,
        mut alpha: Outcome,
        mut beta: Outcome,
        opinion: &dyn Fn(&G::State) -> Outcome,
    ) -> Judged<G::Move> {
        let mut best: Option<(G::Move, Outcome)> = None;
        let mut nodes = 1;
        for (mv, child) in self.children() {
            let below = child.between(alpha, beta, opinion);
            nodes += below.nodes;
            let better = best.is_none_or(|(_, outcome)| match self.turn() {
                Side::First => below.outcome > outcome,
                Side::Second => below.outcome < outcome,
            });
            if better {
                best = Some((*mv, below.outcome));
                match self.turn() {
                    Side::First => alpha = alpha.max(below.outcome),
                    Side::Second => beta = beta.min(below.outcome),
                }
            }
            if alpha >= beta {
                break;
            }
        }
        match best {
            Some((mv, outcome)) => Judged { best: Some(mv), outcome, nodes },
            None => Judged { best: None, outcome: self.leaf(opinion), nodes },
        }
    }
}

/// What a game tree has at one ply. A count that is too large for its type is the largest number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// Nodes: lines of play of this length.
    pub nodes: u128,
    /// How many of them are finished games.
    pub finished: u128,
    /// Different positions.
    pub positions: u64,
    /// What merging positions that are alike leaves, where the game says which are.
    pub merged: Option<Merged>,
}

/// What a game tree has at one ply when, at every step, moves that lead to positions that are
/// alike count as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Different positions.
    pub positions: u64,
    /// Lines of play that are finished games.
    pub finished: u128,
}

/// The representative of all positions that are like this one.
pub type Representative<G> = fn(&G, &<G as Game>::State) -> <G as Game>::State;

/// How many lines of play lead to each position of a ply.
type Lines<S> = HashMap<S, u128>;

/// Counts what a tree has, ply by ply from its root, down to `depth` or its end: every position
/// once, with the number of lines that lead to it.
///
/// # Errors
/// Where the control's limits are reached, or it says to stop.
pub fn census<G: Game>(
    game: &G,
    root: &G::State,
    depth: Option<u32>,
    representative: Option<Representative<G>>,
    control: &Control,
) -> Result<Vec<Ply>, Halted> {
    let mut plies = Vec::new();
    let mut seen = 0;
    let mut lines: Lines<G::State> = HashMap::from([(*root, 1)]);
    let mut classes = representative.map(|like| HashMap::from([(like(game, root), 1)]));
    for ply in 0.. {
        let over = |lines: &Lines<G::State>| {
            let over = lines.iter().filter(|(state, _)| game.outcome(state).is_some());
            total(over.map(|(_, count)| *count))
        };
        plies.push(Ply {
            nodes: total(lines.values().copied()),
            finished: over(&lines),
            positions: lines.len() as u64,
            merged: classes
                .as_ref()
                .map(|lines| Merged { positions: lines.len() as u64, finished: over(lines) }),
        });
        if depth.is_some_and(|depth| ply >= depth) {
            break;
        }
        lines = next_ply(game, &lines, None, &mut seen, control)?;
        if lines.is_empty() {
            break;
        }
        if let Some(lines) = &mut classes {
            *lines = next_ply(game, lines, representative, &mut seen, control)?;
        }
    }
    Ok(plies)
}

/// A sum that stops at the largest number.
fn total(counts: impl Iterator<Item = u128>) -> u128 {
    counts.fold(0, u128::saturating_add)
}

/// The positions one ply on; with a representative, moves to positions that are alike are one.
fn next_ply<G: Game>(
    game: &G,
    lines: &Lines<G::State>,
    representative: Option<Representative<G>>,
    seen: &mut u64,
    control: &Control,
) -> Result<Lines<G::State>, Halted> {
    let phase = "counting positions";
    let entry = size_of::<(G::State, u128)>() as u64 + 1;
    let mut next = HashMap::new();
    let mut merged = HashSet::new();
    for (state, count) in lines.iter().filter(|(state, _)| game.outcome(state).is_none()) {
        *seen += 1;
        if seen.is_multiple_of(Control::INTERVAL) {
            control.report(Progress { phase, done: *seen, total: None })?;
            let room = lines.capacity() + 3 * next.capacity();
            control.check_memory(room as u64 * entry, phase, *seen)?;
        }
        merged.clear();
        for mv in game.moves(state) {
            let mut child = game.play(state, mv);
            if let Some(like) = representative {
                child = like(game, &child);
                if !merged.insert(child) {
                    continue;
                }
            }
            let sum: &mut u128 = next.entry(child).or_default();
            *sum = sum.saturating_add(*count);
        }
    }
    Ok(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foregone_rules::games::{ConnectFour, Mnk, ThreeMensMorris};
    use foregone_rules::{Args, Family, Reduce};

    #[test]
    fn tic_tac_toe_is_counted_right() {
        let game = Mnk::tic_tac_toe();
        let like: Representative<Mnk> = |game, state| game.reduce(state).state;
        let census = census(&game, &game.start(), None, Some(like), &Control::default()).unwrap();
        assert_eq!(census.len(), 10);
        let sum = |count: fn(&Ply) -> u128| census.iter().map(count).sum::<u128>();
        assert_eq!(sum(|ply| ply.nodes), 549_946);
        assert_eq!(sum(|ply| ply.finished), 255_168);
        assert_eq!(sum(|ply| ply.positions.into()), 5_478);
        assert_eq!(sum(|ply| ply.merged.unwrap().positions.into()), 765);
        assert_eq!(sum(|ply| ply.merged.unwrap().finished), 26_830);
    }

    #[test]
    fn a_census_counts_the_nodes_of_the_tree() {
        let args = Args::new(&ConnectFour::ABOUT, [("columns", "4"), ("rows", "3"), ("line", "3")]);
        let game = ConnectFour::create(&args.unwrap()).unwrap();
        for depth in 0..8 {
            let tree = Tree::new(&game).cut(depth);
            let census = census(&game, &game.start(), Some(depth), None, &Control::default());
            let nodes: u128 = census.unwrap().iter().map(|ply| ply.nodes).sum();
            assert_eq!(u128::from(tree.count()), nodes);
            let opinion = |_: &_| Outcome::DRAW;
            let (plain, pruned) = (tree.minimax(&opinion), tree.alpha_beta(&opinion));
            assert_eq!(plain.nodes, tree.count());
            assert_eq!((plain.best, plain.outcome), (pruned.best, pruned.outcome));
        }
    }

    #[test]
    fn an_endless_game_has_a_census_to_any_depth() {
        let game =
            ThreeMensMorris::create(&Args::new(&ThreeMensMorris::ABOUT, []).unwrap()).unwrap();
        let census = census(&game, &game.start(), Some(300), None, &Control::default()).unwrap();
        assert_eq!(census.len(), 301);
        assert_eq!(census[300].nodes, u128::MAX, "counts stop at the largest number");
    }
}
