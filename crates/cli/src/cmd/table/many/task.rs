//! One task of many that build a table without knowing each other: `foregone table build --layer`.

use std::io::Write;
use std::time::Instant;

use foregone::AnyGame;
use foregone::record::write::Parts;
use foregone::tables::Plan;
use foregone_cluster::{Broken, Tasks};

use super::storage::{of_layer, of_layers};
use crate::args::Refused;
use crate::cmd::table::build::{Args, holds, refused};
use crate::progress::Working;
use crate::tables::tables;
use crate::terminal;

#[derive(clap::Args)]
#[command(next_help_heading = "One task of many (see `foregone table steps`)")]
pub struct Task {
    /// Build only this layer, if those that its moves lead to are finished
    #[arg(long, value_name = "L", conflicts_with_all = ["hosts", "process", "processes", "local", "force"])]
    pub layer: Option<u32>,
    /// Solve only one wave of the layer: positions whose moves lead to lower layers or earlier waves
    #[arg(long, value_name = "W", requires = "shard")]
    wave: Option<u32>,
    /// Solve only part S, from 0, of K parts; `foregone table join` puts them together
    #[arg(long, value_name = "S/K", requires = "layer", value_parser = shard)]
    shard: Option<(usize, usize)>,
}

/// The most shards of a wave.
pub const MAX: usize = 1 << 16;

/// Reads a part of a number of parts.
fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts =
        text.split_once('/').and_then(|(place, of)| Some((place.parse().ok()?, of.parse().ok()?)));
    let fits = |(place, of): &(usize, usize)| place < of && *of <= MAX;
    parts.filter(fits).ok_or_else(|| {
        format!("expected a part and the number of parts, such as 0/8 or 7/8 (at most {MAX} parts)")
    })
}

/// Solves a layer, or a part of it.
pub fn solve(game: &dyn AnyGame, args: &Args, plan: &Plan, layer: u32) -> anyhow::Result<()> {
    let tables = tables(game)?;
    let started = Instant::now();
    let working = Working::start();
    let control = args.memory.control(&working);
    let blueprint = tables.blueprint(plan).map_err(refused)?;
    let max = blueprint.layers - 1;
    if layer > max {
        return Err(broken(Broken::Layer { max }));
    }
    let (id, print, values) = (blueprint.id, blueprint.fingerprint, blueprint.values);
    // All of the layer, and what is finished of those below.
    let after = blueprint.after(layer);
    let wanted = |name: &str| {
        let below = || of_layers(name) && after.iter().any(|lower| of_layer(name, *lower));
        name == "table.json" || of_layer(name, layer) || below()
    };
    let target = args.many.storage.target(&args.output, false, wanted)?;
    let needs = tables.needs(plan, control.memory()).map_err(refused)?;
    let complete = holds(tables, &args.output, plan, &needs);
    if !complete && args.output.exists() {
        let message = format!(
            "{} exists already, and is not this table: delete it, or choose another name",
            args.output.display()
        );
        return Err(Refused(message).into());
    }
    let done = match args.many.task.shard {
        // A scheduler may run the same tasks again.
        _ if complete => false,
        Some(shard) => {
            let parts = Parts::open(&target, id, print, values)?;
            let tasks = Tasks { blueprint: &blueprint, threads: plan.threads, control: &control };
            tasks.solve(&parts, (layer, args.many.task.wave), shard).map_err(broken)?
        }
        None => {
            let finished = Parts::open(&target, id, print, values)?.is_intact(layer);
            tables.build_layer(&target, plan, layer, &control).map_err(refused)?;
            !finished
        }
    };
    drop(working);
    let part = match (args.many.task.wave, args.many.task.shard) {
        (_, None) => format!("layer {layer}"),
        (None, Some((place, of))) => format!("shard {place}/{of} of layer {layer}"),
        (Some(wave), Some((place, of))) => {
            format!("shard {place}/{of} of wave {wave} of layer {layer}")
        }
    };
    said(args.json, &part, done, started)
}

/// Says what a task has done.
pub fn said(json: bool, part: &str, done: bool, started: Instant) -> anyhow::Result<()> {
    let seconds = started.elapsed().as_secs_f64();
    let mut out = terminal::out();
    if json {
        let report = serde_json::json!({"done": part, "before": !done, "seconds": seconds});
        return Ok(writeln!(out, "{report}")?);
    }
    match done {
        true => writeln!(out, "{part}: done in {seconds:.1} s")?,
        false => writeln!(out, "{part} was done already")?,
    }
    Ok(())
}

/// The error of a task.
pub fn broken(error: Broken) -> anyhow::Error {
    match error {
        Broken::Failed(error) => refused(error),
        Broken::Missing { .. } | Broken::Unsolved(_) | Broken::Unfinished(_) => error.into(),
        error => Refused(error.to_string()).into(),
    }
}
