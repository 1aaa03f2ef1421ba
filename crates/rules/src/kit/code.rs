//! Positions on a board as numbers: a digit for each cell, then the counts, then the side to move.

use super::{Bits, Cells};
use crate::game::Side;

/// The numbering of positions on a board.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    cells: usize,
    /// The base of the digits; a digit is the piece on a cell, 0 for none.
    base: u64,
    /// By set of eight cells: their number if each cell of the set has the digit 1, the others 0.
    ones: Vec<u64>,
    /// `base^8`: how many numbers eight cells have.
    byte: u128,
    /// The counts in the number, each with its maximum.
    counts: Vec<(usize, u16)>,
    bits: u32,
}

impl Code {
    /// For `pieces` kinds of pieces on `cells` cells, and these counts with their maxima.
    pub(super) fn new(pieces: usize, cells: usize, counts: Vec<(usize, u16)>) -> Code {
        let base = pieces as u64 + 1;
        let ones = |set: u64| Bits(set).map(|bit| base.pow(bit.into())).sum();
        let mut sizes = std::iter::repeat_n(u128::from(base), cells)
            .chain(counts.iter().map(|(_, max)| u128::from(*max) + 1));
        // Beyond 128 bits there is no code; the number of bits then says so.
        let all = sizes.try_fold(2u128, |all, size| all.checked_mul(size));
        let bits = all.map_or(u32::MAX, |all| 128 - (all - 1).leading_zeros());
        Code {
            cells,
            base,
            ones: (0..256).map(ones).collect(),
            byte: u128::from(base).pow(8),
            counts,
            bits,
        }
    }

    /// The number of bits of the numbers; more than 128 if they are too large.
    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    pub(super) fn encode(&self, cells: &Cells) -> u128 {
        let chunk = |first: usize| -> u64 {
            let digits = (1..).zip(&cells.sets()[..self.base as usize - 1]);
            let digits =
                digits.map(|(digit, set)| digit * self.ones[(set >> first) as usize & 255]);
            digits.sum()
        };
        let chunks = (0..self.cells).step_by(8).rev().map(chunk);
        let counts = self.counts.iter().map(|(nth, max)| (cells.count(*nth), *max));
        let turn = cells.turn.index();
        if self.bits <= 64 {
            // One word is several times faster.
            let code = chunks.fold(0, |code, chunk| code * self.byte as u64 + chunk);
            let fold =
                |code, (count, max): (u16, u16)| code * (u64::from(max) + 1) + u64::from(count);
            return (counts.fold(code, fold) << 1 | turn as u64).into();
        }
        let code = chunks.fold(0, |code, chunk| code * self.byte + u128::from(chunk));
        let fold =
            |code, (count, max): (u16, u16)| code * (u128::from(max) + 1) + u128::from(count);
        counts.fold(code, fold) << 1 | turn as u128
    }

    pub(super) fn decode(&self, code: u128) -> Cells {
        let mut cells = Cells::new(Side::BOTH[code as usize & 1]);
        let mut rest = code >> 1;
        for (nth, max) in self.counts.iter().rev() {
            let size = u128::from(*max) + 1;
            cells = cells.counting(*nth, (rest % size) as u16);
            rest /= size;
        }
        for first in (0..self.cells).step_by(8) {
            let mut digits = (rest % self.byte) as u64;
            rest /= self.byte;
            for cell in first..self.cells.min(first + 8) {
                if let Some(piece) = (digits % self.base).checked_sub(1) {
                    cells = cells.with(piece as usize, 1u128 << cell);
                }
                digits /= self.base;
            }
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_one_position() {
        let code = Code::new(2, 10, vec![(3, 2)]);
        let all = 2 * 3 * 3u128.pow(10);
        assert_eq!(code.bits(), 128 - all.leading_zeros());
        for number in (0..all).step_by(7) {
            let cells = code.decode(number);
            assert_eq!(code.encode(&cells), number);
            assert_eq!(cells.set(0) & cells.set(1), 0);
            assert!(cells.count(3) <= 2 && cells.taken() < 1 << 10);
        }
    }

    #[test]
    fn a_board_that_is_too_large_has_no_code() {
        assert_eq!(Code::new(2, 64, vec![]).bits(), 103);
        assert!(Code::new(3, 64, vec![]).bits() > 128);
    }
}
