use super::*;
use crate::conform::Conform;
use crate::family::specification;
use crate::promise::{Indexed, Notation};

fn game(text: &[(&str, &str)]) -> Mnk {
    Mnk::create(&Args::new(&Mnk::ABOUT, text.iter().copied()).unwrap()).unwrap()
}

#[test]
fn keeps_its_promises() {
    let shapes = [
        (3, 3, 3),
        (4, 3, 3),
        (4, 4, 4),
        (3, 3, 2),
        (8, 8, 5),
        (1, 1, 1),
        (1, 7, 2),
        (64, 1, 64),
        (2, 2, 5),
    ];
    for (columns, rows, line) in shapes {
        for misere in [false, true] {
            let game = Mnk::of(columns, rows, line, misere).unwrap();
            let numbered = (0..game.layers()).all(|layer| game.size(layer) < u64::MAX);
            let conform = Conform::new(&game);
            let conform = if numbered { conform.indexed().measured_numbers() } else { conform };
            let report =
                conform.notation().picture().acyclic().encode().symmetry().search_hints().finish();
            report.unwrap_or_else(|broken| panic!("{}: {broken}", specification(&game)));
        }
    }
}

#[test]
fn rows_do_not_wrap_around_the_edge() {
    let game = Mnk::tic_tac_toe();
    for text in ["..X/X../XOO O", "X../.XO/OX. X", ".XO/X.O/O.X O"] {
        let outcome = game.parse(text).map(|state| game.outcome(&state));
        assert!(matches!(outcome, Ok(None) | Err(_)), "{text}: {outcome:?}");
    }
    let won = game.parse("X.O/OX./..X O").unwrap();
    assert_eq!(game.outcome(&won), Some(Outcome::win(Side::First)));
}

#[test]
fn impossible_positions_are_refused() {
    let game = Mnk::tic_tac_toe();
    for (text, expected) in [
        ("", "rows of"),
        ("X../... O", "rows of"),
        ("X../.../.... O", "3 cells in this row"),
        ("X../.Q./... O", "`X` or `O` on each cell"),
        ("X../.../... Z", "X or O"),
        ("X../.../... X", "as many X"),
        ("XXX/.../... O", "one X more"),
        ("XXX/OO./O.. X", "already has a row"),
    ] {
        let error = game.parse(text).unwrap_err();
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
    assert!(Mnk::of(9, 8, 3, false).is_err());
    assert_eq!(specification(&game_4x3()), "mnk(columns=4,rows=3,line=3,misere=true)");
}

fn game_4x3() -> Mnk {
    game(&[("columns", "4"), ("misere", "true")])
}

#[test]
fn conform_is_what_tests_use() {
    // A broken promise is found: a progress measure that does not rise.
    struct Still(Mnk);
    impl Game for Still {
        type State = Stones;
        type Move = Number;
        fn start(&self) -> Stones {
            self.0.start()
        }
        fn turn(&self, state: &Stones) -> Side {
            self.0.turn(state)
        }
        fn outcome(&self, state: &Stones) -> Option<Outcome> {
            self.0.outcome(state)
        }
        fn moves(&self, state: &Stones) -> impl Iterator<Item = Number> {
            self.0.moves(state)
        }
        fn play(&self, state: &Stones, mv: Number) -> Stones {
            self.0.play(state, mv)
        }
    }
    impl Acyclic for Still {
        fn progress(&self, _: &Stones) -> u32 {
            0
        }
    }
    let broken = Conform::new(&Still(Mnk::tic_tac_toe())).acyclic().finish();
    assert_eq!(broken.unwrap_err().promise, "Acyclic");
}
