use super::*;
use crate::any::game::AnyGame;
use crate::any::named::{Named, Shared};
use crate::declared::Declared;
use crate::exact::{Exact, Options};
use crate::monte_carlo::think_of;
use crate::play::Player;
use crate::solver::{Method, Request, Solver};
use crate::strong::Strong;
use crate::tree::Census;
use foregone_rules::Game;
use foregone_rules::promise::Promises;
use foregone_rules::sample::Dice;
use foregone_trial::{Endless, Stuck, Wide};
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

/// Runs a solver on a game with a thousand moves in every position, and tells how many moves it
/// listed between two looks up from its work at most.
fn widest_gap(run: impl FnOnce(Wide, &Control) -> Option<Halted>) -> u64 {
    const LOOKS: usize = 30;
    let game = Wide::new(1000, 300);
    let (stop, looks) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
    let (listed, asked, told) = (game.listed.clone(), stop.clone(), looks.clone());
    let listener: Listener = Arc::new(move |_| {
        let mut looks = told.lock().unwrap();
        looks.push(listed.load(Ordering::Relaxed));
        asked.store(looks.len() >= LOOKS, Ordering::Relaxed);
    });
    let control = Control::default().with_stop(stop).with_listener(listener);
    let listed = game.listed.clone();
    let halted = run(game, &control);
    assert!(matches!(halted, Some(Halted::Stopped { .. })), "{halted:?}");
    let mut looks = looks.lock().unwrap();
    assert_eq!(looks.len(), LOOKS, "it stops when it is told to");
    let last = listed.load(Ordering::Relaxed);
    looks.push(last);
    looks.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap()
}

#[test]
fn wide_games_are_looked_up_from_as_often() {
    type Run = fn(Wide, &Control) -> Option<Halted>;
    let analyse = |method| {
        move |game: Wide, control: &Control| {
            let (state, mut solver) = (game.start(), Solver::new(Declared::plain(game)));
            let request = Request { method, ..Request::default() };
            solver.analyse(&state, &request, control).halted
        }
    };
    fn exact(game: Wide, control: &Control, by_proof: bool) -> Option<Halted> {
        let options = Options { by_proof, ..Options::default() };
        Exact::with(&game, control, options).unwrap().bounds(&game.start()).halted
    }
    let runs: [(&str, Run); 6] = [
        ("strong", |game, control| Strong::solve(&game, control).err()),
        ("census", |game, control| {
            Census::new(&game, game.start(), None, control).find_map(Result::err)
        }),
        ("exact", |game, control| exact(game, control, false)),
        ("proof numbers", |game, control| exact(game, control, true)),
        ("random games", |game, control| {
            let (state, declared) = (game.start(), Declared::plain(game));
            think_of(&declared, &state, &mut Dice::new(1), control).err()
        }),
        ("deepening", |game, control| {
            let (state, mut solver) = (game.start(), Solver::new(Declared::plain(game)));
            let dice = &mut Dice::new(1);
            Player::Deepening.choose(&mut solver, &state, dice, control).err()
        }),
    ];
    // What was begun is finished: the moves of a position and those of the one above it.
    let max = Control::INTERVAL + 2_000;
    for (name, run) in runs {
        let gap = widest_gap(run);
        assert!(gap <= max, "{name}: {gap}");
    }
    for (name, method) in Method::ALL {
        if !matches!(method, Method::Table | Method::Book | Method::Proof) {
            let gap = widest_gap(analyse(method));
            assert!(gap <= max, "{name}: {gap}");
        }
    }
}

#[test]
fn chance_games_of_wide_games_are_looked_up_from_as_often() {
    // Two plies are seen at once, as they are the last; the rest are chance games.
    let looks = Arc::new(AtomicU64::new(0));
    let (game, told) = (Wide::new(1000, 40), looks.clone());
    let listener: Listener = Arc::new(move |progress: Progress| {
        if progress.phase == "playing chance games" {
            told.fetch_add(1, Ordering::Relaxed);
        }
    });
    let control = Control::default().with_listener(listener).with_time(Duration::ZERO);
    let (state, listed) = (game.start(), game.listed.clone());
    let mut solver = Solver::new(Declared::plain(game));
    Player::Deepening.choose(&mut solver, &state, &mut Dice::new(1), &control).unwrap();
    let (looks, listed) = (looks.load(Ordering::Relaxed), listed.load(Ordering::Relaxed));
    assert!(looks > 100, "{looks}");
    assert!(listed < 30_000_000, "{listed}: not two hundred games after each move");
}

#[test]
fn random_games_of_wide_games_look_at_the_limits_as_often() {
    let (game, looks) = (Wide::new(1000, 300), Arc::new(Mutex::new(Vec::new())));
    let (listed, told) = (game.listed.clone(), looks.clone());
    let listener: Listener = Arc::new(move |progress: Progress| {
        if progress.phase == "playing random games" {
            told.lock().unwrap().push(listed.load(Ordering::Relaxed));
        }
    });
    let control = Control::default().with_listener(listener).with_positions(2);
    let (state, declared) = (game.start(), Declared::plain(game));
    think_of(&declared, &state, &mut Dice::new(1), &control).unwrap();
    let looks = looks.lock().unwrap();
    let widest = looks.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
    assert!(widest <= Control::INTERVAL + 2_000, "{widest}");
    // A game stops in its middle, too.
    let control = Control::default().with_time(Duration::ZERO);
    let chances = think_of(&declared, &state, &mut Dice::new(1), &control).unwrap();
    assert_eq!((chances.moves.len(), chances.games), (1000, 0));
}

