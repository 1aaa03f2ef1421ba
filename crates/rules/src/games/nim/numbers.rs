//! Numbers of positions for tables; a layer is the number of sticks.

use super::{MAX_HEAPS, Nim, State};
use crate::game::Side;
use crate::promise::{Indexed, NoBank};

impl Nim {
    /// The number of possible sizes of each heap.
    fn sizes(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.heaps[..self.count].iter().map(|sticks| u64::from(*sticks) + 1)
    }
}

impl Indexed for Nim {
    type Bank = NoBank;

    /// A layer is the number of sticks.
    fn layers(&self) -> u32 {
        self.heaps.iter().map(|sticks| u32::from(*sticks)).sum::<u32>() + 1
    }

    /// The digits of a number are the side to move and all heaps, so most numbers of a layer have
    /// no state.
    fn size(&self, _: u32) -> u64 {
        self.sizes().product::<u64>() * 2
    }

    fn layers_after(&self, layer: u32) -> Vec<u32> {
        (0..layer).collect()
    }

    fn index(&self, state: &State) -> (u32, u64) {
        let digits = state.heaps.iter().zip(self.sizes());
        let index = digits.fold(state.turn.index() as u64, |index, (sticks, size)| {
            index * size + u64::from(*sticks)
        });
        (state.heaps.iter().map(|sticks| u32::from(*sticks)).sum(), index)
    }

    fn state(&self, layer: u32, mut index: u64) -> Option<State> {
        let mut heaps = [0; MAX_HEAPS];
        for (heap, size) in heaps[..self.count].iter_mut().rev().zip(self.sizes().rev()) {
            *heap = (index % size) as u8;
            index /= size;
        }
        let state = State { heaps, turn: *Side::BOTH.get(index as usize)? };
        (self.index(&state).0 == layer).then_some(state)
    }
}
