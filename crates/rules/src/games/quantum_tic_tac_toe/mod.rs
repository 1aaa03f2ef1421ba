//! Quantum tic-tac-toe (Allan Goff 2006, *Quantum tic-tac-toe: a teaching metaphor for
//! superposition in quantum mechanics*).
//!
//! **Score**, in half-points: if only one side has a row, it scores 2 (one point), the other 0. If
//! a collapse gives both sides a row, the side whose row has the smaller largest move number scores
//! 2, the other 1. The value is the difference.
//!
//! **Moves** are a pair `1-9`, squares from 1 row by row from the top, the smaller first; a
//! collapse `@1` (the last pair's mark goes to square 1), which is a separate move, followed by a
//! pair of the same player; `5` for the single mark of the ninth move. **Positions** are the moves
//! played, joined by spaces.
//!
//! **Known.** The first player gets 1 point and the second 1/2; the only best opening moves are
//! pairs of opposite corners. (Found by exhaustive search; also solved by Ishizeki and Matsuura
//! 2011.)
//!
//! For every move a state has what the future may depend on: both squares of a spooky pair, or the
//! square of a classical mark.

mod hints;
mod picture;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::family::{About, Args, Family, Group, Invalid};
use crate::game::{Game, Outcome, Side};
use crate::kit::{Bits, Board, LETTERS};
use crate::promise::{Actions, Acyclic, Encode, NoBank, Symmetry};

const SQUARES: u8 = 9;
const ALL: u16 = 0x1ff;
/// The rows, as sets of squares.
const LINES: [Marks; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Quantum tic-tac-toe.
///
#[doc = include_str!("rules.txt")]
#[derive(Clone, Debug)]
pub struct QuantumTicTacToe {
    /// By symmetry and set of squares: the image of the set.
    images: Vec<[Marks; 1 << SQUARES]>,
    /// By symmetry and set of at most two squares, a number from 1 to 45 for its image; 0 for none.
    codes: Vec<[u8; 1 << SQUARES]>,
}

/// The squares that a mark is on: two while it is spooky, one when it is classical, none before
/// its move.
type Marks = u16;

/// A position of [`QuantumTicTacToe`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The marks of each move, from the first.
    marks: [Marks; SQUARES as usize],
    /// The number of moves made, without collapses.
    made: u8,
    /// Whether the last move closed a cycle whose collapse is not yet chosen.
    collapsing: bool,
}

impl State {
    /// The squares with a classical mark.
    fn classical(&self) -> u16 {
        let single = self.marks.iter().filter(|marks| marks.count_ones() == 1);
        single.fold(0, |all, marks| all | marks)
    }

    /// Whether the last pair closed a cycle: whether other pairs already joined its two squares.
    fn closes_cycle(&self) -> bool {
        let last = usize::from(self.made) - 1;
        let pair = self.marks[last];
        let before = || self.marks[..last].iter().filter(|marks| marks.count_ones() == 2);
        if before().fold(0, |all, marks| all | marks) & pair != pair {
            return false;
        }
        let mut reached = pair & pair.wrapping_neg();
        loop {
            let wider = before().fold(reached, |reached, marks| match marks & reached {
                0 => reached,
                _ => reached | marks,
            });
            if wider == reached || wider & pair == pair {
                return wider & pair == pair;
            }
            reached = wider;
        }
    }

    /// The moves whose pairs form the cycle that the last pair closed, a bit for each: those that
    /// remain after dead ends are removed repeatedly.
    fn cycle(&self) -> u16 {
        let spooky = |at: &usize| self.marks[*at].count_ones() == 2;
        let mut moves: u16 =
            (0..usize::from(SQUARES)).filter(spooky).fold(0, |all, at| all | 1 << at);
        loop {
            let ends = |square: u8| {
                Bits(moves).filter(|at| self.marks[usize::from(*at)] >> square & 1 == 1).count()
            };
            let loose = |at: &u8| Bits(self.marks[usize::from(*at)]).any(|end| ends(end) == 1);
            let rest = Bits(moves).filter(|at| !loose(at)).fold(0, |all, at| all | 1 << at);
            if rest == moves {
                return moves;
            }
            moves = rest;
        }
    }

