//! Puzzles have one solution, by plain solving of each move.

use foregone::any::puzzles::{Puzzle, Wanted, find};
use foregone::{Control, Registry, Request};

#[test]
fn each_puzzle_has_one_solution() {
    let registry = Registry::standard();
    for (name, moves_to_win) in [
        ("tic-tac-toe", Some(2)),
        ("connect-four(columns=4,rows=4)", Some(3)),
        ("kalah(pits=3,stones=3)", None),
        ("three-mens-morris", Some(3)),
        ("hexapawn", None),
    ] {
        let game = registry.game(name).unwrap();
        let wanted = Wanted::new(moves_to_win, 5, 3);
        let all = |wanted| {
            let mut all = Vec::new();
            let mut session = game.session();
            find(&*game, &mut *session, wanted, &Control::default(), &mut |puzzle| {
                all.push(puzzle)
            })
            .unwrap();
            all
        };
        let puzzles = all(wanted);
        assert!(puzzles.len() == if name == "hexapawn" { 1 } else { 5 }, "{name}");
        for puzzle in &puzzles {
            let session = game.open(None, &puzzle.moves.join(" ")).unwrap();
            assert_eq!(session.position(), puzzle.position);
            // Each move by itself, as plain as can be.
            let value = |mv: &str| {
                let mut after = session.fork();
                after.play(mv).unwrap();
                let report = after.solve(&Request::default(), &Control::default());
                let value = report
                    .value
                    .or(after.outcome().map(|outcome| outcome.value_for(after.turn()).0))
                    .unwrap();
                if after.turn() == session.turn() { value.signum() } else { -value.signum() }
            };
            let goal = i32::from(puzzle.goal == "win");
            let kept: Vec<_> = session.moves().into_iter().filter(|mv| value(mv) >= goal).collect();
            assert_eq!(kept, std::slice::from_ref(&puzzle.solution), "{name}: {puzzle:?}");
            assert_eq!(puzzle.line.first(), Some(&puzzle.solution));
            assert_ne!(puzzle.tempting.as_ref(), Some(&puzzle.solution));
            if let Some(moves) = moves_to_win {
                assert_eq!(puzzle.moves_to_win, Some(moves), "{name}");
            }
        }
        let texts =
            |all: &[Puzzle]| all.iter().map(|each| each.position.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&all(wanted)), texts(&puzzles), "the same seed");
    }
}
