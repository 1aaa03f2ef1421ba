//! Dots and boxes, on grids of up to 64 edges.
//!
//! **Moves** are the number of the edge, from 1, row by row from the top: the upper edges of the first row
//! of boxes, then its vertical edges, and so on. **Positions** are these rows joined by `/`, `X` for a drawn
//! edge, then the boxes of the first and of the second player, and the side to move:
//! `X./X../../.../.. 0 0 first`.
//!
//! **Known.** The first player wins 2x2 by 2 boxes, the second player wins 3x3 by 3; 4x4 and 5x4 are draws
//! (David Wilson; Joseph Barker and Richard Korf, *Solving Dots-and-Boxes*, 2012).
//!
//! A player never loses a box, and which boxes it has does not matter for the rest of the game. So boxes
//! are banked. What remains of a position are the edges; whose turn it is only decides the point of view.
//! On 3x3 there are 2^24 such positions, fewer with symmetry, instead of hundreds of millions with boxes
//! and sides.

mod hints;
mod numbers;
#[cfg(test)]
mod tests;

use crate::family::{About, Args, Family, Group, Invalid, Parameter};
use crate::game::{Game, Outcome, Side, Value};
use crate::kit::{
    Bits, Board, Cells, Count, EncodedByCells, Face, Look, Number, OnBoard, Piece, SymmetricAsBoard,
};
use crate::promise::{Actions, Acyclic, Banked, Evaluate, Order, PointBank};

const MAX_EDGES: usize = 64;

/// Dots and boxes.
///
#[doc = include_str!("rules.txt")]
#[derive(Clone, Debug)]
pub struct DotsAndBoxes {
    columns: usize,
    rows: usize,
    board: Board,
    /// Every box, as the set of its edges.
    boxes: Vec<u64>,
    /// By edge: the boxes on its two sides; 0 beyond the edge of the board.
    beside: Vec<[u64; 2]>,
}

/// A position of [`DotsAndBoxes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// A bit for each edge that is drawn.
    edges: u64,
    /// The boxes that each side has.
    boxes: [u8; 2],
    turn: Side,
}

impl Game for DotsAndBoxes {
    type State = State;
    type Move = Number;

    fn start(&self) -> State {
        State { edges: 0, boxes: [0, 0], turn: Side::First }
    }

    #[inline]
    fn turn(&self, state: &State) -> Side {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.edges == self.all()).then(|| state.lead())
    }

    #[inline]
    fn moves(&self, state: &State) -> impl Iterator<Item = Number> {
        Bits(self.all() & !state.edges).map(Number)
    }

    #[inline]
    fn play(&self, state: &State, Number(edge): Number) -> State {
        let mut next = State { edges: state.edges | 1 << edge, ..*state };
        match self.completed(state.edges, edge) {
            0 => next.turn = state.turn.other(),
            boxes => next.boxes[state.turn.index()] += boxes,
        }
        next
    }

    fn max_value(&self) -> i32 {
        self.boxes.len() as i32
    }
}

impl Actions for DotsAndBoxes {
    fn actions(&self) -> usize {
        self.columns * (self.rows + 1) + self.rows * (self.columns + 1)
    }

    fn action(&self, mv: Self::Move) -> usize {
        mv.0.into()
    }
}

impl State {
    const fn lead(&self) -> Outcome {
        Outcome(self.boxes[0] as i32 - self.boxes[1] as i32)
    }
}

impl DotsAndBoxes {
    /// A grid of `columns` times `rows` boxes.
    ///
    /// # Errors
    /// If it has more than 64 edges.
    fn of(columns: usize, rows: usize) -> Result<DotsAndBoxes, Invalid> {
        let edges = columns * (rows + 1) + rows * (columns + 1);
        if edges > MAX_EDGES {
            let found = format!("columns={columns},rows={rows}");
            let expected = format!("a grid of at most {MAX_EDGES} edges, not {edges}");
            return Err(Invalid::new(found, expected));
        }
        // Dots, edges and boxes lie on a finer grid; edges are where one of column and row is odd.
        let is_edge = |column: usize, row: usize| (column + row) % 2 == 1;
        let board = Board::grid(Look::Edges, 2 * columns + 1, 2 * rows + 1, is_edge).rectangular();
        let max = (columns * rows) as u16;
        let count = |side: &str| Count { name: format!("boxes of {side}"), max, banked: true };
        let board = board
            .pieces([Piece::new('X', "drawn", None).face(Face::Disc)])
            .counts(["the first player", "the second player"].map(count));
        let middles = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let boxes = middles.map(|(column, row)| {
            let [x, y] = [2 * column + 1, 2 * row + 1];
            let around = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)];
            let edges = around.into_iter().filter_map(|(column, row)| board.at(column, row));
            edges.fold(0, |set, edge| set | 1 << edge)
        });
        let boxes: Vec<u64> = boxes.collect();
        let beside = (0..board.len()).map(|edge| {
            let mut beside = boxes.iter().copied().filter(|set| set >> edge & 1 == 1);
            [(); 2].map(|()| beside.next().unwrap_or(0))
        });
        Ok(DotsAndBoxes { columns, rows, beside: beside.collect(), boxes, board })
    }

    #[inline]
    fn all(&self) -> u64 {
        self.board.all() as u64
    }

    /// How many boxes an edge completes.
    #[inline]
    fn completed(&self, edges: u64, edge: u8) -> u8 {
        let drawn = edges | 1 << edge;
        let is_complete = |set: &u64| u8::from(*set != 0 && set & !drawn == 0);
        self.beside[usize::from(edge)].iter().map(is_complete).sum()
    }
}

