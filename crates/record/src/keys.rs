//! Tables of games that do not number their positions: these are listed, and the number of a position
//! is the place of its key among all keys in order.
//!
//! Keys stand in blocks of [`KEYS`]: each the differences from one key to the next (the first from 0),
//! seven bits a byte, low ones first, the highest bit set where more follow; compressed. After the
//! blocks stand their entries: where the block ends, its checksum, its first key.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::format::{Broken, checksum};

/// How many keys a block has, but for the last.
pub const KEYS: u64 = 2048;

/// The bytes of a block's entry.
pub const KEY_ENTRY: usize = 32;

/// Stands in checksums for the number of a layer.
const SEED: u32 = u32::MAX;

/// The most bytes that a key takes.
const LONGEST_KEY: usize = 19;

/// Where the keys are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyContents {
    /// Where their blocks begin, counted from the file's beginning.
    pub offset: u64,
    /// How many bytes the blocks have; the entries follow.
    pub bytes: u64,
    /// The checksum of the entries.
    pub entries: u64,
}

/// Writes keys in order, and tells where they are, counted from the first byte written.
pub(crate) fn write(
    out: &mut impl Write,
    mut keys: impl Iterator<Item = u128>,
    effort: i32,
) -> io::Result<KeyContents> {
    let mut contents = KeyContents { offset: 0, bytes: 0, entries: 0 };
    let mut compressor = zstd::bulk::Compressor::new(effort)?;
    let (mut plain, mut entries, mut sum) = (Vec::new(), Vec::new(), Xxh3::new());
    for block in 0.. {
        let Some(first) = keys.next() else { break };
        plain.clear();
        let mut before = 0;
        for key in std::iter::once(first).chain(keys.by_ref().take(KEYS as usize - 1)) {
            let mut rest = key - before;
            while rest > 127 {
                plain.push(rest as u8 | 128);
                rest >>= 7;
            }
            plain.push(rest as u8);
            before = key;
        }
        let packed = compressor.compress(&plain)?;
        out.write_all(&packed)?;
        contents.bytes += packed.len() as u64;
        let start = entries.len();
        entries.extend(contents.bytes.to_le_bytes());
        entries.extend(checksum(&packed, SEED, block).to_le_bytes());
        entries.extend(first.to_le_bytes());
        sum.update(&entries[start..]);
    }
    contents.entries = sum.digest();
    out.write_all(&entries)?;
    Ok(contents)
}

/// The keys of a table, looked up block by block.
#[derive(Default)]
pub(crate) struct Keys {
    entries: OnceLock<Vec<Entry>>,
    /// The block that was read last.
    kept: Mutex<Option<(u64, Arc<Vec<u128>>)>>,
}

struct Entry {
    end: u64,
    sum: u64,
    first: u128,
}

fn damaged(what: &str) -> Broken {
    Broken::Damaged(format!("its list of positions {what}"))
}

impl Keys {
    /// How many blocks so many keys have.
    pub fn blocks(count: u64) -> u64 {
        count.div_ceil(KEYS)
    }

    /// The entries; `read` gives bytes by offset, from the first block on, and length.
    fn entries(
        &self,
        contents: &KeyContents,
        count: u64,
        read: &impl Fn(u64, u64) -> Result<Vec<u8>, Broken>,
    ) -> Result<&[Entry], Broken> {
        if let Some(entries) = self.entries.get() {
            return Ok(entries);
        }
        let bytes = read(contents.bytes, Keys::blocks(count) * KEY_ENTRY as u64)?;
        if xxh3_64(&bytes) != contents.entries {
            return Err(damaged("has other entries than it had"));
        }
        let entry = |bytes: &[u8; KEY_ENTRY]| {
            let (mut end, mut sum, mut first) = ([0; 8], [0; 8], [0; 16]);
            end.copy_from_slice(&bytes[..8]);
            sum.copy_from_slice(&bytes[8..16]);
            first.copy_from_slice(&bytes[16..]);
            Entry {
                end: u64::from_le_bytes(end),
                sum: u64::from_le_bytes(sum),
                first: u128::from_le_bytes(first),
            }
        };
        let entries = bytes.as_chunks().0.iter().map(entry).collect();
        Ok(self.entries.get_or_init(|| entries))
    }

    /// The keys of a block.
    pub fn block(
        &self,
        contents: &KeyContents,
        count: u64,
        block: u64,
        read: &impl Fn(u64, u64) -> Result<Vec<u8>, Broken>,
    ) -> Result<Arc<Vec<u128>>, Broken> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((number, keys)) = kept
            && number == block
        {
            return Ok(keys);
        }
        let entries = self.entries(contents, count, read)?;
        let entry = entries.get(block as usize).ok_or_else(|| damaged("has too few blocks"))?;
        let begin = match block.checked_sub(1).and_then(|before| entries.get(before as usize)) {
            Some(before) => before.end,
            None => 0,
        };
        let here = (count - block * KEYS).min(KEYS) as usize;
        let longest = here * LONGEST_KEY;
        let most = zstd::zstd_safe::compress_bound(longest) as u64;
        if begin > entry.end || entry.end > contents.bytes || entry.end - begin > most {
            return Err(damaged("has an entry that cannot be"));
        }
        let packed = read(begin, entry.end - begin)?;
        if checksum(&packed, SEED, block) != entry.sum {
            return Err(damaged("has another checksum than it had"));
        }
        let plain = zstd::bulk::decompress(&packed, longest);
        let plain = plain.map_err(|_| damaged("cannot be unpacked"))?;
        let keys = Arc::new(differences(&plain, here).ok_or_else(|| damaged("is out of order"))?);
        if keys.first() != Some(&entry.first) {
            return Err(damaged("has an entry that cannot be"));
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some((block, keys.clone()));
        Ok(keys)
    }

    /// The place of a key among all.
    pub fn find(
        &self,
        contents: &KeyContents,
        count: u64,
        key: u128,
        read: &impl Fn(u64, u64) -> Result<Vec<u8>, Broken>,
    ) -> Result<Option<u64>, Broken> {
        let entries = self.entries(contents, count, read)?;
        let after = entries.partition_point(|entry| entry.first <= key) as u64;
        let Some(block) = after.checked_sub(1) else { return Ok(None) };
        let keys = self.block(contents, count, block, read)?;
        Ok(keys.binary_search(&key).ok().map(|at| block * KEYS + at as u64))
    }
}

/// So many keys of their differences; nothing where they do not rise, or are more or fewer.
fn differences(plain: &[u8], count: usize) -> Option<Vec<u128>> {
    let mut keys: Vec<u128> = Vec::with_capacity(count);
    let (mut rest, mut shift) = (0u128, 0);
    for byte in plain {
        let part = u128::from(byte & 127);
        let shifted = part.checked_shl(shift).filter(|shifted| shifted >> shift == part)?;
        rest |= shifted;
        shift += 7;
        if byte & 128 != 0 {
            continue;
        }
        let key = match keys.last() {
            Some(_) if rest == 0 => return None,
            Some(before) => before.checked_add(rest)?,
            None => rest,
        };
        keys.push(key);
        (rest, shift) = (0, 0);
    }
    (keys.len() == count && shift == 0).then_some(keys)
}
