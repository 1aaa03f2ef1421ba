//! Checking a file: it is opened, its game is made by the name in it, and what it holds decides how it
//! is checked.

use std::path::Path;

use foregone_record::proof::ProofManifest;
use foregone_record::words::shown;
use foregone_record::{Error, Table, Values};
use foregone_rules::family::{Args, Family, Invalid, parse_specification, specification};
use foregone_rules::games::{
    ForIndexed, ForKeyed, ForProofs, Measure, NAMES, indexed, keyed, provable,
};
use foregone_rules::{Encode, Indexed, NoBank, Notation, Symmetry, Written};

use crate::proofs::ProofVerdict;
use crate::verdict::{Coverage, Verdict};
use crate::{Effort, OnProgress, dense, keyed as keyed_tables, plain, proofs};

/// How to check a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What may be used.
    pub effort: Effort,
    /// Whether to go through all positions that can arise without merging any, too: see [`plain`].
    pub plain: bool,
}

/// What came of a file.
#[derive(Clone, Debug)]
pub struct Report {
    /// The game with all its parameters.
    pub game: String,
    /// What the file holds, and what came of checking it.
    pub subject: Subject,
}

/// What a file holds, and what came of checking it.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A table.
    Table {
        /// What is kept of each position.
        values: Values,
        /// What it covers.
        coverage: Coverage,
        /// What came of checking it.
        verdict: Verdict<String>,
        /// How many positions that can arise were gone through without merging any, if asked for.
        plainly: Option<u64>,
    },
    /// Something about a game that this program cannot check it for: why. All of its blocks are whole.
    Unknown(String),
    /// A proof.
    Proof {
        /// What it is about.
        manifest: ProofManifest,
        /// What it claims, in words.
        words: String,
        /// What came of checking it.
        verdict: ProofVerdict<String>,
        /// How many positions were gone through without merging any, if asked for.
        plainly: Option<u64>,
    },
}

/// Checks a file. `on_progress` is made when it is known how many positions the file says it has;
/// `None` if that is unknown.
///
/// # Errors
/// If the file cannot be read, is damaged or about other rules; or checking was stopped.
pub fn check<P: Fn(u64) -> bool + Sync>(
    path: &Path,
    options: Options,
    on_progress: impl FnOnce(Option<u64>) -> P,
) -> Result<Report, Error> {
    let table = Table::open(path)?;
    let manifest = table.manifest();
    let positions = Some(manifest.positions()).filter(|_| manifest.proof.is_none());
    let on_progress = on_progress(positions);
    let (name, given) = parse_specification(&manifest.game).map_err(invalid)?;
    let file = File { table: &table, given: &given, options, on_progress: &on_progress };
    let (subject, kind) = match (&manifest.proof, &manifest.keys) {
        (Some(_), _) => (provable(name, file), "proofs"),
        (None, Some(_)) => (keyed(name, file), "tables of keyed positions"),
        (None, None) => (indexed(name, file), "tables of numbered positions"),
    };
    let subject = subject.unwrap_or_else(|| {
        table.check_blocks()?;
        Ok(Subject::Unknown(match NAMES.contains(&name) {
            true => format!("there are no {kind} of {name}"),
            false => format!("this program knows no game `{}`", shown(name)),
        }))
    });
    Ok(Report { game: manifest.game.clone(), subject: subject? })
}

/// A text in the file that says nothing of its game.
fn invalid(invalid: Invalid) -> Error {
    Error::Damaged(invalid.to_string())
}

/// A file to check, of a game that is yet to be made.
struct File<'a> {
    table: &'a Table,
    given: &'a [(&'a str, &'a str)],
    options: Options,
    on_progress: OnProgress<'a>,
}

impl File<'_> {
    /// The game, and its name with all parameters.
    fn game<F: Family>(&self) -> Result<(F, String), Error> {
        let args = Args::new(&F::ABOUT, self.given.iter().copied()).map_err(invalid)?;
        let game = F::create(&args).map_err(invalid)?;
        let name = specification(&game);
        Ok((game, name))
    }

    /// What came of a table: of the usual check and, if asked for and that finds nothing wrong, of the
    /// plain one. The plain check says nothing of entries that no play leads to.
    fn table<S>(
        &self,
        coverage: Coverage,
        check: impl FnOnce() -> Result<Verdict<S>, Error>,
        plain: impl FnOnce() -> Result<Verdict<S>, Error>,
        name: impl Fn(&S) -> String,
    ) -> Result<Subject, Error> {
        let (values, mut plainly) = (self.table.manifest().values, None);
        let mut verdict = check()?;
        if verdict.is_right() && self.options.plain {
            match plain()? {
                Verdict::Right(counts) => plainly = Some(counts.total().positions()),
                other => verdict = other,
            }
        }
        if let Verdict::Unshown(_) = verdict {
            // That may have been clear before any block was read.
            self.table.check_blocks()?;
        }
        Ok(Subject::Table { values, coverage, verdict: verdict.named(name), plainly })
    }
}

impl ForIndexed for File<'_> {
    type Output = Result<Subject, Error>;

    fn with<F: Family + Indexed + Notation>(
        self,
        measure: Option<Measure<F>>,
    ) -> Result<Subject, Error> {
        let (game, name): (F, _) = self.game()?;
        self.table.is_of(&game, &name)?;
        let (effort, on_progress) = (self.options.effort, self.on_progress);
        self.table(
            dense::coverage(&game, self.table),
            || dense::check(&game, self.table, measure, effort, on_progress),
            || plain::check_dense(&game, self.table, measure, effort, on_progress),
            |state| game.format(state),
        )
    }
}

impl ForKeyed for File<'_> {
    type Output = Result<Subject, Error>;

    fn with<F: Family + Encode<Bank = NoBank> + Symmetry>(
        self,
        measure: Option<Measure<F>>,
        notation: Option<Written<F>>,
    ) -> Result<Subject, Error> {
        let (game, name): (F, _) = self.game()?;
        self.table.is_keyed_of(&game, &name)?;
        let (effort, on_progress) = (self.options.effort, self.on_progress);
        self.table(
            keyed_tables::COVERAGE,
            || keyed_tables::check(&game, self.table, measure, effort, on_progress),
            || plain::check_keyed(&game, self.table, measure, effort, on_progress),
            |state| Written::text(notation, &game, state),
        )
    }
}

impl ForProofs for File<'_> {
    type Output = Result<Subject, Error>;

    fn with<F: Family + Encode + Symmetry>(
        self,
        notation: Option<Written<F>>,
    ) -> Result<Subject, Error> {
        let (game, name): (F, _) = self.game()?;
        self.table.is_proof_of(&game, &name)?;
        let none = || Error::Kind { found: "a table", expected: "a proof" };
        let manifest = self.table.manifest().proof.clone().ok_or_else(none)?;
        let root = manifest.root(&game, notation).map_err(invalid)?;
        let (effort, on_progress) = (self.options.effort, self.on_progress);
        let mut verdict = proofs::check(&game, self.table, &root, effort, on_progress)?;
        let mut plainly = None;
        if verdict.is_proven() && self.options.plain {
            match plain::check_proof(&game, self.table, &root, effort, on_progress)? {
                ProofVerdict::Proven { positions, .. } => plainly = Some(positions),
                flawed => verdict = flawed,
            }
        }
        let words = manifest.words(game.unit());
        let verdict = verdict.named(|state| Written::text(notation, &game, state));
        Ok(Subject::Proof { manifest, words, verdict, plainly })
    }
}
