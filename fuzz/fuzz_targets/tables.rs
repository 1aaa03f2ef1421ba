//! Tables of right form and right checksums, whatever they say, of four games, in all kinds of values,
//! by numbers and by keys: those that are accepted have to be true of every position that can arise.
//! Some say anything; some are true but for a few entries.
//!
//! `cargo fuzz run tables`

#![no_main]

use std::collections::HashMap;
use std::sync::LazyLock;

use arbitrary::Arbitrary;
use foregone_check::{Effort, Verdict, dense, keyed, plain};
use foregone_fuzz::{file, game, worths};
use foregone_record::Table;
use foregone_record::format::{Values, fingerprint, fingerprint_keyed};
use foregone_record::read::Bytes;
use foregone_rules::family::Family;
use foregone_rules::games::{Kalah, Mnk, Nim, ThreeMensMorris};
use foregone_rules::{Acyclic, Distance, Encode, Indexed, Measure, NoBank, Symmetry, Value, Worth};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    game: u8,
    values: u8,
    by_keys: bool,
    /// Whether all other entries are true, or agree with nothing.
    others_true: bool,
    edits: Vec<(u16, i8, u8)>,
}

/// A game with what its positions are worth, and the true tables in all kinds of values.
struct Known<G: Family + Indexed> {
    game: G,
    measure: Option<Measure<G>>,
    worths: HashMap<G::State, Worth>,
    dense: Vec<(Values, Vec<Vec<Option<Worth>>>)>,
}

const MAX: u64 = 8_192;

impl<G: Family + Indexed> Known<G> {
    fn new(given: &[(&str, &str)], measure: Option<Measure<G>>) -> Known<G> {
        let game: G = game(given);
        let worths = worths(&game);
        let dense = Values::ALL.map(|(_, values)| (values, dense_table(&game, values)));
        Known { game, measure, worths, dense: dense.into() }
    }

    /// Checks a table with edited entries.
    fn check_dense(&self, input: &Input) {
        let (values, table) = &self.dense[usize::from(input.values) % self.dense.len()];
        let mut layers = table.clone();
        let places: Vec<(usize, usize)> = (0..layers.len())
            .flat_map(|layer| (0..layers[layer].len()).map(move |index| (layer, index)))
            .collect();
        if !input.others_true {
            layers.iter_mut().flatten().flatten().for_each(|worth| *worth = any(*values, 0, 0));
        }
        for (place, value, plies) in &input.edits {
            let (layer, index) = places[usize::from(*place) % places.len()];
            layers[layer][index] = Some(any(*values, *value, *plies));
        }
        let print = fingerprint(&self.game);
        let bytes = file(&self.game, print, *values, &layers, None, None);
        let Ok(table) = Table::read(Bytes(bytes)) else { return };
        let effort = Effort { memory: 1 << 24, ..Effort::default() };
        let verdict = dense::check(&self.game, &table, self.measure, effort, &|_| true);
        let plainly = plain::check_dense(&self.game, &table, self.measure, effort, &|_| true);
        let accepted = [verdict, plainly].map(|verdict| matches!(verdict, Ok(Verdict::Right(_))));
        if accepted.contains(&true) {
            for (state, worth) in &self.worths {
                let found = table.probe(&self.game, state).unwrap().expect("an entry");
                assert_eq!(
                    found.value(),
                    values.keep(*worth, Value(0)).value(),
                    "{state:?} {input:?}"
                );
                if *values == Values::ScoreDistance {
                    assert_eq!(found, *worth, "{state:?} {input:?}");
                }
            }
        }
    }
}

impl<G: Family + Indexed + Encode<Bank = NoBank>> Known<G> {
    fn check_keyed(&self, input: &Input) {
        let (values, _) = self.dense[usize::from(input.values) % self.dense.len()];
        let key = |state: &G::State| self.game.encode(&self.game.representative(state));
        let said =
            |(state, worth): (&G::State, &Worth)| (key(state), values.keep(*worth, Value(0)));
        let mut table: Vec<_> = self.worths.iter().map(said).collect();
        table.sort_unstable_by_key(|(key, _)| *key);
        table.dedup_by_key(|(key, _)| *key);
        if table.len() as u64 > MAX / 4 {
            return;
        }
        if values == Values::ScoreRank {
            // The longest way is a rank.
            table.iter_mut().for_each(|(_, worth)| *worth = values.keep(*worth, Value(0)));
        }
        for (place, value, plies) in &input.edits {
            let at = usize::from(*place) % table.len();
            table[at].1 = any(values, *value, *plies);
        }
        let keys: Vec<_> = table.iter().map(|(key, _)| *key).collect();
        let cells = vec![table.iter().map(|(_, worth)| Some(*worth)).collect()];
        let print = fingerprint_keyed(&self.game);
        let bytes = file(&self.game, print, values, &cells, Some(&keys), None);
        let Ok(table) = Table::read(Bytes(bytes)) else { return };
        let effort = Effort { memory: 1 << 24, ..Effort::default() };
        let verdict = keyed::check(&self.game, &table, self.measure, effort, &|_| true);
        if matches!(verdict, Ok(Verdict::Right(_))) {
            for (state, worth) in &self.worths {
                let found = table.find(&self.game, state).unwrap().expect("an entry");
                assert_eq!(
                    found.value(),
                    values.keep(*worth, Value(0)).value(),
                    "{state:?} {input:?}"
                );
                if values == Values::ScoreDistance {
                    assert_eq!(found, *worth, "{state:?} {input:?}");
                }
            }
        }
    }
}

