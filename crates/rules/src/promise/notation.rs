//! Positions as text.

use crate::family::Invalid;
use crate::game::Game;

/// Positions as one line of text that a person can type.
///
/// Without it, a position is written as the moves that lead to it from the start.
pub trait Notation: Game {
    /// The position as one line of text.
    fn format(&self, state: &Self::State) -> String;

    /// Parses a position. Any text must give a position or an error, without panic.
    ///
    /// # Errors
    /// If the text is not a position of this game; the error says what was found and what was
    /// expected.
    fn parse(&self, text: &str) -> Result<Self::State, Invalid>;
}

/// [`Notation`] as function pointers, without the bound `G: Notation`.
pub struct Written<G: Game> {
    /// See [`Notation::format`].
    pub format: fn(&G, &G::State) -> String,
    /// See [`Notation::parse`].
    pub parse: fn(&G, &str) -> Result<G::State, Invalid>,
}

impl<G: Game> Clone for Written<G> {
    fn clone(&self) -> Written<G> {
        *self
    }
}

impl<G: Game> Copy for Written<G> {}

impl<G: Notation> Default for Written<G> {
    fn default() -> Written<G> {
        Written { format: G::format, parse: G::parse }
    }
}

impl<G: Game> Written<G> {
    /// A position as text: its debug text if there is no notation.
    pub fn text(written: Option<Written<G>>, game: &G, state: &G::State) -> String {
        match written {
            Some(written) => (written.format)(game, state),
            None => format!("{state:?}"),
        }
    }
}
