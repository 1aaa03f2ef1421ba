//! Checks tables and proofs by the rules of their games alone. It trusts nothing in a file, and
//! shares nothing with the programs that make files: there is no solver and no writer in this
//! crate.
//!
//! - [`equation`]: when one entry of a table follows from those that its moves lead to. All other
//!   checks of tables use it.
//! - [`dense`]: tables of games that number their positions.
//! - [`keyed`]: tables that list positions by their keys.
//! - [`book`]: the values of the positions that the first moves lead to.
//! - [`proofs`]: proofs about the value of one position.
//! - [`Sharing`]: how several checkers, on one machine or on many, check one table.
//! - [`plain`]: the same without merging positions, so that neither symmetry nor numbering has to
//!   be trusted.
//!
//! `docs/soundness.md` describes the claims of each kind of file, the checks, and why they imply
//! the claims; `docs/soundness/*.v` prove it. A comment such as *Hypothesis `checked_best`* names
//! the hypothesis of a theorem that the code beside it establishes.

pub mod book;
pub mod dense;
pub mod equation;
mod file;
mod images;
pub mod keyed;
pub mod plain;
pub mod proofs;
mod provenance;
mod share;
mod verdict;

pub use file::{Options, Report, Subject, check, check_open};
pub use images::Symmetries;
pub use proofs::ProofVerdict;
pub use provenance::Provenance;
pub use share::{Alone, Finding, Sharing};
pub use verdict::{Count, Counts, Coverage, Fault, Flaw, Unshown, Verdict};

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone_record::Error;
use foregone_record::words::bytes;

/// The resources for checking, and what is taken on trust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The number of threads; 0 counts as 1.
    pub threads: usize,
    /// The memory limit for positions and layers, in bytes.
    pub memory: u64,
    /// Whether the symmetries of the game are checked.
    pub symmetries: Symmetries,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { threads: 1, memory: 1 << 30, symmetries: Symmetries::ByFile }
    }
}

/// A callback that gets the number of checked positions; it returns `false` to stop.
pub type OnProgress<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// The number of positions checked by all threads.
struct Progress<'a> {
    done: AtomicU64,
    on_progress: OnProgress<'a>,
}

impl<'a> Progress<'a> {
    fn new(on_progress: OnProgress<'a>) -> Progress<'a> {
        Progress { done: AtomicU64::new(0), on_progress }
    }

    /// Counts more positions.
    fn add(&self, more: u64) -> Result<(), Error> {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        match (self.on_progress)(done) {
            true => Ok(()),
            false => Err(io::Error::new(io::ErrorKind::Interrupted, "stopped").into()),
        }
    }
}

/// Checks that `needed` bytes are within the memory limit.
fn check_memory(needed: u64, effort: Effort) -> Result<(), Error> {
    match needed > effort.memory {
        true => {
            let (needed, memory) = (bytes(needed), bytes(effort.memory));
            let why =
                format!("checking it takes at least {needed} of memory, with a limit of {memory}");
            Err(io::Error::new(io::ErrorKind::OutOfMemory, why).into())
        }
        false => Ok(()),
    }
}

/// The bytes of a map, and of one of twice its size if there is no room for `more`: while a map
/// grows both exist.
fn map_bytes<K, V>(map: &HashMap<K, V>, more: usize) -> u64 {
    // One slot in eight stays empty, and each slot has one extra byte.
    let slots = (map.capacity() as u64 * 8).div_ceil(7).next_power_of_two();
    let grows = if map.len() + more > map.capacity() { 3 } else { 1 };
    grows * slots * (size_of::<(K, V)>() + 1) as u64
}

/// Like [`map_bytes`], for a list.
fn list_bytes<T>(list: &Vec<T>, more: usize) -> u64 {
    let grows = if list.len() + more > list.capacity() { 3 } else { 1 };
    (grows * list.capacity() * size_of::<T>()) as u64
}
