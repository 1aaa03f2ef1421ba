//! Reading a file. Opening reads the head and the manifest; a probe reads one block, and some
//! blocks are cached. Any bytes are accepted as input; invalid ones give an error.

use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use foregone_rules::{Bank, Encode, Indexed, Merged, NoBank, Value, Worth};
use lru::LruCache;

use crate::error::{Error, damaged};
use crate::format::LONGEST_MANIFEST;
use crate::format::block::BlockEntry;
use crate::format::checksum::Checksum;
use crate::format::head::{HEAD, MAGIC};
pub use crate::format::keys::key_of;
use crate::format::keys::{self, KEYS, KeyBlockEntry};
use crate::format::{GameId, Head, KeysPart, Listed, Manifest, fingerprint, fingerprint_keyed};
pub use crate::source::{Bytes, Source};

/// The number of cached blocks.
const KEPT: NonZeroUsize = NonZeroUsize::new(256).unwrap();

/// The bytes of block entries that are read at a time to check them: a whole number of entries.
const ENTRIES_AT_ONCE: u64 = 1 << 20;

/// The cells of a block.
type Cells = Arc<Vec<u16>>;

/// An open table or proof.
pub struct Table {
    source: Box<dyn Source>,
    manifest: Manifest,
    worths: Vec<Vec<Worth>>,
    /// A cache of recently read blocks, by layer and number.
    kept: Mutex<LruCache<(u32, u64), Cells>>,
    lowest: OnceLock<Vec<Vec<u16>>>,
    keys: OnceLock<Vec<KeyBlockEntry>>,
    /// The last block of keys that was read.
    kept_keys: Mutex<Option<(u64, Arc<Vec<u128>>)>>,
}

impl Table {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read or is not a complete file of Foregone.
    pub fn open(path: &Path) -> Result<Table, Error> {
        // Reading anything else may block, or never end.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "this is not a regular file: save it on a disk first (reading needs random access)",
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

    /// The manifest. It may be false: a checker derives everything again.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Which positions it lists, if it lists positions by keys.
    pub fn listed(&self) -> Listed {
        self.manifest.keys.as_ref().map_or(Listed::All, |keys| keys.listed)
    }

    /// The size of the file in bytes.
    ///
    /// # Errors
    /// If the size cannot be read.
    pub fn size(&self) -> io::Result<u64> {
        self.source.size()
    }

    /// Checks that it is a table of numbered positions of exactly this game, with the same rules.
    ///
    /// # Errors
    /// If it is not.
    pub fn is_of<'a, G: Indexed>(&self, game: &G, id: impl Into<GameId<'a>>) -> Result<(), Error> {
        self.is_no_proof()?;
        if self.manifest.keys.is_some() {
            return Err(Error::Kind { found: "keyed positions", expected: "numbered ones" });
        }
        self.is_of_rules(fingerprint(game), id.into())
    }

