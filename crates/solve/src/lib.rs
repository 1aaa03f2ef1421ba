//! Foregone.
mod blocks;
pub mod control;
pub mod reference;
pub mod search;
pub mod strong;
pub mod tree;
pub use control::{Control, Halted, Progress};
pub use foregone_rules::*;
pub use search::{Algorithm, Estimate, Found, Search, Seen};
pub use strong::Strong;
pub use tree::Tree;
pub mod analysis;
mod offer;
mod player;
pub use analysis::{Analysis, Method, Request, Solver};
pub use offer::Offer;
pub use player::{Choice, Player};
