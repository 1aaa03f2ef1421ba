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
mod tests {
    use super::*;
    use crate::reference;
    use crate::strong::tests::Graph;
    use foregone_record::Table;
    use foregone_record::proof::{Checked, check};
    use foregone_record::table::Bytes;
    use foregone_rules::games::{ConnectFour, FoxAndHounds, Kalah, Mnk, Nim, ThreeMensMorris};
    use foregone_rules::sample::{Dice, positions};
    use foregone_rules::{Args, Family, Notation, Reduced};
    use std::path::PathBuf;

    fn game<F: Family>(given: &[(&str, &str)]) -> F {
        F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
    }

    /// A file that is gone at the end.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Place {
            let name = format!("foregone-{name}-{}.proof", std::process::id());
            Place(std::env::temp_dir().join(name))
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    fn contents(claims: Vec<Claim>) -> ProofContents {
        ProofContents { position: None, moves: Vec::new(), claims }
    }

    /// What positions are worth, by the plain reference.
    struct ByReference<G: Game>(HashMap<G::State, Worth>, bool);

    impl<G: Reduce> Oracle<G> for (&'_ G, &'_ ByReference<G>) {
        fn at_least(&mut self, state: &G::State, value: i32) -> Result<bool, Halted> {
            Ok(self.worth(state).value() >= Value(value))
        }

        fn plies(&mut self, state: &G::State) -> Option<u32> {
            let Distance::Plies(plies) = self.worth(state).distance() else { return None };
            Some(plies).filter(|_| self.1.1)
        }
    }

    trait Knows<G: Game> {
        fn worth(&self, state: &G::State) -> Worth;
    }

    impl<G: Reduce> Knows<G> for (&'_ G, &'_ ByReference<G>) {
        fn worth(&self, state: &G::State) -> Worth {
            match self.1.0.get(state) {
                Some(worth) => *worth,
                // One that is alike.
                None => reference::worths(self.0, state)[state],
            }
        }
    }

    fn verdict<G: Packed + Reduce>(game: &G, file: &Path, root: &G::State) -> Checked {
        let table = Table::open(file).unwrap();
        table.proves(game, "game").unwrap();
        check(game, &table, root, 1 << 30, &|_| true).unwrap()
    }

    /// What can be proven is what the reference says, and nothing else; and every proof is refused
    /// when it was tampered with.
    fn holds<G: Packed + Reduce>(game: &G, loops: bool, name: &str) {
        let place = Place::new(name);
        let file = &place.0;
        let worths = ByReference::<G>(reference::worths(game, &game.start()), loops);
        let control = Control::default();
        for sample in positions(game, 40, 3) {
            let root = sample.state;
            let value = worths.0[&root].value();
            for side in Side::BOTH {
                let Value(most) = value.before(game.turn(&root), side);
                for (at_least, true_) in [(most, true), (most - 1, true), (most + 1, false)] {
                    let claims = vec![Claim { first: side == Side::First, at_least }];
                    let mut oracle = (game, &worths);
                    let proven =
                        prove(game, "game", &root, contents(claims), &mut oracle, file, &control);
                    match (proven, true_) {
                        (Err(Unproven::False { .. }), false) => continue,
                        (Ok(size), true) => {
                            let Checked::Proven { entries, .. } = verdict(game, file, &root) else {
                                panic!("{name}: {:?}", verdict(game, file, &root));
                            };
                            assert_eq!(entries, size.entries);
                        }
                        (other, _) => panic!("{name} {root:?} {at_least} {other:?}"),
                    }
                }
            }
        }
        let root = game.start();
        let mut oracle = (game, &worths);
        let claims = super::claims(worths.0[&root].value(), Value(-1000), Side::First);
        prove(game, "game", &root, contents(claims.clone()), &mut oracle, file, &control).unwrap();
        let all = entries(game, file);
        let refused = |what: &str, claims: &[Claim], all: &[(u128, Entry)]| {
            write(game, "game", contents(claims.to_vec()), all, file).unwrap();
            let verdict = verdict(game, file, &root);
            assert!(matches!(verdict, Checked::Flawed { .. }), "{name}: {what} {verdict:?}");
        };
        for number in 0..claims.len() {
            let mut more = claims.clone();
            more[number].at_least += 1;
            refused("a claim raised by one", &more, &all);
        }
        let step = all.len() / 50 + 1;
        for at in (0..all.len()).step_by(step) {
            let mut fewer = all.clone();
            fewer.remove(at);
            refused("an entry removed", &claims, &fewer);
            let mut less = all.clone();
            less[at].1.at_least -= 1;
            refused("an entry that claims less", &claims, &less);
            let mut none = all.clone();
            none[at].1.mv = 1000;
            refused("a move that there is not", &claims, &none);
            let mut looping = all.clone();
            looping[at].1.left += 1000;
            let (key, claim) = (looping[at].0, claims[(looping[at].0 & 1) as usize]);
            let first = all
                .iter()
                .all(|(other, entry)| *other & 1 != key & 1 || entry.left <= all[at].1.left);
            if claim.has_to_end() && !first {
                refused("what is left does not fall", &claims, &looping);
            }
            let mut other = all.clone();
            other[at].0 ^= 2;
            other.sort_unstable_by_key(|(key, _)| *key);
            other.dedup_by_key(|(key, _)| *key);
            refused("another position", &claims, &other);
        }
        // A move that gives away what is claimed.
        let mut lost = 0;
        for at in 0..all.len() {
            let (key, entry) = all[at];
            let state = game.unpack(key >> 1);
            let mover = game.turn(&state);
            for (mv, child) in (0..).zip(game.moves(&state).map(|mv| game.play(&state, mv))) {
                let value = oracle.worth(&child).value().before(game.turn(&child), mover);
                if value.0 < entry.at_least && lost < 100 {
                    let mut other = all.clone();
                    other[at].1.mv = mv;
                    refused("a move that loses", &claims, &other);
                    lost += 1;
                }
            }
        }
        assert!(lost > 0, "{name}");
    }

