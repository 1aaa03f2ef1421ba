//! Connect Four, on a board of any size up to 64 bits.
//!
//! **Rules.** The players, X first, take turns to drop a stone of theirs into a column that is not
//! full; it falls to the lowest empty square. Who first has `line` stones in a row, across, up or
//! diagonally, wins; a full board without one is a draw.
//!
//! **Moves** are the number of the column, from 1; a whole game may be written without commas
//! (`445`). **Positions** are the rows from the top joined by `/`, then the side to move.
//!
//! **Known.** The first player wins on 7x6 (James D. Allen and Victor Allis, both in October 1988),
//! at the earliest in 41 plies; 6x6 is a win for the second player, 6x5, 5x5 and 4x4 are draws
//! (John Tromp's table of sizes).
//!
//! The board is Fhourstones' and Pons': a column is a run of `rows + 1` bits whose top one stays
//! empty, so that rows of stones cannot run from one column into the next. On a board of three
//! columns and two rows the bits are
//!
//! ```text
//!    2  5  8    always empty
//!    1  4  7
//!    0  3  6
//! ```

use std::fmt;

use super::squares::{self, Board, LETTERS, Stones};
use crate::bits::{Bits, MANY, choose, rank_beside, spread, unrank};
use crate::family::{About, Args, Family, Invalid, Kind, Parameter};
use crate::game::{Game, Outcome, Side, Value};
use crate::promise::{
    Acyclic, Candidates, Encode, Indexed, NoBank, Notation, Order, Picture, SearchHints, Symmetry,
};
use crate::show::{Area, Ink, Place, Scene, Shape};
use crate::show::{Cell, Drawing, Grid};

/// What a win counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// 1, whenever it comes.
    Result,
    /// The stones that the winner has left, the winning one included.
    Stones,
}

/// Positions with at most this many stones share a key with their mirror image; later ones hardly
/// ever meet it.
const MIRRORED: u32 = 24;

/// With so few stones left a position is near the end of the game.
const NEAR: u32 = 18;

/// Connect Four; see the file's text for its rules.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    board: Board,
    line: u32,
    score: Score,
    /// The lowest square of every column.
    bottom: u64,
    /// Every square of the board.
    full: u64,
    /// See [`ConnectFour::all_heights`].
    heights: Vec<u64>,
}

/// A column to drop a stone into, from 0; shown from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column(u8);

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl ConnectFour {
    /// The game on a board of `columns` x `rows` with `line` in a row to win.
    fn new(columns: usize, rows: usize, line: u32, score: Score) -> Result<ConnectFour, Invalid> {
        if columns * (rows + 1) > 64 {
            let found = format!("columns={columns},rows={rows}");
            return Err(Invalid::new(found, "columns x (rows + 1) to be at most 64"));
        }
        let bottom = (0..columns).fold(0, |mask, column| mask | 1u64 << (column * (rows + 1)));
        let full = bottom * ((1 << rows) - 1);
        let heights = ConnectFour::all_heights(columns, rows);
        Ok(ConnectFour { board: Board { columns, rows }, line, score, bottom, full, heights })
    }

    /// Bits from one column to the next.
    fn height(&self) -> u32 {
        self.board.rows as u32 + 1
    }

    fn column_mask(&self, column: u8) -> u64 {
        ((1 << self.board.rows) - 1) << (u32::from(column) * self.height())
    }

    /// For each direction the step to the next square, and the lowest squares of the rows in it.
    #[inline]
    fn rows(&self, stones: u64) -> impl Iterator<Item = (u32, u64)> {
        let height = self.height();
        // A row longer than the board would shift by more than a word holds.
        let fits = |step: &u32| step * (self.line - 1) < 64;
        let steps = [1, height, height - 1, height + 1].into_iter().filter(fits);
        steps.map(move |step| (step, squares::rows_of(stones, step, self.line)))
    }

    #[inline]
    fn has_row(&self, stones: u64) -> bool {
        self.rows(stones).any(|(_, rows)| rows != 0)
    }

    /// The bit of a square counted row by row from the top left.
    fn bit(&self, square: usize) -> u64 {
        let (row, column) = (square / self.board.columns, square % self.board.columns);
        1 << (column * (self.board.rows + 1) + self.board.rows - 1 - row)
    }

    fn column_labels(&self) -> Vec<String> {
        (1..=self.board.columns).map(|column| column.to_string()).collect()
    }

    fn owner(&self, state: &Stones, square: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| state.of(*side) & self.bit(square) != 0)
    }

    fn mirrored(&self, stones: u64) -> u64 {
        let columns = 0..self.board.columns as u32;
        let column = (1u64 << self.height()) - 1;
        columns
            .fold(0, |image, at| image << self.height() | stones >> (at * self.height()) & column)
    }
}

