//! Control of a running solver: limits, stopping, and progress reports. Also the reasons why a
//! solver ends without an answer.

mod end;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use end::End;
pub use foregone_record::words::{bytes, counted, grouped};
use foregone_rules::Value;

/// The progress of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing, for example `finding positions`.
    pub phase: &'static str,
    /// Positions done in this phase.
    pub done: u64,
    /// All positions of this phase, if known.
    pub total: Option<u64>,
    /// The proven bounds of the value so far, if the solver has any.
    pub bounds: Option<(Value, Value)>,
}

/// A callback for progress. The solving thread calls it often, so it must be quick.
pub type Listener = Arc<dyn Fn(Progress) + Send + Sync>;

/// A callback for the value of a move, for the side that makes it, as soon as it is found.
pub type MoveListener = Arc<dyn Fn(&str, Value) + Send + Sync>;

/// A file in which a long search keeps what it has found, so that another run can go on from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The file. It is replaced about every ten minutes, and at the end.
    pub file: PathBuf,
    /// What is solved: the game and the position, for example. A file of another job is refused.
    pub job: String,
    /// The rules of the game, if they are a text. A file of other rules is refused.
    pub rules: Option<String>,
}

/// The limits of a solver, how to stop it, and how to go on.
///
/// ```
/// use foregone::{Control, Halted, Strong, games::Mnk};
///
/// let control = Control::default().with_memory(10_000);
/// let halted = Strong::solve(&Mnk::tic_tac_toe(), &control).unwrap_err();
/// assert!(matches!(halted, Halted::Memory { .. }));
/// ```
#[derive(Clone)]
pub struct Control {
    memory: u64,
    positions: u64,
    end: Option<Arc<End>>,
    /// Parts of the run that are within one another: when each began, and after how many quarters of what was left then
    /// it ends.
    parts: Vec<(Instant, u32)>,
    stop: Arc<AtomicBool>,
    listener: Option<Listener>,
    move_listener: Option<MoveListener>,
    checkpoint: Option<Arc<Checkpoint>>,
    guard: Option<Guard>,
}

/// Says why no answer of a run is to be trusted, once that is known.
pub(crate) type Guard = Arc<dyn Fn() -> Option<String> + Send + Sync>;

impl Default for Control {
    /// 4 GiB of memory, no other limit, no listener.
    fn default() -> Control {
        Control {
            memory: 4 << 30,
            positions: u64::MAX,
            end: None,
            parts: Vec::new(),
            stop: Arc::new(AtomicBool::new(false)),
            listener: None,
            move_listener: None,
            checkpoint: None,
            guard: None,
        }
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Control { memory, positions, .. } = self;
        write!(f, "Control {{ memory: {memory}, positions: {positions} }}")
    }
}

impl Control {
    /// How often a solver checks its control: after this many positions or moves. Moves count
    /// because some games have hundreds of moves in a position.
    pub const INTERVAL: u64 = 1 << 14;

    /// Limits the memory that grows with the number of positions to `memory` bytes.
    pub fn with_memory(self, memory: u64) -> Control {
        Control { memory, ..self }
    }

    /// Limits the number of positions, for solvers that store all of them.
    pub fn with_positions(self, positions: u64) -> Control {
        Control { positions, ..self }
    }

    /// Ends the run when `time` has passed from now; `None` for no limit.
    pub fn with_time(self, time: impl Into<Option<Duration>>) -> Control {
        Control { end: time.into().map(End::after), parts: Vec::new(), ..self }
    }

    /// Ends the run at this end.
    pub fn with_end(self, end: Arc<End>) -> Control {
        Control { end: Some(end), parts: Vec::new(), ..self }
    }

    /// Ends the run after `quarters` quarters of the remaining time, if there is a time limit.
    pub fn with_quarters_of_time(mut self, quarters: u32) -> Control {
        self.parts.push((Instant::now(), quarters));
        self
    }

    /// When the run ends, as of now; `None` without a time limit.
    fn deadline(&self) -> Option<Instant> {
        let end = self.end.as_ref()?.at();
        Some(self.parts.iter().fold(end, |end, (from, quarters)| {
            *from + end.saturating_duration_since(*from) / 4 * *quarters
        }))
    }

    /// Whether there is a time limit.
    pub(crate) fn has_time_limit(&self) -> bool {
        self.end.is_some()
    }

    /// The time left; `None` without a time limit.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Removes the time limit.
    pub fn without_time(self) -> Control {
        Control { end: None, ..self }
    }

    /// Ends the run when `stop` becomes true.
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Control {
        Control { stop, ..self }
    }

    /// Reports progress to `listener`.
    pub fn with_listener(self, listener: Listener) -> Control {
        Control { listener: Some(listener), ..self }
    }

    /// Passes the value of each move to `listener` as soon as a search for values has it.
    pub fn with_move_listener(self, listener: MoveListener) -> Control {
        Control { move_listener: Some(listener), ..self }
    }

