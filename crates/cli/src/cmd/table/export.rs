//! `foregone table export`.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::ValueEnum;
use foregone::Registry;
use foregone::record::disk::Disk;
use foregone::record::write::aside;

use super::{open, rows};
use crate::args::{Refused, may_write};
use crate::tables::tables;

#[derive(clap::Args)]
pub struct Args {
    /// The table
    file: PathBuf,
    /// What to write [default: what the file's name ends with, or csv]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The file to write [default: the standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A header, and a line of values separated by commas for each position
    Csv,
    /// Compressed columns
    Parquet,
}

impl Args {
    fn format(&self) -> Format {
        let ending = self.output.as_ref().and_then(|path| path.extension()?.to_str());
        let named = ending.and_then(|ending| Format::from_str(ending, true).ok());
        self.format.or(named).unwrap_or(Format::Csv)
    }
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let (game, table) = open(registry, &args.file)?;
    let tables = tables(&*game)?;
    let format = args.format();
    let write = |out: &mut (dyn Write + Send)| match format {
        Format::Csv => rows::csv(tables, &table, out),
        Format::Parquet => rows::parquet(tables, &table, out),
    };
    let Some(path) = &args.output else {
        if format == Format::Parquet && io::stdout().is_terminal() {
            let message = "a terminal cannot show Parquet: name a file with --output";
            return Err(Refused(message.to_owned()).into());
        }
        let mut out = BufWriter::new(io::stdout());
        write(&mut out)?;
        return Ok(out.flush()?);
    };
    may_write(path, args.force)?;
    let mut failed = None;
    let written = aside(&Disk::default(), path, |file| {
        write(file).map_err(|error| {
            failed = Some(error);
            io::Error::other("it was not written completely")
        })
    });
    match (written, failed) {
        (_, Some(error)) => Err(error),
        (written, None) => Ok(written.with_context(|| path.display().to_string())?),
    }
}
