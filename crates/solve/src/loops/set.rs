//! A set of keys in few bytes. Keys are permuted (a bijection of their bits), so that they look random. The first bits of
//! a permuted key choose a shard, the next ones a bucket of the shard's sorted list, and only the others are stored: some
//! 3 bytes of a key of 8, and a byte for the places of buckets. New keys wait in a small hash table of their shard until
//! they are merged into its list. At last the number of a key is its place in the order: there is no table of numbers,
//! and the keys can be listed. (Cleary 1984 stores only the bits of a key that its
//! place in a table does not determine; a sorted list needs no pointers for that.)

use std::io::{self, Read, Write};

use crate::large::Large;

/// A permutation of the numbers below 2^bits.
#[derive(Clone, Copy)]
pub(super) struct Mix {
    mask: u64,
    shift: u32,
}

/// Two odd numbers with bits like random ones (2^64 divided by the golden ratio; one of Stafford's).
const A: u64 = 0x9e37_79b9_7f4a_7c15;
const B: u64 = 0xd6e8_feb8_6659_fd93;

/// The number by which an odd one gives 1, modulo 2^64 (Newton's method).
const fn inverse(of: u64) -> u64 {
    let (mut found, mut step) = (of, 0);
    while step < 6 {
        found = found.wrapping_mul(2u64.wrapping_sub(of.wrapping_mul(found)));
        step += 1;
    }
    found
}

impl Mix {
    /// `bits` is from 1 to 64.
    pub fn new(bits: u32) -> Mix {
        Mix { mask: low_bits(bits), shift: bits.div_ceil(2) }
    }

    #[inline]
    pub fn mix(self, key: u64) -> u64 {
        let key = key.wrapping_mul(A) & self.mask;
        (key ^ key >> self.shift).wrapping_mul(B) & self.mask
    }

    #[inline]
    pub fn unmix(self, mixed: u64) -> u64 {
        let key = mixed.wrapping_mul(inverse(B)) & self.mask;
        (key ^ key >> self.shift).wrapping_mul(inverse(A)) & self.mask
    }
}

/// A number with this many bits set, from 0 to 64.
const fn low_bits(bits: u32) -> u64 {
    match bits {
        0 => 0,
        bits => u64::MAX >> (64 - bits),
    }
}

/// How mixed keys are shared among shards. A key within a shard has fewer than 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Split {
    /// The bits of a key within its shard.
    pub bits: u32,
    pub shards: usize,
}

impl Split {
    pub fn new(bits: u32) -> Split {
        let high = (bits / 2).min(10);
        Split { bits: bits - high, shards: 1 << high }
    }

    /// The shard of a key, and the key within it.
    #[inline]
    pub fn of(self, mixed: u64) -> (usize, u64) {
        ((mixed >> self.bits) as usize, mixed & low_bits(self.bits))
    }

    /// The key with these parts.
    #[inline]
    pub fn join(self, shard: usize, key: u64) -> u64 {
        (shard as u64) << self.bits | key
    }
}

/// The form of a sorted list.
#[derive(Clone, Copy, Default)]
struct Form {
    len: usize,
    /// The bits of a key that its bucket does not determine.
    low: u32,
    /// The bytes for them.
    width: usize,
}

/// A sorted list, with the memory that it lies in.
#[derive(Clone, Copy)]
struct View<'a> {
    form: Form,
    /// Where each bucket begins.
    from: &'a [u32],
    rest: &'a [u8],
}

impl<'a> View<'a> {
    #[inline]
    fn get(&self, at: usize) -> u64 {
        let at = at * self.form.width;
        let bytes = self.rest[at..at + 8].try_into().unwrap_or([0; 8]);
        u64::from_le_bytes(bytes) & low_bits(8 * self.form.width as u32)
    }

    /// The places of a key's bucket.
    #[inline]
    fn bucket(&self, key: u64) -> (u32, u32) {
        let bucket = (key >> self.form.low) as usize;
        (self.from[bucket], self.from[bucket + 1])
    }

    #[inline]
    fn find_in(&self, key: u64, (mut from, mut to): (u32, u32)) -> Option<u32> {
        let key = key & low_bits(self.form.low);
        // Buckets are small unless keys were made up so that they are not.
        while to - from > 16 {
            let middle = from + (to - from) / 2;
            match self.get(middle as usize) <= key {
                true => from = middle,
                false => to = middle,
            }
        }
        (from..to).find(|at| self.get(*at as usize) == key)
    }

