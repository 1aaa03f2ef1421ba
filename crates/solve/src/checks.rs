//! Checking files about a game: by the checker alone, which knows the games that come with Foregone and reads
//! the rules that a file carries; or, for a game of somebody else, by that game.

use foregone_check::{
    Alone, Effort, OnProgress, Options, ProofVerdict, Sharing, Subject as Checked, Verdict,
    check_open, dense, keyed, proofs,
};
use foregone_record::{Error, Table};
use foregone_rules::promise::Promises;
use foregone_rules::{Banded, Encode, Game, Indexed, NoBank};

use crate::subject::{Subject, makes};

/// Who checks files about a game.
pub(crate) enum Checks<G: Game> {
    /// The checker, which makes the game from what stands in the file. It is compiled with its own copies of
    /// these games, so this crate needs none.
    ByChecker,
    /// The game, as far as it can have files.
    ByGame { table: Option<CheckTable<G>>, proof: Option<CheckProof<G>> },
}

/// See [`dense::check_shared`].
type CheckTable<G> = fn(
    Subject<'_, G>,
    &Table,
    Effort,
    &dyn Sharing,
    OnProgress<'_>,
) -> Result<Verdict<<G as Game>::State>, Error>;

/// See [`proofs::check`].
type CheckProof<G> = fn(
    &G,
    &Table,
    &<G as Game>::State,
    Effort,
    OnProgress<'_>,
) -> Result<ProofVerdict<<G as Game>::State>, Error>;

impl<G: Game> Checks<G> {
    /// No files can be checked.
    pub const NONE: Checks<G> = Checks::ByGame { table: None, proof: None };

    /// Derives every entry of a table of this game again, as one of several checkers; see [`Sharing`].
    ///
    /// # Errors
    /// If the table is damaged, belongs to another game or cannot be checked; or checking was stopped.
    pub fn table(
        &self,
        subject: Subject<'_, G>,
        table: &Table,
        effort: Effort,
        sharing: &dyn Sharing,
        on_progress: OnProgress<'_>,
    ) -> Result<Verdict<String>, Error> {
        makes()?;
        match self {
            Checks::ByChecker => match by_checker(table, effort, sharing, on_progress)? {
                Checked::Table { verdict, .. } => Ok(verdict),
                Checked::Proof { .. } => Err(Error::Kind { found: "a proof", expected: "a table" }),
                Checked::Book { .. } => Err(Error::Kind { found: "a book", expected: "a table" }),
                Checked::Unknown(why) => Err(unchecked(why)),
            },
            Checks::ByGame { table: None, .. } => Err(unchecked("the game has no tables")),
            Checks::ByGame { table: Some(check), .. } => {
                let verdict = check(subject, table, effort, sharing, on_progress)?;
                Ok(verdict.named(|state| subject.position(state)))
            }
        }
    }

    /// Checks a proof about a position of this game.
    ///
    /// # Errors
    /// As for [`table`](Checks::table), or if the proof is about another position.
    pub fn proof(
        &self,
        subject: Subject<'_, G>,
        table: &Table,
        root: &G::State,
        effort: Effort,
        on_progress: OnProgress<'_>,
    ) -> Result<ProofVerdict<String>, Error> {
        makes()?;
        let Some(manifest) = &table.manifest().proof else {
            return Err(Error::Kind { found: "a table", expected: "a proof" });
        };
        match self {
            // It checks what the file says about the position that the file names.
            Checks::ByChecker => match manifest.root(subject.game, subject.written) {
                Ok(state) if state == *root => {
                    match by_checker(table, effort, &Alone, on_progress)? {
                        Checked::Proof { verdict, .. } => Ok(verdict),
                        Checked::Table { .. } | Checked::Book { .. } => {
                            Err(unchecked("it is no proof"))
                        }
                        Checked::Unknown(why) => Err(unchecked(why)),
                    }
                }
                _ => Err(unchecked("the proof is about another position")),
            },
            Checks::ByGame { proof: None, .. } => Err(unchecked("the game has no proofs")),
            Checks::ByGame { proof: Some(check), .. } => {
                let verdict = check(subject.game, table, root, effort, on_progress)?;
                Ok(verdict.named(|state| subject.position(state)))
            }
        }
    }
}

/// What the checker says about a file. A game from text is played by the machine, as it is where the file was made.
fn by_checker(
    table: &Table,
    effort: Effort,
    sharing: &dyn Sharing,
    on_progress: OnProgress<'_>,
) -> Result<Checked, Error> {
    let options = Options { effort, plain: false, compiled: true };
    Ok(check_open(table, options, sharing, on_progress)?.subject)
}

fn unchecked(why: impl Into<String>) -> Error {
    std::io::Error::other(why.into()).into()
}

impl<G: Game> Promises<G> for Checks<G> {
    fn tables_in_bands(&mut self)
    where
        G: Banded,
    {
        self.tables_by_number();
    }

    fn tables_by_number(&mut self)
    where
        G: Indexed,
    {
        if let Checks::ByGame { table, .. } = self {
            *table = Some(|Subject { game, measure, .. }, table, effort, sharing, on_progress| {
                dense::check_shared(game, table, measure, effort, sharing, on_progress)
            });
        }
    }

    fn tables_by_key(&mut self)
    where
        G: Encode<Bank = NoBank>,
    {
        if let Checks::ByGame { table, .. } = self {
            // Each checker checks all of it.
            *table = Some(|Subject { game, measure, .. }, table, effort, _, on_progress| {
                keyed::check(game, table, measure, effort, on_progress)
            });
        }
    }

    fn encode(&mut self)
    where
        G: Encode,
    {
        if let Checks::ByGame { proof, .. } = self {
            *proof = Some(proofs::check);
        }
    }
}
