//! Opponents, and choosing moves if no perfect move is found in time.

pub(crate) mod deepening;
mod player;

pub use player::{Choice, Player};
