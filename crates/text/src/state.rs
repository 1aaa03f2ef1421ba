//! A position in plain form, for reading, showing and the interpreter.

use crate::board::{Cells, bit, cells};
use crate::typed::Layout;

/// A position: what stands where, the counts and numbers, whose turn it is, and the result if the
/// game is over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    /// The pieces of each kind and side, then the marks.
    pub sets: Vec<Cells>,
    /// For each count, the number on each cell.
    pub counts: Vec<Vec<i32>>,
    pub numbers: Vec<i32>,
    /// 0 if the first player is to move.
    pub turn: usize,
    /// The value for the first player.
    pub result: Option<i32>,
}

impl Position {
    /// A position without pieces, all counts and numbers as small as possible.
    pub fn empty(layout: &Layout, cells: usize) -> Position {
        Position {
            sets: vec![0; layout.sets],
            counts: layout.counts.iter().map(|[least, _]| vec![*least; cells]).collect(),
            numbers: layout.numbers.iter().map(|[least, _]| *least).collect(),
            turn: 0,
            result: None,
        }
    }

    /// Becomes like another position of the game.
    pub fn become_like(&mut self, other: &Position) {
        self.sets.copy_from_slice(&other.sets);
        for (counts, others) in self.counts.iter_mut().zip(&other.counts) {
            counts.copy_from_slice(others);
        }
        self.numbers.copy_from_slice(&other.numbers);
        (self.turn, self.result) = (other.turn, other.result);
    }

    /// Puts pieces of a kind on cells, in place of others.
    pub fn put(&mut self, layout: &Layout, set: usize, on: Cells) {
        self.clear(layout, on);
        self.sets[set] |= on;
    }

    /// Takes pieces from cells.
    pub fn clear(&mut self, layout: &Layout, on: Cells) {
        for set in &mut self.sets[..layout.pieces] {
            *set &= !on;
        }
    }

    /// Takes what is on cell `from` to cell `to`: the piece and the counts.
    pub fn carry(&mut self, layout: &Layout, from: usize, to: usize) {
        if from == to {
            return;
        }
        for set in &mut self.sets[..layout.pieces] {
            let there = *set & bit(from) != 0;
            *set &= !(bit(from) | bit(to));
            *set |= if there { bit(to) } else { 0 };
        }
        for (counts, [least, _]) in self.counts.iter_mut().zip(&layout.counts) {
            counts[to] = std::mem::replace(&mut counts[from], *least);
        }
    }

    /// Takes what is on each cell to the cell that a table gives for it.
    pub fn permute(&mut self, table: &[u8]) {
        for set in &mut self.sets {
            *set = cells(*set).fold(0, |all, cell| all | bit(table[cell].into()));
        }
        for counts in &mut self.counts {
            let before = counts.clone();
            for (from, count) in before.into_iter().enumerate() {
                counts[usize::from(table[from])] = count;
            }
        }
    }
}
