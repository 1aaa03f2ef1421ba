//! Hex, on boards of up to 64 hexagons, with or without the swap rule.
//!
//! That there are no draws is due to John Nash (David Gale 1979): on a full board exactly one side has its
//! chain. A swap has the same effect as exchanging the sides, but each player keeps its letter.
//!
//! **Moves** are the cell, columns by letters from the left, rows by numbers from above: `b3`; `swap` takes
//! over the first stone. **Positions** are the rows joined by `/`, from above, each half a cell further
//! to the right than the one before, then the side to move: `.../.X./... O`.
//!
//! **Known.** On boards as wide as high the first player wins, because one more own stone never does harm
//! (Nash). With the swap rule the second player wins on boards larger than 1x1: it takes over a stone that wins,
//! and otherwise does not swap. Van Rijswijck (2002), Hayward and others (2003) and Henderson, Arneson and Hayward (2009)
//! found which first stones win on boards of up to 8x8. On other boards the side whose edges are closer wins, also
//! as second (Martin Gardner 1959): it answers each stone by the cell across a diagonal.

mod hints;
#[cfg(test)]
mod tests;

use self::hints::Hints;
use crate::family::{About, Args, Family, Group, Invalid, Parameter};
use crate::game::{Game, Outcome, Side};
use crate::kit::{
    Bits, Board, Cells, Chains, EncodedByCells, Face, LETTERS, Look, OnBoard, Piece, Placing,
    Square, Stones, SymmetricAsBoard,
};
use crate::promise::{Actions, Acyclic, NoBank};

/// The steps from a hexagon to those around it.
const AROUND: [(isize, isize); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];

/// Hex.
///
#[doc = include_str!("rules.txt")]
#[derive(Clone, Debug)]
pub struct Hex {
    columns: u8,
    rows: u8,
    swap: bool,
    board: Board,
    chains: Chains,
    /// For each side, the cells on the two edges that it is to join.
    edges: [[u64; 2]; 2],
    hints: Hints,
}

/// The move that takes over the first stone.
const SWAP: Placing = Placing::Word("swap");

impl Game for Hex {
    type State = Stones;
    type Move = Placing;

    fn start(&self) -> Stones {
        Stones::NONE
    }

    #[inline]
    fn turn(&self, state: &Stones) -> Side {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &Stones) -> Option<Outcome> {
        let last = state.turn.other();
        self.has_chain(state.waiting, last).then(|| Outcome::win(last))
    }

    #[inline]
    fn moves(&self, state: &Stones) -> impl Iterator<Item = Placing> {
        let empty = self.board.all() as u64 & !state.taken();
        let cells = Bits(empty).map(|cell| Placing::At(self.cell(cell)));
        cells.chain(self.can_swap(state).then_some(SWAP))
    }

    #[inline]
    fn play(&self, state: &Stones, mv: Placing) -> Stones {
        match mv {
            Placing::At(cell) => state.with(1 << self.bit(cell)),
            Placing::Word(_) => {
                let stone = self.mirrored(state.waiting);
                Stones { to_move: 0, waiting: stone, turn: state.turn.other() }
            }
        }
    }

    fn max_value(&self) -> i32 {
        1
    }
}

impl Actions for Hex {
    fn actions(&self) -> usize {
        self.size() + 1
    }

    fn action(&self, mv: Self::Move) -> usize {
        match mv {
            Placing::At(square) => self.bit(square).into(),
            Placing::Word(_) => self.size(),
        }
    }
}

impl Hex {
    fn of([columns, rows]: [u8; 2], swap: bool) -> Hex {
        let size = [columns, rows].map(usize::from);
        let [wide, high] = size;
        let board = Board::grid(Look::Hexes, wide, high, |_, _| true).lettered(true).edged();
        let board = board.pieces(Piece::stones(LETTERS, Face::Disc)).sides(LETTERS);
        let half_turn = |column: usize, row: usize| (wide - 1 - column, high - 1 - row);
        let board = board.symmetric(|column, row| [(column, row), half_turn(column, row)]);
        let chains = Chains::new(&board, &AROUND);
        let row = (1 << wide) - 1;
        let column = (0..high).fold(0, |set, row| set | 1 << (row * wide));
        let edges = [[row, row << (wide * (high - 1))], [column, column << (wide - 1)]];
        let hints = Hints::new(size, &chains);
        Hex { columns, rows, swap, board, chains, edges, hints }
    }

