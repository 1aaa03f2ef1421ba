//! Moves as numbers, for programs that learn: each choice of a move is a digit.

use crate::choices::{Choice, Choices, LARGEST, MAX_CHOICES};
use crate::typed::{Rules, Statement, choices};

/// A game whose moves would need more numbers has none: a policy would not fit.
const MAX: usize = 1 << 20;

/// How moves are numbered.
pub(crate) struct Numbering {
    cells: usize,
    numbers: usize,
    /// Shorter moves end with a digit of their own, 0.
    is_padded: bool,
    base: usize,
    digits: u32,
    count: usize,
}

impl Numbering {
    /// The numbers of the moves of a game; `None` if there are too many.
    pub fn new(rules: &Rules) -> Option<Numbering> {
        let [one, other] = [0, 1].map(|side: usize| &rules.sides[side].moves[..]);
        let ([a, b], [c, d]) = (choices(one), choices(other));
        let (least, max) = (a.min(c), b.max(d).min(MAX_CHOICES));
        let picks = [one, other].into_iter().any(picks_numbers);
        let numbers = if picks { LARGEST as usize + 1 } else { 0 };
        let cells = rules.board.cells.len();
        let is_padded = least < max;
        let base = cells + numbers + rules.labels.len() + usize::from(is_padded);
        let count = base.checked_pow(max as u32).filter(|count| *count <= MAX)?;
        Some(Numbering { cells, numbers, is_padded, base, digits: max as u32, count })
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of a move.
    pub fn number(&self, mv: Choices) -> usize {
        let digit = |choice| match choice {
            Choice::Cell(cell) => usize::from(cell),
            Choice::Number(number) => self.cells + usize::from(number),
            Choice::Label(label) => self.cells + self.numbers + usize::from(label),
        };
        let digits = mv.iter().map(|choice| digit(choice) + usize::from(self.is_padded));
        let given = digits.fold(0, |all, digit| all * self.base + digit);
        given * self.base.pow(self.digits - mv.len() as u32)
    }
}

fn picks_numbers(block: &[Statement]) -> bool {
    let picks = |statement: &Statement| matches!(statement, Statement::Pick { .. });
    block.iter().any(|statement| statement.any(&picks))
}
