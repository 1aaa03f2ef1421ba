//! Reading a table: opened by its head and contents alone, a probe reads one block, and a few
//! blocks are kept. Any bytes may come in; what is wrong with them is an error.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use foregone_rules::{Indexed, NoBank, Outcome, Packed, Symmetry, Worth};
use xxhash_rust::xxh3::xxh3_64;

use crate::format::{
    Broken, Contents, ENTRY, HEAD, LONGEST, MAGIC, VERSION, fingerprint, fingerprint_listed,
    key_of, with_banked,
};
use crate::keys::{KEY_ENTRY, KEYS, KeyContents, Keys};
use crate::write::{block_of, read_file, worth_of};

/// The largest distance that is read.
const MOST_PLIES: u32 = 1 << 30;

/// The largest value that is read.
pub(crate) const MOST_VALUE: u32 = Outcome::LIMIT as u32 / 2;

/// How many blocks are kept.
const KEPT: usize = 256;

/// Where a table's bytes come from.
pub trait Source: Send + Sync {
    /// How many bytes there are.
    ///
    /// # Errors
    /// Where that cannot be told.
    fn size(&self) -> io::Result<u64>;

    /// Reads bytes at a place.
    ///
    /// # Errors
    /// Where they are not all there.
    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;
}

/// Bytes in memory, or mapped into it.
pub struct Bytes<B>(pub B);

impl<B: AsRef<[u8]> + Send + Sync> Source for Bytes<B> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.as_ref().len() as u64)
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(bytes.len() as u64);
        let part = end.and_then(|end| self.0.as_ref().get(offset as usize..end as usize));
        bytes.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl Source for Mutex<File> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.lock().unwrap_or_else(PoisonError::into_inner).metadata()?.len())
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        read_file(&mut self.lock().unwrap_or_else(PoisonError::into_inner), offset, bytes)
    }
}

/// A table that can be looked up in.
pub struct Table {
    source: Box<dyn Source>,
    contents: Contents,
    worths: Vec<Vec<Worth>>,
    kept: Mutex<Kept>,
    lowest: OnceLock<Vec<Vec<u16>>>,
    keys: Keys,
}

/// Blocks that were read, by layer and number, each with when it was last used.
#[derive(Default)]
struct Kept {
    blocks: HashMap<(u32, u64), Used>,
    clock: u64,
}

/// When a block was last used, and its cells.
type Used = (u64, Arc<Vec<u16>>);

