use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone_check::{Effort, Fault, Flaw, Verdict, dense, keyed, plain};
use foregone_record::disk::Disk;
use foregone_record::format::fingerprint;
use foregone_record::write::Target;
use foregone_record::{Listed, Table, TableWriter};
use foregone_rules::games::{
    Awari, ConnectFour, DotsAndBoxes, FoxAndHounds, Hex, Kalah, Mnk, Nim, Reversi, ThreeMensMorris,
};
use foregone_rules::{Acyclic, Banded, Encode, Game, Indexed, Measure, NoBank, Side, Value, Worth};
use foregone_trial::{Domineering, Folder, Graph, Hoard, game};

use super::*;
use crate::control::{Control, Progress};
use crate::reference;

/// A file that need not outlive a crash.
fn hasty(file: &Path) -> Target {
    Target::on(Disk::hasty(), file)
}

fn plan(values: Values, threads: usize) -> Plan {
    Plan { values, layers: None, threads, all: false }
}

/// Builds with one thread and with several, checks that they are the same, that the table holds
/// what the reference says of every position, and that it can be derived again.
fn check<G: Indexed>(game: &G, measure: Option<Measure<G>>, values: Values, name: &str) {
    check_ways(game, &[Technique::plain(measure.is_some())], measure, values, name);
}

/// Also band by band.
fn check_bands<G: Banded>(game: &G, measure: Option<Measure<G>>, values: Values, name: &str) {
    let ranked = measure.is_some();
    let ways = [Technique::plain(ranked), Technique::banded(ranked)];
    check_ways(game, &ways, measure, values, name);
}

fn check_ways<G: Indexed>(
    game: &G,
    ways: &[Technique<G>],
    measure: Option<Measure<G>>,
    values: Values,
    name: &str,
) {
    let place = Folder::new();
    let control = Control::default();
    let mut bytes = Vec::new();
    let file = place.file("table");
    for (how, threads) in ways.iter().flat_map(|how| [(how, 1), (how, 3)]) {
        let plan = plan(values, threads);
        build(Subject::new(game, name), how, hasty(&file), &plan, &control, &mut |_, _| {})
            .unwrap();
        bytes.push(std::fs::read(&file).unwrap());
    }
    let same = bytes.iter().all(|other| *other == bytes[0]);
    assert!(same, "the same whichever way, whatever the threads");
    let table = Table::open(&place.file("table")).unwrap();
    table.is_of(game, name).unwrap();
    let worths = reference::worths(game, &game.start());
    for (state, worth) in &worths {
        let found = table.probe(game, state).unwrap();
        let endless = game.endless(state).value_for(game.turn(state));
        assert_eq!(found, Some(values.keep(*worth, endless)), "{name} {state:?}");
    }
    let effort = Effort { threads: 2, memory: 1 << 12, ..Effort::default() };
    for effort in [Effort::default(), effort] {
        match dense::check(game, &table, measure, effort, &|_| true).unwrap() {
            Verdict::Right(counts) => {
                assert!(counts.total().positions() >= worths.len() as u64 / 20);
            }
            wrong => panic!("{name}: {wrong:?}"),
        }
    }
}

