//! Numbers of pairs of disjoint sets of points, up to the symmetries of a board.
//!
//! A symmetry takes the first set to its smallest image (the representative of its orbit), and the
//! second set with it. If other symmetries keep this image, the second set is taken to its smallest
//! image under them. So equivalent pairs share a number. The few numbers of pairs whose second set
//! is not the smallest are unused.

use std::sync::OnceLock;

use super::bits::{Bits, choose, spread, unrank};

/// The largest number of points of a set.
const MAX: usize = 9;

/// By byte of a set of at most 24 points, and the points before it: what the points of the byte add to the
/// number of the set (see [`rank`](super::bits::rank)), and how many they are, [`COUNT`] bits higher. Three
/// look-ups are faster than one for each point.
static RANKS: [[[u32; 256]; MAX + 1]; 3] = {
    let mut ranks = [[[0; 256]; MAX + 1]; 3];
    let mut at = 0;
    while at < 3 * (MAX + 1) * 256 {
        let (byte, before, set) = (at / 256 / (MAX + 1), at / 256 % (MAX + 1), at % 256);
        let (mut bit, mut nth) = (0, before as u32);
        while bit < 8 {
            if set >> bit & 1 == 1 {
                nth += 1;
                ranks[byte][before][set] +=
                    choose((8 * byte + bit) as u32, nth) as u32 + (1 << COUNT);
            }
            bit += 1;
        }
        at += 1;
    }
    ranks
};

/// The place of the number of points in [`RANKS`].
const COUNT: u32 = 27;

/// The number of a set of at most [`MAX`] of 24 points among the sets with equally many.
#[inline]
fn rank(set: u32) -> u32 {
    let count = |sum: u32| ((sum >> COUNT) as usize).min(MAX);
    let mut sum = RANKS[0][0][set as usize & 255];
    sum += RANKS[1][count(sum)][set as usize >> 8 & 255];
    sum += RANKS[2][count(sum)][set as usize >> 16 & 255];
    sum & ((1 << COUNT) - 1)
}

/// The number of a set among those with equally many points that are disjoint from `other`: the points of
/// `other` are removed, and the gaps closed.
#[inline]
fn rank_beside(set: u32, other: u32) -> u32 {
    let mut closed = set;
    let mut rest = other;
    while rest != 0 {
        let highest = 31 - rest.leading_zeros();
        let below = (1 << highest) - 1;
        closed = closed & below | closed >> 1 & !below;
        rest &= below;
    }
    rank(closed)
}

/// The symmetries of a board of at most 24 points.
#[derive(Clone, Debug)]
pub(crate) struct Orbits {
    points: u32,
    /// For every symmetry, the identity first, the images of all points.
    symmetries: Vec<Vec<u8>>,
    /// By symmetry and byte of a set: the image of the points in the byte.
    images: Vec<[[u32; 256]; 3]>,
    /// By the number of points in the first set: the number of orbits.
    counts: Vec<u64>,
    /// By the number of points in the first set: the orbits.
    sets: [OnceLock<Sets>; MAX + 1],
}

/// The orbits of sets with equally many points.
#[derive(Clone, Debug)]
struct Sets {
    /// By the number of a set: 16 times the number of its orbit, plus the symmetry that takes the
    /// set to the representative.
    places: Vec<u32>,
    /// The representatives, each with the symmetries that keep it.
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

    /// The number of symmetries.
    pub fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    fn sets(&self, points: u32) -> &Sets {
        self.sets[points as usize].get_or_init(|| {
            let all = choose(self.points, points);
            let mut sets = Sets { places: vec![u32::MAX; all as usize], smallest: Vec::new() };
            for number in 0..all {
                // Numbers rise with sets: the first set of an orbit is its smallest.
                if sets.places[number as usize] != u32::MAX {
                    continue;
                }
                let smallest = unrank(number, points, self.points) as u32;
                let mut keep = 0u16;
                for symmetry in 0..self.symmetries() {
                    let image = self.image(symmetry, smallest);
                    keep |= u16::from(image == smallest) << symmetry;
                    let back = self.inverse(symmetry) as u32;
                    let place = &mut sets.places[rank(image) as usize];
                    *place = (*place).min((sets.smallest.len() as u32) << 4 | back);
                }
                sets.smallest.push((smallest, keep));
            }
            sets
        })
    }

    /// The inverse of a symmetry.
    fn inverse(&self, symmetry: usize) -> usize {
        let there = &self.symmetries[symmetry];
        let undoes = |back: &Vec<u8>| (0..).zip(there).all(|(at, to)| back[usize::from(*to)] == at);
        self.symmetries.iter().position(undoes).unwrap_or(0)
    }

    /// How many numbers there are for a set of `first` points and a set of `second` others.
    #[inline]
    pub fn size(&self, first: u32, second: u32) -> u64 {
        self.counts[first as usize] * choose(self.points - first, second)
    }

    /// The number of two sets with this many points each.
    #[inline]
    pub fn number(&self, [first, second]: [u32; 2], [count, others]: [u32; 2]) -> u64 {
        let sets = self.sets(count);
        let place = sets.places[rank(first) as usize];
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
        let all = choose(self.points - count, others);
        u64::from(orbit) * all + u64::from(rank_beside(second, smallest))
    }

    /// The two sets with a number, of `first` and of `second` points; `None` if it is unused.
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

/// For each k, the number of orbits of k-subsets, by Burnside's lemma: the mean number of k-subsets
/// that a symmetry keeps. These are the unions of its cycles.
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

#[cfg(test)]
mod tests {
    use super::super::bits;
    use super::*;

    #[test]
    fn numbers_by_look_up_equal_those_by_points() {
        let mut seed = 1u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let [set, other] = [seed >> 40, seed >> 24 & seed >> 13 & 0xff_ffff].map(|set| {
                // At most nine points.
                Bits(set).take(MAX).fold(0, |set, point| set | 1 << point)
            });
            let set = set & !other;
            assert_eq!(u64::from(rank(set)), bits::rank(set.into()));
            let beside = bits::rank_beside(set.into(), other.into());
            assert_eq!(u64::from(rank_beside(set, other)), beside);
        }
    }
}
