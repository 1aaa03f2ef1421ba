//! The texts of cells: numbers and squares.

use std::fmt;

/// The number of a cell, column or pit: from 0 in code, from 1 in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number(pub u8);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", u16::from(self.0) + 1)
    }
}

/// A square by its column and row, from 0; `c4` in text is column 2, row 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square {
    /// The column, from the left.
    pub column: u8,
    /// The row, in the order of the game.
    pub row: u8,
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column), u16::from(self.row) + 1)
    }
}

/// The move to a square, or a move with a name of its own, such as `pass`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placing {
    /// Put a piece on a square.
    At(Square),
    /// Do what the word says.
    Word(&'static str),
}

impl fmt::Display for Placing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Placing::At(square) => write!(f, "{square}"),
            Placing::Word(word) => f.write_str(word),
        }
    }
}
