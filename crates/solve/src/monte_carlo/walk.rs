//! Walks into the tree, and the moves in it.

use std::mem::size_of;
use std::time::{Duration, Instant};

use foregone_rules::sample::Dice;
use foregone_rules::sort::by_rank;
use foregone_rules::{Game, Value, Written};

use super::guide::{Guide, MAX_MOVES};
use super::playout::Playouts;
use super::tree::{Known, Node, ROOT, Tree};
use super::{Chance, Chances};
use crate::control::{Control, Halted, Progress};
use crate::moves::{self, after};

/// The longest path from the root, in plies.
const DEEPEST: usize = 400;

/// The time in which answers are looked at even if none is left: enough for all of any game that people play, and little
/// for rules of others.
const PATIENCE: Duration = Duration::from_millis(250);

pub(super) struct Walk<'g, G: Game> {
    game: &'g G,
    guide: Guide<G>,
    notation: Option<Written<G>>,
    tree: Tree,
    /// The move to each node but the root.
    moves: Vec<G::Move>,
    /// The most nodes.
    room: usize,
    list: Vec<(i32, G::Move)>,
}

impl<'g, G: Game> Walk<'g, G> {
    /// The tree of a position with its moves.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn new(
        game: &'g G,
        guide: Guide<G>,
        notation: Option<Written<G>>,
        state: &G::State,
        control: &Control,
    ) -> Result<Self, Halted> {
        let bytes = (size_of::<Node>() + size_of::<G::Move>()) as u64;
        // A full list is copied to one of twice the size; both exist for a moment.
        let room = (control.memory() / (3 * bytes)).min(u32::MAX.into()) as usize;
        let tree = Tree::new(game.turn(state), game.max_value());
        let (moves, list) = (Vec::new(), Vec::new());
        let mut walk = Walk { game, guide, notation, tree, moves, room, list };
        // All moves, not only those that matter, as each gets its chance.
        walk.expand(Guide::PLAIN, ROOT, state)?;
        if walk.tree.nodes[ROOT].children == 0 {
            let bytes = walk.list.len() as u64 * bytes;
            control.check_memory(bytes.max(control.memory() + 1), "listing moves", 0)?;
        }
        Ok(walk)
    }

    /// Whether nothing better or worse was seen than what is proven.
    pub fn is_settled(&self) -> bool {
        self.tree.is_settled(ROOT)
    }

    /// Looks at the answers to each move, whatever the time, unless that takes very long; whether that does not prove the
    /// value of the root.
    ///
    /// # Errors
    /// If it is stopped, or the game breaks its rules.
    pub fn look_at_answers(&mut self, state: &G::State, control: &Control) -> Result<bool, Halted> {
        let (patient, begun) = (control.clone().without_time(), Instant::now());
        for child in self.tree.children(ROOT) {
            let (phase, done) = ("looking at answers", child as u64);
            let limits = if begun.elapsed() < PATIENCE { &patient } else { control };
            match limits.report(Progress { phase, done, total: None, bounds: None }) {
                Err(Halted::Time { .. }) => break,
                looked => looked?,
            }
            if !self.tree.is_settled(child) {
                let next = after(self.game, state, self.moves[child - 1]);
                self.expand(self.guide, child, &next)?;
            }
        }
        self.tree.narrow(ROOT);
        Ok(!self.is_settled())
    }

    /// Gives a node its children, if there is room, and its bounds.
    fn expand(&mut self, guide: Guide<G>, node: usize, state: &G::State) -> Result<(), Halted> {
        let Walk { game, tree, list, .. } = self;
        list.clear();
        tree.learn(node, (guide.by_priority)(game, state, list));
        if tree.is_settled(node) {
            return Ok(());
        }
        if list.is_empty() {
            return Err(moves::none(*game, state, self.notation));
        }
        // With moves left out, nothing would follow from the others.
        if tree.nodes.len() + list.len() > self.room || list.len() >= MAX_MOVES {
            return Ok(());
        }
        by_rank(list, &|(priority, _)| -i64::from(*priority));
        let first = tree.nodes.len();
        for &(_, mv) in &*list {
            let next = after(*game, state, mv);
            tree.push(game.turn(&next), game.outcome(&next));
            self.moves.push(mv);
        }
        tree.adopt(node, first);
        Ok(())
    }

    /// One walk into the tree, and a random game from where it ends.
    ///
    /// # Errors
    /// If a limit is reached, or the game breaks its rules.
    pub fn try_once(
        &mut self,
        root: &G::State,
        playouts: &mut Playouts<'g, G>,
        dice: &mut Dice,
    ) -> Result<(), Halted> {
        let mut here = *root;
        let mut node = ROOT;
        self.tree.path.clear();
        self.tree.path.push(ROOT);
        let mut expanded = None;
        let outcome = loop {
            if self.tree.is_settled(node) {
                break self.tree.outcome(node);
            }
            if self.tree.nodes[node].children == 0 {
                // A position is looked at when it is met for the second time.
                if self.tree.nodes[node].games > 0 {
                    self.expand(self.guide, node, &here)?;
                    expanded = Some(self.tree.path.len() - 1);
                }
                if self.tree.is_settled(node) {
                    break self.tree.outcome(node);
                }
                if self.tree.nodes[node].children == 0 {
                    break playouts.play(&here, dice)?;
                }
            }
            // Walks that end in what is proven have no random game, which would look at the limits.
            playouts.check(self.tree.nodes[node].children.into())?;
            if self.tree.path.len() > DEEPEST {
                break self.game.endless(&here);
            }
            let Some(child) = self.tree.choose(node, dice) else {
                break self.tree.outcome(node);
            };
            let mv = self.moves[child - 1];
            playouts.note(self.tree.nodes[node].turn, &here, mv);
            here = self.game.play(&here, mv);
            node = child;
            self.tree.path.push(node);
        };
        playouts.learn(outcome);
        self.tree.back_up(outcome, expanded);
        Ok(())
    }

    /// The chances of all moves.
    pub fn chances(&self, games: u32, endless: Value) -> Chances<G::Move> {
        let children = self.tree.children(ROOT);
        let first = children.start;
        let best = self.tree.best(endless) - first;
        let moves = children.map(|at| {
            let Known { chance, games, found } = self.tree.known(at);
            Chance { mv: self.moves[at - 1], chance, games, found }
        });
        let likeliest = self.tree.likeliest(first + best).map_or(best, |at| at - first);
        let proven = self.tree.is_proven();
        Chances { moves: moves.collect(), best, likeliest, proven, games }
    }
}
