//! What step one has found, in a file, so that a run that ended early goes on from there: the keys of each shard with what
//! a first look showed, and the results. It is written now and then between two windows, whole or not at all. A file with
//! any error counts as none. Step two begins anew.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use foregone_record::disk::Disk;
use foregone_record::threads::lock;
use foregone_record::write::aside;

use super::Follow;
use super::set::{Shard, Split};

/// The first bytes of a file.
const FORMAT: &[u8; 16] = b"foregone found 1";

/// To write the file takes less than this part of the time.
const SHARE: u32 = 20;

/// The longest list of results.
const MAX_LEVELS: u64 = 1 << 16;

/// A folder that belongs to this run alone.
#[derive(Clone, Copy)]
pub(crate) struct Folder<'a> {
    pub disk: &'a Disk,
    pub path: &'a Path,
    /// The time from one file to the next. A run that is shorter keeps none.
    pub every: Duration,
}

/// Where a run keeps what it has found, and when.
pub(super) struct Keeping<'a> {
    disk: &'a Disk,
    file: PathBuf,
    every: Duration,
    last: Instant,
    follow: Follow,
    split: Split,
}

/// The shards, and how far results differ from endless play.
type Kept = (Vec<Shard>, BTreeSet<i32>);

impl<'a> Keeping<'a> {
    pub fn new(folder: Folder<'a>, follow: Follow, split: Split) -> Keeping<'a> {
        let Folder { disk, path, every } = folder;
        Keeping { disk, file: path.join("found"), every, last: Instant::now(), follow, split }
    }

    /// What the file holds; `None` if there is none of such a run.
    pub fn read(&mut self) -> Option<Kept> {
        let packed = File::open(&self.file).ok()?;
        self.read_from(&mut BufReader::new(zstd::Decoder::new(packed).ok()?)).ok()
    }

    fn read_from(&self, from: &mut dyn Read) -> io::Result<Kept> {
        let mut head = [0; 20];
        from.read_exact(&mut head)?;
        if head != self.head() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut bytes = [0; 8];
        from.read_exact(&mut bytes)?;
        let mut levels = BTreeSet::new();
        for _ in 0..u64::from_le_bytes(bytes).min(MAX_LEVELS) {
            let mut level = [0; 4];
            from.read_exact(&mut level)?;
            levels.insert(i32::from_le_bytes(level));
        }
        let shards = (0..self.split.shards).map(|_| Shard::read(self.split.bits, from));
        let shards = shards.collect::<io::Result<Vec<_>>>()?;
        // The checksum is at the end.
        match io::copy(&mut from.take(1), &mut io::sink())? {
            0 => Ok((shards, levels)),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// The format, and what the keys depend on.
    fn head(&self) -> [u8; 20] {
        let mut head = [0; 20];
        head[..16].copy_from_slice(FORMAT);
        head[16] = self.split.bits as u8;
        head[17] = u8::from(self.follow == Follow::InPlay);
        head
    }

    /// Writes the file if it is time to; if the step ends here, after a tenth of that time.
    pub fn write_if_due(
        &mut self,
        shards: &[Mutex<Shard>],
        levels: &BTreeSet<i32>,
        ends: bool,
    ) -> io::Result<()> {
        if self.last.elapsed() < if ends { self.every / 10 } else { self.every } {
            return Ok(());
        }
        let begun = Instant::now();
        let written = aside(self.disk, &self.file, |file| {
            let mut packed = zstd::Encoder::new(file, 1)?;
            packed.include_checksum(true)?;
            packed.write_all(&self.head())?;
            packed.write_all(&(levels.len() as u64).to_le_bytes())?;
            for level in levels {
                packed.write_all(&level.to_le_bytes())?;
            }
            for shard in shards {
                lock(shard).write(self.split.bits, &mut packed)?;
            }
            packed.finish().map(|_| ())
        });
        self.last = Instant::now();
        self.every = self.every.max(SHARE * begun.elapsed());
        written.map_err(io::Error::other)
    }
}
