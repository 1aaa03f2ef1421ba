//! What makes search fast: moves that leave the other side little choice, discs that can no longer be
//! turned over, and keys of one word.

use std::collections::BTreeMap;

use super::{PASS, Reversi};
use crate::game::Value;
use crate::kit::{Bits, Placing, Stones, Ternary};
use crate::promise::{Candidates, SearchHints};

/// With so few empty squares a position is near the end of the game.
const NEAR: u32 = 9;

/// Above this many empty squares alike positions share a key; later they hardly ever meet, and to look
/// for the smallest image takes longer than it saves.
const ALIKE: u32 = 18;

/// How many moves of the other side a corner is worth.
const CORNER: i32 = 4;

/// At most this many empty squares are filled in any order that puts corners first.
const FEW: u32 = 4;

/// What hints take from tables.
#[derive(Clone, Debug)]
pub(super) struct Hints {
    /// What positions are remembered by; `None` if that would not fit a word.
    keys: Option<Ternary>,
    /// The lines of each direction, as sets of squares.
    lines: [Vec<u64>; 4],
    corners: u64,
}

impl Hints {
    pub fn new(size: usize) -> Hints {
        let squares = size * size;
        // Two squares are on one line if they agree in this.
        type Place = (usize, usize);
        let kinds: [fn(Place) -> isize; 4] = [
            |(_, row)| row as isize,
            |(column, _)| column as isize,
            |(column, row)| column as isize - row as isize,
            |(column, row)| (column + row) as isize,
        ];
        let lines = kinds.map(|kind| {
            let mut lines = BTreeMap::new();
            for square in 0..squares {
                *lines.entry(kind((square % size, square / size))).or_default() |= 1u64 << square;
            }
            lines.into_values().collect()
        });
        let last_row = squares - size;
        let corners = 1 | 1 << (size - 1) | 1 << last_row | 1 << (squares - 1);
        Hints { keys: Ternary::new(squares), lines, corners }
    }
}

impl SearchHints for Reversi {
    fn key_bits(&self) -> u32 {
        self.hints.keys.as_ref().map_or(64, Ternary::bits)
    }

    /// The discs of the side to move and those of the other, whichever side it is. Of the images of
    /// early positions, the smallest.
    fn key(&self, state: &Stones) -> Option<(u64, Value)> {
        let keys = self.hints.keys.as_ref()?;
        let sets = [state.to_move, state.waiting];
        let least = match self.empty(state) > ALIKE {
            true => self.board.symmetries().smallest(sets),
            false => sets,
        };
        Some((keys.of(least), Value(0)))
    }

    #[inline]
    fn near_end(&self, state: &Stones) -> bool {
        self.empty(state) <= NEAR
    }

    /// A square for each side, and passing.
    fn history_slots(&self) -> usize {
        2 * 64 + 1
    }

    #[inline]
    fn history_slot(&self, state: &Stones, mv: Placing) -> usize {
        match mv {
            Placing::At(square) => state.turn.index() << 6 | usize::from(self.bit(square)),
            Placing::Word(_) => 2 * 64,
        }
    }

    fn bounds_and_moves(
        &self,
        state: &Stones,
        moves: &mut Candidates<'_, Placing>,
    ) -> (Value, Value) {
        let squares = self.placeable(state.to_move, state.waiting);
        let empty = self.empty(state);
        if empty == 1 && squares != 0 {
            let turned = self.turned(state.to_move, state.waiting, squares);
            let last = Stones { to_move: state.waiting ^ turned, ..state.with(squares | turned) };
            let value = Value(-self.score(&last).0);
            return (value, value);
        }
        let all = self.board.len() as i32;
        let safe = |own, other| 2 * self.stable(own, other).count_ones() as i32 - all;
        let low = safe(state.to_move, state.waiting);
        let high = -safe(state.waiting, state.to_move);
        if low == high {
            return (Value(low), Value(high));
        }
        if squares == 0 {
            moves.push(0, PASS);
        }
        for bit in Bits(squares) {
            let disc = 1 << bit;
            let mut promise = CORNER * i32::from(self.hints.corners & disc != 0);
            if empty > FEW {
                let turned = self.turned(state.to_move, state.waiting, disc);
                let [own, other] = [state.to_move | disc | turned, state.waiting ^ turned];
                let answers = self.placeable(other, own);
                promise -=
                    (answers.count_ones() + (answers & self.hints.corners).count_ones()) as i32;
            }
            moves.push(promise, Placing::At(self.square(bit)));
        }
        (Value(low), Value(high))
    }
}

impl Reversi {
    #[inline]
    fn empty(&self, state: &Stones) -> u32 {
        self.board.len() as u32 - state.taken().count_ones()
    }

    /// Discs of a side that can never be turned over, not always all: in each direction there is no
    /// next square on one side, or such a disc, or no empty square on the whole line.
    pub(super) fn stable(&self, own: u64, other: u64) -> u64 {
        // Discs in corners are the first; without one there are hardly any others.
        if own & self.hints.corners == 0 {
            return 0;
        }
        let empty = self.full & !(own | other);
        let filled = [0, 1, 2, 3].map(|direction: usize| {
            let lines = self.hints.lines[direction].iter();
            lines.fold(0, |all, line| all | if line & empty == 0 { *line } else { 0 })
        });
        let mut stable = own & self.hints.corners;
        loop {
            let safe = self.directions.iter().zip(filled).map(|(&(step, between), filled)| {
                !between | filled | stable << step | stable >> step
            });
            let more = safe.fold(own, |all, safe| all & safe);
            if more == stable {
                return stable;
            }
            stable = more;
        }
    }
}