    /// Passes a move's value to the listener.
    pub(crate) fn tell_move(&self, mv: impl FnOnce() -> String, value: Value) {
        if let Some(listener) = &self.move_listener {
            listener(&mv(), value);
        }
    }

    /// Ends the run once the guard says that its answer is not to be trusted.
    pub(crate) fn with_guard(self, guard: Option<Guard>) -> Control {
        Control { guard, ..self }
    }

    fn guarded(&self) -> Option<String> {
        self.guard.as_ref().and_then(|guard| guard())
    }

    /// Silences the listener once `quiet` becomes true.
    pub fn with_quiet(self, quiet: Arc<AtomicBool>) -> Control {
        let listener = self.listener.map(|listener| -> Listener {
            Arc::new(move |progress| {
                if !quiet.load(Ordering::Relaxed) {
                    listener(progress);
                }
            })
        });
        Control { listener, ..self }
    }

    /// Tells listeners values up to `max`: a game whose finer variant is searched has no larger ones.
    pub(crate) fn clamped(self, max: i32) -> Control {
        let clamp = move |Value(value): Value| Value(value.clamp(-max, max));
        let listener = self.listener.map(|listener| -> Listener {
            Arc::new(move |progress| {
                let bounds = progress.bounds.map(|(low, high)| (clamp(low), clamp(high)));
                listener(Progress { bounds, ..progress });
            })
        });
        let move_listener = self.move_listener.map(|listener| -> MoveListener {
            Arc::new(move |mv, value| listener(mv, clamp(value)))
        });
        Control { listener, move_listener, ..self }
    }

    /// Lets the search for a value ([`Method::Search`](crate::Method::Search) in games with exact search) go on
    /// from a checkpoint, if the file exists, and write others. The answer is the same; the file is trusted.
    pub fn with_checkpoint(self, checkpoint: impl Into<Option<Checkpoint>>) -> Control {
        Control { checkpoint: checkpoint.into().map(Arc::new), ..self }
    }

    /// The file of a long search.
    pub(crate) fn checkpoint(&self) -> Option<&Checkpoint> {
        self.checkpoint.as_deref()
    }

    /// The memory limit in bytes.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// The limit on the number of positions.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Whether [`report`](Control::report) would end the run.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.guarded().is_some()
            || self.deadline().is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Reports progress.
    ///
    /// # Errors
    /// [`Halted::Stopped`] or [`Halted::Time`] if the solver should stop.
    pub fn report(&self, progress: Progress) -> Result<(), Halted> {
        if let Some(listener) = &self.listener {
            listener(progress);
        }
        let Progress { phase, done, .. } = progress;
        if let Some(why) = self.guarded() {
            return Err(Halted::Misplayed { why });
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(Halted::Stopped { phase, done });
        }
        match self.deadline().is_some_and(|deadline| Instant::now() >= deadline) {
            true => Err(Halted::Time { phase, done }),
            false => Ok(()),
        }
    }

    /// Checks that `bytes` is within the memory limit, after `done` positions.
    ///
    /// # Errors
    /// [`Halted::Memory`] if it is not.
    pub fn check_memory(&self, bytes: u64, phase: &'static str, done: u64) -> Result<(), Halted> {
        match bytes > self.memory {
            true => Err(Halted::Memory { limit: self.memory, needed: bytes, phase, done }),
            false => Ok(()),
        }
    }
}

/// Says when a solver should check its control, by counting positions and moves. Where these take long,
/// as in a game from a text that does much in a move, it checks more often.
#[derive(Debug)]
pub(crate) struct Pace {
    counted: u64,
    /// Steps between checks.
    interval: u64,
    last: Instant,
}

impl Pace {
    /// The first interval.
    const FIRST: u64 = 1 << 4;

    /// Intervals longer than this become shorter.
    const LONG: Duration = Duration::from_millis(200);

    /// The first check is due at once. Then intervals grow up to [`Control::INTERVAL`].
    pub fn new() -> Pace {
        Pace { counted: Control::INTERVAL, interval: Pace::FIRST, last: Instant::now() }
    }

    /// Whether a check is due, after `more` more moves and positions.
    #[inline]
    pub fn is_up(&mut self, more: u64) -> bool {
        self.counted += more;
        let is_up = self.counted >= self.interval;
        if is_up {
            self.next();
        }
        is_up
    }

    #[cold]
    fn next(&mut self) {
        let now = Instant::now();
        let took = now - std::mem::replace(&mut self.last, now);
        self.counted = 0;
        self.interval = match took > Pace::LONG {
            true => (self.interval / 8).max(1),
            false => (2 * self.interval).min(Control::INTERVAL),
        };
    }
}

