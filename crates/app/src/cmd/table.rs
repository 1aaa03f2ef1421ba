//! `foregone table`: tables of every position of a game on disk, to build, ask, check and count.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Context;
use foregone::any::AnyTables;
use foregone::check::{Effort, Verdict};
use foregone::control::{Progress, bytes, counted, grouped};
use foregone::record::disk::Disk;
use foregone::record::write::{tidied, unfinished};
use foregone::record::{Error, Table, Values};
use foregone::tables::{Failed, Plan};
use foregone::{AnyGame, Halted, Registry};
use serde_json::json;

use crate::export;
use crate::line::{Memory, Refused, Unshown, choice, may_write};
use crate::stats::{Count, Stats};
use crate::term::{self, Working};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Build a table, or go on with one that was begun
    Build(Build),
    /// Tell what a table holds
    Info(File),
    /// Look a position up
    Probe(Probe),
    /// Derive every entry again from those after it, by the plain rules
    Verify(Verify),
    /// Count a table: wins, draws and losses by layer, the longest win
    Stats(StatsArgs),
    /// Write every position for other programs: layer, position, value, distance
    Export(Export),
}

#[derive(clap::Args)]
struct Build {
    /// The game, such as fox-and-hounds or "kalah(pits=6,stones=4)"
    game: String,
    /// The file to write; what is unfinished lies beside it, in a folder whose name ends in .part
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// wdl (won, drawn or lost), score, score+distance, or score+rank (for games that loop and bank
    /// points) [default: as much as can be kept]
    #[arg(long, value_parser = values)]
    values: Option<Values>,
    /// Only so many layers, the lowest (of Kalah: positions with fewer stones left)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    layers: Option<u32>,
    /// On so many threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    memory: Memory,
}

