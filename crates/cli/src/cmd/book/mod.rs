//! `foregone book`: the values of all positions that the first moves of a game lead to, in a small file.

mod build;
mod verify;

use foregone::Registry;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Make a book, or continue an unfinished one
    Build(build::Args),
    /// Check a book: derive its values again by the rules, and solve its last positions again
    Verify(verify::Args),
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    match &args.verb {
        Verb::Build(args) => build::run(registry, args),
        Verb::Verify(args) => verify::run(registry, args),
    }
}
