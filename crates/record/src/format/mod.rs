//! The format of files, without input or output: see `docs/format.md`.
//!
//! ```text
//! head      64 bytes: magic, version, where the manifest is, how long it is, its checksum
//! layers    each: its blocks, then an entry for every block
//! keys      where positions are listed: their blocks, then an entry for every block
//! manifest  JSON: the game, a fingerprint of its rules, the layers and what their cells mean
//! ```
//!
//! A position's cell is the place of its worth in the layer's list of worths, from 1; 0 stands for a
//! number that no position has.

pub mod block;
pub mod checksum;
pub mod fingerprint;
pub mod head;
pub mod keys;
pub mod manifest;
mod records;

pub use fingerprint::{fingerprint, fingerprint_keyed};
pub use head::Head;
pub use manifest::{KeysPart, LayerPart, Manifest, Values};

/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 2;
