//! Three men's morris: place three men each, then slide them.
//!
//! **Rules.** On the nine points of a 3x3 board, joined by its rows, columns and two diagonals, the
//! players, X first, put three men each on empty points in turn. From then on a move slides a man
//! along a line to an empty point next to it. Three men in a row along any of the eight lines win;
//! who cannot move loses. (There are other sets of rules: some know no diagonals, some let men
//! jump.)
//!
//! **Moves** are `5` for placing, points from 1 row by row from the top, and `1-2` for sliding.
//! **Positions** are the rows joined by `/`, the men that X and that O have in hand, and the side
//! to move: `X../.O./... 2 2 X`.
//!
//! **Known.** The game is old (Alfonso X's book of 1283 has it); men can slide to and fro, so that
//! play need not end. The first player wins, by taking the centre. Who has no move has lost already
//! in any position that play can reach: the other side has its row.

use std::fmt;

use super::squares::{self, Board, LETTERS};
use crate::bits::Bits;
use crate::family::{About, Args, Family, Invalid};
use crate::game::{Game, Outcome, Side};
use crate::promise::{Encode, Indexed, NoBank, Notation, Picture, Symmetry};
use crate::show::{Cell, Drawing, Grid};
use crate::show::{Ink, Scene, Shape};

const BOARD: Board = Board { columns: 3, rows: 3 };
const MEN: u32 = 3;
const ALL: u16 = 0x1ff;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Three men's morris; see the file's text for its rules.
#[derive(Clone, Debug)]
pub struct ThreeMensMorris {
    /// For every point, those next to it along a line.
    next_to: [u16; 9],
    symmetries: Vec<Vec<u8>>,
}

/// A position of [`ThreeMensMorris`]: a bit for each point that a side stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    men: [u16; 2],
    turn: Side,
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

/// A move of [`ThreeMensMorris`]; points from 0, shown from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Put a man from the hand on a point.
    Place(u8),
    /// Slide a man from a point to one next to it.
    Slide(u8, u8),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(point) => write!(f, "{}", point + 1),
            Move::Slide(from, to) => write!(f, "{}-{}", from + 1, to + 1),
        }
    }
}

fn has_line(men: u16) -> bool {
    LINES.iter().any(|line| men & line == *line)
}

impl ThreeMensMorris {
    fn new() -> ThreeMensMorris {
        let next_to = std::array::from_fn(|point| {
            let (row, column) = (point / 3, point % 3);
            Bits(ALL).fold(0, |set, other| {
                let (down, right) =
                    (row.abs_diff(usize::from(other) / 3), column.abs_diff(usize::from(other) % 3));
                let along = down + right == 1;
                let diagonal = down == 1 && right == 1 && (point == 4 || other == 4);
                set | u16::from(along || diagonal) << other
            })
        });
        ThreeMensMorris { next_to, symmetries: BOARD.symmetries() }
    }

    fn slides(&self, state: &State) -> impl Iterator<Item = (u8, u8)> + use<> {
        let (next_to, empty) = (self.next_to, state.empty());
        Bits(state.own()).flat_map(move |from| {
            Bits(next_to[usize::from(from)] & empty).map(move |to| (from, to))
        })
    }

    fn owner(state: &State, point: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| state.men[side.index()] >> point & 1 == 1)
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
        let lost = has_line(state.men[state.turn.other().index()]) || stuck();
        lost.then(|| Outcome::win(state.turn.other()))
    }

    fn moves(&self, state: &State) -> impl Iterator<Item = Move> {
        let placing = state.in_hand(state.turn) > 0;
        let free = if placing { state.empty() } else { 0 };
        let slides = (!placing).then(|| self.slides(state)).into_iter().flatten();
        Bits(free).map(Move::Place).chain(slides.map(|(from, to)| Move::Slide(from, to)))
    }

    fn play(&self, state: &State, mv: Move) -> State {
        let mut next = State { turn: state.turn.other(), ..*state };
        next.men[state.turn.index()] ^= match mv {
            Move::Place(point) => 1 << point,
            Move::Slide(from, to) => 1 << from | 1 << to,
        };
        next
    }
}

