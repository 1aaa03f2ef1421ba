//! What makes search fast: evaluation, move order, bounds and keys.

use super::Acyclic;
use crate::game::{Game, Outcome, Value};

/// A heuristic evaluation of positions that are not over. Depth-limited search uses it; without it,
/// the positions at the depth limit have the value 0.
pub trait Evaluate: Game {
    /// The estimated outcome, without search.
    fn evaluate(&self, state: &Self::State) -> Outcome;
}

/// Which moves to try first.
pub trait Order: Game {
    /// The priority of a move: the highest is tried first. Any number is allowed.
    fn order(&self, state: &Self::State, mv: Self::Move) -> i32;
}

/// Facts that a depth-first search for values uses before it tries any move.
///
/// They make search fast: a key of one word, bounds that often settle a position at once, and few
/// moves, the best first.
pub trait SearchHints: Acyclic {
    /// The number of bits of the keys: every key is below `2^bits`. From 1 to 64.
    fn key_bits(&self) -> u32;

    /// A key and an offset: the value minus the offset is the same for all positions with the same
    /// key. `None` if the position has no key; it then has no entry in the transposition table.
    fn key(&self, state: &Self::State) -> Option<(u64, Value)>;

    /// Whether the position is so near the end that a new search of it is quick. Such positions go
    /// to a separate transposition table, which is small enough for the processor's cache.
    fn near_end(&self, state: &Self::State) -> bool;

    /// A lower and an upper bound of the value of any position, finished positions included. They
    /// must be very cheap: a search computes them before it looks the position up.
    #[inline]
    fn quick_bounds(&self, _state: &Self::State) -> (Value, Value) {
        (Value(-Outcome::LIMIT), Value(Outcome::LIMIT))
    }

    /// A lower and an upper bound of the value of a position that is not over. If they differ, this
    /// adds enough moves to `moves` that the value of the position is the maximum of the lower
    /// bound and the values of these moves.
    fn bounds_and_moves(
        &self,
        state: &Self::State,
        moves: &mut Candidates<'_, Self::Move>,
    ) -> (Value, Value);

    /// An addition to the priority of a move from [`bounds_and_moves`](SearchHints::bounds_and_moves). A search
    /// asks for it only if bounds and tables leave the move open, so that what takes time belongs here.
    #[inline]
    fn priority(&self, _state: &Self::State, _mv: Self::Move) -> i32 {
        0
    }

    /// How many of the lowest layers ([`Indexed`](super::Indexed)) to solve before a long search from this
    /// position, if the game is [`Banded`](super::Banded): solving them takes about as long as the rest of the search.
    fn endgame(&self, _state: &Self::State) -> u32 {
        0
    }

    /// Endgame bytes solvable in the time of one search node, one byte a number, or two
    /// ([`across`](super::Banded::across)); at least 1. The search gets the next layer when it has taken as long
    /// as this will. (Kalah has 8, half of what was measured, so that a layer pays even if the search soon ends.)
    fn endgame_pace(&self) -> u64 {
        8
    }

    /// The number of slots of the history heuristic, which learns which kinds of moves are good.
    fn history_slots(&self) -> usize;

    /// The slot of a move, below [`history_slots`](SearchHints::history_slots).
    fn history_slot(&self, state: &Self::State, mv: Self::Move) -> usize;
}

/// The moves from [`SearchHints::bounds_and_moves`], each with its priority.
pub struct Candidates<'a, M> {
    list: &'a mut Vec<(i32, M)>,
    /// The list has no room beyond this length.
    max: usize,
}

impl<'a, M> Candidates<'a, M> {
    /// A priority is a number from minus this to this, and so is its sum with
    /// [`SearchHints::priority`].
    pub const MAX: u32 = 1 << 20;

    /// Candidates that are appended to `list`.
    pub fn new(list: &'a mut Vec<(i32, M)>) -> Candidates<'a, M> {
        Candidates::at_most(list, usize::MAX)
    }

    /// Candidates that are appended to `list`; the first `max` of them.
    #[inline]
    pub fn at_most(list: &'a mut Vec<(i32, M)>, max: usize) -> Candidates<'a, M> {
        let max = list.len().saturating_add(max);
        Candidates { list, max }
    }

    /// Whether there is no room for more. A game that may have very many moves stops here.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.list.len() >= self.max
    }

    /// Adds a move, if there is room. Moves with the highest priority, within ±[`MAX`](Candidates::MAX), are
    /// tried first; among equal priorities the history heuristic decides.
    #[inline]
    pub fn push(&mut self, priority: i32, mv: M) {
        if !self.is_full() {
            self.list.push((priority, mv));
        }
    }
}
