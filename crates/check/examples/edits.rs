//! Checks a file with each of many edits, in one process: each edited file is made in memory, with
//! right checksums, and a verdict on it is printed: `false`, `right`, `unshown` or `damaged`. How many
//! there are of each is told at the end, on standard error.
//!
//! Edits are lines of standard input, see `checkers/edits.py`: `LAYER NUMBER VALUE PLIES`, several
//! joined by `;`; plies are `-` for endless play, both are `-` for a number that no position has.
//!
//! If a false file is accepted, the edit is named and the exit status is 1. An edit that changes what
//! a right table says makes it false, with one exception: of a value with its rank, other ranks may
//! show the value as well. An edit of a proof changes no claim, so that it may be right or not. With
//! `--plain` each file is checked without merging positions, too, which has to come to the same
//! wherever a position that can arise is concerned.
//!
//! `cargo run --release -p foregone-check --example edits -- [--plain] [--threads N] FILE < EDITS`

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::ScopedJoinHandle;

use foregone_check::proofs::ProofVerdict;
use foregone_check::{Effort, Verdict, dense, keyed, plain, proofs};
use foregone_record::format::{KeysPart, LayerPart, Values};
use foregone_record::read::Bytes;
use foregone_record::{Error, Manifest, Table};
use foregone_rules::family::{Args, Family, parse_specification, specification};
use foregone_rules::games::{Kalah, WithFamily, with_family};
use foregone_rules::promise::{Declare, Promises};
use foregone_rules::{
    Acyclic, Distance, Encode, Game, Indexed, Measure, NoBank, Notation, Value, Worth, Written,
};
use foregone_trial::Whole;
use foregone_trial::forged::{self, Made};

const USAGE: &str = "usage: edits [--plain] [--threads N] FILE < EDITS";

/// What a file is found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Found {
    Right,
    False,
    Unshown,
    Damaged,
}

impl Found {
    fn name(self) -> &'static str {
        match self {
            Found::Right => "right",
            Found::False => "false",
            Found::Unshown => "unshown",
            Found::Damaged => "damaged",
        }
    }

    fn table<S>(verdict: Result<Verdict<S>, Error>) -> Found {
        match verdict {
            Ok(Verdict::Right(_)) => Found::Right,
            Ok(Verdict::False(_)) => Found::False,
            Ok(Verdict::Unshown(_)) => Found::Unshown,
            Err(_) => Found::Damaged,
        }
    }

    fn proof<S>(checked: Result<ProofVerdict<S>, Error>) -> Found {
        match checked {
            Ok(ProofVerdict::Proven { .. }) => Found::Right,
            Ok(ProofVerdict::Flawed { .. }) => Found::False,
            Err(_) => Found::Damaged,
        }
    }
}

/// How files of one game are checked.
struct Judge {
    merged: Box<dyn Fn(&Table) -> Found + Sync>,
    plain: Box<dyn Fn(&Table) -> Found + Sync>,
    /// The layers and numbers of all positions that can arise; `None` if every entry is of one.
    arising: Option<HashSet<(u32, u64)>>,
}

fn effort() -> Effort {
    Effort::default()
}

fn goes_on(_done: u64) -> bool {
    true
}

/// The game of a file, if the file is about it and its rules.
struct Given<'a> {
    table: &'a Table,
    given: &'a [(&'a str, &'a str)],
}

impl Given<'_> {
    fn game<F: Family>(&self) -> Result<(F, String), Error> {
        let game: F = made(self.given)?;
        let name = specification(&game);
        Ok((game, name))
    }
}

/// A game of a family by its parameters.
fn made<F: Family>(given: &[(&str, &str)]) -> Result<F, Error> {
    let args = Args::new(&F::ABOUT, given.iter().copied());
    args.and_then(|args| F::create(&args)).map_err(|invalid| Error::Damaged(invalid.to_string()))
}

/// What judges files of a family, by what the family promises.
struct Judges<'a, F: Game> {
    notation: Option<Written<F>>,
    measure: Option<Measure<F>>,
    dense: Option<Make<'a, F>>,
    keyed: Option<Make<'a, F>>,
    proof: Option<Make<'a, F>>,
}

type Make<'a, F> = fn(&Given<'a>, &Judges<'a, F>) -> Result<Judge, Error>;

