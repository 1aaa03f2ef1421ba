use super::*;
use crate::reference;
use foregone_rules::Distance;
use foregone_rules::games::{Awari, ConnectFour, FoxAndHounds, Kalah, Mnk, Nim, ThreeMensMorris};
use foregone_trial::{Domineering, Graph, Hoard, game};

fn check<G: Game>(game: &G) {
    let strong = Strong::solve(game, &Control::default()).unwrap();
    let worths = reference::worths(game, &game.start());
    assert_eq!(strong.positions(), worths.len() as u64);
    for (state, worth) in strong.iter() {
        assert_eq!(worth, worths[state], "{state:?}");
        assert_eq!(strong.worth(state), Some(worth));
    }
}

#[test]
fn small_games_whole_equal_the_reference() {
    check(&Mnk::tic_tac_toe());
    for stuck in ["draw", "pass", "lose"] {
        for first in ["fox", "hounds"] {
            for size in ["4", "6"] {
                let given = [("size", size), ("stuck", stuck), ("first", first)];
                check(&game::<FoxAndHounds>(&given));
            }
        }
    }
    check(&game::<ThreeMensMorris>(&[]));
    for (pits, stones) in [("2", "1"), ("2", "2"), ("2", "3"), ("3", "1"), ("3", "2"), ("3", "3")] {
        for capture in ["always", "nonempty"] {
            for end in ["either", "mover"] {
                for rest in ["owner", "mover", "none"] {
                    check(&game::<Kalah>(&[
                        ("pits", pits),
                        ("stones", stones),
                        ("capture", capture),
                        ("end", end),
                        ("rest", rest),
                    ]));
                }
            }
        }
    }
}

/// Alike positions are solved as one, also where the sides are exchanged.
#[test]
fn representatives_are_worth_what_their_positions_are() {
    fn check<G: Symmetry>(game: &G) {
        let control = Control::default();
        let strong = Strong::solve_up_to_symmetry(game, &game.start(), &control).unwrap();
        let worths = reference::worths(game, &game.start());
        for (state, worth) in &worths {
            let like = game.representative(state);
            assert_eq!(strong.worth(&like), Some(*worth), "{state:?}");
        }
        assert!(strong.positions() < worths.len() as u64);
    }
    for size in 2..=4 {
        check(&Domineering::new(size));
    }
    check(&Mnk::tic_tac_toe());
    check(&game::<ThreeMensMorris>(&[]));
    check(&game::<Kalah>(&[("pits", "2"), ("stones", "2")]));
    check(&game::<Awari>(&[("pits", "2"), ("stones", "3")]));
}

#[test]
fn random_graphs_with_loops_equal_the_reference() {
    let mut endless = 0;
    for seed in 0..3000 {
        let graph = Graph::new(seed);
        check(&graph);
        let strong = Strong::solve(&graph, &Control::default()).unwrap();
        endless += strong.iter().filter(|(_, worth)| worth.is_endless()).count();
    }
    assert!(endless > 1000, "loops were tried");
}

/// What endless play is worth is the same everywhere, or differs from one component to another.
#[test]
fn endless_play_may_be_worth_something() {
    let (mut elsewhere, mut away) = (0, 0);
    for seed in 0..2000 {
        let graph = Graph::new(seed);
        for endless in [-3, -1, 1, 2] {
            let graph = graph.clone().with_endless(endless);
            check(&graph);
            assert!(Strong::solve(&graph, &Control::default()).unwrap().is_even());
        }
        let graph = graph.with_loops(seed);
        check(&graph);
        let strong = Strong::solve(&graph, &Control::default()).unwrap();
        elsewhere += u32::from(!strong.is_even());
        for (state, worth) in strong.iter().filter(|(_, worth)| worth.is_endless()) {
            away += u32::from(worth.value() != endless_at(&graph, state));
        }
        if seed < 300 {
            let hoard = Hoard::new(seed);
            check(&hoard.clone().with_endless(-2));
            check(&hoard.with_loops(seed));
        }
    }
    assert!(elsewhere > 500 && away > 200, "{elsewhere} {away}");
}

/// A game that loops and banks points, distances included.
#[test]
fn awari_is_solved_as_by_the_reference() {
    let mut away = 0;
    for slam in ["forbidden", "void"] {
        for (pits, stones) in [("1", "7"), ("2", "1"), ("2", "2"), ("2", "3"), ("3", "1")] {
            let awari = game::<Awari>(&[("pits", pits), ("stones", stones), ("slam", slam)]);
            check(&awari);
            let strong = Strong::solve(&awari, &Control::default()).unwrap();
            for (state, worth) in strong.iter().filter(|(_, worth)| worth.is_endless()) {
                away += u32::from(worth.value() != endless_at(&awari, state));
            }
        }
    }
    assert!(away > 100, "{away}");
}

