//! Reading a file: opened by its head and manifest alone; a probe reads one block, and a few blocks
//! are kept. Any bytes may come in; what is wrong with them is an error.

use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use foregone_rules::{Bank, Encode, Indexed, Merged, NoBank, Value, Worth};
use lru::LruCache;

use crate::error::{Error, damaged};
use crate::format::block::BlockEntry;
use crate::format::checksum::Checksum;
use crate::format::head::{HEAD, LONGEST_MANIFEST, MAGIC};
use crate::format::keys::{self, KEYS, KeyBlockEntry};
use crate::format::{Head, KeysPart, Manifest, block, fingerprint, fingerprint_keyed};
pub use crate::source::{Bytes, Source};

/// How many blocks are kept.
const KEPT: NonZeroUsize = NonZeroUsize::new(256).unwrap();

/// How many bytes of the entries of blocks are read at once to check them: whole entries.
const ENTRIES_AT_ONCE: u64 = 1 << 20;

/// The cells of a block.
type Cells = Arc<Vec<u16>>;

/// A table or a proof that can be looked up in.
pub struct Table {
    source: Box<dyn Source>,
    manifest: Manifest,
    worths: Vec<Vec<Worth>>,
    /// Blocks that were read last, by layer and number.
    kept: Mutex<LruCache<(u32, u64), Cells>>,
    lowest: OnceLock<Vec<Vec<u16>>>,
    keys: OnceLock<Vec<KeyBlockEntry>>,
    /// The block of keys that was read last.
    kept_keys: Mutex<Option<(u64, Arc<Vec<u128>>)>>,
}