    #[inline]
    fn find(&self, key: u64) -> Option<u32> {
        self.find_in(key, self.bucket(key))
    }

    /// All keys in order.
    fn iter(self) -> impl Iterator<Item = u64> + 'a {
        let mut bucket = 0;
        (0..self.form.len).map(move |at| {
            while at >= self.from[bucket + 1] as usize {
                bucket += 1;
            }
            (bucket as u64) << self.form.low | self.get(at)
        })
    }
}

/// A sorted list in memory of its own.
#[derive(Default)]
struct Sorted {
    form: Form,
    from: Vec<u32>,
    rest: Vec<u8>,
}

/// A key is read as eight bytes, also the last one.
const BEYOND: usize = 8;

impl Sorted {
    /// A list of keys with `bits` bits, which come in order.
    fn new(bits: u32, len: usize, keys: impl Iterator<Item = u64>) -> Sorted {
        // The number of buckets that takes the fewest bytes, with some 1 to 12 keys in one.
        let fits = |high: &u32| (len >> high) < 12 && (*high == 0 || len >> high >= 1);
        let size = |high: u32| (bits - high).div_ceil(8) as usize * len + (4 << high);
        let high = (0..=bits.min(30)).filter(fits).min_by_key(|high| size(*high)).unwrap_or(0);
        let low = bits - high;
        let form = Form { len, low, width: low.div_ceil(8).max(1) as usize };
        let mut from = Vec::with_capacity((1 << high) + 1);
        let mut rest = Vec::with_capacity(len * form.width + BEYOND);
        for (count, key) in keys.enumerate() {
            from.resize(from.len().max((key >> low) as usize + 1), count as u32);
            rest.extend_from_slice(&(key & low_bits(low)).to_le_bytes()[..form.width]);
        }
        from.resize((1 << high) + 1, len as u32);
        rest.resize(len * form.width + BEYOND, 0);
        Sorted { form, from, rest }
    }

    fn view(&self) -> View<'_> {
        View { form: self.form, from: &self.from, rest: &self.rest }
    }

    fn bytes(&self) -> u64 {
        (self.from.capacity() * size_of::<u32>() + self.rest.capacity()) as u64
    }
}

/// New keys of a shard, by their hash.
#[derive(Default)]
struct New {
    slots: Vec<u64>,
    len: usize,
}

const EMPTY: u64 = u64::MAX;

impl New {
    #[inline]
    fn insert(&mut self, key: u64) -> bool {
        if (self.len + 1) * 8 > self.slots.len() * 6 {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = (key.wrapping_mul(A) >> 32) as usize & mask;
        loop {
            match self.slots[at] {
                EMPTY => break,
                slot if slot == key => return false,
                _ => at = (at + 1) & mask,
            }
        }
        self.slots[at] = key;
        self.len += 1;
        true
    }

    fn grow(&mut self) {
        let more = vec![EMPTY; (self.slots.len() * 2).max(64)];
        let old = std::mem::replace(&mut self.slots, more);
        self.len = 0;
        for key in old.into_iter().filter(|key| *key != EMPTY) {
            self.insert(key);
        }
    }
}

/// Two bits for each key of a list.
#[derive(Default)]
pub(super) struct Flags(Vec<u8>);

impl Flags {
    fn new(len: usize) -> Flags {
        Flags(vec![0; len.div_ceil(4)])
    }

    pub fn get(&self, at: usize) -> u8 {
        self.0[at / 4] >> (at % 4 * 2) & 3
    }

    fn set(&mut self, at: usize, flag: u8) {
        self.0[at / 4] |= flag << (at % 4 * 2);
    }
}

/// The keys of a shard while they are being found.
pub(super) struct Shard {
    sorted: Sorted,
    flags: Flags,
    /// Keys of the list without a flag.
    waiting: usize,
    new: New,
}

impl Shard {
    /// A shard for keys with `bits` bits.
    pub fn new(bits: u32) -> Shard {
        let sorted = Sorted::new(bits, 0, std::iter::empty());
        Shard { sorted, flags: Flags::default(), waiting: 0, new: New::default() }
    }

