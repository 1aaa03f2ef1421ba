//! Writing a table so that work is never lost and nothing half-written is taken for whole: every
//! finished layer is a file of its own in a folder beside the table, and the table is put together
//! from them at the end. Every file is written aside, synced, and renamed.
//!
//! What is written depends on the game alone, never on when or by how many threads.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use foregone_rules::{Distance, Value, Worth};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::format::{
    BLOCK, Broken, Contents, ENTRY, HEAD, LayerContents, Values, checksum, head, worth_order,
    written,
};
use crate::keys;
use crate::proof::ProofContents;
use crate::table::Table;

/// How hard blocks are compressed: more takes longer and saves little.
const EFFORT: i32 = 3;

/// So many blocks are compressed by a thread before they are written.
const BLOCKS_AT_A_TIME: u64 = 16;

/// A finished layer in memory: for each number its worth, and nothing where it stands for none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// The worths that occur, in order.
    pub worths: Vec<Worth>,
    /// For each number, 0 or one more than the place of its worth.
    pub cells: Vec<u16>,
}

impl Layer {
    /// The worth of a number, where it stands for a position.
    #[inline]
    pub fn get(&self, index: u64) -> Option<Worth> {
        let cell = *self.cells.get(index as usize)?;
        self.worths.get(usize::from(cell).checked_sub(1)?).copied()
    }
}

/// The folder of what is finished of a table.
pub fn unfinished(target: &Path) -> PathBuf {
    beside(target, ".part")
}

/// What is kept beside a layer's blocks: the layer, and a checksum that knows of which table it is.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Finished {
    layer: LayerContents,
    sum: u64,
}

/// A path with something behind its name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// A table being built: the folder of its finished layers.
pub struct Building {
    target: PathBuf,
    folder: PathBuf,
    contents: Contents,
    finished: BTreeMap<u32, LayerContents>,
    /// Held as long as this is under way, so that nobody else works on the same.
    _lock: File,
}

