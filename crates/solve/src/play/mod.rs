//! Opponents, and choosing moves if no perfect move is found in time.

mod choice;
mod deepening;
mod graded;
mod perfect;
mod player;

pub use choice::Choice;
pub use player::Player;
