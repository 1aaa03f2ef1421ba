//! The path of a table, and the folder beside it with its finished layers.

use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::aside::beside;
use crate::disk::Disk;
use crate::error::Error;
use crate::read::Table;

/// The target of a table: a path, and the disk.
#[derive(Clone, Debug)]
pub struct Target {
    pub(super) path: PathBuf,
    pub(super) disk: Disk,
}

impl From<&Path> for Target {
    fn from(path: &Path) -> Target {
        Target::on(Disk::default(), path)
    }
}

impl From<&PathBuf> for Target {
    fn from(path: &PathBuf) -> Target {
        Target::from(path.as_path())
    }
}

impl From<&Target> for Target {
    fn from(target: &Target) -> Target {
        target.clone()
    }
}

impl Target {
    /// A path on a disk, on which an operation may be faulty.
    pub fn on(disk: Disk, path: &Path) -> Target {
        Target { path: path.to_owned(), disk }
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of finished layers.
    pub(super) fn parts(&self) -> PathBuf {
        unfinished(&self.path)
    }
}

/// The folder with the finished layers of an unfinished table.
pub fn unfinished(target: &Path) -> PathBuf {
    beside(target, ".part")
}

/// The file in the folder that marks the table as complete.
pub(super) const FINISHED: &str = "finished";

/// Removes a folder; the file [`FINISHED`] goes last.
pub(super) fn tidy(disk: &Disk, folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() != FINISHED {
            disk.remove_file(&entry.path())?;
        }
    }
    disk.remove_folder(folder)
}

/// Whether the table is finished and only the folder of its layers was left, because the process
/// ended at that moment. If so, removes the folder.
///
/// # Errors
/// If it cannot be removed.
pub fn tidied(target: impl Into<Target>) -> Result<bool, Error> {
    let target = target.into();
    let folder = target.parts();
    let (Ok(text), Ok(table)) = (fs::read(folder.join(FINISHED)), Table::open(&target.path)) else {
        return Ok(false);
    };
    let same = serde_json::to_vec(table.manifest()).is_ok_and(|found| found == text);
    if same {
        tidy(&target.disk, &folder)?;
    }
    Ok(same)
}
