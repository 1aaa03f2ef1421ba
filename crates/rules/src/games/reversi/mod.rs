//! Reversi, on boards of 4x4, 6x6 and 8x8.
//!
//! Empty squares change how much a game is won by, but never who wins.
//!
//! **Moves** are the square, columns by letters from the left, rows by numbers from above: `c4`; `pass`
//! where no disc can be placed. **Positions** are the rows joined by `/`, then the side to move:
//! `..../.OX./.XO./.... X`.
//!
//! **Known.** On 4x4 the second player wins by 11 to 3, with two squares left empty. On 6x6 it wins by 20
//! to 16 (Joel Feinstein 1993). On 8x8 perfect play is a draw (Hiroki Takizawa 2023; we know
//! of no independent verification).
//!
//! Discs are bits of two words, row by row. Shifting a word follows runs of discs in one direction, for
//! all squares at once.

mod hints;
#[cfg(test)]
mod tests;

use self::hints::Hints;
use crate::family::{About, Args, Family, Group, Invalid, Parameter};
use crate::game::{Game, Outcome, Side, Value};
use crate::kit::{
    Bits, Board, Cells, EncodedByCells, Face, LETTERS, OnBoard, Piece, Placing, Square, Stones,
    SymmetricAsBoard,
};
use crate::promise::{Actions, Acyclic, NoBank};

/// The player that empty squares count for at the end.
const EMPTIES: [&str; 2] = ["nobody", "winner"];

/// Reversi.
///
#[doc = include_str!("rules.txt")]
#[derive(Clone, Debug)]
pub struct Reversi {
    size: u8,
    /// Whether empty squares count for the winner.
    empties_count: bool,
    board: Board,
    /// Every square.
    full: u64,
    /// The four squares in the middle, which are never empty.
    middle: u64,
    /// Along rows, columns and both diagonals: how many bits a step is, and the squares that have a
    /// next one on both sides in this direction. Only discs there can lie between two others.
    directions: [(u32, u64); 4],
    hints: Hints,
}

/// The move where no disc can be placed.
const PASS: Placing = Placing::Word("pass");

impl Game for Reversi {
    type State = Stones;
    type Move = Placing;

    fn start(&self) -> Stones {
        let (size, upper) = (u32::from(self.size), u32::from(self.size) / 2 - 1);
        let square = |column, row| 1u64 << (row * size + column);
        Stones {
            to_move: square(upper + 1, upper) | square(upper, upper + 1),
            waiting: square(upper, upper) | square(upper + 1, upper + 1),
            turn: Side::First,
        }
    }

    #[inline]
    fn turn(&self, state: &Stones) -> Side {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &Stones) -> Option<Outcome> {
        let is_over = self.placeable(state.to_move, state.waiting) == 0
            && self.placeable(state.waiting, state.to_move) == 0;
        is_over.then(|| self.score(state).outcome_for(state.turn))
    }

    #[inline]
    fn moves(&self, state: &Stones) -> impl Iterator<Item = Placing> {
        let squares = self.placeable(state.to_move, state.waiting);
        let pass = (squares == 0).then_some(PASS);
        Bits(squares).map(|square| Placing::At(self.square(square))).chain(pass)
    }

    #[inline]
    fn play(&self, state: &Stones, mv: Placing) -> Stones {
        match mv {
            Placing::At(square) => {
                let disc = 1 << self.bit(square);
                let turned = self.turned(state.to_move, state.waiting, disc);
                Stones { to_move: state.waiting ^ turned, ..state.with(disc | turned) }
            }
            Placing::Word(_) => state.with(0),
        }
    }

    fn max_value(&self) -> i32 {
        i32::from(self.size).pow(2)
    }
}

impl Actions for Reversi {
    fn actions(&self) -> usize {
        usize::from(self.size).pow(2) + 1
    }

    fn action(&self, mv: Self::Move) -> usize {
        let size = usize::from(self.size);
        match mv {
            Placing::At(square) => usize::from(square.row) * size + usize::from(square.column),
            Placing::Word(_) => size * size,
        }
    }
}

impl Reversi {
    fn of(size: u8, empties_count: bool) -> Reversi {
        let side = usize::from(size);
        let board = Board::squares(side, side).lettered(true).rectangular();
        let board = board.pieces(Piece::stones(LETTERS, Face::Disc)).sides(LETTERS);
        let full = board.all() as u64;
        let width = u32::from(size);
        let [row, column] =
            [1, width].map(|step| (0..width).fold(0, |set, nth| set | 1 << (nth * step)));
        let [across, down] = [(column, 1), (row, width)]
            .map(|(line, step)| full & !line & !(line << (step * (width - 1))));
        let directions =
            [(1, across), (width, down), (width + 1, across & down), (width - 1, across & down)];
        let game = Reversi {
            size,
            empties_count,
            board,
            full,
            middle: 0,
            directions,
            hints: Hints::new(side),
        };
        Reversi { middle: game.start().taken(), ..game }
    }

