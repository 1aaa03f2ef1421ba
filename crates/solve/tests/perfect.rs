//! Perfect play on random positions of ten games: it keeps the value, wins as soon as a search for distances says, and
//! loses as late.

use std::sync::Arc;
use std::time::Duration;

use foregone::record::{Table, Values};
use foregone::sample::Dice;
use foregone::tables::Plan;
use foregone::{Control, Method, Player, Registry, Request, Session};
use foregone_trial::Folder;

/// Games, and how many random moves come first: so many that all distances are found in a moment.
const GAMES: [(&str, usize); 10] = [
    ("connect-four", 26),
    ("connect-four(columns=6,rows=5)", 17),
    ("mnk(columns=5,rows=5,line=4)", 15),
    ("mnk(columns=4,rows=4,line=3)", 4),
    ("hex(size=4)", 5),
    ("reversi(size=6)", 26),
    ("kalah(pits=4,stones=2)", 5),
    ("dots-and-boxes(columns=3,rows=2)", 8),
    ("quantum-tic-tac-toe", 6),
    ("fox-and-hounds(size=6)", 4),
];

/// Positions of each game.
const EACH: u64 = 20;

/// A session after some random moves; `None` if the game is over by then.
fn random(
    registry: &Registry,
    name: &str,
    moves: usize,
    dice: &mut Dice,
) -> Option<Box<dyn Session>> {
    let mut session = registry.game(name).unwrap().session();
    for _ in 0..moves {
        let all = session.moves();
        session.play(&all[dice.below(all.len())]).unwrap();
        if session.outcome().is_some() {
            return None;
        }
    }
    Some(session)
}

#[test]
fn perfect_play_wins_soonest_and_loses_latest() {
    let (registry, control) = (Registry::standard(), Control::default());
    let with_plies = Request::default().with_distances(true).with_line(false);
    for (name, moves) in GAMES {
        let (mut count, mut decided, mut dice) = (0, 0, Dice::new(3));
        while count < EACH {
            let Some(mut session) = random(&registry, name, moves, &mut dice) else { continue };
            count += 1;
            let report = session.fork().solve(&with_plies, &control);
            let choice = session.choose(Player::Perfect, &mut dice, &control).unwrap();
            let chosen = report.moves.iter().find(|each| each.mv == choice.mv).unwrap();
            let position = session.position();
            assert_eq!(Some(chosen.result.value), report.value, "{name} {position}: {}", choice.mv);
            if report.value != Some(report.without_end) {
                decided += 1;
                let plies = (chosen.result.distance, report.distance);
                assert_eq!(plies.0, plies.1, "{name} {position}: {}", choice.mv);
            }
        }
        assert!(decided > 2, "{name}: {decided}");
    }
}

/// Positions in which it once let a win go, or prolonged one.
#[test]
fn perfect_play_meets_threats() {
    let registry = Registry::standard();
    for (name, moves, right) in [
        ("connect-four", "4142574", "4"),
        ("connect-four", "414252", "6"),
        ("connect-four(columns=6,rows=5)", "4142564", "4"),
        ("mnk(columns=6,rows=6,line=4)", "15,14,16,1,22,36,23,31,17", "18"),
    ] {
        let mut session = registry.game(name).unwrap().open(None, moves).unwrap();
        // By the line that a search keeps, and by what it stars.
        for seed in 0..3 {
            let mut fork = session.fork();
            let choice = fork.choose(Player::Perfect, &mut Dice::new(seed), &Control::default());
            assert_eq!(choice.unwrap().mv, right, "{name} {moves}");
        }
        let report = session.solve(&Request::default(), &Control::default());
        assert_eq!(
            (&report.preferred[..], &report.line[0]),
            (&[right.to_owned()][..], &right.to_owned())
        );
    }
}

/// Perfect play chooses among the moves that solving prefers, whatever the method, also from a table without distances.
#[test]
fn perfect_play_chooses_what_solving_prefers() {
    let (place, registry, control) = (Folder::new(), Registry::standard(), Control::default());
    let (mut dice, mut narrowed) = (Dice::new(8), 0);
    for (name, moves, with_table) in [
        ("hex(size=4)", 2, false),
        ("mnk(columns=5,rows=5,line=4)", 13, false),
        ("kalah(pits=4,stones=2)", 4, false),
        ("reversi(size=6)", 26, false),
        ("tic-tac-toe", 2, true),
        ("nim", 2, true),
    ] {
        let game = registry.game(name).unwrap();
        let table = with_table.then(|| {
            let file = place.file(&format!("{name}.table"));
            let plan = Plan::new(Values::Wdl);
            game.tables().unwrap().build(&file, &plan, &control, &mut |_, _| {}).unwrap();
            Arc::new(Table::open(&file).unwrap())
        });
        for _ in 0..10 {
            let Some(mut session) = random(&registry, name, moves, &mut dice) else { continue };
            table.iter().for_each(|table| session.consult(table.clone()));
            let report = session.solve(&Request::default(), &control);
            assert!(report.method == "table" || !with_table, "{name} {}", report.method);
            for _ in 0..3 {
                let choice = session.choose(Player::Perfect, &mut dice, &control).unwrap();
                assert!(report.preferred.contains(&choice.mv), "{name} {}", session.position());
            }
            let line = report.line.first();
            assert!(line.is_none_or(|mv| report.preferred.contains(mv)), "{name} {line:?}");
            narrowed += u32::from(report.preferred.len() < report.moves.len());
        }
    }
    assert!(narrowed > 30, "{narrowed}");
}