#[derive(clap::Args)]
struct File {
    /// The table
    file: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct StatsArgs {
    /// The table
    file: PathBuf,
    /// Write JSON: the same as --format json
    #[arg(long)]
    json: bool,
    /// What to write
    #[arg(long, value_enum, default_value = "text", conflicts_with = "json")]
    format: StatsFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum StatsFormat {
    /// Counts by layer, and the longest win
    Text,
    /// A chart of the counts
    Svg,
    /// Everything, for programs
    Json,
}

#[derive(clap::Args)]
struct Probe {
    /// The table
    file: PathBuf,
    /// The position, in the game's notation [default: the start]
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Moves to make first, parted by commas or spaces
    #[arg(long, value_name = "M1,M2,...", default_value = "", hide_default_value = true)]
    moves: String,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Verify {
    #[command(flatten)]
    file: File,
    /// On so many threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    #[command(flatten)]
    memory: Memory,
}

#[derive(clap::Args)]
struct Export {
    /// The table
    file: PathBuf,
    /// What to write
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
    /// The file to write [default: the standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write over a file that is there
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A header and lines of values parted by commas
    Csv,
    /// Columns, compressed
    #[cfg(feature = "parquet")]
    Parquet,
}

fn values(text: &str) -> Result<Values, String> {
    choice(text, "what to keep", &Values::ALL)
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    match &args.verb {
        Verb::Build(args) => build(registry, args),
        Verb::Info(args) => info(registry, args),
        Verb::Probe(args) => probe(registry, args),
        Verb::Verify(args) => verify(registry, args),
        Verb::Stats(args) => stats(registry, args),
        Verb::Export(args) => export(registry, args),
    }
}

/// What has to do with tables of a game.
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
    let unchecked = Table::open(file).map_err(named)?;
    let game = registry.game(&unchecked.manifest().game)?;
    let table = tables(&*game)?.open(file).map_err(named)?;
    Ok((game, table))
}

fn build(registry: &Registry, args: &Build) -> anyhow::Result<()> {
    let game = registry.game(&args.game)?;
    let tables = tables(&*game)?;
    let values = args.values.unwrap_or_else(|| tables.usual());
    let plan = Plan { values, layers: args.layers, threads: args.threads.into() };
    let started = Instant::now();
    let working = Working::start();
    let control = args.memory.control(&working);
    // The same command may have been killed when there was nothing left to do.
    let tidied = tidied(&args.output)?;
    let needs = tables.needs(&plan, control.memory()).map_err(refused)?;
    let wanted = |table: Table| {
        let contents = table.manifest();
        contents.values == values && contents.layers.len() == needs.layers as usize
    };
    let finished = tidied && tables.open(&args.output).is_ok_and(wanted);
    if !finished {
        may_write(&args.output, args.force)?;
    }
    let mut out = term::out();
    writeln!(out, "{}", term::bold(&game.specification()))?;
    let (memory, name) = (bytes(needs.memory), values.name());
    match needs.numbers {
        Some(numbers) => {
            let numbers = counted(numbers, "number", "numbers");
            let layers = counted(needs.layers.into(), "layer", "layers");
            let disk = bytes(needs.disk);
            writeln!(
                out,
                "{numbers} in {layers}, with {name}: at most {memory} of memory and {disk} on disk"
            )?;
        }
        None => writeln!(
            out,
            "all positions that can arise, listed, with {name}: as many as {memory} of memory hold"
        )?,
    }
    out.flush()?;
    if needs.memory > control.memory() {
        let message = format!(
            "this takes {memory} of memory, and {} are allowed: allow more with --memory, or choose \
             fewer --layers or smaller parameters",
            bytes(control.memory())
        );
        return Err(Refused(message).into());
    }
    has_room(&args.output, needs.disk)?;
    let mut told = |layer: u32, size| {
        let (next, layers) = (layer + 1, needs.layers);
        working.note(format!("layer {next} of {layers}, {} on disk,", bytes(size)));
    };
    let mut built = match finished {
        true => Ok(()),
        false => tables.build(&args.output, &plan, &control, &mut told),
    };
    let begun = unfinished(&args.output);
    let other = matches!(built, Err(Failed::File(Error::Game { .. } | Error::Damaged(_))));
    if args.force && other && begun.is_dir() {
        // The beginnings of something else.
        std::fs::remove_dir_all(&begun)?;
        built = tables.build(&args.output, &plan, &control, &mut told);
    }
    drop(working);
    if let Err(error) = built {
        let other = matches!(error, Failed::File(Error::Game { .. } | Error::Damaged(_)));
        let busy = matches!(error, Failed::File(Error::Busy(_)));
        let error = refused(error);
        return Err(match begun.is_dir() && needs.numbers.is_some() && !busy {
            true if other => {
                error.context(format!("{}: delete it, or use --force", begun.display()))
            }
            true if !error.is::<Refused>() => {
                error.context("not finished; the same command goes on from here")
            }
            _ => error,
        });
    }
    let table = Table::open(&args.output)?;
    let numbers: u64 = table.manifest().layers.iter().map(|layer| layer.size).sum();
    let size = table.size()?;
    writeln!(
        out,
        "{}: {} in {:.1} s, {:.3} bytes a number",
        args.output.display(),
        bytes(size),
        started.elapsed().as_secs_f64(),
        size as f64 / numbers.max(1) as f64
    )?;
    Ok(())
}

/// An error of a request that cannot be met, or of work that failed.
fn refused(error: Failed) -> anyhow::Error {
    match error {
        Failed::Banks | Failed::Loops(_) | Failed::Numbers | Failed::Layers => {
            Refused(error.to_string()).into()
        }
        error => error.into(),
    }
}

/// Refuses a table for which there is certainly no room, and warns where there may be none.
fn has_room(file: &Path, most: u64) -> anyhow::Result<()> {
    // Tables take a fiftieth to a half of the most that they could.
    const LEAST: u64 = 256;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // Where that cannot be told, writing tells it.
    let Ok(free) = fs4::available_space(folder) else { return Ok(()) };
    if free < most / LEAST && !unfinished(file).exists() {
        let message = format!(
            "{} are free in {}, and the table would take {} at the very least: choose smaller \
             parameters, fewer --layers or another disk",
            bytes(free),
            folder.display(),
            bytes(most / LEAST)
        );
        return Err(Refused(message).into());
    }
    if free < most {
        let warning = "note: there may not be room for it; what is finished is kept then";
        anstream::eprintln!("{warning} ({} are free)", bytes(free));
    }
    Ok(())
}

fn info(registry: &Registry, args: &File) -> anyhow::Result<()> {
    let (game, table) = open(registry, &args.file)?;
    let contents = table.manifest();
    let plan = Plan { values: contents.values, layers: None, threads: 1 };
    let all = tables(&*game)?.needs(&plan, 0).map_or(None, |needs| Some(needs.layers));
    let mut layers = counted(contents.layers.len() as u64, "layer", "layers");
    if let Some(all) = all.filter(|all| *all as usize > contents.layers.len()) {
        layers = format!("the lowest {} of {all} layers", contents.layers.len());
    }
    let positions: u64 = contents.layers.iter().map(|layer| layer.positions).sum();
    let numbers: u64 = contents.layers.iter().map(|layer| layer.size).sum();
    let size = table.size()?;
    let mut out = term::out();
    if args.json {
        let report = json!({
            "game": contents.game,
            "fingerprint": contents.fingerprint,
            "values": contents.values,
            "layers": contents.layers.len(),
            "positions": positions,
            "numbers": numbers,
            "bytes": size,
        });
        return Ok(writeln!(out, "{report:#}")?);
    }
    writeln!(out, "{}", term::bold(&contents.game))?;
    writeln!(
        out,
        "{} in {layers}, with {}; {}, {:.3} bytes a position; rules {}",
        counted(positions, "position", "positions"),
        contents.values.name(),
        bytes(size),
        size as f64 / positions.max(1) as f64,
        contents.fingerprint
    )?;
    Ok(())
}

fn probe(registry: &Registry, args: &Probe) -> anyhow::Result<()> {
    let (game, table) = open(registry, &args.file)?;
    let mut session = game.open(args.position.as_deref(), &args.moves)?;
    session.consult(Arc::new(table));
    let request = foregone::Request { method: foregone::Method::Table, ..Default::default() };
    let report = session.solve(&request, &foregone::Control::default(), None);
    super::solve::show(&*game, &*session, &report, None, args.json)
}

fn verify(registry: &Registry, args: &Verify) -> anyhow::Result<()> {
    let (game, table) = open(registry, &args.file.file)?;
    let working = Working::start();
    let control = args.memory.control(&working);
    let total = table.manifest().layers.iter().map(|layer| layer.positions).sum();
    let halted = std::sync::Mutex::new(None::<Halted>);
    let last = AtomicU64::new(0);
    let heard = |done: u64| {
        // Parts come in any order; the bar only goes on.
        let done = last.fetch_max(done, Ordering::Relaxed).max(done);
        let progress = Progress { phase: "verifying", done, total: Some(total), bounds: None };
        match control.report(progress) {
            Ok(()) => true,
            Err(reason) => {
                *halted.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(reason);
                false
            }
        }
    };
    let effort = Effort { threads: args.threads.into(), memory: control.memory() };
    let verdict = tables(&*game)?.verify(&table, effort, &heard);
    let coverage = tables(&*game)?.coverage(&table);
    drop(working);
    if let Some(halted) = halted.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        return Err(halted.into());
    }
    let mut out = term::out();
    let verdict = verdict.with_context(|| args.file.file.display().to_string())?;
    if args.file.json {
        let mut report = verdict.fields();
        report["game"] = json!(table.manifest().game);
        report["covers"] = coverage.fields();
        writeln!(out, "{report:#}")?;
    }
    let game = &table.manifest().game;
    match verdict {
        Verdict::False(_) => anyhow::bail!("{verdict}"),
        Verdict::Unshown(_) => Err(Unshown(verdict.to_string()).into()),
        Verdict::Right(_) if args.file.json => Ok(()),
        Verdict::Right(_) => Ok(writeln!(out, "{game}: {verdict}; covers {coverage}")?),
    }
}

fn stats(registry: &Registry, args: &StatsArgs) -> anyhow::Result<()> {
    let (game, table) = open(registry, &args.file)?;
    let contents = table.manifest();
    let working = Working::start();
    let control = working.control();
    let heard = |done, total| {
        control.report(Progress { phase: "counting", done, total: Some(total), bounds: None })
    };
    let stats = Stats::count(tables(&*game)?, &table, heard)?;
    drop(working);
    let mut out = term::out();
    match args.format {
        _ if args.json => return Ok(writeln!(out, "{:#}", stats.json(&contents.game))?),
        StatsFormat::Json => return Ok(writeln!(out, "{:#}", stats.json(&contents.game))?),
        StatsFormat::Svg => return Ok(write!(out, "{}", stats.file(&contents.game))?),
        StatsFormat::Text => {}
    }
    writeln!(out, "{}\n", term::bold(&contents.game))?;
    let row = |name: String, count: Count| {
        let numbers = [count.total(), count.wins, count.draws, count.losses].map(grouped);
        [vec![name], numbers.to_vec()].concat()
    };
    let layers = (0..).zip(&stats.layers).map(|(at, count): (u32, _)| row(at.to_string(), *count));
    let lines = layers.chain([row("all".to_owned(), stats.all())]).collect();
    let head = ["layer", "positions", "wins", "draws", "losses"];
    write!(out, "{}", term::table(&head, lines, &[0, 1, 2, 3, 4]))?;
    if let Some((plies, position)) = &stats.longest {
        let plies = counted((*plies).into(), "ply", "plies");
        writeln!(out, "\nlongest win: {plies}, from {position}")?;
    }
    Ok(())
}

fn export(registry: &Registry, args: &Export) -> anyhow::Result<()> {
    let (game, table) = open(registry, &args.file)?;
    let tables = tables(&*game)?;
    let write = |out: &mut (dyn Write + Send)| match args.format {
        Format::Csv => export::csv(tables, &table, out),
        #[cfg(feature = "parquet")]
        Format::Parquet => export::parquet(tables, &table, out),
    };
    let Some(path) = &args.output else {
        #[cfg(feature = "parquet")]
        if args.format == Format::Parquet && std::io::IsTerminal::is_terminal(&std::io::stdout()) {
            let message = "Parquet is not for a terminal to show: name a file with --output";
            return Err(Refused(message.to_owned()).into());
        }
        let mut out = BufWriter::new(std::io::stdout());
        write(&mut out)?;
        return Ok(out.flush()?);
    };
    may_write(path, args.force)?;
    let mut failed = None;
    let written = foregone::record::write::aside(&Disk::default(), path, |file| {
        write(file).map_err(|error| {
            failed = Some(error);
            std::io::Error::other("it was not written whole")
        })
    });
    match (written, failed) {
        (_, Some(error)) => Err(error),
        (written, None) => Ok(written.with_context(|| path.display().to_string())?),
    }
}
