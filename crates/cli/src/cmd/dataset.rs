//! `foregone dataset`: positions with the truth about them, as files to learn from and to measure by.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use foregone::control::counted;
use foregone::dataset::{Row, Wanted, rows};
use foregone::record::disk::Disk;
use foregone::record::format::checksum::Checksum;
use foregone::record::write::aside;
use foregone::{AnyGame, Control, Registry, Request, Session};
use serde::{Deserialize, Serialize};

use crate::args::{Memory, Refused, number, time};
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
    Check(Check),
}

#[derive(clap::Args)]
struct Make {
    /// The games, or files with their rules
    #[arg(required = true)]
    games: Vec<String>,
    /// The folder to make
    #[arg(short, long, value_name = "DIR", required = true)]
    output: Option<PathBuf>,
    /// Number of positions of each game, at most
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number(1..=10_000_000_u64))]
    positions: u64,
    /// Equal seeds give equal files, unless a position of a large game is not solved in the time
    #[arg(long, default_value_t = 1, value_parser = number(0_u64..))]
    seed: u64,
    /// Take as many positions of each ply, of each value, or of both
    #[arg(long, value_name = "BY", value_delimiter = ',')]
    stratify: Vec<Stratum>,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::usual())]
    format: Format,
    /// A game with more positions is not solved as a whole: its positions come from games of players
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = number(1..=1_000_000_000_u64))]
    whole: u64,
    /// Time to solve each position of such a game
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = time, allow_hyphen_values = true)]
    time: Duration,
    #[command(flatten)]
    memory: Memory,
}

#[derive(clap::Args)]
struct Check {
    /// The folder of a dataset
    folder: PathBuf,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Compressed columns
    Parquet,
    /// A line of JSON for each position
    Jsonl,
}

impl Format {
    fn usual() -> Format {
        if cfg!(feature = "parquet") { Format::Parquet } else { Format::Jsonl }
    }

    fn ending(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Jsonl => "jsonl",
        }
    }
}

/// What a dataset consists of, in `manifest.json`.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    foregone: String,
    positions: u64,
    seed: u64,
    stratify: Vec<String>,
    games: Vec<GameFiles>,
}

/// A game of it.
#[derive(Debug, Serialize, Deserialize)]
struct GameFiles {
    game: String,
    title: String,
    /// For people and language models.
    rules: String,
    moves: String,
    notation: String,
    unit: String,
    sides: [String; 2],
    /// How the positions were found, and how many of them were not solved in the time.
    found: String,
    open: u64,
    /// How many are of each difficulty.
    difficulty: BTreeMap<String, u64>,
    files: Vec<Part>,
}

/// A file.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    name: String,
    split: String,
    rows: u64,
    /// XXH3 of its bytes, 64 bits.
    checksum: String,
}

const MANIFEST: &str = "manifest.json";
const SPLITS: [&str; 3] = ["train", "validation", "test"];

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    match &args.verb {
        Some(Verb::Check(check)) => self::check(registry, check),
        None => make(registry, &args.make),
    }
}

