//! `foregone completions`: tab completion for shells.

use std::io::Write;

use clap_complete::Shell;

use crate::{parser, terminal};

#[derive(clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut parser(), "foregone", &mut script);
    terminal::out().write_all(&script)?;
    Ok(())
}
