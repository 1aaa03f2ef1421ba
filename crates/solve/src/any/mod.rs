//! Games of any type behind a text interface, so that no front end names a game.
//!
//! Generic code is compiled for each game behind this interface; front ends see only [`AnyGame`],
//! [`AnyTables`] and [`Session`], which take and return text.

pub mod describe;
pub(crate) mod game;
mod moves;
pub(crate) mod named;
mod nearest;
mod play;
pub mod puzzles;
pub(crate) mod registry;
pub mod report;
mod session;
mod tables;
mod text;
mod tree;
mod written;

pub use game::AnyGame;
pub use nearest::did_you_mean;
pub use play::LONGEST_TEXT;
pub use registry::Registry;
pub use report::{Report, TreeReport, TreeRequest, in_words};
pub use session::{MoveChoice, MoveOption, Session};
pub use tables::{AnyTables, Unprobed};
pub use text::{TextError, text_game};
pub use written::{name_of_rules, rules_of_name};
