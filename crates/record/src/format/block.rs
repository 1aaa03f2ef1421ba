//! Blocks of cells: a layer's cells are cut into blocks, each compressed by itself, so that one
//! position is found by reading one block.

use super::checksum::Checksum;
use super::manifest::LayerPart;
use super::records::record;
use crate::error::{Error, damaged};

/// How many bytes of cells a block has, before compression; the last of a layer may have fewer.
pub const BLOCK: usize = 16 << 10;

record! {
    /// What stands in a file for each block.
    pub struct BlockEntry {
        /// Where the compressed block ends, counted from the first block.
        pub end: u64,
        /// The checksum of the compressed block.
        pub checksum: u64,
    }
}

/// A block of cells as bytes, not compressed.
pub fn plain(cells: &[u16], width: u8, bytes: &mut Vec<u8>) {
    bytes.clear();
    match width {
        1 => bytes.extend(cells.iter().map(|cell| *cell as u8)),
        _ => bytes.extend(cells.iter().flat_map(|cell| cell.to_le_bytes())),
    }
}

/// The cells of a block of a layer; `read` gets bytes of the layer by offset and length.
///
/// # Errors
/// If they cannot be read or are damaged.
pub fn cells(
    part: &LayerPart,
    layer: u32,
    block: u64,
    mut read: impl FnMut(u64, u64) -> Result<Vec<u8>, Error>,
) -> Result<Vec<u16>, Error> {
    let wrong = |what: &str| damaged(format!("block {block} of layer {layer} {what}"));
    // The entry before tells where the block begins.
    let first = block.saturating_sub(1);
    let entry = BlockEntry::SIZE as u64;
    let entries = read(part.bytes + first * entry, (block - first + 1) * entry)?;
    let mut entries = BlockEntry::decode_all(&entries);
    let begin = if block == 0 { 0 } else { entries.next().map_or(0, |before| before.end) };
    let BlockEntry { end, checksum } = entries.next().ok_or_else(|| wrong("has no entry"))?;
    let count = part.cells().min(part.size - block * part.cells());
    let size = count as usize * usize::from(part.width);
    let packed = between(begin, end, part.bytes, size).ok_or_else(|| wrong("has a wrong entry"))?;
    let packed = read(begin, packed)?;
    if Checksum::of_block(&packed, layer, block) != checksum {
        return Err(wrong("does not match its checksum"));
    }
    let bytes = unpacked(&packed, size).ok_or_else(|| wrong("cannot be unpacked"))?;
    if bytes.len() != size {
        return Err(wrong("has a wrong length"));
    }
    let cells: Vec<u16> = match part.width {
        1 => bytes.into_iter().map(u16::from).collect(),
        _ => bytes.as_chunks().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect(),
    };
    match cells.iter().any(|cell| usize::from(*cell) > part.worths.len()) {
        true => Err(wrong("has a cell without a meaning")),
        false => Ok(cells),
    }
}

/// The bytes that a block unpacks to, at most `size`; `None` if it is not one zstd frame that does.
pub(super) fn unpacked(packed: &[u8], size: usize) -> Option<Vec<u8>> {
    // The same content has one form: frames that are skipped, or several, are refused.
    let one = zstd::zstd_safe::find_frame_compressed_size(packed) == Ok(packed.len());
    zstd::bulk::decompress(packed, size).ok().filter(|_| one)
}

/// How many bytes a compressed block has that lies from `begin` to `end`, if it can: within all blocks,
/// and no longer than compression ever makes `size` bytes.
pub(super) fn between(begin: u64, end: u64, all: u64, size: usize) -> Option<u64> {
    let longest = zstd::zstd_safe::compress_bound(size) as u64;
    let length = end.checked_sub(begin)?;
    (end <= all && length <= longest).then_some(length)
}
