//! Shards: the cells of some numbers of a layer, as one task of many has solved them, before the layer is
//! put together. Cells are as the solver has them, since what a file stores of a layer is known only when
//! all of it is solved. A shard is frames of cells; a list of the frames in JSON; the length of the list.

use std::io::{BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;

use fs_err::{self as fs, File};
use serde::{Deserialize, Serialize};

use super::EFFORT;
use super::aside::aside;
use super::parts::{Parts, read_at};
use crate::disk::DiskFile;
use crate::error::{Error, damaged};
use crate::format::block::unpacked;
use crate::format::checksum::Checksum;

/// The most bytes of a frame's cells.
const MAX: u64 = 1 << 30;

/// Which part of a layer a shard is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// The layer.
    pub layer: u32,
    /// The wave of the layer.
    pub wave: u32,
    /// The place among the shards of the wave, from 0.
    pub place: usize,
    /// The number of shards of a wave.
    pub of: usize,
}

impl Shard {
    /// Reads the name of a file.
    fn of_name(name: &str) -> Option<Shard> {
        let mut parts = name.strip_suffix(".cells")?.split('.');
        let (layer, wave) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let (place, of) = parts.next()?.split_once("-of-")?;
        let shard = Shard { layer, wave, place: place.parse().ok()?, of: of.parse().ok()? };
        (shard.name() == name).then_some(shard)
    }

    fn name(self) -> String {
        let Shard { layer, wave, place, of } = self;
        format!("{layer}.{wave}.{place}-of-{of}.cells")
    }
}

/// How cells are stored in a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coding {
    /// The bytes of a cell.
    pub width: u64,
    /// The layers of the table, which solvers may choose their cells by.
    pub layers: u32,
}

/// Cells of some numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Frame {
    /// Where its bytes end.
    end: u64,
    checksum: u64,
    /// The numbers, each row with its first and its length.
    rows: Vec<(u64, u64)>,
}

/// What comes after the frames.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    coding: Coding,
    frames: Vec<Frame>,
    /// The cells that occur.
    seen: Vec<u64>,
    /// Of all this, the table and the shard.
    sum: Checksum,
}

/// Compressed cells of some numbers.
pub struct PackedFrame {
    bytes: Vec<u8>,
    rows: Vec<(u64, u64)>,
}

impl PackedFrame {
    /// Compresses the cells of rows of numbers, which `bytes` are.
    ///
    /// # Errors
    /// If they cannot be compressed.
    pub fn new(rows: Vec<Range<u64>>, bytes: &[u8]) -> Result<PackedFrame, Error> {
        let bytes = zstd::bulk::compress(bytes, EFFORT)?;
        let rows = rows.into_iter().map(|row| (row.start, row.end - row.start)).collect();
        Ok(PackedFrame { bytes, rows })
    }
}

/// A shard that is being written.
pub struct ShardWriter<'a> {
    file: &'a mut BufWriter<DiskFile>,
    frames: Vec<Frame>,
    end: u64,
}

impl ShardWriter<'_> {
    /// Appends cells.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, frame: PackedFrame) -> Result<(), Error> {
        let PackedFrame { bytes, rows } = frame;
        self.file.write_all(&bytes)?;
        self.end += bytes.len() as u64;
        let checksum = Checksum::of(&bytes).0;
        self.frames.push(Frame { end: self.end, checksum, rows });
        Ok(())
    }
}

impl Parts {
    fn shard(&self, shard: Shard) -> PathBuf {
        self.folder.join(shard.name())
    }

    /// The checksum of a shard's list in exactly this table.
    fn sum_of_shard(&self, shard: Shard, list: &List) -> Result<Checksum, Error> {
        let List { coding, frames, seen, .. } = list;
        self.sum_of(&(shard, coding, frames, seen))
    }

    /// Writes a shard: `solve` writes its frames, and returns the cells that
    /// occur.
    ///
    /// # Errors
    /// If `solve` fails, or it cannot be written.
    pub fn write_shard<E: From<Error>>(
        &self,
        shard: Shard,
        coding: Coding,
        solve: impl FnOnce(&mut ShardWriter<'_>) -> Result<Vec<u64>, E>,
    ) -> Result<(), E> {
        let mut failed = None;
        let written = aside(&self.target.disk, &self.shard(shard), |file| {
            let mut writer = ShardWriter { file, frames: Vec::new(), end: 0 };
            let seen = solve(&mut writer).map_err(|error| {
                failed = Some(error);
                std::io::Error::other("not solved")
            })?;
            let ShardWriter { file, frames, .. } = writer;
            let mut list = List { coding, frames, seen, sum: Checksum::default() };
            list.sum = self.sum_of_shard(shard, &list).map_err(Error::into_io)?;
            let text = serde_json::to_vec(&list)?;
            file.write_all(&text)?;
            file.write_all(&(text.len() as u64).to_le_bytes())
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(written?),
        }
    }

    fn all_shards(&self) -> Result<Vec<Shard>, Error> {
        let mut shards = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            shards.extend(name.to_str().and_then(Shard::of_name));
        }
        shards.sort_unstable();
        Ok(shards)
    }

    /// The shards of a layer that are there, in order.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn shards(&self, layer: u32) -> Result<Vec<Shard>, Error> {
        let mut shards = self.all_shards()?;
        shards.retain(|shard| shard.layer == layer);
        Ok(shards)
    }

