//! Sets of cells, and places of cells in a list: by a table for cells of one byte or two, else by hashing.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

use super::Cell;

/// The place of each cell in a list.
pub struct Places<C> {
    dense: Vec<u16>,
    sparse: HashMap<C, u16, FixedState>,
}

impl<C: Cell> Places<C> {
    /// Of cells with their places; all others have place 0.
    pub fn new(places: impl IntoIterator<Item = (C, u16)>) -> Places<C> {
        let dense = vec![0; C::DENSE.unwrap_or(0)];
        let mut all = Places { dense, sparse: HashMap::default() };
        for (cell, place) in places {
            match C::DENSE {
                Some(_) => all.dense[cell.code()] = place,
                None => drop(all.sparse.insert(cell, place)),
            }
        }
        all
    }

    /// The place of a cell.
    #[inline]
    pub fn of(&self, cell: C) -> u16 {
        match C::DENSE {
            Some(_) => self.dense[cell.code()],
            None => self.sparse.get(&cell).copied().unwrap_or(0),
        }
    }
}

/// Which cells occur.
pub struct Seen<C> {
    dense: Vec<bool>,
    sparse: HashSet<C, FixedState>,
}

impl<C: Cell> Default for Seen<C> {
    fn default() -> Seen<C> {
        Seen { dense: vec![false; C::DENSE.unwrap_or(0)], sparse: HashSet::default() }
    }
}

impl<C: Cell> Seen<C> {
    /// These cells occur.
    pub fn note(&mut self, cells: &[C]) {
        if C::DENSE.is_some() {
            cells.iter().for_each(|cell| self.dense[cell.code()] = true);
            return;
        }
        let mut last = None;
        for cell in cells {
            if last.replace(*cell) != Some(*cell) {
                self.sparse.insert(*cell);
            }
        }
    }

    /// The cells that occur.
    pub fn cells(&self) -> Vec<C> {
        let dense = (0..).zip(&self.dense).filter(|(_, seen)| **seen);
        dense.map(|(code, _)| C::of_code(code)).chain(self.sparse.iter().copied()).collect()
    }
}