    #[inline]
    const fn bit(&self, square: Square) -> u8 {
        square.row * self.size + square.column
    }

    #[inline]
    const fn square(&self, bit: u8) -> Square {
        Square { column: bit % self.size, row: bit / self.size }
    }

    /// The empty squares on which a disc turns others over.
    #[inline]
    fn placeable(&self, own: u64, other: u64) -> u64 {
        let ends = self.directions.iter().map(|&(step, between)| {
            let between = other & between;
            let [mut up, mut down] = [between & own << step, between & own >> step];
            for _ in 3..self.size {
                up |= between & up << step;
                down |= between & down >> step;
            }
            up << step | down >> step
        });
        ends.fold(0, |all, ends| all | ends) & self.full & !(own | other)
    }

    /// The discs that a disc on an empty square turns over.
    #[inline]
    fn turned(&self, own: u64, other: u64, disc: u64) -> u64 {
        let runs = self.directions.iter().map(|&(step, between)| {
            let between = other & between;
            let [mut up, mut down] = [between & disc << step, between & disc >> step];
            for _ in 3..self.size {
                up |= between & up << step;
                down |= between & down >> step;
            }
            // A run counts if a disc of its own side ends it.
            (if up << step & own != 0 { up } else { 0 })
                | (if down >> step & own != 0 { down } else { 0 })
        });
        runs.fold(0, |all, runs| all | runs)
    }

    /// What the discs are worth to the side to move when the game is over.
    #[inline]
    fn score(&self, state: &Stones) -> Value {
        let [own, other] = [state.to_move, state.waiting].map(|discs| discs.count_ones() as i32);
        let empty = if self.empties_count { self.max_value() - own - other } else { 0 };
        Value(own - other + empty * (own - other).signum())
    }
}

impl Family for Reversi {
    const ABOUT: About = About {
        name: "reversi",
        title: "Reversi",
        summary: "shut in the other side's discs to turn them over, most discs win",
        group: Group::Territory,
        rules: include_str!("rules.txt"),
        move_notation: "the square, rows counted from above: `c4`; `pass` if no disc can be placed",
        position_notation: "rows joined by `/`, `.` empty, then the side: `..../.OX./.XO./.... X`",
        known: "The second player wins 11 to 3 on 4x4 and 20 to 16 on 6x6 (Feinstein 1993); on 8x8 \
                perfect play is a draw (Takizawa 2023).",
        unit: "discs",
        parameters: &[
            Parameter::even("size", [4, 8], "6", "squares along a side"),
            Parameter::choice(
                "empties",
                &EMPTIES,
                "whom squares count for that are empty at the end",
            ),
        ],
    };

    fn create(args: &Args) -> Result<Reversi, Invalid> {
        Ok(Reversi::of(args.number("size") as u8, args.choice("empties") == 1))
    }

    fn arguments(&self) -> Vec<String> {
        vec![self.size.to_string(), EMPTIES[usize::from(self.empties_count)].to_owned()]
    }

    fn sides(&self) -> [&'static str; 2] {
        LETTERS
    }
}

impl OnBoard for Reversi {
    fn board(&self) -> &Board {
        &self.board
    }

    fn cells(&self, state: &Stones) -> Cells {
        state.cells()
    }

    fn state_of(&self, cells: &Cells) -> Result<Stones, String> {
        let state = Stones::on(cells);
        if self.middle & !state.taken() != 0 {
            return Err("a disc on each of the four squares in the middle".to_owned());
        }
        Ok(state)
    }

    fn move_cells(&self, _: &Stones, mv: Placing) -> Vec<usize> {
        match mv {
            Placing::At(square) => vec![self.bit(square).into()],
            Placing::Word(_) => Vec::new(),
        }
    }
}

impl Acyclic for Reversi {
    /// After a pass there are as many discs, and the side to move can place one.
    fn progress(&self, state: &Stones) -> u32 {
        let can_place = self.placeable(state.to_move, state.waiting) != 0;
        2 * state.taken().count_ones() + u32::from(can_place)
    }
}

impl SymmetricAsBoard for Reversi {
    fn exchanged(&self, state: &Stones) -> Option<Stones> {
        Some(Stones { turn: state.turn.other(), ..*state })
    }
}

impl EncodedByCells for Reversi {
    type Bank = NoBank;
}
