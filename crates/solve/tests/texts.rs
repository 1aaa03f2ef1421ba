//! Games from text: known values hold, and each agrees with its twin in Rust on every position.

use std::collections::BTreeMap;

use foregone::family::{Family, specification};
use foregone::games::{ConnectFour, FoxAndHounds, Hex, Kalah, Mnk, Reversi, ThreeMensMorris};
use foregone::text::{Loaded, SHIPPED, Text};
use foregone::{Control, Game, Registry, Request, reference};

/// How many positions that are not over have this side to move, number of moves, value and distance.
type Census = BTreeMap<(usize, usize, String), usize>;

fn census<G: Game>(game: &G) -> Census {
    let mut census = Census::new();
    for (state, worth) in reference::worths(game, &game.start()) {
        if game.outcome(&state).is_none() {
            let moves = game.moves(&state).count();
            let key = (game.turn(&state).index(), moves, worth.to_string());
            *census.entry(key).or_default() += 1;
        }
    }
    census
}

fn census_of_text(name: &str, given: &[(&str, &str)]) -> Census {
    let (_, source) = SHIPPED.iter().find(|(each, _)| *each == name).unwrap();
    match Text::parse(source).unwrap().load(given).unwrap() {
        Loaded::Small(game) => census(&game),
        Loaded::Large(game) => census(&game),
        Loaded::Wide(game) => census(&game),
    }
}

/// A text agrees with a game in Rust: they have as many positions of each kind and worth.
fn agree<F: Family>(name: &str, given: &[(&str, &str)], native: &[(&str, &str)]) {
    let game = F::with(native).unwrap();
    let expected = census(&game);
    assert!(expected.len() > 5);
    let found = census_of_text(name, given);
    assert!(found == expected, "{name} {given:?} and {} differ", specification(&game));
}

#[test]
fn texts_agree_with_their_twins() {
    agree::<Mnk>("tic-tac-toe", &[], &[]);
    agree::<Mnk>("misere-tic-tac-toe", &[], &[("misere", "true")]);
    agree::<ThreeMensMorris>("three-mens-morris", &[], &[]);
    let small = [("columns", "4"), ("rows", "4")];
    agree::<ConnectFour>("connect-four", &small, &small);
    for size in ["4", "6"] {
        agree::<FoxAndHounds>("fox-and-hounds", &[("size", size)], &[("size", size)]);
    }
    agree::<Reversi>("reversi", &[("size", "4")], &[("size", "4")]);
    agree::<Hex>("hex", &[("size", "3")], &[("size", "3")]);
    for capture in ["always", "nonempty"] {
        for (pits, stones) in [("2", "2"), ("2", "3"), ("3", "1"), ("3", "2")] {
            let given = [("pits", pits), ("stones", stones), ("capture", capture)];
            agree::<Kalah>("kalah", &given, &given);
        }
    }
}

/// Published values; docs/results.md has the sources.
#[test]
fn known_values_of_texts_hold() {
    let registry = Registry::standard();
    let known = [
        ("hexapawn", -1),
        ("domineering(rows=4,columns=4)", 1),
        ("domineering(rows=5,columns=5)", -1),
        ("dodgem", 1),
        ("chomp", 1),
        ("chomp(rows=3,columns=4)", 1),
        ("text:hex(size=3)", 1),
        ("text:three-mens-morris", 1),
        ("achi", 1),
        ("pong-hau-ki", 0),
        ("konane", -1),
        ("mu-torere", 0),
        ("text:dots-and-boxes", 2),
        ("hare-and-hounds", 1),
    ];
    for (text, value) in known {
        let game = registry.game(text).unwrap();
        let request = Request { moves: false, ..Request::default() };
        let control = Control::default().with_memory(1 << 30);
        let report = game.open(None, "").unwrap().solve(&request, &control, None);
        assert_eq!((report.value, report.proven), (Some(value), true), "{text}");
    }
}

/// A text with the name of a game in Rust, and texts under their own names.
#[test]
fn texts_are_found_by_name() {
    let registry = Registry::standard();
    let called = |text: &str| registry.game(text).unwrap().specification();
    assert_eq!(called("breakthrough(rows=6)"), "breakthrough(rows=6,columns=5)");
    assert_eq!(called("text:breakthrough"), "breakthrough(rows=5,columns=5)");
    assert_eq!(called("text:kalah"), "text:kalah(pits=6,stones=4,capture=always)");
    assert!(called("kalah").starts_with("kalah("));
    let error = |text: &str| registry.game(text).err().unwrap().to_string();
    assert!(error("breakthru").contains("did you mean `breakthrough`?"), "{}", error("breakthru"));
    assert!(error("clobber(row=4)").contains("did you mean `rows`?"));
    assert!(error("clobber(rows=40)").contains("a number from"));
    // Only the standard registry has the texts.
    assert!(Registry::empty().game("breakthrough").is_err());
}
