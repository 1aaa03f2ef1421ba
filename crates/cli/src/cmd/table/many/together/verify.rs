//! Checking a table with many processes.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use foregone::AnyGame;
use foregone::check::{Effort, Verdict};
use foregone::control::{Progress, counted};
use foregone::record::Table;
use foregone::record::format::checksum::Checksum;
use foregone_cluster::{Checker, Done, Line, Watch};

use super::{Place, Shown, Together};
use crate::args::Refused;
use crate::cmd::table::verify::Args;
use crate::progress::Working;
use crate::tables::tables;

impl Together {
    /// Checks a table as one of many processes: the verdict, which is the same at all; `None` if it is right
    /// and process 0 says so.
    pub fn verify(
        &self,
        game: &dyn AnyGame,
        table: &Table,
        args: &Args,
    ) -> anyhow::Result<Option<Verdict<String>>> {
        if table.manifest().keys.is_some() {
            let message = "this table lists its positions by their keys: only one process can check it; \
                           leave out --hosts and --processes";
            return Err(Refused(message.to_owned()).into());
        }
        let mut team = self.team()?;
        let working = Working::start();
        let control = args.memory.control(&working);
        let first = team.place.is_first();
        // Only process 0 knows how far all are.
        let control = if first { control } else { control.with_listener(Arc::new(|_| {})) };
        team.start(|command| repeat(args, command))?;
        let effort = args.effort(control.memory());
        let (positions, layers) = (table.manifest().positions(), table.manifest().layers.len());
        let mut shown = Shown::new("verifying", args.file.json, Some(positions), layers as u32);
        let look = |watch: &Watch| match first {
            true => shown.show(watch, &control, &working),
            false => control.report(Progress { phase: "", done: 0, total: None, bounds: None }),
        };
        let verdict = team.attend(|place| work(game, table, args, effort, place), look)?;
        Ok(Some(verdict).filter(|verdict| first || !verdict.is_right()))
    }
}

/// Adds the arguments of every process on this machine.
fn repeat(args: &Args, command: &mut Command) {
    command.args(["table", "verify"]).arg(&args.file.file);
    command.args(["--threads", &args.threads.to_string()]);
    if let Some(memory) = args.memory.memory {
        command.args(["--memory", &memory.to_string()]);
    }
}

/// Meets the others, and checks.
fn work(
    game: &dyn AnyGame,
    table: &Table,
    args: &Args,
    effort: Effort,
    place: &Place,
) -> anyhow::Result<Verdict<String>> {
    let (watch, manifest) = (&place.watch, table.manifest());
    let job = format!(
        "a check of {} with {}, {}, checksum {}",
        manifest.game,
        manifest.values.name(),
        counted(manifest.layers.len() as u64, "layer", "layers"),
        Checksum::of(&serde_json::to_vec(manifest)?)
    );
    let met = place.meet(place.agreed(job, args.threads)?, false)?;
    let check = || -> anyhow::Result<Verdict<String>> {
        let checker = Checker::new(place.me, place.weights(), watch.clone(), met.data)?;
        let last = AtomicU64::new(0);
        let on_progress = |done: u64| {
            // Parts come in any order.
            let numbers = done.saturating_sub(last.fetch_max(done, Ordering::Relaxed));
            watch.add(Done { numbers, ..Done::default() });
            watch.check().is_ok()
        };
        let verdict = tables(game)?.verify_shared(table, effort, &checker, &on_progress);
        // A fault says more than that this process stopped.
        watch.check()?;
        verdict.with_context(|| args.file.file.display().to_string())
    };
    let ended = check();
    match &ended {
        Ok(_) => watch.complete(),
        Err(error) => watch.fail(place.me, format!("says: {error:#}")),
    }
    met.lines.into_iter().for_each(Line::end);
    ended
}
