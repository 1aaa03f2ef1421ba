//! Cells of solved numbers, read from files when a block asks for them. The last blocks that were read stay
//! in memory.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foregone::record::Error;
use foregone::record::write::{Coding, OpenLayer, OpenShard, Parts, Shard};
use foregone::tables::Failed;
use foregone::tables::kernel::{Ask, Cell, Kernel};
use lru::LruCache;

use super::Broken;

/// What one thread has open.
pub struct Library<'a, C> {
    kernel: &'a dyn Kernel<C>,
    parts: &'a Parts,
    layers: HashMap<u32, Lower<C>>,
    shards: &'a Shards,
    /// By file (a lower layer, or a shard after them) and block or frame.
    read: LruCache<(Source, u64), Arc<Vec<C>>>,
    /// Bytes that may stay in memory, and those that do.
    room: usize,
    taken: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Layer(u32),
    Shard(usize),
}

/// A finished layer.
struct Lower<C> {
    layer: OpenLayer,
    /// The cell that each place stands for.
    meaning: Vec<C>,
}

/// Shards of one layer.
pub struct Shards {
    open: Vec<OpenShard>,
    /// Rows of numbers, sorted.
    rows: Vec<Row>,
}

/// Numbers whose cells are in one frame of a shard.
struct Row {
    numbers: Range<u64>,
    shard: usize,
    frame: usize,
    /// The cells before them in the frame.
    offset: usize,
}

impl Shards {
    /// Opens shards of one layer.
    pub fn open(parts: &Parts, shards: &[Shard], coding: Coding) -> Result<Shards, Error> {
        let open = shards.iter().map(|shard| parts.open_shard(*shard, coding));
        let open = open.collect::<Result<Vec<_>, _>>()?;
        let mut rows = Vec::new();
        for (at, shard) in open.iter().enumerate() {
            for (frame, of) in shard.frames().enumerate() {
                let mut offset = 0;
                for (first, length) in of {
                    let numbers = *first..first.saturating_add(*length);
                    rows.push(Row { numbers, shard: at, frame, offset });
                    offset = offset.saturating_add(*length as usize);
                }
            }
        }
        rows.sort_unstable_by_key(|row| row.numbers.start);
        Ok(Shards { open, rows })
    }

    /// Whether they have each of `size` numbers once.
    pub fn cover(&self, size: u64) -> bool {
        let mut end = 0;
        self.rows.iter().all(|row| {
            let follows = row.numbers.start == end;
            end = row.numbers.end;
            follows
        }) && end == size
    }

    /// The codes of the cells that occur.
    pub fn seen(&self) -> impl Iterator<Item = u64> {
        self.open.iter().flat_map(|shard| shard.seen().iter().copied())
    }
}

impl<'a, C: Cell> Library<'a, C> {
    /// With `room` bytes of memory, and the shards of the layer itself that are solved.
    pub fn new(
        kernel: &'a dyn Kernel<C>,
        parts: &'a Parts,
        shards: &'a Shards,
        room: usize,
    ) -> Library<'a, C> {
        let read = LruCache::unbounded();
        Library { kernel, parts, layers: HashMap::new(), shards, read, room, taken: 0 }
    }

    /// Appends the cells that were asked for; those of layer `here` are in the shards.
    pub fn answer(&mut self, here: u32, ask: &Ask, cells: &mut Vec<C>) -> Result<(), Broken> {
        let (mut number, mut left) = (ask.first, ask.len);
        while left > 0 {
            let (read, numbers, offset) = match ask.layer == here {
                true => self.in_shard(here, number)?,
                false => self.in_layer(ask.layer, number)?,
            };
            while left > 0 && number < numbers.end {
                cells.push(read[offset + (number - numbers.start) as usize]);
                number = number.saturating_add(ask.step);
                left -= 1;
            }
        }
        Ok(())
    }

    /// The cells around a number of a finished layer: the cells of a block, its numbers, and 0.
    fn in_layer(&mut self, layer: u32, number: u64) -> Result<Found<C>, Broken> {
        let Library { kernel, parts, .. } = *self;
        let lower = match self.layers.entry(layer) {
            std::collections::hash_map::Entry::Occupied(lower) => lower.into_mut(),
            std::collections::hash_map::Entry::Vacant(place) => {
                if !parts.is_finished(layer) {
                    return Err(Broken::Unfinished(layer));
                }
                let open = parts.layer(layer)?;
                let worths = open.part().worths();
                let worths = std::iter::once(None).chain(worths.into_iter().map(Some));
                let meaning = worths.map(|worth| kernel.cell(worth));
                let meaning = meaning.collect::<Result<_, Failed>>()?;
                place.insert(Lower { layer: open, meaning })
            }
        };
        let block = number / lower.layer.part().cells();
        let numbers = lower.layer.part().numbers(block);
        let damaged = || Error::Damaged(format!("layer {layer} has no number {number}"));
        if !numbers.contains(&number) {
            return Err(damaged().into());
        }
        if let Some(read) = self.read.get(&(Source::Layer(layer), block)) {
            return Ok((Arc::clone(read), numbers, 0));
        }
        let cells = lower.layer.block(block)?;
        let cells = cells.iter().map(|cell| lower.meaning.get(usize::from(*cell)).copied());
        let cells: Option<Vec<C>> = cells.collect();
        let cells = Arc::new(cells.ok_or_else(damaged)?);
        self.keep((Source::Layer(layer), block), &cells);
        Ok((cells, numbers, 0))
    }

    /// The cells around a number of the layer itself: those of a frame, the numbers of its row, and the place
    /// of the row in the frame.
    fn in_shard(&mut self, layer: u32, number: u64) -> Result<Found<C>, Broken> {
        let Shards { open, rows } = self.shards;
        let at = rows.partition_point(|row| row.numbers.end <= number);
        let row = rows.get(at).filter(|row| row.numbers.contains(&number));
        let missing = || Broken::Missing {
            layer,
            missing: format!("number {number} is not solved: solve the waves before it first"),
        };
        let Row { numbers, shard, frame, offset } = row.ok_or_else(missing)?;
        let (numbers, offset) = (numbers.clone(), *offset);
        let key = (Source::Shard(*shard), *frame as u64);
        if let Some(read) = self.read.get(&key) {
            return Ok((Arc::clone(read), numbers, offset));
        }
        let bytes = open[*shard].frame(*frame)?;
        let mut cells = vec![C::of_code(0); bytes.len() / C::BYTES];
        C::take(&bytes, &mut cells);
        let cells = Arc::new(cells);
        self.keep(key, &cells);
        Ok((cells, numbers, offset))
    }

    /// Keeps cells in memory, and lets go of others.
    fn keep(&mut self, key: (Source, u64), cells: &Arc<Vec<C>>) {
        self.taken += size_of::<C>() * cells.len();
        self.read.put(key, Arc::clone(cells));
        while self.taken > self.room && self.read.len() > 1 {
            if let Some((_, oldest)) = self.read.pop_lru() {
                self.taken -= size_of::<C>() * oldest.len();
            }
        }
    }
}

/// Cells that were read, the numbers from which on they are wanted, and the place of the first of these.
type Found<C> = (Arc<Vec<C>>, Range<u64>, usize);
