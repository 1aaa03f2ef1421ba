//! A layer of a table: the place of its cells, and their meaning.

use std::ops::Range;

use foregone_rules::{Distance, Value, Worth};
use serde::{Deserialize, Serialize};

use super::block::{BLOCK, BlockEntry, between, unpacked};
use super::checksum::Checksum;
use crate::error::{Error, damaged};

/// A layer of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerPart {
    /// The count of numbers.
    pub size: u64,
    /// The count of numbers that have a position.
    pub positions: u64,
    /// The bytes of a cell: 1 or 2.
    pub width: u8,
    /// The offset of its blocks in the file.
    pub offset: u64,
    /// The length of its blocks in bytes; their entries follow.
    pub bytes: u64,
    /// The checksum of the entries.
    pub entries: Checksum,
    /// The meaning of the cells from 1 on: a value for the side to move, and plies; null for play
    /// without end. Sorted by value, then by plies.
    pub worths: Vec<(i32, Option<u32>)>,
}

impl LayerPart {
    /// The number of cells in a block.
    pub fn cells(&self) -> u64 {
        BLOCK as u64 / u64::from(self.width.max(1))
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.size.div_ceil(self.cells())
    }

    /// The length of the entries of all blocks, in bytes.
    pub fn entries_bytes(&self) -> u64 {
        self.blocks() * BlockEntry::SIZE as u64
    }

    /// The worths of the cells from 1 on.
    pub fn worths(&self) -> Vec<Worth> {
        self.worths.iter().map(|worth| worth_of(*worth)).collect()
    }

    /// Reads the cells of a block; `read` reads bytes of the layer by offset and length.
    ///
    /// # Errors
    /// If they cannot be read or are damaged.
    pub fn block(
        &self,
        layer: u32,
        block: u64,
        mut read: impl FnMut(u64, u64) -> Result<Vec<u8>, Error>,
    ) -> Result<Vec<u16>, Error> {
        let wrong = |what: &str| damaged(format!("block {block} of layer {layer} {what}"));
        // The previous entry has the begin of the block.
        let first = block.saturating_sub(1);
        let entry = BlockEntry::SIZE as u64;
        let entries = read(self.bytes + first * entry, (block - first + 1) * entry)?;
        let mut entries = BlockEntry::decode_all(&entries);
        let begin = if block == 0 { 0 } else { entries.next().map_or(0, |before| before.end) };
        let BlockEntry { end, checksum } = entries.next().ok_or_else(|| wrong("has no entry"))?;
        let size = self.bytes_of(block);
        let packed =
            between(begin, end, self.bytes, size).ok_or_else(|| wrong("has a wrong entry"))?;
        self.unpack(layer, block, &read(begin, packed)?, checksum)
    }

    /// The numbers of a block.
    pub fn numbers(&self, block: u64) -> Range<u64> {
        let first = block.saturating_mul(self.cells()).min(self.size);
        first..self.size.min(first + self.cells())
    }

    /// The bytes of a block before compression.
    fn bytes_of(&self, block: u64) -> usize {
        let numbers = self.numbers(block);
        (numbers.end - numbers.start) as usize * usize::from(self.width)
    }

    /// The cells of a block from its compressed bytes.
    ///
    /// # Errors
    /// If they are damaged.
    pub(crate) fn unpack(
        &self,
        layer: u32,
        block: u64,
        packed: &[u8],
        checksum: u64,
    ) -> Result<Vec<u16>, Error> {
        let wrong = |what: &str| damaged(format!("block {block} of layer {layer} {what}"));
        let size = self.bytes_of(block);
        if Checksum::of_block(packed, layer, block) != checksum {
            return Err(wrong("does not match its checksum"));
        }
        let bytes = unpacked(packed, size).ok_or_else(|| wrong("cannot be unpacked"))?;
        if bytes.len() != size {
            return Err(wrong("has a wrong length"));
        }
        let cells: Vec<u16> = match self.width {
            1 => bytes.into_iter().map(u16::from).collect(),
            _ => bytes.as_chunks().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect(),
        };
        match cells.iter().any(|cell| usize::from(*cell) > self.worths.len()) {
            true => Err(wrong("has a cell that is not in the list of worths")),
            false => Ok(cells),
        }
    }
}

/// A worth in the form of a manifest.
pub fn written(worth: Worth) -> (i32, Option<u32>) {
    (worth.value().0, worth.distance().plies())
}

/// The worth from the form of a manifest.
pub fn worth_of((value, plies): (i32, Option<u32>)) -> Worth {
    match plies {
        Some(plies) => Worth::new(Value(value), Distance::Plies(plies)),
        None => Worth::endless(Value(value)),
    }
}

/// The order of worths in a layer: by value, then by plies, endless play last.
pub fn worth_order(worth: Worth) -> (Value, u32) {
    (worth.value(), worth.distance().plies().unwrap_or(u32::MAX))
}
