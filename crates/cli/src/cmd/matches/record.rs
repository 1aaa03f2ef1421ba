//! The games of a match, in memory and in a file of JSON lines: the match first, then each game as it ends.
//!
//! A match that was cut off goes on from its file. The last line may be cut off, too; then its game is played again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::args::Refused;

/// What is equal for all games of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The game with all its parameters.
    pub game: String,
    pub player: String,
    pub opponent: String,
    /// The time for a move.
    pub seconds: f64,
    /// How many plies alpha-beta and minimax look ahead.
    pub depth: u32,
    /// The random moves of an opening.
    pub plies: u32,
    /// The most moves of a game after its opening.
    pub longest: u32,
    pub seed: u64,
    /// What a wrong reply of a program does.
    #[serde(default)]
    pub on_illegal: OnIllegal,
}

/// What happens where a program answers no legal move, not in time, or not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnIllegal {
    /// It loses the game
    #[default]
    Loss,
    /// A random move is made for it
    Count,
    /// The match ends
    Stop,
}

/// A wrong reply of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The program.
    pub player: String,
    /// The number of moves after the opening.
    pub ply: usize,
    pub error: String,
}

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Its number; the player moves first if it is even.
    pub number: u64,
    pub opening: Vec<String>,
    pub moves: Vec<String>,
    /// The result as the first side sees it; `None` if the game was too long, or a program lost it by a wrong reply.
    pub outcome: Option<i32>,
    /// 1 if the player has won, 0 for a draw, -1 if the opponent has won.
    pub result: i32,
    /// The wrong replies of programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// The version of the program that played it, as `--version` says; empty if the record does not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
}

impl Played {
    /// Whether the player moved first.
    pub fn moved_first(&self) -> bool {
        self.number.is_multiple_of(2)
    }
}

/// All games that have ended.
pub struct Record {
    games: BTreeMap<u64, Played>,
    file: Option<File>,
}

impl Record {
    /// An empty record, or the one in a file; the file is made if it does not exist.
    pub fn open(path: Option<&Path>, settings: &Settings) -> anyhow::Result<Record> {
        let Some(path) = path else { return Ok(Record { games: BTreeMap::new(), file: None }) };
        let named = || path.display().to_string();
        let refused = |why: &str| Refused(format!("{}: {why}", path.display()));
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(refused("not a regular file: choose another name").into());
        }
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.with_context(named)?,
        };
        // What follows the last end of a line was cut off.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        match lines.next().map(serde_json::from_str::<Settings>) {
            None if !text.is_empty() => return Err(refused("not the record of a match").into()),
            Some(Err(_)) => return Err(refused("not the record of a match").into()),
            Some(Ok(other)) if other != *settings => {
                let why = "the record of a match with other players, game or options: choose another file";
                return Err(refused(why).into());
            }
            _ => {}
        }
        let mut games = BTreeMap::new();
        for line in lines {
            let game: Played = serde_json::from_str(line)
                .map_err(|error| refused(&format!("a damaged game: {error}")))?;
            games.insert(game.number, game);
        }
        let mut file = File::options().create(true).append(true).open(path).with_context(named)?;
        file.set_len(whole as u64).with_context(named)?;
        if whole == 0 {
            writeln!(file, "{}", serde_json::to_string(settings)?).with_context(named)?;
        }
        Ok(Record { games, file: Some(file) })
    }

    pub fn has(&self, number: u64) -> bool {
        self.games.contains_key(&number)
    }

    /// Adds a game that has ended.
    pub fn add(&mut self, game: Played) -> anyhow::Result<()> {
        if let Some(file) = &mut self.file {
            writeln!(file, "{}", serde_json::to_string(&game)?).context("the record")?;
            file.sync_data().context("the record")?;
        }
        self.games.insert(game.number, game);
        Ok(())
    }

    /// The games with numbers below this, in order.
    pub fn played(&self, below: u64) -> Vec<&Played> {
        self.games.range(..below).map(|(_, game)| game).collect()
    }
}
