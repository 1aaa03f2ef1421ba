//! The transposition table: bounds of positions, by key.
//!
//! - **Whole keys.** Positions are never confused: the key is mixed by a bijection, part of the
//!   result is the place in the table, and the entry stores the rest.
//! - **Two slots per place** (Fhourstones, John Tromp): the first keeps the entry with the most
//!   search work, the second is always replaced. Both are in one cache line.
//! - **One table for all threads.** An entry is one word with atomic reads and writes, so no thread
//!   ever sees half of another's entry, and no other synchronisation is needed.
//! - **Growth.** The table starts small and grows with its content, so that a short search does not
//!   pay for unused memory.
//! - **Huge pages.** The table requests large pages from the system, because most probes also miss
//!   the processor's address cache (TLB).

use std::sync::atomic::{AtomicU64, Ordering};

use zerocopy::FromBytes;

use super::bounds::{ANY, Bounds};
use crate::large::{Bytes, WORDS, map};

/// An entry holds values from -512 to 511.
const WIDEST: i32 = 512;

/// Bits of an entry for the kind of bound, the value and the search work; the other bits hold the
/// rest of the key.
const BOUND: u32 = 2;
const VALUE: u32 = 10;
const WORK: u32 = 5;
const DATA: u32 = BOUND + VALUE + WORK;

/// The kinds of bounds.
const AT_LEAST: u64 = 1;
const AT_MOST: u64 = 2;

/// The logarithm of the initial number of places, if memory allows: 1 MiB.
const FIRST_PLACES: u32 = 16;

/// The memory of a table; the system allocates its pages on first use.
pub(super) struct Memory {
    map: Bytes,
    key_bits: u32,
    /// The number of bits of a mixed key that give its place, now and at most.
    place_bits: u32,
    max_bits: u32,
}

/// A table, shared by threads.
#[derive(Clone, Copy)]
pub(super) struct TranspositionTable<'m> {
    entries: &'m [AtomicU64],
    key_bits: u32,
    rest_bits: u32,
}

/// The first of a key's two slots, and the rest of the mixed key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slot {
    pub slot: usize,
    pub rest: u64,
}

/// An entry for a file: the whole mixed key, and the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub key: u64,
    /// The bound, its value and the work.
    pub data: u32,
}

impl Memory {
    /// Memory of at most `bytes` bytes for keys of `key_bits` bits; a little more if entries could
    /// not hold the rest of a key otherwise.
    ///
    /// # Errors
    /// The number of bytes that the system could not allocate.
    pub fn new(key_bits: u32, bytes: u64) -> Result<Memory, u64> {
        let least = (key_bits + DATA).saturating_sub(u64::BITS);
        let max_bits = (bytes / 16).max(1).ilog2().clamp(least, key_bits.max(least));
        let bytes = 16u64 << max_bits;
        let place_bits = FIRST_PLACES.clamp(least, max_bits);
        Ok(Memory { map: map(bytes, true)?, key_bits, place_bits, max_bits })
    }

    /// The current number of entries.
    pub fn entries(&self) -> u64 {
        2 << self.place_bits
    }

    /// Doubles the table and keeps all entries; `false` if it has its largest size.
    pub fn grow(&mut self) -> bool {
        if self.place_bits == self.max_bits {
            return false;
        }
        let rest_bits = self.key_bits - self.place_bits;
        let entries = <[u64]>::mut_from_bytes(&mut self.map).expect(WORDS);
        // A place becomes two adjacent ones; the highest bit of an entry's rest selects one of
        // them. Going from the last place to the first overwrites no entry that is still needed.
        let high = 1 << (rest_bits - 1 + DATA);
        for place in (0..1usize << self.place_bits).rev() {
            let mut take = |at: usize| std::mem::take(&mut entries[at]);
            let old = [take(2 * place), take(2 * place + 1)];
            let mut free = [4 * place, 4 * place + 2];
            for entry in old.into_iter().filter(|entry| *entry != 0) {
                let slot = &mut free[usize::from(entry & high != 0)];
                entries[*slot] = entry & !high;
                *slot += 1;
            }
        }
        self.place_bits += 1;
        true
    }

