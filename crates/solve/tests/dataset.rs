//! Rows of datasets are true by the plain reference, whatever finds them, and equal seeds give equal rows.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use foregone::any::describe;
use foregone::dataset::{Row, Truth, Wanted, rows};
use foregone::{Control, Game, Method, Registry, Request, games, reference};

fn of(name: &str, change: impl FnOnce(&mut Wanted)) -> (Vec<Row>, u64) {
    let game = Registry::standard().game(name).unwrap();
    let mut wanted = Wanted::default();
    wanted.positions = 400;
    change(&mut wanted);
    let mut found = Vec::new();
    let open = rows(&*game, wanted, &Control::default(), &mut |row| {
        found.push(row);
        ControlFlow::Continue(())
    });
    (found, open.unwrap())
}

/// Every row is a position of tic-tac-toe with the values of the reference.
fn holds(rows: &[Row]) {
    let game = games::Mnk::tic_tac_toe();
    let worths = reference::worths(&game, &game.start());
    for row in rows {
        let mut state = game.start();
        for text in &row.line {
            let mv = game.moves(&state).find(|mv| game.move_text(*mv) == *text).unwrap();
            state = game.play(&state, mv);
        }
        let worth = worths[&state];
        assert_eq!((row.value, row.ply as usize), (worth.value().0, row.line.len()));
        assert!(row.plies.is_none() || row.plies == worth.distance().plies(), "{row:?}");
        let moves: HashMap<String, _> = game
            .moves(&state)
            .map(|mv| {
                let child = game.play(&state, mv);
                let worth = worths[&child].backed_up(game.turn(&child), game.turn(&state));
                (game.move_text(mv), worth)
            })
            .collect();
        assert_eq!((row.legal.len(), row.values.len()), (moves.len(), moves.len()));
        for (at, mv) in row.legal.iter().enumerate() {
            assert_eq!(row.values[at], moves[mv].value().0, "{mv} of {row:?}");
            let plies = row.distances[at];
            assert!(plies.is_none() || plies == moves[mv].distance().plies(), "{mv} of {row:?}");
        }
        assert!(!row.best.is_empty());
        assert!(row.best.iter().all(|mv| moves[mv].value() == worth.value()), "{row:?}");
        let good = moves.values().filter(|each| each.value() == worth.value()).count();
        let expected = match good {
            all if all == moves.len() => "free",
            1 => "only",
            good if 2 * good >= moves.len() => "easy",
            _ => "hard",
        };
        assert_eq!(row.difficulty, expected);
    }
}

#[test]
fn rows_are_true_by_all_positions_and_by_search() {
    let (whole, open) = of("tic-tac-toe", |_| {});
    assert_eq!((whole.len(), open), (400, 0));
    assert!(whole.iter().all(|row| row.found == "all positions" && row.plies.is_some()));
    holds(&whole);
    let (found, _) = of("tic-tac-toe", |wanted| (wanted.whole, wanted.positions) = (100, 60));
    assert!(found.len() == 60 && found.iter().all(|row| row.found == "search"));
    holds(&found);
}

#[test]
fn strata_have_equal_shares_and_small_ones_all_they_have() {
    let (rows, _) = of("tic-tac-toe", |wanted| {
        (wanted.positions, wanted.by_ply, wanted.by_value) = (900, true, true);
    });
    let mut strata: HashMap<(u32, i32), usize> = HashMap::new();
    rows.iter().for_each(|row| *strata.entry((row.ply, row.value)).or_default() += 1);
    assert_eq!(rows.len(), 900);
    assert_eq!((strata[&(0, 0)], strata[&(1, 0)]), (1, 9));
    let largest = *strata.values().max().unwrap();
    assert!(strata.values().filter(|count| **count + 1 >= largest).count() >= 5, "{strata:?}");
    let all: HashSet<&String> = rows.iter().map(|row| &row.position).collect();
    assert_eq!(all.len(), rows.len(), "no position stands twice");
}

#[test]
fn equal_seeds_give_equal_rows_and_images_are_in_one_split() {
    let rows = |seed: u64| of("tic-tac-toe", |wanted| wanted.seed = seed).0;
    assert_eq!(rows(3), rows(3));
    assert_ne!(rows(3), rows(4));
    let mut splits: HashMap<String, &str> = HashMap::new();
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for row in of("tic-tac-toe", |wanted| wanted.positions = 5_000).0 {
        let split = row.split("tic-tac-toe");
        *counts.entry(split).or_default() += 1;
        assert_eq!(*splits.entry(row.alike).or_insert(split), split);
    }
    assert!(
        counts["train"] > 3_000 && counts["test"] > 100 && counts["validation"] > 100,
        "{counts:?}"
    );
}

#[test]
fn a_game_with_loops_has_rows_and_what_never_ends_has_no_plies() {
    let (rows, _) = of("shisima", |_| {});
    assert!(rows.iter().any(|row| row.plies.is_none() && row.value == 0));
    assert!(rows.iter().any(|row| row.plies.is_some() && row.value == 1));
}

