//! Words that hold a set of cells: 64 bits for most boards, 128 for large ones.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

use crate::board::Cells;

/// A word of a position: a set of cells, or a number.
pub trait Word:
    Copy
    + Default
    + Debug
    + Eq
    + Ord
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitOrAssign
    + BitXorAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The number of bits.
    const BITS: u32;
    /// No bit.
    const ZERO: Self;
    /// The lowest bit.
    const ONE: Self;

    /// From a set of cells, which has to fit.
    fn from_cells(cells: Cells) -> Self;

    /// As a set of cells.
    fn cells(self) -> Cells;

    /// From a number, in two's complement.
    fn from_number(number: i64) -> Self;

    /// The lower 64 bits as a number.
    fn number(self) -> i64;

    /// The number of set bits.
    fn count(self) -> u32;

    /// The place of the lowest set bit; [`BITS`](Word::BITS) if there is none.
    fn lowest(self) -> u32;

    /// The same set without its lowest bit.
    fn without_lowest(self) -> Self;

    /// The sum of two words; it wraps.
    fn plus(self, other: Self) -> Self;

    /// The halves of 64 bits, the lower one first.
    fn halves(self) -> impl Iterator<Item = u64>;

    /// From a word of 64 bits, to the half with this number.
    fn from_half(half: u64, at: usize) -> Self;

    /// The sum of the bytes.
    #[inline]
    fn byte_sum(self) -> i64 {
        const PAIRS: u64 = 0x00ff_00ff_00ff_00ff;
        let sum = |half: u64| {
            let pairs = (half & PAIRS) + (half >> 8 & PAIRS);
            pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48
        };
        self.halves().map(sum).sum::<u64>() as i64
    }

    /// A bit for each byte that is not 0, the lowest byte first.
    #[inline]
    fn full_bytes(self) -> u64 {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let full = |half: u64| {
            // The highest bit of each byte that is not 0; then these bits side by side.
            let high = (((half & LOW) + LOW) | half) & !LOW;
            (high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
        };
        (0..).zip(self.halves()).map(|(at, half)| full(half) << (8 * at)).sum()
    }
}

macro_rules! word {
    ($word:ident, $signed:ident) => {
        impl Word for $word {
            const BITS: u32 = $word::BITS;
            const ZERO: $word = 0;
            const ONE: $word = 1;

            #[inline]
            fn from_cells(cells: Cells) -> $word {
                cells as $word
            }

            #[inline]
            fn cells(self) -> Cells {
                self.into()
            }

            #[inline]
            fn from_number(number: i64) -> $word {
                $signed::from(number) as $word
            }

            #[inline]
            fn number(self) -> i64 {
                self as i64
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline]
            fn without_lowest(self) -> $word {
                self & self.wrapping_sub(1)
            }

            #[inline]
            fn plus(self, other: $word) -> $word {
                self.wrapping_add(other)
            }

            #[inline]
            fn halves(self) -> impl Iterator<Item = u64> {
                (0..$word::BITS).step_by(64).map(move |shift| (self >> shift) as u64)
            }

            #[inline]
            fn from_half(half: u64, at: usize) -> $word {
                $word::from(half) << (64 * at)
            }
        }
    };
}

word!(u64, i64);
word!(u128, i128);

#[cfg(test)]
mod tests {
    use super::*;
    use foregone_rules::sample::Dice;

    #[test]
    fn bytes_are_counted_side_by_side() {
        let mut dice = Dice::new(3);
        for _ in 0..2_000 {
            let bytes: [u8; 16] = std::array::from_fn(|_| [0, 1, 127, 128, 255, 7][dice.below(6)]);
            let sum = |bytes: &[u8]| bytes.iter().map(|byte| i64::from(*byte)).sum::<i64>();
            let full = |bytes: &[u8]| {
                (0..).zip(bytes).map(|(at, byte)| u64::from(*byte != 0) << at).sum::<u64>()
            };
            let long = u128::from_le_bytes(bytes);
            assert_eq!((long.byte_sum(), long.full_bytes()), (sum(&bytes), full(&bytes)));
            let (short, bytes) = (long as u64, &bytes[..8]);
            assert_eq!((short.byte_sum(), short.full_bytes()), (sum(bytes), full(bytes)));
        }
    }
}
