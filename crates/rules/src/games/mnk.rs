//! (m,n,k) games: stones on a board of m columns and n rows, k in a row to win; tic-tac-toe is
//! (3,3,3).
//!
//! **Rules.** The players, X first, take turns to put a stone of theirs on an empty square. Who
//! first has `line` stones in a row, across, down or diagonally, wins (loses, with `misere=true`);
//! a full board without one is a draw.
//!
//! **Moves** are the number of the square, from 1, row by row from the top. **Positions** are the
//! rows joined by `/`, then the side to move: `OX./.O./.X. X`.
//!
//! **Known.** Tic-tac-toe is a draw: 255,168 different games, 5,478 positions, 765 up to symmetry.
//! (m,n,k) games are surveyed by Uiterwijk and van den Herik, *The advantage of the initiative*
//! (2000): the first player wins (4,3,3), and draws (4,4,4) and (5,5,4).
//!
//! The board is two words, the stones of the side to move and those of the other, which always
//! made the last move: only its stones can have just made a row. A row is found by folding the
//! word on itself, and kept only where a row can start, which is what stops it from wrapping
//! around the edge.

use std::fmt;

use super::squares::{self, Board, LETTERS, Stones};
use crate::bits::{Bits, MANY, choose, rank, rank_beside, spread, unrank};
use crate::family::{About, Args, Family, Invalid, Kind, Parameter};
use crate::game::{Game, Outcome, Side, Value};
use crate::promise::{
    Acyclic, Candidates, Encode, Indexed, NoBank, Notation, Picture, SearchHints, Symmetry,
};
use crate::show::{Cell, Drawing, Grid};
use crate::show::{Ink, Scene, Shape};

/// An (m,n,k) game; see the file's text for its rules.
#[derive(Clone, Debug)]
pub struct Mnk {
    board: Board,
    line: u32,
    misere: bool,
    /// Every square of the board.
    full: u64,
    /// For across, down and the two diagonals: the step, and the squares where a row can start.
    directions: [(u32, u64); 4],
    /// On boards of few squares, a bit for every set of stones: whether it has a row. Else empty.
    has_row: Vec<u64>,
    /// Where each square goes, for every symmetry.
    symmetries: Vec<Vec<u8>>,
    /// For every symmetry but the first, where the squares of each byte of a board go.
    images: Vec<Vec<[u64; 256]>>,
    /// Every line of squares that makes a row.
    lines: Vec<u64>,
}

/// With so few squares empty a position is near the end of the game.
const NEAR: u32 = 10;

/// What a board holds for the side to move and for the other.
#[derive(Default)]
struct Lines {
    /// The squares on lines that hold no stone of the other side.
    open: [u64; 2],
    /// The empty squares that complete a line.
    completing: [u64; 2],
    /// The squares on open lines that two more stones would complete.
    near: [u64; 2],
    /// The squares on open lines that hold a stone.
    begun: [u64; 2],
    /// The most stones on an open line.
    most: [u32; 2],
}

