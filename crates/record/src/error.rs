//! What can be wrong with a file.

use std::io;
use std::path::PathBuf;

use crate::format::VERSION;
use crate::format::head::LONGEST_MANIFEST;
use crate::words::shown;

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no file of Foregone.
    #[error("this is no file of Foregone: it does not begin with `FOREGONE`")]
    Magic,
    /// It has another version of the format.
    #[error("the file has format {found}, expected {VERSION}: another version of Foregone made it")]
    Version {
        /// The version in its head.
        found: u32,
    },
    /// A layer has more worths than cells can tell apart.
    #[error("its positions have {worths} different worths: a layer can tell 65,534 apart")]
    Worths {
        /// How many there are.
        worths: usize,
    },
    /// Its manifest, with all worths of all layers, would be too long.
    #[error("what it says of itself takes {bytes} bytes: at most {LONGEST_MANIFEST} are read")]
    Manifest {
        /// How many bytes it takes.
        bytes: usize,
    },
    /// Another process is building it.
    #[error("another process is building it: {} is locked", .0.display())]
    Busy(PathBuf),
    /// It was changed or cut short, or says what no file may say.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// It is a proof where a table was expected, and the like.
    #[error("the file holds {found}, expected {expected}")]
    Kind {
        /// What it holds.
        found: &'static str,
        /// What was to be read.
        expected: &'static str,
    },
    /// It is about another game, or about other rules.
    #[error("the file says that its game is {}, expected {expected}", shown(.found))]
    Game {
        /// What it is about.
        found: String,
        /// What was to be looked up.
        expected: String,
    },
}

/// [`Error::Damaged`] with a reason.
pub(crate) fn damaged(why: impl Into<String>) -> Error {
    Error::Damaged(why.into())
}
