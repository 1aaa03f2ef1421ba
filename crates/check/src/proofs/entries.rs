//! The entries of a proof in memory, by their keys.

use std::io;
use std::num::NonZeroU16;

use foregone_record::proof::Entry;
use foregone_record::read::state_of;
use foregone_record::{Error, KeyMap, Table};
use foregone_rules::Encode;

use super::verdict::ProofVerdict;
use crate::{Effort, check_memory};

/// The most bits of a position's key; a key of a proof has one more.
pub const MAX_BITS: u32 = 127;

/// The cells of an entry, and whether the walk came to it.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    bound: NonZeroU16,
    mv: NonZeroU16,
    pub seen: bool,
}

/// All entries of a proof by their keys.
pub struct Entries<'a> {
    table: &'a Table,
    map: KeyMap<Stored>,
}

impl<'a> Entries<'a> {
    /// Reads the entries.
    ///
    /// # Errors
    /// If the file is damaged, is not a proof, or exceeds the memory limit.
    pub fn read<G: Encode>(
        game: &G,
        table: &'a Table,
        effort: Effort,
    ) -> Result<Entries<'a>, Error> {
        let damaged = |why: &str| Error::Damaged(why.to_owned());
        let (Some(_), [bounds, _]) = (&table.manifest().keys, &table.manifest().layers[..]) else {
            return Err(damaged("it is not a proof"));
        };
        let (size, bits) = (bounds.size, game.bits() + 1);
        if bits > MAX_BITS + 1 {
            let why = "the keys of its game have 128 bits, but proofs hold at most 127";
            return Err(io::Error::new(io::ErrorKind::Unsupported, why).into());
        }
        // The entries, and their cells during reading.
        let cells = size.saturating_mul(4);
        check_memory(KeyMap::<Stored>::bytes_of(bits, size).saturating_add(cells), effort)?;
        let [bounds, moves] = [table.layer(0)?, table.layer(1)?];
        let mut map = KeyMap::with_room(bits, size as usize);
        let mut cells = bounds.into_iter().zip(moves);
        let mut last = None;
        table.each_key(|key| {
            let (bound, mv) = cells.next().unwrap_or_default();
            let (Some(bound), Some(mv)) = (NonZeroU16::new(bound), NonZeroU16::new(mv)) else {
                return Err(damaged("it has an empty entry"));
            };
            last = Some(key);
            map.insert(key, Stored { bound, mv, seen: false });
            Ok(())
        })?;
        match last.is_some_and(|key| bits < 128 && key >> bits != 0) {
            true => Err(damaged("it has a key that no position has")),
            false => Ok(Entries { table, map }),
        }
    }

    /// The entry of a [key](foregone_record::proof::proof_key); `None` if there is none.
    pub fn find(&self, key: u128) -> Option<Entry> {
        self.entry(self.get(key)?)
    }

    #[inline]
    pub(super) fn get(&self, key: u128) -> Option<Stored> {
        self.map.get(key)
    }

    /// Decodes the entry in these cells; `None` if they are not valid.
    #[inline]
    pub(super) fn entry(&self, stored: Stored) -> Option<Entry> {
        let worth = |layer: u32, cell: NonZeroU16| {
            self.table.worths(layer).get(usize::from(cell.get()) - 1).copied()
        };
        Entry::of(worth(0, stored.bound)?, worth(1, stored.mv)?)
    }

    /// Marks an entry as seen; returns whether it was not seen before.
    #[inline]
    pub(super) fn mark(&mut self, key: u128) -> bool {
        let seen = |stored: &mut Stored| std::mem::replace(&mut stored.seen, true);
        !self.map.get_mut(key).is_some_and(seen)
    }

    /// The entry of a key, which is marked as seen.
    pub(crate) fn see(&mut self, key: u128) -> Option<Entry> {
        self.mark(key);
        self.entry(self.get(key)?)
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> u64 {
        self.map.len()
    }

    /// Their memory in bytes.
    pub fn bytes(&self) -> u64 {
        self.map.bytes()
    }

    /// The verdict on a proof with an entry that the walk did not come to; `None` if there is no
    /// such entry.
    pub(crate) fn all_needed<G: Encode>(
        &self,
        game: &G,
        table: &Table,
    ) -> Result<Option<ProofVerdict<G::State>>, Error> {
        let mut first = None;
        table.each_key(|key| {
            let unseen = self.get(key).is_some_and(|stored| !stored.seen);
            first = first.or(Some(key).filter(|_| unseen));
            Ok(())
        })?;
        Ok(first.map(|key| {
            let why = "the proof does not need its entry: no play that it allows leads there";
            ProofVerdict::Flawed { position: state_of(game, key >> 1), why: why.to_owned() }
        }))
    }
}
