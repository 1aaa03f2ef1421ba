//! Any game behind text: what front ends see, so that none of them names a game.

pub(crate) mod game;
pub(crate) mod registry;
pub mod report;

pub use game::{AnyGame, AnyTables, LONGEST_TEXT, MoveChoice, MoveOption, Session, in_words};
pub use registry::{Registry, did_you_mean};
pub use report::{Report, TreeReport, TreeRequest};
