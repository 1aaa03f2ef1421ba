use super::*;
use crate::reference;
use foregone_rules::games::{ConnectFour, FoxAndHounds, Kalah, Mnk, Nim, ThreeMensMorris};
use foregone_rules::{Args, Distance, Family};
use foregone_trial::Graph;

fn game<F: Family>(given: &[(&str, &str)]) -> F {
    F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
}

/// Every algorithm with each of these memories (none, hardly any, enough) on every n-th
/// position of a game: the worth of the position and of every move.
fn check<G: Game>(game: &G, every: usize, memories: &[Option<u64>]) {
    let worths = reference::worths(game, &game.start());
    for (at, (state, worth)) in worths.iter().enumerate().step_by(every) {
        for algorithm in Algorithm::ALL {
            for memory in memories {
                let mut search = Search::new(game, algorithm).with_threads(1 + at % 2);
                search.memory = *memory;
                let seen = search.run(state, &Control::default());
                assert_eq!(seen.halted, None);
                let found = seen.found().and_then(Found::proven);
                assert_eq!(found, Some(*worth), "{algorithm:?} {memory:?} {state:?}");
                for (mv, found) in seen.moves {
                    let child = game.play(state, mv);
                    let expected = worths[&child].backed_up(game.turn(&child), game.turn(state));
                    assert_eq!(found, Found::Proven(expected), "{algorithm:?} {state:?} {mv}");
                }
            }
        }
    }
}

/// Every algorithm on every position of a game that does not loop, with one memory for all.
fn check_whole<G: Game + foregone_rules::Acyclic>(game: &G) {
    let strong = crate::Strong::solve(game, &Control::default()).unwrap();
    for algorithm in Algorithm::ALL {
        let search = Search::new(game, algorithm).with_memory(1 << 28).without_loops();
        let mut kept = Kept::default();
        for (state, worth) in strong.iter() {
            let seen = search.run_on(state, &Control::default(), &mut kept);
            assert_eq!(seen.found(), Some(Found::Proven(worth)), "{algorithm:?} {state:?}");
        }
    }
}

const MEMORIES: [Option<u64>; 3] = [None, Some(4_000), Some(1 << 20)];

#[test]
fn tic_tac_toe_whole_equals_the_reference() {
    check(&Mnk::tic_tac_toe(), 1, &MEMORIES);
    check(&game::<Mnk>(&[("misere", "true")]), 5, &MEMORIES);
    check(&game::<Mnk>(&[("columns", "3"), ("rows", "2"), ("line", "2")]), 1, &MEMORIES);
    check(&game::<ConnectFour>(&[("columns", "3"), ("rows", "3"), ("line", "3")]), 3, &MEMORIES);
}

#[test]
fn kalah_whole_equals_the_reference_in_all_variants() {
    let sizes = [("2", "1"), ("2", "2"), ("2", "3"), ("3", "1"), ("3", "2"), ("3", "3")];
    for (pits, stones) in sizes {
        for capture in ["always", "nonempty"] {
            for end in ["either", "mover"] {
                for rest in ["owner", "mover", "none"] {
                    let game: Kalah = game(&[
                        ("pits", pits),
                        ("stones", stones),
                        ("capture", capture),
                        ("end", end),
                        ("rest", rest),
                    ]);
                    match stones {
                        "3" => check(&game, 101, &MEMORIES[2..]),
                        "2" if pits == "3" => check(&game, 7, &MEMORIES),
                        _ => check(&game, 1, &MEMORIES),
                    }
                    check_whole(&game);
                }
            }
        }
    }
}

#[test]
fn fox_and_hounds_whole_equals_the_reference() {
    for stuck in ["draw", "lose"] {
        for first in ["fox", "hounds"] {
            let given = [("size", "4"), ("stuck", stuck), ("first", first)];
            check(&game::<FoxAndHounds>(&given), 1, &MEMORIES);
            let given = [("size", "6"), ("stuck", stuck), ("first", first)];
            check_whole(&game::<FoxAndHounds>(&given));
        }
    }
}

