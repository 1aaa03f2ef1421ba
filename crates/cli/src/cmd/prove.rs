//! `foregone prove`: a proof of the value of a position, which `foregone-check` checks without a
//! solver.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use foregone::check::proofs::ProofVerdict;
use foregone::control::{Control, bytes, counted};
use foregone::prove::{Size, Unproven};
use foregone::record::proof::{Claim, ProofManifest};
use foregone::record::write::unfinished;
use foregone::record::{Error, Table};
use foregone::{Registry, Session, Side};
use serde_json::json;

use crate::args::{Memory, Place, Refused, may_write};
use crate::progress::Working;
use crate::terminal;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The bound to prove for the side to move, such as ">= 0" or "<= 1" [default: the value, as
    /// bounds for both sides]
    #[arg(long, value_name = "BOUND", value_parser = bound, allow_hyphen_values = true)]
    claim: Option<Bound>,
    /// Time limit, such as 10s or 5m
    #[arg(long, value_name = "TIME", value_parser = crate::args::time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: Memory,
}

/// A bound of the value for the side to move.
#[derive(Clone, Copy)]
enum Bound {
    AtLeast(i32),
    AtMost(i32),
}

fn bound(text: &str) -> Result<Bound, String> {
    let expected = || format!("found `{text}`, expected `>= N` or `<= N`");
    let text = text.trim();
    let number = text.get(2..).and_then(|number| number.trim().parse::<i32>().ok());
    let number = number.filter(|number| number.unsigned_abs() < 1 << 20).ok_or_else(expected)?;
    match text.get(..2) {
        Some(">=") => Ok(Bound::AtLeast(number)),
        Some("<=") => Ok(Bound::AtMost(number)),
        _ => Err(expected()),
    }
}

/// Makes a proof, or says what to do if there is none.
pub fn make(
    session: &dyn Session,
    output: &Path,
    claims: Vec<Claim>,
    control: &Control,
) -> anyhow::Result<(ProofManifest, Size)> {
    session.prove(output, claims, control).map_err(|error| match error {
        Unproven::False { .. } | Unproven::Keys | Unproven::Nothing | Unproven::Room(_) => {
            Refused(error.to_string()).into()
        }
        Unproven::File(Error::Game { .. } | Error::Damaged(_)) => {
            let begun = unfinished(output);
            anyhow::Error::new(error).context(format!("{}: delete it", begun.display()))
        }
        error => anyhow::Error::new(error),
    })
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    may_write(&args.output, args.force)?;
    let (game, session) = args.place.open(registry)?;
    let claim = |side: Side, at_least: i32| Claim { first: side == Side::First, at_least };
    let claims = args.claim.map(|bound| match bound {
        Bound::AtLeast(value) => claim(session.turn(), value),
        Bound::AtMost(value) => claim(session.turn().other(), -value),
    });
    let working = Working::start();
    let control = args.memory.control(&working).with_time(args.time);
    let started = Instant::now();
    let (contents, size) = make(&*session, &args.output, claims.into_iter().collect(), &control)?;
    let made = started.elapsed();
    let started = Instant::now();
    let table = Table::open(&args.output)?;
    let checked = session.check(&table, &control);
    drop(working);
    let unchecked = || format!("{} is written, but was not checked", args.output.display());
    let checked = checked.with_context(unchecked)?;
    let positions = match checked {
        ProofVerdict::Proven { positions, .. } => positions,
        flawed => anyhow::bail!("the proof fails: {flawed} (an error of Foregone)"),
    };
    let mut out = terminal::out();
    if args.json {
        let report = json!({
            "game": game.specification(), "proof": contents, "entries": size.entries,
            "bytes": size.bytes, "seconds": made.as_secs_f64(), "checked": positions,
            "seconds_to_check": started.elapsed().as_secs_f64(),
        });
        return Ok(writeln!(out, "{report:#}")?);
    }
    writeln!(out, "{}", terminal::heading(&*game))?;
    writeln!(out, "proven that {}", contents.words(game.unit(), &session.position()))?;
    writeln!(
        out,
        "{}: a move for {}, {}, made in {:.1} s; {} checked in {:.1} s",
        args.output.display(),
        counted(size.entries, "position", "positions"),
        bytes(size.bytes),
        made.as_secs_f64(),
        counted(positions, "position", "positions"),
        started.elapsed().as_secs_f64()
    )?;
    Ok(())
}
