//! What a process holds in memory: of each layer in use, the cells of its own pieces.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use foregone::tables::kernel::{Ask, AtHand};

use crate::layout::Piece;

/// A layer as one process holds it.
pub struct Held<C> {
    /// In the order of numbers.
    pieces: Vec<Piece>,
    /// The cells of each piece, once they are solved here.
    cells: Vec<OnceLock<Box<[C]>>>,
    /// For each wave, the pieces that this process solves, and how many of them threads have taken.
    waves: Vec<(Vec<usize>, AtomicUsize)>,
}

impl<C: Copy> Held<C> {
    /// A layer with nothing solved yet, as process `me` holds it.
    pub fn new(pieces: Vec<Piece>, me: usize) -> Held<C> {
        let count = pieces.iter().map(|piece| piece.wave + 1).max().unwrap_or(0);
        let mine = |wave| {
            let of = |piece: &Piece| (piece.wave, piece.holder) == (wave, me);
            (0..pieces.len()).filter(|at| of(&pieces[*at])).collect()
        };
        let waves = (0..count).map(|wave| (mine(wave), AtomicUsize::new(0))).collect();
        let cells = pieces.iter().map(|_| OnceLock::new()).collect();
        Held { pieces, cells, waves }
    }

    /// How many waves there are.
    pub fn waves(&self) -> usize {
        self.waves.len()
    }

    /// A piece of a wave that this process solves and no thread has taken yet.
    pub fn take(&self, wave: usize) -> Option<usize> {
        let (mine, next) = &self.waves[wave];
        mine.get(next.fetch_add(1, Ordering::Relaxed)).copied()
    }

    /// The numbers of a piece.
    pub fn numbers(&self, piece: usize) -> Range<u64> {
        self.pieces[piece].first..self.pieces[piece].end
    }

    /// Keeps the cells of a piece.
    pub fn keep(&self, piece: usize, cells: Vec<C>) {
        // Each piece is taken once.
        let _ = self.cells[piece].set(cells.into_boxed_slice());
    }

    /// The cells that are here, each row with its first number.
    pub fn rows(&self) -> impl Iterator<Item = (u64, &[C])> {
        let rows = self.pieces.iter().zip(&self.cells);
        rows.filter_map(|(piece, cells)| Some((piece.first, &**cells.get()?)))
    }

    /// The place of the piece with a number.
    fn piece_of(&self, number: u64) -> usize {
        self.pieces.partition_point(|piece| piece.first <= number).saturating_sub(1)
    }

    /// Who holds a number, and the number after the last one of the piece.
    pub fn holder(&self, number: u64) -> (usize, u64) {
        let piece = &self.pieces[self.piece_of(number)];
        (piece.holder, piece.end)
    }

    /// The cells from a number on in its piece; `None` if they are not here.
    fn row(&self, number: u64) -> Option<&[C]> {
        let at = self.piece_of(number);
        let cells = self.cells.get(at)?.get()?;
        cells.get((number - self.pieces[at].first) as usize..)
    }

    /// Appends the cells of some numbers; whether all of them are here.
    pub fn answer(&self, ask: &Ask, cells: &mut Vec<C>) -> bool {
        let (mut first, mut left) = (ask.first, ask.len);
        while left > 0 {
            let Some(row) = self.row(first).filter(|row| !row.is_empty()) else { return false };
            let here = (row.len() as u64 - 1) / ask.step + 1;
            let part = here.min(left);
            match ask.step {
                1 => cells.extend(&row[..part as usize]),
                step => cells.extend(row.iter().step_by(step as usize).take(part as usize)),
            }
            (first, left) = (first + part * ask.step, left - part);
        }
        true
    }
}

/// The layers that the moves of one layer lead to, and that layer.
pub struct View<C> {
    /// By number of the layer.
    layers: Vec<Option<Arc<Held<C>>>>,
}

impl<C> View<C> {
    pub fn new(layers: impl IntoIterator<Item = (u32, Arc<Held<C>>)>) -> View<C> {
        let mut all = Vec::new();
        for (layer, held) in layers {
            let layer = layer as usize;
            if all.len() <= layer {
                all.resize_with(layer + 1, || None);
            }
            all[layer] = Some(held);
        }
        View { layers: all }
    }

    /// A layer; `None` if no move leads to it.
    pub fn layer(&self, layer: u32) -> Option<&Held<C>> {
        self.layers.get(layer as usize)?.as_deref()
    }
}

impl<C: Copy> AtHand<C> for View<C> {
    #[inline]
    fn cell(&self, layer: u32, number: u64) -> Option<C> {
        self.layer(layer)?.row(number)?.first().copied()
    }

    #[inline]
    fn row(&self, layer: u32, first: u64, len: u64) -> Option<&[C]> {
        self.layer(layer)?.row(first)?.get(..len as usize)
    }
}
