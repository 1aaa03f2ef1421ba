//! Finished layers in an object store (S3, or what speaks its language): every complete file of a build is
//! copied there, and what a machine lacks is fetched before it begins. So machines may come and go.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foregone::record::Error;
use foregone::record::disk::{Disk, Mirror};
use foregone::record::write::aside;
use futures_util::StreamExt;
use object_store::buffered::BufWriter;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt};
use tokio::io::AsyncWriteExt;
use tokio::runtime::{Builder, Runtime};
use url::Url;

/// Bytes that are sent at once.
const PIECE: usize = 8 << 20;

/// A place in an object store for the files of one folder and the folders in it.
pub struct Bucket {
    url: String,
    store: Arc<dyn ObjectStore>,
    prefix: Key,
    folder: PathBuf,
    runtime: Runtime,
}

impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

impl Bucket {
    /// The place that a URL names, such as `s3://bucket/prefix`, for a folder. Keys, region and endpoint are
    /// those of the environment (`AWS_ACCESS_KEY_ID` and so on).
    ///
    /// # Errors
    /// If it is no such URL.
    pub fn open(url: &str, folder: &Path) -> io::Result<Bucket> {
        let wrong = |why: &dyn fmt::Display| {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{url}: expected an address such as s3://bucket/prefix ({why})"),
            )
        };
        let parsed = Url::parse(url).map_err(|error| wrong(&error))?;
        let variables = std::env::vars().filter(|(name, _)| name.starts_with("AWS_"));
        let (store, prefix) =
            object_store::parse_url_opts(&parsed, variables).map_err(|error| wrong(&error))?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (store, folder) = (Arc::from(store), folder.to_owned());
        Ok(Bucket { url: url.to_owned(), store, prefix, folder, runtime })
    }

    /// The key of a file in the folder.
    fn key(&self, path: &Path) -> Option<Key> {
        let inside = path.strip_prefix(&self.folder).ok()?;
        let parts = inside.iter().map(|part| part.to_str());
        let parts: Option<Vec<_>> = parts.collect();
        Some(parts?.into_iter().fold(self.prefix.clone(), |key, part| key.join(part)))
    }

    fn failed(&self, key: &Key, error: impl fmt::Display) -> io::Error {
        io::Error::other(format!("{} ({key}): {error}", self.url))
    }

    /// Fetches the files of a folder in the folder that are `wanted` by their names and that are not here,
    /// or not with the same size. Returns how many.
    ///
    /// # Errors
    /// If they cannot be listed, read or written.
    pub fn fetch(&self, inside: &Path, wanted: impl Fn(&str) -> bool) -> Result<usize, Error> {
        let Some(key) = self.key(inside) else { return Ok(0) };
        let listed = self.store.list_with_delimiter(Some(&key));
        let listed = self.runtime.block_on(listed).map_err(|error| self.failed(&key, error))?;
        let mut sizes = HashMap::new();
        for object in listed.objects {
            let name = object.location.filename().unwrap_or_default().to_owned();
            if wanted(&name) {
                sizes.insert(name, object.size);
            }
        }
        let mut count = 0;
        for (name, size) in sizes {
            let path = inside.join(&name);
            // Lists are short, and may differ in their checksums alone.
            let same = || std::fs::metadata(&path).is_ok_and(|here| here.len() == size);
            if !name.ends_with(".json") && same() {
                continue;
            }
            std::fs::create_dir_all(inside).map_err(Error::from)?;
            self.fetch_file(&path)?;
            count += 1;
        }
        Ok(count)
    }

    fn fetch_file(&self, path: &Path) -> Result<(), Error> {
        let Some(key) = self.key(path) else { return Ok(()) };
        let failed = |error| self.failed(&key, error);
        let mut found = self.runtime.block_on(self.store.get(&key)).map_err(failed)?.into_stream();
        aside(&Disk::default(), path, |file| {
            while let Some(bytes) = self.runtime.block_on(found.next()) {
                file.write_all(&bytes.map_err(failed)?)?;
            }
            Ok(())
        })
    }
}

impl Mirror for Bucket {
    fn kept(&self, path: &Path) -> io::Result<()> {
        let Some(key) = self.key(path) else { return Ok(()) };
        let mut file = std::fs::File::open(path)?;
        let mut writer = BufWriter::new(Arc::clone(&self.store), key.clone());
        let mut piece = Vec::new();
        loop {
            piece.clear();
            if Read::by_ref(&mut file).take(PIECE as u64).read_to_end(&mut piece)? == 0 {
                break;
            }
            let sent = self.runtime.block_on(writer.write_all(&piece));
            sent.map_err(|error| self.failed(&key, error))?;
        }
        self.runtime.block_on(writer.shutdown()).map_err(|error| self.failed(&key, error))
    }

    fn removed(&self, path: &Path) -> io::Result<()> {
        let Some(key) = self.key(path) else { return Ok(()) };
        match self.runtime.block_on(self.store.delete(&key)) {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            done => done.map_err(|error| self.failed(&key, error)),
        }
    }
}
