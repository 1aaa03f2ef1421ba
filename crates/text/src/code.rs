//! Positions as numbers of few bits: by shifts where 64 bits are enough for that, which is fast, else
//! by digits of mixed radix, a digit for each cell, count and number. If those are too many, as for three pieces on a
//! chessboard, and no move brings pieces to the board, there is a digit for each piece instead: its cell.

use crate::board::{Cells, bit, cells};
use crate::machine::{Field, Word, Words};
use crate::results::results;
use crate::state::Position;
use crate::symmetry::alike;
use crate::typed::{Block, Rules, Statement};

/// How what stands on the cells becomes digits.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Way {
    Shifts,
    Cells,
    /// The most pieces of each set that ever stand on the board.
    Pieces(Vec<usize>),
}

/// How positions become numbers.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    way: Way,
    pub bits: u32,
    /// The number of bits of the codes of positions without a result by a move.
    pub open_bits: u32,
    cells: u32,
    /// The sets of a representative that can have cells: pieces, then marks.
    sets: Vec<usize>,
    /// How many of them are pieces.
    pieces: usize,
    /// The least and the largest result of a move.
    results: [i32; 2],
}

/// The largest number of bits of a code.
const MAX_BITS: u32 = 128;

impl Code {
    /// `None` if positions need more than 128 bits.
    pub fn new(rules: &Rules) -> Option<Code> {
        let results = results(rules);
        let cells = rules.board.cells.len() as u32;
        let bits = |range: &[i32; 2]| radix_of(range).next_power_of_two().ilog2();
        let of_counts: u32 = rules.layout.counts.iter().map(|range| bits(range) * cells).sum();
        let end_bits = ends(results).next_power_of_two().ilog2();
        let of_numbers: u32 = rules.layout.numbers.iter().map(bits).sum();
        let (possible, alike) = (rules.possible(), alike(rules));
        let stands = |set: usize| (0..possible.len()).any(|of| possible[of] && alike[of] == set);
        let mut sets: Vec<usize> = (0..possible.len()).filter(|set| stands(*set)).collect();
        let pieces = sets.len();
        sets.extend(rules.layout.pieces..rules.layout.sets);
        let open_shifts = sets.len() as u32 * cells + of_counts + of_numbers + 1;
        let shifts = open_shifts - 1 + end_bits;
        let by_shifts = Code {
            way: Way::Shifts,
            bits: shifts,
            open_bits: open_shifts,
            cells,
            sets,
            pieces,
            results,
        };
        if shifts <= u64::BITS {
            return Some(by_shifts);
        }
        let sized = |way: Way| {
            // The highest digit is the end, of which 0 and 1 say that there is no result.
            let mut radix = Radix { max: 1, code: 0, fits: true };
            by_shifts.each_radix(&way, rules, |max| radix.push(0, max));
            let digits = |max: u128| u128::BITS - (max - 1).leading_zeros();
            let open_bits = digits(radix.max.saturating_mul(2));
            radix.push(0, ends(results));
            let bits = digits(radix.max);
            radix.fits.then(|| Code { way, bits, open_bits, ..by_shifts.clone() })
        };
        match sized(Way::Cells) {
            Some(by_cells) if by_cells.bits < shifts => Some(by_cells),
            _ if shifts <= MAX_BITS => Some(by_shifts),
            by_cells => by_cells.or_else(|| sized(Way::Pieces(most(rules, &by_shifts.sets)?))),
        }
    }

    /// Shows the radix of each digit of a position.
    fn each_radix(&self, way: &Way, rules: &Rules, mut visit: impl FnMut(u128)) {
        let (layout, cells) = (&rules.layout, self.cells as usize);
        let marks = self.sets.len() - self.pieces;
        match way {
            Way::Pieces(most) => {
                (0..most.iter().sum()).for_each(|_| visit(cells as u128 + 1));
                (0..marks * cells).for_each(|_| visit(2));
            }
            _ => {
                for _ in 0..cells {
                    visit(self.pieces as u128 + 1);
                    (0..marks).for_each(|_| visit(2));
                }
            }
        }
        for range in &layout.counts {
            (0..cells).for_each(|_| visit(radix_of(range)));
        }
        layout.numbers.iter().for_each(|range| visit(radix_of(range)));
    }

    /// The number of a position.
    pub fn encode<S: Word, const N: usize>(&self, words: &Words, state: &[S; N]) -> u128 {
        let rest = state[Words::REST];
        let result = Words::result(rest).map(|result| result - self.results[0] + 1);
        let end = (result.unwrap_or(0) as u128) << 1 | Words::turn(rest) as u128;
        let sets = self.sets.iter().map(|set| state[Words::SETS + set]);
        let byte = |field: &Field| field.byte(state).number() as u128;
        if self.way == Way::Shifts {
            let mut code = end;
            for set in sets {
                code = code << self.cells | set.cells();
            }
            let fields = words.fields();
            for field in fields {
                code = code << field.bits() | byte(field);
            }
            return code;
        }
        let mut radix = Radix { max: 1, code: 0, fits: true };
        radix.push(end, ends(self.results));
        if let Way::Pieces(most) = &self.way {
            for (set, most) in sets.clone().zip(most) {
                let places = cells(set.cells()).map(|cell| cell + 1).chain(std::iter::repeat(0));
                places
                    .take(*most)
                    .for_each(|place| radix.push(place as u128, self.cells as u128 + 1));
            }
        }
        for cell in 0..self.cells {
            let here = |set: S| set >> cell & S::ONE != S::ZERO;
            if self.way == Way::Cells {
                let piece = sets.clone().take(self.pieces).position(here);
                radix.push(piece.map_or(0, |at| at as u128 + 1), self.pieces as u128 + 1);
            }
            for mark in sets.clone().skip(self.pieces) {
                radix.push(here(mark).into(), 2);
            }
        }
        for field in words.fields() {
            radix.push(byte(field), field.max.abs_diff(field.least) as u128 + 1);
        }
        radix.code
    }

