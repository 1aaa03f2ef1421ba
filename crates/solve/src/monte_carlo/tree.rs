//! The tree of promising moves. It holds numbers alone, so that it is compiled once for all games; `walk.rs` holds the
//! moves.

use foregone_rules::sample::Dice;
use foregone_rules::{Outcome, Side, Value};

use super::sign;
use crate::found::Found;

/// The place of the root.
pub(super) const ROOT: usize = 0;

/// How much a move gains in interest by having been tried less than others.
const CURIOSITY: f64 = 0.7;

/// The part of a result that is its sign; the rest is its size, in games that count points.
const SIGN: f64 = 0.9;

/// Games that a move is taken to have besides its own, which went as those of all moves: what a few games show is luck.
const AS_ALL: f64 = 30.0;

/// What is known of the position after a move. Results and bounds are as the first player sees them.
pub(super) struct Node {
    /// The side to move after it.
    pub turn: Side,
    /// Its children are next to each other; none if it has not been looked at.
    first: u32,
    pub children: u32,
    pub games: u32,
    /// Wins of the first player, minus those of the second.
    wins: i32,
    /// The sum of the results.
    points: i64,
    low: i32,
    high: i32,
}

pub(super) struct Tree {
    pub nodes: Vec<Node>,
    /// [`Game::max_value`](foregone_rules::Game::max_value).
    limit: i32,
    /// The largest result so far, either way; at least 1.
    max: i32,
    /// From the root to where a random game begins.
    pub path: Vec<usize>,
}

/// What is known about a move at the root.
pub(super) struct Known {
    /// See [`Chance`](super::Chance).
    pub chance: f64,
    pub games: u32,
    pub found: Option<Found>,
}

