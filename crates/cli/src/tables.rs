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

/// The file to consult about a game, or those in the folder in `FOREGONE_TABLES`.
///
/// # Errors
/// If the file is not about the game, or the folder does not exist.
fn consulted(game: &dyn AnyGame, file: Option<&Path>) -> anyhow::Result<Vec<Arc<Table>>> {
    let Some(file) = file else {
        return Ok(folder()?.map_or(Vec::new(), |folder| folder.about(game)));
    };
    let name = || file.display().to_string();
    let table = Table::open(file).with_context(name)?;
    match (table.manifest().horizon, &table.manifest().proof) {
        (Some(_), _) => game.is_book(&table).with_context(name)?,
        (None, Some(_)) => return Ok(proof(game, Some(file))?.into_iter().collect()),
        (None, None) => tables(game)?.is_of(&table).with_context(name)?,
    }
    Ok(vec![Arc::new(table)])
}

/// The proof about a game from a file, or from the folder in `FOREGONE_TABLES`; `None` if there is none.
///
/// # Errors
/// If the file is not a proof about the game, or the folder does not exist.
pub fn proof(game: &dyn AnyGame, file: Option<&Path>) -> anyhow::Result<Option<Arc<Table>>> {
    let Some(file) = file else { return Ok(folder()?.and_then(|folder| folder.proof(game))) };
    let table = Table::open(file).with_context(|| file.display().to_string())?;
    refuse_table(&table, file)?;
    match game.is_proof(&table) {
        true => Ok(Some(Arc::new(table))),
        false => {
            let (file, game) = (file.display(), game.specification());
            Err(Refused(format!("{file} is not a proof about {game}")).into())
        }
    }
}

/// The folder in `FOREGONE_TABLES`; `None` if it is not set.
fn folder() -> anyhow::Result<Option<TableFolder>> {
    let Some(folder) = std::env::var_os("FOREGONE_TABLES") else { return Ok(None) };
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
    /// A table, a book or a proof to consult [default: those in the folder in FOREGONE_TABLES]
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

impl Consult {
    /// A session at a position, with the files.
    pub fn open(&self, game: &dyn AnyGame, place: &Place) -> anyhow::Result<Box<dyn Session>> {
        let mut session = place.session(game)?;
        for table in consulted(game, self.table.as_deref())? {
            session.consult(table);
        }
        Ok(session)
    }
}
