//! Checks a table of every position of a game, by deriving each entry again from those after it, or a
//! proof of what a position is worth, by going through it: by the rules alone. There is no solver in
//! this program.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use foregone_record::proof::{self, Checked, ProofContents};
use foregone_record::verify::Verdict;
use foregone_record::words::{grouped, shown};
use foregone_record::{Broken, Effort, Table, verify, verify_listed};
use foregone_rules::family::{Args, Family, Invalid, parse_specification, specification};
use foregone_rules::games::{
    ForIndexed, ForKeyed, ForProofs, Progress as Rising, indexed, keyed, provable,
};
use foregone_rules::{Indexed, NoBank, Notation, Packed, Symmetry, Written};
use lexopt::prelude::*;
use serde_json::json;

const USAGE: &str = "usage: foregone-check [--json] [--threads N] [--memory SIZE] FILE

Checks a table or a proof by the rules of its game.

  --json         write JSON
  --threads N    on so many threads, 1 to 1024; a proof is checked on one [default: 1]
  --memory SIZE  use at most so much memory, such as 512M or 8G [default: 4G]

Exit status: 0 all is right, 1 it is wrong or damaged, 2 it could not be checked.";

/// What was asked for.
struct Asked {
    file: PathBuf,
    json: bool,
    effort: Effort,
}

/// What was asked for; nothing where it was how to ask.
fn asked() -> Result<Option<Asked>, lexopt::Error> {
    let mut args = lexopt::Parser::from_env();
    let (mut file, mut json) = (None, false);
    let mut effort = Effort { memory: 4 << 30, threads: 1 };
    while let Some(arg) = args.next()? {
        match arg {
            Short('h') | Long("help") => return Ok(None),
            Long("json") => json = true,
            Long("threads") => {
                let threads = args.value()?.parse()?;
                if !(1..=1024).contains(&threads) {
                    return Err("expected 1 to 1024 threads".into());
                }
                effort.threads = threads;
            }
            Long("memory") => {
                let sizes = parse_size::Config::new().with_binary();
                let size = args.value()?.parse_with(|text| sizes.parse_size(text));
                effort.memory = size?;
            }
            Value(path) if file.is_none() => file = Some(path.into()),
            other => return Err(other.unexpected()),
        }
    }
    let file = file.ok_or("expected a file: a table or a proof")?;
    Ok(Some(Asked { file, json, effort }))
}

/// How far checking is, on a terminal, now and then.
struct Progress {
    /// How many positions there are, where that is known.
    total: Option<u64>,
    shown: Option<Mutex<Instant>>,
}

impl Progress {
    fn new(total: Option<u64>) -> Progress {
        let shown = std::io::stderr().is_terminal().then(|| Mutex::new(Instant::now()));
        Progress { total, shown }
    }

    fn heard(&self, done: u64) -> bool {
        // Another thread that is at it will do.
        if let Some(Ok(mut shown)) = self.shown.as_ref().map(Mutex::try_lock)
            && shown.elapsed() > Duration::from_millis(200)
        {
            *shown = Instant::now();
            let of = self.total.map(|total| format!(" of {}", grouped(total)));
            let line = format!("{}{} positions", grouped(done), of.unwrap_or_default());
            let _ = write!(std::io::stderr(), "\r\x1b[Kchecking: {line}");
        }
        true
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Why a file was not checked to the end.
enum Unchecked {
    /// It is wrong.
    Wrong(String),
    /// It cannot be told: there is no such file, or too little memory.
    Unknown(String),
}

impl From<Broken> for Unchecked {
    fn from(broken: Broken) -> Unchecked {
        match broken {
            Broken::Io(error) => Unchecked::Unknown(error.to_string()),
            other => Unchecked::Wrong(other.to_string()),
        }
    }
}

impl From<Invalid> for Unchecked {
    fn from(invalid: Invalid) -> Unchecked {
        Unchecked::Wrong(invalid.to_string())
    }
}

/// A file to check, of a game that is yet to be told.
struct Check<'a> {
    table: &'a Table,
    args: Vec<(String, String)>,
    effort: Effort,
}

impl Check<'_> {
    fn game<F: Family>(&self) -> Result<F, Invalid> {
        let given = self.args.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        F::create(&Args::new(&F::ABOUT, given)?)
    }

    fn progress(&self) -> Progress {
        let contents = self.table.contents();
        let positions = contents.layers.iter().map(|layer| layer.positions).sum();
        Progress::new(contents.proof.is_none().then_some(positions))
    }
}

