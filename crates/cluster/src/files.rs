//! Finished layers on disk. Every process compresses the blocks whose first number it holds, and writes them
//! as its share of the layer: into one folder that all share, or into a folder of its own. The layer is
//! finished when all shares are.

use std::collections::btree_map::{BTreeMap, Entry};
use std::hash::{BuildHasher, RandomState};
use std::io::Read;
use std::ops::Range;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use foregone::Worth;
use foregone::record::Error;
use foregone::record::format::LayerPart;
use foregone::record::format::layer::worth_order;
use foregone::record::threads::lock;
use foregone::record::write::{OpenLayer, Packed, Packer, Parts, Sealed, TableWriter};
use foregone::tables::Failed;
use foregone::tables::kernel::{Cell, Held, Kernel, Places};

use crate::build::Ended;
use crate::wire::Message;
use crate::worker::Worker;

/// The most bytes of a file in one mail.
const CHUNK: u64 = 1 << 20;

/// How long a new file may take to show up in a folder of a network.
const SHOWN: Duration = Duration::from_secs(5);

/// Where a process keeps finished layers.
pub struct Files {
    /// The folder.
    pub folder: Folder,
    /// Whether each process has a folder of its own.
    pub own: bool,
    /// Compressed blocks of the layer that is being written.
    packed: Mutex<Vec<Packed>>,
}

/// The folder of a process.
pub enum Folder {
    /// Process 0 writes the table at the end.
    First(Mutex<Option<TableWriter>>),
    /// Another process.
    Other(Parts),
}

impl Files {
    /// The files of process 0.
    pub fn first(writer: TableWriter, own: bool) -> Files {
        let folder = Folder::First(Mutex::new(Some(writer)));
        Files { folder, own, packed: Mutex::default() }
    }

    /// The files of another process.
    pub fn other(parts: Parts, own: bool) -> Files {
        Files { folder: Folder::Other(parts), own, packed: Mutex::default() }
    }

    /// Does something with the folder.
    fn with<T>(&self, work: impl FnOnce(&Parts) -> Result<T, Error>) -> Result<T, Error> {
        match &self.folder {
            Folder::Other(parts) => work(parts),
            Folder::First(writer) => match &*lock(writer) {
                Some(writer) => work(writer.parts()),
                None => Err(Error::Damaged("the table is complete already".to_owned())),
            },
        }
    }
}

/// What a file stores of the cells of a layer.
pub struct Meaning<C> {
    /// The place of each cell's worth, from 1; 0 without a position.
    pub places: Places<C>,
    /// The worths that occur, in order.
    pub worths: Vec<Worth>,
}

impl<C: Cell> Meaning<C> {
    /// Of the cells that occur in a layer.
    ///
    /// # Errors
    /// If they are too many.
    pub fn of(kernel: &dyn Kernel<C>, layer: u32, cells: &[C]) -> Result<Meaning<C>, Failed> {
        let mut worths: Vec<(Worth, C)> =
            cells.iter().filter_map(|cell| Some((kernel.worth(*cell)?, *cell))).collect();
        worths.sort_unstable_by_key(|(worth, _)| worth_order(*worth));
        if worths.len() >= usize::from(u16::MAX) {
            return Err(Failed::Many { layer, worths: worths.len() });
        }
        let places = Places::new((1..).zip(&worths).map(|(place, (_, cell))| (*cell, place)));
        Ok(Meaning { places, worths: worths.into_iter().map(|(worth, _)| worth).collect() })
    }
}

/// The process that packs a block: it holds the first number.
pub fn packer_of<C: Cell>(part: &LayerPart, block: u64, held: &Held<C>) -> usize {
    held.holder(part.numbers(block).start).map_or(0, |(holder, _)| holder)
}

fn common(one: &Range<u64>, other: &Range<u64>) -> Range<u64> {
    one.start.max(other.start)..one.end.min(other.end)
}

