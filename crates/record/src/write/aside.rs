//! Writing files completely or not at all. Every operation goes through [`Disk`], so that tests can
//! make each one fail; crates for temporary files do not offer that.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::disk::{Disk, DiskFile};
use crate::error::Error;

/// A path with `ending` appended to its name.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Writes a file completely or not at all: under another name, then synced and renamed.
///
/// # Errors
/// If it cannot be written; an existing file is unchanged.
pub fn aside(
    disk: &Disk,
    path: &Path,
    write: impl FnOnce(&mut BufWriter<DiskFile>) -> io::Result<()>,
) -> Result<(), Error> {
    // Compiled once for all that is written.
    let mut write = Some(write);
    let mut once = |file: &mut _| write.take().map_or(Ok(()), |write| write(file));
    aside_by(disk, path, &mut once)
}

/// Writes the content of a file.
pub(super) type Content<'a> = &'a mut dyn FnMut(&mut BufWriter<DiskFile>) -> io::Result<()>;

fn aside_by(disk: &Disk, path: &Path, write: Content<'_>) -> Result<(), Error> {
    // The first unused name; processes on other machines may have the same number.
    let name = |nth: u32| beside(path, &format!(".{}-{nth}.tmp", std::process::id()));
    for other in (0..).map(name) {
        if other.exists() {
            continue;
        }
        match disk.create_new(&other) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            file => return whole(disk, file?, &other, path, write),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists).into())
}

/// Writes a file under another name, and renames it when all of it is on disk.
pub(super) fn whole(
    disk: &Disk,
    file: DiskFile,
    other: &Path,
    path: &Path,
    write: Content<'_>,
) -> Result<(), Error> {
    let mut file = BufWriter::with_capacity(1 << 20, file);
    let written = write(&mut file).and_then(|()| file.flush());
    let written = written.and_then(|()| file.get_ref().sync());
    // Drops the buffer without another attempt to write it.
    drop(file.into_parts());
    let done = written.and_then(|()| disk.rename(other, path));
    if done.is_err() {
        // An incomplete file is removed.
        let _ = disk.remove_file(other);
    }
    Ok(done?)
}

pub(super) fn put(disk: &Disk, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    aside(disk, path, |file| file.write_all(bytes))
}
