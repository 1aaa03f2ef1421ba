//! Quantum tic-tac-toe (Allan Goff 2006, *Quantum tic-tac-toe: a teaching metaphor for
//! superposition in quantum mechanics*).
//!
//! **Rules.** Move n (X makes the odd ones, O the even ones) puts a pair of spooky marks n on two
//! different squares that hold no classical mark. Seen as a graph, squares are joined by pairs;
//! when a move closes a cycle (two pairs on the same two squares do), its marks must collapse. The
//! other player chooses on which of its two squares the last pair becomes a classical mark; every
//! other pair on that square follows to its other square, and so on. Then that same player makes a
//! move of its own. When one square alone is left without a classical mark, the ninth move is a
//! classical mark there. The game ends when a collapse leaves three classical marks of a side in a
//! row, or when all nine squares are classical.
//!
//! **Score**, in half-points: a side that alone has a row scores 2 (one point) to 0. When a
//! collapse leaves both a row, that whose largest move number is smaller scores 2, the other 1. The
//! value is the difference.
//!
//! **Moves** are a pair `1-9`, squares from 1 row by row from the top, the smaller first; a collapse
//! `@1` (the last pair's mark goes to square 1), which is a move of its own, and then the same
//! player's pair; `5` for the single mark of the ninth move. **Positions** are the moves played,
//! joined by spaces.
//!
//! **Known.** The first player gets 1 against 1/2, by opening on two opposite corners, and only so.
//! (Found by exhaustive search; Ishizeki and Matsuura 2011 solved it as well.)
//!
//! A state keeps of every move what the future may depend on: both squares of a pair that is still
//! spooky, the one square of a mark that is classical.

use std::fmt;

use crate::family::{About, Args, Family, Invalid};
use crate::game::{Game, Outcome, Side, Value};
use crate::kit::Bits;
use crate::kit::{Board, LETTERS};
use crate::promise::{Acyclic, Candidates, Encode, NoBank, Picture, SearchHints, Symmetry};
use crate::show::{Area, Ink, Scene, Shape};
use crate::show::{Cell, Drawing, Grid};

