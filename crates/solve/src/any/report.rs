//! What front ends show and programs read: results as text and numbers, whatever the game.
//!
//! [`Report`] and [`TreeReport`] turn into JSON as they stand; `docs/json.md` is their contract.

use foregone_rules::Value;
use serde::Serialize;

use crate::control::Halted;

/// What was found out about a position; see [`Analysis`](crate::Analysis) for the meaning.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The game with all its parameters.
    pub game: String,
    /// The position, in the game's notation.
    pub position: String,
    /// Who is to move, as the notation names the side.
    pub to_move: String,
    /// The value for the side to move, in the game's unit; null if nothing was found.
    pub value: Option<i32>,
    /// What values count.
    pub unit: String,
    /// `win`, `loss` or `draw` for the side to move; null if that is not proven.
    pub result: Option<String>,
    /// Plies to the end of the game; null where play is endless or that is not proven.
    pub distance: Option<u32>,
    /// Whether perfect play goes on without end.
    pub endless: bool,
    /// What play without end is worth to the side to move, mostly 0: distances are compared by it.
    #[serde(skip)]
    pub without_end: i32,
    /// Whether value and distance are proven. A depth limit leaves estimates, a halted run nothing,
    /// bounds, or the estimates of [`lookahead`](Report::lookahead).
    pub proven: bool,
    /// How many plies the estimates look ahead that a halted run ends with; left out of JSON where
    /// there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lookahead: Option<u32>,
    /// The least and the most that the value was proven to be when the run was halted; null where
    /// the value is known, or nothing of it.
    pub bounds: Option<[i32; 2]>,
    /// Every legal move; of a halted search, those that were finished, unless there are estimates of
    /// the others.
    pub moves: Vec<MoveReport>,
    /// All best moves.
    pub best: Vec<String>,
    /// A line of best play.
    pub line: Vec<String>,
    /// The method that was used.
    pub method: String,
    /// How many different positions were solved or remembered; null if that was not counted.
    pub positions: Option<u64>,
    /// How many positions were visited for the moves' values, each as often as it was.
    pub nodes: u64,
    /// How long that took; the line is looked for afterwards.
    pub seconds: f64,
    /// Why this method, in words.
    #[serde(skip)]
    pub why: String,
    /// Why there is no result, or only a part of one.
    #[serde(skip)]
    pub halted: Option<Halted>,
}

/// A legal move and what it leads to, seen by who makes it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it leads to.
    #[serde(flatten)]
    pub result: ResultReport,
    /// How chance games end after it, in the mean, if that is what tells estimates apart; left out
    /// of JSON elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

/// A value with what belongs to it; the fields are those of [`Report`].
#[derive(Clone, Debug, Serialize)]
pub struct ResultReport {
    /// The value for who moves.
    pub value: i32,
    /// `win`, `loss` or `draw`; null where not proven.
    pub result: Option<String>,
    /// Plies to the end, that of the move included.
    pub distance: Option<u32>,
    /// Whether play is endless.
    pub endless: bool,
}

/// How a tree is to be looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeRequest {
    /// How many plies; if nothing is said, as many as keep the tree small.
    pub depth: Option<u32>,
}

/// A game tree and what searching it costs.
#[derive(Clone, Debug, Serialize)]
pub struct TreeReport {
    /// The game with all its parameters.
    pub game: String,
    /// The position at the root, in the game's notation.
    pub position: String,
    /// The two sides' names, the first player's first.
    pub sides: [String; 2],
    /// How many plies are looked at.
    pub depth: u32,
    /// Whether every line of play ends within them.
    pub complete: bool,
    /// What there is at each ply.
    pub plies: Vec<PlyReport>,
    /// The tree itself; null where it has too many nodes to be written.
    pub tree: Option<NodeReport>,
    /// What minimax finds in the tree, and at what cost; null where the tree is.
    pub minimax: Option<SearchReport>,
    /// The same for alpha-beta.
    pub alphabeta: Option<SearchReport>,
    /// Why plies are missing.
    #[serde(skip)]
    pub halted: Option<Halted>,
}

/// What a tree has at one ply.
#[derive(Clone, Debug, Serialize)]
pub struct PlyReport {
    /// The ply, 0 at the root.
    pub ply: u32,
    /// Lines of play of this length, each a node.
    pub nodes: u128,
    /// Different positions.
    pub positions: u64,
    /// Different positions up to symmetry; null where the game names none.
    pub up_to_symmetry: Option<u64>,
    /// Games that end here.
    pub finished: u128,
    /// The same, where at every step moves to symmetric positions count as one.
    pub finished_up_to_symmetry: Option<u128>,
}

/// A node of a tree.
#[derive(Clone, Debug, Serialize)]
pub struct NodeReport {
    /// The move that leads here; null at the root.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Who is to move; in a finished game, would be.
    pub to_move: String,
    /// The result, seen by the first player, if the game is over.
    pub outcome: Option<i32>,
    /// What the node looks worth without looking further, seen by the first player: the game's
    /// evaluation, or the result; null where neither is.
    pub value: Option<i32>,
    /// Whether alpha-beta leaves it out.
    pub pruned: bool,
    /// What the moves lead to.
    pub children: Vec<NodeReport>,
}

/// What searching a tree found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SearchReport {
    /// The first of the best moves; null at a leaf.
    pub best: Option<String>,
    /// What both sides can be sure of, seen by the first player; where the tree is cut off, by the
    /// game's evaluation.
    pub value: i32,
    /// How many nodes were looked at.
    pub nodes: u64,
}

/// A value in words: `a win by 3 stones`, `a draw`, `a loss`.
pub fn in_words(value: Value, unit: &str) -> String {
    let verdict = value.verdict();
    match (value.0.unsigned_abs(), unit) {
        (0, _) | (_, "result") => format!("a {verdict}"),
        (1, unit) => format!("a {verdict} by 1 {}", unit.strip_suffix('s').unwrap_or(unit)),
        (size, unit) => format!("a {verdict} by {size} {unit}"),
    }
}
