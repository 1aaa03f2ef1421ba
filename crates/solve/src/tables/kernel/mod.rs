//! Layers solved in two halves, so that what a block needs may be elsewhere: the first half lists the
//! cells that are not at hand, the second goes on with them. Between the two, cells come from other
//! machines or from files. The halves do what layer.rs and bands.rs do in one pass.

mod bands;
mod held;
mod layout;
mod loops;
mod places;
mod points;
#[cfg(test)]
mod tests;

use std::hash::Hash;
use std::ops::Range;

use foregone_record::format::checksum::Checksum;
use foregone_record::{GameId, Values};
use foregone_rules::{Block, Worth};

use super::Failed;
pub use bands::Bands;
pub use held::{Held, View};
pub use layout::{Piece, layout};
pub use loops::{Edge, Settling};
pub use places::{Places, Seen};
pub use points::Points;

pub use super::preference::Preference;

/// How the blocks of a layer are solved.
pub trait Kernel<C: Cell>: Send + Sync {
    /// The layers that moves from a layer lead to, itself included if moves stay in it.
    fn after(&self, layer: u32) -> Vec<u32>;

    /// How many numbers a layer has.
    fn size(&self, layer: u32) -> u64;

    /// The numbers of a layer in blocks, sorted by wave: moves lead to lower layers, or to blocks of
    /// earlier waves.
    fn blocks(&self, layer: u32) -> Vec<Block>;

    /// Whether [`begin`](Kernel::begin) takes any numbers of a block; if not, it takes whole blocks alone.
    fn takes_parts(&self) -> bool {
        false
    }

    /// The first half: lists what a block needs that is not at hand.
    ///
    /// # Errors
    /// If the game breaks its promises, or a worth does not fit into a table.
    fn begin<'k>(&'k self, layer: u32, part: Range<u64>, view: &View<C>) -> Beginning<'k, C>;

    /// How to settle `numbers` of a layer ply by ply, if moves stay in it and no waves put them in order;
    /// `None` for other layers.
    fn settling<'k>(
        &'k self,
        _layer: u32,
        _numbers: Range<u64>,
    ) -> Option<Box<dyn Settling<C> + 'k>> {
        None
    }

    /// Checks a cell before the next wave is solved.
    ///
    /// # Errors
    /// If a worth that follows from it may not fit into a cell.
    fn check(&self, cell: C) -> Result<(), Failed>;

    /// The worth that a cell stands for; `None` if no position has that number.
    fn worth(&self, cell: C) -> Option<Worth>;

    /// The inverse of [`worth`](Kernel::worth).
    ///
    /// # Errors
    /// If the worth does not fit into a cell.
    fn cell(&self, worth: Option<Worth>) -> Result<C, Failed>;
}

/// A kernel with cells of any size.
pub enum AnyKernel<'a> {
    /// Cells of one byte.
    Byte(Box<dyn Kernel<i8> + 'a>),
    /// Cells of two bytes.
    Short(Box<dyn Kernel<i16> + 'a>),
    /// Cells of four bytes, which take one or two when their layer is solved.
    Word(Box<dyn Kernel<u32> + 'a>),
}

/// What processes need to know to build a table together.
pub struct Blueprint<'a> {
    /// How layers are solved.
    pub kernel: AnyKernel<'a>,
    /// The number of layers.
    pub layers: u32,
    /// How files name the game.
    pub id: GameId<'a>,
    /// The fingerprint of its rules.
    pub fingerprint: Checksum,
    /// What is stored.
    pub values: Values,
}

impl Blueprint<'_> {
    /// The numbers of all layers.
    pub fn numbers(&self) -> u64 {
        (0..self.layers).map(|layer| self.size(layer)).sum()
    }

    /// How many numbers a layer has.
    pub fn size(&self, layer: u32) -> u64 {
        match &self.kernel {
            AnyKernel::Byte(kernel) => kernel.size(layer),
            AnyKernel::Short(kernel) => kernel.size(layer),
            AnyKernel::Word(kernel) => kernel.size(layer),
        }
    }

    /// The layers that moves from a layer lead to, itself included if moves stay in it.
    pub fn after(&self, layer: u32) -> Vec<u32> {
        match &self.kernel {
            AnyKernel::Byte(kernel) => kernel.after(layer),
            AnyKernel::Short(kernel) => kernel.after(layer),
            AnyKernel::Word(kernel) => kernel.after(layer),
        }
    }

    /// Bytes of memory for a process that holds `share` (from 0 to 1) of each layer: its cells, those of
    /// the layers below that are in use, and the compressed layer.
    pub fn memory(&self, share: f64) -> u64 {
        (0..self.layers).map(|layer| self.memory_of(layer, share)).max().unwrap_or(AROUND)
    }

    /// Bytes of memory while one layer is solved, as for [`memory`](Blueprint::memory).
    pub fn memory_of(&self, layer: u32, share: f64) -> u64 {
        // While a layer is solved, and afterwards.
        let (now, kept) = match &self.kernel {
            AnyKernel::Byte(_) => (1.0, 1.0),
            AnyKernel::Short(_) => (2.0, 2.0),
            AnyKernel::Word(_) => (4.0, 2.0),
        };
        // A settled layer has its best worths and counts besides.
        let settling = if matches!(self.kernel, AnyKernel::Word(_)) { 6.0 } else { 0.0 };
        let (mut below, mut stays) = (0.0, false);
        for lower in self.after(layer) {
            if lower == layer {
                stays = true;
            } else {
                below += self.size(lower) as f64;
            }
        }
        let each = now + if stays { settling } else { 0.0 } + PACKED;
        let all = self.size(layer) as f64 * each + below * kept;
        (all * share) as u64 + AROUND
    }
}

