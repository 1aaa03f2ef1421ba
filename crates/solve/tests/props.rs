//! What must hold for any game, any parameters, any line of play and any text from outside.

use foregone::games::{
    Awari, ConnectFour, FoxAndHounds, Kalah, Mnk, Nim, QuantumTicTacToe, ThreeMensMorris,
};
use foregone::{Args, Conform, Control, Family, Method, Registry, Request, Session};
use proptest::prelude::*;

/// A game with parameters, most of them valid.
fn specification() -> impl Strategy<Value = String> {
    let small = 1..9u32;
    prop_oneof![
        (small.clone(), small.clone(), small.clone(), any::<bool>()).prop_map(
            |(m, n, k, misere)| { format!("mnk(columns={m},rows={n},line={k},misere={misere})") }
        ),
        (small.clone(), 1..8u32, 2..6u32)
            .prop_map(|(m, n, k)| format!("connect-four(columns={m},rows={n},line={k})")),
        (2..9u32, "draw|pass|lose", "fox|hounds").prop_map(|(half, stuck, first)| {
            format!("fox-and-hounds(size={},stuck={stuck},first={first})", 2 * half)
        }),
        (small, 1..13u32, "always|nonempty", "either|mover", "owner|mover|none").prop_map(
            |(pits, stones, capture, end, rest)| format!(
                "kalah(pits={pits},stones={stones},capture={capture},end={end},rest={rest})"
            )
        ),
        (1..9u32, 1..13u32, "forbidden|void").prop_map(|(pits, stones, slam)| format!(
            "awari(pits={pits},stones={stones},slam={slam})"
        )),
        Just("quantum-tic-tac-toe".to_owned()),
        Just("three-mens-morris".to_owned()),
        ("[0-9](-[0-9]){0,7}", any::<bool>())
            .prop_map(|(heaps, misere)| format!("nim(heaps={heaps},misere={misere})")),
        (2..5u32, "nobody|winner")
            .prop_map(|(half, empties)| format!("reversi(size={},empties={empties})", 2 * half)),
        (1..9u32, "false|true").prop_map(|(size, swap)| format!("hex(size={size},swap={swap})")),
        (1..9u32, 1..9u32)
            .prop_map(|(columns, rows)| format!("hex(columns={columns},rows={rows})")),
        (1..5u32, 1..6u32).prop_map(|(columns, rows)| {
            format!("dots-and-boxes(columns={columns},rows={rows})")
        }),
    ]
}

/// What a front end can see of a session.
fn seen(session: &dyn Session) -> (String, String, Vec<String>, Option<i32>) {
    let outcome = session.outcome().map(|outcome| outcome.0);
    (session.position(), session.drawing().to_string(), session.moves(), outcome)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_line_of_play_can_be_written_read_and_taken_back(
        text in specification(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..80),
    ) {
        let game = Registry::standard().game(&text).unwrap();
        prop_assert_eq!(Registry::standard().game(&game.specification()).unwrap().specification(),
            game.specification());
        let mut session = game.session();
        let mut states = vec![seen(&*session)];
        for choice in choices {
            let moves = session.moves();
            prop_assert_eq!(moves.is_empty(), session.outcome().is_some());
            if moves.is_empty() {
                break;
            }
            session.play(&moves[choice.index(moves.len())]).unwrap();
            states.push(seen(&*session));
            let position = session.position();
            let again = game.open(Some(&position), "").unwrap();
            prop_assert_eq!(seen(&*again), seen(&*session), "{}", position);
            let replayed = game.open(None, &session.played().join(",")).unwrap();
            prop_assert_eq!(seen(&*replayed), seen(&*session));
        }
        while let Some(state) = states.pop() {
            prop_assert_eq!(seen(&*session), state);
            prop_assert_eq!(session.undo(), !states.is_empty());
        }
    }

    #[test]
    fn any_text_is_a_game_or_an_error(text in r"\PC{0,40}", near in specification(), at in 0..60usize) {
        let registry = Registry::standard();
        let _ = registry.game(&text);
        let mut damaged: Vec<char> = near.chars().collect();
        let at = at.min(damaged.len() - 1);
        damaged.splice(at..=at, text.chars().take(2));
        if let Err(error) = registry.game(&damaged.into_iter().collect::<String>()) {
            prop_assert!(!error.expected.is_empty());
        }
    }

    #[test]
    fn any_text_is_a_position_or_an_error(
        spec in specification(),
        text in r"\PC{0,60}",
        near in r"[XO.xo/hf:a-p0-9, -]{0,40} (X|O|fox|hounds|first|second)",
        digits in r"([0-9]{1,3} ){2,18}(first|second)",
    ) {
        let game = Registry::standard().game(&spec).unwrap();
        for text in [text, near, digits] {
            for (position, moves) in [(Some(text.as_str()), ""), (None, text.as_str())] {
                if let Ok(session) = game.open(position, moves) {
                    let again = game.open(Some(&session.position()), "").unwrap();
                    prop_assert_eq!(seen(&*again), seen(&*session));
                }
            }
        }
    }

    #[test]
    fn late_in_quantum_tic_tac_toe_every_method_agrees(
        choices in prop::collection::vec(any::<prop::sample::Index>(), 9..14),
    ) {
        let game = Registry::standard().game("quantum-tic-tac-toe").unwrap();
        let mut session = game.session();
        for choice in choices {
            let moves = session.moves();
            if moves.is_empty() {
                break;
            }
            session.play(&moves[choice.index(moves.len())]).unwrap();
        }
        let control = Control::default();
        let mut solve = |method| {
            let request =
                Request::default().with_method(method).with_line(false).with_distances(true);
            let report = session.solve(&request, &control);
            let moves: Vec<_> =
                report.moves.iter().map(|each| (each.result.value, each.result.distance)).collect();
            (report.value, report.distance, report.best, moves)
        };
        let strong = solve(Method::Strong);
        for method in [Method::Search, Method::AlphaBeta, Method::Negamax, Method::Minimax] {
            prop_assert_eq!(&solve(method), &strong, "{}", method);
        }
    }
}

