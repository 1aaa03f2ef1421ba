//! A crash-safe writer. Each finished layer is a separate file in a folder beside the table; at the
//! end the table is assembled from them. Every file is written under another name, synced and
//! renamed.
//!
//! The written bytes depend on the game alone, not on time, interruptions, or the number of
//! threads.

mod aside;
mod target;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use foregone_rules::Worth;
use fs_err::{self as fs, File};
use serde::{Deserialize, Serialize};

pub use self::aside::aside;
use self::aside::{put, whole};
use self::target::{FINISHED, tidy};
pub use self::target::{Target, tidied, unfinished};
use crate::disk::DiskFile;
use crate::error::{Error, damaged};
use crate::format::LONGEST_MANIFEST;
use crate::format::block::{self, BLOCK, BlockEntry};
use crate::format::checksum::Checksum;
use crate::format::head::HEAD;
use crate::format::keys::{self, KEYS, KEYS_LAYER, KeyBlockEntry};
use crate::format::layer::{worth_order, written};
use crate::format::manifest::MOST_WORTHS;
use crate::format::{GameId, Head, KeysPart, LayerPart, Manifest, Values};
use crate::proof::ProofManifest;

/// The zstd compression level: higher levels take longer and save little.
const EFFORT: i32 = 3;

/// The number of blocks that a thread compresses before they are written.
const BLOCKS_AT_A_TIME: u64 = 16;

/// The program name in manifests.
const PROGRAM: &str = concat!("foregone ", env!("CARGO_PKG_VERSION"));

/// A finished layer in memory: the worth of each number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// The worths that occur, in order.
    pub worths: Vec<Worth>,
    /// For each number, the place of its worth from 1, or 0 without a position.
    pub cells: Vec<u16>,
}

impl Layer {
    /// The worth of a number; `None` if it has no position.
    #[inline]
    pub fn get(&self, index: u64) -> Option<Worth> {
        let cell = *self.cells.get(index as usize)?;
        self.worths.get(usize::from(cell).checked_sub(1)?).copied()
    }
}

/// The file beside a layer's blocks: the layer, and a checksum that includes the table's manifest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Finished {
    layer: LayerPart,
    sum: Checksum,
}

/// A table being built: the folder of its finished layers.
pub struct TableWriter {
    target: Target,
    folder: PathBuf,
    manifest: Manifest,
    finished: BTreeMap<u32, LayerPart>,
    /// Held while the writer exists, so that no other process writes the same table.
    _lock: DiskFile,
}

