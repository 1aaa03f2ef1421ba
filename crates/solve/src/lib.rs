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
