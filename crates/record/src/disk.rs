//! The disk as the writer sees it: each create, write, sync, rename and remove goes through here, so
//! that a test can let every single one of them fail, or end the process there.
//!
//! Errors name the file (crate fs-err).

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fs_err as fs;

/// What happens at the operation that a test has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It fails as on a full disk; of a write, the first half is done.
    Fails,
    /// The process ends there without any tidying up; of a write, the first half is done.
    CutsOff,
}

/// The disk, or a disk on which one operation goes wrong.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    faulty: Option<Arc<Faulty>>,
    /// Whether syncs are left out.
    hasty: bool,
}

#[derive(Debug)]
struct Faulty {
    /// How many operations are done before the one that goes wrong; [`DONE`] after it.
    left: AtomicU64,
    fault: Fault,
}

/// The operation that goes wrong was reached.
const DONE: u64 = u64::MAX;

/// Whether an operation goes wrong.
enum Step {
    Goes,
    Fails,
}

impl Disk {
    /// A disk on which the operation with this number, from 0, goes wrong, and no other.
    pub fn with_fault(number: u64, fault: Fault) -> Disk {
        let faulty = Some(Arc::new(Faulty { left: AtomicU64::new(number), fault }));
        Disk { faulty, hasty: false }
    }

    /// A disk that is never synced, for files that need not outlive a crash of the machine.
    pub fn hasty() -> Disk {
        Disk { faulty: None, hasty: true }
    }

    /// Whether the operation that goes wrong was reached.
    pub fn was_faulty(&self) -> bool {
        let left = |faulty: &Arc<Faulty>| faulty.left.load(Ordering::Relaxed);
        self.faulty.as_ref().is_some_and(|faulty| left(faulty) == DONE)
    }

    /// Counts an operation; `part` does what is done of one that goes wrong.
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

    /// Does an operation on a path, unless it is to go wrong.
    fn on<T>(&self, path: &Path, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        match self.step(|| {}) {
            Step::Goes => work(),
            Step::Fails => Err(full(path)),
        }
    }

    /// Creates a file, or empties one that is there.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(&self, path: &Path) -> io::Result<DiskFile> {
        let file = self.on(path, || fs::File::create(path))?;
        Ok(DiskFile { file, disk: self.clone() })
    }

    /// Creates a file that is not there yet.
    ///
    /// # Errors
    /// If it is there, or cannot be created.
    pub fn create_new(&self, path: &Path) -> io::Result<DiskFile> {
        let file = self.on(path, || fs::File::create_new(path))?;
        Ok(DiskFile { file, disk: self.clone() })
    }

    /// Creates a folder; one that is there stays.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create_folder(&self, path: &Path) -> io::Result<()> {
        match self.on(path, || fs::create_dir(path)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            done => done,
        }
    }

    /// Gives a file another name, in place of one that has it, and syncs the folder.
    ///
    /// # Errors
    /// If that cannot be done.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.on(to, || fs::rename(from, to))?;
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
        self.sync_folder(folder.unwrap_or(Path::new(".")))
    }

    /// Makes sure that new names in a folder last; skipped if the system cannot do that (Windows opens
    /// no folders, some file systems sync none).
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
        self.on(path, || fs::remove_file(path))
    }

    /// Removes a folder with all that is in it.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.on(path, || fs::remove_dir_all(path))
    }
}

/// A file that is being written.
#[derive(Debug)]
pub struct DiskFile {
    file: fs::File,
    disk: Disk,
}

impl DiskFile {
    /// Makes sure that what was written lasts.
    ///
    /// # Errors
    /// If it cannot be made sure.
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
        // How much was written before the fault is of no interest, only that it is not all.
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
