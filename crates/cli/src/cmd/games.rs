//! `foregone games`: which games there are, and all about one of them.

use std::io::Write;

use foregone::{AnyGame, Invalid, Registry, Side};
use serde::Serialize;
use utoipa::ToSchema;

use crate::terminal;
use crate::words::Voice;

#[derive(clap::Args)]
pub struct Args {
    /// The game to describe in full
    game: Option<String>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let mut out = terminal::out();
    if let Some(text) = &args.game {
        let game = registry.game(text)?;
        match args.json {
            true => writeln!(out, "{}", serde_json::to_string_pretty(&Game::of(&*game))?)?,
            false => write!(out, "{}", all_about(&*game))?,
        }
        return Ok(());
    }
    if args.json {
        let games = serde_json::to_string_pretty(&Games::of(registry)?)?;
        return Ok(writeln!(out, "{games}")?);
    }
    for about in registry.families() {
        let game = registry.game(about.name)?;
        let specification = game.specification();
        let (name, parameters) = specification.split_at(game.about().name.len());
        writeln!(
            out,
            "{}{}  {}",
            terminal::bold(name),
            terminal::dim(parameters),
            game.about().summary
        )?;
    }
    for alias in registry.aliases() {
        writeln!(out, "{}  the same as {}", terminal::bold(alias.name), alias.stands_for)?;
    }
    Ok(())
}

fn all_about(game: &dyn AnyGame) -> String {
    let about = game.about();
    let wrap = |text: &str| terminal::wrap(text.split_whitespace().map(str::to_owned));
    let mut text = format!("{}\n", terminal::heading(game));
    let mut part = |title: &str, body: String| {
        if !body.trim().is_empty() {
            text += &format!("\n{title}\n{body}");
        }
    };
    part("Rules", wrap(about.rules));
    let rows = about.parameters.iter().map(|parameter| {
        let default = if parameter.default.is_empty() { "(depends)" } else { parameter.default };
        let words = [parameter.name, default, &parameter.kind.to_string(), parameter.meaning];
        words.map(str::to_owned).to_vec()
    });
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        part("Parameters", terminal::table(&["name", "default", "valid", "meaning"], rows, &[]));
    }
    let voice = Voice::new(game, terminal::side);
    if game.sides() != ["first", "second"] {
        let [first, second] = [voice.does(Side::First, "move"), voice.the(Side::Second)];
        part("Sides", wrap(&format!("{first} first, {second} second")));
    }
    part("Moves", wrap(about.move_notation));
    part("Positions", wrap(about.position_notation));
    part("Known", wrap(about.known));
    text
}

/// All games as programs read them.
#[derive(Serialize, ToSchema)]
pub struct Games {
    /// The games.
    games: Vec<Game>,
    /// Other names for games with certain parameters.
    aliases: Vec<Alias>,
}

/// A name that stands for a game with certain parameters.
#[derive(Serialize, ToSchema)]
struct Alias {
    /// The name.
    name: &'static str,
    /// The name that people read.
    title: &'static str,
    /// The game with the parameters that the name stands for.
    game: &'static str,
}

/// A game as programs read it.
#[derive(Serialize, ToSchema)]
pub struct Game {
    /// The name of the game.
    name: &'static str,
    /// The name that people read.
    title: &'static str,
    /// The game with all its parameters.
    game: String,
    /// The game in a line.
    summary: &'static str,
    /// The rules.
    rules: &'static str,
    /// The names of the two sides, the first player's first.
    #[schema(min_items = 2, max_items = 2)]
    sides: [&'static str; 2],
    /// What values count.
    unit: &'static str,
    /// The parameters that can be set.
    parameters: Vec<Parameter>,
    /// How moves are written.
    moves: &'static str,
    /// How positions are written.
    positions: &'static str,
    /// What is known of the game.
    known: &'static str,
}

/// A parameter of a game.
#[derive(Serialize, ToSchema)]
struct Parameter {
    /// The name.
    name: &'static str,
    /// The value if none is given; empty if it depends on other parameters.
    default: &'static str,
    /// The values that are allowed, in words.
    valid: String,
    /// The meaning, in a few words.
    meaning: &'static str,
}

impl Games {
    pub fn of(registry: &Registry) -> Result<Games, Invalid> {
        let games = registry.families().map(|about| Ok(Game::of(&*registry.game(about.name)?)));
        let aliases = registry.aliases().iter().map(|alias| Alias {
            name: alias.name,
            title: alias.title,
            game: alias.stands_for,
        });
        Ok(Games { games: games.collect::<Result<_, Invalid>>()?, aliases: aliases.collect() })
    }
}

impl Game {
    fn of(game: &dyn AnyGame) -> Game {
        let about = game.about();
        let parameters = about.parameters.iter().map(|parameter| Parameter {
            name: parameter.name,
            default: parameter.default,
            valid: parameter.kind.to_string(),
            meaning: parameter.meaning,
        });
        Game {
            name: about.name,
            title: about.title,
            game: game.specification(),
            summary: about.summary,
            rules: about.rules,
            sides: game.sides(),
            unit: game.unit(),
            parameters: parameters.collect(),
            moves: about.move_notation,
            positions: about.position_notation,
            known: about.known,
        }
    }
}
