//! What makes search fast: opinions, the order of moves, bounds and keys.

use super::Acyclic;
use crate::game::{Game, Outcome, Value};

/// An opinion on a position that is not over, in the unit of the game's outcomes and seen by the
/// first player. Depth-limited search uses it; without it such a position counts as level.
pub trait Evaluate: Game {
    /// What the position looks worth without looking ahead.
    fn evaluate(&self, state: &Self::State) -> Outcome;
}

/// Which moves to try first.
pub trait Order: Game {
    /// How promising a move looks: the highest is tried first. Any number is allowed.
    fn order(&self, state: &Self::State, mv: Self::Move) -> i32;
}

/// What a depth-first search for values wants to know of a position before it tries any move.
///
/// This is what makes search fast: a key that is one word, bounds that often settle a position at
/// once, and few moves, the best first.
pub trait SearchHints: Acyclic {
    /// How many bits the keys need: every one is below `2^bits`. From 1 to 64.
    fn key_bits(&self) -> u32;

    /// A key and what the mover has over it: the value of a position, less the offset, is the same
    /// for all positions with the same key. `None` if a position has no key; it is then not
    /// remembered.
    fn key(&self, state: &Self::State) -> Option<(u64, Value)>;

    /// Whether the position is so near the end that it is quickly searched again. Such positions
    /// are remembered apart from others, in little memory; there the processor is fastest.
    fn near_end(&self, state: &Self::State) -> bool;

    /// A lower and an upper bound of the value of any position, one that is over included, that
    /// cost next to nothing to tell. A search asks for them before it looks the position up.
    #[inline]
    fn quick_bounds(&self, _state: &Self::State) -> (Value, Value) {
        (Value(-Outcome::LIMIT), Value(Outcome::LIMIT))
    }

    /// A lower and an upper bound of the value of a position that is not over. Where they differ,
    /// `moves` is given moves enough that the best of their values, or the lower bound where that
    /// is more, is the value of the position.
    fn bounds_and_moves(
        &self,
        state: &Self::State,
        moves: &mut Candidates<'_, Self::Move>,
    ) -> (Value, Value);

    /// A number for a position, and what the mover has over all others with this number: like a
    /// key, but numbers have few gaps, and those of positions with less left come first. Nothing
    /// where a position has no number. Values less the offset must be within ±126.
    #[inline]
    fn dense_index(&self, _state: &Self::State) -> Option<(u64, Value)> {
        None
    }

    /// How many numbers there are of positions with at most so much left, in the game's own
    /// measure.
    fn dense_len(&self, _left: u32) -> u64 {
        0
    }

    /// How many kinds of moves are told apart when a search learns which of them turn out well.
    fn history_slots(&self) -> usize;

    /// The kind of a move, below [`history_slots`](SearchHints::history_slots).
    fn history_slot(&self, state: &Self::State, mv: Self::Move) -> usize;
}

/// Where [`SearchHints::bounds_and_moves`] puts its moves, each with how promising it looks.
pub struct Candidates<'a, M> {
    list: &'a mut Vec<(i32, M)>,
}

impl<'a, M> Candidates<'a, M> {
    /// Candidates are put at the end of a list.
    pub fn new(list: &'a mut Vec<(i32, M)>) -> Candidates<'a, M> {
        Candidates { list }
    }

    /// Adds a move; those with the highest promise, a number within ±2^20, are tried first. What a
    /// search learns about a move's kind decides between equals.
    #[inline]
    pub fn push(&mut self, promise: i32, mv: M) {
        self.list.push((promise, mv));
    }
}
