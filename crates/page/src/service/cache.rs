//! A cache of answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use foregone::Report;
use lru::LruCache;

/// The bytes of a value of a move with its texts, roughly.
const VALUE: usize = 100;

/// The part of the memory limit that is for answers.
const PART: u64 = 32;

/// How long an answer is kept for which there was not all the time that it may take.
const HURRIED: Duration = Duration::from_secs(60);

/// By game and position.
type Key = (String, String);

/// What is known of a position.
pub(super) struct Kept {
    /// `None` if the fast lane could not find it.
    pub answer: Option<Arc<Report>>,
    /// When it is asked for again; `None` for never.
    until: Option<Instant>,
}

/// A cache of answers, which drops the least recently used.
pub(super) struct Answers {
    kept: LruCache<Key, Kept>,
    bytes: usize,
}

impl Answers {
    pub fn new() -> Answers {
        Answers { kept: LruCache::unbounded(), bytes: 0 }
    }

    /// What is known of a position.
    pub fn get(&mut self, key: &Key) -> Option<&Kept> {
        self.kept.get(key).filter(|kept| kept.until.is_none_or(|until| Instant::now() < until))
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Keeps what is known of a position, within its part of this much memory; for a short time if it was `hurried`.
    pub fn put(&mut self, key: Key, answer: Option<Arc<Report>>, hurried: bool, memory: u64) {
        self.bytes += bytes(&key, &answer);
        let until = hurried.then(|| Instant::now() + HURRIED);
        if let Some((key, old)) = self.kept.push(key, Kept { answer, until }) {
            self.bytes -= bytes(&key, &old.answer);
        }
        while self.bytes as u64 > memory / PART {
            let Some((key, old)) = self.kept.pop_lru() else { break };
            self.bytes -= bytes(&key, &old.answer);
        }
    }
}

/// The memory of an answer. The name of a game from text is the text, and a report has both names again.
fn bytes((game, position): &Key, answer: &Option<Arc<Report>>) -> usize {
    let names = game.len() + position.len();
    8 * VALUE
        + match answer {
            None => names,
            Some(report) => 2 * names + VALUE * (report.moves.len() + report.line.len()),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hurried_answers_are_asked_for_again() {
        let mut answers = Answers::new();
        let [hurried, other] = ["a", "b"].map(|position| ("nim".to_owned(), position.to_owned()));
        answers.put(hurried.clone(), None, true, 1 << 20);
        answers.put(other.clone(), None, false, 1 << 20);
        let until = answers.kept.get_mut(&hurried).and_then(|kept| kept.until.as_mut()).unwrap();
        assert!(*until > Instant::now() && *until <= Instant::now() + HURRIED);
        assert!(answers.get(&hurried).is_some() && answers.get(&other).is_some());
        answers.kept.get_mut(&hurried).unwrap().until = Some(Instant::now());
        assert!(answers.get(&hurried).is_none() && answers.get(&other).is_some());
    }

    #[test]
    fn long_names_take_their_part_of_the_memory() {
        let mut answers = Answers::new();
        for nth in 0..100 {
            answers.put(("x".repeat(10_000), nth.to_string()), None, false, 32 * 100_000);
        }
        assert_eq!(answers.kept.len(), 9);
        assert!(
            answers.bytes <= 100_000
                && answers.kept.peek(&("x".repeat(10_000), "99".into())).is_some()
        );
        answers.put(("x".repeat(10_000), "99".into()), None, false, 32 * 100_000);
        assert_eq!(answers.kept.len(), 9);
    }
}
