//! Checksums: XXH3 with 64 bits (Yann Collet). The manifest has them as 16 hexadecimal digits,
//! because many JSON readers keep only 53 bits of a number.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64, xxh3_64_with_seed};

/// A checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checksum(pub u64);

impl Checksum {
    /// The checksum of bytes.
    pub fn of(bytes: &[u8]) -> Checksum {
        Checksum(xxh3_64(bytes))
    }

    /// The checksum of bytes that come in parts.
    ///
    /// # Errors
    /// The first error among the parts.
    pub fn of_parts<E>(parts: impl Iterator<Item = Result<Vec<u8>, E>>) -> Result<Checksum, E> {
        let mut all = Xxh3Default::new();
        for part in parts {
            all.update(&part?);
        }
        Ok(Checksum(all.digest()))
    }

    /// The checksum of a compressed block, which includes the block's layer and number.
    pub fn of_block(bytes: &[u8], layer: u32, block: u64) -> u64 {
        xxh3_64_with_seed(bytes, block << 16 ^ u64::from(layer))
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for Checksum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Checksum {
    /// Accepts only lower-case digits, so that each checksum has only one form.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Checksum, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let number = u64::from_str_radix(&text, 16).ok();
        let number = number.filter(|_| text.len() == 16 && text.bytes().all(digit));
        number.map(Checksum).ok_or_else(|| D::Error::custom("expected 16 hexadecimal digits"))
    }
}