/// A square to put a stone on, from 0; shown from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square(u8);

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl Mnk {
    const MOST_SQUARES: usize = 64;

    /// Boards of at most this many squares know by heart which sets of stones have a row: 8 KiB,
    /// which stays in the nearest cache and doubles the speed of a walk over tic-tac-toe.
    const FEW_SQUARES: usize = 16;

    /// A board of `columns` x `rows`, `line` in a row to win, or with `misere` to lose.
    ///
    /// # Errors
    /// If the board has more than 64 squares.
    fn new(columns: usize, rows: usize, line: u32, misere: bool) -> Result<Mnk, Invalid> {
        let board = Board { columns, rows };
        if board.squares() > Mnk::MOST_SQUARES {
            let found = format!("columns={columns},rows={rows}");
            return Err(Invalid::new(found, "a board of at most 64 squares"));
        }
        let length = line as usize;
        let starts = |across: bool, down: bool, back: bool| {
            let mut mask = 0u64;
            for square in 0..board.squares() {
                let (row, column) = (square / columns, square % columns);
                let fits_across = !across || column + length <= columns;
                let fits_back = !back || column + 1 >= length;
                let fits_down = !down || row + length <= rows;
                mask |= u64::from(fits_across && fits_back && fits_down) << square;
            }
            mask
        };
        let width = columns as u32;
        // Where no row fits in a direction its starts are empty, and its step is of no matter: it
        // is made 0 so that no shift exceeds the word.
        let directions = [
            (1, starts(true, false, false)),
            (width, starts(false, true, false)),
            (width + 1, starts(true, true, false)),
            (width - 1, starts(false, true, true)),
        ]
        .map(|(step, starts)| if starts == 0 { (0, 0) } else { (step, starts) });
        let full = u64::MAX >> (Mnk::MOST_SQUARES - board.squares());
        let symmetries = board.symmetries();
        let images = symmetries[1..].iter().map(|symmetry| {
            let bytes = (0..board.squares()).step_by(8).map(|first| {
                let squares = |byte: u64| Bits(byte).map(|bit| first + usize::from(bit));
                let image = |byte| {
                    let squares = squares(byte).filter(|square| *square < board.squares());
                    squares.fold(0, |image, square| image | 1u64 << symmetry[square])
                };
                std::array::from_fn(|byte| image(byte as u64))
            });
            bytes.collect()
        });
        let images = images.collect();
        let rows = directions.iter().flat_map(|&(step, starts)| {
            let row = (0..line).fold(0, |row, nth| row | 1u64.checked_shl(step * nth).unwrap_or(0));
            Bits(starts).map(move |start| row << start)
        });
        // A row of one stone is the same in all directions.
        let lines = if line == 1 { Bits(full).map(|at| 1 << at).collect() } else { rows.collect() };
        let has_row = Vec::new();
        let mut game =
            Mnk { board, line, misere, full, directions, has_row, symmetries, images, lines };
        if board.squares() <= Mnk::FEW_SQUARES {
            let mut has_row = vec![0u64; (1usize << board.squares()).div_ceil(64)];
            for stones in 0..1u64 << board.squares() {
                has_row[stones as usize / 64] |= u64::from(game.finds_row(stones)) << (stones % 64);
            }
            game.has_row = has_row;
        }
        Ok(game)
    }

    /// Tic-tac-toe.
    pub fn tic_tac_toe() -> Mnk {
        Mnk::new(3, 3, 3, false).expect("9 squares are at most 64")
    }

    /// Whether these stones hold a row.
    #[inline(always)]
    fn has_row(&self, stones: u64) -> bool {
        match self.has_row.get(stones as usize / 64) {
            Some(word) => word >> (stones % 64) & 1 == 1,
            None => self.finds_row(stones),
        }
    }

    fn finds_row(&self, stones: u64) -> bool {
        let rows = self
            .directions
            .iter()
            .map(|&(step, starts)| squares::rows_of(stones, step, self.line) & starts);
        rows.fold(0, |all, rows| all | rows) != 0
    }

    fn owner(&self, state: &Stones, square: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| state.of(*side) >> square & 1 == 1)
    }
}

impl Game for Mnk {
    type State = Stones;
    type Move = Square;

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
            let winner = if self.misere { state.turn } else { state.turn.other() };
            Some(Outcome::win(winner))
        } else if state.taken() == self.full {
            Some(Outcome::DRAW)
        } else {
            None
        }
    }

    #[inline]
    fn moves(&self, state: &Stones) -> impl Iterator<Item = Square> {
        Bits(self.full & !(state.taken())).map(Square)
    }

    #[inline]
    fn play(&self, state: &Stones, mv: Square) -> Stones {
        state.with(1 << mv.0)
    }
}

