//! Nine men's morris: place men, then slide them along the lines; three in a row take one.
//!
//! **Rules.** Three squares, one in the other, are joined in the middles of their sides: 24 points.
//! The players, X first, place nine men each on empty points in turn, and then slide a man along a
//! line to an empty point next to it. Who closes a mill (three men in a row along a line) takes a man
//! of the other side that is in no mill, or any where all are; one man, even where two mills close.
//! With `flying=true`, who has three men left and none in hand may move one to any empty point. Who
//! has fewer than three men, those in hand counted, or cannot move, loses. `men` sets how many each
//! side has.
//!
//! **Moves** are `a7` for placing, `a7-d7` for sliding and flying, with `xg1` behind where a man is
//! taken; columns a to g from the left, rows 1 to 7 from below. **Positions** are the points row by
//! row from the top, rows joined by `/` (the middle row has six), the men that X and that O have in
//! hand, and the side to move: `.../.../.../....../.../.../... 9 9 X`.
//!
//! **Known.** With nine men and flying the game is a draw (Ralph Gasser 1996, *Solving nine men's
//! morris*: all 10^10 positions after the placing, and a search of the placing).

use std::fmt;
use std::sync::OnceLock;

use super::orbits::Orbits;
use super::squares::{LETTERS, parse_side};
use crate::bits::Bits;
use crate::family::{About, Args, Family, Invalid, Kind, Parameter};
use crate::game::{Game, Outcome, Side};
use crate::promise::{Encode, Indexed, NoBank, Notation, Picture, Symmetry};
use crate::show::{Cell, Drawing, Grid};
use crate::show::{Ink, Scene, Shape};

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

/// How many points the rows have, from the top.
const ROWS: [usize; 7] = [3, 3, 3, 6, 3, 3, 3];

const FORM: &str = "rows of `.`, `X` and `O` from the top joined by `/` (3, 3, 3, 6, 3, 3 and 3 \
                    points), men in hand of X and of O, side to move";

/// Nine men's morris; see the file's text for its rules.
#[derive(Clone, Debug)]
pub struct NineMensMorris {
    men: u8,
    flying: bool,
    /// For every point, those next to it along a line.
    next_to: [u32; POINTS],
    /// For every point, the other points of each of its two lines.
    mills: [[u32; 2]; POINTS],
    orbits: &'static Orbits,
    layers: Vec<Layer>,
    /// By men in hand and men on the board, the mover's first, the number of the layer.
    numbers: Vec<u32>,
}

/// Positions with as many men in hand and on the board, the mover's first; with none in hand also
/// those where the other side moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layer {
    hand: u8,
    men: [u8; 2],
    /// The lowest layer that moves lead to.
    lowest: u32,
}

/// A position of [`NineMensMorris`]: a bit for each point that a side stands on.
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
    /// Where the man comes from; from the hand if there is none.
    pub from: Option<Point>,
    /// Where it goes.
    pub to: Point,
    /// The man that is taken.
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

/// The board's symmetries, made when first asked for.
fn board() -> &'static Orbits {
    static BOARD: OnceLock<Orbits> = OnceLock::new();
    BOARD.get_or_init(|| {
        // Turned, mirrored, and the inner square exchanged with the outer one.
        let mut symmetries = Vec::new();
        for exchanged in [false, true] {
            for (turned, across, down) in
                (0..8).map(|bits| (bits & 1 == 1, bits & 2 != 0, bits & 4 != 0))
            {
                let image = |(column, row): (i8, i8)| {
                    let (mut x, mut y) = (column - 3, row - 3);
                    let ring = x.abs().max(y.abs());
                    if exchanged {
                        (x, y) = (x * (4 - ring) / ring, y * (4 - ring) / ring);
                    }
                    (x, y) = if turned { (y, x) } else { (x, y) };
                    let (x, y) = (if across { -x } else { x }, if down { -y } else { y });
                    PLACES.iter().position(|place| *place == (x + 3, y + 3)).unwrap_or(0) as u8
                };
                symmetries.push(PLACES.map(image).to_vec());
            }
        }
        Orbits::new(POINTS as u32, symmetries)
    })
}