/// Distances are compared by what endless play would be worth, also if that changes on the way.
#[test]
fn endless_play_may_be_worth_something() {
    let mut changes = 0;
    for seed in 0..400 {
        let graph = Graph::new(seed).without_loops();
        if graph.moves.len() > 16 {
            continue;
        }
        check(&graph, 3, &MEMORIES);
        check(&graph.clone().with_endless(1), 3, &MEMORIES);
        check(&graph.clone().with_endless(-2), 3, &MEMORIES);
        let graph = graph.with_loops(seed);
        check(&graph, 3, &MEMORIES);
        changes += u32::from(graph.endless.windows(2).any(|two| two[0] != two[1]));
    }
    assert!(changes > 50, "{changes}");
}

/// Where play is broken off it counts as going on for ever, unless there is an opinion.
#[test]
fn what_a_depth_limit_cuts_off_counts_as_endless_play() {
    let graph = Graph::new(7).without_loops().with_endless(2);
    let graph = Graph { outcomes: vec![None; graph.moves.len()], ..graph };
    for algorithm in Algorithm::ALL {
        let seen = Search::new(&graph, algorithm).with_depth(1).run(&0, &Control::default());
        let view = Outcome(2).value_for(graph.turn(&0));
        assert_eq!((seen.endless, seen.found().map(Found::value)), (view, Some(view)));
    }
}

#[test]
fn a_loop_is_told_of_and_a_depth_limit_bounds_it() {
    let game = game::<ThreeMensMorris>(&[]);
    let state = foregone_rules::Notation::parse(&game, "X.X/O.O/XO. 0 0 O").unwrap();
    for algorithm in Algorithm::ALL {
        let search = Search::new(&game, algorithm).with_memory(1 << 20);
        let seen = search.run(&state, &Control::default());
        assert!(matches!(seen.halted, Some(Halted::Loops { .. })), "{:?}", seen.halted);
        assert_eq!(seen.found(), None);
        let seen = search.with_depth(4).run(&state, &Control::default());
        assert_eq!(seen.halted, None);
        assert!(matches!(seen.found(), Some(Found::Estimate(_) | Found::Proven(_))));
    }
}

#[test]
fn what_a_depth_limit_cuts_off_is_never_called_proven() {
    let game = Mnk::tic_tac_toe();
    for algorithm in Algorithm::ALL {
        for depth in 1..9 {
            let search = Search::new(&game, algorithm).with_depth(depth).with_memory(1 << 20);
            let found = search.run(&game.start(), &Control::default()).found();
            assert!(matches!(found, Some(Found::Estimate(_))), "{algorithm:?} {depth}");
        }
        let search = Search::new(&game, algorithm).with_depth(9);
        let found = search.run(&game.start(), &Control::default()).found();
        assert!(matches!(found, Some(Found::Proven(_))), "{algorithm:?}");
    }
}

#[test]
fn lines_longer_than_the_callers_stack_allows_are_followed_too() {
    let nim = game::<Nim>(&[("heaps", "63-63")]);
    let search = Search::new(&nim, Algorithm::Negamax).with_memory(1 << 20).without_loops();
    let seen = search.run(&nim.start(), &Control::default());
    let lost = Worth::new(Value(-1), Distance::Plies(126));
    const { assert!(126 > SHALLOW) };
    assert_eq!(seen.found(), Some(Found::Proven(lost)));
}

#[test]
fn alpha_beta_looks_at_fewer_positions() {
    let game = Mnk::tic_tac_toe();
    let nodes = |algorithm| {
        Search::new(&game, algorithm).without_loops().run(&game.start(), &Control::default()).nodes
    };
    assert_eq!(nodes(Algorithm::Minimax), 549_946);
    assert_eq!(nodes(Algorithm::Negamax), 549_946);
    assert!(nodes(Algorithm::AlphaBeta) < 200_000);
}
