//! Building a table with many processes.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use foregone::control::{Progress, bytes, counted, grouped};
use foregone::record::write::{Parts, TableWriter, Target, tidied, unfinished};
use foregone::record::{Error, Table};
use foregone::tables::Plan;
use foregone::tables::kernel::Blueprint;
use foregone::{AnyGame, Control};
use foregone_cluster::{Done, Files, Host, Line, Process, Unmet, Watch};
use serde_json::json;

use super::{Place, Shown};
use crate::args::{Refused, may_write};
use crate::cmd::table::build::{Args, deleted, holds, in_words, of_other, refused, written};
use crate::cmd::table::info;
use crate::cmd::table::many::repeat;
use crate::cmd::table::many::storage::of_layers;
use crate::progress::Working;
use crate::tables::tables;
use crate::terminal;

/// What to do after a fault.
const KEPT: &str = "finished layers are kept, and the same command goes on from there";

/// Builds the table as one of many processes.
pub fn build(game: Arc<dyn AnyGame>, args: &Args, plan: &Plan) -> anyhow::Result<()> {
    let mut team = args.many.together.team()?;
    // Threads of a build want what lives as long as the program.
    let game: &'static dyn AnyGame = &**Box::leak(Box::new(game));
    let tables = tables(game)?;
    let started = Instant::now();
    let working = Working::start();
    let control = args.memory.control(&working);
    let blueprint = tables.blueprint(plan).map_err(refused)?;
    let needs = tables.needs(plan, control.memory()).map_err(refused)?;
    let first = team.place.is_first();
    // Only process 0 knows how far all are.
    let control = if first { control } else { control.with_listener(Arc::new(|_| {})) };
    let target = fetched(args, &team.place)?;
    // A scheduler may start the same job again.
    let complete = first && !args.force && {
        tidied(&target)?;
        holds(tables, &args.output, plan, &needs)
    };
    let refusal = match first && !complete {
        true => may_write(&args.output, args.force),
        false => Ok(()),
    };
    let refusal = refusal.and_then(|()| has_memory(&blueprint, &team.place, &control));
    let refusal = team.announced(refusal)?;
    let mut out = terminal::out();
    if first && refusal.is_none() && !args.json {
        let weights = team.place.weights();
        let share = weights.iter().copied().fold(0.0, f64::max) / weights.iter().sum::<f64>();
        let mut needs = needs;
        needs.memory = blueprint.memory(share);
        let words = in_words(&needs, plan.values, weights.len());
        writeln!(out, "{}\n{words}", terminal::heading(game))?;
        out.flush()?;
    }
    team.start(|command| repeat(args, command))?;
    let mut shown = Shown::new("solving", args.json, needs.numbers, needs.layers);
    let look = |watch: &Watch| match first {
        true => shown.show(watch, &control, &working),
        false => control.report(Progress { phase: "", done: 0, total: None, bounds: None }),
    };
    let work = |place: &Place| Member { args, target, place, complete }.work(blueprint, refusal);
    let ended = team.attend(work, look);
    drop(working);
    let place = &team.place;
    match ended {
        Err(error) if matches!(error.downcast_ref(), Some(Unmet::Complete)) => {}
        // Who is gone when the table is complete had nothing more to do.
        Err(_)
            if first && !complete && !args.force && holds(tables, &args.output, plan, &needs) => {}
        ended => ended?,
    }
    match first {
        true => report(&mut out, args, &place.hosts, &place.watch, started),
        false => {
            place.note("done; process 0 puts the table together");
            Ok(())
        }
    }
}

/// Whether each process has a folder of its own.
fn owns(args: &Args) -> bool {
    args.many.local.is_some() || args.many.storage.storage.is_some()
}

/// Where this process keeps its part of finished layers; what it lacks comes from the object store.
fn fetched(args: &Args, place: &Place) -> anyhow::Result<Target> {
    let (me, name) = (place.me, args.output.file_name().unwrap_or_default());
    let local = args.many.local.as_ref().filter(|_| !place.is_first());
    if let Some(folder) = local {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let path = local.map_or_else(|| args.output.clone(), |folder| folder.join(name));
    let wanted = |name: &str| match place.is_first() {
        true => of_layers(name),
        false => name.ends_with(".json") || name.ends_with(&format!(".{me}.blocks")),
    };
    args.many.storage.target(&path, place.is_first(), wanted)
}

/// Refuses a table that does not fit into the memory of this process.
fn has_memory(blueprint: &Blueprint<'_>, place: &Place, control: &Control) -> Result<(), Refused> {
    let weights = place.weights();
    let needed = blueprint.memory(weights[place.me] / weights.iter().sum::<f64>());
    if needed <= control.memory() {
        return Ok(());
    }
    // Each process needs as much as one with no share.
    let more = match blueprint.memory(0.0) <= control.memory() {
        true => ", or use more processes",
        false => "",
    };
    let message = format!(
        "process {} needs {} of memory, but the limit is {}: raise it with --memory{more}",
        place.me,
        bytes(needed),
        bytes(control.memory())
    );
    Err(Refused(message))
}

/// One process.
struct Member<'a> {
    args: &'a Args,
    target: Target,
    place: &'a Place,
    complete: bool,
}

