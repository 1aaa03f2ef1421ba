use std::collections::HashSet;
use std::sync::Mutex;

use foregone_record::Values;
use foregone_record::disk::Disk;
use foregone_record::write::Target;
use foregone_rules::games::{
    Awari, ConnectFour, FoxAndHounds, Kalah, Mnk, QuantumTicTacToe, ThreeMensMorris,
};
use foregone_rules::promise::Promises;
use foregone_rules::sample::Dice;
use foregone_rules::{Args, Distance, Family, Indexed, Notation, Side, Value};
use foregone_trial::{Graph, Hoard};

use super::*;
use crate::found::Found;
use crate::tables::{Plan, Subject, Technique, build};

fn analyse<G: Game>(
    declared: &Arc<Declared<G>>,
    state: &G::State,
    request: Request,
) -> Analysis<G::Move> {
    let request = Request { seed: Some(1), ..request };
    Solver::new(declared.clone()).analyse(state, &request, &Control::default())
}

/// What a solver knows of one variant of a game it never tells of another: positions look the
/// same in both.
#[test]
fn a_solver_answers_for_its_own_game_alone() {
    let variants = ["false", "true"].map(|misere| {
        let given = Args::new(&Mnk::ABOUT, [("misere", misere)]).unwrap();
        Arc::new(Declared::plain(Mnk::create(&given).unwrap()).with(|it| {
            it.notation();
            it.acyclic();
        }))
    });
    let mut solvers = variants.clone().map(Solver::new);
    for text in [".../.../... X", "XX./OO./... X", "X../.O./..X O"] {
        for (declared, solver) in variants.iter().zip(&mut solvers) {
            let state = declared.game.parse(text).unwrap();
            let expected = crate::reference::worth(&declared.game, &state).map(Found::Proven);
            for mut solver in [solver.clone(), Solver::new(declared.clone())] {
                let (request, control) = (Request::default(), Control::default());
                let found = solver.analyse(&state, &request, &control).found;
                assert_eq!(found, expected, "{text}");
            }
            solver.analyse(&state, &Request::default(), &Control::default());
        }
    }
}

#[test]
fn every_method_gives_the_same_answer() {
    let declared = Arc::new(Declared::plain(Mnk::tic_tac_toe()).with(|it| it.acyclic()));
    let state = declared.game.parse("XO./.X./... O").unwrap();
    let moves = |method| {
        let analysis = analyse(&declared, &state, Request { method, ..Request::default() });
        assert_eq!(analysis.halted, None);
        assert_eq!(analysis.line.len(), 4, "{method}: a loss in 4");
        let moves = analysis.moves.iter().map(|(mv, found)| (mv.to_string(), *found));
        (analysis.found, moves.collect::<Vec<_>>(), analysis.best().len())
    };
    let strong = moves(Method::Strong);
    let plain = |method: &Method| !matches!(method, Method::Proof | Method::Table | Method::Book);
    for method in Method::ALL.map(|(_, method)| method).into_iter().filter(plain) {
        assert_eq!(moves(method), strong, "{method}");
    }
    // Proof numbers need foresight, and find values alone.
    let request = Request { method: Method::Proof, ..Request::default() };
    assert_eq!(analyse(&declared, &state, request).halted, Some(Halted::NoProof));
    let declared = Arc::new(Declared::plain(Mnk::tic_tac_toe()).with(|it| it.search_hints()));
    let analysis = analyse(&declared, &state, request);
    let values =
        |moves: &[(_, Found)]| -> Vec<_> { moves.iter().map(|(_, found)| found.value()).collect() };
    let expected: Vec<_> = strong.1.iter().map(|(_, found)| found.value()).collect();
    assert_eq!(
        (analysis.found, values(&analysis.moves)),
        (Some(Found::Value(Value(-1))), expected)
    );
}

/// Search with all that a game promises, on every n-th position.
fn check_search<G: Game>(declared: Declared<G>, every: usize) {
    let declared = &Arc::new(declared);
    let game = &declared.game;
    let worths = crate::reference::worths(game, &game.start());
    let request = Request { method: Method::Search, ..Request::default() };
    for (state, worth) in worths.iter().step_by(every) {
        let analysis = analyse(declared, state, request);
        assert_eq!(analysis.found, Some(Found::Proven(*worth)), "{state:?}");
        let plies = worth.distance().plies();
        assert_eq!(plies, Some(analysis.line.len() as u32), "{state:?}");
        for (mv, found) in analysis.moves {
            let child = game.play(state, mv);
            let expected = worths[&child].backed_up(game.turn(&child), game.turn(state));
            assert_eq!(found, Found::Proven(expected), "{state:?} {mv}");
        }
    }
}

