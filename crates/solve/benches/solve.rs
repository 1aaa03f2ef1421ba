//! How fast the solvers are; each benchmark asserts its answer. `cargo bench -p foregone`.
//!
//! docs/performance.md has the figures and what they are held against.

#![allow(missing_docs)]

use std::path::PathBuf;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use foregone::check::proofs::ProofVerdict;
use foregone::exact::Options;
use foregone::games::{
    ConnectFour, FoxAndHounds, Kalah, Mnk, NineMensMorris, QuantumTicTacToe, ThreeMensMorris,
};
use foregone::record::{Table, Values};
use foregone::tables::{self, Plan, Subject, Technique};
use foregone::{
    Algorithm, Args, Control, Distance, Exact, Family, Found, Game, Registry, Search, Session,
    Strong, Value, Worth,
    promise::{Indexed, SearchHints},
    walk,
};

fn main() {
    divan::main();
}

fn game<F: Family>(given: &[(&str, &str)]) -> F {
    F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
}

/// The whole tree of tic-tac-toe through the generic trait: no pruning, no memory.
#[divan::bench]
fn whole_tree_of_tic_tac_toe(bencher: Bencher) {
    let game = Mnk::tic_tac_toe();
    bencher.counter(ItemsCount::new(549_946u64)).bench_local(|| {
        assert_eq!(walk::value(black_box(&game), &game.start()), (Value(0), 549_946));
    });
}

/// Distances as well, by the searches that also take a depth and a memory.
#[divan::bench(args = [Algorithm::Minimax, Algorithm::Negamax, Algorithm::AlphaBeta])]
fn tic_tac_toe_by(bencher: Bencher, algorithm: Algorithm) {
    let game = Mnk::tic_tac_toe();
    let nodes = if algorithm == Algorithm::AlphaBeta { 101_615 } else { 549_946u64 };
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| {
        let search = Search::new(black_box(&game), algorithm).without_loops();
        let seen = search.run(&game.start(), &Control::default());
        let draw = Worth::new(Value(0), Distance::Plies(9));
        assert_eq!((seen.found(), seen.nodes), (Some(Found::Proven(draw)), nodes));
    });
}

/// Strong solving from the seven items alone: every position, value and distance.
fn strong<G: Game>(bencher: Bencher, game: G, positions: u64, value: i32, plies: u32) {
    bencher.counter(ItemsCount::new(positions)).bench_local(|| {
        let strong = Strong::solve(black_box(&game), &Control::default()).unwrap();
        let worth = Worth::new(Value(value), Distance::Plies(plies));
        assert_eq!((strong.positions(), strong.worth(&game.start())), (positions, Some(worth)));
    });
}

#[divan::bench]
fn strong_tic_tac_toe(bencher: Bencher) {
    strong(bencher, Mnk::tic_tac_toe(), 5_478, 0, 9);
}

#[divan::bench(max_time = 5)]
fn strong_fox_and_hounds_8x8(bencher: Bencher) {
    strong(bencher, game::<FoxAndHounds>(&[]), 895_094, -1, 44);
}

/// With hounds that pass the game loops.
#[divan::bench(max_time = 5)]
fn strong_fox_and_hounds_8x8_passing(bencher: Bencher) {
    strong(bencher, game::<FoxAndHounds>(&[("stuck", "pass")]), 896_754, -1, 44);
}

#[divan::bench(max_time = 8)]
fn strong_connect_four_5x4(bencher: Bencher) {
    let game = game::<ConnectFour>(&[("columns", "5"), ("rows", "4")]);
    strong(bencher, game, 3_945_711, 0, 20);
}

#[divan::bench(max_time = 5)]
fn strong_connect_four_4x5(bencher: Bencher) {
    let game = game::<ConnectFour>(&[("columns", "4"), ("rows", "5")]);
    strong(bencher, game, 1_706_255, 0, 20);
}

/// Positions come up at different plies: they are sorted first.
#[divan::bench(max_time = 5)]
fn strong_kalah_4_2(bencher: Bencher) {
    strong(bencher, game::<Kalah>(&[("pits", "4"), ("stones", "2")]), 217_508, 6, 10);
}

#[divan::bench]
fn strong_three_mens_morris(bencher: Bencher) {
    strong(bencher, game::<ThreeMensMorris>(&[]), 5_390, 1, 9);
}

