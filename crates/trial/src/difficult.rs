//! Games made to be difficult: very wide, with moves that never end, or without a move where the game
//! is not over.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone_rules::{
    Acyclic, Candidates, Encode, Game, Invalid, NoBank, Notation, Outcome, SearchHints, Side,
    Symmetry, Value,
};

fn in_turn(ply: u32) -> Side {
    if ply.is_multiple_of(2) { Side::First } else { Side::Second }
}

/// A drawn game with many moves in every position, and a count of those that were listed.
#[derive(Clone)]
pub struct Wide {
    /// How many moves there are in every position.
    pub width: u32,
    /// How long the game is.
    pub plies: u32,
    /// How many moves were listed so far.
    pub listed: Arc<AtomicU64>,
}

impl Wide {
    /// A game of this width and length.
    pub fn new(width: u32, plies: u32) -> Wide {
        Wide { width, plies, listed: Arc::default() }
    }
}

impl Game for Wide {
    type State = (u32, u32);
    type Move = u32;

    fn start(&self) -> (u32, u32) {
        (0, 0)
    }
    fn turn(&self, &(ply, _): &(u32, u32)) -> Side {
        in_turn(ply)
    }
    fn outcome(&self, &(ply, _): &(u32, u32)) -> Option<Outcome> {
        (ply == self.plies).then_some(Outcome::DRAW)
    }
    fn moves(&self, _: &(u32, u32)) -> impl Iterator<Item = u32> {
        (0..self.width).inspect(|_| {
            self.listed.fetch_add(1, Ordering::Relaxed);
        })
    }
    fn play(&self, &(ply, _): &(u32, u32), mv: u32) -> (u32, u32) {
        (ply + 1, mv)
    }
}

impl Acyclic for Wide {
    fn progress(&self, &(ply, _): &(u32, u32)) -> u32 {
        ply
    }
}

impl SearchHints for Wide {
    fn key_bits(&self) -> u32 {
        40
    }
    fn key(&self, &(ply, last): &(u32, u32)) -> Option<(u64, Value)> {
        Some((u64::from(ply) << 32 | u64::from(last), Value(0)))
    }
    fn near_end(&self, _: &(u32, u32)) -> bool {
        false
    }
    fn bounds_and_moves(
        &self,
        state: &(u32, u32),
        moves: &mut Candidates<'_, u32>,
    ) -> (Value, Value) {
        self.moves(state).for_each(|mv| moves.push(0, mv));
        (Value(-1), Value(1))
    }
    fn history_slots(&self) -> usize {
        1
    }
    fn history_slot(&self, _: &(u32, u32), _: u32) -> usize {
        0
    }
}

/// A game whose moves never end.
pub struct Endless;

impl Game for Endless {
    type State = u64;
    type Move = u64;

    fn start(&self) -> u64 {
        0
    }
    fn turn(&self, _: &u64) -> Side {
        Side::First
    }
    fn outcome(&self, state: &u64) -> Option<Outcome> {
        (*state > 0).then_some(Outcome::DRAW)
    }
    fn moves(&self, _: &u64) -> impl Iterator<Item = u64> {
        1..
    }
    fn play(&self, _: &u64, mv: u64) -> u64 {
        // Few positions, so that it is the moves that grow.
        1 + mv % 2
    }
}

impl Acyclic for Endless {
    fn progress(&self, state: &u64) -> u32 {
        (*state > 0).into()
    }
}

impl Symmetry for Endless {}

impl Encode for Endless {
    type Bank = NoBank;
    fn bits(&self) -> u32 {
        2
    }
    fn encode(&self, state: &u64) -> u128 {
        (*state).into()
    }
    fn decode(&self, code: u128) -> u64 {
        code as u64
    }
}

/// A game that breaks its rules: at 3 it is not over, but has no move.
pub struct Stuck;

impl Game for Stuck {
    type State = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        0
    }
    fn turn(&self, state: &u8) -> Side {
        in_turn((*state).into())
    }
    fn outcome(&self, state: &u8) -> Option<Outcome> {
        (*state == 9).then_some(Outcome::DRAW)
    }
    fn moves(&self, state: &u8) -> impl Iterator<Item = u8> {
        match state {
            0 => [1, 9].iter(),
            1 | 2 => [1].iter(),
            _ => [].iter(),
        }
        .copied()
    }
    fn play(&self, state: &u8, mv: u8) -> u8 {
        state + mv
    }
}

impl Notation for Stuck {
    fn format(&self, state: &u8) -> String {
        format!("square {state}")
    }
    fn parse(&self, text: &str) -> Result<u8, Invalid> {
        let number = text.strip_prefix("square ").and_then(|number| number.parse().ok());
        number.ok_or_else(|| Invalid::new(text, "`square` and a number"))
    }
}

impl Acyclic for Stuck {
    fn progress(&self, state: &u8) -> u32 {
        (*state).into()
    }
}

impl SearchHints for Stuck {
    fn key_bits(&self) -> u32 {
        8
    }
    fn key(&self, state: &u8) -> Option<(u64, Value)> {
        Some(((*state).into(), Value(0)))
    }
    fn near_end(&self, _: &u8) -> bool {
        false
    }
    fn bounds_and_moves(&self, state: &u8, moves: &mut Candidates<'_, u8>) -> (Value, Value) {
        self.moves(state).for_each(|mv| moves.push(0, mv));
        (Value(-1), Value(1))
    }
    fn history_slots(&self) -> usize {
        1
    }
    fn history_slot(&self, _: &u8, _: u8) -> usize {
        0
    }
}
