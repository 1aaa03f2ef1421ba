//! Sessions that look positions up in a table tell the same as those without.

use std::sync::Arc;

use foregone::record::{Table, Values};
use foregone::sample::Dice;
use foregone::solver::Advice;
use foregone::tables::Plan;
use foregone::{Control, Method, Registry, Request};
use foregone_trial::Folder;

/// With a table or without, what is told of a position is the same.
#[test]
fn answers_from_a_table_are_those_of_solving() {
    let place = Folder::new();
    for name in ["fox-and-hounds(size=4)", "three-mens-morris", "kalah(pits=2,stones=2)"] {
        let game = Registry::standard().game(name).unwrap();
        let tables = game.tables().unwrap();
        let (file, plan) = (
            place.file(&game.about().name),
            Plan { values: tables.usual(), layers: None, threads: 2, all: false },
        );
        tables.build(&file, &plan, &Control::default(), &mut |_, _| {}).unwrap();
        let table = Arc::new(Table::open(&file).unwrap());
        let mut dice = Dice::new(5);
        let mut plain = game.session();
        let mut looking = game.session();
        looking.consult(table);
        for _ in 0..200 {
            let moves = plain.moves();
            if moves.is_empty() {
                plain.go(None, "").unwrap();
                looking.go(None, "").unwrap();
                continue;
            }
            let request = Request::default().with_method(Method::Strong);
            let expected = plain.solve(&request, &Control::default());
            let found = looking.solve(&Request::default(), &Control::default());
            assert_eq!((found.method.as_str(), &found.halted), ("table", &None));
            assert_eq!(found.source.as_deref(), Some("table"));
            assert_eq!((found.value, found.endless), (expected.value, expected.endless));
            assert_eq!(found.moves.len(), expected.moves.len());
            for (found, expected) in found.moves.iter().zip(&expected.moves) {
                assert_eq!(found.result.value, expected.result.value, "{name}");
                if tables.usual() == Values::ScoreDistance {
                    assert_eq!(found.result.distance, expected.result.distance, "{name}");
                }
            }
            if tables.usual() == Values::ScoreDistance {
                assert_eq!((found.best, found.line), (expected.best, expected.line), "{name}");
            }
            let mv = &moves[dice.below(moves.len())];
            plain.play(mv).unwrap();
            looking.play(mv).unwrap();
        }
    }
}

/// A table of the last layers alone makes searches shorter, and changes no answer.
#[test]
fn searches_take_tables_as_leaves() {
    let place = Folder::new();
    for (name, layers) in [("fox-and-hounds(size=6)", 10), ("kalah(pits=3,stones=3)", 11)] {
        let game = Registry::standard().game(name).unwrap();
        let tables = game.tables().unwrap();
        let file = place.file(&game.about().name);
        let plan = Plan { values: tables.usual(), layers: Some(layers), threads: 1, all: false };
        tables.build(&file, &plan, &Control::default(), &mut |_, _| {}).unwrap();
        let mut plain = game.session();
        let mut looking = game.session();
        looking.consult(Arc::new(Table::open(&file).unwrap()));
        for method in [Method::Search, Method::Proof, Method::AlphaBeta] {
            for distances in [false, true] {
                let request = Request::default()
                    .with_method(method)
                    .with_distances(distances)
                    .with_remember(true);
                let control = Control::default().with_memory(1 << 24);
                let expected = plain.solve(&request, &control);
                let found = looking.solve(&request, &control);
                assert_eq!((&expected.halted, &found.halted), (&None, &None));
                assert_eq!(found.value, expected.value, "{name} {method}");
                let known = tables.usual() == Values::ScoreDistance;
                for (one, other) in found.moves.iter().zip(&expected.moves) {
                    assert_eq!(one.result.value, other.result.value, "{name} {method}");
                    assert_eq!(one.result.distance, other.result.distance, "{name}");
                }
                // To a search for worths, values alone are of no use.
                let nodes = (found.nodes, expected.nodes);
                match known || method != Method::AlphaBeta {
                    true => assert!(nodes.0 < nodes.1, "{name} {method} {nodes:?}"),
                    false => assert_eq!(nodes.0, nodes.1, "{name} {method}"),
                }
            }
        }
    }
}

/// A proof says what it can without any search, and never anything else than solving; with it, all moves get the values
/// that they have without it.
#[test]
fn answers_from_a_proof_are_those_of_solving() {
    let place = Folder::new();
    for name in [
        "connect-four(columns=4,rows=4)",
        "connect-four(columns=5,rows=3,score=stones)",
        "fox-and-hounds(size=4)",
        "hex(size=3)",
        "hex(columns=3,rows=4)",
        "kalah(pits=3,stones=2)",
        "nim(heaps=1-2-3)",
        "three-mens-morris",
    ] {
        let game = Registry::standard().game(name).unwrap();
        let file = place.file(&game.about().name);
        game.session().prove(&file, Vec::new(), &Control::default()).unwrap();
        let proof = Arc::new(Table::open(&file).unwrap());
        let (mut plain, mut knowing) = (game.session(), game.session());
        knowing.consult(proof);
        let (mut dice, mut without_search, mut unknown) = (Dice::new(7), 0, 0);
        let (mut answered, mut said) = (0, 0);
        for _ in 0..150 {
            let moves = plain.moves();
            if moves.is_empty() {
                plain.go(None, "").unwrap();
                knowing.go(None, "").unwrap();
                continue;
            }
            let strongly = Request::default().with_method(Method::Strong);
            let expected = plain.solve(&strongly, &Control::default());
            let worth = |mv: &str| {
                let found = expected.moves.iter().find(|each| each.mv == mv);
                found.map(|found| found.result.value)
            };
            for searches in [false, true] {
                let limits = Control::default();
                let control = if searches { limits } else { limits.with_positions(1) };
                let found = knowing.fork().solve(&Request::default(), &control);
                match found.value {
                    None => unknown += 1,
                    value => assert_eq!(value, expected.value, "{name} {}", plain.position()),
                }
                for each in &found.moves {
                    assert_eq!(Some(each.result.value), worth(&each.mv), "{name}");
                }
                let said_so = found.source.as_deref() == Some("proof");
                assert!(!said_so || found.value.is_some(), "{name}");
                said += u32::from(said_so);
                without_search += u32::from(!searches && found.value.is_some());
                assert!(!searches || found.moves.len() == moves.len(), "{name}");
            }
            // Half of the time the side of the proof follows it.
            let mv = match knowing.advice().unwrap() {
                Some(Advice::Move { mv, best, .. }) if dice.below(4) > 0 => {
                    assert!(!best || worth(&mv) == expected.value, "{name} {mv}");
                    mv
                }
                Some(Advice::Answers) => {
                    answered += 1;
                    moves[dice.below(moves.len())].clone()
                }
                _ => moves[dice.below(moves.len())].clone(),
            };
            plain.play(&mv).unwrap();
            knowing.play(&mv).unwrap();
        }
        assert!(without_search > 20 && unknown > 0, "{name}: {without_search} {unknown}");
        assert!(answered > 0 && said > 10, "{name}: {answered} {said}");
    }
}
