//! `foregone table build`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use foregone::any::AnyTables;
use foregone::control::{bytes, counted};
use foregone::record::write::{Target, tidied, unfinished};
use foregone::record::{Error, Listed, Table, Values};
use foregone::tables::{Failed, Needs, Plan};
use foregone::{Halted, Registry};
use foregone_page::words::choice;

use super::info;
use crate::args::{Memory, Refused, goes_on, may_write, number};
use crate::progress::Working;
use crate::tables::tables;
use crate::terminal;

#[derive(clap::Args)]
pub struct Args {
    /// The game, such as fox-and-hounds or "kalah(pits=6,stones=4)"
    pub game: String,
    /// The file to write; finished layers are kept beside it, in a folder whose name ends in .part
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// wdl (won, drawn or lost), score, score+distance, or score+rank (for games that loop and bank
    /// points) [default: the most that the game allows]
    #[arg(long, value_parser = values)]
    pub values: Option<Values>,
    /// Number of layers to build, from the lowest (in Kalah: the fewest stones left)
    #[arg(long, value_name = "N", value_parser = number(1_u32..))]
    pub layers: Option<u32>,
    /// Number of threads; it does not change the table
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = number(1..=1024_u16))]
    pub threads: u16,
    /// In a game that loops, also keep positions that only come after a win at once was passed over
    #[arg(long)]
    pub all: bool,
    /// Overwrite an existing file, and unfinished layers of another table
    #[arg(long)]
    pub force: bool,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub memory: Memory,
    #[cfg(feature = "many")]
    #[command(flatten)]
    pub many: super::many::Many,
}

pub fn values(text: &str) -> Result<Values, String> {
    choice(text, "what to keep", &Values::ALL)
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let game = crate::args::game(registry, &args.game)?;
    let tables = tables(&*game)?;
    let values = args.values.unwrap_or_else(|| tables.usual());
    let plan = Plan { values, layers: args.layers, threads: args.threads.into(), all: args.all };
    #[cfg(feature = "many")]
    if let Some(built) = args.many.build(&game, args, &plan) {
        return built;
    }
    let started = Instant::now();
    let working = Working::start();
    let control = args.memory.control(&working);
    let needs = tables.needs(&plan, control.memory()).map_err(refused)?;
    #[cfg(feature = "many")]
    let target = args.many.target(&args.output)?;
    #[cfg(not(feature = "many"))]
    let target = Target::from(&*args.output);
    let finished = is_finished(tables, &target, &plan, &needs)?;
    if !finished {
        may_write(&args.output, args.force)?;
    }
    let mut out = terminal::out();
    if !args.json {
        writeln!(out, "{}\n{}", terminal::heading(&*game), in_words(&needs, values, 1))?;
        out.flush()?;
    }
    if needs.memory > control.memory() {
        let message = format!(
            "this needs {} of memory, but the limit is {}: raise it with --memory, or choose fewer \
             --layers or smaller parameters",
            bytes(needs.memory),
            bytes(control.memory())
        );
        return Err(Refused(message).into());
    }
    has_room(&args.output, needs.disk)?;
    if !finished {
        let mut on_layer = |layer: u32, size| {
            let (next, layers) = (layer + 1, needs.layers);
            working.note(format!("layer {next} of {layers}, {} on disk,", bytes(size)));
        };
        let mut build = || tables.build_on(&target, &plan, &control, &mut on_layer);
        let begun = unfinished(&args.output);
        let mut built = build();
        if args.force && built.as_ref().is_err_and(is_of_other) && begun.is_dir() {
            std::fs::remove_dir_all(&begun)?;
            built = build();
        }
        built.map_err(|error| match begun.is_dir() {
            true => unfinished_at(&begun, error),
            false => refused(error),
        })?;
    }
    drop(working);
    finished_at(&mut out, &args.output, args.json, started)
}

/// Reports a table that is complete.
pub fn finished_at(
    out: &mut impl Write,
    file: &Path,
    json: bool,
    started: Instant,
) -> anyhow::Result<()> {
    let (table, seconds) = (Table::open(file)?, started.elapsed().as_secs_f64());
    if json {
        let mut report = info::json(&table)?;
        report["seconds"] = seconds.into();
        return Ok(writeln!(out, "{report:#}")?);
    }
    written(out, file, &table, seconds)
}

