//! What is asked: a method, and what is wanted from it.

use std::fmt;
use std::str::FromStr;

use foregone_rules::Invalid;

use crate::search::Algorithm;

/// A way to solve a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Strong solving if that is quickly done, else search or search by proof numbers, whichever
    /// is sooner done; search, if there is a depth limit.
    #[default]
    Auto,
    /// A table on disk; only if there is one that has the position.
    Table,
    /// Every position that can arise; see [`Strong`](crate::Strong).
    Strong,
    /// Alpha-beta with a memory and with all that the game promises.
    Search,
    /// Search by proof numbers, which is sooner done with deep forced wins: values alone, of games
    /// with [`SearchHints`](foregone_rules::SearchHints).
    Proof,
    /// Plain minimax; see [`Algorithm::Minimax`].
    Minimax,
    /// Plain negamax; see [`Algorithm::Negamax`].
    Negamax,
    /// Plain alpha-beta; see [`Algorithm::AlphaBeta`].
    AlphaBeta,
}

impl Method {
    /// Every method with its name.
    pub const ALL: [(&'static str, Method); 8] = [
        ("auto", Method::Auto),
        ("table", Method::Table),
        ("strong", Method::Strong),
        ("search", Method::Search),
        ("proof", Method::Proof),
        ("minimax", Method::Minimax),
        ("negamax", Method::Negamax),
        ("alphabeta", Method::AlphaBeta),
    ];

    pub(super) const fn algorithm(self) -> Option<Algorithm> {
        match self {
            Method::Auto | Method::Table | Method::Strong => None,
            Method::Minimax => Some(Algorithm::Minimax),
            Method::Negamax => Some(Algorithm::Negamax),
            Method::Search | Method::Proof | Method::AlphaBeta => Some(Algorithm::AlphaBeta),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Method::ALL.iter().find(|(_, method)| method == self);
        f.pad(named.map_or("", |(name, _)| name))
    }
}

impl FromStr for Method {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Method, Invalid> {
        let named = Method::ALL.iter().find(|(name, _)| *name == text);
        named.map(|(_, method)| *method).ok_or_else(|| {
            let names: Vec<_> = Method::ALL.iter().map(|(name, _)| *name).collect();
            Invalid::new(text, format!("a method: {}", names.join(", ")))
        })
    }
}

/// How a position is to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Break lines of play off after so many plies: what is found is an estimate, unless all of
    /// them end before.
    pub depth: Option<u32>,
    /// Whether minimax, negamax and alpha-beta remember positions (search always does).
    pub remember: bool,
    /// On how many threads to search; strong solving uses one.
    pub threads: usize,
    /// Positions with at most so much left, in the game's own measure, are remembered by number
    /// (where values are searched for and the game numbers its positions); a size that suits the
    /// game if nothing is given.
    pub endgame: Option<u32>,
    /// Whether to find what every move is worth too, where the position's own value could be found
    /// faster without.
    pub moves: bool,
    /// Whether to look for a line of best play.
    pub line: bool,
    /// Whether [`Method::Search`] is to find distances too where it could find values alone much
    /// faster: in games with [`SearchHints`](foregone_rules::SearchHints), without a depth limit. All
    /// other methods find distances anyway.
    pub distances: bool,
    /// Whether [`Method::Auto`] is to end with estimates of all moves where nothing could be proven
    /// within the limits. A quarter of the time is kept for them.
    pub estimate: bool,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            method: Method::Auto,
            depth: None,
            remember: false,
            threads: 1,
            endgame: None,
            moves: true,
            line: true,
            distances: false,
            estimate: false,
        }
    }
}
