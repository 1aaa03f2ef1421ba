//! What all threads share while they answer one question.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use foregone_rules::Value;

use super::opinions::Opinions;
use super::table::TranspositionTable;
use crate::control::Control;
use crate::tables::endgame::Endgame;
use crate::tables::leaves::Leaf;

/// The data shared by all threads for one question.
pub(super) struct Shared<'r, S> {
    pub control: &'r Control,
    pub far: TranspositionTable<'r>,
    pub opinions: Opinions<'r>,
    pub endgame: &'r Endgame,
    /// The positions that threads are searching, so that others begin elsewhere; `None` for a
    /// single thread.
    pub busy: Option<Busy>,
    /// Whether the question is answered, or all threads should stop.
    pub over: AtomicBool,
    /// The number of position visits, and where to stop.
    pub nodes: AtomicU64,
    pub max: u64,
    /// The number of positions and moves, and where to stop.
    pub work: AtomicU64,
    pub enough: u64,
    /// The number of positions stored in the far table, and where to stop.
    pub kept: AtomicU64,
    pub room: u64,
    /// The proven bounds of the value, for progress reports.
    pub proven: Option<(Value, Value)>,
    /// Known worths of positions.
    pub leaf: Option<Leaf<'r, S>>,
}

/// The positions that threads are searching, by a few bits of their mixed keys. A collision is
/// harmless: it postpones a move without need.
pub(super) struct Busy(Vec<AtomicU64>);

impl Busy {
    const SLOTS: usize = 1 << 12;

    pub fn new() -> Busy {
        Busy((0..Busy::SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// The slot of a mixed key, and its mark.
    pub fn slot(&self, whole: u64) -> (&AtomicU64, u64) {
        (&self.0[whole as usize % Busy::SLOTS], whole | 1 << 63)
    }
}

/// Marks the question as over when dropped.
pub(super) struct Over<'r>(pub &'r AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
