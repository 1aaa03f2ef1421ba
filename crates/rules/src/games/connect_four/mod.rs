//! Connect Four, on a board of any size up to 64 bits.
//!
//! **Moves** are the number of the column, from 1; a whole game may be written without commas
//! (`445`). **Positions** are the rows from the top joined by `/`, then the side to move.
//!
//! **Known.** The first player wins on 7x6 (James D. Allen and Victor Allis, both in October 1988),
//! in 41 plies; 6x6 is a win for the second player, 6x5, 5x5 and 4x4 are draws (John Tromp's table
//! of sizes).
//!
//! The bitboard is that of Fhourstones and Pons: a column has `rows + 1` bits, and its top bit is
//! always empty, so that a row of stones cannot continue into the next column. On a board of three
//! columns and two rows the bits are
//!
//! ```text
//!    2  5  8    always empty
//!    1  4  7
//!    0  3  6
//! ```

mod hints;
mod numbers;
#[cfg(test)]
mod tests;

use crate::family::{About, Args, Family, Group, Invalid, Parameter};
use crate::game::{Distance, Game, Outcome, Side, Value, Worth};
use crate::kit::{Bits, Board, Cells, Face, LETTERS, Number, OnBoard, Piece, Stones, rows_of};
use crate::promise::{Actions, Acyclic, Encode, Finer, NoBank, Symmetry};

/// The value of a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Always 1.
    Result,
    /// The number of stones that the winner has left, the winning stone included.
    Stones,
}

/// Connect Four.
///
#[doc = include_str!("rules.txt")]
#[derive(Clone, Debug)]
pub struct ConnectFour {
    columns: usize,
    rows: usize,
    length: u32,
    score: Score,
    /// The lowest square of every column.
    bottom: u64,
    /// Every square of the board.
    full: u64,
    board: Board,
    /// See [`ConnectFour::all_heights`].
    heights: Vec<u64>,
}

impl Game for ConnectFour {
    type State = Stones;
    type Move = Number;

    fn start(&self) -> Stones {
        Stones::NONE
    }

    #[inline]
    fn turn(&self, state: &Stones) -> Side {
        state.turn
    }

    fn max_value(&self) -> i32 {
        self.worth_of_win((self.board.len() as u32).div_ceil(2))
    }

    #[inline]
    fn outcome(&self, state: &Stones) -> Option<Outcome> {
        if self.has_row(state.waiting) {
            // The winning stone counts as a stone that the winner has left.
            let winner = state.turn.other();
            let side = self.board.len() as u32 + 1 - winner.index() as u32;
            let left = side / 2 + 1 - state.waiting.count_ones();
            let value = Value(self.worth_of_win(left));
            Some(value.outcome_for(winner))
        } else if state.taken() == self.full {
            Some(Outcome::DRAW)
        } else {
            None
        }
    }

    #[inline]
    fn moves(&self, state: &Stones) -> impl Iterator<Item = Number> {
        let open = self.full & !state.taken();
        (0..self.columns as u8)
            .filter(move |&column| open & self.column_mask(column) != 0)
            .map(Number)
    }

    #[inline]
    fn play(&self, state: &Stones, Number(column): Number) -> Stones {
        // Adding a column's lowest bit to its stones carries to the lowest empty square.
        let taken = state.taken();
        let after = taken | (taken + (1 << (u32::from(column) * self.height())));
        state.with(after ^ taken)
    }
}

impl Actions for ConnectFour {
    fn actions(&self) -> usize {
        self.columns
    }

    fn action(&self, mv: Self::Move) -> usize {
        mv.0.into()
    }
}

impl ConnectFour {
    /// The game on a board of `columns` x `rows` with `length` in a row to win.
    ///
    /// # Errors
    /// If the board has more than 64 bits.
    fn of(columns: usize, rows: usize, length: u32, score: Score) -> Result<ConnectFour, Invalid> {
        if columns * (rows + 1) > 64 {
            let found = format!("columns={columns},rows={rows}");
            return Err(Invalid::new(found, "columns x (rows + 1) to be at most 64"));
        }
        let bottom = (0..columns).fold(0, |mask, column| mask | 1u64 << (column * (rows + 1)));
        let full = bottom * ((1 << rows) - 1);
        let stones = Piece::stones(LETTERS, Face::Disc);
        let board = Board::wells(columns, rows).pieces(stones).sides(LETTERS);
        let heights = ConnectFour::all_heights(columns, rows);
        Ok(ConnectFour { columns, rows, length, score, bottom, full, board, heights })
    }

