//! Foregone solves two-player games of perfect information: it finds the value of a position under
//! perfect play, the distance in plies, and the best moves.
//!
//! It is not for games with chance or hidden information, nor for games of the size of chess: there,
//! an engine that plays well without knowing the truth is what you want.
//!
//! **A game of a known type.** [`games`] has a dozen; positions and moves are types.
//!
//! ```
//! use foregone::{Solve, Value, games::ConnectFour};
//!
//! let analysis = ConnectFour::new(5, 4)?.solve();
//! assert_eq!(analysis.found.map(|found| found.value()), Some(Value(0)));
//! assert_eq!(analysis.best().len(), 3);
//! # Ok::<(), foregone::Invalid>(())
//! ```
//!
//! **A game by its name.** [`Registry`] knows these games and 46 more, which are written as
//! [text]. It takes positions and moves as text.
//!
//! ```
//! use foregone::Registry;
//!
//! let game = Registry::standard().game("fox-and-hounds(size=6)")?;
//! let report = game.solve();
//! assert_eq!((report.value, report.distance), (Some(1), Some(25)));
//! assert_eq!(report.to_move, "fox");
//! # Ok::<(), foregone::Invalid>(())
//! ```
//!
//! **Your own game.** A game is two types and five functions ([`Game`]). [`Strong`] solves every
//! position that can arise in it, also where play can loop.
//!
//! ```
//! use foregone::{Control, Distance, Game, Outcome, Side, Strong, Value, Worth};
//!
//! /// A pile of sticks. Each side takes one to three; the side that takes the last one wins.
//! struct Sticks(u8);
//!
//! impl Game for Sticks {
//!     type State = (u8, Side);
//!     type Move = u8;
//!
//!     fn start(&self) -> (u8, Side) {
//!         (self.0, Side::First)
//!     }
//!     fn turn(&self, (_, side): &(u8, Side)) -> Side {
//!         *side
//!     }
//!     fn outcome(&self, (left, side): &(u8, Side)) -> Option<Outcome> {
//!         (*left == 0).then(|| Outcome::win(side.other()))
//!     }
//!     fn moves(&self, (left, _): &(u8, Side)) -> impl Iterator<Item = u8> {
//!         1..=3.min(*left)
//!     }
//!     fn play(&self, (left, side): &(u8, Side), take: u8) -> (u8, Side) {
//!         (left - take, side.other())
//!     }
//! }
//!
//! let game = Sticks(21);
//! let solution = Strong::solve(&game, &Control::default()).unwrap();
//! // 21 is not a multiple of four, so the first player wins.
//! let worth = Worth::new(Value(1), Distance::Plies(11));
//! assert_eq!(solution.worth(&game.start()), Some(worth));
//! ```
//!
//! **A table and its check.** A table holds the value and the distance of every position. The rules
//! alone are enough to check it.
//!
//! ```
//! use foregone::record::Table;
//! use foregone::{Control, Registry, check::Effort, tables::Plan};
//!
//! let game = Registry::standard().game("nim(heaps=3-4-5)").unwrap();
//! let tables = game.tables().expect("nim numbers its positions");
//! let file = std::env::temp_dir().join(format!("nim-{}.table", std::process::id()));
//! tables.build(&file, &Plan::new(tables.usual()), &Control::default(), &mut |_, _| {}).unwrap();
//! let table = Table::open(&file).unwrap();
//! assert!(tables.verify(&table, Effort::default(), &|_| true).unwrap().is_right());
//! # std::fs::remove_file(&file).unwrap();
//! ```
//!
//! A game can [declare](Declared) more than its rules, and all of this gets faster or prettier:
//!
//! - [`Search`] is minimax, negamax and alpha-beta, to the end or to a depth.
//! - [`Exact`] finds values, without distances, many times faster.
//! - [`Tree`] is the game tree of the textbooks, expanded on demand.
//! - [`Solver`] picks a method and gives an [`Analysis`]; [`Player`] plays.
//! - [`reference`](mod@reference) is the plain solver that all others are tested against.
//! - The [`kit`] has the parts of board games.
//!
//! **Features.** `make`: tables and proofs can be made and checked, not only read.
//!
//! **Errors.** [`Invalid`]: a text is not what was expected; it says what was. [`Halted`]: a limit of a [`Control`] was
//! reached, or the work was stopped; what was found so far is right.
//!
//! The folder `examples` has complete programs. The crate `foregone-cli` is the command `foregone`;
//! a program that calls its function `run` gets that command for its own games.

/// The README's example, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod any;
pub mod book;
mod chance;
mod checks;
pub mod control;
pub mod dataset;
mod declared;
pub mod exact;
mod found;
mod large;
mod loops;
mod monte_carlo;
mod moves;
mod play;
pub mod prove;
pub mod reference;
mod remembered;
pub mod search;
pub mod solver;
pub mod strong;
mod subject;
pub mod survey;
pub mod tables;
pub mod tree;
mod twin;

pub use any::{AnyGame, Registry, Report, Session, TextError, TreeReport, TreeRequest, text_game};
pub use control::{Control, Halted, Progress};
pub use declared::Declared;
pub use exact::Exact;
pub use foregone_check as check;
pub use foregone_record as record;
#[doc(hidden)]
pub use foregone_rules::sort;
pub use foregone_rules::{
    About, Args, Conform, Distance, Family, Game, Invalid, Outcome, Parameter, Side, Value, Worth,
    conform, declare, family, game, games, kit, promise, sample, show,
};
pub use foregone_text as text;
pub use found::{Estimate, Found};
pub use monte_carlo::{Chance, Chances};
pub use play::{Choice, Player};
pub use search::{Algorithm, Search, Seen, walk};
pub use solver::{Analysis, Method, Request, Solve, Solver};
pub use strong::{Graph, Map, Strong};
pub use tree::Tree;
pub use twin::Twin;
