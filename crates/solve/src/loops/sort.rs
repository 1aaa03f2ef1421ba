//! Moves, sorted by where they lead to: in parts by their target first, then each part alone, so that what is sorted at a
//! time fits into the processor's cache. What does not fit into memory goes to a file that no one else sees.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone_record::Source;
use foregone_record::threads::{inside, lock};
use zerocopy::{FromZeros, IntoBytes};

use crate::large::Large;

/// A move: the position that it leads to, and what is kept of where it comes from.
type Pair = [u32; 2];

/// Parts of the targets.
const PARTS: usize = 128;

/// The fewest and the most moves in a block: few where there is little room.
const BLOCK: [usize; 2] = [1 << 6, 1 << 15];

/// Moves that a thread collects before it shares them.
const LOT: usize = 1 << 10;

/// Why moves cannot be kept.
pub(super) enum Unsorted {
    /// The bytes that the system could not allocate.
    Memory(u64),
    /// There are more than 2^32 of them.
    Many,
    File(io::Error),
}

impl From<io::Error> for Unsorted {
    fn from(error: io::Error) -> Unsorted {
        Unsorted::File(error)
    }
}

/// A file that only grows, and is gone when it is closed.
struct Aside {
    file: Mutex<File>,
    bytes: u64,
    path: PathBuf,
}

impl Aside {
    fn new(path: PathBuf) -> io::Result<Aside> {
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        // Where an open file may have no name, nothing is left if the process is killed.
        let _ = std::fs::remove_file(&path);
        Ok(Aside { file: Mutex::new(file), bytes: 0, path })
    }

