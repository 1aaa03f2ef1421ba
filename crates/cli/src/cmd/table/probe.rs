//! `foregone table probe`.

use std::path::PathBuf;
use std::sync::Arc;

use foregone::{Control, Method, Registry, Request};

use super::open;
use crate::cmd::solve;

#[derive(clap::Args)]
pub struct Args {
    /// The table
    file: PathBuf,
    /// The position, in the game's notation [default: the start]
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Moves to make first, separated by commas or spaces
    #[arg(long, value_name = "M1,M2,...", default_value = "", hide_default_value = true)]
    moves: String,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let (game, table) = open(registry, &args.file)?;
    let mut session = game.open(args.position.as_deref(), &args.moves)?;
    session.consult(Arc::new(table));
    let request = Request::default().with_method(Method::Table);
    let report = session.solve(&request, &Control::default());
    solve::show(&*game, &*session, &report, None, args.json)
}
