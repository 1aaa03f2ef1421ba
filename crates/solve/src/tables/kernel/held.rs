//! What a process has in memory: of each layer in use, the cells of its own pieces.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use foregone_rules::{Line, Target};

use super::layout::{Piece, layout};
use super::{Ask, Cell, Kernel, Places};

/// Runs of the directory for each piece.
const RUNS: u64 = 4;

/// A layer as one process holds it.
pub struct Held<C> {
    /// In the order of numbers.
    slots: Vec<Slot<C>>,
    /// For each run of `1 << shift` numbers, the piece with the first of them; at the end the last piece.
    directory: Vec<u32>,
    shift: u32,
    /// For each wave, the pieces that this process solves, and how many of them threads have taken.
    waves: Vec<(Vec<usize>, AtomicUsize)>,
    /// The cells that occur, sorted, and their places; empty while the layer is being solved.
    meaning: Vec<C>,
    places: Places<C>,
}

/// A piece. Whoever looks up a number finds all that he needs in one line of the processor's cache.
#[repr(align(64))]
struct Slot<C> {
    piece: Piece,
    /// Once they are solved here.
    cells: OnceLock<Cells<C>>,
}

/// The cells of a piece.
enum Cells<C> {
    Plain(Box<[C]>),
    /// Places in the layer's meaning.
    Byte(Box<[u8]>),
    /// Places in the layer's meaning, if there are more than 256.
    Short(Box<[u16]>),
}

impl<C: Cell> Cells<C> {
    fn len(&self) -> usize {
        match self {
            Cells::Plain(cells) => cells.len(),
            Cells::Byte(cells) => cells.len(),
            Cells::Short(cells) => cells.len(),
        }
    }

    #[inline]
    fn get(&self, at: usize, meaning: &[C]) -> Option<C> {
        match self {
            Cells::Plain(cells) => cells.get(at).copied(),
            Cells::Byte(cells) => meaning.get(usize::from(*cells.get(at)?)).copied(),
            Cells::Short(cells) => meaning.get(usize::from(*cells.get(at)?)).copied(),
        }
    }

    /// With places instead of cells.
    fn packed(self, places: &Places<C>, width: usize) -> Cells<C> {
        let Cells::Plain(cells) = self else { return self };
        match width {
            1 => Cells::Byte(cells.iter().map(|cell| places.of(*cell) as u8).collect()),
            _ => Cells::Short(cells.iter().map(|cell| places.of(*cell)).collect()),
        }
    }
}

impl<C: Cell> Held<C> {
    /// An unsolved layer, as process `me` holds it.
    pub fn new(pieces: Vec<Piece>, me: usize) -> Held<C> {
        let count = pieces.iter().map(|piece| piece.wave + 1).max().unwrap_or(0);
        let mut waves: Vec<_> = (0..count).map(|_| (Vec::new(), AtomicUsize::new(0))).collect();
        for (at, piece) in pieces.iter().enumerate() {
            if piece.holder == me {
                waves[piece.wave as usize].0.push(at);
            }
        }
        let size = pieces.last().map_or(0, |piece| piece.end);
        let shift = (size / (RUNS * pieces.len().max(1) as u64)).max(1).ilog2();
        let last = pieces.len().saturating_sub(1);
        let mut at = 0;
        let piece_of = |run: u64| {
            while at < last && pieces[at].end <= run << shift {
                at += 1;
            }
            at as u32
        };
        let directory = (0..=size.div_ceil(1 << shift)).map(piece_of).collect();
        let slot = |piece| Slot { piece, cells: OnceLock::new() };
        let slots = pieces.into_iter().map(slot).collect();
        let (meaning, places) = (Vec::new(), Places::new([]));
        Held { slots, directory, shift, waves, meaning, places }
    }

    /// A solved layer that is all here: the cells that occur, and for each number the place of its cell among them.
    pub fn whole(meaning: Vec<C>, cells: Vec<u16>) -> Held<C> {
        let piece = Piece { first: 0, end: cells.len() as u64, wave: 0, holder: 0 };
        let held = Held { meaning, ..Held::new(vec![piece], 0) };
        // It was empty.
        let _ = held.slots[0].cells.set(Cells::Short(cells.into_boxed_slice()));
        held
    }

    /// How many waves there are.
    pub fn waves(&self) -> usize {
        self.waves.len()
    }