    /// Adds numbers; where they begin.
    fn add(&mut self, numbers: &[u8]) -> io::Result<u64> {
        lock(&self.file).write_all(numbers)?;
        self.bytes += numbers.len() as u64;
        Ok(self.bytes - numbers.len() as u64)
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A block of moves, in memory or in the file: there, where it begins.
enum Block {
    Here(Vec<Pair>),
    Aside(u64),
}

/// Moves that are being collected.
pub(super) struct Sorting {
    targets: usize,
    /// Targets in a part.
    each: usize,
    parts: Vec<Mutex<Vec<Block>>>,
    /// Moves in a block.
    block: usize,
    /// Blocks in memory, and how many may be there.
    blocks: AtomicU64,
    most: u64,
    count: AtomicU64,
    /// Where files may be; `None` if all has to be in memory.
    folder: Option<PathBuf>,
    aside: Mutex<Option<Aside>>,
}

/// What a thread has collected, by parts.
pub(super) struct Mine(Vec<Vec<Pair>>);

impl Sorting {
    /// Moves to places below `targets`, in about `room` bytes of memory if there is a place for files.
    pub fn new(targets: usize, room: u64, folder: Option<PathBuf>) -> Sorting {
        let each = targets.div_ceil(PARTS).max(1);
        let parts = (0..PARTS).map(|_| Mutex::default()).collect();
        // Each part has a block that is not full.
        let room = usize::try_from(room).unwrap_or(usize::MAX) / size_of::<Pair>();
        let block = (room / (4 * PARTS)).clamp(BLOCK[0], BLOCK[1]);
        let (blocks, count, aside) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::default());
        let most = (room / block) as u64;
        Sorting { targets, each, parts, block, blocks, most, count, folder, aside }
    }

    pub fn mine(&self) -> Mine {
        Mine(vec![Vec::new(); PARTS])
    }

    pub fn add(&self, mine: &mut Mine, [to, from]: Pair) -> io::Result<()> {
        let part = to as usize / self.each;
        mine.0[part].push([to, from]);
        if mine.0[part].len() == LOT {
            self.share(part, &mut mine.0[part])?;
        }
        Ok(())
    }

    /// Shares what a thread still has.
    pub fn end(&self, mut mine: Mine) -> io::Result<()> {
        let mut parts = mine.0.iter_mut().enumerate();
        parts.try_for_each(|(part, pairs)| self.share(part, pairs))
    }

    fn share(&self, part: usize, pairs: &mut Vec<Pair>) -> io::Result<()> {
        self.count.fetch_add(pairs.len() as u64, Ordering::Relaxed);
        let mut blocks = lock(&self.parts[part]);
        for pair in pairs.drain(..) {
            match blocks.last_mut() {
                Some(Block::Here(block)) if block.len() < self.block => block.push(pair),
                last => {
                    let mut block = match last {
                        Some(full) => self.put_aside(full)?,
                        None => None,
                    };
                    let new = || {
                        self.blocks.fetch_add(1, Ordering::Relaxed);
                        Vec::with_capacity(self.block)
                    };
                    let mut block = block.take().unwrap_or_else(new);
                    block.push(pair);
                    blocks.push(Block::Here(block));
                }
            }
        }
        Ok(())
    }

    /// Writes a full block to the file if there are too many in memory; the memory of it, if so.
    fn put_aside(&self, block: &mut Block) -> io::Result<Option<Vec<Pair>>> {
        let many = self.blocks.load(Ordering::Relaxed) >= self.most;
        let (Block::Here(pairs), Some(path), true) = (&mut *block, &self.folder, many) else {
            return Ok(None);
        };
        let mut aside = lock(&self.aside);
        if aside.is_none() {
            *aside = Some(Aside::new(path.join(name("parts")))?);
        }
        let Some(aside) = &mut *aside else { return Ok(None) };
        let begin = aside.add(pairs.as_bytes())?;
        let mut pairs = std::mem::take(pairs);
        *block = Block::Aside(begin);
        pairs.clear();
        Ok(Some(pairs))
    }

    /// The bytes in memory.
    pub fn bytes(&self) -> u64 {
        self.blocks.load(Ordering::Relaxed) * (self.block * size_of::<Pair>()) as u64
    }

    /// The moves to each place; if they take more than `room` bytes, and there is a place for files, in a file.
    pub fn sorted(self, room: u64) -> Result<Sorted, Unsorted> {
        let Sorting { targets, each, parts, block, count, folder, aside, .. } = self;
        let count = u32::try_from(count.into_inner()).map_err(|_| Unsorted::Many)? as usize;
        let mut from = Large::<u32>::zeroed(targets + 1).map_err(Unsorted::Memory)?;
        let mut kept = match folder {
            Some(folder) if (count * size_of::<u32>()) as u64 > room => {
                Kept::Aside(Aside::new(folder.join(name("moves")))?)
            }
            _ => Kept::Here(Large::zeroed(count).map_err(Unsorted::Memory)?),
        };
        let aside = inside(aside);
        let mut total = 0u32;
        for (part, blocks) in parts.into_iter().enumerate() {
            let blocks = inside(blocks).into_iter().map(|kept| match (kept, &aside) {
                (Block::Here(pairs), _) => Ok(pairs),
                (Block::Aside(begin), Some(aside)) => {
                    let mut pairs = vec![Pair::new_zeroed(); block];
                    aside.file.read(begin, pairs.as_mut_bytes())?;
                    Ok(pairs)
                }
                (Block::Aside(_), None) => Err(io::ErrorKind::UnexpectedEof.into()),
            });
            let blocks = blocks.collect::<io::Result<Vec<_>>>()?;
            for [to, _] in blocks.iter().flatten() {
                from[*to as usize] += 1;
            }
            // At first the end of each target's moves; filling them in moves it to the beginning.
            let begin = total as usize;
            for from in &mut from[(part * each).min(targets)..((part + 1) * each).min(targets)] {
                total += *from;
                *from = total;
            }
            let mut own = Vec::new();
            let edges = match &mut kept {
                Kept::Here(all) => &mut all[begin..total as usize],
                Kept::Aside(_) => {
                    own.resize(total as usize - begin, 0);
                    &mut own[..]
                }
            };
            for [to, back] in blocks.into_iter().flatten() {
                let from = &mut from[to as usize];
                *from -= 1;
                edges[*from as usize - begin] = back;
            }
            if let Kept::Aside(aside) = &mut kept {
                aside.add(own.as_bytes())?;
            }
        }
        from[targets] = total;
        Ok(Sorted { from, kept })
    }
}

/// The name of a new file.
fn name(of: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!(".{of}-{}-{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

enum Kept {
    Here(Large<u32>),
    Aside(Aside),
}

/// The moves to each place.
pub(super) struct Sorted {
    from: Large<u32>,
    kept: Kept,
}

impl Sorted {
    /// Calls `visit` for each of some places, which rise, with what was kept of where the moves to it come from.
    pub fn each(
        &self,
        places: &[u32],
        spare: &mut Vec<u32>,
        visit: &mut dyn FnMut(u32, &[u32]),
    ) -> io::Result<()> {
        /// Places of which the moves are asked for together, and numbers that are read although nobody asks for them.
        const LOADED: usize = 16;
        const GAP: usize = 1 << 12;
        let from = &self.from[..];
        let of = |at: u32| from[at as usize] as usize..from[at as usize + 1] as usize;
        match &self.kept {
            Kept::Here(all) => {
                let all = &all[..];
                for lot in places.chunks(LOADED) {
                    for at in lot {
                        let moves = &all[of(*at)];
                        foregone_prefetch::load_all(&moves[..moves.len().min(LOADED)]);
                    }
                    lot.iter().for_each(|at| visit(*at, &all[of(*at)]));
                }
            }
            Kept::Aside(aside) => {
                let near = |one: &u32, other: &u32| of(*other).start < of(*one).end + GAP;
                for lot in places.chunk_by(near) {
                    let (begin, end) = (of(lot[0]).start, of(lot[lot.len() - 1]).end);
                    spare.resize(end - begin, 0);
                    aside.file.read(4 * begin as u64, spare.as_mut_bytes())?;
                    for at in lot {
                        let moves = of(*at);
                        visit(*at, &spare[moves.start - begin..moves.end - begin]);
                    }
                }
            }
        }
        Ok(())
    }

    /// The bytes in memory.
    pub fn bytes(&self) -> u64 {
        let all = if let Kept::Here(all) = &self.kept { all.len() } else { 0 };
        ((self.from.len() + all) * size_of::<u32>()) as u64
    }
}
