//! Requests: a method and its options.

use std::fmt;
use std::str::FromStr;

use foregone_rules::Invalid;

use crate::search::Algorithm;

/// A way to solve a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Strong solving if that is fast, otherwise alpha-beta or proof-number search, whichever is
    /// faster; alpha-beta if there is a depth limit.
    #[default]
    Auto,
    /// A table on disk, if it contains the position.
    Table,
    /// A book, if it has the position and all that its moves lead to.
    Book,
    /// Solving every position that can arise; see [`Strong`](crate::Strong).
    Strong,
    /// Alpha-beta with a transposition table and all promises of the game.
    Search,
    /// Proof-number search, which is faster for deep forced wins, in games that cannot loop and have [`SearchHints`](foregone_rules::SearchHints) or an
    /// [`Encode`](foregone_rules::Encode).
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
    pub const ALL: [(&'static str, Method); 9] = [
        ("auto", Method::Auto),
        ("table", Method::Table),
        ("book", Method::Book),
        ("strong", Method::Strong),
        ("search", Method::Search),
        ("proof", Method::Proof),
        ("minimax", Method::Minimax),
        ("negamax", Method::Negamax),
        ("alphabeta", Method::AlphaBeta),
    ];

    pub(super) const fn algorithm(self) -> Option<Algorithm> {
        match self {
            Method::Auto | Method::Table | Method::Book | Method::Strong => None,
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

/// The struct, its defaults and its setters from one list.
macro_rules! request {
    ($($(#[$doc:meta])* $field:ident, $with:ident: $type:ty = $default:expr;)*) => {
        /// How to solve a position.
        ///
        /// ```
        /// use foregone::{Method, Request};
        ///
        /// let request = Request::default().with_method(Method::Search).with_threads(4);
        /// # let _ = request;
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Request {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for Request {
            fn default() -> Request {
                Request { $($field: $default,)* }
            }
        }

        impl Request {
            $($(#[$doc])*
            pub const fn $with(self, $field: $type) -> Request {
                Request { $field, ..self }
            })*
        }
    };
}

request! {
    /// The method.
    method, with_method: Method = Method::Auto;
    /// Cut off lines of play after `depth` plies: the result is an estimate, unless all lines end
    /// before.
    depth, with_depth: Option<u32> = None;
    /// Whether minimax, negamax and alpha-beta remember positions (search always does).
    remember, with_remember: bool = false;
    /// Whether [`Method::Auto`] may try to solve all positions first.
    strong, with_strong: bool = true;
    /// The number of threads for a search; strong solving uses one.
    threads, with_threads: usize = 1;
    /// Begin a search for values with a table in memory of the lowest layers, up to this one, if the game
    /// can solve them in bulk; `None` for as many as pay.
    endgame, with_endgame: Option<u32> = None;
    /// Whether to find the worth of every move, even if the value of the position alone is faster.
    moves, with_moves: bool = true;
    /// Whether to find a principal variation.
    line, with_line: bool = true;
    /// Chooses among equally good moves of the line at random; `None` for the first of them.
    seed, with_seed: Option<u64> = None;
    /// Whether searches for values find distances, too, after all values. All other methods find distances
    /// anyway.
    distances, with_distances: bool = false;
    /// Whether [`Method::Auto`] and [`Method::Search`] end with estimates of all moves if nothing can be proven
    /// within the limits. A quarter of the time is reserved for them.
    estimate, with_estimate: bool = false;
}
