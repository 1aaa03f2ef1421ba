//! `foregone show`: a position, whose turn it is, which moves are legal.

use std::io::Write;

use foregone::{AnyGame, Registry, Session};
use serde_json::json;

use crate::args::Place;
use crate::draw::svg;
use crate::terminal;
use crate::words::Voice;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// What to write
    #[arg(long, value_enum, default_value = "text", conflicts_with = "json")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The board and the legal moves
    Text,
    /// A picture of the board
    Svg,
}

/// A position as programs read it.
pub fn describe(game: &dyn AnyGame, session: &dyn Session) -> serde_json::Value {
    let picture = session.drawing().to_string();
    json!({
        "game": game.specification(),
        "position": session.position(),
        "to_move": game.sides()[session.turn().index()],
        "outcome": session.outcome().map(|outcome| outcome.0),
        "moves": session.moves(),
        "picture": picture.lines().collect::<Vec<_>>(),
    })
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let game = registry.game(&args.place.game)?;
    let session = args.place.open(registry)?;
    let mut out = terminal::out();
    match args.format {
        _ if args.json => return Ok(writeln!(out, "{:#}", describe(&*game, &*session))?),
        Format::Svg => {
            let title = format!("{}: {}", game.title(), session.position());
            return Ok(write!(out, "{}", svg::file(&session.scene(), &title))?);
        }
        Format::Text => {}
    }
    writeln!(out, "{}\n", terminal::heading(&*game))?;
    writeln!(out, "{}", terminal::position(&*session, Voice::new(&*game, terminal::side)))?;
    let position = session.position();
    if !position.is_empty() {
        writeln!(out, "position  {position}")?;
    }
    let moves = session.moves();
    if !moves.is_empty() {
        write!(out, "{} legal moves\n{}", moves.len(), terminal::wrap(moves))?;
    }
    Ok(())
}
