//! Numbers of sets of squares on a board of rows, among the sets of equally many squares with the
//! same progress: the combinatorial number system (D. H. Lehmer 1964), row by row.
//!
//! The progress of a set is the sum of its squares' rows; variables call it `far`. Sets are sorted
//! by their squares in the first row (fewer first), then in the second row, and so on.

use crate::kit::Bits;

/// The numbering for boards of one size.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    width: u32,
    rows: u32,
    squares: u32,
    /// By row, remaining squares and remaining progress: the number of ways to place them on this
    /// row and later rows.
    ways: Vec<u64>,
    /// By number of squares, all sets of that size in one row.
    unrank: Vec<Vec<u64>>,
    /// By row, remaining squares, remaining progress and set of squares on the row: the number of
    /// sets that come before the sets with this row.
    before: Vec<u64>,
}

impl Progress {
    /// For sets of `squares` squares on `rows` rows of `width` squares.
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

    /// The largest progress.
    pub const fn farthest(&self) -> u32 {
        self.squares * (self.rows - 1)
    }

    const fn at(&self, row: u32, left: u32, far: u32) -> usize {
        (((row * (self.squares + 1)) + left) * (self.farthest() + 1) + far) as usize
    }

    /// For each possible number of squares on a row, fewer first, the number of sets.
    fn here(&self, row: u32, left: u32, far: u32) -> impl Iterator<Item = (u32, u64)> + '_ {
        let max = left.min(self.width);
        let fits = move |count: &u32| *count == 0 || row * count <= far;
        (0..=max).take_while(fits).map(move |count| {
            let below = self.ways[self.at(row + 1, left - count, far - row * count)];
            (count, self.unrank[count as usize].len() as u64 * below)
        })
    }

    /// The number of sets with progress `far`.
    pub fn sets(&self, far: u32) -> u64 {
        self.ways[self.at(0, self.squares, far)]
    }

    /// The progress of a set, and its number among the sets with this progress.
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

    /// Visits every step of a square to a free square of the next row: the new square, and the
    /// number of the set after the step. `ahead` has the targets of each square.
    ///
    /// The number is a sum of one term for each row. A step changes two rows. For the rows before
    /// them, the terms are those of a set with progress `far` + 1; for the rows after them, they
    /// stay the same.
    #[inline]
    pub fn steps(&self, set: u128, far: u32, ahead: &[u128], mut visit: impl FnMut(u8, u64)) {
        const ROWS: usize = 17;
        let rows = (self.rows as usize).min(ROWS - 1);
        let mask = |row: usize| (set >> (row as u32 * self.width)) as u32 & ((1 << self.width) - 1);
        let term = |row: usize, left: u32, far: u32, mask: u32| {
            self.before[self.at(row as u32, left, far) << self.width | mask as usize]
        };
        // By row: remaining squares, remaining progress, and the sum of the terms before the row
        // with progress `far` + 1.
        let (mut lefts, mut fars, mut sums) = ([0; ROWS], [0; ROWS], [0; ROWS]);
        let (mut left, mut rest, mut sum) = (self.squares, far, 0);
        for row in 0..rows {
            (lefts[row], fars[row], sums[row]) = (left, rest, sum);
            let here = mask(row);
            let count = here.count_ones();
            if rest < self.farthest() {
                sum += term(row, left, rest + 1, here);
            }
            (left, rest) = (left - count, rest - row as u32 * count);
        }
        let mut behind = 0;
        let mut after = 0;
        for row in (0..rows.saturating_sub(1)).rev() {
            // The sum of the terms after the next row.
            if row + 2 < rows {
                behind += term(row + 2, lefts[row + 2], fars[row + 2], after);
            }
            let (here, next) = (mask(row), mask(row + 1));
            for square in Bits(u64::from(here)) {
                let from = row * self.width as usize + usize::from(square);
                for to in Bits(ahead[from] & !set) {
                    let landing = 1 << (u32::from(to) - (row as u32 + 1) * self.width);
                    let first = term(row, lefts[row], fars[row] + 1, here ^ 1 << square);
                    let count = here.count_ones() - 1;
                    let (left, far) = (lefts[row] - count, fars[row] + 1 - row as u32 * count);
                    let second = term(row + 1, left, far, next | landing);
                    visit(to, sums[row] + first + second + behind);
                }
            }
            after = next;
        }
    }

    /// The sets with progress `far`, from number `number` on.
    pub fn sets_from(&self, far: u32, number: u64) -> impl Iterator<Item = u128> + '_ {
        let set = (number < self.sets(far)).then(|| self.set(far, number));
        std::iter::successors(set, move |set| self.next(*set, far))
    }

    /// The next set with progress `far`; `None` after the last.
    fn next(&self, set: u128, far: u32) -> Option<u128> {
        let mask = |row: u32| (set >> (row * self.width)) as u32 & ((1 << self.width) - 1);
        // The squares and the progress of the rows from `row` on, from the last row back.
        let (mut left, mut rest) = (0, 0);
        for row in (0..self.rows).rev() {
            let here = mask(row);
            let count = here.count_ones();
            (left, rest) = (left + count, rest + row * count);
            let alike = &self.unrank[count as usize];
            let other = match alike.binary_search(&here.into()) {
                Ok(nth) if nth + 1 < alike.len() => Some(count),
                _ => {
                    let mut more = self.here(row, left, rest);
                    more.find(|(more, ways)| *more > count && *ways > 0).map(|(more, _)| more)
                }
            };
            let Some(other) = other else { continue };
            let above = set & ((1 << (row * self.width)) - 1);
            let here = match other == count {
                true => alike[alike.partition_point(|mask| *mask <= here.into())],
                false => self.unrank[other as usize][0],
            };
            let mut next = above | u128::from(here) << (row * self.width);
            let (mut left, mut rest) = (left - other, rest - row * other);
            for row in row + 1..self.rows {
                if left == 0 {
                    break;
                }
                let first = self.here(row, left, rest).find(|(_, ways)| *ways > 0);
                let count = first.map_or(0, |(count, _)| count);
                next |= u128::from(self.unrank[count as usize][0]) << (row * self.width);
                (left, rest) = (left - count, rest - row * count);
            }
            debug_assert_eq!(self.index(next).0, far);
            return Some(next);
        }
        None
    }

    /// The set with progress `far` and this number, which must be below [`sets`](Progress::sets).
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
                let next = progress.sets_from(far, number).nth(1);
                let expected =
                    (number + 1 < progress.sets(far)).then(|| progress.set(far, number + 1));
                assert_eq!(next, expected, "after {set:b}");
                count += 1;
            }
            let all = (0..=progress.farthest()).map(|far| progress.sets(far));
            assert_eq!(all.sum::<u64>(), count, "no number is left over");
        }
    }
}