/// Why a solver ended without an answer. The messages say how far it came and what would help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Halted {
    /// It was stopped.
    #[error("stopped while {phase}, after {} positions", grouped(*.done))]
    Stopped {
        /// What it was doing.
        phase: &'static str,
        /// The number of positions done.
        done: u64,
    },
    /// The time limit was reached.
    #[error("the time limit was reached while {phase}, after {} positions", grouped(*.done))]
    Time {
        /// What it was doing.
        phase: &'static str,
        /// The number of positions done.
        done: u64,
    },
    /// The next step would exceed the memory limit.
    #[error(
        "the memory limit of {} was reached while {phase}, after {} positions; the next step needs \
         {}: allow more memory, or choose smaller parameters or a later position",
        bytes(*.limit), grouped(*.done), bytes(*.needed)
    )]
    Memory {
        /// The limit in bytes.
        limit: u64,
        /// The memory that the next step needs, in bytes.
        needed: u64,
        /// What it was doing.
        phase: &'static str,
        /// The number of positions done.
        done: u64,
    },
    /// More positions can arise than the limit allows.
    #[error("more than {} positions can arise", grouped(*.limit))]
    Positions {
        /// The limit.
        limit: u64,
    },
    /// Play can repeat a position, so depth-first search cannot evaluate it.
    #[error(
        "play can repeat the position `{position}`, so a search without a depth limit may never end: \
         use strong solving, or a depth limit"
    )]
    Loops {
        /// A position that occurs twice in one line of play.
        position: String,
    },
    /// The game breaks its rules: every position that is not over must have a legal move.
    #[error(
        "the game is not over at `{position}`, but has no legal move there: its rules are broken"
    )]
    NoMoves {
        /// The position, as its debug text if the game has no notation.
        position: String,
    },
    /// The game breaks a promise: some move must keep the value of a position.
    #[error(
        "no move at `{position}` keeps the value that the search found there: the search hints or the \
         encoding of the game are wrong"
    )]
    Promise {
        /// The position, as its debug text if the game has no notation.
        position: String,
    },
    /// A game from text cannot be played as it is written: positions that count as alike are not, or a
    /// position has too many moves.
    #[error("{why}")]
    Misplayed {
        /// Which positions and why, in a sentence.
        why: String,
    },
    /// The table to look up is damaged.
    #[error("{why}")]
    Damaged {
        /// What is wrong with it.
        why: String,
    },
    /// The checkpoint to go on from cannot be used.
    #[error("the checkpoint {file} cannot be used: {why}")]
    Checkpoint {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// A checkpoint could not be written. An older one is unchanged.
    #[error("the checkpoint could not be written: {why}")]
    Unkept {
        /// Why not, and which file.
        why: String,
    },
    /// The system could not start a thread.
    #[error("the system could not start a thread with {} of stack", bytes(*.stack))]
    Thread {
        /// The requested stack in bytes.
        stack: u64,
    },
    /// The system could not allocate a table of this size.
    #[error("the system could not allocate a table of {}: set a smaller memory limit", bytes(*.size))]
    Table {
        /// Its size in bytes.
        size: u64,
    },
    /// The requested endgame table does not fit into the memory limit.
    #[error(
        "a table of all positions with at most {left} left takes {}, more than the memory limit of \
         {}: allow more memory, or ask for a smaller endgame",
        bytes(*.size), bytes(*.limit)
    )]
    Endgame {
        /// The most pieces, or other measure, left in a position of the table.
        left: u32,
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Proof-number search was requested, but is impossible.
    #[error(
        "proof-number search needs a game that cannot loop and has search hints or an encoding, and \
         takes no depth limit: use another method"
    )]
    NoProof,
    /// A table look-up was requested, but there is no table.
    #[error("there is no table to look positions up in: give one, or use another method")]
    NoTable,
    /// The table does not contain the position.
    #[error(
        "the table does not contain this position: use another method, or a table with more layers"
    )]
    NotInTable,
    /// No book has the position and all that its moves lead to.
    #[error("no book has this position and all that its moves lead to: use another method")]
    NotInBook,
    /// A table look-up was requested with a depth limit.
    #[error(
        "a table gives exact values and takes no depth limit: leave it out, or use another method"
    )]
    TableDepth,
    /// A line of play is longer than depth-first search can follow.
    #[error("a line of play is longer than {limit} plies: use strong solving, or a depth limit")]
    Deep {
        /// The longest possible line in plies.
        limit: u32,
    },
}

impl Halted {
    /// Whether a limit of the request was reached: with a higher one there is more to know.
    pub const fn is_limit(&self) -> bool {
        matches!(self, Halted::Time { .. } | Halted::Memory { .. } | Halted::Positions { .. })
    }

    /// Whether the request is impossible, whatever the limits.
    pub fn is_wrong_request(&self) -> bool {
        use Halted::{Checkpoint, NoProof, NoTable, NotInBook, NotInTable, TableDepth};
        matches!(self, Checkpoint { .. } | NoProof | NoTable | NotInBook | NotInTable | TableDepth)
    }
}

#[cfg(test)]
mod tests;