fn make(registry: &Registry, args: &Make) -> anyhow::Result<()> {
    let (Some(output), games) = (&args.output, &args.games) else {
        return Err(Refused("expected --output DIR, the folder to make".to_owned()).into());
    };
    if output.exists() {
        return Err(Refused(format!("{} exists: name a new folder", output.display())).into());
    }
    let opened: Vec<_> =
        games.iter().map(|name| crate::args::game(registry, name)).collect::<Result<_, _>>()?;
    let mut wanted = Wanted::default();
    (wanted.positions, wanted.seed) = (args.positions as usize, args.seed);
    wanted.by_ply = args.stratify.contains(&Stratum::Ply);
    wanted.by_value = args.stratify.contains(&Stratum::Value);
    (wanted.whole, wanted.time) = (args.whole, args.time);
    // Nothing is there under its name before all is.
    let begun = PathBuf::from(format!("{}.begun", output.display()));
    if let Some(parent) = begun.parent() {
        fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
    }
    fs::create_dir(&begun).with_context(|| begun.display().to_string())?;
    let working = Working::start();
    let control = args.memory.control(&working);
    let mut files = Vec::new();
    for (at, game) in opened.iter().enumerate() {
        working.note(format!("{} ({} of {})", game.title(), at + 1, opened.len()));
        let (rows, open) = rows(&mut *game.session(), wanted, &control)?;
        files.push(write_game(&begun, &**game, &rows, open, args.format)?);
    }
    drop(working);
    let stratify = args.stratify.iter().map(|by| format!("{by:?}").to_lowercase()).collect();
    let manifest = Manifest {
        foregone: env!("CARGO_PKG_VERSION").to_owned(),
        positions: args.positions,
        seed: args.seed,
        stratify,
        games: files,
    };
    let text = serde_json::to_string_pretty(&manifest)? + "\n";
    put(&begun.join(MANIFEST), text.as_bytes())?;
    put(&begun.join("README.md"), card(&manifest, games, args.format).as_bytes())?;
    fs::rename(&begun, output).with_context(|| output.display().to_string())?;
    let all = manifest.games.iter().map(GameFiles::rows).sum();
    let mut out = terminal::out();
    let games = counted(manifest.games.len() as u64, "game", "games");
    writeln!(out, "{}: {} of {games}", output.display(), counted(all, "position", "positions"))?;
    Ok(())
}

impl GameFiles {
    fn rows(&self) -> u64 {
        self.files.iter().map(|file| file.rows).sum()
    }
}

fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let written = aside(&Disk::default(), path, |to| to.write_all(bytes));
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn write_game(
    folder: &Path,
    game: &dyn AnyGame,
    rows: &[Row],
    open: u64,
    format: Format,
) -> anyhow::Result<GameFiles> {
    let about = game.about();
    let mut files = Vec::new();
    for split in SPLITS {
        let name = game.specification();
        let part: Vec<&Row> = rows.iter().filter(|row| row.split(&name) == split).collect();
        let bytes = match format {
            Format::Jsonl => jsonl(&part)?,
            Format::Parquet => parquet(&part)?,
        };
        let plain = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_");
        let name = format!("{}-{split}.{}", plain.trim_end_matches('_'), format.ending());
        put(&folder.join(&name), &bytes)?;
        let (rows, checksum) = (part.len() as u64, Checksum::of(&bytes).to_string());
        files.push(Part { name, split: split.to_owned(), rows, checksum });
    }
    let mut difficulty = BTreeMap::new();
    rows.iter().for_each(|row| *difficulty.entry(row.difficulty().to_owned()).or_default() += 1);
    Ok(GameFiles {
        game: game.specification(),
        title: game.title().to_owned(),
        rules: about.rules.clone(),
        moves: about.move_notation.clone(),
        notation: about.position_notation.clone(),
        unit: game.unit().to_owned(),
        sides: game.sides().map(str::to_owned),
        found: rows.first().map_or(String::new(), |row| row.found.clone()),
        open,
        difficulty,
        files,
    })
}

/// A row with what is derived from it.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    row: &'a Row,
    difficulty: &'static str,
}

fn jsonl(rows: &[&Row]) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut bytes, &Line { row, difficulty: row.difficulty() })?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &[&Row]) -> anyhow::Result<Vec<u8>> {
    Err(Refused(super::table::rows::WITHOUT.to_owned()).into())
}