    /// Adds a key; whether it is new.
    #[inline]
    pub fn insert(&mut self, key: u64) -> bool {
        self.sorted.view().find(key).is_none() && self.new.insert(key)
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.sorted.form.len + self.new.len
    }

    /// The number of keys without a flag.
    pub fn waiting(&self) -> usize {
        self.waiting + self.new.len
    }

    pub fn bytes(&self) -> u64 {
        let new = self.new.slots.capacity() * size_of::<u64>();
        self.sorted.bytes() + (new + self.flags.0.capacity()) as u64
    }

    /// Gives a flag from 1 to 3 to each key that has none; `bits` are those of a key.
    pub fn look<E>(
        &mut self,
        bits: u32,
        mut flag: impl FnMut(u64) -> Result<u8, E>,
    ) -> Result<(), E> {
        self.merge(bits);
        for (at, key) in self.sorted.view().iter().enumerate() {
            if self.flags.get(at) == 0 {
                self.flags.set(at, flag(key)?);
            }
        }
        self.waiting = 0;
        Ok(())
    }

    /// Writes the keys, each as its distance from the one before, and what the first look showed.
    pub fn write(&mut self, bits: u32, out: &mut dyn Write) -> io::Result<()> {
        self.merge(bits);
        out.write_all(&(self.sorted.form.len as u64).to_le_bytes())?;
        let mut before = 0;
        for key in self.sorted.view().iter() {
            out.write_all(&(key - before).to_le_bytes())?;
            before = key;
        }
        out.write_all(&self.flags.0)
    }

    /// Reads what [`Shard::write`] wrote, and refuses what it cannot have written.
    pub fn read(bits: u32, from: &mut dyn Read) -> io::Result<Shard> {
        let mut number = || {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes).map(|()| u64::from_le_bytes(bytes))
        };
        let (len, mut keys) = (number()?, Vec::<u64>::new());
        for _ in 0..len {
            let (by, before) = (number()?, keys.last().copied());
            let key = before.unwrap_or(0).checked_add(by).filter(|key| *key <= low_bits(bits));
            match key {
                Some(key) if before.is_none() || by > 0 => keys.push(key),
                _ => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
        let mut flags = Flags::new(keys.len());
        from.read_exact(&mut flags.0)?;
        let waiting = (0..keys.len()).filter(|at| flags.get(*at) == 0).count();
        let sorted = Sorted::new(bits, keys.len(), keys.into_iter());
        Ok(Shard { sorted, flags, waiting, new: New::default() })
    }

    /// Merges new keys into the list if they are many.
    pub fn merge_if_many(&mut self, bits: u32) {
        if self.new.len > (self.sorted.form.len / 16).max(2000) {
            self.merge(bits);
        }
    }

    fn merge(&mut self, bits: u32) {
        if self.new.len == 0 {
            return;
        }
        // The slots become the list: no second copy.
        let New { slots: mut new, len } = std::mem::take(&mut self.new);
        let room = new.len();
        new.retain(|key| *key != EMPTY);
        new.sort_unstable();
        let before = std::mem::take(&mut self.sorted);
        let flags_before = std::mem::take(&mut self.flags);
        let total = before.form.len + len;
        let (mut flags, mut at, mut at_before) = (Flags::new(total), 0, 0);
        let mut old = before.view().iter().peekable();
        let mut rest = new.iter().copied().peekable();
        let merged = std::iter::from_fn(|| {
            at += 1;
            let old_first = match (old.peek(), rest.peek()) {
                (Some(old), Some(new)) => old < new,
                (old, _) => old.is_some(),
            };
            if !old_first {
                return rest.next();
            }
            flags.set(at - 1, flags_before.get(at_before));
            at_before += 1;
            old.next()
        });
        self.sorted = Sorted::new(bits, total, merged);
        drop((old, rest));
        self.flags = flags;
        self.waiting += len;
        if room > 1 << 12 {
            // The next keys need about as much room.
            new.clear();
            new.resize(room, EMPTY);
            self.new = New { slots: new, len: 0 };
        }
    }
}

/// A finished set: each key has a number. The lists lie together, in large pages.
pub(super) struct Numbers {
    pub mix: Mix,
    pub split: Split,
    shards: Vec<Part>,
    from: Large<u32>,
    rest: Large<u8>,
    pub len: usize,
}

/// Where the list of a shard lies.
struct Part {
    form: Form,
    from: usize,
    rest: usize,
    /// The number of its first key.
    first: u32,
}

/// Work space for looking keys up.
#[derive(Default)]
pub(super) struct Spare(Vec<(usize, u64, (u32, u32))>);

impl Numbers {
    /// At most 2^32 keys, all of them with a flag.
    ///
    /// # Errors
    /// The bytes that the system could not allocate.
    pub fn new(mix: Mix, split: Split, all: Vec<Shard>) -> Result<(Numbers, Vec<Flags>), u64> {
        let sum = |of: fn(&Sorted) -> usize| all.iter().map(|part| of(&part.sorted)).sum::<usize>();
        let mut from = Large::<u32>::zeroed(sum(|list| list.from.len()))?;
        let mut rest = Large::<u8>::zeroed(sum(|list| list.rest.len()))?;
        let (mut shards, mut flags) = (Vec::new(), Vec::new());
        let (mut len, mut from_at, mut rest_at) = (0usize, 0, 0);
        for shard in all {
            let Sorted { form, from: own_from, rest: own_rest } = shard.sorted;
            shards.push(Part { form, from: from_at, rest: rest_at, first: len as u32 });
            from[from_at..][..own_from.len()].copy_from_slice(&own_from);
            rest[rest_at..][..own_rest.len()].copy_from_slice(&own_rest);
            from_at += own_from.len();
            rest_at += own_rest.len();
            len += form.len;
            flags.push(shard.flags);
        }
        Ok((Numbers { mix, split, shards, from, rest, len }, flags))
    }

