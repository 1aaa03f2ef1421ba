//! Making proofs: a move for every position in which the side moves that a claim is about, as few of
//! them as is easily had. [`foregone_record::proof`] tells what a proof is and checks it.

use std::collections::hash_map::Entry as Slot;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use foldhash::fast::FixedState;
use foregone_record::format::fingerprint_listed;
use foregone_record::proof::{Claim, Entry, ProofContents, proof_key};
use foregone_record::{Broken, Building, Values};
use foregone_rules::{Distance, Game, Packed, Reduce, Side, Value, Worth};

use crate::build::Alike;
use crate::control::{Control, Halted, Progress};
use crate::exact::Proven;
use crate::offer::Valuer;
use crate::strong::Strong;

const PHASE: &str = "proving";

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum Unproven {
    /// It was stopped, or would have gone over a limit.
    #[error(transparent)]
    Halted(#[from] Halted),
    /// It could not be written.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// What is claimed does not hold.
    #[error("the {side} player does not get at least {at_least}: that cannot be proven")]
    False {
        /// `first` or `second`.
        side: &'static str,
        /// What was claimed.
        at_least: i32,
    },
    /// The game has no keys for its positions, so that there are no proofs of it.
    #[error("this game does not pack its positions, so there are no proofs of it")]
    Keys,
    /// Nothing can be claimed.
    #[error("no result of the game is worse for either side: there is nothing to prove")]
    Nothing,
    /// The game's positions have no keys with a bit to spare, or more worths than a proof can hold.
    #[error("proofs have no room for this game: {0}")]
    Room(&'static str),
}

/// How large a proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// How many positions have a move in it.
    pub entries: u64,
    /// How many bytes the file has.
    pub bytes: u64,
}

/// Who knows what positions are worth.
pub(crate) trait Oracle<G: Game> {
    /// Whether a position is worth at least so much to its mover.
    fn at_least(&mut self, state: &G::State, value: i32) -> Result<bool, Halted>;

    /// In how many plies play ends; nothing where play cannot loop, and it is of no use.
    fn plies(&mut self, state: &G::State) -> Option<u32>;
}

/// A game whose values a search knows.
pub(crate) struct ByValues<'a, G: Game>(pub Valuer<'a, G>);

impl<G: Game> ByValues<'_, G> {
    /// The value of a position that is not over, and what no result is below.
    pub fn value(&mut self, state: &G::State) -> Result<(Value, Value), Halted> {
        let least = self.0.least(state);
        let Proven { low, halted, .. } = self.0.bounds(state);
        halted.map_or(Ok((low, least)), Err)
    }
}

impl<G: Game> Oracle<G> for ByValues<'_, G> {
    fn at_least(&mut self, state: &G::State, value: i32) -> Result<bool, Halted> {
        self.0.at_least(state, Value(value))
    }

    fn plies(&mut self, _: &G::State) -> Option<u32> {
        None
    }
}

/// A game of which all positions are solved, one for all alike.
pub(crate) struct ByStrong<'a, G: Reduce> {
    game: &'a G,
    strong: Strong<Alike<G>>,
}

impl<'a, G: Reduce + Clone> ByStrong<'a, G> {
    /// Solves all positions that can arise from one.
    pub fn new(
        game: &'a G,
        state: &G::State,
        control: &Control,
    ) -> Result<ByStrong<'a, G>, Halted> {
        let alike = Alike(game.clone());
        let strong = Strong::solve_from(&alike, &game.reduce(state).state, control)?;
        Ok(ByStrong { game, strong })
    }

    fn worth(&self, state: &G::State) -> Option<Worth> {
        self.strong.worth(&self.game.reduce(state).state)
    }

    /// The value of a position, and the least of any.
    pub fn value(&self, state: &G::State) -> (Value, Value) {
        let values = self.strong.iter().map(|(_, worth)| worth.value());
        let least = values.map(|Value(value)| Value(-value.abs())).min();
        (self.worth(state).map_or(Value(0), Worth::value), least.unwrap_or(Value(0)))
    }
}

