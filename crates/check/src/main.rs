//! Checks a table or a book of a game, by deriving each entry again from those after it, or a proof about a
//! position, by following it: by the rules alone. There is no solver in this program.

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use foregone_check::{Effort, Options, Report, Subject, Symmetries, Verdict, check};
use foregone_record::Error;
use foregone_record::words::{counted, escaped, grouped, shown};
use foregone_rules::printable;
use lexopt::prelude::*;
use serde_json::{Value as Json, json};

const USAGE: &str =
    "usage: foregone-check [OPTIONS] FILE...

Checks tables, books and proofs by the rules of their games. A game from text is checked by the rules that the
file carries.

  --plain        also check all positions that can arise without merging any: then neither symmetry
                 nor numbering is trusted for them (takes more memory)
  --check-symmetry
                 also compare each position that stands for several with all of them; for tables of
                 numbered positions do what --plain does. It is done for games from text without being
                 asked
  --trust-symmetry
                 do not do it for games from text
  --compiled     run the rules that the file carries by the machine that they are compiled for, which
                 takes a third of the time. Without it they are run by the plain interpreter, so that
                 the machine is not trusted
  --layers       also count positions by layer and result
  --rules        also print the rules that the file carries
  --json         write JSON: an object, of several files an array
  --threads N    use N threads, 1 to 1024, for tables without --plain [default: 1]
  --memory SIZE  use at most this much memory for positions and entries, such as 512M or 8G; the
                 program and the file's manifest take up to 50 MB more [default: 4G]
  --version      print the version

Exit status: 0 everything is right; 1 something is false, or the file is damaged; 2 the request is
wrong, or the file cannot be read; 3 the file is whole, but cannot be shown to be right; 4 a book is
right if the values after its last moves are: `foregone book verify` solves these again. Of several
files the worst counts: 1, then 2, then 3, then 4.";

/// The arguments of a check.
struct Arguments {
    files: Vec<PathBuf>,
    json: bool,
    layers: bool,
    rules: bool,
    options: Options,
}

/// The request of the command line.
enum Request {
    Check(Arguments),
    Help,
    Version,
}

fn request() -> Result<Request, lexopt::Error> {
    let mut args = lexopt::Parser::from_env();
    let (mut files, mut json, mut layers, mut rules) = (Vec::new(), false, false, false);
    let effort = Effort { memory: 4 << 30, ..Effort::default() };
    let mut options = Options { effort, ..Options::default() };
    while let Some(arg) = args.next()? {
        match arg {
            Short('h') | Long("help") => return Ok(Request::Help),
            Short('V') | Long("version") => return Ok(Request::Version),
            Long("json") => json = true,
            Long("layers") => layers = true,
            Long("rules") => rules = true,
            Long("plain") => options.plain = true,
            Long("check-symmetry") => options.effort.symmetries = Symmetries::Checked,
            Long("trust-symmetry") => options.effort.symmetries = Symmetries::Trusted,
            Long("compiled") => options.compiled = true,
            Long("threads") => {
                let threads = args.value()?.parse()?;
                if !(1..=1024).contains(&threads) {
                    return Err("expected 1 to 1024 threads".into());
                }
                options.effort.threads = threads;
            }
            Long("memory") => {
                let sizes = parse_size::Config::new().with_binary();
                let size = args.value()?.parse_with(|text| sizes.parse_size(text));
                options.effort.memory = size?;
            }
            Value(path) => files.push(path.into()),
            other => return Err(other.unexpected()),
        }
    }
    if files.is_empty() {
        return Err("expected a file: a table, a book or a proof".into());
    }
    Ok(Request::Check(Arguments { files, json, layers, rules, options }))
}

/// A progress line on the terminal.
struct Bar {
    /// The number of positions, if known.
    total: Option<u64>,
    shown: Option<Mutex<Instant>>,
}

impl Bar {
    fn new(total: Option<u64>) -> Bar {
        let shown = std::io::stderr().is_terminal().then(|| Mutex::new(Instant::now()));
        Bar { total, shown }
    }

