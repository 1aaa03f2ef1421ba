//! Fox and Hounds, on a board of any even size from 4 to 16.
//!
//! If the fox cannot move, the hounds have won even when they are to move. In play this makes no difference,
//! because a fox that has just moved can go back; a position that was set up is then over, as in the founding
//! text.
//!
//! **Moves** are `f8-e7`; `pass` if the hounds pass. **Positions** are `h:a1,c1,e1,g1 f:f8 fox`:
//! the hounds, the fox, the side to move.
//!
//! **Known.** On 8x8 the hounds win (Berlekamp, Conway and Guy, *Winning Ways*, chapter 20), from
//! every start of the fox and with either side to begin; on 6x6 the fox wins if it begins.

mod hints;
mod numbers;
mod progress;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::family::{About, Args, Family, Group, Invalid, Kind, Parameter};
use crate::game::{Game, Outcome, Side};
use crate::kit::{Bits, Board, Cells, Look, OnBoard, Piece, Square, Steps};
use crate::promise::{Actions, Acyclic, Encode, NoBank, Symmetry};

/// The rule for hounds that are to move and cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// The game ends as a draw.
    Draw,
    /// The hounds pass, and the fox moves again.
    Pass,
    /// The hounds lose.
    Lose,
}

impl Stuck {
    const NAMES: [(&'static str, Stuck); 3] =
        [("draw", Stuck::Draw), ("pass", Stuck::Pass), ("lose", Stuck::Lose)];
}

/// Fox and Hounds.
///
#[doc = include_str!("rules.txt")]
#[derive(Clone, Debug)]
pub struct FoxAndHounds {
    size: u8,
    stuck: Stuck,
    /// Whether the fox makes the first move, and so is the first player.
    fox_first: bool,
    /// The start column of the fox, from 0.
    fox_column: u8,
    board: Board,
    /// The dark squares, by number.
    squares: Vec<Square>,
    /// For every square, its diagonal neighbours in the next row, to which a hound can move.
    ahead: Vec<u128>,
    /// For every square, all its diagonal neighbours, to which the fox can move.
    around: Vec<u128>,
    /// Square n has neighbours n ± half. Here are the squares that also have neighbours
    /// n ± half - 1, and those that also have neighbours n ± half + 1.
    slanted: [u128; 2],
    /// For each direction, the steps of the fox: from and to.
    steps: Vec<Vec<(u32, u32)>>,
}

/// A position of [`FoxAndHounds`]. The dark squares are numbered row by row, from row 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    hounds: u128,
    fox: u8,
    fox_to_move: bool,
}

/// A move of [`FoxAndHounds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A step of the fox or of a hound.
    Step {
        /// The old square.
        from: Square,
        /// The new square.
        to: Square,
    },
    /// The hounds cannot move, and pass.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Step { from, to } => write!(f, "{from}-{to}"),
            Move::Pass => f.write_str("pass"),
        }
    }
}

#[inline]
const fn bit(square: u8) -> u128 {
    1 << square
}

impl Game for FoxAndHounds {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        let hounds = bit(self.half()) - 1;
        let fox = self.number(Square { column: self.fox_column, row: self.size - 1 });
        State { hounds, fox, fox_to_move: self.fox_first }
    }

    #[inline]
    fn turn(&self, state: &State) -> Side {
        if state.fox_to_move == self.fox_first { Side::First } else { Side::Second }
    }

    fn max_value(&self) -> i32 {
        1
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let fox = self.fox_side();
        if state.fox < self.half() {
            return Some(Outcome::win(fox));
        }
        if self.free_around_fox(state) == 0 {
            return Some(Outcome::win(fox.other()));
        }
        if state.fox_to_move || self.stuck == Stuck::Pass || !self.hounds_are_stuck(state) {
            return None;
        }
        Some(if self.stuck == Stuck::Draw { Outcome::DRAW } else { Outcome::win(fox) })
    }

    #[inline]
    fn moves(&self, state: &State) -> impl Iterator<Item = Move> {
        let (pieces, reach) = match state.fox_to_move {
            true => (bit(state.fox), &self.around),
            false => (state.hounds, &self.ahead),
        };
        let free = !(state.hounds | bit(state.fox));
        let pass = !state.fox_to_move && self.hounds_are_stuck(state);
        let steps = Steps::new(pieces, reach, free);
        let step = |(from, to)| Move::Step { from: self.square(from), to: self.square(to) };
        steps.map(step).chain(pass.then_some(Move::Pass))
    }

    #[inline]
    fn play(&self, state: &State, mv: Move) -> State {
        let mut next = State { fox_to_move: !state.fox_to_move, ..*state };
        if let Move::Step { from, to } = mv {
            let to = self.number(to);
            if state.fox_to_move {
                next.fox = to;
            } else {
                next.hounds ^= bit(self.number(from)) | bit(to);
            }
        }
        next
    }
}