#[test]
fn moves_that_never_end_are_stopped_by_the_memory_limit() {
    let control = Control::default().with_memory(1 << 20);
    let halted = [
        Strong::solve(&Endless, &control).err(),
        Census::new(&Endless, 0, None, &control.clone().with_time(Duration::from_millis(50)))
            .find_map(Result::err),
    ];
    let plain = || Declared::plain(Endless);
    let searched = || plain().with(|it| it.searchable());
    let methods = [Method::Auto, Method::Strong, Method::Search, Method::Minimax];
    let plain_methods = methods.map(|method| (plain(), method));
    let searches = [Method::Auto, Method::Search, Method::Proof].map(|method| (searched(), method));
    let solved = plain_methods.into_iter().chain(searches).map(|(game, method)| {
        let request = Request { method, ..Request::default() };
        Solver::new(game).analyse(&0, &request, &control).halted
    });
    let mut solver = Solver::new(searched());
    let players =
        [Player::Perfect, Player::MonteCarlo, Player::Deepening, Player::Random].map(|player| {
            let dice = &mut Dice::new(1);
            player.choose(&mut solver, &0, dice, &control).err()
        });
    for (at, halted) in halted.into_iter().chain(solved).chain(players).enumerate() {
        let limited = matches!(halted, Some(Halted::Memory { .. } | Halted::Time { .. }));
        assert!(limited, "{at}: {halted:?}");
    }
}

#[test]
fn a_position_without_moves_is_told_of_by_its_notation() {
    let control = Control::default();
    let broken = |position: &str| Some(Halted::NoMoves { position: position.into() });
    assert_eq!(Strong::solve(&Stuck, &control).err(), broken("3"));
    assert_eq!(Census::new(&Stuck, 0, None, &control).find_map(Result::err), broken("3"));
    let declared = || {
        Declared::plain(Stuck).with(|it| {
            it.notation();
            it.acyclic();
        })
    };
    for declared in [declared(), declared().with(|it| it.search_hints())].map(Arc::new) {
        for (name, method) in Method::ALL {
            if matches!(method, Method::Table | Method::Book)
                || method == Method::Proof && declared.values.is_none()
            {
                continue;
            }
            let request = Request { method, ..Request::default() };
            for state in [0, 3] {
                let mut solver = Solver::new(declared.clone());
                let analysis = solver.analyse(&state, &request, &control);
                assert_eq!(analysis.halted, broken("square 3"), "{name} {state}");
                assert_eq!(analysis.found, None, "{name} {state}");
            }
        }
        let players = [
            Player::Perfect,
            Player::MonteCarlo,
            Player::Deepening,
            Player::AlphaBeta { depth: 4 },
            Player::Minimax { depth: 4 },
            Player::Random,
            Player::First,
        ];
        for player in players {
            let (mut solver, dice) = (Solver::new(declared.clone()), &mut Dice::new(1));
            let choice = player.choose(&mut solver, &3, dice, &control);
            assert_eq!(choice.err(), broken("square 3"), "{player}");
        }
    }
    let halted = Strong::solve_from(&Stuck, &3, &control).err().unwrap();
    let text = "the game is not over at `3`, but has no legal move there: its rules are broken";
    assert_eq!(halted.to_string(), text);
}

#[test]
fn a_session_tells_of_broken_rules() {
    let game =
        Shared(Arc::new(Named::plain("stuck", Declared::plain(Stuck).with(|it| it.notation()))));
    let mut session = game.open(Some("square 3"), "").unwrap();
    let error = session.play("1").unwrap_err().to_string();
    assert!(error.contains("though the game is not over"), "{error}");
    let tree = session.tree(&crate::TreeRequest::default(), &Control::default());
    let report = session.solve(&Request::default(), &Control::default());
    for halted in [tree.halted, report.halted] {
        assert!(matches!(halted, Some(Halted::NoMoves { .. })), "{halted:?}");
    }
}

/// Parts of a run end sooner, too, when its end is brought forward.
#[test]
fn an_end_that_comes_sooner_shortens_all_parts() {
    let end = End::after(Duration::from_secs(4_000));
    let whole = Control::default().with_end(end.clone());
    let part = whole.clone().with_quarters_of_time(3);
    let within = part.clone().with_quarters_of_time(2);
    let left = || [&whole, &part, &within].map(|control| control.time_left().unwrap().as_secs());
    let near = |left: [u64; 3], expected: [u64; 3]| {
        left.iter().zip(expected).all(|(left, expected)| (expected - 100..=expected).contains(left))
    };
    assert!(near(left(), [4_000, 3_000, 1_500]), "{:?}", left());
    end.bring_forward(Duration::from_secs(800));
    assert!(near(left(), [800, 600, 300]), "{:?}", left());
    // It does not come later again.
    end.bring_forward(Duration::from_secs(2_000));
    assert!(near(left(), [800, 600, 300]), "{:?}", left());
    end.bring_forward(Duration::ZERO);
    let progress = Progress { phase: "", done: 0, total: None, bounds: None };
    assert!(matches!(within.report(progress), Err(Halted::Time { .. })));
    assert!(within.is_over() && !within.without_time().is_over());
}