/// Positions that differ in what is banked alone are solved as one.
#[test]
fn banked_points_are_left_out() {
    let mut looping = 0;
    for seed in 0..500 {
        let hoard = Hoard::new(seed).with_endless(seed as i32 % 3 - 1);
        let bare = Strong::solve_bare(&hoard, &hoard.start(), &Control::default()).unwrap();
        let whole = Strong::solve(&hoard, &Control::default()).unwrap();
        let values = hoard.values();
        for (state, worth) in whole.iter() {
            let Merged { state: like, offset } = Merged::of(&hoard, state);
            let known = bare.worth(&like).unwrap();
            assert_eq!(Value(known.value().0 + offset.0), worth.value(), "{seed} {state:?}");
            assert_eq!(known.distance(), worth.distance(), "{seed} {state:?}");
            assert_eq!(known.value().0, values[hoard.encode(&like) as usize], "{seed} {state:?}");
            looping += u32::from(known.is_endless());
        }
    }
    assert!(looping > 300, "{looping}");
}

/// Ranks fall as they should, in games of each kind.
#[test]
fn ranks_fall() {
    fn falls<G: Game>(game: &G) -> u32 {
        let strong = Strong::solve(game, &Control::default()).unwrap();
        let mut looked_at = 0;
        for (state, worth) in strong.iter() {
            let mover = game.turn(state);
            if game.outcome(state).is_some() {
                continue;
            }
            let rank = |state: &G::State| strong.rank(game, state).unwrap();
            let children = game.moves(state).map(|mv| game.play(state, mv));
            let seen = |child: &G::State| {
                strong.worth(child).unwrap().value().seen_from(game.turn(child), mover)
            };
            let mut keeping = children.filter(|child| seen(child) == worth.value());
            match worth.value().cmp(&endless_at(game, state)) {
                std::cmp::Ordering::Greater => {
                    assert!(keeping.any(|child| rank(&child) < rank(state)), "{state:?}");
                }
                std::cmp::Ordering::Less => {
                    let mut all = game.moves(state).map(|mv| game.play(state, mv));
                    assert!(all.all(|child| rank(&child) < rank(state)), "{state:?}");
                }
                std::cmp::Ordering::Equal => continue,
            }
            looked_at += 1;
        }
        looked_at
    }
    let mut looked_at = 0;
    for seed in 0..1000 {
        let graph = Graph::new(seed);
        looked_at += falls(&graph) + falls(&graph.clone().with_endless(1));
        looked_at += falls(&graph.with_loops(seed)) + falls(&Hoard::new(seed).with_loops(seed));
    }
    assert!(looked_at > 5_000, "{looked_at}");
}

#[test]
fn the_founding_question_is_answered() {
    let hounds_win = |given: &[(&str, &str)]| {
        let game = game::<FoxAndHounds>(given);
        let strong = Strong::solve(&game, &Control::default()).unwrap();
        strong.worth(&game.start())
    };
    let won = Some(Worth::new(Value(-1), Distance::Plies(44)));
    assert_eq!(hounds_win(&[]), won);
    for stuck in ["draw", "pass", "lose"] {
        let won = Some(Worth::new(Value(1), Distance::Plies(25)));
        assert_eq!(hounds_win(&[("size", "6"), ("stuck", stuck)]), won);
    }
}

/// Trying whether a game is small gives up early if it is not, and never if it is.
#[test]
fn a_game_that_looks_too_large_is_given_up_early() {
    fn quickly<G: Game>(game: &G, max: u64) -> (bool, u64) {
        let seen = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
        let told = seen.clone();
        let control = Control::default().with_listener(std::sync::Arc::new(move |progress| {
            told.fetch_max(progress.done, std::sync::atomic::Ordering::Relaxed);
        }));
        let tried = Strong::solve_quickly(game, &game.start(), None, &control, max).unwrap();
        let found = seen.load(std::sync::atomic::Ordering::Relaxed);
        (matches!(tried, Quickly::Solved(_)), found)
    }
    // 161,029 positions.
    let connect = game::<ConnectFour>(&[("columns", "4"), ("rows", "4")]);
    assert!(quickly(&connect, 170_000).0);
    assert!(!quickly(&connect, 160_000).0);
    // 65,528 positions, most of them found soon, as each has many moves.
    let nim = game::<Nim>(&[("heaps", "31-31-31")]);
    assert!(quickly(&nim, 150_000).0);
    // Many millions: that shows after some ten thousand.
    let wide = game::<Mnk>(&[("columns", "64"), ("rows", "1"), ("line", "2")]);
    let (solved, found) = quickly(&wide, 4_000_000);
    assert!(!solved && found < 1_500_000, "{found}");
}

#[test]
fn limits_are_kept() {
    let game = Mnk::tic_tac_toe();
    for memory in [0, 1 << 10, 1 << 14, 1 << 17] {
        let halted = Strong::solve(&game, &Control::default().with_memory(memory)).unwrap_err();
        let Halted::Memory { limit, needed, done, .. } = halted else { panic!("{halted}") };
        assert!(limit == memory && needed > memory && done < 5478, "{halted}");
    }
    let few = Control::default().with_positions(1000);
    assert_eq!(Strong::solve(&game, &few).unwrap_err(), Halted::Positions { limit: 1000 });
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let halted = Strong::solve(&game, &Control::default().with_stop(stop)).unwrap_err();
    assert!(matches!(halted, Halted::Stopped { .. }));
}
