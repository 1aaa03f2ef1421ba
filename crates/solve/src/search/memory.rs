//! The transposition table of depth-first search.

use std::hash::{BuildHasher, Hash};
use std::mem::size_of;

use foldhash::fast::FixedState;
use foregone_rules::Worth;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// How a remembered worth bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// A remembered position.
pub(super) struct Known<S> {
    pub state: S,
    pub worth: Worth,
    pub bound: Bound,
    /// The search depth in plies; `None` if the result is proven.
    pub depth: Option<u32>,
}

/// The transposition tables of earlier searches, for the next one.
pub struct Kept<S>(pub(super) Vec<Memory<S>>);

impl<S> Default for Kept<S> {
    fn default() -> Kept<S> {
        Kept(Vec::new())
    }
}

/// A transposition table that takes no new positions when it is full.
pub(super) struct Memory<S> {
    table: HashTable<Known<S>>,
    most: usize,
    hasher: FixedState,
}

impl<S: Copy + Eq + Hash> Memory<S> {
    pub fn new(bytes: u64) -> Memory<S> {
        // The number of slots is a power of two, seven of eight are filled, and while the table
        // grows the old one exists too.
        let slot = size_of::<Known<S>>() as u64 + 1;
        let slots = (bytes / 3 * 2 / slot).checked_ilog2().map_or(0, |bits| 1usize << bits);
        let most = if slots < 16 { 0 } else { slots / 8 * 7 };
        Memory { table: HashTable::new(), most, hasher: FixedState::default() }
    }

    /// The number of remembered positions.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn find(&self, state: &S) -> Option<&Known<S>> {
        self.table.find(self.hasher.hash_one(state), |known| known.state == *state)
    }

    pub fn keep(&mut self, known: Known<S>) {
        let hash = self.hasher.hash_one(known.state);
        let full = self.table.len() >= self.most;
        let same = |other: &Known<S>| other.state == known.state;
        match self.table.entry(hash, same, |known| self.hasher.hash_one(known.state)) {
            Entry::Occupied(mut old) => *old.get_mut() = known,
            Entry::Vacant(new) if !full => drop(new.insert(known)),
            Entry::Vacant(_) => {}
        }
    }
}
