//! Answers, and those that are kept.

use std::sync::Arc;

use foregone::Report;
use lru::LruCache;

/// One value of a move may be kept for each of these many bytes of memory: a value takes some 100 bytes,
/// and a 32nd of the memory is for them.
const BYTES_A_VALUE: u64 = 32 * 100;

/// What is known of a position.
#[derive(Clone, Debug)]
pub struct Answer {
    pub report: Report,
    /// Where nothing could be proven: how far was looked ahead, and what that showed.
    pub opinion: Option<(u32, Report)>,
}

impl Answer {
    /// The report to show: what is proven, or else the opinion.
    pub fn shown(&self) -> &Report {
        match &self.opinion {
            Some((_, opinion)) => opinion,
            None => &self.report,
        }
    }
}

/// Answers that are kept, the least used going first.
pub(super) struct Answers {
    /// By game and position; `None` if it could not be found at once.
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