impl Actions for FoxAndHounds {
    fn actions(&self) -> usize {
        let squares = usize::from(self.size).pow(2);
        squares * squares + 1
    }

    fn action(&self, mv: Self::Move) -> usize {
        let size = usize::from(self.size);
        let number = |square: Square| usize::from(square.row) * size + usize::from(square.column);
        match mv {
            Move::Step { from, to } => number(from) * size * size + number(to),
            Move::Pass => size.pow(4),
        }
    }
}

impl FoxAndHounds {
    fn of(size: u8, stuck: Stuck, fox_first: bool, fox_column: u8) -> FoxAndHounds {
        let [fox, hounds] = if fox_first { Side::BOTH } else { [Side::Second, Side::First] };
        let is_dark = |column, row| (column + row) % 2 == 0;
        let pieces = [Piece::new('H', "hound", Some(hounds)), Piece::new('F', "fox", Some(fox))];
        let side = usize::from(size);
        let board = Board::grid(Look::Checkered, side, side, is_dark).lettered(true);
        let board = board.pieces(pieces).sides(sides(fox_first)).written_as_lists();
        let (ahead, behind) = ([(-1, 1), (1, 1)], [(-1, -1), (1, -1)]);
        let mut game = FoxAndHounds {
            size,
            stuck,
            fox_first,
            fox_column,
            squares: Vec::new(),
            ahead: board.neighbours(&ahead),
            around: board.neighbours(&[behind, ahead].concat()),
            slanted: [0, 0],
            steps: vec![Vec::new(); 4],
            board,
        };
        let half = game.half();
        let square = |number| {
            let row = number / half;
            Square { column: number % half * 2 + row % 2, row }
        };
        game.squares = (0..game.squares()).map(square).collect();
        for from in 0..game.squares() {
            let Square { column, row } = game.square(from);
            match row % 2 {
                0 if column > 0 => game.slanted[0] |= bit(from),
                1 if column < size - 1 => game.slanted[1] |= bit(from),
                _ => {}
            }
            for to in Bits(game.around[usize::from(from)]) {
                let next = game.square(to);
                let direction = 2 * usize::from(next.row > row) + usize::from(next.column > column);
                game.steps[direction].push((from.into(), to.into()));
            }
        }
        game
    }

    /// The number of dark squares of a row; also the number of hounds.
    const fn half(&self) -> u8 {
        self.size / 2
    }

    #[inline]
    fn square(&self, number: u8) -> Square {
        self.squares[usize::from(number)]
    }

    const fn number(&self, square: Square) -> u8 {
        square.row * self.half() + square.column / 2
    }

    fn free_around_fox(&self, state: &State) -> u128 {
        self.around[usize::from(state.fox)] & !state.hounds
    }

    fn hounds_are_stuck(&self, state: &State) -> bool {
        let free = !(state.hounds | bit(state.fox));
        Bits(state.hounds).all(|from| self.ahead[usize::from(from)] & free == 0)
    }

    /// The number of dark squares.
    const fn squares(&self) -> u8 {
        self.size * self.half()
    }

    const fn fox_side(&self) -> Side {
        if self.fox_first { Side::First } else { Side::Second }
    }
}

/// The names of the first and the second player.
const fn sides(fox_first: bool) -> [&'static str; 2] {
    if fox_first { ["fox", "hounds"] } else { ["hounds", "fox"] }
}

impl Family for FoxAndHounds {
    const ABOUT: About = About {
        name: "fox-and-hounds",
        title: "Fox and Hounds",
        summary: "one fox slips past the hounds, or they shut it in",
        group: Group::Hunts,
        rules: include_str!("rules.txt"),
        move_notation: "from-to: `f8-e7`; `pass` if no hound can move and hounds pass",
        position_notation: "hounds, fox, side to move: `h:a1,c1,e1,g1 f:f8 fox`",
        known: "On 8x8 the hounds win (Berlekamp, Conway and Guy, Winning Ways), from every start \
                of the fox and with either side to begin. On 6x6 the fox wins in 25 plies if it \
                begins.",
        unit: "result",
        parameters: &[
            Parameter::even(
                "size",
                [4, 16],
                "8",
                "squares along a side of the board; half as many hounds",
            ),
            Parameter::choice(
                "stuck",
                &["draw", "pass", "lose"],
                "what happens when no hound can move",
            ),
            Parameter::choice("first", &["fox", "hounds"], "who moves first"),
            Parameter {
                name: "fox",
                kind: Kind::Text("the letter of a dark square of the last row (b, d, f, h on 8x8)"),
                default: "",
                meaning: "start column of the fox; by default the one right of the middle",
            },
        ],
    };

