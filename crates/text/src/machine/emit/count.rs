//! Counts as bytes side by side: which of them a sum takes, and what a sowing adds to them.

use super::{Emitted, Emitter, known};
use crate::board::{Cells, cells};
use crate::interpret;
use crate::machine::layout::Field;
use crate::machine::program::{Masks, SowTable};
use crate::machine::word::Word;
use crate::typed::Set;

impl<S: Word> Emitter<'_, S> {
    /// The bytes of a count on some cells.
    pub(super) fn masks(&mut self, count: usize, over: Cells) -> Emitted<u8> {
        let mut masks = Masks { words: Vec::new(), plus: 0 };
        for cell in cells(over) {
            let Field { word, shift, least, .. } = self.program.words.counts[count][cell];
            let byte = S::from_number(0xff) << shift.into();
            masks.plus += i64::from(least);
            match masks.words.last_mut().filter(|(each, _)| *each == word) {
                Some((_, mask)) => *mask |= byte,
                None => masks.words.push((word, byte)),
            }
        }
        known(&mut self.program.masks, masks)
    }

    /// The table of a sowing that leaves out the same cells always; `None` if counts are too large for
    /// it, or not from 0.
    pub(super) fn sow_table(&self, skip: &Set, next: &[u8]) -> Option<SowTable<S>> {
        const LARGEST: i32 = 112;
        let Set::Cells(skip) = skip else { return None };
        let fields = self.program.words.counts.first()?;
        let (board, max) = (self.rules.board.cells.len(), fields.first()?.max);
        let all_skipped = skip & self.rules.board.all() == self.rules.board.all();
        if fields[0].least != 0 || max > LARGEST || all_skipped {
            return None;
        }
        let (first, last) = (fields.first()?.word.into(), usize::from(fields.last()?.word));
        let (words, numbers) = (last + 1 - first, (max as usize).min(2 * board) + 1);
        let mut table = SowTable {
            first,
            words,
            numbers,
            added: Vec::with_capacity(board * numbers * words),
            last: Vec::with_capacity(board * numbers),
            room: every_byte((127 - max) as u64),
            high: every_byte(0x80),
            next: next.to_vec(),
            skip: S::from_cells(*skip),
        };
        for from in 0..board {
            let (mut at, mut added) = (from, vec![S::ZERO; words]);
            for number in 0..numbers {
                if number > 0 {
                    at = interpret::sown_to(at, *skip, next);
                    let Field { word, shift, .. } = fields[at];
                    let word = &mut added[usize::from(word) - first];
                    let byte = (*word >> shift.into()).number() & 0xff;
                    *word = *word & !(S::from_number(0xff) << shift.into())
                        | S::from_number(byte + 1) << shift.into();
                }
                table.added.extend(&added);
                table.last.push(at as u8);
            }
        }
        Some(table)
    }
}

/// A word with the same number in every byte.
pub(super) fn every_byte<S: Word>(byte: u64) -> S {
    let half = byte * 0x0101_0101_0101_0101;
    (0..S::BITS as usize / 64).fold(S::ZERO, |all, at| all | S::from_half(half, at))
}