impl<F: Family> Promises<F> for Judges<'_, F> {
    fn notation(&mut self)
    where
        F: Notation,
    {
        self.notation = Some(Written::default());
    }

    fn acyclic(&mut self)
    where
        F: Acyclic,
    {
        self.measure = Some(F::progress);
    }

    fn indexed(&mut self)
    where
        F: Indexed,
    {
        self.dense = Some(|file, judges| file.dense(judges));
    }

    fn keyed(&mut self)
    where
        F: Encode<Bank = NoBank>,
    {
        self.keyed = Some(|file, judges| {
            let (game, name) = file.game::<F>()?;
            file.table.is_keyed_of(&game, &name)?;
            Ok(by_keys([game, file.game()?.0], judges.measure))
        });
    }

    fn encode(&mut self)
    where
        F: Encode,
    {
        self.proof = Some(|file, judges| file.proof(judges));
    }
}

impl WithFamily for Given<'_> {
    type Output = Result<Judge, Error>;

    fn with<F: Family + Declare>(self) -> Result<Judge, Error> {
        let mut judges =
            Judges { notation: None, measure: None, dense: None, keyed: None, proof: None };
        F::declare(&mut judges);
        let Manifest { keys, proof, .. } = self.table.manifest();
        let make = match (keys, proof) {
            (_, Some(_)) => judges.proof,
            (Some(_), None) => judges.keyed,
            (None, None) => judges.dense,
        };
        let none = || Error::Damaged("there are no such files of its game".to_owned());
        make.ok_or_else(none)?(&self, &judges)
    }
}

impl Given<'_> {
    fn dense<F: Family + Indexed>(&self, judges: &Judges<'_, F>) -> Result<Judge, Error> {
        let (game, name): (F, _) = self.game()?;
        self.table.is_of(&game, &name)?;
        let measure = judges.measure;
        let (plainly, arising) = (self.game::<F>()?.0, arising(&game));
        Ok(Judge {
            merged: Box::new(move |table| {
                Found::table(dense::check(&game, table, measure, effort(), &goes_on))
            }),
            plain: Box::new(move |table| {
                Found::table(plain::check_dense(&plainly, table, measure, effort(), &goes_on))
            }),
            arising: Some(arising),
        })
    }

    fn proof<F: Family + Encode>(&self, judges: &Judges<'_, F>) -> Result<Judge, Error> {
        let (game, name): (F, _) = self.game()?;
        self.table.is_proof_of(&game, &name)?;
        let damaged = || Error::Damaged("it is no proof of a position".to_owned());
        let proof = self.table.manifest().proof.as_ref().ok_or_else(damaged)?;
        let root = proof.root(&game, judges.notation).map_err(|_| damaged())?;
        let plainly = self.game::<F>()?.0;
        Ok(Judge {
            merged: Box::new(move |table| {
                Found::proof(proofs::check(&game, table, &root, effort(), &goes_on))
            }),
            plain: Box::new(move |table| {
                Found::proof(plain::check_proof(&plainly, table, &root, effort(), &goes_on))
            }),
            arising: None,
        })
    }
}

fn by_keys<G: Encode<Bank = NoBank>>(
    [game, plainly]: [G; 2],
    measure: Option<Measure<G>>,
) -> Judge {
    Judge {
        merged: Box::new(move |table| {
            Found::table(keyed::check(&game, table, measure, effort(), &goes_on))
        }),
        plain: Box::new(move |table| {
            Found::table(plain::check_keyed(&plainly, table, measure, effort(), &goes_on))
        }),
        arising: None,
    }
}

/// The places of all positions that can arise.
fn arising<G: Indexed>(game: &G) -> HashSet<(u32, u64)> {
    let mut known = HashSet::from([game.start()]);
    let mut open = vec![game.start()];
    while let Some(state) = open.pop() {
        if game.outcome(&state).is_none() {
            let children = game.moves(&state).map(|mv| game.play(&state, mv));
            open.extend(children.filter(|child| known.insert(*child)));
        }
    }
    known.iter().map(|state| game.index(state)).collect()
}

