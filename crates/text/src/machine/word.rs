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
        }
    };
}

word!(u64, i64);
word!(u128, i128);
