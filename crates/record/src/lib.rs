//! Tables of every position of a game: how they lie on disk, how they are written so that nothing
//! half-written is taken for whole, how they are read, and how they are checked.
//!
//! This crate sees the rules of games and no solver: what it accepts need not be believed, it can
//! be derived again ([`verify`](mod@verify)). `docs/format.md` tells of the format in words.

pub mod format;
pub mod keys;
mod notes;
pub mod proof;
pub mod table;
pub mod verify;
pub mod words;
pub mod write;

pub use format::{Broken, Values, fingerprint};
pub use notes::Notes;
pub use table::{Source, Table};
pub use verify::{Effort, verify, verify_listed};
pub use write::{Building, Layer};
