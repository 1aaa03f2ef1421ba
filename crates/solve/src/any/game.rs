//! A game, behind text.

use foregone_rules::family::{About, Invalid};

use super::session::Session;
use super::tables::AnyTables;

/// A game of which all that is known comes as text.
pub trait AnyGame: Send + Sync {
    /// What people should know of its family.
    fn about(&self) -> &About;

    /// The name that people read: that of the family, or the other name that it was asked for by.
    fn title(&self) -> &'static str;

    /// Its name with all parameters; the name alone if there are none.
    fn specification(&self) -> String;

    /// What its values count; see [`About::unit`].
    fn unit(&self) -> &'static str;

    /// What the first and the second player are called.
    fn sides(&self) -> [&'static str; 2];

    /// What has to do with tables of this game, where it numbers its positions.
    fn tables(&self) -> Option<&dyn AnyTables>;

    /// Whether values alone can be searched for: it promises
    /// [`SearchHints`](foregone_rules::SearchHints), and these parameters keep the promise.
    fn foresees(&self) -> bool;

    /// A session at a position (the start if there is none), after some moves from there.
    ///
    /// # Errors
    /// If a text says no position, or a move is not legal: what was expected.
    fn open(&self, position: Option<&str>, moves: &str) -> Result<Box<dyn Session>, Invalid>;
}
