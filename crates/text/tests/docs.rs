//! docs/rules.md is right: its games are played as they are written, its examples give what they say,
//! and it knows every word of the language.

use foregone_rules::Game;
use foregone_text::{Loaded, Text};

const RULES: &str = include_str!("../README.md");

/// The blocks of a kind.
fn blocks(kind: &str) -> Vec<&'static str> {
    let begin = format!("```{kind}\n");
    let rest = RULES.split(begin.as_str()).skip(1);
    rest.map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn games_of_the_documentation_are_right() {
    let games = blocks("rules");
    assert!(games.len() >= 5, "{}", games.len());
    for source in games {
        let name = source.lines().next().unwrap();
        let text =
            Text::parse(source).unwrap_or_else(|problems| panic!("{}", problems.shown(name)));
        let warned = text.warnings().map(|warnings| warnings.shown(name));
        assert_eq!(warned, None);
        let compared = text.load(&[]).unwrap().is_as_written();
        assert!(compared.as_ref().is_ok_and(|moves| *moves > 20), "{name}: {compared:?}");
    }
}

/// The first moves of a game, joined by spaces.
fn moves(source: &str) -> String {
    let loaded = Text::parse(source).and_then(|text| text.load(&[]));
    let loaded = loaded.unwrap_or_else(|problems| panic!("{}", problems.shown("example")));
    fn of<G: Game>(game: &G) -> String {
        let start = game.start();
        let moves: Vec<String> = game.moves(&start).map(|mv| game.move_text(mv)).collect();
        moves.join(" ")
    }
    match loaded {
        Loaded::Small(game) => of(&game),
        Loaded::Large(game) => of(&game),
        Loaded::Wide(game) => of(&game),
    }
}

/// Each example is the set, the number or the condition of a move: which moves there are tells it.
fn check(examples: &str, before: &str) {
    let lines: Vec<_> = examples.lines().collect();
    assert!(lines.len() > 4);
    let mut wrong = Vec::new();
    for line in lines {
        let (asked, expected) = line.split_once("=>").unwrap_or_else(|| panic!("{line}"));
        let (asked, expected) = (asked.trim(), expected.trim());
        let (choice, expected) = match expected {
            "true" => (format!("choose way in 0..1\n  require {asked}"), "0 1"),
            "false" => (format!("choose way in 0..1\n  require {asked}"), ""),
            number if number.parse::<u8>().is_ok() && before.contains("compass") => {
                (format!("choose way in {asked}..{asked}"), number)
            }
            number if asked.starts_with("seeds") => {
                (format!("choose way in {asked}..{asked}"), number)
            }
            cells => (format!("choose way in {asked}"), cells),
        };
        let used = if choice.contains("..") { "chosen = way" } else { "last = way" };
        let source = format!("{before}move\n  {choice}\n  {used}\n");
        let found = moves(&source);
        if found != expected {
            wrong.push(format!("{asked} => {found}"));
        }
    }
    assert!(wrong.is_empty(), "expected {wrong:#?}");
}

#[test]
fn every_example_gives_what_it_says() {
    let common = "stuck draws\nmark last\nnumber chosen = 0 in 0..63\n";
    let drawing: String = blocks("board")[0].lines().map(|line| format!("  {line}\n")).collect();
    let compass = format!(
        "game compass\nboard 5 5\npiece man X O\nway ahead n s\nnumber left = 5 in 0..9 each\n{common}start\n{drawing}"
    );
    check(blocks("words")[0], &compass);
    let ring = format!(
        "game Ring\nboard ring 8 with stores\ncount seeds in 0..18\n{common}start\n  seeds(cells(1, 3) | cells(5, 7)) = 3\n"
    );
    check(blocks("ring")[0], &ring);
}
