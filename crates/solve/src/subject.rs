//! What an engine for tables or proofs is given.

use foregone_record::GameId;
use foregone_rules::{Game, Measure};

/// The input of an engine: a game, how files name it, and its measure of progress if play cannot
/// loop.
pub(crate) struct Subject<'a, G: Game> {
    pub game: &'a G,
    pub id: GameId<'a>,
    pub measure: Option<Measure<G>>,
}

impl<G: Game> Clone for Subject<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Subject<'_, G> {}

impl<G: Game> Subject<'_, G> {
    /// Whether play cannot repeat a position.
    pub fn is_acyclic(&self) -> bool {
        self.measure.is_some()
    }
}
