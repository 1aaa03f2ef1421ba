//! What the verbs' command lines have in common: which game, which position, which limits.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use foregone::registry::did_you_mean;
use foregone::{Control, Registry, Session};

use crate::term::Working;

/// A request that cannot be carried out as it stands: the message says what would be right.
#[derive(Debug)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// A file that is whole, but cannot be shown to be right.
#[derive(Debug)]
pub struct Unshown(pub String);

impl fmt::Display for Unshown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unshown {}

/// A position of a game.
#[derive(clap::Args)]
pub struct Place {
    /// The game, such as tic-tac-toe or "kalah(pits=4,stones=3)"; `foregone games` lists them
    pub game: String,
    /// The position, in the game's notation (see `foregone games GAME`) [default: the start]
    #[arg(long, value_name = "TEXT")]
    pub position: Option<String>,
    /// Moves to make first, parted by commas or spaces
    #[arg(long, value_name = "M1,M2,...", default_value = "", hide_default_value = true)]
    pub moves: String,
}

impl Place {
    pub fn open(&self, registry: &Registry) -> anyhow::Result<Box<dyn Session>> {
        let game = registry.game(&self.game)?;
        Ok(game.open(self.position.as_deref(), &self.moves)?)
    }
}

/// How much memory a run may use.
#[derive(clap::Args)]
pub struct Memory {
    /// Memory for positions, such as 512M or 8G [default: 4G]; minimax, negamax and alphabeta
    /// remember positions only where this is given
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
}

impl Memory {
    /// Limits as given, stopped by Ctrl-C, telling of progress to a terminal.
    pub fn control(&self, working: &Working) -> Control {
        let control = working.control();
        match self.memory {
            Some(memory) => control.with_memory(memory),
            None => control,
        }
    }
}

pub fn size(text: &str) -> Result<u64, String> {
    let size = parse_size::Config::new().with_binary().parse_size(text);
    size.map_err(|error| format!("{error}; a size is a number with a unit, such as 512M or 8G"))
}

/// A span of time, at least a millisecond.
pub fn time(text: &str) -> Result<Duration, String> {
    let span = match text.parse::<u32>() {
        Ok(seconds) => Ok(Duration::from_secs(seconds.into())),
        Err(_) => humantime::parse_duration(text).map_err(|error| error.to_string()),
    };
    let wanted = "a time is a number with a unit, such as 10s, 500ms or 2h, and more than 0";
    let span = span.map_err(|error| format!("{error}; {wanted}"))?;
    if span.is_zero() { Err(wanted.to_owned()) } else { Ok(span) }
}

/// One of some words, or an error that lists them and names the nearest.
pub fn choice<T: Copy>(text: &str, what: &str, words: &[(&str, T)]) -> Result<T, String> {
    if let Some((_, choice)) = words.iter().find(|(word, _)| *word == text) {
        return Ok(*choice);
    }
    let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
    Err(format!("expected {what}: {}{}", words.join(", "), did_you_mean(text, &words)))
}

/// Refuses to write over a file unless asked for, and over what is no plain file.
pub fn may_write(path: &Path, force: bool) -> Result<(), Refused> {
    let Ok(found) = std::fs::symlink_metadata(path) else { return Ok(()) };
    let path = path.display();
    match found.is_file() {
        false => Err(Refused(format!("{path} is there already, and is no plain file"))),
        true if !force => Err(Refused(format!("{path} is there already: --force writes over it"))),
        true => Ok(()),
    }
}
