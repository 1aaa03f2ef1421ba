//! Foregone.
pub use foregone_rules::*;
