//! The tables to look positions up in: a file, or the tables of a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use foregone::any::AnyTables;
use foregone::record::Table;
use foregone::{AnyGame, Session};
use foregone_page::tables::TableFolder;

use crate::args::{Place, Refused};

/// The tables of a game.
pub fn tables(game: &dyn AnyGame) -> Result<&dyn AnyTables, Refused> {
    let name = &game.about().name;
    let none = "has no tables: its positions have no numbers, and tables need them";
    game.tables().ok_or_else(|| Refused(format!("{name} {none}")))
}

/// What a file is.
pub fn kind_of(table: &Table) -> &'static str {
    match (&table.manifest().proof, table.manifest().horizon) {
        (Some(_), _) => "a proof",
        (None, Some(_)) => "a book",
        (None, None) => "a table",
    }
}

/// Refuses a file that is a proof.
pub fn refuse_proof(table: &Table, file: &Path) -> Result<(), Refused> {
    match table.manifest().proof {
        None => Ok(()),
        Some(_) => {
            let file = file.display();
            Err(Refused(format!(
                "{file} is a proof, expected a table: use `foregone explain` for it"
            )))
        }
    }
}

/// Refuses a table where a proof is expected.
pub fn refuse_table(table: &Table, file: &Path) -> Result<(), Refused> {
    match table.manifest().proof {
        Some(_) => Ok(()),
        None => {
            let (file, kind) = (file.display(), kind_of(table));
            Err(Refused(format!("{file} is {kind}, expected a proof")))
        }
    }
}

/// The files to consult about a game; if none are given, those in the folder in `FOREGONE_TABLES`.
///
/// # Errors
/// If a file is not about the game, or the folder does not exist.
fn consulted(game: &dyn AnyGame, files: &[PathBuf]) -> anyhow::Result<Vec<Arc<Table>>> {
    if files.is_empty() {
        return Ok(folder()?.map_or(Vec::new(), |folder| folder.about(game)));
    }
    let opened = files.iter().map(|file| {
        let name = || file.display().to_string();
        let table = Table::open(file).with_context(name)?;
        match (table.manifest().horizon, &table.manifest().proof) {
            (Some(_), _) => game.is_book(&table).with_context(name)?,
            (None, Some(_)) if !game.is_proof(&table) => {
                let game = game.specification();
                return Err(Refused(format!("{} is not a proof about {game}", name())).into());
            }
            (None, Some(_)) => {}
            (None, None) => tables(game)?.is_of(&table).with_context(name)?,
        }
        Ok(Arc::new(table))
    });
    opened.collect()
}

/// What to do with a book instead.
pub const WITH_A_BOOK: &str =
    "`foregone solve GAME --table FILE` asks it, `foregone book verify FILE` checks it";

/// The folder in `FOREGONE_TABLES`; `None` if it is not set.
fn folder() -> anyhow::Result<Option<TableFolder>> {
    let named = std::env::var_os("FOREGONE_TABLES").filter(|folder| !folder.is_empty());
    let Some(folder) = named else { return Ok(None) };
    let folder = PathBuf::from(folder);
    if !folder.is_dir() {
        let message = format!("FOREGONE_TABLES is {}, which is not a folder", folder.display());
        return Err(Refused(message).into());
    }
    Ok(Some(TableFolder::new(folder)))
}

/// The option `--table`.
#[derive(clap::Args)]
pub struct Consult {
    /// A table, a book or a proof to consult; can be given several times [default: those in the folder in
    /// FOREGONE_TABLES]
    #[arg(long = "table", alias = "proof", value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Consult {
    /// A session at a position, with the files.
    pub fn open(&self, game: &dyn AnyGame, place: &Place) -> anyhow::Result<Box<dyn Session>> {
        let mut session = place.session(game)?;
        for table in consulted(game, &self.files)? {
            session.consult(table);
        }
        Ok(session)
    }
}
