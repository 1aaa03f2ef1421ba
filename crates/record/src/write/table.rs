//! Writing a table: layer by layer, and at the end all of it.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::path::Path;

use foregone_rules::Worth;
use fs_err::{self as fs, File};

use super::aside::{aside, put, whole};
use super::parts::Parts;
use super::share::{Packed, Packer};
use super::target::{FINISHED, tidy};
use super::{EFFORT, Target};
use crate::disk::{Disk, DiskFile};
use crate::error::{Error, damaged};
use crate::format::LONGEST_MANIFEST;
use crate::format::block::BlockEntry;
use crate::format::checksum::Checksum;
use crate::format::head::HEAD;
use crate::format::keys::{self, KEYS, KEYS_LAYER, KeyBlockEntry};
use crate::format::layer::worth_order;
use crate::format::manifest::MAX_WORTHS;
use crate::format::{GameId, Head, KeysPart, LayerPart, Listed, Manifest, Values};
use crate::proof::ProofManifest;
use crate::threads;

/// The number of blocks that a thread compresses before they are written.
const BLOCKS_AT_A_TIME: u64 = 16;

/// A table being built: the folder of its finished layers.
pub struct TableWriter {
    parts: Parts,
    finished: BTreeMap<u32, LayerPart>,
    keys: Option<KeysPart>,
    proof: Option<ProofManifest>,
    /// Held while the writer exists, so that no other process writes the same table.
    lock: DiskFile,
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
        let mut writer = TableWriter::locked(target, id, fingerprint, values)?;
        for layer in writer.parts.layers()? {
            if let Ok(part) = writer.parts.intact(layer) {
                writer.adopt(layer, part);
            }
        }
        Ok(writer)
    }

    /// Opens a table to write one layer; other processes may write other layers at the same time. `below` are
    /// the layers that it needs; finished ones count as intact until they are read.
    ///
    /// # Errors
    /// As for [`open`](TableWriter::open).
    pub fn of_layer<'a>(
        target: impl Into<Target>,
        id: impl Into<GameId<'a>>,
        fingerprint: Checksum,
        values: Values,
        layer: u32,
        below: &[u32],
    ) -> Result<TableWriter, Error> {
        let parts = Parts::new(target, id, fingerprint, values)?;
        let lock = locked(&parts, &format!("{layer}.lock"))?;
        parts.begin()?;
        let finished = BTreeMap::new();
        let mut writer = TableWriter { parts, finished, keys: None, proof: None, lock };
        if let Ok(part) = writer.parts.intact(layer) {
            writer.adopt(layer, part);
        }
        for lower in below.iter().filter(|lower| **lower < layer) {
            let opened = writer.parts.layer(*lower);
            let unfinished = |_| {
                let why = format!(
                    "layer {lower} is not finished, or is damaged, and moves lead to it: build it first"
                );
                io::Error::new(io::ErrorKind::NotFound, why)
            };
            writer.adopt(*lower, opened.map_err(unfinished)?.part().clone());
        }
        Ok(writer)
    }

    /// Opens a table as if no layer were finished: see [`adopt`](TableWriter::adopt).
    ///
    /// # Errors
    /// As for [`open`](TableWriter::open).
    pub fn locked<'a>(
        target: impl Into<Target>,
        id: impl Into<GameId<'a>>,
        fingerprint: Checksum,
        values: Values,
    ) -> Result<TableWriter, Error> {
        TableWriter::of(Parts::new(target, id, fingerprint, values)?)
    }

    /// Starts a book of the positions that `horizon` moves lead to, or resumes one.
    ///
    /// # Errors
    /// As for [`open`](TableWriter::open).
    pub fn of_book<'a>(
        target: impl Into<Target>,
        id: impl Into<GameId<'a>>,
        fingerprint: Checksum,
        horizon: u32,
    ) -> Result<TableWriter, Error> {
        let mut parts = Parts::new(target, id, fingerprint, Values::Score)?;
        parts.manifest.horizon = Some(horizon);
        TableWriter::of(parts)
    }

    fn of(parts: Parts) -> Result<TableWriter, Error> {
        let lock = locked(&parts, "lock")?;
        parts.begin()?;
        Ok(TableWriter { parts, finished: BTreeMap::new(), keys: None, proof: None, lock })
    }

    /// The folder, in which other files can lie until the table is finished, and the disk that it is on.
    pub fn folder(&self) -> (&Disk, &Path) {
        (&self.parts.target.disk, &self.parts.folder)
    }

    /// Keeps something in the folder until the table is finished.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        put(&self.parts.target.disk, &self.parts.folder.join(name), bytes)
    }

    /// What was [kept](TableWriter::keep) under a name; `None` if nothing was.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn kept(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match fs::read(self.parts.folder.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            bytes => Ok(Some(bytes?)),
        }
    }

    /// Takes up a layer that is finished and intact.
    pub fn adopt(&mut self, layer: u32, part: LayerPart) {
        self.finished.insert(layer, part);
    }

    /// The folder.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Removes the folder if nothing is finished in it, so that it does not say which table belongs there.
    ///
    /// # Errors
    /// If it cannot be read or removed.
    pub fn withdraw(self) -> Result<(), Error> {
        let TableWriter { parts: Parts { target, folder, .. }, lock, .. } = self;
        let begun = ["table.json", "lock"].map(|name| folder.join(name));
        let all = fs::read_dir(&folder)?.collect::<Result<Vec<_>, _>>()?;
        if all.iter().all(|entry| begun.contains(&entry.path())) {
            let _lock = while_removed(lock);
            begun.iter().try_for_each(|file| target.disk.remove_file(file))?;
            target.disk.remove_folder(&folder)?;
        }
        Ok(())
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
        let mut part = LayerPart::new(worths, size);
        let mut entries = Vec::new();
        aside(&self.parts.target.disk, &self.parts.file(number, "blocks"), |file| {
            let threads = threads.max(1) as u64;
            let (blocks, each) = (part.blocks(), BLOCKS_AT_A_TIME * threads);
            for first in (0..blocks).step_by(each as usize) {
                let all = first..blocks.min(first + each);
                let parts = threads::each(threads as usize, threads as usize, &|nth| {
                    let mine = all.clone().skip(nth).step_by(threads as usize);
                    let packer = Packer::new(number, worths, size).map_err(Error::into_io)?;
                    packed(packer, mine, fill).map_err(Error::into_io)
                });
                let parts = parts.into_iter().collect::<io::Result<Vec<_>>>()?;
                for block in all {
                    let at = block - first;
                    let packed = &parts[(at % threads) as usize][(at / threads) as usize];
                    file.write_all(&packed.bytes)?;
                    part.positions += packed.positions;
                    part.bytes += packed.bytes.len() as u64;
                    let checksum = packed.checksum;
                    entries.extend(BlockEntry { end: part.bytes, checksum }.encode());
                }
            }
            part.entries = Checksum::of(&entries);
            file.write_all(&entries)
        })?;
        self.parts.mark(number, part.clone(), Vec::new())?;
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
        if found.len() > MAX_WORTHS {
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
        let (entries, listed) = (Checksum::default(), Listed::All);
        let mut part = KeysPart { offset: 0, bytes: 0, entries, listed };
        aside(&self.parts.target.disk, &self.parts.folder.join("keys"), |file| {
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
        self.keys = Some(part);
        Ok(())
    }

    /// Says of which positions the keys are that were written: all that can arise unless this is called.
    pub fn set_listed(&mut self, listed: Listed) {
        if let Some(keys) = &mut self.keys {
            keys.listed = listed;
        }
    }

    /// Sets the subject of the proof, which makes the file a proof.
    pub fn set_proof(&mut self, proof: ProofManifest) {
        self.proof = Some(proof);
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
        let mut layer = self.parts.layer(number)?;
        let worths = layer.part().worths();
        for block in 0..layer.part().blocks() {
            visit(&worths, &layer.block(block)?);
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
        let TableWriter { parts, lock, .. } = self;
        let _lock = while_removed(lock);
        let _ = parts.target.disk.remove_folder(&parts.folder);
    }

    /// Assembles the table from its layers below `layers`, and removes the folder unless it has
    /// more finished layers.
    ///
    /// # Errors
    /// If a layer is missing or the table cannot be written; the layers are unchanged.
    pub fn finish(self, layers: u32) -> Result<(), Error> {
        let Parts { target, folder, manifest } = &self.parts;
        let mut manifest = Manifest { proof: self.proof.clone(), ..manifest.clone() };
        let mut offset = HEAD as u64;
        for number in 0..layers {
            let layer = LayerPart { offset, ..self.part(number)?.clone() };
            offset += layer.bytes + layer.entries_bytes();
            manifest.layers.push(layer);
        }
        let keys = folder.join("keys");
        if let Some(part) = &self.keys {
            manifest.keys = Some(KeysPart { offset, ..part.clone() });
            offset += fs::metadata(&keys)?.len();
        }
        let text = serde_json::to_vec(&manifest).map_err(io::Error::from)?;
        if text.len() as u64 > LONGEST_MANIFEST {
            return Err(Error::Manifest { bytes: text.len() });
        }
        let disk = &target.disk;
        // If this file exists beside a finished table, only cleaning up is left.
        let finished = folder.join(FINISHED);
        put(disk, &finished, &text)?;
        // In the folder of the layers, so that a crash leaves no other file beside the table.
        let other = folder.join("table");
        whole(disk, disk.create(&other)?, &other, &target.path, &mut |file| {
            file.write_all(&Head::of(offset, &text).encode())?;
            for (number, part) in (0..).zip(&manifest.layers) {
                let mut layer = self.parts.layer(number).map_err(Error::into_io)?;
                for block in 0..part.blocks() {
                    file.write_all(&layer.packed(block).map_err(Error::into_io)?)?;
                }
                let entries = layer.entries().unwrap_or_default();
                if Checksum::of(&entries) != part.entries {
                    let why = format!("layer {number} has changed");
                    return Err(io::Error::new(io::ErrorKind::InvalidData, why));
                }
                file.write_all(&entries)?;
            }
            if manifest.keys.is_some() {
                io::copy(&mut File::open(&keys)?, file)?;
            }
            file.write_all(&text)
        })?;
        // Layers above may be built later, also by tasks.
        let shards = self.parts.shards_from(layers)?;
        if shards || self.finished.keys().any(|number| *number >= layers) {
            return Ok(disk.remove_file(&finished)?);
        }
        let TableWriter { parts, lock, .. } = self;
        let _lock = while_removed(lock);
        Ok(tidy(&parts.target.disk, &parts.folder)?)
    }
}

/// A lock is kept until its folder is gone, but for Windows, which removes no folder with an open file.
fn while_removed(lock: DiskFile) -> Option<DiskFile> {
    (!cfg!(windows)).then_some(lock)
}

/// Creates and locks a file in a folder.
fn locked(parts: &Parts, name: &str) -> Result<DiskFile, Error> {
    let lock = parts.target.disk.create(&parts.folder.join(name))?;
    match lock.file().try_lock() {
        Ok(()) => Ok(lock),
        Err(std::fs::TryLockError::WouldBlock) => Err(Error::Busy(parts.folder.clone())),
        // Some file systems do not support locks.
        Err(std::fs::TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
            Ok(lock)
        }
        Err(std::fs::TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Compresses some blocks of a layer.
fn packed(
    mut packer: Packer,
    blocks: impl Iterator<Item = u64>,
    fill: &(dyn Fn(u64, &mut [u16]) + Sync),
) -> Result<Vec<Packed>, Error> {
    let mut cells = Vec::new();
    let pack = |block| {
        let numbers = packer.part().numbers(block);
        cells.clear();
        cells.resize((numbers.end - numbers.start) as usize, 0);
        fill(numbers.start, &mut cells);
        packer.pack(block, &cells)
    };
    blocks.map(pack).collect()
}
