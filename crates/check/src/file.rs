//! Checking a file: opens it, creates its game from the name in it, and selects the check for its
//! content.

use std::path::Path;

use foregone_record::proof::ProofManifest;
use foregone_record::words::shown;
use foregone_record::{Error, GameId, Table, Values};
use foregone_rules::family::{
    Args, Family, Invalid, parse_specification, specification, written_specification,
};
use foregone_rules::games::{WithFamily, with_family};
use foregone_rules::promise::{Declare, Promises};
use foregone_rules::{Acyclic, Bank, Encode, Game, Indexed, Measure, NoBank, Notation, Written};
use foregone_text::{Interpreted, Problems, Text, TextGame, Word, with_game};

use crate::book::Checked;
use crate::images::{Symmetries, lists};
use crate::proofs::{MAX_BITS, ProofVerdict};
use crate::provenance::Provenance;
use crate::share::{Alone, Sharing};
use crate::verdict::{Coverage, Verdict};
use crate::{Effort, OnProgress, book, dense, keyed, plain, proofs};

/// How to check a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The resources to use.
    pub effort: Effort,
    /// Whether to also check all positions that can arise without merging any: see [`plain`].
    pub plain: bool,
    /// Whether rules that a file carries are run by the machine that they are compiled for. If not, they are run by the
    /// plain interpreter, which takes up to three times as long; then neither the instructions nor the machine is trusted.
    pub compiled: bool,
}

/// The result of checking a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The game with all its parameters.
    pub game: String,
    /// Its rules, if the file carries them: then they are what it was checked by.
    pub rules: Option<String>,
    /// Whose rules it was checked by.
    pub provenance: Provenance,
    /// Whether the symmetries of the game were checked, if it has any. If not, they were trusted.
    pub checks_symmetry: bool,
    /// The content of the file, and the result of checking it.
    pub subject: Subject,
}

/// The content of a file, and the result of checking it.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A table.
    Table {
        /// What the table stores for each position.
        values: Values,
        /// The part of the game that it covers.
        coverage: Coverage,
        /// Whether the game banks points; if so, entries do not include them.
        banks: bool,
        /// The result of checking it.
        verdict: Verdict<String>,
        /// The number of positions that can arise, checked without merging any, if requested.
        plainly: Option<u64>,
    },
    /// A book: the values of all positions that the first moves lead to.
    Book {
        /// The number of these moves.
        horizon: u32,
        /// The result of deriving the values of positions before the horizon.
        verdict: Verdict<String>,
        /// The number of positions at the horizon, whose values were taken from the file.
        taken: u64,
        /// The number of positions checked without merging any, if requested.
        plainly: Option<u64>,
    },
    /// Content that this program cannot check, with the reason. All of its blocks are intact.
    Unknown(String),
    /// A proof.
    Proof {
        /// Its subject.
        manifest: ProofManifest,
        /// Its claims, in words.
        words: String,
        /// The result of checking it.
        verdict: ProofVerdict<String>,
        /// The number of positions checked without merging any, if requested.
        plainly: Option<u64>,
    },
}

/// Checks a file. The argument `on_progress` creates the progress callback; it gets the number of
/// positions that the file states, `None` if the number to check is unknown.
///
/// # Errors
/// If the file cannot be read, is damaged or belongs to other rules; or checking was stopped.
pub fn check<P: Fn(u64) -> bool + Sync>(
    path: &Path,
    options: Options,
    on_progress: impl FnOnce(Option<u64>) -> P,
) -> Result<Report, Error> {
    let table = Table::open(path)?;
    let manifest = table.manifest();
    let known = manifest.proof.is_none() && !options.plain;
    let positions = known.then(|| manifest.positions());
    check_open(&table, options, &Alone, &on_progress(positions))
}

/// Checks a file that is open, as one of several checkers: all get the same verdict about a table.
///
/// # Errors
/// As for [`check`], or if another checker has failed.
pub fn check_open(
    table: &Table,
    options: Options,
    sharing: &dyn Sharing,
    on_progress: OnProgress<'_>,
) -> Result<Report, Error> {
    let manifest = table.manifest();
    let (name, given) = parse_specification(&manifest.game).map_err(invalid)?;
    let file = File { table, given: &given, options, sharing, on_progress };
    let unknown = || file.unknown(format!("this program knows no game `{}`", shown(name)));
    let text = manifest.rules.as_deref().map(Text::parse).transpose().map_err(wrong)?;
    let subject = match &text {
        Some(text) => file.by_text(text)?,
        None => with_family(name, file).unwrap_or_else(unknown)?,
    };
    let provenance = Provenance::of(text.as_ref());
    Ok(Report {
        game: manifest.game.clone(),
        rules: manifest.rules.clone(),
        provenance,
        checks_symmetry: options.effort.symmetries.are_checked(table),
        subject,
    })
}

/// The error for an invalid game in the file.
fn invalid(invalid: Invalid) -> Error {
    Error::Damaged(invalid.to_string())
}

