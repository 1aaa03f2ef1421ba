//! A map from the keys of positions to a few bytes each, in little memory: a hash table of slots that
//! hold the key itself, in parts that grow one at a time and by half, so that growing never takes twice
//! the memory.

use std::hash::{BuildHasher, RandomState};

/// So many parts; each grows alone.
const PARTS: usize = 64;

/// The slots of a part at first.
const SLOTS: usize = 16;

/// Notes by key. With keys of one word, and notes for which `Option` takes no room of its own, a slot
/// has 8 bytes more than a note.
///
/// ```
/// use std::num::NonZeroU8;
///
/// let mut notes = foregone_record::Notes::new(100);
/// notes.put(1 << 99, NonZeroU8::MIN);
/// assert_eq!(notes.get(1 << 99), Some(NonZeroU8::MIN));
/// assert_eq!(notes.get(1), None);
/// ```
pub struct Notes<T> {
    parts: Vec<Part<T>>,
    wide: bool,
    hash: Hash,
}

/// Where keys go: other places in every run, as keys may come from files that mean harm.
#[derive(Clone, Copy)]
struct Hash([u64; 2]);

impl Hash {
    fn new() -> Hash {
        let random = RandomState::new();
        Hash([0, 1].map(|word| random.hash_one(word)))
    }

    /// A key's part and what tells its slot there.
    #[inline]
    fn of(self, key: u128) -> u64 {
        let Hash([low, high]) = self;
        let (low, high) = (key as u64 ^ low, (key >> 64) as u64 ^ high);
        // Every bit of either word moves bits of both halves.
        let product = u128::from(low) * u128::from(high);
        (product >> 64) as u64 ^ product as u64
    }
}

#[derive(Clone, Copy)]
struct Slot<T> {
    low: u64,
    note: Option<T>,
}

/// A part: linear probing, at most 7 of 8 slots taken.
struct Part<T> {
    slots: Vec<Slot<T>>,
    /// The high words of the keys, where keys have any.
    high: Vec<u64>,
    len: usize,
}

impl<T: Copy> Notes<T> {
    /// None yet, for keys of so many bits.
    pub fn new(bits: u32) -> Notes<T> {
        Notes::with_room(bits, 0)
    }

    /// None yet, with room for so many.
    pub fn with_room(bits: u32, count: usize) -> Notes<T> {
        let wide = bits > 64;
        let slots = count / PARTS * 5 / 4;
        let parts = (0..PARTS).map(|_| Part::new(slots, wide)).collect();
        Notes { parts, wide, hash: Hash::new() }
    }

    /// How many bytes so many notes take, once there is room for them.
    pub fn bytes_of(bits: u32, count: u64) -> u64 {
        let slot = size_of::<Slot<T>>() + if bits > 64 { size_of::<u64>() } else { 0 };
        count.saturating_mul(slot as u64).saturating_mul(5) / 4
    }

    /// How many notes there are.
    pub fn len(&self) -> u64 {
        self.parts.iter().map(|part| part.len as u64).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> u64 {
        let slots: usize = self.parts.iter().map(|part| part.slots.len()).sum();
        let high: usize = self.parts.iter().map(|part| part.high.len()).sum();
        (slots * size_of::<Slot<T>>() + high * size_of::<u64>()) as u64
    }

    /// What is noted of a position.
    #[inline]
    pub fn get(&self, key: u128) -> Option<T> {
        let hash = self.hash.of(key);
        let part = &self.parts[hash as usize % PARTS];
        part.slots[part.find(key, hash)?].note
    }

    /// The same, to change it.
    #[inline]
    pub fn get_mut(&mut self, key: u128) -> Option<&mut T> {
        let hash = self.hash.of(key);
        let part = &mut self.parts[hash as usize % PARTS];
        let at = part.find(key, hash)?;
        part.slots[at].note.as_mut()
    }

    /// Notes something of a position, in place of what was noted before.
    pub fn put(&mut self, key: u128, note: T) {
        let hash = self.hash.of(key);
        let part = &mut self.parts[hash as usize % PARTS];
        if 8 * (part.len + 1) > 7 * part.slots.len() {
            part.grow(self.wide, self.hash);
        }
        if let Some(at) = part.find(key, hash) {
            part.len += usize::from(part.slots[at].note.is_none());
            part.set(at, key, note);
        }
    }

    /// All of them, in no order; each part's memory is given back behind it.
    pub fn drain(self) -> impl Iterator<Item = (u128, T)> {
        self.parts.into_iter().flat_map(|part| {
            let high = part.high.into_iter().chain(std::iter::repeat(0));
            let key = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
            let all = part.slots.into_iter().zip(high);
            all.filter_map(move |(slot, high)| Some((key(high, slot.low), slot.note?)))
        })
    }
}

impl<T: Copy> Part<T> {
    fn new(slots: usize, wide: bool) -> Part<T> {
        let high = if wide { vec![0; slots] } else { Vec::new() };
        Part { slots: vec![Slot { low: 0, note: None }; slots], high, len: 0 }
    }