    /// The entries of a proof.
    fn entries<G: Packed + Reduce>(_: &G, file: &Path) -> Vec<(u128, Entry)> {
        let table = Table::open(file).unwrap();
        let cells = [0, 1].map(|layer| table.layer(layer).unwrap());
        let worth =
            |layer: usize, at: usize| table.worths(layer as u32)[usize::from(cells[layer][at]) - 1];
        let entry = |(at, key): (usize, u128)| {
            let (bound, mv) = (worth(0, at), worth(1, at));
            let left = bound.distance().plies().unwrap();
            (key, Entry { at_least: bound.value().0, mv: mv.value().0 as u32, left })
        };
        table.all_listed().unwrap().into_iter().enumerate().map(entry).collect()
    }

    #[test]
    fn what_the_reference_says_can_be_proven_and_nothing_else() {
        holds(&game::<Mnk>(&[]), false, "prove-mnk");
        for stuck in ["draw", "pass", "lose"] {
            let fox = game::<FoxAndHounds>(&[("size", "4"), ("stuck", stuck)]);
            holds(&fox, stuck == "pass", &format!("prove-fox-{stuck}"));
        }
        holds(&game::<Nim>(&[("heaps", "2-3-4")]), false, "prove-nim");
        holds(&game::<ThreeMensMorris>(&[]), true, "prove-morris");
        let size = [("columns", "4"), ("rows", "3"), ("line", "3")];
        holds(&game::<ConnectFour>(&size), false, "prove-four");
        for (capture, end, rest) in [
            ("always", "either", "owner"),
            ("nonempty", "mover", "owner"),
            ("always", "mover", "mover"),
        ] {
            let size = [("pits", "2"), ("stones", "2")];
            let rules = [("capture", capture), ("end", end), ("rest", rest)];
            let kalah = game::<Kalah>(&[&size[..], &rules].concat());
            holds(&kalah, false, &format!("prove-kalah-{capture}-{end}-{rest}"));
        }
    }

    impl Packed for Graph {
        fn bits(&self) -> u32 {
            8
        }
        fn pack(&self, state: &u8) -> u128 {
            (*state).into()
        }
        fn unpack(&self, packed: u128) -> u8 {
            packed as u8
        }
    }

    impl Reduce for Graph {
        fn reduce(&self, state: &u8) -> Reduced<u8> {
            Reduced { state: *state, offset: Value(0) }
        }
    }