impl ForIndexed for Check<'_> {
    type Output = Result<Came, Unchecked>;

    fn with<F: Family + Indexed + Notation>(self, _: Option<Rising<F>>) -> Result<Came, Unchecked> {
        let game: F = self.game()?;
        let progress = self.progress();
        let same = self.table.is_of(&game, &specification(&game));
        let heard = |done| progress.heard(done);
        let verdict = same.and_then(|()| verify(&game, self.table, self.effort, &heard))?;
        Ok(Came::Table(verdict.named(|state| game.format(state))))
    }
}

impl ForKeyed for Check<'_> {
    type Output = Result<Came, Unchecked>;

    fn with<F: Family + Packed<Bank = NoBank> + Symmetry>(
        self,
        _: Option<Rising<F>>,
        notation: Option<Written<F>>,
    ) -> Result<Came, Unchecked> {
        let game: F = self.game()?;
        let progress = self.progress();
        self.table.lists(&game, &specification(&game))?;
        let heard = |done| progress.heard(done);
        let verdict = verify_listed(&game, self.table, self.effort, &heard)?;
        Ok(Came::Table(verdict.named(|state| Written::text(notation, &game, state))))
    }
}

impl ForProofs for Check<'_> {
    type Output = Result<Came, Unchecked>;

    fn with<F: Family + Packed + Symmetry>(
        self,
        notation: Option<Written<F>>,
    ) -> Result<Came, Unchecked> {
        let game: F = self.game()?;
        let progress = self.progress();
        let none = Broken::Kind { found: "a table", expected: "a proof" };
        let contents = self.table.contents().proof.as_ref().ok_or(none)?;
        self.table.proves(&game, &specification(&game))?;
        let root = contents.root(&game, notation)?;
        let heard = |done| progress.heard(done);
        let checked = proof::check(&game, self.table, &root, self.effort.memory, &heard)?;
        let words = contents.words(F::ABOUT.unit);
        let text = |state: &F::State| Written::text(notation, &game, state);
        Ok(Came::Proof(contents.clone(), words, checked.named(text)))
    }
}

/// What came of a file.
enum Came {
    Table(Verdict<String>),
    /// With what is claimed, in words.
    Proof(ProofContents, String, Checked<String>),
}

fn check(asked: &Asked) -> Result<(String, Came), Unchecked> {
    let table = Table::open(&asked.file)?;
    let game = table.contents().game.clone();
    let (name, args) = parse_specification(&game)?;
    let args = args.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let check = Check { table: &table, args, effort: asked.effort };
    let came = match table.contents() {
        contents if contents.proof.is_some() => provable(name, check),
        contents if contents.keys.is_some() => keyed(name, check),
        _ => indexed(name, check),
    };
    let none = || format!("there are no such files of a game `{}`", shown(name));
    Ok((game.clone(), came.ok_or_else(|| Unchecked::Wrong(none()))??))
}

fn main() -> ExitCode {
    let asked = match asked() {
        Ok(Some(asked)) => asked,
        Ok(None) => {
            let _ = writeln!(std::io::stdout(), "{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("error: {error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let file = asked.file.display().to_string();
    let (mut report, words, right) = match check(&asked) {
        Ok((game, Came::Proof(contents, claimed, checked))) => {
            let right = matches!(checked, Checked::Proven { .. });
            let mut report = checked.fields();
            let joint = if right { "; " } else { ": " };
            let not = if right { "" } else { "not " };
            let words = format!("{game}: {not}proven that {claimed}{joint}{checked}");
            (report["game"], report["proof"]) = (json!(game), json!(contents));
            (report, words, Some(right))
        }
        Ok((game, Came::Table(verdict))) => {
            let mut report = verdict.fields();
            report["game"] = json!(game);
            let right = matches!(verdict, Verdict::Right(_));
            (report, format!("{game}: {verdict}"), Some(right))
        }
        Err(Unchecked::Wrong(why)) => {
            (json!({"right": false, "error": why}), format!("{file}: {why}"), Some(false))
        }
        Err(Unchecked::Unknown(why)) => {
            (json!({"right": null, "error": why}), format!("{file}: {why}"), None)
        }
    };
    report["file"] = json!(file);
    // Nobody may be reading: that changes nothing of what was found.
    let _ = match (asked.json, right) {
        (true, _) => writeln!(std::io::stdout(), "{report:#}"),
        (false, Some(true)) => writeln!(std::io::stdout(), "{words}"),
        (false, _) => writeln!(std::io::stderr(), "error: {words}"),
    };
    match right {
        Some(true) => ExitCode::SUCCESS,
        Some(false) => ExitCode::FAILURE,
        None => ExitCode::from(2),
    }
}
