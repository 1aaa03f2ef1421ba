//! Finds and solves all positions that can arise, if play cannot loop, with little memory. A stage is
//! all positions with one measure of progress, so every move leads to a later stage. Forward, a stage
//! is complete when all stages before it have been looked at; back, the worths of all stages after it
//! are known. Only keys and worths are kept (20 bytes a position, with keys of at most 64 bits), and
//! threads share the positions of a stage.

use std::collections::BTreeMap;

use foregone_record::threads::each;
use foregone_rules::{Encode, Measure, Merged, NoBank, Worth};

use super::keyed::{Key, Solved};
use super::{Failed, PHASE, Plan, same_endless};
use crate::control::{Control, Pace, Progress};
use crate::moves::{self, sort_by_first};
use crate::subject::Subject;

const FINDING: &str = "finding positions";

/// Positions that the threads look at before what they found is put together.
const WINDOW: usize = 1 << 15;

/// A search in a list of keys looks at every n-th key first: these stay in the processor's cache.
const STEP: usize = 128;

/// Sorts keys, and drops repeated ones.
fn tidy<K: Key>(keys: &mut Vec<K>) {
    keys.sort_unstable();
    keys.dedup();
}

/// Found keys of a stage that is not complete yet, some of them repeatedly.
struct Waiting<K> {
    keys: Vec<K>,
    /// The number of different keys when they were last sorted.
    different: usize,
}

impl<K: Key> Waiting<K> {
    fn add(&mut self, more: Vec<K>) {
        self.keys.extend(more);
        if self.keys.len() > 2 * self.different + WINDOW {
            self.tidy();
        }
    }

    fn tidy(&mut self) {
        tidy(&mut self.keys);
        self.different = self.keys.len();
    }
}

/// The positions of a stage.
struct Stage<K> {
    progress: u32,
    /// The keys, in order.
    keys: Vec<K>,
    /// The first key, and then one in [`STEP`].
    marks: Vec<K>,
    /// The worth of each, once it is solved.
    worths: Vec<Worth>,
}

impl<K: Key> Stage<K> {
    fn worth(&self, key: K) -> Option<Worth> {
        let from = self.marks.partition_point(|mark| *mark <= key).checked_sub(1)? * STEP;
        let part = &self.keys[from..self.keys.len().min(from + STEP)];
        self.worths.get(from + part.binary_search(&key).ok()?).copied()
    }
}

/// The keys of all positions that can arise from the start, in order, and what a table stores of their
/// worths; `None` if play can loop, or if the measure does not rise along a move, which it may not do
/// between representatives.
///
/// # Errors
/// If it was stopped or exceeds the memory limit; or if a move changes the value of endless play, and
/// the table holds distances or ranks.
pub(super) fn solve<G: Encode<Bank = NoBank>, K: Key>(
    subject: Subject<'_, G>,
    plan: &Plan,
    control: &Control,
) -> Result<Option<Vec<Solved<K>>>, Failed> {
    let (game, Some(measure)) = (subject.game, subject.measure) else { return Ok(None) };
    let staged = Staged { subject, game, measure, plan, control };
    let Some(mut stages) = staged.find::<K>()? else { return Ok(None) };
    let total: usize = stages.iter().map(|stage| stage.keys.len()).sum();
    let each = (size_of::<K>() + size_of::<Worth>() + size_of::<Solved<K>>()) as u64;
    control.check_memory(each * total as u64, PHASE, 0)?;
    let mut done = 0;
    for at in (0..stages.len()).rev() {
        let (before, later) = stages.split_at_mut(at + 1);
        let stage = &mut before[at];
        stage.worths = staged.worths(stage, later, done, total as u64)?;
        done += stage.keys.len() as u64;
    }
    let mut all = Vec::with_capacity(total);
    for stage in stages {
        let kept = |(key, worth): (K, Worth)| {
            let state = game.decode(key.into());
            let endless = game.endless(&state).value_for(game.turn(&state));
            (key, plan.values.keep(worth, endless))
        };
        all.extend(stage.keys.into_iter().zip(stage.worths).map(kept));
    }
    sort_by_first(&mut all);
    Ok(Some(all))
}

/// What stays the same from stage to stage.
struct Staged<'a, G: Encode> {
    subject: Subject<'a, G>,
    game: &'a G,
    measure: Measure<G>,
    plan: &'a Plan,
    control: &'a Control,
}

/// Keys that were found, by stage.
type Found<K> = BTreeMap<u32, Vec<K>>;