/// How files of the game of a table are checked.
fn judge(table: &Table) -> Result<Judge, String> {
    let name = &table.manifest().game;
    let (family, given) = parse_specification(name).map_err(|invalid| invalid.to_string())?;
    if family == "whole-kalah" {
        let kalah: Kalah = made(&given).map_err(|error| error.to_string())?;
        return Ok(by_keys([Whole(kalah.clone()), Whole(kalah)], Some(Acyclic::progress)));
    }
    let file = Given { table, given: &given };
    let judge = with_family(family, file).ok_or_else(|| format!("there is no game {family}"))?;
    judge.map_err(|error| error.to_string())
}

/// What an edit sets: a layer, a number, and what is said of it.
type Set = (u32, u64, Option<Worth>);

/// What an edit changes, and what was said there before.
type Change = (Set, Option<Worth>);

/// A file in parts that can be put together in another way.
struct Original {
    manifest: Manifest,
    entries: Vec<Vec<Option<Worth>>>,
    layers: Vec<Made<LayerPart>>,
    keys: Option<Made<KeysPart>>,
}

impl Original {
    fn of(table: &Table) -> Result<Original, Error> {
        let manifest = table.manifest().clone();
        let count = manifest.layers.len() as u32;
        let entries = |layer| -> Result<Vec<Option<Worth>>, Error> {
            let worths = table.worths(layer);
            let entry = |cell: u16| usize::from(cell).checked_sub(1).map(|place| worths[place]);
            Ok(table.layer(layer)?.into_iter().map(entry).collect())
        };
        let entries = (0..count).map(entries).collect::<Result<Vec<_>, _>>()?;
        let layers = (0..).zip(&entries).map(|(layer, all)| forged::layer(layer, all)).collect();
        let keys = match manifest.keys {
            Some(_) => Some(forged::keys(&table.all_keys()?)),
            None => None,
        };
        Ok(Original { manifest, entries, layers, keys })
    }

    /// Reads an edit.
    fn edit(&self, line: &str) -> Result<Vec<Set>, String> {
        let wrong = || format!("`{line}` is no edit: expected LAYER NUMBER VALUE PLIES");
        let set = |part: &str| {
            let words: Vec<_> = part.split_whitespace().collect();
            let [layer, number, value, plies] = words[..] else { return Err(wrong()) };
            let (layer, number) = (layer.parse::<u32>(), number.parse::<u64>());
            let (Ok(layer), Ok(number)) = (layer, number) else { return Err(wrong()) };
            let worth = match (value, plies) {
                ("-", "-") => None,
                (value, plies) => {
                    let value = Value(value.parse().map_err(|_| wrong())?);
                    let distance = match plies {
                        "-" => Distance::Endless,
                        plies => Distance::Plies(plies.parse().map_err(|_| wrong())?),
                    };
                    Some(Worth::new(value, distance))
                }
            };
            let entry = self.entries.get(layer as usize).and_then(|all| all.get(number as usize));
            entry.map(|_| (layer, number, worth)).ok_or_else(|| format!("no place: `{line}`"))
        };
        line.split(';').map(set).collect()
    }

    /// The bytes of the edited file.
    fn edited(&self, edit: &[Set]) -> Vec<u8> {
        let mut changed: BTreeMap<u32, Vec<Option<Worth>>> = BTreeMap::new();
        for (layer, number, worth) in edit {
            let entries = || self.entries[*layer as usize].clone();
            changed.entry(*layer).or_insert_with(entries)[*number as usize] = *worth;
        }
        let made = |(layer, entries): (&u32, &Vec<_>)| (*layer, forged::layer(*layer, entries));
        let changed: BTreeMap<_, _> = changed.iter().map(made).collect();
        let layer = |(layer, made)| changed.get(&layer).unwrap_or(made);
        let layers = (0..).zip(&self.layers).map(layer);
        forged::file(self.manifest.clone(), layers, self.keys.as_ref())
    }

    /// What an edit changes, and what was said before. Of several sets of one number the last counts.
    fn changes(&self, edit: &[Set]) -> Vec<Change> {
        let last: BTreeMap<_, _> = edit.iter().map(|(l, n, worth)| ((*l, *n), *worth)).collect();
        let before = |layer: u32, number: u64| self.entries[layer as usize][number as usize];
        let change = |((l, n), worth): ((u32, u64), _)| ((l, n, worth), before(l, n));
        last.into_iter().map(change).filter(|((_, _, worth), before)| worth != before).collect()
    }

