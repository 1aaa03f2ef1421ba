//! Walking over the squares of a bitboard, lowest first.

/// The positions of the bits that are set in a word, lowest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits<W>(pub W);

macro_rules! bits {
    ($($word:ty),*) => {
        $(impl Iterator for Bits<$word> {
            type Item = u8;

            #[inline]
            fn next(&mut self) -> Option<u8> {
                if self.0 == 0 {
                    return None;
                }
                let lowest = self.0.trailing_zeros() as u8;
                self.0 &= self.0 - 1;
                Some(lowest)
            }
        })*
    };
}

bits!(u16, u64, u128);
