use super::*;
use crate::conform::Conform;

fn after(moves: &str) -> State {
    let game = QuantumTicTacToe::of();
    moves.split_whitespace().fold(game.start(), |state, text| {
        assert_eq!(game.outcome(&state), None, "over before {text} in {moves}");
        let mv = game.moves(&state).find(|mv| mv.to_string() == text);
        game.play(&state, mv.unwrap_or_else(|| panic!("{text} is no move in {moves}")))
    })
}

#[test]
fn keeps_its_promises() {
    let game = QuantumTicTacToe::of();
    let report =
        Conform::new(&game).picture().acyclic().encode().symmetry().search_hints().finish();
    report.unwrap_or_else(|broken| panic!("{broken}"));
}

#[test]
fn two_pairs_on_the_same_squares_are_a_cycle() {
    let game = QuantumTicTacToe::of();
    let state = after("1-2 1-2");
    assert!(state.collapsing);
    assert_eq!(game.turn(&state), Side::First);
    let choices: Vec<_> = game.moves(&state).map(|mv| mv.to_string()).collect();
    assert_eq!(choices, ["@1", "@2"]);
    let state = after("1-2 1-2 @1");
    assert_eq!((state.marks[0], state.marks[1]), (2, 1));
    assert_eq!(game.turn(&state), Side::First);
    assert_eq!(game.moves(&state).count(), 21);
}

#[test]
fn a_collapse_takes_along_what_is_entangled() {
    // 1-2, 2-3, 3-1 is a cycle; 3-4 and 5-4 hang on it.
    let state = after("1-2 2-3 3-4 4-5 1-3");
    assert!(state.collapsing);
    let squares = |state: State| state.marks.map(|marks| marks.trailing_zeros() + 1);
    // Mark 5 on 1, so mark 1 on 2, mark 2 on 3, mark 3 on 4, mark 4 on 5.
    assert_eq!(squares(after("1-2 2-3 3-4 4-5 1-3 @1"))[..5], [2, 3, 4, 5, 1]);
    // Mark 5 on 3: mark 2 on 2, mark 1 on 1, mark 3 on 4, mark 4 on 5.
    assert_eq!(squares(after("1-2 2-3 3-4 4-5 1-3 @3"))[..5], [1, 2, 4, 5, 3]);
}

#[test]
fn a_row_for_each_is_scored_by_its_largest_move() {
    let game = QuantumTicTacToe::of();
    // X on 1 2 3 with marks 1 3 5, O on 4 5 6 with marks 2 4 6, all in one collapse.
    let state = after("1-4 4-5 2-5 5-6 3-6 1-6 @6");
    assert_eq!(state.rows(), [Some(4), Some(5)]);
    assert_eq!(game.outcome(&state), Some(Outcome(1)));
    let both = State { marks: [1, 8, 2, 16, 4, 32, 0, 0, 0], made: 6, collapsing: false };
    assert_eq!(both, state);
    let alone = State { marks: [1, 8, 2, 16, 4, 256, 0, 0, 0], ..both };
    assert_eq!(game.outcome(&alone), Some(Outcome(2)));
    // X's row needs mark 7, so that O's, complete with mark 6, is the earlier one.
    let later = State { marks: [1, 8, 2, 16, 64, 32, 4, 0, 0], made: 7, ..both };
    assert_eq!(later.rows(), [Some(6), Some(5)]);
    assert_eq!(game.outcome(&later), Some(Outcome(-1)));
}

#[test]
fn the_ninth_move_may_be_a_single_mark() {
    let game = QuantumTicTacToe::of();
    let mut lasts = 0;
    for sample in crate::sample::positions(&game, 20_000, 5) {
        if game.outcome(&sample.state).is_some() {
            continue;
        }
        let moves: Vec<_> = game.moves(&sample.state).collect();
        if let [Move::Last(square)] = moves[..] {
            lasts += 1;
            assert_eq!((sample.state.made, sample.state.collapsing), (8, false));
            let over = game.play(&sample.state, Move::Last(square));
            assert!(game.outcome(&over).is_some());
        }
    }
    assert!(lasts > 0);
}
