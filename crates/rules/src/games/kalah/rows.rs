//! Rows of pits with stones in them, numbered among all rows with as many stones that lie as near to
//! the end of the row; and what moves make of those numbers, told for all rows at once.
//!
//! How near the stones of a row lie is the sum of their pits' numbers, from 0. All rows with so many
//! stones, and among them those that lie as near, are a *class*; classes with less nearness come
//! first. Inside, a row with fewer stones in its first pit comes first, then the second decides, and
//! so on. A stone more in each of the first pits makes of all rows of a class rows of one other.

use std::ops::Range;
use std::sync::OnceLock;

/// A row: a byte for each pit, the first lowest.
type Row = u64;

/// The numbering for rows of so many pits.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pits: u32,
    most: u32,
    /// By pit, stones left and nearness left: in how many ways they lie in this pit and those after.
    ways: Vec<u64>,
    /// By stones and nearness: how many rows with as many stones come before the class.
    before: Vec<u64>,
    told: Vec<OnceLock<Told>>,
}

/// Places of rows, each with a place of what comes of the row.
type Pairs = Vec<(u32, u32)>;

/// All rows with as many stones, and what comes of them.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// The rows, in order.
    pub rows: Vec<Row>,
    /// By number of pits less one: with a stone more in each of the first pits, the place of every
    /// row in its new class.
    more: Vec<Vec<u32>>,
    /// By pit and nearness, and by the stones in the pit: the places in their class of the rows that
    /// have so many there, each with the place of the row without them.
    without: Vec<Vec<Vec<Pairs>>>,
}

/// A class of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub stones: u32,
    pub near: u32,
}

impl Class {
    /// With a stone more in each of so many of the first pits.
    pub const fn with_more(self, pits: u32) -> Class {
        let near = pits * pits.saturating_sub(1) / 2;
        Class { stones: self.stones + pits, near: self.near + near }
    }

    /// Without so many stones of a pit.
    pub const fn without(self, pit: u32, stones: u32) -> Class {
        Class { stones: self.stones - stones, near: self.near - pit * stones }
    }
}

const fn stones_in(row: Row, pit: u32) -> u32 {
    (row >> (8 * pit)) as u32 & 0xff
}

impl Rows {
    /// For rows of so many pits with at most so many stones.
    pub fn new(pits: u32, most: u32) -> Rows {
        let told = (0..=most).map(|_| OnceLock::new()).collect();
        let mut rows = Rows { pits, most, ways: Vec::new(), before: Vec::new(), told };
        rows.ways = vec![0; rows.at(pits + 1, 0, 0)];
        let end = rows.at(pits, 0, 0);
        rows.ways[end] = 1;
        for pit in (0..pits).rev() {
            for stones in 0..=most {
                for near in 0..=rows.nearest(stones) {
                    let at = rows.at(pit, stones, near);
                    // Those without a stone here, and those with one that are left with one less.
                    let mut ways = rows.ways[rows.at(pit + 1, stones, near)];
                    if stones > 0 && near >= pit {
                        ways += rows.ways[rows.at(pit, stones - 1, near - pit)];
                    }
                    rows.ways[at] = ways;
                }
            }
        }
        rows.before = vec![0; rows.at(1, 0, 0)];
        for stones in 0..=most {
            let mut sum = 0;
            for near in 0..rows.width() {
                let at = rows.at(0, stones, near);
                rows.before[at] = sum;
                sum += rows.ways[at];
            }
        }
        rows
    }

    /// One more than the nearest that the most stones can lie.
    const fn width(&self) -> u32 {
        self.nearest(self.most) + 2
    }

    const fn at(&self, pit: u32, stones: u32, near: u32) -> usize {
        ((pit * (self.most + 1) + stones) * self.width() + near) as usize
    }

    /// How near so many stones can lie.
    pub const fn nearest(&self, stones: u32) -> u32 {
        stones * (self.pits - 1)
    }

    /// How many rows a class has.
    #[inline]
    pub fn len(&self, class: Class) -> u64 {
        self.ways[self.at(0, class.stones, class.near)]
    }

    /// How many rows with as many stones come before those of a class.
    #[inline]
    pub fn before(&self, class: Class) -> u64 {
        self.before[self.at(0, class.stones, class.near)]
    }

