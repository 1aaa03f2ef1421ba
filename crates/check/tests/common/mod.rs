//! Tables made by the plain rules, true or false as a test wants them.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::path::Path;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use foregone_check::{Effort, Finding, Sharing, Verdict, dense, keyed, plain};
use foregone_record::Error;
use foregone_record::disk::Disk;
use foregone_record::format::{fingerprint, fingerprint_keyed};
use foregone_record::write::Target;
pub use foregone_record::{Table, TableWriter, Values};
use foregone_rules::Measure;
use foregone_rules::{Bank, Encode, Game, Indexed, NoBank, Value, Worth};

pub mod games {
    use foregone_rules::games::{Kalah, Mnk, Nim, ThreeMensMorris};
    use foregone_trial::game;

    pub fn nim(heaps: &str) -> Nim {
        game(&[("heaps", heaps)])
    }

    pub fn tic_tac_toe() -> Mnk {
        game(&[])
    }

    pub fn morris() -> ThreeMensMorris {
        game(&[])
    }

    pub fn kalah(pits: &str, stones: &str) -> Kalah {
        game(&[("pits", pits), ("stones", stones)])
    }
}

/// What a position is worth by the plain rules, if play cannot loop.
pub fn derived<G: Game>(game: &G, state: &G::State, known: &mut HashMap<G::State, Worth>) -> Worth {
    if let Some(worth) = known.get(state) {
        return *worth;
    }
    let mover = game.turn(state);
    let worth = match game.outcome(state) {
        Some(outcome) => Worth::finished(outcome, mover),
        None => {
            let children = game.moves(state).map(|mv| game.play(state, mv)).collect::<Vec<_>>();
            let worth =
                |child: &G::State| derived(game, child, known).backed_up(game.turn(child), mover);
            children.iter().map(worth).max_by_key(|worth| worth.key(endless(game, state))).unwrap()
        }
    };
    known.insert(*state, worth);
    worth
}

/// What endless play is worth to the mover.
pub fn endless<G: Game>(game: &G, state: &G::State) -> Value {
    game.endless(state).value_for(game.turn(state))
}

/// What positions, and all that can arise from them, are worth, in any game: as in play that is broken
/// off after more and more plies, until nothing changes. Endless play has to be worth the same
/// everywhere.
pub fn reference<G: Game>(
    game: &G,
    states: impl IntoIterator<Item = G::State>,
) -> HashMap<G::State, Worth> {
    let judge = |state: &G::State| match game.outcome(state) {
        Some(outcome) => Worth::finished(outcome, game.turn(state)),
        None => Worth::endless(endless(game, state)),
    };
    let mut open: Vec<_> = states.into_iter().collect();
    let mut worths: HashMap<_, _> = open.iter().map(|state| (*state, judge(state))).collect();
    while let Some(state) = open.pop() {
        if game.outcome(&state).is_none() {
            for child in game.moves(&state).map(|mv| game.play(&state, mv)) {
                if let Entry::Vacant(new) = worths.entry(child) {
                    new.insert(judge(&child));
                    open.push(child);
                }
            }
        }
    }
    loop {
        let best = |(state, worth): (&G::State, &Worth)| {
            let reached =
                |child: G::State| worths[&child].backed_up(game.turn(&child), game.turn(state));
            let best = match game.outcome(state) {
                Some(_) => None,
                None => {
                    let moves = game.moves(state).map(|mv| reached(game.play(state, mv)));
                    moves.max_by_key(|worth| worth.key(endless(game, state)))
                }
            };
            (*state, best.unwrap_or(*worth))
        };
        let next: HashMap<_, _> = worths.iter().map(best).collect();
        if next == worths {
            return worths;
        }
        worths = next;
    }
}

/// A table in memory: by layer and number, a position and its worth.
#[derive(Clone)]
pub struct Dense<S> {
    pub values: Values,
    pub layers: Vec<Vec<Option<(S, Worth)>>>,
}

impl<S: Copy> Dense<S> {
    pub fn positions(&self) -> u64 {
        self.layers.iter().flatten().flatten().count() as u64
    }

    pub fn entries_mut(&mut self) -> impl Iterator<Item = (S, &mut Worth)> {
        let all = self.layers.iter_mut().flatten().flatten();
        all.map(|(state, worth)| (*state, worth))
    }
}

/// The true table of a game that numbers its positions.
pub fn table_of<G: Indexed>(game: &G, values: Values) -> Dense<G::State> {
    let states = |layer| (0..game.size(layer)).map(move |index| game.state(layer, index));
    let layers: Vec<Vec<_>> = (0..game.layers()).map(|layer| states(layer).collect()).collect();
    let worths = reference(game, layers.iter().flatten().flatten().copied());
    let said = |state: Option<G::State>| {
        state.map(|state| {
            (state, values.keep(worths[&state], endless(game, &G::Bank::unbanked(game, &state))))
        })
    };
    let layers = layers.into_iter().map(|layer| layer.into_iter().map(said).collect()).collect();
    Dense { values, layers }
}

/// Writes a table, whatever it says.
pub fn write_dense<G: Indexed>(game: &G, name: &str, table: &Dense<G::State>, file: &Path) {
    let mut writer =
        TableWriter::open(Target::on(Disk::hasty(), file), name, fingerprint(game), table.values)
            .unwrap();
    for (number, layer) in (0..).zip(&table.layers) {
        let worth = |index: u64| layer[index as usize].map(|(_, worth)| worth);
        writer.write_layer_by(number, layer.len() as u64, 1, &worth).unwrap();
    }
    writer.finish(table.layers.len() as u32).unwrap();
}

