//! The symmetries of a board as permutations of its cells.

use super::Bits;

/// Permutations of the cells of a board, the identity first.
#[derive(Clone, Debug, Default)]
pub struct Symmetries {
    /// Where each cell goes.
    maps: Vec<Vec<u8>>,
    /// For every permutation but the first, where the cells of each byte of a set go.
    images: Vec<Vec<[u64; 256]>>,
}

impl Symmetries {
    /// Of a board of so many cells: boards of at most 64 can have more than one.
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

    /// How many there are; 1 if there is only the identity.
    #[expect(clippy::len_without_is_empty, reason = "the identity is always there")]
    pub fn len(&self) -> usize {
        self.maps.len()
    }

    /// Where each cell goes.
    pub fn map(&self, nth: usize) -> &[u8] {
        &self.maps[nth]
    }

    /// The images of the first 64 cells under every symmetry but the identity, as tables: where the
    /// cells of each byte go.
    #[inline]
    pub(crate) fn tables(&self) -> &[Vec<[u64; 256]>] {
        &self.images
    }

    /// Of all images of some sets of the first 64 cells, the smallest: those whose first set is the
    /// smallest, then the second and so on.
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
                // Most images are known to be larger by the first set.
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
