//! Nine men's morris: place men, then slide them along the lines; three in a row take one.
//!
//! **Moves** are `a7` for placing, `a7-d7` for sliding and flying, followed by `xg1` if a man is
//! taken; columns a to g from the left, rows 1 to 7 from below. **Positions** are the points row by
//! row from the top, rows joined by `/` (the middle row has six), the men that X and that O have in
//! hand, and the side to move: `.../.../.../....../.../.../... 9 9 X`.
//!
//! **Known.** With nine men and flying the game is a draw (Ralph Gasser 1996, *Solving nine men's
//! morris*: a table of all 10^10 positions after the placing phase, and a search of this phase).

mod numbers;
#[cfg(test)]
mod tests;

use std::fmt;

use self::numbers::Numbers;
use crate::family::{About, Args, Family, Group, Invalid, Parameter};
use crate::game::{Game, Outcome, Side};
use crate::kit::{Bits, Board, Cells, EncodedByCells, Face, LETTERS, Look, OnBoard, Piece};
use crate::promise::{Actions, NoBank, Symmetry};

const POINTS: usize = 24;
const ALL: u32 = (1 << POINTS) - 1;

/// Column and row of every point, from 0, row by row from the top.
const PLACES: [(i8, i8); POINTS] = [
    (0, 0),
    (3, 0),
    (6, 0),
    (1, 1),
    (3, 1),
    (5, 1),
    (2, 2),
    (3, 2),
    (4, 2),
    (0, 3),
    (1, 3),
    (2, 3),
    (4, 3),
    (5, 3),
    (6, 3),
    (2, 4),
    (3, 4),
    (4, 4),
    (1, 5),
    (3, 5),
    (5, 5),
    (0, 6),
    (3, 6),
    (6, 6),
];

/// The points of each line, in order along it.
const LINES: [[u8; 3]; 16] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [9, 10, 11],
    [12, 13, 14],
    [15, 16, 17],
    [18, 19, 20],
    [21, 22, 23],
    [0, 9, 21],
    [3, 10, 18],
    [6, 11, 15],
    [1, 4, 7],
    [16, 19, 22],
    [8, 12, 17],
    [5, 13, 20],
    [2, 14, 23],
];

/// Nine men's morris.
///
#[doc = include_str!("rules.txt")]
#[derive(Clone, Debug)]
pub struct NineMensMorris {
    men: u8,
    flying: bool,
    board: Board,
    /// For every point, those next to it along a line.
    next_to: Vec<u32>,
    /// For every point, the other points of each of its two lines.
    mills: [[u32; 2]; POINTS],
    numbers: Numbers,
}

/// A position of [`NineMensMorris`]: for each side, a bit for each of its men on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    men: [u32; 2],
    hand: [u8; 2],
    turn: Side,
}

/// A point of the board; shown as `a7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point(u8);

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (column, row) = PLACES[usize::from(self.0)];
        write!(f, "{}{}", char::from(b'a' + column as u8), 7 - row)
    }
}

/// A move of [`NineMensMorris`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The old point of the man; `None` if it comes from the hand.
    pub from: Option<Point>,
    /// The new point.
    pub to: Point,
    /// The man that is taken; `None` if none is.
    pub take: Option<Point>,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(from) = self.from {
            write!(f, "{from}-")?;
        }
        write!(f, "{}", self.to)?;
        self.take.map_or(Ok(()), |take| write!(f, "x{take}"))
    }
}

