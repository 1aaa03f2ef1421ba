//! `foregone table join`.

use std::path::PathBuf;
use std::time::Instant;

use foregone::Registry;
use foregone::record::Values;
use foregone::record::write::{TableWriter, tidied, unfinished};
use foregone::tables::Plan;
use foregone_cluster::Tasks;

use super::storage::{Storage, of_layer};
use super::task::{broken, said};
use crate::args::{Memory, Refused, may_write, number};
use crate::cmd::table::build::{finished_at, holds, refused, values};
use crate::progress::Working;
use crate::tables::tables;
use crate::terminal;

#[derive(clap::Args)]
pub struct Args {
    /// The game, as for `table build`
    game: String,
    /// The table; its layers are in the folder beside it whose name ends in .part
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Put only this layer together from its shards
    #[arg(long, value_name = "L")]
    layer: Option<u32>,
    /// What is stored, as for `table build`
    #[arg(long, value_parser = values)]
    values: Option<Values>,
    /// Number of layers, as for `table build`
    #[arg(long, value_name = "N", value_parser = number(1_u32..))]
    layers: Option<u32>,
    /// Number of threads; it does not change the table
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = number(1..=1024_u16))]
    threads: u16,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    storage: Storage,
    #[command(flatten)]
    memory: Memory,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let game = crate::args::game(registry, &args.game)?;
    let tables = tables(&*game)?;
    let values = args.values.unwrap_or_else(|| tables.usual());
    let plan = Plan { values, layers: args.layers, threads: args.threads.into(), all: false };
    let started = Instant::now();
    let working = Working::start();
    let control = args.memory.control(&working);
    let blueprint = tables.blueprint(&plan).map_err(refused)?;
    let (id, print) = (blueprint.id, blueprint.fingerprint);
    let tasks = Tasks { blueprint: &blueprint, threads: plan.threads, control: &control };
    let folder = unfinished(&args.output);
    let nothing =
        || Refused(format!("{} is no folder: nothing is solved of this table", folder.display()));
    if let Some(layer) = args.layer {
        let target = args.storage.target(&args.output, false, |name| of_layer(name, layer))?;
        let needs = tables.needs(&plan, control.memory()).map_err(refused)?;
        if holds(tables, &args.output, &plan, &needs) {
            return said(args.json, &format!("layer {layer}"), false, started);
        }
        folder.is_dir().then_some(()).ok_or_else(nothing)?;
        let mut writer = TableWriter::of_layer(&target, id, print, values, layer, &[])?;
        let done = tasks.join(&mut writer, layer).map_err(broken)?;
        drop(working);
        return said(args.json, &format!("layer {layer}"), done, started);
    }
    let target = args.storage.target(&args.output, true, |_| true)?;
    tidied(&target)?;
    let needs = tables.needs(&plan, control.memory()).map_err(refused)?;
    if !args.force && holds(tables, &args.output, &plan, &needs) {
        return said(args.json, &args.output.display().to_string(), false, started);
    }
    may_write(&args.output, args.force)?;
    folder.is_dir().then_some(()).ok_or_else(nothing)?;
    let mut writer = TableWriter::open(&target, id, print, values)?;
    for layer in 0..blueprint.layers {
        working.note(format!("layer {layer} of {}", blueprint.layers));
        tasks.join(&mut writer, layer).map_err(broken)?;
    }
    writer.finish(blueprint.layers)?;
    drop(working);
    finished_at(&mut terminal::out(), &args.output, args.json, started)
}