    /// The numbers that this process solves in a wave.
    pub fn numbers_of(&self, wave: usize) -> u64 {
        let size = |piece: &usize| {
            let numbers = self.numbers(*piece);
            numbers.end - numbers.start
        };
        self.waves[wave].0.iter().map(size).sum()
    }

    /// A piece of a wave that this process solves and no thread has taken yet.
    pub fn take(&self, wave: usize) -> Option<usize> {
        let (mine, next) = &self.waves[wave];
        mine.get(next.fetch_add(1, Ordering::Relaxed)).copied()
    }

    /// Lets threads take all pieces once more.
    pub fn rewind(&self) {
        self.waves.iter().for_each(|(_, next)| next.store(0, Ordering::Relaxed));
    }

    /// All pieces, in the order of their numbers.
    pub fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.slots.iter().map(|slot| &slot.piece)
    }

    /// The numbers of a piece.
    pub fn numbers(&self, piece: usize) -> Range<u64> {
        let Piece { first, end, .. } = self.slots[piece].piece;
        first..end
    }

    /// Keeps the cells of a piece.
    pub fn keep(&self, piece: usize, cells: Vec<C>) {
        // Each piece is taken once.
        let _ = self.slots[piece].cells.set(Cells::Plain(cells.into_boxed_slice()));
    }

    /// The layer when all of it is solved: `meaning` are the cells that occur in it anywhere, sorted.
    /// Large cells are replaced by their places in this list.
    pub fn finish(self, meaning: Vec<C>) -> Held<C> {
        let places = Places::new(meaning.iter().copied().zip(0..));
        let width = if meaning.len() <= 256 { 1 } else { 2 };
        let pack = |cells: OnceLock<Cells<C>>| match cells.into_inner() {
            Some(cells) if C::BYTES > 2 => OnceLock::from(cells.packed(&places, width)),
            Some(cells) => OnceLock::from(cells),
            None => OnceLock::new(),
        };
        let slots = self.slots.into_iter();
        let slots = slots.map(|slot| Slot { cells: pack(slot.cells), ..slot }).collect();
        Held { slots, meaning, places, ..self }
    }

    /// The piece with a number, or a piece without it if there is no such number.
    #[inline]
    fn slot(&self, number: u64) -> Option<&Slot<C>> {
        let run = (number >> self.shift) as usize;
        let [first, next] = self.directory.get(run..)?.first_chunk()?;
        let (first, next) = (*first as usize, *next as usize);
        let slots = self.slots.get(first..=next)?;
        let before = |slot: &Slot<C>| slot.piece.end <= number;
        slots.get(slots.partition_point(before))
    }

    /// Who holds a number, and the number after the last one of the piece; `None` if there is no such
    /// number.
    pub fn holder(&self, number: u64) -> Option<(usize, u64)> {
        let Piece { holder, end, .. } = self.slot(number)?.piece;
        (number < end).then_some((holder, end))
    }

    /// The cell of a number; `None` if it is not here.
    #[inline]
    pub fn cell(&self, number: u64) -> Option<C> {
        let Slot { piece, cells } = self.slot(number)?;
        cells.get()?.get((number - piece.first) as usize, &self.meaning)
    }

    /// The cells of `len` numbers from `first` on; `None` if they are not all here, or not in one piece.
    #[inline]
    pub fn row(&self, first: u64, len: u64) -> Option<&[C]> {
        let Slot { piece, cells } = self.slot(first)?;
        let Cells::Plain(cells) = cells.get()? else { return None };
        cells.get((first - piece.first) as usize..)?.get(..len as usize)
    }

    /// The cells of a line of a block, if they are here; `copy` gets them if they do not follow each other.
    #[inline]
    fn line<'c>(&'c self, block: u32, line: Line, copy: &'c mut Vec<C>) -> Option<&'c [C]> {
        let Cells::Plain(cells) = self.slots.get(block as usize)?.cells.get()? else { return None };
        let (first, step) = line.offsets(cells.len() as u64);
        let cells = cells.get(first as usize..)?;
        if step == 1 {
            return cells.get(..line.len as usize);
        }
        copy.clear();
        copy.extend(cells.iter().step_by(step as usize).take(line.len as usize));
        Some(copy)
    }

    /// Bytes of a cell in an answer.
    pub fn width(&self) -> usize {
        match self.meaning.len() {
            0 => C::BYTES,
            1..=256 => 1,
            _ => C::BYTES.min(2),
        }
    }

    /// Appends the cells of some numbers as bytes; whether all of them are here.
    pub fn answer(&self, ask: &Ask, bytes: &mut Vec<u8>) -> bool {
        let (mut first, mut left) = (ask.first, ask.len);
        while left > 0 {
            let Some(Slot { piece, cells }) = self.slot(first) else { return false };
            let Some(cells) = cells.get() else { return false };
            let from = (first - piece.first) as usize;
            let here = cells.len().saturating_sub(from).div_ceil(ask.step as usize);
            let here = here.min(left as usize);
            if here == 0 {
                return false;
            }
            let places = (from..).step_by(ask.step as usize).take(here);
            match cells {
                Cells::Plain(cells) if self.width() == C::BYTES => match ask.step {
                    1 => C::put(&cells[from..from + here], bytes),
                    _ => places.for_each(|place| C::put(&cells[place..=place], bytes)),
                },
                Cells::Plain(cells) => {
                    let place = |at: usize| self.places.of(cells[at]);
                    match self.width() {
                        1 => bytes.extend(places.map(|at| place(at) as u8)),
                        _ => bytes.extend(places.flat_map(|at| place(at).to_le_bytes())),
                    }
                }
                Cells::Byte(cells) => bytes.extend(places.map(|at| cells[at])),
                Cells::Short(cells) => {
                    bytes.extend(places.flat_map(|at| cells[at].to_le_bytes()));
                }
            }
            left -= here as u64;
            let next =
                ask.step.checked_mul(here as u64).and_then(|offset| first.checked_add(offset));
            match next {
                Some(next) => first = next,
                None => return left == 0,
            }
        }
        true
    }

    /// Fills `cells` from the front of an answer, and drops what was read; `false` if the answer is too short.
    pub fn received(&self, bytes: &mut &[u8], cells: &mut [C]) -> bool {
        let width = self.width();
        let Some((mine, rest)) = bytes.split_at_checked(cells.len() * width) else { return false };
        *bytes = rest;
        if width == C::BYTES {
            C::take(mine, cells);
            return true;
        }
        cells.iter_mut().zip(mine.chunks_exact(width)).all(|(cell, place)| {
            let place = place.iter().rev().fold(0, |place, byte| place << 8 | usize::from(*byte));
            let found = self.meaning.get(place);
            found.map(|found| *cell = *found).is_some()
        })
    }
}

