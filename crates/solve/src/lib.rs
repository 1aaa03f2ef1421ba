//! Foregone solves two-player games of perfect information: what perfect play leads to from a
//! position, in how many plies, and by which moves.
//!
//! A game is a type that implements [`Game`], two types and five functions. Everything works from
//! these alone; what a game promises beyond them ([`Declared`]) makes it faster or prettier.
//!
//! - [`Strong`] solves every position that can arise, loops included.
//! - [`Search`] is minimax, negamax and alpha-beta, to the end or to a depth.
//! - [`Exact`] finds values, without distances, many times faster: for games with [`SearchHints`].
//! - [`Tree`] is the game tree of the textbooks, unfolded as it is looked at.
//! - [`Solver`] picks a method and gives an [`Analysis`]; [`Player`] plays.
//! - [`Registry`] knows games by name and puts each behind text ([`AnyGame`], [`Session`]).
//! - [`reference`](mod@reference) is the plain solver that all others are held against.
//!
//! The README has a whole game of one's own, with the command line that it gets for it
//! (`foregone_app::run`).

pub mod any;
pub mod control;
mod declared;
pub mod exact;
mod found;
mod moves;
mod play;
pub mod prove;
pub mod reference;
pub mod search;
pub mod solver;
pub mod strong;
pub mod tables;
pub mod tree;

pub use any::{AnyGame, Registry, Report, Session, TreeReport, TreeRequest};
pub use control::{Control, Halted, Progress};
pub use declared::Declared;
pub use exact::Exact;
pub use foregone_check as check;
pub use foregone_record as record;
pub use foregone_rules::*;
pub use found::{Estimate, Found};
pub use play::{Choice, Player};
pub use search::{Algorithm, Search, Seen, walk};
pub use solver::{Analysis, Method, Request, Solver};
pub use strong::Strong;
pub use tree::Tree;
