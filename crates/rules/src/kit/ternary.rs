//! Numbers of pairs of disjoint sets of cells: a ternary digit for each cell.

use super::Bits;

/// The numbering of pairs of disjoint sets on a board of at most 40 cells; searches use it for
/// keys.
#[derive(Clone, Debug)]
pub(crate) struct Ternary {
    /// By byte of a set: the number in which its cells have the digit 1, all others 0.
    digits: Vec<[u64; 256]>,
    bits: u32,
}

impl Ternary {
    /// For a board of `cells` cells; `None` if the numbers do not fit in a word.
    pub fn new(cells: usize) -> Option<Ternary> {
        let all = 3u64.checked_pow(cells as u32)?;
        let bytes = (0..cells).step_by(8).map(|first| {
            std::array::from_fn(|byte| {
                let cells = Bits(byte as u32).map(|bit| first + usize::from(bit));
                cells.filter(|cell| *cell < 40).map(|cell| 3u64.pow(cell as u32)).sum()
            })
        });
        Some(Ternary { digits: bytes.collect(), bits: (all - 1).ilog2() + 1 })
    }

    /// The number of bits of the numbers.
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// The number of two sets.
    #[inline]
    pub fn of(&self, [one, other]: [u64; 2]) -> u64 {
        let number = |set: u64| -> u64 {
            let bytes = self.digits.iter().zip(set.to_le_bytes());
            bytes.map(|(digits, byte)| digits[usize::from(byte)]).sum()
        };
        number(one) + 2 * number(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_sets_has_a_number_of_its_own() {
        let ternary = Ternary::new(9).unwrap();
        let pairs = (0u64..1 << 9).flat_map(|one| (0..1 << 9).map(move |other| [one, other]));
        let pairs = pairs.filter(|[one, other]| one & other == 0);
        let mut numbers: Vec<_> = pairs.map(|sets| ternary.of(sets)).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..3u64.pow(9)));
        assert_eq!(ternary.bits(), 15);
        let max = Ternary::new(40).unwrap();
        assert_eq!((max.of([0, (1 << 40) - 1]), max.bits()), (3u64.pow(40) - 1, 64));
        assert!(Ternary::new(41).is_none());
    }
}