    /// Makes the last pair's mark classical on `square`, and then all marks entangled with it. Calls `on_mark` with
    /// the position before each of the latter.
    fn collapse(&mut self, square: u8, mut on_mark: impl FnMut(State)) {
        let mut taken = 1 << square;
        self.marks[usize::from(self.made) - 1] = taken;
        loop {
            let before = taken;
            for at in 0..self.marks.len() {
                let marks = self.marks[at];
                if marks.count_ones() == 2 && marks & taken != 0 {
                    on_mark(*self);
                    self.marks[at] &= !taken;
                    taken |= self.marks[at];
                }
            }
            if taken == before {
                return;
            }
        }
    }

    /// For each side the smallest, over its rows, of the largest move in the row, counted from 0.
    fn rows(&self) -> [Option<u8>; 2] {
        let mut rows = [None; 2];
        let mut held = [0; 2];
        for (at, marks) in self.marks.iter().enumerate() {
            if marks.count_ones() != 1 {
                continue;
            }
            // If marks are put down in order, the first complete row has the smallest number.
            let side = at % 2;
            held[side] |= marks;
            if rows[side].is_none() && LINES.iter().any(|line| line & held[side] == *line) {
                rows[side] = Some(at as u8);
            }
        }
        rows
    }
}

/// A move of [`QuantumTicTacToe`]; squares are numbered from 0 in code, from 1 in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Spooky marks on two squares, the smaller first.
    Pair(u8, u8),
    /// The last pair's mark becomes classical on this square.
    Collapse(u8),
    /// The ninth mark, on the only remaining square.
    Last(u8),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Pair(a, b) => write!(f, "{}-{}", a + 1, b + 1),
            Move::Collapse(square) => write!(f, "@{}", square + 1),
            Move::Last(square) => write!(f, "{}", square + 1),
        }
    }
}

/// The image of marks under a symmetry.
fn image(marks: Marks, symmetry: &[u8]) -> Marks {
    Bits(marks).fold(0, |image, square| image | 1 << symmetry[usize::from(square)])
}

impl QuantumTicTacToe {
    fn of() -> QuantumTicTacToe {
        let board = Board::squares(3, 3).rectangular();
        let symmetries = (0..board.symmetries().len()).map(|nth| board.symmetries().map(nth));
        let mut plain = [0; 1 << SQUARES];
        let small = (1..1usize << SQUARES).filter(|set| set.count_ones() <= 2);
        for (set, code) in small.zip(1..) {
            plain[set] = code;
        }
        let all = |symmetry: &[u8]| std::array::from_fn(|set| image(set as Marks, symmetry));
        let images: Vec<[Marks; _]> = symmetries.map(all).collect();
        let codes = images.iter().map(|images| images.map(|image| plain[usize::from(image)]));
        QuantumTicTacToe { codes: codes.collect(), images }
    }
}

impl Game for QuantumTicTacToe {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        State { marks: [0; SQUARES as usize], made: 0, collapsing: false }
    }

    /// The player who chooses a collapse also makes the next move.
    #[inline]
    fn turn(&self, state: &State) -> Side {
        Side::BOTH[usize::from(state.made % 2)]
    }

    fn max_value(&self) -> i32 {
        2
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        // Only a collapse or the ninth mark can complete a row.
        match state.rows() {
            [Some(first), Some(second)] => Some(Outcome(if first < second { 1 } else { -1 })),
            [Some(_), None] => Some(Outcome(2)),
            [None, Some(_)] => Some(Outcome(-2)),
            [None, None] => (state.classical() == ALL).then_some(Outcome::DRAW),
        }
    }

    fn moves(&self, state: &State) -> impl Iterator<Item = Move> {
        let free = ALL & !state.classical();
        let last_pair = if state.collapsing { state.marks[usize::from(state.made) - 1] } else { 0 };
        let open = if state.collapsing { 0 } else { free };
        let single = (open.count_ones() == 1).then(|| Move::Last(open.trailing_zeros() as u8));
        let pairs = Bits(open)
            .flat_map(move |a| Bits(open & !((2 << a) - 1)).map(move |b| Move::Pair(a, b)));
        Bits(last_pair).map(Move::Collapse).chain(pairs).chain(single)
    }

    fn play(&self, state: &State, mv: Move) -> State {
        let mut next = *state;
        match mv {
            Move::Pair(a, b) => {
                next.marks[usize::from(next.made)] = 1 << a | 1 << b;
                next.made += 1;
                next.collapsing = next.closes_cycle();
            }
            Move::Collapse(square) => {
                next.collapse(square, |_| {});
                next.collapsing = false;
            }
            Move::Last(square) => {
                next.marks[usize::from(next.made)] = 1 << square;
                next.made += 1;
            }
        }
        next
    }
}

