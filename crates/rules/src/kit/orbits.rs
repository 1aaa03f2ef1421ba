//! Two sets of points of a board, none in both, numbered up to the symmetries of the board.
//!
//! The first set is taken to the smallest of its images (the representative of its orbit), the
//! second goes along; where other symmetries keep the first set, the second is taken to its smallest
//! image under those. So a number tells of all alike pairs at once, and the few numbers of pairs that
//! are not the smallest of their images stand for none.

use std::sync::OnceLock;

use super::bits::{Bits, choose, rank, rank_beside, spread, unrank};

/// The most points of a first set.
const MOST: usize = 9;

/// The symmetries of a board of at most 24 points.
#[derive(Clone, Debug)]
pub(crate) struct Orbits {
    points: u32,
    /// Where each point goes, for every symmetry, the identity first.
    symmetries: Vec<Vec<u8>>,
    /// By symmetry and byte: the image of the points in the byte.
    images: Vec<[[u32; 256]; 3]>,
    /// By the number of points in the first set: how many orbits there are, and these.
    counts: Vec<u64>,
    sets: [OnceLock<Sets>; MOST + 1],
}

/// The orbits of sets of as many points.
#[derive(Clone, Debug)]
struct Sets {
    /// By the number of a set: that of its representative, times 16, and the symmetry that leads
    /// there.
    places: Vec<u32>,
    /// The representatives, and the symmetries that keep each.
    smallest: Vec<(u32, u16)>,
}

impl Orbits {
    /// For at most 16 symmetries, the identity first.
    pub fn new(points: u32, symmetries: Vec<Vec<u8>>) -> Orbits {
        let image = |symmetry: &Vec<u8>| {
            std::array::from_fn(|byte| {
                std::array::from_fn(|set| {
                    let points = Bits(set as u64).map(|point| 8 * byte + usize::from(point));
                    points.filter_map(|point| symmetry.get(point)).fold(0, |set, to| set | 1 << to)
                })
            })
        };
        let images = symmetries.iter().map(image).collect();
        let counts = counts(points, &symmetries);
        Orbits { points, symmetries, images, counts, sets: Default::default() }
    }

    /// The image of a set.
    #[inline]
    pub fn image(&self, symmetry: usize, set: u32) -> u32 {
        let [low, middle, high] = &self.images[symmetry];
        low[set as usize & 255] | middle[set as usize >> 8 & 255] | high[set as usize >> 16 & 255]
    }

    /// How many symmetries there are.
    pub fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    fn sets(&self, points: u32) -> &Sets {
        self.sets[points as usize].get_or_init(|| {
            let all = choose(self.points, points);
            let mut sets = Sets { places: vec![u32::MAX; all as usize], smallest: Vec::new() };
            for number in 0..all {
                // Numbers rise as sets do: the first of an orbit is its smallest.
                if sets.places[number as usize] != u32::MAX {
                    continue;
                }
                let smallest = unrank(number, points, self.points) as u32;
                let mut keep = 0u16;
                for symmetry in 0..self.symmetries() {
                    let image = self.image(symmetry, smallest);
                    keep |= u16::from(image == smallest) << symmetry;
                    let back = self.inverse(symmetry) as u32;
                    let place = &mut sets.places[rank(u64::from(image)) as usize];
                    *place = (*place).min((sets.smallest.len() as u32) << 4 | back);
                }
                sets.smallest.push((smallest, keep));
            }
            sets
        })
    }

    /// The symmetry that undoes another.
    fn inverse(&self, symmetry: usize) -> usize {
        let there = &self.symmetries[symmetry];
        let undoes = |back: &Vec<u8>| (0..).zip(there).all(|(at, to)| back[usize::from(*to)] == at);
        self.symmetries.iter().position(undoes).unwrap_or(0)
    }

    /// How many numbers there are for sets of so many points and so many others.
    #[inline]
    pub fn size(&self, first: u32, second: u32) -> u64 {
        self.counts[first as usize] * choose(self.points - first, second)
    }

    /// The number of two sets.
    #[inline]
    pub fn number(&self, first: u32, second: u32) -> u64 {
        let count = first.count_ones();
        let sets = self.sets(count);
        let place = sets.places[rank(u64::from(first)) as usize];
        let (orbit, symmetry) = (place >> 4, place as usize & 15);
        let (smallest, keep) = sets.smallest[orbit as usize];
        let second = self.image(symmetry, second);
        let second = match keep {
            1 => second,
            keep => {
                let images = Bits(keep).map(|symmetry| self.image(symmetry.into(), second));
                images.min().unwrap_or(second)
            }
        };
        let all = choose(self.points - count, second.count_ones());
        u64::from(orbit) * all + rank_beside(u64::from(second), u64::from(smallest))
    }

    /// The two sets, of so many points each, that a number tells of, if it does.
    pub fn pair(&self, number: u64, first: u32, second: u32) -> Option<[u32; 2]> {
        let all = choose(self.points - first, second);
        let (smallest, keep) = self.sets(first).smallest[(number / all) as usize];
        let closed = unrank(number % all, second, self.points - first);
        let free = u64::from(!smallest & (u32::MAX >> (32 - self.points)));
        let second = spread(closed, free) as u32;
        let kept = |symmetry: u8| self.image(symmetry.into(), second) >= second;
        (keep == 1 || Bits(keep).all(kept)).then_some([smallest, second])
    }
}

/// By the number of points, how many orbits the sets of so many have: on average over the
/// symmetries, so many as sets that one keeps (Burnside), which are made of whole cycles of it.
fn counts(points: u32, symmetries: &[Vec<u8>]) -> Vec<u64> {
    let mut all = vec![0; points as usize + 1];
    for symmetry in symmetries {
        let mut kept = vec![0u64; points as usize + 1];
        kept[0] = 1;
        let mut seen = 0u32;
        for start in 0..points as u8 {
            let (mut at, mut length) = (start, 0);
            while seen >> at & 1 == 0 {
                seen |= 1 << at;
                at = symmetry[usize::from(at)];
                length += 1;
            }
            for count in (length..kept.len()).rev().filter(|_| length > 0) {
                kept[count] += kept[count - length];
            }
        }
        all.iter_mut().zip(kept).for_each(|(all, kept)| *all += kept);
    }
    all.iter().map(|all| all / symmetries.len() as u64).collect()
}