    /// The position of a number; numbers without one give some position.
    pub fn decode(&self, rules: &Rules, code: u128) -> Position {
        let mut position = Position::empty(&rules.layout, rules.board.cells.len());
        let mut code = code;
        let mut take = |max: u128| {
            let digit = code % max;
            code /= max;
            digit
        };
        let layout = &rules.layout;
        let value = |digit: u128, [least, max]: [i32; 2]| (least + digit as i32).min(max);
        let end = if self.way == Way::Shifts {
            let power = |range: &[i32; 2]| radix_of(range).next_power_of_two();
            for (number, range) in position.numbers.iter_mut().zip(&layout.numbers).rev() {
                *number = value(take(power(range)), *range);
            }
            for (counts, range) in position.counts.iter_mut().zip(&layout.counts).rev() {
                for count in counts.iter_mut().rev() {
                    *count = value(take(power(range)), *range);
                }
            }
            let mut taken: Cells = 0;
            for set in self.sets.iter().rev() {
                let here = take(1 << self.cells);
                // Of several pieces on a cell, which no position has, one stays.
                let free = if *set < layout.pieces { here & !taken } else { here };
                taken |= if *set < layout.pieces { free } else { 0 };
                position.sets[*set] = free;
            }
            take(u128::MAX)
        } else {
            for (number, range) in position.numbers.iter_mut().zip(&layout.numbers).rev() {
                *number = value(take(radix_of(range)), *range);
            }
            for (counts, range) in position.counts.iter_mut().zip(&layout.counts).rev() {
                for count in counts.iter_mut().rev() {
                    *count = value(take(radix_of(range)), *range);
                }
            }
            let (pieces, marks) = self.sets.split_at(self.pieces);
            for cell in (0..rules.board.cells.len()).rev() {
                for mark in marks.iter().rev() {
                    position.sets[*mark] |= if take(2) == 1 { bit(cell) } else { 0 };
                }
                if self.way == Way::Cells
                    && let Some(at) = (take(pieces.len() as u128 + 1) as usize).checked_sub(1)
                {
                    position.sets[pieces[at]] |= bit(cell);
                }
            }
            if let Way::Pieces(most) = &self.way {
                let mut taken: Cells = 0;
                for (set, most) in pieces.iter().zip(most).rev() {
                    for _ in 0..*most {
                        let place = take(u128::from(self.cells) + 1) as usize;
                        let here = place.checked_sub(1).map_or(0, bit) & !taken;
                        taken |= here;
                        position.sets[*set] |= here;
                    }
                }
            }
            take(ends(self.results))
        };
        position.turn = (end & 1) as usize;
        let result = (end >> 1).min(radix_of(&self.results)).checked_sub(1);
        position.result = result.map(|result| self.results[0] + result as i32);
        position
    }
}

/// The number of combinations of a result, or none, with a side to move.
fn ends(results: [i32; 2]) -> u128 {
    2 * (radix_of(&results) + 1)
}

/// A number of mixed radix that is being made.
struct Radix {
    max: u128,
    code: u128,
    fits: bool,
}

impl Radix {
    fn push(&mut self, digit: u128, max: u128) {
        match self.max.checked_mul(max) {
            Some(product) => self.max = product,
            None => self.fits = false,
        }
        self.code = self.code.wrapping_mul(max).wrapping_add(digit);
    }
}

/// The number of values of a count or number.
fn radix_of([least, max]: &[i32; 2]) -> u128 {
    u128::from(max.abs_diff(*least)) + 1
}

/// The most pieces of each set that ever stand on the board, which are as many as at the start; `None` if a move brings
/// more.
fn most(rules: &Rules, sets: &[usize]) -> Option<Vec<usize>> {
    fn puts(block: &Block) -> bool {
        block.iter().any(|statement| {
            matches!(statement, Statement::Put { .. }) || statement.blocks().any(puts)
        })
    }
    if rules.sides.iter().any(|side| puts(&side.moves)) {
        return None;
    }
    let (start, alike) = (&rules.start.sets, alike(rules));
    // A symmetry may exchange the sides.
    let of = |set: usize| {
        let piece = rules.pieces.iter().find(|piece| piece.sets.contains(&set));
        let counts = piece.iter().flat_map(|piece| &piece.sets);
        counts.map(|set| start[*set].count_ones() as usize).max().unwrap_or(0)
    };
    let all =
        |class: &usize| (0..rules.layout.pieces).filter(|set| alike[*set] == *class).map(of).sum();
    Some(sets.iter().filter(|set| **set < rules.layout.pieces).map(all).collect())
}
