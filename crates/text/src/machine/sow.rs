//! Sowing: the seeds of a cell go to the cells that follow, one by one or by a table.

use std::borrow::BorrowMut;

use super::op::Register;
use super::program::SowTable;
use super::run::{Machine, Memory};
use super::word::Word;
use crate::fault::{Fault, is_there};

impl<'p, S: Word, M, const LED: bool, const R: usize, const K: usize, const D: usize>
    Machine<'p, S, M, LED, R, K, D>
where
    M: BorrowMut<Memory<S, R, K, D>>,
{
    /// Sows, and returns the last cell; `None` if that is not possible.
    pub(super) fn sow(&mut self, from: Register, skip: Register, next: &[u8]) -> Option<S> {
        let (from, skip) = (self.get(from), self.get(skip));
        if !is_one(from) || skip & self.program.all == self.program.all {
            return None;
        }
        self.sow_one_by_one(from.lowest() as usize, skip, next)
    }

    fn sow_one_by_one(&mut self, from: usize, skip: S, next: &[u8]) -> Option<S> {
        let program = self.program;
        let fields = &program.words.counts[0];
        if fields[0].least > 0 {
            return None;
        }
        let mut at = from;
        let mut left = self.field(&fields[at]);
        self.set_field(&fields[at], 0);
        while left > 0 {
            at = next[at].into();
            if skip >> at as u32 & S::ONE != S::ZERO {
                continue;
            }
            let more = self.field(&fields[at]) + 1;
            if !self.set_field(&fields[at], more) {
                return None;
            }
            left -= 1;
        }
        Some(S::ONE << at as u32)
    }

    /// Sows into all words at once.
    #[inline]
    pub(super) fn sow_by_table(&mut self, from: Register, table: &SowTable<S>) -> Option<S> {
        let from = self.get(from);
        if !is_one(from) {
            return None;
        }
        let from = from.lowest() as usize;
        let field = &self.program.words.counts[0][from];
        let number = self.field(field) as usize;
        if number >= table.numbers {
            return self.sow_one_by_one(from, table.skip, &table.next);
        }
        self.set_field(field, 0);
        let at = from * table.numbers + number;
        let added = table.added.get(at * table.words..)?.get(..table.words)?;
        let mut too_large = S::ZERO;
        for (word, added) in (table.first..).zip(added) {
            let word = &mut self.registers_mut()[word % R];
            // No byte can pass 255: at most 112, and as much again by less than three rounds.
            *word = word.plus(*added);
            too_large |= word.plus(table.room) & table.high;
        }
        if too_large != S::ZERO {
            return None;
        }
        Some(S::ONE << u32::from(*table.last.get(at)?))
    }
}

/// Whether a set has exactly one cell.
#[inline]
fn is_one<S: Word>(set: S) -> bool {
    set != S::ZERO && (set.without_lowest() == S::ZERO || is_there(Fault::SowTakesTheFirst))
}
