//! Positions as numbers without gaps, by the edges that are left: for tables.

use super::{DotsAndBoxes, State};
use crate::game::Side;
use crate::kit::{MANY, choose, rank, unrank};
use crate::promise::{Indexed, PointBank};

impl Indexed for DotsAndBoxes {
    type Bank = PointBank;

    /// The edges that are not drawn.
    fn layers(&self) -> u32 {
        self.board.len() as u32 + 1
    }

    fn size(&self, layer: u32) -> u64 {
        let size = choose(self.board.len() as u32, layer);
        if size < MANY { size } else { u64::MAX }
    }

    /// The number of the set of edges that are not drawn.
    fn index(&self, state: &State) -> (u32, u64) {
        let left = self.all() & !state.edges;
        (left.count_ones(), rank(left))
    }

    fn layer(&self, state: &State) -> u32 {
        (self.all() & !state.edges).count_ones()
    }

    fn state(&self, layer: u32, index: u64) -> Option<State> {
        let left = unrank(index, layer, self.board.len() as u32);
        Some(State { edges: self.all() & !left, boxes: [0, 0], turn: Side::First })
    }

    fn layers_after(&self, layer: u32) -> Vec<u32> {
        layer.checked_sub(1).into_iter().collect()
    }

    /// Whoever is to move, a position is worth the same to that side.
    fn merges(&self) -> bool {
        true
    }
}
