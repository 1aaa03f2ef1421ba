//! Checking a table with several checkers at once. Each checks a share of the numbers of every layer, and
//! after each layer all learn what was found. A checker sends counts and numbers, never a flaw: each
//! derives the first flaw again.

use std::io;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::verdict::{Count, Tally};

/// What was found in some numbers of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The first number with a false entry.
    pub flaw: Option<u64>,
    /// The first number whose entry does not follow from the content of the file.
    pub unshown: Option<u64>,
    /// The positions with right entries.
    pub count: Count,
    /// Whether what concerns the layer as a whole is wrong.
    pub damaged: bool,
}

impl Finding {
    pub(crate) fn of<S>(tally: &Tally<S>) -> Finding {
        let flaw = tally.flaw.as_ref().map(|(number, _)| *number);
        let unshown = tally.unshown.as_ref().map(|(number, _)| *number);
        Finding { flaw, unshown, count: tally.count, damaged: false }
    }

    /// What was found in these numbers and others.
    pub fn and(self, other: Finding) -> Finding {
        let first = |one: Option<u64>, other: Option<u64>| one.into_iter().chain(other).min();
        Finding {
            flaw: first(self.flaw, other.flaw),
            unshown: first(self.unshown, other.unshown),
            count: self.count.and(other.count),
            damaged: self.damaged || other.damaged,
        }
    }
}

/// One of several checkers of a table.
pub trait Sharing: Sync {
    /// The numbers that this checker checks, of a layer with `size` numbers. The shares of all checkers
    /// have to cover the layer, and no number twice.
    fn share(&self, size: u64) -> Range<u64>;

    /// Whether this checker checks what concerns a layer as a whole. Exactly one does.
    fn leads(&self, layer: u32) -> bool;

    /// What all checkers have found in a layer; waits for the others.
    ///
    /// # Errors
    /// If one of them has failed.
    fn joined(&self, layer: u32, own: Finding) -> io::Result<Finding>;
}

/// A checker without others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alone;

impl Sharing for Alone {
    fn share(&self, size: u64) -> Range<u64> {
        0..size
    }

    fn leads(&self, _: u32) -> bool {
        true
    }

    fn joined(&self, _: u32, own: Finding) -> io::Result<Finding> {
        Ok(own)
    }
}
