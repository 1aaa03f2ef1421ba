//! The registry of games: names, aliases, titles.

use foregone::Registry;
use foregone::games::{Kalah, Mnk};

#[test]
fn a_name_is_given_once() {
    type Add = fn(Registry) -> Registry;
    let ways: [(&str, Add); 6] = [
        ("kalah", |registry| registry.family::<Kalah>()),
        ("kalah", |registry| registry.game_named("kalah", Mnk::tic_tac_toe)),
        ("kalah", |registry| registry.alias("kalah", "nim")),
        ("kalaha", |registry| registry.alias("kalaha", "nim")),
        ("kalaha", |registry| registry.game_named("kalaha", Mnk::tic_tac_toe)),
        ("other", |registry| registry.alias("other", "nim").alias("other", "nim")),
    ];
    for (name, add) in ways {
        let added = std::panic::catch_unwind(|| drop(add(Registry::standard())));
        let message = *added.unwrap_err().downcast::<String>().unwrap();
        let expected = format!("the name `{name}` is in the registry already");
        assert!(message.starts_with(&expected), "{message}");
    }
    let added = Registry::standard().alias("oxo", "mnk").alias("wari", "kalah");
    assert!(added.game("oxo").is_ok() && added.game("wari").is_ok());
}

#[test]
fn a_game_is_called_by_its_best_known_name() {
    let registry = Registry::standard();
    let title = |text: &str| registry.title(&*registry.game(text).unwrap()).to_owned();
    assert_eq!(title("mnk"), "Tic-tac-toe");
    assert_eq!(title("mnk(columns=4)"), "(m,n,k) game");
    assert_eq!(title("kalaha"), "Kalah", "an alias without parameters is no better name");
    // Whoever asks by a name gets the game by this name.
    let asked = |text: &str| registry.game(text).unwrap().title().to_owned();
    assert_eq!(asked("mnk"), "(m,n,k) game");
    assert_eq!([asked("tic-tac-toe"), asked("kalaha(pits=2)")], ["Tic-tac-toe", "Kalaha"]);
}

#[test]
fn moves_are_read_as_people_write_them() {
    let registry = Registry::standard();
    let played = |game: &str, moves: &str| {
        registry.game(game).unwrap().open(None, moves).map(|session| session.played().join(" "))
    };
    assert_eq!(played("tic-tac-toe", "1. 5 1 2. 3").unwrap(), "5 1 3");
    assert_eq!(played("connect-four", "4444").unwrap(), "4 4 4 4");
    // Without spaces, where there is one way to read it.
    let mut session = registry.game("reversi(size=8)").unwrap().session();
    for _ in 0..6 {
        let mv = session.moves().pop().unwrap();
        session.play(&mv).unwrap();
    }
    let run = session.played().concat();
    assert_eq!(played("reversi(size=8)", &run).unwrap(), session.played().join(" "));
    assert_eq!(played("othello", "F5D6 c3").unwrap(), "f5 d6 c3");
    assert_eq!(played("othello", "1. f5d6 2. c3d3").unwrap(), "f5 d6 c3 d3");
    let why = played("othello", "f5d6c3a1").unwrap_err().to_string();
    assert!(why.starts_with("found `a1`, expected") && why.contains("d3"), "{why}");
    // A game as servers for Othello write it.
    let record = "(;GM[Othello]PC[GGS/os]RE[+0.000]TY[8]BO[8 ---------------------------O*------*O--------\
                  ------------------- *]B[F5]W[d6//0.53]B[c3/0.1/2];)";
    let opened = registry.game("reversi(size=8)").unwrap().open(Some(record), "d3").unwrap();
    assert_eq!(opened.played(), ["f5", "d6", "c3", "d3"]);
    assert!(played("reversi(size=8)", record).unwrap().starts_with("f5 d6"));
    // 1 11 2, 11 1 2 or 11 12.
    let why = played("mnk(columns=4,rows=4)", "1112").unwrap_err().to_string();
    assert!(why.contains("two ways"), "{why}");
    // What has no reading is given up after some work, however many beginnings it has.
    let run = "123456789".repeat(900) + "x";
    assert!(played("hex(size=8)", &"a1b2c3d4e5f6g7h8".repeat(400)).is_err());
    assert!(played("mnk(columns=8,rows=8,line=8)", &run).is_err());
    let run = session.played().concat();
    let why = played("reversi(size=8)", &format!("{run}zz")).unwrap_err().to_string();
    assert!(why.contains("expected a legal move"), "{why}");
}
