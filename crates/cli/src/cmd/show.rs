//! `foregone show`: a position, whose turn it is, which moves are legal.

use std::io::Write;

use foregone::{AnyGame, Registry, Session};
use serde::Serialize;
use utoipa::ToSchema;

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
#[derive(Serialize, ToSchema)]
pub struct Position {
    /// The game with all its parameters.
    game: String,
    /// The position, in the game's notation.
    position: String,
    /// Who is to move, as the notation names the side.
    to_move: &'static str,
    /// The result, as the first player sees it; null if the game is not over.
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
            to_move: game.sides()[session.turn().index()],
            outcome: session.outcome().map(|outcome| outcome.0),
            moves: session.moves(),
            picture: session.drawing().to_string().lines().map(str::to_owned).collect(),
        }
    }
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let game = registry.game(&args.place.game)?;
    let session = args.place.open(registry)?;
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
        write!(out, "{} legal moves\n{}", moves.len(), terminal::wrap(moves))?;
    }
    Ok(())
}
