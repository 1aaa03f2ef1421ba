//! The symmetries of a board as permutations of its cells.

use super::Bits;

/// Permutations of the cells of a board, the identity first.
#[derive(Clone, Debug, Default)]
pub struct Symmetries {
    /// For every permutation, the images of all cells.
    maps: Vec<Vec<u8>>,
    /// For every permutation except the identity, and byte of a set: the images of its cells.
    images: Vec<Vec<[u64; 256]>>,
}

impl Symmetries {
    /// The symmetries of a board of `cells` cells; only boards of at most 64 can have more than
    /// one.
    pub(crate) fn new(cells: usize, maps: Vec<Vec<u8>>) -> Symmetries {
        assert!(maps.len() == 1 || cells <= 64, "at most 64 cells have symmetries");
        let images = maps.iter().skip(1).map(|map| {
            let bytes = (0..cells).step_by(8).map(|first| {
                std::array::from_fn(|byte| {
                    let cells =
                        Bits(byte as u64).filter_map(|bit| map.get(first + usize::from(bit)));
                    cells.fold(0, |image, to| image | 1 << to)
                })
            });
            bytes.collect()
        });
        Symmetries { images: images.collect(), maps }
    }

    /// The number of symmetries; 1 if there is only the identity.
    #[expect(clippy::len_without_is_empty, reason = "the identity is always there")]
    pub fn len(&self) -> usize {
        self.maps.len()
    }

    /// The images of all cells under symmetry number `nth`.
    pub fn map(&self, nth: usize) -> &[u8] {
        &self.maps[nth]
    }

    /// For every symmetry except the identity, a table by byte of a set: the images of its cells.
    #[inline]
    pub(crate) fn tables(&self) -> &[Vec<[u64; 256]>] {
        &self.images
    }

    /// The images of `sets` (of the first 64 cells) under symmetry number `nth`; 0 changes nothing. `None` if there is no
    /// such symmetry.
    pub fn image<const N: usize>(&self, sets: [u64; N], nth: u64) -> Option<[u64; N]> {
        match usize::try_from(nth).ok()?.checked_sub(1) {
            None => Some(sets),
            Some(at) => self.images.get(at).map(|table| sets.map(|set| image(table, set))),
        }
    }

    /// The smallest of all images of `sets` (of the first 64 cells), in lexicographic order.
    ///
    /// ```
    /// use foregone_rules::kit::Board;
    ///
    /// let board = Board::squares(3, 3).rectangular();
    /// // A stone in the lower left corner and one above it: turned and mirrored to the upper left.
    /// assert_eq!(board.symmetries().smallest([1 << 6, 1 << 3]), [1, 1 << 1]);
    /// ```
    #[inline]
    pub fn smallest<const N: usize>(&self, sets: [u64; N]) -> [u64; N] {
        let mut best = sets;
        for table in &self.images {
            for nth in 0..N {
                let set = image(table, sets[nth]);
                // Most images are larger in the first set.
                if set > best[nth] {
                    break;
                }
                if set < best[nth] {
                    best[nth] = set;
                    (nth + 1..N).for_each(|later| best[later] = image(table, sets[later]));
                    break;
                }
            }
        }
        best
    }
}

/// The image of a set, by one of the [tables](Symmetries::tables).
#[inline]
pub(crate) fn image(table: &[[u64; 256]], set: u64) -> u64 {
    let bytes = table.iter().zip(set.to_le_bytes());
    bytes.fold(0, |image, (cells, byte)| image | cells[usize::from(byte)])
}