#[test]
fn search_with_promises_equals_the_reference() {
    let family = |columns, rows, line| {
        let given = [("columns", columns), ("rows", rows), ("line", line)];
        Args::new(&ConnectFour::ABOUT, given).unwrap()
    };
    check_search(
        Declared::plain(Mnk::tic_tac_toe()).with(|it| {
            it.notation();
            it.acyclic();
            it.symmetry();
        }),
        1,
    );
    let game = ConnectFour::create(&family("3", "3", "3")).unwrap();
    check_search(
        Declared::plain(game).with(|it| {
            it.acyclic();
            it.symmetry();
            it.order();
        }),
        1,
    );
    let game = ConnectFour::create(&family("4", "3", "3")).unwrap();
    check_search(
        Declared::plain(game).with(|it| {
            it.acyclic();
            it.symmetry();
            it.order();
        }),
        29,
    );
    for stones in ["1", "2"] {
        let given = [("pits", "3"), ("stones", stones), ("capture", "nonempty")];
        let args = Args::new(&Kalah::ABOUT, given).unwrap();
        check_search(
            Declared::plain(Kalah::create(&args).unwrap()).with(|it| {
                it.acyclic();
                it.evaluate();
                it.order();
            }),
            3,
        );
    }
}

/// A search of the finer variant tells the distances of all moves, and its line is as long as it says.
#[test]
fn finer_values_tell_the_distances_of_strong_solving() {
    let given = [("columns", "4"), ("line", "3"), ("rows", "4")];
    let args = Args::new(&ConnectFour::ABOUT, given).unwrap();
    let declared = Arc::new(Declared::new(ConnectFour::create(&args).unwrap()));
    let game = &declared.game;
    let strong = Strong::solve(game, &Control::default()).unwrap();
    let plain = Request::default().with_strong(false);
    let distant = plain.with_distances(true);
    let told = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&told);
    let control = Control::default()
        .with_memory(1 << 24)
        .with_move_listener(Arc::new(move |_, value| listener.lock().unwrap().push(value)));
    let mut checked = 0;
    for (at, (state, worth)) in strong.iter().step_by(53).enumerate() {
        let request = if at % 2 == 0 { &plain } else { &distant };
        let analysis = Solver::new(declared.clone()).analyse(state, request, &control);
        assert_eq!((analysis.method, analysis.halted), (Method::Search, None));
        assert_eq!(analysis.found, Some(Found::Proven(worth)), "{}", game.format(state));
        for (mv, found) in &analysis.moves {
            let child = game.play(state, *mv);
            let (next, mover) = (game.turn(&child), game.turn(state));
            let worth = strong.worth(&child).unwrap().backed_up(next, mover);
            assert_eq!(*found, Found::Proven(worth), "{}", game.format(state));
        }
        assert_eq!(Distance::Plies(analysis.line.len() as u32), worth.distance());
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
    // Listeners hear of the game that was asked about.
    assert!(told.lock().unwrap().iter().all(|value| value.0.abs() <= 1));
    // With too little time bounds are those of results.
    let control = Control::default().with_positions(1).with_memory(1 << 24);
    let analysis = Solver::new(declared.clone()).analyse(&game.start(), &plain, &control);
    assert!(analysis.bounds.is_none_or(|(low, high)| low.0 >= -1 && high.0 <= 1));
}

