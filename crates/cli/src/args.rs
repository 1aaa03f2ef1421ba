//! Arguments that several verbs share: the game, the position, the limits.

use std::fmt;
use std::io::Read;
use std::ops::{Bound, RangeBounds};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use foregone::control::bytes;
use foregone::family::{Call, parse_specification};
use foregone::tables::Failed;
use foregone::text::Problems;
use foregone::{AnyGame, Control, Halted, Invalid, Registry, Session, TextError, text_game};
use sysinfo::{MemoryRefreshKind, System};

use crate::progress::Working;

/// A wrong request; the message says what to change.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// A file that is intact, but cannot be shown to be right.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unshown(pub String);

/// A limit was reached before the question was answered.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Limited(pub String);

/// The end of a build that left what it found in a folder, and what to do.
pub fn goes_on(failed: Failed) -> anyhow::Error {
    let again = "not finished; run the same command again to continue";
    match &failed {
        Failed::Halted(halted @ Halted::Time { .. }) => {
            Limited(format!("{again}: {halted}")).into()
        }
        _ => anyhow::Error::new(failed).context(again),
    }
}

/// A position of a game.
#[derive(clap::Args)]
pub struct Place {
    /// The game, such as tic-tac-toe or "kalah(pits=4,stones=3)", or a file with its rules, such as
    /// my-game.rules; `foregone games` and `foregone rules` list the games
    pub game: String,
    /// The position, in the game's notation (see `foregone games GAME`) [default: the start]
    #[arg(long, allow_hyphen_values = true, value_name = "TEXT")]
    pub position: Option<String>,
    /// Moves to make first, separated by commas or spaces
    #[arg(long, value_name = "M1,M2,...", default_value = "", hide_default_value = true)]
    pub moves: String,
}

impl Place {
    /// The game, and a session at the position.
    pub fn open(
        &self,
        registry: &Registry,
    ) -> anyhow::Result<(Arc<dyn AnyGame>, Box<dyn Session>)> {
        let game = game(registry, &self.game)?;
        let session = self.session(&*game)?;
        Ok((game, session))
    }

    /// A session of the game at the position.
    pub fn session(&self, game: &dyn AnyGame) -> anyhow::Result<Box<dyn Session>> {
        Ok(game.open(self.position.as_deref(), &self.moves)?)
    }
}

/// The game with a name, or in a file: `my-game.rules`, or `my-game.rules(size=5)`.
pub fn game(registry: &Registry, text: &str) -> anyhow::Result<Arc<dyn AnyGame>> {
    match file_and_parameters(text) {
        Ok((file, given)) if file.ends_with(ENDING) => game_of(file, &read_rules(file)?, &given),
        Ok((file, _)) if registry.game(text).is_err() && is_foreign(file) => Err(foreign(file)),
        Ok((file, _)) if registry.game(text).is_err() && std::path::Path::new(file).is_file() => {
            let why = format!("{file} is a file, but files with rules end in {ENDING}: rename it");
            Err(Refused(why).into())
        }
        Ok((name, _))
            if registry.game(text).is_err()
                && std::path::Path::new(&format!("{name}{ENDING}")).is_file() =>
        {
            let why = format!("there is no game `{name}`; did you mean the file `{name}{ENDING}`?");
            Err(Refused(why).into())
        }
        _ => Ok(registry.game(text)?),
    }
}

/// Whether a file is called like those with the rules of another system.
pub fn is_foreign(file: &str) -> bool {
    let ending = std::path::Path::new(file).extension().map(|ending| ending.to_ascii_lowercase());
    ["lud", "kif", "gdl", "zrf"].iter().any(|other| ending.as_deref() == Some(other.as_ref()))
}

/// Why a file with the rules of another system is not read.
pub fn foreign(file: &str) -> anyhow::Error {
    let there =
        if std::path::Path::new(file).is_file() { "has" } else { "is the name of a file with" };
    let why = format!(
        "{file} {there} rules of another system: Foregone reads files that end in {ENDING}"
    );
    Refused(why).into()
}

