//! The tables, books and proofs of a folder. Their manifests are read once; only files of the right name are looked at
//! further.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use foregone::AnyGame;
use foregone::record::threads::lock;
use foregone::record::{Table, Values};

/// How the names of books end.
const BOOK: &str = "book";

/// A folder of tables, books and proofs.
pub struct TableFolder {
    path: PathBuf,
    index: Mutex<Index>,
}

/// The files of a folder: tables by the name of their game, the most complete first, proofs by that name, and books.
#[derive(Default)]
struct Index {
    /// The time of the folder's last change when it was read.
    changed: Option<SystemTime>,
    files: HashMap<String, Vec<PathBuf>>,
    proofs: HashMap<String, Vec<PathBuf>>,
    /// Files that are called like books. None is opened before a game of its name is: in a browser each is fetched.
    books: Vec<PathBuf>,
}

/// How complete a table is: the kind of its values, and its number of layers.
type Completeness = (Option<usize>, usize);

impl Index {
    /// Reads the manifests in a folder. Files that are not ours are skipped.
    fn read(folder: &Path, changed: Option<SystemTime>) -> Index {
        let kept = |values: Values| Values::ALL.iter().position(|(_, each)| *each == values);
        let mut found: HashMap<String, Vec<(Completeness, PathBuf)>> = HashMap::new();
        let mut proofs: HashMap<String, Vec<PathBuf>> = HashMap::new();
        let mut books = Vec::new();
        for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if file.path().extension().is_some_and(|ending| ending == BOOK) {
                books.push(file.path());
                continue;
            }
            let Ok(table) = Table::open(&file.path()) else { continue };
            let manifest = table.manifest();
            let game = manifest.game.clone();
            match &manifest.proof {
                None => {
                    let max = (kept(manifest.values), manifest.layers.len());
                    found.entry(game).or_default().push((max, file.path()));
                }
                Some(proof) if proof.position.is_none() && proof.moves.is_empty() => {
                    proofs.entry(game).or_default().push(file.path());
                }
                // About a later position.
                Some(_) => {}
            }
        }
        let sorted = |mut files: Vec<(Completeness, PathBuf)>| {
            files.sort_by(|(max, path), (other, later)| other.cmp(max).then(path.cmp(later)));
            files.into_iter().map(|(_, path)| path).collect()
        };
        let files = found.into_iter().map(|(game, files)| (game, sorted(files))).collect();
        books.sort();
        Index { changed, files, proofs, books }
    }
}

impl TableFolder {
    /// The tables in a folder.
    pub fn new(path: PathBuf) -> TableFolder {
        TableFolder { path, index: Mutex::default() }
    }

    /// The most complete table of a game: tables with distances come first, then those with more
    /// layers. Tables with the game's name but other rules are skipped. The folder is read again if it
    /// has changed.
    pub fn find(&self, game: &dyn AnyGame) -> Option<Arc<Table>> {
        let tables = game.tables()?;
        let of_game = |file: &PathBuf| {
            let table = Table::open(file).ok()?;
            tables.is_of(&table).ok().map(|()| Arc::new(table))
        };
        let files = self.named(game, |index| &index.files);
        files.iter().find_map(of_game)
    }

    /// A proof about the start of a game.
    pub fn proof(&self, game: &dyn AnyGame) -> Option<Arc<Table>> {
        let of_game = |file: &PathBuf| {
            let table = Table::open(file).ok()?;
            game.is_proof(&table).then(|| Arc::new(table))
        };
        let mut files = self.named(game, |index| &index.proofs);
        files.sort();
        files.iter().find_map(of_game)
    }

    /// A book of a game, from a file that is called like the game, such as `hex.book` or `hex-small.book`.
    pub fn book(&self, game: &dyn AnyGame) -> Option<Arc<Table>> {
        let name = game.about().name.clone();
        let of_game = |file: &PathBuf| {
            let rest = file.file_stem()?.to_str()?.strip_prefix(&name)?;
            if !rest.is_empty() && !rest.starts_with('-') {
                return None;
            }
            let table = Table::open(file).ok()?;
            game.is_book(&table).ok().map(|()| Arc::new(table))
        };
        self.index(|index| index.books.clone()).iter().find_map(of_game)
    }