impl Game for NineMensMorris {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        State { men: [0, 0], hand: [self.men; 2], turn: Side::First }
    }

    #[inline]
    fn turn(&self, state: &State) -> Side {
        state.turn
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let own = state.turn.index();
        let left = state.men[own].count_ones() + u32::from(state.hand[own]);
        let lost = left < 3 || self.moves(state).next().is_none();
        lost.then(|| Outcome::win(state.turn.other()))
    }

    fn moves(&self, state: &State) -> impl Iterator<Item = Move> {
        let own = state.turn.index();
        let empty = ALL & !(state.men[0] | state.men[1]);
        let (men, hand) = (state.men[own], state.hand[own]);
        let flies = self.flying && men.count_ones() == 3;
        let placing = Bits(u64::from(if hand > 0 { empty } else { 0 }));
        let sliding = Bits(u64::from(if hand > 0 { 0 } else { men }));
        let state = *state;
        let placing = placing.flat_map(move |to| self.ways(&state, None, to));
        let sliding = sliding.flat_map(move |from| {
            let reach = if flies { ALL } else { self.next_to[usize::from(from)] };
            Bits(u64::from(reach & empty)).flat_map(move |to| self.ways(&state, Some(from), to))
        });
        placing.chain(sliding)
    }

    /// Loops instead of iterators within iterators: tables take a tenth less time.
    #[inline]
    fn each_successor<E>(
        &self,
        state: &State,
        mut visit: impl FnMut(Move, &State) -> Result<(), E>,
    ) -> Result<(), E> {
        let (men, hand) = (state.men[state.turn.index()], state.hand[state.turn.index()]);
        let other = state.turn.other().index();
        let empty = ALL & !(state.men[0] | state.men[1]);
        let mut step = |from: Option<u8>, to: u8| {
            let mv = Move { from: from.map(Point), to: Point(to), take: None };
            let mut next = self.play(state, mv);
            if !self.closes(men & !from.map_or(0, |from| 1 << from), to) {
                return visit(mv, &next);
            }
            for take in Bits(self.takeable(state.men[other])) {
                next.men[other] = state.men[other] ^ 1 << take;
                visit(Move { take: Some(Point(take)), ..mv }, &next)?;
            }
            Ok(())
        };
        if hand > 0 {
            return Bits(empty).try_for_each(|to| step(None, to));
        }
        let flies = self.flying && men.count_ones() == 3;
        for from in Bits(men) {
            let reach = if flies { ALL } else { self.next_to[usize::from(from)] };
            Bits(reach & empty).try_for_each(|to| step(Some(from), to))?;
        }
        Ok(())
    }

    #[inline]
    fn play(&self, state: &State, mv: Move) -> State {
        let mut next = State { turn: state.turn.other(), ..*state };
        let (own, other) = (state.turn.index(), state.turn.other().index());
        match mv.from {
            Some(Point(from)) => next.men[own] ^= 1 << from,
            None => next.hand[own] -= 1,
        }
        next.men[own] |= 1 << mv.to.0;
        if let Some(Point(take)) = mv.take {
            next.men[other] ^= 1 << take;
        }
        next
    }

    fn max_value(&self) -> i32 {
        1
    }
}

impl Actions for NineMensMorris {
    fn actions(&self) -> usize {
        (POINTS + 1) * POINTS * (POINTS + 1)
    }

    fn action(&self, mv: Self::Move) -> usize {
        let number = |point: Option<Point>| point.map_or(POINTS, |Point(number)| number.into());
        let Point(to) = mv.to;
        (number(mv.from) * POINTS + usize::from(to)) * (POINTS + 1) + number(mv.take)
    }
}

impl NineMensMorris {
    fn of(men: u8, flying: bool) -> NineMensMorris {
        let mut mills = [[0; 2]; POINTS];
        for line in LINES {
            for point in line {
                let mills: &mut [u32; 2] = &mut mills[usize::from(point)];
                let free = if mills[0] == 0 { 0 } else { 1 };
                mills[free] = set_of(line) & !(1 << point);
            }
        }
        let board = board().in_hand(men.into());
        let next_to = board.tied().into_iter().map(|set| set as u32).collect();
        NineMensMorris { men, flying, board, next_to, mills, numbers: Numbers::new(men) }
    }

    /// The men in hand of each side, if both have `hand` men in hand together: they place in turn.
    const fn hands(hand: u8) -> [u8; 2] {
        [hand / 2, hand.div_ceil(2)]
    }

    /// Whether a man that moves to a point closes a mill.
    #[inline]
    fn closes(&self, men: u32, point: u8) -> bool {
        self.mills[usize::from(point)].iter().any(|mill| men & mill == *mill)
    }

    /// The men that may be taken: those in no mill, or all if all are in mills.
    fn takeable(&self, men: u32) -> u32 {
        let free = Bits(u64::from(men)).filter(|point| !self.closes(men, *point));
        match free.fold(0, |set, point| set | 1 << point) {
            0 => men,
            free => free,
        }
    }

    /// The moves of a man from a point, or from the hand, to a point.
    fn ways(&self, state: &State, from: Option<u8>, to: u8) -> impl Iterator<Item = Move> + use<> {
        let own = state.men[state.turn.index()] & !from.map_or(0, |from| 1 << from);
        let take = match self.closes(own, to) {
            true => self.takeable(state.men[state.turn.other().index()]),
            false => 0,
        };
        let (from, to) = (from.map(Point), Point(to));
        let quiet = (take == 0).then_some(Move { from, to, take: None });
        let taking = Bits(u64::from(take));
        quiet.into_iter().chain(taking.map(move |take| Move { from, to, take: Some(Point(take)) }))
    }
}

/// The points of a line as a set.
fn set_of(line: [u8; 3]) -> u32 {
    line.iter().fold(0, |set, point| set | 1 << point)
}

