//! Rules whose names, kinds of values and parameters are resolved, once for each side.
//!
//! A set of cells is a [`Cells`]; everything that depends on the board alone is a table. So what is
//! left to say is small: an interpreter of it is a page, and two trees can be compared.

use std::ops::Deref;
use std::sync::Arc;

use crate::board::Cells;

/// What a position consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The sets of cells: those of the pieces, then the marks.
    pub sets: usize,
    /// How many of the sets are pieces: at most one of them holds a cell.
    pub pieces: usize,
    /// The smallest and largest number of each count on cells.
    pub counts: Vec<[i32; 2]>,
    /// The smallest and largest value of each number.
    pub numbers: Vec<[i32; 2]>,
}

/// The rules as one side plays by them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SideRules {
    pub moves: Block,
    /// After a move of this side.
    pub end: Block,
    /// If this side is to move and cannot.
    pub stuck: Stuck,
    /// The number of local names.
    pub locals: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// The rules say that this does not happen.
    #[default]
    Never,
    /// The game is over; the block says with which result.
    Ends(Block),
    /// The side passes. If the other side cannot move either, the game is over.
    Passes(Block),
}

pub(crate) type Block = Vec<Statement>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Statement {
    /// A choice of a cell.
    Choose {
        local: usize,
        from: Set,
    },
    /// A choice of a number.
    Pick {
        local: usize,
        from: Number,
        to: Number,
    },
    SetLocal {
        local: usize,
        value: Set,
    },
    NumberLocal {
        local: usize,
        value: Number,
    },
    TruthLocal {
        local: usize,
        value: Truth,
    },
    Require(Truth),
    If {
        condition: Truth,
        then: Block,
        otherwise: Block,
    },
    /// Alternatives. With labels (numbers in [`Rules::labels`](super::Rules)), the one that is taken
    /// is a choice of the move.
    Either {
        alternatives: Vec<Block>,
        labels: Vec<u8>,
    },
    /// For each cell of a set, in order.
    For {
        local: usize,
        over: Set,
        body: Block,
    },
    Repeat {
        times: Number,
        body: Block,
    },
    Stop,
    /// Pieces of a kind come to cells, and replace what is there.
    Put {
        set: usize,
        on: Set,
    },
    /// Pieces leave cells.
    Clear(Set),
    /// A mark gets another set.
    Mark {
        set: usize,
        value: Set,
    },
    /// What is on one cell goes to another.
    Move {
        from: Set,
        to: Set,
    },
    /// Pieces, marks and counts go from cell to cell: the content of cell n goes to `table[n]`.
    Permute {
        table: Arc<[u8]>,
    },
    /// The number on each cell of a set becomes a value, or changes by it.
    SetCount {
        count: usize,
        cell: Set,
        change: Option<Sign>,
        value: Number,
    },
    SetNumber {
        number: usize,
        value: Number,
    },
    /// A move is only made if no other has a larger number, from 0 to [`MAX_PREFERRED`].
    Prefer(Number),
    /// Sows the count of a cell, one on each of the cells that follow, but none on `skip`; the local
    /// is the last one.
    Sow {
        local: usize,
        count: usize,
        from: Set,
        skip: Set,
        next: Arc<[u8]>,
    },
    Again,
    /// The game ends with this value for the side that moves, within [`MAX_SCORE`].
    Finish(Number),
}

/// The largest score of a game; larger ones count as this.
pub const MAX_SCORE: i64 = 1 << 20;

/// The largest number by which a move is preferred.
pub const MAX_PREFERRED: i64 = 255;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Set {
    Cells(Cells),
    /// A set of the position.
    State(usize),
    Local(usize),
    Union(Vec<Set>),
    Both(Vec<Set>),
    Minus(Box<Set>, Box<Set>),
    /// The cells that a table gives for the cells of a set.
    Step {
        table: Arc<[Cells]>,
        of: Box<Set>,
    },
    /// The cells of all rows of a table that lie within a set.
    Rows {
        rows: Arc<[Cells]>,
        within: Box<Set>,
    },
    /// The cells of `within` that are connected to cells of `from` within it.
    Flood {
        from: Box<Set>,
        within: Box<Set>,
        table: Arc<[Cells]>,
    },
    /// The cells of `through` along rays from the cells of `from`.
    Ray {
        from: Box<Set>,
        through: Box<Set>,
        rays: Rays,
    },
    /// The cells of `through` along rays from the cells of `from` to a cell of `to`; at most `max`
    /// on a ray.
    Between {
        from: Box<Set>,
        through: Box<Set>,
        to: Box<Set>,
        rays: Rays,
        max: usize,
    },
    /// The cells of `to` behind cells of `through`, at least one and at most `max`, along rays from
    /// the cells of `from`.
    Beyond {
        from: Box<Set>,
        through: Box<Set>,
        to: Box<Set>,
        rays: Rays,
        max: usize,
    },
    /// The cells of a set whose count is not 0.
    Full {
        count: usize,
        of: Box<Set>,
    },
}

/// For each cell, the rays that leave it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Rays {
    from: Arc<[Vec<Arc<[u8]>>]>,
    /// How many cells all rays have together.
    pub cells: u64,
}

impl FromIterator<Vec<Arc<[u8]>>> for Rays {
    fn from_iter<I: IntoIterator<Item = Vec<Arc<[u8]>>>>(rays: I) -> Rays {
        let from: Arc<[Vec<Arc<[u8]>>]> = rays.into_iter().collect();
        let cells = from.iter().flatten().map(|ray| ray.len() as u64).sum();
        Rays { from, cells }
    }
}

impl Deref for Rays {
    type Target = [Vec<Arc<[u8]>>];

    fn deref(&self) -> &[Vec<Arc<[u8]>>] {
        &self.from
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Number {
    Value(i64),
    Local(usize),
    /// A number of the position.
    State(usize),
    /// The number of cells of a set.
    Size(Box<Set>),
    /// The sum of a count over the cells of a set.
    Sum {
        count: usize,
        over: Box<Set>,
    },
    Negative(Box<Number>),
    Calculate(Sign, Box<Number>, Box<Number>),
}

/// How two numbers give a third.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of the others say all")]
pub enum Sign {
    Plus,
    Minus,
    Times,
    /// Rounded towards 0; 0 if the divisor is 0.
    Divide,
    /// 0 if the divisor is 0.
    Remainder,
    Least,
    Most,
}

impl Sign {
    /// The result; numbers that are too large wrap, which ranges then refuse.
    #[inline]
    pub fn of(self, one: i64, other: i64) -> i64 {
        match self {
            Sign::Plus => one.wrapping_add(other),
            Sign::Minus => one.wrapping_sub(other),
            Sign::Times => one.wrapping_mul(other),
            Sign::Divide => one.checked_div(other).unwrap_or(0),
            Sign::Remainder => one.checked_rem(other).unwrap_or(0),
            Sign::Least => one.min(other),
            Sign::Most => one.max(other),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Truth {
    Known(bool),
    Local(usize),
    /// A set is not empty.
    Any(Set),
    Same(Set, Set),
    Equal(Number, Number),
    Less(Number, Number),
    Not(Box<Truth>),
    All(Vec<Truth>),
    Either(Vec<Truth>),
}
