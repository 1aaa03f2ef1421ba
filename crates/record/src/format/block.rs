//! Blocks of cells. The cells of a layer are split into blocks, each compressed separately, so that
//! finding one position reads one block.

use super::checksum::Checksum;
use super::manifest::LayerPart;
use super::records::record;
use crate::error::{Error, damaged};

/// The bytes of cells in a block, before compression; the last block of a layer may have fewer.
pub const BLOCK: usize = 16 << 10;

record! {
    /// The entry of a block in a file.
    pub struct BlockEntry {
        /// The end of the compressed block, as an offset from the first block.
        pub end: u64,
        /// The checksum of the compressed block.
        pub checksum: u64,
    }
}

/// Encodes a block of cells as bytes, without compression.
pub fn plain(cells: &[u16], width: u8, bytes: &mut Vec<u8>) {
    bytes.clear();
    match width {
        1 => bytes.extend(cells.iter().map(|cell| *cell as u8)),
        _ => bytes.extend(cells.iter().flat_map(|cell| cell.to_le_bytes())),
    }
}

/// Reads the cells of a block of a layer; `read` reads bytes of the layer by offset and length.
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
    // The previous entry has the begin of the block.
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
        true => Err(wrong("has a cell that is not in the list of worths")),
        false => Ok(cells),
    }
}

/// Decompresses a block to at most `size` bytes; `None` if it is not exactly one such zstd frame.
pub(super) fn unpacked(packed: &[u8], size: usize) -> Option<Vec<u8>> {
    // Each content has only one form: skippable frames, or several frames, are refused.
    let one = zstd::zstd_safe::find_frame_compressed_size(packed) == Ok(packed.len());
    zstd::bulk::decompress(packed, size).ok().filter(|_| one)
}

/// The length of a compressed block from `begin` to `end`; `None` if it is outside all blocks, or
/// longer than compression ever makes `size` bytes.
pub(super) fn between(begin: u64, end: u64, all: u64, size: usize) -> Option<u64> {
    let longest = zstd::zstd_safe::compress_bound(size) as u64;
    let length = end.checked_sub(begin)?;
    (end <= all && length <= longest).then_some(length)
}
