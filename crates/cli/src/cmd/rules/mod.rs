//! `foregone rules`: the games that are written as text, and the check of a text.

mod look;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use foregone::control::{counted, grouped};
use foregone::record::disk::Disk;
use foregone::record::write::aside;
use foregone::text::{Expected, Loaded, SHIPPED, Shipped, Test, Text, shipped};
use foregone::{AnyGame, Control, Request, TreeRequest};

use crate::args::{
    Refused, file_and_parameters, foreign, game_of, is_foreign, read_rules, time, wrong_text,
};
use crate::terminal::{self, fit};
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
    /// Look whether the tests of a text hold: lines such as `test "b2 a1": moves c3 a3; value win 3`
    Test {
        /// The file, such as my-game.rules or "my-game.rules(size=5)"
        file: String,
        /// Time to solve each position
        #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time, allow_hyphen_values = true)]
        time: Duration,
    },
    /// Check a text: what is wrong with it, or how the game begins, how random games go, and what it leads to if a second is
    /// enough
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
            let (file, given) = file_and_parameters(file)?;
            let (_, _, loaded) = loaded(file, &given)?;
            Ok(writeln!(out, "{}", loaded.tree(None)?)?)
        }
        Some(Verb::Test { file, time }) => test(&mut out, file, *time),
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
    let all = SHIPPED.iter().map(|Shipped { name, source, .. }| {
        let text = Text::parse(source).map_err(|problems| wrong_text(name, &problems))?;
        Ok((*name, text.facts(name).summary))
    });
    write!(out, "{}", terminal::list(&all.collect::<anyhow::Result<Vec<_>>>()?))?;
    let more = "\n`foregone rules show NAME` prints a text. Any of these names, or your own file, stands for a \
                game:\n`foregone solve hexapawn`, `foregone play my-game.rules`. Where a game in Rust has the \
                same name,\nits text is called text:NAME.\n";
    Ok(write!(out, "{}", fit(more))?)
}

/// Looks whether the tests of a text hold.
fn test(out: &mut impl Write, file: &str, time: Duration) -> anyhow::Result<()> {
    let (name, given) = file_and_parameters(file)?;
    let source = read_rules(name)?;
    let game = game_of(name, &source, &given)?;
    let text = Text::parse(&source).map_err(|problems| wrong_text(name, &problems))?;
    if text.tests().is_empty() {
        return Err(Refused(format!("{name} has no line that begins with `test`")).into());
    }
    let mut failed = 0;
    for test in text.tests() {
        let line = test.span.line + 1;
        match wrong(&*game, test, time) {
            Ok(None) => writeln!(out, "{name}:{line}: as expected")?,
            Ok(Some(why)) => {
                failed += 1;
                writeln!(out, "{name}:{line}: {why}")?;
            }
            Err(error) => {
                failed += 1;
                writeln!(out, "{name}:{line}: {error}")?;
            }
        }
    }
    let count = counted(text.tests().len() as u64, "test", "tests");
    anyhow::ensure!(failed == 0, "{failed} of {count} failed");
    writeln!(out, "{count}, all as expected")?;
    Ok(())
}

