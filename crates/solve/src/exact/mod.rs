//! Fast search for exact values: null-window search with the hints of a game.
//!
//! The search repeats one question with different n: is the value at least n? The answers close in
//! on the value (MTD(f), Plaat 1996); `questions.rs` chooses them, a long search from a guess
//! (`guess.rs`). Answers are fail-soft: each is a bound as tight as the search below could prove.
//!
//! - **Two tables.** Positions near the end of the game are many, cheap to search again and seldom
//!   met again much later. They have their own table, which stays in the processor's second-level
//!   cache. Only other positions go to the large table in memory, where a probe costs as much as
//!   about five positions. (On Connect Four 7x5 that is 24 million positions at 18 million a
//!   second, against 21 at 5 with one table of 128 MiB.)
//! - **Looking ahead.** Before the search of any move of a position far from the end, all moves are
//!   probed in the table: one may answer the question at once (the enhanced transposition cut-off,
//!   Schaeffer and Plaat 1996), and the memory accesses overlap.
//! - **An endgame table.** If a game can solve its last positions in bulk, a long search begins with that:
//!   one byte a position, which answers while moves are made (`tables/endgame.rs`; Geoffrey Irving's and
//!   other Kalah solvers do so with tables from files).
//! - **Move order.** The game's own order first. Ties are broken by what was learned of each kind
//!   of move (the history heuristic, Schaeffer 1983): moves that cause a cut-off gain, moves tried
//!   in vain before them lose.

mod ask;
mod bounds;
mod checkpoint;
mod depth_first;
mod distances;
mod guess;
mod hints;
mod opinions;
mod proof;
mod questions;
mod run;
mod shared;
mod table;
mod value;
mod values;

pub(crate) use distances::{Distances, Known};
pub use hints::{AsListed, ByCode, Hints, InOrder, OwnHints, Promise, WithEndgame};
pub use value::Proven;
pub(crate) use value::{ANY_VALUE, move_values};
pub(crate) use values::{BySearch, Given, ValueSearch, Valuer, Valuing, keeps};

use std::marker::PhantomData;

use foregone_rules::{Banded, Game, SearchHints, Written};

use self::checkpoint::Saving;
use self::opinions::OpinionMemory;
use self::run::Scratch;
use self::table::Memory;
use self::value::Asked;
use crate::control::{Control, Halted};
use crate::tables::endgame::{self, Endgame};
use crate::tables::leaves::Leaf;

/// The bytes of each thread's table of positions near the end, if there is enough memory.
const NEAR: u64 = 512 << 10;

/// A search of more positions is long: it gets an endgame table.
const LONG: u64 = 1 << 16;

/// A search that is this many times as long gets a guess.
const WORTH_GUESSING: u64 = 8;

/// Within a time limit, a search gets its endgame table after a guess has given it bounds on both sides, but at the
/// latest when it is this many times as long.
const BOUNDS_FIRST: u64 = 64;

/// The most positions of a search for a guess.
const GUESSING: u64 = 1 << 20;

/// One thread searches a question alone for this many positions: most questions take less than
/// starting other threads.
const ALONE: u64 = 1 << 18;

/// A number of positions that no search reaches.
const NEVER: u64 = u64::MAX;

/// The stack of the other threads, in bytes: enough for the longest line of play.
const STACK: usize = 8 << 20;

/// A search for values of positions of one game. It keeps its tables from one position to the next.
///
/// ```
/// use foregone::games::ConnectFour;
/// use foregone::{Args, Control, Exact, Family, Game, Value};
///
/// let args = Args::new(&ConnectFour::ABOUT, [("columns", "5"), ("rows", "4")]).unwrap();
/// let game = ConnectFour::create(&args).unwrap();
/// let control = Control::default().with_memory(1 << 24);
/// let mut exact = Exact::new(&game, &control).unwrap();
/// assert_eq!(exact.value(&game.start()), Ok(Value(0)));
/// ```
pub struct Exact<'a, G: Game, H: Hints<G> = OwnHints> {
    game: &'a G,
    control: &'a Control,
    far: Memory,
    opinions: OpinionMemory,
    endgame: Endgame,
    /// The endgame table of earlier searches, and for later ones.
    kept_endgame: Option<&'a endgame::Store>,
    /// Bytes for the endgame table, at most.
    room_of_endgame: u64,
    /// See [`LONG`].
    long: u64,
    /// The number of positions at which the endgame table gets its next layer.
    more_layers_at: u64,
    /// The last search for a value, if it was halted.
    asked: Option<Asked<G::State>>,
    /// Where a long search is kept, to go on from later.
    saving: Option<Saving<G::State>>,
    threads: Vec<Own<G>>,
    nodes: u64,
    /// The number of positions and moves so far, and where to stop.
    work: u64,
    enough: u64,
    /// The number of positions stored in the far table, and the number at which it grows.
    kept: u64,
    room: u64,
    /// See [`ALONE`].
    alone: u64,
    by_proof: bool,
    leaf: Option<Leaf<'a, G::State>>,
    written: Option<Written<G>>,
    hints: PhantomData<H>,
}

