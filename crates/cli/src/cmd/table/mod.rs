//! `foregone table`: tables of all positions of a game on disk.

mod build;
mod export;
mod info;
#[cfg(feature = "many")]
mod many;
mod probe;
pub mod rows;
mod stats;
mod verify;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use foregone::record::{Error, Table};
use foregone::{AnyGame, Registry};

use crate::args::Refused;
use crate::tables::{WITH_A_BOOK, refuse_proof, tables};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Build a table, or continue an unfinished one
    Build(build::Args),
    /// Calculate what a table needs: memory, disk, network, time, on one machine or on many
    #[cfg(feature = "many")]
    Plan(many::plan::Args),
    /// List tasks that a scheduler can run to build a table
    #[cfg(feature = "many")]
    Steps(many::steps::Args),
    /// Put a table, or one of its layers, together from what tasks have built
    #[cfg(feature = "many")]
    Join(many::join::Args),
    /// Describe a table: its game, positions and size
    Info(File),
    /// Look up a position
    Probe(probe::Args),
    /// Check a table: derive every entry again by the rules
    Verify(verify::Args),
    /// Count wins, draws and losses by layer, and find the longest win
    Stats(stats::Args),
    /// Write all positions that the game reads, for other programs: layer, position, value, distance
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
        #[cfg(feature = "many")]
        Verb::Plan(args) => many::plan::run(registry, args),
        #[cfg(feature = "many")]
        Verb::Steps(args) => many::steps::run(registry, args),
        #[cfg(feature = "many")]
        Verb::Join(args) => many::join::run(registry, args),
        Verb::Info(args) => info::run(registry, args),
        Verb::Probe(args) => probe::run(registry, args),
        Verb::Verify(args) => verify::run(registry, args),
        Verb::Stats(args) => stats::run(registry, args),
        Verb::Export(args) => export::run(registry, args),
    }
}

/// A table with its game.
fn open(registry: &Registry, file: &Path) -> anyhow::Result<(Arc<dyn AnyGame>, Table)> {
    let named = |error: Error| anyhow::Error::new(error).context(file.display().to_string());
    let table = Table::open(file).map_err(named)?;
    refuse_proof(&table, file)?;
    if table.manifest().horizon.is_some() {
        let why = format!("{} is a book, expected a table: {WITH_A_BOOK}", file.display());
        return Err(Refused(why).into());
    }
    let game = registry.game_of_file(table.manifest().id());
    let game = game.with_context(|| file.display().to_string())?;
    tables(&*game)?.is_of(&table).map_err(named)?;
    Ok((game, table))
}
