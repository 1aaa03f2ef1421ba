//! Numbers of positions for tables, without gaps; a layer is the number of empty squares.

use super::Mnk;
use crate::game::Side;
use crate::kit::{MANY, Stones, choose, rank, rank_beside, spread, unrank};
use crate::promise::{Indexed, NoBank};

impl Indexed for Mnk {
    type Bank = NoBank;

    /// A layer is the number of empty squares.
    fn layers(&self) -> u32 {
        self.board.len() as u32 + 1
    }

    fn size(&self, layer: u32) -> u64 {
        let squares = self.board.len() as u32;
        let stones = squares - layer;
        let (sets, owners) = (choose(squares, stones), choose(stones, stones / 2));
        let all = sets.checked_mul(owners).filter(|all| *all < MANY && sets < MANY);
        all.unwrap_or(u64::MAX)
    }

    /// The set of taken squares, then the set of the second player's stones among them.
    fn index(&self, state: &Stones) -> (u32, u64) {
        let taken = state.taken();
        let stones = taken.count_ones();
        let owners = rank_beside(state.of(Side::Second), self.full & !taken);
        let number = rank(taken) * choose(stones, stones / 2) + owners;
        (self.board.len() as u32 - stones, number)
    }

    fn state(&self, layer: u32, index: u64) -> Option<Stones> {
        let stones = self.board.len() as u32 - layer;
        let owners = choose(stones, stones / 2);
        let taken = unrank(index / owners, stones, self.board.len() as u32);
        let second = spread(unrank(index % owners, stones / 2, stones), taken);
        Some(Stones::of_both(taken ^ second, second))
    }

    fn layers_after(&self, layer: u32) -> Vec<u32> {
        layer.checked_sub(1).into_iter().collect()
    }
}