impl<G: Encode<Bank = NoBank>> Staged<'_, G> {
    /// The stage and the key of a position.
    fn place<K: Key>(&self, state: &G::State) -> (u32, K) {
        let state = Merged::of(self.game, state).state;
        ((self.measure)(self.game, &state), K::of(self.game.encode(&state)))
    }

    /// All stages, the first one first; `None` if a move does not lead to a later one.
    fn find<K: Key>(&self) -> Result<Option<Vec<Stage<K>>>, Failed> {
        let (progress, key) = self.place(&self.game.start());
        let mut waiting = BTreeMap::from([(progress, Waiting { keys: vec![key], different: 1 })]);
        let (mut stages, mut found) = (Vec::new(), 0);
        while let Some((progress, mut stage)) = waiting.pop_first() {
            stage.tidy();
            for window in stage.keys.chunks(WINDOW * self.plan.threads.max(1)) {
                let bytes = |keys: &Vec<K>| (keys.capacity() * size_of::<K>()) as u64;
                let here = found * size_of::<K>() as u64 + bytes(&stage.keys);
                let taken = here + waiting.values().map(|later| bytes(&later.keys)).sum::<u64>();
                for after in self.share(window, |keys| self.after(progress, keys, found, taken))? {
                    let Some(after) = after else { return Ok(None) };
                    for (progress, keys) in after {
                        let empty = || Waiting { keys: Vec::new(), different: 0 };
                        waiting.entry(progress).or_insert_with(empty).add(keys);
                    }
                }
            }
            stage.keys.shrink_to_fit();
            found += stage.keys.len() as u64;
            let marks = stage.keys.iter().step_by(STEP).copied().collect();
            stages.push(Stage { progress, keys: stage.keys, marks, worths: Vec::new() });
        }
        Ok(Some(stages))
    }

    /// The keys of all positions one move after some of a stage; `None` if one is not in a later one.
    fn after<K: Key>(
        &self,
        progress: u32,
        keys: &[K],
        found: u64,
        taken: u64,
    ) -> Result<Option<Found<K>>, Failed> {
        let (game, control) = (self.game, self.control);
        let (mut after, mut pace, mut moves, mut later) = (Found::new(), Pace::new(), 0u64, true);
        for (at, key) in keys.iter().enumerate() {
            let state = game.decode((*key).into());
            if game.outcome(&state).is_some() {
                continue;
            }
            let before = moves;
            game.each_successor(&state, |_, child| {
                same_endless(&self.subject, self.plan.values, [&state, child])?;
                let (next, key) = self.place(child);
                later &= next > progress;
                after.entry(next).or_default().push(key);
                moves += 1;
                if pace.is_up(1) {
                    let done = found + at as u64;
                    control.report(Progress { phase: FINDING, done, total: None, bounds: None })?;
                    after.values_mut().for_each(tidy);
                    let here: usize = after.values().map(Vec::capacity).sum();
                    let here = (here * size_of::<K>() * self.plan.threads.max(1)) as u64;
                    control.check_memory(taken + 2 * here, FINDING, done)?;
                }
                Ok::<(), Failed>(())
            })?;
            if moves == before {
                return Err(moves::none(game, &state, self.subject.written).into());
            }
            if !later {
                return Ok(None);
            }
        }
        after.values_mut().for_each(tidy);
        Ok(Some(after))
    }

    /// The worths of a stage from those of all later ones.
    fn worths<K: Key>(
        &self,
        stage: &Stage<K>,
        later: &[Stage<K>],
        done: u64,
        total: u64,
    ) -> Result<Vec<Worth>, Failed> {
        let mut worths = Vec::with_capacity(stage.keys.len());
        for window in stage.keys.chunks(WINDOW * self.plan.threads.max(1)) {
            let done = done + worths.len() as u64;
            let progress = Progress { phase: PHASE, done, total: Some(total), bounds: None };
            self.control.report(progress)?;
            let parts = self.share(window, |keys: &[K]| {
                keys.iter()
                    .map(|key| self.worth((*key).into(), later))
                    .collect::<Result<Vec<_>, _>>()
            })?;
            worths.extend(parts.into_iter().flatten());
        }
        Ok(worths)
    }

    fn worth<K: Key>(&self, key: u128, later: &[Stage<K>]) -> Result<Worth, Failed> {
        let game = self.game;
        let state = game.decode(key);
        let mover = game.turn(&state);
        if let Some(outcome) = game.outcome(&state) {
            return Ok(Worth::finished(outcome, mover));
        }
        let endless = game.endless(&state).value_for(mover);
        let mut best: Option<Worth> = None;
        for (_, child) in game.successors(&state) {
            let (progress, key) = self.place(&child);
            let at = later.binary_search_by_key(&progress, |stage| stage.progress).ok();
            // All of them were found when the stages were.
            let worth = at.and_then(|at| later[at].worth(key));
            let worth = worth.map(|worth| worth.backed_up(game.turn(&child), mover));
            best = best.into_iter().chain(worth).max_by_key(|worth| worth.key(endless));
        }
        best.ok_or_else(|| moves::none(game, &state, self.subject.written).into())
    }

    /// Shares keys among the threads; the results are in the order of the keys.
    fn share<K: Key, T: Send>(
        &self,
        keys: &[K],
        work: impl Fn(&[K]) -> Result<T, Failed> + Sync,
    ) -> Result<Vec<T>, Failed> {
        let threads = self.plan.threads.max(1);
        let parts: Vec<_> = keys.chunks(keys.len().div_ceil(threads).max(1)).collect();
        each(threads, parts.len(), &|nth| work(parts[nth])).into_iter().collect()
    }
}
