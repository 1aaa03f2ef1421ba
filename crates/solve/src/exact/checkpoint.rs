//! A checkpoint: what a long search keeps in a file, so that another run can go on from there.
//!
//! The file has the proven bounds, the questions so far, and those entries of the far table that took most
//! positions to find; the others are soon found again. It does not have the endgame table, which is solved again
//! in about the time that reading it would take. The file is one zstd frame with a checksum: a line of JSON
//! ([`Head`]), then 12 bytes an entry.

use std::fs::{File, metadata};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use foregone_record::disk::Disk;
use foregone_record::write::aside;
use foregone_rules::{Game, Value, printable, sample};
use serde::{Deserialize, Serialize};

use super::questions::Questions;
use super::table::{Kept, Memory, TranspositionTable};
use super::value::Asked;
use super::{Exact, Hints, NEVER};
use crate::control::{Checkpoint, Halted};
use crate::subject::makes;

/// The format of the file.
const FORMAT: u32 = 1;

/// The most entries in a file, which takes up to 12 bytes for each.
const MAX_KEPT: u64 = 1 << 26;

/// More positions than any search visits.
const MAX_POSITIONS: u64 = 1 << 60;

/// The longest first line of a file, in bytes.
const LONGEST_HEAD: u64 = 1 << 20;

/// Why a file is refused whose numbers contradict each other or the game.
const IMPOSSIBLE: &str = "it is damaged: its first line cannot be right";

/// The time to the first checkpoint, and between two of them.
const FIRST: Duration = Duration::from_secs(60);
const EVERY: Duration = Duration::from_secs(600);

/// The time between two looks at the clock. A search pauses for them after a number of positions that follows from its
/// speed, which differs between games by three orders of magnitude.
const LOOKED_EVERY: Duration = Duration::from_secs(20);

/// The number of positions before a look as long as the speed is not known, and the time after which it is.
const FIRST_LOOKS: u64 = 1 << 17;
const SPEED_AFTER: Duration = Duration::from_secs(1);

/// A checkpoint must take less than this part of the time.
const SHARE: u32 = 20;

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Head {
    format: u32,
    job: String,
    rules: Option<String>,
    /// Differs if positions have other keys.
    keys: u64,
    low: i32,
    high: i32,
    positions: u64,
    /// The layers of the endgame table.
    layers: u32,
    questions: Questions,
    entries: u64,
}

/// Where a search saves its checkpoints, and how far it is.
pub(super) struct Saving<S> {
    checkpoint: Checkpoint,
    /// How far the search for the first position has come; `None` before it begins.
    first: Option<Asked<S>>,
    /// The layers of the endgame table that the file has had; with less memory there may be fewer.
    layers: u32,
    /// When the next checkpoint is due.
    due: Instant,
    /// The time and the number of positions from which the speed is measured.
    from: (Instant, u64),
    /// The number of positions to the next look at the clock.
    stretch: u64,
}

impl<S> Saving<S> {
    pub fn new(checkpoint: Checkpoint) -> Saving<S> {
        let now = Instant::now();
        let (due, from, stretch) = (now + FIRST, (now, 0), FIRST_LOOKS);
        Saving { checkpoint, first: None, layers: 0, due, from, stretch }
    }

    /// Whether a checkpoint is due now, after `positions` in all. Learns the speed.
    fn is_due(&mut self, now: Instant, positions: u64) -> bool {
        let (time, visited) = (now - self.from.0, positions - self.from.1);
        if time >= SPEED_AFTER {
            let speed = visited as f64 / time.as_secs_f64();
            self.stretch = FIRST_LOOKS.max((speed * LOOKED_EVERY.as_secs_f64()) as u64);
            self.from = (now, positions);
        }
        now >= self.due
    }
}

/// A checkpoint, where this program makes any; the compiler leaves out the rest behind this.
#[inline(always)]
fn made<T>(saving: Option<T>) -> Option<T> {
    saving.filter(|_| makes().is_ok())
}

/// The checkpoint cannot be used.
fn unusable(checkpoint: &Checkpoint, why: impl ToString) -> Halted {
    Halted::Checkpoint { file: checkpoint.file.display().to_string(), why: why.to_string() }
}