    /// The slot of a key, or the empty one where it belongs; nothing while there are no slots.
    #[inline]
    fn find(&self, key: u128, hash: u64) -> Option<usize> {
        let size = self.slots.len();
        let mut at = ((u128::from(hash) * size as u128) >> 64) as usize;
        loop {
            let slot = self.slots.get(at)?;
            let same = slot.low == key as u64
                && self.high.get(at).is_none_or(|high| *high == (key >> 64) as u64);
            if same || slot.note.is_none() {
                return Some(at);
            }
            at = if at + 1 < size { at + 1 } else { 0 };
        }
    }

    fn set(&mut self, at: usize, key: u128, note: T) {
        self.slots[at] = Slot { low: key as u64, note: Some(note) };
        if let Some(high) = self.high.get_mut(at) {
            *high = (key >> 64) as u64;
        }
    }

    fn grow(&mut self, wide: bool, hash: Hash) {
        let mut next = Part::new(SLOTS.max(self.slots.len() + self.slots.len() / 2), wide);
        for (at, slot) in self.slots.iter().enumerate() {
            let Some(note) = slot.note else { continue };
            let high = self.high.get(at).copied().unwrap_or(0);
            let key = u128::from(high) << 64 | u128::from(slot.low);
            if let Some(to) = next.find(key, hash.of(key)) {
                next.set(to, key, note);
            }
        }
        next.len = self.len;
        *self = next;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::num::NonZeroU32;

    use foregone_rules::sample::Dice;

    use super::*;

    /// Who writes a file cannot know where its keys will go.
    #[test]
    fn places_are_other_in_every_map() {
        let places = |hash: Hash| (0..8).map(|key| hash.of(key << 60)).collect::<Vec<_>>();
        assert_ne!(places(Hash::new()), places(Hash::new()));
    }

    /// Whatever is put in is found again, the last of each key, and all come out.
    #[test]
    fn it_is_a_map() {
        for (bits, high, room) in [(64, 0, 0), (128, u64::MAX, 0), (65, 1, 5_000)] {
            let (mut map, mut dice) = (BTreeMap::new(), Dice::new(5));
            let mut notes = Notes::with_room(bits, room);
            for round in 1..30_000u32 {
                let word = |dice: &mut Dice| dice.below(40) as u64 * 0x0101_0101_0000_0001;
                let key = u128::from(word(&mut dice) & high) << 64
                    | u128::from(word(&mut dice) ^ dice.below(300) as u64);
                let note = NonZeroU32::new(round).unwrap();
                notes.put(key, note);
                map.insert(key, note);
                if round % 1000 == 0 {
                    assert!(map.iter().all(|(key, note)| notes.get(*key) == Some(*note)));
                }
                let other = key ^ 1 << 50;
                assert_eq!(notes.get(other), map.get(&other).copied());
                if let Some(note) = notes.get_mut(other) {
                    *note = NonZeroU32::MIN;
                    map.insert(other, NonZeroU32::MIN);
                }
            }
            assert_eq!(notes.len(), map.len() as u64);
            let slot = if bits > 64 { 24 } else { 16 };
            let (least, most) = (slot * notes.len(), 2 * slot * notes.len());
            assert!((least..most).contains(&notes.bytes()), "{} {least}", notes.bytes());
            assert_eq!(notes.drain().collect::<BTreeMap<_, _>>(), map);
        }
    }
}