    /// How many cells the board has.
    fn size(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    #[inline]
    const fn bit(&self, cell: Square) -> u8 {
        cell.row * self.columns + cell.column
    }

    #[inline]
    const fn cell(&self, bit: u8) -> Square {
        Square { column: bit % self.columns, row: bit / self.columns }
    }

    #[inline]
    fn has_chain(&self, stones: u64, side: Side) -> bool {
        let [from, to] = self.edges[side.index()];
        self.chains.joined(from, stones) & to != 0
    }

    /// Whether the side to move may take over the first stone.
    #[inline]
    fn can_swap(&self, state: &Stones) -> bool {
        self.swap && state.to_move == 0 && state.turn == Side::Second
    }

    /// The mirror image across the diagonal, which exchanges the edges of the two sides, of a board as wide as
    /// high.
    #[inline]
    fn mirrored(&self, cells: u64) -> u64 {
        self.hints.mirrored(cells)
    }
}

impl Family for Hex {
    const ABOUT: About = About {
        name: "hex",
        title: "Hex",
        summary: "join your two edges of the board by a chain of stones",
        group: Group::Connection,
        rules: include_str!("rules.txt"),
        move_notation: "the cell, rows counted from above: `b3`; `swap` takes over the first stone",
        position_notation: "rows from above joined by `/`, `.` empty, then the side: `.../.X./... O`",
        known: "On boards as wide as high the first player wins (Nash); with the swap rule the second, on \
                boards larger than 1x1. All first stones on boards of up to 8x8 are solved (Henderson, \
                Arneson and Hayward 2009). On other boards the side whose edges are closer wins.",
        unit: "result",
        parameters: &[
            Parameter::number(
                "size",
                [1, 8],
                "4",
                "cells along a side, unless columns or rows are given",
            ),
            Parameter::number("columns", [1, 16], "", "cells in a row; as size if not given"),
            Parameter::number(
                "rows",
                [1, 16],
                "",
                "rows; as size if not given (at most 64 cells in all)",
            ),
            Parameter::flag(
                "swap",
                false,
                "whether the second player may take over the first stone",
            ),
        ],
    };

    fn create(args: &Args) -> Result<Hex, Invalid> {
        let given = ["columns", "rows"].map(|name| match args.text(name) {
            "" => args.number("size"),
            _ => args.number(name),
        });
        let ([columns, rows], swap) = (given, args.flag("swap"));
        let form = || format!("columns={columns},rows={rows}");
        if columns * rows > 64 {
            return Err(Invalid::new(form(), "columns and rows of at most 64 cells in all"));
        }
        if swap && columns != rows {
            let expected =
                "as many columns as rows if `swap=true`: the first stone moves across the diagonal";
            return Err(Invalid::new(form(), expected));
        }
        Ok(Hex::of([columns as u8, rows as u8], swap))
    }

    /// `size` alone if the board is as wide as high.
    fn arguments(&self) -> Vec<String> {
        let [columns, rows] = [self.columns, self.rows].map(|number| number.to_string());
        let [size, columns, rows] = match self.columns == self.rows {
            true => [columns, String::new(), String::new()],
            false => [String::new(), columns, rows],
        };
        vec![size, columns, rows, self.swap.to_string()]
    }

    fn sides(&self) -> [&'static str; 2] {
        LETTERS
    }
}

impl OnBoard for Hex {
    fn board(&self) -> &Board {
        &self.board
    }

    fn cells(&self, state: &Stones) -> Cells {
        state.cells()
    }

    fn state_of(&self, cells: &Cells) -> Result<Stones, String> {
        let state = Stones::on(cells);
        let [first, second] = Side::BOTH.map(|side| state.of(side).count_ones());
        // After a swap the second player has the first stone.
        let is_swapped = self.swap && second > 0 && second == first + 1 - cells.turn.index() as u32;
        if !is_swapped {
            Stones::of_cells(cells, LETTERS)?;
        }
        if self.has_chain(state.to_move, state.turn) {
            let side = LETTERS[state.turn.index()];
            return Err(format!(
                "a position that can arise: {side} is to move, and already has its chain"
            ));
        }
        Ok(state)
    }

    /// To swap, the first stone is picked.
    fn move_cells(&self, state: &Stones, mv: Placing) -> Vec<usize> {
        match mv {
            Placing::At(cell) => vec![self.bit(cell).into()],
            Placing::Word(_) => vec![state.waiting.trailing_zeros() as usize],
        }
    }

    fn landing(&self, state: &Stones, mv: Placing) -> Option<usize> {
        (mv == SWAP).then(|| self.mirrored(state.waiting).trailing_zeros() as usize)
    }

    fn decided(&self, state: &Stones) -> Vec<[usize; 2]> {
        let winner = state.turn.other();
        let [from, to] = self.edges[winner.index()];
        let chain = self.chains.shortest(from, to, state.waiting);
        chain.windows(2).map(|pair| [pair[0], pair[1]]).collect()
    }
}

impl Acyclic for Hex {
    /// A swap leaves one stone, which is the second player's then.
    fn progress(&self, state: &Stones) -> u32 {
        2 * state.taken().count_ones() + u32::from(state.turn == Side::First)
    }
}

impl SymmetricAsBoard for Hex {}

impl EncodedByCells for Hex {
    type Bank = NoBank;
}
