//! What exact search asks of Kalah: keys, bounds, the moves in an order of promise, and a number for
//! every position with few stones left. (A table numbers them otherwise, so that rows lie together:
//! see `numbers`. Here a number is quick to tell, by a look-up for each pit.)

use super::{Capture, Kalah, MOST_PITS, MOST_STONES, State, stones_in, stones_of};
use crate::game::Value;
use crate::kit::Number;
use crate::promise::{Banked, Candidates, SearchHints};

/// With so few stones left in the pits a position is near the end of the game.
const NEAR: u8 = 6;

/// With more stones left search does not number a position: tables of so many would be larger than
/// memory.
const MOST_NUMBERED: usize = 23;

/// Stands for all numbers that are larger; the sum of one for each pit is still a number.
pub(super) const MANY: u64 = u64::MAX / 32;

/// By pit, counted over both sides, and number of stones up to it: how many sets of so many ends of
/// pits there are among the things before.
pub(super) fn sets(pits: u8) -> Vec<[u64; MOST_STONES as usize + 2]> {
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
    /// Five bits a pit, four on the widest boards.
    fn key_bits(&self) -> u32 {
        2 * u32::from(self.pits) * self.pit_bits()
    }

    /// The pits, the mover's first; what is banked is the offset. `None` if a pit holds too
    /// many stones.
    #[inline]
    fn key(&self, state: &State) -> Option<(u64, Value)> {
        let bits = self.pit_bits();
        let [own, other] = Kalah::rows(state);
        let too_many = self.ones() * (0xff << bits & 0xff);
        if (own | other) & too_many != 0 {
            return None;
        }
        // Bytes close up in pairs, these in fours, these in one of eight.
        let narrow = |row: u64| {
            let close = |row: u64, lanes: u64, width: u32, gap: u32| {
                let low = lanes * ((1 << width) - 1);
                row & low | row >> gap & low << width
            };
            let gap = 8 - bits;
            let row = close(row, 0x0001_0001_0001_0001, bits, gap);
            let row = close(row, 0x0000_0001_0000_0001, 2 * bits, 2 * gap);
            close(row, 1, 4 * bits, 4 * gap)
        };
        let key = narrow(other) << (u32::from(self.pits) * bits) | narrow(own);
        Some((key, self.banked(state)))
    }

    #[inline]
    fn near_end(&self, state: &State) -> bool {
        state.pits.iter().map(|row| stones_of(*row)).sum::<u8>() <= NEAR
    }

    /// Stones and the ends of pits, the mover's first, as a row of things: which of them are ends
    /// of pits is a set, and sets have numbers (the combinatorial number system). All positions
    /// with fewer stones come before those with more.
    #[inline]
    fn dense_index(&self, state: &State) -> Option<(u64, Value)> {
        let left: usize = state.pits.iter().map(|row| usize::from(stones_of(*row))).sum();
        (left <= MOST_NUMBERED).then(|| (self.place(state), self.banked(state)))
    }

    /// Counts stones in the pits.
    fn dense_len(&self, left: u32) -> u64 {
        let sets = &self.sets[2 * usize::from(self.pits) - 1];
        sets[(left as usize + 1).min(MOST_NUMBERED + 1)]
    }

    /// A pit of either side and the stones in it, many counting as 15.
    fn history_slots(&self) -> usize {
        2 * MOST_PITS * 16
    }

    #[inline]
    fn history_slot(&self, state: &State, Number(pit): Number) -> usize {
        let side = state.turn.index();
        let stones = usize::from(stones_in(state.pits[side], pit)).min(15);
        (side * MOST_PITS + usize::from(pit)) * 16 + stones
    }

    /// What is banked, less or more all that is not.
    #[inline]
    fn quick_bounds(&self, state: &State) -> (Value, Value) {
        let Value(lead) = self.banked(state);
        let left: i32 = state.pits.iter().map(|row| i32::from(stones_of(*row))).sum();
        (Value(lead - left), Value(lead + left))
    }

    /// The bounds of [`quick_bounds`](SearchHints::quick_bounds). Moves that give another turn first, then those that
    /// take most; else better across the own store than not, with few stones for the other side,
    /// and from a pit near the store. (The weights were found by trying many on boards of 4 to 6
    /// pits; docs/performance.md tells what order is worth.)
    #[inline]
    fn bounds_and_moves(
        &self,
        state: &State,
        moves: &mut Candidates<'_, Number>,
    ) -> (Value, Value) {
        let [own, other] = Kalah::rows(state);
        for pit in 0..self.pits {
            let stones = stones_in(own, pit);
            if stones == 0 {
                continue;
            }
            let last = self.last_hole(pit, stones);
            let mut promise = i32::from(pit);
            if last == self.pits {
                promise += 158;
            } else if last < self.pits
                && stones <= self.round()
                && (last == pit || stones_in(own, last) == 0)
            {
                let taken = stones_in(other, self.pits - 1 - last);
                if taken > 0 || self.capture == Capture::Always {
                    promise += 3 + 31 * i32::from(taken);
                }
            }
            let beyond = i32::from(stones) - i32::from(self.pits - pit);
            if beyond > 0 {
                promise += 5 - beyond;
            }
            moves.push(promise, Number(pit));
        }
        self.quick_bounds(state)
    }
}

impl Kalah {
    /// The number of a position among all with as many pits, whoever has banked what.
    #[inline]
    fn place(&self, state: &State) -> u64 {
        // Every byte becomes the sum of those up to it.
        let sums = |row: u64| row.wrapping_mul(0x0101_0101_0101_0101);
        let [own, other] = Kalah::rows(state).map(sums);
        let held = stones_in(own, self.pits - 1);
        let (first, second) = self.sets.split_at(usize::from(self.pits));
        let row = |sets: &[[u64; MOST_STONES as usize + 2]], sums: u64, before: u8| -> u64 {
            let sets = (0u8..).zip(sets);
            sets.map(|(pit, sets)| sets[usize::from(before.wrapping_add(stones_in(sums, pit)))])
                .sum()
        };
        row(first, own, 0) + row(second, other, held)
    }

    /// How many bits of a key a pit has.
    #[inline]
    fn pit_bits(&self) -> u32 {
        if self.pits <= 6 { 5 } else { 4 }
    }
}

impl Kalah {
    /// How many positions have fewer stones left in their pits.
    #[inline]
    pub(super) fn fewer(&self, stones: u32) -> u64 {
        self.sets[2 * usize::from(self.pits) - 1][stones as usize]
    }
}
