//! The file format, without input and output: see `docs/format.md`.
//!
//! ```text
//! head      64 bytes: magic, version, where the manifest is, how long it is, its checksum
//! layers    each: its blocks, then an entry for every block
//! keys      if positions are listed: their blocks, then an entry for every block
//! manifest  JSON: the game, a fingerprint of its rules, the layers and what their cells mean
//! ```
//!
//! The cell of a position is the place of its worth in the layer's list of worths, from 1; 0 is for
//! a number without a position.

pub mod block;
pub mod checksum;
pub mod fingerprint;
pub mod head;
pub mod keys;
pub mod layer;
pub mod manifest;
pub(crate) mod proof;
mod records;

pub use fingerprint::{fingerprint, fingerprint_keyed};
pub use head::Head;
pub use layer::LayerPart;
pub use manifest::{GameId, KeysPart, Listed, Manifest, Values};

/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 2;

/// The longest manifest that is written or read, in bytes; in memory it takes at worst about thirty
/// times as many.
pub const LONGEST_MANIFEST: u64 = 1 << 20;
