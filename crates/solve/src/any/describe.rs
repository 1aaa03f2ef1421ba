//! A game and its positions in plain English, made from what the rules say of themselves: for people who cannot see a board,
//! and for language models.

use std::fmt::Write;

use foregone_rules::Side;
use foregone_rules::family::parse_specification;

use super::{AnyGame, Session};

/// The rules of a game: what it is, how this variant of it is set up, who plays, how moves and positions are written.
pub fn rules(game: &dyn AnyGame) -> String {
    let about = game.about();
    let mut text = format!("{}\n\n{}\n", game.title(), about.rules.trim());
    let given = game.specification();
    let given = parse_specification(&given).map_or(Vec::new(), |(_, given)| given);
    if !given.is_empty() {
        let meaning = |name: &str| about.parameters.iter().find(|parameter| parameter.name == name);
        text += "\nIn this game:\n";
        for (name, value) in given {
            let meaning = meaning(name).map(|parameter| parameter.meaning.trim());
            let meaning = meaning.filter(|meaning| !meaning.is_empty());
            let meaning = meaning.map_or(String::new(), |meaning| format!(" ({meaning})"));
            let _ = writeln!(text, "- {name} is {value}{meaning}");
        }
    }
    let [first, second] = game.sides().map(named);
    let _ = writeln!(text, "\n{} moves first. The other player is {second}.", capital(&first));
    let parts = [("A move", &about.move_notation), ("A position", &about.position_notation)];
    for (what, notation) in parts.into_iter().filter(|(_, notation)| !notation.is_empty()) {
        let _ = writeln!(text, "{what} is written as {}.", notation.trim().trim_end_matches('.'));
    }
    text
}

/// A position: the board, who is to move, and the legal moves, or how the game has ended.
pub fn position(game: &dyn AnyGame, there: &dyn Session) -> String {
    let mut text = format!("The position is {}\n\n{}\n\n", there.position(), there.drawing());
    if let Some(mv) = there.played().last() {
        let _ = writeln!(text, "The last move was {mv}.");
    }
    let [first, second] = game.sides().map(|side| capital(&named(side)));
    let name = |side| if side == Side::First { &first } else { &second };
    text += &match there.outcome() {
        None => {
            let moves = there.moves().join(", ");
            format!("{} is to move. The legal moves are: {moves}\n", name(there.turn()))
        }
        Some(outcome) if outcome.0 == 0 => "The game is over: a draw.\n".to_owned(),
        Some(outcome) => {
            let winner =
                if outcome.0 > 0 { named(game.sides()[0]) } else { named(game.sides()[1]) };
            format!("The game is over: {winner} has won.\n")
        }
    };
    text
}

/// A side within a sentence: `X`, `the first player`.
fn named(side: &str) -> String {
    let (article, name) = full_name(side);
    article.to_owned() + &name
}

/// The article and the name of a side, from its name in the game: `the`, `first player`.
pub fn full_name(side: &str) -> (&'static str, String) {
    match side {
        "first" | "second" => ("the ", format!("{side} player")),
        name if name.starts_with(char::is_lowercase) => ("the ", name.to_owned()),
        name => ("", name.to_owned()),
    }
}

/// The text with a capital at its beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
