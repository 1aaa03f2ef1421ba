//! What proof-number search remembers: a table of proof and disproof numbers. They are only estimates,
//! so the table may confuse two positions.

use std::sync::atomic::{AtomicU64, Ordering};

use zerocopy::FromBytes;

use crate::large::{Bytes, WORDS, map};

/// Infinity for proof numbers.
pub(super) const NEVER: u32 = (1 << 22) - 1;

/// The proof and the disproof number.
pub(super) type Numbers = (u32, u32);

/// The memory of the table of proof numbers.
pub(super) struct OpinionMemory(Bytes);

/// A table of proof numbers. An entry is one word: a tag of 20 bits for the position, 22 bits for
/// each number.
#[derive(Clone, Copy)]
pub(super) struct Opinions<'m>(&'m [AtomicU64]);

impl OpinionMemory {
    /// A table of at most `bytes` bytes, but at least 4 KiB.
    ///
    /// # Errors
    /// The number of bytes that the system could not allocate.
    pub fn new(bytes: u64) -> Result<OpinionMemory, u64> {
        // Accesses are scattered, so large pages would waste memory.
        Ok(OpinionMemory(map(1 << bytes.max(1 << 12).ilog2(), false)?))
    }

    /// The table in this memory.
    pub fn table(&mut self) -> Opinions<'_> {
        Opinions(<[AtomicU64]>::mut_from_bytes(&mut self.0).expect(WORDS))
    }
}

impl Opinions<'_> {
    /// The entry for a position, and its tag.
    fn place(&self, identity: u64) -> (&AtomicU64, u64) {
        let mixed = identity.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (&self.0[(mixed >> 20) as usize & (self.0.len() - 1)], mixed << 44)
    }

    pub fn get(&self, identity: u64) -> Option<Numbers> {
        let (entry, tag) = self.place(identity);
        let entry = entry.load(Ordering::Relaxed);
        let same = entry & !0 << 44 == tag && entry << 20 != 0;
        same.then_some(((entry >> 22) as u32 & NEVER, entry as u32 & NEVER))
    }

    pub fn set(&self, identity: u64, (yes, no): Numbers) {
        let (entry, tag) = self.place(identity);
        let numbers = u64::from(yes.min(NEVER)) << 22 | u64::from(no.min(NEVER));
        entry.store(tag | numbers, Ordering::Relaxed);
    }
}