#[test]
fn tables_hold_what_the_reference_says() {
    for stuck in ["draw", "pass", "lose"] {
        for first in ["fox", "hounds"] {
            for size in ["4", "6"] {
                let given = [("size", size), ("stuck", stuck), ("first", first)];
                let fox = game::<FoxAndHounds>(&given);
                let name = format!("fox-{size}-{stuck}-{first}");
                check_bands(
                    &fox,
                    Acyclic::is_acyclic(&fox).then_some(FoxAndHounds::progress),
                    Values::ScoreDistance,
                    &name,
                );
            }
        }
    }
    for misere in ["false", "true"] {
        let mnk = game::<Mnk>(&[("misere", misere)]);
        check(&mnk, Some(Mnk::progress), Values::ScoreDistance, &format!("mnk-{misere}"));
    }
    for score in ["result", "stones"] {
        let size = [("columns", "4"), ("rows", "3"), ("line", "3"), ("score", score)];
        let four = game::<ConnectFour>(&size);
        check(&four, Some(ConnectFour::progress), Values::ScoreDistance, &format!("four-{score}"));
    }
    check_bands(
        &game::<FoxAndHounds>(&[("size", "4")]),
        Some(FoxAndHounds::progress),
        Values::Wdl,
        "fox-wdl",
    );
    check(&game::<ThreeMensMorris>(&[]), None, Values::ScoreDistance, "morris");
    for (columns, rows) in [("1", "1"), ("3", "1"), ("2", "2")] {
        let dots = game::<DotsAndBoxes>(&[("columns", columns), ("rows", rows)]);
        let name = format!("dots-{columns}-{rows}");
        check(&dots, Some(DotsAndBoxes::progress), Values::Score, &name);
    }
    for misere in ["false", "true"] {
        let nim = game::<Nim>(&[("misere", misere)]);
        check(&nim, Some(Nim::progress), Values::ScoreDistance, &format!("nim-{misere}"));
        check(&nim, None, Values::ScoreDistance, &format!("nim-loops-{misere}"));
    }
    for (pits, stones) in [("1", "3"), ("2", "2"), ("3", "2")] {
        for capture in ["always", "nonempty"] {
            for end in ["either", "mover"] {
                for rest in ["owner", "mover", "none"] {
                    let size = [("pits", pits), ("stones", stones), ("capture", capture)];
                    let rules = [("end", end), ("rest", rest)];
                    let kalah = game::<Kalah>(&[&size[..], &rules].concat());
                    let name = format!("kalah-{pits}-{stones}-{capture}-{end}-{rest}");
                    check_bands(&kalah, Some(Kalah::progress), Values::Score, &name);
                }
            }
        }
    }
}

/// Games that loop and bank points: values with ranks, the same at any number of threads; the checker
/// accepts them, and values are those of play that is broken off later and later. Nothing else can be
/// kept of such games.
#[test]
fn games_that_loop_and_bank_points_are_kept_with_ranks() {
    let (place, control) = (Folder::new(), Control::default());
    let file = |threads: usize| place.file(&threads.to_string());
    let (mut wins, mut looping) = (0, 0);
    for seed in 0..150 {
        let hoard = Hoard::new(seed).with_endless([0, 1, -2][seed as usize % 3]);
        let mut bytes = Vec::new();
        let file = place.file("table");
        for threads in [1, 3] {
            let plan = plan(Values::ScoreRank, threads);
            let target = hasty(&file);
            build(
                Subject::new(&hoard, "hoard"),
                &Technique::Retrograde,
                &target,
                &plan,
                &control,
                &mut |_, _| {},
            )
            .unwrap();
            bytes.push(std::fs::read(&file).unwrap());
        }
        assert!(bytes[0] == bytes[1], "the same whatever the threads");
        let table = Table::open(&file).unwrap();
        let verdict = dense::check(&hoard, &table, None, Effort::default(), &|_| true).unwrap();
        let Verdict::Right(counts) = verdict else { panic!("{seed} {verdict:?}") };
        let plainly = plain::check_dense(&hoard, &table, None, Effort::default(), &|_| true);
        assert!(plainly.unwrap().is_right(), "{seed}");
        let values = hoard.values();
        for (node, value) in (0..).zip(&values) {
            let found = table.probe(&hoard, &hoard.at(node, 0)).unwrap().unwrap();
            assert_eq!(found.value(), Value(*value), "{seed} {node}");
            looping += u32::from(found.distance().plies() > Some(1));
        }
        wins += counts.total().wins;
    }
    assert!(wins > 300 && looping > 300, "{wins} {looping}");
    for slam in ["forbidden", "void"] {
        for (pits, stones) in [("1", "6"), ("2", "2"), ("2", "3"), ("3", "1")] {
            let awari = game::<Awari>(&[("pits", pits), ("stones", stones), ("slam", slam)]);
            for threads in [1, 3] {
                let plan = plan(Values::ScoreRank, threads);
                let target = hasty(&file(threads));
                let how = Technique::Retrograde;
                build(
                    Subject::new(&awari, "awari"),
                    &how,
                    &target,
                    &plan,
                    &control,
                    &mut |_, _| {},
                )
                .unwrap();
            }
            let bytes = [1, 3].map(|threads| std::fs::read(file(threads)).unwrap());
            assert!(bytes[0] == bytes[1], "the same whatever the threads");
            let table = Table::open(&file(1)).unwrap();
            let verdict = dense::check(&awari, &table, None, Effort::default(), &|_| true).unwrap();
            assert!(verdict.is_right(), "{slam} {pits} {stones} {verdict:?}");
            let plainly = plain::check_dense(&awari, &table, None, Effort::default(), &|_| true);
            assert!(plainly.unwrap().is_right(), "{slam} {pits} {stones}");
            for (state, worth) in reference::worths(&awari, &awari.start()) {
                let found = table.probe(&awari, &state).unwrap().unwrap();
                assert_eq!(found.value(), worth.value(), "{slam} {pits} {stones} {state:?}");
            }
        }
    }
    let file = place.file("other");
    let hoard = Hoard::new(1);
    for values in [Values::Wdl, Values::Score, Values::ScoreDistance] {
        let plan = plan(values, 1);
        let refused = build(
            Subject::new(&hoard, "hoard"),
            &Technique::Retrograde,
            &file,
            &plan,
            &control,
            &mut |_, _| {},
        );
        assert!(matches!(refused, Err(Failed::Banks | Failed::Loops(Values::ScoreRank))));
    }
    // Games that bank nothing, or cannot loop, may be kept with ranks, too.
    let plan = plan(Values::ScoreRank, 1);
    let morris = game::<ThreeMensMorris>(&[]);
    build(
        Subject::new(&morris, "morris"),
        &Technique::Retrograde,
        &file,
        &plan,
        &control,
        &mut |_, _| {},
    )
    .unwrap();
    let table = Table::open(&file).unwrap();
    let verdict = dense::check(&morris, &table, None, Effort::default(), &|_| true).unwrap();
    assert!(verdict.is_right(), "{verdict:?}");
    let kalah = game::<Kalah>(&[("pits", "2"), ("stones", "2")]);
    build(
        Subject::new(&kalah, "kalah"),
        &Technique::banded(true),
        &file,
        &plan,
        &control,
        &mut |_, _| {},
    )
    .unwrap();
    let table = Table::open(&file).unwrap();
    let verdict = dense::check(&kalah, &table, None, Effort::default(), &|_| true).unwrap();
    assert!(verdict.is_right(), "{verdict:?}");
}