impl TableWriter {
    /// Starts a table, or resumes one with the same game, rules and values. A layer with any error
    /// counts as unfinished.
    ///
    /// # Errors
    /// If the folder cannot be written, holds another unfinished table, or is in use by another
    /// process.
    pub fn open<'a>(
        target: impl Into<Target>,
        id: impl Into<GameId<'a>>,
        fingerprint: Checksum,
        values: Values,
    ) -> Result<TableWriter, Error> {
        let (target, id) = (target.into(), id.into());
        let (folder, disk) = (target.parts(), &target.disk);
        let manifest = Manifest {
            program: PROGRAM.to_owned(),
            game: id.name.to_owned(),
            rules: id.rules.map(str::to_owned),
            fingerprint,
            values,
            layers: Vec::new(),
            keys: None,
            proof: None,
        };
        // Does not create parent folders: a mistyped path is more likely than a missing folder.
        disk.create_folder(&folder)?;
        let lock = disk.create(&folder.join("lock"))?;
        match lock.file().try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Err(Error::Busy(folder)),
            // Some file systems do not support locks.
            Err(std::fs::TryLockError::Error(error))
                if error.kind() == io::ErrorKind::Unsupported => {}
            Err(std::fs::TryLockError::Error(error)) => return Err(error.into()),
        }
        let begun = folder.join("table.json");
        let mine = serde_json::to_vec(&manifest).map_err(io::Error::from)?;
        match fs::read(&begun) {
            Ok(found) if found == mine => {}
            Ok(found) => {
                let found = serde_json::from_slice::<Manifest>(&found);
                let found = found.map_or("something else".to_owned(), |other| {
                    format!("{} with {} by {}", other.game, other.values.name(), other.program)
                });
                let expected =
                    format!("{} with {} by {PROGRAM} and the same rules", id.name, values.name());
                return Err(Error::Game { found, expected });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => put(disk, &begun, &mine)?,
            Err(error) => return Err(error.into()),
        }
        let finished = BTreeMap::new();
        let mut writer = TableWriter { target, folder, manifest, finished, _lock: lock };
        for entry in fs::read_dir(&writer.folder)? {
            let name = entry?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".json")?.parse().ok());
            if let Some(layer) = number
                && let Ok(part) = writer.read_part(layer)
            {
                writer.finished.insert(layer, part);
            }
        }
        Ok(writer)
    }

    fn file(&self, layer: u32, kind: &str) -> PathBuf {
        self.folder.join(format!("{layer}.{kind}"))
    }

    /// The checksum of a layer's entry in exactly this table.
    fn sum(&self, number: u32, layer: &LayerPart) -> Result<Checksum, Error> {
        let Manifest { game, rules, fingerprint, values, .. } = &self.manifest;
        let all = (game, rules, fingerprint, values, number, layer);
        Ok(Checksum::of(&serde_json::to_vec(&all).map_err(io::Error::from)?))
    }

    /// Reads the entry of a finished layer, and checks that all of its blocks are intact.
    fn read_part(&self, number: u32) -> Result<LayerPart, Error> {
        let cut = || damaged(format!("layer {number} is cut short"));
        let text = fs::read(self.file(number, "json"))?;
        let finished: Result<Finished, _> = serde_json::from_slice(&text);
        let Finished { layer, sum } = finished.map_err(|error| damaged(error.to_string()))?;
        // Without a matching checksum not even its sizes are used.
        if self.sum(number, &layer)? != sum {
            return Err(cut());
        }
        let mut file = File::open(self.file(number, "blocks"))?;
        if file.metadata()?.len() != layer.bytes + layer.entries_bytes() {
            return Err(cut());
        }
        let entries = read_at(&mut file, layer.bytes, layer.entries_bytes())?;
        if Checksum::of(&entries) != layer.entries {
            return Err(cut());
        }
        let mut file = BufReader::with_capacity(1 << 20, file);
        file.seek(SeekFrom::Start(0))?;
        let (mut begin, mut packed) = (0, Vec::new());
        for (block, BlockEntry { end, checksum }) in (0..).zip(BlockEntry::decode_all(&entries)) {
            let length = end.checked_sub(begin).filter(|_| end <= layer.bytes);
            packed.resize(length.ok_or_else(cut)? as usize, 0);
            file.read_exact(&mut packed)?;
            if Checksum::of_block(&packed, number, block) != checksum {
                return Err(cut());
            }
            begin = end;
        }
        Ok(layer)
    }

    /// Whether a layer is finished.
    pub fn has(&self, layer: u32) -> bool {
        self.finished.contains_key(&layer)
    }

    /// The size of the finished layers in bytes.
    pub fn bytes(&self) -> u64 {
        self.finished.values().map(|layer| layer.bytes + layer.entries_bytes()).sum()
    }

    /// Writes a finished layer of `size` numbers with these worths. `fill` writes the cells from a
    /// number on (0, or the place of a worth, from 1); several threads call it, in any order.
    ///
    /// # Errors
    /// If it cannot be written; earlier layers are unchanged.
    pub fn write_layer(
        &mut self,
        number: u32,
        worths: &[Worth],
        size: u64,
        threads: usize,
        fill: &(dyn Fn(u64, &mut [u16]) + Sync),
    ) -> Result<(), Error> {
        let mut part = LayerPart {
            size,
            positions: 0,
            width: if worths.len() < 256 { 1 } else { 2 },
            offset: 0,
            bytes: 0,
            entries: Checksum::default(),
            worths: worths.iter().map(|worth| written(*worth)).collect(),
        };
        let mut entries = Vec::new();
        aside(&self.target.disk, &self.file(number, "blocks"), |file| {
            let threads = threads.max(1) as u64;
            let (blocks, each) = (part.blocks(), BLOCKS_AT_A_TIME * threads);
            for first in (0..blocks).step_by(each as usize) {
                let all = first..blocks.min(first + each);
                let parts = shared(threads as usize, |nth| {
                    packed(&part, all.clone().skip(nth).step_by(threads as usize), fill)
                })?;
                for block in all {
                    let at = block - first;
                    let (packed, positions) =
                        &parts[(at % threads) as usize][(at / threads) as usize];
                    file.write_all(packed)?;
                    part.positions += positions;
                    part.bytes += packed.len() as u64;
                    let checksum = Checksum::of_block(packed, number, block);
                    entries.extend(BlockEntry { end: part.bytes, checksum }.encode());
                }
            }
            part.entries = Checksum::of(&entries);
            file.write_all(&entries)
        })?;
        // This file marks the layer as finished.
        let finished = Finished { sum: self.sum(number, &part)?, layer: part.clone() };
        let text = serde_json::to_vec(&finished).map_err(io::Error::from)?;
        put(&self.target.disk, &self.file(number, "json"), &text)?;
        self.finished.insert(number, part);
        Ok(())
    }

    /// Writes a finished layer of `size` numbers; `worth` gives the worth of each, `None` without a
    /// position.
    ///
    /// # Errors
    /// If there are more different worths than cells can hold, or it cannot be written.
    pub fn write_layer_by(
        &mut self,
        number: u32,
        size: u64,
        threads: usize,
        worth: &(dyn Fn(u64) -> Option<Worth> + Sync),
    ) -> Result<(), Error> {
        let found: HashMap<_, _> =
            (0..size).filter_map(worth).map(|worth| (worth_order(worth), worth)).collect();
        let mut found = Vec::from_iter(found);
        if found.len() > MOST_WORTHS {
            return Err(Error::Worths { worths: found.len() });
        }
        found.sort_unstable_by_key(|(order, _)| *order);
        let worths: Vec<_> = found.iter().map(|(_, worth)| *worth).collect();
        self.write_layer(number, &worths, size, threads, &|from, cells| {
            for (cell, index) in cells.iter_mut().zip(from..) {
                let place = |worth| found.partition_point(|(other, _)| *other < worth_order(worth));
                *cell = worth(index).map_or(0, |worth| place(worth) as u16 + 1);
            }
        })
    }

    /// Writes the keys of the positions, which must be rising.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_keys(&mut self, mut keys: impl Iterator<Item = u128>) -> Result<(), Error> {
        let mut part = KeysPart { offset: 0, bytes: 0, entries: Checksum::default() };
        aside(&self.target.disk, &self.folder.join("keys"), |file| {
            let mut compressor = zstd::bulk::Compressor::new(EFFORT)?;
            let (mut plain, mut entries) = (Vec::new(), Vec::new());
            for block in 0.. {
                let Some(first) = keys.next() else { break };
                let rest = keys.by_ref().take(KEYS as usize - 1);
                keys::plain(std::iter::once(first).chain(rest), &mut plain);
                let packed = compressor.compress(&plain)?;
                file.write_all(&packed)?;
                part.bytes += packed.len() as u64;
                let checksum = Checksum::of_block(&packed, KEYS_LAYER, block);
                entries.extend(KeyBlockEntry { end: part.bytes, checksum, first }.encode());
            }
            part.entries = Checksum::of(&entries);
            file.write_all(&entries)
        })?;
        self.manifest.keys = Some(part);
        Ok(())
    }

    /// Sets the subject of the proof, which makes the file a proof.
    pub fn set_proof(&mut self, proof: ProofManifest) {
        self.manifest.proof = Some(proof);
    }

    /// Reads a finished layer block by block: `visit` gets its worths and the cells of each block.
    ///
    /// # Errors
    /// If it cannot be read, or was changed.
    pub fn read_layer(
        &self,
        number: u32,
        mut visit: impl FnMut(&[Worth], &[u16]),
    ) -> Result<(), Error> {
        let part = self.part(number)?;
        let mut file = File::open(self.file(number, "blocks"))?;
        let worths = part.worths();
        for block in 0..part.blocks() {
            let read = |offset, length| Ok(read_at(&mut file, offset, length)?);
            visit(&worths, &part.block(number, block, read)?);
        }
        Ok(())
    }

    fn part(&self, number: u32) -> Result<&LayerPart, Error> {
        let missing = || damaged(format!("layer {number} is not finished"));
        self.finished.get(&number).ok_or_else(missing)
    }

    /// Removes the folder and its content.
    pub fn discard(self) {
        // Remaining files are harmless: the next attempt resumes from them.
        let _ = self.target.disk.remove_folder(&self.folder);
    }

    /// Assembles the table from its layers below `layers`, and removes the folder unless it has
    /// more finished layers.
    ///
    /// # Errors
    /// If a layer is missing or the table cannot be written; the layers are unchanged.
    pub fn finish(mut self, layers: u32) -> Result<(), Error> {
        let mut offset = HEAD as u64;
        for number in 0..layers {
            let layer = LayerPart { offset, ..self.part(number)?.clone() };
            offset += layer.bytes + layer.entries_bytes();
            self.manifest.layers.push(layer);
        }
        let keys = self.folder.join("keys");
        if let Some(part) = &mut self.manifest.keys {
            part.offset = offset;
            offset += fs::metadata(&keys)?.len();
        }
        let text = serde_json::to_vec(&self.manifest).map_err(io::Error::from)?;
        if text.len() as u64 > LONGEST_MANIFEST {
            return Err(Error::Manifest { bytes: text.len() });
        }
        let disk = &self.target.disk;
        // If this file exists beside a finished table, only cleaning up is left.
        let finished = self.folder.join(FINISHED);
        put(disk, &finished, &text)?;
        // In the folder of the layers, so that a crash leaves no other file beside the table.
        let other = self.folder.join("table");
        whole(disk, disk.create(&other)?, &other, &self.target.path, |file| {
            file.write_all(&Head::of(offset, &text).encode())?;
            for (number, part) in (0..).zip(&self.manifest.layers) {
                let path = self.file(number, "blocks");
                if io::copy(&mut File::open(&path)?, file)? != part.bytes + part.entries_bytes() {
                    let why = format!("{}: its length has changed", path.display());
                    return Err(io::Error::new(io::ErrorKind::InvalidData, why));
                }
            }
            if self.manifest.keys.is_some() {
                io::copy(&mut File::open(&keys)?, file)?;
            }
            file.write_all(&text)
        })?;
        match self.finished.keys().all(|number| *number < layers) {
            true => Ok(tidy(disk, &self.folder)?),
            false => Ok(disk.remove_file(&finished)?),
        }
    }
}

