//! Rows of pits as words, a byte a pit, and sowing as addition.

use super::{Awari, Slam};
use crate::kit::{ones, stones_in};

/// The stones that a sowing of at most one round adds to both rows, seen by the mover.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sowing {
    own: u64,
    other: u64,
}

/// The rows of the mover and of the other side after a move, and the number of captured stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sown {
    pub own: u64,
    pub other: u64,
    pub taken: u8,
}

/// The sowings by pit and by the number of stones minus one, up to a round. A round puts one stone
/// into each pit except the one that they come from.
pub(super) fn all(pits: u8) -> Vec<Vec<Sowing>> {
    let sowing = |from: u8, stones: u8| {
        let mut sowing = Sowing::default();
        for pit in (1..=stones).map(|nth| (from + nth) % (2 * pits)) {
            match pit.checked_sub(pits) {
                None => sowing.own += 1 << (8 * pit),
                Some(beyond) => sowing.other += 1 << (8 * beyond),
            }
        }
        sowing
    };
    (0..pits).map(|from| (1..2 * pits).map(|stones| sowing(from, stones)).collect()).collect()
}

/// A row with one pit emptied.
#[inline]
pub(super) const fn without(row: u64, pit: u8) -> u64 {
    row & !(0xff << (8 * pit))
}

impl Awari {
    /// The number of stones of a sowing that reaches the pit before its own.
    const fn round(&self) -> u8 {
        2 * self.pits - 1
    }

    /// The pit of the last stone of a sowing, counted from the mover's first pit; the other side's
    /// pits come after the mover's.
    #[inline]
    pub(super) const fn last_pit(&self, pit: u8, stones: u8) -> u8 {
        (pit + (stones - 1) % self.round() + 1) % (2 * self.pits)
    }

    /// The rows after a move from a pit that is not empty.
    #[inline]
    pub(super) fn sown(&self, [own, other]: [u64; 2], pit: u8) -> Sown {
        let stones = stones_in(own, pit);
        // A division takes longer than everything else here.
        let (rounds, part) = match stones <= self.round() {
            true => (0, stones - 1),
            false => ((stones - 1) / self.round(), (stones - 1) % self.round()),
        };
        let sowing = &self.sowings[usize::from(pit)][usize::from(part)];
        let whole = ones(self.pits) * u64::from(rounds);
        let own = without(own, pit) + without(whole, pit) + sowing.own;
        let other = other + whole + sowing.other;
        let last = self.last_pit(pit, stones);
        let beyond = if last < self.pits { 0 } else { last - self.pits + 1 };
        let (mut left, mut taken) = (other, 0);
        for spot in (0..beyond).rev() {
            let stones = stones_in(left, spot);
            if stones != 2 && stones != 3 {
                break;
            }
            left = without(left, spot);
            taken += stones;
        }
        match self.slam {
            Slam::Void if left == 0 => Sown { own, other, taken: 0 },
            _ => Sown { own, other: left, taken },
        }
    }

    /// Whether the other side has stones after a move from a pit that is not empty.
    #[inline]
    pub(super) fn leaves(&self, rows: [u64; 2], pit: u8) -> bool {
        let [own, other] = rows;
        let last = usize::from(pit) + usize::from(stones_in(own, pit));
        let pits = usize::from(self.pits);
        if last < pits {
            return other != 0;
        }
        // A capture of all stones needs empty pits beyond the last stone, and two or three stones
        // in the first pit after the sowing.
        let beyond = (last + 1 - pits) as u32 * 8;
        let all =
            matches!(stones_in(other, 0), 1 | 2) && other.checked_shr(beyond).unwrap_or(0) == 0;
        match last < 2 * pits {
            true => !all || self.sown(rows, pit).other != 0,
            false => last < usize::from(pit) + 2 * pits || self.sown(rows, pit).other != 0,
        }
    }
}
