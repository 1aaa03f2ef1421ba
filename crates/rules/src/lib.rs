//! What a two-player game of perfect information is, what it may promise, and the games that
//! Foregone comes with.
//!
//! This crate is the part that has to be trusted: it knows nothing of solvers, depends on nothing
//! and holds no unsafe code. A game is a value of a type that implements [`Game`]: two types and
//! five functions. Everything else that a game can offer ([`promise`]) makes solving it faster or
//! reading it nicer, and never decides an answer; [`Conform`] holds each promise against the plain
//! rules.
//!
//! ```
//! use foregone_rules::{Game, Side, games::Mnk};
//!
//! let game = Mnk::tic_tac_toe();
//! let start = game.start();
//! assert_eq!(game.turn(&start), Side::First);
//! assert_eq!(game.moves(&start).count(), 9);
//! ```

pub mod bands;
mod bits;
pub mod conform;
pub mod drawing;
pub mod family;
pub mod game;
pub mod games;
pub mod promise;
pub mod sample;
pub mod scene;

pub use bands::{Band, BandMove, Banded, Block, Loose, Places};
pub use conform::Conform;
pub use drawing::{Cell, Drawing, Grid};
pub use family::{About, Args, Family, Invalid, Kind, Parameter};
pub use game::{Distance, Game, Outcome, Side, Value, Verdict, Worth};
pub use promise::{
    Acyclic, Bank, Banked, Candidates, Encode, Evaluate, Indexed, Merged, NoBank, Notation, Order,
    Picture, PointBank, SearchHints, Symmetry, Written,
};
pub use scene::{Area, Ink, Scene, Shape};
