//! Who has asked lately: what a class needs is planned for before its questions wait.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::web::visitor::Tab;

/// Who asked longer ago than this may have gone.
const LATELY: Duration = Duration::from_secs(30);

/// The most that are counted.
const MOST: usize = 256;

/// The tabs that asked lately, and when they did so last, the latest at the end.
#[derive(Default)]
pub struct Recent(VecDeque<(Instant, Tab)>);

impl Recent {
    /// A tab asks now.
    pub fn ask(&mut self, now: Instant, tab: Tab) {
        self.0.retain(|(_, other)| *other != tab);
        self.0.push_back((now, tab));
        if self.0.len() > MOST {
            self.0.pop_front();
        }
    }

    /// How many asked lately.
    pub fn count(&self, now: Instant) -> usize {
        self.0.iter().rev().take_while(|(at, _)| now.duration_since(*at) < LATELY).count()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::*;
    use crate::web::visitor::{TAB, Visitor};

    fn tab(number: u64) -> Tab {
        let mut headers = HeaderMap::new();
        headers.insert(TAB, HeaderValue::from(number));
        Tab::of(Visitor::at([127, 0, 0, 1].into()), &headers)
    }

    #[test]
    fn tabs_are_counted_once_and_for_a_while() {
        let (mut recent, now) = (Recent::default(), Instant::now());
        for second in 0..10 {
            recent.ask(now + Duration::from_secs(second), tab(second % 3));
        }
        assert_eq!(recent.count(now + Duration::from_secs(10)), 3);
        // Asked at 7, 8 and 9 seconds.
        assert_eq!(recent.count(now + Duration::from_secs(38)), 1);
        assert_eq!(recent.count(now + Duration::from_secs(90)), 0);
        for number in 0..1_000 {
            recent.ask(now, tab(number));
        }
        assert_eq!(recent.count(now), MOST);
    }
}
