//! Search hints: keys up to symmetry, and bounds near the end of the game.

use super::{LINES, Move, QuantumTicTacToe, State};
use crate::game::{Game, Value};
use crate::promise::{Candidates, SearchHints};

/// Positions with fewer moves share a key with their images; with more moves, images rarely occur in one
/// search.
const MIRRORED: usize = 6;

/// With at least this many moves made, a position is near the end of the game.
const NEAR: usize = 7;

impl SearchHints for QuantumTicTacToe {
    /// Six bits a move.
    fn key_bits(&self) -> u32 {
        54
    }

    /// The marks of all moves; of early positions, of the eight images the smallest. Only the largest move number of a
    /// row is ever compared, which is never one of a side's first two: these may change places.
    fn key(&self, state: &State) -> Option<(u64, Value)> {
        let made = usize::from(state.made).max(4);
        let images = if made < MIRRORED { self.codes.len() } else { 1 };
        let keys = self.codes[..images].iter().map(|codes| {
            let mut marks = state.marks.map(|marks| codes[usize::from(marks)]);
            if marks[0] < marks[2] {
                marks.swap(0, 2);
            }
            if marks[1] < marks[3] {
                marks.swap(1, 3);
            }
            marks[..made].iter().fold(0u64, |key, code| key << 6 | u64::from(*code))
        });
        Some((keys.min().unwrap_or(0), Value(0)))
    }

    fn near_end(&self, state: &State) -> bool {
        usize::from(state.made) >= NEAR
    }

    /// A pair of squares or one, for each side.
    fn history_slots(&self) -> usize {
        2 * 64
    }

    fn history_slot(&self, state: &State, mv: Move) -> usize {
        let squares = match mv {
            Move::Pair(a, b) => 1 << a | 1 << b,
            Move::Collapse(square) | Move::Last(square) => 1 << square,
        };
        usize::from(state.made % 2) << 6 | usize::from(self.codes[0][squares])
    }

    fn bounds_and_moves(&self, state: &State, moves: &mut Candidates<'_, Move>) -> (Value, Value) {
        for mv in self.moves(state) {
            moves.push(0, mv);
        }
        // Who has no line without classical marks of the other side makes no row.
        let mut held = [0; 2];
        for (number, marks) in state.marks.iter().enumerate() {
            held[number % 2] |= if marks.count_ones() == 1 { *marks } else { 0 };
        }
        let open = |other: usize| LINES.iter().any(|line| line & held[other] == 0);
        let [own, other] = [self.turn(state).index(), self.turn(state).other().index()];
        (Value(-2 * i32::from(open(own))), Value(2 * i32::from(open(other))))
    }
}
