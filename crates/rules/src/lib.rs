//! The interface of a two-player game of perfect information, its optional promises, and the
//! built-in games.
//!
//! This crate must be trusted, so it is small: it has no solver, no dependencies and no unsafe
//! code. A game is a value of a type that implements [`Game`]: two types and five functions.
//! Everything else is optional ([`promise`]): it makes solving faster or output more readable, but
//! never decides an answer. [`Conform`] tests each promise against the plain rules.
//!
//! ```
//! use foregone_rules::{Game, Side, games::Mnk};
//!
//! let game = Mnk::tic_tac_toe();
//! let start = game.start();
//! assert_eq!(game.turn(&start), Side::First);
//! assert_eq!(game.moves(&start).count(), 9);
//! ```

pub mod conform;
pub mod family;
pub mod game;
pub mod games;
pub mod kit;
pub mod promise;
pub mod sample;
pub mod show;
#[doc(hidden)]
pub mod sort;

pub use conform::Conform;
pub use family::{
    About, Args, Facts, Family, Group, Invalid, Kind, Parameter, Setting, Valid, printable,
};
pub use game::{Distance, Game, Outcome, Side, Value, Verdict, Worth};
pub use promise::{
    Actions, Acyclic, Band, BandMove, Banded, Bank, Banked, Block, Candidates, Encode, Evaluate,
    Finer, Indexed, Line, Loose, Measure, Merged, NoBank, Notation, Order, Picture, Places,
    PliesLeft, PointBank, SearchHints, Split, Symmetry, Target, Way, Written,
};
pub use show::{Area, Cell, Drawing, Grid, Ink, Scene, Shape};
