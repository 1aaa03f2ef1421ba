//! Results as text and numbers, for front ends and programs, the same for all games.
//!
//! [`Report`] and [`TreeReport`] serialise to JSON directly; `docs/json.md` is the contract.

use foregone_rules::Value;
use serde::Serialize;

use crate::control::Halted;

/// The analysis of a position; see [`Analysis`](crate::Analysis) for the meaning.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The game with all its parameters.
    pub game: String,
    /// The position, in the game's notation.
    pub position: String,
    /// The side to move, as the notation names it.
    pub to_move: String,
    /// The value for the side to move, in the game's unit; null if unknown.
    pub value: Option<i32>,
    /// The unit of values.
    pub unit: String,
    /// `win`, `loss` or `draw` for the side to move; null if that is not proven.
    pub result: Option<String>,
    /// Plies to the end of the game; null if play is endless or the distance is not proven.
    pub distance: Option<u32>,
    /// Whether perfect play goes on without end.
    pub endless: bool,
    /// The value of endless play for the side to move, mostly 0; distances are compared
    /// relative to it.
    #[serde(skip)]
    pub without_end: i32,
    /// Whether value and distance are proven. A search with a depth limit gives estimates; a halted
    /// run gives nothing, bounds, or the estimates of `lookahead`.
    pub proven: bool,
    /// The search depth in plies of the estimates that a halted run ends with; absent from JSON if
    /// there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lookahead: Option<u32>,
    /// The proven lower and upper bound of the value when the run was halted; null if the value is
    /// known, or no bound is.
    pub bounds: Option<[i32; 2]>,
    /// Every legal move; for a halted search, the finished moves, and the others if they have
    /// estimates.
    pub moves: Vec<MoveReport>,
    /// All best moves.
    pub best: Vec<String>,
    /// The moves from which perfect play chooses: the best ones; in a draw, if that is soon known, those after
    /// which the opponent has the fewest replies that hold it.
    pub preferred: Vec<String>,
    /// A line of best play.
    pub line: Vec<String>,
    /// Whether the game goes on after the line: it ends where a book does, or where the search was halted.
    #[serde(skip)]
    pub goes_on: bool,
    /// The method that was used.
    pub method: String,
    /// Where the value comes from if it was known before: `table`, `book`, `proof`, or `before` if all positions were
    /// solved before; null if it was searched for.
    pub source: Option<String>,
    /// The number of different positions solved or remembered; null if not counted.
    pub positions: Option<u64>,
    /// The number of position visits for the values of the moves.
    pub nodes: u64,
    /// The time for that, without the time for the line.
    pub seconds: f64,
    /// Why this method, in words.
    #[serde(skip)]
    pub why: String,
    /// Why the result is missing or incomplete.
    #[serde(skip)]
    pub halted: Option<Halted>,
}

impl Report {
    /// The chance of the side to move, from 0 to 1, if it is not proven who wins: that of its best move
    /// ([`MoveReport::chance`]).
    pub fn chance(&self) -> Option<f64> {
        let is_known = self.proven || self.bounds.is_some_and(|[low, high]| low > 0 || high < 0);
        let best = self.moves.iter().find(|each| self.best.contains(&each.mv));
        best.filter(|_| !is_known)?.chance
    }
}

/// A legal move and its result, from the view of the side that makes it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its result.
    #[serde(flatten)]
    pub result: ResultReport,
    /// An opinion from random games: the chance of its mover to win, from 0 to 1, where a draw counts as half a
    /// win; absent from JSON if the values are proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

/// A value and its attributes; the fields are those of [`Report`].
#[derive(Clone, Debug, Serialize)]
pub struct ResultReport {
    /// The value for the side that moves.
    pub value: i32,
    /// `win`, `loss` or `draw`; null if not proven.
    pub result: Option<String>,
    /// Plies to the end, including the move.
    pub distance: Option<u32>,
    /// Whether play is endless.
    pub endless: bool,
}

/// Options for a tree report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeRequest {
    /// The depth in plies; `None` for as many as keep the tree small.
    pub depth: Option<u32>,
}

/// A game tree and what searching it costs.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TreeReport {
    /// The game with all its parameters.
    pub game: String,
    /// The position at the root, in the game's notation.
    pub position: String,
    /// The two sides' names, the first player's first.
    pub sides: [String; 2],
    /// The depth in plies.
    pub depth: u32,
    /// Whether every line of play ends within this depth.
    pub complete: bool,
    /// The counts at each ply.
    pub plies: Vec<PlyReport>,
    /// The tree itself; null if it has too many nodes.
    pub tree: Option<NodeReport>,
    /// The result and cost of minimax; null if `tree` is null.
    pub minimax: Option<SearchReport>,
    /// The result and cost of alpha-beta; null if `tree` is null.
    pub alphabeta: Option<SearchReport>,
    /// Why plies are missing.
    #[serde(skip)]
    pub halted: Option<Halted>,
}

/// The counts of a tree at one ply.
#[derive(Clone, Debug, Serialize)]
pub struct PlyReport {
    /// The ply, 0 at the root.
    pub ply: u32,
    /// Nodes, which are lines of play of this length.
    pub nodes: u128,
    /// Different positions.
    pub positions: u64,
    /// Different positions up to symmetry; null if the game declares no symmetries.
    pub up_to_symmetry: Option<u64>,
    /// Games that end here.
    pub finished: u128,
    /// The count if moves to symmetric positions count as one at every step.
    pub finished_up_to_symmetry: Option<u128>,
}

/// A node of a tree.
#[derive(Clone, Debug, Serialize)]
pub struct NodeReport {
    /// The move that leads here; null at the root.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The side to move, also if the game is over.
    pub to_move: String,
    /// The result from the first player's view; null if the game is not over.
    pub outcome: Option<i32>,
    /// The static value of the node from the first player's view: the result, or the game's
    /// evaluation; null if there is neither.
    pub value: Option<i32>,
    /// Whether alpha-beta prunes it.
    pub pruned: bool,
    /// The nodes after each move.
    pub children: Vec<NodeReport>,
}

/// The result of a tree search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SearchReport {
    /// The first of the best moves; null at a leaf.
    pub best: Option<String>,
    /// The minimax value from the first player's view; the game's evaluation is used where the tree
    /// is cut off.
    pub value: i32,
    /// The number of visited nodes.
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
