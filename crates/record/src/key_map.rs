//! A memory-saving map from keys of positions to a few bytes each: a hash table whose slots hold
//! the keys themselves. It consists of parts that grow one at a time, by half, so that growing
//! never takes twice the memory.

use std::hash::{BuildHasher, RandomState};

/// The number of parts; each grows alone.
const PARTS: usize = 64;

/// The initial number of slots in a part.
const SLOTS: usize = 16;

/// A map by key. If keys have one word and `Option<T>` is as small as `T`, a slot takes 8 bytes in
/// addition to the value.
///
/// ```
/// use std::num::NonZeroU8;
///
/// let mut map = foregone_record::KeyMap::new(100);
/// map.insert(1 << 99, NonZeroU8::MIN);
/// assert_eq!(map.get(1 << 99), Some(NonZeroU8::MIN));
/// assert_eq!(map.get(1), None);
/// ```
pub struct KeyMap<T> {
    parts: Vec<Part<T>>,
    wide: bool,
    hash: Hash,
}

/// The hash function. It differs in every run, because keys may come from hostile files.
#[derive(Clone, Copy)]
struct Hash([u64; 2]);

impl Hash {
    fn new() -> Hash {
        let random = RandomState::new();
        Hash([0, 1].map(|word| random.hash_one(word)))
    }

    /// The hash of a key: some bits select its part, the others its slot there.
    #[inline]
    fn of(self, key: u128) -> u64 {
        let Hash([low, high]) = self;
        let (low, high) = (key as u64 ^ low, (key >> 64) as u64 ^ high);
        // Every bit of either word affects both halves.
        let product = u128::from(low) * u128::from(high);
        (product >> 64) as u64 ^ product as u64
    }
}

#[derive(Clone, Copy)]
struct Slot<T> {
    low: u64,
    value: Option<T>,
}

/// A part: linear probing, at most 7 of 8 slots in use.
struct Part<T> {
    slots: Vec<Slot<T>>,
    /// The high words of the keys, if keys have two words.
    high: Vec<u64>,
    len: usize,
}

impl<T: Copy> KeyMap<T> {
    /// An empty map, for keys of `bits` bits.
    pub fn new(bits: u32) -> KeyMap<T> {
        KeyMap::with_room(bits, 0)
    }

    /// An empty map with room for `count` values.
    pub fn with_room(bits: u32, count: usize) -> KeyMap<T> {
        let wide = bits > 64;
        let slots = count / PARTS * 5 / 4;
        let parts = (0..PARTS).map(|_| Part::new(slots, wide)).collect();
        KeyMap { parts, wide, hash: Hash::new() }
    }

    /// The memory of a map with room for `count` values, in bytes.
    pub fn bytes_of(bits: u32, count: u64) -> u64 {
        let slot = size_of::<Slot<T>>() + if bits > 64 { size_of::<u64>() } else { 0 };
        count.saturating_mul(slot as u64).saturating_mul(5) / 4
    }

    /// The number of values.
    pub fn len(&self) -> u64 {
        self.parts.iter().map(|part| part.len as u64).sum()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its memory in bytes.
    pub fn bytes(&self) -> u64 {
        let slots: usize = self.parts.iter().map(|part| part.slots.len()).sum();
        let high: usize = self.parts.iter().map(|part| part.high.len()).sum();
        (slots * size_of::<Slot<T>>() + high * size_of::<u64>()) as u64
    }

    /// The value of a key.
    #[inline]
    pub fn get(&self, key: u128) -> Option<T> {
        let hash = self.hash.of(key);
        let part = &self.parts[hash as usize % PARTS];
        part.slots[part.find(key, hash)?].value
    }

    /// The value of a key, mutable.
    #[inline]
    pub fn get_mut(&mut self, key: u128) -> Option<&mut T> {
        let hash = self.hash.of(key);
        let part = &mut self.parts[hash as usize % PARTS];
        let at = part.find(key, hash)?;
        part.slots[at].value.as_mut()
    }

    /// Inserts a value, or replaces the value of its key.
    pub fn insert(&mut self, key: u128, value: T) {
        let hash = self.hash.of(key);
        let part = &mut self.parts[hash as usize % PARTS];
        if 8 * (part.len + 1) > 7 * part.slots.len() {
            part.grow(self.wide, self.hash);
        }
        if let Some(at) = part.find(key, hash) {
            part.len += usize::from(part.slots[at].value.is_none());
            part.set(at, key, value);
        }
    }

    /// All keys with their values, in no order; frees the memory of each part after its visit.
    pub fn drain(self) -> impl Iterator<Item = (u128, T)> {
        self.parts.into_iter().flat_map(|part| {
            let high = part.high.into_iter().chain(std::iter::repeat(0));
            let key = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
            let all = part.slots.into_iter().zip(high);
            all.filter_map(move |(slot, high)| Some((key(high, slot.low), slot.value?)))
        })
    }
}

impl<T: Copy> Part<T> {
    fn new(slots: usize, wide: bool) -> Part<T> {
        let high = if wide { vec![0; slots] } else { Vec::new() };
        Part { slots: vec![Slot { low: 0, value: None }; slots], high, len: 0 }
    }

    /// The slot of a key, or the empty slot for it; `None` if there are no slots.
    #[inline]
    fn find(&self, key: u128, hash: u64) -> Option<usize> {
        let size = self.slots.len();
        let mut at = ((u128::from(hash) * size as u128) >> 64) as usize;
        loop {
            let slot = self.slots.get(at)?;
            let same = slot.low == key as u64
                && self.high.get(at).is_none_or(|high| *high == (key >> 64) as u64);
            if same || slot.value.is_none() {
                return Some(at);
            }
            at = if at + 1 < size { at + 1 } else { 0 };
        }
    }

