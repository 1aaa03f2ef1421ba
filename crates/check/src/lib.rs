//! Checks tables and proofs by the rules of their games alone. Nothing in a file is believed, and
//! nothing here is shared with what makes files: there is no solver and no writer in this crate.
//!
//! - [`equation`]: when one entry of a table follows from those that its moves lead to. Everything
//!   rests on it.
//! - [`dense`]: tables of games that number their positions.
//! - [`keyed`]: tables that list positions by their keys.
//! - [`proofs`]: proofs of what one position is worth.
//! - [`plain`]: the same without any merging of positions, so that neither symmetry nor numbering has
//!   to be trusted.
//!
//! `docs/soundness.md` says what each kind of file claims, what is checked, and why that implies the
//! claim; `docs/soundness/*.v` prove it. A comment such as *Hypothesis `checked_best`* names the
//! hypothesis of a theorem that the code beside it establishes.

pub mod dense;
pub mod equation;
mod file;
pub mod keyed;
pub mod plain;
pub mod proofs;
mod verdict;

pub use file::{Options, Report, Subject, check};
pub use proofs::ProofVerdict;
pub use verdict::{Count, Counts, Coverage, Fault, Flaw, Unshown, Verdict};

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone_record::Error;
use foregone_record::words::bytes;

/// What checking may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// On how many threads; 0 counts as 1.
    pub threads: usize,
    /// How many bytes of positions and layers may be in memory.
    pub memory: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { threads: 1, memory: 1 << 30 }
    }
}

/// Is told again and again how many positions were checked, and says whether to go on.
pub type OnProgress<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// How many positions were checked by all threads together.
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

/// Checks that so many bytes of memory are allowed.
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

/// How many bytes a map takes, together with one of twice its size if there is no room for `more`: while
/// it grows both are there.
fn map_bytes<K, V>(map: &HashMap<K, V>, more: usize) -> u64 {
    // One slot in eight stays empty, and each has a byte more.
    let slots = (map.capacity() as u64 * 8).div_ceil(7).next_power_of_two();
    let grows = if map.len() + more > map.capacity() { 3 } else { 1 };
    grows * slots * (size_of::<(K, V)>() + 1) as u64
}

/// The same of a list.
fn list_bytes<T>(list: &Vec<T>, more: usize) -> u64 {
    let grows = if list.len() + more > list.capacity() { 3 } else { 1 };
    (grows * list.capacity() * size_of::<T>()) as u64
}
