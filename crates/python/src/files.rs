//! Files of tables and proofs: open until they are closed, replaced only where that is asked for.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use foregone::record::Table as File;
use foregone::record::write::unfinished;
use pyo3::exceptions::{PyFileExistsError, PyIsADirectoryError, PyValueError};
use pyo3::prelude::*;

use crate::errors::wrong;
use crate::game::{Game, REGISTRY};
use crate::position::Again;

/// The numbers of errors, as Python's `errno` has them.
const EXISTS: i32 = 17;
const IS_FOLDER: i32 = 21;

/// A file that may be closed.
pub struct Opened {
    file: RwLock<Option<Arc<File>>>,
    pub path: PathBuf,
}

impl Opened {
    pub fn new(file: File, path: PathBuf) -> Opened {
        Opened { file: RwLock::new(Some(Arc::new(file))), path }
    }

    /// The file; an exception if it is closed.
    pub fn get(&self) -> PyResult<Arc<File>> {
        let file = self.file.read().unwrap_or_else(PoisonError::into_inner);
        file.clone().ok_or_else(|| {
            PyValueError::new_err(format!("{} is closed: open it again", self.path.display()))
        })
    }

    pub fn close(&self) {
        *self.file.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// How pickle opens it again: by a function of the module.
    pub fn again<'p>(&self, py: Python<'p>, function: &str) -> PyResult<Again<'p, (PathBuf,)>> {
        let open = py.import("foregone._foregone")?.getattr(function)?;
        Ok((open, (self.path.clone(),)))
    }
}

/// The game of a file.
pub fn game_of(py: Python<'_>, table: &File) -> PyResult<Py<Game>> {
    let id = table.manifest().id();
    let game = REGISTRY.game_of_file(id).map_err(|error| wrong(py, error))?;
    let again = match id.rules {
        None => id.name.to_owned(),
        Some(rules) => {
            let parameters = id.name.find('(').map_or("", |at| &id.name[at..]);
            foregone::any::name_of_rules(rules) + parameters
        }
    };
    Py::new(py, Game::new(py, game, again)?)
}

/// Makes room for a new file: if `force`, also where there is one, or where one was begun.
pub fn make_room(path: &Path, force: bool) -> PyResult<()> {
    if path.is_dir() {
        return Err(PyIsADirectoryError::new_err((
            IS_FOLDER,
            "it is a folder",
            path.display().to_string(),
        )));
    }
    if !force && path.exists() {
        let why = "the file exists: give force=True to replace it";
        return Err(PyFileExistsError::new_err((EXISTS, why, path.display().to_string())));
    }
    if !force {
        return Ok(());
    }
    let begun = unfinished(path);
    if begun.is_dir() {
        std::fs::remove_dir_all(&begun)?;
    } else if begun.exists() {
        std::fs::remove_file(&begun)?;
    }
    Ok(())
}