/// The error for rules in the file that are no rules.
fn wrong(problems: Problems) -> Error {
    let first = problems.iter().next().map_or("", |problem| &problem.message);
    Error::Damaged(format!("the rules in it are wrong: {}", shown(first)))
}

/// A file to check, before its game is created.
#[derive(Clone, Copy)]
struct File<'a> {
    table: &'a Table,
    given: &'a [(&'a str, &'a str)],
    options: Options,
    sharing: &'a dyn Sharing,
    on_progress: OnProgress<'a>,
}

impl File<'_> {
    /// The result for an intact file that cannot be checked, with the reason.
    fn unknown(&self, why: String) -> Result<Subject, Error> {
        self.table.check_blocks()?;
        Ok(Subject::Unknown(why))
    }

    /// The result of checking a table: of the usual check and, if that finds nothing wrong and it
    /// is requested, of the plain one. The plain check does not cover entries that no play leads
    /// to.
    fn table<S>(
        &self,
        coverage: Coverage,
        banks: bool,
        check: impl FnOnce() -> Result<Verdict<S>, Error>,
        plain: impl FnOnce() -> Result<Verdict<S>, Error>,
        name: impl Fn(&S) -> String,
    ) -> Result<Subject, Error> {
        let (values, mut plainly) = (self.table.manifest().values, None);
        let mut verdict = check()?;
        // Nothing lists the positions that share a number, so all are visited.
        let is_dense = self.table.manifest().keys.is_none();
        let asked = is_dense && self.options.effort.symmetries == Symmetries::Checked;
        if verdict.is_right() && (self.options.plain || asked) {
            match plain()? {
                Verdict::Right(counts) => plainly = Some(counts.total().positions()),
                other => verdict = other,
            }
        }
        if let Verdict::Unshown(_) = verdict {
            // This verdict may come before any block was read.
            self.table.check_blocks()?;
        }
        Ok(Subject::Table { values, coverage, banks, verdict: verdict.named(name), plainly })
    }
}

/// The checks for files of a family of games, by its promises.
struct Ways<'a, F: Game> {
    notation: Option<Written<F>>,
    measure: Option<Measure<F>>,
    dense: Option<Way<'a, F>>,
    keyed: Option<Way<'a, F>>,
    proof: Option<Way<'a, F>>,
    book: Option<Way<'a, F>>,
}

/// The game of a file, with its name and rules as they have to stand in the file, and the unit of
/// its values.
struct Named<'a, F> {
    game: F,
    id: GameId<'a>,
    unit: &'a str,
}

/// Checks a file of a game.
type Way<'a, F> = fn(&File<'a>, &Named<'_, F>, &Ways<'a, F>) -> Result<Subject, Error>;

impl<F: Game> Ways<'_, F> {
    const NONE: Self =
        Ways { notation: None, measure: None, dense: None, keyed: None, proof: None, book: None };
}

impl<F: Game> Promises<F> for Ways<'_, F> {
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
        self.dense = Some(|file, named, ways| file.dense(named, ways));
    }

    fn keyed(&mut self)
    where
        F: Encode<Bank = NoBank>,
    {
        self.keyed = Some(|file, named, ways| file.keyed(named, ways));
    }

    fn encode(&mut self)
    where
        F: Encode,
    {
        self.proof = Some(|file, named, ways| file.proof(named, ways));
        self.book = Some(|file, named, ways| file.book(named, ways));
    }
}

impl WithFamily for File<'_> {
    type Output = Result<Subject, Error>;

    fn with<F: Family + Declare>(self) -> Result<Subject, Error> {
        let mut ways = Ways::NONE;
        F::declare(&mut ways);
        let args = Args::new(&F::ABOUT, self.given.iter().copied()).map_err(invalid)?;
        let game = F::create(&args).map_err(invalid)?;
        let (name, unit) = (specification(&game), game.unit().to_owned());
        self.by(Named { game, id: GameId::from(&name), unit: &unit }, &ways)
    }
}

impl<'a> File<'a> {
    /// Checks the file by the rules that it carries.
    fn by_text(&self, text: &Text) -> Result<Subject, Error> {
        let facts = text.facts(&text.name());
        let args = Args::of(&facts, self.given.iter().copied()).map_err(invalid)?;
        let pairs: Vec<_> = args.pairs().collect();
        let loaded = text.load(&pairs).map_err(wrong)?;
        if self.options.compiled {
            loaded.is_as_written().map_err(std::io::Error::other)?;
        }
        let name = written_specification(&facts.name, &pairs);
        let rules = text.bare();
        let id = GameId { name: &name, rules: Some(&rules) };
        let unit = text.unit();
        let subject = with_game!(loaded.clone(), game => self.by_loaded(game, id, unit))?;
        // Then moves were left out.
        loaded.misplayed().map_or(Ok(subject), |why| self.unknown(why.to_owned()))
    }

