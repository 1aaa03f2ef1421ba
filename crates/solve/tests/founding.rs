//! Every case that the five founding texts print, by its name there.

use std::fmt::Write;

use foregone::games::{FoxAndHounds, Kalah, Mnk};
use foregone::{
    Args, Control, Distance, Family, Game, Method, Outcome, Registry, Request, Side, Strong, Tree,
    Value, Worth,
    game::Verdict,
    promise::{Evaluate, Notation},
    reference,
};

fn game<F: Family>(given: &[(&str, &str)]) -> F {
    F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
}

fn verdict<G: Notation>(game: &G, text: &str) -> Verdict {
    let state = game.parse(text).unwrap();
    let worth = reference::worth(game, &state).unwrap();
    let strong = Strong::solve_from(game, &state, &Control::default()).unwrap();
    assert_eq!(strong.worth(&state), Some(worth), "{text}");
    worth.value().verdict()
}

// Leblanc 2014, tic-tac-toe.

#[test]
fn leblanc_tic_tac_toe_initial() {
    assert_eq!(verdict(&Mnk::tic_tac_toe(), ".../.../... X"), Verdict::Draw);
}

#[test]
fn leblanc_tic_tac_toe_test_state_1() {
    assert_eq!(verdict(&Mnk::tic_tac_toe(), ".O./.X./... X"), Verdict::Win);
}

#[test]
fn leblanc_tic_tac_toe_test_state_2() {
    assert_eq!(verdict(&Mnk::tic_tac_toe(), "OX./.O./.X. X"), Verdict::Loss);
}

#[test]
fn leblanc_tic_tac_toe_test_state_3() {
    assert_eq!(verdict(&Mnk::tic_tac_toe(), "OX./.O./XX. O"), Verdict::Win);
}

#[test]
fn leblanc_tic_tac_toe_test_state_4() {
    let game = Mnk::tic_tac_toe();
    let state = game.parse("OXO/OXX/XOX O").unwrap();
    assert_eq!(game.outcome(&state), Some(Outcome::DRAW));
}

// Leblanc 2014, Fox and Hounds; (row, column) there, letter of the column and row here.

#[test]
fn leblanc_fox_and_hounds_t_state_1() {
    assert_eq!(verdict(&game::<FoxAndHounds>(&[]), "h:g5,e5,e7,d8 f:h8 fox"), Verdict::Loss);
}

#[test]
fn leblanc_fox_and_hounds_t_state_2() {
    assert_eq!(verdict(&game::<FoxAndHounds>(&[]), "h:a1,f8,g7,d8 f:h6 fox"), Verdict::Win);
}

#[test]
fn leblanc_fox_and_hounds_fwin() {
    let game: FoxAndHounds = game(&[]);
    let state = game.parse("h:f2,d2,e3,f4 f:a1 fox").unwrap();
    assert_eq!(game.outcome(&state), Some(Outcome::win(Side::First)));
}

#[test]
fn leblanc_fox_and_hounds_hwin() {
    let game: FoxAndHounds = game(&[]);
    let state = game.parse("h:f8,g7,h6,a1 f:h8 hounds").unwrap();
    assert_eq!(game.outcome(&state), Some(Outcome::win(Side::Second)));
}

#[test]
fn leblanc_fox_and_hounds_start() {
    // What the paper could not finish in 24 hours.
    let game: FoxAndHounds = game(&[]);
    let strong = Strong::solve(&game, &Control::default()).unwrap();
    let worth = strong.worth(&game.start());
    assert_eq!(worth, Some(Worth::new(Value(-1), Distance::Plies(44))));
}

// The memoised scorer; coordinates (row, column) from 0 there.

#[test]
fn haskell_course_x_has_a_winning_strategy() {
    // X(1,1) O(2,1) X(0,0) O(2,2) X(2,0)
    let registry = Registry::standard();
    let game = registry.game("tic-tac-toe").unwrap();
    let mut session = game.open(None, "5,8,1,9,7").unwrap();
    assert_eq!(session.outcome(), None, "X has not won yet");
    let report = session.solve(&Request::default(), &Control::default());
    assert_eq!(report.result.as_deref(), Some("loss"), "for O, who is to move");
    assert_eq!(report.distance, Some(2), "whatever O does");
}

