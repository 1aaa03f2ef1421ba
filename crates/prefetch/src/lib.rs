//! Loads memory into the processor's cache before it is needed.
//!
//! A program that knows early which places of a large table it will read need not wait for each: it
//! announces all of them, does something else, and then finds them in the cache. Stable Rust has this
//! instruction only as an unsafe function of `std::arch`. It reads nothing and cannot fault, so it is
//! safe for every address; this crate says so once, in the only unsafe block of Foregone.
//!
//! Plain reads are no substitute: the processor holds back all that follows until they are done. With it a
//! table of Kalah to 21 stones takes 9.1 s instead of 11.2; docs/performance.md has more measurements.

/// The README's example, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Loads the cache line where a value begins. It does nothing on processors without such an instruction
/// in stable Rust.
///
/// ```
/// let table = vec![0u8; 1 << 20];
/// foregone_prefetch::load(&table[12_345]);
/// ```
#[inline(always)]
pub fn load<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is a hint: it has no effect but on the cache, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Loads all cache lines of a slice.
#[inline(always)]
pub fn load_all<T>(values: &[T]) {
    /// Bytes of a cache line.
    const LINE: usize = 64;
    let each = (LINE / size_of::<T>().max(1)).max(1);
    values.iter().step_by(each).for_each(load);
    values.last().into_iter().for_each(load);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_what_they_are() {
        let table: Vec<u32> = (0..1000).collect();
        load(&table[999]);
        load_all(&table[3..]);
        load_all(&table[..0]);
        load_all(&[[(); 3]; 2]);
        assert!(table.iter().copied().eq(0..1000));
    }
}