impl Family for ThreeMensMorris {
    const ABOUT: About = About {
        name: "three-mens-morris",
        summary: "place three men, then slide them, three in a row win",
        rules: "On the nine points of a 3x3 board, joined by its rows, columns and two diagonals, \
                the players, X first, put three men each on empty points in turn. From then on a \
                move slides a man along a line to an empty point next to it. Three men in a row \
                along any of the eight lines win; who cannot move loses.",
        move_notation: "placing: the point from 1, row by row from the top: `5`; sliding: `1-2`",
        position_notation: "rows joined by `/`, men in hand of X and of O, side to move: \
                            `X../.O./... 2 2 X`",
        known: "The first player wins by taking the centre. Play can go on without end.",
        unit: "result",
        parameters: &[],
    };

    fn create(_: &Args) -> Result<ThreeMensMorris, Invalid> {
        Ok(ThreeMensMorris::new())
    }

    fn arguments(&self) -> Vec<String> {
        Vec::new()
    }

    fn sides(&self) -> [&'static str; 2] {
        LETTERS
    }
}

impl Notation for ThreeMensMorris {
    fn format(&self, state: &State) -> String {
        let [x, o] = Side::BOTH.map(|side| state.in_hand(side));
        let owner = |point| ThreeMensMorris::owner(state, point);
        BOARD.format(owner, &format!(" {x} {o}"), state.turn)
    }

    fn parse(&self, text: &str) -> Result<State, Invalid> {
        let form =
            "rows of `.`, `X` and `O` joined by `/`, men in hand of X and of O, side to move,";
        let setup = BOARD.parse(text, 2, form)?;
        let turn = setup.turn;
        let men = Side::BOTH.map(|side| setup.squares_of(side).fold(0u16, |set, at| set | 1 << at));
        let state = State { men, turn };
        if men.iter().any(|set| set.count_ones() > MEN) {
            return Err(Invalid::new(text, "at most three men a side"));
        }
        for (side, hand) in Side::BOTH.into_iter().zip(&setup.extra) {
            let left = state.in_hand(side).to_string();
            if *hand != left {
                let expected = format!("{left} in hand for {}", LETTERS[side.index()]);
                return Err(Invalid::new(*hand, expected));
            }
        }
        if state.in_hand(Side::Second) > 0 {
            squares::check_alternation(text, &setup)?;
        } else if state.in_hand(Side::First) > 0 {
            return Err(Invalid::new(text, "O not to have more men on the board than X"));
        }
        if has_line(state.own()) {
            let side = LETTERS[turn.index()];
            return Err(Invalid::new(
                text,
                format!("a position that can arise: {side} is to move, and already has a row"),
            ));
        }
        Ok(state)
    }
}

impl Picture for ThreeMensMorris {
    fn draw(&self, state: &State) -> Drawing {
        let targets = match self.outcome(state) {
            Some(_) => 0,
            None => self.moves(state).fold(0, |set, mv| match mv {
                Move::Place(point) | Move::Slide(_, point) => set | 1u16 << point,
            }),
        };
        let cell = |point: usize| match ThreeMensMorris::owner(state, point) {
            Some(side) => Cell::owned(LETTERS[side.index()], side),
            None if targets >> point & 1 == 1 => Cell::target((point + 1).to_string()),
            None => Cell::default(),
        };
        Drawing::Grid(Grid::new(3, (0..9).map(cell).collect()))
    }

