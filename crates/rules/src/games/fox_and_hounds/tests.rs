use super::*;
use crate::conform::Conform;
use crate::family::specification;
use crate::promise::Notation;

fn game(given: &[(&str, &str)]) -> Result<FoxAndHounds, Invalid> {
    FoxAndHounds::create(&Args::new(&FoxAndHounds::ABOUT, given.iter().copied())?)
}

#[test]
fn keeps_its_promises() {
    for size in ["4", "6", "8", "10", "12", "14", "16"] {
        for stuck in ["draw", "pass", "lose"] {
            for first in ["fox", "hounds"] {
                let game = game(&[("size", size), ("stuck", stuck), ("first", first)]).unwrap();
                let conform = Conform::sampled(&game, 1000, 7);
                let conform = conform
                    .notation()
                    .picture()
                    .acyclic()
                    .encode_merged()
                    .symmetry()
                    .indexed()
                    .measured_numbers();
                let conform = if game.is_acyclic() { conform.banded() } else { conform };
                let conform = if game.is_acyclic() { conform.search_hints() } else { conform };
                let report = conform.finish();
                report.unwrap_or_else(|broken| panic!("{}: {broken}", specification(&game)));
            }
        }
    }
}

#[test]
fn the_fox_starts_right_of_the_middle() {
    let columns = |size: &str| game(&[("size", size)]).unwrap().arguments()[3].clone();
    let starts = ["4", "6", "8", "10", "16"].map(columns);
    assert_eq!(starts, ["d", "d", "f", "f", "j"]);
    let game = game(&[]).unwrap();
    assert_eq!(specification(&game), "fox-and-hounds(size=8,stuck=draw,first=fox,fox=f)");
    assert_eq!(game.format(&game.start()), "h:a1,c1,e1,g1 f:f8 fox");
}

#[test]
fn parameters_out_of_range_are_refused() {
    for (given, expected) in [
        (("size", "5"), "4, 6, 8, 10"),
        (("size", "18"), "4, 6, 8, 10"),
        (("size", "x"), "4, 6, 8, 10"),
        (("fox", "a"), "one of b, d, f, h"),
        (("stuck", "win"), "draw, pass, lose"),
        (("hounds", "4"), "size, stuck, first, fox"),
    ] {
        let error = game(&[given]).unwrap_err();
        assert!(error.expected.contains(expected), "{given:?}: {error}");
    }
}

#[test]
fn the_three_rules_for_hounds_that_cannot_move() {
    // All four hounds are on row 8: only the fox can move.
    let text = "h:b8,d8,f8,h8 f:d4 hounds";
    for (stuck, outcome) in
        [("draw", Some(Outcome::DRAW)), ("pass", None), ("lose", Some(Outcome::win(Side::First)))]
    {
        let game = game(&[("stuck", stuck)]).unwrap();
        let state = game.parse(text).unwrap();
        assert_eq!(game.outcome(&state), outcome, "{stuck}");
        let moves: Vec<_> = game.moves(&state).map(|mv| mv.to_string()).collect();
        assert_eq!(moves, ["pass"]);
        assert_eq!(game.turn(&game.play(&state, Move::Pass)), Side::First);
    }
}

#[test]
fn bad_positions_are_refused() {
    let game = game(&[]).unwrap();
    for (text, expected) in [
        ("", "`f:` and the cells of each fox and the side to move"),
        ("h:a1,c1,e1 f:f8 fox", "4 hounds"),
        ("h:a1,a1,e1,g1 f:f8 fox", "at most one piece"),
        ("h:a1,c1,e1,g1 f:a1 fox", "at most one piece"),
        ("h:a1,c1,e1,g1 f:f7 fox", "a cell for a fox"),
        ("h:a1,c1,e1,g1 f:z9 fox", "a cell for a fox"),
        ("h:a1,c1,e1,g1 f:f+8 fox", "a cell for a fox"),
        ("h:a1,c1,e1,g1 f:é8 fox", "a cell for a fox"),
        ("h:a1,c1,e1,g1 f:f8 wolf", "fox or hounds"),
    ] {
        let error = game.parse(text).unwrap_err();
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
}
