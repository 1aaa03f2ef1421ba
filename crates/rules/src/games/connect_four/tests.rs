use super::*;
use crate::conform::Conform;
use crate::family::specification;
use crate::promise::{Indexed, Notation};

#[test]
fn keeps_its_promises() {
    let shapes = [(7, 6, 4), (4, 4, 4), (3, 2, 2), (1, 32, 4), (32, 1, 3), (8, 7, 5), (2, 2, 32)];
    for (columns, rows, line) in shapes {
        for score in [Score::Result, Score::Stones] {
            let game = ConnectFour::of(columns, rows, line, score).unwrap();
            let conform =
                Conform::new(&game).notation().picture().acyclic().encode().symmetry().finer();
            let numbered = (0..game.layers()).all(|layer| game.size(layer) < u64::MAX);
            let conform = if numbered { conform.indexed().measured_numbers() } else { conform };
            let report = conform.order().search_hints().finish();
            report.unwrap_or_else(|broken| panic!("{}: {broken}", specification(&game)));
        }
    }
}

#[test]
fn rows_in_all_directions_win() {
    let game = ConnectFour::of(7, 6, 4, Score::Result).unwrap();
    for (moves, over) in [
        ("1122334", true),
        ("1212121", true),
        ("12233434474", true),
        ("76655454414", true),
        ("112233", false),
        ("1223344", false),
    ] {
        let mut state = game.start();
        for letter in moves.bytes() {
            assert_eq!(game.outcome(&state), None, "{moves}");
            state = game.play(&state, Number(letter - b'1'));
        }
        let expected = over.then_some(Outcome::win(Side::First));
        assert_eq!(game.outcome(&state), expected, "{moves}");
    }
}

#[test]
fn impossible_positions_are_refused() {
    let game = ConnectFour::of(4, 4, 4, Score::Result).unwrap();
    for (text, expected) in [
        ("X.../..../..../.... O", "above an empty square"),
        ("..../..../..../X..", "rows of"),
        ("..../..../..../X... X", "as many X"),
        ("..../..../OOO./XXXX X", "as many X"),
        ("O.../..../OO../XXX. X", "above an empty"),
        ("..../..../OOOO/XXXX X", "already has a row"),
    ] {
        let error = game.parse(text).unwrap_err();
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
}