#[test]
fn haskell_course_score_order() {
    let worth = |value, plies| Worth::new(Value(value), Distance::Plies(plies));
    let ordered = [
        worth(-1, 1), // a quicker loss
        worth(-1, 3), // a slower loss
        worth(0, 2),  // a shorter draw
        worth(0, 4),  // a longer draw
        worth(1, 5),  // a slower win
        worth(1, 1),  // a quicker win
    ];
    assert!(ordered.is_sorted_by_key(|worth| worth.key(Value(0))));
}

#[test]
fn haskell_course_best_response_wins_in_n() {
    let registry = Registry::standard();
    let game = registry.game("tic-tac-toe").unwrap();
    let mut session = game.open(Some("XX./OO./... X"), "").unwrap();
    let report = session.solve(&Request::default(), &Control::default());
    assert_eq!((report.best, report.distance), (vec!["3".to_owned()], Some(1)));
}

// Lynn's page.

#[test]
fn lynn_game_tree() {
    // X at 2, 5, 6, O at 1, 4, 8, X to move.
    let game = Mnk::tic_tac_toe();
    let state = game.parse("OX./OXX/.O. X").unwrap();
    let tree = Tree::from(&game, state);
    // Three empty squares: 3 nodes, then 2 each, then 1 each, unless the game is over before. X
    // cannot complete a row with its first move; O wins at 7 if that is left to it.
    assert_eq!(tree.children().len(), 3);
    assert!(tree.children().iter().all(|(_, child)| child.outcome().is_none()));
    let wins = |tree: &Tree<'_, Mnk>| tree.outcome() == Some(Outcome::win(Side::Second));
    let at_7 = |children: &[(_, Tree<'_, Mnk>)]| children.iter().filter(|(_, c)| wins(c)).count();
    let counts: Vec<_> = tree.children().iter().map(|(_, child)| at_7(child.children())).collect();
    assert_eq!(counts, [1, 0, 1], "after 3 and 9, not after 7");
    let draw = |_: &_| Outcome::DRAW;
    let (plain, pruned) = (tree.minimax(&draw), tree.alpha_beta(&draw));
    assert_eq!(plain.best.map(|mv| mv.to_string()).as_deref(), Some("7"));
    assert_eq!((plain.best, plain.outcome), (pruned.best, pruned.outcome));
    assert_eq!(plain.nodes, tree.count());
}

// Gyldenbrand 2017, Kalaha: False is the first player, True the second; a value is True's store
// less False's, which is how the second player sees it.

fn value_for_true(game: &Kalah, text: &str) -> i32 {
    game.evaluate(&game.parse(text).unwrap()).value_for(Side::Second).0
}

fn kalaha(pits: &'static str, stones: &'static str) -> Kalah {
    game(&[("pits", pits), ("stones", stones)])
}

#[test]
fn gyldenbrand_value() {
    assert_eq!(value_for_true(&kalaha("6", "6"), "[4,0,2,0,0,1,15,2,10,0,2,0,13,22] first"), 7);
    assert_eq!(value_for_true(&kalaha("2", "2"), "[0,1,3,0,2,2] first"), -1);
}

#[test]
fn gyldenbrand_moves() {
    let game = kalaha("6", "6");
    let moves = |text: &str| {
        let state = game.parse(text).unwrap();
        game.moves(&state).map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    };
    // Pits from 0 there (the second player's from 7), from 1 here.
    assert_eq!(moves("[4,0,2,0,0,1,15,2,10,0,2,0,13,22] first"), "1 3 6");
    assert_eq!(moves("[4,0,2,0,0,1,15,2,10,0,2,0,13,22] second"), "1 2 4 6");
    assert_eq!(moves("[0,0,0,0,0,0,50,10,5,0,0,0,7,0] first"), "");
}

#[test]
fn gyldenbrand_move() {
    let game = kalaha("6", "6");
    for (before, pit, after) in [
        ("0 5 2 2 1 0 31 0 0 7 0 4 0 16 second", "3", "1 6 3 2 1 0 31 0 0 0 1 5 1 17 first"),
        ("0 0 0 0 0 1 32 5 0 6 2 4 3 19 first", "6", "0 0 0 0 0 0 33 0 0 0 0 0 0 39 second"),
        ("4 0 2 0 0 1 15 2 10 0 2 0 13 22 first", "3", "4 0 0 1 0 1 26 2 0 0 2 0 13 22 second"),
    ] {
        let state = game.parse(before).unwrap();
        let mv = game.moves(&state).find(|mv| mv.to_string() == pit).unwrap();
        assert_eq!(game.format(&game.play(&state, mv)), after);
    }
}

/// A tree as the founding text prints it: the player, True's lead, and in brackets the moves.
fn printed(game: &Kalah, tree: &Tree<'_, Kalah>, pits: usize) -> String {
    let (name, offset) = match tree.turn() {
        Side::First => ("F", 0),
        Side::Second => ("T", pits + 1),
    };
    let value = game.evaluate(tree.state()).value_for(Side::Second).0;
    let mut text = format!("{name}{value}");
    for (at, (mv, child)) in tree.children().iter().enumerate() {
        let pit = mv.to_string().parse::<usize>().unwrap() - 1 + offset;
        let before = if at == 0 { "[" } else { "," };
        write!(text, "{before}{pit}:{}", printed(game, child, pits)).unwrap();
    }
    text + if tree.children().is_empty() { "" } else { "]" }
}

#[test]
fn gyldenbrand_tree() {
    let game = kalaha("2", "2");
    assert_eq!(
        printed(&game, &Tree::new(&game), 2),
        "F0[0:F-1[1:T4],1:T-1[3:F0[0:T-1[3:F-1[1:T2],4:F0[0:T0[3:F-2],1:T-1[3:T0[4:F0]]]]],4:F0[0:\
         T-1[3:F0[0:T0[4:F-2],1:T-1[3:F-1[0:T0],4:T0[3:F2]]]]]]]"
    );
    assert_eq!(printed(&game, &Tree::new(&game).cut(2), 2), "F0[0:F-1[1:T4],1:T-1[3:F0,4:F0]]");
}

#[test]
fn gyldenbrand_minimax_and_alpha_beta() {
    let game = kalaha("6", "6");
    let state = game.parse("0 5 2 2 1 0 31 0 0 11 0 4 0 16 second").unwrap();
    let tree = Tree::from(&game, state).cut(5);
    let opinion = |state: &_| game.evaluate(state);
    let (plain, pruned) = (tree.minimax(&opinion), tree.alpha_beta(&opinion));
    for judged in [plain, pruned] {
        // Pit 11 there is the second player's fifth.
        assert_eq!(judged.best.map(|mv| mv.to_string()).as_deref(), Some("5"));
        assert_eq!(judged.outcome.value_for(Side::Second), Value(-12));
    }
    assert!(pruned.nodes < plain.nodes);
}

#[test]
fn gyldenbrand_display() {
    let registry = Registry::standard();
    let game = registry.game("kalaha(pits=6,stones=6)").unwrap();
    let session = game.open(Some("4 0 2 0 0 1 15 2 10 0 2 0 13 22 first"), "").unwrap();
    let lines = "   13  0  2  0 10  2\n22                   15\n    4  0  2  0  0  1";
    assert_eq!(session.drawing().to_string(), lines);
}

// The founding text of quantum tic-tac-toe was never written; its double win is told by Goff 2006.

#[test]
fn goff_a_double_win_is_half_a_point_apart() {
    let registry = Registry::standard();
    let game = registry.game("quantum-tic-tac-toe").unwrap();
    let mut session = game.open(None, "1-4 4-5 2-5 5-6 3-6 1-6").unwrap();
    assert_eq!(session.moves(), ["@1", "@6"]);
    let method = Method::Strong;
    let request = Request::default().with_method(method);
    let report = session.solve(&request, &Control::default());
    assert!(report.proven);
    session.play("@6").unwrap();
    assert_eq!(session.outcome(), Some(Outcome(1)));
}
