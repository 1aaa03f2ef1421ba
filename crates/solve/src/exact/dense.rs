//! The part of the transposition table for positions that a game numbers without gaps: both bounds
//! of each, in two bytes. It stores no keys and replaces nothing.
//!
//! It replaces an endgame table (as in Geoffrey Irving's Kalah solver), but does not solve
//! positions that never occur: it has only the bounds that the search has needed so far.

use std::sync::atomic::{AtomicU16, Ordering};

use memmap2::MmapMut;
use zerocopy::FromBytes;

use super::bounds::{ANY, Bounds};
use super::table;

/// The memory of a dense table; the system allocates its pages on first use.
pub(super) struct DenseMemory {
    map: MmapMut,
    count: u64,
}

/// A dense table, shared by threads. The lower byte of an entry is the lower bound plus 128, the
/// upper byte is 127 minus the upper bound; 0 means unknown.
#[derive(Clone, Copy)]
pub(super) struct Dense<'m>(&'m [AtomicU16]);

impl DenseMemory {
    /// Memory for `count` positions.
    ///
    /// # Errors
    /// The number of bytes that the system could not allocate.
    pub fn new(count: u64) -> Result<DenseMemory, u64> {
        Ok(DenseMemory { map: table::map(2 * count.max(1), true)?, count })
    }

    /// The table in this memory.
    pub fn table(&mut self) -> Dense<'_> {
        let entries = <[AtomicU16]>::mut_from_bytes(&mut self.map).expect(table::WORDS);
        Dense(&entries[..self.count as usize])
    }
}

impl Dense<'_> {
    /// Whether the table has an entry for this number.
    #[inline]
    pub fn holds(&self, number: u64) -> bool {
        number < self.0.len() as u64
    }

    /// Loads an entry into the cache.
    #[inline]
    pub fn prefetch(&self, number: usize) {
        foregone_prefetch::load(&self.0[number]);
    }

    /// The stored bounds of a number.
    #[inline]
    pub fn get(&self, number: usize) -> Bounds {
        let [low, high] = self.0[number].load(Ordering::Relaxed).to_le_bytes();
        let low = if low == 0 { ANY.0 } else { i32::from(low) - 128 };
        let high = if high == 0 { ANY.1 } else { 127 - i32::from(high) };
        (low, high)
    }

    /// Stores bounds. If another thread stores bounds at the same time, one of the two updates may
    /// get lost.
    #[inline]
    pub fn set(&self, number: usize, (low, high): Bounds) {
        let entry = &self.0[number];
        let [mut below, mut above] = entry.load(Ordering::Relaxed).to_le_bytes();
        below = below.max(u8::try_from(low.saturating_add(128)).unwrap_or(0));
        above = above.max(u8::try_from(127i32.saturating_sub(high)).unwrap_or(0));
        entry.store(u16::from_le_bytes([below, above]), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_close_in_and_what_does_not_fit_is_not_kept() {
        let mut memory = DenseMemory::new(3).unwrap();
        let dense = memory.table();
        assert!(dense.holds(2) && !dense.holds(3));
        assert_eq!(dense.get(1), ANY);
        for (bounds, expected) in [
            ((-128, i32::MAX), ANY),
            ((128, i32::MAX), ANY),
            ((i32::MIN, 127), ANY),
            ((i32::MIN, -129), ANY),
            ((-127, i32::MAX), (-127, i32::MAX)),
            ((i32::MIN, 126), (-127, 126)),
            ((3, i32::MAX), (3, 126)),
            ((2, i32::MAX), (3, 126)),
            ((i32::MIN, 3), (3, 3)),
        ] {
            dense.set(1, bounds);
            assert_eq!(dense.get(1), expected, "{bounds:?}");
        }
        assert_eq!((dense.get(0), dense.get(2)), (ANY, ANY));
    }
}
