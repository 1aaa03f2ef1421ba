//! What makes search fast: lines that are nearly complete, and keys that ignore idle stones.

use super::{MAX_SQUARES, Mnk};
use crate::game::Value;
use crate::kit::{self, Bits, Number, Stones};
use crate::promise::{Candidates, SearchHints};

/// With at most this many empty squares, a position is near the end of the game.
const NEAR: u32 = 10;

/// The open lines of the side to move and of the other side.
#[derive(Default)]
struct Outlook {
    /// The squares on open lines: lines without a stone of the other side.
    open: [u64; 2],
    /// The empty squares that complete a line.
    completing: [u64; 2],
    /// The squares on open lines that two more stones would complete.
    near: [u64; 2],
    /// The squares on open lines that hold a stone.
    begun: [u64; 2],
    /// The largest number of own stones on an open line.
    max: [u32; 2],
}

impl Mnk {
    /// The outlook of a position.
    #[inline]
    fn look(&self, state: &Stones) -> Outlook {
        let sides = [state.to_move, state.waiting];
        let mut lines = Outlook::default();
        for line in self.lines.all() {
            for side in 0..2 {
                if line & sides[1 - side] != 0 {
                    continue;
                }
                let stones = (line & sides[side]).count_ones();
                lines.open[side] |= line;
                lines.max[side] = lines.max[side].max(stones);
                match self.length - stones {
                    1 => lines.completing[side] |= line & !sides[side],
                    2 => lines.near[side] |= line,
                    _ if stones > 0 => lines.begun[side] |= line,
                    _ => {}
                }
            }
        }
        lines
    }

    #[inline]
    fn empty(&self, state: &Stones) -> u64 {
        self.full & !state.taken()
    }
}

impl SearchHints for Mnk {
    fn key_bits(&self) -> u32 {
        (2 * self.board.len() as u32).min(64)
    }

    /// The stones of the side to move and of the other side. A stone on no open line of its own
    /// side only blocks its square, so it counts as a stone of both sides. Early positions use the
    /// smallest of their images. Boards of more than 32 squares do not fit in a key.
    fn key(&self, state: &Stones) -> Option<(u64, Value)> {
        let squares = self.board.len();
        if squares > 32 {
            return None;
        }
        let mut sides = [state.to_move, state.waiting];
        if !self.misere {
            let mut open = [0; 2];
            for line in self.lines.all() {
                open[0] |= if line & sides[1] == 0 { *line } else { 0 };
                open[1] |= if line & sides[0] == 0 { *line } else { 0 };
            }
            let idle = sides[0] & !open[0] | sides[1] & !open[1];
            sides = sides.map(|stones| stones | idle);
        }
        let key = |[own, other]: [u64; 2]| own << squares | other;
        let mut least = key(sides);
        if !self.near_end(state) {
            for table in self.board.symmetries().tables() {
                least = least.min(key(sides.map(|stones| kit::image(table, stones))));
            }
        }
        Some((least, Value(0)))
    }

    #[inline]
    fn near_end(&self, state: &Stones) -> bool {
        self.empty(state).count_ones() <= NEAR
    }

    /// A slot for each square and side.
    fn history_slots(&self) -> usize {
        2 * MAX_SQUARES
    }

    #[inline]
    fn history_slot(&self, state: &Stones, Number(square): Number) -> usize {
        state.turn.index() * MAX_SQUARES + usize::from(square)
    }

    /// The bounds come from rows that can be completed at once, from squares that must be taken
    /// before the other side does, and from whether each side can still complete a row. A stone
    /// never harms its owner, so squares on no open line are not tried while there are others.
    fn bounds_and_moves(
        &self,
        state: &Stones,
        moves: &mut Candidates<'_, Number>,
    ) -> (Value, Value) {
        let empty = self.empty(state);
        if self.misere {
            let lines = self.look(state);
            for square in Bits(empty) {
                moves.push(-i32::from(lines.completing[0] >> square & 1 == 1), Number(square));
            }
            return (Value(-1), Value(1));
        }
        let Outlook { open, completing, near, begun, max } = self.look(state);
        if completing[0] != 0 {
            return (Value(1), Value(1));
        }
        let forced = completing[1];
        if forced & forced.wrapping_sub(1) != 0 {
            return (Value(-1), Value(-1));
        }
        // A side without open lines, or without enough stones left for one, cannot win.
        let left = empty.count_ones();
        let still = [left.div_ceil(2), left / 2];
        let hopes = [0, 1].map(|side| open[side] != 0 && max[side] + still[side] >= self.length);
        let (low, high) = (-i32::from(hopes[1]), i32::from(hopes[0]));
        if low == high {
            return (Value(low), Value(high));
        }
        let worth = |set: [u64; 2], square: u8, own: i32, other: i32| {
            let on = |stones: u64| (stones >> square & 1) as i32;
            own * on(set[0]) + other * on(set[1])
        };
        let tried = if forced != 0 { forced } else { empty & (open[0] | open[1]) };
        for square in Bits(tried) {
            let promise = worth(near, square, 8, 6) + worth(begun, square, 2, 2);
            moves.push(promise + worth(open, square, 1, 1), Number(square));
        }
        (Value(low), Value(high))
    }
}
