//! From a tree to rules: names, kinds of values and parameters are resolved.

mod build;
mod check;
mod expression;
mod start;
mod statement;
mod tree;

pub(crate) use build::{Piece, Rules, Setting, build, usual};
pub(crate) use check::{choices, open};
#[cfg(test)]
pub(crate) use expression::{FUNCTIONS, SETS};
pub(crate) use tree::*;