impl<G: Reduce + Clone> Oracle<G> for ByStrong<'_, G> {
    fn at_least(&mut self, state: &G::State, value: i32) -> Result<bool, Halted> {
        Ok(self.worth(state).is_some_and(|worth| worth.value() >= Value(value)))
    }

    fn plies(&mut self, state: &G::State) -> Option<u32> {
        self.worth(state)?.distance().plies()
    }
}

/// What may be proven of a position of value `value`, seen by `mover`: that it is worth so much, to
/// either side. What no result can be below needs no proof.
pub(crate) fn claims(value: Value, least: Value, mover: Side) -> Vec<Claim> {
    let claim = |side: Side| {
        let at_least = value.before(mover, side);
        let first = side == Side::First;
        (at_least > least).then_some(Claim { first, at_least: at_least.0 })
    };
    Side::BOTH.into_iter().filter_map(claim).collect()
}

/// A position of the side of the claim, which has to get at least so much there.
struct Task<S> {
    state: S,
    bound: i32,
}

type Entries = HashMap<u128, Entry, FixedState>;

struct Proving<'a, G: Packed + Reduce> {
    game: &'a G,
    number: usize,
    claim: Claim,
    entries: Entries,
    control: &'a Control,
    done: u64,
}

/// Writes a proof of claims about a position.
///
/// # Errors
/// Where a claim does not hold, or a limit is reached, or it cannot be written.
pub(crate) fn prove<G: Packed + Reduce>(
    game: &G,
    specification: &str,
    root: &G::State,
    contents: ProofContents,
    oracle: &mut dyn Oracle<G>,
    target: &Path,
    control: &Control,
) -> Result<Size, Unproven> {
    if contents.claims.is_empty() {
        return Err(Unproven::Nothing);
    }
    if game.bits() > 127 {
        return Err(Unproven::Room("keys of positions may have 127 bits"));
    }
    let mut all: Vec<(u128, Entry)> = Vec::new();
    for (number, claim) in contents.claims.iter().enumerate() {
        let entries = Entries::default();
        let mut proving = Proving { game, number, claim: *claim, entries, control, done: 0 };
        proving.choose(root, oracle)?;
        all.extend(proving.needed(root));
    }
    all.sort_unstable_by_key(|(key, _)| *key);
    write(game, specification, contents, &all, target)
}

fn write<G: Packed + Reduce>(
    game: &G,
    specification: &str,
    contents: ProofContents,
    all: &[(u128, Entry)],
    target: &Path,
) -> Result<Size, Unproven> {
    let print = fingerprint_listed(game);
    let mut building = Building::open(target, specification, print, Values::ScoreDistance)?;
    building.claims(contents);
    let bound = |entry: &Entry| Worth::new(Value(entry.at_least), Distance::Plies(entry.left));
    let mv = |entry: &Entry| Worth::new(Value(entry.mv as i32), Distance::Plies(0));
    let columns: [&(dyn Fn(&Entry) -> Worth + Sync); 2] = [&bound, &mv];
    for (layer, of) in (0..).zip(columns) {
        let order = |worth: Worth| (worth.value(), worth.distance().plies());
        let mut worths: Vec<_> = all.iter().map(|(_, entry)| of(entry)).collect();
        worths.sort_unstable_by_key(|worth| order(*worth));
        worths.dedup();
        if worths.len() >= usize::from(u16::MAX) {
            return Err(Unproven::Room("it has too many different bounds"));
        }
        building.keep(layer, &worths, all.len() as u64, 1, &|from, cells| {
            for (cell, (_, entry)) in cells.iter_mut().zip(&all[from as usize..]) {
                let worth = order(of(entry));
                *cell = 1 + worths.partition_point(|other| order(*other) < worth) as u16;
            }
        })?;
    }
    let keys: Vec<u128> = all.iter().map(|(key, _)| *key).collect();
    building.keep_keys(&keys)?;
    building.finish(2)?;
    let bytes = std::fs::metadata(target).map_err(Broken::from)?.len();
    Ok(Size { entries: all.len() as u64, bytes })
}

