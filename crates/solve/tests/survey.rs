//! What a survey says of small games, counted again by the plain rules.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use foregone::survey::{Survey, Wanted, survey};
use foregone::{Args, Control, Family, Game, Registry, games, reference};

fn of(name: &str) -> Survey {
    let game = Registry::standard().game(name).unwrap();
    let mut wanted = Wanted::default();
    (wanted.games, wanted.puzzles) = (10, 2);
    let mut steps = 0;
    let mut hear = |_: &str| steps += 1;
    let found = survey(&*game, &mut *game.session(), wanted, &Control::default(), &mut hear);
    assert!(steps > 5);
    assert_eq!(found.halted, None, "{name}");
    found
}

/// Positions, ends, and positions that the first player wins, draws and loses, by the rules and the reference alone.
fn counted<G: Game>(game: &G) -> (u64, u64, [u64; 3]) {
    let worths = reference::worths(game, &game.start());
    let mut results = [0; 3];
    for (state, worth) in &worths {
        results[(1 - worth.value().outcome_for(game.turn(state)).0.signum()) as usize] += 1;
    }
    let over = worths.keys().filter(|state| game.outcome(state).is_some()).count();
    (worths.len() as u64, over as u64, results)
}

/// Lines of play that end, and the mean length of random games, by walking through all of them.
fn walked<G: Game>(
    game: &G,
    state: &G::State,
    kept: &mut HashMap<G::State, (f64, f64)>,
) -> (f64, f64) {
    if game.outcome(state).is_some() {
        return (1.0, 0.0);
    }
    if let Some(known) = kept.get(state) {
        return *known;
    }
    let below: Vec<_> =
        game.moves(state).map(|mv| walked(game, &game.play(state, mv), kept)).collect();
    let games = below.iter().map(|each| each.0).sum();
    let length = 1.0 + below.iter().map(|each| each.1).sum::<f64>() / below.len() as f64;
    kept.insert(*state, (games, length));
    (games, length)
}

fn of_family<G: Family>(given: &[(&str, &str)]) -> G {
    G::create(&Args::new(&G::ABOUT, given.iter().copied()).unwrap()).unwrap()
}