#[test]
fn values_alone_equal_strong_solving_and_the_line_leads_to_them() {
    let given = [("columns", "4"), ("line", "3"), ("rows", "4"), ("score", "stones")];
    let args = Args::new(&ConnectFour::ABOUT, given).unwrap();
    let declared = Arc::new(Declared::plain(ConnectFour::create(&args).unwrap()).with(|it| {
        it.acyclic();
        it.symmetry();
        it.search_hints();
    }));
    let game = &declared.game;
    let strong = Strong::solve(game, &Control::default()).unwrap();
    let request = Request { method: Method::Search, ..Request::default() };
    let control = Control::default().with_memory(1 << 20);
    for (state, worth) in strong.iter().step_by(101) {
        let mut solver = Solver::new(declared.clone());
        let analysis = solver.analyse(state, &request, &control);
        assert_eq!(analysis.halted, None);
        let found = analysis.found.map(|found| (found.is_proven(), found.value()));
        assert_eq!(found, Some((true, worth.value())), "{}", game.format(state));
        for (mv, found) in &analysis.moves {
            let child = game.play(state, *mv);
            let value = strong.worth(&child).unwrap().value();
            assert_eq!(found.value(), value.seen_from(game.turn(&child), game.turn(state)));
        }
        let end = analysis.line.iter().fold(*state, |state, mv| game.play(&state, *mv));
        let outcome = game.outcome(&end).unwrap();
        assert_eq!(outcome.value_for(analysis.turn), worth.value());
        // Asked for distances, the same method finds them.
        let request = Request { distances: true, ..request };
        let analysis = solver.analyse(state, &request, &control);
        assert_eq!(analysis.found, Some(Found::Proven(worth)));
        for (mv, found) in &analysis.moves {
            let child = game.play(state, *mv);
            let worth = strong.worth(&child).unwrap();
            let worth = worth.backed_up(game.turn(&child), game.turn(state));
            assert_eq!(*found, Found::Proven(worth));
        }
        for seed in [None, Some(7)] {
            let request = Request { seed, ..request };
            let line = solver.analyse(state, &request, &control).line;
            let end = line.iter().fold(*state, |state, mv| game.play(&state, *mv));
            assert!(game.outcome(&end).is_some());
            assert_eq!(Some(line.len() as u32), worth.distance().plies());
        }
    }
}

#[test]
fn quantum_tic_tac_toe_late_in_the_game_equals_the_reference() {
    let args = Args::new(&QuantumTicTacToe::ABOUT, []).unwrap();
    let declared = Arc::new(Declared::plain(QuantumTicTacToe::create(&args).unwrap()).with(|it| {
        it.acyclic();
        it.symmetry();
    }));
    let samples = foregone_rules::sample::positions(&declared.game, 2000, 9);
    let late = samples.iter().filter(|sample| sample.path.len() >= 9);
    let mut checked = 0;
    for sample in late {
        let worth = crate::reference::worth(&declared.game, &sample.state).map(Found::Proven);
        for (_, method) in Method::ALL {
            if matches!(method, Method::Proof | Method::Table | Method::Book) {
                continue;
            }
            let request = Request { method, ..Request::default() };
            assert_eq!(analyse(&declared, &sample.state, request).found, worth, "{method}");
        }
        checked += 1;
    }
    assert!(checked > 300, "{checked}");
}

fn connect_four(columns: &str, rows: &str) -> Arc<Declared<ConnectFour>> {
    let given = Args::new(&ConnectFour::ABOUT, [("columns", columns), ("rows", rows)]).unwrap();
    Arc::new(Declared::plain(ConnectFour::create(&given).unwrap()).with(|it| {
        it.symmetry();
        it.order();
        it.search_hints();
    }))
}

/// Where the value alone is asked for, it is not waited for strong solving of millions.
#[test]
fn values_alone_are_found_by_whatever_is_sooner_done() {
    let value_only = Request { moves: false, line: false, ..Request::default() };
    let declared = connect_four("5", "4");
    let start = declared.game.start();
    let analysis = analyse(&declared, &start, value_only);
    assert_eq!(analysis.found, Some(Found::Value(Value(0))));
    assert_eq!(analysis.method, Method::Search);
    assert!(analysis.nodes < 200_000, "{}", analysis.nodes);
    assert_eq!(analysis.nodes, analyse(&declared, &start, value_only).nodes, "no clock decides");
    // Tiny games are solved whole at once, and tell distances without being asked.
    let tiny = Arc::new(Declared::plain(Mnk::tic_tac_toe()).with(|it| it.search_hints()));
    let analysis = analyse(&tiny, &tiny.game.start(), value_only);
    assert_eq!(analysis.method, Method::Strong);
    assert!(analysis.found.and_then(Found::proven).is_some());
    // A deep forced win: alpha-beta alone would take several hundred million positions.
    let given = [("columns", "6"), ("rows", "5"), ("line", "4")];
    let given = Args::new(&Mnk::ABOUT, given).unwrap();
    let declared =
        Arc::new(Declared::plain(Mnk::create(&given).unwrap()).with(|it| it.search_hints()));
    let analysis = analyse(&declared, &declared.game.start(), value_only);
    assert_eq!(analysis.found, Some(Found::Value(Value(1))));
    assert_eq!(analysis.method, Method::Proof);
    assert!(analysis.nodes < 5_000_000, "{}", analysis.nodes);
}