/// The layers that the moves of one layer lead to, and that layer.
pub struct View<C> {
    /// By number of the layer.
    layers: Vec<Option<Arc<Held<C>>>>,
}

impl<C: Cell> View<C> {
    /// Of these layers.
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

    /// Where the cells are that a layer needs, if processes with some weights hold them; none is at hand.
    pub fn empty(kernel: &dyn Kernel<C>, layer: u32, weights: &[f64]) -> View<C> {
        let held = |layer| Held::new(layout(kernel.blocks(layer), weights), usize::MAX);
        let layers = kernel.after(layer).into_iter().filter(|lower| *lower < layer).chain([layer]);
        View::new(layers.map(|layer| (layer, Arc::new(held(layer)))))
    }

    /// A layer; `None` if no move leads to it.
    #[inline]
    pub fn layer(&self, layer: u32) -> Option<&Held<C>> {
        self.layers.get(layer as usize)?.as_deref()
    }

    /// The cell of a number; `None` if it is not at hand.
    #[inline]
    pub fn cell(&self, layer: u32, number: u64) -> Option<C> {
        self.layer(layer)?.cell(number)
    }

    /// The cells of a line, if they are at hand; `copy` gets them if they do not follow each other.
    #[inline]
    pub fn line<'c>(&'c self, to: Target, copy: &'c mut Vec<C>) -> Option<&'c [C]> {
        self.layer(to.layer)?.line(to.block, to.line, copy)
    }

    /// What to ask for a line; no process has it if the game does not say that moves lead to its layer.
    pub fn ask(&self, Target { layer, block, line }: Target) -> Ask {
        let slot = self.layer(layer).and_then(|held| held.slots.get(block as usize));
        let (first, step) = slot.map_or((u64::MAX, 1), |Slot { piece, .. }| {
            let (offset, step) = line.offsets(piece.end - piece.first);
            (piece.first + offset, step)
        });
        Ask { layer, step, first, len: line.len.into() }
    }
}