impl Building {
    /// Begins a table, or goes on with one of the same game, rules and values. A layer of which
    /// anything is wrong counts as unfinished.
    ///
    /// # Errors
    /// Where the folder cannot be written, holds the beginnings of another table, or is being worked
    /// on.
    pub fn open(
        target: &Path,
        game: &str,
        fingerprint: u64,
        values: Values,
    ) -> Result<Building, Broken> {
        let folder = unfinished(target);
        let contents = Contents {
            game: game.to_owned(),
            fingerprint: format!("{fingerprint:016x}"),
            values,
            layers: Vec::new(),
            keys: None,
            proof: None,
        };
        // Not the folders above: they may be there by mistake.
        match fs::create_dir(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                let why = format!("{}: {error}", folder.display());
                return Err(io::Error::new(error.kind(), why).into());
            }
            _ => {}
        }
        let lock = File::create(folder.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(Broken::Busy(folder)),
            // Some disks know no locks.
            Err(fs::TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(fs::TryLockError::Error(error)) => return Err(error.into()),
        }
        let begun = folder.join("table.json");
        let mine = serde_json::to_vec(&contents).map_err(io::Error::from)?;
        match fs::read(&begun) {
            Ok(found) if found == mine => {}
            Ok(found) => {
                let found = serde_json::from_slice::<Contents>(&found);
                let found = found.map_or("something else".to_owned(), |other| {
                    format!("{} with {}", other.game, other.values.name())
                });
                let expected = format!("{game} with {} and the same rules", values.name());
                return Err(Broken::Game { found, expected });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => put(&begun, &mine)?,
            Err(error) => return Err(error.into()),
        }
        let finished = BTreeMap::new();
        let target = target.to_owned();
        let mut building = Building { target, folder, contents, finished, _lock: lock };
        for entry in fs::read_dir(&building.folder)? {
            let name = entry?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".json")?.parse().ok());
            if let Some(layer) = number
                && let Ok(contents) = building.read_contents(layer)
            {
                building.finished.insert(layer, contents);
            }
        }
        Ok(building)
    }

    fn file(&self, layer: u32, kind: &str) -> PathBuf {
        self.folder.join(format!("{layer}.{kind}"))
    }

    /// The checksum of what is said of a layer of this very table.
    fn sum(&self, number: u32, layer: &LayerContents) -> Result<u64, Broken> {
        let Contents { game, fingerprint, values, .. } = &self.contents;
        let all = (game, fingerprint, values, number, layer);
        Ok(xxh3_64(&serde_json::to_vec(&all).map_err(io::Error::from)?))
    }

    /// What is said of a layer that is whole: all of its blocks are as they were written.
    fn read_contents(&self, number: u32) -> Result<LayerContents, Broken> {
        let text = fs::read(self.file(number, "json"))?;
        let finished: Result<Finished, _> = serde_json::from_slice(&text);
        let Finished { layer, sum } =
            finished.map_err(|error| Broken::Damaged(error.to_string()))?;
        // What has another checksum is not even counted with.
        if self.sum(number, &layer)? != sum {
            return Err(cut(number));
        }
        let mut file = File::open(self.file(number, "blocks"))?;
        if file.metadata()?.len() != layer.bytes + layer.blocks() * ENTRY as u64 {
            return Err(cut(number));
        }
        let mut entries = vec![0; (layer.blocks() * ENTRY as u64) as usize];
        read_file(&mut file, layer.bytes, &mut entries)?;
        if xxh3_64(&entries) != layer.entries {
            return Err(cut(number));
        }
        let mut file = BufReader::with_capacity(1 << 20, file);
        file.seek(SeekFrom::Start(0))?;
        let (mut begin, mut packed) = (0, Vec::new());
        for (block, entry) in (0..).zip(entries.as_chunks::<ENTRY>().0) {
            let number_at = |at: usize| {
                entry[at..at + 8].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
            };
            let (end, sum) = (number_at(0), number_at(8));
            let length = end.checked_sub(begin).filter(|_| end <= layer.bytes);
            packed.resize(length.ok_or_else(|| cut(number))? as usize, 0);
            file.read_exact(&mut packed)?;
            if checksum(&packed, number, block) != sum {
                return Err(cut(number));
            }
            begin = end;
        }
        Ok(layer)
    }

    /// Whether a layer is finished.
    pub fn has(&self, layer: u32) -> bool {
        self.finished.contains_key(&layer)
    }

    /// How many bytes the finished layers take.
    pub fn bytes(&self) -> u64 {
        self.finished.values().map(|layer| layer.bytes + layer.blocks() * ENTRY as u64).sum()
    }

    /// Keeps a finished layer: so many numbers, with these worths. `fill` is asked for the cells
    /// from a number on (0, or one more than the place of a worth), in no order, by so many threads.
    ///
    /// # Errors
    /// Where it cannot be written; what was finished before is still there.
    pub fn keep(
        &mut self,
        number: u32,
        worths: &[Worth],
        size: u64,
        threads: usize,
        fill: &(dyn Fn(u64, &mut [u16]) + Sync),
    ) -> Result<(), Broken> {
        let mut contents = LayerContents {
            size,
            positions: 0,
            width: if worths.len() < 256 { 1 } else { 2 },
            offset: 0,
            bytes: 0,
            entries: 0,
            worths: worths.iter().map(|worth| written(*worth)).collect(),
        };
        let mut entries = Vec::new();
        aside(&self.file(number, "blocks"), |file| {
            let threads = threads.max(1) as u64;
            let (blocks, each) = (contents.blocks(), BLOCKS_AT_A_TIME * threads);
            for first in (0..blocks).step_by(each as usize) {
                let pack = |nth| {
                    let all = first..blocks.min(first + each);
                    packed(&contents, all.skip(nth).step_by(threads as usize), fill)
                };
                let mut parts = Vec::new();
                std::thread::scope(|scope| {
                    let others = (1..threads as usize).map(|nth| {
                        let work = move || pack(nth);
                        std::thread::Builder::new().spawn_scoped(scope, work)
                    });
                    let others: Vec<_> = others.collect();
                    parts.push(pack(0));
                    for (nth, other) in (1..).zip(others) {
                        // A part whose thread did not start, or panicked, is done here.
                        let done = other.ok().and_then(|other| other.join().ok());
                        parts.push(done.unwrap_or_else(|| pack(nth)));
                    }
                });
                let parts = parts.into_iter().collect::<io::Result<Vec<_>>>()?;
                for block in first..blocks.min(first + each) {
                    let at = block - first;
                    let (packed, positions) =
                        &parts[(at % threads) as usize][(at / threads) as usize];
                    file.write_all(packed)?;
                    contents.positions += positions;
                    contents.bytes += packed.len() as u64;
                    entries.extend(contents.bytes.to_le_bytes());
                    entries.extend(checksum(packed, number, block).to_le_bytes());
                }
            }
            contents.entries = xxh3_64(&entries);
            file.write_all(&entries)
        })?;
        // Only with this is the layer finished.
        let finished = Finished { sum: self.sum(number, &contents)?, layer: contents.clone() };
        put(&self.file(number, "json"), &serde_json::to_vec(&finished).map_err(io::Error::from)?)?;
        self.finished.insert(number, contents);
        Ok(())
    }

    /// Keeps a finished layer of so many numbers, told the worth of each; nothing where one stands for
    /// no position.
    ///
    /// # Errors
    /// Where there are more worths than cells can tell apart, or it cannot be written.
    pub fn keep_each(
        &mut self,
        number: u32,
        size: u64,
        threads: usize,
        worth: &(dyn Fn(u64) -> Option<Worth> + Sync),
    ) -> Result<(), Broken> {
        let found: HashMap<_, _> =
            (0..size).filter_map(worth).map(|worth| (worth_order(worth), worth)).collect();
        let mut found = Vec::from_iter(found);
        if found.len() >= usize::from(u16::MAX) {
            return Err(Broken::Many { worths: found.len() });
        }
        found.sort_unstable_by_key(|(order, _)| *order);
        let worths: Vec<_> = found.iter().map(|(_, worth)| *worth).collect();
        self.keep(number, &worths, size, threads, &|from, cells| {
            for (cell, index) in cells.iter_mut().zip(from..) {
                let place = |worth| found.partition_point(|(other, _)| *other < worth_order(worth));
                *cell = worth(index).map_or(0, |worth| place(worth) as u16 + 1);
            }
        })
    }

    /// Keeps the keys of listed positions, which have to rise.
    ///
    /// # Errors
    /// Where they cannot be written.
    pub fn keep_keys(&mut self, keys: impl Iterator<Item = u128>) -> Result<(), Broken> {
        let mut contents = None;
        aside(&self.folder.join("keys"), |file| {
            contents = Some(keys::write(file, keys, EFFORT)?);
            Ok(())
        })?;
        self.contents.keys = contents;
        Ok(())
    }

    /// Says what the file proves.
    pub fn claims(&mut self, proof: ProofContents) {
        self.contents.proof = Some(proof);
    }

    /// Reads a finished layer block by block: `visit` is given its worths and the cells of each block.
    ///
    /// # Errors
    /// Where it cannot be read, or was changed since.
    pub fn load(&self, number: u32, mut visit: impl FnMut(&[Worth], &[u16])) -> Result<(), Broken> {
        let missing = || Broken::Damaged(format!("layer {number} is not finished"));
        let contents = self.finished.get(&number).ok_or_else(missing)?;
        let mut file = File::open(self.file(number, "blocks"))?;
        let worths: Vec<_> = contents.worths.iter().map(|worth| worth_of(*worth)).collect();
        for block in 0..contents.blocks() {
            let cells = block_of(contents, number, block, |offset, length| {
                let mut bytes = vec![0; length as usize];
                read_file(&mut file, offset, &mut bytes)?;
                Ok(bytes)
            })?;
            visit(&worths, &cells);
        }
        Ok(())
    }

    /// Takes the folder away with all that is in it.
    pub fn discard(self) {
        // What cannot be taken away does no harm: another try goes on from it.
        let _ = fs::remove_dir_all(&self.folder);
    }

    /// Puts the table together from its layers, all below `layers`, and takes the folder away, unless
    /// more layers are finished than that.
    ///
    /// # Errors
    /// Where a layer is missing or the table cannot be written; the layers are still there.
    pub fn finish(mut self, layers: u32) -> Result<(), Broken> {
        let mut offset = HEAD as u64;
        for number in 0..layers {
            let missing = || Broken::Damaged(format!("layer {number} is not finished"));
            let mut layer = self.finished.get(&number).ok_or_else(missing)?.clone();
            layer.offset = offset;
            offset += layer.bytes + layer.blocks() * ENTRY as u64;
            self.contents.layers.push(layer);
        }
        if let Some(keys) = &mut self.contents.keys {
            keys.offset = offset;
            offset += fs::metadata(self.folder.join("keys"))?.len();
        }
        let text = serde_json::to_vec(&self.contents).map_err(io::Error::from)?;
        // Whoever finds this beside the table knows that only tidying up was left.
        let finished = self.folder.join(FINISHED);
        put(&finished, &text)?;
        // Among the layers, so that nothing is left beside the table whatever happens.
        let other = self.folder.join("table");
        whole(File::create(&other)?, &other, &self.target, |file| {
            file.write_all(&head(offset, &text))?;
            for number in 0..layers {
                let mut layer = File::open(self.file(number, "blocks"))?;
                let copied = io::copy(&mut layer, file)?;
                let contents = &self.contents.layers[number as usize];
                if copied != contents.bytes + contents.blocks() * ENTRY as u64 {
                    let why = format!("layer {number} has another length than when it was kept");
                    return Err(io::Error::new(io::ErrorKind::InvalidData, why));
                }
            }
            if self.contents.keys.is_some() {
                io::copy(&mut File::open(self.folder.join("keys"))?, file)?;
            }
            file.write_all(&text)
        })?;
        match self.finished.keys().all(|number| *number < layers) {
            true => Ok(tidy(&self.folder)?),
            false => Ok(fs::remove_file(finished)?),
        }
    }
}

