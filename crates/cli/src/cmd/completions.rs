//! `foregone completions`: tab completion for shells.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{Cli, terminal};

#[derive(clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "foregone", &mut script);
    terminal::out().write_all(&script)?;
    Ok(())
}