    fn set(&mut self, at: usize, key: u128, value: T) {
        self.slots[at] = Slot { low: key as u64, value: Some(value) };
        if let Some(high) = self.high.get_mut(at) {
            *high = (key >> 64) as u64;
        }
    }

    fn grow(&mut self, wide: bool, hash: Hash) {
        let mut next = Part::new(SLOTS.max(self.slots.len() + self.slots.len() / 2), wide);
        for (at, slot) in self.slots.iter().enumerate() {
            let Some(value) = slot.value else { continue };
            let high = self.high.get(at).copied().unwrap_or(0);
            let key = u128::from(high) << 64 | u128::from(slot.low);
            if let Some(to) = next.find(key, hash.of(key)) {
                next.set(to, key, value);
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

    /// The author of a file cannot know where its keys will go.
    #[test]
    fn places_are_other_in_every_map() {
        let places = |hash: Hash| (0..8).map(|key| hash.of(key << 60)).collect::<Vec<_>>();
        assert_ne!(places(Hash::new()), places(Hash::new()));
    }

    /// Whatever is put in is found again, the last value of each key, and all come out.
    #[test]
    fn it_is_a_map() {
        for (bits, high, room) in [(64, 0, 0), (128, u64::MAX, 0), (65, 1, 5_000)] {
            let (mut expected, mut dice) = (BTreeMap::new(), Dice::new(5));
            let mut map = KeyMap::with_room(bits, room);
            assert!(map.is_empty());
            for round in 1..30_000u32 {
                let word = |dice: &mut Dice| dice.below(40) as u64 * 0x0101_0101_0000_0001;
                let key = u128::from(word(&mut dice) & high) << 64
                    | u128::from(word(&mut dice) ^ dice.below(300) as u64);
                let value = NonZeroU32::new(round).unwrap();
                map.insert(key, value);
                expected.insert(key, value);
                if round % 1000 == 0 {
                    assert!(expected.iter().all(|(key, value)| map.get(*key) == Some(*value)));
                }
                let other = key ^ 1 << 50;
                assert_eq!(map.get(other), expected.get(&other).copied());
                match map.get_mut(other) {
                    Some(value) => {
                        *value = NonZeroU32::MIN;
                        let before = expected.insert(other, NonZeroU32::MIN);
                        assert!(before.is_some());
                    }
                    None => assert!(!expected.contains_key(&other)),
                }
                assert_eq!(map.get_mut(key).copied(), Some(value));
            }
            assert_eq!(map.len(), expected.len() as u64);
            assert!(!map.is_empty());
            let slot = if bits > 64 { 24 } else { 16 };
            let (least, max) = (slot * map.len(), 2 * slot * map.len());
            assert!((least..max).contains(&map.bytes()), "{} {least}", map.bytes());
            assert_eq!(map.drain().collect::<BTreeMap<_, _>>(), expected);
        }
    }

    /// Keys that differ in a few bits, wherever these are, go everywhere: to all parts, and to many
    /// slots of one.
    #[test]
    fn keys_spread() {
        let hash = Hash([0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03]);
        for shift in [0, 20, 52, 64, 84, 116] {
            let hashes: Vec<_> = (0..4096).map(|key| hash.of(key << shift)).collect();
            for place in [|hash| hash % 64, |hash| hash >> 58] {
                let mut counts = [0; 64];
                hashes.iter().for_each(|hash| counts[place(*hash) as usize] += 1);
                let even = counts.iter().all(|count| (16..=200).contains(count));
                assert!(even, "{shift}: {counts:?}");
            }
            let part = Part::<NonZeroU32>::new(1000, true);
            let slots = hashes[..1000].iter().filter_map(|hash| part.find(1, *hash));
            let slots: std::collections::BTreeSet<_> = slots.collect();
            assert!(slots.len() > 400, "{shift}: {}", slots.len());
        }
    }

    /// What a map with room takes is what was told beforehand.
    #[test]
    fn room_is_told_beforehand() {
        type Map = KeyMap<NonZeroU32>;
        for (bits, slot) in [(1, 16), (64, 16), (65, 24), (128, 24)] {
            assert_eq!(Map::bytes_of(bits, 6400), 8000 * slot);
            assert_eq!(Map::with_room(bits, 6400).bytes(), 8000 * slot);
            assert_eq!(Map::new(bits).bytes(), 0);
        }
        assert!(Map::bytes_of(128, u64::MAX) >= u64::MAX / 4);
    }

    /// A part grows by half when 7 of 8 slots are taken.
    #[test]
    fn parts_grow_by_half() {
        let mut map = KeyMap::new(64);
        let mut taken = 0;
        let sizes: Vec<_> = (0..u128::MAX)
            .filter(|key| map.hash.of(*key) as usize % PARTS == 5)
            .take(32)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|key| {
                map.insert(key, NonZeroU32::MIN);
                taken += 1;
                (taken, map.bytes() / 16)
            })
            .collect();
        let size = |taken| match taken {
            0..=14 => 16,
            15..=21 => 24,
            22..=31 => 36,
            _ => 54,
        };
        assert!(sizes.iter().all(|(taken, slots)| *slots == size(*taken)), "{sizes:?}");
    }
}