    /// All that the folder has about a game.
    pub fn about(&self, game: &dyn AnyGame) -> Vec<Arc<Table>> {
        [self.find(game), self.book(game), self.proof(game)].into_iter().flatten().collect()
    }

    /// The files with the name of a game.
    fn named(
        &self,
        game: &dyn AnyGame,
        kind: impl Fn(&Index) -> &HashMap<String, Vec<PathBuf>>,
    ) -> Vec<PathBuf> {
        self.index(|index| kind(index).get(game.id().name).cloned().unwrap_or_default())
    }

    /// Asks the index of the folder, which is read again if the folder has changed.
    fn index<T>(&self, ask: impl FnOnce(&Index) -> T) -> T {
        let changed = std::fs::metadata(&self.path).and_then(|folder| folder.modified()).ok();
        let mut index = lock(&self.index);
        if index.changed.is_none() || index.changed != changed {
            *index = Index::read(&self.path, changed);
        }
        ask(&index)
    }
}

#[cfg(test)]
mod tests {
    use foregone::tables::Plan;
    use foregone::{Control, Registry};
    use foregone_trial::Folder;

    use super::*;

    /// Builds a table of a game and puts it into a file under this name.
    fn build(name: &str, values: Values, layers: Option<u32>, file: &Path) {
        let game = Registry::standard().game(name).unwrap();
        let plan = Plan { values, layers, threads: 1, all: false };
        let tables = game.tables().unwrap();
        tables.build(file, &plan, &Control::default(), &mut |_, _| {}).unwrap();
    }

    /// Books are found by the name of their game, and only then opened.
    #[test]
    fn books_are_found_by_the_names_of_their_files() {
        let place = Folder::new();
        let (folder, registry) = (TableFolder::new(place.file("")), Registry::standard());
        let game = registry.game("nim(heaps=1-2)").unwrap();
        let plan = foregone::book::BookPlan { plies: 1, threads: 1 };
        game.build_book(&place.file("nim-1-2.book"), plan, &Control::default()).unwrap();
        std::fs::write(place.file("hex.book"), "no book").unwrap();
        assert!(folder.book(&*game).is_some() && folder.find(&*game).is_none());
        assert_eq!(folder.about(&*game).len(), 1);
        for other in ["nim(heaps=1-3)", "hex", "tic-tac-toe"] {
            assert!(folder.book(&*registry.game(other).unwrap()).is_none(), "{other}");
        }
        std::fs::rename(place.file("nim-1-2.book"), place.file("nimble.book")).unwrap();
        assert!(folder.book(&*game).is_none());
    }

    #[test]
    fn the_table_that_tells_most_is_found_by_its_name_and_rules() {
        let place = Folder::new();
        let (folder, registry) = (TableFolder::new(place.file("")), Registry::standard());
        let nim = registry.game("nim(heaps=1-2)").unwrap();
        assert!(folder.find(&*nim).is_none());
        build("nim(heaps=1-2)", Values::Wdl, None, &place.file("a"));
        build("nim(heaps=1-3)", Values::ScoreDistance, None, &place.file("b"));
        std::fs::write(place.file("c"), "no table").unwrap();
        let found = |game| folder.find(game).map(|table| table.manifest().clone());
        // The folder was changed since.
        assert_eq!(found(&*nim).map(|manifest| manifest.values), Some(Values::Wdl));
        build("nim(heaps=1-2)", Values::ScoreDistance, Some(2), &place.file("d"));
        build("nim(heaps=1-2)", Values::ScoreDistance, None, &place.file("e"));
        build("nim(heaps=1-2)", Values::ScoreDistance, Some(1), &place.file("f"));
        let best = found(&*nim).unwrap();
        assert_eq!((best.values, best.layers.len()), (Values::ScoreDistance, 4));
        let misere = registry.game("nim(heaps=1-2,misere=true)").unwrap();
        assert!(folder.find(&*misere).is_none());
    }
}