    /// Points joined by lines.
    fn scene(&self, state: &State) -> Scene {
        let mut scene = Scene::board(3, 3, &[], &[]);
        let area =
            |scene: &Scene, point: u8| scene.square(usize::from(point) % 3, usize::from(point) / 3);
        for from in 0..9 {
            for to in Bits(self.next_to[usize::from(from)]).filter(|to| from < *to) {
                let [a, b] = [from, to].map(|point| area(&scene, point).middle());
                scene.shapes.push(Shape::Line(a, b, 0.05, Ink::Edge));
            }
        }
        for point in 0..9 {
            let area = area(&scene, point);
            scene.shapes.push(Shape::Disc(area.middle(), 0.12, Ink::Edge));
            let owner = ThreeMensMorris::owner(state, point.into());
            if let Some(side) = owner {
                scene.piece(area, side, LETTERS[side.index()]);
            }
            let what = owner.map_or("empty", |side| LETTERS[side.index()]);
            scene.corner(area, (point + 1).to_string());
            scene.place(format!("{}, {what}", point + 1), area, owner.is_some());
        }
        for line in LINES {
            if state.men.iter().any(|men| men & line == line) {
                let ends = [line.trailing_zeros(), line.ilog2()].map(|end| area(&scene, end as u8));
                scene.through(ends[0], ends[1]);
            }
        }
        scene
    }

    fn clicks(&self, _: &State, mv: Move) -> Vec<usize> {
        match mv {
            Move::Place(point) => vec![point.into()],
            Move::Slide(from, to) => vec![from.into(), to.into()],
        }
    }
}

impl Encode for ThreeMensMorris {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        19
    }

    fn encode(&self, state: &State) -> u128 {
        u128::from(state.men[0]) << 10 | u128::from(state.men[1]) << 1 | state.turn.index() as u128
    }

    fn decode(&self, packed: u128) -> State {
        let men = [packed >> 10, packed >> 1].map(|bits| bits as u16 & ALL);
        State { men, turn: Side::BOTH[packed as usize & 1] }
    }
}

impl Symmetry for ThreeMensMorris {
    /// Of the eight images, the one with the smallest sets.
    fn representative(&self, state: &State) -> State {
        let images = self.symmetries.iter().map(|symmetry| {
            let image =
                |set: u16| Bits(set).fold(0, |set, at| set | 1 << symmetry[usize::from(at)]);
            State { men: state.men.map(image), turn: state.turn }
        });
        let smallest = images.min_by_key(|image| image.men);
        smallest.unwrap_or(*state)
    }

    fn images(&self) -> u64 {
        self.symmetries.len() as u64
    }
}

impl Indexed for ThreeMensMorris {
    type Bank = NoBank;

    /// Layers are the men in hand; in the lowest, men slide.
    fn layers(&self) -> u32 {
        2 * MEN + 1
    }

    /// A digit of three values a point, and the side to move.
    fn size(&self, _: u32) -> u64 {
        2 * 3u64.pow(9)
    }

    fn index(&self, state: &State) -> (u32, u64) {
        let digit = |point| ThreeMensMorris::owner(state, point).map_or(0, |side| 1 + side.index());
        let digits = (0..9).rev().fold(0, |index, point| 3 * index + digit(point) as u64);
        let layer = Side::BOTH.map(|side| state.in_hand(side)).iter().sum();
        (layer, 2 * digits + state.turn.index() as u64)
    }

    fn state(&self, layer: u32, index: u64) -> Option<State> {
        let turn = Side::BOTH[index as usize & 1];
        let mut men = [0u16; 2];
        let mut digits = index / 2;
        for point in 0..9 {
            match digits % 3 {
                0 => {}
                side => men[side as usize - 1] |= 1 << point,
            }
            digits /= 3;
        }
        let placed = men.map(u16::count_ones);
        let fits = placed[0] == placed[1] + turn.index() as u32 || placed == [MEN, MEN];
        let state = State { men, turn };
        let valid = digits == 0 && fits && placed[0] <= MEN && !has_line(state.own());
        (valid && self.index(&state).0 == layer).then_some(state)
    }

    fn predecessors(&self, state: &State) -> Option<Vec<State>> {
        let layer = self.index(state).0;
        Some(self.earlier(state).filter(|earlier| self.index(earlier).0 == layer).collect())
    }
}