/// Where endless play is worth the same everywhere, tables hold what the reference says, whatever
/// that is; where it is not, there are none.
#[test]
fn endless_play_may_be_worth_something() {
    let control = Control::default();
    let (mut refused, mut endless, mut left_out) = (0, 0, 0);
    for seed in 0..100 {
        let place = Folder::new();
        let file = place.file("table");
        let graph = Graph::new(seed);
        let worth = [-3, -1, 1, 2][seed as usize % 4];
        let even = graph.clone().with_endless(worth);
        check_ways(&even, &[Technique::Retrograde], None, Values::ScoreDistance, "graph");
        let cyclic = reference::worths(&even, &0);
        let going_on = cyclic.iter().filter(|(state, _)| even.outcome(state).is_none());
        let going_on: HashMap<_, _> = going_on.collect();
        for all in [true, false] {
            let listed = hasty(&place.file(&format!("listed {all}")));
            let distances = Plan { all, ..plan(Values::ScoreDistance, 1) };
            build_keyed(
                Subject::new(&even, "graph"),
                &listed,
                &distances,
                &control,
                &mut |_, _| {},
            )
            .unwrap();
            let table = Table::open(&place.file(&format!("listed {all}"))).unwrap();
            let mut count = 0;
            for (state, worth) in &cyclic {
                let found = Keyed.probe(&even, &table, state).unwrap();
                assert_eq!(found.unwrap_or(*worth), *worth, "{seed}");
                count += u64::from(found.is_some() && going_on.contains_key(state));
            }
            left_out += going_on.len() as u64 - count;
            assert!(!all || count == going_on.len() as u64);
            // A start that is over has an entry.
            let count = if going_on.is_empty() { 1 } else { count };
            let verdict = keyed::check(&even, &table, None, Effort::default(), &|_| true).unwrap();
            assert!(is_right(&verdict, count), "{seed} {verdict:?}");
        }
        endless += cyclic.values().filter(|worth| worth.is_endless()).count();
        let plan = |values| plan(values, 1);
        build(
            Subject::new(&even, "graph"),
            &Technique::Retrograde,
            hasty(&file),
            &plan(Values::ScoreRank),
            &control,
            &mut |_, _| {},
        )
        .unwrap();
        let table = Table::open(&file).unwrap();
        let verdict = dense::check(&even, &table, None, Effort::default(), &|_| true).unwrap();
        assert!(verdict.is_right(), "{seed} {verdict:?}");
        for (state, worth) in &cyclic {
            let found = table.probe(&even, state).unwrap().map(|worth| worth.value());
            assert_eq!(found, Some(worth.value()), "{seed}");
        }
        let ordered = graph.clone().without_loops().with_endless(worth);
        let measure: Measure<Graph> = |_, state| (*state).into();
        check(&ordered, Some(measure), Values::ScoreDistance, "graph");
        // Differing, they are refused by each way to build that looks at a position where it changes.
        let uneven = graph.with_loops(seed);
        let changes = |state: &u8| {
            let mut moves = uneven.moves(state).filter(|_| uneven.outcome(state).is_none());
            moves.any(|mv| uneven.endless(&uneven.play(state, mv)) != uneven.endless(state))
        };
        let expected = (0..uneven.moves.len() as u8).any(|state| changes(&state));
        for values in [Values::ScoreDistance, Values::ScoreRank] {
            let target = hasty(&place.file(values.name()));
            let built = build(
                Subject::new(&uneven, "graph"),
                &Technique::Retrograde,
                &target,
                &plan(values),
                &control,
                &mut |_, _| {},
            );
            assert_eq!(matches!(built, Err(Failed::Endless { .. })), expected, "{seed} {built:?}");
        }
        let arises = reference::worths(&uneven, &0).keys().any(changes);
        let target = hasty(&place.file("uneven"));
        let built = build_keyed(
            Subject::new(&uneven, "graph"),
            &target,
            &Plan { all: true, ..plan(Values::ScoreDistance) },
            &control,
            &mut |_, _| {},
        );
        assert_eq!(matches!(built, Err(Failed::Endless { .. })), arises, "{seed} {built:?}");
        refused += u32::from(expected);
        let target = hasty(&place.file("ordered"));
        let built = build(
            Subject::new(&uneven.without_loops(), "graph"),
            &Technique::OnDemand,
            &target,
            &plan(Values::Score),
            &control,
            &mut |_, _| {},
        );
        built.unwrap();
    }
    assert!(refused > 25 && endless > 100 && left_out > 10, "{refused} {endless} {left_out}");
    let place = Folder::new();
    // Of games that bank points, too.
    let plan = plan(Values::ScoreRank, 1);
    let build = |seed: u64| {
        let (hoard, file) = (Hoard::new(seed).with_loops(seed), place.file(&seed.to_string()));
        build(
            Subject::new(&hoard, "hoard"),
            &Technique::Retrograde,
            &file,
            &plan,
            &control,
            &mut |_, _| {},
        )
        .err()
    };
    let refused: Vec<Failed> = (0..30).filter_map(build).collect();
    assert!(refused.len() > 5);
    for failed in refused {
        assert!(matches!(failed, Failed::Endless { .. }), "{failed:?}");
        assert!(failed.to_string().starts_with("the value of endless play is not the same"));
    }
}

