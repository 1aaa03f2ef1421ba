//! Step two: what each position is worth. A round settles what is decided in one ply more. Round one was made when
//! positions were found. The next one looks at the moves of all open positions, and keeps those between them, sorted by
//! where they lead to. From then on a queue by rounds goes back over these moves, once over each.
//!
//! A position is settled as a win of the round's size if one move wins it, or as a loss, or as a draw where the size is 0,
//! if all of its moves are settled. What is never settled is endless play.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use foregone_record::threads::{each, inside, lock};

use super::find::{Found, Look};
use super::set::{Flags, Numbers, Spare};
use super::sort::{Mine, Sorted, Sorting, Unsorted};
use super::{Failure, Near, Rules, Solution, Way};
use crate::control::{Control, Halted, Progress};

const KEEPING: &str = "sorting moves";
const SETTLING: &str = "working back from the end";

/// How a position was settled, and in which round: a place in the list of results. 0: not yet.
type Code = u16;

/// Set in the state of an open position once it is settled: the other bits are its code, before that the number of its
/// open moves.
const SETTLED: u16 = 1 << 15;

/// What a round settles: a result, as its difference from endless play, and the codes of a win and a loss by it.
#[derive(Clone, Copy)]
struct Round {
    size: i32,
    win: Code,
    other: Code,
}

/// A position that a move leads to, as its mover sees it.
#[derive(Clone, Copy)]
enum Child {
    /// A finished position with this result, relative to endless play.
    Over(i32),
    /// Settled in an earlier round, with this result.
    Known(i32),
    /// The number of the position, and whether the same side moves there.
    Open(u32, bool),
}

/// What each position is worth.
pub(super) fn settle(
    rules: &dyn Rules,
    found: Found,
    way: Way<'_>,
    control: &Control,
) -> Result<Solution, Failure> {
    let Found { numbers, looks, levels } = found;
    let taken = numbers.bytes() + 2 * numbers.len as u64;
    control.check_memory(taken, KEEPING, 0)?;
    let codes = (0..numbers.len).map(|_| AtomicU16::new(0)).collect();
    let settling = Settling { rules, way, control, numbers, codes, sizes: vec![(0, 0)], taken };
    settling.settle(&levels, looks)
}

struct Settling<'a> {
    rules: &'a dyn Rules,
    way: Way<'a>,
    control: &'a Control,
    numbers: Numbers,
    codes: Vec<AtomicU16>,
    sizes: Vec<(i32, u32)>,
    /// The bytes of numbers and codes.
    taken: u64,
}

