//! Building a table with many processes: `foregone table build --hosts` and `--processes`.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use foregone::control::{Halted, Progress, bytes, counted, grouped};
use foregone::record::Table;
use foregone::record::format::checksum::Checksum;
use foregone::record::write::{Parts, TableWriter, tidied};
use foregone::tables::kernel::Blueprint;
use foregone::tables::{Needs, Plan};
use foregone::{AnyGame, Control};
use foregone_cluster::{
    Agreed, Done, Ended, Files, Greeter, Host, Line, Party, Process, Unmet, Watch, hosts,
};
use serde_json::json;

use super::build::{Args, holds, in_words};
use super::children::Children;
use super::info;
use crate::args::{Refused, may_write, time};
use crate::progress::Working;
use crate::tables::tables;
use crate::terminal;

#[derive(clap::Args)]
#[command(next_help_heading = "Many processes")]
pub struct Together {
    /// Build together with other processes: a file with the address of each, one host:port a line, and
    /// its weight after it if machines differ
    #[arg(long, value_name = "FILE", conflicts_with = "processes")]
    hosts: Option<PathBuf>,
    /// The number of this process: its place in the file of hosts, from 0 [default: SLURM_PROCID,
    /// JOB_COMPLETION_INDEX, or the number at the end of a Kubernetes pod's name]
    #[arg(long, value_name = "K", requires = "hosts")]
    process: Option<usize>,
    /// A file with a secret that all processes share
    #[arg(long, value_name = "FILE", requires = "hosts")]
    secret_file: Option<PathBuf>,
    /// Where this process keeps its part of finished layers, if the processes share no folder; process 0
    /// keeps its part beside the table
    #[arg(long, value_name = "DIR")]
    local: Option<PathBuf>,
    /// How long to wait for the other processes
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = time, requires = "hosts")]
    patience: Duration,
    /// Build with N processes on this machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    processes: Option<u16>,
}

/// Longest secret in bytes.
const LONGEST_SECRET: usize = 4096;

/// How often progress is shown on a terminal.
const OFTEN: Duration = Duration::from_millis(100);

/// How often it is written to a file or a pipe.
const SELDOM: Duration = Duration::from_secs(30);

/// All processes, and which of them this is.
struct Place {
    hosts: Vec<Host>,
    me: usize,
    secret: Vec<u8>,
}

impl Together {
    /// Whether several processes were asked for.
    pub fn wanted(&self) -> bool {
        self.hosts.is_some() || self.processes.is_some_and(|processes| processes > 1)
    }

    /// Adds what every process on this machine is given.
    pub fn repeat(&self, command: &mut Command) {
        if let Some(local) = &self.local {
            command.arg("--local").arg(local);
        }
    }

    fn place(&self) -> anyhow::Result<Place> {
        let file = self.hosts.as_deref().unwrap_or(Path::new(""));
        let named = || file.display().to_string();
        let text = std::fs::read_to_string(file).with_context(named)?;
        let hosts = hosts(&text).map_err(|wrong| Refused(format!("{}: {wrong}", named())))?;
        let me = self.process.map_or_else(|| own_number(&|name| std::env::var(name).ok()), Ok)?;
        if me >= hosts.len() {
            let most = hosts.len() - 1;
            let message =
                format!("this is process {me}, but {} names only processes 0 to {most}", named());
            return Err(Refused(message).into());
        }
        let secret = match &self.secret_file {
            Some(file) => secret(file)?,
            None => Vec::new(),
        };
        Ok(Place { hosts, me, secret })
    }
}

/// A secret from a file, without the end of its last line.
fn secret(file: &Path) -> anyhow::Result<Vec<u8>> {
    let named = || file.display().to_string();
    let mut secret = std::fs::read(file).with_context(named)?;
    while secret.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
        secret.pop();
    }
    match secret.len() {
        0 => Err(Refused(format!("{}: expected a secret, found an empty file", named())).into()),
        length if length > LONGEST_SECRET => {
            let message = format!("{}: expected at most {LONGEST_SECRET} bytes", named());
            Err(Refused(message).into())
        }
        _ => Ok(secret),
    }
}

/// The number of this process, as a scheduler tells it.
fn own_number(variable: &dyn Fn(&str) -> Option<String>) -> Result<usize, Refused> {
    for name in ["SLURM_PROCID", "JOB_COMPLETION_INDEX"] {
        if let Some(text) = variable(name) {
            let wrong = || Refused(format!("{name} is `{text}`, expected the number of a process"));
            return text.parse().map_err(|_| wrong());
        }
    }
    let pod = variable("KUBERNETES_SERVICE_HOST").and_then(|_| variable("HOSTNAME"));
    let ordinal = pod.and_then(|name| name.rsplit_once('-')?.1.parse().ok());
    ordinal.ok_or_else(|| {
        Refused(
            "which process is this? use --process K (0 is the first of the file of hosts)".into(),
        )
    })
}