impl Family for Mnk {
    const ABOUT: About = About {
        name: "mnk",
        summary: "put stones on a board, so many in a row win; tic-tac-toe and its kin",
        rules: "The players, X first, take turns to put a stone of theirs on an empty square. Who \
                first has a line of stones of the given length, across, down or diagonally, wins; \
                in the misère game, loses. A full board without such a line is a draw.",
        move_notation: "the number of the square, from 1, row by row from the top",
        position_notation: "rows joined by `/`, `.` empty, then the side: `OX./.O./.X. X`",
        known: "Tic-tac-toe is a draw. The first player wins (4,3,3); (4,4,4) and (5,5,4) are draws \
                (Uiterwijk and van den Herik 2000).",
        unit: "result",
        parameters: &[
            Parameter {
                name: "columns",
                kind: Kind::Number { min: 1, max: 64, step: 1 },
                default: "3",
                meaning: "width of the board (columns x rows at most 64)",
            },
            Parameter {
                name: "rows",
                kind: Kind::Number { min: 1, max: 64, step: 1 },
                default: "3",
                meaning: "height of the board",
            },
            Parameter {
                name: "line",
                kind: Kind::Number { min: 1, max: 64, step: 1 },
                default: "3",
                meaning: "how many in a row decide the game",
            },
            Parameter {
                name: "misere",
                kind: Kind::Flag,
                default: "false",
                meaning: "a row loses instead of winning",
            },
        ],
    };

    fn create(args: &Args) -> Result<Mnk, Invalid> {
        let size = |name| args.number(name) as usize;
        Mnk::new(size("columns"), size("rows"), args.number("line"), args.flag("misere"))
    }

    fn arguments(&self) -> Vec<String> {
        let Board { columns, rows } = self.board;
        vec![columns.to_string(), rows.to_string(), self.line.to_string(), self.misere.to_string()]
    }

    fn sides(&self) -> [&'static str; 2] {
        LETTERS
    }
}

impl Notation for Mnk {
    fn format(&self, state: &Stones) -> String {
        self.board.format(|square| self.owner(state, square), "", state.turn)
    }

    fn parse(&self, text: &str) -> Result<Stones, Invalid> {
        let form = "rows of `.`, `X` and `O` joined by `/`, then the side to move,";
        let setup = self.board.parse(text, 0, form)?;
        squares::check_alternation(text, &setup)?;
        let turn = setup.turn;
        let stones = |side| setup.squares_of(side).fold(0u64, |all, square| all | 1 << square);
        let state = Stones { to_move: stones(turn), waiting: stones(turn.other()), turn };
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

impl Picture for Mnk {
    fn draw(&self, state: &Stones) -> Drawing {
        let over = self.outcome(state).is_some();
        let cell = |square: usize| match self.owner(state, square) {
            Some(side) => Cell::owned(LETTERS[side.index()], side),
            None if over => Cell::default(),
            None => Cell::target(Square(square as u8).to_string()),
        };
        let cells = (0..self.board.squares()).map(cell).collect();
        Drawing::Grid(Grid::new(self.board.columns, cells))
    }

    fn scene(&self, state: &Stones) -> Scene {
        let Board { columns, rows } = self.board;
        let mut scene = Scene::board(columns, rows, &[], &[]);
        for square in 0..self.board.squares() {
            let area = scene.square(square % columns, square / columns);
            scene.shapes.push(Shape::Plate(area.within(0.02), 0.06, Ink::Square));
            let owner = self.owner(state, square);
            if let Some(side) = owner {
                scene.mark(area, side);
            }
            let what = owner.map_or("empty", |side| LETTERS[side.index()]);
            scene.corner(area, (square + 1).to_string());
            scene.place(format!("{}, {what}", square + 1), area, owner.is_some());
        }
        for line in self.lines.iter().filter(|line| state.waiting & **line == **line) {
            let ends = [line.trailing_zeros(), line.ilog2()];
            let [from, to] = ends.map(|square| scene.places[square as usize].area);
            scene.through(from, to);
        }
        scene
    }

    fn clicks(&self, _: &Stones, Square(square): Square) -> Vec<usize> {
        vec![square.into()]
    }
}

impl Acyclic for Mnk {
    #[inline]
    fn progress(&self, state: &Stones) -> u32 {
        (state.taken()).count_ones()
    }
}

impl Encode for Mnk {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        2 * self.board.squares() as u32
    }

    /// Whose turn it is follows from the number of stones.
    fn encode(&self, state: &Stones) -> u128 {
        u128::from(state.of(Side::First)) << self.board.squares()
            | u128::from(state.of(Side::Second))
    }

    fn decode(&self, packed: u128) -> Stones {
        let second = packed as u64 & self.full;
        let first = (packed >> self.board.squares()) as u64 & self.full;
        Stones::of_both(first, second)
    }
}

impl Indexed for Mnk {
    type Bank = NoBank;