/// The line of three as a set.
fn set_of(line: [u8; 3]) -> u32 {
    line.iter().fold(0, |set, point| set | 1 << point)
}

impl NineMensMorris {
    fn new(men: u8, flying: bool) -> NineMensMorris {
        let mut next_to = [0; POINTS];
        let mut mills = [[0; 2]; POINTS];
        for line in LINES {
            for pair in line.windows(2) {
                next_to[usize::from(pair[0])] |= 1u32 << pair[1];
                next_to[usize::from(pair[1])] |= 1u32 << pair[0];
            }
            for point in line {
                let mills: &mut [u32; 2] = &mut mills[usize::from(point)];
                let free = if mills[0] == 0 { 0 } else { 1 };
                mills[free] = set_of(line) & !(1 << point);
            }
        }
        let mut game = NineMensMorris {
            men,
            flying,
            next_to,
            mills,
            orbits: board(),
            layers: Vec::new(),
            numbers: Vec::new(),
        };
        game.number_layers();
        game
    }

    /// The men that each side has in hand, where they have so many together.
    const fn hands(hand: u8) -> [u8; 2] {
        [hand / 2, hand.div_ceil(2)]
    }

    fn number_layers(&mut self) {
        let side = self.men + 1;
        self.numbers = vec![u32::MAX; usize::from(2 * side - 1) * usize::from(side).pow(2)];
        // With none in hand moves come back to as many men, so both sides' views are one layer.
        for most in 0..side {
            for least in 0..=most {
                let here = self.layers.len() as u32;
                let men = [most, least];
                for men in [men, [least, most]] {
                    let at = self.place_of(0, men);
                    self.numbers[at] = here;
                }
                // One man less of the side that has more, or else of either.
                let fewer =
                    if most > least { [most - 1, least] } else { [most, least.saturating_sub(1)] };
                let lowest = self.numbers[self.place_of(0, fewer)];
                self.layers.push(Layer { hand: 0, men, lowest });
            }
        }
        let mut before = 0;
        for hand in 1..=2 * self.men {
            let lowest = before;
            before = self.layers.len() as u32;
            let [own, other] = NineMensMorris::views(hand).map(|hand| self.men - hand);
            for men in (0..=own).flat_map(|own| (0..=other).map(move |other| [own, other])) {
                let at = self.place_of(hand, men);
                self.numbers[at] = self.layers.len() as u32;
                self.layers.push(Layer { hand, men, lowest });
            }
        }
    }

    /// The men that the mover and the other side have in hand, where they have so many together.
    fn views(hand: u8) -> [u8; 2] {
        let mut hands = NineMensMorris::hands(hand);
        hands.rotate_left(NineMensMorris::mover(hand).index());
        hands
    }

    /// Who moves, if that is told by the men in hand.
    const fn mover(hand: u8) -> Side {
        Side::BOTH[hand as usize % 2]
    }

    const fn place_of(&self, hand: u8, [own, other]: [u8; 2]) -> usize {
        let side = self.men as usize + 1;
        (hand as usize * side + own as usize) * side + other as usize
    }

    /// Whether a man that came to a point closes a mill.
    #[inline]
    fn closes(&self, men: u32, point: u8) -> bool {
        self.mills[usize::from(point)].iter().any(|mill| men & mill == *mill)
    }

    /// The men that may be taken: those in no mill, or all if there are none of them.
    fn takeable(&self, men: u32) -> u32 {
        let free = Bits(u64::from(men)).filter(|point| !self.closes(men, *point));
        match free.fold(0, |set, point| set | 1 << point) {
            0 => men,
            free => free,
        }
    }

    /// The ways to bring a man from a point, or from the hand, to a point.
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

    fn owner(state: &State, point: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| state.men[side.index()] >> point & 1 == 1)
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
}