/// The search of the graded players proves seven moves to be wins here; 5 wins at once.
#[test]
fn graded_players_take_a_win_at_once() {
    let game = Registry::standard().game("connect-four").unwrap();
    let moves = "4 6 1 6 7 4 1 4 7 3 2 6 6 5 3 7 5";
    for player in [Player::Easy, Player::Medium, Player::Hard] {
        for seed in 0..4 {
            let mut session = game.open(None, moves).unwrap();
            let mut dice = Dice::new(seed);
            let choice = session.choose(player, &mut dice, &Control::default()).unwrap();
            assert_eq!(choice.mv, "5", "{player}, seed {seed}");
        }
    }
    // With little time for distances, the moves that win at once are still known as such.
    let mut session = game.open(None, moves).unwrap();
    let soon = Control::default().with_time(Duration::from_secs(60));
    let report = session.solve(&Request::default().with_method(Method::Search), &soon);
    let at_once = report.moves.iter().find(|mv| mv.mv == "5").unwrap();
    assert_eq!((at_once.result.value, at_once.result.distance), (1, Some(1)));
    assert_eq!(report.best, ["5"]);
}

/// Where there is hardly any time, too: it needs no search.
#[test]
fn a_win_at_once_is_seen_in_any_time() {
    let registry = Registry::standard();
    let no_time = Control::default().with_time(Duration::from_millis(1));
    for (name, moves, wins) in [
        ("connect-four(columns=8,rows=7)", "64727255", "8"),
        ("connect-four(columns=8,rows=7)", "38484543", "4"),
        (
            "mnk(columns=7,rows=7,line=5)",
            "5,24,29,18,10,16,3,38,48,1,31,17,7,42,32,30,15,20,26",
            "19",
        ),
    ] {
        let mut session = registry.game(name).unwrap().open(None, moves).unwrap();
        for player in [Player::Perfect, Player::MonteCarlo, Player::Deepening, Player::Hard] {
            let choice = session.choose(player, &mut Dice::new(1), &no_time).unwrap();
            assert_eq!(choice.mv, wins, "{name} {moves} {player}");
        }
        for request in [Request::default(), Request::default().with_moves(false)] {
            let report = session.solve(&request, &no_time);
            let plies = report.distance.filter(|_| request.moves);
            let expected = request.moves.then_some(1);
            assert_eq!((report.value, plies), (Some(1), expected), "{name} {moves}");
            assert!(report.moves.iter().all(|each| each.chance.is_none()));
            assert!(report.moves.is_empty() || report.preferred == [wins], "{name} {moves}");
        }
    }
}

/// In a draw the opponent is left the fewest replies that hold it, by a count of all replies.
#[test]
fn in_a_draw_the_preferred_moves_leave_the_fewest_replies() {
    let (registry, control, request) =
        (Registry::standard(), Control::default(), Request::default());
    let (mut narrowed, mut dice) = (0, Dice::new(5));
    for name in ["tic-tac-toe", "connect-four(columns=4,rows=4)", "text:picaria"] {
        for ply in 0..60 {
            let Some(mut session) = random(&registry, name, ply % 5, &mut dice) else { continue };
            let report = session.solve(&request, &control);
            if report.value != Some(report.without_end) || report.best.len() < 2 {
                continue;
            }
            let mut replies = |mv: &String| {
                session.play(mv).unwrap();
                let after = session.solve(&request, &control);
                let holds = after.moves.iter().filter(|mv| Some(mv.result.value) == after.value);
                let count = if session.outcome().is_some() { usize::MAX } else { holds.count() };
                session.undo();
                count
            };
            let counts: Vec<usize> = report.best.iter().map(&mut replies).collect();
            let fewest = counts.iter().min();
            let kept = report.best.iter().zip(&counts).filter(|(_, count)| Some(*count) == fewest);
            let kept: Vec<_> = kept.map(|(mv, _)| mv.clone()).collect();
            assert_eq!(report.preferred, kept, "{name} {}", session.position());
            assert!(kept.contains(&report.line[0]), "{name} {}", session.position());
            narrowed += u32::from(kept.len() < report.best.len());
        }
    }
    assert!(narrowed > 20, "{narrowed}");
}