    fn by_loaded<S: Word, const N: usize, const R: usize, const K: usize, const D: usize>(
        &self,
        game: TextGame<S, N, R, K, D>,
        id: GameId<'_>,
        unit: &str,
    ) -> Result<Subject, Error> {
        if !self.options.compiled {
            let (game, mut ways) = (Interpreted::new(game), Ways::NONE);
            game.promise(&mut ways);
            return self.by(Named { game, id, unit }, &ways);
        }
        let mut ways = Ways::NONE;
        game.promise(&mut ways);
        self.by(Named { game, id, unit }, &ways)
    }

    /// Checks the file by the rules of a game.
    fn by<F: Game>(&self, named: Named<'_, F>, ways: &Ways<'a, F>) -> Result<Subject, Error> {
        let manifest = self.table.manifest();
        let (way, kind) = match (&manifest.proof, &manifest.keys) {
            (Some(_), _) => (ways.proof, "proofs"),
            _ if manifest.horizon.is_some() => (ways.book, "books"),
            (None, Some(_)) => (ways.keyed, "tables of keyed positions"),
            (None, None) => (ways.dense, "tables of numbered positions"),
        };
        match way {
            Some(way) => way(self, &named, ways),
            None => {
                let (name, _) = parse_specification(named.id.name).map_err(invalid)?;
                self.unknown(format!("there are no {kind} of {}", shown(name)))
            }
        }
    }

    fn dense<F: Indexed>(
        &self,
        Named { game, id, .. }: &Named<'_, F>,
        ways: &Ways<'_, F>,
    ) -> Result<Subject, Error> {
        self.table.is_of(game, *id)?;
        let (effort, on_progress) = (self.options.effort, self.on_progress);
        self.table(
            dense::coverage(game, self.table),
            F::Bank::BANKS,
            || {
                let (table, sharing) = (self.table, self.sharing);
                dense::check_shared(game, table, ways.measure, effort, sharing, on_progress)
            },
            || plain::check_dense(game, self.table, ways.measure, effort, on_progress),
            |state| Written::text(ways.notation, game, state),
        )
    }

    fn keyed<F: Encode<Bank = NoBank>>(
        &self,
        Named { game, id, .. }: &Named<'_, F>,
        ways: &Ways<'_, F>,
    ) -> Result<Subject, Error> {
        self.table.is_keyed_of(game, *id)?;
        let (effort, on_progress) = (self.options.effort, self.on_progress);
        self.table(
            keyed::coverage(self.table.listed()),
            false,
            || keyed::check(game, self.table, ways.measure, effort, on_progress),
            || plain::check_keyed(game, self.table, ways.measure, effort, on_progress),
            |state| Written::text(ways.notation, game, state),
        )
    }

    fn book<F: Encode>(
        &self,
        Named { game, id, .. }: &Named<'_, F>,
        ways: &Ways<'_, F>,
    ) -> Result<Subject, Error> {
        self.table.is_book_of(game, *id)?;
        let (table, measure, on_progress) = (self.table, ways.measure, self.on_progress);
        let effort = self.options.effort;
        let check = |plain| book::check(game, table, measure, (effort, plain), on_progress);
        let Checked { mut verdict, taken } = check(false)?;
        // Images that cannot be listed are visited.
        let unlisted = effort.symmetries.are_checked(table) && !lists(game);
        let mut plainly = None;
        if verdict.is_right() && (self.options.plain || unlisted) {
            let plain = check(true)?;
            match plain.verdict {
                Verdict::Right(counts) => {
                    plainly = Some(counts.total().positions() + plain.taken);
                }
                other => verdict = other,
            }
        }
        let horizon = table.manifest().horizon.unwrap_or(0);
        let name = |state: &F::State| Written::text(ways.notation, game, state);
        Ok(Subject::Book { horizon, verdict: verdict.named(name), taken, plainly })
    }

    fn proof<F: Encode>(
        &self,
        Named { game, id, unit }: &Named<'_, F>,
        ways: &Ways<'_, F>,
    ) -> Result<Subject, Error> {
        if game.bits() > MAX_BITS {
            let why = "the keys of its positions have 128 bits, but proofs hold at most 127";
            return self.unknown(why.to_owned());
        }
        self.table.is_proof_of(game, *id)?;
        let none = || Error::Kind { found: "a table", expected: "a proof" };
        let manifest = self.table.manifest().proof.clone().ok_or_else(none)?;
        let root = manifest.root(game, ways.notation).map_err(invalid)?;
        let (effort, on_progress) = (self.options.effort, self.on_progress);
        let mut verdict = proofs::check(game, self.table, &root, effort, on_progress)?;
        let mut plainly = None;
        if verdict.is_proven() && self.options.plain {
            match plain::check_proof(game, self.table, &root, effort, on_progress)? {
                ProofVerdict::Proven { positions, .. } => plainly = Some(positions),
                flawed => verdict = flawed,
            }
        }
        let words = manifest.words(unit, &Written::text(ways.notation, game, &root));
        let verdict = verdict.named(|state| Written::text(ways.notation, game, state));
        Ok(Subject::Proof { manifest, words, verdict, plainly })
    }
}