/// The name of a game or a file, and the parameters in brackets. The name of a file may have brackets.
///
/// # Errors
/// If the brackets are not closed, or a parameter has no value.
pub fn file_and_parameters(text: &str) -> Result<Call<'_>, Invalid> {
    match text.ends_with(ENDING) && std::path::Path::new(text).is_file() {
        true => Ok((text, Vec::new())),
        false => parse_specification(text),
    }
}

/// The game of a text from a file.
pub fn game_of(
    file: &str,
    source: &str,
    given: &[(&str, &str)],
) -> anyhow::Result<Arc<dyn AnyGame>> {
    text_game(file, source, given).map_err(|error| match error {
        TextError::Text(problems) => wrong_text(file, &problems).into(),
        TextError::Parameter(invalid) => invalid.into(),
        other => other.into(),
    })
}

/// The ending of files with rules.
pub const ENDING: &str = ".rules";

/// The longest text of a game, in bytes.
const LONGEST_RULES: u64 = 1 << 20;

/// Reads a file with rules.
///
/// # Errors
/// If it cannot be read, is not a text, or is too long.
pub fn read_rules(file: &str) -> anyhow::Result<String> {
    let refused = |why: String| anyhow::Error::from(Refused(format!("{file}: {why}")));
    // A pipe is not even opened: that would wait for whoever writes to it.
    let about = std::fs::metadata(file).map_err(|error| refused(error.to_string()))?;
    if !about.is_file() {
        return Err(refused("not a file".to_owned()));
    }
    let opened = std::fs::File::open(file).map_err(|error| refused(error.to_string()))?;
    let mut text = String::new();
    let read = opened.take(LONGEST_RULES + 1).read_to_string(&mut text);
    read.map_err(|error| {
        refused(match error.kind() {
            std::io::ErrorKind::InvalidData => "not a text in UTF-8".to_owned(),
            _ => error.to_string(),
        })
    })?;
    match text.len() as u64 > LONGEST_RULES {
        true => Err(refused(format!("longer than {}", bytes(LONGEST_RULES)))),
        false => Ok(text),
    }
}

/// The error of a text that is no game.
pub fn wrong_text(file: &str, problems: &Problems) -> Refused {
    let count = problems.iter().count();
    let head = if count == 1 { "an error".to_owned() } else { format!("{count} errors") };
    Refused(format!("{head} in the rules\n\n{}", problems.shown(file)))
}

/// The memory limit of a run.
#[derive(Clone, clap::Args)]
pub struct Memory {
    /// Memory limit, such as 512M or 8G [default: 4G, or the memory of the machine if that is less]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
}

impl Memory {
    /// The limit in bytes.
    pub fn limit(&self) -> u64 {
        self.memory.unwrap_or_else(|| at_most_all(Control::default().memory()))
    }

    /// A control with this limit. Ctrl-C stops it, and a terminal shows its progress.
    pub fn control(&self, working: &Working) -> Control {
        working.control().with_memory(self.limit())
    }
}

/// Reads a size of memory. More than the machine has is refused, because the system would kill the
/// program when the memory runs out.
pub fn size(text: &str) -> Result<u64, String> {
    let size = parse_size::Config::new().with_binary().parse_size(text);
    match size {
        Ok(size) if size > 0 => within(size, memory_of_machine()),
        _ => Err("expected a number above 0 with a unit, such as 512M or 8G".to_owned()),
    }
}

fn within(size: u64, all: Option<u64>) -> Result<u64, String> {
    match all {
        Some(all) if size > all => Err(format!(
            "this machine has only {}: choose a smaller size, or leave out the option",
            bytes(all)
        )),
        _ => Ok(size),
    }
}

