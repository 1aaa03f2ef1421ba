//! Hints for exact search: keys, bounds, the order of moves.

use super::sowing::promise;
use super::{Capture, Kalah, MAX_STONES};
use crate::game::{Game, Value};
use crate::kit::{MAX_PITS, Number, Pits, stones_in, stones_of};
use crate::promise::{Banked, Candidates, SearchHints};

/// With at most this many stones in the pits, a position is near the end of the game.
const NEAR: u8 = 6;

/// Replaces all larger numbers; a sum of 32 of them still fits in a word.
pub(super) const MANY: u64 = u64::MAX / 32;

/// By pit n, counted over both sides from 0, and number of stones s up to it: C(s + n, n + 1), or
/// [`MANY`] if it is larger.
pub(super) fn sets(pits: u8) -> Vec<[u64; MAX_STONES as usize + 2]> {
    let sets = (0..2 * u64::from(pits)).map(|pit| {
        let sets = |stones: usize| {
            let things = u128::from(pit) + stones as u128;
            let choose = |sets, nth| sets * things.saturating_sub(nth) / (nth + 1);
            let sets = (0..=u128::from(pit)).fold(1u128, choose);
            sets.min(u128::from(MANY)) as u64
        };
        std::array::from_fn(sets)
    });
    sets.collect()
}

impl SearchHints for Kalah {
    /// Five bits a pit, four on boards of more than six pits.
    fn key_bits(&self) -> u32 {
        2 * u32::from(self.pits) * self.pit_bits()
    }

    /// The pits, the mover's first; the offset is the bank. `None` if a pit has too many stones.
    #[inline]
    fn key(&self, state: &Pits) -> Option<(u64, Value)> {
        let [own, other] = state.rows();
        let pits = u32::from(self.pits);
        let key = match self.pit_bits() {
            5 => narrow::<5>(other)? << (5 * pits) | narrow::<5>(own)?,
            _ => narrow::<4>(other)? << (4 * pits) | narrow::<4>(own)?,
        };
        Some((key, self.banked(state)))
    }

    #[inline]
    fn near_end(&self, state: &Pits) -> bool {
        state.pits.iter().map(|row| stones_of(*row)).sum::<u8>() <= NEAR
    }

    /// From boards of 5 and 6 pits: a search visits about 10 million positions if 48 stones are left, 1.28 times
    /// as many with each stone more, and 1.4 times fewer with each stone less; if only captures of stones count,
    /// 2.6 times as many. A table for nine times as many positions takes as long.
    fn endgame(&self, state: &Pits) -> u32 {
        let left: u32 = state.pits.iter().map(|row| u32::from(stones_of(*row))).sum();
        let more = left as i32 - 48;
        let each: f64 = if more > 0 { 1.28 } else { 1.4 };
        let room = match self.capture {
            Capture::Always => 9e7 * each.powi(more),
            Capture::Nonempty => 2.6 * 9e7 * each.powi(more),
        };
        let fits = |stones: &u32| self.fewer(stones + 1) as f64 <= room;
        (0..left.min(MAX_STONES)).take_while(fits).count() as u32
    }

    /// A slot for each pit of either side and each number of stones in it, at most 15.
    fn history_slots(&self) -> usize {
        2 * MAX_PITS * 16
    }

    #[inline]
    fn history_slot(&self, state: &Pits, Number(pit): Number) -> usize {
        let side = state.turn.index();
        let stones = usize::from(stones_in(state.pits[side], pit)).min(15);
        (side * MAX_PITS + usize::from(pit)) * 16 + stones
    }

    /// The bank minus and plus all stones in the pits.
    #[inline]
    fn quick_bounds(&self, state: &Pits) -> (Value, Value) {
        let Value(lead) = self.banked(state);
        let left: i32 = state.pits.iter().map(|row| i32::from(stones_of(*row))).sum();
        (Value(lead - left), Value(lead + left))
    }

    /// The bounds of [`quick_bounds`](SearchHints::quick_bounds), and all moves.
    #[inline]
    fn bounds_and_moves(&self, state: &Pits, moves: &mut Candidates<'_, Number>) -> (Value, Value) {
        for mv in self.moves(state) {
            moves.push(0, mv);
        }
        self.quick_bounds(state)
    }

    /// Moves that give another turn come first, then captures, the largest first, then those that pass the own
    /// store, give few stones away and start near it. (The weights were found by experiments on boards of 4 to 6
    /// pits; docs/performance.md says how much they matter.)
    #[inline]
    fn priority(&self, state: &Pits, Number(pit): Number) -> i32 {
        let [own, other] = state.rows();
        let stones = stones_in(own, pit);
        let (last, mut promise) = match stones < self.round() {
            true => {
                let sowing = &self.sowings[usize::from(pit)][usize::from(stones)];
                (sowing.last, sowing.promise.into())
            }
            false => (self.last_hole(pit, stones), promise(self.pits, pit, stones).into()),
        };
        // After a whole round the last stone falls into the emptied pit.
        if last < self.pits && stones <= self.round() && (stones_in(own, last) == 0 || last == pit)
        {
            let taken = stones_in(other, self.pits - 1 - last);
            if taken > 0 || self.capture == Capture::Always {
                promise += 3 + 31 * i32::from(taken);
            }
        }
        promise
    }
}

/// The pits of a row, `BITS` bits each; `None` if one has too many stones.
#[inline(always)]
fn narrow<const BITS: u32>(row: u64) -> Option<u64> {
    const LANES: u64 = 0x0101_0101_0101_0101;
    // Closes the gaps between the bits of bytes: first in pairs, then in fours, then in all eight.
    let close = |row: u64, lanes: u64, width: u32, gap: u32| {
        let low = lanes * ((1 << width) - 1);
        row & low | row >> gap & low << width
    };
    let gap = 8 - BITS;
    if row & (LANES * (0xff << BITS & 0xff)) != 0 {
        return None;
    }
    let row = close(row, 0x0001_0001_0001_0001, BITS, gap);
    let row = close(row, 0x0000_0001_0000_0001, 2 * BITS, 2 * gap);
    Some(close(row, 1, 4 * BITS, 4 * gap))
}

impl Kalah {
    /// The number of bits of a pit in a key.
    #[inline]
    fn pit_bits(&self) -> u32 {
        if self.pits <= 6 { 5 } else { 4 }
    }
}

impl Kalah {
    /// The number of positions with fewer stones in their pits.
    #[inline]
    pub(super) fn fewer(&self, stones: u32) -> u64 {
        self.sets[2 * usize::from(self.pits) - 1][stones as usize]
    }
}