/// Exact values by null-window search, all tables empty; the count of nodes is part of the answer,
/// so that a search that got worse shows on a noisy machine too.
fn exact<F: Family + SearchHints>(
    bencher: Bencher,
    given: &[(&str, &str)],
    value: i32,
    nodes: u64,
) {
    let game = game::<F>(given);
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| {
        let control = Control::default().with_memory(256 << 20);
        let mut exact = Exact::new(black_box(&game), &control).unwrap();
        assert_eq!((exact.value(&game.start()), exact.nodes()), (Ok(Value(value)), nodes));
    });
}

fn exact_connect_four(bencher: Bencher, size: [&str; 2], value: i32, nodes: u64) {
    let given = [("columns", size[0]), ("rows", size[1]), ("score", "stones")];
    exact::<ConnectFour>(bencher, &given, value, nodes);
}

#[divan::bench(max_time = 3)]
fn exact_connect_four_6x5(bencher: Bencher) {
    exact_connect_four(bencher, ["6", "5"], 0, 1_574_920);
}

#[divan::bench(max_time = 8)]
fn exact_connect_four_7x5(bencher: Bencher) {
    exact_connect_four(bencher, ["7", "5"], 0, 16_396_197);
}

#[divan::bench(max_time = 15)]
fn exact_connect_four_6x6(bencher: Bencher) {
    exact_connect_four(bencher, ["6", "6"], -1, 45_915_721);
}

fn exact_kalah(bencher: Bencher, size: [&str; 2], capture: &str, value: i32, nodes: u64) {
    let game = game::<Kalah>(&[("pits", size[0]), ("stones", size[1]), ("capture", capture)]);
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| {
        let control = Control::default().with_memory(256 << 20);
        let exact = Exact::with_endgame(black_box(&game), &control, Options::default());
        let mut exact = exact.unwrap();
        assert_eq!((exact.value(&game.start()), exact.nodes()), (Ok(Value(value)), nodes));
    });
}

#[divan::bench(max_time = 4)]
fn exact_kalah_6_3(bencher: Bencher) {
    exact_kalah(bencher, ["6", "3"], "always", 2, 422_648);
}

#[divan::bench(max_time = 4)]
fn exact_kalah_6_3_nonempty(bencher: Bencher) {
    exact_kalah(bencher, ["6", "3"], "nonempty", 2, 2_046_420);
}

#[divan::bench(max_time = 4)]
fn exact_kalah_5_4(bencher: Bencher) {
    exact_kalah(bencher, ["5", "4"], "always", 12, 287_119);
}

#[divan::bench(max_time = 4)]
fn exact_kalah_5_4_nonempty(bencher: Bencher) {
    exact_kalah(bencher, ["5", "4"], "nonempty", 10, 363_549);
}

#[divan::bench(max_time = 3)]
fn exact_quantum_tic_tac_toe(bencher: Bencher) {
    exact::<QuantumTicTacToe>(bencher, &[], 1, 819_965);
}

#[divan::bench(max_time = 3)]
fn exact_fox_and_hounds_8x8(bencher: Bencher) {
    exact::<FoxAndHounds>(bencher, &[], -1, 85_070);
}

/// Draws; the board by its columns and rows, four in a row.
fn exact_mnk(bencher: Bencher, size: [&str; 2], nodes: u64) {
    let given = [("columns", size[0]), ("rows", size[1]), ("line", "4")];
    exact::<Mnk>(bencher, &given, 0, nodes);
}

#[divan::bench(max_time = 3)]
fn exact_mnk_4x4x4(bencher: Bencher) {
    exact_mnk(bencher, ["4", "4"], 27_771);
}

#[divan::bench(max_time = 3)]
fn exact_mnk_5x4x4(bencher: Bencher) {
    exact_mnk(bencher, ["5", "4"], 772_338);
}

#[divan::bench(max_time = 8)]
fn exact_mnk_5x5x4(bencher: Bencher) {
    exact_mnk(bencher, ["5", "5"], 11_680_206);
}

/// A table of `layers` layers, in a temporary folder.
struct Built(PathBuf);

