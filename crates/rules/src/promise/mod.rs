//! What a game can say of itself beyond its rules, one trait a promise.
//!
//! A promise makes solving faster or output nicer, and never decides an answer: a solver that uses
//! one must give what it would give without it. Each is held against the plain rules by
//! [`Conform`](crate::Conform), in the test of every game that makes it.
//!
//! A promise may depend on a game's parameters: then [`Acyclic::is_acyclic`] and its like say whether
//! this very variant makes it.

mod acyclic;
mod bands;
mod banked;
mod declare;
mod encode;
mod indexed;
mod notation;
mod picture;
mod search;
mod symmetry;

pub use acyclic::{Acyclic, Measure};
pub use bands::{Band, BandMove, Banded, Block, Loose, Places};
pub use banked::{Bank, Banked, NoBank, PointBank};
#[doc(hidden)]
pub use declare::{Asked, NotPromised, tell};
pub use declare::{Declare, Promises};
pub use encode::{Encode, Merged};
pub use indexed::Indexed;
pub use notation::{Notation, Written};
pub use picture::Picture;
pub use search::{Candidates, Evaluate, Order, SearchHints};
pub use symmetry::Symmetry;
