//! The folder of an unfinished table: which table it is, and its finished layers. A layer is one file of
//! blocks if one process wrote it, and otherwise a share by each of several processes; a small file
//! beside them, written last, says that it is finished.

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use fs_err::{self as fs, File};
use serde::{Deserialize, Serialize};

use super::aside::put;
use super::share::Sealed;
use super::{PROGRAM, Target};
use crate::error::{Error, damaged};
use crate::format::block::{BlockEntry, ShareEntry};
use crate::format::checksum::Checksum;
use crate::format::layer::written;
use crate::format::{GameId, LayerPart, Manifest, Values};

/// The folder beside a table with its finished layers.
pub struct Parts {
    pub(super) target: Target,
    pub(super) folder: PathBuf,
    pub(super) manifest: Manifest,
}

/// The file beside a layer's blocks: the layer, and a checksum that includes the table's manifest.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Finished {
    layer: LayerPart,
    /// Of the entries of each share; none if all blocks are in one file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shares: Vec<Checksum>,
    sum: Checksum,
}

impl Parts {
    /// The folder for a table, which is created.
    pub(super) fn new<'a>(
        target: impl Into<Target>,
        id: impl Into<GameId<'a>>,
        fingerprint: Checksum,
        values: Values,
    ) -> Result<Parts, Error> {
        let (target, id) = (target.into(), id.into());
        let folder = target.parts();
        let manifest = Manifest {
            program: PROGRAM.to_owned(),
            game: id.name.to_owned(),
            rules: id.rules.map(str::to_owned),
            fingerprint,
            values,
            layers: Vec::new(),
            keys: None,
            horizon: None,
            proof: None,
        };
        // Does not create parent folders: a mistyped path is more likely than a missing folder.
        target.disk.create_folder(&folder)?;
        Ok(Parts { target, folder, manifest })
    }

    /// Notes which table it is, if nobody has done so.
    pub(super) fn begin(&self) -> Result<(), Error> {
        let begun = self.folder.join("table.json");
        let mine = serde_json::to_vec(&self.manifest).map_err(io::Error::from)?;
        match fs::read(&begun) {
            Ok(found) if found == mine => Ok(()),
            Ok(found) => {
                let words = |it: &Manifest| {
                    format!("{} with {} by {}", it.game, it.values.name(), it.program)
                };
                let found = serde_json::from_slice::<Manifest>(&found);
                let found = found.map_or("something else".to_owned(), |other| words(&other));
                let expected = words(&self.manifest);
                let folder = self.folder.display();
                Err(match found == expected {
                    true => Error::Game {
                        found: format!("{found}, but with other rules or another number of plies"),
                        expected: format!("what was asked for: remove {folder} to begin anew"),
                    },
                    false => Error::Game { found, expected },
                })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                put(&self.target.disk, &begun, &mine)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Starts a folder, or resumes one with the same game, rules and values, beside other processes that
    /// build the same table.
    ///
    /// # Errors
    /// If the folder cannot be written, or holds another unfinished table.
    pub fn open<'a>(
        target: impl Into<Target>,
        id: impl Into<GameId<'a>>,
        fingerprint: Checksum,
        values: Values,
    ) -> Result<Parts, Error> {
        let parts = Parts::new(target, id, fingerprint, values)?;
        parts.begin()?;
        Ok(parts)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn file(&self, layer: u32, kind: &str) -> PathBuf {
        self.folder.join(format!("{layer}.{kind}"))
    }

    pub(super) fn share(&self, layer: u32, share: usize) -> PathBuf {
        self.file(layer, &format!("{share}.blocks"))
    }

    /// The layers that may be finished, in order.
    pub fn layers(&self) -> Result<Vec<u32>, Error> {
        let mut layers = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            layers.extend(
                name.to_str().and_then(|name| name.strip_suffix(".json")?.parse::<u32>().ok()),
            );
        }
        layers.sort_unstable();
        Ok(layers)
    }

    /// The checksum of a layer's entry in exactly this table.
    fn sum(&self, number: u32, layer: &LayerPart, shares: &[Checksum]) -> Result<Checksum, Error> {
        let Manifest { game, rules, fingerprint, values, .. } = &self.manifest;
        let all = (game, rules, fingerprint, values, number, layer);
        let bytes = match shares {
            [] => serde_json::to_vec(&all),
            _ => serde_json::to_vec(&(all, shares)),
        };
        Ok(Checksum::of(&bytes.map_err(io::Error::from)?))
    }

    /// A checksum of something in exactly this table.
    pub(super) fn sum_of(&self, what: &impl Serialize) -> Result<Checksum, Error> {
        let Manifest { game, rules, fingerprint, values, .. } = &self.manifest;
        let bytes = serde_json::to_vec(&(game, rules, fingerprint, values, what));
        Ok(Checksum::of(&bytes.map_err(io::Error::from)?))
    }

    /// Whether a layer is finished, as far as its smallest file says.
    pub fn is_finished(&self, layer: u32) -> bool {
        self.finished(layer).is_ok()
    }

    /// Whether a layer is finished, and all of its blocks are intact.
    pub fn is_intact(&self, layer: u32) -> bool {
        self.intact(layer).is_ok()
    }

    /// The file that marks a layer as finished.
    fn finished(&self, number: u32) -> Result<Finished, Error> {
        let text = fs::read(self.file(number, "json"))?;
        let finished: Result<Finished, _> = serde_json::from_slice(&text);
        let finished = finished.map_err(|error| damaged(error.to_string()))?;
        // Without a matching checksum not even its sizes are used.
        match self.sum(number, &finished.layer, &finished.shares)? == finished.sum {
            true => Ok(finished),
            false => Err(cut(number)),
        }
    }

    /// Marks a layer as finished; `shares` are the checksums of the shares' entries.
    pub(super) fn mark(
        &self,
        number: u32,
        layer: LayerPart,
        shares: Vec<Checksum>,
    ) -> Result<(), Error> {
        let sum = self.sum(number, &layer, &shares)?;
        let text = serde_json::to_vec(&Finished { layer, shares, sum }).map_err(io::Error::from)?;
        put(&self.target.disk, &self.file(number, "json"), &text)
    }

    /// Marks a layer with `size` numbers and these worths as finished, when all of its shares are written.
    ///
    /// # Errors
    /// If it cannot be written, or the shares do not have each block once.
    pub fn complete(
        &self,
        number: u32,
        worths: &[foregone_rules::Worth],
        size: u64,
        shares: &[Sealed],
    ) -> Result<LayerPart, Error> {
        let mut part = LayerPart::new(worths, size);
        let mut blocks: Vec<(u64, u64, u64)> = Vec::new();
        for share in shares {
            let mut begin = 0;
            for ShareEntry { block, end, checksum } in &share.entries {
                blocks.push((*block, end.saturating_sub(begin), *checksum));
                begin = *end;
            }
            part.positions += share.positions;
        }
        blocks.sort_unstable();
        if !blocks.iter().map(|(block, ..)| *block).eq(0..part.blocks()) {
            return Err(damaged(format!("layer {number} does not have each block once")));
        }
        let mut entries = Vec::with_capacity(part.entries_bytes() as usize);
        for (_, length, checksum) in blocks {
            part.bytes += length;
            entries.extend(BlockEntry { end: part.bytes, checksum }.encode());
        }
        part.entries = Checksum::of(&entries);
        self.mark(number, part.clone(), shares.iter().map(Sealed::checksum).collect())?;
        Ok(part)
    }

    /// Opens a finished layer.
    ///
    /// # Errors
    /// If it is not finished, or cut short.
    pub fn layer(&self, number: u32) -> Result<OpenLayer, Error> {
        let Finished { layer, shares, .. } = self.finished(number)?;
        let mut opened = OpenLayer { number, part: layer, files: Vec::new(), blocks: Vec::new() };
        if shares.is_empty() {
            opened.whole(File::open(self.file(number, "blocks"))?)?;
            return Ok(opened);
        }
        for (share, checksum) in shares.into_iter().enumerate() {
            opened.share(File::open(self.share(number, share))?, checksum)?;
        }
        opened.check_entries()?;
        Ok(opened)
    }

    /// How many processes have written a finished layer.
    ///
    /// # Errors
    /// If it is not finished.
    pub fn writers(&self, number: u32) -> Result<usize, Error> {
        Ok(self.finished(number)?.shares.len().max(1))
    }

    /// Opens one share of a finished layer; other blocks are missing.
    ///
    /// # Errors
    /// If it is not finished, or cut short.
    pub fn layer_share(&self, number: u32, share: usize) -> Result<OpenLayer, Error> {
        let Finished { layer, shares, .. } = self.finished(number)?;
        let checksum = *shares.get(share).ok_or_else(|| cut(number))?;
        let mut opened = OpenLayer { number, part: layer, files: Vec::new(), blocks: Vec::new() };
        opened.share(File::open(self.share(number, share))?, checksum)?;
        Ok(opened)
    }

    /// A finished layer, if all of its blocks are intact.
    ///
    /// # Errors
    /// If they are not.
    pub(super) fn intact(&self, number: u32) -> Result<LayerPart, Error> {
        let mut layer = self.layer(number)?;
        for block in 0..layer.part.blocks() {
            layer.packed(block)?;
        }
        Ok(layer.part)
    }
}

fn cut(layer: u32) -> Error {
    damaged(format!("layer {layer} is cut short"))
}

/// A finished layer of an unfinished table, or a share of it.
pub struct OpenLayer {
    number: u32,
    part: LayerPart,
    files: Vec<BufReader<File>>,
    /// By number of the block; `None` if it is in a share that is not open.
    blocks: Vec<Option<Place>>,
}

/// Where a compressed block is.
#[derive(Clone, Copy)]
struct Place {
    file: usize,
    begin: u64,
    length: u64,
    checksum: u64,
}

impl OpenLayer {
    /// What is known of the layer.
    pub fn part(&self) -> &LayerPart {
        &self.part
    }

    /// The blocks that are here, in order.
    pub fn blocks(&self) -> impl Iterator<Item = u64> {
        (0..).zip(&self.blocks).filter(|(_, place)| place.is_some()).map(|(block, _)| block)
    }

    /// Takes a file with all blocks and their entries.
    fn whole(&mut self, mut file: File) -> Result<(), Error> {
        let LayerPart { bytes, .. } = self.part;
        if file.metadata()?.len() != bytes + self.part.entries_bytes() {
            return Err(cut(self.number));
        }
        let entries = read_at(&mut file, bytes, self.part.entries_bytes())?;
        if Checksum::of(&entries) != self.part.entries {
            return Err(cut(self.number));
        }
        let mut begin = 0;
        for BlockEntry { end, checksum } in BlockEntry::decode_all(&entries) {
            let length = end.checked_sub(begin).filter(|_| end <= bytes);
            let length = length.ok_or_else(|| cut(self.number))?;
            self.blocks.push(Some(Place { file: 0, begin, length, checksum }));
            begin = end;
        }
        self.files.push(BufReader::with_capacity(1 << 20, file));
        Ok(())
    }

    /// Takes a share; `expected` is the checksum of its entries.
    fn share(&mut self, mut file: File, expected: Checksum) -> Result<(), Error> {
        let wrong = || cut(self.number);
        let size = file.metadata()?.len();
        let tail = size.checked_sub(8).ok_or_else(wrong)?;
        let count = read_at(&mut file, tail, 8)?;
        let count = count.try_into().map_or(0, u64::from_le_bytes);
        let length = count.checked_mul(ShareEntry::SIZE as u64).filter(|length| *length <= tail);
        let length = length.ok_or_else(wrong)?;
        let entries = read_at(&mut file, tail - length, length)?;
        if Checksum::of(&entries) != expected {
            return Err(wrong());
        }
        self.blocks.resize(self.part.blocks() as usize, None);
        let mut begin = 0;
        for ShareEntry { block, end, checksum } in ShareEntry::decode_all(&entries) {
            let length = end.checked_sub(begin).filter(|_| end <= tail - length);
            let place = self.blocks.get_mut(block as usize).filter(|place| place.is_none());
            let (Some(length), Some(place)) = (length, place) else {
                return Err(cut(self.number));
            };
            *place = Some(Place { file: self.files.len(), begin, length, checksum });
            begin = end;
        }
        self.files.push(BufReader::new(file));
        Ok(())
    }

    /// The entries of all blocks as the table has them; `None` if a share is not open.
    pub(super) fn entries(&self) -> Option<Vec<u8>> {
        let (mut entries, mut end) = (Vec::new(), 0);
        for place in &self.blocks {
            let Place { length, checksum, .. } = (*place)?;
            end += length;
            entries.extend(BlockEntry { end, checksum }.encode());
        }
        Some(entries)
    }

    fn check_entries(&self) -> Result<(), Error> {
        match self.entries() {
            Some(entries) if Checksum::of(&entries) == self.part.entries => Ok(()),
            _ => Err(cut(self.number)),
        }
    }

    /// A compressed block.
    pub(super) fn packed(&mut self, block: u64) -> Result<Vec<u8>, Error> {
        let place = self.blocks.get(block as usize).copied().flatten();
        let Place { file, begin, length, checksum } = place.ok_or_else(|| cut(self.number))?;
        let file = &mut self.files[file];
        // Does not lose what was read ahead.
        let offset = begin as i64 - file.stream_position()? as i64;
        file.seek_relative(offset)?;
        let mut packed = vec![0; length as usize];
        file.read_exact(&mut packed)?;
        match Checksum::of_block(&packed, self.number, block) == checksum {
            true => Ok(packed),
            false => Err(cut(self.number)),
        }
    }

    /// The cells of a block.
    ///
    /// # Errors
    /// If it cannot be read, or was changed.
    pub fn block(&mut self, block: u64) -> Result<Vec<u16>, Error> {
        let packed = self.packed(block)?;
        let checksum = Checksum::of_block(&packed, self.number, block);
        self.part.unpack(self.number, block, &packed, checksum)
    }
}

/// Reads bytes of a file at an offset.
pub(super) fn read_at(file: &mut File, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length as usize];
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

impl LayerPart {
    /// A layer with these worths and no blocks yet.
    pub(super) fn new(worths: &[foregone_rules::Worth], size: u64) -> LayerPart {
        LayerPart {
            size,
            positions: 0,
            width: if worths.len() < 256 { 1 } else { 2 },
            offset: 0,
            bytes: 0,
            entries: Checksum::default(),
            worths: worths.iter().map(|worth| written(*worth)).collect(),
        }
    }
}