/// Whether a verdict is right about this many positions.
fn is_right<S>(verdict: &Verdict<S>, positions: u64) -> bool {
    matches!(verdict, Verdict::Right(counts) if counts.total().positions() == positions)
}

/// A game whose positions are listed.
fn check_listed<G: Encode<Bank = NoBank>>(
    game: &G,
    measure: Option<Measure<G>>,
    values: Values,
    name: &str,
) {
    // Stage by stage and at once. A measure that does not rise is not used.
    let stuck: Measure<G> = |_, _| 0;
    check_built(game, measure, measure, false, values, name);
    if values == Values::ScoreDistance {
        for (way, all) in [(None, false), (None, true), (Some(stuck), false)] {
            check_built(game, measure, way, all, values, name);
        }
    }
}

/// Checks a table that is built with one measure, and checked with the other.
fn check_built<G: Encode<Bank = NoBank>>(
    game: &G,
    measure: Option<Measure<G>>,
    way: Option<Measure<G>>,
    all: bool,
    values: Values,
    name: &str,
) {
    let place = Folder::new();
    let file = place.file("table");
    let mut bytes = Vec::new();
    for threads in [1, 3] {
        build_keyed(
            Subject::new(game, name).with_measure(way),
            hasty(&file),
            &Plan { all, ..plan(values, threads) },
            &Control::default(),
            &mut |_, _| {},
        )
        .unwrap();
        bytes.push(std::fs::read(&file).unwrap());
    }
    assert!(bytes[0] == bytes[1], "the same whatever the threads");
    let table = Table::open(&file).unwrap();
    table.is_keyed_of(game, name).unwrap();
    let worths = reference::worths(game, &game.start());
    let mut left_out = 0;
    for (state, worth) in &worths {
        let endless = game.endless(state).value_for(game.turn(state));
        let found = Keyed.probe(game, &table, state).unwrap();
        left_out += u32::from(found.is_none());
        let worth = values.keep(*worth, endless);
        assert_eq!(found.unwrap_or(worth), worth, "{state:?}");
    }
    assert!(left_out == 0 || table.listed() == Listed::InPlay, "{left_out}");
    let size = table.manifest().layers[0].size;
    for place in (0..size).step_by(37) {
        let keys = table.keys_from(place).unwrap();
        let state = game.decode(keys[0]);
        assert!(worths.iter().any(|(other, _)| game.representative(other) == state));
        assert_eq!(table.place(keys[0]).unwrap(), Some(place));
        assert_eq!(
            table.place(keys[0] + 1).unwrap(),
            (keys.get(1) == Some(&(keys[0] + 1))).then_some(place + 1)
        );
    }
    for threads in [1, 2] {
        let effort = Effort { threads, ..Effort::default() };
        let verdict = keyed::check(game, &table, measure, effort, &|_| true).unwrap();
        assert!(is_right(&verdict, size), "{verdict:?}");
    }
    // One entry wrong, one position left out, one too many.
    let worths: Vec<Worth> = table.worths(0).to_vec();
    let cells = table.layer(0).unwrap();
    let mut keys = Vec::new();
    while (keys.len() as u64) < size {
        keys.extend(table.keys_from(keys.len() as u64).unwrap());
    }
    let print = foregone_record::format::fingerprint_keyed(game);
    let check = |cells: &[u16], keys: &[u128]| {
        std::fs::remove_file(&file).unwrap();
        let mut building = TableWriter::open(hasty(&file), name, print, values).unwrap();
        let fill = |from: u64, out: &mut [u16]| {
            out.copy_from_slice(&cells[from as usize..from as usize + out.len()]);
        };
        building.write_layer(0, &worths, cells.len() as u64, 1, &fill).unwrap();
        building.write_keys(keys.iter().copied()).unwrap();
        building.set_listed(table.listed());
        building.finish(1).unwrap();
        let table = Table::open(&file).unwrap();
        keyed::check(game, &table, measure, Effort::default(), &|_| true).unwrap()
    };
    assert!(is_right(&check(&cells, &keys), size));
    for at in [0, size as usize / 3, size as usize - 1] {
        let mut other = cells.clone();
        other[at] = other[at] % worths.len() as u16 + 1;
        assert!(matches!(check(&other, &keys), Verdict::False(_)), "{at}");
        let (mut fewer, mut left) = (cells.clone(), keys.clone());
        fewer.remove(at);
        left.remove(at);
        assert!(matches!(check(&fewer, &left), Verdict::False(_)), "{at}");
    }
    let last = keys[keys.len() - 1];
    let verdict = check(&[&cells[..], &[1]].concat(), &[&keys[..], &[last + 1]].concat());
    assert!(
        matches!(
            verdict,
            Verdict::False(Flaw::Entry { fault: Fault::NoPosition | Fault::Unreached, .. })
        ),
        "{verdict:?}"
    );
}

