//! What makes search fast: a test whether the fox has passed the hounds, and a good order of moves.

use super::{FoxAndHounds, Move, State, Stuck, bit};
use crate::game::{Game, Value};
use crate::promise::{Candidates, Encode, Indexed, SearchHints};

impl SearchHints for FoxAndHounds {
    fn key_bits(&self) -> u32 {
        Encode::bits(self)
    }

    #[inline]
    fn key(&self, state: &State) -> Option<(u64, Value)> {
        Some((self.encode(state) as u64, Value(0)))
    }

    /// There are few positions, so one transposition table is enough.
    fn near_end(&self, _: &State) -> bool {
        false
    }

    /// To begin with, as many as are solved in a few hundredths of a second.
    fn endgame(&self, state: &State) -> u32 {
        const NUMBERS: u64 = 1 << 21;
        let sum = (0..self.layer(state)).scan(0, |sum, layer| {
            *sum += self.size(layer);
            Some(*sum)
        });
        sum.take_while(|sum| *sum <= NUMBERS).count() as u32
    }

    /// A search visits a tenth to a thirtieth of the numbers, so that all layers pay if there is room.
    fn endgame_pace(&self) -> u64 {
        64
    }

    /// A slot for each target square, for the hounds and for the fox; one for passing.
    fn history_slots(&self) -> usize {
        2 * usize::from(self.size) * usize::from(self.half()) + 1
    }

    #[inline]
    fn history_slot(&self, state: &State, mv: Move) -> usize {
        let squares = usize::from(self.size) * usize::from(self.half());
        match mv {
            Move::Step { to, .. } => {
                usize::from(self.number(to)) + if state.fox_to_move { squares } else { 0 }
            }
            Move::Pass => 2 * squares,
        }
    }

    /// If all hounds are on the fox's row or beyond it, none can come between the fox and row 1.
    /// The order of moves: the fox moves towards row 1, the hounds farthest behind move first.
    #[inline]
    fn bounds_and_moves(&self, state: &State, moves: &mut Candidates<'_, Move>) -> (Value, Value) {
        let before = bit(state.fox / self.half() * self.half()) - 1;
        let (mut low, mut high) = (Value(-1), Value(1));
        if state.hounds & before == 0 {
            // The fox wins, unless the hounds have no move before.
            let fox = if self.stuck == Stuck::Draw { 0 } else { 1 };
            match state.fox_to_move {
                true => low = Value(fox),
                false => high = Value(-fox),
            }
        }
        for mv in self.moves(state) {
            let promise = match mv {
                Move::Step { from, to } if state.fox_to_move => {
                    i32::from(from.row) - i32::from(to.row)
                }
                Move::Step { from, .. } => -i32::from(from.row),
                Move::Pass => 0,
            };
            moves.push(promise, mv);
        }
        (low, high)
    }
}