/// In awari, what play without end is worth changes in the course of a game.
#[test]
fn best_moves_are_those_of_the_solver_where_play_may_not_end() {
    for name in [
        "awari(pits=2,stones=2)",
        "awari(pits=3,stones=1)",
        "three-mens-morris",
        "kalah(pits=2,stones=2)",
    ] {
        let game = Registry::standard().game(name).unwrap();
        let (rows, _) = of(name, |wanted| wanted.positions = 150);
        let mut session = game.session();
        for row in rows {
            session.go(None, &row.line.join(" ")).unwrap();
            let request = Request::default().with_method(Method::Strong).with_line(false);
            let report = session.solve(&request, &Control::default());
            assert_eq!(
                (row.value, row.plies),
                (report.value.unwrap(), report.distance),
                "{name} {row:?}"
            );
            assert_eq!(row.best, report.best, "{name} {row:?}");
        }
    }
}

type Change<'a> = &'a dyn Fn(&mut Row);

#[test]
fn every_false_field_is_named() {
    let game = Registry::standard().game("tic-tac-toe").unwrap();
    let row = of("tic-tac-toe", |_| {}).0.into_iter().find(|row| row.value == 1).unwrap();
    let control = Control::default();
    let truth = Truth::of(&*game, Some(10_000), &control).unwrap().unwrap();
    let truth = { truth }.row(&row.line, &control).unwrap();
    assert_eq!(row.contradicts(&truth), None);
    let search = Truth::of(&*game, None, &control).unwrap().unwrap();
    let searched = { search }.row(&row.line, &control).unwrap();
    assert_eq!(row.contradicts(&searched), Some("found"));
    assert!(Truth::of(&*game, Some(100), &control).unwrap().is_none());
    let bad = row.legal.iter().zip(&row.values).find(|(_, value)| **value < 1).unwrap().0.clone();
    let changes: [(&str, Change<'_>); 19] = [
        ("position", &|row| row.position.push(' ')),
        ("cells", &|row| row.cells[0] += 1),
        ("board", &|row| row.board.clear()),
        ("text", &|row| row.text = row.text.replace("to move", "to sleep")),
        ("alike", &|row| row.alike.push('X')),
        ("ply or turn", &|row| row.ply += 1),
        ("value", &|row| row.value = 0),
        ("legal or values", &|row| row.values[0] += 1),
        ("legal or values", &|row| row.distances.truncate(1)),
        ("plies", &|row| row.plies = Some(77)),
        ("distances", &|row| row.distances[0] = Some(77)),
        ("best", &|row| row.best = vec![bad.clone()]),
        ("best", &|row| row.best.clear()),
        ("plies", &|row| row.plies = None),
        ("distances", &|row| row.distances[0] = None),
        ("legal or values", &|row| {
            row.legal.insert(0, row.legal[0].clone());
            row.values.insert(0, 77);
            row.distances.insert(0, Some(9));
        }),
        ("best", &|row| row.best.push(row.best[0].clone())),
        ("found", &|row| row.found = "search".to_owned()),
        ("difficulty", &|row| row.difficulty.push('!')),
    ];
    for (field, change) in changes {
        let mut changed = row.clone();
        change(&mut changed);
        assert_eq!(changed.contradicts(&truth), Some(field));
    }
}

/// A row that a search found in a short time may lack plies, but it has no false ones, and no false best moves.
#[test]
fn what_a_search_found_may_lack_plies_alone() {
    let game = Registry::standard().game("connect-four(columns=4,rows=4)").unwrap();
    let control = Control::default();
    let line: Vec<String> = ["1", "1", "1", "1", "2"].map(str::to_owned).to_vec();
    let search = Truth::of(&*game, None, &control).unwrap().unwrap();
    let truth = { search }.row(&line, &control).unwrap();
    assert!(truth.distances.iter().all(Option::is_some) && truth.found == "search", "{truth:?}");
    let keeping = truth.legal.iter().zip(&truth.values);
    let keeping: Vec<_> = keeping.filter(|(_, value)| **value == truth.value).collect();
    let mut lacking = truth.clone();
    lacking.distances.iter_mut().for_each(|plies| *plies = None);
    lacking.plies = None;
    assert_eq!(lacking.contradicts(&truth), None);
    lacking.best = keeping.iter().map(|(mv, _)| (*mv).clone()).collect();
    assert_eq!(lacking.contradicts(&truth), None);
    lacking.distances[0] = truth.distances[0].map(|plies| plies + 2);
    assert_eq!(lacking.contradicts(&truth), Some("distances"));
    // Plies that do not exist, as where play has no end.
    let mut endless = truth.clone();
    endless.plies = None;
    assert_eq!(truth.contradicts(&endless), Some("plies"));
    let mut wrong = lacking;
    (wrong.distances[0], wrong.best) = (None, vec![keeping[keeping.len() - 1].0.clone()]);
    let right = wrong.best == truth.best || keeping.len() == 1;
    assert_eq!(wrong.contradicts(&truth), (!right).then_some("best"));
}

/// The description of a position says what is to be known, and the rules say how this variant is set up.
#[test]
fn games_and_positions_are_described_in_english() {
    let game = Registry::standard().game("connect-four(columns=4,rows=4)").unwrap();
    let rules = describe::rules(&*game);
    for part in [
        "Connect Four",
        "columns is 4",
        "X moves first. The other player is O.",
        "A move is written as",
    ] {
        assert!(rules.contains(part), "{part}: {rules}");
    }
    let mut session = game.session();
    session.play("2").unwrap();
    let text = describe::position(&*game, &*session);
    for part in ["The last move was 2.", "O is to move. The legal moves are: 1, 2, 3, 4\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    session.go(None, "1 2 1 2 1 2 1").unwrap();
    let text = describe::position(&*game, &*session);
    assert!(text.ends_with("The last move was 1.\nThe game is over: X has won.\n"), "{text}");
}