impl Actions for QuantumTicTacToe {
    fn actions(&self) -> usize {
        let squares = usize::from(SQUARES);
        squares * squares + 2 * squares
    }

    fn action(&self, mv: Self::Move) -> usize {
        let squares = usize::from(SQUARES);
        match mv {
            Move::Pair(a, b) => usize::from(a) * squares + usize::from(b),
            Move::Collapse(square) => squares * squares + usize::from(square),
            Move::Last(square) => squares * squares + squares + usize::from(square),
        }
    }
}

impl Family for QuantumTicTacToe {
    const ABOUT: About = About {
        name: "quantum-tic-tac-toe",
        title: "Quantum tic-tac-toe",
        summary: "tic-tac-toe whose marks are in two places at once, until they collapse",
        group: Group::Lines,
        rules: include_str!("rules.txt"),
        move_notation: "a pair of squares from 1, row by row from the top: `1-9`; a collapse `@1` \
                        (the last pair's mark goes to square 1); `5` for the last single square",
        position_notation: "the moves played, joined by spaces: `1-9 1-9 @1 2-3`",
        known: "The first player gets 1 point and the second 1/2; the only best opening moves are \
                pairs of opposite corners.",
        unit: "half-points",
        parameters: &[],
    };

    fn create(_: &Args) -> Result<QuantumTicTacToe, Invalid> {
        Ok(QuantumTicTacToe::of())
    }

    fn arguments(&self) -> Vec<String> {
        Vec::new()
    }

    fn sides(&self) -> [&'static str; 2] {
        LETTERS
    }
}

impl Acyclic for QuantumTicTacToe {
    /// Twice the number of moves made, minus one while a collapse must be chosen.
    #[inline]
    fn progress(&self, state: &State) -> u32 {
        2 * u32::from(state.made) + 1 - u32::from(state.collapsing)
    }

    /// Each collapse takes at least two squares.
    fn plies_left(&self, state: &State) -> Option<u32> {
        let free = u32::from(SQUARES) - state.classical().count_ones();
        Some(u32::from(SQUARES - state.made) + free / 2)
    }
}

impl Encode for QuantumTicTacToe {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        9 * 8 + 1
    }

    /// For each move, a digit for its lower and one for its higher square, from 1, with 0 for none;
    /// and whether a collapse must be chosen.
    fn encode(&self, state: &State) -> u128 {
        let digits = state.marks.iter().map(|marks| {
            let low = if *marks == 0 { 0 } else { marks.trailing_zeros() + 1 };
            let high = if marks.count_ones() == 2 { marks.ilog2() + 1 } else { 0 };
            u128::from(low | high << 4)
        });
        digits.fold(u128::from(state.collapsing), |all, digit| all << 8 | digit)
    }

    fn decode(&self, packed: u128) -> State {
        let marks: [Marks; SQUARES as usize] = std::array::from_fn(|at| {
            let digits = (packed >> (8 * (8 - at))) as u16;
            let bit = |digit: u16| if digit == 0 { 0 } else { 1 << (digit - 1) };
            bit(digits & 15) | bit(digits >> 4 & 15)
        });
        let made = marks.iter().filter(|marks| **marks != 0).count() as u8;
        State { marks, made, collapsing: packed >> 72 == 1 }
    }
}

impl Symmetry for QuantumTicTacToe {
    /// The smallest of the eight images, by marks in order of moves.
    fn representative(&self, state: &State) -> State {
        let mut smallest = state.marks;
        for images in &self.images {
            let image = |marks: &Marks| images[usize::from(*marks)];
            // Most images are larger from the first move on.
            if state.marks.iter().map(image).lt(smallest) {
                smallest = state.marks.map(|marks| image(&marks));
            }
        }
        State { marks: smallest, ..*state }
    }

    fn images(&self) -> u64 {
        self.images.len() as u64 + 1
    }

    fn image(&self, state: &State, number: u64) -> Option<State> {
        let Some(at) = usize::try_from(number).ok()?.checked_sub(1) else { return Some(*state) };
        let images = self.images.get(at)?;
        Some(State { marks: state.marks.map(|marks| images[usize::from(marks)]), ..*state })
    }
}