    fn create(args: &Args) -> Result<FoxAndHounds, Invalid> {
        let size = args.number("size") as u8;
        let columns = (1..size).step_by(2);
        let letter = |column: u8| char::from(b'a' + column).to_string();
        let fox = match args.text("fox") {
            "" => columns.clone().find(|column| *column >= size / 2),
            text => columns.clone().find(|column| letter(*column) == text),
        };
        let fox = fox.ok_or_else(|| {
            let valid: Vec<_> = columns.map(letter).collect();
            let expected = format!("one of {} on the {size}x{size} board", valid.join(", "));
            Invalid::new(format!("fox={}", args.text("fox")), expected)
        })?;
        let (_, stuck) = Stuck::NAMES[args.choice("stuck")];
        Ok(FoxAndHounds::of(size, stuck, args.text("first") == "fox", fox))
    }

    fn arguments(&self) -> Vec<String> {
        let stuck = Stuck::NAMES.iter().find(|(_, stuck)| *stuck == self.stuck);
        let first = if self.fox_first { "fox" } else { "hounds" };
        vec![
            self.size.to_string(),
            stuck.map_or("", |(name, _)| name).to_owned(),
            first.to_owned(),
            char::from(b'a' + self.fox_column).to_string(),
        ]
    }

    fn sides(&self) -> [&'static str; 2] {
        sides(self.fox_first)
    }
}

impl OnBoard for FoxAndHounds {
    fn board(&self) -> &Board {
        &self.board
    }

    fn cells(&self, state: &State) -> Cells {
        Cells::new(self.turn(state)).with(0, state.hounds).with(1, bit(state.fox))
    }

    fn state_of(&self, cells: &Cells) -> Result<State, String> {
        let [hounds, fox] = [0, 1].map(|piece| cells.set(piece));
        if hounds.count_ones() != self.half().into() {
            return Err(format!("{} hounds on different squares", self.half()));
        }
        if fox.count_ones() != 1 || fox & hounds != 0 {
            return Err("one fox, on a square without a hound".to_owned());
        }
        let fox_to_move = cells.turn == self.fox_side();
        Ok(State { hounds, fox: fox.trailing_zeros() as u8, fox_to_move })
    }

    fn move_cells(&self, _: &State, mv: Move) -> Vec<usize> {
        match mv {
            Move::Step { from, to } => {
                [from, to].map(|square| usize::from(self.number(square))).to_vec()
            }
            Move::Pass => Vec::new(),
        }
    }
}

impl Acyclic for FoxAndHounds {
    /// Twice the sum of the hounds' rows, plus one if the hounds are to move.
    fn progress(&self, state: &State) -> u32 {
        let rows: u32 = Bits(state.hounds).map(|hound| u32::from(hound / self.half())).sum();
        2 * rows + u32::from(!state.fox_to_move)
    }

    /// If the hounds pass, the fox can move back and forth.
    fn is_acyclic(&self) -> bool {
        self.stuck != Stuck::Pass
    }
}

impl Encode for FoxAndHounds {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        (u32::from(self.half()) + 1) * self.square_bits() + 1
    }

    /// The hounds in order and the fox, each as the number of its square, and the side to move.
    fn encode(&self, state: &State) -> u128 {
        let squares = Bits(state.hounds).map(u128::from);
        let pieces =
            squares.fold(u128::from(state.fox), |all, one| all << self.square_bits() | one);
        pieces << 1 | u128::from(state.fox_to_move)
    }

    fn decode(&self, packed: u128) -> State {
        let piece = |nth: u8| {
            let shift = 1 + u32::from(nth) * self.square_bits();
            (packed >> shift) as u8 & ((1u8 << self.square_bits()) - 1)
        };
        let hounds = (0..self.half()).fold(0, |set, nth| set | bit(piece(nth)));
        State { hounds, fox: piece(self.half()), fox_to_move: packed & 1 == 1 }
    }
}

/// There is no symmetry: on a board of even size, reflection takes dark squares to light ones.
impl Symmetry for FoxAndHounds {}

impl FoxAndHounds {
    /// The number of bits of a square's number: at most 7.
    fn square_bits(&self) -> u32 {
        (u32::from(self.size) * u32::from(self.half()) - 1).ilog2() + 1
    }
}
