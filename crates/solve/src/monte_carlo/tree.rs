//! The tree of promising moves.

use std::marker::PhantomData;
use std::mem::size_of;

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Outcome, Side, Value, Written};

use super::guide::{Guide, MOST_MOVES, Plain};
use super::playout::{Playouts, outcome_bounds};
use super::{Chance, Chances, chance, sign};
use crate::control::{Control, Halted, Progress};
use crate::found::Found;
use crate::moves::{self, sort_by_rank};

/// The place of the root.
pub(super) const ROOT: usize = 0;

/// How much a move gains in interest by having been tried less than others.
const CURIOSITY: f64 = 0.7;

/// The part of a result that is its sign; the rest is its size, in games that count points.
const SIGN: f64 = 0.9;

/// The longest path from the root, in plies.
const DEEPEST: usize = 400;

/// So many answers to the moves are looked at without time: more than in any game that people play.
const MOST_ANSWERS: usize = 100_000;

/// A move, and what is known of the position after it. Results and bounds are as the first player sees them.
struct Node<M> {
    /// `None` at the root.
    mv: Option<M>,
    /// The side to move after it.
    turn: Side,
    /// Its children are next to each other; none if it has not been looked at.
    first: u32,
    children: u32,
    games: u32,
    /// Wins of the first player, minus those of the second.
    wins: i32,
    /// The sum of the results.
    points: i64,
    low: i32,
    high: i32,
}

pub(super) struct Tree<'g, G: Game, H> {
    game: &'g G,
    notation: Option<Written<G>>,
    nodes: Vec<Node<G::Move>>,
    /// The most nodes.
    room: usize,
    /// The largest result so far, either way; at least 1.
    most: i32,
    list: Vec<(i32, G::Move)>,
    path: Vec<usize>,
    guide: PhantomData<H>,
}

