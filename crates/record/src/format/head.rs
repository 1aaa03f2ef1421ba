//! The head of a file.

use super::VERSION;
use super::checksum::Checksum;
use super::records::record;
use crate::error::{Error, damaged};

/// The first bytes of every file.
pub const MAGIC: [u8; 8] = *b"FOREGONE";

/// The length of the head in bytes; the last bytes are 0.
pub const HEAD: usize = 64;

record! {
    /// The head as stored in the file.
    pub struct Raw {
        /// [`MAGIC`].
        pub magic: u64,
        /// The version of the format.
        pub version: u32,
        /// 0.
        pub zero: u32,
        /// The offset of the manifest.
        pub offset: u64,
        /// The length of the manifest in bytes.
        pub length: u64,
        /// The manifest's checksum.
        pub manifest: u64,
    }
}

/// The place of the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its offset in the file.
    pub offset: u64,
    /// Its length in bytes; the file ends with it.
    pub length: u64,
    /// Its checksum.
    pub checksum: Checksum,
}

impl Head {
    /// The head of a file whose manifest is at `offset`.
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

    /// Decodes a head.
    ///
    /// # Errors
    /// If the bytes are not a head of this version.
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
        // The head determines all its bytes, so one comparison checks the rest.
        match head.encode() == *bytes {
            true => Ok(head),
            false => Err(damaged("the checksum of its head does not match")),
        }
    }
}