impl Family for DotsAndBoxes {
    const ABOUT: About = About {
        name: "dots-and-boxes",
        title: "Dots and boxes",
        summary: "draw edges, who completes a box gets it and moves again",
        group: Group::Territory,
        rules: include_str!("rules.txt"),
        move_notation: "the number of the edge from 1, row by row from the top",
        position_notation: "rows of edges joined by `/`, `X` drawn, `.` not, boxes of the first and the \
                            second player, side to move: `X./X../../.../.. 0 0 first`",
        known: "The first player wins 2x2 by 2, the second player 3x3 by 3; 4x4 and 5x4 are draws (Wilson; \
                Barker and Korf 2012).",
        unit: "boxes",
        parameters: &[
            Parameter::number("columns", [1, 21], "2", "boxes in a row (at most 64 edges in all)"),
            Parameter::number("rows", [1, 21], "2", "rows of boxes"),
        ],
    };

    fn create(args: &Args) -> Result<DotsAndBoxes, Invalid> {
        DotsAndBoxes::of(args.number("columns") as usize, args.number("rows") as usize)
    }

    fn arguments(&self) -> Vec<String> {
        vec![self.columns.to_string(), self.rows.to_string()]
    }
}

impl OnBoard for DotsAndBoxes {
    fn board(&self) -> &Board {
        &self.board
    }

    fn cells(&self, state: &State) -> Cells {
        let [first, second] = state.boxes;
        Cells::new(state.turn).with(0, state.edges).counting(0, first).counting(1, second)
    }

    /// Boxes may belong to nobody, as in positions that are told without what is banked.
    fn state_of(&self, cells: &Cells) -> Result<State, String> {
        let edges = cells.set(0) as u64;
        let boxes = [0, 1].map(|side| cells.count(side) as u8);
        let complete = self.boxes.iter().filter(|set| *set & !edges == 0).count();
        if boxes.iter().map(|boxes| usize::from(*boxes)).sum::<usize>() > complete {
            return Err(format!("at most {complete} boxes in all, as no more are complete"));
        }
        Ok(State { edges, boxes, turn: cells.turn })
    }

    fn move_cells(&self, _: &State, Number(edge): Number) -> Vec<usize> {
        vec![edge.into()]
    }
}

impl Acyclic for DotsAndBoxes {
    #[inline]
    fn progress(&self, state: &State) -> u32 {
        state.edges.count_ones()
    }

    fn plies_left(&self, state: &State) -> Option<u32> {
        Some((self.all() & !state.edges).count_ones())
    }
}

impl Banked for DotsAndBoxes {
    #[inline]
    fn banked(&self, state: &State) -> Value {
        state.lead().value_for(state.turn)
    }

    #[inline]
    fn unbanked(&self, state: &State) -> State {
        State { boxes: [0, 0], ..*state }
    }
}

impl SymmetricAsBoard for DotsAndBoxes {
    fn exchanged(&self, state: &State) -> Option<State> {
        let [first, second] = state.boxes;
        Some(State { boxes: [second, first], turn: state.turn.other(), ..*state })
    }
}

impl EncodedByCells for DotsAndBoxes {
    type Bank = PointBank;
}

impl Evaluate for DotsAndBoxes {
    /// The difference of the boxes.
    fn evaluate(&self, state: &State) -> Outcome {
        state.lead()
    }
}

impl Order for DotsAndBoxes {
    /// Edges that complete boxes first, those that let the other side complete one last.
    #[inline]
    fn order(&self, state: &State, Number(edge): Number) -> i32 {
        let left = |set: &u64| (set & !state.edges).count_ones();
        let beside = self.beside[usize::from(edge)].iter().filter(|set| **set != 0);
        let promise = |set: &u64| match left(set) {
            1 => 4,
            2 => -2,
            _ => 0,
        };
        beside.map(promise).sum()
    }
}