#[test]
fn listed_positions_are_all_there_and_right() {
    for (size, name) in [("3", "mnk"), ("2", "mnk-2")] {
        let mnk = game::<Mnk>(&[("columns", size), ("rows", "3"), ("line", size)]);
        check_listed(&mnk, Some(Mnk::progress), Values::ScoreDistance, &format!("listed-{name}"));
        check_listed(&mnk, Some(Mnk::progress), Values::Wdl, &format!("listed-wdl-{name}"));
    }
    let morris = game::<ThreeMensMorris>(&[]);
    check_listed(&morris, None, Values::ScoreDistance, "listed-morris");
    check_listed(&morris, None, Values::ScoreRank, "listed-rank-morris");
    // Representatives exchange the sides.
    let reversi = game::<Reversi>(&[("size", "4")]);
    check_listed(&reversi, Some(Reversi::progress), Values::ScoreDistance, "listed-reversi");
    for swap in ["false", "true"] {
        let hex = game::<Hex>(&[("size", "3"), ("swap", swap)]);
        check_listed(
            &hex,
            Some(Hex::progress),
            Values::ScoreDistance,
            &format!("listed-hex-{swap}"),
        );
    }
    check_listed(&Domineering::new(4), None, Values::ScoreDistance, "listed-domineering");
}

