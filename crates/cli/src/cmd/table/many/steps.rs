//! `foregone table steps`.

use std::io::Write;
use std::path::PathBuf;

use foregone::Registry;
use foregone::record::Values;
use foregone::tables::Plan;
use foregone_cluster::{Step, steps};
use serde_json::json;

use super::task::MAX;
use crate::args::number;
use crate::cmd::table::build::{refused, values};
use crate::tables::tables;
use crate::terminal;

#[derive(clap::Args)]
pub struct Args {
    /// The game, as for `table build`
    game: String,
    /// The table, on storage that all tasks share
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Number of tasks that solve a large layer
    #[arg(long, value_name = "K", value_parser = number(1..=MAX))]
    shards: usize,
    /// A layer is one task if it and those that its moves lead to have at most N numbers
    #[arg(long, value_name = "N", default_value_t = 1 << 22, value_parser = number(0_u64..))]
    uncut: u64,
    /// What to store, as for `table build`
    #[arg(long, value_parser = values)]
    values: Option<Values>,
    /// Number of layers, as for `table build`
    #[arg(long, value_name = "N", value_parser = number(1_u32..))]
    layers: Option<u32>,
    /// An object store, as for `table build`
    #[arg(long, value_name = "URL")]
    storage: Option<String>,
    /// Number of threads of each task
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = number(1..=1024_u16))]
    threads: u16,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// In a command, what stands for the number of the task.
const TASK: &str = "$TASK";

/// A number of tasks that differ in their number alone.
struct Tasks {
    layer: Option<u32>,
    wave: Option<u32>,
    count: u64,
    /// The words of the command; in one of them stands [`TASK`].
    command: Vec<String>,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let game = crate::args::game(registry, &args.game)?;
    let tables = tables(&*game)?;
    let values = args.values.unwrap_or_else(|| tables.usual());
    let plan = Plan { values, layers: args.layers, threads: args.threads.into(), all: false };
    let blueprint = tables.blueprint(&plan).map_err(refused)?;
    let small = |layer: u32| {
        let below = blueprint.after(layer).into_iter().filter(|lower| *lower < layer);
        let below: u64 = below.map(|lower| blueprint.size(lower)).sum();
        blueprint.size(layer).saturating_add(below) <= args.uncut
    };
    // Small shards take longer to start than to solve.
    let shards = |layer| {
        let max = blueprint.size(layer).div_ceil((args.uncut / 4).max(1));
        (args.shards as u64).min(max).max(1)
    };
    let mut all = Vec::new();
    let mut add = |verb, layer: u32, wave: Option<u32>, count| {
        let mut command = args.command(verb)?;
        command.extend(["--layer".to_owned(), layer.to_string()]);
        if let Some(wave) = wave {
            let (wave, shard) = (wave.to_string(), format!("{TASK}/{count}"));
            command.extend(["--wave", &wave, "--shard", &shard].map(str::to_owned));
        }
        all.push(Tasks { layer: Some(layer), wave, count, command });
        anyhow::Ok(())
    };
    for step in steps(&blueprint) {
        match step {
            Step::Whole { layer } => add("build", layer, None, 1)?,
            // One task solves all of a small layer.
            Step::Join { layer } if small(layer) => add("build", layer, None, 1)?,
            Step::Shards { layer, .. } if small(layer) => {}
            Step::Shards { layer, wave } => add("build", layer, Some(wave), shards(layer))?,
            Step::Join { layer } => add("join", layer, None, 1)?,
        }
    }
    all.push(Tasks { layer: None, wave: None, count: 1, command: args.command("join")? });
    let mut out = terminal::out();
    if args.json {
        let row = |tasks: &Tasks| {
            let Tasks { layer, wave, count, command } = tasks;
            json!({"layer": layer, "wave": wave, "tasks": count, "command": command})
        };
        let rows: Vec<_> = all.iter().map(row).collect();
        return Ok(writeln!(out, "{:#}", json!(rows))?);
    }
    for Tasks { count, command, .. } in &all {
        // The shell is to replace the number of the task.
        let mut line = String::new();
        for word in command {
            let quoted = shlex::try_quote(word)?;
            let is_task = word.strip_prefix(TASK).is_some_and(|rest| rest.starts_with('/'));
            line += if is_task { word } else { &quoted };
            line += " ";
        }
        writeln!(out, "{count}\t{}", line.trim_end())?;
    }
    Ok(())
}

impl Args {
    /// What all tasks have in common.
    fn command(&self, verb: &str) -> anyhow::Result<Vec<String>> {
        let output = self.output.to_str();
        let output = output.ok_or_else(|| anyhow::anyhow!("expected a path in Unicode"))?;
        let mut command: Vec<_> =
            ["foregone", "table", verb, &self.game, "-o", output].map(str::to_owned).into();
        if let Some(values) = self.values {
            command.extend(["--values".to_owned(), values.name().to_owned()]);
        }
        if let Some(layers) = self.layers {
            command.extend(["--layers".to_owned(), layers.to_string()]);
        }
        if let Some(storage) = &self.storage {
            command.extend(["--storage".to_owned(), storage.clone()]);
        }
        if self.threads > 1 {
            command.extend(["--threads".to_owned(), self.threads.to_string()]);
        }
        Ok(command)
    }
}