    /// On random graphs with loops, extra turns and many results: what holds is proven, what does not
    /// is not, and whatever stands in a proof, it is accepted only where its claim holds.
    #[test]
    fn random_graphs_with_loops_equal_the_reference() {
        let place = Place::new("prove-graphs");
        let control = Control::default();
        let mut accepted = [0, 0];
        for seed in 0..150 {
            let graph = Graph::new(seed);
            let root = graph.start();
            let worths = reference::worths(&graph, &root);
            let mut dice = Dice::new(seed);
            for side in Side::BOTH {
                let Value(most) = worths[&root].value().before(graph.turn(&root), side);
                for at_least in most - 1..=most + 1 {
                    let claim = Claim { first: side == Side::First, at_least };
                    let mut oracle = ByStrong::new(&graph, &root, &control).unwrap();
                    let proof = contents(vec![claim]);
                    let proven =
                        prove(&graph, "game", &root, proof, &mut oracle, &place.0, &control);
                    match proven {
                        Ok(_) if at_least <= most => {
                            let verdict = verdict(&graph, &place.0, &root);
                            assert!(
                                matches!(verdict, Checked::Proven { .. }),
                                "{seed} {verdict:?}"
                            );
                        }
                        Err(Unproven::False { .. }) if at_least > most => {}
                        other => panic!("{seed} {side:?} {at_least} {other:?}"),
                    }
                    // Anything: for some of the positions any move, and numbers that may fall.
                    let mine = worths.keys().filter(|state| graph.turn(state) == side);
                    let entry = |state: &u8| {
                        let mv = dice.below(graph.moves(state).count()) as u32;
                        let left = dice.below(6) as u32;
                        (proof_key(graph.pack(state), 0), Entry { at_least, mv, left })
                    };
                    let mut all: Vec<_> = mine.map(entry).collect();
                    all.sort_unstable_by_key(|(key, _)| *key);
                    for _ in 0..8 {
                        write(&graph, "game", contents(vec![claim]), &all, &place.0).unwrap();
                        let verdict = verdict(&graph, &place.0, &root);
                        if matches!(verdict, Checked::Proven { .. }) {
                            assert!(at_least <= most, "{seed} {claim:?} {all:?}");
                            accepted[usize::from(claim.has_to_end())] += 1;
                            break;
                        }
                        // What the proof does not need is taken out, and it is tried again.
                        let Checked::Flawed { position, .. } = verdict else { break };
                        let Some(key) = position.strip_prefix("key ") else { break };
                        all.retain(|(other, _)| other.to_string() != key);
                    }
                }
            }
        }
        assert!(accepted.iter().all(|count| *count > 20), "{accepted:?}");
    }

    /// A claim so large that bounds on the way would go round is refused, whatever is banked.
    #[test]
    fn claims_that_no_game_has_are_refused() {
        let place = Place::new("prove-large");
        let kalah = game::<Kalah>(&[("pits", "1"), ("stones", "1")]);
        let root = kalah.parse("1 0 1 9 first").unwrap();
        let entry = |at_least| {
            let key = proof_key(kalah.pack(&kalah.reduce(&root).state), 0);
            vec![(key, Entry { at_least, mv: 0, left: 0 })]
        };
        for at_least in [i32::MAX, i32::MAX - 5, i32::MIN] {
            for first in [true, false] {
                let claims = contents(vec![Claim { first, at_least }]);
                write(&kalah, "game", claims, &entry(-1000), &place.0).unwrap();
                let table = Table::open(&place.0).unwrap();
                let checked = check(&kalah, &table, &root, 1 << 20, &|_| true);
                assert!(!matches!(checked, Ok(Checked::Proven { .. })), "{at_least} {checked:?}");
            }
        }
    }

    /// Every byte of a proof that is changed, and every length that it is cut to, is seen.
    #[test]
    fn no_damage_goes_unseen() {
        let place = Place::new("prove-damage");
        let fox = game::<FoxAndHounds>(&[("size", "4")]);
        let worths = ByReference(reference::worths(&fox, &fox.start()), false);
        let value = worths.0[&fox.start()].value();
        let claims = super::claims(value, Value(-1), Side::First);
        let mut oracle = (&fox, &worths);
        let control = Control::default();
        let start = fox.start();
        prove(&fox, "game", &start, contents(claims), &mut oracle, &place.0, &control).unwrap();
        let bytes = std::fs::read(&place.0).unwrap();
        let read = |bytes: Vec<u8>| -> bool {
            let Ok(table) = Table::read(Bytes(bytes)) else { return false };
            let checked = || {
                table.proves(&fox, "game")?;
                check(&fox, &table, &start, 1 << 30, &|_| true)
            };
            matches!(checked(), Ok(Checked::Proven { .. }))
        };
        assert!(read(bytes.clone()));
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut other = bytes.clone();
                other[at] ^= 1 << bit;
                assert!(!read(other), "bit {bit} of byte {at}");
            }
            assert!(!read(bytes[..at].to_vec()), "cut to {at} bytes");
        }
        // Other rules.
        let other = game::<FoxAndHounds>(&[("size", "4"), ("stuck", "lose")]);
        assert!(Table::open(&place.0).unwrap().proves(&other, "game").is_err());
    }
}
