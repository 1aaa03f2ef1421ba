//! Opponents: who plays, and what is played where no perfect move is found in time.

pub(crate) mod deepening;
mod player;

pub use player::{Choice, Player};