    /// The value of a win for a side with `stones` stones left, the winning stone included.
    fn worth_of_win(&self, stones: u32) -> i32 {
        match self.score {
            Score::Result => 1,
            Score::Stones => stones as i32,
        }
    }

    /// The number of bits of a column.
    #[inline]
    fn height(&self) -> u32 {
        self.rows as u32 + 1
    }

    #[inline]
    fn column_mask(&self, column: u8) -> u64 {
        ((1 << self.rows) - 1) << (u32::from(column) * self.height())
    }

    /// For each direction, the step to the next square and the lowest squares of the rows of
    /// stones.
    #[inline]
    fn rows_in(&self, stones: u64) -> impl Iterator<Item = (u32, u64)> {
        let height = self.height();
        // A row longer than the board would shift by more than a word's bits.
        let fits = |step: &u32| step * (self.length - 1) < 64;
        let steps = [1, height, height - 1, height + 1].into_iter().filter(fits);
        steps.map(move |step| (step, rows_of(stones, step, self.length)))
    }

    #[inline]
    fn has_row(&self, stones: u64) -> bool {
        self.rows_in(stones).any(|(_, rows)| rows != 0)
    }

    /// The bit of a cell of the board.
    fn bit(&self, cell: usize) -> u32 {
        let (column, row) = self.board.place(cell);
        column as u32 * self.height() + (self.rows - 1 - row) as u32
    }

    /// The cell of a bit.
    fn cell(&self, bit: u32) -> usize {
        let (column, height) = ((bit / self.height()) as usize, (bit % self.height()) as usize);
        (self.rows - 1 - height) * self.columns + column
    }

    fn mirrored(&self, stones: u64) -> u64 {
        let columns = 0..self.columns as u32;
        let column = (1u64 << self.height()) - 1;
        columns
            .fold(0, |image, at| image << self.height() | stones >> (at * self.height()) & column)
    }
}

impl Family for ConnectFour {
    const ABOUT: About = About {
        name: "connect-four",
        title: "Connect Four",
        summary: "drop stones into columns, a row of stones wins",
        group: Group::Lines,
        rules: include_str!("rules.txt"),
        move_notation: "the number of the column, from 1; a whole game also without commas: `445`",
        position_notation: "rows from the top joined by `/`, `.` empty, then the side: \
                            `..../..../..../XO.. X` on 4x4",
        known: "The first player wins on 7x6 in 41 plies (Allen 1988, Allis 1988); on 6x6 the \
                second player wins; 6x5, 5x5 and 4x4 are draws (Tromp).",
        unit: "result",
        parameters: &[
            Parameter::number(
                "columns",
                [1, 32],
                "7",
                "width of the board (columns x (rows + 1) at most 64)",
            ),
            Parameter::number("rows", [1, 32], "6", "height of the board"),
            Parameter::number("line", [1, 32], "4", "stones in a row that win"),
            Parameter::choice(
                "score",
                &["result", "stones"],
                "the value of a win: 1, or the number of stones that the winner has left, the winning one included",
            ),
        ],
    };

    fn create(args: &Args) -> Result<ConnectFour, Invalid> {
        let size = |name| args.number(name) as usize;
        let score = [Score::Result, Score::Stones][args.choice("score")];
        ConnectFour::of(size("columns"), size("rows"), args.number("line"), score)
    }

    fn arguments(&self) -> Vec<String> {
        let score = if self.score == Score::Result { "result" } else { "stones" };
        let ConnectFour { columns, rows, length, .. } = self;
        vec![columns.to_string(), rows.to_string(), length.to_string(), score.to_owned()]
    }

    fn unit(&self) -> &'static str {
        if self.score == Score::Result { "result" } else { "stones" }
    }

    fn sides(&self) -> [&'static str; 2] {
        LETTERS
    }
}

impl OnBoard for ConnectFour {
    fn board(&self) -> &Board {
        &self.board
    }

    fn cells(&self, state: &Stones) -> Cells {
        let set =
            |stones: u64| Bits(stones).fold(0u128, |set, bit| set | 1 << self.cell(bit.into()));
        Cells::new(state.turn)
            .with(0, set(state.of(Side::First)))
            .with(1, set(state.of(Side::Second)))
    }