/// What is written into the folder when its table is.
const FINISHED: &str = "finished";

/// Takes a folder away, what says that it is finished last.
fn tidy(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() != FINISHED {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_dir_all(folder)
}

/// Whether a table is finished, and all that is left is a folder of what it was made from, because
/// whoever made it was killed at that very moment: then that is taken away.
///
/// # Errors
/// Where it cannot be taken away.
pub fn tidied(target: &Path) -> Result<bool, Broken> {
    let folder = unfinished(target);
    let (Ok(text), Ok(table)) = (fs::read(folder.join(FINISHED)), Table::open(target)) else {
        return Ok(false);
    };
    let same = serde_json::to_vec(table.contents()).is_ok_and(|found| found == text);
    if same {
        tidy(&folder)?;
    }
    Ok(same)
}

/// Some blocks of a layer, compressed, each with how many positions it has.
fn packed(
    contents: &LayerContents,
    blocks: impl Iterator<Item = u64>,
    fill: &(dyn Fn(u64, &mut [u16]) + Sync),
) -> io::Result<Vec<(Vec<u8>, u64)>> {
    let mut compressor = zstd::bulk::Compressor::new(EFFORT)?;
    let (mut cells, mut raw) = (Vec::new(), Vec::with_capacity(BLOCK));
    let pack = |block| {
        let from = block * contents.cells();
        cells.clear();
        cells.resize(contents.cells().min(contents.size - from) as usize, 0);
        fill(from, &mut cells);
        raw.clear();
        match contents.width {
            1 => raw.extend(cells.iter().map(|cell| *cell as u8)),
            _ => raw.extend(cells.iter().flat_map(|cell| cell.to_le_bytes())),
        }
        let positions = cells.iter().filter(|cell| **cell != 0).count() as u64;
        Ok((compressor.compress(&raw)?, positions))
    };
    blocks.map(pack).collect()
}

/// What contents say of a worth.
pub(crate) fn worth_of((value, plies): (i32, Option<u32>)) -> Worth {
    match plies {
        Some(plies) => Worth::new(Value(value), Distance::Plies(plies)),
        None => Worth::ENDLESS_DRAW,
    }
}

fn cut(layer: u32) -> Broken {
    Broken::Damaged(format!("layer {layer} is cut short"))
}

/// The cells of a block; `read` gives bytes of the layer by offset and length.
pub(crate) fn block_of(
    contents: &LayerContents,
    layer: u32,
    block: u64,
    mut read: impl FnMut(u64, u64) -> Result<Vec<u8>, Broken>,
) -> Result<Vec<u16>, Broken> {
    let damaged = |what: &str| Broken::Damaged(format!("block {block} of layer {layer} {what}"));
    // The entry before tells where the block begins.
    let first = block.saturating_sub(1);
    let count = block - first + 1;
    let entries = read(contents.bytes + first * ENTRY as u64, count * ENTRY as u64)?;
    let number = |at: usize| {
        let bytes = entries.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u64::from_le_bytes).ok_or_else(|| damaged("has no entry"))
    };
    let last = entries.len().saturating_sub(ENTRY);
    let begin = if block == 0 { 0 } else { number(0)? };
    let (end, sum) = (number(last)?, number(last + 8)?);
    let cells = contents.cells().min(contents.size - block * contents.cells());
    let raw = cells as usize * usize::from(contents.width);
    // Compressed blocks are hardly ever larger than plain ones, and never by much.
    let longest = zstd::zstd_safe::compress_bound(raw) as u64;
    if begin > end || end > contents.bytes || end - begin > longest {
        return Err(damaged("has an entry that cannot be"));
    }
    let packed = read(begin, end - begin)?;
    if checksum(&packed, layer, block) != sum {
        return Err(damaged("has another checksum than it had"));
    }
    let plain = zstd::bulk::decompress(&packed, raw).map_err(|_| damaged("cannot be unpacked"))?;
    if plain.len() != raw {
        return Err(damaged("has another length than it had"));
    }
    let cells: Vec<u16> = match contents.width {
        1 => plain.into_iter().map(u16::from).collect(),
        _ => plain.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
    };
    if cells.iter().any(|cell| usize::from(*cell) > contents.worths.len()) {
        return Err(damaged("has a cell without a meaning"));
    }
    Ok(cells)
}

/// Writes a file whole or not at all: aside, synced and renamed.
///
/// # Errors
/// Where it cannot be written; what was there before is still there.
pub fn aside(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Broken> {
    // A name that nobody has.
    let name = |nth: u32| beside(path, &format!(".{}-{nth}.tmp", std::process::id()));
    let free = (0..).map(name).find(|name| !name.exists());
    let other = free.ok_or_else(|| io::Error::from(io::ErrorKind::AlreadyExists))?;
    whole(File::create_new(&other)?, &other, path, write)
}

/// Writes a file under another name, and gives it its own when all of it is on disk.
fn whole(
    file: File,
    other: &Path,
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Broken> {
    let mut file = BufWriter::with_capacity(1 << 20, file);
    let written = write(&mut file).and_then(|()| file.flush());
    let written = written.and_then(|()| file.get_ref().sync_all());
    if let Err(error) = written {
        // What could not be written whole takes no room.
        let _ = fs::remove_file(other);
        return Err(error.into());
    }
    drop(file);
    fs::rename(other, path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    Ok(())
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Broken> {
    aside(path, |file| file.write_all(bytes))
}

/// Reads bytes of a file at a place.
pub(crate) fn read_file(file: &mut File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}
