//! Sets of squares on a board of rows, numbered among all sets of as many squares that have gone as
//! far: the combinatorial number system (D. H. Lehmer 1964) taken row by row.
//!
//! How far a set has gone is the sum of its squares' rows. Sets are numbered by the squares of the
//! first row (fewer before more), then by those of the second, and so on.

/// The numbering for boards of one size.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    width: u32,
    rows: u32,
    squares: u32,
    /// By row, squares left to place and progress left: in how many ways they go on this row and
    /// the rows after it.
    ways: Vec<u64>,
    /// By number of squares, the sets of so many squares of one row.
    unrank: Vec<Vec<u64>>,
    /// By row, squares left, progress left and set of squares on the row: how many sets come before
    /// those that go on so.
    before: Vec<u64>,
}

impl Progress {
    /// For sets of so many squares on so many rows of a width.
    pub fn new(width: u32, rows: u32, squares: u32) -> Progress {
        let mut unrank: Vec<Vec<u64>> = vec![Vec::new(); width as usize + 1];
        for mask in 0u64..1 << width {
            unrank[mask.count_ones() as usize].push(mask);
        }
        let (ways, before) = (Vec::new(), Vec::new());
        let mut progress = Progress { width, rows, squares, ways, unrank, before };
        let all = (rows + 1) * (squares + 1) * (progress.farthest() + 1);
        progress.ways = vec![0; all as usize];
        let end = progress.at(rows, 0, 0);
        progress.ways[end] = 1;
        for row in (0..rows).rev() {
            for left in 0..=squares {
                for far in 0..=progress.farthest() {
                    let ways = progress.here(row, left, far).map(|(_, ways)| ways).sum();
                    let at = progress.at(row, left, far);
                    progress.ways[at] = ways;
                }
            }
        }
        let entries = (rows * (squares + 1) * (progress.farthest() + 1)) as usize;
        progress.before = vec![0; entries << width];
        for row in 0..rows {
            for left in 0..=squares {
                for far in 0..=progress.farthest() {
                    let at = progress.at(row, left, far) << width;
                    let mut sum = 0;
                    for count in 0..=left.min(width).min(far.checked_div(row).unwrap_or(left)) {
                        let below =
                            progress.ways[progress.at(row + 1, left - count, far - row * count)];
                        for mask in &progress.unrank[count as usize] {
                            progress.before[at + *mask as usize] = sum;
                            sum += below;
                        }
                    }
                }
            }
        }
        progress
    }

    /// How far a set can go.
    pub const fn farthest(&self) -> u32 {
        self.squares * (self.rows - 1)
    }

    const fn at(&self, row: u32, left: u32, far: u32) -> usize {
        (((row * (self.squares + 1)) + left) * (self.farthest() + 1) + far) as usize
    }

    /// For each number of squares on a row, fewer first, how many sets there are with so many.
    fn here(&self, row: u32, left: u32, far: u32) -> impl Iterator<Item = (u32, u64)> + '_ {
        let most = left.min(self.width);
        let fits = move |count: &u32| *count == 0 || row * count <= far;
        (0..=most).take_while(fits).map(move |count| {
            let below = self.ways[self.at(row + 1, left - count, far - row * count)];
            (count, self.unrank[count as usize].len() as u64 * below)
        })
    }

    /// How many sets have gone so far.
    pub fn sets(&self, far: u32) -> u64 {
        self.ways[self.at(0, self.squares, far)]
    }

    /// How far a set has gone, and its number among those that have.
    #[inline]
    pub fn index(&self, set: u128) -> (u32, u64) {
        let row_of = |set: u128| set as u32 & ((1 << self.width) - 1);
        let (mut far, mut rest, mut row) = (0, set, 0);
        while rest != 0 {
            far += row * row_of(rest).count_ones();
            (rest, row) = (rest >> self.width, row + 1);
        }
        let (mut left, mut ahead, mut number) = (self.squares, far, 0);
        (rest, row) = (set, 0);
        while rest != 0 {
            let mask = row_of(rest);
            number += self.before[self.at(row, left, ahead) << self.width | mask as usize];
            let count = mask.count_ones();
            (left, ahead) = (left - count, ahead - row * count);
            (rest, row) = (rest >> self.width, row + 1);
        }
        (far, number)
    }

    /// The set that has gone so far and has this number, which is below how many there are.
    pub fn set(&self, far: u32, mut number: u64) -> u128 {
        let (mut left, mut rest, mut set) = (self.squares, far, 0);
        for row in 0..self.rows {
            let mut here = 0;
            for (count, ways) in self.here(row, left, rest) {
                here = count;
                if number < ways {
                    break;
                }
                number -= ways;
            }
            (left, rest) = (left - here, rest - row * here);
            let below = self.ways[self.at(row + 1, left, rest)];
            let alike = &self.unrank[here as usize];
            set |= u128::from(alike[(number / below) as usize]) << (row * self.width);
            number %= below;
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_a_number_of_its_own() {
        for (width, rows, squares) in [(2, 4, 2), (3, 6, 3), (4, 5, 4), (3, 3, 1)] {
            let progress = Progress::new(width, rows, squares);
            let sets = (0u128..1 << (width * rows)).filter(|set| set.count_ones() == squares);
            let mut count = 0;
            for set in sets {
                let (far, number) = progress.index(set);
                assert!(number < progress.sets(far), "{set:b}");
                assert_eq!(progress.set(far, number), set, "{far} {number}");
                count += 1;
            }
            let all = (0..=progress.farthest()).map(|far| progress.sets(far));
            assert_eq!(all.sum::<u64>(), count, "no number is left over");
        }
    }
}