fn agree<G: Game>(name: &str, game: &G) {
    let whole = of(name).whole.unwrap();
    let (positions, over, results) = counted(game);
    assert_eq!((whole.positions, whole.all.positions), (positions, positions), "{name}");
    assert_eq!((whole.all.over, whole.all.results), (over, results), "{name}");
    let mut plies = 0;
    for (ply, row) in whole.plies.iter().enumerate() {
        assert_eq!(row.ply as usize, ply);
        plies += row.positions;
    }
    assert_eq!(plies, positions);
    if !whole.loops {
        let (games, length) = walked(game, &game.start(), &mut HashMap::new());
        assert_eq!(whole.games, Some(games), "{name}");
        assert!((whole.random.length.mean - length).abs() < 1e-9, "{name}");
        assert!((whole.random.results.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{name}");
    }
}

#[test]
fn sums_are_those_of_the_rules() {
    agree("tic-tac-toe", &games::Mnk::tic_tac_toe());
    agree("three-mens-morris", &of_family::<games::ThreeMensMorris>(&[]));
    agree("kalah(pits=2,stones=2)", &of_family::<games::Kalah>(&[("pits", "2"), ("stones", "2")]));
}

/// The text games exchange sides by their symmetry, so that images of positions need not be able to arise.
#[test]
fn what_is_alike_counts_once() {
    for name in [
        "tic-tac-toe",
        "three-mens-morris",
        "text:hexapawn",
        "text:achi",
        "text:clobber(columns=3,rows=3)",
    ] {
        let game = Registry::standard().game(name).unwrap();
        let (mut all, mut alike) = (HashSet::new(), HashSet::new());
        let mut open = vec![game.session()];
        while let Some(session) = open.pop() {
            if !all.insert(session.position()) {
                continue;
            }
            alike.insert(session.representative());
            for mv in session.moves() {
                let mut next = session.fork();
                next.play(&mv).unwrap();
                open.push(next);
            }
        }
        let map = game.session().map(1 << 20, &Control::default()).unwrap().unwrap();
        assert_eq!(map.positions(), all.len(), "{name}");
        assert_eq!(map.alike().unwrap_or(all.len() as u64), alike.len() as u64, "{name}");
    }
}

#[test]
fn tic_tac_toe_is_as_everybody_knows_it() {
    let found = of("tic-tac-toe");
    assert_eq!((found.start.value, found.start.plies), (Some(0), Some(9)));
    assert_eq!(found.start.moves.len(), 9);
    let whole = found.whole.unwrap();
    assert_eq!((whole.positions, whole.alike, whole.games), (5_478, Some(765), Some(255_168.0)));
    assert_eq!((whole.all.lines, whole.shortest), (Some(549_946.0), Some(5)));
    assert!((whole.random.results[0] - 0.585).abs() < 0.001, "{:?}", whole.random.results);
    assert!((whole.perfect.results[1] - 1.0).abs() < 1e-9);
    let strengths: Vec<&str> = found.players.iter().map(|played| played.player).collect();
    assert_eq!(strengths, ["random", "easy", "medium", "hard"]);
    let judged = found.players.iter().map(|played| played.judged.unwrap());
    let mistakes: Vec<f64> = judged.map(|judged| judged.mistakes).collect();
    assert!(mistakes[0] > mistakes[1] && mistakes[1] > mistakes[3], "{mistakes:?}");
    assert!(found.ladder[0].points > 0.6 && found.puzzles.len() == 2);
}

#[test]
fn a_first_move_that_wins_is_named_and_the_pie_rule_takes_it() {
    // The middle wins; the pie rule makes of it a win for the player who chooses.
    let found = of("hex(size=3)");
    let start = &found.start;
    assert_eq!(start.value, Some(1));
    let won: Vec<&str> =
        start.moves.iter().filter(|mv| mv.value == Some(1)).map(|mv| mv.mv.as_str()).collect();
    assert!(won.contains(&"b2"), "{won:?}");
    let pie = found.pie.unwrap();
    assert_eq!(pie.value, -1);
    let plies = |mv: &str| start.moves.iter().find(|each| each.mv == mv).unwrap().plies;
    let latest = start.moves.iter().filter_map(|mv| mv.plies).max();
    assert!(pie.moves.iter().all(|mv| plies(mv) == latest));
    // Values are for the first player whoever begins.
    let second = of("kalah(pits=2,stones=2)");
    assert_eq!(second.start.value, Some(-2));
    assert_eq!(second.start.moves.iter().filter_map(|mv| mv.value).max(), Some(-2));
}

#[test]
fn a_large_game_is_judged_by_games_and_a_stop_keeps_what_was_found() {
    let game = Registry::standard().game("hex(size=5)").unwrap();
    let mut wanted = Wanted::default();
    (wanted.positions, wanted.games, wanted.puzzles) = (1_000, 2, 0);
    let found = survey(&*game, &mut *game.session(), wanted, &Control::default(), &mut |_| {});
    assert!(found.whole.is_none() && found.expected.unwrap() > 1_000);
    assert_eq!((found.players.len(), found.start.value), (4, Some(1)));
    assert!(found.players.iter().all(|played| played.judged.is_none()));
    // Stopped at the games of the second player.
    let stop = Arc::new(AtomicBool::new(false));
    let control = Control::default().with_stop(stop.clone());
    let mut heard = |step: &str| {
        if step.contains("easy") {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let found = survey(&*game, &mut *game.session(), wanted, &control, &mut heard);
    assert!(found.halted.unwrap().contains("stopped"));
    assert_eq!(found.players.len(), 1);
    // Equal seeds give equal games.
    let again = survey(&*game, &mut *game.session(), wanted, &Control::default(), &mut |_| {});
    assert_eq!(again.players[0], found.players[0]);
}
