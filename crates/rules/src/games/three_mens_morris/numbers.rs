//! Numbers of positions for tables; a layer is the number of men in hand.

use super::{MEN, State, ThreeMensMorris};
use crate::game::{Game, Side};
use crate::kit::Bits;
use crate::promise::{Indexed, NoBank};

impl Indexed for ThreeMensMorris {
    type Bank = NoBank;

    /// A layer is the number of men in hand; in layer 0, men slide.
    fn layers(&self) -> u32 {
        2 * MEN + 1
    }

    /// A ternary digit for each point, and the side to move.
    fn size(&self, _: u32) -> u64 {
        2 * 3u64.pow(9)
    }

    fn index(&self, state: &State) -> (u32, u64) {
        let digit = |point: u32| state.men[0] >> point & 1 | (state.men[1] >> point & 1) << 1;
        let digits = (0..9).rev().fold(0, |index, point| 3 * index + u64::from(digit(point)));
        let layer = Side::BOTH.map(|side| state.in_hand(side)).iter().sum();
        (layer, 2 * digits + state.turn.index() as u64)
    }

    fn state(&self, layer: u32, index: u64) -> Option<State> {
        let turn = Side::BOTH[index as usize & 1];
        let mut men = [0u16; 2];
        let mut digits = index / 2;
        for point in 0..9 {
            match digits % 3 {
                0 => {}
                side => men[side as usize - 1] |= 1 << point,
            }
            digits /= 3;
        }
        let placed = men.map(u16::count_ones);
        let fits = placed[0] == placed[1] + turn.index() as u32 || placed == [MEN, MEN];
        let state = State { men, turn };
        let valid = digits == 0 && fits && placed[0] <= MEN && !self.has_line(state.own());
        (valid && self.index(&state).0 == layer).then_some(state)
    }

    /// A man is placed, or slides.
    fn layers_after(&self, layer: u32) -> Vec<u32> {
        vec![layer.saturating_sub(1)]
    }

    fn predecessors(&self, state: &State) -> Option<Vec<State>> {
        let layer = self.index(state).0;
        Some(self.earlier(state).filter(|earlier| self.index(earlier).0 == layer).collect())
    }
}

impl ThreeMensMorris {
    /// All predecessors of `state`: positions that are not over and from which one move leads to
    /// it, reachable from the start or not; each once.
    fn earlier(&self, state: &State) -> impl Iterator<Item = State> {
        let mover = state.turn.other();
        let (at, now) = (mover.index(), *state);
        let before = move |men: u16| {
            let mut before = State { turn: mover, ..now };
            before.men[at] = men;
            before
        };
        let placed = state.men.map(u16::count_ones);
        // The last man was placed if the numbers fit; men slide only when all are placed.
        let placing = placed[0] == placed[1] + state.turn.index() as u32;
        let lifted = if placing { state.men[at] } else { 0 };
        let lifted = Bits(lifted).map(move |point| now.men[at] & !(1 << point));
        let slid = if placed == [MEN, MEN] { state.men[at] } else { 0 };
        let empty = state.empty();
        let slid = Bits(slid).flat_map(move |to| {
            let from = Bits(self.next_to[usize::from(to)] & empty);
            from.map(move |from| now.men[at] ^ (1 << from | 1 << to))
        });
        let playable =
            |before: &State| self.outcome(before).is_none() && !self.has_line(before.own());
        lifted.chain(slid).map(before).filter(playable)
    }
}
