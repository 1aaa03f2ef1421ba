//! What is found out about a position: a proof, with its distance or without, or an opinion.

use foregone_rules::{Distance, Value, Worth};

/// What a search found out about a position. An estimate is another type than what is proven, so
/// that the one is never taken for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// What perfect play leads to.
    Proven(Worth),
    /// The value that perfect play leads to; how soon was not asked.
    Value(Value),
    /// What it looks like when play is broken off at a depth and judged there.
    Estimate(Estimate),
}

/// What a position looks worth to the side to move when lines of play are broken off at a depth
/// and judged by an opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    worth: Worth,
}

impl Estimate {
    pub(crate) const fn new(worth: Worth) -> Estimate {
        Estimate { worth }
    }

    /// The value that was found, in the unit of the game; not a proven one.
    pub const fn value(self) -> Value {
        self.worth.value()
    }
}

impl Found {
    /// How this compares with others found by the same search, where play without end is worth
    /// `endless` to the side to move: higher is better for it.
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

    /// The worth, where it is proven with its distance.
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