impl Game for ConnectFour {
    type State = Stones;
    type Move = Column;

    fn start(&self) -> Stones {
        Stones::NONE
    }

    #[inline]
    fn turn(&self, state: &Stones) -> Side {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &Stones) -> Option<Outcome> {
        if self.has_row(state.waiting) {
            // The winning stone is counted: it was the winner's to put down.
            let winner = state.turn.other();
            let side = self.board.squares() as u32 + 1 - winner.index() as u32;
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
    fn moves(&self, state: &Stones) -> impl Iterator<Item = Column> {
        let open = self.full & !state.taken();
        (0..self.board.columns as u8)
            .filter(move |&column| open & self.column_mask(column) != 0)
            .map(Column)
    }

    #[inline]
    fn play(&self, state: &Stones, Column(column): Column) -> Stones {
        // Adding a column's lowest bit to its stones carries to the lowest empty square.
        let taken = state.taken();
        let after = taken | (taken + (1 << (u32::from(column) * self.height())));
        state.with(after ^ taken)
    }
}

impl Family for ConnectFour {
    const ABOUT: About = About {
        name: "connect-four",
        summary: "drop stones into columns, so many in a row win",
        rules: "The players, X first, take turns to drop a stone of theirs into a column that is \
                not full; it falls to the lowest empty square. Who first has a line of stones of \
                the given length, across, up or diagonally, wins. A full board without one is a \
                draw.",
        move_notation: "the number of the column, from 1; a whole game also without commas: `445`",
        position_notation: "rows from the top joined by `/`, `.` empty, then the side: \
                            `..../..../..../XO.. X` on 4x4",
        known: "The first player wins on 7x6 in 41 plies (Allen 1988, Allis 1988); on 6x6 the \
                second player wins; 6x5, 5x5 and 4x4 are draws (Tromp).",
        unit: "result",
        parameters: &[
            Parameter {
                name: "columns",
                kind: Kind::Number { min: 1, max: 32, step: 1 },
                default: "7",
                meaning: "width of the board (columns x (rows + 1) at most 64)",
            },
            Parameter {
                name: "rows",
                kind: Kind::Number { min: 1, max: 32, step: 1 },
                default: "6",
                meaning: "height of the board",
            },
            Parameter {
                name: "line",
                kind: Kind::Number { min: 1, max: 32, step: 1 },
                default: "4",
                meaning: "how many in a row win",
            },
            Parameter {
                name: "score",
                kind: Kind::Choice(&["result", "stones"]),
                default: "result",
                meaning: "what a win counts: 1, or the stones the winner has left",
            },
        ],
    };

    fn create(args: &Args) -> Result<ConnectFour, Invalid> {
        let size = |name| args.number(name) as usize;
        let score = [Score::Result, Score::Stones][args.choice("score")];
        ConnectFour::new(size("columns"), size("rows"), args.number("line"), score)
    }

    fn arguments(&self) -> Vec<String> {
        let score = if self.score == Score::Result { "result" } else { "stones" };
        let Board { columns, rows } = self.board;
        vec![columns.to_string(), rows.to_string(), self.line.to_string(), score.to_owned()]
    }

    fn unit(&self) -> &'static str {
        if self.score == Score::Result { "result" } else { "stones" }
    }

    fn sides(&self) -> [&'static str; 2] {
        LETTERS
    }
}

impl Notation for ConnectFour {
    fn format(&self, state: &Stones) -> String {
        self.board.format(|square| self.owner(state, square), "", state.turn)
    }

    fn parse(&self, text: &str) -> Result<Stones, Invalid> {
        let form = "rows of `.`, `X` and `O` from the top joined by `/`, then the side to move,";
        let setup = self.board.parse(text, 0, form)?;
        squares::check_alternation(text, &setup)?;
        let turn = setup.turn;
        let stones = |side| setup.squares_of(side).fold(0, |all, square| all | self.bit(square));
        let state = Stones { to_move: stones(turn), waiting: stones(turn.other()), turn };
        // What lies under a stone must be a stone too, or the bottom.
        let taken = state.taken();
        if (taken & !self.bottom) >> 1 & !taken != 0 {
            return Err(Invalid::new(text, "no stone above an empty square"));
        }
        if self.has_row(state.to_move) {
            let side = LETTERS[turn.index()];
            return Err(Invalid::new(
                text,
                format!("a position that can arise: {side} is to move, and already has a row"),
            ));
        }
        Ok(state)
    }
}

impl Picture for ConnectFour {
    fn draw(&self, state: &Stones) -> Drawing {
        let over = self.outcome(state).is_some();
        let landing = (state.taken() + self.bottom) & self.full;
        let cell = |square: usize| match self.owner(state, square) {
            Some(side) => Cell::owned(LETTERS[side.index()], side),
            None if !over && landing & self.bit(square) != 0 => {
                Cell::target(Column((square % self.board.columns) as u8).to_string())
            }
            None => Cell::default(),
        };
        let cells = (0..self.board.squares()).map(cell).collect();
        let mut grid = Grid::new(self.board.columns, cells);
        grid.column_labels = self.column_labels();
        Drawing::Grid(grid)
    }