impl<G: Game, H: Hints<G>> Exact<'_, G, H> {
    /// Goes on from the checkpoint, if there is one, and this is the first position; if there is none, writes the
    /// first.
    pub(super) fn resume(&mut self, asked: &mut Asked<G::State>) -> Result<(), Halted> {
        let Some(saving) = made(self.saving.as_mut()) else { return self.refused() };
        if saving.first.is_some() {
            return Ok(());
        }
        let checkpoint = saving.checkpoint.clone();
        let file = match metadata(&checkpoint.file) {
            Ok(found) if !found.is_file() => {
                return Err(unusable(&checkpoint, "it is not a regular file: name another file"));
            }
            Ok(_) => File::open(&checkpoint.file).map_err(|error| unusable(&checkpoint, error))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                saving.first = Some(asked.clone());
                // So a file that cannot be written is told of at once. It has nothing yet.
                return self.save();
            }
            Err(error) => return Err(unusable(&checkpoint, error)),
        };
        let keys = keys::<G, H>(self.game, &self.far.table());
        let head = read(file, &checkpoint, keys, &mut self.far);
        let head = head.map_err(|why| unusable(&checkpoint, why))?;
        self.kept = head.entries;
        self.room = self.kept + self.far.entries() / 2;
        (asked.low, asked.high) =
            (asked.low.max(Value(head.low)), asked.high.min(Value(head.high)));
        if asked.low > asked.high {
            return Err(unusable(&checkpoint, IMPOSSIBLE));
        }
        asked.questions = match self.control.has_time_limit() {
            true => head.questions.narrowing(asked.low, asked.high),
            false => head.questions,
        };
        self.nodes += head.positions;
        if head.layers > 0 {
            asked.layers_at = NEVER;
        }
        if asked.questions.guided() {
            asked.guess_at = NEVER;
        }
        self.note(asked);
        if let Some(saving) = made(self.saving.as_mut()) {
            saving.layers = head.layers;
            saving.from = (Instant::now(), self.nodes);
        }
        if asked.low < asked.high { self.solve_layers(head.layers) } else { Ok(()) }
    }

    /// An error if there should be a checkpoint.
    fn refused(&self) -> Result<(), Halted> {
        let (Some(checkpoint), Err(why)) = (self.control.checkpoint(), makes()) else {
            return Ok(());
        };
        Err(unusable(checkpoint, why))
    }

    /// Whether the search for this position is the one that is saved.
    pub(super) fn saves(&self, state: &G::State) -> bool {
        let first = made(self.saving.as_ref()).and_then(|saving| saving.first.as_ref());
        first.is_some_and(|first| first.state == *state)
    }

    /// Takes notice of how far a search has come, if it is the first.
    pub(super) fn note(&mut self, asked: &Asked<G::State>) {
        let Some(saving) = made(self.saving.as_mut()) else { return };
        if saving.first.as_ref().is_none_or(|first| first.state == asked.state) {
            saving.first = Some(asked.clone());
        }
    }

    /// The number of positions at which the search pauses to look at the clock; [`NEVER`] without a checkpoint.
    pub(super) fn look_at(&self) -> u64 {
        made(self.saving.as_ref()).map_or(NEVER, |saving| self.nodes + saving.stretch)
    }

    /// Writes a checkpoint if one is due, and says when the next is.
    pub(super) fn save_if_due(&mut self) -> Result<(), Halted> {
        let (begun, positions) = (Instant::now(), self.nodes);
        if !made(self.saving.as_mut()).is_some_and(|saving| saving.is_due(begun, positions)) {
            return Ok(());
        }
        let written = self.save();
        if let Some(saving) = made(self.saving.as_mut()) {
            saving.due = Instant::now() + EVERY.max(SHARE * begun.elapsed());
        }
        written
    }

    /// Writes a checkpoint, if the search has one.
    pub(super) fn save(&mut self) -> Result<(), Halted> {
        let Some(saving) = made(self.saving.as_mut()) else { return Ok(()) };
        let Some(first) = &saving.first else { return Ok(()) };
        let keys = keys::<G, H>(self.game, &self.far.table());
        let kept = self.far.costliest(MAX_KEPT);
        let head = Head {
            format: FORMAT,
            job: saving.checkpoint.job.clone(),
            rules: saving.checkpoint.rules.clone(),
            keys,
            low: first.low.0,
            high: first.high.0,
            positions: self.nodes,
            layers: self.endgame.layers().max(saving.layers),
            questions: first.questions.clone(),
            entries: kept.clone().count() as u64,
        };
        let written = write(&saving.checkpoint.file, &head, kept);
        written.map_err(|why| Halted::Unkept { why: why.to_string() })
    }
}

/// Writes a checkpoint.
fn write(
    path: &Path,
    head: &Head,
    kept: impl Iterator<Item = Kept>,
) -> Result<(), foregone_record::Error> {
    aside(&Disk::default(), path, |file| {
        let mut packed = zstd::Encoder::new(file, 1)?;
        packed.include_checksum(true)?;
        serde_json::to_writer(&mut packed, head)?;
        packed.write_all(b"\n")?;
        for Kept { key, data } in kept {
            let mut entry = [0; 12];
            entry[..8].copy_from_slice(&key.to_le_bytes());
            entry[8..].copy_from_slice(&data.to_le_bytes());
            packed.write_all(&entry)?;
        }
        packed.finish().map(|_| ())
    })
}

