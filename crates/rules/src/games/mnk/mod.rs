//! (m,n,k) games: stones on a board of m columns and n rows, k in a row to win; tic-tac-toe is
//! (3,3,3).
//!
//! **Moves** are the number of the square, from 1, row by row from the top. **Positions** are the
//! rows joined by `/`, then the side to move: `OX./.O./.X. X`.
//!
//! **Known.** Tic-tac-toe is a draw: 255,168 different games, 5,478 positions, 765 up to symmetry.
//! (m,n,k) games are surveyed by Uiterwijk and van den Herik, *The advantage of the initiative*
//! (2000): the first player wins (4,3,3), and draws (4,4,4) and (5,5,4).
//!
//! A position has two words of stones: of the side to move and of the other side. The other side
//! made the last move, so only its stones can have a new row.

mod hints;
mod numbers;
#[cfg(test)]
mod tests;

use crate::family::{About, Args, Family, Group, Invalid, Parameter};
use crate::game::{Game, Outcome, Side};
use crate::kit::{Bits, Board, Cells, Face, LETTERS, Lines, Number, OnBoard, Piece, Stones};
use crate::promise::{Actions, Acyclic, Encode, NoBank, Symmetry};

/// A board has at most this many squares.
const MAX_SQUARES: usize = 64;

/// An (m,n,k) game.
///
#[doc = include_str!("rules.txt")]
#[derive(Clone, Debug)]
pub struct Mnk {
    columns: usize,
    rows: usize,
    length: u32,
    misere: bool,
    lines: Lines,
    /// Every square of the board.
    full: u64,
    board: Board,
}

impl Game for Mnk {
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
        1
    }

    #[inline]
    fn outcome(&self, state: &Stones) -> Option<Outcome> {
        if self.lines.any_in(state.waiting) {
            let winner = if self.misere { state.turn } else { state.turn.other() };
            Some(Outcome::win(winner))
        } else if state.taken() == self.full {
            Some(Outcome::DRAW)
        } else {
            None
        }
    }

    #[inline]
    fn moves(&self, state: &Stones) -> impl Iterator<Item = Number> {
        Bits(self.full & !state.taken()).map(Number)
    }

    #[inline]
    fn play(&self, state: &Stones, Number(square): Number) -> Stones {
        state.with(1 << square)
    }
}

impl Actions for Mnk {
    fn actions(&self) -> usize {
        self.columns * self.rows
    }

    fn action(&self, mv: Self::Move) -> usize {
        mv.0.into()
    }
}

impl Mnk {
    /// A board of `columns` x `rows`, `length` in a row to win, or with `misere` to lose.
    ///
    /// # Errors
    /// If the board has more than 64 squares.
    fn of(columns: usize, rows: usize, length: u32, misere: bool) -> Result<Mnk, Invalid> {
        if columns * rows > MAX_SQUARES {
            let found = format!("columns={columns},rows={rows}");
            return Err(Invalid::new(found, "a board of at most 64 squares"));
        }
        let stones = Piece::stones(LETTERS, Face::Mark);
        let board = Board::squares(columns, rows).pieces(stones).sides(LETTERS).rectangular();
        let lines = Lines::new(columns, rows, length);
        let full = board.all() as u64;
        Ok(Mnk { columns, rows, length, misere, lines, full, board })
    }

    /// Tic-tac-toe.
    pub fn tic_tac_toe() -> Mnk {
        Mnk::of(3, 3, 3, false).expect("9 squares are at most 64")
    }
}

impl Family for Mnk {
    const ABOUT: About = About {
        name: "mnk",
        title: "(m,n,k) game",
        summary: "put stones on a board, a row of stones wins: tic-tac-toe and similar games",
        group: Group::Lines,
        rules: include_str!("rules.txt"),
        move_notation: "the number of the square, from 1, row by row from the top",
        position_notation: "rows joined by `/`, `.` empty, then the side: `OX./.O./.X. X`",
        known: "Where a row wins, tic-tac-toe is a draw, the first player wins (4,3,3), and (4,4,4) and \
                (5,5,4) are draws (Uiterwijk and van den Herik 2000).",
        unit: "result",
        parameters: &[
            Parameter::number(
                "columns",
                [1, 64],
                "3",
                "width of the board (columns x rows at most 64)",
            ),
            Parameter::number("rows", [1, 64], "3", "height of the board"),
            Parameter::number("line", [1, 64], "3", "stones in a row that decide the game"),
            Parameter::flag("misere", false, "a row loses instead of winning"),
        ],
    };

    fn create(args: &Args) -> Result<Mnk, Invalid> {
        let size = |name| args.number(name) as usize;
        Mnk::of(size("columns"), size("rows"), args.number("line"), args.flag("misere"))
    }

    fn arguments(&self) -> Vec<String> {
        let Mnk { columns, rows, length, misere, .. } = self;
        vec![columns.to_string(), rows.to_string(), length.to_string(), misere.to_string()]
    }

    fn sides(&self) -> [&'static str; 2] {
        LETTERS
    }
}

impl OnBoard for Mnk {
    fn board(&self) -> &Board {
        &self.board
    }

    fn cells(&self, state: &Stones) -> Cells {
        state.cells()
    }

    fn state_of(&self, cells: &Cells) -> Result<Stones, String> {
        let state = Stones::of_cells(cells, LETTERS)?;
        if self.lines.any_in(state.to_move) {
            let side = LETTERS[state.turn.index()];
            return Err(format!(
                "a position that play can reach: {side} is to move, but already has a row"
            ));
        }
        Ok(state)
    }

    fn move_cells(&self, _: &Stones, Number(square): Number) -> Vec<usize> {
        vec![square.into()]
    }

    fn decided(&self, state: &Stones) -> Vec<[usize; 2]> {
        self.lines.ends_in(state.waiting)
    }
}

impl Acyclic for Mnk {
    #[inline]
    fn progress(&self, state: &Stones) -> u32 {
        state.taken().count_ones()
    }

    fn plies_left(&self, state: &Stones) -> Option<u32> {
        Some((self.columns * self.rows) as u32 - state.taken().count_ones())
    }
}

impl Symmetry for Mnk {
    /// The smallest image under the symmetries of the board.
    fn representative(&self, state: &Stones) -> Stones {
        let sets = [state.to_move, state.waiting];
        let [to_move, waiting] = self.board.symmetries().smallest(sets);
        Stones { to_move, waiting, ..*state }
    }

    fn images(&self) -> u64 {
        self.board.symmetries().len() as u64
    }

    fn image(&self, state: &Stones, number: u64) -> Option<Stones> {
        let sets = [state.to_move, state.waiting];
        let [to_move, waiting] = self.board.symmetries().image(sets, number)?;
        Some(Stones { to_move, waiting, ..*state })
    }
}

/// Written by hand, because the two words are faster than digits. The side to move follows from the
/// numbers of stones.
impl Encode for Mnk {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        2 * self.board.len() as u32
    }

    fn encode(&self, state: &Stones) -> u128 {
        let [first, second] = Side::BOTH.map(|side| u128::from(state.of(side)));
        first << self.board.len() | second
    }

    fn decode(&self, code: u128) -> Stones {
        let second = code as u64 & self.full;
        let first = (code >> self.board.len()) as u64 & self.full;
        Stones::of_both(first, second)
    }
}
