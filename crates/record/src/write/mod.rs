//! A crash-safe writer. Each finished layer is a separate file in a folder beside the table; at the
//! end the table is assembled from them. Every file is written under another name, synced and
//! renamed.
//!
//! The written bytes depend on the game alone, not on time, interruptions, or the number of
//! threads.

mod aside;
mod parts;
mod shard;
mod share;
mod table;
mod target;

pub use self::aside::aside;
pub use self::parts::{OpenLayer, Parts};
pub use self::shard::{Coding, OpenShard, PackedFrame, Shard, ShardWriter};
pub use self::share::{Arriving, Packed, Packer, Sealed};
pub use self::table::TableWriter;
pub use self::target::{Target, tidied, unfinished};

/// The zstd compression level: higher levels take longer and save little.
const EFFORT: i32 = 3;

/// The program name in manifests.
const PROGRAM: &str = concat!("foregone ", env!("CARGO_PKG_VERSION"));
