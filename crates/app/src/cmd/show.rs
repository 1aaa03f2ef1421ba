//! `foregone show`: a position, whose turn it is, which moves are legal.

use std::io::Write;

use foregone::Registry;
use serde_json::json;

use crate::line::Place;
use crate::term;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let game = registry.game(&args.place.game)?;
    let session = args.place.open(registry)?;
    let mut out = term::out();
    let sides = game.sides();
    if args.json {
        let picture = session.drawing().to_string();
        let report = json!({
            "game": game.specification(),
            "position": session.position(),
            "to_move": sides[session.turn().index()],
            "outcome": session.outcome().map(|outcome| outcome.0),
            "moves": session.moves(),
            "picture": picture.lines().collect::<Vec<_>>(),
        });
        writeln!(out, "{report:#}")?;
        return Ok(());
    }
    writeln!(out, "{}\n", term::bold(&game.specification()))?;
    writeln!(out, "{}", term::position(&*session, sides, game.unit()))?;
    let position = session.position();
    if !position.is_empty() {
        writeln!(out, "position  {position}")?;
    }
    let moves = session.moves();
    if !moves.is_empty() {
        write!(out, "{} legal moves\n{}", moves.len(), term::wrap(moves))?;
    }
    Ok(())
}
