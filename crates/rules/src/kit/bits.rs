//! Walking over the squares of a bitboard, lowest first, and numbering sets of them (the
//! combinatorial number system, D. H. Lehmer 1964).

/// The positions of the bits that are set in a word, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Bits<W>(pub W);

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

bits!(u16, u32, u64, u128);

/// Stands for all numbers that are larger; the sum of one for each bit is still a number.
pub(crate) const MANY: u64 = u64::MAX / 128;

/// In how many ways so many things of so many can be chosen; [`MANY`] where they are more.
pub(crate) const fn choose(of: u32, count: u32) -> u64 {
    if count > of {
        return 0;
    }
    CHOOSE[of as usize][count as usize]
}

static CHOOSE: [[u64; 65]; 65] = {
    let mut table = [[0; 65]; 65];
    let mut of = 0;
    while of <= 64 {
        table[of][0] = 1;
        let mut count = 1;
        while count <= of {
            let sum = table[of - 1][count - 1] + table[of - 1][count];
            table[of][count] = if sum < MANY { sum } else { MANY };
            count += 1;
        }
        of += 1;
    }
    table
};

/// The number of a set among those of as many bits.
#[inline]
pub(crate) fn rank(set: u64) -> u64 {
    Bits(set).zip(1..).map(|(bit, nth)| choose(bit.into(), nth)).sum()
}

/// The set of so many of the lowest `of` bits that has a number, if there is one.
#[inline]
pub(crate) fn unrank(mut number: u64, count: u32, of: u32) -> u64 {
    let (mut set, mut bit) = (0, of);
    for nth in (1..=count).rev() {
        bit = bit.saturating_sub(1);
        while bit > 0 && choose(bit, nth) > number {
            bit -= 1;
        }
        number -= choose(bit, nth);
        set |= 1 << bit;
    }
    set
}

/// The number of a set among those of as many bits that have none of another's: the same as of what
/// is left of it when the bits of the other are closed up.
#[inline]
pub(crate) fn rank_beside(set: u64, other: u64) -> u64 {
    let closed = |bit: u8| u32::from(bit) - (other & ((1 << bit) - 1)).count_ones();
    Bits(set).zip(1..).map(|(bit, nth)| choose(closed(bit), nth)).sum()
}

/// A closed-up set spread over the places of another.
#[inline]
pub(crate) fn spread(closed: u64, places: u64) -> u64 {
    Bits(places).zip(0..).fold(0, |set, (place, nth)| set | (closed >> nth & 1) << place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits of a set at the places of another, closed up.
    fn extract(set: u64, places: u64) -> u64 {
        Bits(places).zip(0..).fold(0, |closed, (place, nth)| closed | (set >> place & 1) << nth)
    }

    #[test]
    fn sets_have_numbers_without_gaps() {
        for count in 0..=6 {
            let sets = (0u64..1 << 9).filter(|set| set.count_ones() == count);
            for (number, set) in (0..).zip(sets) {
                assert_eq!((rank(set), unrank(number, count, 9)), (number, set));
            }
        }
        assert_eq!(choose(48, 12), 69_668_534_468);
        assert_eq!(choose(64, 32), MANY.min(1_832_624_140_942_590_534));
    }

    #[test]
    fn what_is_closed_up_can_be_spread() {
        let (set, places) = (0b1010_0110, 0b1110_0101);
        assert_eq!(extract(set, places), 0b10110);
        assert_eq!(spread(0b10110, places), set & places);
        assert_eq!(rank_beside(set, 0b0101_1000), rank(extract(set, !0b0101_1000)));
        assert_eq!(rank_beside(set, 0), rank(set));
    }
}
