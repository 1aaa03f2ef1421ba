//! `foregone rules`: the games that are written as text, and the check of a text.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use foregone::control::grouped;
use foregone::record::disk::Disk;
use foregone::record::write::aside;
use foregone::text::{Loaded, SHIPPED, Shipped, Text, shipped};
use foregone::{AnyGame, Control, TreeRequest};

use crate::args::{Refused, file_and_parameters, game_of, read_rules, wrong_text};
use crate::terminal;
use foregone_page::words::{Voice, derived};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// List the games, as `foregone rules` alone does
    List,
    /// Print the text of a game, for example as the beginning of your own
    Show {
        /// The name of a text; `foregone rules` lists them
        name: String,
    },
    /// Write a file anew in the usual form: two spaces for each level, one between words
    Fmt {
        /// The file
        file: PathBuf,
        /// Only tell whether the file has the usual form: status 1 if not
        #[arg(long)]
        check: bool,
    },
    /// Print the rules as they are played, with all names and parameters resolved: a tree for programs
    Tree {
        /// The file, such as my-game.rules or "my-game.rules(size=5)", or the name of a text
        file: String,
    },
    /// Check a text: what is wrong with it, or how the game begins and how large it is
    Check {
        /// The file, such as my-game.rules or "my-game.rules(size=5)", or the name of a text
        file: String,
    },
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = terminal::out();
    match &args.verb {
        None | Some(Verb::List) => Ok(list(&mut out)?),
        Some(Verb::Show { name }) => {
            let Some(text) = shipped(name) else {
                let names: Vec<_> = SHIPPED.iter().map(|text| text.name).collect();
                let near = foregone::any::did_you_mean(name, &names);
                let why = format!("no text is called {name}; `foregone rules` lists them{near}");
                return Err(Refused(why).into());
            };
            Ok(write!(out, "{}", text.source)?)
        }
        Some(Verb::Tree { file }) => {
            let (_, loaded, _) = loaded(file)?;
            Ok(writeln!(out, "{}", loaded.tree(None)?)?)
        }
        Some(Verb::Check { file }) => check(&mut out, file),
        Some(Verb::Fmt { file, check }) => format(file, *check),
    }
}

/// Writes a file in the usual form, or only checks that it has it.
fn format(file: &Path, check: bool) -> anyhow::Result<()> {
    let name = file.display().to_string();
    let source = read_rules(&name)?;
    let text = Text::parse(&source).map_err(|problems| wrong_text(&name, &problems))?;
    let formatted = text.formatted();
    match (formatted == source, check) {
        (true, _) => Ok(()),
        (false, true) => {
            anyhow::bail!("{name} does not have the usual form: `foregone rules fmt` writes it")
        }
        (false, false) => {
            let write = aside(&Disk::default(), file, |out| out.write_all(formatted.as_bytes()));
            Ok(write.with_context(|| name)?)
        }
    }
}

fn list(out: &mut impl Write) -> anyhow::Result<()> {
    let width = SHIPPED.iter().map(|text| text.name.len()).max().unwrap_or(0);
    for Shipped { name, source, .. } in SHIPPED {
        let text = Text::parse(source).map_err(|problems| wrong_text(name, &problems))?;
        let gap = " ".repeat(width - name.len() + 2);
        writeln!(out, "{}{gap}{}", terminal::bold(name), text.facts(name).summary)?;
    }
    writeln!(
        out,
        "\n`foregone rules show NAME` prints a text. Any of these names, or your own file, stands for a \
         game:\n`foregone solve hexapawn`, `foregone play my-game.rules`. Where a game in Rust has the \
         same name,\nits text is called text:NAME."
    )?;
    Ok(())
}

/// The number of plies that are counted.
const PLIES: u32 = 5;

/// The memory for counting.
const MEMORY: u64 = 16 << 20;

/// The time for counting, at most.
const COUNTING: Duration = Duration::from_millis(100);

/// The game of a file, or of a text that comes with the program; its machine, and what is read in two ways in it.
fn loaded(file: &str) -> anyhow::Result<(Arc<dyn AnyGame>, Loaded, Option<String>)> {
    let (file, given) = file_and_parameters(file)?;
    let source = match shipped(file).filter(|_| !Path::new(file).is_file()) {
        Some(text) => text.source.to_owned(),
        None => read_rules(file)?,
    };
    let game = game_of(file, &source, &given)?;
    let wrong = |problems| wrong_text(file, &problems);
    let text = Text::parse(&source).map_err(wrong)?;
    let warnings = text.warnings().map(|warnings| warnings.shown(file));
    Ok((game, text.load(&given).map_err(wrong)?, warnings))
}

fn check(out: &mut impl Write, file: &str) -> anyhow::Result<()> {
    let (game, loaded, warnings) = loaded(file)?;
    let session = game.session();
    writeln!(out, "{}\n", terminal::heading(&*game))?;
    writeln!(out, "{}", terminal::position(&*session, Voice::new(&*game, terminal::side)))?;
    let compared = loaded.is_as_written().map_err(anyhow::Error::msg)?;
    let control = Control::default().with_time(COUNTING).with_memory(MEMORY);
    let tree = session.tree(&TreeRequest { depth: Some(PLIES) }, &control);
    let number = |number: u128| grouped(u64::try_from(number).unwrap_or(u64::MAX));
    let rows = tree.plies.iter().map(|ply| {
        let counts = [ply.nodes, ply.positions.into(), ply.finished].map(number);
        [vec![ply.ply.to_string()], counts.to_vec()].concat()
    });
    let head = ["ply", "lines of play", "positions", "games that end"];
    writeln!(out, "{}", terminal::table(&head, rows.collect(), &[0, 1, 2, 3]))?;
    if session.moves().is_empty() {
        writeln!(
            out,
            "Note: the game is over before the first move. Is a number out of its range?"
        )?;
    }
    for line in derived(loaded.derived()) {
        writeln!(out, "{line}")?;
    }
    let compared = match compared {
        0 if session.moves().is_empty() => String::new(),
        0 => " No move was compared with it: the moves of one position take too many steps."
            .to_owned(),
        1 => " One move of a random game was compared with it.".to_owned(),
        moves => format!(" {} moves of random games were compared with it.", grouped(moves)),
    };
    writeln!(out, "The text has no errors.{compared}")?;
    if let Some(warnings) = warnings {
        writeln!(out, "\nWarnings: these are read in two ways.\n\n{warnings}")?;
    }
    Ok(())
}
