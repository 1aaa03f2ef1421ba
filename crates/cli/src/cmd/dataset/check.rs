//! `foregone dataset check`: every row is derived again, and compared field by field. Nothing in the files is trusted.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use foregone::control::counted;
use foregone::dataset::{Truth, WHOLE};
use foregone::record::format::checksum::Checksum;
use foregone::{AnyGame, Control, Registry};

use super::manifest::{CARD, GameFiles, MANIFEST, Manifest, Options, Part, Rules, card};
use super::{files, known};
use crate::args::{Memory, file_and_parameters, game_of, read_rules};
use crate::progress::Working;
use crate::terminal;

#[derive(clap::Args)]
pub struct Check {
    /// The folder of a dataset
    folder: PathBuf,
    #[command(flatten)]
    memory: Memory,
}

pub fn run(registry: &Registry, args: &Check) -> anyhow::Result<()> {
    let manifest = Manifest::read(&args.folder)?;
    let mut names = HashSet::new();
    for of_game in &manifest.games {
        let all = of_game.files.iter().map(|file| &file.name).chain([&of_game.game]);
        for name in all {
            anyhow::ensure!(names.insert(name), "{MANIFEST}: {name} is there twice");
        }
    }
    let working = Working::start();
    let control = args.memory.control(&working);
    let mut count = 0;
    for of_game in &manifest.games {
        let game = args.game(registry, of_game)?;
        let derived = args.derived(&*game, of_game, &manifest.options, &working, &control)?;
        count += derived.rows();
        if let Some(field) = of_game.contradicts(&derived, &manifest.options) {
            let name = &of_game.game;
            anyhow::bail!(
                "{MANIFEST}: the field {field} of {name} is false, or of another version"
            );
        }
    }
    let path = args.folder.join(CARD);
    let shown = files::bytes(&path, args.memory.limit())?;
    anyhow::ensure!(
        shown == card(&manifest).as_bytes(),
        "{}: it says something else than {MANIFEST}, or is of another version",
        path.display()
    );
    drop(working);
    let (folder, count) = (args.folder.display(), counted(count, "position", "positions"));
    writeln!(terminal::out(), "{folder}: {count} derived again, all right")?;
    Ok(())
}

impl Check {
    /// The game that the manifest names, by the rules beside it if there are some.
    fn game(&self, registry: &Registry, of_game: &GameFiles) -> anyhow::Result<Arc<dyn AnyGame>> {
        let Some(Rules { name: file, checksum }) = &of_game.source else {
            return known(registry, &of_game.game);
        };
        let path = beside(&self.folder, file)?;
        let text = read_rules(&path.display().to_string())?;
        unchanged(&path, text.as_bytes(), checksum)?;
        // The name of the file may have brackets as well.
        let given = of_game.game.strip_prefix(file).map(|given| format!("game{given}"));
        let given = given.with_context(|| format!("{MANIFEST}: {file} is not {}", of_game.game))?;
        let (_, given) = file_and_parameters(&given)?;
        game_of(file, &text, &given)
    }

    /// What the manifest should say of a game, if all rows of its files are right.
    fn derived(
        &self,
        game: &dyn AnyGame,
        of_game: &GameFiles,
        options: &Options,
        working: &Working,
        control: &Control,
    ) -> anyhow::Result<GameFiles> {
        let name = &of_game.game;
        let whole = (of_game.found == WHOLE).then_some(options.whole);
        let truth = Truth::of(game, whole, control)?;
        let mut truth =
            truth.with_context(|| format!("{name} has too many positions for \"{WHOLE}\""))?;
        let (mut derived, mut seen) = (GameFiles::of(game), HashSet::new());
        for file in &of_game.files {
            let path = beside(&self.folder, &file.name)?;
            let shown = path.display();
            let bytes = files::bytes(&path, self.memory.limit())?;
            unchanged(&path, &bytes, &file.checksum)?;
            let mut rows = 0;
            files::read(&path, bytes, self.memory.limit(), &mut |row| {
                rows += 1;
                working.note(format!("{}, row {rows}", file.name));
                let at = || format!("{shown}, row {rows}");
                let own = truth.row(&row.line, control).map_err(|error| anyhow!("{error}"));
                let own = own.with_context(at)?;
                if let Some(field) = row.contradicts(&own) {
                    anyhow::bail!("{}: the field {field} is false", at());
                }
                let split = own.split(name);
                anyhow::ensure!(split == file.split, "{}: it belongs to {split}", at());
                let sum = Checksum::of(own.position.as_bytes()).to_string();
                anyhow::ensure!(seen.insert(sum), "{}: it is there twice", at());
                *derived.difficulty.entry(own.difficulty).or_default() += 1;
                derived.found = own.found;
                Ok(())
            })?;
            let said = file.rows;
            anyhow::ensure!(rows == said, "{shown}: {rows} rows, and the manifest says {said}");
            derived.files.push(Part { rows, ..file.clone() });
        }
        Ok(derived)
    }
}

/// Refuses a file with another checksum than the manifest says.
fn unchanged(path: &Path, bytes: &[u8], checksum: &str) -> anyhow::Result<()> {
    let shown = path.display();
    let same = Checksum::of(bytes).to_string() == checksum;
    anyhow::ensure!(same, "{shown}: it has another checksum than the manifest says");
    Ok(())
}

/// A file beside the manifest, wherever its name would lead.
fn beside(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let plain = Path::new(name).file_name().is_some_and(|plain| plain == name);
    anyhow::ensure!(plain, "{name:?}: expected the name of a file beside the manifest");
    Ok(folder.join(name))
}
