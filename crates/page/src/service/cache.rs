//! A cache of answers.

use std::sync::Arc;

use foregone::Report;
use lru::LruCache;

/// The cache keeps one value of a move for this many bytes of the memory limit: a value takes about 100
/// bytes, and 1/32 of the memory is for the cache.
const BYTES_A_VALUE: u64 = 32 * 100;

/// A cache of answers, which drops the least recently used.
pub(super) struct Answers {
    /// By game and position; `None` if the fast lane could not find it.
    pub kept: LruCache<(String, String), Option<Arc<Report>>>,
    values: usize,
}

impl Answers {
    pub fn new() -> Answers {
        Answers { kept: LruCache::unbounded(), values: 0 }
    }

    /// Keeps what is known of a position, within its part of this much memory.
    pub fn put(&mut self, key: (String, String), answer: Option<Arc<Report>>, memory: u64) {
        let values = |answer: &Option<Arc<Report>>| {
            8 + answer.as_ref().map_or(0, |report| report.moves.len() + report.line.len())
        };
        self.values += values(&answer);
        if let Some(old) = self.kept.put(key, answer) {
            self.values -= values(&old);
        }
        while self.values as u64 > memory / BYTES_A_VALUE {
            let Some((_, old)) = self.kept.pop_lru() else { break };
            self.values -= values(&old);
        }
    }
}