impl Table {
    /// Opens a file.
    ///
    /// # Errors
    /// Where it cannot be read or is no whole table.
    pub fn open(path: &Path) -> Result<Table, Broken> {
        // Anything else may not even open.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no plain file").into());
        }
        Table::read(Mutex::new(File::open(path)?))
    }

    /// Reads a table's head and contents.
    ///
    /// # Errors
    /// Where they cannot be read or are damaged.
    pub fn read(source: impl Source + 'static) -> Result<Table, Broken> {
        let size = source.size()?;
        let mut head = [0; HEAD];
        if size < HEAD as u64 {
            let mut magic = vec![0; (size as usize).min(MAGIC.len())];
            source.read(0, &mut magic)?;
            return Err(match magic == MAGIC {
                true => Broken::Damaged("it is cut short".to_owned()),
                false => Broken::Magic,
            });
        }
        source.read(0, &mut head)?;
        let number = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&head[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        if head[..8] != MAGIC {
            return Err(Broken::Magic);
        }
        let version = number(8) as u32;
        if version != VERSION {
            return Err(Broken::Version { found: version });
        }
        let damaged = |why: &str| Broken::Damaged(why.to_owned());
        if xxh3_64(&head[..40]) != number(40) || head[48..].iter().any(|byte| *byte != 0) {
            return Err(damaged("its head has another checksum than it had"));
        }
        let [offset, length, sum] = [16, 24, 32].map(number);
        if length > LONGEST || offset.checked_add(length) != Some(size) {
            return Err(damaged("it has another length than it had"));
        }
        let mut text = vec![0; length as usize];
        source.read(offset, &mut text)?;
        if xxh3_64(&text) != sum {
            return Err(damaged("its contents have another checksum than they had"));
        }
        let contents: Contents =
            serde_json::from_slice(&text).map_err(|error| Broken::Damaged(error.to_string()))?;
        let print = &contents.fingerprint;
        if print.len() != 16 || !print.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(damaged("its fingerprint is no number of 16 digits"));
        }
        // No game has results so large, and none of these can overflow.
        let large = |(value, plies): &(i32, Option<u32>)| {
            value.unsigned_abs() > MOST_VALUE || plies.is_some_and(|plies| plies > MOST_PLIES)
        };
        if contents.layers.iter().any(|layer| layer.worths.iter().any(large)) {
            return Err(damaged("it has a worth that no game has"));
        }
        let mut next = HEAD as u64;
        for (number, layer) in contents.layers.iter().enumerate() {
            let fits = layer.offset == next && (1..=2).contains(&layer.width);
            let entries = layer.blocks().checked_mul(ENTRY as u64);
            let end =
                entries.and_then(|entries| next.checked_add(layer.bytes)?.checked_add(entries));
            let Some(end) = end.filter(|end| fits && *end <= offset) else {
                return Err(Broken::Damaged(format!("layer {number} does not fit into it")));
            };
            next = end;
        }
        if let Some(keys) = &contents.keys {
            let layer = &contents.layers.first().ok_or_else(|| damaged("it has no layer"))?;
            if contents.layers.len() != if contents.proof.is_some() { 2 } else { 1 }
                || contents.layers.iter().any(|other| other.size != layer.size)
            {
                return Err(damaged("it lists other positions than it has"));
            }
            let entries = Keys::blocks(layer.size).checked_mul(KEY_ENTRY as u64);
            let end =
                entries.and_then(|entries| next.checked_add(keys.bytes)?.checked_add(entries));
            next = match end {
                Some(end) if keys.offset == next => end,
                _ => return Err(damaged("its list of positions does not fit into it")),
            };
        }
        if next != offset {
            return Err(damaged("there is something after its layers"));
        }
        let worths = |layer: &crate::format::LayerContents| {
            layer.worths.iter().map(|worth| worth_of(*worth)).collect()
        };
        let worths = contents.layers.iter().map(worths).collect();
        Ok(Table {
            source: Box::new(source),
            contents,
            worths,
            kept: Mutex::default(),
            lowest: OnceLock::new(),
            keys: Keys::default(),
        })
    }

    /// What it says of itself.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// How many bytes it has.
    ///
    /// # Errors
    /// Where that cannot be told.
    pub fn size(&self) -> io::Result<u64> {
        self.source.size()
    }

    /// Checks that it is of this very game, with the same rules.
    ///
    /// # Errors
    /// Where it is of another.
    pub fn is_of<G: Indexed>(&self, game: &G, specification: &str) -> Result<(), Broken> {
        self.is_no_proof()?;
        let listed = self.contents.keys.is_some();
        if listed {
            return Err(Broken::Kind { found: "listed positions", expected: "numbered ones" });
        }
        self.is_of_rules(fingerprint(game), specification)
    }

    /// The same of a game whose positions are listed.
    ///
    /// # Errors
    /// Where it is of another.
    pub fn lists<G>(&self, game: &G, specification: &str) -> Result<(), Broken>
    where
        G: Packed<Bank = NoBank> + Symmetry,
    {
        self.is_no_proof()?;
        if self.contents.keys.is_none() {
            return Err(Broken::Kind { found: "numbered positions", expected: "listed ones" });
        }
        self.is_of_rules(fingerprint_listed(game), specification)
    }

    /// Checks that it is a proof about this very game, with the same rules.
    ///
    /// # Errors
    /// Where it is none, or about another.
    pub fn proves<G: Packed + Symmetry>(
        &self,
        game: &G,
        specification: &str,
    ) -> Result<(), Broken> {
        if self.contents.proof.is_none() {
            return Err(Broken::Kind { found: "a table", expected: "a proof" });
        }
        self.is_of_rules(fingerprint_listed(game), specification)
    }

    fn is_no_proof(&self) -> Result<(), Broken> {
        match self.contents.proof {
            None => Ok(()),
            Some(_) => Err(Broken::Kind { found: "a proof", expected: "a table" }),
        }
    }

    fn is_of_rules(&self, fingerprint: u64, specification: &str) -> Result<(), Broken> {
        let print = format!("{fingerprint:016x}");
        if self.contents.game != specification {
            let (found, expected) = (self.contents.game.clone(), specification.to_owned());
            return Err(Broken::Game { found, expected });
        }
        if self.contents.fingerprint != print {
            let found = format!("{specification} with other rules ({})", self.contents.fingerprint);
            let expected = format!("the rules with fingerprint {print}");
            return Err(Broken::Game { found, expected });
        }
        Ok(())
    }

    /// What it says of a number in a layer; nothing where that stands for no position, or the layer
    /// is not in the table.
    ///
    /// # Errors
    /// Where the block cannot be read or is damaged.
    pub fn get(&self, layer: u32, index: u64) -> Result<Option<Worth>, Broken> {
        let Some(contents) = self.contents.layers.get(layer as usize) else { return Ok(None) };
        if index >= contents.size {
            return Ok(None);
        }
        let block = self.block(layer, index / contents.cells())?;
        let cell = block.get((index % contents.cells()) as usize).copied().unwrap_or(0);
        Ok(usize::from(cell).checked_sub(1).map(|at| self.worths[layer as usize][at]))
    }

    /// What it says of a position.
    ///
    /// # Errors
    /// Where the block cannot be read or is damaged.
    pub fn probe<G: Indexed>(&self, game: &G, state: &G::State) -> Result<Option<Worth>, Broken> {
        let (layer, index) = game.index(state);
        let Some(worth) = self.get(layer, index)? else { return Ok(None) };
        Ok(Some(with_banked(game, state, worth)))
    }

    /// What it says of a position of a game whose positions are listed.
    ///
    /// # Errors
    /// Where a block cannot be read or is damaged.
    pub fn find<G: Packed<Bank = NoBank> + Symmetry>(
        &self,
        game: &G,
        state: &G::State,
    ) -> Result<Option<Worth>, Broken> {
        match self.place(key_of(game, state))? {
            Some(place) => self.get(0, place),
            None => Ok(None),
        }
    }

    /// The place of a key among those that are listed.
    ///
    /// # Errors
    /// Where a block cannot be read or is damaged.
    pub fn place(&self, key: u128) -> Result<Option<u64>, Broken> {
        let (Some(keys), Some(layer)) = (&self.contents.keys, self.contents.layers.first()) else {
            return Ok(None);
        };
        self.keys.find(keys, layer.size, key, &self.read_keys(keys))
    }

    /// The listed keys that begin with a place, some of them or all: those of its block.
    ///
    /// # Errors
    /// Where the block cannot be read or is damaged.
    pub fn listed(&self, place: u64) -> Result<Vec<u128>, Broken> {
        let (Some(keys), Some(layer)) = (&self.contents.keys, self.contents.layers.first()) else {
            return Ok(Vec::new());
        };
        if place >= layer.size {
            return Ok(Vec::new());
        }
        let block = self.keys.block(keys, layer.size, place / KEYS, &self.read_keys(keys))?;
        Ok(block[(place % KEYS) as usize..].to_vec())
    }

    /// Visits all keys that are listed, in order.
    ///
    /// # Errors
    /// Where a block cannot be read or is damaged, or they are out of order; or what the visitor says.
    pub fn each_listed(
        &self,
        mut visit: impl FnMut(u128) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        let size = self.contents.layers.first().map_or(0, |layer| layer.size);
        let (mut place, mut last) = (0, None);
        while place < size {
            let keys = self.listed(place)?;
            if keys.is_empty() {
                return Err(Broken::Damaged("its list of positions is too short".to_owned()));
            }
            place += keys.len() as u64;
            for key in keys {
                if last.is_some_and(|last| last >= key) {
                    return Err(Broken::Damaged(
                        "its list of positions is out of order".to_owned(),
                    ));
                }
                last = Some(key);
                visit(key)?;
            }
        }
        Ok(())
    }

    /// All keys that are listed, in order.
    ///
    /// # Errors
    /// Where a block cannot be read or is damaged, or they are out of order.
    pub fn all_listed(&self) -> Result<Vec<u128>, Broken> {
        let mut keys = Vec::new();
        self.each_listed(|key| {
            keys.push(key);
            Ok(())
        })?;
        Ok(keys)
    }

    fn read_keys<'a>(
        &'a self,
        keys: &'a KeyContents,
    ) -> impl Fn(u64, u64) -> Result<Vec<u8>, Broken> + 'a {
        |offset, length| {
            let mut bytes = vec![0; length as usize];
            self.source.read(keys.offset + offset, &mut bytes)?;
            Ok(bytes)
        }
    }

    /// The cells of a block.
    ///
    /// # Errors
    /// Where it cannot be read or is damaged.
    pub fn block(&self, layer: u32, block: u64) -> Result<Arc<Vec<u16>>, Broken> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clock += 1;
        let clock = kept.clock;
        if let Some((used, cells)) = kept.blocks.get_mut(&(layer, block)) {
            *used = clock;
            return Ok(cells.clone());
        }
        drop(kept);
        let cells = Arc::new(self.read_block(layer, block)?);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.blocks.len() >= KEPT {
            let oldest = kept.blocks.iter().min_by_key(|(_, (used, _))| *used).map(|(key, _)| *key);
            oldest.and_then(|key| kept.blocks.remove(&key));
        }
        kept.blocks.insert((layer, block), (clock, cells.clone()));
        Ok(cells)
    }

    fn read_block(&self, layer: u32, block: u64) -> Result<Vec<u16>, Broken> {
        let contents = &self.contents.layers[layer as usize];
        block_of(contents, layer, block, |offset, length| {
            let mut bytes = vec![0; length as usize];
            self.source.read(contents.offset + offset, &mut bytes)?;
            Ok(bytes)
        })
    }

    /// All cells of a layer; none where the table does not have it.
    ///
    /// # Errors
    /// Where a block cannot be read or is damaged.
    pub fn layer(&self, layer: u32) -> Result<Vec<u16>, Broken> {
        let Some(contents) = self.contents.layers.get(layer as usize) else {
            return Ok(Vec::new());
        };
        let mut cells = Vec::new();
        for block in 0..contents.blocks() {
            cells.extend(self.read_block(layer, block)?);
        }
        Ok(cells)
    }

    /// The cells of the lowest layers, as many as fit into so many bytes when this is first asked:
    /// from then on they stay in memory.
    ///
    /// # Errors
    /// Where a block cannot be read or is damaged.
    pub fn lowest(&self, bytes: u64) -> Result<&[Vec<u16>], Broken> {
        if let Some(layers) = self.lowest.get() {
            return Ok(layers);
        }
        let (mut layers, mut left) = (Vec::new(), bytes);
        for (number, layer) in (0..).zip(&self.contents.layers) {
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
