//! What makes search fast: boxes that are taken without thinking, and few moves where there are others.
//!
//! A box that misses one edge *e* can be completed. To do so at once loses nothing, unless it gives away
//! the choice to leave the last two boxes of a chain, or the last four of a loop, to the other side, which
//! then has to move elsewhere (Berlekamp's double-dealing moves). So it is tried alone if
//!
//! - no other box has *e*, or the other misses *e* alone, or three edges and more: or
//! - the other misses just *e* and *f*, and the box beyond *f* misses *f* alone; or *f* and one more, *g*,
//!   and *g* does not complete the box beyond.
//!
//! That follows by induction on the edges that are left. Any other move *m* can be compared with *e*: what
//! *m* does not complete, the other side does by *e*; what it completes is worth the same after *e*. Only
//! *f* and *g* have to be looked at one by one, and where *m* changes what the conditions say of a box, *m*
//! and *e* are the two ends of one chain and lead to positions that are worth the same.
//!
//! If none is taken so, moves are those that complete a box, and those *f* that double-deal: who moves
//! elsewhere does better to take both boxes first.

use super::{DotsAndBoxes, State};
use crate::game::Value;
use crate::kit::{Bits, Number};
use crate::promise::{Banked, Candidates, Order, SearchHints};

/// With so few edges left a position is near the end of the game.
const NEAR: u32 = 10;

impl SearchHints for DotsAndBoxes {
    fn key_bits(&self) -> u32 {
        self.board.len() as u32
    }

    /// The smallest image of the edges.
    fn key(&self, state: &State) -> Option<(u64, Value)> {
        let [edges] = self.board.symmetries().smallest([state.edges]);
        Some((edges, self.banked(state)))
    }

    #[inline]
    fn near_end(&self, state: &State) -> bool {
        self.board.len() as u32 - state.edges.count_ones() <= NEAR
    }

    /// The boxes that are left can all be one side's.
    #[inline]
    fn quick_bounds(&self, state: &State) -> (Value, Value) {
        let Value(lead) = self.banked(state);
        let left = self.boxes.iter().filter(|set| **set & !state.edges != 0).count() as i32;
        (Value(lead - left), Value(lead + left))
    }

    /// Edges are learned about whoever draws them.
    fn history_slots(&self) -> usize {
        self.board.len()
    }

    #[inline]
    fn history_slot(&self, _: &State, Number(edge): Number) -> usize {
        edge.into()
    }

    fn bounds_and_moves(
        &self,
        state: &State,
        moves: &mut Candidates<'_, Number>,
    ) -> (Value, Value) {
        let tried = self.worth_trying(state.edges);
        for edge in Bits(tried).map(Number) {
            moves.push(self.order(state, edge), edge);
        }
        self.quick_bounds(state)
    }
}

impl DotsAndBoxes {
    /// The edges among which there is a best one to draw.
    pub(super) fn worth_trying(&self, edges: u64) -> u64 {
        let missing = |set: u64| set & !edges;
        let beyond = |set: u64, edge: u64| {
            let [one, other] = self.beside[edge.trailing_zeros() as usize];
            if one == set { other } else { one }
        };
        let mut tried = 0;
        for &set in &self.boxes {
            let e = missing(set);
            if e.count_ones() != 1 {
                continue;
            }
            let next = beyond(set, e);
            let f = missing(next) & !e;
            if f.count_ones() != 1 {
                return e;
            }
            let after = beyond(next, f);
            let g = missing(after) & !f;
            let at_once = match g.count_ones() {
                0 => after != 0,
                1 => missing(beyond(after, g)).count_ones() != 1,
                _ => false,
            };
            if at_once {
                return e;
            }
            tried |= e | f;
        }
        if tried == 0 { self.all() & !edges } else { tried }
    }
}