/// Reads a checkpoint of a game with such keys into the far table.
fn read(file: File, checkpoint: &Checkpoint, keys: u64, far: &mut Memory) -> Result<Head, String> {
    let damaged = |why: io::Error| match why.raw_os_error() {
        Some(_) => why.to_string(),
        None => "it is damaged, or no checkpoint".to_owned(),
    };
    let mut file = BufReader::new(zstd::Decoder::new(file).map_err(damaged)?);
    let mut line = Vec::new();
    file.by_ref().take(LONGEST_HEAD).read_until(b'\n', &mut line).map_err(damaged)?;
    let head: Head = serde_json::from_slice(&line).map_err(|why| damaged(why.into()))?;
    if head.job != checkpoint.job {
        let job = printable(&head.job);
        return Err(format!("it is for another job, `{job}`: name another file"));
    }
    if head.rules != checkpoint.rules {
        return Err("it is for other rules of this game: name another file".to_owned());
    }
    if (head.format, head.keys) != (FORMAT, keys) {
        return Err("another version of the program wrote it: name another file".to_owned());
    }
    if head.low > head.high || head.entries > MAX_KEPT || head.positions > MAX_POSITIONS {
        return Err(IMPOSSIBLE.to_owned());
    }
    while head.entries >= far.entries() / 2 && far.grow() {}
    if head.entries > far.entries() {
        let why = "it holds more than fits: give at least the --memory of the run that wrote it, and the same --endgame";
        return Err(why.to_owned());
    }
    for _ in 0..head.entries {
        let mut entry = [0; 12];
        file.read_exact(&mut entry).map_err(damaged)?;
        let [key, data] = [&entry[..8], &entry[8..]]
            .map(|bytes| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        far.put(Kept { key, data: data as u32 });
    }
    // The checksum is at the end.
    match io::copy(&mut file.take(1), &mut io::sink()).map_err(damaged)? {
        0 => Ok(head),
        _ => Err("it is damaged: it is too long".to_owned()),
    }
}

/// A hash of the mixed keys of some positions of a game.
fn keys<G: Game, H: Hints<G>>(game: &G, table: &TranspositionTable<'_>) -> u64 {
    const POSITIONS: usize = 256;
    let positions = sample::positions(game, POSITIONS, 1);
    positions.iter().fold(0, |hash, sample| {
        let key = H::key(game, &sample.state);
        let (key, offset) =
            key.map_or((0, 0), |(key, offset)| (table.whole(table.place(key)), offset.0));
        sample::Dice::new(hash ^ key.rotate_left(32) ^ offset as u64).roll()
    })
}

#[cfg(test)]
mod tests {
    use foregone_rules::games::Nim;
    use foregone_rules::{Args, Family};

    use super::super::{ByCode, Options};
    use super::*;
    use crate::control::Control;

    #[test]
    fn the_file_of_the_beginning_does_not_put_off_the_next() {
        let folder = foregone_trial::Folder::new();
        let checkpoint = Checkpoint { file: folder.file("kept"), job: String::new(), rules: None };
        let control = Control::default().with_memory(1 << 20).with_checkpoint(Some(checkpoint));
        let game = Nim::create(&Args::new(&Nim::ABOUT, []).unwrap()).unwrap();
        let mut exact = Exact::<_, ByCode>::hinted(&game, &control, Options::default()).unwrap();
        let due = exact.saving.as_ref().unwrap().due;
        let (low, high) = (Value(-1), Value(1));
        let questions = Questions::from(None);
        let state = game.start();
        let mut asked = Asked { state, low, high, questions, layers_at: NEVER, guess_at: NEVER };
        exact.resume(&mut asked).unwrap();
        assert!(folder.file("kept").is_file());
        assert_eq!(exact.saving.unwrap().due, due);
    }

    #[test]
    fn the_clock_is_looked_at_in_time_whatever_the_speed() {
        let checkpoint = Checkpoint { file: "none".into(), job: String::new(), rules: None };
        for speed in [10_000, 400_000, 20_000_000] {
            let mut saving: Saving<()> = Saving::new(checkpoint.clone());
            let (begun, mut positions) = (saving.from.0, 0);
            let mut seconds = 0.0;
            let mut now = begun;
            while !saving.is_due(now, positions) {
                positions += saving.stretch;
                seconds = positions as f64 / speed as f64;
                now = begun + Duration::from_secs_f64(seconds);
            }
            assert!((60.0..=82.0).contains(&seconds), "{speed} {seconds}");
        }
    }
}