/// What was built, in words.
pub fn written(
    out: &mut impl Write,
    file: &Path,
    table: &Table,
    seconds: f64,
) -> anyhow::Result<()> {
    let (size, numbers) = (table.size()?, table.manifest().numbers());
    let each = size as f64 / numbers.max(1) as f64;
    let digits = if each < 10.0 { 3 } else { 0 };
    let (file, size) = (file.display(), bytes(size));
    Ok(writeln!(out, "{file}: {size} in {seconds:.1} s, {each:.digits$} bytes a number")?)
}

/// Whether the table is complete already: an earlier run of the same command may have been killed when it
/// only had to remove the folder of layers.
fn is_finished(
    tables: &dyn AnyTables,
    target: &Target,
    plan: &Plan,
    needs: &Needs,
) -> anyhow::Result<bool> {
    Ok(tidied(target)? && holds(tables, target.path(), plan, needs))
}

/// Whether a file is the table that a plan describes.
pub fn holds(tables: &dyn AnyTables, file: &Path, plan: &Plan, needs: &Needs) -> bool {
    Table::open(file).is_ok_and(|table| {
        let manifest = table.manifest();
        let whole = manifest.layers.len() == needs.layers as usize;
        let fits = !plan.all || table.listed() != Listed::InPlay;
        tables.is_of(&table).is_ok() && manifest.values == plan.values && whole && fits
    })
}

/// The contents of the table, and what it needs; memory is for each process.
pub fn in_words(needs: &Needs, values: Values, processes: usize) -> String {
    let (memory, name) = (bytes(needs.memory), values.name());
    let Some(numbers) = needs.numbers else {
        let which = match needs.listed {
            Listed::All => "all positions that can arise",
            Listed::Open => "all positions in which the game is not over",
            Listed::InPlay => {
                "all positions in which the game is not over and no win at once was passed over"
            }
        };
        return format!(
            "{which}, listed by their keys, with {name}: as many as fit into {memory} of memory"
        );
    };
    let numbers = counted(numbers, "number", "numbers");
    let layers = counted(needs.layers.into(), "layer", "layers");
    let disk = bytes(needs.disk);
    let each = match processes {
        1 => String::new(),
        _ => format!(" for each of {processes} processes"),
    };
    format!(
        "{numbers} in {layers}, with {name}: at most {memory} of memory{each} and {disk} on disk"
    )
}

/// Whether the build failed on another table's layers.
fn is_of_other(error: &Failed) -> bool {
    matches!(error, Failed::File(error) if of_other(error))
}

/// Whether there are unfinished layers of another table, or damaged ones.
pub fn of_other(error: &Error) -> bool {
    matches!(error, Error::Game { .. } | Error::Damaged(_))
}

/// The error of a build that left finished layers in a folder, and what to do.
fn unfinished_at(folder: &Path, error: Failed) -> anyhow::Error {
    if matches!(error, Failed::Halted(Halted::Time { .. })) {
        return goes_on(error);
    }
    let (other, busy) = (is_of_other(&error), matches!(error, Failed::File(Error::Busy(_))));
    let error = refused(error);
    match () {
        () if busy => error,
        () if other => error.context(deleted(folder)),
        () if error.is::<Refused>() => error,
        () => error.context("not finished; run the same command again to continue"),
    }
}

/// What to do about layers of another table.
pub fn deleted(folder: &Path) -> String {
    format!("{}: delete it, or use --force", folder.display())
}

/// The error of a wrong request, or of a failed build.
pub fn refused(error: Failed) -> anyhow::Error {
    match error {
        Failed::Banks | Failed::Loops(_) | Failed::Numbers | Failed::Layers => {
            Refused(error.to_string()).into()
        }
        error => error.into(),
    }
}

/// Refuses a table that certainly does not fit on the disk, and warns if it may not fit.
fn has_room(file: &Path, max: u64) -> anyhow::Result<()> {
    // Tables take between 1/50 and 1/2 of the upper bound.
    const LEAST: u64 = 256;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // If the system does not say, the writer finds out.
    let Ok(free) = fs4::available_space(folder) else { return Ok(()) };
    if free < max / LEAST && !unfinished(file).exists() {
        let message = format!(
            "the table needs at least {} of disk, but {} has only {} free: choose smaller \
             parameters, fewer --layers or another disk",
            bytes(max / LEAST),
            folder.display(),
            bytes(free)
        );
        return Err(Refused(message).into());
    }
    if free < max {
        let free = bytes(free);
        anstream::eprintln!(
            "note: the disk may become full ({free} free); finished layers are kept"
        );
    }
    Ok(())
}
