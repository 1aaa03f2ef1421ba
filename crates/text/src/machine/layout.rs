//! How a position is kept in words: one word with the side to move and the result, the sets, then
//! counts and numbers as bytes.

use super::word::Word;
use crate::state::Position;
use crate::typed::{Layout, MAX_PREFERRED};

/// A byte of a position: a number minus its smallest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub word: u8,
    pub shift: u8,
    pub least: i32,
    pub max: i32,
}

impl Field {
    /// Its byte in a position.
    #[inline]
    pub fn byte<S: Word, const N: usize>(&self, words: &[S; N]) -> S {
        words[usize::from(self.word)] >> self.shift.into() & S::from_number(0xff)
    }

    /// Makes it as small as it can be.
    pub fn clear<S: Word, const N: usize>(&self, words: &mut [S; N]) {
        let word = &mut words[usize::from(self.word)];
        *word = *word & !(S::from_number(0xff) << self.shift.into());
    }

    /// Its number in a position.
    pub fn value<S: Word, const N: usize>(&self, words: &[S; N]) -> i32 {
        self.byte(words).number() as i32 + self.least
    }

    /// The bits that its numbers need.
    pub fn bits(&self) -> u32 {
        (self.max.abs_diff(self.least) + 1).next_power_of_two().ilog2()
    }
}

/// Where everything is.
#[derive(Clone, Debug)]
pub struct Words {
    /// For each count and cell its byte.
    pub counts: Vec<Vec<Field>>,
    /// Those of the position; if the rules prefer moves, one more by what a move is preferred, which is 0 between moves.
    pub numbers: Vec<Field>,
    /// How many numbers the position has.
    own: usize,
    /// The number of words in use.
    pub len: usize,
    pub sets: usize,
    pub pieces: usize,
}

/// The bit of the first word that says whether there is a result. Bit 0 is the side to move; numbers may use the bytes from bit
/// 8 on.
pub const HAS_RESULT: u32 = 1;
/// The bit that says, within a move, whether the same side moves again.
pub const AGAIN: u32 = 2;
/// Where the result begins: the upper half of 64 bits.
pub const RESULT: u32 = 32;

impl Words {
    /// The word with the side to move and the result.
    pub const REST: usize = 0;
    /// The word of the first set.
    pub const SETS: usize = 1;

    /// The places in words of `bits` bits.
    pub(crate) fn new(layout: &Layout, prefers: bool, board_cells: usize, bits: u32) -> Words {
        let bytes = (bits / 8) as usize;
        let mut counts = Vec::new();
        let mut used = (Words::SETS + layout.sets) * bytes;
        let field = |at: usize, [least, max]: [i32; 2]| Field {
            word: (at / bytes) as u8,
            shift: (at % bytes * 8) as u8,
            least,
            max,
        };
        for range in &layout.counts {
            counts.push((used..used + board_cells).map(|at| field(at, *range)).collect());
            // Each count begins a word, so that the bytes of cell n have the same place in all.
            used = (used + board_cells).next_multiple_of(bytes);
        }
        let mut ranges = layout.numbers.clone();
        ranges.extend(prefers.then_some([0, MAX_PREFERRED as i32]));
        let (beside, rest) = ranges.split_at(ranges.len().min(3));
        let rest: Vec<Field> = (used..).zip(rest).map(|(at, range)| field(at, *range)).collect();
        let len = (used + rest.len()).div_ceil(bytes);
        let beside = beside.iter().enumerate().map(|(at, [least, max])| Field {
            word: Words::REST as u8,
            shift: 8 + 8 * at as u8,
            least: *least,
            max: *max,
        });
        let numbers = beside.chain(rest).collect();
        let own = layout.numbers.len();
        Words { counts, numbers, own, len, sets: layout.sets, pieces: layout.pieces }
    }

    /// By what a move is preferred, if the rules prefer moves.
    #[inline]
    pub fn preferred(&self) -> Option<&Field> {
        self.numbers.get(self.own)
    }

    /// The numbers of a position.
    pub fn own_numbers(&self) -> &[Field] {
        &self.numbers[..self.own]
    }

    /// The counts and the numbers of a position.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.counts.iter().flatten().chain(self.own_numbers())
    }

    /// The side to move: 0 for the first player.
    #[inline]
    pub fn turn<S: Word>(rest: S) -> usize {
        (rest.number() & 1) as usize
    }

    /// The result for the first player.
    #[inline]
    pub fn result<S: Word>(rest: S) -> Option<i32> {
        let number = rest.number();
        (number >> HAS_RESULT & 1 != 0).then_some((number >> RESULT) as i32)
    }

    /// The bits of a result.
    #[inline]
    pub fn with_result<S: Word>(rest: S, result: i32) -> S {
        let upper = S::from_number(i64::from(result as u32)) << RESULT;
        rest | upper | S::ONE << HAS_RESULT
    }

    /// The position with the sides exchanged: the other one is to move, and has what this one has.
    #[inline]
    pub fn exchanged<S: Word>(rest: S) -> S {
        let turned = rest ^ S::ONE;
        match Words::result(rest) {
            None => turned,
            Some(result) => {
                let without = turned & S::from_number((1 << RESULT) - 1);
                Words::with_result(without, -result)
            }
        }
    }

    pub(crate) fn pack<S: Word, const N: usize>(&self, position: &Position) -> [S; N] {
        let mut words = [S::ZERO; N];
        for (word, set) in words[Words::SETS..].iter_mut().zip(&position.sets) {
            *word = S::from_cells(*set);
        }
        let mut put = |field: &Field, value: i32| {
            let value = S::from_number((value - field.least).into()) << field.shift.into();
            words[usize::from(field.word)] |= value;
        };
        for (fields, counts) in self.counts.iter().zip(&position.counts) {
            fields.iter().zip(counts).for_each(|(field, count)| put(field, *count));
        }
        self.numbers.iter().zip(&position.numbers).for_each(|(field, number)| put(field, *number));
        let rest = &mut words[Words::REST];
        *rest |= S::from_number(position.turn as i64);
        if let Some(result) = position.result {
            *rest = Words::with_result(*rest, result);
        }
        words
    }

    pub(crate) fn unpack<S: Word, const N: usize>(&self, words: &[S; N]) -> Position {
        let get = |field: &Field| field.value(words);
        Position {
            sets: words[Words::SETS..][..self.sets].iter().map(|word| word.cells()).collect(),
            counts: self.counts.iter().map(|fields| fields.iter().map(get).collect()).collect(),
            numbers: self.own_numbers().iter().map(get).collect(),
            turn: Words::turn(words[Words::REST]),
            result: Words::result(words[Words::REST]),
        }
    }
}