/// Everything that a table has to say.
fn read_whole(bytes: Vec<u8>) -> Result<(), Error> {
    let table = Table::read(foregone_record::read::Bytes(bytes))?;
    for layer in 0..table.manifest().layers.len() as u32 {
        table.layer(layer)?;
    }
    if let (Some(_), [layer]) = (&table.manifest().keys, &table.manifest().layers[..]) {
        for place in (0..layer.size).step_by(100) {
            table.keys_from(place)?;
        }
    }
    Ok(())
}

#[test]
fn no_damage_goes_unseen() {
    let place = Folder::new();
    let fox = game::<FoxAndHounds>(&[("size", "4")]);
    let mnk = game::<Mnk>(&[("columns", "2"), ("rows", "2"), ("line", "2")]);
    let (file, control) = (place.file("table"), Control::default());
    let plan = plan(Values::ScoreDistance, 1);
    build(
        Subject::new(&fox, "fox"),
        &Technique::banded(true),
        &file,
        &plan,
        &control,
        &mut |_, _| {},
    )
    .unwrap();
    let numbered = std::fs::read(&file).unwrap();
    build_keyed(
        Subject::new(&mnk, "mnk").with_measure(Some(Mnk::progress)),
        &file,
        &plan,
        &control,
        &mut |_, _| {},
    )
    .unwrap();
    for bytes in [numbered, std::fs::read(&file).unwrap()] {
        no_damage_to(bytes);
    }
}

fn no_damage_to(bytes: Vec<u8>) {
    read_whole(bytes.clone()).unwrap();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut other = bytes.clone();
            other[at] ^= 1 << bit;
            assert!(read_whole(other).is_err(), "bit {bit} of byte {at}");
        }
        assert!(read_whole(bytes[..at].to_vec()).is_err(), "cut to {at} bytes");
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(read_whole(longer).is_err());
}

#[test]
fn other_rules_and_other_games_are_refused() {
    let place = Folder::new();
    let file = place.file("table");
    let plan = plan(Values::ScoreDistance, 1);
    let nim = game::<Nim>(&[]);
    build(
        Subject::new(&nim, "nim"),
        &Technique::OnDemand,
        &file,
        &plan,
        &Control::default(),
        &mut |_, _| {},
    )
    .unwrap();
    let table = Table::open(&file).unwrap();
    assert!(table.is_of(&nim, "nim").is_ok());
    assert!(matches!(table.is_of(&nim, "other"), Err(Error::Game { .. })));
    let other = game::<Nim>(&[("misere", "true")]);
    assert!(matches!(table.is_of(&other, "nim"), Err(Error::Game { .. })));
    // A table that is right for one game is wrong for the other, and verifying tells where.
    let verdict = dense::check(&other, &table, None, Effort::default(), &|_| true).unwrap();
    let wrong = matches!(verdict, Verdict::False(Flaw::Entry { place: Some((0, _)), .. }));
    assert!(wrong, "{verdict:?}");
}

/// Stopped again and again, at a later position each time, it goes on and comes out the same.
#[test]
fn an_interrupted_build_goes_on() {
    let place = Folder::new();
    let game = game::<FoxAndHounds>(&[("size", "6")]);
    let (whole, parts) = (place.file("whole"), place.file("parts"));
    let plan = plan(Values::ScoreDistance, 2);
    build(
        Subject::new(&game, "fox"),
        &Technique::banded(true),
        &whole,
        &plan,
        &Control::default(),
        &mut |_, _| {},
    )
    .unwrap();
    let mut stops = 0;
    loop {
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let (received, asked) = (AtomicU64::new(0), stop.clone());
        let max = 2 + stops % 3;
        let listener = move |_: Progress| {
            if received.fetch_add(1, Ordering::Relaxed) >= max {
                asked.store(true, Ordering::Relaxed);
            }
        };
        let control =
            Control::default().with_stop(stop).with_listener(std::sync::Arc::new(listener));
        match build(
            Subject::new(&game, "fox"),
            &Technique::banded(true),
            &parts,
            &plan,
            &control,
            &mut |_, _| {},
        ) {
            Ok(()) => break,
            Err(Failed::Halted(Halted::Stopped { .. })) => stops += 1,
            Err(other) => panic!("{other}"),
        }
        assert!(!parts.exists(), "nothing unfinished is taken for whole");
    }
    assert!(stops > 2, "{stops}");
    assert!(std::fs::read(&whole).unwrap() == std::fs::read(&parts).unwrap());
}

