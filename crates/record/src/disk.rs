//! The disk interface of the writer. Each create, write, sync, rename and remove goes through here,
//! so that a test can make any one of them fail, or end the process there.
//!
//! Errors name the file (crate fs-err).

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fs_err as fs;

/// The fault at the operation that a test selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The operation fails as on a full disk; a write writes its first half.
    Fails,
    /// The process ends without cleaning up; a write writes its first half.
    CutsOff,
}

/// A second place for files, which hears of each complete one.
pub trait Mirror: fmt::Debug + Send + Sync {
    /// A file is complete and has its name.
    ///
    /// # Errors
    /// If it cannot be copied.
    fn kept(&self, path: &Path) -> io::Result<()>;

    /// A file is removed.
    ///
    /// # Errors
    /// If its copy cannot be removed.
    fn removed(&self, path: &Path) -> io::Result<()>;
}

/// The disk, or a disk on which one operation fails.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    mirror: Option<Arc<dyn Mirror>>,
    faulty: Option<Arc<Faulty>>,
    /// Whether to skip syncs.
    hasty: bool,
}

#[derive(Debug)]
struct Faulty {
    /// The number of operations before the faulty one; [`DONE`] after it.
    left: AtomicU64,
    fault: Fault,
}

/// The faulty operation was reached.
const DONE: u64 = u64::MAX;

/// Whether an operation fails.
enum Step {
    Goes,
    Fails,
}

impl Disk {
    /// A disk on which only the operation with this number, from 0, fails.
    pub fn with_fault(number: u64, fault: Fault) -> Disk {
        let faulty = Some(Arc::new(Faulty { left: AtomicU64::new(number), fault }));
        Disk { faulty, ..Disk::default() }
    }

    /// A disk that is never synced, for files that may get lost in a crash of the machine.
    pub fn hasty() -> Disk {
        Disk { hasty: true, ..Disk::default() }
    }

    /// Adds a second place for complete files.
    pub fn with_mirror(self, mirror: Arc<dyn Mirror>) -> Disk {
        Disk { mirror: Some(mirror), ..self }
    }

    /// Whether the faulty operation was reached.
    pub fn was_faulty(&self) -> bool {
        let left = |faulty: &Arc<Faulty>| faulty.left.load(Ordering::Relaxed);
        self.faulty.as_ref().is_some_and(|faulty| left(faulty) == DONE)
    }

    /// Counts an operation; `part` is the part of a faulty operation that still happens.
    fn step(&self, part: impl FnOnce()) -> Step {
        let Some(faulty) = &self.faulty else { return Step::Goes };
        let count = |left: u64| (left != DONE).then(|| left.checked_sub(1).unwrap_or(DONE));
        match faulty.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count) {
            Ok(0) => {
                part();
                if faulty.fault == Fault::CutsOff {
                    std::process::abort();
                }
                Step::Fails
            }
            _ => Step::Goes,
        }
    }

    /// Does an operation on a path, unless it is the faulty one.
    fn on<T>(&self, path: &Path, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        match self.step(|| {}) {
            Step::Goes => work(),
            Step::Fails => Err(full(path)),
        }
    }

    /// Creates a file, or truncates an existing one.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(&self, path: &Path) -> io::Result<DiskFile> {
        let file = self.on(path, || fs::File::create(path))?;
        Ok(DiskFile { file, disk: self.clone() })
    }

    /// Creates a file that does not exist yet.
    ///
    /// # Errors
    /// If it exists, or cannot be created.
    pub fn create_new(&self, path: &Path) -> io::Result<DiskFile> {
        let file = self.on(path, || fs::File::create_new(path))?;
        Ok(DiskFile { file, disk: self.clone() })
    }

    /// Creates a folder, unless it exists.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create_folder(&self, path: &Path) -> io::Result<()> {
        match self.on(path, || fs::create_dir(path)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            done => done,
        }
    }

    /// Renames a file, replaces an existing target, and syncs the folder.
    ///
    /// # Errors
    /// If it cannot be renamed or synced.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.on(to, || fs::rename(from, to))?;
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
        self.sync_folder(folder.unwrap_or(Path::new(".")))?;
        self.mirror.as_ref().map_or(Ok(()), |mirror| mirror.kept(to))
    }

    /// Syncs the names in a folder; skipped if the system cannot do that (Windows opens no folders,
    /// some file systems sync none).
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        if !cfg!(unix) || self.hasty {
            return Ok(());
        }
        let unknown = [io::ErrorKind::Unsupported, io::ErrorKind::InvalidInput];
        match self.on(folder, || fs::File::open(folder)?.sync_all()) {
            Err(error) if unknown.contains(&error.kind()) => Ok(()),
            done => done,
        }
    }

    /// Removes a file.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.on(path, || fs::remove_file(path))?;
        self.mirror.as_ref().map_or(Ok(()), |mirror| mirror.removed(path))
    }

    /// Removes a folder and its content.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove_folder(&self, path: &Path) -> io::Result<()> {
        if let Some(mirror) = &self.mirror {
            for entry in fs::read_dir(path)? {
                mirror.removed(&entry?.path())?;
            }
        }
        self.on(path, || fs::remove_dir_all(path))
    }
}

/// A file being written.
#[derive(Debug)]
pub struct DiskFile {
    file: fs::File,
    disk: Disk,
}

impl DiskFile {
    /// Syncs the written data to the disk.
    ///
    /// # Errors
    /// If it cannot be synced.
    pub fn sync(&self) -> io::Result<()> {
        self.disk.on(self.file.path(), || match self.disk.hasty {
            true => Ok(()),
            false => self.file.sync_all(),
        })
    }

    /// The file itself, to lock it.
    pub fn file(&self) -> &std::fs::File {
        self.file.file()
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let DiskFile { file, disk } = self;
        // The number of bytes written before the fault does not matter, as long as some are
        // missing.
        match disk.step(|| _ = file.write(&bytes[..bytes.len() / 2])) {
            Step::Goes => file.write(bytes),
            Step::Fails => Err(full(file.path())),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The error of a full disk.
fn full(path: &Path) -> io::Error {
    let why = format!("{}: no space left (a test's fault)", path.display());
    io::Error::new(io::ErrorKind::StorageFull, why)
}
