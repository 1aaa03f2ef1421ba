//! Numbers of rows of pits, and tables of how moves change these numbers.
//!
//! The nearness of a row is the sum over its pits of number * stones, with pits numbered from 0.
//! The rows with equally many stones and equal nearness are a *class*. Rows with equally many
//! stones are sorted by nearness, then lexicographically by pits, fewer stones first. One more
//! stone in each of the first n pits takes all rows of a class to one other class.

use std::ops::Range;
use std::sync::OnceLock;

use super::sowing::nearness_of;
use crate::kit::MAX_PITS;

/// A row: a byte for each pit, the first lowest.
type Row = u64;

/// The numbering of rows of `pits` pits with at most `max` stones.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pits: u32,
    max: u32,
    /// By pit, remaining stones and remaining nearness: the number of ways to place them in this
    /// pit and later pits.
    ways: Vec<u64>,
    /// By stones and nearness: the number of rows with equally many stones before the class.
    before: Vec<u64>,
    /// By stones; see [`Rows::of_stones`].
    of_stones: Vec<OnceLock<Changes>>,
    /// By pit n, and stones s in it and the pits before: C(s + n, n + 1), as far as [`QUICK`]; 0 from the last
    /// pit on.
    ranks: [[u32; QUICK as usize + 1]; MAX_PITS - 1],
    /// By stones.
    by_rank: Vec<OnceLock<Option<ByRank>>>,
}

/// The numbers of rows with equally many stones by rank. The rank of a row is the sum of `ranks` over its pits;
/// it is quicker to compute than the number.
#[derive(Clone, Debug)]
pub(super) struct ByRank {
    pub numbers: Vec<u32>,
    /// By nearness: how many rows are before the class, and how many are in it.
    classes: Vec<(u32, u32)>,
}

/// Rows with more stones have no rank.
const QUICK: u32 = 30;

/// Rows have no rank if at least this many have equally many stones: the list of their numbers would be too large.
const LISTED: u64 = 1 << 19;

/// All rows with equally many stones, and how moves change their places.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    /// The rows, in order.
    pub rows: Vec<Row>,
    /// By n - 1: for every row, its place in its new class after one more stone in each of the
    /// first n pits.
    more: Vec<Vec<u32>>,
    /// By pit: for every row, the stones in the pit, and its place in its new class without them.
    without: Vec<(Vec<u8>, Vec<u32>)>,
}

/// A class of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub stones: u32,
    pub near: u32,
}

impl ByRank {
    /// How many rows are before the class of a nearness, and how many are in it.
    #[inline]
    pub fn class(&self, near: u32) -> (u32, u32) {
        self.classes[near as usize]
    }
}

impl Class {
    /// The class after one more stone in each of the first `pits` pits.
    pub const fn with_more(self, pits: u32) -> Class {
        let near = pits * pits.saturating_sub(1) / 2;
        Class { stones: self.stones + pits, near: self.near + near }
    }

    /// The class without `stones` stones of a pit, if the rest can be as near.
    pub const fn without(self, pit: u32, stones: u32) -> Class {
        Class { stones: self.stones - stones, near: self.near - pit * stones }
    }
}

const fn stones_in(row: Row, pit: u32) -> u32 {
    (row >> (8 * pit)) as u32 & 0xff
}

/// Every byte becomes the sum of all bytes up to it.
const fn sums(row: Row) -> Row {
    row.wrapping_mul(0x0101_0101_0101_0101)
}