impl<C: Cell> Worker<'_, C> {
    /// The first layer that is not finished: all layers below it are intact, wherever they are.
    pub fn agree(&mut self) -> Result<u32, Ended> {
        let (build, files) = (self.build, &self.build.files);
        if !files.own {
            self.find_folder()?;
        }
        // Only process 0 looks which layers there are in a common folder: others might see less of it.
        let looks = self.is_leader() && (files.own || build.me == 0);
        let count = looks.then(|| -> Result<u64, Error> {
            let layers = files.with(Parts::layers)?;
            let prefix = (0..build.layers).zip(layers).take_while(|(next, layer)| next == layer);
            let count = prefix.count() as u64;
            match count {
                1.. if files.own => files.with(|parts| self.written_by_as_many(parts))?,
                _ => {}
            }
            Ok(count)
        });
        let counts = self.exchange_numbers(count.transpose()?)?;
        let count = counts.into_iter().min().unwrap_or(0) as u32;
        // Each checks its part of them.
        let intact = self.is_leader().then(|| {
            let is_intact = |layer: &u32| files.with(|parts| self.check(parts, *layer)).is_ok();
            (0..count).take_while(is_intact).count() as u64
        });
        let intact = self.exchange_numbers(intact)?.into_iter().min().unwrap_or(0);
        let layers = (0..intact as u32).map(|layer| build.kernel.size(layer));
        if intact > 0 {
            build.watch.keep();
        }
        if build.me == 0 && self.is_leader() {
            build.watch.resume(layers.sum());
            if let Folder::First(writer) = &files.folder
                && let Some(writer) = &mut *lock(writer)
            {
                for layer in 0..intact as u32 {
                    let part = match files.own {
                        true => writer.parts().layer_share(layer, 0)?.part().clone(),
                        false => writer.parts().layer(layer)?.part().clone(),
                    };
                    writer.adopt(layer, part);
                }
            }
        }
        Ok(intact as u32)
    }

    /// Fails if a process does not see the folder of process 0: what it writes would be missing at the end.
    fn find_folder(&mut self) -> Result<(), Ended> {
        let (build, files) = (self.build, &self.build.files);
        let folder = files.with(|parts| Ok(parts.folder().to_owned()))?;
        let is_first = build.me == 0;
        let mark = RandomState::new().hash_one(build.me);
        let seen = |mark: u64| folder.join(format!("seen-{mark:016x}"));
        if is_first && self.is_leader() {
            std::fs::write(seen(mark), []).map_err(Error::from)?;
        }
        // The numbers of all arrive after the mark is written.
        let marks = self.exchange_numbers(self.is_leader().then_some(mark))?;
        let mark = marks.first().copied().unwrap_or(mark);
        let found = self.is_leader().then(|| {
            // A folder of a network may show a file late.
            let deadline = Instant::now() + SHOWN;
            while !seen(mark).exists() && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(100));
            }
            u64::from(seen(mark).exists())
        });
        let lost = found == Some(0);
        let all = self.exchange_numbers(found);
        if is_first && self.is_leader() {
            // If it stays, it does no harm.
            let _ = std::fs::remove_file(seen(mark));
        }
        if lost {
            return Err(Ended::Unshared(folder));
        }
        all.map(drop)
    }

    /// Fails if another number of processes has written the layers in this process's folder: it has only
    /// its own part of them.
    fn written_by_as_many(&self, parts: &Parts) -> Result<(), Error> {
        let now = self.build.weights.len();
        match parts.writers(0) {
            Ok(before) if before != now => {
                Err(Error::Writers { before, now, folder: parts.folder().to_owned() })
            }
            _ => Ok(()),
        }
    }

    fn open(&self, parts: &Parts, layer: u32) -> Result<OpenLayer, Error> {
        match self.build.files.own {
            true => parts.layer_share(layer, self.build.me),
            false => parts.layer(layer),
        }
    }

    /// Checks the blocks of a layer that this process would pack.
    fn check(&self, parts: &Parts, layer: u32) -> Result<(), Error> {
        let mut opened = self.open(parts, layer)?;
        let (size, part) = (self.build.kernel.size(layer), opened.part());
        if part.size != size {
            return Err(Error::Damaged(format!("layer {layer} has another size")));
        }
        let (part, held, me) = (part.clone(), self.held(layer), self.build.me);
        (0..part.blocks())
            .filter(|block| packer_of(&part, *block, &held) == me)
            .try_for_each(|block| opened.block(block).map(drop))
    }

    /// The blocks that this worker packs, of all that its process packs.
    fn own_blocks(&self, part: &LayerPart, held: &Held<C>) -> Vec<u64> {
        let (me, threads) = (self.build.me, self.build.threads);
        let of_process = (0..part.blocks()).filter(|block| packer_of(part, *block, held) == me);
        of_process.skip(self.number % threads).step_by(threads).collect()
    }

    /// Reads a finished layer into memory.
    pub fn restore(&mut self, layer: u32) -> Result<(), Ended> {
        let (build, held) = (self.build, self.held(layer));
        let (part, mine) = {
            let mut opened = build.files.with(|parts| self.open(parts, layer))?;
            let part = opened.part().clone();
            let mut read = Vec::new();
            for block in self.own_blocks(&part, &held) {
                read.push((part.numbers(block), opened.block(block)?));
            }
            (part, read)
        };
        // All have the layer before cells arrive.
        self.barrier()?;
        for (numbers, cells) in mine {
            self.hand_out(&held, &numbers, cells)?;
            self.pump(Duration::ZERO)?;
        }
        self.barrier_of_all()?;
        let kernel = build.kernel;
        let mut meaning = vec![kernel.cell(None)?];
        for worth in part.worths() {
            meaning.push(kernel.cell(Some(worth))?);
        }
        for wave in 0..held.waves() {
            while let Some(piece) = held.take(wave) {
                let cells =
                    self.collected(&held.numbers(piece)).ok_or_else(|| self.protocol_error())?;
                let cells = cells.into_iter().map(|cell| meaning.get(usize::from(cell)).copied());
                let cells: Option<Vec<_>> = cells.collect();
                held.keep(piece, cells.ok_or_else(|| self.protocol_error())?);
            }
        }
        meaning.sort_unstable();
        self.finish(layer, held, meaning)
    }

    /// Gives the cells of some numbers to those who hold them.
    fn hand_out(
        &mut self,
        held: &Held<C>,
        numbers: &Range<u64>,
        cells: Vec<u16>,
    ) -> Result<(), Ended> {
        let mut first = numbers.start;
        while first < numbers.end {
            let (holder, mut end) = held.holder(first).ok_or_else(|| self.protocol_error())?;
            // Neighbouring pieces of one holder go together.
            while end < numbers.end && held.holder(end).is_some_and(|(next, _)| next == holder) {
                end = held.holder(end).map_or(numbers.end, |(_, end)| end);
            }
            let part = common(numbers, &(first..end));
            let place = |number: u64| (number - numbers.start) as usize;
            self.give(holder, first, cells[place(part.start)..place(part.end)].to_vec());
            first = part.end;
        }
        Ok(())
    }

    /// Gives cells to a process, which may be this one.
    fn give(&mut self, to: usize, first: u64, cells: Vec<u16>) {
        match to == self.build.me {
            true => drop(lock(&self.shared.cells).insert(first, cells)),
            false => self.send(self.opposite(to), &Message::Cells { first, cells }),
        }
    }

    /// The cells of some numbers that were given to this process; `None` if some are missing.
    fn collected(&self, numbers: &Range<u64>) -> Option<Vec<u16>> {
        let given = lock(&self.shared.cells);
        let mut cells = vec![0; (numbers.end - numbers.start) as usize];
        let mut count = 0;
        let before = given.range(..=numbers.start).next_back();
        let after = given.range(numbers.start + 1..numbers.end.max(numbers.start + 1));
        for (first, row) in before.into_iter().chain(after) {
            let part = common(numbers, &(*first..*first + row.len() as u64));
            if part.start >= part.end {
                continue;
            }
            let to = (part.start - numbers.start) as usize..(part.end - numbers.start) as usize;
            let from = (part.start - first) as usize..(part.end - first) as usize;
            count += to.len();
            cells[to].copy_from_slice(&row[from]);
        }
        (count == cells.len()).then_some(cells)
    }

    /// Writes a layer that is solved; `meaning` are the cells that occur in it.
    pub fn keep(&mut self, layer: u32, held: &Held<C>, meaning: &[C]) -> Result<(), Ended> {
        let build = self.build;
        let kernel = build.kernel;
        let Meaning { places, worths } = Meaning::of(kernel, layer, meaning)?;
        let size = kernel.size(layer);
        let mut packer = Packer::new(layer, &worths, size)?;
        let part = packer.part().clone();
        for wave in 0..held.waves() {
            while let Some(piece) = held.take(wave) {
                let numbers = held.numbers(piece);
                for block in numbers.start / part.cells()..numbers.end.div_ceil(part.cells()) {
                    let to = packer_of(&part, block, held);
                    if to != build.me {
                        let both = common(&numbers, &part.numbers(block));
                        let row = held.row(both.start, both.end - both.start);
                        let row = row.ok_or_else(|| self.protocol_error())?;
                        let cells = row.iter().map(|cell| places.of(*cell)).collect();
                        self.give(to, both.start, cells);
                    }
                }
            }
            self.pump(Duration::ZERO)?;
        }
        self.barrier_of_all()?;
        for block in self.own_blocks(&part, held) {
            let numbers = part.numbers(block);
            let mut cells = Vec::with_capacity(part.cells() as usize);
            let mut number = numbers.start;
            while number < numbers.end {
                let (_, end) = held.holder(number).ok_or_else(|| self.protocol_error())?;
                let here = common(&(number..end), &numbers);
                match held.row(number, here.end - here.start) {
                    Some(row) => cells.extend(row.iter().map(|cell| places.of(*cell))),
                    None => {
                        cells.extend(self.collected(&here).ok_or_else(|| self.protocol_error())?)
                    }
                }
                number = here.end;
            }
            let packed = packer.pack(block, &cells)?;
            lock(&build.files.packed).push(packed);
            self.pump(Duration::ZERO)?;
        }
        self.barrier()?;
        self.seal(layer, &worths, size)
    }

    /// Writes this process's share of a layer; the layer is finished when all have done so.
    fn seal(&mut self, layer: u32, worths: &[Worth], size: u64) -> Result<(), Ended> {
        let (build, files) = (self.build, &self.build.files);
        let sealed = match self.is_leader() {
            true => {
                lock(&self.shared.cells).clear();
                let packed = std::mem::take(&mut *lock(&files.packed));
                Some(files.with(|parts| parts.write_share(layer, build.me, packed))?.to_bytes())
            }
            false => None,
        };
        let shares = self.exchange(sealed.as_deref())?;
        if self.is_leader() && (files.own || build.me == 0) {
            let shares = shares.iter().map(|(_, bytes)| Sealed::of_bytes(bytes));
            let shares: Option<Vec<_>> = shares.collect();
            let shares = shares.ok_or_else(|| self.protocol_error())?;
            let part = files.with(|parts| parts.complete(layer, worths, size, &shares))?;
            if let Folder::First(writer) = &files.folder
                && let Some(writer) = &mut *lock(writer)
            {
                writer.adopt(layer, part);
            }
        }
        self.barrier()
    }

    /// Puts the table together. Process 0 does it; the others send it their shares, if they have them.
    pub fn gather(&mut self) -> Result<(), Ended> {
        let (build, files) = (self.build, &self.build.files);
        if files.own {
            for layer in 0..build.layers {
                self.gather_layer(layer)?;
            }
        }
        if let (Folder::First(writer), true) = (&files.folder, self.is_leader())
            && let Some(writer) = lock(writer).take()
        {
            writer.finish(build.layers)?;
        }
        self.barrier()
    }

    /// Sends this process's share of a layer to process 0, unless it has all shares.
    fn gather_layer(&mut self, layer: u32) -> Result<(), Ended> {
        let (build, files) = (self.build, &self.build.files);
        let first = self.is_leader() && build.me == 0;
        let whole = |parts: &Parts| Ok(parts.layer(layer).is_ok());
        let has = first.then(|| files.with(whole)).transpose()?;
        if self.exchange_numbers(has.map(u64::from))? == [1] {
            return Ok(());
        }
        let mut arriving = BTreeMap::new();
        let mut mine = match self.is_leader() && build.me > 0 {
            true => Some(files.with(|parts| parts.read_share(layer, build.me))?),
            false => None,
        };
        loop {
            let mut chunk = Vec::new();
            if let Some(file) = &mut mine {
                file.take(CHUNK).read_to_end(&mut chunk).map_err(Error::from)?;
            }
            let says = mine.is_some().then_some(&chunk[..]);
            let news = self.exchange_with(0..1, says)?;
            for (share, bytes) in news.iter().filter(|_| first) {
                let file = match arriving.entry(*share) {
                    Entry::Occupied(file) => file.into_mut(),
                    Entry::Vacant(place) => {
                        place.insert(files.with(|parts| parts.receive_share(layer, *share))?)
                    }
                };
                file.write(bytes)?;
            }
            if chunk.len() < CHUNK as usize {
                mine = None;
            }
            if self.exchange_numbers(mine.is_some().then_some(1))?.is_empty() {
                break;
            }
        }
        arriving.into_values().try_for_each(|file| Ok(file.end()?))
    }
}