impl Settling<'_> {
    fn settle(mut self, levels: &[i32], looks: Vec<Flags>) -> Result<Solution, Failure> {
        if let Some(first) = levels.first() {
            let mut plies = 1;
            if *first == self.rules.most() {
                let round = self.round(*first, plies)?;
                self.settle_at_once(round, &looks);
                plies += 1;
            }
            drop(looks);
            self.backwards(levels, plies)?;
        }
        let Settling { numbers, codes, sizes, .. } = self;
        let codes = codes.into_iter().map(AtomicU16::into_inner).collect();
        Ok(Solution { numbers, codes, sizes })
    }

    /// What a first look decided.
    fn settle_at_once(&self, round: Round, looks: &[Flags]) {
        each(self.way.threads, looks.len(), &|shard| {
            let first = self.numbers.first(shard) as usize;
            for at in 0..self.numbers.len_of(shard) {
                let look = looks[shard].get(at);
                let code = match look {
                    _ if look == Look::Won as u8 => round.win,
                    _ if look == Look::Lost as u8 => round.other,
                    _ => continue,
                };
                self.codes[first + at].store(code, Relaxed);
            }
        });
    }

    /// A round, with codes for what it settles.
    fn round(&mut self, size: i32, plies: u32) -> Result<Round, Failure> {
        let mut code = |size| {
            self.sizes.push((size, plies));
            let code = Code::try_from(self.sizes.len() - 1).ok();
            code.filter(|code| *code < SETTLED).ok_or(Failure::Unfit)
        };
        let win = code(size)?;
        let other = if size == 0 { win } else { code(-size)? };
        Ok(Round { size, win, other })
    }

    /// Gives back the codes of a round that settled nothing.
    fn give_back(&mut self, round: Round) {
        self.sizes.truncate(round.win.into());
    }

    /// Keeps the moves between open positions, and settles these with them. The first round looks at all moves, and
    /// settles what is decided in `plies` plies.
    fn backwards(&mut self, levels: &[i32], plies: u32) -> Result<(), Failure> {
        let open = Open::new(&self.codes);
        // Finished positions with one result count as one position; those of the first size are settled at once.
        let over: Vec<i32> = levels[1..].iter().flat_map(|size| [*size, -*size]).collect();
        let nodes = open.count + over.len();
        if nodes >= 1 << 31 {
            return Err(Failure::Unfit);
        }
        let bytes = open.bytes() + 2 * nodes as u64;
        self.control.check_memory(self.taken + bytes, KEEPING, 0)?;
        let states: Vec<AtomicU16> = (0..nodes).map(|_| AtomicU16::new(0)).collect();
        let round = self.round(levels[0], plies)?;
        let taken = self.taken + bytes;
        // Half of the remaining memory is for collecting moves, the other half for the sorted ones.
        let room = self.control.memory().saturating_sub(taken + 4 * nodes as u64) / 2;
        let sorting =
            Sorting::new(nodes, room, self.way.folder.map(|folder| folder.path.to_path_buf()));
        let over_at = |size| over.iter().position(|other| *other == size).unwrap_or(0);
        let kept = Kept { open: &open, states: &states, sorting: &sorting, round };
        self.look_at_open(bytes, &kept, &|size| (open.count + over_at(size)) as u32)?;
        self.control.check_memory(taken + sorting.bytes(), KEEPING, 0)?;
        let moves = sorting.sorted(room).map_err(|why| match why {
            Unsorted::Memory(size) => Halted::Table { size }.into(),
            Unsorted::Many => Failure::Unfit,
            Unsorted::File(error) => Failure::File(error),
        })?;
        let taken = taken + moves.bytes();
        let back = Back { over: &over, open: open.count, states: &states, moves };
        let mut done = 0;
        for (nth, size) in levels.iter().enumerate() {
            let nodes = states.iter().zip(0u32..);
            let (mut frontier, mut now): (Vec<u32>, _) = match nth {
                0 => (
                    nodes.filter(|(state, _)| is_settled(state)).map(|(_, at)| at).collect(),
                    plies,
                ),
                _ => {
                    let at = (0..over.len()).filter(|at| over[*at].abs() == *size);
                    (at.map(|at| (open.count + at) as u32).collect(), 0)
                }
            };
            while !frontier.is_empty() {
                done += frontier.len() as u64;
                self.control.check_memory(taken + 8 * frontier.len() as u64, SETTLING, done)?;
                now += 1;
                let round = self.round(*size, now)?;
                frontier = self.step(round, &frontier, &back, done)?;
                if frontier.is_empty() {
                    self.give_back(round);
                }
                // In the order of numbers, lists of moves are read from one end to the other.
                frontier.sort_unstable();
            }
        }
        open.each(|number, at| {
            let state = states[at as usize].load(Relaxed);
            if state & SETTLED != 0 {
                self.codes[number as usize].store(state & !SETTLED, Relaxed);
            }
        });
        Ok(())
    }

    /// The positions that a round settles, from those of the round before.
    fn step(
        &self,
        round: Round,
        frontier: &[u32],
        back: &Back<'_>,
        done: u64,
    ) -> Result<Vec<u32>, Failure> {
        /// Positions that a thread takes at a time, and moves of which the results are applied together.
        const LOT: usize = 1 << 12;
        const NEWS: usize = 1 << 8;
        let Back { over, open, states, moves } = back;
        let next = Mutex::new(Vec::new());
        let lots: Vec<_> = frontier.chunks(LOT).collect();
        // What is quickly done needs no second thread.
        let threads = if lots.len() == 1 { 1 } else { self.way.threads };
        let worked = each(threads, lots.len(), &|nth| {
            let progress =
                Progress { phase: SETTLING, done, total: Some(states.len() as u64), bounds: None };
            self.control.report(progress)?;
            let (mut mine, mut news, mut spare) = (Vec::new(), Vec::new(), Vec::new());
            moves
                .each(lots[nth], &mut spare, &mut |at, edges| {
                    let (size, ended) = match (at as usize).checked_sub(*open) {
                        Some(at) => (over[at], true),
                        None => {
                            let code = states[at as usize].load(Relaxed) & !SETTLED;
                            (self.sizes[code as usize].0, false)
                        }
                    };
                    for edges in edges.chunks(NEWS) {
                        for edge in edges {
                            let before = (edge >> 1) as usize;
                            foregone_prefetch::load(&states[before]);
                            let same = ended || edge & 1 == 1;
                            news.push((before as u32, if same { size } else { -size }));
                        }
                        if news.len() >= NEWS {
                            round.take(&mut news, states, &mut mine);
                        }
                    }
                })
                .map_err(Failure::File)?;
            round.take(&mut news, states, &mut mine);
            lock(&next).append(&mut mine);
            Ok::<(), Failure>(())
        });
        worked.into_iter().collect::<Result<(), _>>()?;
        Ok(inside(next))
    }

    /// Looks at the moves of all open positions: settles what the round decides, and keeps the moves between the others.
    fn look_at_open(
        &self,
        bytes: u64,
        kept: &Kept<'_>,
        over_at: &(dyn Fn(i32) -> u32 + Sync),
    ) -> Result<(), Failure> {
        let done = AtomicU64::new(0);
        let looked = each(self.way.threads, self.numbers.split.shards, &|shard| {
            let sorting = kept.sorting.bytes();
            let done = done.fetch_add(self.numbers.len_of(shard) as u64, Relaxed);
            let total = Some(self.numbers.len as u64);
            self.control.report(Progress { phase: KEEPING, done, total, bounds: None })?;
            self.control.check_memory(self.taken + bytes + sorting, KEEPING, done)?;
            let mut group = Group::default();
            let mut mine = kept.sorting.mine();
            for (key, number) in self.numbers.keys(shard).zip(self.numbers.first(shard)..) {
                if self.codes[number as usize].load(Relaxed) == 0 {
                    group.add(self.rules, key, number)?;
                }
                if group.positions.len() == GROUP {
                    self.look_up(&mut group, kept, over_at, &mut mine)?;
                }
            }
            self.look_up(&mut group, kept, over_at, &mut mine)?;
            kept.sorting.end(mine).map_err(Failure::File)?;
            Ok::<(), Failure>(())
        });
        looked.into_iter().collect()
    }

    /// Settles the positions of a group, or keeps their moves.
    fn look_up(
        &self,
        group: &mut Group,
        kept: &Kept<'_>,
        over_at: &(dyn Fn(i32) -> u32 + Sync),
        mine: &mut Mine,
    ) -> Result<(), Failure> {
        let Group { positions, keys, again, ends, numbers, spare, children, .. } = group;
        // Step one has found all positions that moves lead to, unless what it had kept was changed.
        if !self.numbers.numbers(keys, spare, numbers) {
            let why = "the folder of the unfinished table was changed: remove it";
            return Err(Failure::File(io::Error::new(io::ErrorKind::InvalidData, why)));
        }
        for number in &*numbers {
            foregone_prefetch::load(&self.codes[*number as usize]);
        }
        let round = kept.round;
        let (mut from, mut from_end) = (0, 0);
        for (number, to, to_end) in positions.drain(..) {
            children.clear();
            children.extend(ends[from_end..to_end].iter().map(|size| Child::Over(*size)));
            for at in from..to {
                let code = self.codes[numbers[at] as usize].load(Relaxed);
                let open = code == 0 || code == round.win || code == round.other;
                let (size, _) = self.sizes[code as usize];
                children.push(match open {
                    true => Child::Open(numbers[at], again[at]),
                    false => Child::Known(if again[at] { size } else { -size }),
                });
            }
            (from, from_end) = (to, to_end);
            let place = kept.open.place(number);
            if let Some(code) = round.decides(children) {
                self.codes[number as usize].store(code, Relaxed);
                kept.states[place as usize].store(SETTLED | code, Relaxed);
                continue;
            }
            let mut count = 0u16;
            for (at, child) in children.iter().enumerate() {
                let (to, again) = match *child {
                    Child::Over(size) if size.abs() < round.size => {
                        let seen = |other: &Child| matches!(other, Child::Over(o) if *o == size);
                        if children[..at].iter().any(seen) {
                            continue;
                        }
                        (over_at(size), true)
                    }
                    Child::Open(number, again) => (kept.open.place(number), again),
                    Child::Over(_) | Child::Known(_) => continue,
                };
                let edge = [to, place << 1 | u32::from(again)];
                kept.sorting.add(mine, edge).map_err(Failure::File)?;
                count += 1;
                if count == SETTLED {
                    return Err(Failure::Unfit);
                }
            }
            kept.states[place as usize].store(count, Relaxed);
        }
        keys.clear();
        again.clear();
        ends.clear();
        Ok(())
    }
}

