//! Tables and proofs on disk: the format, a reader and, with the feature `write`, a crash-safe writer.
//!
//! This crate depends on the rules of games and on no solver. Do not trust the content of a file:
//! `foregone-check` derives it again. `docs/format.md` describes the format.

#[cfg(feature = "write")]
pub mod disk;
mod error;
pub mod format;
mod key_map;
pub mod proof;
pub mod read;
mod source;
pub mod threads;
pub mod words;
#[cfg(feature = "write")]
pub mod write;

pub use error::Error;
pub use format::{GameId, Listed, Manifest, Values};
pub use key_map::KeyMap;
pub use read::{Source, Table};
#[cfg(feature = "write")]
pub use write::TableWriter;
