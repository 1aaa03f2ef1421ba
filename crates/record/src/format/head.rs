//! The first bytes of a file.

use super::VERSION;
use super::checksum::Checksum;
use super::records::record;
use crate::error::{Error, damaged};

/// The first bytes of every file.
pub const MAGIC: [u8; 8] = *b"FOREGONE";

/// How many bytes the head has; the last are 0.
pub const HEAD: usize = 64;

/// The longest manifest that is written or read, in bytes; in memory it takes some thirty times as many
/// at worst.
pub const LONGEST_MANIFEST: u64 = 1 << 20;

record! {
    /// The head as it lies in the file.
    pub struct Raw {
        /// [`MAGIC`].
        pub magic: u64,
        /// The version of the format.
        pub version: u32,
        /// 0.
        pub zero: u32,
        /// Where the manifest begins.
        pub offset: u64,
        /// How many bytes the manifest has.
        pub length: u64,
        /// The manifest's checksum.
        pub manifest: u64,
    }
}

/// Where the manifest is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Where it begins, counted from the file's beginning.
    pub offset: u64,
    /// How many bytes it has; they end the file.
    pub length: u64,
    /// Its checksum.
    pub checksum: Checksum,
}

impl Head {
    /// The head of a file whose manifest stands at an offset.
    pub fn of(offset: u64, manifest: &[u8]) -> Head {
        Head { offset, length: manifest.len() as u64, checksum: Checksum::of(manifest) }
    }

    /// Its bytes.
    pub fn encode(&self) -> [u8; HEAD] {
        let raw = Raw {
            magic: u64::from_le_bytes(MAGIC),
            version: VERSION,
            zero: 0,
            offset: self.offset,
            length: self.length,
            manifest: self.checksum.0,
        };
        let mut bytes = [0; HEAD];
        bytes[..Raw::SIZE].copy_from_slice(&raw.encode());
        bytes[Raw::SIZE..][..8].copy_from_slice(&Checksum::of(&raw.encode()).0.to_le_bytes());
        bytes
    }

    /// The head that has these bytes.
    ///
    /// # Errors
    /// If these are not the bytes of a head of this version.
    pub fn decode(bytes: &[u8; HEAD]) -> Result<Head, Error> {
        if bytes[..MAGIC.len()] != MAGIC {
            return Err(Error::Magic);
        }
        let mut raw = [0; Raw::SIZE];
        raw.copy_from_slice(&bytes[..Raw::SIZE]);
        let Raw { version, offset, length, manifest, .. } = Raw::decode(&raw);
        if version != VERSION {
            return Err(Error::Version { found: version });
        }
        let head = Head { offset, length, checksum: Checksum(manifest) };
        // Everything that is written is determined: one comparison covers the rest.
        match head.encode() == *bytes {
            true => Ok(head),
            false => Err(damaged("the checksum of its head does not match")),
        }
    }
}