/// Where distances can be had, all ways agree, whatever is sooner done and however little memory
/// there is.
#[test]
fn auto_equals_strong_solving() {
    let args = Args::new(&Kalah::ABOUT, [("pits", "3"), ("stones", "4")]).unwrap();
    let kalah = Kalah::create(&args).unwrap();
    let strong = Strong::solve(&kalah, &Control::default()).unwrap();
    let declared = Arc::new(Declared::plain(kalah).with(|it| {
        it.search_hints();
        it.evaluate();
        it.order();
    }));
    let mut methods = HashSet::new();
    for (state, worth) in strong.iter().step_by(30_011) {
        for (distances, moves, memory) in [
            (true, true, 1 << 30),
            (true, true, 1 << 20),
            (false, false, 1 << 30),
            (false, false, 1 << 20),
            (false, true, 1 << 30),
            (false, true, 1 << 20),
        ] {
            let request = Request { distances, moves, line: false, ..Request::default() };
            let control = Control::default().with_memory(memory);
            let mut solver = Solver::new(declared.clone());
            let analysis = solver.analyse(state, &request, &control);
            assert_eq!(analysis.halted, None);
            let found = analysis.found.unwrap();
            assert_eq!((found.is_proven(), found.value()), (true, worth.value()));
            if distances {
                assert_eq!(found, Found::Proven(worth), "{}", analysis.why);
            }
            if moves && memory == 1 << 30 {
                assert_eq!(found, Found::Proven(worth), "a small game tells distances");
            }
            methods.insert(analysis.method);
        }
    }
    assert!(methods.len() > 1, "{methods:?}");
}

#[test]
fn auto_says_what_it_picks_and_why() {
    let small = Arc::new(Declared::plain(Mnk::tic_tac_toe()).with(|it| it.acyclic()));
    let start = small.game.start();
    let analysis = analyse(&small, &start, Request::default());
    assert_eq!(analysis.method, Method::Strong);
    assert_eq!(analysis.why, "only 5,478 positions can arise");
    let depth = Request { depth: Some(3), ..Request::default() };
    let analysis = analyse(&small, &start, depth);
    assert_eq!(analysis.method, Method::Search);
    assert_eq!(analysis.line.len(), 3);
    let args = Args::new(&ConnectFour::ABOUT, [("columns", "6"), ("rows", "5")]).unwrap();
    let large =
        Arc::new(Declared::plain(ConnectFour::create(&args).unwrap()).with(|it| it.acyclic()));
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let listener = {
        let stop = stop.clone();
        std::sync::Arc::new(move |progress: crate::Progress| {
            let searching = progress.phase == "searching";
            stop.store(searching, std::sync::atomic::Ordering::Relaxed);
        })
    };
    let control = Control::default().with_stop(stop).with_listener(listener);
    let (start, request) = (large.game.start(), Request::default());
    let analysis = Solver::new(large.clone()).analyse(&start, &request, &control);
    assert_eq!(analysis.method, Method::Search);
    assert_eq!(analysis.why, "side by side with solving all positions");
    assert!(matches!(analysis.halted, Some(Halted::Stopped { .. })));
    assert_eq!(analysis.found.and_then(Found::proven), None);
}

#[test]
fn foresight_alone_promises_that_play_cannot_loop() {
    let declared = Declared::plain(Mnk::tic_tac_toe()).with(|it| it.search_hints());
    assert!(declared.cannot_loop() && declared.values.is_some());
    let given = Args::new(&FoxAndHounds::ABOUT, [("stuck", "pass")]).unwrap();
    let declared =
        Declared::plain(FoxAndHounds::create(&given).unwrap()).with(|it| it.search_hints());
    assert!(!declared.cannot_loop() && declared.values.is_none(), "this variant can loop");
}

