use super::*;
use crate::conform::Conform;
use crate::promise::Notation;

fn new() -> ThreeMensMorris {
    ThreeMensMorris::create(&Args::new(&ThreeMensMorris::ABOUT, []).unwrap()).unwrap()
}

#[test]
fn keeps_its_promises() {
    let game = new();
    let conform = Conform::new(&game).notation().picture().encode().symmetry();
    let report = conform.indexed().finish();
    assert!(report.unwrap_or_else(|broken| panic!("{broken}")).positions > 500);
}

#[test]
fn diagonals_pass_only_through_the_centre() {
    let game = new();
    let slides = |text: &str| {
        let state = game.parse(text).unwrap();
        game.moves(&state).map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(slides("X.X/O.O/XO. 0 0 X"), "1-2 1-5 3-2 3-5 7-5");
    assert_eq!(slides("X../.../... 2 3 O"), "2 3 4 5 6 7 8 9");
    assert_eq!(slides("XO./.OX/O.X 0 0 X"), "1-4 6-3 9-8");
}

#[test]
fn a_side_that_cannot_move_loses() {
    let game = new();
    // With three men each, a side has no move only if the other side has a row.
    let all = 0..=ALL;
    let three = all.filter(|men| men.count_ones() == MEN).collect::<Vec<_>>();
    let mut stuck = 0;
    for men in three.iter().flat_map(|x| three.iter().map(move |o| [*x, *o])) {
        let state = State { men, turn: Side::First };
        if men[0] & men[1] == 0 && game.slides(&state).next().is_none() {
            stuck += 1;
            assert!(game.has_line(men[1]));
            assert_eq!(game.outcome(&state), Some(Outcome::win(Side::Second)));
        }
    }
    assert_eq!(stuck, 8, "a corner behind a diagonal, an edge behind the middle row");
    // The rule itself, on a board that has been set up with a fourth man.
    let state = State { men: [0o003 | 0o010, 0o024 | 0o100 | 0o040], turn: Side::First };
    assert_eq!(game.outcome(&state), Some(Outcome::win(Side::Second)));
}

#[test]
fn bad_positions_are_refused() {
    let game = new();
    for (text, expected) in [
        ("X../.../... X", "men in hand"),
        ("X../.../... 3 3 O", "2 men in hand for X"),
        ("X../.../... 2 3 X", "as many X"),
        ("XXX/X../... 0 3 O", "at most three"),
        ("XXX/OO./O.. 0 0 X", "already has a row"),
        ("XX./OO./O.. 1 0 X", "one more X if O is"),
    ] {
        let error = game.parse(text).unwrap_err();
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
}
