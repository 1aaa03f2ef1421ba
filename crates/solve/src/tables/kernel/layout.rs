//! Who holds which numbers of a layer. It follows from the layer's blocks and the weights of the
//! processes, so all processes agree without a word.

use foregone_rules::Block;

/// A block of a layer, and who holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The first number.
    pub first: u64,
    /// The number after the last.
    pub end: u64,
    /// Blocks of a wave do not lead to each other.
    pub wave: u32,
    /// The process that solves and keeps it.
    pub holder: usize,
}

/// The blocks of a layer in the order of their numbers.
///
/// Each wave is cut into one part for each process, as large as its weight says; so all are busy in
/// every wave, and neighbours in a region stay together.
pub fn layout(mut blocks: Vec<Block>, weights: &[f64]) -> Vec<Piece> {
    blocks.sort_unstable_by_key(|block| (block.wave, block.region, block.numbers.start));
    let all: f64 = weights.iter().sum();
    let mut pieces = Vec::with_capacity(blocks.len());
    for wave in blocks.chunk_by(|one, next| one.wave == next.wave) {
        let size = |block: &Block| (block.numbers.end - block.numbers.start) as f64;
        let total: f64 = wave.iter().map(size).sum();
        let (mut before, mut holder) = (0.0, 0);
        // The end of the holder's part.
        let mut until = total * weights[0] / all;
        for block in wave {
            let middle = before + size(block) / 2.0;
            while middle > until && holder + 1 < weights.len() {
                holder += 1;
                until += total * weights[holder] / all;
            }
            before += size(block);
            let (first, end) = (block.numbers.start, block.numbers.end);
            pieces.push(Piece { first, end, wave: block.wave, holder });
        }
    }
    pieces.sort_unstable_by_key(|piece| piece.first);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_process_gets_its_part_of_every_wave() {
        let block =
            |wave, first| Block { wave, numbers: first..first + 10, places: 1, region: first };
        let blocks: Vec<_> = (0..100).map(|nth| block(nth as u32 % 2, 10 * nth)).collect();
        for (weights, parts) in [
            (vec![1.0], vec![50]),
            (vec![1.0, 1.0], vec![25, 25]),
            (vec![1.0, 3.0, 1.0], vec![10, 30, 10]),
        ] {
            let pieces = layout(blocks.clone(), &weights);
            assert!(pieces.windows(2).all(|pair| pair[0].end == pair[1].first));
            for wave in [0, 1] {
                for (holder, part) in parts.iter().enumerate() {
                    let held = |piece: &&Piece| (piece.wave, piece.holder) == (wave, holder);
                    assert_eq!(pieces.iter().filter(held).count(), *part, "{weights:?}");
                }
            }
        }
        // More processes than blocks: some hold nothing.
        assert_eq!(layout(vec![block(0, 0)], &[1.0; 4]).len(), 1);
        assert!(layout(Vec::new(), &[1.0]).is_empty());
    }
}
