//! How a position is kept in words: the sets, then counts and numbers as bytes, then one word with
//! the side to move and the result.

use super::word::Word;
use crate::state::Position;
use crate::typed::Layout;

/// A byte of a position: a number minus its smallest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub word: u8,
    pub shift: u8,
    pub least: i32,
    pub most: i32,
}

/// Where everything is.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    /// For each count and cell its byte.
    pub counts: Vec<Vec<Field>>,
    pub numbers: Vec<Field>,
    /// The word with the side to move and the result; the last one in use.
    pub last: usize,
    pub sets: usize,
    pub pieces: usize,
}

/// Bit 0 of the last word is the side to move, bit 1 whether there is a result, the upper half of 64
/// bits the result. Numbers may use the bytes from bit 8 on.
const HAS_RESULT: u32 = 1;
const RESULT: u32 = 32;

impl Words {
    /// The places in words of `bits` bits.
    pub fn new(layout: &Layout, board_cells: usize, bits: u32) -> Words {
        let bytes = (bits / 8) as usize;
        let mut counts = Vec::new();
        let mut used = layout.sets * bytes;
        let mut field = |[least, most]: [i32; 2]| {
            let field =
                Field { word: (used / bytes) as u8, shift: (used % bytes * 8) as u8, least, most };
            used += 1;
            field
        };
        for range in &layout.counts {
            counts.push((0..board_cells).map(|_| field(*range)).collect());
        }
        let (beside, rest) = layout.numbers.split_at(layout.numbers.len().min(3));
        let rest: Vec<Field> = rest.iter().map(|range| field(*range)).collect();
        let last = used.div_ceil(bytes);
        let beside = beside.iter().enumerate().map(|(at, [least, most])| Field {
            word: last as u8,
            shift: 8 + 8 * at as u8,
            least: *least,
            most: *most,
        });
        let numbers = beside.chain(rest).collect();
        Words { counts, numbers, last, sets: layout.sets, pieces: layout.pieces }
    }

    /// The side to move: 0 for the first player.
    #[inline]
    pub fn turn<S: Word>(last: S) -> usize {
        (last.number() & 1) as usize
    }

    /// The result for the first player.
    #[inline]
    pub fn result<S: Word>(last: S) -> Option<i32> {
        let number = last.number();
        (number >> HAS_RESULT & 1 != 0).then_some((number >> RESULT) as i32)
    }

    /// The bits of a result.
    #[inline]
    pub fn with_result<S: Word>(last: S, result: i32) -> S {
        let upper = S::from_number(i64::from(result as u32)) << RESULT;
        last | upper | S::ONE << HAS_RESULT
    }

    pub fn pack<S: Word, const N: usize>(&self, position: &Position) -> [S; N] {
        let mut words = [S::ZERO; N];
        for (word, set) in words.iter_mut().zip(&position.sets) {
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
        let last = &mut words[self.last];
        *last |= S::from_number(position.turn as i64);
        if let Some(result) = position.result {
            *last = Words::with_result(*last, result);
        }
        words
    }

    pub fn unpack<S: Word, const N: usize>(&self, words: &[S; N]) -> Position {
        let get = |field: &Field| {
            let byte = (words[usize::from(field.word)] >> field.shift.into()).number() & 0xff;
            byte as i32 + field.least
        };
        Position {
            sets: words[..self.sets].iter().map(|word| word.cells()).collect(),
            counts: self.counts.iter().map(|fields| fields.iter().map(get).collect()).collect(),
            numbers: self.numbers.iter().map(get).collect(),
            turn: Words::turn(words[self.last]),
            result: Words::result(words[self.last]),
        }
    }
}