impl Tree {
    /// A root with the side to move there.
    pub fn new(turn: Side, limit: i32) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), limit, max: 1, path: Vec::new() };
        tree.push(turn, None);
        tree
    }

    /// Adds a node for a position with this outcome, or one that is not over.
    pub fn push(&mut self, turn: Side, outcome: Option<Outcome>) {
        let (low, high) = match outcome {
            Some(Outcome(outcome)) => {
                self.max = self.max.max(outcome.abs());
                (outcome, outcome)
            }
            None => (-self.limit, self.limit),
        };
        let (first, children, games, wins, points) = (0, 0, 0, 0, 0);
        self.nodes.push(Node { turn, first, children, games, wins, points, low, high });
    }

    /// Makes the nodes from `first` on the children of a node.
    pub fn adopt(&mut self, node: usize, first: usize) {
        self.nodes[node].first = first as u32;
        self.nodes[node].children = (self.nodes.len() - first) as u32;
        self.narrow(node);
    }

    /// Takes bounds of the value into account, as the side to move there sees it.
    pub fn learn(&mut self, node: usize, (low, high): (Value, Value)) {
        let node = &mut self.nodes[node];
        let (low, high) = match node.turn {
            Side::First => (low.0, high.0),
            Side::Second => (-high.0, -low.0),
        };
        node.low = node.low.max(low);
        node.high = node.high.min(high);
    }

    /// Bounds of the value after a move. Where nothing is known, the largest result so far stands for
    /// [`Game::max_value`], which need not be near to what can happen: no win would be known to be the largest.
    fn bounds(&self, node: &Node) -> (i32, i32) {
        let max = self.limit;
        let low = if node.low <= -max { -self.max } else { node.low };
        let high = if node.high >= max { self.max } else { node.high };
        (low, high)
    }

    /// Whether nothing better or worse was seen than what is proven.
    pub fn is_settled(&self, node: usize) -> bool {
        let (low, high) = self.bounds(&self.nodes[node]);
        low >= high
    }

    /// The outcome of a node that is settled.
    pub fn outcome(&self, node: usize) -> Outcome {
        Outcome(self.bounds(&self.nodes[node]).0)
    }

    pub fn children(&self, node: usize) -> std::ops::Range<usize> {
        let Node { first, children, .. } = self.nodes[node];
        first as usize..first as usize + children as usize
    }

    /// Brings the bounds of a node in line with those of its children; whether they have changed.
    pub fn narrow(&mut self, node: usize) -> bool {
        let children = &self.nodes[self.children(node)];
        let Node { turn, low, high, .. } = self.nodes[node];
        let lows = children.iter().map(|child| child.low);
        let highs = children.iter().map(|child| child.high);
        // The value is the best of the children's, or the bound that the node had from the beginning.
        let (new_low, new_high) = match turn {
            _ if children.is_empty() => return false,
            Side::First => (low.max(lows.max().unwrap_or(low)), highs.max().unwrap_or(high)),
            Side::Second => (lows.min().unwrap_or(low), high.min(highs.min().unwrap_or(high))),
        };
        let (new_low, new_high) = match turn {
            Side::First => (new_low, new_high.max(new_low).min(high)),
            Side::Second => (new_low.min(new_high).max(low), new_high),
        };
        self.nodes[node].low = new_low;
        self.nodes[node].high = new_high;
        (new_low, new_high) != (low, high)
    }

    /// Takes the outcome of a game into account along the path; `expanded` is the place on it of a node with new
    /// children.
    pub fn back_up(&mut self, mut outcome: Outcome, expanded: Option<usize>) {
        self.max = self.max.max(outcome.0.abs());
        // Whether the bounds of the node below have changed.
        let mut narrower = false;
        for at in (0..self.path.len()).rev() {
            let node = self.path[at];
            narrower = narrower && self.narrow(node) || expanded == Some(at);
            let node = &mut self.nodes[node];
            // It cannot be better or worse than what is proven.
            outcome.0 = outcome.0.max(node.low).min(node.high);
            node.games += 1;
            node.wins += sign(outcome);
            node.points += i64::from(outcome.0);
        }
    }

    /// What the games of a node show, from 0 to 1, for a side.
    fn mean(&self, node: &Node, side: Side) -> f64 {
        if node.games == 0 {
            return 0.5;
        }
        let games = f64::from(node.games);
        self.scaled(f64::from(node.wins) / games, node.points as f64 / games, side)
    }

    /// What an outcome is worth to a side, from 0 to 1.
    fn size(&self, outcome: Outcome, side: Side) -> f64 {
        self.scaled(f64::from(sign(outcome)), f64::from(outcome.0), side)
    }

    fn scaled(&self, sign: f64, points: f64, side: Side) -> f64 {
        let first = SIGN * sign + (1.0 - SIGN) * (points / f64::from(self.max)).clamp(-1.0, 1.0);
        0.5 + 0.5 * if side == Side::First { first } else { -first }
    }

    /// Whether a child can't be better than what its parent's side is sure of.
    fn is_idle(&self, child: usize, parent: usize) -> bool {
        let turn = self.nodes[parent].turn;
        let [child, parent] = [child, parent].map(|at| self.bounds(&self.nodes[at]));
        match turn {
            Side::First => child.1 <= parent.0,
            Side::Second => child.0 >= parent.1,
        }
    }

    /// The child to try next, among those that may still matter.
    pub fn choose(&self, node: usize, dice: &mut Dice) -> Option<usize> {
        let Node { turn, games, .. } = self.nodes[node];
        let log = f64::from(games.max(1)).ln();
        let unseen = self.mean(&self.nodes[node], turn);
        let mut best = (f64::NEG_INFINITY, None);
        for at in self.children(node) {
            if self.is_idle(at, node) {
                continue;
            }
            let child = &self.nodes[at];
            let tried = f64::from(child.games);
            let mean = if child.games == 0 { unseen + 0.1 } else { self.mean(child, turn) };
            let jitter = (dice.roll() >> 40) as f64 * 1e-10;
            let interest = mean + CURIOSITY * (log / (tried + 1.0)).sqrt() + jitter;
            if interest > best.0 {
                best = (interest, Some(at));
            }
        }
        best.1
    }

    /// Whether the value of the root is proven.
    pub fn is_proven(&self) -> bool {
        self.nodes[ROOT].low >= self.nodes[ROOT].high
    }

    /// What is known about a move at the root.
    pub fn known(&self, at: usize) -> Known {
        let turn = self.nodes[ROOT].turn;
        let child = &self.nodes[at];
        let settled = self.is_settled(at).then(|| self.outcome(at).value_for(turn));
        let share = |wins: i32, games: u32| f64::from(wins) / f64::from(games.max(1));
        let wins = match settled {
            Some(value) => f64::from(value.0.signum()),
            None => {
                let all = share(self.nodes[ROOT].wins, self.nodes[ROOT].games);
                let wins = share(child.wins, child.games);
                let trust = f64::from(child.games) / (f64::from(child.games) + AS_ALL);
                let first = all + trust * (wins - all);
                if turn == Side::First { first } else { -first }
            }
        };
        let found = settled.filter(|_| child.low >= child.high).map(Found::Value);
        Known { chance: 0.5 + 0.5 * wins, games: child.games, found }
    }

    /// The move at the root with the largest chance of those whose value is open; `None` if the best is proven.
    pub fn likeliest(&self, best: usize) -> Option<usize> {
        let is_open = |at: &usize| !self.is_settled(*at);
        let chance = |at: &usize| self.known(*at).chance;
        let open = self.children(ROOT).filter(|_| is_open(&best)).filter(is_open);
        open.max_by(|one, other| chance(one).total_cmp(&chance(other)))
    }

    /// The best move at the root: the one that most games tried, unless another is proven to be as good as that seems.
    pub fn best(&self, endless: Value) -> usize {
        let turn = self.nodes[ROOT].turn;
        let (low, high) = self.bounds(&self.nodes[ROOT]);
        // What the side to move is sure of, and the moves that make it so.
        let sure = if turn == Side::First { low } else { high };
        let keeps = |at: &usize| match turn {
            Side::First => self.nodes[*at].low >= sure,
            Side::Second => self.nodes[*at].high <= sure,
        };
        let wins = Outcome(sure).value_for(turn) > endless;
        let winner = if wins { turn } else { turn.other() };
        let by_plies = |at: &usize| {
            let plies = self.plies(*at, winner);
            if wins { plies } else { u32::MAX - plies }
        };
        let safe = self.children(ROOT).filter(keeps).min_by_key(by_plies);
        let open = self.children(ROOT).filter(|at| !self.is_idle(*at, ROOT));
        let tried = open.max_by_key(|at| self.nodes[*at].games);
        match (tried, safe) {
            (None, safe) => safe.unwrap_or(self.nodes[ROOT].first as usize),
            (Some(tried), Some(safe))
                if self.size(Outcome(sure), turn) >= self.mean(&self.nodes[tried], turn) =>
            {
                safe
            }
            (Some(tried), _) => tried,
        }
    }

    /// The plies of a proof, as far as the tree has it: the winner hurries, the other side resists.
    fn plies(&self, node: usize, winner: Side) -> u32 {
        let Node { turn, low, high, .. } = self.nodes[node];
        let proven = self.children(node).filter(|child| self.is_settled(*child));
        let keeps = |at: &usize| match turn {
            Side::First => self.nodes[*at].low >= low,
            Side::Second => self.nodes[*at].high <= high,
        };
        let below = match turn == winner {
            true => proven.filter(keeps).map(|at| self.plies(at, winner)).min(),
            false => proven.map(|at| self.plies(at, winner)).max(),
        };
        below.map_or(0, |plies| plies + 1)
    }
}
