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
    let [first, second] = game.sides();
    let _ = writeln!(text, "\n{first} moves first. The other player is {second}.");
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
    let [first, second] = game.sides();
    let name = |side| if side == Side::First { first } else { second };
    text += &match there.outcome() {
        None => {
            let moves = there.moves().join(", ");
            format!("{} is to move. The legal moves are: {moves}\n", name(there.turn()))
        }
        Some(outcome) if outcome.0 == 0 => "The game is over: a draw.\n".to_owned(),
        Some(outcome) => {
            let winner = if outcome.0 > 0 { first } else { second };
            format!("The game is over: {winner} has won.\n")
        }
    };
    text
}
