//! Rows of bytes with their numbers, in the order in which they were first seen: the positions of a game that is
//! unfolded by arrays.
//!
//! Most of the time goes to waiting for memory, so rows are looked up in groups: while the place of one is on its way
//! into the cache, those of the others are asked for. A table of a library would keep its places to itself.

use std::hash::{BuildHasher, Hasher};
use std::mem::size_of;

use foldhash::fast::FixedState;
use foregone_prefetch as prefetch;

/// How many rows are looked up together.
const GROUP: usize = 32;

/// Rows of the same width.
pub struct Rows {
    width: usize,
    bytes: Vec<u8>,
    /// Open addressing: the upper half of a row's hash, and its number plus 1; 0 is an empty place. The length is a
    /// power of 2, and at least a quarter is empty.
    places: Vec<u64>,
}

/// Two words are the most usual state; they need no loop.
fn hash(row: &[u8]) -> u64 {
    let mut hasher = FixedState::with_seed(0).build_hasher();
    match <[u8; 16]>::try_from(row) {
        Ok(words) => hasher.write_u128(u128::from_le_bytes(words)),
        Err(_) => hasher.write(row),
    }
    hasher.finish()
}

/// The number at a place, if the row there may have this hash.
fn candidate(place: u64, hash: u64) -> Option<u32> {
    (place as u32 != 0 && place >> 32 == hash >> 32).then(|| place as u32 - 1)
}

impl Rows {
    /// No rows yet, of `width` bytes.
    pub fn new(width: usize) -> Rows {
        Rows { width, bytes: Vec::new(), places: vec![0; 4 * GROUP] }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    /// All rows, one after the other.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn len(&self) -> usize {
        self.bytes.len() / self.width
    }

    /// The bytes of memory in use.
    pub fn memory(&self) -> u64 {
        (self.bytes.capacity() + self.places.capacity() * size_of::<u64>()) as u64
    }

    fn row(&self, number: u32) -> &[u8] {
        &self.bytes[number as usize * self.width..][..self.width]
    }

    /// The number of a row; `None` if it was not added.
    pub fn find(&self, row: &[u8]) -> Option<u32> {
        self.look(row, hash(row)).ok()
    }

    /// The number of a row, or the empty place for it.
    fn look(&self, row: &[u8], hash: u64) -> Result<u32, usize> {
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match self.places[at] {
                0 => return Err(at),
                place => match candidate(place, hash) {
                    Some(number) if self.row(number) == row => return Ok(number),
                    _ => at = (at + 1) & mask,
                },
            }
        }
    }

    /// Appends the numbers of rows, one after the other; new ones get the next numbers. At most 2^32 - 2 rows have
    /// numbers.
    pub fn add_all(&mut self, rows: &[u8], numbers: &mut Vec<u32>) {
        if self.width == 0 {
            return;
        }
        for group in rows.chunks(GROUP * self.width) {
            self.make_room();
            let mask = self.places.len() - 1;
            let mut hashes = [0; GROUP];
            for (hashed, row) in hashes.iter_mut().zip(group.chunks(self.width)) {
                *hashed = hash(row);
                prefetch::load(&self.places[*hashed as usize & mask]);
            }
            for hash in hashes {
                if let Some(number) = candidate(self.places[hash as usize & mask], hash) {
                    prefetch::load(&self.bytes[number as usize * self.width]);
                }
            }
            for (row, hash) in group.chunks(self.width).zip(hashes) {
                let number = self.look(row, hash).unwrap_or_else(|at| {
                    let number = self.len() as u32;
                    self.places[at] = hash >> 32 << 32 | (u64::from(number) + 1);
                    self.bytes.extend_from_slice(row);
                    number
                });
                numbers.push(number);
            }
        }
    }

    /// Makes room for another group.
    fn make_room(&mut self) {
        if (self.len() + GROUP) * 4 <= self.places.len() * 3 {
            return;
        }
        self.places = vec![0; 2 * self.places.len()];
        let mask = self.places.len() - 1;
        for (number, row) in self.bytes.chunks(self.width).enumerate() {
            let hash = hash(row);
            let mut at = hash as usize & mask;
            while self.places[at] != 0 {
                at = (at + 1) & mask;
            }
            self.places[at] = hash >> 32 << 32 | (number as u64 + 1);
        }
    }
}