    pub fn bytes(&self) -> u64 {
        (self.from.len() * size_of::<u32>() + self.rest.len()) as u64
    }

    fn view(&self, shard: usize) -> View<'_> {
        let Part { form, from, rest, .. } = self.shards[shard];
        View { form, from: &self.from[from..], rest: &self.rest[rest..] }
    }

    /// The number of a shard's first key.
    pub fn first(&self, shard: usize) -> u32 {
        self.shards[shard].first
    }

    /// The number of keys of a shard.
    pub fn len_of(&self, shard: usize) -> usize {
        self.shards[shard].form.len
    }

    /// The keys of a shard, not mixed, in the order of their numbers.
    pub fn keys(&self, shard: usize) -> impl Iterator<Item = u64> + '_ {
        let keys = self.view(shard).iter();
        keys.map(move |key| self.mix.unmix(self.split.join(shard, key)))
    }

    /// The number of a key.
    #[cfg(test)]
    pub fn number(&self, key: u64) -> Option<u32> {
        let (shard, key) = self.split.of(self.mix.mix(key));
        Some(self.first(shard) + self.view(shard).find(key)?)
    }

    /// The numbers of keys; each of them is waited for only after the memory was asked for all. Whether the set has all.
    pub fn numbers(&self, keys: &[u64], spare: &mut Spare, numbers: &mut Vec<u32>) -> bool {
        let (from, rest) = (&self.from[..], &self.rest[..]);
        spare.0.clear();
        for key in keys {
            let (shard, key) = self.split.of(self.mix.mix(*key));
            let part = &self.shards[shard];
            let bucket = part.from + (key >> part.form.low) as usize;
            foregone_prefetch::load(&from[bucket]);
            spare.0.push((shard, key, (0, 0)));
        }
        for (shard, key, bucket) in &mut spare.0 {
            let part = &self.shards[*shard];
            let view = View { form: part.form, from: &from[part.from..], rest: &[] };
            *bucket = view.bucket(*key);
            let first = part.rest + bucket.0 as usize * part.form.width;
            foregone_prefetch::load(&rest[first]);
            foregone_prefetch::load(&rest[(first + 16).min(rest.len() - 1)]);
        }
        numbers.clear();
        for (shard, key, bucket) in &spare.0 {
            let part = &self.shards[*shard];
            let view = View { form: part.form, from: &[], rest: &rest[part.rest..] };
            let Some(place) = view.find_in(*key, *bucket) else { return false };
            numbers.push(part.first + place);
        }
        true
    }
}
