//! `foregone dataset`: positions with the truth about them, as files to learn from and to measure by.

mod check;
mod files;
mod manifest;
mod suite;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use foregone::control::counted;
use foregone::dataset::{Wanted, rows};
use foregone::record::disk::Disk;
use foregone::record::format::checksum::Checksum;
use foregone::record::write::aside;
use foregone::{AnyGame, Control, Registry};

use self::files::{Format, Split};
use self::manifest::{CARD, GameFiles, Manifest, Options, Rules, SPLITS, card};
use crate::args::{
    ENDING, Memory, Refused, file_and_parameters, game_of, number, read_rules, time,
};
use crate::progress::Working;
use crate::terminal;

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    make: Make,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Derive every row of a dataset again
    Check(check::Check),
    /// Make the dataset of all games that can be solved whole in a short time, and of variants made by chance
    Suite(suite::Suite),
}

#[derive(clap::Args)]
struct Make {
    /// The games, or files with their rules
    #[arg(required = true)]
    games: Vec<String>,
    /// Take as many positions of each ply, of each value, or of both
    #[arg(long, value_name = "BY", value_delimiter = ',')]
    stratify: Vec<Stratum>,
    /// A game with more positions is not solved as a whole: its positions come from games of players
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = number(1..=1_000_000_000_u64))]
    whole: u64,
    /// Time to solve each position of such a game
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = time, allow_hyphen_values = true)]
    time: Duration,
    #[command(flatten)]
    written: Written,
}

/// What a dataset of given games and one of the suite have in common.
#[derive(clap::Args)]
struct Written {
    /// The folder to make; what was begun there with equal options is gone on with
    #[arg(short, long, value_name = "DIR", required = true)]
    output: Option<PathBuf>,
    /// Number of positions of each game, at most
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number(1..=10_000_000_u64))]
    positions: u64,
    /// Equal seeds give equal files, unless a position of a large game is not solved in the time
    #[arg(long, default_value_t = 1, value_parser = number(0_u64..))]
    seed: u64,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::usual())]
    format: Format,
    #[command(flatten)]
    memory: Memory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Stratum {
    /// The number of moves made
    Ply,
    /// The value for the side to move
    Value,
}

/// A game whose positions are wanted.
struct Source {
    game: Arc<dyn AnyGame>,
    /// Its rules, if they come from a file: the name of the file without folders, and the text.
    rules: Option<(String, String)>,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    match &args.verb {
        Some(Verb::Check(check)) => check::run(registry, check),
        Some(Verb::Suite(suite)) => suite::run(registry, suite),
        None => {
            let make = &args.make;
            let sources = make.games.iter().map(|text| Source::read(registry, text));
            let sources = sources.collect::<Result<Vec<_>, _>>()?;
            let mut wanted = Wanted::default();
            wanted.by_ply = make.stratify.contains(&Stratum::Ply);
            wanted.by_value = make.stratify.contains(&Stratum::Value);
            (wanted.whole, wanted.time) = (make.whole, make.time);
            write(&make.games, sources, wanted, &make.written, None)
        }
    }
}

/// A game of the registry, under its own name if it has one.
fn known(registry: &Registry, text: &str) -> anyhow::Result<Arc<dyn AnyGame>> {
    let name = crate::args::game(registry, text)?.specification();
    crate::args::game(registry, registry.called(&name).map_or(&name, |alias| alias.name))
}

impl Source {
    /// The game with a name, or of a file with rules.
    fn read(registry: &Registry, text: &str) -> anyhow::Result<Source> {
        match file_and_parameters(text) {
            Ok((file, given)) if file.ends_with(ENDING) => {
                let source = read_rules(file)?;
                let name = Path::new(file).file_name().and_then(|name| name.to_str());
                let name = name.unwrap_or("game.rules").to_owned();
                Source::of_rules(name, source, &given)
            }
            _ => Ok(Source { game: known(registry, text)?, rules: None }),
        }
    }

    /// The game of rules that will stand in a file.
    fn of_rules(name: String, source: String, given: &[(&str, &str)]) -> anyhow::Result<Source> {
        let game = game_of(&name, &source, given)?;
        Ok(Source { game, rules: Some((name, source)) })
    }
}