    /// The empty squares.
    fn layers(&self) -> u32 {
        self.board.squares() as u32 + 1
    }

    fn size(&self, layer: u32) -> u64 {
        let squares = self.board.squares() as u32;
        let stones = squares - layer;
        let (sets, owners) = (choose(squares, stones), choose(stones, stones / 2));
        let all = sets.checked_mul(owners).filter(|all| *all < MANY && sets < MANY);
        all.unwrap_or(u64::MAX)
    }

    /// Which squares are taken, then which of those by the second player.
    fn index(&self, state: &Stones) -> (u32, u64) {
        let taken = state.taken();
        let stones = taken.count_ones();
        let owners = rank_beside(state.of(Side::Second), self.full & !taken);
        let number = rank(taken) * choose(stones, stones / 2) + owners;
        (self.board.squares() as u32 - stones, number)
    }

    fn state(&self, layer: u32, index: u64) -> Option<Stones> {
        let stones = self.board.squares() as u32 - layer;
        let owners = choose(stones, stones / 2);
        let taken = unrank(index / owners, stones, self.board.squares() as u32);
        let second = spread(unrank(index % owners, stones / 2, stones), taken);
        Some(Stones::of_both(taken ^ second, second))
    }

    fn lowest_after(&self, layer: u32) -> u32 {
        layer.saturating_sub(1)
    }
}

impl Symmetry for Mnk {
    /// Of the images under the symmetries of the board, the one with the smallest words.
    fn representative(&self, state: &Stones) -> Stones {
        let image = |stones: u64, symmetry: &[u8]| {
            Bits(stones).fold(0u64, |image, square| image | 1 << symmetry[usize::from(square)])
        };
        let images =
            self.symmetries.iter().map(|symmetry| state.map(|stones| image(stones, symmetry)));
        let smallest = images.min_by_key(|image| (image.to_move, image.waiting));
        smallest.unwrap_or(*state)
    }

    fn images(&self) -> u64 {
        self.symmetries.len() as u64
    }
}

impl Mnk {
    /// The lines as they are seen by the side to move and by the other.
    #[inline]
    fn look(&self, state: &Stones) -> Lines {
        let sides = [state.to_move, state.waiting];
        let mut lines = Lines::default();
        for line in &self.lines {
            for side in 0..2 {
                if line & sides[1 - side] != 0 {
                    continue;
                }
                let stones = (line & sides[side]).count_ones();
                lines.open[side] |= line;
                lines.most[side] = lines.most[side].max(stones);
                match self.line - stones {
                    1 => lines.completing[side] |= line & !sides[side],
                    2 => lines.near[side] |= line,
                    _ if stones > 0 => lines.begun[side] |= line,
                    _ => {}
                }
            }
        }
        lines
    }

    #[inline]
    fn empty(&self, state: &Stones) -> u64 {
        self.full & !state.taken()
    }
}

impl SearchHints for Mnk {
    fn key_bits(&self) -> u32 {
        (2 * self.board.squares() as u32).min(64)
    }

