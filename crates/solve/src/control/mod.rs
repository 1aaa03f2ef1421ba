//! What runs a solver from outside: how much memory it may use, whether it should stop, and who
//! wants to hear how far it is. And the ways in which a solver can end without an answer.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use foregone_record::words::{bytes, counted, grouped};
use foregone_rules::Value;

/// How far a solver is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing, such as `finding positions`.
    pub phase: &'static str,
    /// How many positions it has dealt with in this phase.
    pub done: u64,
    /// How many there are in this phase, if that is known.
    pub total: Option<u64>,
    /// Between which values the position's is proven to lie so far, if that is asked.
    pub bounds: Option<(Value, Value)>,
}

/// Who hears of progress: called from the solving thread, often, so it must be quick.
pub type Listener = Arc<dyn Fn(Progress) + Send + Sync>;

/// The limits a solver keeps to and the way to stop it.
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
    deadline: Option<Instant>,
    stop: Arc<AtomicBool>,
    listener: Option<Listener>,
}

impl Default for Control {
    /// 4 GiB of memory, any number of positions, nobody listening.
    fn default() -> Control {
        Control {
            memory: 4 << 30,
            positions: u64::MAX,
            deadline: None,
            stop: Arc::new(AtomicBool::new(false)),
            listener: None,
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
    /// How often a solver looks up from its work: after this many positions, or after this many
    /// moves, since some games have hundreds of moves in a position.
    pub const INTERVAL: u64 = 1 << 14;

    /// At most this many bytes for what grows with the number of positions.
    pub fn with_memory(self, memory: u64) -> Control {
        Control { memory, ..self }
    }

    /// At most this many positions, for solvers that keep them all.
    pub fn with_positions(self, positions: u64) -> Control {
        Control { positions, ..self }
    }

    /// Ends after so much time from now.
    pub fn with_time(self, time: Duration) -> Control {
        Control { deadline: Instant::now().checked_add(time), ..self }
    }

    /// Ends when so many quarters of the time that is left are up, if there is a limit.
    pub fn with_quarters_of_time(self, quarters: u32) -> Control {
        let now = Instant::now();
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(now));
        Control { deadline: left.map(|left| now + left / 4 * quarters), ..self }
    }

    /// Whether there is a limit of time.
    pub(crate) fn has_time_limit(&self) -> bool {
        self.deadline.is_some()
    }

    /// Takes all the time it needs.
    pub fn without_time(self) -> Control {
        Control { deadline: None, ..self }
    }

    /// Ends when this turns true.
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Control {
        Control { stop, ..self }
    }

    /// Tells `listener` of progress.
    pub fn with_listener(self, listener: Listener) -> Control {
        Control { listener: Some(listener), ..self }
    }

    /// Tells its listener nothing from when this turns true.
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

    /// The limit of memory in bytes.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// The limit of positions.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Reports progress.
    ///
    /// # Errors
    /// [`Halted::Stopped`] or [`Halted::Time`] where the solver should stop.
    pub fn report(&self, progress: Progress) -> Result<(), Halted> {
        if let Some(listener) = &self.listener {
            listener(progress);
        }
        let Progress { phase, done, .. } = progress;
        if self.stop.load(Ordering::Relaxed) {
            return Err(Halted::Stopped { phase, done });
        }
        match self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            true => Err(Halted::Time { phase, done }),
            false => Ok(()),
        }
    }

    /// Checks that `bytes` are within the limit of memory, after `done` positions.
    ///
    /// # Errors
    /// [`Halted::Memory`] where they are not.
    pub fn check_memory(&self, bytes: u64, phase: &'static str, done: u64) -> Result<(), Halted> {
        match bytes > self.memory {
            true => Err(Halted::Memory { limit: self.memory, needed: bytes, phase, done }),
            false => Ok(()),
        }
    }
}

/// Tells when it is time for a solver to look up from its work, by the moves and positions it has
/// looked at.
#[derive(Debug)]
pub(crate) struct Pace(u64);

