//! `foregone games`: which games there are, and all about one of them.

use std::io::Write;

use foregone::{AnyGame, Invalid, Registry, Side};
use serde_json::json;

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
            true => writeln!(out, "{:#}", describe(&*game))?,
            false => write!(out, "{}", all_about(&*game))?,
        }
        return Ok(());
    }
    if args.json {
        return Ok(writeln!(out, "{:#}", describe_all(registry)?)?);
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
pub fn describe_all(registry: &Registry) -> Result<serde_json::Value, Invalid> {
    let games = registry.families().map(|about| Ok(describe(&*registry.game(about.name)?)));
    let games: Vec<_> = games.collect::<Result<_, Invalid>>()?;
    let aliases = registry.aliases().iter();
    let aliases: Vec<_> = aliases
        .map(|alias| json!({"name": alias.name, "title": alias.title, "game": alias.stands_for}))
        .collect();
    Ok(json!({"games": games, "aliases": aliases}))
}

/// A game as programs read it.
pub fn describe(game: &dyn AnyGame) -> serde_json::Value {
    let about = game.about();
    let parameters = about.parameters.iter().map(|parameter| {
        json!({
            "name": parameter.name,
            "default": parameter.default,
            "valid": parameter.kind.to_string(),
            "meaning": parameter.meaning,
        })
    });
    json!({
        "name": about.name,
        "title": about.title,
        "game": game.specification(),
        "summary": about.summary,
        "rules": about.rules,
        "sides": game.sides(),
        "unit": game.unit(),
        "parameters": parameters.collect::<Vec<_>>(),
        "moves": about.move_notation,
        "positions": about.position_notation,
        "known": about.known,
    })
}