    /// The stones of the side to move and those of the other. Stones that lie on no line that their
    /// own side can still fill only stand in the way, whosever they are: they count as stones of
    /// both. Of the images of early positions, the smallest. Boards of more than 32 squares do not
    /// fit a key.
    fn key(&self, state: &Stones) -> Option<(u64, Value)> {
        let squares = self.board.squares();
        if squares > 32 {
            return None;
        }
        let mut sides = [state.to_move, state.waiting];
        if !self.misere {
            let mut open = [0; 2];
            for line in &self.lines {
                open[0] |= if line & sides[1] == 0 { *line } else { 0 };
                open[1] |= if line & sides[0] == 0 { *line } else { 0 };
            }
            let idle = sides[0] & !open[0] | sides[1] & !open[1];
            sides = sides.map(|stones| stones | idle);
        }
        let key = |[own, other]: [u64; 2]| own << squares | other;
        let mut least = key(sides);
        if !self.near_end(state) {
            for bytes in &self.images {
                let image = |stones: u64| {
                    bytes
                        .iter()
                        .zip(stones.to_le_bytes())
                        .fold(0, |image, (squares, byte)| image | squares[usize::from(byte)])
                };
                least = least.min(key(sides.map(image)));
            }
        }
        Some((least, Value(0)))
    }

    #[inline]
    fn near_end(&self, state: &Stones) -> bool {
        self.empty(state).count_ones() <= NEAR
    }

    /// A square for each side.
    fn history_slots(&self) -> usize {
        2 * Mnk::MOST_SQUARES
    }

    #[inline]
    fn history_slot(&self, state: &Stones, Square(square): Square) -> usize {
        state.turn.index() * Mnk::MOST_SQUARES + usize::from(square)
    }

