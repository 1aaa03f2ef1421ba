//! Numbers of positions for tables, without gaps; a layer is the number of empty squares.

use super::ConnectFour;
use crate::game::Side;
use crate::kit::{MANY, Stones, choose, rank_beside, spread, unrank};
use crate::promise::{Indexed, NoBank};

impl ConnectFour {
    /// The number of ways to choose the heights of the first `columns` columns, for `stones`
    /// stones.
    #[inline]
    fn heights(&self, columns: u32, stones: u32) -> u64 {
        self.heights[columns as usize * (self.board.len() + 1) + stones as usize]
    }

    /// [`heights`](ConnectFour::heights) for each number of columns and of stones.
    pub(super) fn all_heights(columns: usize, rows: usize) -> Vec<u64> {
        let max = columns * rows + 1;
        let mut heights = vec![0u64; (columns + 1) * max];
        heights[0] = 1;
        for column in 1..=columns {
            for stones in 0..max {
                let lower = (0..=rows.min(stones))
                    .map(|height| heights[(column - 1) * max + stones - height]);
                heights[column * max + stones] = lower.fold(0, u64::saturating_add).min(MANY);
            }
        }
        heights
    }
}

impl Indexed for ConnectFour {
    type Bank = NoBank;

    /// A layer is the number of empty squares.
    fn layers(&self) -> u32 {
        self.board.len() as u32 + 1
    }

    fn size(&self, layer: u32) -> u64 {
        let stones = self.board.len() as u32 - layer;
        let (heights, owners) =
            (self.heights(self.columns as u32, stones), choose(stones, stones / 2));
        let all = heights.checked_mul(owners).filter(|all| *all < MANY && heights < MANY);
        all.unwrap_or(u64::MAX)
    }

    /// The heights of the columns, from the last to the first, then the set of the second player's
    /// stones.
    fn index(&self, state: &Stones) -> (u32, u64) {
        let taken = state.taken();
        let stones = taken.count_ones();
        let (mut left, mut number) = (stones, 0);
        for column in (0..self.columns as u32).rev() {
            let height = (taken & self.column_mask(column as u8)).count_ones();
            number += (0..height).map(|lower| self.heights(column, left - lower)).sum::<u64>();
            left -= height;
        }
        let owners = rank_beside(state.of(Side::Second), !taken);
        let number = number * choose(stones, stones / 2) + owners;
        (self.board.len() as u32 - stones, number)
    }

    fn state(&self, layer: u32, index: u64) -> Option<Stones> {
        let stones = self.board.len() as u32 - layer;
        let owners = choose(stones, stones / 2);
        let (mut left, mut number, mut taken) = (stones, index / owners, 0);
        for column in (0..self.columns as u32).rev() {
            let mut height = 0;
            while number >= self.heights(column, left - height) {
                number -= self.heights(column, left - height);
                height += 1;
            }
            left -= height;
            taken |= ((1 << height) - 1) << (column * self.height());
        }
        let second = spread(unrank(index % owners, stones / 2, stones), taken);
        Some(Stones::of_both(taken ^ second, second))
    }

    fn layers_after(&self, layer: u32) -> Vec<u32> {
        layer.checked_sub(1).into_iter().collect()
    }
}
