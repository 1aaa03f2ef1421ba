//! Rows of pits as words, a byte a pit, and sowing as addition.

use super::LONGEST_ROUND;

/// The stones that a sowing of less than a whole round adds, seen by the mover.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sowing {
    pub own: u64,
    pub other: u64,
    pub store: u8,
    /// The hole of the last stone: an own pit, then the own store, then the other's pits.
    pub last: u8,
    /// How promising it is, but for what it captures.
    pub promise: i16,
}

/// The sowings by pit and number of stones, which is below a whole round.
pub(super) fn all(pits: u8) -> Vec<[Sowing; LONGEST_ROUND]> {
    let sowing = |from: usize, stones: usize| {
        let last = ((from + stones) % (2 * usize::from(pits) + 1)) as u8;
        let promise = promise(pits, from as u8, stones as u8);
        let mut sowing = Sowing { last, promise, ..Sowing::default() };
        for spot in (from + 1..=from + stones).map(|spot| spot % (2 * usize::from(pits) + 1)) {
            match spot.checked_sub(usize::from(pits)) {
                None => sowing.own += 1 << (8 * spot),
                Some(0) => sowing.store += 1,
                Some(beyond) => sowing.other += 1 << (8 * (beyond - 1)),
            }
        }
        sowing
    };
    let round = 2 * usize::from(pits) + 1;
    (0..usize::from(pits))
        .map(|from| std::array::from_fn(|stones| sowing(from, stones % round)))
        .collect()
}

/// How promising a move of `stones` stones from a pit is, but for what it captures. Moves that give another turn
/// come first. Among others, those are better that pass the own store, give few stones to the other side, and
/// start near the store.
pub(super) const fn promise(pits: u8, from: u8, stones: u8) -> i16 {
    let beyond = stones as i16 - (pits - from) as i16;
    let again = beyond % (2 * pits as i16 + 1) == 0;
    let passes = if beyond > 0 { 5 - beyond } else { 0 };
    from as i16 + if again { 158 } else { 0 } + passes
}

/// The sum over all pits of stones times the pit's number, if there are at most 255 stones.
#[inline]
pub(super) const fn nearness_of(row: u64) -> u32 {
    // The highest 16 bits of each product are the sum over the even or the odd pits.
    let lanes = 0x00ff_00ff_00ff_00ff;
    let even = (row & lanes).wrapping_mul(0x0000_0002_0004_0006) >> 48;
    let odd = (row >> 8 & lanes).wrapping_mul(0x0001_0003_0005_0007) >> 48;
    (even + odd) as u32
}