impl Table {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read or is no whole file of Foregone.
    pub fn open(path: &Path) -> Result<Table, Error> {
        // Anything else may block, or never end.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "this is no plain file: it is read at many places, so save it on a disk first",
            )
            .into());
        }
        Table::read(Mutex::new(File::open(path)?))
    }

    /// Reads the head and the manifest.
    ///
    /// # Errors
    /// If they cannot be read or are damaged.
    pub fn read(source: impl Source + 'static) -> Result<Table, Error> {
        let size = source.size()?;
        if size < HEAD as u64 {
            let mut magic = vec![0; (size as usize).min(MAGIC.len())];
            source.read(0, &mut magic)?;
            return Err(match magic == MAGIC {
                true => damaged("it is cut short"),
                false => Error::Magic,
            });
        }
        let mut head = [0; HEAD];
        source.read(0, &mut head)?;
        let Head { offset, length, checksum } = Head::decode(&head)?;
        if length > LONGEST_MANIFEST || offset.checked_add(length) != Some(size) {
            return Err(damaged("it has a wrong length"));
        }
        let mut text = vec![0; length as usize];
        source.read(offset, &mut text)?;
        if Checksum::of(&text) != checksum {
            return Err(damaged("the checksum of its manifest does not match"));
        }
        let manifest = Manifest::read(&text, offset)?;
        let worths = manifest.layers.iter().map(|layer| layer.worths()).collect();
        Ok(Table {
            source: Box::new(source),
            manifest,
            worths,
            kept: Mutex::new(LruCache::new(KEPT)),
            lowest: OnceLock::new(),
            keys: OnceLock::new(),
            kept_keys: Mutex::default(),
        })
    }

    /// What it says of itself. Nothing of it need be true: a checker derives it.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// How many bytes it has.
    ///
    /// # Errors
    /// If that cannot be found out.
    pub fn size(&self) -> io::Result<u64> {
        self.source.size()
    }

    /// Checks that it is a table of numbered positions of this very game, with the same rules.
    ///
    /// # Errors
    /// If it is not.
    pub fn is_of<G: Indexed>(&self, game: &G, specification: &str) -> Result<(), Error> {
        self.is_no_proof()?;
        if self.manifest.keys.is_some() {
            return Err(Error::Kind { found: "keyed positions", expected: "numbered ones" });
        }
        self.is_of_rules(fingerprint(game), specification)
    }

    /// Checks that it is a table of keyed positions of this very game, with the same rules.
    ///
    /// # Errors
    /// If it is not.
    pub fn is_keyed_of<G>(&self, game: &G, specification: &str) -> Result<(), Error>
    where
        G: Encode<Bank = NoBank>,
    {
        self.is_no_proof()?;
        if self.manifest.keys.is_none() {
            return Err(Error::Kind { found: "numbered positions", expected: "keyed ones" });
        }
        self.is_of_rules(fingerprint_keyed(game), specification)
    }

    /// Checks that it is a proof about this very game, with the same rules.
    ///
    /// # Errors
    /// If it is not.
    pub fn is_proof_of<G>(&self, game: &G, specification: &str) -> Result<(), Error>
    where
        G: Encode,
    {
        if self.manifest.proof.is_none() {
            return Err(Error::Kind { found: "a table", expected: "a proof" });
        }
        self.is_of_rules(fingerprint_keyed(game), specification)
    }

    fn is_no_proof(&self) -> Result<(), Error> {
        match self.manifest.proof {
            None => Ok(()),
            Some(_) => Err(Error::Kind { found: "a proof", expected: "a table" }),
        }
    }

    fn is_of_rules(&self, fingerprint: Checksum, specification: &str) -> Result<(), Error> {
        let Manifest { game, fingerprint: found, .. } = &self.manifest;
        if game != specification {
            return Err(Error::Game { found: game.clone(), expected: specification.to_owned() });
        }
        if *found != fingerprint {
            let found = format!("{specification} with other rules ({found})");
            let expected = format!("the rules with fingerprint {fingerprint}");
            return Err(Error::Game { found, expected });
        }
        Ok(())
    }

    /// What it says of a number in a layer; `None` if that stands for no position, or the layer is not
    /// in the table.
    ///
    /// # Errors
    /// If the block cannot be read or is damaged.
    pub fn get(&self, layer: u32, index: u64) -> Result<Option<Worth>, Error> {
        let Some(part) = self.manifest.layers.get(layer as usize) else { return Ok(None) };
        if index >= part.size {
            return Ok(None);
        }
        let block = self.block(layer, index / part.cells())?;
        let cell = block.get((index % part.cells()) as usize).copied().unwrap_or(0);
        Ok(usize::from(cell).checked_sub(1).map(|at| self.worths[layer as usize][at]))
    }

    /// What it says of a position.
    ///
    /// # Errors
    /// If the block cannot be read or is damaged.
    pub fn probe<G: Indexed>(&self, game: &G, state: &G::State) -> Result<Option<Worth>, Error> {
        let (layer, index) = game.index(state);
        Ok(self.get(layer, index)?.map(|worth| with_banked(game, state, worth)))
    }

    /// What it says of a position of a game whose positions are listed by keys.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged.
    pub fn find<G: Encode<Bank = NoBank>>(
        &self,
        game: &G,
        state: &G::State,
    ) -> Result<Option<Worth>, Error> {
        match self.place(key_of(game, state))? {
            Some(place) => self.get(0, place),
            None => Ok(None),
        }
    }

    /// The part of the keys, and how many there are.
    fn keys_part(&self) -> Option<(&KeysPart, u64)> {
        Some((self.manifest.keys.as_ref()?, self.manifest.layers.first()?.size))
    }

    /// The place of a key among all keys.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged.
    pub fn place(&self, key: u128) -> Result<Option<u64>, Error> {
        let Some((part, count)) = self.keys_part() else { return Ok(None) };
        let entries = self.key_entries(part, count)?;
        let after = entries.partition_point(|entry| entry.first <= key) as u64;
        let Some(block) = after.checked_sub(1) else { return Ok(None) };
        let keys = self.key_block(part, count, block)?;
        Ok(keys.binary_search(&key).ok().map(|at| block * KEYS + at as u64))
    }

    /// Some of the keys from a place on, at least one: those of its block.
    ///
    /// # Errors
    /// If the block cannot be read or is damaged.
    pub fn keys_from(&self, place: u64) -> Result<Vec<u128>, Error> {
        match self.keys_part() {
            Some((part, count)) if place < count => {
                let keys = self.key_block(part, count, place / KEYS)?;
                Ok(keys[(place % KEYS) as usize..].to_vec())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Visits all keys in order.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged, or keys are out of order; or what the visitor returns.
    pub fn each_key(&self, mut visit: impl FnMut(u128) -> Result<(), Error>) -> Result<(), Error> {
        let Some((part, count)) = self.keys_part() else { return Ok(()) };
        let mut last = None;
        for block in 0..keys::blocks(count) {
            for key in self.key_block(part, count, block)?.iter() {
                if last.is_some_and(|last| last >= *key) {
                    return Err(damaged("its keys are out of order"));
                }
                last = Some(*key);
                visit(*key)?;
            }
        }
        Ok(())
    }

    /// All keys in order.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged, or keys are out of order.
    pub fn all_keys(&self) -> Result<Vec<u128>, Error> {
        let mut keys = Vec::new();
        self.each_key(|key| {
            keys.push(key);
            Ok(())
        })?;
        Ok(keys)
    }

    /// The entries of the blocks of keys, read once.
    fn key_entries(&self, part: &KeysPart, count: u64) -> Result<&[KeyBlockEntry], Error> {
        if let Some(entries) = self.keys.get() {
            return Ok(entries);
        }
        let bytes = self.bytes(part.offset + part.bytes, KeysPart::entries_bytes(count))?;
        let end = KeyBlockEntry::decode_all(&bytes).last().map_or(0, |entry| entry.end);
        if Checksum::of(&bytes) != part.entries || end != part.bytes {
            return Err(damaged("the entries of its keys do not match"));
        }
        Ok(self.keys.get_or_init(|| KeyBlockEntry::decode_all(&bytes).collect()))
    }

    fn key_block(&self, part: &KeysPart, count: u64, block: u64) -> Result<Arc<Vec<u128>>, Error> {
        let kept = self.kept_keys.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((number, keys)) = kept
            && number == block
        {
            return Ok(keys);
        }
        let entries = self.key_entries(part, count)?;
        let wrong = || damaged("it has too few blocks of keys");
        let entry = entries.get(block as usize).ok_or_else(wrong)?;
        let before = block.checked_sub(1).and_then(|before| entries.get(before as usize));
        let begin = before.map_or(0, |before| before.end);
        let here = (count - block * KEYS).min(KEYS) as usize;
        let read = |offset, length| self.bytes(part.offset + offset, length);
        let keys = Arc::new(keys::keys((block, here), (begin, *entry), part.bytes, read)?);
        let mut kept = self.kept_keys.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some((block, keys.clone()));
        Ok(keys)
    }

    /// The cells of a block.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn block(&self, layer: u32, block: u64) -> Result<Arc<Vec<u16>>, Error> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cells) = kept().get(&(layer, block)) {
            return Ok(cells.clone());
        }
        let cells = Arc::new(self.read_block(layer, block)?);
        kept().put((layer, block), cells.clone());
        Ok(cells)
    }

    fn read_block(&self, layer: u32, block: u64) -> Result<Vec<u16>, Error> {
        let part = &self.manifest.layers[layer as usize];
        let read = |offset, length| self.bytes(part.offset + offset, length);
        block::cells(part, layer, block, read)
    }

    /// Bytes of the file; the length was checked against what there can be.
    fn bytes(&self, offset: u64, length: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        // A file with holes may be larger than memory.
        bytes.try_reserve_exact(length as usize).map_err(io::Error::from)?;
        bytes.resize(length as usize, 0);
        self.source.read(offset, &mut bytes)?;
        Ok(bytes)
    }

    /// Checks the entries of a layer's blocks against their checksum, and that the blocks fill their
    /// part of the file.
    ///
    /// # Errors
    /// If they cannot be read or are damaged.
    pub fn check_entries(&self, layer: u32) -> Result<(), Error> {
        let Some(part) = self.manifest.layers.get(layer as usize) else { return Ok(()) };
        let (from, length, mut end) = (part.offset + part.bytes, part.entries_bytes(), 0);
        let parts = (0..length).step_by(ENTRIES_AT_ONCE as usize).map(|at| {
            let bytes = self.bytes(from + at, ENTRIES_AT_ONCE.min(length - at))?;
            end = BlockEntry::decode_all(&bytes).last().map_or(0, |entry| entry.end);
            Ok::<_, Error>(bytes)
        });
        match Checksum::of_parts(parts)? == part.entries && end == part.bytes {
            true => Ok(()),
            false => Err(damaged(format!("the entries of layer {layer} do not match"))),
        }
    }

    /// Reads all blocks, so that any that is damaged is found.
    ///
    /// # Errors
    /// If one cannot be read or is damaged.
    pub fn check_blocks(&self) -> Result<(), Error> {
        for (number, part) in (0..).zip(&self.manifest.layers) {
            self.check_entries(number)?;
            for block in 0..part.blocks() {
                self.read_block(number, block)?;
            }
        }
        self.each_key(|_| Ok(()))
    }

    /// All cells of a layer; none if the table does not have it.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged.
    pub fn layer(&self, layer: u32) -> Result<Vec<u16>, Error> {
        let Some(part) = self.manifest.layers.get(layer as usize) else { return Ok(Vec::new()) };
        self.check_entries(layer)?;
        let mut cells = Vec::new();
        for block in 0..part.blocks() {
            cells.extend(self.read_block(layer, block)?);
        }
        Ok(cells)
    }

    /// The cells of the lowest layers, as many as fit into so many bytes when this is first asked:
    /// from then on they stay in memory.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged.
    pub fn lowest(&self, bytes: u64) -> Result<&[Vec<u16>], Error> {
        if let Some(layers) = self.lowest.get() {
            return Ok(layers);
        }
        let (mut layers, mut left) = (Vec::new(), bytes);
        for (number, layer) in (0..).zip(&self.manifest.layers) {
            let Some(rest) = left.checked_sub(layer.size.saturating_mul(2)) else { break };
            left = rest;
            layers.push(self.layer(number)?);
        }
        Ok(self.lowest.get_or_init(|| layers))
    }

    /// The worths that the cells of a layer stand for, from 1 on.
    pub fn worths(&self, layer: u32) -> &[Worth] {
        self.worths.get(layer as usize).map_or(&[], Vec::as_slice)
    }
}

/// The worth of a position, by that of the one that its number gives back, with nothing banked.
pub fn with_banked<G: Indexed>(game: &G, state: &G::State, worth: Worth) -> Worth {
    match G::Bank::banked(game, state) {
        Value(0) => worth,
        Value(banked) => Worth::new(Value(worth.value().0 + banked), worth.distance()),
    }
}

/// The key by which a position is listed.
pub fn key_of<G: Encode>(game: &G, state: &G::State) -> u128 {
    game.encode(&Merged::of(game, state).state)
}

/// The representative that a key stands for; `None` if it stands for none. Any key may come in.
pub fn state_of<G: Encode>(game: &G, key: u128) -> Option<G::State> {
    let bits = game.bits();
    let state = (bits >= 128 || key >> bits == 0).then(|| game.decode(key))?;
    (game.encode(&state) == key).then_some(state)
}
