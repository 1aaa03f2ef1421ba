//! What a search remembers of positions: a hash table within a memory limit. When it is full, it takes no new
//! positions.

use std::hash::{BuildHasher, Hash};
use std::mem::size_of;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Facts of type `T` about positions.
pub(crate) struct Remembered<S, T> {
    table: HashTable<(S, T)>,
    max: usize,
    hasher: FixedState,
}

impl<S: Copy + Eq + Hash, T> Remembered<S, T> {
    /// An empty table of at most `bytes` bytes.
    pub fn new(bytes: u64) -> Remembered<S, T> {
        // The number of slots is a power of two, seven of eight are filled, and while the table
        // grows the old one exists too.
        let slot = size_of::<(S, T)>() as u64 + 1;
        let slots = (bytes / 3 * 2 / slot).checked_ilog2().map_or(0, |bits| 1usize << bits);
        let max = if slots < 16 { 0 } else { slots / 8 * 7 };
        Remembered { table: HashTable::new(), max, hasher: FixedState::default() }
    }

    /// The number of remembered positions.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// What is known of a position.
    pub fn find(&self, state: &S) -> Option<&T> {
        let found = self.table.find(self.hasher.hash_one(state), |(other, _)| other == state);
        found.map(|(_, known)| known)
    }

    /// Remembers a fact, in place of an earlier one.
    pub fn keep(&mut self, state: S, known: T) {
        let hash = self.hasher.hash_one(state);
        let full = self.table.len() >= self.max;
        let same = |(other, _): &(S, T)| *other == state;
        match self.table.entry(hash, same, |(state, _)| self.hasher.hash_one(state)) {
            Entry::Occupied(mut old) => old.get_mut().1 = known,
            Entry::Vacant(new) if !full => drop(new.insert((state, known))),
            Entry::Vacant(_) => {}
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        // A new table is cheaper than a large one that is empty.
        self.table = HashTable::new();
    }
}