/// Whatever becomes of what is finished before the table is: no damage gets into the table.
#[test]
fn damaged_layers_are_built_again() {
    let place = Folder::new();
    let (whole, parts) = (place.file("whole"), place.file("parts"));
    let fox = game::<FoxAndHounds>(&[("size", "4")]);
    let (plan, control) = (plan(Values::ScoreDistance, 1), Control::default());
    let how = Technique::banded(true);
    build(Subject::new(&fox, "fox"), &how, &whole, &plan, &control, &mut |_, _| {}).unwrap();
    let folder = foregone_record::write::unfinished(&parts);
    let begin = |stop_at: u32| {
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let control = Control::default().with_stop(stop.clone());
        let told = &mut |layer: u32, _: u64| stop.store(layer >= stop_at, Ordering::Relaxed);
        build(Subject::new(&fox, "fox"), &how, &parts, &plan, &control, told).unwrap_err();
    };
    type Damage<'a> = &'a dyn Fn(&Path);
    let flip = |name: &'static str, at: usize| {
        move |folder: &Path| {
            let mut bytes = std::fs::read(folder.join(name)).unwrap();
            let at = at % bytes.len();
            bytes[at] ^= 1;
            std::fs::write(folder.join(name), bytes).unwrap();
        }
    };
    let (block, told, cut): (_, _, Damage<'_>) =
        (flip("1.blocks", 7), flip("2.json", 40), &|folder| {
            std::fs::write(folder.join("3.blocks"), [1, 2, 3]).unwrap();
        });
    let gone: Damage<'_> = &|folder| std::fs::remove_file(folder.join("0.blocks")).unwrap();
    let swapped: Damage<'_> = &|folder| {
        for kind in ["json", "blocks"] {
            let [one, two] = [1, 2].map(|layer| folder.join(format!("{layer}.{kind}")));
            let other = folder.join("other");
            std::fs::rename(&one, &other).unwrap();
            std::fs::rename(&two, &one).unwrap();
            std::fs::rename(&other, &two).unwrap();
        }
    };
    for damage in [&block as Damage<'_>, &told, cut, gone, swapped] {
        begin(4);
        damage(&folder);
        build(Subject::new(&fox, "fox"), &how, &parts, &plan, &control, &mut |_, _| {}).unwrap();
        assert!(std::fs::read(&whole).unwrap() == std::fs::read(&parts).unwrap());
    }
    // Fewer layers do not throw more away, and nobody else builds the same at the same time.
    begin(4);
    let fewer = Plan { layers: Some(2), ..plan };
    let building = TableWriter::open(&parts, "fox", fingerprint(&fox), plan.values).unwrap();
    let busy = build(Subject::new(&fox, "fox"), &how, &parts, &fewer, &control, &mut |_, _| {})
        .unwrap_err();
    assert!(matches!(busy, Failed::File(Error::Busy(_))), "{busy}");
    drop(building);
    build(Subject::new(&fox, "fox"), &how, &parts, &fewer, &control, &mut |_, _| {}).unwrap();
    assert!(folder.join("4.json").exists());
}

/// Positions one, two or no plies from ends of very many values.
struct Various;

impl Various {
    const ENDS: u32 = 2 * MAX_VALUE as u32 + 1;
}

impl foregone_rules::Game for Various {
    type State = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        3 * Various::ENDS - 1
    }

    fn turn(&self, _: &u32) -> foregone_rules::Side {
        foregone_rules::Side::First
    }

    fn outcome(&self, state: &u32) -> Option<foregone_rules::Outcome> {
        let value = *state as i32 - MAX_VALUE;
        (*state < Various::ENDS).then_some(foregone_rules::Outcome(value))
    }

    fn moves(&self, _: &u32) -> impl Iterator<Item = u32> {
        std::iter::once(Various::ENDS)
    }

    fn play(&self, state: &u32, less: u32) -> u32 {
        state - less
    }
}

impl Indexed for Various {
    type Bank = NoBank;

    fn layers(&self) -> u32 {
        1
    }

