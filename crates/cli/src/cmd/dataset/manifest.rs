//! What a dataset consists of: `manifest.json`, and the card that hubs of datasets show.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use foregone::AnyGame;
use foregone::any::describe;
use foregone::dataset::{WHOLE, Wanted};
use serde::{Deserialize, Serialize};

use super::files::Format;
use super::put;
use crate::args::Refused;

pub const MANIFEST: &str = "manifest.json";
pub const CARD: &str = "README.md";
pub const SPLITS: [&str; 3] = ["train", "validation", "test"];

/// The longest manifest that is read, in bytes.
const LONGEST: u64 = 64 << 20;

#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    pub foregone: String,
    #[serde(flatten)]
    pub options: Options,
    pub games: Vec<GameFiles>,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The games as they were named; none for the whole suite.
    pub named: Vec<String>,
    pub positions: u64,
    pub seed: u64,
    pub stratify: Vec<String>,
    pub whole: u64,
    /// Seconds for a position of a game that is not solved whole.
    pub time: f64,
    pub format: String,
    /// The number of variants of a suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<u32>,
}

/// A game of it.
#[derive(Debug, Serialize, Deserialize)]
pub struct GameFiles {
    pub game: String,
    pub title: String,
    /// The file beside the manifest that has its rules, if they are no part of Foregone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Rules>,
    /// The rules in English, how the game is set up, and how moves and positions are written.
    pub rules: String,
    pub unit: String,
    pub sides: [String; 2],
    /// How the positions were found, and how many of them were not solved in the time.
    pub found: String,
    pub open: u64,
    /// How many are of each difficulty.
    pub difficulty: BTreeMap<String, u64>,
    pub files: Vec<Part>,
}

/// A file of rules.
#[derive(Debug, Serialize, Deserialize)]
pub struct Rules {
    pub name: String,
    /// XXH3 of its bytes, 64 bits.
    pub checksum: String,
}

/// A file of rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    pub name: String,
    pub split: String,
    pub rows: u64,
    /// XXH3 of its bytes, 64 bits.
    pub checksum: String,
}

impl Options {
    pub fn of(named: &[String], wanted: &Wanted, format: Format, variants: Option<u32>) -> Options {
        let strata = [("ply", wanted.by_ply), ("value", wanted.by_value)];
        let strata = strata.into_iter().filter(|(_, asked)| *asked);
        Options {
            named: named.to_vec(),
            positions: wanted.positions as u64,
            seed: wanted.seed,
            stratify: strata.map(|(name, _)| name.to_owned()).collect(),
            whole: wanted.whole,
            time: wanted.time.as_secs_f64(),
            format: format.ending().to_owned(),
            variants,
        }
    }
}

impl Manifest {
    /// A manifest without games in a new folder, or the one with equal options that is there.
    pub fn begin(folder: &Path, options: Options) -> anyhow::Result<Manifest> {
        let foregone = env!("CARGO_PKG_VERSION").to_owned();
        let manifest = Manifest { foregone, options, games: Vec::new() };
        if !folder.exists() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            manifest.save(folder)?;
            return Ok(manifest);
        }
        let begun = Manifest::read(folder)
            .with_context(|| format!("cannot go on with {}: remove it", folder.display()))?;
        if begun.options == manifest.options && begun.foregone == manifest.foregone {
            return Ok(begun);
        }
        let folder = folder.display();
        let why = format!(
            "{folder} has a dataset that was begun with other options: remove it, or name another folder"
        );
        Err(Refused(why).into())
    }

    /// The manifest of a folder.
    pub fn read(folder: &Path) -> anyhow::Result<Manifest> {
        let path = folder.join(MANIFEST);
        let named = || path.display().to_string();
        let about = fs::metadata(&path).with_context(named)?;
        anyhow::ensure!(about.is_file() && about.len() <= LONGEST, "{}: not a manifest", named());
        let text = fs::read_to_string(&path).with_context(named)?;
        serde_json::from_str(&text)
            .with_context(|| format!("{}: expected what `foregone dataset` writes", named()))
    }

    pub fn save(&self, folder: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        put(&folder.join(MANIFEST), text.as_bytes())
    }
}

