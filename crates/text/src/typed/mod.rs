//! From a tree to rules: names, kinds of values and parameters are resolved.

mod build;
mod call;
mod check;
mod expression;
mod fold;
mod parts;
mod start;
mod statement;
mod tree;

pub(crate) use build::{Piece, Rules, Setting, build, complete};
#[cfg(test)]
pub(crate) use call::FUNCTIONS;
pub(crate) use check::{apart, choices, max_cells, open};
#[cfg(test)]
pub(crate) use expression::SETS;
pub(crate) use fold::sort;
pub(crate) use parts::{Part, has_choice};
pub(crate) use tree::*;
pub use tree::{MAX_PREFERRED, MAX_SCORE, Sign};