#[test]
fn requests_that_cannot_be_met_say_so() {
    let declared = Arc::new(Declared::plain(Mnk::tic_tac_toe()).with(|it| it.acyclic()));
    let start = declared.game.start();
    for (method, depth, expected) in [
        (Method::Table, None, Halted::NoTable),
        (Method::Table, Some(5), Halted::TableDepth),
        (Method::Proof, None, Halted::NoProof),
    ] {
        let halted =
            analyse(&declared, &start, Request { method, depth, ..Request::default() }).halted;
        assert!(halted.as_ref().is_some_and(Halted::is_wrong_request), "{halted:?}");
        assert_eq!(halted, Some(expected));
    }
}

/// Whoever makes best moves gets what the position is worth, also where play goes on for ever in another
/// loop than this one, for more than going on here.
#[test]
fn best_moves_come_to_where_play_goes_on() {
    let mut nearer = 0;
    for seed in 0..300 {
        let graph = Graph::new(seed).with_loops(seed);
        let declared = Arc::new(Declared::plain(graph));
        let game = &declared.game;
        let strong = Strong::solve(game, &Control::default()).unwrap();
        let mut solver = Solver::new(declared.clone());
        let mut dice = Dice::new(seed);
        for (state, worth) in strong.iter() {
            let right = worth.value().outcome_for(game.turn(state));
            for side in Side::BOTH {
                // The other side makes any moves.
                let (mut here, mut plies) = (*state, 0);
                while game.outcome(&here).is_none() && plies < 300 {
                    let moves = match game.turn(&here) == side {
                        true => {
                            let request = Request { line: false, ..Request::default() };
                            let analysis = solver.analyse(&here, &request, &Control::default());
                            nearer += u32::from(!analysis.nearer.is_empty());
                            analysis.best()
                        }
                        false => game.moves(&here).collect(),
                    };
                    here = game.play(&here, moves[dice.below(moves.len())]);
                    plies += 1;
                }
                let got = game.outcome(&here).unwrap_or_else(|| Game::endless(game, &here));
                let [got, right] = [got, right].map(|outcome| outcome.value_for(side));
                assert!(got >= right, "{seed} {state} {side:?}: {got:?}, not {right:?}");
            }
        }
    }
    assert!(nearer > 100, "{nearer}");
}

#[test]
fn a_line_of_endless_play_stops_where_it_comes_round() {
    let game = ThreeMensMorris::create(&Args::new(&ThreeMensMorris::ABOUT, []).unwrap()).unwrap();
    let declared = Arc::new(Declared::plain(game));
    let strong = Strong::solve(&declared.game, &Control::default()).unwrap();
    let endless: Vec<_> = strong.iter().filter(|(_, worth)| worth.is_endless()).collect();
    assert!(!endless.is_empty());
    for (state, worth) in endless {
        let analysis = analyse(&declared, state, Request::default());
        assert_eq!(analysis.found.and_then(Found::proven), Some(worth));
        assert!(!analysis.line.is_empty());
    }
}