    fn state_of(&self, cells: &Cells) -> Result<Stones, String> {
        let stones = |set: u128| Bits(set).fold(0, |all, cell| all | 1 << self.bit(cell.into()));
        let state = Stones::of_cells(cells, LETTERS)?.map(|set| stones(set.into()));
        // Below a stone there must be another stone or the bottom.
        let taken = state.taken();
        if (taken & !self.bottom) >> 1 & !taken != 0 {
            return Err("no stone above an empty square".to_owned());
        }
        if self.has_row(state.to_move) {
            let side = LETTERS[state.turn.index()];
            return Err(format!(
                "a position that play can reach: {side} is to move, but already has a row"
            ));
        }
        Ok(state)
    }

    /// A column.
    fn move_cells(&self, _: &Stones, Number(column): Number) -> Vec<usize> {
        vec![column.into()]
    }

    /// The lowest empty square of the column.
    fn target(&self, state: &Stones, Number(column): Number) -> Option<usize> {
        let landing = (state.taken() + self.bottom) & self.column_mask(column);
        Some(self.cell(landing.trailing_zeros()))
    }

    fn decided(&self, state: &Stones) -> Vec<[usize; 2]> {
        let rows = self.rows_in(state.waiting).flat_map(|(step, rows)| {
            let last = step * (self.length - 1);
            Bits(rows).map(move |bit| [u32::from(bit), u32::from(bit) + last])
        });
        rows.map(|ends| ends.map(|bit| self.cell(bit))).collect()
    }
}

impl Acyclic for ConnectFour {
    #[inline]
    fn progress(&self, state: &Stones) -> u32 {
        state.taken().count_ones()
    }

    fn plies_left(&self, state: &Stones) -> Option<u32> {
        Some((self.columns * self.rows) as u32 - state.taken().count_ones())
    }
}

impl Finer for ConnectFour {
    /// The one in which the winner counts stones.
    fn finest(&self) -> ConnectFour {
        ConnectFour { score: Score::Stones, ..self.clone() }
    }

    fn worth_by(&self, state: &Stones, Value(stones): Value) -> Worth {
        let taken = state.taken().count_ones();
        let plies = match stones {
            0 => self.board.len() as u32 - taken,
            _ => {
                // The winner's stones on the board are all but those left, besides the one that wins.
                let winner = if stones > 0 { state.turn } else { state.turn.other() };
                let all = (self.board.len() as u32 + 1 - winner.index() as u32) / 2;
                let own = state.of(winner).count_ones();
                // A book may be false.
                let moves = (all + 1).saturating_sub(stones.unsigned_abs().saturating_add(own));
                2 * moves - u32::from(winner == state.turn && moves > 0)
            }
        };
        let value = match self.score {
            Score::Result => stones.signum(),
            Score::Stones => stones,
        };
        Worth::new(Value(value), Distance::Plies(plies))
    }
}

impl Encode for ConnectFour {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        self.columns as u32 * self.height()
    }

    /// The stones of the side to move, and a bit on the lowest empty square of every column. This
    /// is the sum of three words: the mover's stones, all stones, and the bottom row. The side to
    /// move follows from the number of stones.
    #[inline]
    fn encode(&self, state: &Stones) -> u128 {
        u128::from(state.to_move + state.taken() + self.bottom)
    }

    fn decode(&self, packed: u128) -> Stones {
        let columns = (0..self.columns as u32).map(|column| {
            let shift = column * self.height();
            let bits = (packed as u64) >> shift & ((1 << self.height()) - 1);
            // The highest bit marks the lowest empty square; below it are the mover's stones.
            let stones = (1u64 << bits.max(1).ilog2()) - 1;
            ((bits & stones) << shift, stones << shift)
        });
        let (to_move, taken) = columns.fold((0, 0), |all, one| (all.0 | one.0, all.1 | one.1));
        let turn = Side::BOTH[taken.count_ones() as usize % 2];
        Stones { to_move, waiting: taken & !to_move, turn }
    }
}

impl Symmetry for ConnectFour {
    /// The smaller of the board and its mirror image.
    fn representative(&self, state: &Stones) -> Stones {
        let image = state.map(|stones| self.mirrored(stones));
        *[*state, image].iter().min_by_key(|s| (s.to_move, s.waiting)).unwrap_or(state)
    }

    fn images(&self) -> u64 {
        2
    }

    fn image(&self, state: &Stones, number: u64) -> Option<Stones> {
        match number {
            0 => Some(*state),
            1 => Some(state.map(|stones| self.mirrored(stones))),
            _ => None,
        }
    }
}