impl GameFiles {
    /// What the rules say of a game; nothing of its positions.
    pub fn of(game: &dyn AnyGame) -> GameFiles {
        GameFiles {
            game: game.specification(),
            title: game.title().to_owned(),
            source: None,
            rules: describe::rules(game),
            unit: game.unit().to_owned(),
            sides: game.sides().map(str::to_owned),
            found: String::new(),
            open: 0,
            difficulty: BTreeMap::new(),
            files: Vec::new(),
        }
    }

    /// The name of a field that says something else than what was derived from rules and rows.
    pub fn contradicts(&self, derived: &GameFiles, options: &Options) -> Option<&'static str> {
        let splits = self.files.iter().map(|file| &file.split);
        let right = [
            ("game", self.game == derived.game),
            ("title", self.title == derived.title),
            ("rules", self.rules == derived.rules),
            ("unit", self.unit == derived.unit),
            ("sides", self.sides == derived.sides),
            ("difficulty", self.difficulty == derived.difficulty),
            ("found", self.found == derived.found),
            ("open", self.open == 0 || self.found != WHOLE),
            ("files", splits.eq(&SPLITS)),
            ("positions", derived.rows() <= options.positions),
        ];
        right.into_iter().find_map(|(field, right)| (!right).then_some(field))
    }

    pub fn rows(&self) -> u64 {
        self.files.iter().map(|file| file.rows).sum()
    }
}

/// The card, in Markdown.
pub fn card(manifest: &Manifest) -> String {
    let mut text = "---\nlicense: cc0-1.0\npretty_name: Positions of solved games\ntags:\n- games\n- solved-games\nconfigs:\n".to_owned();
    for game in &manifest.games {
        text += &format!("- config_name: {:?}\n  data_files:\n", game.game);
        for file in &game.files {
            text += &format!("  - split: {}\n    path: {}\n", file.split, file.name);
        }
    }
    text += "---\n\n# Positions of solved games\n\nEvery value is exact: it is what perfect play leads to.\n\n";
    text += "| game | positions | how | free | easy | hard | only |\n| --- | --- | --- | --- | --- | --- | --- |\n";
    for game in &manifest.games {
        let count = |kind: &str| game.difficulty.get(kind).copied().unwrap_or(0);
        let [free, easy, hard, only] = ["free", "easy", "hard", "only"].map(count);
        let title = match &game.source {
            Some(rules) => format!("{} ([rules]({}))", game.title, rules.name),
            None => game.game.clone(),
        };
        let (rows, found) = (game.rows(), &game.found);
        text += &format!("| {title} | {rows} | {found} | {free} | {easy} | {hard} | {only} |\n");
    }
    text += "\nColumns: `position` in the game's notation; `line`, moves that lead to it; `cells`, what stands on the board as \
        numbers; `board`, the same as text; `text`, board, side to move and legal moves in English; `alike`, the position that \
        stands for all its images; `ply`; `turn`; `value` for \
        the side to move; `plies` to the end by perfect play; `legal` moves, with `values` and `distances` of each; `best` \
        moves; `found`, by all positions or by a search; `difficulty`: `free` if every move keeps the value, `only` if one \
        does, else `easy` if at least half do, or `hard`. Splits are made by `alike`, so that no position of one is the image of one in \
        another. The rules of each game stand in `manifest.json` in English, beside checksums of all files (XXH3, 64 bits).\n\n";
    let Options { named, positions, seed, stratify, whole, time, format, variants } =
        &manifest.options;
    let named: String = named.iter().map(|game| format!(" \"{game}\"")).collect();
    let what = match variants {
        Some(variants) => format!(" suite{named} --variants {variants}"),
        None if stratify.is_empty() => format!("{named} --whole {whole} --time {time}s"),
        None => format!("{named} --whole {whole} --time {time}s --stratify {}", stratify.join(",")),
    };
    let version = &manifest.foregone;
    text += &format!(
        "Made by Foregone {version}:\n\n```text\nforegone dataset{what} --positions {positions} --seed {seed} --format {format} \
         -o DIR\nforegone dataset check DIR\n```\n"
    );
    text
}