impl Rows {
    /// For rows of `pits` pits with at most `max` stones.
    pub fn new(pits: u32, max: u32) -> Rows {
        let of_stones = (0..=max).map(|_| OnceLock::new()).collect();
        let ranks = std::array::from_fn(|pit| {
            let (pit, last) = (pit as u64, pit + 1 >= pits as usize);
            let choose = |stones: usize| {
                let sets = |sets, nth| sets * (pit + stones as u64).saturating_sub(nth) / (nth + 1);
                let sets = (0..=pit).fold(1, sets);
                if last { 0 } else { u32::try_from(sets).unwrap_or(u32::MAX) }
            };
            std::array::from_fn(choose)
        });
        let by_rank = (0..=QUICK).map(|_| OnceLock::new()).collect();
        let (ways, before) = (Vec::new(), Vec::new());
        let mut rows = Rows { pits, max, ways, before, of_stones, ranks, by_rank };
        rows.ways = vec![0; rows.at(pits + 1, 0, 0)];
        let end = rows.at(pits, 0, 0);
        rows.ways[end] = 1;
        for pit in (0..pits).rev() {
            for stones in 0..=max {
                for near in 0..=rows.nearest(stones) {
                    let at = rows.at(pit, stones, near);
                    // Rows without a stone here, and rows with one, which is then removed.
                    let mut ways = rows.ways[rows.at(pit + 1, stones, near)];
                    if stones > 0 && near >= pit {
                        ways += rows.ways[rows.at(pit, stones - 1, near - pit)];
                    }
                    rows.ways[at] = ways;
                }
            }
        }
        rows.before = vec![0; rows.at(1, 0, 0)];
        for stones in 0..=max {
            let mut sum = 0;
            for near in 0..rows.width() {
                let at = rows.at(0, stones, near);
                rows.before[at] = sum;
                sum += rows.ways[at];
            }
        }
        rows
    }

    /// The number of entries by nearness: 0 to the largest nearness, and one more.
    const fn width(&self) -> u32 {
        self.nearest(self.max) + 2
    }

    const fn at(&self, pit: u32, stones: u32, near: u32) -> usize {
        ((pit * (self.max + 1) + stones) * self.width() + near) as usize
    }

    /// The largest nearness of `stones` stones.
    pub const fn nearest(&self, stones: u32) -> u32 {
        stones * (self.pits - 1)
    }

    /// The number of rows of a class.
    #[inline]
    pub fn len(&self, class: Class) -> u64 {
        self.ways[self.at(0, class.stones, class.near)]
    }

    /// The number of rows with equally many stones before a class.
    #[inline]
    pub fn before(&self, class: Class) -> u64 {
        self.before[self.at(0, class.stones, class.near)]
    }

    /// The number of rows with `stones` stones.
    #[inline]
    pub fn all(&self, stones: u32) -> u64 {
        self.before[self.at(0, stones, self.nearest(stones) + 1)]
    }

    /// The class of a row and its place in the class.
    pub fn place(&self, row: Row) -> (Class, u64) {
        let stones = stones_in(sums(row), 7);
        let Some(by_rank) = self.by_rank(stones) else { return self.place_by_pits(row) };
        let near = nearness_of(row);
        let (before, _) = by_rank.class(near);
        (Class { stones, near }, u64::from(by_rank.numbers[self.rank(row)] - before))
    }

    /// The rank of a row of at most [`QUICK`] stones.
    #[inline(always)]
    pub fn rank(&self, row: Row) -> usize {
        let sums = sums(row);
        let ranks = self.ranks.iter().enumerate();
        let ranks = ranks.map(|(pit, ranks)| ranks[stones_in(sums, pit as u32) as usize]);
        ranks.sum::<u32>() as usize
    }

    /// The numbers by rank; `None` if the rows with that number of stones have no ranks.
    #[inline]
    pub fn by_rank(&self, stones: u32) -> Option<&ByRank> {
        self.by_rank.get(stones as usize)?.get_or_init(|| self.numbers_by_rank(stones)).as_ref()
    }

    #[cold]
    fn numbers_by_rank(&self, stones: u32) -> Option<ByRank> {
        if stones > self.max || self.all(stones) > LISTED {
            return None;
        }
        let mut numbers = vec![0; self.all(stones) as usize];
        let classes = (0..=self.nearest(stones)).map(|near| {
            let class = Class { stones, near };
            for (place, number) in (0..).zip(self.places(class)) {
                numbers[self.rank(self.row(class, place))] = number as u32;
            }
            (self.before(class) as u32, self.len(class) as u32)
        });
        let classes = classes.collect();
        Some(ByRank { numbers, classes })
    }

    /// [`place`](Rows::place), computed pit by pit.
    fn place_by_pits(&self, row: Row) -> (Class, u64) {
        let (mut stones, mut near) = (0, 0);
        for pit in 0..self.pits {
            stones += stones_in(row, pit);
            near += pit * stones_in(row, pit);
        }
        let class = Class { stones, near };
        let mut place = 0;
        for pit in 0..self.pits - 1 {
            for _ in 0..stones_in(row, pit) {
                place += self.ways[self.at(pit + 1, stones, near)];
                (stones, near) = (stones - 1, near - pit);
            }
        }
        (class, place)
    }

