//! Three men's morris: place three men each, then slide them.
//!
//! Other sets of rules have no diagonals, or let men jump.
//!
//! **Moves** are `5` for placing, points from 1 row by row from the top, and `1-2` for sliding.
//! **Positions** are the rows joined by `/`, the men that X and that O have in hand, and the side
//! to move: `X../.O./... 2 2 X`.
//!
//! **Known.** The game is old (it is in Alfonso X's book of 1283). Men can slide back and forth, so
//! play can be endless. The first player wins by taking the centre. In reachable positions, a side
//! without a move has already lost, because the other side has a row.

mod numbers;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::family::{About, Args, Family, Group, Invalid};
use crate::game::{Game, Outcome, Side};
use crate::kit::{
    Bits, Board, Cells, EncodedByCells, Face, LETTERS, Lines, Look, Number, OnBoard, Piece,
};
use crate::promise::{Actions, NoBank, Symmetry};

const MEN: u32 = 3;
const ALL: u16 = 0x1ff;

/// Three men's morris.
///
#[doc = include_str!("rules.txt")]
#[derive(Clone, Debug)]
pub struct ThreeMensMorris {
    board: Board,
    lines: Lines,
    /// For every point, those next to it along a line.
    next_to: Vec<u16>,
}

/// A position of [`ThreeMensMorris`]: for each side, a bit for each of its men on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    men: [u16; 2],
    turn: Side,
}

/// A move of [`ThreeMensMorris`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Put a man from the hand on a point.
    Place(Number),
    /// Slide a man from a point to one next to it.
    Slide(Number, Number),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(point) => write!(f, "{point}"),
            Move::Slide(from, to) => write!(f, "{from}-{to}"),
        }
    }
}

impl Game for ThreeMensMorris {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        State { men: [0, 0], turn: Side::First }
    }

    fn turn(&self, state: &State) -> Side {
        state.turn
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let stuck = || state.in_hand(state.turn) == 0 && self.slides(state).next().is_none();
        let lost = self.has_line(state.men[state.turn.other().index()]) || stuck();
        lost.then(|| Outcome::win(state.turn.other()))
    }

    fn moves(&self, state: &State) -> impl Iterator<Item = Move> {
        let placing = state.in_hand(state.turn) > 0;
        let free = if placing { state.empty() } else { 0 };
        let slides = (!placing).then(|| self.slides(state)).into_iter().flatten();
        let place = |point| Move::Place(Number(point));
        let slide = |(from, to)| Move::Slide(Number(from), Number(to));
        Bits(free).map(place).chain(slides.map(slide))
    }

    fn play(&self, state: &State, mv: Move) -> State {
        let mut next = State { turn: state.turn.other(), ..*state };
        next.men[state.turn.index()] ^= match mv {
            Move::Place(Number(point)) => 1 << point,
            Move::Slide(Number(from), Number(to)) => 1 << from | 1 << to,
        };
        next
    }

    fn max_value(&self) -> i32 {
        1
    }
}

impl Actions for ThreeMensMorris {
    fn actions(&self) -> usize {
        9 + 9 * 9
    }

    fn action(&self, mv: Self::Move) -> usize {
        match mv {
            Move::Place(Number(point)) => point.into(),
            Move::Slide(Number(from), Number(to)) => 9 + usize::from(from) * 9 + usize::from(to),
        }
    }
}

impl State {
    const fn empty(&self) -> u16 {
        ALL & !(self.men[0] | self.men[1])
    }

    const fn own(&self) -> u16 {
        self.men[self.turn.index()]
    }

    const fn in_hand(&self, side: Side) -> u32 {
        MEN.saturating_sub(self.men[side.index()].count_ones())
    }
}

impl ThreeMensMorris {
    fn has_line(&self, men: u16) -> bool {
        self.lines.any_in(men.into())
    }

    fn slides(&self, state: &State) -> impl Iterator<Item = (u8, u8)> {
        let empty = state.empty();
        Bits(state.own()).flat_map(move |from| {
            Bits(self.next_to[usize::from(from)] & empty).map(move |to| (from, to))
        })
    }
}