impl Family for NineMensMorris {
    const ABOUT: About = About {
        name: "nine-mens-morris",
        summary: "place men, slide them, three in a row take one",
        rules: "Three squares, one in the other, are joined in the middles of their sides. The \
                players, X first, place nine men each on empty points in turn, and then slide a man \
                along a line to an empty point next to it. Who closes a mill (three men in a row \
                along a line) takes a man of the other side that is in no mill, or any where all \
                are. Who has three men left and none in hand may move one to any empty point. Who \
                has fewer than three men or cannot move loses.",
        move_notation: "placing `a7`, sliding `a7-d7`, with `xg1` behind where a man is taken; \
                        columns a to g from the left, rows 1 to 7 from below",
        position_notation: "points row by row from the top, men in hand of X and of O, side to \
                            move: `.../.../.../....../.../.../... 9 9 X`",
        known: "A draw with nine men and flying (Ralph Gasser 1996). Play can go on without end.",
        unit: "result",
        parameters: &[
            Parameter {
                name: "men",
                kind: Kind::Number { min: 3, max: 9, step: 1 },
                default: "9",
                meaning: "men of each side",
            },
            Parameter {
                name: "flying",
                kind: Kind::Flag,
                default: "true",
                meaning: "whether three men left may move anywhere",
            },
        ],
    };

    fn create(args: &Args) -> Result<NineMensMorris, Invalid> {
        Ok(NineMensMorris::new(args.number("men") as u8, args.flag("flying")))
    }

    fn arguments(&self) -> Vec<String> {
        vec![self.men.to_string(), self.flying.to_string()]
    }

    fn sides(&self) -> [&'static str; 2] {
        LETTERS
    }
}

impl Notation for NineMensMorris {
    fn format(&self, state: &State) -> String {
        let mut text = String::new();
        let mut point = 0;
        for (row, length) in ROWS.into_iter().enumerate() {
            if row > 0 {
                text.push('/');
            }
            for _ in 0..length {
                let owner = NineMensMorris::owner(state, point);
                text += owner.map_or(".", |side| LETTERS[side.index()]);
                point += 1;
            }
        }
        let [x, o] = state.hand;
        format!("{text} {x} {o} {}", LETTERS[state.turn.index()])
    }

    fn parse(&self, text: &str) -> Result<State, Invalid> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [board, x, o, side] = words[..] else { return Err(Invalid::new(text, FORM)) };
        let rows: Vec<&str> = board.split('/').collect();
        let fits = rows.iter().map(|row| row.chars().count()).eq(ROWS);
        if !fits {
            return Err(Invalid::new(board, FORM));
        }
        let mut men = [0u32; 2];
        for (point, letter) in rows.iter().flat_map(|row| row.chars()).enumerate() {
            match letter {
                '.' => {}
                'X' | 'x' => men[0] |= 1 << point,
                'O' | 'o' => men[1] |= 1 << point,
                _ => return Err(Invalid::new(letter.to_string(), "`.`, `X` or `O` on a point")),
            }
        }
        let turn = parse_side(side, LETTERS)?;
        let mut hand = [0; 2];
        for (side, word) in [x, o].into_iter().enumerate() {
            let most = self.men - men[side].count_ones().min(self.men.into()) as u8;
            let valid = word.parse().ok().filter(|hand| *hand <= most);
            let expected = || format!("0 to {most} men in hand for {}", LETTERS[side]);
            hand[side] = valid.ok_or_else(|| Invalid::new(word, expected()))?;
            if men[side].count_ones() > self.men.into() {
                return Err(Invalid::new(board, format!("at most {} men a side", self.men)));
            }
        }
        // They place in turn, X first.
        let all = hand[0] + hand[1];
        let in_turn = hand == NineMensMorris::hands(all);
        if !in_turn || all > 0 && turn.index() != usize::from(all % 2) {
            let expected = "as many men in hand where X is to place, one more of O where O is";
            return Err(Invalid::new(format!("{x} {o} {side}"), expected));
        }
        Ok(State { men, hand, turn })
    }
}

