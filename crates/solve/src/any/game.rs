//! The interface of a game for front ends: text in, text out.

use std::path::Path;

use foregone_record::{Error, GameId, Table};
use foregone_rules::family::{Facts, Invalid};

use super::report::Report;
use super::session::Session;
use super::tables::AnyTables;
use crate::book::{BookPlan, BookSize, Verified};
use crate::control::Control;
use crate::solver::Request;
use crate::tables::Failed;

/// A game of any type, used through text alone.
pub trait AnyGame: Send + Sync {
    /// What is known of the game, or of the family that it belongs to.
    fn about(&self) -> &Facts;

    /// The name for people: that of the family, or of the alias it was requested by.
    fn title(&self) -> &str;

    /// Its name with all parameters; the name alone if it has none.
    fn specification(&self) -> String;

    /// The game as files of results name it: a game from text by its title and its rules.
    fn id(&self) -> GameId<'_>;

    /// The unit of its values; see [`Facts::unit`].
    fn unit(&self) -> &str;

    /// The names of the first and the second player.
    fn sides(&self) -> [&str; 2];

    /// The tables of this game; `None` if it is neither
    /// [`Indexed`](foregone_rules::Indexed) nor, with nothing banked, [`Encode`](foregone_rules::Encode).
    fn tables(&self) -> Option<&dyn AnyTables>;

    /// Whether there is a search for values alone: play cannot loop with these parameters, and the
    /// game has [`SearchHints`](foregone_rules::SearchHints) or can
    /// [`Encode`](foregone_rules::Encode) its positions.
    fn has_value_search(&self) -> bool;

    /// Whether that search can begin with a table in memory of the last positions: the game has
    /// [`SearchHints`](foregone_rules::SearchHints) and is [`Banded`](foregone_rules::Banded).
    fn has_endgame(&self) -> bool;

    /// Makes a [book](crate::book), or resumes an unfinished one. If the game has a
    /// [finer](foregone_rules::promise::Finer) variant, the book is about the finest. A game from text is compared with
    /// its text first.
    ///
    /// # Errors
    /// If the game can have no book, it was stopped (what was found is kept), or the book cannot be written.
    fn build_book(
        &self,
        target: &Path,
        plan: BookPlan,
        control: &Control,
    ) -> Result<BookSize, Failed>;

    /// Solves positions at the horizon of a book again: all, or `sample` of them. All other values are for the
    /// [checker](foregone_check).
    ///
    /// # Errors
    /// If it is no book of this game, or damaged, or it was stopped.
    fn verify_book(
        &self,
        book: &Table,
        sample: Option<usize>,
        threads: usize,
        control: &Control,
    ) -> Result<Verified, Failed>;

    /// Checks that a file is a book of exactly this game or of its finest variant, by its name and its fingerprint.
    ///
    /// # Errors
    /// If it is not.
    fn is_book(&self, book: &Table) -> Result<(), Error>;

    /// Whether a file is a proof about exactly this game. What it proves is not checked: see
    /// [`Session::check`].
    fn is_proof(&self, table: &Table) -> bool;

    /// How many numbers there are for moves; `None` if the game has no [`Actions`](foregone_rules::Actions).
    fn actions(&self) -> Option<usize>;

    /// The largest magnitude of a result; see [`Game::max_value`](foregone_rules::Game::max_value).
    fn max_value(&self) -> i32;

    /// Solves the game from its start, within the limits of [`Control::default`].
    fn solve(&self) -> Report {
        self.session().solve(&Request::default(), &Control::default())
    }

    /// A session at the start.
    fn session(&self) -> Box<dyn Session> {
        self.open(None, "").unwrap_or_else(|error| unreachable!("the start is a position: {error}"))
    }

    /// A session at `position` (`None` for the start), after `moves` from there.
    ///
    /// # Errors
    /// If a text is not a position, or a move is not legal. The error says what was expected.
    fn open(&self, position: Option<&str>, moves: &str) -> Result<Box<dyn Session>, Invalid>;
}