/// Bytes of a compressed number, at most in practice.
const PACKED: f64 = 0.5;

/// Bytes for mail, buffers and lists of blocks: measured with Kalah to 22 stones, by 2, 4 and 8 processes.
const AROUND: u64 = 128 << 20;

/// What the first half returns: the block, and what it needs.
pub type Beginning<'k, C> = Result<(Box<dyn Begun<C> + 'k>, Vec<Ask>), Failed>;

/// A block between the two halves.
pub trait Begun<C: Cell> {
    /// The second half: the cells of the block; none if it is settled later. `answers` are those that were asked for, one ask after
    /// the other.
    ///
    /// # Errors
    /// If a worth does not fit into a table.
    fn end(self: Box<Self>, answers: &[C], view: &View<C>) -> Result<Vec<C>, Failed>;
}

/// What is stored of a number: a few bytes.
pub trait Cell: Copy + Ord + Hash + Send + Sync + 'static {
    /// The bytes of each.
    const BYTES: usize;

    /// The number of different cells, if it is small.
    const DENSE: Option<usize> = if Self::BYTES <= 2 { Some(1 << (8 * Self::BYTES)) } else { None };

    /// A cell as a number, which is below [`DENSE`](Cell::DENSE) if there is one.
    fn code(self) -> usize;

    /// The inverse of [`code`](Cell::code).
    fn of_code(code: usize) -> Self;

    /// Appends cells as bytes.
    fn put(cells: &[Self], bytes: &mut Vec<u8>);

    /// Reads cells from bytes, as many as both have.
    fn take(bytes: &[u8], cells: &mut [Self]);
}

macro_rules! cells {
    ($($cell:ty),*) => {
        $(impl Cell for $cell {
            const BYTES: usize = size_of::<$cell>();

            fn code(self) -> usize {
                self as usize & (u32::MAX >> (32 - <$cell>::BITS)) as usize
            }

            fn of_code(code: usize) -> $cell {
                code as $cell
            }

            fn put(cells: &[$cell], bytes: &mut Vec<u8>) {
                bytes.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
            }

            fn take(bytes: &[u8], cells: &mut [$cell]) {
                for (cell, bytes) in cells.iter_mut().zip(bytes.as_chunks().0) {
                    *cell = <$cell>::from_le_bytes(*bytes);
                }
            }
        })*
    };
}

cells!(i8, i16, u32);

/// Evenly spaced numbers of a layer, whose cells are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ask {
    /// The layer.
    pub layer: u32,
    /// The difference between neighbours; at least 1.
    pub step: u64,
    /// The first number.
    pub first: u64,
    /// How many; at least 1.
    pub len: u64,
}

impl Ask {
    /// A number.
    pub const fn one(layer: u32, number: u64) -> Ask {
        Ask { layer, step: 1, first: number, len: 1 }
    }

    /// Takes up another one that is not before it, if both are one row; whether it did.
    fn join(&mut self, next: &Ask) -> bool {
        let alike = (self.layer, self.step) == (next.layer, next.step);
        let offset = next.first - self.first.min(next.first);
        let joins = alike && offset.is_multiple_of(self.step) && offset / self.step <= self.len;
        if joins {
            self.len = self.len.max(offset / self.step + next.len);
        }
        joins
    }
}

/// Wanted rows as few asks, in order; and for each row, in the order given, where its answer begins among
/// all answers.
fn joined(rows: &[Ask]) -> (Vec<Ask>, Vec<usize>) {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_unstable_by_key(|at| rows[*at]);
    let (mut asks, mut begins): (Vec<Ask>, _) = (Vec::new(), vec![0; rows.len()]);
    // The answers before those of the last ask.
    let mut before = 0;
    for at in order {
        let row = &rows[at];
        if !asks.last_mut().is_some_and(|last| last.join(row)) {
            before += asks.last().map_or(0, |last| last.len as usize);
            asks.push(*row);
        }
        let begin = asks.last().map_or(row.first, |last| last.first);
        begins[at] = before + ((row.first - begin) / row.step) as usize;
    }
    (asks, begins)
}
