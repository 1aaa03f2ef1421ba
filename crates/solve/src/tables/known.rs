//! What is known of some numbers of a layer while it is settled from the ends back: see retrograde.rs.

use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use super::preference::Preference;

/// In place of a count: the position is settled, or no position has this number.
const SETTLED: u16 = u16::MAX;

/// The best worth so far of each number, and how many of its moves within the layer are open.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// The first number.
    pub first: u64,
    /// Bits of a [`Preference`].
    pub best: &'a [AtomicU32],
    /// The positions of the layer that moves lead to and that are not settled, or [`SETTLED`].
    pub counts: &'a [AtomicU16],
}

impl Known<'_> {
    /// Counts before any number is looked at.
    pub fn counts(numbers: u64) -> Vec<AtomicU16> {
        (0..numbers).map(|_| AtomicU16::new(SETTLED)).collect()
    }

    fn place(&self, number: u64) -> usize {
        (number - self.first) as usize
    }

    /// The best worth so far.
    pub fn best(&self, number: u64) -> Preference {
        Preference::from_bits(self.best[self.place(number)].load(Ordering::Relaxed))
    }

    /// Stores the best move out of the layer, and the number of those in it; whether there are not too
    /// many.
    #[must_use]
    pub fn open(&self, number: u64, best: Preference, within: usize) -> bool {
        let place = self.place(number);
        self.best[place].fetch_max(best.bits(), Ordering::Relaxed);
        let count = u16::try_from(within).ok().filter(|count| *count != SETTLED);
        self.counts[place].store(count.unwrap_or(0), Ordering::Relaxed);
        count.is_some()
    }

    /// Whether a number is settled.
    pub fn is_settled(&self, number: u64) -> bool {
        self.counts[self.place(number)].load(Ordering::Relaxed) == SETTLED
    }

    /// Settles a number with the best worth so far; whether it was open.
    pub fn settle(&self, number: u64) -> bool {
        self.counts[self.place(number)].swap(SETTLED, Ordering::Relaxed) != SETTLED
    }

    /// The plies after which a position gets its result, if it has this size by what is known: by a
    /// winning move, or if all moves are known. `None` if it is settled.
    pub fn due(&self, number: u64, size: i32) -> Option<u32> {
        match self.counts[self.place(number)].load(Ordering::Relaxed) {
            SETTLED => None,
            count => due(self.best(number), count, size),
        }
    }

    /// A move within the layer is settled: with it the mover gets `news`. The plies as by
    /// [`due`](Known::due), if that changes them.
    pub fn apply(&self, number: u64, news: Preference, size: i32) -> Option<u32> {
        if self.is_settled(number) {
            return None;
        }
        let place = self.place(number);
        let before = self.best[place].fetch_max(news.bits(), Ordering::Relaxed);
        let lower = |count| (count != SETTLED).then(|| count - 1);
        // Who lowers the count to 0 sees what all others stored before they lowered it.
        let count = self.counts[place].fetch_update(Ordering::AcqRel, Ordering::Relaxed, lower);
        let (count, improves) = (count.ok()? - 1, before < news.bits());
        (improves || count == 0).then(|| due(self.best(number), count, size)).flatten()
    }
}

fn due(best: Preference, count: u16, size: i32) -> Option<u32> {
    let wins = size > 0 && best.size() == size;
    (wins || count == 0 && best.size() == -size).then(|| best.plies()).flatten()
}
