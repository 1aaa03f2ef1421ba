//! Blocks of cells. The cells of a layer are split into blocks, each compressed separately, so that
//! finding one position reads one block.

use super::records::record;

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

record! {
    /// The entry of a block in a share of a layer.
    pub struct ShareEntry {
        /// The number of the block.
        pub block: u64,
        /// The end of the compressed block, as an offset from the first block of the share.
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

/// Decompresses a block to at most `size` bytes; `None` if it is not exactly one such zstd frame.
pub(crate) fn unpacked(packed: &[u8], size: usize) -> Option<Vec<u8>> {
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