    /// The entries that took most positions to find, at most `max`.
    pub fn costliest(&self, max: u64) -> impl Iterator<Item = Kept> + Clone {
        let rest_bits = self.key_bits - self.place_bits;
        let entries = <[u64]>::ref_from_bytes(&self.map).expect(WORDS);
        let entries = &entries[..2 << self.place_bits];
        let work = |entry: &u64| (entry >> (BOUND + VALUE)) as usize & ((1 << WORK) - 1);
        let used = |entry: &&u64| **entry & 3 != 0;
        let mut counts = [0u64; 1 << WORK];
        entries.iter().filter(used).for_each(|entry| counts[work(entry)] += 1);
        // All entries of the same work, or none.
        let mut sum = 0;
        let least = (0..counts.len()).rev().take_while(|work| {
            sum += counts[*work];
            sum <= max
        });
        let least = least.last().unwrap_or(counts.len());
        let entries = entries.iter().enumerate();
        entries.filter(move |(_, entry)| used(entry) && work(entry) >= least).map(
            move |(slot, entry)| Kept {
                key: (slot as u64 / 2) << rest_bits | entry >> DATA,
                data: (entry & ((1 << DATA) - 1)) as u32,
            },
        )
    }

    /// Stores an entry of another table with as many bits in its keys.
    pub fn put(&mut self, Kept { key, data }: Kept) {
        let rest_bits = self.key_bits - self.place_bits;
        let place = (key >> rest_bits) as usize & ((1 << self.place_bits) - 1);
        let rest = key & !(u64::MAX << rest_bits);
        let entries = <[u64]>::mut_from_bytes(&mut self.map).expect(WORDS);
        let slots = &mut entries[2 * place..2 * place + 2];
        let free = usize::from(slots[0] != 0);
        slots[free] = rest << DATA | u64::from(data) & ((1 << DATA) - 1);
    }

    /// The table in this memory.
    pub fn table(&mut self) -> TranspositionTable<'_> {
        let entries = <[AtomicU64]>::mut_from_bytes(&mut self.map);
        let entries = entries.expect(WORDS);
        TranspositionTable {
            entries,
            key_bits: self.key_bits,
            rest_bits: self.key_bits - self.place_bits,
        }
    }
}

