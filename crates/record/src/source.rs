//! The source of a file's bytes: a file, or memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

/// The source of a file's bytes.
pub trait Source: Send + Sync {
    /// The number of bytes.
    ///
    /// # Errors
    /// If the size cannot be read.
    fn size(&self) -> io::Result<u64>;

    /// Reads bytes at an offset.
    ///
    /// # Errors
    /// If some bytes are missing.
    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;
}

/// Bytes in memory, or mapped into it.
pub struct Bytes<B>(pub B);

impl<B: AsRef<[u8]> + Send + Sync> Source for Bytes<B> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.as_ref().len() as u64)
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(bytes.len() as u64);
        let part = end.and_then(|end| self.0.as_ref().get(offset as usize..end as usize));
        bytes.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl Source for Mutex<File> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.lock().unwrap_or_else(PoisonError::into_inner).metadata()?.len())
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let mut file = self.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }
}
