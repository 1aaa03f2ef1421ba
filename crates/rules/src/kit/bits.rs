//! Iteration over the bits of a word, and numbers of sets (the combinatorial number system, D. H.
//! Lehmer 1964).

/// The indices of the bits that are set in a word, lowest first.
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

/// The steps of pieces on a board of at most 128 cells: for each piece, in order, the cells that it
/// reaches. Faster than `flat_map`.
pub struct Steps<'a> {
    pieces: Bits<u128>,
    /// For each cell, the cells that a piece reaches from there.
    reach: &'a [u128],
    free: u128,
    from: u8,
    to: Bits<u128>,
}

impl Steps<'_> {
    /// The steps of `pieces` to `free` cells; `reach` says for each cell where a piece can go.
    #[inline]
    pub fn new(pieces: u128, reach: &[u128], free: u128) -> Steps<'_> {
        Steps { pieces: Bits(pieces), reach, free, from: 0, to: Bits(0) }
    }
}

impl Iterator for Steps<'_> {
    /// From and to.
    type Item = (u8, u8);

    #[inline]
    fn next(&mut self) -> Option<(u8, u8)> {
        loop {
            if let Some(to) = self.to.next() {
                return Some((self.from, to));
            }
            self.from = self.pieces.next()?;
            self.to = Bits(self.reach[usize::from(self.from)] & self.free);
        }
    }
}

/// Replaces all larger numbers; a sum of 128 of them still fits in a word.
pub(crate) const MANY: u64 = u64::MAX / 128;

/// The binomial coefficient, `of` choose `count`; [`MANY`] if it is larger.
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

/// The number of a set among the sets with equally many bits.
#[inline]
pub(crate) fn rank(set: u64) -> u64 {
    Bits(set).zip(1..).map(|(bit, nth)| choose(bit.into(), nth)).sum()
}

/// The set with a number, among the sets of `count` of the lowest `of` bits. The number must be
/// below `choose(of, count)`.
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

/// The number of a set among the sets with equally many bits that are disjoint from `other`: its
/// number after the bits of `other` are removed and the gaps closed.
#[inline]
pub(crate) fn rank_beside(set: u64, other: u64) -> u64 {
    let closed = |bit: u8| u32::from(bit) - (other & ((1 << bit) - 1)).count_ones();
    Bits(set).zip(1..).map(|(bit, nth)| choose(closed(bit), nth)).sum()
}

/// Deposits the low bits of `closed` at the bits of `places` (like the instruction PDEP).
#[inline]
pub(crate) fn spread(closed: u64, places: u64) -> u64 {
    Bits(places).zip(0..).fold(0, |set, (place, nth)| set | (closed >> nth & 1) << place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inverse of [`spread`]: collects the bits of `set` at `places` (like the instruction
    /// PEXT).
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
    fn spreading_undoes_extraction() {
        let (set, places) = (0b1010_0110, 0b1110_0101);
        assert_eq!(extract(set, places), 0b10110);
        assert_eq!(spread(0b10110, places), set & places);
        assert_eq!(rank_beside(set, 0b0101_1000), rank(extract(set, !0b0101_1000)));
        assert_eq!(rank_beside(set, 0), rank(set));
    }
}
