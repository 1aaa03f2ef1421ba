//! What an engine for tables or proofs is given.

use std::io::{self, ErrorKind};

use foregone_record::{Error, GameId};
use foregone_rules::{Game, Measure, Written};

/// An error if tables, proofs and checkpoints can only be read here: making and checking them is a sixth of the program,
/// which the compiler leaves out behind this.
#[inline(always)]
pub(crate) fn makes() -> Result<(), Error> {
    let why = "this program only reads tables and proofs, and makes none: it was built without the feature `make`";
    if cfg!(feature = "make") {
        Ok(())
    } else {
        Err(io::Error::new(ErrorKind::Unsupported, why).into())
    }
}

/// The input of an engine: a game, how files name it, its measure of progress if play cannot loop, and
/// its notation for messages.
pub struct Subject<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// How files name it.
    pub id: GameId<'a>,
    /// Its measure of progress; `None` if play can loop.
    pub measure: Option<Measure<G>>,
    /// Its notation; `None` if it has none.
    pub written: Option<Written<G>>,
}

impl<G: Game> Clone for Subject<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Subject<'_, G> {}

impl<'a, G: Game> Subject<'a, G> {
    /// A game in which play can loop, without a notation.
    pub fn new(game: &'a G, id: impl Into<GameId<'a>>) -> Subject<'a, G> {
        Subject { game, id: id.into(), measure: None, written: None }
    }

    /// With a measure of progress.
    pub fn with_measure(self, measure: Option<Measure<G>>) -> Subject<'a, G> {
        Subject { measure, ..self }
    }

    /// Whether play cannot repeat a position.
    pub fn is_acyclic(&self) -> bool {
        self.measure.is_some()
    }

    /// A position as text: its debug text if there is no notation.
    pub fn position(&self, state: &G::State) -> String {
        Written::text(self.written, self.game, state)
    }
}

/// A game from text is not played as its text says.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Misplayed(pub(crate) String);
