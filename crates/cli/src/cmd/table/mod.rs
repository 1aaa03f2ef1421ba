//! `foregone table`: tables of every position of a game on disk, to build, ask, check and count.

mod build;
mod export;
mod info;
mod probe;
mod rows;
mod stats;
mod verify;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use foregone::any::AnyTables;
use foregone::record::{Error, Table};
use foregone::{AnyGame, Registry};

use crate::args::Refused;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Build a table, or go on with one that was begun
    Build(build::Args),
    /// Tell what a table holds
    Info(File),
    /// Look a position up
    Probe(probe::Args),
    /// Derive every entry again from those after it, by the plain rules
    Verify(verify::Args),
    /// Count a table: wins, draws and losses by layer, the longest win
    Stats(stats::Args),
    /// Write every position for other programs: layer, position, value, distance
    Export(export::Args),
}

#[derive(clap::Args)]
struct File {
    /// The table
    file: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    match &args.verb {
        Verb::Build(args) => build::run(registry, args),
        Verb::Info(args) => info::run(registry, args),
        Verb::Probe(args) => probe::run(registry, args),
        Verb::Verify(args) => verify::run(registry, args),
        Verb::Stats(args) => stats::run(registry, args),
        Verb::Export(args) => export::run(registry, args),
    }
}

/// The tables of a game, if there are any.
pub fn tables(game: &dyn AnyGame) -> Result<&dyn AnyTables, Refused> {
    let none = || {
        let name = game.about().name;
        Refused(format!("{name} does not number its positions, so there are no tables of it"))
    };
    game.tables().ok_or_else(none)
}

/// A table with its game.
fn open(registry: &Registry, file: &Path) -> anyhow::Result<(Arc<dyn AnyGame>, Table)> {
    let named = |error: Error| anyhow::Error::new(error).context(file.display().to_string());
    let table = Table::open(file).map_err(named)?;
    let game = registry.game(&table.manifest().game)?;
    tables(&*game)?.is_of(&table).map_err(named)?;
    Ok((game, table))
}
