//! `foregone table plan`.

use std::io::Write;
use std::time::Duration;

use foregone::Registry;
use foregone::control::{bytes, counted, grouped};
use foregone::record::Values;
use foregone::tables::{Failed, Plan};
use foregone_cluster::{Measured, Planned, PlannedLayer, Site, plan};
use serde_json::json;

use crate::args::{Refused, number, time};
use crate::cmd::table::build::{refused, values};
use crate::progress::Working;
use crate::tables::tables;
use crate::terminal;

#[derive(clap::Args)]
pub struct Args {
    /// The game, such as "kalah(pits=6,stones=6)"
    game: String,
    /// Number of machines
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = number(1..=4096_u16))]
    machines: u16,
    /// Threads of each machine
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = number(1..=1024_u16))]
    threads: u16,
    /// Bits that each machine sends and receives in a second, such as 10G
    #[arg(long, value_name = "BITS", default_value = "10G", value_parser = network)]
    network: f64,
    /// The time of a message from all machines to all
    #[arg(long, value_name = "TIME", default_value = "1ms", value_parser = time)]
    latency: Duration,
    /// How long to measure the lowest layers
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = time)]
    time: Duration,
    /// What to store, as for `table build`
    #[arg(long, value_parser = values)]
    values: Option<Values>,
    /// Number of layers, from the lowest
    #[arg(long, value_name = "N", value_parser = number(1_u32..))]
    layers: Option<u32>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Reads bits a second.
fn network(text: &str) -> Result<f64, String> {
    let bits = parse_size::Config::new().with_decimal().parse_size(text).ok();
    let bits = bits.filter(|bits| *bits >= 1000);
    bits.map(|bits| bits as f64)
        .ok_or_else(|| "expected bits a second, such as 1G, 10G or 100M (at least 1000)".to_owned())
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let game = crate::args::game(registry, &args.game)?;
    let tables = tables(&*game)?;
    let values = args.values.unwrap_or_else(|| tables.usual());
    let wanted = Plan { values, layers: args.layers, threads: args.threads.into(), all: false };
    let needs = tables.needs(&wanted, u64::MAX).map_err(refused)?;
    let blueprint = tables.blueprint(&wanted).map_err(|failed| match failed {
        Failed::Together => {
            let message = "a table of this game lists positions by their keys as they are found: \
                           how many, nobody knows before";
            Refused(message.to_owned()).into()
        }
        other => refused(other),
    })?;
    let site = Site {
        machines: args.machines.into(),
        threads: args.threads.into(),
        network: args.network / 8.0,
        latency: args.latency,
    };
    let working = Working::start();
    let (measured, mut planned) =
        plan(&blueprint, &site, args.time, &working.control()).map_err(refused)?;
    drop(working);
    // One machine needs no room for messages.
    if site.machines == 1 {
        planned.memory = needs.memory;
        for layer in &mut planned.layers {
            layer.memory = layer.memory.min(needs.memory);
        }
    }
    let mut out = terminal::out();
    if args.json {
        let layer = |layer: &PlannedLayer| {
            let PlannedLayer { numbers, memory, seconds } = layer;
            json!({"numbers": numbers, "memory": memory, "seconds": seconds})
        };
        let by_layer: Vec<_> = planned.layers.iter().map(layer).collect();
        let report = json!({
            "by_layer": by_layer,
            "game": blueprint.id.name, "values": values, "layers": blueprint.layers,
            "numbers": planned.numbers, "machines": site.machines, "threads": site.threads,
            "memory": planned.memory, "disk": needs.disk, "sent": planned.sent.round(),
            "seconds": planned.seconds(), "work": planned.work, "uneven": planned.uneven,
            "network": planned.network, "waves": planned.waves, "limit": limit(&planned),
            "measured": {
                "layers": measured.bytes.len(), "rate": measured.rate.round(),
                "bytes": measured.bytes.last(), "plies": measured.plies,
            },
        });
        return Ok(writeln!(out, "{report:#}")?);
    }
    let machines = counted(args.machines.into(), "machine", "machines");
    let threads = counted(args.threads.into(), "thread", "threads");
    writeln!(
        out,
        "{}\n{} in {}, with {}; {machines} with {threads}\n",
        terminal::heading(&*game),
        counted(planned.numbers, "number", "numbers"),
        counted(blueprint.layers.into(), "layer", "layers"),
        values.name()
    )?;
    for (name, text, bar) in rows(&planned, needs.disk) {
        writeln!(out, "{name:<27}{text:>12}  {bar}")?;
    }
    writeln!(out, "\n{}", measured_in_words(&measured, &planned))?;
    Ok(())
}

/// The parts of the time, the longest first.
fn parts(planned: &Planned) -> [(&'static str, f64); 4] {
    let mut parts = [
        ("work", planned.work),
        ("slower machines in a wave", planned.uneven),
        ("cells on their way", planned.network),
        ("agreeing on waves", planned.waves),
    ];
    parts.sort_by(|one, other| other.1.total_cmp(&one.1));
    parts
}

/// What limits the time.
fn limit(planned: &Planned) -> &'static str {
    parts(planned)[0].0
}

/// Names, texts and bars.
fn rows(planned: &Planned, disk: u64) -> Vec<(String, String, String)> {
    let row = |name: &str, text: String| (name.to_owned(), text, String::new());
    let mut rows = vec![
        row("memory of each", bytes(planned.memory)),
        row("disk, at most", bytes(disk)),
        row("sent by all", bytes(planned.sent as u64)),
        row("time", span(planned.seconds())),
        row("limited by", limit(planned).to_owned()),
    ];
    for (name, seconds) in parts(planned) {
        let part = seconds / planned.seconds().max(1e-9);
        let bar = "█".repeat((part * 30.0).round() as usize);
        rows.push((format!("  {name}"), span(seconds), bar));
    }
    rows
}

/// A time with two units.
fn span(seconds: f64) -> String {
    let units = [(86_400.0, "d"), (3600.0, "h"), (60.0, "min"), (1.0, "s")];
    let Some(at) = units.iter().position(|(unit, _)| seconds >= *unit) else {
        return format!("{seconds:.2} s");
    };
    let (unit, name) = units[at];
    match units.get(at + 1) {
        Some((next, next_name)) => {
            let whole = (seconds / next).round() * next;
            let rest = ((whole % unit) / next).round();
            format!("{:.0} {name} {rest:.0} {next_name}", (whole / unit).floor())
        }
        None => format!("{seconds:.0} s"),
    }
}

fn measured_in_words(measured: &Measured, planned: &Planned) -> String {
    let plies = match measured.plies {
        0 => String::new(),
        plies => format!(", {} in a layer", counted(plies, "ply", "plies")),
    };
    format!(
        "measured on this machine, on the lowest {}: {} numbers a second and thread{plies};\n\
         from this follow {:.2} bytes sent a number of the whole table",
        counted(measured.bytes.len() as u64, "layer", "layers"),
        grouped(measured.rate as u64),
        planned.sent / (planned.numbers as f64).max(1.0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_two_units() {
        let texts = [
            (0.254, "0.25 s"),
            (59.0, "59 s"),
            (61.0, "1 min 1 s"),
            (3599.9, "60 min 0 s"),
            (3660.0, "1 h 1 min"),
            (90_000.0, "1 d 1 h"),
        ];
        for (seconds, text) in texts {
            assert_eq!(span(seconds), text);
        }
        assert_eq!(network("10G"), Ok(1e10));
        assert!(network("fast").is_err() && network("1").is_err());
    }
}
