//! What tests of files share.

use std::path::PathBuf;

use foregone_rules::{Args, Family};

/// A game by its parameters.
pub fn game<F: Family>(given: &[(&str, &str)]) -> F {
    F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
}

/// A place for a test's files, empty at the start and gone at the end.
pub struct Place(PathBuf);

impl Place {
    pub fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("foregone-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