#[cfg(feature = "parquet")]
fn parquet(rows: &[&Row]) -> anyhow::Result<Vec<u8>> {
    use crate::columns::{Column, Columns};
    let text =
        |of: fn(&Row) -> &String| Column::Texts(rows.iter().map(|row| of(row).clone()).collect());
    let texts = |of: fn(&Row) -> &Vec<String>| {
        Column::TextLists(rows.iter().map(|row| of(row).clone()).collect())
    };
    let numbers = |of: fn(&Row) -> Vec<Option<i32>>| {
        Column::NumberLists(rows.iter().map(|row| of(row)).collect())
    };
    let plies = |plies: &Option<u32>| plies.map(|plies| plies as i32);
    let columns = [
        ("position", text(|row| &row.position)),
        ("line", texts(|row| &row.line)),
        ("cells", numbers(|row| row.cells.iter().copied().map(Some).collect())),
        ("board", text(|row| &row.board)),
        ("alike", text(|row| &row.alike)),
        ("ply", Column::Numbers(rows.iter().map(|row| row.ply as i32).collect())),
        ("turn", text(|row| &row.turn)),
        ("value", Column::Numbers(rows.iter().map(|row| row.value).collect())),
        ("plies", Column::Known(rows.iter().map(|row| plies(&row.plies)).collect())),
        ("legal", texts(|row| &row.legal)),
        ("values", numbers(|row| row.values.iter().copied().map(Some).collect())),
        (
            "distances",
            numbers(|row| {
                row.distances.iter().map(|plies| plies.map(|plies| plies as i32)).collect()
            }),
        ),
        ("best", texts(|row| &row.best)),
        ("found", text(|row| &row.found)),
        ("difficulty", Column::Texts(rows.iter().map(|row| row.difficulty().to_owned()).collect())),
    ];
    let (names, columns): (Vec<&str>, Vec<Column>) = columns.into_iter().unzip();
    let mut bytes = Vec::new();
    let mut file = Columns::new(&mut bytes, &names, &columns)?;
    if !rows.is_empty() {
        file.write(&columns)?;
    }
    file.close()?;
    Ok(bytes)
}

/// The card that hubs of datasets show.
fn card(manifest: &Manifest, games: &[String], format: Format) -> String {
    let mut text = "---\nlicense: cc0-1.0\npretty_name: Positions of solved games\ntags:\n- games\n- solved-games\nconfigs:\n".to_owned();
    for game in &manifest.games {
        text += &format!("- config_name: \"{}\"\n  data_files:\n", game.game);
        for file in &game.files {
            text += &format!("  - split: {}\n    path: {}\n", file.split, file.name);
        }
    }
    text += "---\n\n# Positions of solved games\n\nEvery value is exact: it is what perfect play leads to.\n\n";
    text += "| game | positions | how | free | easy | hard | only |\n| --- | --- | --- | --- | --- | --- | --- |\n";
    for game in &manifest.games {
        let count = |kind: &str| game.difficulty.get(kind).copied().unwrap_or(0);
        let [free, easy, hard, only] = ["free", "easy", "hard", "only"].map(count);
        text += &format!(
            "| {} | {} | {} | {free} | {easy} | {hard} | {only} |\n",
            game.game,
            game.rows(),
            game.found
        );
    }
    text += "\nColumns: `position` in the game's notation; `line`, moves that lead to it; `cells`, what stands on the board as \
        numbers; `board`, the same as text; `alike`, the position that stands for all its images; `ply`; `turn`; `value` for \
        the side to move; `plies` to the end by perfect play; `legal` moves, with `values` and `distances` of each; `best` \
        moves; `found`, by all positions or by a search; `difficulty`: `free` if every move keeps the value, `easy` if at least \
        half do, `only` if one does, else `hard`. Splits are made by `alike`, so that no position of one is the image of one in \
        another. Rules in English stand in `manifest.json`, beside checksums of all files (XXH3, 64 bits).\n\n";
    let options = match &manifest.stratify[..] {
        [] => String::new(),
        by => format!(" --stratify {}", by.join(",")),
    };
    let quoted: Vec<String> = games.iter().map(|game| format!("\"{game}\"")).collect();
    text += &format!(
        "Made by Foregone {}:\n\n```text\nforegone dataset {} --positions {} --seed {}{options} --format {} -o DIR\nforegone dataset check DIR\n```\n",
        manifest.foregone,
        quoted.join(" "),
        manifest.positions,
        manifest.seed,
        format.ending()
    );
    text
}