/// Some worth that a table of this kind may hold.
fn any(values: Values, value: i8, plies: u8) -> Worth {
    match (values, plies) {
        (Values::ScoreDistance, u8::MAX) => Worth::endless(Value(0)),
        _ => values
            .keep(Worth::new(Value((value % 8).into()), Distance::Plies(plies.into())), Value(0)),
    }
}

/// The true table by numbers; distances stand for ranks, which fall along the same moves in games
/// without banked points.
fn dense_table<G: Indexed>(game: &G, values: Values) -> Vec<Vec<Option<Worth>>> {
    let layer = |layer| -> Vec<Option<Worth>> {
        assert!(game.size(layer) <= 5 * MAX);
        let state = |index| game.state(layer, index);
        let worth = |state: G::State| {
            let worth = foregone::reference::worths(game, &state)[&state];
            values.keep(worth, Value(0))
        };
        (0..game.size(layer)).map(|index| state(index).map(worth)).collect()
    };
    (0..game.layers()).map(layer).collect()
}

struct Games {
    lines: Known<Mnk>,
    nim: Known<Nim>,
    kalah: Known<Kalah>,
    morris: HashMap<<ThreeMensMorris as foregone_rules::Game>::State, Worth>,
}

static GAMES: LazyLock<Games> = LazyLock::new(|| {
    let size = [("columns", "3"), ("rows", "2"), ("line", "2")];
    let games = Games {
        lines: Known::new(&size, Some(Mnk::progress)),
        nim: Known::new(&[("heaps", "1-2-3")], Some(Nim::progress)),
        kalah: Known::new(&[("pits", "2"), ("stones", "1")], Some(Kalah::progress)),
        morris: worths(&game::<ThreeMensMorris>(&[])),
    };
    // Refusing everything is no checker.
    let input = Input { game: 0, values: 2, by_keys: false, others_true: true, edits: Vec::new() };
    let (values, table) = &games.lines.dense[2];
    let lines = &games.lines.game;
    let bytes = file(lines, fingerprint(lines), *values, table, None, None);
    let table = Table::read(Bytes(bytes)).unwrap();
    let verdict = dense::check(lines, &table, games.lines.measure, Effort::default(), &|_| true);
    assert!(matches!(verdict, Ok(Verdict::Right(_))), "{verdict:?} {input:?}");
    games
});

/// A keyed table of three men's morris, which loops: true but for the edits.
fn check_morris(
    worths: &HashMap<<ThreeMensMorris as foregone_rules::Game>::State, Worth>,
    input: &Input,
) {
    let game: ThreeMensMorris = game(&[]);
    let values = Values::ALL[usize::from(input.values) % 4].1;
    let said = |(state, worth): (&_, &Worth)| {
        (game.encode(&game.representative(state)), values.keep(*worth, Value(0)))
    };
    let mut table: Vec<_> = worths.iter().map(said).collect();
    table.sort_unstable_by_key(|(key, _)| *key);
    table.dedup_by_key(|(key, _)| *key);
    for (place, value, plies) in &input.edits {
        let at = usize::from(*place) % table.len();
        table[at].1 = any(values, value % 2, *plies);
    }
    let keys: Vec<_> = table.iter().map(|(key, _)| *key).collect();
    assert!(keys.len() <= 2048, "one block");
    let cells = vec![table.iter().map(|(_, worth)| Some(*worth)).collect()];
    let bytes = file(&game, fingerprint_keyed(&game), values, &cells, Some(&keys), None);
    let Ok(table) = Table::read(Bytes(bytes)) else { return };
    let effort = Effort { memory: 1 << 24, ..Effort::default() };
    let verdict = keyed::check(&game, &table, None, effort, &|_| true);
    if matches!(verdict, Ok(Verdict::Right(_))) {
        for (state, worth) in worths {
            let found = table.find(&game, state).unwrap().expect("an entry");
            assert_eq!(found.value(), values.keep(*worth, Value(0)).value(), "{state:?} {input:?}");
            if values == Values::ScoreDistance {
                assert_eq!(found, *worth, "{state:?} {input:?}");
            }
        }
    }
}

fuzz_target!(|input: Input| {
    let Games { lines, nim, kalah, morris } = &*GAMES;
    match (input.game % 4, input.by_keys) {
        (0, false) => lines.check_dense(&input),
        (0, true) => lines.check_keyed(&input),
        (1, false) => nim.check_dense(&input),
        (1, true) => nim.check_keyed(&input),
        (2, _) => kalah.check_dense(&input),
        _ => check_morris(morris, &input),
    }
});
