//! What the server may take.

use std::time::Duration;

/// The limits of the server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time limit of one question.
    pub think: Duration,
    /// The memory limit in bytes, for all questions and stored results.
    pub memory: u64,
    /// The number of workers for hard questions.
    pub workers: usize,
    /// The most workers for one visitor.
    pub share: usize,
}
