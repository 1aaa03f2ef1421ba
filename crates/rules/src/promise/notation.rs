//! A position as text.

use crate::family::Invalid;
use crate::game::Game;

/// A position as one line of text that a person can type, both ways.
///
/// Without it a position is written as the moves that lead to it from the start.
pub trait Notation: Game {
    /// The position as one line of text.
    fn format(&self, state: &Self::State) -> String;

    /// The position that a text tells of. Any text is allowed to come in.
    ///
    /// # Errors
    /// If the text is not a position of this game: what was found, and what was expected.
    fn parse(&self, text: &str) -> Result<Self::State, Invalid>;
}

/// [`Notation`] without what it asks of the game.
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
    /// A position as text: as debug text if there is no notation.
    pub fn text(written: Option<Written<G>>, game: &G, state: &G::State) -> String {
        match written {
            Some(written) => (written.format)(game, state),
            None => format!("{state:?}"),
        }
    }
}
