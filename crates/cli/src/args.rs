//! What the verbs' command lines have in common: which game, which position, which limits.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use foregone::any::did_you_mean;
use foregone::control::bytes;
use foregone::{Control, Registry, Session};

use sysinfo::{MemoryRefreshKind, System};

use crate::progress::Working;

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
    /// Memory to use at most, such as 512M or 8G [default: 4G, or all that the machine has]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
}

impl Memory {
    /// Limits as given, stopped by Ctrl-C, telling of progress to a terminal.
    pub fn control(&self, working: &Working) -> Control {
        let control = working.control();
        let usual = there(control.memory());
        control.with_memory(self.memory.unwrap_or(usual))
    }
}

/// A size of memory, no larger than the machine's: with more the system would end the program when
/// it has taken all there is.
pub fn size(text: &str) -> Result<u64, String> {
    let size = parse_size::Config::new().with_binary().parse_size(text);
    let size = size
        .map_err(|error| format!("{error}; a size is a number with a unit, such as 512M or 8G"))?;
    within(size, memory_of_machine())
}

fn within(size: u64, all: Option<u64>) -> Result<u64, String> {
    match all {
        Some(all) if size > all => {
            Err(format!("this machine has only {}: choose less, or leave it out", bytes(all)))
        }
        _ => Ok(size),
    }
}

/// So much memory, or all that the machine has, if that is less.
pub fn there(size: u64) -> u64 {
    memory_of_machine().map_or(size, |all| size.min(all))
}

/// How many bytes of memory the machine has, or the container that the program runs in; `None` if
/// the system does not say.
fn memory_of_machine() -> Option<u64> {
    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let container = system.cgroup_limits().map(|limits| limits.total_memory);
    let all = container.into_iter().chain([system.total_memory()]).filter(|all| *all > 0);
    all.min()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_memory_than_there_is_is_refused() {
        assert_eq!(within(5 << 30, Some(8 << 30)), Ok(5 << 30));
        assert_eq!(within(5 << 30, None), Ok(5 << 30));
        let refused = within(10 << 40, Some(8 << 30));
        assert_eq!(
            refused,
            Err("this machine has only 8 GiB: choose less, or leave it out".into())
        );
        assert!(memory_of_machine().is_none_or(|all| all > 1 << 20));
        assert_eq!(size("1M"), Ok(1 << 20));
        assert_eq!(there(1 << 20), 1 << 20);
        assert!(size("8000000T").is_err() || memory_of_machine().is_none());
    }
}
