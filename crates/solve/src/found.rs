//! The result of a search: a proven value, with or without its distance, or an estimate.

use foregone_rules::{Distance, Value, Worth};

/// The result of a search. Estimates have their own type, so that they cannot be mistaken for
/// proven values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The worth of the position under perfect play.
    Proven(Worth),
    /// The value under perfect play; the search did not look for the distance.
    Value(Value),
    /// An estimate: the search stopped at a depth limit and evaluated the positions there.
    Estimate(Estimate),
}

/// The estimated worth for the side to move, from a search with a depth limit and an evaluation at
/// its leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    worth: Worth,
}

impl Estimate {
    pub(crate) const fn new(worth: Worth) -> Estimate {
        Estimate { worth }
    }

    /// The estimated value, in the unit of the game; not proven.
    pub const fn value(self) -> Value {
        self.worth.value()
    }
}

impl Found {
    /// Key for comparing results of the same search: higher is better for the side to move.
    /// `endless` is the value of endless play for that side.
    pub const fn key(self, endless: Value) -> i64 {
        match self {
            Found::Proven(worth) | Found::Estimate(Estimate { worth }) => worth.key(endless),
            Found::Value(value) => Worth::new(value, Distance::Plies(0)).key(endless),
        }
    }

    /// The value, proven or not.
    pub const fn value(self) -> Value {
        match self {
            Found::Proven(worth) => worth.value(),
            Found::Value(value) => value,
            Found::Estimate(estimate) => estimate.value(),
        }
    }

    /// The worth if it is proven with its distance; `None` otherwise.
    pub const fn proven(self) -> Option<Worth> {
        match self {
            Found::Proven(worth) => Some(worth),
            Found::Value(_) | Found::Estimate(_) => None,
        }
    }

    /// Whether the value is proven.
    pub const fn is_proven(self) -> bool {
        matches!(self, Found::Proven(_) | Found::Value(_))
    }
}