impl ThreeMensMorris {
    /// Every position that is not over and from which one move leads to `state`, reachable from the start
    /// or not; each once.
    fn earlier(&self, state: &State) -> impl Iterator<Item = State> {
        let mover = state.turn.other();
        let (at, now) = (mover.index(), *state);
        let before = move |men: u16| {
            let mut before = State { turn: mover, ..now };
            before.men[at] = men;
            before
        };
        let placed = state.men.map(u16::count_ones);
        // The last man was placed if the numbers fit; men slide only when all are placed.
        let placing = placed[0] == placed[1] + state.turn.index() as u32;
        let lifted = if placing { state.men[at] } else { 0 };
        let lifted = Bits(lifted).map(move |point| now.men[at] & !(1 << point));
        let slid = if placed == [MEN, MEN] { state.men[at] } else { 0 };
        let (next_to, empty) = (self.next_to, state.empty());
        let slid = Bits(slid).flat_map(move |to| {
            let from = Bits(next_to[usize::from(to)] & empty);
            from.map(move |from| now.men[at] ^ (1 << from | 1 << to))
        });
        let playable = |before: &State| self.outcome(before).is_none() && !has_line(before.own());
        lifted.chain(slid).map(before).filter(playable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::Conform;

    #[test]
    fn keeps_its_promises() {
        let game = ThreeMensMorris::new();
        let conform = Conform::new(&game).notation().picture().encode().symmetry();
        let report = conform.indexed().finish();
        assert!(report.unwrap_or_else(|broken| panic!("{broken}")).positions > 500);
    }

    #[test]
    fn diagonals_meet_in_the_centre_alone() {
        let game = ThreeMensMorris::new();
        let slides = |text: &str| {
            let state = game.parse(text).unwrap();
            game.moves(&state).map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(slides("X.X/O.O/XO. 0 0 X"), "1-2 1-5 3-2 3-5 7-5");
        assert_eq!(slides("X../.../... 2 3 O"), "2 3 4 5 6 7 8 9");
        assert_eq!(slides("XO./.OX/O.X 0 0 X"), "1-4 6-3 9-8");
    }

    #[test]
    fn who_cannot_move_loses() {
        let game = ThreeMensMorris::new();
        // With three men each, a side can only be shut in behind the other's row.
        let all = 0..=ALL;
        let three = all.filter(|men| men.count_ones() == MEN).collect::<Vec<_>>();
        let mut stuck = 0;
        for men in three.iter().flat_map(|x| three.iter().map(move |o| [*x, *o])) {
            let state = State { men, turn: Side::First };
            if men[0] & men[1] == 0 && game.slides(&state).next().is_none() {
                stuck += 1;
                assert!(has_line(men[1]));
                assert_eq!(game.outcome(&state), Some(Outcome::win(Side::Second)));
            }
        }
        assert_eq!(stuck, 8, "a corner behind a diagonal, an edge behind the middle row");
        // The rule itself, on a board that has been set up with a fourth man.
        let state = State { men: [0o003 | 0o010, 0o024 | 0o100 | 0o040], turn: Side::First };
        assert_eq!(game.outcome(&state), Some(Outcome::win(Side::Second)));
    }

    #[test]
    fn bad_positions_are_refused() {
        let game = ThreeMensMorris::new();
        for (text, expected) in [
            ("X../.../... X", "men in hand"),
            ("X../.../... 3 3 O", "2 in hand for X"),
            ("X../.../... 2 3 X", "as many X"),
            ("XXX/X../... 0 3 O", "at most three"),
            ("XXX/OO./O.. 0 0 X", "already has a row"),
            ("XX./OO./O.. 1 0 X", "more men"),
        ] {
            let error = game.parse(text).unwrap_err();
            assert!(error.expected.contains(expected), "{text}: {error}");
        }
    }
}