    /// Whether there are shards of this layer or higher ones.
    pub(super) fn shards_from(&self, layer: u32) -> Result<bool, Error> {
        Ok(self.all_shards()?.iter().any(|shard| shard.layer >= layer))
    }

    /// Removes the shards of a finished layer.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn remove_shards(&self, layer: u32) -> Result<(), Error> {
        // Another task may do the same at this moment.
        let remove = |shard| match self.target.disk.remove_file(&self.shard(shard)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            done => done,
        };
        Ok(self.shards(layer)?.into_iter().try_for_each(remove)?)
    }

    /// Opens a shard.
    ///
    /// # Errors
    /// If it is missing, damaged, or of another table or other layers.
    pub fn open_shard(&self, shard: Shard, coding: Coding) -> Result<OpenShard, Error> {
        let (list, length) = self.list(shard)?;
        if list.coding != coding {
            let (name, layers) = (shard.name(), list.coding.layers);
            return Err(damaged(format!(
                "{name} was solved for a table of {layers} layers: use --layers {layers}, or delete it"
            )));
        }
        let (List { frames, seen, .. }, path) = (list, self.shard(shard));
        Ok(OpenShard { shard, width: coding.width, path, length, frames, seen })
    }

    /// How the cells of a shard are stored; `None` if it is missing, damaged or of another table.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn coding(&self, shard: Shard) -> Result<Option<Coding>, Error> {
        match self.list(shard) {
            Ok((list, _)) => Ok(Some(list.coding)),
            Err(Error::Damaged(_)) => Ok(None),
            Err(Error::Io(error)) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The list of a shard's frames, and the bytes of these.
    fn list(&self, shard: Shard) -> Result<(List, u64), Error> {
        let wrong = || {
            damaged(format!(
                "{} was changed, or is of another table: run its task again",
                shard.name()
            ))
        };
        let mut file = File::open(self.shard(shard))?;
        let tail = file.metadata()?.len().checked_sub(8).ok_or_else(wrong)?;
        let length = read_at(&mut file, tail, 8)?;
        let length = length.try_into().map_or(0, u64::from_le_bytes);
        let begin = tail.checked_sub(length).ok_or_else(wrong)?;
        let list: Result<List, _> = serde_json::from_slice(&read_at(&mut file, begin, length)?);
        let list = list.map_err(|_| wrong())?;
        match self.sum_of_shard(shard, &list)? == list.sum {
            true => Ok((list, begin)),
            false => Err(wrong()),
        }
    }
}

/// A shard that can be read. Its file is open only while a frame is read: a layer may have thousands.
pub struct OpenShard {
    shard: Shard,
    width: u64,
    path: PathBuf,
    /// The bytes of all frames.
    length: u64,
    frames: Vec<Frame>,
    seen: Vec<u64>,
}

impl OpenShard {
    /// The cells that occur.
    pub fn seen(&self) -> &[u64] {
        &self.seen
    }

    /// For each frame, its rows of numbers: the first and the length of each.
    pub fn frames(&self) -> impl Iterator<Item = &[(u64, u64)]> {
        self.frames.iter().map(|frame| &frame.rows[..])
    }

    /// Whether all frames are intact.
    pub fn is_intact(&self) -> bool {
        (0..self.frames.len()).all(|frame| self.frame(frame).is_ok())
    }

    /// The bytes of the cells of a frame.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn frame(&self, frame: usize) -> Result<Vec<u8>, Error> {
        let wrong = || damaged(format!("{} is damaged", self.shard.name()));
        let begin = frame.checked_sub(1).map_or(0, |before| self.frames[before].end);
        let Frame { end, checksum, rows } = &self.frames[frame];
        let cells = rows.iter().try_fold(0u64, |sum, (_, length)| sum.checked_add(*length));
        let size = cells.and_then(|cells| cells.checked_mul(self.width));
        let size = size.filter(|size| *size <= MAX).ok_or_else(wrong)?;
        let length = end.checked_sub(begin).filter(|_| *end <= self.length).ok_or_else(wrong)?;
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(begin))?;
        let mut packed = vec![0; length as usize];
        file.read_exact(&mut packed)?;
        let bytes = unpacked(&packed, size as usize).ok_or_else(wrong)?;
        match Checksum::of(&packed).0 == *checksum && bytes.len() as u64 == size {
            true => Ok(bytes),
            false => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let shard = Shard { layer: 12, wave: 3, place: 4, of: 16 };
        assert_eq!(shard.name(), "12.3.4-of-16.cells");
        assert_eq!(Shard::of_name(&shard.name()), Some(shard));
        for odd in
            ["12.3.4-of-16", "12.3.04-of-16.cells", "12.blocks", "1.2.3.4-of-5.cells", ".cells"]
        {
            assert_eq!(Shard::of_name(odd), None, "{odd}");
        }
    }
}