impl Picture for NineMensMorris {
    fn draw(&self, state: &State) -> Drawing {
        let targets = match self.outcome(state) {
            Some(_) => 0,
            None => self.moves(state).fold(0u32, |set, mv| set | 1 << mv.to.0),
        };
        let mut cells = vec![Cell::default(); 49];
        for (point, (column, row)) in PLACES.into_iter().enumerate() {
            cells[row as usize * 7 + column as usize] = match NineMensMorris::owner(state, point) {
                Some(side) => Cell::owned(LETTERS[side.index()], side),
                None if targets >> point & 1 == 1 => Cell::target(Point(point as u8).to_string()),
                None => Cell { text: "·".to_owned(), ..Cell::default() },
            };
        }
        let mut grid = Grid::new(7, cells);
        grid.column_labels = ('a'..='g').map(String::from).collect();
        grid.row_labels = (1..=7).rev().map(|row: u8| row.to_string()).collect();
        Drawing::Grid(grid)
    }

    fn scene(&self, state: &State) -> Scene {
        let columns: Vec<String> = ('a'..='g').map(String::from).collect();
        let rows: Vec<String> = (1..=7).rev().map(|row: u8| row.to_string()).collect();
        let mut scene = Scene::board(7, 7, &columns, &rows);
        let areas = PLACES.map(|(column, row)| scene.square(column as usize, row as usize));
        for line in LINES {
            let [from, to] = [line[0], line[2]].map(|point| areas[usize::from(point)].middle());
            scene.shapes.push(Shape::Line(from, to, 0.06, Ink::Edge));
        }
        for side in Side::BOTH {
            // Men in hand lie on the margins, above and below the middle square.
            for nth in 0..state.hand[side.index()] {
                let y = if side == Side::First { 0.4 } else { -0.4 };
                let x = (f32::from(nth) - 4.0) * 0.22;
                let [middle_x, middle_y] = scene.square(3, 3).middle();
                let place = [middle_x + x, middle_y + y];
                scene.shapes.push(Shape::Disc(place, 0.1, Ink::Of(side)));
            }
        }
        for (point, area) in areas.into_iter().enumerate() {
            scene.shapes.push(Shape::Disc(area.middle(), 0.13, Ink::Edge));
            let owner = NineMensMorris::owner(state, point);
            if let Some(side) = owner {
                scene.piece(area.within(0.06), side, LETTERS[side.index()]);
            }
            let what = owner.map_or("empty", |side| LETTERS[side.index()]);
            scene.place(format!("{}, {what}", Point(point as u8)), area, owner.is_some());
        }
        scene
    }

    fn clicks(&self, _: &State, mv: Move) -> Vec<usize> {
        let places = [mv.from, Some(mv.to), mv.take];
        places.into_iter().flatten().map(|Point(point)| point.into()).collect()
    }
}

impl Symmetry for NineMensMorris {
    /// Of the sixteen images, the one with the smallest sets.
    fn representative(&self, state: &State) -> State {
        let image = |symmetry| state.men.map(|men| self.orbits.image(symmetry, men));
        let men = (0..self.orbits.symmetries()).map(image).min().unwrap_or(state.men);
        State { men, ..*state }
    }

    fn images(&self) -> u64 {
        self.orbits.symmetries() as u64
    }
}

impl Encode for NineMensMorris {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        57
    }

    /// The points of each side, the men in hand, the side to move.
    fn encode(&self, state: &State) -> u128 {
        let [first, second] = state.men.map(u128::from);
        let hands = state.hand[0] | state.hand[1] << 4;
        first | second << 24 | u128::from(hands) << 48 | (state.turn.index() as u128) << 56
    }

    fn decode(&self, packed: u128) -> State {
        let men = [packed, packed >> 24].map(|men| men as u32 & ALL);
        let hand = [packed >> 48, packed >> 52].map(|hand| hand as u8 & 15);
        State { men, hand, turn: Side::BOTH[(packed >> 56) as usize & 1] }
    }
}

impl Indexed for NineMensMorris {
    type Bank = NoBank;

