//! Keys. If a game does not number its positions, the file lists their keys in order, and the
//! number of a position is the place of its key.
//!
//! A block has the first key, then the differences between adjacent keys, each as a variable-length
//! number (LEB128). Each block is compressed separately.

use foregone_rules::{Encode, Merged};

use super::block::{between, unpacked};
use super::checksum::Checksum;
use super::records::record;
use crate::error::{Error, damaged};

/// The number of keys in a block; the last block may have fewer.
pub const KEYS: u64 = 2048;

/// In place of the layer number in the checksums of blocks of keys.
pub const KEYS_LAYER: u32 = u32::MAX;

/// The longest encoding of a key, in bytes.
const LONGEST_KEY: usize = 19;

record! {
    /// The entry of a block of keys in a file.
    pub struct KeyBlockEntry {
        /// The end of the compressed block, as an offset from the first block.
        pub end: u64,
        /// The checksum of the compressed block.
        pub checksum: u64,
        /// The first key of the block.
        pub first: u128,
    }
}

/// The key of a position in a file.
pub fn key_of<G: Encode>(game: &G, state: &G::State) -> u128 {
    game.encode(&Merged::of(game, state).state)
}

/// The number of blocks for `count` keys.
pub const fn blocks(count: u64) -> u64 {
    count.div_ceil(KEYS)
}

/// Encodes a block of rising keys as bytes, without compression.
pub fn plain(keys: impl IntoIterator<Item = u128>, bytes: &mut Vec<u8>) {
    bytes.clear();
    let (mut buffer, mut before) = (unsigned_varint::encode::u128_buffer(), 0);
    for key in keys {
        bytes.extend_from_slice(unsigned_varint::encode::u128(key - before, &mut buffer));
        before = key;
    }
}

/// Reads the `count` keys of a block from its offset and entry; `all` is the length of all blocks
/// in bytes. `read` reads bytes by offset and length.
///
/// # Errors
/// If they cannot be read or are damaged.
pub fn keys(
    (block, count): (u64, usize),
    (begin, entry): (u64, KeyBlockEntry),
    all: u64,
    read: impl FnOnce(u64, u64) -> Result<Vec<u8>, Error>,
) -> Result<Vec<u128>, Error> {
    let wrong = |what: &str| damaged(format!("block {block} of its keys {what}"));
    let size = count * LONGEST_KEY;
    let length = between(begin, entry.end, all, size).ok_or_else(|| wrong("has a wrong entry"))?;
    let packed = read(begin, length)?;
    if Checksum::of_block(&packed, KEYS_LAYER, block) != entry.checksum {
        return Err(wrong("does not match its checksum"));
    }
    let bytes = unpacked(&packed, size).ok_or_else(|| wrong("cannot be unpacked"))?;
    let keys = rising(&bytes, count).ok_or_else(|| wrong("is out of order"))?;
    match keys.first() == Some(&entry.first) {
        true => Ok(keys),
        false => Err(wrong("has a wrong entry")),
    }
}

/// Decodes `count` keys from their differences; `None` if they do not rise, or their count is
/// another.
fn rising(mut bytes: &[u8], count: usize) -> Option<Vec<u128>> {
    let mut keys: Vec<u128> = Vec::with_capacity(count);
    while !bytes.is_empty() {
        let (more, rest) = unsigned_varint::decode::u128(bytes).ok()?;
        let key = match keys.last() {
            Some(_) if more == 0 => return None,
            Some(before) => before.checked_add(more)?,
            None => more,
        };
        keys.push(key);
        bytes = rest;
    }
    (keys.len() == count).then_some(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back_and_nothing_else_does() {
        let keys = [0, 1, 127, 128, 1 << 64, u128::MAX - 1, u128::MAX];
        let mut bytes = Vec::new();
        plain(keys, &mut bytes);
        assert_eq!(rising(&bytes, keys.len()), Some(keys.to_vec()));
        for cut in 0..bytes.len() {
            assert_eq!(rising(&bytes[..cut], keys.len()), None, "cut to {cut}");
        }
        assert_eq!(rising(&bytes, keys.len() + 1), None);
        assert_eq!(rising(&[5, 0], 2), None, "a key twice");
        assert_eq!(rising(&[0x85, 0], 1), None, "a number in more bytes than it needs");
        bytes.push(1);
        assert_eq!(rising(&bytes, keys.len() + 1), None, "beyond the largest key");
        assert_eq!(rising(&[], 0), Some(Vec::new()));
        plain([u128::MAX], &mut bytes);
        assert_eq!(bytes.len(), LONGEST_KEY);
    }
}