/// Runs `work` for each number below `threads`, each on its own thread.
fn shared<T: Send>(
    threads: usize,
    work: impl Fn(usize) -> io::Result<T> + Sync,
) -> io::Result<Vec<T>> {
    std::thread::scope(|scope| {
        let work = &work;
        let spawn = |nth| std::thread::Builder::new().spawn_scoped(scope, move || work(nth));
        let others: Vec<_> = (1..threads).map(spawn).collect();
        let mut parts = vec![work(0)];
        for (nth, other) in (1..).zip(others) {
            // If a thread did not start, or panicked, its part is done here.
            let done = other.ok().and_then(|other| other.join().ok());
            parts.push(done.unwrap_or_else(|| work(nth)));
        }
        parts.into_iter().collect()
    })
}

/// Compresses some blocks of a layer; returns each with its number of positions.
fn packed(
    part: &LayerPart,
    blocks: impl Iterator<Item = u64>,
    fill: &(dyn Fn(u64, &mut [u16]) + Sync),
) -> io::Result<Vec<(Vec<u8>, u64)>> {
    let mut compressor = zstd::bulk::Compressor::new(EFFORT)?;
    let (mut cells, mut plain) = (Vec::new(), Vec::with_capacity(BLOCK));
    let pack = |block| {
        let from = block * part.cells();
        cells.clear();
        cells.resize(part.cells().min(part.size - from) as usize, 0);
        fill(from, &mut cells);
        block::plain(&cells, part.width, &mut plain);
        let positions = cells.iter().filter(|cell| **cell != 0).count() as u64;
        Ok((compressor.compress(&plain)?, positions))
    };
    blocks.map(pack).collect()
}

/// Reads bytes of a file at an offset.
fn read_at(file: &mut File, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length as usize];
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