    /// By men in hand, then men on the board: first all layers with at most four a side, say, then
    /// those where a side has five.
    fn layers(&self) -> u32 {
        self.layers.len() as u32
    }

    fn size(&self, layer: u32) -> u64 {
        let Layer { hand, men: [own, other], .. } = self.layers[layer as usize];
        let [own, other] = [own, other].map(u32::from);
        let also = if hand == 0 && own != other { self.orbits.size(other, own) } else { 0 };
        self.orbits.size(own, other) + also
    }

    /// The mover's men and the other side's up to symmetry, whichever side it is; where none are in
    /// hand, first those of a mover with more men, then those of one with fewer.
    fn index(&self, state: &State) -> (u32, u64) {
        let [own, other] = [state.turn, state.turn.other()].map(|side| state.men[side.index()]);
        let counts = [own, other].map(u32::count_ones);
        let hand = state.hand[0] + state.hand[1];
        let layer = self.numbers[self.place_of(hand, counts.map(|count| count as u8))];
        let fewer = hand == 0 && counts[0] < counts[1];
        let before = if fewer { self.orbits.size(counts[1], counts[0]) } else { 0 };
        (layer, before + self.orbits.number(own, other))
    }

    fn state(&self, layer: u32, index: u64) -> Option<State> {
        let Layer { hand, men: [own, other], .. } = self.layers[layer as usize];
        let [mut own, mut other] = [own, other].map(u32::from);
        let mut index = index;
        if hand == 0 && index >= self.orbits.size(own, other) {
            index -= self.orbits.size(own, other);
            (own, other) = (other, own);
        }
        let turn = NineMensMorris::mover(hand);
        let mut men = self.orbits.pair(index, own, other)?;
        men.rotate_right(turn.index());
        Some(State { men, hand: NineMensMorris::hands(hand), turn })
    }

    fn merges(&self) -> bool {
        true
    }

    /// Men are taken, and come from the hand, into other layers: what is left are slides and flights
    /// that close no mill.
    fn predecessors(&self, state: &State) -> Option<Vec<State>> {
        let mut all = Vec::new();
        if state.hand != [0, 0] {
            return Some(all);
        }
        let moved = state.turn.other();
        let men = state.men[moved.index()];
        let empty = ALL & !(state.men[0] | state.men[1]);
        let flies = self.flying && men.count_ones() == 3;
        for to in Bits(u64::from(men)).filter(|to| !self.closes(men & !(1 << to), *to)) {
            let reach = if flies { ALL } else { self.next_to[usize::from(to)] };
            for from in Bits(u64::from(reach & empty)) {
                let mut earlier = State { turn: moved, ..*state };
                earlier.men[moved.index()] = men ^ (1 << to) ^ (1 << from);
                // Who had two men had lost.
                if earlier.men[moved.index()].count_ones() >= 3 {
                    all.push(earlier);
                }
            }
        }
        Some(all)
    }