fn games<F: Family>(given: &[&[(&str, &str)]]) -> Vec<F> {
    let create = |given: &&[(&str, &str)]| {
        F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
    };
    given.iter().map(create).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// The promises on positions that the games' own tests do not happen to meet.
    #[test]
    fn promises_hold_whatever_the_seed(seed in any::<u64>()) {
        for game in games::<Mnk>(&[&[], &[("columns", "5"), ("line", "4")]]) {
            let conform = Conform::sampled(&game, 300, seed).notation().picture().acyclic();
            prop_assert_eq!(conform.encode().symmetry().finish().err(), None);
        }
        for game in games::<ConnectFour>(&[&[], &[("columns", "3"), ("line", "3")]]) {
            let conform = Conform::sampled(&game, 300, seed).notation().picture().acyclic();
            prop_assert_eq!(conform.encode().symmetry().order().finish().err(), None);
        }
        for game in games::<FoxAndHounds>(&[&[], &[("size", "4"), ("stuck", "pass")]]) {
            let conform = Conform::sampled(&game, 300, seed).notation().picture().acyclic();
            prop_assert_eq!(conform.encode().finish().err(), None);
        }
        for game in games::<Kalah>(&[&[], &[("pits", "3"), ("rest", "mover"), ("end", "mover")]]) {
            let conform = Conform::sampled(&game, 300, seed).notation().picture().acyclic();
            let conform = conform.evaluate().encode_merged().symmetry().banked().order();
            prop_assert_eq!(conform.finish().err(), None);
        }
        for game in games::<Awari>(&[&[], &[("pits", "3"), ("slam", "void")]]) {
            let conform = Conform::sampled(&game, 300, seed).declared();
            prop_assert_eq!(conform.finish().err(), None);
        }
        for game in games::<QuantumTicTacToe>(&[&[]]) {
            let conform = Conform::sampled(&game, 300, seed).picture().acyclic();
            prop_assert_eq!(conform.encode().symmetry().finish().err(), None);
        }
        for game in games::<ThreeMensMorris>(&[&[]]) {
            let conform = Conform::sampled(&game, 300, seed).notation().picture().encode();
            prop_assert_eq!(conform.symmetry().indexed().finish().err(), None);
        }
        for game in games::<Nim>(&[&[], &[("heaps", "1-2-3-4"), ("misere", "true")]]) {
            let conform = Conform::sampled(&game, 300, seed).notation().picture().acyclic();
            prop_assert_eq!(conform.encode().indexed().finish().err(), None);
        }
    }
}