impl Built {
    fn new<G: Indexed>(
        name: &str,
        game: &G,
        how: &Technique<G>,
        layers: u32,
        values: Values,
    ) -> Built {
        let folder = format!("foregone-bench-{name}-{}", std::process::id());
        let built = Built(std::env::temp_dir().join(folder));
        std::fs::create_dir_all(&built.0).unwrap();
        let plan = Plan { values, layers: Some(layers), threads: 1, all: false };
        let control = Control::default();
        tables::build(
            Subject::new(game, name),
            how,
            &built.file(),
            &plan,
            &control,
            &mut |_, _| {},
        )
        .unwrap();
        built
    }

    fn file(&self) -> PathBuf {
        self.0.join("table")
    }

    fn numbers(&self) -> u64 {
        let table = Table::open(&self.file()).unwrap();
        table.manifest().layers.iter().map(|layer| layer.size).sum()
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[divan::bench(max_time = 5)]
fn table_of_fox_and_hounds_8x8(bencher: Bencher) {
    let game = game::<FoxAndHounds>(&[]);
    bencher.counter(ItemsCount::new(2_301_440u64)).bench_local(|| {
        let built = Built::new("fox", &game, &Technique::banded(true), 99, Values::ScoreDistance);
        assert_eq!(built.numbers(), 2_301_440);
    });
}

#[divan::bench(max_time = 5)]
fn table_of_kalah_to_14_stones(bencher: Bencher) {
    bencher.counter(ItemsCount::new(9_657_700u64)).bench_local(|| {
        // A game anew each time, as it makes its numbers when first asked.
        let game = game::<Kalah>(&[]);
        let built = Built::new("kalah", &game, &Technique::banded(true), 15, Values::Score);
        assert_eq!(built.numbers(), 9_657_700);
    });
}

#[divan::bench(max_time = 5)]
fn table_of_nine_mens_morris_to_three_against_three(bencher: Bencher) {
    let game = game::<NineMensMorris>(&[]);
    bencher.counter(ItemsCount::new(311_133u64)).bench_local(|| {
        let built =
            Built::new("morris", &game, &Technique::plain(false), 10, Values::ScoreDistance);
        assert_eq!(built.numbers(), 311_133);
    });
}

/// A look-up in a block that is kept.
#[divan::bench]
fn probe_of_a_warm_block(bencher: Bencher) {
    let game = game::<Kalah>(&[]);
    let built = Built::new("probe", &game, &Technique::banded(true), 13, Values::Score);
    let table = Table::open(&built.file()).unwrap();
    let state = game.state(12, 123_456).unwrap();
    bencher.bench_local(|| {
        let found = table.probe(&game, black_box(&state)).unwrap();
        assert_eq!(found.map(Worth::value), Some(Value(-4)));
    });
}

/// Writes a proof of what the start is worth into a folder of its own, and gives that and the session.
fn proven(name: &str, entries: u64) -> (Box<dyn Session>, Built) {
    let folder = format!("foregone-bench-proof-{}", std::process::id());
    let built = Built(std::env::temp_dir().join(folder));
    std::fs::create_dir_all(&built.0).unwrap();
    let session = Registry::standard().game(name).unwrap().session();
    let (_, size) = session.prove(&built.file(), Vec::new(), &Control::default()).unwrap();
    assert_eq!(size.entries, entries);
    (session, built)
}

#[divan::bench(max_time = 3)]
fn proof_of_fox_and_hounds_8x8(bencher: Bencher) {
    bencher.bench_local(|| proven("fox-and-hounds", 627));
}

#[divan::bench(max_time = 5)]
fn proof_of_connect_four_5x5(bencher: Bencher) {
    bencher.bench_local(|| proven("connect-four(columns=5,rows=5)", 87_586));
}

fn check_of_proof(bencher: Bencher, name: &str, entries: u64, gone_through: u64) {
    let (session, built) = proven(name, entries);
    bencher.counter(ItemsCount::new(gone_through)).bench_local(|| {
        let table = Table::open(&built.file()).unwrap();
        let checked = session.check(&table, &Control::default()).unwrap();
        assert_eq!(checked, ProofVerdict::Proven { entries, positions: gone_through });
    });
}

#[divan::bench(max_time = 3)]
fn check_of_connect_four_5x5(bencher: Bencher) {
    check_of_proof(bencher, "connect-four(columns=5,rows=5)", 87_586, 216_124);
}

#[divan::bench(max_time = 3)]
fn check_of_kalah_4_4(bencher: Bencher) {
    check_of_proof(bencher, "kalah(pits=4,stones=4)", 24_773, 68_122);
}
