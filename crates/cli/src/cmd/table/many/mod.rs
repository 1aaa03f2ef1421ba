//! One table, many processes that work together or as tasks of a scheduler: the feature `many`.

pub mod join;
pub mod plan;
pub mod steps;
mod storage;
mod task;
pub mod together;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use foregone::AnyGame;
use foregone::record::write::Target;
use foregone::tables::Plan;

use super::build::Args;
use storage::{Storage, of_layers};
use task::Task;
use together::Together;

/// The options of `table build` for one process of many.
#[derive(clap::Args)]
pub struct Many {
    #[command(flatten)]
    pub storage: Storage,
    #[command(flatten)]
    pub task: Task,
    #[command(flatten)]
    pub together: Together,
    /// Where this process keeps its part of finished layers, if the processes share no folder; process 0
    /// keeps its part beside the table
    #[arg(long, value_name = "DIR", help_heading = "Many processes", requires = "many")]
    pub local: Option<PathBuf>,
}

impl Many {
    /// Where one process alone writes a table.
    pub fn target(&self, file: &Path) -> anyhow::Result<Target> {
        self.storage.target(file, true, of_layers)
    }

    /// Builds what this process is to build, if it is one of many.
    pub fn build(
        &self,
        game: &Arc<dyn AnyGame>,
        args: &Args,
        plan: &Plan,
    ) -> Option<anyhow::Result<()>> {
        if let Some(layer) = self.task.layer {
            return Some(task::solve(&**game, args, plan, layer));
        }
        self.together.wanted().then(|| together::build(Arc::clone(game), args, plan))
    }
}

/// Adds what every process of a build is given.
fn repeat(args: &Args, command: &mut Command) {
    command.args(["table", "build", &args.game, "--threads", &args.threads.to_string()]);
    command.arg(option("--output", &args.output));
    if let Some(values) = args.values {
        command.args(["--values", values.name()]);
    }
    if let Some(layers) = args.layers {
        command.args(["--layers", &layers.to_string()]);
    }
    if let Some(storage) = &args.many.storage.storage {
        command.args(["--storage", storage]);
    }
    if let Some(memory) = args.memory.memory {
        command.args(["--memory", &memory.to_string()]);
    }
    if let Some(local) = &args.many.local {
        command.arg(option("--local", local));
    }
    if args.force {
        command.arg("--force");
    }
}

/// An option with a path, which may begin with a dash.
fn option(name: &str, path: &Path) -> std::ffi::OsString {
    [name.as_ref(), "=".as_ref(), path.as_os_str()].into_iter().collect()
}
