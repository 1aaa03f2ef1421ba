//! `foregone book verify`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use foregone::Registry;
use foregone::check::{Effort, Options, Subject, Symmetries, Verdict, check};
use foregone::control::counted;
use foregone::record::Table;
use serde_json::json;

use crate::args::{Memory, Refused, Unshown, number};
use crate::progress::Working;
use crate::tables::kind_of;
use crate::terminal;

#[derive(clap::Args)]
pub struct Args {
    /// The book
    file: PathBuf,
    /// Solve only N of its last positions again, chosen at random
    #[arg(long, value_name = "N", value_parser = number(0..=usize::MAX))]
    sample: Option<usize>,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=1024_u16))]
    threads: u16,
    /// Time limit, such as 10s or 5m
    #[arg(long, value_name = "TIME", value_parser = crate::args::time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: Memory,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let file = &args.file;
    let named = || file.display().to_string();
    let book = Table::open(file).with_context(named)?;
    if book.manifest().horizon.is_none() {
        let what = kind_of(&book);
        let instead = "`foregone-check` checks proofs and `foregone table verify` tables";
        return Err(Refused(format!("{} is {what}, expected a book: {instead}", named())).into());
    }
    let game = registry.game_of_file(book.manifest().id()).with_context(named)?;
    let working = Working::start();
    let control = args.memory.control(&working).with_time(args.time);
    let threads = args.threads.into();
    // By the rules first: that takes a moment.
    let effort = Effort { threads, memory: control.memory(), symmetries: Symmetries::ByFile };
    let options = Options { effort, plain: false, compiled: true };
    let report = check(file, options, |_| |_| true).with_context(named)?;
    let Subject::Book { horizon, verdict, taken, .. } = report.subject else {
        anyhow::bail!("{}: the checker finds no book in it", named());
    };
    let derived = match &verdict {
        Verdict::Right(counts) => counts.total().positions(),
        Verdict::False(_) => anyhow::bail!("{verdict}"),
        Verdict::Unshown(_) => return Err(Unshown(verdict.to_string()).into()),
    };
    let verified = game.verify_book(&book, args.sample, threads, &control)?;
    drop(working);
    if let Some(wrong) = verified.wrong {
        anyhow::bail!("{wrong}");
    }
    let mut out = terminal::out();
    if args.json {
        let report = json!({
            "game": book.manifest().game, "plies": horizon, "derived": derived,
            "horizon": taken, "solved_again": verified.positions, "verdict": "right",
        });
        return Ok(writeln!(out, "{report:#}")?);
    }
    let derived = counted(derived, "position", "positions");
    let solved = counted(verified.positions, "position", "positions");
    let game = &book.manifest().game;
    let of = if verified.positions < taken { format!(" of {taken}") } else { String::new() };
    writeln!(
        out,
        "{game}: {derived} derived by the rules; {solved}{of} at the horizon solved again, all right"
    )?;
    Ok(())
}