    fn show(&self, done: u64) -> bool {
        // Skipped if another thread is printing.
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

impl Drop for Bar {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// The report on a file, and the exit status.
struct Answer {
    report: Json,
    words: String,
    status: u8,
}

fn answer(path: &Path, arguments: &Arguments) -> Answer {
    let file = path.display().to_string();
    let name = printable(&file);
    let checked = check(path, arguments.options, |total| {
        let bar = Bar::new(total);
        move |done| bar.show(done)
    });
    let mut answer = match checked {
        Ok(report) => {
            let mut answer = describe(&report, arguments.layers);
            answer.report["rules_are"] = json!(report.provenance.name());
            let symmetry = if report.checks_symmetry { "checked" } else { "trusted" };
            answer.report["symmetry"] = json!(symmetry);
            if report.rules.is_some() && !report.checks_symmetry {
                answer.words += "; its symmetries were trusted";
            }
            if let Some(rules) = &report.rules {
                answer.report["rules"] = json!(rules);
                answer.words += &rules_words(&report, rules, arguments.rules);
            }
            if arguments.files.len() > 1 {
                answer.words.insert_str(0, &format!("{name}: "));
            }
            answer
        }
        Err(error) => {
            let (verdict, status) = match &error {
                Error::Io(_) | Error::Magic | Error::Version { .. } => ("unreadable", 2),
                _ => ("false", 1),
            };
            let report = json!({"verdict": verdict, "why": error.to_string()});
            Answer { report, words: format!("{name}: {error}"), status }
        }
    };
    answer.report["file"] = json!(file);
    answer
}

/// The report on the check without merging.
fn plain_words(fields: &mut Json, plainly: Option<u64>) -> String {
    let Some(positions) = plainly else { return String::new() };
    fields["plainly"] = json!(positions);
    let positions = counted(positions, "position", "positions");
    format!("; the same without merging, {positions} that can arise")
}

/// Says whose rules in the file it was checked by; with `all`, prints all of them.
fn rules_words(report: &Report, rules: &str, all: bool) -> String {
    let name = report.game.split('(').next().unwrap_or_default();
    let whose = report.provenance.words(&shown(name));
    match all {
        true => {
            let lines = rules.lines().map(|line| format!("\n  {}", escaped(line)));
            format!("; by {whose}:{}", lines.collect::<String>())
        }
        false => format!("; by {whose} (--rules prints them)"),
    }
}

fn describe(report: &Report, by_layer: bool) -> Answer {
    // The game in the file may be any text.
    let game = &shown(&report.game);
    match &report.subject {
        Subject::Table { values, coverage, banks, verdict, plainly } => {
            let mut fields = verdict.fields();
            (fields["game"], fields["values"]) = (json!(escaped(&report.game)), json!(values));
            let mut words = format!("{game} with {}: {verdict}", values.name());
            words += &plain_words(&mut fields, *plainly);
            fields["covers"] = coverage.fields();
            fields["beyond_banked"] = json!(banks);
            if verdict.is_right() {
                let beyond = if *banks { "; results are beyond what is banked" } else { "" };
                words += &format!("{beyond}; covers {coverage}");
            }
            if let (true, Verdict::Right(counts)) = (by_layer, verdict) {
                for (layer, count) in counts.layers.iter().enumerate() {
                    let positions = counted(count.positions(), "position", "positions");
                    words += &format!("\n  layer {layer}: {positions} ({count})");
                }
            }
            let status = match verdict {
                Verdict::Right(_) => 0,
                Verdict::False(_) => 1,
                Verdict::Unshown(_) => 3,
            };
            Answer { report: fields, words, status }
        }
        Subject::Book { horizon, verdict, taken, plainly } => {
            let mut fields = verdict.fields();
            (fields["game"], fields["horizon"]) = (json!(escaped(&report.game)), json!(horizon));
            fields["taken"] = json!(taken);
            let moves = counted((*horizon).into(), "move", "moves");
            let mut words = format!("{game}, book of {moves}: {verdict}");
            words += &plain_words(&mut fields, *plainly);
            let status = match verdict {
                Verdict::Right(_) if *taken == 0 => 0,
                Verdict::Right(_) => {
                    fields["verdict"] = json!("derived");
                    let taken = counted(*taken, "value", "values");
                    words += &format!("; {taken} at the horizon taken from the file");
                    4
                }
                Verdict::False(_) => 1,
                Verdict::Unshown(_) => 3,
            };
            Answer { report: fields, words, status }
        }
        Subject::Unknown(why) => {
            let report = json!({"verdict": "unshown", "game": game, "why": why});
            Answer { report, words: format!("{game}: cannot be checked: {why}"), status: 3 }
        }
        Subject::Proof { manifest, words, verdict, plainly } => {
            let proven = verdict.is_proven();
            let mut fields = verdict.fields();
            (fields["game"], fields["proof"]) = (json!(escaped(&report.game)), json!(manifest));
            let words = match proven {
                true => format!("{game}: proven that {words}; {verdict}"),
                false => format!("{game}: the proof that {words} is wrong: {verdict}"),
            };
            let words = words + &plain_words(&mut fields, *plainly);
            Answer { report: fields, words, status: u8::from(!proven) }
        }
    }
}

/// Writes a line to standard output. A closed pipe changes nothing; any other error is told.
fn write_line(text: &str) -> Result<(), ()> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            _ = writeln!(std::io::stderr(), "error: the answer cannot be written: {error}");
            Err(())
        }
        _ => Ok(()),
    }
}

/// Writes the last line, and returns the exit status.
fn finish(text: &str, status: u8) -> ExitCode {
    ExitCode::from(if write_line(text).is_ok() { status } else { 2 })
}

fn main() -> ExitCode {
    let arguments = match request() {
        Ok(Request::Check(arguments)) => arguments,
        Ok(Request::Help) => return finish(USAGE, 0),
        Ok(Request::Version) => {
            let commit = option_env!("FOREGONE_COMMIT").map(|commit| format!(" (commit {commit})"));
            let commit = commit.unwrap_or_default();
            return finish(&format!("foregone-check {}{commit}", env!("CARGO_PKG_VERSION")), 0);
        }
        Err(error) => {
            if std::env::args_os().any(|arg| arg == "--json") {
                let report = json!({"verdict": "request", "why": error.to_string()});
                return finish(&format!("{report:#}"), 2);
            }
            _ = writeln!(std::io::stderr(), "error: {error}; see foregone-check --help");
            return ExitCode::from(2);
        }
    };
    let mut reports = Vec::new();
    let mut worst = 0;
    for file in &arguments.files {
        let Answer { report, words, status } = answer(file, &arguments);
        // In the order of how bad they are.
        worst =
            *[1, 2, 3, 4, 0].iter().find(|code| [worst, status].contains(code)).unwrap_or(&status);
        let written = match (arguments.json, status) {
            (true, _) => {
                reports.push(report);
                Ok(())
            }
            (false, 0 | 4) => write_line(&words),
            (false, _) => {
                _ = writeln!(std::io::stderr(), "error: {words}");
                Ok(())
            }
        };
        if written.is_err() {
            return ExitCode::from(2);
        }
    }
    let report = match reports.len() {
        0 => return ExitCode::from(worst),
        1 => reports.remove(0),
        _ => Json::Array(reports),
    };
    finish(&format!("{report:#}"), worst)
}
