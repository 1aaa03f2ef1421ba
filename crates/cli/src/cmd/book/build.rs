//! `foregone book build`.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use foregone::Registry;
use foregone::book::BookPlan;
use foregone::control::{bytes, counted};
use foregone::record::write::unfinished;
use foregone::tables::Failed;
use serde_json::json;

use crate::args::{Memory, Refused, may_write, number};
use crate::progress::Working;
use crate::terminal;

#[derive(clap::Args)]
pub struct Args {
    /// The game, such as "connect-four(score=stones)"
    game: String,
    /// Number of moves from the start up to which the book has all positions
    #[arg(long, value_name = "N", value_parser = number(1..=100_u32))]
    plies: u32,
    /// The file to write; what is found is kept beside it, in a folder whose name ends in .part
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Number of threads; it does not change the book
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=1024_u16))]
    threads: u16,
    /// Time limit, such as 10s or 5m; run the same command again to continue
    #[arg(long, value_name = "TIME", value_parser = crate::args::time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: Memory,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let game = crate::args::game(registry, &args.game)?;
    may_write(&args.output, args.force)?;
    let working = Working::start();
    let control = args.memory.control(&working).with_time(args.time);
    let plan = BookPlan { plies: args.plies, threads: args.threads.into() };
    let started = Instant::now();
    let built = game.build_book(&args.output, plan, &control);
    let size = built.map_err(|failed| match failed {
        Failed::NoBook => Refused(failed.to_string()).into(),
        Failed::Halted(_) if unfinished(&args.output).is_dir() => crate::args::goes_on(failed),
        failed => anyhow::Error::new(failed),
    })?;
    drop(working);
    let seconds = started.elapsed().as_secs_f64();
    let mut out = terminal::out();
    if args.json {
        let report = json!({
            "game": game.specification(), "plies": args.plies, "positions": size.positions,
            "horizon": size.horizon, "bytes": size.bytes, "seconds": seconds,
        });
        return Ok(writeln!(out, "{report:#}")?);
    }
    writeln!(out, "{}", terminal::heading(&*game))?;
    writeln!(
        out,
        "{}: {} up to {}, {} in {seconds:.1} s; {} solved, the others follow",
        args.output.display(),
        counted(size.positions, "position", "positions"),
        counted(args.plies.into(), "ply", "plies"),
        bytes(size.bytes),
        counted(size.horizon, "position", "positions"),
    )?;
    Ok(())
}
