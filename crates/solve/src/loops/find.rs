//! Step one: all positions that can arise and are not over. There is no frontier: two bits a position say whether its
//! moves were looked at, and what they showed. Shard by shard, what waits is looked at by one thread; then what that led
//! to is put into all shards at once, each by one thread. No thread waits for another.

use std::collections::BTreeSet;
use std::sync::Mutex;

use foregone_record::threads::{each, inside, lock};

use super::kept::Keeping;
use super::set::{Flags, Mix, Numbers, Shard, Split};
use super::{Failure, Near, Rules, Way};
use crate::control::{Control, Halted, Progress};

const FINDING: &str = "finding positions";

/// What a first look at a position's moves shows.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Look {
    Open = 1,
    /// A move ends the game, and gains most.
    Won,
    /// All moves end the game, and lose most.
    Lost,
}

pub(super) struct Found {
    pub numbers: Numbers,
    /// By shard, what a first look showed ([`Look`]).
    pub looks: Vec<Flags>,
    /// How far results differ from endless play, the largest first.
    pub levels: Vec<i32>,
}

/// The bytes of keys that wait to be put into shards.
const WAITING: u64 = 1 << 26;

/// What a thread has found: keys by shard, the number of moves, results.
struct Out {
    keys: Vec<Vec<u64>>,
    moves: u64,
    sizes: BTreeSet<i32>,
    near: Near,
}

impl Out {
    fn new(split: Split) -> Out {
        let keys = vec![Vec::new(); split.shards];
        Out { keys, moves: 0, sizes: BTreeSet::new(), near: Near::default() }
    }

    /// Looks at the moves of a position for the first time.
    fn look(
        &mut self,
        rules: &dyn Rules,
        key: u64,
        (mix, split): (Mix, Split),
    ) -> Result<u8, Failure> {
        let near = &mut self.near;
        rules.near(key, near)?;
        if !near.even {
            return Err(Failure::Unfit);
        }
        self.moves += near.children.len() as u64;
        for child in &near.children {
            let (shard, key) = split.of(mix.mix(child.key));
            self.keys[shard].push(key);
        }
        let (mut won, mut lost) = (false, near.children.is_empty());
        for &size in &near.ends {
            won |= size == rules.most() && size > 0;
            lost &= size == -rules.most();
            if !self.sizes.contains(&size) {
                self.sizes.insert(size);
            }
        }
        let look = match (won, lost) {
            (true, _) => Look::Won,
            (_, true) => Look::Lost,
            _ => Look::Open,
        };
        Ok(look as u8)
    }
}

pub(super) fn find(
    rules: &dyn Rules,
    Way { follow, threads, folder }: Way<'_>,
    control: &Control,
) -> Result<Found, Failure> {
    let mix = Mix::new(rules.bits());
    let split = Split::new(rules.bits());
    let mut keeping = folder.map(|folder| Keeping::new(folder, follow, split));
    let (shards, mut levels) = match keeping.as_mut().and_then(Keeping::read) {
        Some(kept) => kept,
        None => {
            let mut shards: Vec<_> = (0..split.shards).map(|_| Shard::new(split.bits)).collect();
            let (shard, key) = split.of(mix.mix(rules.start()));
            shards[shard].insert(key);
            (shards, BTreeSet::new())
        }
    };
    let mut total = shards.iter().map(|shard| shard.len() as u64).sum::<u64>();
    let shards: Vec<_> = shards.into_iter().map(Mutex::new).collect();
    let (mut next, mut window, mut outs) = (0, 1u64 << 10, Vec::<Out>::new());
    let stopped = Mutex::new(None);
    loop {
        // Shards with about as many waiting positions as a window takes.
        let (mut picked, mut sum) = (Vec::new(), 0);
        for _ in 0..split.shards {
            let waiting = lock(&shards[next]).waiting() as u64;
            picked.extend((waiting > 0).then_some(next));
            sum += waiting;
            next = (next + 1) % split.shards;
            if sum >= window {
                break;
            }
        }
        if picked.is_empty() {
            break;
        }
        // What is quickly done needs no second thread.
        let threads = if sum < 1 << 12 { 1 } else { threads };
        let spare = Mutex::new(std::mem::take(&mut outs));
        let looked = each(threads, picked.len(), &|at| {
            let done = total;
            match control.report(Progress { phase: FINDING, done, total: None, bounds: None }) {
                // What this window leads to can still be kept.
                Err(halted) if folder.is_some() => *lock(&stopped) = Some(halted),
                reported => reported?,
            }
            let mut out = lock(&spare).pop().unwrap_or_else(|| Out::new(split));
            lock(&shards[picked[at]]).look(split.bits, |key| {
                out.look(rules, mix.unmix(split.join(picked[at], key)), (mix, split))
            })?;
            lock(&spare).push(out);
            Ok::<(), Failure>(())
        });
        looked.into_iter().collect::<Result<(), _>>()?;
        outs = inside(spare);
        let added = each(threads, split.shards, &|at| {
            let mut shard = lock(&shards[at]);
            let keys = outs.iter().flat_map(|out| &out.keys[at]);
            let added = keys.filter(|key| shard.insert(**key)).count();
            shard.merge_if_many(split.bits);
            (added as u64, shard.bytes())
        });
        total += added.iter().map(|(added, _)| added).sum::<u64>();
        let waiting: usize = outs.iter().flat_map(|out| &out.keys).map(Vec::capacity).sum();
        let taken = added.iter().map(|(_, bytes)| bytes).sum::<u64>() + 8 * waiting as u64;
        // The largest window that keeps what waits within bounds, by what this one led to.
        let moves: u64 = outs.iter().map(|out| out.moves).sum();
        window = (WAITING / 8 * sum / moves.max(1)).clamp(1 << 10, 1 << 20);
        for out in &mut outs {
            levels.extend(out.sizes.iter().map(|size| size.abs()));
            out.keys.iter_mut().for_each(Vec::clear);
            out.moves = 0;
        }
        let mut stops = lock(&stopped).take().map_or(Ok(()), Err);
        stops = stops.and(control.check_memory(taken, FINDING, total));
        if total > control.positions() {
            stops = stops.and(Err(Halted::Positions { limit: control.positions() }));
        }
        if let Some(keeping) = &mut keeping {
            keeping.write_if_due(&shards, &levels, stops.is_err()).map_err(Failure::File)?;
        }
        stops?;
        if total > u64::from(u32::MAX) {
            return Err(Failure::Unfit);
        }
    }
    if let Some(keeping) = &mut keeping {
        keeping.write_if_due(&shards, &levels, true).map_err(Failure::File)?;
    }
    let shards: Vec<Shard> = shards.into_iter().map(inside).collect();
    // Large pages take the lists, one after the other.
    let bytes: u64 = shards.iter().map(Shard::bytes).sum();
    control.check_memory(2 * bytes, FINDING, total)?;
    let (numbers, looks) =
        Numbers::new(mix, split, shards).map_err(|size| Halted::Table { size })?;
    Ok(Found { numbers, looks, levels: levels.into_iter().rev().collect() })
}