/// What is not as a test expects; `None` if all is.
fn wrong(game: &dyn AnyGame, test: &Test, time: Duration) -> anyhow::Result<Option<String>> {
    let mut session = game.session();
    // Moves, else a position: it ends with the side to move.
    if let Err(wrong_move) = session.go(None, &test.at) {
        let last = test.at.split_whitespace().last();
        if !game.sides().iter().any(|side| last == Some(*side)) {
            return Err(wrong_move.into());
        }
        session.go(Some(&test.at), "")?;
    }
    if let Some(expected) = &test.moves {
        let (mut found, mut expected) = (session.moves(), expected.clone());
        found.sort();
        expected.sort();
        if found != expected {
            let list = |moves: &[String]| match moves.is_empty() {
                true => "none".to_owned(),
                false => moves.join(" "),
            };
            let (found, expected) = (list(&found), list(&expected));
            return Ok(Some(format!("expected the moves {expected}; found {found}")));
        }
    }
    let Some(expected) = test.value else { return Ok(None) };
    let request = Request::default().with_line(false).with_distances(test.plies.is_some());
    let report = session.solve(&request, &Control::default().with_time(time));
    let missing = |what: &str| {
        let time = time.as_secs_f64();
        anyhow::anyhow!("{what} not found in {time} s; `--time` gives more")
    };
    let Some(value) = report.value.filter(|_| report.proven) else {
        return Err(missing("the value was"));
    };
    let is_open = report.distance.is_none() && !report.endless;
    if expected.is(value) && test.plies.is_some() && is_open {
        return Err(missing("the value is as expected, its plies were"));
    }
    let expected_plies = test.plies.filter(|_| report.distance != test.plies);
    if expected.is(value) && expected_plies.is_none() {
        return Ok(None);
    }
    let plies = |plies: u32| format!(" in {}", counted(plies.into(), "ply", "plies"));
    let wanted = match expected {
        Expected::Win => "a win".to_owned(),
        Expected::Draw => "a draw".to_owned(),
        Expected::Loss => "a loss".to_owned(),
        Expected::Score(score) => score.to_string(),
    } + &test.plies.map_or(String::new(), plies);
    let found = match report.distance {
        None if report.endless => ", by play without end".to_owned(),
        distance => distance.map_or(String::new(), plies),
    };
    let value = match (expected, value.signum()) {
        (Expected::Score(_), _) => value.to_string(),
        (_, 1) => "a win".to_owned(),
        (_, 0) => "a draw".to_owned(),
        _ => "a loss".to_owned(),
    };
    Ok(Some(format!("expected {wanted}; found {value}{found}")))
}

/// The number of plies that are counted.
const PLIES: u32 = 5;

/// The memory for counting.
const MEMORY: u64 = 16 << 20;

/// The time for counting, at most.
const COUNTING: Duration = Duration::from_millis(100);

/// The text of a file, or one that comes with the program.
fn source(file: &str) -> anyhow::Result<String> {
    match shipped(file).filter(|_| !Path::new(file).is_file()) {
        Some(text) => Ok(text.source.to_owned()),
        None if is_foreign(file) => Err(foreign(file)),
        None => read_rules(file),
    }
}

/// The game of a file, or of a text that comes with the program, with these parameters; its text, and its machine.
fn loaded(file: &str, given: &[(&str, &str)]) -> anyhow::Result<(Arc<dyn AnyGame>, Text, Loaded)> {
    let source = source(file)?;
    let game = game_of(file, &source, given)?;
    let wrong = |problems| wrong_text(file, &problems);
    let text = Text::parse(&source).map_err(wrong)?;
    let loaded = text.load(given).map_err(wrong)?;
    Ok((game, text, loaded))
}

fn check(out: &mut impl Write, file: &str) -> anyhow::Result<()> {
    let (file, given) = file_and_parameters(file)?;
    let (game, text, loaded) = loaded(file, &given)?;
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
        let note = "Note: the game is over before the first move: is a set empty from which a move is chosen, or a number out \
                    of its range?\n";
        writeln!(out, "{}", fit(note))?;
    }
    let games = look::Games::play(&*session)?;
    let with = |given: &[(&str, &str)]| game_of(file, text.source(), given).ok();
    if !session.moves().is_empty() {
        let words = format!("{}\n{}\n", games.words(&*game), look::solution(&*game, with));
        writeln!(out, "{}", fit(&words))?;
    }
    let [mut loops, spoilt, symmetries, keys] = derived(&text, &loaded, &given);
    if let Some(back) = games.back {
        loops = format!(
            "Play can loop: the moves {back} led back to where they began. Exact search, and tables in little memory, \
             need games that end; every other way to solve the game works."
        );
    }
    for line in [loops, spoilt, symmetries, keys].iter().filter(|line| !line.is_empty()) {
        writeln!(out, "{}", fit(line))?;
    }
    let compared = match compared {
        0 if session.moves().is_empty() => String::new(),
        0 => " No move was compared with it: the moves of one position take too many steps."
            .to_owned(),
        1 => " One move of a random game was compared with it.".to_owned(),
        moves => format!(" {} moves of random games were compared with it.", grouped(moves)),
    };
    writeln!(out, "{}", fit(&format!("The text has no errors.{compared}")))?;
    if let Some(warnings) = text.warnings() {
        let warnings = warnings.shown(file);
        writeln!(out, "\nWarnings: this is no error, but is it meant?\n\n{warnings}")?;
    }
    Ok(())
}
