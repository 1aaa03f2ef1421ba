//! `foregone table verify`.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use foregone::check::{Effort, Symmetries, Verdict};
use foregone::control::Progress;
use foregone::record::Table;
use foregone::record::threads::{inside, lock};
use foregone::{AnyGame, Halted, Registry};
use serde_json::json;

use super::{File, open};
use crate::args::{Memory, Unshown, number};
use crate::progress::Working;
use crate::tables::tables;
use crate::terminal;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub file: File,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = number(1..=1024_u16))]
    pub threads: u16,
    /// Trust the symmetries that were derived from rules in the file, instead of comparing each position that
    /// stands for several with all of them
    #[arg(long)]
    pub trust_symmetry: bool,
    #[command(flatten)]
    pub memory: Memory,
    #[cfg(feature = "many")]
    #[command(flatten)]
    pub together: super::many::together::Together,
}

impl Args {
    /// How the check goes, within some memory.
    pub fn effort(&self, memory: u64) -> Effort {
        let symmetries = match self.trust_symmetry {
            true => Symmetries::Trusted,
            false => Symmetries::ByFile,
        };
        Effort { threads: self.threads.into(), memory, symmetries }
    }
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let (game, table) = open(registry, &args.file.file)?;
    let alone = || alone(&*game, &table, args).map(Some);
    #[cfg(feature = "many")]
    let verdict = match args.together.wanted() {
        true => args.together.verify(&*game, &table, args)?,
        false => alone()?,
    };
    #[cfg(not(feature = "many"))]
    let verdict = alone()?;
    let Some(verdict) = verdict else { return Ok(()) };
    let tables = tables(&*game)?;
    let coverage = tables.coverage(&table);
    let beyond = if tables.banks() { "; results are beyond what is banked" } else { "" };
    let mut out = terminal::out();
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
        Verdict::Right(_) => Ok(writeln!(out, "{game}: {verdict}{beyond}; covers {coverage}")?),
    }
}

/// Checks a table with this process.
fn alone(game: &dyn AnyGame, table: &Table, args: &Args) -> anyhow::Result<Verdict<String>> {
    let working = Working::start();
    let control = args.memory.control(&working);
    let total = table.manifest().layers.iter().map(|layer| layer.positions).sum();
    let halted = Mutex::new(None::<Halted>);
    let last = AtomicU64::new(0);
    let on_progress = |done: u64| {
        // Parts come in any order; the bar only goes on.
        let done = last.fetch_max(done, Ordering::Relaxed).max(done);
        let progress = Progress { phase: "verifying", done, total: Some(total), bounds: None };
        match control.report(progress) {
            Ok(()) => true,
            Err(reason) => {
                *lock(&halted) = Some(reason);
                false
            }
        }
    };
    let effort = args.effort(control.memory());
    let verdict = tables(game)?.verify(table, effort, &on_progress);
    match inside(halted) {
        Some(halted) => Err(halted.into()),
        None => verdict.with_context(|| args.file.file.display().to_string()),
    }
}
