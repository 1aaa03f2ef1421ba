//! Errors of reading and writing files.

use std::io;
use std::path::PathBuf;

use crate::format::{LONGEST_MANIFEST, VERSION};
use crate::words::shown;

/// An error of reading or writing a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not a file of Foregone.
    #[error("this is not a file of Foregone: it does not begin with `FOREGONE`")]
    Magic,
    /// It has another version of the format.
    #[error("the file has format {found}, expected {VERSION}: another version of Foregone made it")]
    Version {
        /// The version in its head.
        found: u32,
    },
    /// A layer has more different worths than its cells can hold.
    #[error("its positions have {worths} different worths, but a layer holds at most 65,534")]
    Worths {
        /// The number of different worths.
        worths: usize,
    },
    /// The manifest, which lists the worths of all layers, would be too long.
    #[error("its manifest has {bytes} bytes, but at most {LONGEST_MANIFEST} can be read")]
    Manifest {
        /// The length of the manifest in bytes.
        bytes: usize,
    },
    /// Another process is building it.
    #[error("another process is building it: {} is locked", .0.display())]
    Busy(PathBuf),
    /// Its layers were written by another number of processes, each with a folder of its own.
    #[error(
        "its layers were written by {before} processes with a folder each, and now there are {now}: use the \
         same hosts, or delete the folders (here {})", .folder.display()
    )]
    Writers {
        /// The number of processes then.
        before: usize,
        /// Their number now.
        now: usize,
        /// The folder of this process.
        folder: PathBuf,
    },
    /// It was changed or truncated, or its content is not valid.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// It holds another kind of content than expected, such as a proof instead of a table.
    #[error("the file holds {found}, expected {expected}")]
    Kind {
        /// The content of the file.
        found: &'static str,
        /// The expected content.
        expected: &'static str,
    },
    /// It belongs to another game, or to other rules.
    #[error("the file says that its game is {}, expected {expected}", shown(.found))]
    Game {
        /// The game of the file.
        found: String,
        /// The expected game.
        expected: String,
    },
}

#[cfg(feature = "write")]
impl Error {
    /// This error as an error of input and output.
    pub(crate) fn into_io(self) -> io::Error {
        match self {
            Error::Io(error) => error,
            other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
        }
    }
}

/// [`Error::Damaged`] with a reason.
pub(crate) fn damaged(why: impl Into<String>) -> Error {
    Error::Damaged(why.into())
}
