//! Answers, and a cache of them.

use std::sync::Arc;

use foregone::Report;
use lru::LruCache;

/// The cache keeps one value of a move for this many bytes of the memory limit: a value takes about 100
/// bytes, and 1/32 of the memory is for the cache.
const BYTES_A_VALUE: u64 = 32 * 100;

/// The known results of a position.
#[derive(Clone, Debug)]
pub struct Answer {
    pub report: Report,
    /// If nothing could be proven: the depth in plies that was searched, and the estimates.
    pub opinion: Option<(u32, Report)>,
}

impl Answer {
    /// The report to show: the proven one, or the estimates.
    pub fn shown(&self) -> &Report {
        match &self.opinion {
            Some((_, opinion)) => opinion,
            None => &self.report,
        }
    }
}

/// A cache of answers, which drops the least recently used.
pub(super) struct Answers {
    /// By game and position; `None` if the fast lane could not find it.
    pub kept: LruCache<(String, String), Option<Arc<Answer>>>,
    values: usize,
}

impl Answers {
    pub fn new() -> Answers {
        Answers { kept: LruCache::unbounded(), values: 0 }
    }

    /// Keeps what is known of a position, within its part of this much memory.
    pub fn put(&mut self, key: (String, String), answer: Option<Arc<Answer>>, memory: u64) {
        let values = |answer: &Option<Arc<Answer>>| {
            let report = |report: &Report| report.moves.len() + report.line.len();
            let of = |answer: &Arc<Answer>| {
                report(&answer.report)
                    + answer.opinion.as_ref().map_or(0, |(_, other)| report(other))
            };
            8 + answer.as_ref().map_or(0, of)
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