    /// Checks that it is a table of keyed positions of exactly this game, with the same rules.
    ///
    /// # Errors
    /// If it is not.
    pub fn is_keyed_of<'a, G>(&self, game: &G, id: impl Into<GameId<'a>>) -> Result<(), Error>
    where
        G: Encode<Bank = NoBank>,
    {
        self.is_no_proof()?;
        if self.manifest.keys.is_none() {
            return Err(Error::Kind { found: "numbered positions", expected: "keyed ones" });
        }
        if self.manifest.horizon.is_some() {
            return Err(Error::Kind { found: "a book", expected: "a table" });
        }
        self.is_of_rules(fingerprint_keyed(game), id.into())
    }

    /// Checks that it is a proof about exactly this game, with the same rules.
    ///
    /// # Errors
    /// If it is not.
    pub fn is_proof_of<'a, G>(&self, game: &G, id: impl Into<GameId<'a>>) -> Result<(), Error>
    where
        G: Encode,
    {
        if self.manifest.proof.is_none() {
            return Err(Error::Kind { found: "a table", expected: "a proof" });
        }
        self.is_of_rules(fingerprint_keyed(game), id.into())
    }

    /// Checks that it is a book of exactly this game, with the same rules.
    ///
    /// # Errors
    /// If it is not.
    pub fn is_book_of<'a, G>(&self, game: &G, id: impl Into<GameId<'a>>) -> Result<(), Error>
    where
        G: Encode,
    {
        self.is_no_proof()?;
        if self.manifest.horizon.is_none() {
            return Err(Error::Kind { found: "a table", expected: "a book" });
        }
        self.is_of_rules(fingerprint_keyed(game), id.into())
    }

    fn is_no_proof(&self) -> Result<(), Error> {
        match self.manifest.proof {
            None => Ok(()),
            Some(_) => Err(Error::Kind { found: "a proof", expected: "a table" }),
        }
    }

    fn is_of_rules(&self, fingerprint: Checksum, id: GameId<'_>) -> Result<(), Error> {
        let GameId { name, rules } = id;
        let found = self.manifest.id();
        if found.name != name {
            return Err(Error::Game { found: found.name.to_owned(), expected: name.to_owned() });
        }
        if found.rules != rules {
            let found = match (found.rules, rules) {
                (Some(_), Some(_)) => format!("{name} by another text"),
                (Some(_), None) => format!("{name} by rules from a text"),
                (None, _) => format!("{name} by its rules in Rust"),
            };
            let expected =
                if rules.is_some() { "it by this text" } else { "it by its rules in Rust" };
            return Err(Error::Game { found, expected: expected.to_owned() });
        }
        if self.manifest.fingerprint != fingerprint {
            let found = format!("{name} with other rules ({})", self.manifest.fingerprint);
            let expected = format!("the rules with fingerprint {fingerprint}");
            return Err(Error::Game { found, expected });
        }
        Ok(())
    }

    /// The worth of a number in a layer; `None` if the number has no position, or the table does
    /// not have the layer.
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

    /// The worth of a position.
    ///
    /// # Errors
    /// If the block cannot be read or is damaged.
    pub fn probe<G: Indexed>(&self, game: &G, state: &G::State) -> Result<Option<Worth>, Error> {
        let (layer, index) = game.index(state);
        Ok(self.get(layer, index)?.map(|worth| with_banked(game, state, worth)))
    }

    /// The worth of a position, in a table that lists positions by keys; `None` if it does not list this one
    /// ([`Listed`]).
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

    /// The value of a position in a book, for the side to move; `None` if the book does not have it.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged.
    pub fn value<G: Encode>(&self, game: &G, state: &G::State) -> Result<Option<Value>, Error> {
        let Merged { state, offset } = Merged::of(game, state);
        let Some(place) = self.place(game.encode(&state))? else { return Ok(None) };
        let worth = self.get(0, place)?;
        Ok(worth.map(|worth| Value(worth.value().0 + offset.0)))
    }

    /// The place of the keys, and their number.
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

    /// The keys from a place to the end of its block, at least one.
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

    /// The entries of the blocks of keys, read once and cached.
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
        part.block(layer, block, read)
    }

    /// Reads bytes of the file; the caller has checked the length against the manifest.
    fn bytes(&self, offset: u64, length: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        // A file with holes may be larger than memory.
        bytes.try_reserve_exact(length as usize).map_err(io::Error::from)?;
        bytes.resize(length as usize, 0);
        self.source.read(offset, &mut bytes)?;
        Ok(bytes)
    }

    /// Checks that the entries of a layer's blocks match their checksum, and that the blocks fill
    /// their part of the file.
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

    /// Reads all blocks, to find any damaged one.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged.
    pub fn check_blocks(&self) -> Result<(), Error> {
        for (number, part) in (0..).zip(&self.manifest.layers) {
            self.check_entries(number)?;
            for block in 0..part.blocks() {
                self.read_block(number, block)?;
            }
        }
        self.each_key(|_| Ok(()))
    }

    /// All cells of a layer; empty if the table does not have it.
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

    /// The cells of as many of the lowest layers as fit into `bytes`. The first call reads them and
    /// decides their number; they stay in memory.
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

    /// Checks that each worth which a layer lists is that of some cell. `cells` are the cells of the
    /// layer if they are in memory.
    ///
    /// # Errors
    /// If a listed worth is unused, or a block cannot be read or is damaged.
    pub fn check_worths(&self, layer: u32, cells: Option<&[u16]>) -> Result<(), Error> {
        let Some(part) = self.manifest.layers.get(layer as usize) else { return Ok(()) };
        let mut used = vec![false; part.worths.len()];
        let mut mark = |cells: &[u16]| {
            for cell in cells {
                if let Some(used) =
                    usize::from(*cell).checked_sub(1).and_then(|at| used.get_mut(at))
                {
                    *used = true;
                }
            }
        };
        match cells {
            Some(cells) => mark(cells),
            None => {
                for block in 0..part.blocks() {
                    mark(&self.read_block(layer, block)?);
                }
            }
        }
        match used.iter().all(|used| *used) {
            true => Ok(()),
            false => Err(damaged(format!("layer {layer} lists a worth that no position has"))),
        }
    }

    /// The worths of the cells of a layer, from 1 on.
    pub fn worths(&self, layer: u32) -> &[Worth] {
        self.worths.get(layer as usize).map_or(&[], Vec::as_slice)
    }
}

/// The worth of a position, given the worth of the same position without banked points.
pub fn with_banked<G: Indexed>(game: &G, state: &G::State, worth: Worth) -> Worth {
    match G::Bank::banked(game, state) {
        Value(0) => worth,
        Value(banked) => Worth::new(Value(worth.value().0 + banked), worth.distance()),
    }
}

/// The representative with a key; `None` if there is none. Accepts any key.
pub fn state_of<G: Encode>(game: &G, key: u128) -> Option<G::State> {
    let bits = game.bits();
    let state = (bits >= 128 || key >> bits == 0).then(|| game.decode(key))?;
    (game.encode(&state) == key).then_some(state)
}