fn check(registry: &Registry, args: &Check) -> anyhow::Result<()> {
    let manifest = args.folder.join(MANIFEST);
    let text = fs::read_to_string(&manifest).with_context(|| manifest.display().to_string())?;
    let manifest: Manifest = serde_json::from_str(&text).with_context(|| {
        format!("{}: expected what `foregone dataset` writes", manifest.display())
    })?;
    let working = Working::start();
    let control = args.memory.control(&working);
    let mut count = 0;
    for of_game in &manifest.games {
        let game = crate::args::game(registry, &of_game.game)?;
        let mut session = game.session();
        for file in &of_game.files {
            // A file beside the manifest, wherever its name would lead.
            let plain =
                Path::new(&file.name).file_name().is_some_and(|name| name == file.name.as_str());
            anyhow::ensure!(
                plain,
                "{:?}: expected the name of a file beside the manifest",
                file.name
            );
            let path = args.folder.join(&file.name);
            let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
            anyhow::ensure!(
                Checksum::of(&bytes).to_string() == file.checksum,
                "{}: it has another checksum than the manifest says",
                path.display()
            );
            let rows = read(&path, &bytes)?;
            anyhow::ensure!(
                rows.len() as u64 == file.rows,
                "{}: {} rows, and the manifest says {}",
                path.display(),
                rows.len(),
                file.rows
            );
            for (at, row) in rows.iter().enumerate() {
                working.note(format!("{}, row {}", file.name, at + 1));
                let place = || format!("{}, row {}", path.display(), at + 1);
                let wrong = wrong(&mut *session, row, &control).with_context(place)?;
                if let Some(field) = wrong {
                    anyhow::bail!("{}: the field {field} is false", place());
                }
                anyhow::ensure!(
                    row.split(&of_game.game) == file.split,
                    "{}: it belongs to {}",
                    place(),
                    row.split(&of_game.game)
                );
                count += 1;
            }
        }
    }
    drop(working);
    writeln!(
        terminal::out(),
        "{}: {} derived again, all right",
        args.folder.display(),
        counted(count, "position", "positions")
    )?;
    Ok(())
}

/// What is false in a row.
fn wrong(
    session: &mut dyn Session,
    row: &Row,
    control: &Control,
) -> anyhow::Result<Option<&'static str>> {
    session.go(None, &row.line.join(" "))?;
    let mut report = session.solve(&Request::default().with_line(false), control);
    match report.halted.take() {
        Some(halted) => Err(halted.into()),
        None => Ok(row.contradicts(&Row::solved(session, &report))),
    }
}

fn read(path: &Path, bytes: &[u8]) -> anyhow::Result<Vec<Row>> {
    if path.extension().is_some_and(|end| end == "jsonl") {
        let lines = BufReader::new(bytes).lines();
        return lines.map(|line| Ok(serde_json::from_str(&line?)?)).collect();
    }
    read_parquet(bytes)
}

#[cfg(not(feature = "parquet"))]
fn read_parquet(_: &[u8]) -> anyhow::Result<Vec<Row>> {
    Err(Refused(super::table::rows::WITHOUT.to_owned()).into())
}

/// Rows of Parquet are objects of JSON with the fields of a row.
#[cfg(feature = "parquet")]
fn read_parquet(bytes: &[u8]) -> anyhow::Result<Vec<Row>> {
    use parquet::file::reader::FileReader;
    use parquet::file::serialized_reader::SerializedFileReader;
    let reader = SerializedFileReader::new(bytes::Bytes::copy_from_slice(bytes))?;
    let rows = reader.get_row_iter(None)?;
    rows.map(|row| Ok(serde_json::from_value(row?.to_json_value())?)).collect()
}