    /// Whether a file with this change may be right, if the original is.
    fn may_be_right(&self, ((_, _, worth), before): &Change) -> bool {
        let Manifest { values, proof, .. } = &self.manifest;
        let rank_alone = before.map(Worth::value) == worth.map(Worth::value);
        proof.is_some() || *values == Values::ScoreRank && rank_alone
    }
}

/// What came of an edit: the verdict, and what is wrong with it.
type Outcome = (Found, Option<String>);

struct Trial {
    original: Original,
    judge: Judge,
    plain: bool,
}

impl Trial {
    fn outcome(&self, line: &str) -> Result<Outcome, String> {
        let edit = self.original.edit(line)?;
        let changes = self.original.changes(&edit);
        let Ok(table) = Table::read(Bytes(self.original.edited(&edit))) else {
            return Ok((Found::Damaged, None));
        };
        let (found, may_be_right) =
            ((self.judge.merged)(&table), |change: &Change| self.original.may_be_right(change));
        if found == Found::Right && !changes.iter().all(may_be_right) {
            return Ok((found, Some("a false file is accepted".to_owned())));
        }
        let plainly = if self.plain { (self.judge.plain)(&table) } else { found };
        let arises = |((layer, number, _), _): &Change| {
            let arising = self.judge.arising.as_ref();
            arising.is_none_or(|arising| arising.contains(&(*layer, *number)))
        };
        let differs = match (found, plainly) {
            (Found::Right, plainly) => plainly != Found::Right,
            // The plain check sees only what can arise. (Another rank of a position that can arise may
            // be right there, and wrong for a position that cannot.)
            (_, Found::Right) if self.original.manifest.proof.is_none() => {
                changes.iter().any(|change| arises(change) && !may_be_right(change))
            }
            _ => false,
        };
        let why = || format!("it is {} merged and {} plain", found.name(), plainly.name());
        Ok((found, differs.then(why)))
    }
}

fn outcomes(trial: &Trial, lines: &[&str], threads: usize) -> Vec<Result<Outcome, String>> {
    let part = |lines: &[&str]| lines.iter().map(|line| trial.outcome(line)).collect::<Vec<_>>();
    let part = &part;
    std::thread::scope(|scope| {
        let parts = lines.chunks(lines.len().div_ceil(threads).max(1));
        let parts: Vec<_> = parts.map(|lines| scope.spawn(move || part(lines))).collect();
        let end = |thread: ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        parts.into_iter().flat_map(end).collect()
    })
}

fn run(file: &Path, plain: bool, threads: usize) -> Result<bool, String> {
    let table = Table::open(file).map_err(|error| error.to_string())?;
    let judge = judge(&table)?;
    if matches!((judge.merged)(&table), Found::False | Found::Damaged) {
        return Err("the file is wrong before any edit".to_owned());
    }
    let original = Original::of(&table).map_err(|error| error.to_string())?;
    let trial = Trial { original, judge, plain };
    let text = std::io::read_to_string(std::io::stdin()).map_err(|error| error.to_string())?;
    let lines: Vec<_> = text.lines().collect();
    let (mut counts, mut wrong, mut said) = (BTreeMap::new(), 0, String::new());
    for (line, outcome) in lines.iter().zip(outcomes(&trial, &lines, threads)) {
        let (found, why) = outcome?;
        *counts.entry(found).or_insert(0) += 1;
        said += found.name();
        said += "\n";
        if let Some(why) = why {
            eprintln!("error: `{line}`: {why}");
            wrong += 1;
        }
    }
    print!("{said}");
    let counts: Vec<_> =
        counts.iter().map(|(found, count)| format!("{count} {}", found.name())).collect();
    eprintln!("{}: {} edits: {}", file.display(), lines.len(), counts.join(", "));
    Ok(wrong == 0)
}

fn main() -> ExitCode {
    let (mut file, mut plain, mut threads) = (None, false, Some(1));
    let mut args = std::env::args_os().skip(1);
    while let Some(arg) = args.next() {
        match arg.to_str() {
            Some("--plain") => plain = true,
            Some("--threads") => {
                threads = args.next().and_then(|count| count.to_str()?.parse().ok());
            }
            _ => file = Some(PathBuf::from(arg)),
        }
    }
    let (Some(file), Some(threads @ 1..=1024)) = (file, threads) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(&file, plain, threads) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {}: {error}", file.display());
            ExitCode::from(2)
        }
    }
}