/// Options of a search; the results do not depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The number of threads; 0 counts as 1.
    pub threads: usize,
    /// The lowest layers, up to this one, are solved first, if the game has an endgame table; `None` for as
    /// many as pay.
    pub endgame: Option<u32>,
    /// Whether to use proof-number search, which finds deep forced wins much sooner and most other
    /// values much later. Threads other than the first still use alpha-beta.
    pub by_proof: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 1, endgame: None, by_proof: false }
    }
}

/// The data of one thread: the table of positions near the end, and its scratch memory.
type Own<G> = (Memory, Scratch<<G as Game>::State, <G as Game>::Move>);

impl<'a, G: SearchHints> Exact<'a, G> {
    /// A search on one thread, within the limits of `control`.
    ///
    /// # Errors
    /// If the system cannot allocate the tables.
    pub fn new(game: &'a G, control: &'a Control) -> Result<Exact<'a, G>, Halted> {
        Exact::with(game, control, Options::default())
    }

    /// A search with options, within the limits of `control`. Most of the memory is for the far
    /// table.
    ///
    /// # Errors
    /// If the endgame exceeds the memory limit, or the system cannot allocate the tables.
    pub fn with(
        game: &'a G,
        control: &'a Control,
        options: Options,
    ) -> Result<Exact<'a, G>, Halted> {
        Exact::hinted(game, control, options)
    }
}

impl<'a, G: SearchHints + Banded> Exact<'a, G, WithEndgame> {
    /// A search with options, within the limits of `control`, which solves the lowest layers of the game at
    /// once, as far as it pays. Half of the memory is for them.
    ///
    /// # Errors
    /// If the endgame exceeds its memory, a limit is reached, or the system cannot allocate the tables.
    pub fn with_endgame(
        game: &'a G,
        control: &'a Control,
        options: Options,
    ) -> Result<Exact<'a, G, WithEndgame>, Halted> {
        Exact::hinted(game, control, options)
    }
}

impl<'a, G: Game, H: Hints<G>> Exact<'a, G, H> {
    /// A search with options, within the limits of `control`. Most of the memory is for the far
    /// table.
    ///
    /// # Errors
    /// If the endgame exceeds the memory limit, or the system cannot allocate the tables.
    pub(crate) fn hinted(
        game: &'a G,
        control: &'a Control,
        options: Options,
    ) -> Result<Exact<'a, G, H>, Halted> {
        let Options { threads, endgame, by_proof } = options;
        let limit = control.memory();
        let mut table = Endgame::default();
        let room_of_endgame = match endgame {
            Some(left) => {
                let size = H::endgame_bytes(game, left.saturating_add(1));
                if size > limit {
                    return Err(Halted::Endgame { left, size, limit });
                }
                while table.layers() <= left && H::add_layer(game, &mut table, threads, control)? {}
                size
            }
            None if !by_proof && H::endgame(game, &game.start()) > 0 => limit / 2,
            None => 0,
        };
        let no_room = |size| Halted::Table { size };
        let keyed = |bytes| Memory::new(H::key_bits(game), bytes).map_err(no_room);
        let threads = threads.max(1);
        let near = NEAR.min(limit / 4 / threads as u64);
        let own = || Ok((keyed(near)?, Scratch::new(H::history_slots(game))));
        let opinions = if by_proof { limit / 4 } else { 0 };
        let others = opinions + near * threads as u64 + room_of_endgame;
        let far = keyed(limit.saturating_sub(others))?;
        let room = far.entries();
        Ok(Exact {
            game,
            control,
            far,
            opinions: OpinionMemory::new(opinions).map_err(no_room)?,
            endgame: table,
            kept_endgame: None,
            long: LONG,
            more_layers_at: NEVER,
            asked: None,
            saving: control.checkpoint().cloned().map(Saving::new),
            room_of_endgame: if endgame.is_none() { room_of_endgame } else { 0 },
            threads: (0..threads).map(|_| own()).collect::<Result<_, _>>()?,
            nodes: 0,
            work: 0,
            enough: NEVER,
            kept: 0,
            room,
            alone: ALONE,
            by_proof,
            leaf: None,
            written: None,
            hints: PhantomData,
        })
    }

    /// Uses known worths of positions.
    pub(crate) fn with_leaf(self, leaf: Option<Leaf<'a, G::State>>) -> Self {
        Exact { leaf, ..self }
    }

    /// Shares the endgame table with earlier and later searches.
    pub(crate) fn sharing(self, kept_endgame: Option<&'a endgame::Store>) -> Self {
        let mut exact = Exact { kept_endgame, ..self };
        exact.share_endgame();
        exact
    }

    /// Writes positions in errors by this notation instead of their debug text.
    pub fn with_notation(self, written: Option<Written<G>>) -> Self {
        Exact { written, ..self }
    }

    /// Allows `work` more positions and moves (or a few more) before the search gives up with
    /// [`Halted::Positions`]; the next call continues from its tables.
    pub(crate) fn allow(&mut self, work: u64) {
        self.enough = self.work.saturating_add(work);
    }

    /// The number of positions and moves so far.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// The number of position visits so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests;