fn is_settled(state: &AtomicU16) -> bool {
    state.load(Relaxed) & SETTLED != 0
}

impl Round {
    /// How this round settles a position with these children, if it does.
    fn decides(self, children: &[Child]) -> Option<Code> {
        let mut all = true;
        for child in children {
            match *child {
                Child::Over(size) | Child::Known(size) if size == self.size && size > 0 => {
                    return Some(self.win);
                }
                Child::Over(size) => all &= size.abs() >= self.size,
                Child::Known(_) => {}
                Child::Open(..) => all = false,
            }
        }
        all.then_some(self.other)
    }

    /// Applies results of moves to the positions that they are made from; adds those that this settles.
    fn take(self, news: &mut Vec<(u32, i32)>, states: &[AtomicU16], settled: &mut Vec<u32>) {
        for (at, size) in news.drain(..) {
            let state = &states[at as usize];
            if is_settled(state) {
                continue;
            }
            let wins = size == self.size && size > 0;
            let is_new = match wins {
                true => state.swap(SETTLED | self.win, Relaxed) & SETTLED == 0,
                false => {
                    // Another thread may settle it as a win meanwhile. It cannot become a loss as well: the move that
                    // wins stays open.
                    let open = |state| (state & SETTLED == 0).then(|| state - 1);
                    let last = state.fetch_update(Relaxed, Relaxed, open) == Ok(1);
                    if last {
                        state.store(SETTLED | self.other, Relaxed);
                    }
                    last
                }
            };
            settled.extend(is_new.then_some(at));
        }
    }
}