/// Builds the table as one of many processes.
pub fn run(game: Arc<dyn AnyGame>, args: &Args, plan: &Plan) -> anyhow::Result<()> {
    let (place, mut children) = match args.together.processes {
        Some(count) => {
            let children = Children::prepare(count.into())?;
            let place =
                Place { hosts: children.hosts().to_vec(), me: 0, secret: children.secret() };
            (place, Some(children))
        }
        None => (args.together.place()?, None),
    };
    // Threads of a build want what lives as long as the program.
    let game: &'static dyn AnyGame = &**Box::leak(Box::new(game));
    let tables = tables(game)?;
    let started = Instant::now();
    let working = Working::start();
    let control = args.memory.control(&working);
    let needs = tables.needs(plan, control.memory()).map_err(super::build::refused)?;
    let first = place.me == 0;
    // Only process 0 knows how far all are.
    let control = if first { control } else { control.with_listener(Arc::new(|_| {})) };
    // A scheduler may start the same job again.
    let complete = first && !args.force && {
        tidied(&args.output)?;
        holds(tables, &args.output, plan, &needs)
    };
    let mut out = terminal::out();
    if first {
        if !complete {
            may_write(&args.output, args.force)?;
        }
        if !args.json {
            let processes = counted(place.hosts.len() as u64, "process", "processes");
            writeln!(out, "{}", terminal::heading(game))?;
            writeln!(out, "{}; {processes}", in_words(&needs, plan.values))?;
            out.flush()?;
        }
    }
    let blueprint = tables.blueprint(plan).map_err(super::build::refused)?;
    has_memory(&blueprint, &place, &control)?;
    let member = Member { args, place: &place, complete };
    let addresses: Vec<_> = place.hosts.iter().map(|host| host.address.clone()).collect();
    let watch = Watch::new(place.me, &addresses);
    if let Some(children) = &mut children {
        children.start(|command| args.repeat(command))?;
    }
    let ended = thread::scope(|scope| {
        let work = scope.spawn(|| member.work(blueprint, &watch));
        let told = Instant::now();
        let mut shown = Shown { json: args.json, needs: &needs, watch: &watch, started, told };
        while !work.is_finished() {
            thread::sleep(OFTEN);
            let halted = match first {
                true => shown.show(&control, &working),
                false => control.report(Progress { phase: "", done: 0, total: None, bounds: None }),
            };
            if halted.is_err() {
                watch.fail(place.me, "was stopped");
            }
            if let Some((child, why)) = children.as_mut().and_then(Children::gone) {
                watch.fail(child, why);
            }
        }
        work.join().unwrap_or_else(|_| Err(anyhow::anyhow!("this process has an error in itself")))
    });
    drop(working);
    drop(children);
    match ended {
        Err(error) if matches!(error.downcast_ref(), Some(Unmet::Complete)) => {}
        ended => ended?,
    }
    match first {
        true => report(&mut out, args, &place.hosts, &watch, started),
        false => Ok(()),
    }
}

/// Refuses a table that does not fit into the memory of this process.
fn has_memory(blueprint: &Blueprint<'_>, place: &Place, control: &Control) -> anyhow::Result<()> {
    let all: f64 = place.hosts.iter().map(|host| host.weight).sum();
    let needed = blueprint.memory(place.hosts[place.me].weight / all);
    if needed <= control.memory() {
        return Ok(());
    }
    let message = format!(
        "process {} needs {} of memory, but the limit is {}: raise it with --memory, or use more \
         processes",
        place.me,
        bytes(needed),
        bytes(control.memory())
    );
    Err(Refused(message).into())
}

/// One process.
struct Member<'a> {
    args: &'a Args,
    place: &'a Place,
    complete: bool,
}

