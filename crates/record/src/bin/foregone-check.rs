//! Checks a table of every position of a game, by deriving each entry again from those after it, or a
//! proof of what a position is worth, by going through it: by the rules alone. There is no solver in
//! this program.

use std::path::PathBuf;
use std::process::ExitCode;

use foregone_record::proof::{self, Checked, ProofContents};
use foregone_record::verify::Verdict;
use foregone_record::{Broken, Effort, Table, verify, verify_listed};
use foregone_rules::family::{Args, Family, parse_specification, specification};
use foregone_rules::games::{ForIndexed, ForKeyed, Parse, indexed, keyed};
use foregone_rules::{Indexed, Packed, Reduce, Worth};

const USAGE: &str = "usage: foregone-check [--json] [--threads N] [--memory BYTES] FILE

Checks a table or a proof by the rules of its game. Exit status: 0 all is right, 1 it is wrong or
damaged, 2 the request was wrong.";

/// What was asked for.
struct Asked {
    file: PathBuf,
    json: bool,
    effort: Effort,
}

fn asked() -> Option<Asked> {
    let mut asked =
        Asked { file: PathBuf::new(), json: false, effort: Effort { memory: 4 << 30, threads: 1 } };
    let mut args = std::env::args_os().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || args.next()?.to_str()?.parse::<u64>().ok();
        match arg.to_str() {
            Some("--json") => asked.json = true,
            Some("--threads") => {
                let threads = number().filter(|threads| (1..=1024).contains(threads));
                asked.effort.threads = threads? as usize;
            }
            Some("--memory") => asked.effort.memory = number()?,
            Some(other) if other.starts_with("--") => return None,
            _ if asked.file.as_os_str().is_empty() => asked.file = arg.into(),
            _ => return None,
        }
    }
    (!asked.file.as_os_str().is_empty()).then_some(asked)
}

/// A table to check, of a game that is yet to be told.
struct Check<'a> {
    table: &'a Table,
    args: Vec<(String, String)>,
    effort: Effort,
}

impl Check<'_> {
    fn game<F: Family>(&self) -> Result<F, String> {
        let given = self.args.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let args = Args::new(&F::ABOUT, given).map_err(|error| error.to_string())?;
        F::create(&args).map_err(|error| error.to_string())
    }
}

impl ForIndexed for Check<'_> {
    type Output = Result<Verdict, String>;

    fn with<F: Family + Indexed>(self) -> Result<Verdict, String> {
        let game: F = self.game()?;
        let same = self.table.is_of(&game, &specification(&game));
        let checked = same.and_then(|()| verify(&game, self.table, self.effort, &|_| true));
        checked.map_err(|error: Broken| error.to_string())
    }
}

impl ForKeyed for Check<'_> {
    type Output = Result<Came, String>;

    fn with<F: Family + Packed + Reduce>(self, parse: Option<Parse<F>>) -> Result<Came, String> {
        let game: F = self.game()?;
        let name = specification(&game);
        let failed = |error: Broken| error.to_string();
        let Some(contents) = &self.table.contents().proof else {
            self.table.lists(&game, &name).map_err(failed)?;
            let verdict = verify_listed(&game, self.table, self.effort, &|_| true);
            return Ok(Came::Table(verdict.map_err(failed)?));
        };
        self.table.proves(&game, &name).map_err(failed)?;
        let root = contents.root(&game, parse).map_err(|error| error.to_string())?;
        let memory = self.effort.memory;
        let checked = proof::check(&game, self.table, &root, memory, &|_| true).map_err(failed)?;
        Ok(Came::Proof(contents.clone(), checked))
    }
}

/// What came of a file.
enum Came {
    Table(Verdict),
    Proof(ProofContents, Checked),
}

fn check(asked: &Asked) -> Result<(String, Came), String> {
    let table = Table::open(&asked.file).map_err(|error| error.to_string())?;
    let game = table.contents().game.clone();
    let (name, args) = parse_specification(&game).map_err(|error| error.to_string())?;
    let args = args.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let check = Check { table: &table, args, effort: asked.effort };
    let none = || format!("there are no such files of a game `{name}`");
    let came = match table.contents().keys {
        None => Came::Table(indexed(name, check).ok_or_else(none)??),
        Some(_) => keyed(name, check).ok_or_else(none)??,
    };
    Ok((game, came))
}

fn said(worth: Option<Worth>) -> String {
    worth.map_or("nothing".to_owned(), |worth| worth.to_string())
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn main() -> ExitCode {
    if std::env::args_os().skip(1).any(|arg| arg == "--help" || arg == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let Some(asked) = asked() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let file = asked.file.display().to_string();
    let (report, words, right) = match check(&asked) {
        Ok((game, Came::Proof(contents, Checked::Proven { entries, positions }))) => (
            serde_json::json!({
                "file": file, "game": game, "right": true, "proof": contents, "entries": entries,
                "positions": positions,
            }),
            format!(
                "{game}: proven that {contents}; {} positions checked, {} in the proof",
                grouped(positions),
                grouped(entries)
            ),
            true,
        ),
        Ok((game, Came::Proof(contents, Checked::Flawed { position, why }))) => (
            serde_json::json!({
                "file": file, "game": game, "right": false, "proof": contents,
                "position": position, "why": why,
            }),
            format!("{game}: not proven that {contents}: at {position}, {why}"),
            false,
        ),
        Ok((game, Came::Table(Verdict::Right(positions)))) => (
            serde_json::json!({"file": file, "game": game, "right": true, "positions": positions}),
            format!("{game}: {} positions checked, all right", grouped(positions)),
            true,
        ),
        Ok((game, Came::Table(Verdict::Wrong { place, position, stored, right }))) => {
            let (layer, index) = place;
            let (stored, right) = (said(stored), said(right));
            let words = format!(
                "{game}: wrong entry for {position} (number {index} of layer {layer}): the table \
                 says {stored}, the rules say {right}"
            );
            let report = serde_json::json!({
                "file": file, "game": game, "right": false, "position": position, "layer": layer,
                "index": index, "stored": stored, "derived": right,
            });
            (report, words, false)
        }
        Err(why) => (
            serde_json::json!({"file": file, "right": false, "error": why}),
            format!("{file}: {why}"),
            false,
        ),
    };
    match (asked.json, right) {
        (true, _) => println!("{report:#}"),
        (false, true) => println!("{words}"),
        (false, false) => eprintln!("error: {words}"),
    }
    if right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