impl Member<'_> {
    /// Meets the others, and builds.
    fn work(&self, blueprint: Blueprint<'static>, refusal: Option<Refused>) -> anyhow::Result<()> {
        let Member { args, target, place, complete } = self;
        let Place { me, watch, .. } = place;
        let own = owns(args);
        let (id, print, values) = (blueprint.id, blueprint.fingerprint, blueprint.values);
        // Before the others come, so that they hear of a folder that is in use.
        let mut writer = (*me == 0 && !complete && refusal.is_none())
            .then(|| self.anew(|| TableWriter::locked(target, id, print, values)));
        let job = format!(
            "a build of {} with {}, {}, rules {print}{}",
            id.name,
            values.name(),
            counted(blueprint.layers.into(), "layer", "layers"),
            if own { ", with --local or --storage" } else { "" }
        );
        let agreed = place.agreed(job, args.threads)?;
        let met = match place.meet(agreed, *complete) {
            Ok(met) => met,
            Err(unmet) => {
                // The folder must not say which table belongs there if nothing is built.
                if let Some(Ok(writer)) = writer.take() {
                    writer.withdraw()?;
                }
                return Err(unmet.into());
            }
        };
        let build = || -> anyhow::Result<()> {
            refusal.map_or(Ok(()), Err)?;
            let parts = || self.anew(|| Parts::open(target, id, print, values));
            let files = match writer {
                Some(writer) => writer.map(|writer| Files::first(writer, own)),
                None => parts().map(|parts| Files::other(parts, own)),
            };
            let files = files.map_err(|error| match of_other(&error) {
                true => anyhow::Error::from(error).context(deleted(&unfinished(target.path()))),
                false => error.into(),
            })?;
            let (weights, threads) = (place.weights(), args.threads.into());
            let process = Process { me: *me, threads, weights, watch: watch.clone(), files };
            Ok(process.build(blueprint, met.data)?)
        };
        let ended = build();
        match &ended {
            Ok(()) => watch.complete(),
            Err(error) => watch.fail(*me, format!("says: {error:#}")),
        }
        met.lines.into_iter().for_each(Line::end);
        ended.map_err(|error| {
            let why = format!("{error:#}");
            // Another process may have said so already.
            match watch.kept() && !why.contains(KEPT) {
                true => anyhow::anyhow!("{why}; {KEPT}"),
                false => error,
            }
        })
    }

    /// Opens this process's folder; with --force, without layers of another table.
    fn anew<T>(&self, open: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
        let opened = open();
        let folder = unfinished(self.target.path());
        let mine = self.place.is_first() || owns(self.args);
        if mine && self.args.force && opened.as_ref().is_err_and(of_other) && folder.is_dir() {
            std::fs::remove_dir_all(folder)?;
            return open();
        }
        opened
    }
}

/// The report of process 0.
fn report(
    out: &mut impl Write,
    args: &Args,
    hosts: &[Host],
    watch: &Watch,
    started: Instant,
) -> anyhow::Result<()> {
    let table = Table::open(&args.output)?;
    let elapsed = started.elapsed().as_secs_f64();
    let each = watch.each();
    // Of all the time of its workers.
    let waited =
        |done: &Done| done.waited as f64 / 1e6 / f64::from(args.threads) / elapsed.max(0.001);
    if args.json {
        let process = |(host, done): (&Host, &Done)| {
            json!({
                "address": host.address, "numbers": done.numbers, "sent": done.sent,
                "waited": (1000.0 * waited(done)).round() / 1000.0,
            })
        };
        let mut report = info::json(&table)?;
        report["seconds"] = elapsed.into();
        report["processes"] = hosts.iter().zip(&each).map(process).collect();
        return Ok(writeln!(out, "{report:#}")?);
    }
    written(out, &args.output, &table, elapsed)?;
    if each.iter().all(|done| done.numbers == 0) {
        return Ok(writeln!(out, "it was complete already")?);
    }
    let row = |(nth, (host, done)): (usize, (&Host, &Done))| {
        let part = waited(done).clamp(0.0, 1.0);
        let bar = "█".repeat((part * 20.0).round() as usize);
        vec![
            nth.to_string(),
            host.address.clone(),
            grouped(done.numbers),
            bytes(done.sent),
            format!("{:3.0} % {bar}", part * 100.0),
        ]
    };
    let rows = hosts.iter().zip(&each).enumerate().map(row).collect();
    let head = ["process", "address", "numbers", "sent", "waited for others"];
    write!(out, "\n{}", terminal::table(&head, rows, &[0, 2, 3]))?;
    Ok(())
}
