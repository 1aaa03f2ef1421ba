//! A move: its choices, a byte each, in one word.

use std::fmt;

/// At most this many choices make a move.
pub const MAX_CHOICES: usize = 7;

/// At most this many moves of a position, as in a proof: lists of them need little memory.
pub const MAX_MOVES: usize = 65_535;

/// What is said of a game with a position that has more.
pub(crate) const CROWDED: &str =
    "a position has more than 65,535 moves, and rules as text may not have so many";

/// At most this many words for ways to move.
pub(crate) const MAX_LABELS: usize = 64;

/// The largest number that can be chosen.
pub const LARGEST: i64 = 63;

/// The byte of a choice of the number 0; those of cells are below.
pub const NUMBER: u8 = 128;
/// The byte of the choice of the first label; those of numbers are below.
pub const LABEL: u8 = 192;

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Cell(u8),
    Number(u8),
    Label(u8),
}

impl Choice {
    const fn byte(self) -> u64 {
        match self {
            Choice::Cell(cell) => cell as u64,
            Choice::Number(number) => (NUMBER + number) as u64,
            Choice::Label(label) => (LABEL + label) as u64,
        }
    }
}

/// A move, as its choices in order: the first in the highest byte, a 1 above them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Choices(pub(crate) u64);

impl Choices {
    /// No choice yet.
    pub(crate) const NONE: Choices = Choices(1);

    /// These choices and one more.
    #[inline]
    pub(crate) const fn with(self, choice: Choice) -> Choices {
        Choices(self.0 << 8 | choice.byte())
    }

    /// The number of choices.
    pub(crate) const fn len(self) -> usize {
        (63 - self.0.leading_zeros() as usize) / 8
    }

    /// The first choice and the last one, in 14 bits; one choice is both.
    #[inline]
    pub(crate) const fn ends(self) -> usize {
        let first = self.0 >> (8 * self.len().saturating_sub(1));
        (first as usize & 127) << 7 | self.0 as usize & 127
    }

    /// The choices in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Choice> {
        (0..self.len()).filter_map(move |at| self.get(at))
    }

    /// The choice at a place, from 0.
    #[inline]
    pub(crate) fn get(self, at: usize) -> Option<Choice> {
        let later = self.len().checked_sub(at + 1)?;
        Some(match (self.0 >> (8 * later)) as u8 {
            byte @ 0..NUMBER => Choice::Cell(byte),
            byte @ NUMBER..LABEL => Choice::Number(byte - NUMBER),
            byte => Choice::Label(byte - LABEL),
        })
    }
}

impl fmt::Debug for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_keep_their_order() {
        let all = [Choice::Cell(127), Choice::Label(63), Choice::Number(63), Choice::Cell(0)];
        let choices = all.iter().fold(Choices::NONE, |choices, choice| choices.with(*choice));
        assert_eq!(choices.len(), 4);
        assert_eq!(choices.iter().collect::<Vec<_>>(), all);
        assert_eq!(Choices::NONE.iter().count(), 0);
        let max = (0..MAX_CHOICES).fold(Choices::NONE, |all, _| all.with(Choice::Label(63)));
        assert_eq!(max.len(), MAX_CHOICES);
    }
}