/// Plays on from every position of a table with ranks, with both sides making best moves, and with one
/// side making any: in no more plies than there are ranks the game is over, or comes to where play without
/// end is worth as much. If a move loses something, plies count from there. How often one did.
fn check_play_by_ranks<G: Indexed>(game: G, seed: u64) -> u32 {
    let (place, control) = (foregone_trial::Folder::new(), Control::default());
    let file = place.file("table");
    let plan = Plan::new(Values::ScoreRank);
    let target = Target::on(Disk::hasty(), &file);
    build(
        Subject::new(&game, "it"),
        &Technique::Retrograde,
        target,
        &plan,
        &control,
        &mut |_, _| {},
    )
    .unwrap();
    let table = Arc::new(Table::open(&file).unwrap());
    let ranks = |layer| {
        let ranks = table.worths(layer).iter().filter_map(|worth| worth.distance().plies());
        ranks.max().unwrap_or(0) + 1
    };
    let max: u32 = (0..game.layers()).map(ranks).sum();
    let declared = Arc::new(Declared::plain(game).with(Promises::tables_by_number));
    let game = &declared.game;
    let value = |state: &G::State| {
        let worth = table.probe(game, state).unwrap().unwrap();
        worth.value().outcome_for(game.turn(state))
    };
    let settled = |state: &G::State| match game.outcome(state) {
        Some(outcome) => Some(outcome),
        None => Some(game.endless(state)).filter(|endless| *endless == value(state)),
    };
    let mut solver = Solver::new(declared.clone());
    solver.consult(table.clone());
    let states = (0..game.layers()).flat_map(|layer| game.states(layer, 0..game.size(layer)));
    let mut dice = Dice::new(seed);
    let request = Request { method: Method::Table, ..Request::default() };
    let mut slips = 0;
    for (seed, (_, state)) in (seed..).zip(states) {
        let right = value(&state);
        let request = Request { seed: Some(seed), ..request };
        let line = solver.analyse(&state, &request, &control).line;
        let mut along = vec![state];
        along.extend(line.iter().scan(state, |here, mv| {
            *here = game.play(here, *mv);
            Some(*here)
        }));
        let length = along.iter().position(|here| settled(here).is_some());
        assert!(length.is_some_and(|plies| plies as u32 <= max), "{state:?} goes round");
        for perfect in [&Side::BOTH[..], &[Side::First], &[Side::Second]] {
            let (mut here, mut plies, mut known) = (state, 0, right);
            let got = loop {
                if let Some(outcome) = settled(&here) {
                    break outcome;
                }
                if plies == max {
                    // Only who would do better can be kept waiting, and then gets more.
                    let endless = game.endless(&here);
                    let [value, endless] =
                        [value(&here), endless].map(|it| it.value_for(perfect[0]));
                    assert!(perfect.len() == 1 && value < endless, "{state:?} comes to {here:?}");
                    break game.endless(&here);
                }
                let moves = match perfect.contains(&game.turn(&here)) {
                    true => solver.analyse(&here, &request, &control).best(),
                    false => game.moves(&here).collect(),
                };
                here = game.play(&here, moves[dice.below(moves.len())]);
                plies += 1;
                if value(&here) != known {
                    (plies, known) = (0, value(&here));
                    slips += 1;
                }
            };
            assert!(perfect.len() == 1 || got == right, "{state:?}: {got:?}, not {right:?}");
            for side in perfect {
                let [got, right] = [got, right].map(|outcome| outcome.value_for(*side));
                assert!(got >= right, "{state:?} {side:?}: {got:?}, not {right:?}");
            }
        }
    }
    slips
}

/// Who plays from a table with ranks, and wins, does not go round and round with the win in hand.
#[test]
fn play_from_a_table_with_ranks_ends() {
    let mut slips = 0;
    for slam in ["forbidden", "void"] {
        for (pits, stones) in [("1", "5"), ("2", "2"), ("3", "1")] {
            let given = [("pits", pits), ("stones", stones), ("slam", slam)];
            let args = Args::new(&Awari::ABOUT, given).unwrap();
            slips += check_play_by_ranks(Awari::create(&args).unwrap(), 1);
        }
    }
    for seed in 0..60 {
        let hoard = Hoard::new(seed).with_endless([0, 1, -2][seed as usize % 3]);
        slips += check_play_by_ranks(hoard, seed);
    }
    assert!(slips > 1000, "{slips}");
}

#[test]
fn the_endgame_table_is_kept_for_later_analyses() {
    let args = Args::new(&Kalah::ABOUT, [("pits", "4"), ("stones", "4")]).unwrap();
    let declared = Declared::plain(Kalah::create(&args).unwrap()).with(|it| {
        it.search_with_endgame();
    });
    let declared = Arc::new(declared);
    let start = declared.game.start();
    let request =
        Request { method: Method::Search, moves: false, line: false, ..Request::default() };
    let mut solver = Solver::new(declared.clone());
    let ask = |solver: &mut Solver<Kalah>, memory| {
        let control = Control::default().with_memory(memory);
        let analysis = solver.analyse(&start, &request, &control);
        (analysis.found, analysis.nodes)
    };
    let (found, nodes) = ask(&mut solver, 1 << 30);
    let kept = solver.bytes();
    assert!(kept > 0, "it is long enough for an endgame table");
    // A clone has it, too.
    let (again, fewer) = ask(&mut solver.clone(), 1 << 30);
    assert_eq!(again, found);
    assert!(2 * fewer < nodes, "{fewer} positions instead of {nodes}");
    // It does not fit here, and is not lost.
    assert_eq!(ask(&mut solver, 1 << 16).0, found);
    assert_eq!(solver.bytes(), kept);
}