const SQUARES: u8 = 9;
const ALL: u16 = 0x1ff;
/// The rows, as sets of squares.
const LINES: [Marks; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Positions with fewer moves share a key with their images; later ones hardly ever meet them.
const MIRRORED: usize = 6;

/// With so many moves made a position is near the end of the game.
const NEAR: usize = 7;

/// Quantum tic-tac-toe; see the file's text for its rules.
#[derive(Clone, Debug)]
pub struct QuantumTicTacToe {
    /// By symmetry and set of squares, its image.
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
    /// How many moves were made, collapses not counted.
    made: u8,
    /// Whether the last move closed a cycle, and its collapse is yet to be chosen.
    collapsing: bool,
}

impl State {
    /// The squares that hold a classical mark.
    fn classical(&self) -> u16 {
        let single = self.marks.iter().filter(|marks| marks.count_ones() == 1);
        single.fold(0, |all, marks| all | marks)
    }

    /// Whether joining the squares of the last pair closed a cycle: whether, without it, there was
    /// a way from one to the other.
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

    /// The moves whose pairs make the cycle that the last one closed, a bit for each: those that
    /// are left when ends that lead nowhere are taken away again and again.
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

    /// The last pair's mark becomes classical on `square`, and all that is entangled follows.
    fn collapse(&mut self, square: u8) {
        let mut taken = 1 << square;
        self.marks[usize::from(self.made) - 1] = taken;
        loop {
            let before = taken;
            for marks in &mut self.marks {
                if marks.count_ones() == 2 && *marks & taken != 0 {
                    *marks &= !taken;
                    taken |= *marks;
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
            // The first row to be there when marks are put down in order has the smallest number.
            let side = at % 2;
            held[side] |= marks;
            if rows[side].is_none() && LINES.iter().any(|line| line & held[side] == *line) {
                rows[side] = Some(at as u8);
            }
        }
        rows
    }
}

/// A move of [`QuantumTicTacToe`]; squares from 0, shown from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Spooky marks on two squares, the smaller first.
    Pair(u8, u8),
    /// The last pair's mark becomes classical on this square.
    Collapse(u8),
    /// The ninth mark, on the only square left.
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

/// Where a symmetry puts marks.
fn image(marks: Marks, symmetry: &[u8]) -> Marks {
    Bits(marks).fold(0, |image, square| image | 1 << symmetry[usize::from(square)])
}

impl QuantumTicTacToe {
    fn new() -> QuantumTicTacToe {
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

    /// Who chooses a collapse is who makes the next move.
    #[inline]
    fn turn(&self, state: &State) -> Side {
        Side::BOTH[usize::from(state.made % 2)]
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        // A row can only have come with a collapse or with the ninth mark.
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
                next.collapse(square);
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

impl Family for QuantumTicTacToe {
    const ABOUT: About = About {
        name: "quantum-tic-tac-toe",
        title: "Quantum tic-tac-toe",
        summary: "tic-tac-toe whose marks are in two places at once, until they collapse",
        rules: "Move n (X makes the odd ones, O the even ones) puts a pair of spooky marks n on two \
                different squares that hold no classical mark. When the pairs, seen as edges \
                between squares, close a cycle, the other player chooses on which of its two \
                squares the last mark becomes classical; every mark entangled with it follows. \
                Then that same player moves. When one square alone is left, the ninth move is a \
                classical mark there. The game ends when a collapse leaves three in a row, or all \
                squares classical. A side that alone has a row scores 2 half-points to 0; when both \
                have one, that with the smaller largest move number scores 2, the other 1.",
        move_notation: "a pair of squares from 1, row by row from the top: `1-9`; a collapse `@1` \
                        (the last pair's mark goes to square 1); `5` for the last single square",
        position_notation: "the moves played, joined by spaces: `1-9 1-9 @1 2-3`",
        known: "The first player gets 1 point against 1/2, by opening on two opposite corners, and \
                only so.",
        unit: "half-points",
        parameters: &[],
    };

    fn create(_: &Args) -> Result<QuantumTicTacToe, Invalid> {
        Ok(QuantumTicTacToe::new())
    }

    fn arguments(&self) -> Vec<String> {
        Vec::new()
    }

    fn sides(&self) -> [&'static str; 2] {
        LETTERS
    }
}

impl Picture for QuantumTicTacToe {
    /// Classical marks are letters with their number (`X3`), spooky ones are small (`x3`), at most
    /// three to a line. The squares that a collapse may choose have a question mark, free ones
    /// their number on the last line.
    fn draw(&self, state: &State) -> Drawing {
        let over = self.outcome(state).is_some();
        let cell = |square: usize| {
            let mut marks: Vec<(usize, bool)> = Vec::new();
            for (at, squares) in state.marks.iter().enumerate() {
                if squares >> square & 1 == 1 {
                    marks.push((at, squares.count_ones() == 1));
                }
            }
            if let [(at, true)] = marks[..] {
                let text = format!("{}{}", LETTERS[at % 2], at + 1);
                return Cell::owned(text, Side::BOTH[at % 2]);
            }
            let spooky =
                |(at, _): &(usize, bool)| format!("{}{}", LETTERS[at % 2].to_lowercase(), at + 1);
            let lines =
                marks.chunks(3).map(|chunk| chunk.iter().map(spooky).collect::<Vec<_>>().join(" "));
            let mut lines: Vec<String> = lines.collect();
            let chosen =
                state.collapsing && state.marks[usize::from(state.made) - 1] >> square & 1 == 1;
            let target = !over && (chosen || !state.collapsing);
            let name = if chosen { format!("@{}?", square + 1) } else { (square + 1).to_string() };
            if target {
                lines.push(name);
            }
            Cell { text: lines.join("\n"), owner: None, target }
        };
        Drawing::Grid(Grid::new(3, (0..usize::from(SQUARES)).map(cell).collect()))
    }

    /// Spooky marks have the same corner of every square, each pair joined by a line; those of a
    /// cycle that is to collapse stand out.
    fn scene(&self, state: &State) -> Scene {
        let mut scene = Scene::board(3, 3, &[], &[]);
        let cycle = if state.collapsing { state.cycle() } else { 0 };
        let corner = |scene: &Scene, square: u8, at: usize| {
            let Area { x, y, .. } = scene.square(usize::from(square) % 3, usize::from(square) / 3);
            Area::new(x + 0.05 + 0.3 * (at % 3) as f32, y + 0.05 + 0.3 * (at / 3) as f32, 0.3, 0.3)
        };
        for square in 0..usize::from(SQUARES) {
            let area = scene.square(square % 3, square / 3);
            scene.shapes.push(Shape::Plate(area.within(0.02), 0.06, Ink::Square));
            let on = |at: &usize| state.marks[*at] >> square & 1 == 1;
            let names = (0..usize::from(SQUARES)).filter(on).map(|at| {
                let spooky = if state.marks[at].count_ones() == 2 { "spooky " } else { "" };
                format!("{spooky}{}{}", LETTERS[at % 2], at + 1)
            });
            let names: Vec<String> = names.collect();
            let what = if names.is_empty() { "empty".to_owned() } else { names.join(" ") };
            let corner = Area { x: area.x + 0.78, y: area.y + 0.74, ..area };
            if !state.marks.iter().any(|marks| *marks == 1 << square) {
                scene.corner(corner, (square + 1).to_string());
            }
            scene.place(format!("{}, {what}", square + 1), area, what != "empty");
        }
        let spooky = (0..usize::from(SQUARES)).filter(|at| state.marks[*at].count_ones() == 2);
        for at in spooky.clone() {
            let ends: Vec<_> =
                Bits(state.marks[at]).map(|square| corner(&scene, square, at).middle()).collect();
            let (width, ink) = match cycle >> at & 1 {
                1 => (0.05, Ink::Mark),
                _ => (0.02, Ink::Of(Side::BOTH[at % 2])),
            };
            scene.shapes.push(Shape::Line(ends[0], ends[1], width, ink));
        }
        for at in spooky {
            for square in Bits(state.marks[at]) {
                let side = Side::BOTH[at % 2];
                let middle = corner(&scene, square, at).middle();
                scene.shapes.push(Shape::Disc(middle, 0.14, Ink::Square));
                if cycle >> at & 1 == 1 {
                    scene.shapes.push(Shape::Ring(middle, 0.14, 0.03, Ink::Mark));
                }
                let text = format!("{}{}", LETTERS[at % 2].to_lowercase(), at + 1);
                scene.shapes.push(Shape::Text(middle, 0.19, text, Ink::Of(side)));
            }
        }
        for (at, marks) in state.marks.iter().enumerate().filter(|(_, m)| m.count_ones() == 1) {
            let square = marks.trailing_zeros() as usize;
            let (area, side) = (scene.square(square % 3, square / 3), Side::BOTH[at % 2]);
            scene.mark(area, side);
            let [x, y] = [area.x + 0.85, area.y + 0.84];
            let number = (at + 1).to_string();
            scene.shapes.push(Shape::Text([x, y], 0.2, number, Ink::Of(side)));
        }
        let classical = |side: usize| {
            let of_side = state.marks.iter().skip(side).step_by(2);
            of_side.filter(|marks| marks.count_ones() == 1).fold(0, |all, marks| all | marks)
        };
        for line in LINES {
            if [0, 1].iter().any(|side| classical(*side) & line == line) {
                let ends = [line.trailing_zeros(), line.ilog2()];
                let [from, to] = ends.map(|square| scene.places[square as usize].area);
                scene.through(from, to);
            }
        }
        scene
    }

    fn clicks(&self, _: &State, mv: Move) -> Vec<usize> {
        match mv {
            Move::Pair(a, b) => vec![a.into(), b.into()],
            Move::Collapse(square) | Move::Last(square) => vec![square.into()],
        }
    }

    /// A collapse is chosen by what it leaves.
    fn choose_by_preview(&self, state: &State) -> bool {
        state.collapsing
    }
}

impl Acyclic for QuantumTicTacToe {
    /// Twice the moves made, less one while a collapse is to come.
    #[inline]
    fn progress(&self, state: &State) -> u32 {
        2 * u32::from(state.made) + 1 - u32::from(state.collapsing)
    }
}

impl Encode for QuantumTicTacToe {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        9 * 8 + 1
    }

    /// For each move a digit for its lower and one for its higher square, from 1, 0 for none; and
    /// whether a collapse is to come.
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
    /// Of the eight images, the one with the smallest marks.
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
}

impl SearchHints for QuantumTicTacToe {
    /// Six bits a move.
    fn key_bits(&self) -> u32 {
        54
    }

    /// The marks of all moves; of early positions, of the eight images the smallest. Only the largest move number of a
    /// row is ever compared, which is never one of a side's first two: these may change places.
    fn key(&self, state: &State) -> Option<(u64, Value)> {
        let made = usize::from(state.made).max(4);
        let images = if made < MIRRORED { self.codes.len() } else { 1 };
        let keys = self.codes[..images].iter().map(|codes| {
            let mut marks = state.marks.map(|marks| codes[usize::from(marks)]);
            if marks[0] < marks[2] {
                marks.swap(0, 2);
            }
            if marks[1] < marks[3] {
                marks.swap(1, 3);
            }
            marks[..made].iter().fold(0u64, |key, code| key << 6 | u64::from(*code))
        });
        Some((keys.min().unwrap_or(0), Value(0)))
    }

    fn near_end(&self, state: &State) -> bool {
        usize::from(state.made) >= NEAR
    }

    /// A pair of squares or one, for each side.
    fn history_slots(&self) -> usize {
        2 * 64
    }

    fn history_slot(&self, state: &State, mv: Move) -> usize {
        let squares = match mv {
            Move::Pair(a, b) => 1 << a | 1 << b,
            Move::Collapse(square) | Move::Last(square) => 1 << square,
        };
        usize::from(state.made % 2) << 6 | usize::from(self.codes[0][squares])
    }

    fn bounds_and_moves(&self, state: &State, moves: &mut Candidates<'_, Move>) -> (Value, Value) {
        for mv in self.moves(state) {
            moves.push(0, mv);
        }
        // Who has no line without classical marks of the other side makes no row.
        let mut held = [0; 2];
        for (number, marks) in state.marks.iter().enumerate() {
            held[number % 2] |= if marks.count_ones() == 1 { *marks } else { 0 };
        }
        let open = |other: usize| LINES.iter().any(|line| line & held[other] == 0);
        let [own, other] = [self.turn(state).index(), self.turn(state).other().index()];
        (Value(-2 * i32::from(open(own))), Value(2 * i32::from(open(other))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::Conform;

    fn after(moves: &str) -> State {
        let game = QuantumTicTacToe::new();
        moves.split_whitespace().fold(game.start(), |state, text| {
            assert_eq!(game.outcome(&state), None, "over before {text} in {moves}");
            let mv = game.moves(&state).find(|mv| mv.to_string() == text);
            game.play(&state, mv.unwrap_or_else(|| panic!("{text} is no move in {moves}")))
        })
    }

    #[test]
    fn keeps_its_promises() {
        let game = QuantumTicTacToe::new();
        let report =
            Conform::new(&game).picture().acyclic().encode().symmetry().search_hints().finish();
        report.unwrap_or_else(|broken| panic!("{broken}"));
    }

    #[test]
    fn two_pairs_on_the_same_squares_are_a_cycle() {
        let game = QuantumTicTacToe::new();
        let state = after("1-2 1-2");
        assert!(state.collapsing);
        assert_eq!(game.turn(&state), Side::First);
        let choices: Vec<_> = game.moves(&state).map(|mv| mv.to_string()).collect();
        assert_eq!(choices, ["@1", "@2"]);
        let state = after("1-2 1-2 @1");
        assert_eq!((state.marks[0], state.marks[1]), (2, 1));
        assert_eq!(game.turn(&state), Side::First);
        assert_eq!(game.moves(&state).count(), 21);
    }

    #[test]
    fn a_collapse_takes_along_what_is_entangled() {
        // 1-2, 2-3, 3-1 is a cycle; 3-4 and 5-4 hang on it.
        let state = after("1-2 2-3 3-4 4-5 1-3");
        assert!(state.collapsing);
        let squares = |state: State| state.marks.map(|marks| marks.trailing_zeros() + 1);
        // Mark 5 on 1, so mark 1 on 2, mark 2 on 3, mark 3 on 4, mark 4 on 5.
        assert_eq!(squares(after("1-2 2-3 3-4 4-5 1-3 @1"))[..5], [2, 3, 4, 5, 1]);
        // Mark 5 on 3: mark 2 on 2, mark 1 on 1, mark 3 on 4, mark 4 on 5.
        assert_eq!(squares(after("1-2 2-3 3-4 4-5 1-3 @3"))[..5], [1, 2, 4, 5, 3]);
    }

    #[test]
    fn a_row_for_each_is_scored_by_its_largest_move() {
        let game = QuantumTicTacToe::new();
        // X on 1 2 3 with marks 1 3 5, O on 4 5 6 with marks 2 4 6, all in one collapse.
        let state = after("1-4 4-5 2-5 5-6 3-6 1-6 @6");
        assert_eq!(state.rows(), [Some(4), Some(5)]);
        assert_eq!(game.outcome(&state), Some(Outcome(1)));
        let both = State { marks: [1, 8, 2, 16, 4, 32, 0, 0, 0], made: 6, collapsing: false };
        assert_eq!(both, state);
        let alone = State { marks: [1, 8, 2, 16, 4, 256, 0, 0, 0], ..both };
        assert_eq!(game.outcome(&alone), Some(Outcome(2)));
        // X's row needs mark 7, so that O's, complete with mark 6, is the earlier one.
        let later = State { marks: [1, 8, 2, 16, 64, 32, 4, 0, 0], made: 7, ..both };
        assert_eq!(later.rows(), [Some(6), Some(5)]);
        assert_eq!(game.outcome(&later), Some(Outcome(-1)));
    }

    #[test]
    fn the_ninth_move_may_be_a_single_mark() {
        let game = QuantumTicTacToe::new();
        let mut lasts = 0;
        for sample in crate::sample::positions(&game, 20_000, 5) {
            if game.outcome(&sample.state).is_some() {
                continue;
            }
            let moves: Vec<_> = game.moves(&sample.state).collect();
            if let [Move::Last(square)] = moves[..] {
                lasts += 1;
                assert_eq!((sample.state.made, sample.state.collapsing), (8, false));
                let over = game.play(&sample.state, Move::Last(square));
                assert!(game.outcome(&over).is_some());
            }
        }
        assert!(lasts > 0);
    }
}
