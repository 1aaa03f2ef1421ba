//! Large arrays in large pages, if the system grants them: random accesses then seldom miss the processor's
//! address cache (TLB).

use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Why a memory map can be used as an array.
pub(crate) const WORDS: &str = "a map starts with a page and is made of whole words";

/// Maps `bytes` bytes of zeroed memory, in large pages if `large_pages` and the system grants them.
///
/// # Errors
/// The number of bytes that the system could not allocate.
pub(crate) fn map(bytes: u64, large_pages: bool) -> Result<MmapMut, u64> {
    let map = usize::try_from(bytes).ok().and_then(|bytes| MmapMut::map_anon(bytes).ok());
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
    map: MmapMut,
    bytes: usize,
    of: PhantomData<T>,
}

impl<T: FromBytes + IntoBytes + Immutable + KnownLayout + Copy> Large<T> {
    /// `len` times a value.
    ///
    /// # Errors
    /// The number of bytes that the system could not allocate.
    pub fn filled(value: T, len: usize) -> Result<Large<T>, u64> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(u64::MAX)?;
        let mut large = Large { map: map((bytes as u64).max(1), true)?, bytes, of: PhantomData };
        large.fill(value);
        Ok(large)
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