/// The board with its sixteen symmetries: rotations, reflections, and the exchange of the inner and
/// the outer square.
fn board() -> Board {
    let is_point = |column, row| PLACES.contains(&(column as i8, row as i8));
    let board = Board::grid(Look::Points, 7, 7, is_point).lettered(false);
    let ties = LINES.iter().flat_map(|line| line.windows(2));
    let ties = ties.map(|pair| [pair[0], pair[1]].map(usize::from)).collect::<Vec<_>>();
    let men = Piece::stones(LETTERS, Face::Letter);
    board.pieces(men).sides(LETTERS).ties(ties).symmetric(|column, row| {
        (0..16).map(move |nth| {
            let (mut x, mut y) = (column as i8 - 3, row as i8 - 3);
            if nth & 8 != 0 {
                let ring = x.abs().max(y.abs());
                (x, y) = (x * (4 - ring) / ring, y * (4 - ring) / ring);
            }
            (x, y) = if nth & 1 != 0 { (y, x) } else { (x, y) };
            let (x, y) = (if nth & 2 != 0 { -x } else { x }, if nth & 4 != 0 { -y } else { y });
            ((x + 3) as usize, (y + 3) as usize)
        })
    })
}

impl Family for NineMensMorris {
    const ABOUT: About = About {
        name: "nine-mens-morris",
        title: "Nine men's morris",
        summary: "place men, slide them, three in a row take one",
        group: Group::Mills,
        rules: include_str!("rules.txt"),
        move_notation: "placing `a7`, sliding `a7-d7`, followed by `xg1` if a man is taken; columns \
                        a to g from the left, rows 1 to 7 from below",
        position_notation: "points row by row from the top, men in hand of X and of O, side to \
                            move: `.../.../.../....../.../.../... 9 9 X`",
        known: "A draw with nine men and flying (Ralph Gasser 1996). Play can be endless.",
        unit: "result",
        parameters: &[
            Parameter::number("men", [3, 9], "9", "men of each side"),
            Parameter::flag("flying", true, "whether a side's last three men may move anywhere"),
        ],
    };

    fn create(args: &Args) -> Result<NineMensMorris, Invalid> {
        Ok(NineMensMorris::of(args.number("men") as u8, args.flag("flying")))
    }

    fn arguments(&self) -> Vec<String> {
        vec![self.men.to_string(), self.flying.to_string()]
    }

    fn sides(&self) -> [&'static str; 2] {
        LETTERS
    }
}

impl OnBoard for NineMensMorris {
    fn board(&self) -> &Board {
        &self.board
    }

    fn cells(&self, state: &State) -> Cells {
        let cells = Cells::new(state.turn).with(0, state.men[0]).with(1, state.men[1]);
        cells.counting(0, state.hand[0]).counting(1, state.hand[1])
    }

    fn state_of(&self, cells: &Cells) -> Result<State, String> {
        let men = [0, 1].map(|piece| cells.set(piece) as u32);
        let hand = [0, 1].map(|nth| cells.count(nth) as u8);
        for side in 0..2 {
            if men[side].count_ones() + u32::from(hand[side]) > self.men.into() {
                return Err(format!("at most {} men a side, those in hand included", self.men));
            }
        }
        let all = hand[0] + hand[1];
        let in_turn = hand == NineMensMorris::hands(all);
        if !in_turn || all > 0 && cells.turn.index() != usize::from(all % 2) {
            let [x, o] = LETTERS;
            return Err(format!(
                "as many men in hand for {x} as for {o} if {x} is to place, one more for {o} if \
                 {o} is"
            ));
        }
        Ok(State { men, hand, turn: cells.turn })
    }

    fn move_cells(&self, _: &State, mv: Move) -> Vec<usize> {
        let places = [mv.from, Some(mv.to), mv.take];
        places.into_iter().flatten().map(|Point(point)| point.into()).collect()
    }

    fn target(&self, _: &State, mv: Move) -> Option<usize> {
        Some(mv.to.0.into())
    }
}

impl Symmetry for NineMensMorris {
    fn representative(&self, state: &State) -> State {
        let men = self.board.symmetries().smallest(state.men.map(u64::from));
        State { men: men.map(|set| set as u32), ..*state }
    }

    fn images(&self) -> u64 {
        self.board.symmetries().len() as u64
    }

    fn image(&self, state: &State, number: u64) -> Option<State> {
        let men = self.board.symmetries().image(state.men.map(u64::from), number)?;
        Some(State { men: men.map(|set| set as u32), ..*state })
    }
}

impl EncodedByCells for NineMensMorris {
    type Bank = NoBank;
}