    /// Rows that can be completed now; squares that have to be taken before the other side does;
    /// and who can still complete a row at all. A stone never harms its owner, so squares on no
    /// open line need not be tried while there are others.
    fn bounds_and_moves(
        &self,
        state: &Stones,
        moves: &mut Candidates<'_, Square>,
    ) -> (Value, Value) {
        let empty = self.empty(state);
        if self.misere {
            let lines = self.look(state);
            for square in Bits(empty) {
                moves.push(-i32::from(lines.completing[0] >> square & 1 == 1), Square(square));
            }
            return (Value(-1), Value(1));
        }
        let Lines { open, completing, near, begun, most } = self.look(state);
        if completing[0] != 0 {
            return (Value(1), Value(1));
        }
        let forced = completing[1];
        if forced & forced.wrapping_sub(1) != 0 {
            return (Value(-1), Value(-1));
        }
        // Who can no longer complete a row, for want of lines or of stones left to put down, cannot
        // win.
        let left = empty.count_ones();
        let still = [left.div_ceil(2), left / 2];
        let hopes = [0, 1].map(|side| open[side] != 0 && most[side] + still[side] >= self.line);
        let (low, high) = (-i32::from(hopes[1]), i32::from(hopes[0]));
        if low == high {
            return (Value(low), Value(high));
        }
        let worth = |set: [u64; 2], square: u8, own: i32, other: i32| {
            let on = |stones: u64| (stones >> square & 1) as i32;
            own * on(set[0]) + other * on(set[1])
        };
        let tried = if forced != 0 { forced } else { empty & (open[0] | open[1]) };
        for square in Bits(tried) {
            let promise = worth(near, square, 8, 6) + worth(begun, square, 2, 2);
            moves.push(promise + worth(open, square, 1, 1), Square(square));
        }
        (Value(low), Value(high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::Conform;
    use crate::family::specification;

    fn game(text: &[(&str, &str)]) -> Mnk {
        Mnk::create(&Args::new(&Mnk::ABOUT, text.iter().copied()).unwrap()).unwrap()
    }

    #[test]
    fn keeps_its_promises() {
        let shapes = [
            (3, 3, 3),
            (4, 3, 3),
            (4, 4, 4),
            (3, 3, 2),
            (8, 8, 5),
            (1, 1, 1),
            (1, 7, 2),
            (64, 1, 64),
            (2, 2, 5),
        ];
        for (columns, rows, line) in shapes {
            for misere in [false, true] {
                let game = Mnk::new(columns, rows, line, misere).unwrap();
                let numbered = (0..game.layers()).all(|layer| game.size(layer) < u64::MAX);
                let conform = Conform::new(&game);
                let conform = if numbered { conform.indexed().measured_numbers() } else { conform };
                let report = conform
                    .notation()
                    .picture()
                    .acyclic()
                    .encode()
                    .symmetry()
                    .search_hints()
                    .finish();
                report.unwrap_or_else(|broken| panic!("{}: {broken}", specification(&game)));
            }
        }
    }

    #[test]
    fn rows_do_not_wrap_around_the_edge() {
        let game = Mnk::tic_tac_toe();
        for text in ["..X/X../XOO O", "X../.XO/OX. X", ".XO/X.O/O.X O"] {
            let outcome = game.parse(text).map(|state| game.outcome(&state));
            assert!(matches!(outcome, Ok(None) | Err(_)), "{text}: {outcome:?}");
        }
        let won = game.parse("X.O/OX./..X O").unwrap();
        assert_eq!(game.outcome(&won), Some(Outcome::win(Side::First)));
    }

    #[test]
    fn every_row_of_a_plain_search_is_found_and_no_other() {
        // The folding of words against looking along every line, on random boards.
        let mut dice = crate::sample::Dice::new(1);
        for (columns, rows, line) in [(3, 3, 3), (5, 4, 4), (8, 8, 3), (7, 2, 2), (3, 5, 1)] {
            let game = Mnk::new(columns, rows, line, false).unwrap();
            for _ in 0..2000 {
                let stones = dice.roll() & dice.roll() & game.full;
                let has = |row: isize, column: isize| {
                    (0..rows as isize).contains(&row)
                        && (0..columns as isize).contains(&column)
                        && stones >> (row as usize * columns + column as usize) & 1 == 1
                };
                let plain = (0..(columns * rows) as isize).any(|square| {
                    let (row, column) = (square / columns as isize, square % columns as isize);
                    [(0, 1), (1, 0), (1, 1), (1, -1)].iter().any(|(down, right)| {
                        (0..line as isize).all(|nth| has(row + nth * down, column + nth * right))
                    })
                });
                assert_eq!(game.has_row(stones), plain, "{columns}x{rows} {line} {stones:b}");
            }
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Mnk::tic_tac_toe();
        for (text, expected) in [
            ("", "rows of"),
            ("X../... O", "rows of"),
            ("X../.../.... O", "rows of"),
            ("X../.Q./... O", "rows of"),
            ("X../.../... Z", "X or O"),
            ("X../.../... X", "as many X"),
            ("XXX/.../... O", "one X more"),
            ("XXX/OO./O.. X", "already has a row"),
        ] {
            let error = game.parse(text).unwrap_err();
            assert!(error.expected.contains(expected), "{text}: {error}");
        }
        assert!(Mnk::new(9, 8, 3, false).is_err());
        assert_eq!(specification(&game_4x3()), "mnk(columns=4,rows=3,line=3,misere=true)");
    }

    fn game_4x3() -> Mnk {
        game(&[("columns", "4"), ("misere", "true")])
    }

    #[test]
    fn conform_is_what_tests_use() {
        // A broken promise is found: a rank that stands still.
        struct Still(Mnk);
        impl Game for Still {
            type State = Stones;
            type Move = Square;
            fn start(&self) -> Stones {
                self.0.start()
            }
            fn turn(&self, state: &Stones) -> Side {
                self.0.turn(state)
            }
            fn outcome(&self, state: &Stones) -> Option<Outcome> {
                self.0.outcome(state)
            }
            fn moves(&self, state: &Stones) -> impl Iterator<Item = Square> {
                self.0.moves(state)
            }
            fn play(&self, state: &Stones, mv: Square) -> Stones {
                self.0.play(state, mv)
            }
        }
        impl Acyclic for Still {
            fn progress(&self, _: &Stones) -> u32 {
                0
            }
        }
        let broken = Conform::new(&Still(Mnk::tic_tac_toe())).acyclic().finish();
        assert_eq!(broken.unwrap_err().promise, "Acyclic");
    }
}
