//! `foregone dataset check`: every row is derived again, and compared field by field. Nothing in the files is trusted.

use std::io::Write;
use std::path::{Path, PathBuf};

use foregone::control::counted;
use foregone::dataset::Row;
use foregone::record::format::checksum::Checksum;
use foregone::{AnyGame, Control, Registry, Request, Session};

use super::files;
use super::manifest::Manifest;
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
    let working = Working::start();
    let control = args.memory.control(&working);
    let mut count = 0;
    for of_game in &manifest.games {
        let game = match &of_game.source {
            Some(file) => {
                let path = beside(&args.folder, file)?;
                let text = read_rules(&path.display().to_string())?;
                let (_, given) = file_and_parameters(&of_game.game)?;
                game_of(file, &text, &given)?
            }
            None => crate::args::game(registry, &of_game.game)?,
        };
        let mut session = game.session();
        for file in &of_game.files {
            let path = beside(&args.folder, &file.name)?;
            let shown = path.display();
            let bytes = files::bytes(&path, args.memory.limit())?;
            let sum = Checksum::of(&bytes).to_string();
            anyhow::ensure!(
                sum == file.checksum,
                "{shown}: it has another checksum than the manifest says"
            );
            let mut rows = 0;
            files::read(&path, bytes, &mut |row| {
                rows += 1;
                working.note(format!("{}, row {rows}", file.name));
                if let Some(field) = wrong(&*game, &mut *session, &row, &control)? {
                    anyhow::bail!("{shown}, row {rows}: the field {field} is false");
                }
                let split = row.split(&of_game.game);
                anyhow::ensure!(split == file.split, "{shown}, row {rows}: it belongs to {split}");
                Ok(())
            })?;
            anyhow::ensure!(
                rows == file.rows,
                "{shown}: {rows} rows, and the manifest says {}",
                file.rows
            );
            count += rows;
        }
    }
    drop(working);
    let (folder, count) = (args.folder.display(), counted(count, "position", "positions"));
    writeln!(terminal::out(), "{folder}: {count} derived again, all right")?;
    Ok(())
}

/// A file beside the manifest, wherever its name would lead.
fn beside(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let plain = Path::new(name).file_name().is_some_and(|plain| plain == name);
    anyhow::ensure!(plain, "{name:?}: expected the name of a file beside the manifest");
    Ok(folder.join(name))
}

/// What is false in a row.
fn wrong(
    game: &dyn AnyGame,
    session: &mut dyn Session,
    row: &Row,
    control: &Control,
) -> anyhow::Result<Option<&'static str>> {
    session.go(None, &row.line.join(" "))?;
    let mut report = session.solve(&Request::default().with_line(false), control);
    match report.halted.take() {
        Some(halted) => Err(halted.into()),
        None => Ok(row.contradicts(&Row::solved(game, session, &report))),
    }
}
