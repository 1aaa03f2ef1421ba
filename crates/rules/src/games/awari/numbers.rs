//! Numbers of positions for tables; a layer is the number of stones in the pits.
//!
//! The pits of both sides, the mover's first, are a row of numbers with a given sum. Such rows are
//! numbered without gaps (the combinatorial number system, D. H. Lehmer 1964): the number is the
//! sum of C(s(n) + n, n + 1) over all pits n except the last, from 0, where s(n) is the number of
//! stones in pits 0 to n.

use std::ops::Range;

use super::Awari;
use crate::game::{Game, Side};
use crate::kit::{MAX_PITS, Number, Pits, stones_in, stones_of};
use crate::promise::{Indexed, PointBank};

/// Replaces all larger numbers; a sum of 32 of them still fits in a word.
const MANY: u64 = u64::MAX / 32;

/// The pits of both sides; those that the game does not have are empty.
type Counts = [u8; 2 * MAX_PITS];

/// The numbering of rows of pits with a given sum.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// By pit, except the last, and by the stones s up to it: C(s + pit, pit + 1).
    before: Vec<Vec<u64>>,
}

impl Numbers {
    /// For `pits` pits, of both sides together, with at most `max` stones.
    pub(super) fn new(pits: u32, max: u32) -> Numbers {
        let ways = |pit: u32, stones: u32| {
            let choose =
                |ways: u128, nth: u32| ways * u128::from(stones + pit - nth) / u128::from(nth + 1);
            (0..=pit).fold(1, choose).min(MANY.into()) as u64
        };
        let row = |pit| (0..=max + 1).map(|stones| ways(pit, stones)).collect();
        Numbers { before: (0..pits - 1).map(row).collect() }
    }

    /// The number of rows with `stones` stones; [`MANY`] if it is larger.
    fn count(&self, stones: u32) -> u64 {
        self.before[self.before.len() - 1][stones as usize + 1]
    }

    /// The number of a row.
    #[inline]
    fn rank(&self, pits: impl Iterator<Item = u8>) -> u64 {
        let mut sum = 0;
        let mut rank = 0;
        for (before, stones) in self.before.iter().zip(pits) {
            sum += usize::from(stones);
            rank += before[sum];
        }
        rank
    }

    /// The row of `stones` stones with number `rank`.
    fn unrank(&self, stones: u32, mut rank: u64) -> Counts {
        let mut pits = Counts::default();
        let mut sum = stones as usize;
        for (pit, before) in self.before.iter().enumerate().rev() {
            // The number of stones in pits 0 to `pit`.
            let upto = before[..=sum].partition_point(|ways| *ways <= rank) - 1;
            rank -= before[upto];
            pits[pit + 1] = (sum - upto) as u8;
            sum = upto;
        }
        pits[0] = sum as u8;
        pits
    }
}

/// Changes a row to the row with the next number; the last row stays.
fn advance(pits: &mut Counts) {
    if let Some(from) = (1..pits.len()).find(|pit| pits[*pit] > 0) {
        // One stone moves to the previous pit; all stones of pit 0 move there, too.
        pits[from] -= 1;
        pits[from - 1] = 1 + std::mem::take(&mut pits[0]);
    }
}

impl Awari {
    /// The position with these pits, the mover's first, and nothing captured.
    fn of_pits(&self, pits: &Counts) -> Pits {
        let (own, other) = pits.split_at(self.pits.into());
        let row = |pits: &[u8]| pits.iter().rev().fold(0, |row, pit| row << 8 | u64::from(*pit));
        let pits = [row(own), row(&other[..self.pits.into()])];
        Pits { pits, stores: [0, 0], turn: Side::First }
    }
}

impl Indexed for Awari {
    type Bank = PointBank;

    /// A layer is the number of stones in the pits.
    fn layers(&self) -> u32 {
        self.total() + 1
    }

    fn size(&self, layer: u32) -> u64 {
        match self.numbers.count(layer) {
            MANY.. => u64::MAX,
            count => count,
        }
    }