impl Pace {
    /// The time comes at once, and then every [`Control::INTERVAL`].
    pub fn new() -> Pace {
        Pace(Control::INTERVAL)
    }

    /// Whether the time has come, after so many more moves and positions.
    #[inline]
    pub fn is_up(&mut self, more: u64) -> bool {
        self.0 += more;
        let is_up = self.0 >= Control::INTERVAL;
        if is_up {
            self.0 = 0;
        }
        is_up
    }
}

/// Why a solver ended without an answer. Each says how far it came and what would help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halted {
    /// It was told to stop.
    #[error("stopped while {phase}, after {} positions", grouped(*.done))]
    Stopped {
        /// What it was doing.
        phase: &'static str,
        /// After how many positions.
        done: u64,
    },
    /// The time was up.
    #[error("the time was up while {phase}, after {} positions", grouped(*.done))]
    Time {
        /// What it was doing.
        phase: &'static str,
        /// After how many positions.
        done: u64,
    },
    /// The next step would have gone over the limit of memory.
    #[error(
        "the memory limit of {} was reached while {phase}, after {} positions; {} would have been \
         needed to go on: allow more memory, or choose smaller parameters or a later position (or, \
         where play cannot loop, search, which does not keep every position)",
        bytes(*.limit), grouped(*.done), bytes(*.needed)
    )]
    Memory {
        /// The limit in bytes.
        limit: u64,
        /// How many bytes the next step would have needed.
        needed: u64,
        /// What it was doing.
        phase: &'static str,
        /// After how many positions.
        done: u64,
    },
    /// More positions can arise than were allowed.
    #[error("more than {} positions can arise", grouped(*.limit))]
    Positions {
        /// How many were allowed.
        limit: u64,
    },
    /// The game can come back to a position, which depth-first search cannot judge.
    #[error(
        "play can come back to the position `{position}`, so that search without a depth limit need \
         not end: use strong solving, or a depth limit"
    )]
    Loops {
        /// A position that comes up twice in one line of play.
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
    /// A table that was to be looked up in is damaged.
    #[error("{why}")]
    Damaged {
        /// What is wrong with it.
        why: String,
    },
    /// The system has no room for another thread.
    #[error("the system could not start a thread with {} of stack", bytes(*.stack))]
    Thread {
        /// The stack that was asked for, in bytes.
        stack: u64,
    },
    /// The system has no room for a table of this size.
    #[error("the system has no room for a table of {}: allow less memory", bytes(*.size))]
    Table {
        /// Its size in bytes.
        size: u64,
    },
    /// The table of positions near the end that was asked for does not fit the limit of memory.
    #[error(
        "a table of all positions with at most {left} left takes {}, more than the memory limit of \
         {}: allow more memory, or ask for a smaller endgame",
        bytes(*.size), bytes(*.limit)
    )]
    Endgame {
        /// How much is left in the table's largest positions.
        left: u32,
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Search by proof numbers was asked for, which cannot be had.
    #[error(
        "search by proof numbers finds whole values, without a depth limit, of games that cannot \
         loop and promise foresight: use another method"
    )]
    NoProof,
    /// A table was to be looked up in, but there is none.
    #[error("there is no table to look positions up in: give one, or use another method")]
    NoTable,
    /// The table that was to be looked up in does not have the position.
    #[error(
        "the table does not have this position: use another method, or a table with more layers"
    )]
    NotInTable,
    /// A table was to be looked up in with a depth limit.
    #[error("a table gives exact values: leave the depth limit away, or use another method")]
    TableDepth,
    /// A line of play is longer than depth-first search can follow.
    #[error("a line of play is longer than {limit} plies: use strong solving, or a depth limit")]
    Deep {
        /// The longest line that can be followed.
        limit: u32,
    },
}

impl Halted {
    /// Whether the request can never be met as it stands, whatever the limits.
    pub fn is_wrong_request(&self) -> bool {
        use Halted::{NoProof, NoTable, NotInTable, TableDepth};
        matches!(self, NoProof | NoTable | NotInTable | TableDepth)
    }
}

#[cfg(test)]
mod tests;