impl Family for ThreeMensMorris {
    const ABOUT: About = About {
        name: "three-mens-morris",
        title: "Three men's morris",
        summary: "place three men, then slide them, three in a row win",
        group: Group::Mills,
        rules: include_str!("rules.txt"),
        move_notation: "placing: the point from 1, row by row from the top: `5`; sliding: `1-2`",
        position_notation: "rows joined by `/`, men in hand of X and of O, side to move: \
                            `X../.O./... 2 2 X`",
        known: "The first player wins by taking the centre. Play can be endless.",
        unit: "result",
        parameters: &[],
    };

    fn create(_: &Args) -> Result<ThreeMensMorris, Invalid> {
        let board = Board::grid(Look::Points, 3, 3, |_, _| true).rectangular();
        let straight = board.neighbours(&[(1, 0), (0, 1)]);
        let diagonal = board.neighbours(&[(1, 1), (-1, 1)]);
        let ties = (0..9).flat_map(|from| {
            let next = Bits(straight[from])
                .chain(Bits(diagonal[from]).filter(move |to| from == 4 || *to == 4));
            next.map(move |to| [from, to.into()])
        });
        let ties: Vec<_> = ties.collect();
        let men = Piece::stones(LETTERS, Face::Letter);
        let board = board.pieces(men).sides(LETTERS).in_hand(MEN as u16).ties(ties);
        let next_to = board.tied().into_iter().map(|set| set as u16).collect();
        Ok(ThreeMensMorris { board, lines: Lines::new(3, 3, 3), next_to })
    }

    fn arguments(&self) -> Vec<String> {
        Vec::new()
    }

    fn sides(&self) -> [&'static str; 2] {
        LETTERS
    }
}

impl OnBoard for ThreeMensMorris {
    fn board(&self) -> &Board {
        &self.board
    }

    fn cells(&self, state: &State) -> Cells {
        let [x, o] = Side::BOTH.map(|side| state.in_hand(side) as u16);
        let cells = Cells::new(state.turn).counting(0, x).counting(1, o);
        cells.with(0, state.men[0]).with(1, state.men[1])
    }

    fn state_of(&self, cells: &Cells) -> Result<State, String> {
        let men = [0, 1].map(|piece| cells.set(piece) as u16);
        let state = State { men, turn: cells.turn };
        let placed = men.map(u16::count_ones);
        if placed.iter().any(|men| *men > MEN) {
            return Err("at most three men a side".to_owned());
        }
        for side in Side::BOTH {
            let hand = state.in_hand(side);
            if u32::from(cells.count(side.index())) != hand {
                return Err(format!("{hand} men in hand for {}", LETTERS[side.index()]));
            }
        }
        if placed != [MEN, MEN] && placed[0] != placed[1] + state.turn.index() as u32 {
            let [x, o] = LETTERS;
            return Err(format!("as many {x} as {o} if {x} is to place, one more {x} if {o} is"));
        }
        if self.has_line(state.own()) {
            let side = LETTERS[state.turn.index()];
            return Err(format!(
                "a position that play can reach: {side} is to move, but already has a row"
            ));
        }
        Ok(state)
    }

    fn move_cells(&self, _: &State, mv: Move) -> Vec<usize> {
        match mv {
            Move::Place(Number(point)) => vec![point.into()],
            Move::Slide(Number(from), Number(to)) => vec![from.into(), to.into()],
        }
    }

    fn decided(&self, state: &State) -> Vec<[usize; 2]> {
        state.men.iter().flat_map(|men| self.lines.ends_in((*men).into())).collect()
    }
}

impl Symmetry for ThreeMensMorris {
    fn representative(&self, state: &State) -> State {
        let men = self.board.symmetries().smallest(state.men.map(u64::from));
        State { men: men.map(|set| set as u16), ..*state }
    }

    fn images(&self) -> u64 {
        self.board.symmetries().len() as u64
    }

    fn image(&self, state: &State, number: u64) -> Option<State> {
        let men = self.board.symmetries().image(state.men.map(u64::from), number)?;
        Some(State { men: men.map(|set| set as u16), ..*state })
    }
}

impl EncodedByCells for ThreeMensMorris {
    type Bank = NoBank;
}