    #[inline]
    fn layer(&self, state: &Pits) -> u32 {
        state.pits.iter().map(|row| u32::from(stones_of(*row))).sum()
    }

    /// Captured stones are banked.
    #[inline]
    fn index(&self, state: &Pits) -> (u32, u64) {
        let [own, other] = state.rows();
        let row = |row| (0..self.pits).map(move |pit| stones_in(row, pit));
        (self.layer(state), self.numbers.rank(row(own).chain(row(other))))
    }

    fn state(&self, layer: u32, index: u64) -> Option<Pits> {
        Some(self.of_pits(&self.numbers.unrank(layer, index)))
    }

    fn states(&self, layer: u32, part: Range<u64>) -> impl Iterator<Item = (u64, Pits)> {
        let mut pits = self.numbers.unrank(layer, part.start);
        part.map(move |index| {
            let state = self.of_pits(&pits);
            advance(&mut pits);
            (index, state)
        })
    }

    /// A move captures nothing, or two or three stones from each of some pits.
    fn layers_after(&self, layer: u32) -> Vec<u32> {
        let captured = |stones: &u32| *stones == 0 || *stones >= 2;
        let max = layer.min(3 * u32::from(self.pits));
        (0..=max).filter(captured).map(|stones| layer - stones).rev().collect()
    }

    /// For each empty pit of the player who moved, takes back a sowing from it, with one more stone
    /// each time.
    fn predecessors(&self, state: &Pits) -> Option<Vec<Pits>> {
        let mut all = Vec::new();
        let pits = usize::from(self.pits);
        let mover = state.turn.other();
        let [waiting, moved] = state.rows();
        let row = |row| (0..self.pits).map(move |pit| stones_in(row, pit));
        let mut now = Counts::default();
        now.iter_mut().zip(row(moved).chain(row(waiting))).for_each(|(pit, stones)| *pit = stones);
        for from in (0..pits).filter(|pit| now[*pit] == 0) {
            let mut before = now;
            let mut at = from;
            loop {
                at = (at + 1) % (2 * pits);
                if at == from {
                    continue;
                }
                if before[at] == 0 {
                    break;
                }
                before[at] -= 1;
                before[from] += 1;
                let mut earlier = self.of_pits(&before);
                if mover == Side::Second {
                    earlier.pits.swap(0, 1);
                }
                let earlier = Pits { stores: state.stores, turn: mover, ..earlier };
                let mv = Number(from as u8);
                // A move that leaves the other side stones is allowed.
                let legal = || waiting != 0 || self.moves(&earlier).any(|other| other == mv);
                if self.play(&earlier, mv) == *state && legal() {
                    all.push(earlier);
                }
            }
        }
        Some(all)
    }

    /// The sides are exchanged so that the mover's row comes first.
    fn merges(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_numbers_without_gaps() {
        for (pits, stones) in [(2, 5), (4, 7), (6, 6), (12, 4)] {
            let numbers = Numbers::new(pits, stones);
            for stones in 0..=stones {
                let mut row = numbers.unrank(stones, 0);
                for rank in 0..numbers.count(stones) {
                    assert_eq!(numbers.unrank(stones, rank), row);
                    assert_eq!(numbers.rank(row.into_iter()), rank);
                    assert_eq!(row.iter().map(|pit| u32::from(*pit)).sum::<u32>(), stones);
                    assert!(row[pits as usize..].iter().all(|pit| *pit == 0));
                    advance(&mut row);
                }
            }
        }
    }

    /// Romein and Bal 2002: 889,063,398,406 positions are reachable. Except at the start, the
    /// player who has just moved has an empty pit, and the first capture takes more than one stone.
    #[test]
    fn there_are_as_many_positions_as_were_published() {
        let all = Numbers::new(12, 48);
        let emptied = |stones| {
            let full = if stones < 6 { 0 } else { all.count(stones - 6) };
            all.count(stones) - full
        };
        let counted = (0..=48).filter(|stones| *stones != 47).map(emptied).sum::<u64>();
        assert_eq!(counted + 1, 889_063_398_406);
    }
}