    /// A column is a place, with its lowest empty square the spot.
    fn scene(&self, state: &Stones) -> Scene {
        let Board { columns, rows } = self.board;
        let mut scene = Scene::board(columns, rows, &self.column_labels(), &[]);
        let mut squares = Vec::new();
        for square in 0..self.board.squares() {
            let area = scene.square(square % columns, square / columns);
            squares.push(area);
            scene.shapes.push(Shape::Disc(area.middle(), 0.4, Ink::Hollow));
            if let Some(side) = self.owner(state, square) {
                scene.piece(area, side, "");
            }
        }
        for column in 0..columns {
            let of_column = (0..rows).map(|row| row * columns + column);
            let taken = |square: &usize| self.owner(state, *square).is_some();
            let stones = of_column.clone().filter(taken).count();
            let top = squares[column];
            let area = Area { height: rows as f32, ..top };
            let spot = of_column.rev().nth(stones).map_or(top, |square| squares[square]);
            let count = match stones {
                1 => "1 stone".to_owned(),
                _ => format!("{stones} stones"),
            };
            let name = format!("column {}, {count}", column + 1);
            scene.places.push(Place { name, area, spot, taken: false });
        }
        let area = |bit: u32| {
            let (column, height) = ((bit / self.height()) as usize, (bit % self.height()) as usize);
            squares[(rows - 1 - height) * columns + column]
        };
        for (step, rows) in self.rows(state.waiting) {
            for lowest in Bits(rows) {
                let from = u32::from(lowest);
                scene.through(area(from), area(from + step * (self.line - 1)));
            }
        }
        scene
    }

    fn clicks(&self, _: &Stones, Column(column): Column) -> Vec<usize> {
        vec![column.into()]
    }
}

impl Acyclic for ConnectFour {
    #[inline]
    fn progress(&self, state: &Stones) -> u32 {
        state.taken().count_ones()
    }
}

impl Encode for ConnectFour {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        self.board.columns as u32 * self.height()
    }

    /// The stones of the side to move, and a bit on the lowest empty square of every column: the
    /// sum of the stones to move and all stones, and of the bottom row. The turn follows from the
    /// number of stones.
    #[inline]
    fn encode(&self, state: &Stones) -> u128 {
        u128::from(state.to_move + state.taken() + self.bottom)
    }

