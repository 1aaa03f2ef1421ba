//! What programs read of games and positions: `games --json`, `show --json`, and the API.

use foregone::{AnyGame, Invalid, Registry, Session};
use serde::Serialize;

/// All games, for programs.
#[derive(Serialize)]
pub struct Games {
    /// The games.
    games: Vec<Game>,
    /// Other names for games with certain parameters.
    aliases: Vec<Alias>,
}

/// A name that stands for a game with certain parameters.
#[derive(Serialize)]
struct Alias {
    /// The name.
    name: &'static str,
    /// The name for people.
    title: &'static str,
    /// The game with the parameters that the name stands for.
    game: &'static str,
}

/// A game, for programs.
#[derive(Serialize)]
pub struct Game {
    /// The name of the game.
    name: String,
    /// The name for people.
    title: String,
    /// The game with all its parameters.
    game: String,
    /// The game in a line.
    summary: String,
    /// What it is about, such as `Make a line`.
    group: String,
    /// The rules.
    rules: String,
    /// The names of the two sides, the first player's first.
    sides: [String; 2],
    /// What values count.
    unit: String,
    /// The parameters that can be set.
    parameters: Vec<Parameter>,
    /// How moves are written.
    moves: String,
    /// How positions are written.
    positions: String,
    /// Known results.
    known: String,
}

/// A parameter of a game.
#[derive(Serialize)]
struct Parameter {
    /// The name.
    name: String,
    /// The value if none is given; empty if it depends on other parameters.
    default: String,
    /// The values that are allowed, in words.
    valid: String,
    /// The meaning, in a few words.
    meaning: String,
}

impl Games {
    pub fn of(registry: &Registry) -> Result<Games, Invalid> {
        let names = registry.families().map(|about| &about.name[..]).chain(registry.texts());
        let games = names.map(|name| Ok(Game::of(&*registry.game(name)?)));
        let aliases = registry.aliases().iter().map(|alias| Alias {
            name: alias.name,
            title: alias.title,
            game: alias.stands_for,
        });
        Ok(Games { games: games.collect::<Result<_, Invalid>>()?, aliases: aliases.collect() })
    }
}

impl Game {
    pub fn of(game: &dyn AnyGame) -> Game {
        let about = game.about();
        let parameters = about.parameters.iter().map(|parameter| Parameter {
            name: parameter.name.clone(),
            default: parameter.default.clone(),
            valid: parameter.valid.to_string(),
            meaning: parameter.meaning.clone(),
        });
        Game {
            name: about.name.clone(),
            title: about.title.clone(),
            game: game.specification(),
            summary: about.summary.clone(),
            group: about.group.title().to_owned(),
            rules: about.rules.split_whitespace().collect::<Vec<_>>().join(" "),
            sides: game.sides().map(str::to_owned),
            unit: game.unit().to_owned(),
            parameters: parameters.collect(),
            moves: about.move_notation.clone(),
            positions: about.position_notation.clone(),
            known: about.known.clone(),
        }
    }
}

/// A position, for programs.
#[derive(Serialize)]
pub struct Position {
    /// The game with all its parameters.
    game: String,
    /// The position, in the game's notation.
    position: String,
    /// The side to move, as the notation names it.
    to_move: String,
    /// The result, seen by the first player; null if the game is not over.
    outcome: Option<i32>,
    /// The legal moves.
    moves: Vec<String>,
    /// The board, line by line.
    picture: Vec<String>,
}

impl Position {
    pub fn of(game: &dyn AnyGame, session: &dyn Session) -> Position {
        Position {
            game: game.specification(),
            position: session.position(),
            to_move: game.sides()[session.turn().index()].to_owned(),
            outcome: session.outcome().map(|outcome| outcome.0),
            moves: session.moves(),
            picture: session.drawing().to_string().lines().map(str::to_owned).collect(),
        }
    }
}