impl<'g, G: Game, H: Guide<G>> Tree<'g, G, H> {
    /// The tree of a position with its moves.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn new(
        game: &'g G,
        notation: Option<Written<G>>,
        state: &G::State,
        control: &Control,
    ) -> Result<Self, Halted> {
        // A full list is copied to one of twice the size; both exist for a moment.
        let room = control.memory() / (3 * size_of::<Node<G::Move>>() as u64);
        let room = room.min(u32::MAX.into()) as usize;
        let (low, high) = (-game.most(), game.most());
        let turn = game.turn(state);
        let root =
            Node { mv: None, turn, first: 0, children: 0, games: 0, wins: 0, points: 0, low, high };
        let (list, path, guide) = (Vec::new(), Vec::new(), PhantomData);
        let nodes = vec![root];
        let mut tree = Tree { game, notation, nodes, room, most: 1, list, path, guide };
        // All moves, not only those that matter, as each gets its chance.
        tree.expand::<Plain>(ROOT, state)?;
        if tree.nodes[ROOT].children == 0 {
            let bytes = (tree.list.len() * size_of::<Node<G::Move>>()) as u64;
            control.check_memory(bytes.max(control.memory() + 1), "listing moves", 0)?;
        }
        Ok(tree)
    }

    /// Bounds of the value after a move. Where nothing is known, the largest result so far stands for
    /// [`Game::most`], which need not be near to what can happen: no win would be known to be the largest.
    fn bounds(&self, node: &Node<G::Move>) -> (i32, i32) {
        let most = self.game.most();
        let low = if node.low <= -most { -self.most } else { node.low };
        let high = if node.high >= most { self.most } else { node.high };
        (low, high)
    }

    /// Whether nothing better or worse was seen than what is proven.
    pub fn is_settled(&self, node: usize) -> bool {
        let (low, high) = self.bounds(&self.nodes[node]);
        low >= high
    }

    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let Node { first, children, .. } = self.nodes[node];
        first as usize..first as usize + children as usize
    }

    /// Looks at the answers to each move, whatever the time, unless there are very many; whether that does not prove the
    /// value of the root.
    ///
    /// # Errors
    /// If it is stopped, or the game breaks its rules.
    pub fn look_at_answers(&mut self, state: &G::State, control: &Control) -> Result<bool, Halted> {
        let patient = control.clone().without_time();
        let mut answers = 0;
        for child in self.children(ROOT) {
            let (phase, done) = ("looking at answers", child as u64);
            let limits = if answers < MOST_ANSWERS { &patient } else { control };
            match limits.report(Progress { phase, done, total: None, bounds: None }) {
                Err(Halted::Time { .. }) => break,
                looked => looked?,
            }
            if !self.is_settled(child) {
                let next = self.after(state, child);
                self.expand::<H>(child, &next)?;
                answers += self.list.len();
            }
        }
        self.narrow(ROOT);
        Ok(!self.is_settled(ROOT))
    }

    fn after(&self, state: &G::State, child: usize) -> G::State {
        match self.nodes[child].mv {
            Some(mv) => self.game.play(state, mv),
            None => *state,
        }
    }

    /// Gives a node its children, if there is room, and its bounds.
    fn expand<K: Guide<G>>(&mut self, node: usize, state: &G::State) -> Result<(), Halted> {
        let game = self.game;
        let turn = self.nodes[node].turn;
        self.list.clear();
        let bounds = K::bounds_and_moves(game, state, &mut self.list);
        let (low, high) = outcome_bounds(bounds, turn);
        self.nodes[node].low = self.nodes[node].low.max(low);
        self.nodes[node].high = self.nodes[node].high.min(high);
        if self.is_settled(node) {
            return Ok(());
        }
        if self.list.is_empty() {
            return Err(moves::none(game, state, self.notation));
        }
        // With moves left out, nothing would follow from the others.
        if self.nodes.len() + self.list.len() > self.room || self.list.len() >= MOST_MOVES {
            return Ok(());
        }
        sort_by_rank(&mut self.list, |(priority, _)| -i64::from(*priority));
        let first = self.nodes.len();
        for (_, mv) in &self.list {
            let next = game.play(state, *mv);
            let (low, high) = match game.outcome(&next) {
                Some(outcome) => {
                    self.most = self.most.max(outcome.0.abs());
                    (outcome.0, outcome.0)
                }
                None => (-game.most(), game.most()),
            };
            let turn = game.turn(&next);
            let (first, children, games, wins, points) = (0, 0, 0, 0, 0);
            let mv = Some(*mv);
            self.nodes.push(Node { mv, turn, first, children, games, wins, points, low, high });
        }
        self.nodes[node].first = first as u32;
        self.nodes[node].children = self.list.len() as u32;
        self.narrow(node);
        Ok(())
    }

    /// Brings the bounds of a node in line with those of its children; whether they have changed.
    fn narrow(&mut self, node: usize) -> bool {
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

    /// One walk into the tree, and a random game from where it ends.
    ///
    /// # Errors
    /// If a limit is reached, or the game breaks its rules.
    pub fn try_once(
        &mut self,
        root: &G::State,
        playouts: &mut Playouts<'g, G, H>,
        dice: &mut Dice,
    ) -> Result<(), Halted> {
        let mut here = *root;
        let mut node = ROOT;
        self.path.clear();
        self.path.push(ROOT);
        let mut expanded = None;
        let mut outcome = loop {
            if self.is_settled(node) {
                break Outcome(self.bounds(&self.nodes[node]).0);
            }
            if self.nodes[node].children == 0 {
                // A position is looked at when it is met for the second time.
                if self.nodes[node].games > 0 {
                    self.expand::<H>(node, &here)?;
                    expanded = Some(self.path.len() - 1);
                }
                if self.is_settled(node) {
                    break Outcome(self.bounds(&self.nodes[node]).0);
                }
                if self.nodes[node].children == 0 {
                    break playouts.play(&here, dice)?;
                }
            }
            // Walks that end in what is proven have no random game, which would look at the limits.
            playouts.check(self.nodes[node].children.into())?;
            if self.path.len() > DEEPEST {
                break self.game.endless(&here);
            }
            let Some(child) = self.choose(node, dice) else {
                break Outcome(self.bounds(&self.nodes[node]).0);
            };
            let mv = self.nodes[child].mv.expect("a child is a move");
            playouts.note(self.nodes[node].turn, &here, mv);
            here = self.game.play(&here, mv);
            node = child;
            self.path.push(node);
        };
        playouts.learn(outcome);
        self.most = self.most.max(outcome.0.abs());
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
        Ok(())
    }

    /// What the games of a node show, from 0 to 1, for a side.
    fn mean(&self, node: &Node<G::Move>, side: Side) -> f64 {
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
        let first = SIGN * sign + (1.0 - SIGN) * (points / f64::from(self.most)).clamp(-1.0, 1.0);
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
    fn choose(&self, node: usize, dice: &mut Dice) -> Option<usize> {
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

    /// The chances of all moves.
    pub fn chances(&self, games: u32, endless: Value) -> Chances<G::Move> {
        let turn = self.nodes[ROOT].turn;
        let chance_of = |at: usize| {
            let child = &self.nodes[at];
            let settled =
                self.is_settled(at).then(|| Outcome(self.bounds(child).0).value_for(turn));
            let (wins, tried) = match settled {
                Some(value) => (value.0.signum(), 1),
                None if turn == Side::First => (child.wins, child.games),
                None => (-child.wins, child.games),
            };
            let mv = child.mv.expect("a child is a move");
            let proven = settled.filter(|_| child.low >= child.high);
            let found = proven.map(Found::Value);
            Chance { mv, chance: chance(wins, tried), games: child.games, found }
        };
        let moves = self.children(ROOT).map(chance_of).collect();
        let proven = self.nodes[ROOT].low >= self.nodes[ROOT].high;
        Chances { moves, best: self.best(endless) - self.children(ROOT).start, proven, games }
    }

    /// The best move at the root: the one that most games tried, unless another is proven to be as good as that seems.
    fn best(&self, endless: Value) -> usize {
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