impl<G: Packed + Reduce> Proving<'_, G> {
    /// What is asked of a position, of the side of the claim at least `worth`: of its representative.
    fn task(&self, state: &G::State, mine: bool, worth: i32) -> Task<G::State> {
        let reduced = self.game.reduce(state);
        let value = if mine { worth } else { -worth };
        Task { state: reduced.state, bound: value - reduced.offset.0 }
    }

    /// The positions that the other side's moves from a position lead to, in which the side of the
    /// claim moves or play is over; its mover may get at most so much.
    fn replies(&self, state: &G::State, bound: i32, visit: &mut dyn FnMut(Task<G::State>)) {
        let game = self.game;
        let mut rows = vec![(*state, bound)];
        // Where the other side moves again, it may come back.
        let mut known = HashSet::new();
        while let Some((state, bound)) = rows.pop() {
            if game.outcome(&state).is_some() || !known.is_empty() && !known.insert((state, bound))
            {
                continue;
            }
            let mover = game.turn(&state);
            for mv in game.moves(&state) {
                let child = game.play(&state, mv);
                let again = game.turn(&child) == mover;
                let task = self.task(&child, !again, -bound);
                match again {
                    true => {
                        known.insert((state, bound));
                        rows.push((task.state, task.bound));
                    }
                    false if game.outcome(&task.state).is_some() => {}
                    false => visit(task),
                }
            }
        }
    }

    fn key(&self, state: &G::State) -> u128 {
        proof_key(self.game.pack(state), self.number)
    }

    fn is_known(&self, task: &Task<G::State>) -> bool {
        let known = self.entries.get(&self.key(&task.state));
        known.is_some_and(|entry| entry.at_least >= task.bound)
    }

    /// Finds a move for every position that needs one.
    fn choose(&mut self, root: &G::State, oracle: &mut dyn Oracle<G>) -> Result<(), Unproven> {
        let game = self.game;
        let Claim { first, at_least } = self.claim;
        let mine = game.turn(root) == self.claim.side();
        let side = if first { "first" } else { "second" };
        let holds = match (game.outcome(root), mine) {
            (Some(outcome), _) => outcome.value_for(self.claim.side()).0 >= at_least,
            (None, true) => oracle.at_least(root, at_least)?,
            (None, false) => !oracle.at_least(root, 1 - at_least)?,
        };
        if !holds {
            return Err(Unproven::False { side, at_least });
        }
        if game.outcome(root).is_some() {
            return Ok(());
        }
        let first = self.task(root, mine, at_least);
        let mut open = Vec::new();
        match mine {
            true => open.push(first),
            false => self.replies(&first.state, first.bound, &mut |task| open.push(task)),
        }
        while let Some(task) = open.pop() {
            if self.is_known(&task) {
                continue;
            }
            self.done += 1;
            if self.done.is_multiple_of(1 << 12) {
                let (done, total) = (self.done, None);
                self.control.report(Progress { phase: PHASE, done, total, bounds: None })?;
                let needed = self.entries.capacity() as u64 * size_of::<(u128, Entry)>() as u64;
                if needed > self.control.memory() {
                    let limit = self.control.memory();
                    return Err(Halted::Memory { limit, needed, phase: PHASE, done }.into());
                }
            }
            let mv = self.pick(&task, oracle)?;
            let entry = Entry { at_least: task.bound, mv, left: 0 };
            self.entries.insert(self.key(&task.state), entry);
            self.after(&task.state, entry, &mut |task| open.push(task));
        }
        Ok(())
    }

    /// The positions of the side of the claim that come after one of its moves.
    fn after(&self, state: &G::State, entry: Entry, visit: &mut dyn FnMut(Task<G::State>)) {
        let game = self.game;
        let Some(mv) = game.moves(state).nth(entry.mv as usize) else { return };
        let child = game.play(state, mv);
        let again = game.turn(&child) == game.turn(state);
        let task = self.task(&child, again, entry.at_least);
        match again {
            true if game.outcome(&task.state).is_some() => {}
            true => visit(task),
            false => self.replies(&task.state, task.bound, visit),
        }
    }

    /// A move that keeps what is asked for: of those the one after which the fewest positions need a
    /// move that have none; where play may loop, the one that ends play soonest.
    fn pick(&self, task: &Task<G::State>, oracle: &mut dyn Oracle<G>) -> Result<u32, Unproven> {
        let game = self.game;
        let Task { state, bound } = task;
        let mover = game.turn(state);
        let mut moves: Vec<(u32, u32, G::Move)> = Vec::new();
        for (at, mv) in (0..).zip(game.moves(state)) {
            let mut unknown = 0;
            let entry = Entry { at_least: *bound, mv: at, left: 0 };
            self.after(state, entry, &mut |task| unknown += u32::from(!self.is_known(&task)));
            moves.push((unknown, at, mv));
        }
        moves.sort_by_key(|(unknown, at, _)| (*unknown, *at));
        let mut soonest: Option<(u32, u32)> = None;
        for (_, at, mv) in moves {
            let child = game.play(state, mv);
            let again = game.turn(&child) == mover;
            let keeps = match game.outcome(&child) {
                Some(outcome) => outcome.value_for(mover).0 >= *bound,
                None if again => oracle.at_least(&child, *bound)?,
                None => !oracle.at_least(&child, 1 - bound)?,
            };
            if !keeps {
                continue;
            }
            match oracle.plies(&child).filter(|_| self.claim.has_to_end()) {
                None => return Ok(at),
                Some(plies) => {
                    let this = (plies, at);
                    soonest = Some(soonest.map_or(this, |other| other.min(this)));
                }
            }
        }
        match soonest {
            Some((_, at)) => Ok(at),
            None => {
                let side = if self.claim.first { "first" } else { "second" };
                Err(Unproven::False { side, at_least: self.claim.at_least })
            }
        }
    }

    /// The entries that are needed in the end, each with how many moves of its side are left at most.
    fn needed(&self, root: &G::State) -> Vec<(u128, Entry)> {
        let mut left: HashMap<u128, u32, FixedState> = HashMap::default();
        // A position is met before those after it, and again when all of them are done.
        let mut open: Vec<(G::State, bool)> = Vec::new();
        let mine = self.game.turn(root) == self.claim.side();
        let over = self.game.outcome(root).is_some();
        let first = self.task(root, mine, self.claim.at_least);
        match mine {
            _ if over => {}
            true => open.push((first.state, false)),
            false => {
                self.replies(&first.state, first.bound, &mut |task| open.push((task.state, false)));
            }
        }
        while let Some((state, done)) = open.pop() {
            let key = self.key(&state);
            let Some(entry) = self.entries.get(&key) else { continue };
            if done {
                let mut most = 0;
                self.after(&state, *entry, &mut |task| {
                    most = most.max(1 + left.get(&self.key(&task.state)).copied().unwrap_or(0));
                });
                left.insert(key, most);
                continue;
            }
            match left.entry(key) {
                Slot::Occupied(_) => continue,
                Slot::Vacant(new) => new.insert(0),
            };
            open.push((state, true));
            self.after(&state, *entry, &mut |task| open.push((task.state, false)));
        }
        let ends = self.claim.has_to_end();
        let with = |(key, left): (u128, u32)| {
            (key, Entry { left: if ends { left } else { 0 }, ..self.entries[&key] })
        };
        left.into_iter().map(with).collect()
    }
}

#[cfg(test)]
mod tests;
