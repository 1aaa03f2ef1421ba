//! `foregone show`: a position, the side to move, and the legal moves.

use std::io::Write;

use foregone::Registry;
use foregone::control::counted;

use crate::args::Place;
use crate::json::Position;
use crate::terminal;
use foregone_page::draw::svg;
use foregone_page::words::Voice;

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

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let (game, session) = args.place.open(registry)?;
    let mut out = terminal::out();
    match args.format {
        _ if args.json => {
            let position = serde_json::to_string_pretty(&Position::of(&*game, &*session))?;
            return Ok(writeln!(out, "{position}")?);
        }
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
        let count = counted(moves.len() as u64, "legal move", "legal moves");
        write!(out, "{count}\n{}", terminal::wrap(moves))?;
    }
    Ok(())
}
