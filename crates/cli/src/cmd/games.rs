//! `foregone games`: a list of the games, or a description of one.

use std::io::Write;

use foregone::{AnyGame, Registry, Side};

use crate::json::{Game, Games};
use crate::terminal;
use foregone_page::words::Voice;

#[derive(clap::Args)]
pub struct Args {
    /// The game to describe [default: a list of all]
    game: Option<String>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let mut out = terminal::out();
    if let Some(text) = &args.game {
        let game = crate::args::game(registry, text)?;
        match args.json {
            true => writeln!(out, "{}", serde_json::to_string_pretty(&Game::of(&*game))?)?,
            false => write!(out, "{}", describe(&*game))?,
        }
        return Ok(());
    }
    if args.json {
        let games = serde_json::to_string_pretty(&Games::of(registry)?)?;
        return Ok(writeln!(out, "{games}")?);
    }
    let families = registry.families().map(|about| (&about.name[..], about.summary.clone()));
    let aliases = registry.aliases().iter();
    let aliases = aliases.map(|alias| (alias.name, format!("the same as {}", alias.stands_for)));
    let all: Vec<_> = families.chain(aliases).collect();
    write!(out, "{}", terminal::list(&all))?;
    let texts: Vec<_> = registry.texts().map(str::to_owned).collect();
    if !texts.is_empty() {
        let head = terminal::fit("\nWritten as text (`foregone rules` says more):\n");
        write!(out, "{head}{}", terminal::wrap(texts))?;
    }
    let more = "\n`foregone games GAME` describes one: rules, parameters, notation, known results.";
    Ok(writeln!(out, "{}", terminal::fit(more))?)
}

/// The words of a text; what stands between backticks is one word.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for piece in text.split_whitespace() {
        match words.last_mut() {
            Some(last) if last.matches('`').count() % 2 == 1 => *last += &format!(" {piece}"),
            _ => words.push(piece.to_owned()),
        }
    }
    words
}

fn describe(game: &dyn AnyGame) -> String {
    let about = game.about();
    let wrap = |text: &str| terminal::wrap(words(text));
    let mut text = format!("{}\n", terminal::heading(game));
    let mut part = |title: &str, body: String| {
        if !body.trim().is_empty() {
            text += &format!("\n{title}\n{body}");
        }
    };
    part("Rules", wrap(&about.rules));
    let rows = about.parameters.iter().map(|parameter| {
        let default = if parameter.default.is_empty() { "(depends)" } else { &parameter.default };
        let words = [&parameter.name, default, &parameter.valid.to_string(), &parameter.meaning];
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
    part("Moves", wrap(&about.move_notation));
    part("Positions", wrap(&about.position_notation));
    part("Known", wrap(&about.known));
    text
}