    /// How many rows have so many stones.
    #[inline]
    pub fn all(&self, stones: u32) -> u64 {
        self.before[self.at(0, stones, self.nearest(stones) + 1)]
    }

    /// The class of a row and its place there.
    #[inline]
    pub fn place(&self, row: Row) -> (Class, u64) {
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

    /// The row of a class that has a place, which is below how many there are.
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

    /// The class that the row with a number among those with as many stones is in.
    pub fn class(&self, stones: u32, number: u64) -> Class {
        let from = self.at(0, stones, 0);
        let before = &self.before[from..=from + self.nearest(stones) as usize];
        let near = before.partition_point(|before| *before <= number) as u32 - 1;
        Class { stones, near }
    }

    /// The places of a class among the rows with as many stones.
    pub fn places(&self, class: Class) -> Range<usize> {
        let from = self.before(class) as usize;
        from..from + self.len(class) as usize
    }

    /// All rows with so many stones.
    pub fn told(&self, stones: u32) -> &Told {
        self.told[stones as usize].get_or_init(|| self.tell(stones))
    }

    fn tell(&self, stones: u32) -> Told {
        let classes = || (0..=self.nearest(stones)).map(|near| Class { stones, near });
        let mut rows = Vec::with_capacity(self.all(stones) as usize);
        for class in classes() {
            rows.extend((0..self.len(class)).map(|place| self.row(class, place)));
        }
        let more = (1..=self.pits).map(|pits| {
            let ones = 0x0101_0101_0101_0101 >> (64 - 8 * pits);
            let fits = stones + pits <= self.most;
            let with = |row: &Row| if fits { self.place(row + ones).1 as u32 } else { u32::MAX };
            rows.iter().map(with).collect()
        });
        let more = more.collect();
        let without = (0..self.pits).map(|pit| {
            let of_class = |class: Class| {
                let mut lists = vec![Vec::new(); stones as usize + 1];
                for (at, row) in (0..).zip(&rows[self.places(class)]) {
                    let left = self.place(row & !(0xff << (8 * pit))).1 as u32;
                    lists[stones_in(*row, pit) as usize].push((at, left));
                }
                lists
            };
            classes().map(of_class).collect()
        });
        let without = without.collect();
        Told { rows, more, without }
    }

    /// The places of all rows of a class with a stone more in each of so many of the first pits.
    pub fn more(&self, class: Class, pits: u32) -> &[u32] {
        &self.told(class.stones).more[pits as usize - 1][self.places(class)]
    }

    /// The rows of a class with so many stones in a pit, each with the place of what is left without
    /// them.
    pub fn without(&self, class: Class, pit: u32, stones: u32) -> &[(u32, u32)] {
        &self.told(class.stones).without[pit as usize][class.near as usize][stones as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_row_has_a_place_of_its_own() {
        for (pits, most) in [(1, 5), (2, 7), (3, 6), (6, 5), (8, 3)] {
            let rows = Rows::new(pits, most);
            for stones in 0..=most {
                let mut seen = HashSet::new();
                let told = rows.told(stones);
                assert_eq!(told.rows.len() as u64, rows.all(stones));
                for (number, row) in (0..).zip(&told.rows) {
                    assert!(seen.insert(*row));
                    let (class, place) = rows.place(*row);
                    assert_eq!((class.stones, rows.before(class) + place), (stones, number));
                    assert_eq!(rows.class(stones, number), class);
                    assert_eq!(rows.row(class, place), *row);
                    for pits in (1..=pits).take_while(|pits| stones + pits <= most) {
                        let more = rows.row(
                            class.with_more(pits),
                            rows.more(class, pits)[place as usize].into(),
                        );
                        assert_eq!(more, row + (0x0101_0101_0101_0101 >> (64 - 8 * pits)));
                    }
                    for pit in 0..pits {
                        let held = stones_in(*row, pit);
                        let pairs = rows.without(class, pit, held);
                        let (_, left) =
                            pairs.iter().find(|(at, _)| u64::from(*at) == place).unwrap();
                        let left = rows.row(class.without(pit, held), (*left).into());
                        assert_eq!(left, row & !(0xff << (8 * pit)));
                    }
                }
            }
        }
    }
}