/// What a step back needs: places below `open` are open positions, by their states; the others stand for finished ones with
/// the results of `over`.
struct Back<'a> {
    over: &'a [i32],
    open: usize,
    states: &'a [AtomicU16],
    moves: Sorted,
}

/// Where moves between open positions are kept.
struct Kept<'a> {
    open: &'a Open,
    states: &'a [AtomicU16],
    sorting: &'a Sorting,
    round: Round,
}

/// Positions of which the moves are looked up together: all are in memory when the first is read.
const GROUP: usize = 24;

#[derive(Default)]
struct Group {
    /// Numbers, and where their children and ends stop.
    positions: Vec<(u32, usize, usize)>,
    keys: Vec<u64>,
    again: Vec<bool>,
    ends: Vec<i32>,
    near: Near,
    numbers: Vec<u32>,
    spare: Spare,
    children: Vec<Child>,
}

impl Group {
    fn add(&mut self, rules: &dyn Rules, key: u64, number: u32) -> Result<(), Halted> {
        rules.near(key, &mut self.near)?;
        self.keys.extend(self.near.children.iter().map(|child| child.key));
        self.again.extend(self.near.children.iter().map(|child| child.again));
        self.ends.extend(&self.near.ends);
        self.positions.push((number, self.keys.len(), self.ends.len()));
        Ok(())
    }
}

/// The open positions among all, and their places in the order.
struct Open {
    bits: Vec<u64>,
    /// The number of open positions before each group of eight words.
    before: Vec<u32>,
    count: usize,
}

impl Open {
    fn new(codes: &[AtomicU16]) -> Open {
        let mut bits = vec![0u64; codes.len().div_ceil(512) * 8];
        for (at, code) in codes.iter().enumerate() {
            bits[at / 64] |= u64::from(code.load(Relaxed) == 0) << (at % 64);
        }
        let (mut before, mut count) = (Vec::with_capacity(bits.len() / 8), 0);
        for words in bits.chunks(8) {
            before.push(count as u32);
            count += words.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        }
        Open { bits, before, count }
    }

    fn bytes(&self) -> u64 {
        (self.bits.len() * 8 + self.before.len() * 4) as u64
    }

    /// The place of an open position.
    #[inline]
    fn place(&self, number: u32) -> u32 {
        let (word, bit) = (number as usize / 64, number % 64);
        let words: u32 = self.bits[word / 8 * 8..word].iter().map(|word| word.count_ones()).sum();
        self.before[word / 8] + words + (self.bits[word] & ((1 << bit) - 1)).count_ones()
    }

    /// Calls `with` for each open position, with its number and its place.
    fn each(&self, mut with: impl FnMut(u32, u32)) {
        let mut place = 0;
        for (word, bits) in (0u32..).zip(&self.bits) {
            let mut bits = *bits;
            while bits != 0 {
                with(word * 64 + bits.trailing_zeros(), place);
                place += 1;
                bits &= bits - 1;
            }
        }
    }
}