impl Member<'_> {
    fn agreed(&self, blueprint: &Blueprint<'_>) -> anyhow::Result<Agreed> {
        let program = std::fs::read(std::env::current_exe()?)?;
        let hosts: Vec<_> = self
            .place
            .hosts
            .iter()
            .map(|host| format!("{} {}", host.address, host.weight))
            .collect();
        Ok(Agreed {
            program: format!("{} ({})", env!("CARGO_PKG_VERSION"), Checksum::of(&program)),
            table: format!(
                "{} with {}, {}, rules {}{}",
                blueprint.id.name,
                blueprint.values.name(),
                counted(blueprint.layers.into(), "layer", "layers"),
                blueprint.fingerprint,
                if self.args.together.local.is_some() { ", with --local" } else { "" }
            ),
            // Long lists would not fit into a greeting.
            hosts: match hosts.len() {
                ..=8 => hosts.join(", "),
                count => format!("{count}, checksum {}", Checksum::of(hosts.join(",").as_bytes())),
            },
            threads: self.args.threads.into(),
        })
    }

    /// Meets the others, and builds.
    fn work(&self, blueprint: Blueprint<'static>, watch: &Watch) -> anyhow::Result<()> {
        let Place { hosts, me, secret } = self.place;
        let own = self.args.together.local.is_some();
        let (id, print, values) = (blueprint.id, blueprint.fingerprint, blueprint.values);
        // Before the others come, so that they hear of a folder that is in use.
        let writer = (*me == 0 && !self.complete)
            .then(|| TableWriter::locked(&self.args.output, id, print, values));
        let greeter = Greeter {
            me: *me,
            processes: hosts.len(),
            secret: secret.clone(),
            agreed: self.agreed(&blueprint)?,
            complete: self.complete,
        };
        let quiet = self.args.together.processes.is_some();
        let note = |text: &str| {
            if !quiet {
                anstream::eprintln!("process {me}: {text}");
            }
        };
        let party = Party {
            hosts,
            greeter: Arc::new(greeter),
            watch,
            patience: self.args.together.patience,
            note: &note,
        };
        let met = party.meet()?;
        let folder = || -> Result<Files, foregone::record::Error> {
            match writer {
                Some(writer) => Ok(Files::first(writer?, own)),
                None => {
                    let beside = &self.args.output;
                    let name = beside.file_name().unwrap_or_default();
                    let local = self.args.together.local.as_ref();
                    let path = local.map_or_else(|| beside.clone(), |folder| folder.join(name));
                    Ok(Files::other(Parts::open(&path, id, print, values)?, own))
                }
            }
        };
        let ended = folder().map_err(Ended::from).and_then(|files| {
            let weights = hosts.iter().map(|host| host.weight).collect();
            let threads = self.args.threads.into();
            let process = Process { me: *me, threads, weights, watch: watch.clone(), files };
            process.build(blueprint, met.data)
        });
        match &ended {
            Ok(()) => watch.complete(),
            Err(error) => watch.fail(*me, format!("says: {error}")),
        }
        met.lines.into_iter().for_each(Line::end);
        Ok(ended?)
    }
}

/// What is shown while the table is built.
struct Shown<'a> {
    json: bool,
    needs: &'a Needs,
    watch: &'a Watch,
    started: Instant,
    /// When a line was last written to a file or a pipe.
    told: Instant,
}

impl Shown<'_> {
    /// Shows how far all processes are; whether to go on.
    fn show(&mut self, control: &Control, working: &Working) -> Result<(), Halted> {
        let all = self.watch.done();
        let done = self.watch.before() + all.numbers;
        let progress = Progress { phase: "solving", done, total: self.needs.numbers, bounds: None };
        control.report(progress)?;
        let (layer, layers) = (self.watch.layer() + 1, self.needs.layers);
        working.note(format!("layer {layer} of {layers}, {} sent", bytes(all.sent)));
        let begun = all.numbers > 0;
        if begun && self.told.elapsed() >= SELDOM && !std::io::stderr().is_terminal() {
            self.told = Instant::now();
            let seconds = self.started.elapsed().as_secs_f64();
            let rate = all.numbers as f64 / seconds.max(0.001);
            let left = self.needs.numbers.map(|total| total.saturating_sub(done) as f64 / rate);
            let left = left.filter(|left| left.is_finite());
            if self.json {
                let Done { sent, waited, .. } = all;
                let numbers = self.needs.numbers;
                anstream::eprintln!(
                    "{}",
                    json!({
                        "layer": layer, "layers": layers, "done": done, "numbers": numbers,
                        "rate": rate.round(), "sent": sent, "waited_seconds": waited as f64 / 1e6,
                        "seconds": seconds.round(), "left_seconds": left.map(f64::round),
                    })
                );
            } else {
                let left =
                    left.map(|left| humantime::format_duration(Duration::from_secs(left as u64)));
                let left = left.map_or(String::new(), |left| format!(", {left} left"));
                anstream::eprintln!(
                    "layer {layer} of {layers}, {} numbers, {}/s, {} sent{left}",
                    grouped(done),
                    grouped(rate as u64),
                    bytes(all.sent)
                );
            }
        }
        Ok(())
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
    super::build::written(out, &args.output, &table, elapsed)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedulers_tell_the_number() {
        let number = |given: &[(&str, &str)]| {
            let given: Vec<_> =
                given.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
            own_number(&move |name| {
                given.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone())
            })
        };
        assert_eq!(number(&[("SLURM_PROCID", "3")]).unwrap(), 3);
        assert_eq!(number(&[("JOB_COMPLETION_INDEX", "0")]).unwrap(), 0);
        let pod = [("KUBERNETES_SERVICE_HOST", "10.0.0.1"), ("HOSTNAME", "solver-12")];
        assert_eq!(number(&pod).unwrap(), 12);
        // A host of that name is no pod.
        assert!(number(&pod[1..]).unwrap_err().0.contains("--process"));
        assert!(number(&[("SLURM_PROCID", "x")]).unwrap_err().0.contains("SLURM_PROCID is `x`"));
        assert!(number(&[]).is_err());
    }
}
