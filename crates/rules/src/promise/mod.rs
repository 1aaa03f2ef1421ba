//! Optional facts about a game beyond its rules, one trait a promise.
//!
//! A promise makes solving faster or output more readable, but never decides an answer: a solver
//! must give the same results with it and without it. [`Conform`](crate::Conform) tests each
//! promise against the plain rules, in the test of every game that makes it.
//!
//! A promise may depend on a game's parameters: then methods such as [`Acyclic::is_acyclic`] say
//! whether this variant makes it.

mod actions;
mod acyclic;
mod bands;
mod banked;
mod declare;
mod encode;
mod finer;
mod indexed;
mod notation;
mod picture;
mod search;
mod symmetry;

pub use actions::Actions;
pub use acyclic::{Acyclic, Measure, PliesLeft};
pub use bands::{Band, BandMove, Banded, Block, Line, Loose, Places, Split, Target, Way};
pub use banked::{Bank, Banked, NoBank, PointBank};
pub use declare::{Declare, Promises};
#[doc(hidden)]
pub use declare::{NotPromised, Visit, first, visit};
pub use encode::{Encode, Merged};
pub use finer::Finer;
pub use indexed::Indexed;
pub use notation::{Notation, Written};
pub use picture::Picture;
pub use search::{Candidates, Evaluate, Order, SearchHints};
pub use symmetry::Symmetry;
