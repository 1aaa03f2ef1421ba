//! `foregone man`: the manual as pages for `man`, for those who make packages.

use std::path::PathBuf;

use anyhow::Context;

use crate::parser;

#[derive(clap::Args)]
pub struct Args {
    /// The folder to write the pages into
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let folder = &args.output;
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(parser(), folder));
    written.with_context(|| format!("cannot write to {}", folder.display()))
}
