//! From text to a tree with places: lines and tokens, then items, statements and expressions.

mod expression;
mod format;
mod line;
mod parse;
mod statement;
mod test;
mod tree;
mod warnings;

pub(crate) use format::{PROSE, formatted};
pub(crate) use line::{Line, Token, Tokens, is_invisible, lines};
pub use parse::LONGEST;
pub(crate) use parse::parse;
#[cfg(test)]
pub(crate) use parse::{ITEMS, OTHERS, STATEMENTS};
pub use test::{Expected, Test};
pub(crate) use tree::*;
pub(crate) use warnings::warnings;
