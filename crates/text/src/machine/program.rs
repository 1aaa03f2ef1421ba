//! A program for the machine: instructions, and the tables that they use.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::layout::Words;
use super::op::{Op, Place, Register};

/// The most instructions of a program; a power of two.
pub(crate) const MAX_OPS: usize = 1 << 12;

/// A program.
#[derive(Clone, Debug)]
pub struct Program<S> {
    /// The instructions; `Fail` follows the last one. A fixed length spares a check at each.
    pub code: Box<[Op; MAX_OPS]>,
    pub constants: Box<[S; 256]>,
    /// For one cell and one place more, for no cell: the cells that it leads to.
    pub tables: Vec<Vec<S>>,
    pub rows: Vec<Rows<S>>,
    pub rays: Vec<Rays<S>>,
    pub permutations: Vec<Vec<u8>>,
    pub sowings: Vec<Vec<u8>>,
    pub sow_tables: Vec<SowTable<S>>,
    /// The bytes of a count on some cells.
    pub masks: Vec<Masks<S>>,
    pub words: Words,
    pub all: S,
    /// For each side, where its parts begin.
    pub entries: [Entries; 2],
    /// The registers that have to be as before when another choice is tried: the position, and
    /// names whose values change.
    pub kept: usize,
    /// The number of registers in use.
    pub registers: usize,
    /// The most choices that can be open at a time.
    pub open: usize,
    /// Whether a position was met that has more than [`MAX_MOVES`](crate::choices::MAX_MOVES) moves.
    pub crowded: Arc<AtomicBool>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Entries {
    /// Moves with what follows.
    pub moves: Place,
    /// What has to be known of moves: whether they are legal.
    pub legal: Place,
    /// Whether there is a move.
    pub any: Place,
    /// Whether that takes no choice.
    pub any_at_once: bool,
    /// The result of a side that cannot move.
    pub stuck: Place,
    /// Where moves win at once; `None` if that is not known.
    pub wins: Option<WinsAt>,
}

/// How to find the cells on which one more piece wins at once.
#[derive(Clone, Copy, Debug)]
pub struct WinsAt {
    /// Where the cells are found that may be chosen.
    pub place: Place,
    /// The register that then has them.
    pub cells: Register,
    /// The register of own pieces, and the number of the rows that they have to complete.
    pub rows: Option<(Register, u8)>,
}

/// For each cell its rays, each with its cells in order.
pub type Rays<S> = Vec<Vec<Vec<S>>>;

/// The rows of a length: as masks, and, where the board allows, as shifts.
#[derive(Clone, Debug)]
pub struct Rows<S> {
    pub masks: Vec<S>,
    /// For each direction: the cells from which a row begins, and the distance of its cells.
    pub runs: Vec<(S, u32)>,
    pub length: u32,
    /// How many of the rows each cell is in.
    pub through: Vec<u8>,
}

/// The bytes of a count on some cells: in each word those that count, and a number to add, since a
/// byte is a count minus the smallest one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masks<S> {
    pub words: Vec<(Register, S)>,
    pub plus: i64,
}

/// What a sowing adds to the counts, by the cell that it begins from and the number that is sown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SowTable<S> {
    /// The first word of the counts.
    pub first: usize,
    /// How many words they are.
    pub words: usize,
    /// Numbers below this one are in the table.
    pub numbers: usize,
    /// For each cell and number: what is added to each word.
    pub added: Vec<S>,
    /// For each cell and number: the last cell.
    pub last: Vec<u8>,
    /// In each byte 127 minus the largest count: adding it shows counts that are too large.
    pub room: S,
    /// The highest bit of each byte.
    pub high: S,
    /// The sowing one by one: where each cell leads to, and the cells that are left out.
    pub next: Vec<u8>,
    pub skip: S,
}

/// Why rules cannot be a program; the limits are far beyond board games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge(pub &'static str);
