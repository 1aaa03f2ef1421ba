//! `foregone table stats`.

use std::io::Write;
use std::path::PathBuf;

use foregone::Registry;
use foregone::control::{Progress, counted, grouped};

use super::open;
use crate::progress::Working;
use crate::tables::tables;
use crate::terminal;
use foregone_page::stats::{Count, Stats};

#[derive(clap::Args)]
pub struct Args {
    /// The table
    file: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// What to write
    #[arg(long, value_enum, default_value = "text", conflicts_with = "json")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Counts by layer, and the longest win
    Text,
    /// A chart of the counts
    Svg,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let (game, table) = open(registry, &args.file)?;
    let manifest = table.manifest();
    let working = Working::start();
    let control = working.control();
    let on_progress = |done, total| {
        control.report(Progress { phase: "counting", done, total: Some(total), bounds: None })
    };
    let stats = Stats::count(tables(&*game)?, &table, on_progress)?;
    drop(working);
    let mut out = terminal::out();
    match args.format {
        _ if args.json => return Ok(writeln!(out, "{:#}", stats.json(&manifest.game))?),
        Format::Svg => return Ok(write!(out, "{}", stats.file(&manifest.game))?),
        Format::Text => {}
    }
    writeln!(out, "{}\n", terminal::bold(&manifest.game))?;
    let row = |name: String, count: Count| {
        let numbers = [count.total(), count.wins, count.draws, count.losses].map(grouped);
        [vec![name], numbers.to_vec()].concat()
    };
    let layers = (0..).zip(&stats.layers).map(|(at, count): (u32, _)| row(at.to_string(), *count));
    let lines = layers.chain([row("all".to_owned(), stats.all())]).collect();
    let head = ["layer", "positions", "wins", "draws", "losses"];
    write!(out, "{}", terminal::table(&head, lines, &[0, 1, 2, 3, 4]))?;
    if !stats.distances.is_empty() {
        let row = |(plies, count): (&u32, &Count)| row(plies.to_string(), *count);
        let lines = stats.distances.iter().map(row).collect();
        let head = ["plies to the end", "positions", "wins", "draws", "losses"];
        write!(out, "\n{}", terminal::table(&head, lines, &[0, 1, 2, 3, 4]))?;
    }
    if tables(&*game)?.banks() {
        writeln!(out, "\nresults are beyond what is banked, such as stones in stores")?;
    }
    if let Some((plies, position)) = &stats.longest {
        let plies = counted((*plies).into(), "ply", "plies");
        writeln!(out, "\nlongest win: {plies}, from {position}")?;
    }
    Ok(())
}
