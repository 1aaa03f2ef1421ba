//! Two rows of pits with a store at the end of each, as in Kalah and awari.
//!
//! The pits of a side are the bytes of one word, so sums and differences of rows cost one instruction.

use super::cells::Cells;
use crate::game::{Outcome, Side, Value};

/// The largest number of pits on a side.
pub const MAX_PITS: usize = 8;

/// A row of pits with one stone in each.
#[inline]
pub const fn ones(pits: u8) -> u64 {
    0x0101_0101_0101_0101 >> (8 * (MAX_PITS as u8 - pits))
}

/// The stones of a pit in a row of pits.
#[inline]
pub const fn stones_in(row: u64, pit: u8) -> u8 {
    (row >> (8 * pit)) as u8
}

/// The number of stones in a row of pits, if it is at most 255.
#[inline]
pub const fn stones_of(row: u64) -> u8 {
    // The highest byte of the product is the sum of all bytes.
    (row.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

/// A position: stones in pits and stores, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pits {
    /// A byte for each pit, the leftmost (as its owner sees it) lowest.
    pub pits: [u64; 2],
    /// The stones that each side has captured.
    pub stores: [u8; 2],
    /// The side to move.
    pub turn: Side,
}

impl Pits {
    /// The position before the first move: `stones` in each of `pits` pits on a side.
    pub const fn start(pits: u8, stones: u8) -> Pits {
        let row = ones(pits) * stones as u64;
        Pits { pits: [row, row], stores: [0, 0], turn: Side::First }
    }

    /// The pits of the side to move and of the other side.
    #[inline]
    pub const fn rows(&self) -> [u64; 2] {
        let [first, second] = self.pits;
        match self.turn {
            Side::First => [first, second],
            Side::Second => [second, first],
        }
    }

    /// The difference of the stores, seen by the first player.
    #[inline]
    pub const fn lead(&self) -> Outcome {
        Outcome(self.stores[0] as i32 - self.stores[1] as i32)
    }

    /// The difference of the stores, seen by the side to move.
    #[inline]
    pub const fn banked(&self) -> Value {
        self.lead().value_for(self.turn)
    }

    /// The same position with empty stores.
    #[inline]
    pub const fn unbanked(&self) -> Pits {
        Pits { stores: [0, 0], ..*self }
    }

    /// The same position with the mover as the first player: the board after a half turn.
    #[inline]
    pub const fn with_mover_first(&self) -> Pits {
        match self.turn {
            Side::First => *self,
            Side::Second => self.turned(),
        }
    }

    /// The same position with the sides exchanged: the board after a half turn.
    #[inline]
    pub const fn turned(&self) -> Pits {
        Pits {
            pits: [self.pits[1], self.pits[0]],
            stores: [self.stores[1], self.stores[0]],
            turn: self.turn.other(),
        }
    }

    /// The pits as a number of 16 bits for each pit of a side; stores and turn are left out.
    #[inline]
    pub const fn encode(&self, pits: u8) -> u128 {
        (self.pits[1] as u128) << (8 * pits) | self.pits[0] as u128
    }

    /// The position of a number from [`encode`](Pits::encode), with empty stores and the first player
    /// to move. Other numbers give a row of zeros if they have more than `max` stones.
    pub fn decode(code: u128, pits: u8, max: u32) -> Pits {
        let row = |code: u128| code as u64 & (ones(pits) * 0xff);
        let pits = [row(code), row(code >> (8 * pits))];
        let all: u32 = pits.iter().flat_map(|row| row.to_le_bytes()).map(u32::from).sum();
        let pits = if all <= max { pits } else { [0, 0] };
        Pits { pits, stores: [0, 0], turn: Side::First }
    }

    /// The counts of a board of [`pits`](super::Board::pits).
    pub fn cells(&self, pits: u8) -> Cells {
        let width = usize::from(pits);
        let mut cells = Cells::new(self.turn);
        for (side, first) in [(0, 0), (1, width + 1)] {
            for pit in 0..pits {
                cells = cells.counting(first + usize::from(pit), stones_in(self.pits[side], pit));
            }
            cells = cells.counting(first + width, self.stores[side]);
        }
        cells
    }

    /// The counts after each stone of a sowing from a pit of the side to move: into the pits of the mover,
    /// into the mover's store if `stores`, into the pits of the other side, and round again, into the pit
    /// itself too if `itself`.
    pub fn sowing(&self, pits: u8, pit: u8, stores: bool, itself: bool) -> Vec<Cells> {
        let width = usize::from(pits);
        let first = |side: Side| side.index() * (width + 1);
        let own = first(self.turn)..first(self.turn) + width + usize::from(stores);
        let other = first(self.turn.other())..first(self.turn.other()) + width;
        let from = first(self.turn) + usize::from(pit);
        let mut cells = self.cells(pits);
        let stones = cells.count(from);
        cells = cells.counting(from, 0u16);
        let round = own.chain(other).cycle().skip(usize::from(pit) + 1);
        let round = round.filter(|place| itself || *place != from);
        let sow = |place: usize| {
            cells = cells.counting(place, cells.count(place) + 1);
            cells
        };
        round.take(stones.into()).map(sow).collect()
    }

    /// The position with these counts.
    ///
    /// # Errors
    /// What was expected, if there are more than `max` stones.
    pub fn of_cells(cells: &Cells, pits: u8, max: u32) -> Result<Pits, String> {
        let width = usize::from(pits);
        let all: u32 = (0..2 * width + 2).map(|nth| u32::from(cells.count(nth))).sum();
        if all > max {
            return Err(format!("at most {max} stones in all, not {all}"));
        }
        let row = |first: usize| {
            let stones = (first..first + width).rev().map(|nth| u64::from(cells.count(nth)));
            stones.fold(0, |row, stones| row << 8 | stones)
        };
        let stores = [width, 2 * width + 1].map(|nth| cells.count(nth) as u8);
        Ok(Pits { pits: [row(0), row(width + 1)], stores, turn: cells.turn })
    }

    /// The cell of a pit of the side to move.
    pub fn cell(&self, pits: u8, pit: u8) -> usize {
        usize::from(pit) + self.turn.index() * usize::from(pits)
    }
}

/// Holds the steps of a sowing against the move: each sows a stone, the last where it is said to fall, and only what
/// is captured or left over at the end is elsewhere afterwards.
#[cfg(test)]
pub(crate) fn check_steps<G>(game: &G, state: &Pits, mv: super::Number)
where
    G: super::OnBoard<State = Pits, Move = super::Number>,
{
    let width = game.board().counts.len() / 2 - 1;
    let counts =
        |cells: &Cells| -> Vec<u16> { (0..2 * width + 2).map(|nth| cells.count(nth)).collect() };
    let steps = super::OnBoard::steps(game, state, mv);
    let [before, after] = [*state, game.play(state, mv)].map(|state| counts(&game.cells(&state)));
    let all: u16 = before.iter().sum();
    for (step, left) in steps.iter().zip((0..steps.len()).rev()) {
        assert_eq!(counts(step).iter().sum::<u16>() + left as u16, all);
    }
    let last = counts(steps.last().expect("a stone is sown"));
    let stores = |counts: &[u16]| counts[width] + counts[2 * width + 1];
    let captured = stores(&last) < stores(&after);
    let dropped = after.iter().sum::<u16>() < all;
    assert!(last == after || captured || dropped, "{last:?}, {after:?}");
    let previous = if let [.., step, _] = &steps[..] { counts(step) } else { before };
    let landed = (0..last.len()).find(|nth| last[*nth] > previous[*nth]);
    let count_of = |place: usize| match place.checked_sub(2 * width) {
        None => place / width * (width + 1) + place % width,
        Some(side) => side * (width + 1) + width,
    };
    assert_eq!(landed, game.landing(state, mv).map(count_of));
}
