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

pub mod conform;
pub mod family;
pub mod game;
pub mod games;
pub mod kit;
pub mod promise;
pub mod sample;
pub mod show;

pub use conform::Conform;
pub use family::{About, Args, Family, Invalid, Kind, Parameter};
pub use game::{Distance, Game, Outcome, Side, Value, Verdict, Worth};
pub use promise::{
    Acyclic, Band, BandMove, Banded, Bank, Banked, Block, Candidates, Encode, Evaluate, Indexed,
    Loose, Measure, Merged, NoBank, Notation, Order, Picture, Places, PointBank, SearchHints,
    Symmetry, Written,
};
pub use show::{Area, Cell, Drawing, Grid, Ink, Scene, Shape};