    fn decode(&self, packed: u128) -> Stones {
        let columns = (0..self.board.columns as u32).map(|column| {
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

impl ConnectFour {
    /// In how many ways so many stones can stand in the first columns, by height alone.
    #[inline]
    fn heights(&self, columns: u32, stones: u32) -> u64 {
        self.heights[columns as usize * (self.board.squares() + 1) + stones as usize]
    }

    /// For each number of columns and of stones; see [`heights`](ConnectFour::heights).
    fn all_heights(columns: usize, rows: usize) -> Vec<u64> {
        let most = columns * rows + 1;
        let mut heights = vec![0u64; (columns + 1) * most];
        heights[0] = 1;
        for column in 1..=columns {
            for stones in 0..most {
                let lower = (0..=rows.min(stones))
                    .map(|height| heights[(column - 1) * most + stones - height]);
                heights[column * most + stones] = lower.fold(0, u64::saturating_add).min(MANY);
            }
        }
        heights
    }
}

impl Indexed for ConnectFour {
    type Bank = NoBank;

    /// The empty squares.
    fn layers(&self) -> u32 {
        self.board.squares() as u32 + 1
    }

    fn size(&self, layer: u32) -> u64 {
        let stones = self.board.squares() as u32 - layer;
        let (heights, owners) =
            (self.heights(self.board.columns as u32, stones), choose(stones, stones / 2));
        let all = heights.checked_mul(owners).filter(|all| *all < MANY && heights < MANY);
        all.unwrap_or(u64::MAX)
    }

    /// How high the columns are, from the last to the first, then which stones are the second
    /// player's.
    fn index(&self, state: &Stones) -> (u32, u64) {
        let taken = state.taken();
        let stones = taken.count_ones();
        let (mut left, mut number) = (stones, 0);
        for column in (0..self.board.columns as u32).rev() {
            let height = (taken & self.column_mask(column as u8)).count_ones();
            number += (0..height).map(|lower| self.heights(column, left - lower)).sum::<u64>();
            left -= height;
        }
        let owners = rank_beside(state.of(Side::Second), !taken);
        let number = number * choose(stones, stones / 2) + owners;
        (self.board.squares() as u32 - stones, number)
    }

    fn state(&self, layer: u32, index: u64) -> Option<Stones> {
        let stones = self.board.squares() as u32 - layer;
        let owners = choose(stones, stones / 2);
        let (mut left, mut number, mut taken) = (stones, index / owners, 0);
        for column in (0..self.board.columns as u32).rev() {
            let mut height = 0;
            while number >= self.heights(column, left - height) {
                number -= self.heights(column, left - height);
                height += 1;
            }
            left -= height;
            taken |= ((1 << height) - 1) << (column * self.height());
        }
        let second = spread(unrank(index % owners, stones / 2, stones), taken);
        Some(Stones::of_both(taken ^ second, second))
    }

    fn lowest_after(&self, layer: u32) -> u32 {
        layer.saturating_sub(1)
    }
}

impl Symmetry for ConnectFour {
    /// The board or its mirror image, whichever has the smaller words.
    fn representative(&self, state: &Stones) -> Stones {
        let image = state.map(|stones| self.mirrored(stones));
        *[*state, image].iter().min_by_key(|s| (s.to_move, s.waiting)).unwrap_or(state)
    }

    fn images(&self) -> u64 {
        2
    }
}

impl SearchHints for ConnectFour {
    fn key_bits(&self) -> u32 {
        self.board.columns as u32 * self.height()
    }

    #[inline]
    fn key(&self, state: &Stones) -> Option<(u64, Value)> {
        let key = state.to_move + state.taken() + self.bottom;
        if state.taken().count_ones() > MIRRORED {
            return Some((key, Value(0)));
        }
        Some((key.min(self.mirrored(key)), Value(0)))
    }

    #[inline]
    fn near_end(&self, state: &Stones) -> bool {
        self.stones_left(state) <= NEAR
    }

    /// A square for each side.
    fn history_slots(&self) -> usize {
        128
    }

    #[inline]
    fn history_slot(&self, state: &Stones, Column(column): Column) -> usize {
        let landing = (state.taken() + self.bottom) & self.column_mask(column);
        landing.trailing_zeros() as usize | state.turn.index() << 6
    }

    #[inline]
    fn bounds_and_moves(
        &self,
        state: &Stones,
        moves: &mut Candidates<'_, Column>,
    ) -> (Value, Value) {
        let taken = state.taken();
        let left = self.stones_left(state);
        let landing = (taken + self.bottom) & self.full;
        let empty = self.full & !taken;
        // What a win is worth that the mover, or the other side, makes with its n-th stone from now.
        let win = |nth: u32| self.worth_of_win(left.div_ceil(2) + 1 - nth);
        let loss = |nth: u32| -self.worth_of_win(left / 2 + 1 - nth);
        if self.completing(state.to_move) & landing != 0 {
            let value = Value(win(1));
            return (value, value);
        }
        let feared = self.completing(state.waiting) & empty;
        let forced = feared & landing;
        let mut open = if forced == 0 { landing } else { forced };
        if forced & forced.wrapping_sub(1) != 0 {
            open = 0;
        }
        open &= !(feared >> 1);
        if open == 0 {
            let value = Value(loss(1));
            return (value, value);
        }
        if left <= 2 {
            return (Value(0), Value(0));
        }
        // A row takes as many stones as it is long.
        let nth = |stones: u64| 2.max(self.line.saturating_sub(stones.count_ones()));
        let (own, other) = (nth(state.to_move), nth(state.waiting));
        let best = if left >= 2 * own - 1 { win(own) } else { 0 };
        let worst = if left >= 2 * other { loss(other) } else { 0 };
        for square in Bits(open) {
            let bit = 1u64 << square;
            let stones = state.to_move | bit;
            let threats = self.completing(stones) & empty & !bit;
            let next = (landing ^ bit) | (bit << 1 & self.full);
            let now = threats & next;
            // The other side cannot win at once after such a move, and of two threats, or of two
            // one above the other, it can meet only one.
            if now & now.wrapping_sub(1) != 0 || now << 1 & threats != 0 {
                return (Value(best), Value(best));
            }
            let column = square / (self.board.rows as u8 + 1);
            let middle = (2 * i32::from(column) - (self.board.columns as i32 - 1)).abs();
            moves.push(16 * threats.count_ones() as i32 - middle, Column(column));
        }
        (Value(worst), Value(best))
    }
}

impl ConnectFour {
    #[inline]
    fn stones_left(&self, state: &Stones) -> u32 {
        self.board.squares() as u32 - state.taken().count_ones()
    }

    /// What a win is worth to a side that has so many stones left, the winning one included.
    fn worth_of_win(&self, stones: u32) -> i32 {
        match self.score {
            Score::Result => 1,
            Score::Stones => stones as i32,
        }
    }

    /// The squares, empty or not, on which one more stone would make a row. Rows of four, the
    /// usual ones, are written out as Pons does it: half the shifts are shared.
    #[inline(always)]
    fn completing(&self, stones: u64) -> u64 {
        if self.line == 4 && self.board.rows < 20 {
            let height = self.height();
            let up = stones << 1 & stones << 2 & stones << 3;
            let along = |step: u32| {
                let (a, b) =
                    (stones << step & stones << (2 * step), stones >> step & stones >> (2 * step));
                a & (stones << (3 * step) | stones >> step)
                    | b & (stones << step | stones >> (3 * step))
            };
            up | along(height - 1) | along(height) | along(height + 1)
        } else {
            self.completing_row(stones, self.line)
        }
    }

    #[inline(always)]
    fn completing_row(&self, stones: u64, line: u32) -> u64 {
        let height = self.height();
        let mut all = 0;
        for step in [1, height - 1, height, height + 1] {
            if step * (line - 1) >= 64 {
                continue;
            }
            // A row with its gap at the n-th square: n stones below the gap, the rest above it.
            for gap in 0..line {
                let below = (1..=gap).fold(u64::MAX, |row, nth| row & stones << (step * nth));
                let row = (1..line - gap).fold(below, |row, nth| row & stones >> (step * nth));
                all |= row;
            }
        }
        all
    }
}

impl Order for ConnectFour {
    /// The middle columns first: most rows run through them.
    #[inline]
    fn order(&self, _: &Stones, Column(column): Column) -> i32 {
        -(2 * i32::from(column) - (self.board.columns as i32 - 1)).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::Conform;
    use crate::family::specification;

    #[test]
    fn keeps_its_promises() {
        let shapes =
            [(7, 6, 4), (4, 4, 4), (3, 2, 2), (1, 32, 4), (32, 1, 3), (8, 7, 5), (2, 2, 32)];
        for (columns, rows, line) in shapes {
            for score in [Score::Result, Score::Stones] {
                let game = ConnectFour::new(columns, rows, line, score).unwrap();
                let conform =
                    Conform::new(&game).notation().picture().acyclic().encode().symmetry();
                let numbered = (0..game.layers()).all(|layer| game.size(layer) < u64::MAX);
                let conform = if numbered { conform.indexed().measured_numbers() } else { conform };
                let report = conform.order().search_hints().finish();
                report.unwrap_or_else(|broken| panic!("{}: {broken}", specification(&game)));
            }
        }
    }

    #[test]
    fn rows_in_all_directions_win() {
        let game = ConnectFour::new(7, 6, 4, Score::Result).unwrap();
        for (moves, over) in [
            ("1122334", true),
            ("1212121", true),
            ("12233434474", true),
            ("76655454414", true),
            ("112233", false),
            ("1223344", false),
        ] {
            let mut state = game.start();
            for letter in moves.bytes() {
                assert_eq!(game.outcome(&state), None, "{moves}");
                state = game.play(&state, Column(letter - b'1'));
            }
            let expected = over.then_some(Outcome::win(Side::First));
            assert_eq!(game.outcome(&state), expected, "{moves}");
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = ConnectFour::new(4, 4, 4, Score::Result).unwrap();
        for (text, expected) in [
            ("X.../..../..../.... O", "above an empty square"),
            ("..../..../..../X..", "rows of"),
            ("..../..../..../X... X", "as many X"),
            ("..../..../OOO./XXXX X", "as many X"),
            ("O.../..../OO../XXX. X", "above an empty"),
            ("..../..../OOOO/XXXX X", "already has a row"),
        ] {
            let error = game.parse(text).unwrap_err();
            assert!(error.expected.contains(expected), "{text}: {error}");
        }
    }
}