    fn size(&self, _: u32) -> u64 {
        3 * u64::from(Various::ENDS)
    }

    fn index(&self, state: &u32) -> (u32, u64) {
        (0, (*state).into())
    }

    fn state(&self, _: u32, index: u64) -> Option<u32> {
        Some(index as u32)
    }
}

/// A game that breaks its rules, at a position that is not over and has no move, has no table.
#[test]
fn a_game_that_breaks_its_rules_is_an_error() {
    let place = Folder::new();
    let (control, stuck) = (
        Control::default(),
        Graph {
            moves: vec![vec![1], vec![]],
            turns: vec![Side::First, Side::Second],
            outcomes: vec![None, None],
            endless: vec![],
        },
    );
    for (nth, how) in [Technique::OnDemand, Technique::Retrograde].iter().enumerate() {
        let plan = plan(Values::ScoreDistance, 1);
        let file = place.file(&nth.to_string());
        let built =
            build(Subject::new(&stuck, "stuck"), how, &file, &plan, &control, &mut |_, _| {});
        let Err(Failed::Halted(Halted::NoMoves { position })) = built else { panic!("{built:?}") };
        assert_eq!(position, "1");
    }
    let plan = plan(Values::ScoreDistance, 1);
    let file = place.file("keyed");
    let built = build_keyed(Subject::new(&stuck, "stuck"), &file, &plan, &control, &mut |_, _| {});
    assert!(matches!(built, Err(Failed::Halted(Halted::NoMoves { .. }))), "{built:?}");
}

#[test]
fn more_worths_than_cells_can_tell_apart_are_refused() {
    let place = Folder::new();
    let file = place.file("table");
    let control = Control::default();
    let build = |values| {
        build(
            Subject::new(&Various, "various"),
            &Technique::OnDemand,
            &file,
            &plan(values, 1),
            &control,
            &mut |_, _| {},
        )
    };
    let many = build(Values::ScoreDistance).unwrap_err();
    assert!(matches!(many, Failed::Many { layer: 0, worths: 98_301 }), "{many}");
    std::fs::remove_dir_all(foregone_record::write::unfinished(&file)).unwrap();
    build(Values::Score).unwrap();
    let table = Table::open(&file).unwrap();
    assert_eq!(table.get(0, 5).unwrap().map(Worth::value), Some(Value(5 - MAX_VALUE)));
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let place = Folder::new();
    let file = place.file("table");
    let kalah = game::<Kalah>(&[("pits", "2"), ("stones", "1")]);
    let control = Control::default();
    let refused = |values, ranked, control: &Control| {
        build(
            Subject::new(&kalah, "k"),
            &Technique::plain(ranked),
            &file,
            &plan(values, 1),
            control,
            &mut |_, _| {},
        )
        .unwrap_err()
    };
    assert!(matches!(refused(Values::ScoreDistance, true, &control), Failed::Banks));
    assert!(matches!(refused(Values::Wdl, true, &control), Failed::Banks));
    assert!(matches!(refused(Values::Score, false, &control), Failed::Loops(_)));
    let little = Control::default().with_memory(100);
    let halted = refused(Values::Score, true, &little);
    assert!(matches!(halted, Failed::Halted(Halted::Memory { limit: 100, .. })), "{halted}");
    let large = game::<Kalah>(&[("pits", "8"), ("stones", "12")]);
    assert!(matches!(
        needs(&large, &Technique::OnDemand, &plan(Values::Score, 1)),
        Err(Failed::Numbers)
    ));
    // Another table's beginnings are not gone on with.
    let stopped = Control::default().with_stop(std::sync::Arc::new(true.into()));
    let fox = game::<FoxAndHounds>(&[("size", "4")]);
    let wanted = plan(Values::ScoreDistance, 1);
    build(
        Subject::new(&fox, "fox"),
        &Technique::OnDemand,
        &file,
        &wanted,
        &stopped,
        &mut |_, _| {},
    )
    .unwrap_err();
    let other = build(
        Subject::new(&fox, "hen"),
        &Technique::OnDemand,
        &file,
        &wanted,
        &control,
        &mut |_, _| {},
    )
    .unwrap_err();
    assert!(matches!(other, Failed::File(Error::Game { .. })), "{other}");
    build(
        Subject::new(&fox, "fox"),
        &Technique::OnDemand,
        &file,
        &wanted,
        &control,
        &mut |_, _| {},
    )
    .unwrap();
}