impl TranspositionTable<'_> {
    /// Mixes a key. Every step is a bijection, so different keys have different places or rests.
    #[inline]
    pub fn place(&self, key: u64) -> Slot {
        let mask = u64::MAX >> (64 - self.key_bits);
        let half = self.key_bits.div_ceil(2);
        let mut mixed = key ^ key >> half;
        mixed = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
        mixed ^= mixed >> half;
        mixed = mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) & mask;
        mixed ^= mixed >> half;
        // A rest always has fewer than 64 bits, so these shifts do not overflow.
        let place = mixed >> self.rest_bits;
        Slot { slot: place as usize * 2, rest: mixed & !(u64::MAX << self.rest_bits) }
    }

    /// The whole mixed key of a place.
    pub fn whole(&self, Slot { slot, rest }: Slot) -> u64 {
        (slot as u64 / 2) << self.rest_bits | rest
    }

    /// Loads an entry into the cache.
    #[inline]
    pub fn prefetch(&self, place: Slot) {
        foregone_prefetch::load(&self.entries[place.slot]);
    }

    /// The stored bounds of a key.
    #[inline]
    pub fn get(&self, Slot { slot, rest }: Slot) -> Bounds {
        for at in [slot, slot + 1] {
            let entry = self.entries[at].load(Ordering::Relaxed);
            if entry >> DATA == rest {
                let value = ((entry >> BOUND) as i32 & (2 * WIDEST - 1)) - WIDEST;
                match entry & 3 {
                    AT_LEAST => return (value, i32::MAX),
                    AT_MOST => return (i32::MIN, value),
                    _ => {}
                }
            }
        }
        ANY
    }

    /// Stores a bound that took `positions` positions to find; the other bound is unknown.
    #[inline]
    pub fn set(&self, Slot { slot, rest }: Slot, (low, high): Bounds, positions: u64) {
        let (value, bound) = if low == i32::MIN { (high, AT_MOST) } else { (low, AT_LEAST) };
        if !(-WIDEST..WIDEST).contains(&value) {
            return;
        }
        let work = u64::from(positions.max(1).ilog2()).min((1 << WORK) - 1);
        let entry = ((rest << WORK | work) << VALUE | (value + WIDEST) as u64) << BOUND | bound;
        let [first, second] = [&self.entries[slot], &self.entries[slot + 1]];
        let old = first.load(Ordering::Relaxed);
        let worked = old >> (BOUND + VALUE) & ((1 << WORK) - 1);
        if old >> DATA == rest {
            first.store(entry, Ordering::Relaxed);
        } else if worked <= work {
            second.store(old, Ordering::Relaxed);
            first.store(entry, Ordering::Relaxed);
        } else {
            second.store(entry, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// A table of exactly `2^place_bits` places.
    fn memory(key_bits: u32, place_bits: u32) -> Memory {
        Memory::new(key_bits, 16 << place_bits).unwrap()
    }

    #[test]
    fn different_keys_never_look_alike() {
        for key_bits in 1..=16 {
            for place_bits in [0, 1, 5, 16] {
                let mut memory = memory(key_bits, place_bits);
                let entries = memory.entries() as usize;
                let table = memory.table();
                let places: HashSet<_> = (0..1 << key_bits).map(|key| table.place(key)).collect();
                assert_eq!(places.len(), 1 << key_bits);
                assert!(places.iter().all(|place| place.slot + 1 < entries));
            }
        }
        let mut memory = memory(64, 1);
        assert_eq!(memory.place_bits, DATA, "the rest of a key of 64 bits needs that");
        assert!(memory.table().place(u64::MAX).rest < 1 << (64 - DATA));
    }

    #[test]
    fn entries_hold_what_fits_and_nothing_else() {
        let mut memory = memory(49, 8);
        let table = memory.table();
        let place = table.place(12345);
        assert_eq!(table.get(place), ANY);
        let mut last = ANY;
        for value in [-WIDEST, -1, 0, 1, WIDEST - 1] {
            for bounds in [(value, i32::MAX), (i32::MIN, value)] {
                table.set(place, bounds, 7);
                assert_eq!(table.get(place), bounds);
                assert_eq!(table.get(Slot { rest: place.rest ^ 1, ..place }), ANY);
                last = bounds;
            }
        }
        table.set(place, (WIDEST, i32::MAX), 7);
        assert_eq!(table.get(place), last);
    }

    #[test]
    fn what_cost_most_stays() {
        let mut memory = memory(20, 0);
        let table = memory.table();
        let places = [1, 2, 3].map(|key| table.place(key));
        let bounds = |value: i32| (value, i32::MAX);
        table.set(places[0], bounds(1), 1000);
        table.set(places[1], bounds(2), 10);
        assert_eq!(places.map(|place| table.get(place)), [bounds(1), bounds(2), ANY]);
        table.set(places[2], bounds(3), 5);
        assert_eq!(places.map(|place| table.get(place)), [bounds(1), ANY, bounds(3)]);
        table.set(places[1], bounds(2), 5000);
        assert_eq!(places.map(|place| table.get(place)), [bounds(1), bounds(2), ANY]);
    }

    /// Small enough for Miri, which runs it in many orders: `cargo +nightly miri test -p foregone --lib threads_read`.
    #[test]
    fn threads_read_only_what_was_written_for_a_key() {
        let entries: Vec<AtomicU64> = (0..16).map(|_| AtomicU64::new(0)).collect();
        let table = TranspositionTable { entries: &entries, key_bits: 20, rest_bits: 17 };
        let bounds = |key: u64| match key % 2 {
            0 => (key as i32, i32::MAX),
            _ => (i32::MIN, key as i32),
        };
        std::thread::scope(|scope| {
            for thread in 1..4 {
                scope.spawn(move || {
                    for key in (0..40).map(|nth| nth * thread % 40) {
                        table.set(table.place(key), bounds(key), key);
                        for other in 0..40 {
                            let seen = table.get(table.place(other));
                            assert!(seen == ANY || seen == bounds(other), "{other}: {seen:?}");
                        }
                    }
                });
            }
        });
        assert!((0..40).any(|key| table.get(table.place(key)) == bounds(key)));
    }

    #[test]
    fn nothing_is_forgotten_when_a_table_grows() {
        let mut memory = Memory::new(30, 64 << 20).unwrap();
        let keys = || (0..200_000u64).map(|key| key * 5_001 % (1 << 30));
        let table = memory.table();
        for key in keys() {
            table.set(table.place(key), (key as i32 % 512, i32::MAX), key);
        }
        let known = |table: TranspositionTable| {
            let kept = keys().filter(|key| table.get(table.place(*key)) != ANY);
            kept.collect::<HashSet<_>>()
        };
        let before = known(memory.table());
        let entries = memory.entries();
        assert!(before.len() as u64 > entries / 2);
        while memory.grow() {}
        assert_eq!(memory.entries(), (64 << 20) / 8);
        let table = memory.table();
        assert_eq!(known(table), before);
        for key in before {
            assert_eq!(table.get(table.place(key)), (key as i32 % 512, i32::MAX));
        }
    }
}
