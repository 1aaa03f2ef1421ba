//! Large arrays in large pages, if the system grants them: random accesses then seldom miss the processor's
//! address cache (TLB).

use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::{Deref, DerefMut};

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Zeroed memory as bytes.
#[cfg(not(target_family = "wasm"))]
pub(crate) type Bytes = memmap2::MmapMut;

/// Zeroed memory as bytes. WebAssembly has no memory maps, and memory that grows is zero.
#[cfg(target_family = "wasm")]
pub(crate) struct Bytes(Vec<u64>);

#[cfg(target_family = "wasm")]
impl Bytes {
    fn map_anon(bytes: usize) -> Result<Bytes, std::collections::TryReserveError> {
        let mut words = Vec::new();
        words.try_reserve_exact(bytes.div_ceil(size_of::<u64>()))?;
        words.resize(bytes.div_ceil(size_of::<u64>()), 0);
        Ok(Bytes(words))
    }
}

#[cfg(target_family = "wasm")]
impl Deref for Bytes {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

#[cfg(target_family = "wasm")]
impl DerefMut for Bytes {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        self.0.as_mut_bytes()
    }
}

/// Why a memory map can be used as an array.
pub(crate) const WORDS: &str = "a map starts with a page and is made of whole words";

/// Maps `bytes` bytes of zeroed memory, in large pages if `large_pages` and the system grants them.
///
/// # Errors
/// The number of bytes that the system could not allocate.
pub(crate) fn map(bytes: u64, large_pages: bool) -> Result<Bytes, u64> {
    let map = usize::try_from(bytes).ok().and_then(|bytes| Bytes::map_anon(bytes).ok());
    let map = map.ok_or(bytes)?;
    // Without large pages it works too, but more slowly.
    #[cfg(target_os = "linux")]
    let _ = large_pages.then(|| map.advise(memmap2::Advice::HugePage));
    #[cfg(not(target_os = "linux"))]
    let _ = large_pages;
    Ok(map)
}

/// An array of numbers.
pub(crate) struct Large<T> {
    /// At least one byte.
    map: Bytes,
    bytes: usize,
    of: PhantomData<T>,
}

impl<T: FromBytes + IntoBytes + Immutable + KnownLayout + Copy> Large<T> {
    /// `len` times a value.
    ///
    /// # Errors
    /// The number of bytes that the system could not allocate.
    pub fn filled(value: T, len: usize) -> Result<Large<T>, u64> {
        let mut large = Large::zeroed(len)?;
        large.fill(value);
        Ok(large)
    }

    /// `len` zeros, which take memory only when they are written to.
    ///
    /// # Errors
    /// The number of bytes that the system could not allocate.
    pub fn zeroed(len: usize) -> Result<Large<T>, u64> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(u64::MAX)?;
        Ok(Large { map: map((bytes as u64).max(1), true)?, bytes, of: PhantomData })
    }
}

impl<T: FromBytes + Immutable + KnownLayout> Deref for Large<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        <[T]>::ref_from_bytes(&self.map[..self.bytes]).expect(WORDS)
    }
}

impl<T: FromBytes + IntoBytes + Immutable + KnownLayout> DerefMut for Large<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        <[T]>::mut_from_bytes(&mut self.map[..self.bytes]).expect(WORDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_any_length_hold_their_numbers() {
        for len in [0, 1, 7, 5_000_001] {
            let mut large = Large::filled(-5i16, len).unwrap();
            assert_eq!(large.len(), len);
            assert!(large.iter().all(|number| *number == -5));
            large.iter_mut().enumerate().for_each(|(at, number)| *number = at as i16);
            assert!(large.iter().enumerate().all(|(at, number)| *number == at as i16));
        }
        assert!(Large::filled(0i16, usize::MAX).is_err());
    }
}
