//! A share of a layer: the blocks that one of several processes has compressed.

use std::io::{Read, Write};
use std::path::PathBuf;

use foregone_rules::Worth;

use super::EFFORT;
use super::aside::{aside, beside};
use super::parts::Parts;
use crate::disk::{Disk, DiskFile};
use crate::error::Error;
use crate::format::LayerPart;
use crate::format::block::{self, ShareEntry};
use crate::format::checksum::Checksum;

/// Compresses blocks of a layer.
pub struct Packer {
    number: u32,
    part: LayerPart,
    compressor: zstd::bulk::Compressor<'static>,
    plain: Vec<u8>,
}

/// A compressed block.
pub struct Packed {
    /// Its number.
    pub block: u64,
    pub(super) bytes: Vec<u8>,
    pub(super) positions: u64,
    pub(super) checksum: u64,
}

impl Packer {
    /// For a layer of `size` numbers with these worths.
    ///
    /// # Errors
    /// If the compressor cannot be started.
    pub fn new(number: u32, worths: &[Worth], size: u64) -> Result<Packer, Error> {
        let compressor = zstd::bulk::Compressor::new(EFFORT)?;
        Ok(Packer { number, part: LayerPart::new(worths, size), compressor, plain: Vec::new() })
    }

    /// The layer.
    pub fn part(&self) -> &LayerPart {
        &self.part
    }

    /// Compresses the cells of a block.
    ///
    /// # Errors
    /// If they cannot be compressed.
    pub fn pack(&mut self, block: u64, cells: &[u16]) -> Result<Packed, Error> {
        block::plain(cells, self.part.width, &mut self.plain);
        let bytes = self.compressor.compress(&self.plain)?;
        let positions = cells.iter().filter(|cell| **cell != 0).count() as u64;
        let checksum = Checksum::of_block(&bytes, self.number, block);
        Ok(Packed { block, bytes, positions, checksum })
    }
}

/// A share that is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sealed {
    pub(super) entries: Vec<ShareEntry>,
    pub(super) positions: u64,
}

impl Sealed {
    pub(super) fn checksum(&self) -> Checksum {
        Checksum::of(&self.encoded())
    }

    fn encoded(&self) -> Vec<u8> {
        self.entries.iter().flat_map(ShareEntry::encode).collect()
    }

    /// As bytes, for another process.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.positions.to_le_bytes().to_vec();
        bytes.extend(self.encoded());
        bytes
    }

    /// The inverse of [`to_bytes`](Sealed::to_bytes); `None` if they are no share.
    pub fn of_bytes(bytes: &[u8]) -> Option<Sealed> {
        let (positions, entries) = bytes.split_first_chunk()?;
        let whole = entries.len().is_multiple_of(ShareEntry::SIZE);
        let entries = ShareEntry::decode_all(entries).collect();
        whole.then(|| Sealed { entries, positions: u64::from_le_bytes(*positions) })
    }
}

/// A share that arrives from another process, piece by piece.
pub struct Arriving {
    disk: Disk,
    file: DiskFile,
    other: PathBuf,
    path: PathBuf,
}

impl Arriving {
    /// Appends bytes.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Ok(self.file.write_all(bytes)?)
    }

    /// Names the file, when all of it is on disk.
    ///
    /// # Errors
    /// If it cannot be synced or renamed.
    pub fn end(self) -> Result<(), Error> {
        self.file.sync()?;
        Ok(self.disk.rename(&self.other, &self.path)?)
    }
}

impl Parts {
    /// Opens a share of a layer to read its bytes.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn read_share(&self, layer: u32, share: usize) -> Result<impl Read + use<>, Error> {
        Ok(fs_err::File::open(self.share(layer, share))?)
    }

    /// Begins a share of a layer that arrives from another process.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn receive_share(&self, layer: u32, share: usize) -> Result<Arriving, Error> {
        let (disk, path) = (self.target.disk.clone(), self.share(layer, share));
        let other = beside(&path, ".tmp");
        let file = disk.create(&other)?;
        Ok(Arriving { disk, file, other, path })
    }

    /// Writes a share of a layer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_share(
        &self,
        layer: u32,
        share: usize,
        mut blocks: Vec<Packed>,
    ) -> Result<Sealed, Error> {
        blocks.sort_unstable_by_key(|packed| packed.block);
        let (mut sealed, mut end) = (Sealed::default(), 0);
        for Packed { block, bytes, positions, checksum } in &blocks {
            end += bytes.len() as u64;
            sealed.entries.push(ShareEntry { block: *block, end, checksum: *checksum });
            sealed.positions += positions;
        }
        aside(&self.target.disk, &self.share(layer, share), |file| {
            blocks.iter().try_for_each(|packed| file.write_all(&packed.bytes))?;
            file.write_all(&sealed.encoded())?;
            file.write_all(&(sealed.entries.len() as u64).to_le_bytes())
        })?;
        Ok(sealed)
    }
}
