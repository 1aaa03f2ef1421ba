//! The command line of Foregone, for any games.
//!
//! [`run`] is a whole program: it reads the arguments of the process. The program `foregone` is
//! `run(Registry::standard())`. A program with games of its own adds them to the registry; `own-game.md`
//! shows one.

mod args;
mod cmd;
#[cfg(feature = "parquet")]
mod columns;
mod json;
mod progress;
mod tables;
mod terminal;
mod web;

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::process::ExitCode;
use std::sync::LazyLock;

pub use args::{file_and_parameters, read_rules};
use clap::error::ErrorKind as Unknown;
use clap::{CommandFactory, Parser, Subcommand};
use foregone::{Halted, Invalid, Registry};

/// The tutorial's example, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../own-game.md")]
struct Tutorial;

/// The version, the commit if it is known, and those of the optional features that are there.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("FOREGONE_COMMIT");
    let commit = commit.map_or("development build".to_owned(), |commit| format!("commit {commit}"));
    let all = [
        ("jit", cfg!(feature = "jit")),
        ("many", cfg!(feature = "many")),
        ("object-store", cfg!(feature = "object-store")),
        ("parquet", cfg!(feature = "parquet")),
        ("site", cfg!(feature = "site")),
    ];
    let there: Vec<_> = all.iter().filter(|(_, there)| *there).map(|(name, _)| *name).collect();
    let features = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
    format!("{} ({commit}; features: {features})", env!("CARGO_PKG_VERSION"))
});

/// Said of unknown words after `table`.
const WITHOUT_MANY: &str = "note: this program was built without tables by many processes (`plan`, `steps`, \
                            `join`, `--processes`, `--hosts`, `--layer`): \
                            `cargo install --path crates/cli --features full` builds it with them";

/// Solves two-player games of perfect information: values, distances and best moves
#[derive(Parser)]
#[command(name = "foregone", version = VERSION.as_str(), arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
    /// Play games from text without native code
    #[arg(long, global = true, hide = true)]
    no_jit: bool,
}

#[derive(Subcommand)]
enum Verb {
    /// List the games with their parameters, or describe one in full
    Games(cmd::games::Args),
    /// List the games that are written as text, print one, or check your own
    Rules(cmd::rules::Args),
    /// Show a position and the legal moves
    Show(cmd::show::Args),
    /// Solve a position: its value, the value of every move, and a best line
    Solve(cmd::solve::Args),
    /// Show a game tree: counts by ply, the tree itself, and what pruning saves
    Tree(cmd::tree::Args),
    /// Play a game against another player or the computer
    Play(cmd::play::Args),
    /// Annotate a game: the value of each move, and the mistakes
    Review(cmd::review::Args),
    /// Report what a game is like: who wins, how long it lasts, how many decisions count
    Report(cmd::report::Args),
    /// Find positions in which exactly one move wins, or holds the draw
    Puzzles(cmd::puzzles::Args),
    /// Write positions with the truth about them, to learn from and to measure by
    Dataset(cmd::dataset::Args),
    /// Play a match between two players or programs, and report the score
    Match(cmd::matches::Args),
    /// Grade a program: games against opponents of four strengths, and its first mistake
    Grade(cmd::matches::grade::GradeArgs),
    /// Open a page in the browser on which to play and analyse
    Serve(cmd::serve::Args),
    /// Write the page as a folder that any static host serves, without a server of its own
    Site(cmd::site::Args),
    /// Build, query and check tables of all positions of a game
    Table(cmd::table::Args),
    /// Make and check books: the values of all positions that the first moves of a game lead to
    Book(cmd::book::Args),
    /// Prove the value of a position, in a file that is checked by the rules alone
    Prove(cmd::prove::Args),
    /// Walk through a proof: you move for one side, the proof answers
    Explain(cmd::explain::Args),
    /// Write a completion script for a shell
    Completions(cmd::completions::Args),
    /// Write the manual as pages for `man`
    Man(cmd::man::Args),
}

/// The parser of the command line, for those who write documentation, completions or a manual from it.
pub fn parser() -> clap::Command {
    Cli::command()
}

/// Runs the command line of the process. The exit status is 0 for success, 2 for a wrong request, 3
/// for a file that cannot be shown to be right, 1 for any other error.
pub fn run(registry: Registry) -> ExitCode {
    run_with(registry, std::env::args_os()).into()
}

/// As [`run`], with this command line, the name of the program first; returns the exit status.
pub fn run_with(registry: Registry, arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        // Help, too. Where it cannot be written, nobody reads it.
        Err(said) => {
            let _ = said.print();
            let unknown =
                matches!(said.kind(), Unknown::InvalidSubcommand | Unknown::UnknownArgument);
            if unknown && !cfg!(feature = "many") && arguments.iter().any(|word| word == "table") {
                anstream::eprintln!("\n{WITHOUT_MANY}");
            }
            return said.exit_code().try_into().unwrap_or(2);
        }
    };
    if !cli.no_jit {
        #[cfg(feature = "jit")]
        foregone_jit::install();
    }
    let result = match cli.verb {
        Verb::Games(args) => cmd::games::run(&registry, &args),
        Verb::Rules(args) => cmd::rules::run(&args),
        Verb::Show(args) => cmd::show::run(&registry, &args),
        Verb::Solve(args) => cmd::solve::run(&registry, &args),
        Verb::Tree(args) => cmd::tree::run(&registry, &args),
        Verb::Play(args) => cmd::play::run(&registry, &args),
        Verb::Review(args) => cmd::review::run(&registry, &args),
        Verb::Dataset(args) => cmd::dataset::run(&registry, &args),
        Verb::Report(args) => cmd::report::run(&registry, &args),
        Verb::Puzzles(args) => cmd::puzzles::run(&registry, &args),
        Verb::Match(args) => cmd::matches::run(&registry, &args),
        Verb::Grade(args) => cmd::matches::grade::run(&registry, &args),
        Verb::Serve(args) => cmd::serve::run(registry, &args),
        Verb::Site(args) => cmd::site::run(&registry, &args),
        Verb::Table(args) => cmd::table::run(&registry, &args),
        Verb::Book(args) => cmd::book::run(&registry, &args),
        Verb::Prove(args) => cmd::prove::run(&registry, &args),
        Verb::Explain(args) => cmd::explain::run(&registry, &args),
        Verb::Completions(args) => cmd::completions::run(&args),
        Verb::Man(args) => cmd::man::run(&args),
    };
    match result {
        Ok(()) => 0,
        Err(error) => {
            let broken_pipe = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
            let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
            if causes.any(broken_pipe) {
                // The reader closed the pipe, for example `head`.
                return 0;
            }
            match error.downcast_ref::<args::Limited>() {
                Some(limited) => terminal::note(&limited.to_string()),
                None => terminal::error(&error),
            }
            let halted = error.downcast_ref::<Halted>();
            let wrong = error.is::<Invalid>()
                || error.is::<args::Refused>()
                || halted.is_some_and(Halted::is_wrong_request);
            match () {
                () if wrong => 2,
                () if error.is::<args::Unshown>() => 3,
                () => 1,
            }
        }
    }
}