/// `size`, or the memory of the machine if that is less.
pub fn at_most_all(size: u64) -> u64 {
    memory_of_machine().map_or(size, |all| size.min(all))
}

/// The memory of the machine, or of the container that the program runs in, in bytes; `None` if the
/// system does not report it.
fn memory_of_machine() -> Option<u64> {
    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let whole = Some(system.total_memory()).filter(|all| *all > 0)?;
    // Without /proc there is no total, and this would panic.
    let container = system.cgroup_limits().map(|limits| limits.total_memory);
    Some(container.filter(|all| *all > 0).map_or(whole, |limit| limit.min(whole)))
}

/// Reads a whole number in `range`. The parser of numbers speaks of digits and types.
pub fn number<N, R>(range: R) -> impl Fn(&str) -> Result<N, String> + Clone
where
    N: FromStr + fmt::Display + PartialOrd,
    R: RangeBounds<N> + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| match (range.start_bound(), range.end_bound()) {
            (Bound::Included(least), Bound::Included(max)) => {
                format!("expected a whole number from {least} to {max}")
            }
            (Bound::Included(least), _) => format!("expected a whole number, at least {least}"),
            _ => "expected a whole number".to_owned(),
        })
    }
}

/// Reads a time, longer than 0. A number without a unit is in seconds.
pub fn time(text: &str) -> Result<Duration, String> {
    let span = match text.parse::<u32>() {
        Ok(seconds) => Ok(Duration::from_secs(seconds.into())),
        Err(_) => humantime::parse_duration(text),
    };
    match span {
        Ok(span) if !span.is_zero() => Ok(span),
        _ => {
            Err("expected a time above 0, such as 10s, 500ms or 2h (without a unit: seconds)"
                .into())
        }
    }
}

/// Refuses a file whose folder does not exist.
pub fn has_folder(file: &Path) -> Result<(), Refused> {
    match file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => {
            let (file, folder) = (file.display(), folder.display());
            Err(Refused(format!("{file}: there is no folder {folder}: make it, or choose another")))
        }
        None => Ok(()),
    }
}

/// Refuses to overwrite a file without `force`, anything that is not a regular file, and a file
/// whose folder does not exist.
pub fn may_write(path: &Path, force: bool) -> Result<(), Refused> {
    has_folder(path)?;
    let Ok(found) = std::fs::symlink_metadata(path) else { return Ok(()) };
    let path = path.display();
    match found.is_file() {
        false => {
            Err(Refused(format!("{path} exists and is not a regular file: choose another name")))
        }
        true if !force => {
            Err(Refused(format!("{path} exists already: use --force to overwrite it")))
        }
        true => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_range() {
        assert_eq!(number(1..=9_u16)("9"), Ok(9));
        let refused = Err("expected a whole number from 1 to 9".to_owned());
        assert_eq!([number(1..=9_u16)("10"), number(1..=9)("abc")], [refused.clone(), refused]);
        let refused = Err("expected a whole number, at least 1".to_owned());
        assert_eq!(number(1_u32..)("-1"), refused);
        assert_eq!(number(..)("1.5"), Err::<u64, _>("expected a whole number".to_owned()));
    }

    #[test]
    fn more_memory_than_there_is_is_refused() {
        assert_eq!(within(5 << 30, Some(8 << 30)), Ok(5 << 30));
        assert_eq!(within(5 << 30, None), Ok(5 << 30));
        let refused = within(10 << 40, Some(8 << 30));
        assert_eq!(
            refused,
            Err("this machine has only 8 GiB: choose a smaller size, or leave out the option"
                .into())
        );
        assert!(memory_of_machine().is_none_or(|all| all > 1 << 20));
        assert_eq!(size("1M"), Ok(1 << 20));
        assert_eq!(size("0"), size("much"));
        assert_eq!(at_most_all(1 << 20), 1 << 20);
        assert!(size("8000000T").is_err() || memory_of_machine().is_none());
    }
}