/// The true table of a game that lists its positions by keys: key and worth.
pub fn keyed_table_of<G>(game: &G, values: Values) -> Vec<(u128, Worth)>
where
    G: Encode<Bank = NoBank>,
{
    let worths = reference(game, [game.start()]);
    let said = |(state, worth): (&G::State, &Worth)| {
        (game.encode(&game.representative(state)), values.keep(*worth, endless(game, state)))
    };
    let table: std::collections::BTreeMap<_, _> = worths.iter().map(said).collect();
    table.into_iter().collect()
}

/// Writes a table of keys, whatever it says.
pub fn write_keyed<G: Encode>(
    game: &G,
    name: &str,
    values: Values,
    table: &[(u128, Worth)],
    file: &Path,
) {
    let mut writer =
        TableWriter::open(Target::on(Disk::hasty(), file), name, fingerprint_keyed(game), values)
            .unwrap();
    let worth = |number: u64| Some(table[number as usize].1);
    writer.write_layer_by(0, table.len() as u64, 1, &worth).unwrap();
    writer.write_keys(table.iter().map(|(key, _)| *key)).unwrap();
    writer.finish(1).unwrap();
}

/// The verdict on a table of numbers: the same merged and plain, unless it is false of a position that
/// cannot arise.
pub fn dense_verdict<G: Indexed>(
    game: &G,
    measure: Option<Measure<G>>,
    file: &Path,
) -> Verdict<G::State> {
    let (table, effort) = (Table::open(file).unwrap(), Effort::default());
    let verdict = dense::check(game, &table, measure, effort, &|_| true).unwrap();
    let plainly = plain::check_dense(game, &table, measure, effort, &|_| true).unwrap();
    match &verdict {
        Verdict::Right(_) => assert!(plainly.is_right()),
        Verdict::Unshown(_) => assert!(matches!(plainly, Verdict::Unshown(_))),
        Verdict::False(_) => {}
    }
    for shared in shared_verdicts(game, measure, &table, 3) {
        assert_eq!(shared, verdict);
    }
    verdict
}

/// The verdicts of several checkers that share a table.
pub fn shared_verdicts<G: Indexed>(
    game: &G,
    measure: Option<Measure<G>>,
    table: &Table,
    checkers: usize,
) -> Vec<Verdict<G::State>> {
    let all = checked_by_many(game, measure, table, checkers);
    all.into_iter().map(Result::unwrap).collect()
}

/// What becomes of several checkers that share a table.
pub fn checked_by_many<G: Indexed>(
    game: &G,
    measure: Option<Measure<G>>,
    table: &Table,
    checkers: usize,
) -> Vec<Result<Verdict<G::State>, Error>> {
    let round = Round::default();
    std::thread::scope(|scope| {
        let checker = |me| {
            let sharing = Sharer { me, of: checkers, round: &round };
            scope.spawn(move || {
                let effort = Effort::default();
                dense::check_shared(game, table, measure, effort, &sharing, &|_| true)
            })
        };
        let all: Vec<_> = (0..checkers).map(checker).collect();
        all.into_iter().map(|checker| checker.join().unwrap()).collect()
    })
}

/// What checkers have found in each layer, and how many have reported.
#[derive(Default)]
struct Round {
    found: Mutex<Vec<(usize, Finding)>>,
    told: Condvar,
}

struct Sharer<'a> {
    me: usize,
    of: usize,
    round: &'a Round,
}

impl Sharing for Sharer<'_> {
    /// The shares are not even.
    fn share(&self, size: u64) -> Range<u64> {
        let (all, me) = (self.of * (self.of + 1) / 2, self.me);
        let begin = |of: usize| size * (of * (of + 1) / 2) as u64 / all as u64;
        begin(me)..begin(me + 1)
    }

    fn leads(&self, layer: u32) -> bool {
        layer as usize % self.of == self.me
    }

    fn joined(&self, layer: u32, own: Finding) -> std::io::Result<Finding> {
        let layer = layer as usize;
        let mut found = self.round.found.lock().unwrap();
        let layers = found.len().max(layer + 1);
        found.resize_with(layers, Default::default);
        let (count, sum) = &mut found[layer];
        (*count, *sum) = (*count + 1, sum.and(own));
        self.round.told.notify_all();
        let (found, waited) = self
            .round
            .told
            .wait_timeout_while(found, Duration::from_secs(60), |found| found[layer].0 < self.of)
            .unwrap();
        assert!(!waited.timed_out(), "a checker does not come");
        Ok(found[layer].1)
    }
}

/// The verdict on a table of keys, the same merged and plain.
pub fn keyed_verdict<G: Encode<Bank = NoBank>>(
    game: &G,
    measure: Option<Measure<G>>,
    file: &Path,
) -> Verdict<G::State> {
    let (table, effort) = (Table::open(file).unwrap(), Effort::default());
    let verdict = keyed::check(game, &table, measure, effort, &|_| true).unwrap();
    let plainly = plain::check_keyed(game, &table, measure, effort, &|_| true).unwrap();
    assert_eq!(verdict.is_right(), plainly.is_right(), "{verdict:?} {plainly:?}");
    verdict
}

/// The bytes of a file with another manifest, and right checksums.
pub fn with_manifest(file: &Path, change: impl FnOnce(&mut foregone_record::Manifest)) -> Vec<u8> {
    let bytes = std::fs::read(file).unwrap();
    let mut manifest = Table::open(file).unwrap().manifest().clone();
    let head = *bytes.first_chunk().unwrap();
    let end = foregone_record::format::Head::decode(&head).unwrap().offset;
    change(&mut manifest);
    let text = serde_json::to_vec(&manifest).unwrap();
    let head = foregone_record::format::Head::of(end, &text).encode();
    [&head, &bytes[head.len()..end as usize], &text].concat()
}