/// Makes the dataset of some games. Nothing is there under its name before all is.
fn write(
    named: &[String],
    sources: Vec<Source>,
    mut wanted: Wanted,
    args: &Written,
    variants: Option<u32>,
) -> anyhow::Result<()> {
    let output = args.output.as_ref().context("the folder to make was not named")?;
    if output.exists() {
        return Err(Refused(format!("{} exists: name a new folder", output.display())).into());
    }
    (wanted.positions, wanted.seed) = (args.positions as usize, args.seed);
    let mut names = BTreeSet::new();
    for Source { game, rules } in &sources {
        let twice = match rules {
            Some((name, text)) => sources.iter().any(|other| {
                other.rules.as_ref().is_some_and(|(one, own)| one == name && own != text)
            }),
            None => false,
        };
        if !names.insert(game.specification()) || twice {
            let name = game.specification();
            return Err(Refused(format!("{name} is there twice: name each game once")).into());
        }
    }
    let options = Options::of(named, &wanted, args.format, variants);
    let mut name = output.file_name().context("expected the name of a new folder")?.to_owned();
    name.push(".begun");
    let begun = output.with_file_name(name);
    let mut manifest = Manifest::begin(&begun, options)?;
    for (name, text) in sources.iter().filter_map(|source| source.rules.as_ref()) {
        let path = begun.join(name);
        if path.exists() && read_rules(&path.display().to_string())? != *text {
            let begun = begun.display();
            let why = format!("{name} has changed since {begun} was begun: remove that folder");
            return Err(Refused(why).into());
        }
    }
    let working = Working::start();
    let control = args.memory.control(&working);
    let (count, mut stems) = (sources.len(), BTreeSet::new());
    for (at, source) in sources.into_iter().enumerate() {
        let stem = stem(&source.game.specification(), &mut stems);
        if manifest.games.iter().any(|done| done.game == source.game.specification()) {
            continue;
        }
        working.note(format!("{} ({} of {count})", source.game.title(), at + 1));
        let game = write_game(&begun, &source, &stem, wanted, args.format, &control)?;
        manifest.games.push(game);
        manifest.save(&begun)?;
    }
    drop(working);
    put(&begun.join(CARD), card(&manifest).as_bytes())?;
    fs::rename(&begun, output).with_context(|| output.display().to_string())?;
    let all = manifest.games.iter().map(GameFiles::rows).sum();
    let games = counted(manifest.games.len() as u64, "game", "games");
    let (name, positions) = (output.display(), counted(all, "position", "positions"));
    writeln!(terminal::out(), "{name}: {positions} of {games}")?;
    Ok(())
}

/// What the names of a game's files begin with: its name as letters, figures and signs that any system takes.
fn stem(specification: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = specification.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_");
    let plain = plain.trim_matches('_').to_owned();
    let numbered = (2..).map(|number| format!("{plain}-{number}"));
    let mut names = std::iter::once(plain.clone()).chain(numbered);
    let name = names.find(|name| taken.insert(name.clone()));
    name.unwrap_or(plain)
}

fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let written = aside(&Disk::default(), path, |to| to.write_all(bytes));
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn write_game(
    folder: &Path,
    source: &Source,
    stem: &str,
    wanted: Wanted,
    format: Format,
    control: &Control,
) -> anyhow::Result<GameFiles> {
    let game = &*source.game;
    let name = game.specification();
    let begin = |split: &str| Split::begin(folder, format!("{stem}-{split}"), format);
    let mut splits = SPLITS.iter().map(|split| begin(split)).collect::<Result<Vec<_>, _>>()?;
    let (mut about, mut failed) = (GameFiles::of(game), None);
    about.open = rows(game, wanted, control, &mut |row| {
        *about.difficulty.entry(row.difficulty.clone()).or_default() += 1;
        about.found.clone_from(&row.found);
        let at = SPLITS.iter().position(|split| *split == row.split(&name)).unwrap_or(0);
        match splits[at].add(row) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    if let Some((name, text)) = &source.rules {
        put(&folder.join(name), text.as_bytes())?;
        let checksum = Checksum::of(text.as_bytes()).to_string();
        about.source = Some(Rules { name: name.clone(), checksum });
    }
    let parts = SPLITS.iter().zip(splits).map(|(split, file)| file.end(split));
    about.files = parts.collect::<Result<Vec<_>, _>>()?;
    Ok(about)
}