    fn lowest_after(&self, layer: u32) -> u32 {
        self.layers[layer as usize].lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::Conform;
    use crate::family::specification;

    #[test]
    fn keeps_its_promises() {
        for men in [3, 5, 9] {
            for flying in [true, false] {
                let game = NineMensMorris::new(men, flying);
                let conform = Conform::new(&game).notation().picture().encode().encode_merged();
                let conform = conform.symmetry().indexed();
                let report = conform.finish();
                report.unwrap_or_else(|broken| panic!("{}: {broken}", specification(&game)));
            }
        }
    }

    #[test]
    fn the_board_is_what_it_should_be() {
        let game = NineMensMorris::new(9, true);
        let ways: u32 = game.next_to.iter().map(|next| next.count_ones()).sum();
        assert_eq!(ways, 2 * 32, "32 pieces of line");
        assert!(game.mills.iter().flatten().all(|mill| mill.count_ones() == 2));
        let images = |set: u32| (0..16).map(move |symmetry| game.orbits.image(symmetry, set));
        let different: std::collections::HashSet<_> = images(0b1_0000_1001).collect();
        assert_eq!((game.orbits.symmetries(), different.len()), (16, 16));
        for line in LINES {
            for image in images(set_of(line)) {
                assert!(LINES.iter().any(|line| set_of(*line) == image), "lines stay lines");
            }
        }
    }

    #[test]
    fn alike_sets_have_one_number() {
        let orbits = board();
        for (first, second) in [(0, 2), (1, 1), (2, 2), (3, 2), (2, 4)] {
            let mut seen = 0;
            for number in 0..orbits.size(first, second) {
                let Some([one, other]) = orbits.pair(number, first, second) else { continue };
                assert_eq!([one.count_ones(), other.count_ones(), one & other], [first, second, 0]);
                let images = (0..16).map(|at| [one, other].map(|set| orbits.image(at, set)));
                let images: std::collections::HashSet<_> = images.collect();
                seen += images.len() as u64;
                for [one, other] in images {
                    assert_eq!(orbits.number(one, other), number);
                }
            }
            let choose = crate::bits::choose;
            assert_eq!(seen, choose(24, first) * choose(24 - first, second), "each pair has one");
        }
    }

    #[test]
    fn mills_take_and_men_fly() {
        let game = NineMensMorris::new(9, true);
        let moves = |text: &str| -> Vec<String> {
            let state = game.parse(text).unwrap();
            game.moves(&state).map(|mv| mv.to_string()).collect()
        };
        // X closes a7-d7-g7; O's mill on row 1 is safe while there is another man.
        let all = moves("XX./.../.../....../.../..O/OOO 5 5 X");
        assert!(all.contains(&"g7xf2".to_owned()) && !all.contains(&"g7xa1".to_owned()), "{all:?}");
        assert!(!all.contains(&"g7".to_owned()), "a man has to be taken");
        // Where all are in mills, any may be taken.
        let all = moves("XX./.../.../.....X/.../.../OOO 0 0 X");
        assert!(all.contains(&"g4-g7xa1".to_owned()), "{all:?}");
        // Three men fly to any of 16 points; one way closes a mill, and takes either of two men.
        assert_eq!(moves("X.X/.../.../X...../.../OO./OOO 0 0 X").len(), 3 * 16 + 1);
        let walking = NineMensMorris::new(9, false);
        let state = walking.parse("X.X/.../.../X...../.../OO./OOO 0 0 X").unwrap();
        assert_eq!(walking.moves(&state).count(), 4);
    }

    #[test]
    fn who_has_two_men_or_no_move_has_lost() {
        let game = NineMensMorris::new(9, true);
        for (text, over) in [
            ("XX./.../.../....../.../OO./OOO 0 0 X", true),
            ("XX./.../.../....../.../OO./OOO 0 0 O", false),
            ("X../.../.../....../.../.../... 8 9 O", false),
            // X shut in at the corners: a7, g7, a1, g1 with O on all points next to them.
            ("XOX/.../.../O....O/.../.../XOX 0 0 X", true),
        ] {
            let state = game.parse(text);
            let over = over.then_some(Outcome::win(Side::Second));
            assert_eq!(game.outcome(&state.unwrap()), over, "{text}");
        }
    }

    #[test]
    fn bad_positions_are_refused() {
        let game = NineMensMorris::new(9, true);
        for (text, expected) in [
            ("", "rows of"),
            (".../.../.../.../.../.../... 9 9 X", "rows of"),
            ("Z../.../.../....../.../.../... 9 9 X", "`.`, `X` or `O`"),
            (".../.../.../....../.../.../... 10 9 X", "0 to 9"),
            (".../.../.../....../.../.../... 9 8 X", "as many"),
            (".../.../.../....../.../.../... 8 9 X", "as many"),
            ("XXX/XXX/XXX/XXX.../.../.../... 0 0 X", "at most 9"),
            (".../.../.../....../.../.../... 9 9 Z", "the side to move"),
        ] {
            let error = game.parse(text).unwrap_err();
            assert!(error.expected.contains(expected), "{text}: {error}");
        }
    }
}