    /// The row at a place of a class; the place must be below [`len`](Rows::len).
    pub fn row(&self, class: Class, mut place: u64) -> Row {
        let Class { mut stones, mut near } = class;
        let mut row = 0;
        for pit in 0..self.pits {
            loop {
                let ways = self.ways[self.at(pit + 1, stones, near)];
                if place < ways {
                    break;
                }
                place -= ways;
                (stones, near) = (stones - 1, near - pit);
                row += 1 << (8 * pit);
            }
        }
        row
    }

    /// The class of the row with a number among the rows with `stones` stones.
    pub fn class(&self, stones: u32, number: u64) -> Class {
        let from = self.at(0, stones, 0);
        let before = &self.before[from..=from + self.nearest(stones) as usize];
        let near = before.partition_point(|before| *before <= number) as u32 - 1;
        Class { stones, near }
    }

    /// The numbers of the rows of a class among the rows with equally many stones.
    pub fn places(&self, class: Class) -> Range<usize> {
        let from = self.before(class) as usize;
        from..from + self.len(class) as usize
    }

    /// All rows with `stones` stones and their changes; computed on first use.
    pub fn of_stones(&self, stones: u32) -> &Changes {
        self.of_stones[stones as usize].get_or_init(|| self.changes(stones))
    }

    fn changes(&self, stones: u32) -> Changes {
        let classes = || (0..=self.nearest(stones)).map(|near| Class { stones, near });
        let mut rows = Vec::with_capacity(self.all(stones) as usize);
        for class in classes() {
            rows.extend((0..self.len(class)).map(|place| self.row(class, place)));
        }
        let more = (1..=self.pits).map(|pits| {
            let ones = 0x0101_0101_0101_0101 >> (64 - 8 * pits);
            let fits = stones + pits <= self.max;
            let with = |row: &Row| if fits { self.place(row + ones).1 as u32 } else { u32::MAX };
            rows.iter().map(with).collect()
        });
        let more = more.collect();
        let without = (0..self.pits).map(|pit| {
            let left = |row: &Row| self.place(row & !(0xff << (8 * pit))).1 as u32;
            let held = rows.iter().map(|row| stones_in(*row, pit) as u8);
            (held.collect(), rows.iter().map(left).collect())
        });
        let without = without.collect();
        Changes { rows, more, without }
    }

    /// The places of all rows of a class after one more stone in each of the first `pits` pits.
    pub fn more(&self, class: Class, pits: u32) -> &[u32] {
        &self.of_stones(class.stones).more[pits as usize - 1][self.places(class)]
    }

    /// For all rows of a class, the stones in a pit, and the places of the rows without them.
    pub fn without(&self, class: Class, pit: u32) -> (&[u8], &[u32]) {
        let (held, left) = &self.of_stones(class.stones).without[pit as usize];
        (&held[self.places(class)], &left[self.places(class)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_row_has_a_place_of_its_own() {
        for (pits, max) in [(1, 5), (2, 7), (3, 6), (6, 5), (8, 3)] {
            let rows = Rows::new(pits, max);
            for stones in 0..=max {
                let mut seen = HashSet::new();
                let all = rows.of_stones(stones);
                assert_eq!(all.rows.len() as u64, rows.all(stones));
                for (number, row) in (0..).zip(&all.rows) {
                    assert!(seen.insert(*row));
                    let (class, place) = rows.place(*row);
                    assert_eq!((class.stones, rows.before(class) + place), (stones, number));
                    assert_eq!(rows.class(stones, number), class);
                    assert_eq!(rows.row(class, place), *row);
                    for pits in (1..=pits).take_while(|pits| stones + pits <= max) {
                        let more = rows.row(
                            class.with_more(pits),
                            rows.more(class, pits)[place as usize].into(),
                        );
                        assert_eq!(more, row + (0x0101_0101_0101_0101 >> (64 - 8 * pits)));
                    }
                    for pit in 0..pits {
                        let held = stones_in(*row, pit);
                        let (all_held, left) = rows.without(class, pit);
                        assert_eq!(u32::from(all_held[place as usize]), held);
                        let left = left[place as usize].into();
                        let left = rows.row(class.without(pit, held), left);
                        assert_eq!(left, row & !(0xff << (8 * pit)));
                    }
                }
            }
        }
    }
}
