//! A list that grows without copying its elements: a vector of blocks of one size.
//!
//! A plain vector needs up to one and a half times its final memory while it grows, which is memory
//! that could hold positions.

use std::mem::size_of;

/// Elements per block, as a power of two; 2^16 keeps small games small and large ones fast.
const SHIFT: u32 = 16;
const BLOCK: usize = 1 << SHIFT;

#[derive(Clone)]
pub(crate) struct Blocks<T> {
    blocks: Vec<Vec<T>>,
}

impl<T: Copy> Blocks<T> {
    pub fn new() -> Blocks<T> {
        Blocks { blocks: Vec::new() }
    }

    /// A list of `len` times `value`.
    pub fn filled(value: T, len: usize) -> Blocks<T> {
        let sizes = (0..len).step_by(BLOCK).map(|from| BLOCK.min(len - from));
        Blocks { blocks: sizes.map(|size| vec![value; size]).collect() }
    }

    pub fn len(&self) -> usize {
        let full = self.blocks.len().saturating_sub(1) * BLOCK;
        full + self.blocks.last().map_or(0, Vec::len)
    }

    /// The bytes in use, including the spare end of the last block.
    pub fn bytes(&self) -> u64 {
        let elements: usize = self.blocks.iter().map(Vec::capacity).sum();
        (elements * size_of::<T>()) as u64
    }

    /// The bytes that `len` elements take.
    pub fn bytes_for(len: usize) -> u64 {
        (len * size_of::<T>()) as u64
    }

    /// The additional bytes for one more element: those of a block if it starts a new one.
    pub fn bytes_to_push(&self) -> u64 {
        match self.blocks.last() {
            Some(last) if last.len() < last.capacity() => 0,
            // The first block grows like a vector, so that small games stay small.
            Some(first) if first.len() < BLOCK => (first.capacity() * size_of::<T>()) as u64,
            _ if self.blocks.is_empty() => (64 * size_of::<T>()) as u64,
            _ => (BLOCK * size_of::<T>()) as u64,
        }
    }

    #[inline]
    pub fn push(&mut self, value: T) {
        match self.blocks.last_mut() {
            Some(last) if last.len() < BLOCK => last.push(value),
            last => {
                let room = if last.is_some() { BLOCK } else { 64 };
                let mut block = Vec::with_capacity(room);
                block.push(value);
                self.blocks.push(block);
            }
        }
    }

    #[inline]
    pub fn get(&self, at: usize) -> T {
        self.blocks[at >> SHIFT][at & (BLOCK - 1)]
    }

    #[inline]
    pub fn set(&mut self, at: usize, value: T) {
        self.blocks[at >> SHIFT][at & (BLOCK - 1)] = value;
    }

    #[inline]
    pub fn get_mut(&mut self, at: usize) -> &mut T {
        &mut self.blocks[at >> SHIFT][at & (BLOCK - 1)]
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_put_in_across_blocks() {
        let mut blocks = Blocks::new();
        for value in 0..3 * BLOCK as u32 + 5 {
            let room = blocks.bytes() + blocks.bytes_to_push();
            blocks.push(value);
            assert!(blocks.bytes() <= room);
        }
        assert_eq!(blocks.len(), 3 * BLOCK + 5);
        assert!(blocks.iter().copied().eq(0..3 * BLOCK as u32 + 5));
        blocks.set(BLOCK, 7);
        *blocks.get_mut(0) += 1;
        assert_eq!(
            (blocks.get(0), blocks.get(BLOCK), blocks.get(BLOCK + 1)),
            (1, 7, 1 + BLOCK as u32)
        );
        assert_eq!(Blocks::filled(1u8, BLOCK + 1).len(), BLOCK + 1);
        assert_eq!(Blocks::<u8>::filled(1, 0).len(), 0);
    }
}
