//! What makes search fast: threats, the middle columns first, and one key for mirror images.

use super::ConnectFour;
use crate::game::Value;
use crate::kit::{Bits, Number, Stones};
use crate::promise::{Candidates, Order, SearchHints};

/// Positions with at most this many stones share a key with their mirror image; with more stones,
/// both rarely occur in one search.
const MIRRORED: u32 = 24;

/// With at most this many stones left, a position is near the end of the game.
const NEAR: u32 = 18;

impl SearchHints for ConnectFour {
    fn key_bits(&self) -> u32 {
        self.columns as u32 * self.height()
    }

    #[inline]
    fn key(&self, state: &Stones) -> Option<(u64, Value)> {
        let key = state.to_move + state.taken() + self.bottom;
        if state.taken().count_ones() > MIRRORED {
            return Some((key, Value(0)));
        }
        Some((key.min(self.mirrored(key)), Value(0)))
    }

    #[inline]
    fn near_end(&self, state: &Stones) -> bool {
        self.stones_left(state) <= NEAR
    }

    /// A slot for each square and side.
    fn history_slots(&self) -> usize {
        128
    }

    #[inline]
    fn history_slot(&self, state: &Stones, Number(column): Number) -> usize {
        let landing = (state.taken() + self.bottom) & self.column_mask(column);
        landing.trailing_zeros() as usize | state.turn.index() << 6
    }

    #[inline]
    fn bounds_and_moves(
        &self,
        state: &Stones,
        moves: &mut Candidates<'_, Number>,
    ) -> (Value, Value) {
        let taken = state.taken();
        let left = self.stones_left(state);
        let landing = (taken + self.bottom) & self.full;
        let empty = self.full & !taken;
        // The value of a win of the mover, or of the other side, with its n-th stone from now.
        let win = |nth: u32| self.worth_of_win(left.div_ceil(2) + 1 - nth);
        let loss = |nth: u32| -self.worth_of_win(left / 2 + 1 - nth);
        if self.completing(state.to_move) & landing != 0 {
            let value = Value(win(1));
            return (value, value);
        }
        let feared = self.completing(state.waiting) & empty;
        let forced = feared & landing;
        let mut open = if forced == 0 { landing } else { forced };
        if forced & forced.wrapping_sub(1) != 0 {
            open = 0;
        }
        open &= !(feared >> 1);
        if open == 0 {
            let value = Value(loss(1));
            return (value, value);
        }
        if left <= 2 {
            return (Value(0), Value(0));
        }
        // A row needs `length` stones.
        let nth = |stones: u64| 2.max(self.length.saturating_sub(stones.count_ones()));
        let (own, other) = (nth(state.to_move), nth(state.waiting));
        let best = if left >= 2 * own - 1 { win(own) } else { 0 };
        let worst = if left >= 2 * other { loss(other) } else { 0 };
        for square in Bits(open) {
            let bit = 1u64 << square;
            let stones = state.to_move | bit;
            let threats = self.completing(stones) & empty & !bit;
            let next = (landing ^ bit) | (bit << 1 & self.full);
            let now = threats & next;
            // The other side cannot win at once after such a move. It can block only one of two
            // immediate threats, or of two threats one above the other.
            if now & now.wrapping_sub(1) != 0 || now << 1 & threats != 0 {
                return (Value(best), Value(best));
            }
            let column = square / (self.rows as u8 + 1);
            let middle = (2 * i32::from(column) - (self.columns as i32 - 1)).abs();
            moves.push(16 * threats.count_ones() as i32 - middle, Number(column));
        }
        (Value(worst), Value(best))
    }
}

impl ConnectFour {
    #[inline]
    fn stones_left(&self, state: &Stones) -> u32 {
        self.board.len() as u32 - state.taken().count_ones()
    }

    /// The squares, empty or not, on which one more stone would complete a row. The usual rows of
    /// four are written out as Pons does it, so that they share half of the shifts.
    #[inline(always)]
    fn completing(&self, stones: u64) -> u64 {
        if self.length == 4 && self.rows < 20 {
            let height = self.height();
            let up = stones << 1 & stones << 2 & stones << 3;
            let along = |step: u32| {
                let (a, b) =
                    (stones << step & stones << (2 * step), stones >> step & stones >> (2 * step));
                a & (stones << (3 * step) | stones >> step)
                    | b & (stones << step | stones >> (3 * step))
            };
            up | along(height - 1) | along(height) | along(height + 1)
        } else {
            self.completing_row(stones, self.length)
        }
    }

    #[inline(always)]
    fn completing_row(&self, stones: u64, line: u32) -> u64 {
        let height = self.height();
        let mut all = 0;
        for step in [1, height - 1, height, height + 1] {
            if step * (line - 1) >= 64 {
                continue;
            }
            // A row with its gap at square `gap`: `gap` stones below it, the other stones above it.
            for gap in 0..line {
                let below = (1..=gap).fold(u64::MAX, |row, nth| row & stones << (step * nth));
                let row = (1..line - gap).fold(below, |row, nth| row & stones >> (step * nth));
                all |= row;
            }
        }
        all
    }
}

impl Order for ConnectFour {
    /// The middle columns first: most rows pass through them.
    #[inline]
    fn order(&self, _: &Stones, Number(column): Number) -> i32 {
        -(2 * i32::from(column) - (self.columns as i32 - 1)).abs()
    }
}
