//! Fox and Hounds, on a board of any even size from 4 to 16.
//!
//! **Rules.** Only the dark squares are used. The hounds stand on the squares of row 1 (a1, c1, e1,
//! g1 on the usual board), the fox on one of the last row. The fox moves one step diagonally in any
//! direction, a hound one step diagonally away from row 1; nobody captures. The fox wins when it
//! reaches row 1; the hounds win when the fox cannot move. What happens when no hound can move
//! where one has to is told in three ways, and is a parameter: the game is a draw (Leblanc 2014),
//! the hounds pass (traditional play), or they lose (other books).
//!
//! The fox counts as shut in whoever's turn it is. In play this makes no difference, as a fox that
//! has just moved can go back; in a position that is set up it ends the game, as in the founding
//! text.
//!
//! **Moves** are `f8-e7`; `pass` where hounds pass. **Positions** are `h:a1,c1,e1,g1 f:f8 fox`: the
//! hounds, the fox, the side to move.
//!
//! **Known.** On 8x8 the hounds win (Berlekamp, Conway and Guy, *Winning Ways*, chapter 20), from
//! every start of the fox and whoever begins; on 6x6 the fox wins when it begins.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use super::progress::Progress;
use super::squares::parse_side;
use crate::bits::Bits;
use crate::family::{About, Args, Family, Invalid, Kind, Parameter};
use crate::game::{Game, Outcome, Side, Value};
use crate::promise::{
    Acyclic, Candidates, Encode, Indexed, NoBank, Notation, Picture, SearchHints, Symmetry,
};
use crate::promise::{Band, BandMove, Banded, Block, Places};
use crate::show::{Cell, Drawing, Grid};
use crate::show::{Ink, Scene, Shape};

/// What happens when the hounds are to move and none of them can.
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

/// Fox and Hounds; see the file's text for its rules.
#[derive(Clone, Debug)]
pub struct FoxAndHounds {
    size: u8,
    stuck: Stuck,
    /// Whether the fox makes the first move, and so is the first player.
    fox_first: bool,
    /// The start column of the fox, from 0.
    fox_column: u8,
    /// For every square, the squares diagonally next to it one row on (where a hound can go), and
    /// all of them (where the fox can).
    ahead: Vec<u128>,
    around: Vec<u128>,
    /// The squares whose number has a neighbour one less, and one more, than a row before or after.
    slanted: [u128; 2],
    /// For each direction, the squares from where the fox can go there, and to where.
    steps: Vec<Vec<(u32, u32)>>,
}

/// A position of [`FoxAndHounds`]. The dark squares are numbered row by row, from row 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    hounds: u128,
    fox: u8,
    fox_to_move: bool,
}

/// A square of the board, from (0, 0); shown as `a1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square {
    column: u8,
    row: u8,
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column), self.row + 1)
    }
}

/// A move of [`FoxAndHounds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A step of the fox or of a hound.
    Step {
        /// Where it stands.
        from: Square,
        /// Where it goes.
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

/// So many sets of hounds are a block of bands.
const SETS_IN_BLOCK: usize = 256;

const fn bit(square: u8) -> u128 {
    1 << square
}

impl FoxAndHounds {
    fn new(size: u8, stuck: Stuck, fox_first: bool, fox_column: u8) -> FoxAndHounds {
        let mut game = FoxAndHounds {
            size,
            stuck,
            fox_first,
            fox_column,
            ahead: Vec::new(),
            around: Vec::new(),
            slanted: [0, 0],
            steps: vec![Vec::new(); 4],
        };
        let neighbours = |square: u8, rows: &[i8]| {
            let Square { column, row } = game.square(square);
            let mut set = 0;
            for (down, right) in rows.iter().flat_map(|down| [(down, -1), (down, 1)]) {
                let (row, column) = (row as i8 + down, column as i8 + right);
                let edge = 0..size as i8;
                if edge.contains(&row) && edge.contains(&column) {
                    set |= bit(game.number(Square { column: column as u8, row: row as u8 }));
                }
            }
            set
        };
        let squares = 0..game.squares();
        let ahead = squares.clone().map(|square| neighbours(square, &[1])).collect();
        let around = squares.map(|square| neighbours(square, &[-1, 1])).collect();
        game.ahead = ahead;
        game.around = around;
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

    /// How many dark squares a row has, and how many hounds there are.
    const fn half(&self) -> u8 {
        self.size / 2
    }

    const fn square(&self, number: u8) -> Square {
        let row = number / self.half();
        Square { column: number % self.half() * 2 + row % 2, row }
    }

    const fn number(&self, square: Square) -> u8 {
        square.row * self.half() + square.column / 2
    }

    fn free_around_fox(&self, state: &State) -> u128 {
        self.around[usize::from(state.fox)] & !state.hounds
    }

    /// Every step that a hound can make, from and to.
    fn hound_steps(&self, state: &State) -> impl Iterator<Item = (u8, u8)> + use<'_> {
        let State { hounds, fox, .. } = *state;
        let free = !(hounds | bit(fox));
        Bits(hounds).flat_map(move |from| {
            Bits(self.ahead[usize::from(from)] & free).map(move |to| (from, to))
        })
    }

    /// The numbers of sets of hounds: one for all games of a size, made when first asked for.
    #[inline]
    fn progress(&self) -> &'static Progress {
        static ALL: [OnceLock<Progress>; 9] = [const { OnceLock::new() }; 9];
        let half = u32::from(self.half());
        ALL[half as usize].get_or_init(|| Progress::new(half, 2 * half, half))
    }

    /// How many dark squares there are.
    const fn squares(&self) -> u8 {
        self.size * self.half()
    }

    /// All dark squares.
    const fn all(&self) -> u128 {
        u128::MAX >> (128 - self.squares() as u32)
    }

    /// How many numbers of a layer have the same side to move.
    fn half_of(&self, layer: u32) -> u64 {
        let progress = self.progress();
        progress.sets(progress.farthest() - layer) * u64::from(self.squares())
    }

    /// The squares that have one of a set diagonally next to them.
    fn beside(&self, set: u128) -> u128 {
        let set = set & self.all();
        let half = self.half();
        let [left, right] = self.slanted.map(|squares| set & squares);
        let straight = set << half | set >> half;
        let slanted =
            left << (half - 1) | left >> (half + 1) | right << (half + 1) | right >> (half - 1);
        (straight | slanted) & self.all()
    }

    /// What stands below the columns and left of the rows.
    fn labels(&self) -> [Vec<String>; 2] {
        let all = 0..self.size;
        let columns = all.clone().map(|column| char::from(b'a' + column).to_string());
        [columns.collect(), all.map(|row| (row + 1).to_string()).collect()]
    }

    const fn fox_side(&self) -> Side {
        if self.fox_first { Side::First } else { Side::Second }
    }

    fn read_square(&self, text: &str) -> Result<u8, Invalid> {
        let last = Square { column: self.size - 1, row: self.size - 1 };
        let wrong = || {
            let expected = format!("a dark square between a1 and {last}, such as a1 or b2");
            Invalid::new(text, expected)
        };
        let mut letters = text.chars();
        let letter = letters.next().ok_or_else(wrong)?.to_ascii_lowercase();
        let digits = letters.as_str();
        let column = (letter as u32).checked_sub('a' as u32).ok_or_else(wrong)?;
        let plain = digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let row: u32 = if plain { digits.parse().unwrap_or(0) } else { 0 };
        let size = u32::from(self.size);
        if column >= size || row == 0 || row > size || (column + row - 1) % 2 == 1 {
            return Err(wrong());
        }
        Ok(self.number(Square { column: column as u8, row: row as u8 - 1 }))
    }
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

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let fox = self.fox_side();
        if state.fox < self.half() {
            return Some(Outcome::win(fox));
        }
        if self.free_around_fox(state) == 0 {
            return Some(Outcome::win(fox.other()));
        }
        if state.fox_to_move
            || self.stuck == Stuck::Pass
            || self.hound_steps(state).next().is_some()
        {
            return None;
        }
        Some(if self.stuck == Stuck::Draw { Outcome::DRAW } else { Outcome::win(fox) })
    }

    #[inline]
    fn moves(&self, state: &State) -> impl Iterator<Item = Move> {
        // Of the two chains one is empty: a set of no squares.
        let (fox, pack) = match state.fox_to_move {
            true => (self.free_around_fox(state), State { hounds: 0, ..*state }),
            false => (0, *state),
        };
        let pass = !state.fox_to_move && self.hound_steps(state).next().is_none();
        let from = state.fox;
        let steps = Bits(fox).map(move |to| (from, to)).chain(self.hound_steps(&pack));
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

impl Family for FoxAndHounds {
    const ABOUT: About = About {
        name: "fox-and-hounds",
        summary: "one fox slips past the hounds, or they shut it in",
        rules: "Only the dark squares are used. The hounds stand on row 1, the fox on the last row. \
                The fox moves one step diagonally in any direction, a hound one step diagonally \
                away from row 1; nobody captures. The fox wins when it reaches row 1, the hounds \
                win when the fox cannot move. When no hound can move where one has to, the game is \
                a draw (Leblanc 2014), the hounds pass (traditional play) or they lose.",
        move_notation: "from-to: `f8-e7`; `pass` where no hound can move and hounds pass",
        position_notation: "hounds, fox, side to move: `h:a1,c1,e1,g1 f:f8 fox`",
        known: "On 8x8 the hounds win (Berlekamp, Conway and Guy, Winning Ways), from every start \
                of the fox and whoever begins. On 6x6 the fox, when it begins, wins in 25 plies.",
        unit: "result",
        parameters: &[
            Parameter {
                name: "size",
                kind: Kind::Number { min: 4, max: 16, step: 2 },
                default: "8",
                meaning: "squares along a side of the board; half as many hounds",
            },
            Parameter {
                name: "stuck",
                kind: Kind::Choice(&["draw", "pass", "lose"]),
                default: "draw",
                meaning: "what happens when no hound can move",
            },
            Parameter {
                name: "first",
                kind: Kind::Choice(&["fox", "hounds"]),
                default: "fox",
                meaning: "who moves first",
            },
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
        Ok(FoxAndHounds::new(size, stuck, args.text("first") == "fox", fox))
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
        if self.fox_first { ["fox", "hounds"] } else { ["hounds", "fox"] }
    }
}

impl Notation for FoxAndHounds {
    fn format(&self, state: &State) -> String {
        let hounds: Vec<_> =
            Bits(state.hounds).map(|square| self.square(square).to_string()).collect();
        let turn = if state.fox_to_move { "fox" } else { "hounds" };
        format!("h:{} f:{} {turn}", hounds.join(","), self.square(state.fox))
    }

    fn parse(&self, text: &str) -> Result<State, Invalid> {
        let form = "hounds, fox and side to move, such as `h:a1,c1,e1,g1 f:f8 fox`";
        let words: Vec<&str> = text.split_whitespace().collect();
        let [hounds, fox, turn] = words[..] else { return Err(Invalid::new(text, form)) };
        let hounds = hounds.strip_prefix("h:").ok_or_else(|| Invalid::new(hounds, form))?;
        let fox = fox.strip_prefix("f:").ok_or_else(|| Invalid::new(fox, form))?;
        let mut set = 0;
        for hound in hounds.split(',') {
            set |= bit(self.read_square(hound)?);
        }
        let count = hounds.split(',').count();
        if count != usize::from(self.half()) || set.count_ones() as usize != count {
            let expected = format!("{} hounds on different squares", self.half());
            return Err(Invalid::new(hounds, expected));
        }
        let square = self.read_square(fox)?;
        if set & bit(square) != 0 {
            return Err(Invalid::new(fox, "the fox on a square without a hound"));
        }
        let turn = parse_side(turn, ["fox", "hounds"])?;
        Ok(State { hounds: set, fox: square, fox_to_move: turn == Side::First })
    }
}

impl Picture for FoxAndHounds {
    /// Row 1, where the hounds come from, is on top.
    fn draw(&self, state: &State) -> Drawing {
        let over = self.outcome(state).is_some();
        let targets = match state.fox_to_move {
            _ if over => 0,
            true => self.free_around_fox(state),
            false => self.hound_steps(state).fold(0, |all, (_, to)| all | bit(to)),
        };
        let side = self.fox_side();
        let cell = |row: u8, column: u8| {
            let square = Square { column, row };
            if (row + column) % 2 == 1 {
                return Cell::default();
            }
            let number = self.number(square);
            match () {
                () if number == state.fox => Cell::owned("F", side),
                () if state.hounds & bit(number) != 0 => Cell::owned("H", side.other()),
                () if targets & bit(number) != 0 => Cell::target(square.to_string()),
                () => Cell { text: "·".to_owned(), ..Cell::default() },
            }
        };
        let rows = 0..self.size;
        let cells = rows.clone().flat_map(|row| (0..self.size).map(move |column| (row, column)));
        let cells = cells.map(|(row, column)| cell(row, column)).collect();
        let mut grid = Grid::new(usize::from(self.size), cells);
        [grid.column_labels, grid.row_labels] = self.labels();
        Drawing::Grid(grid)
    }

    /// The dark squares are the places.
    fn scene(&self, state: &State) -> Scene {
        let size = usize::from(self.size);
        let [columns, rows] = self.labels();
        let mut scene = Scene::board(size, size, &columns, &rows);
        for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
            let ink = if (row + column) % 2 == 0 { Ink::Dark } else { Ink::Square };
            let plate = Shape::Plate(scene.square(column, row), 0.0, ink);
            scene.shapes.push(plate);
        }
        let side = self.fox_side();
        for number in 0..self.size * self.half() {
            let square = self.square(number);
            let area = scene.square(square.column.into(), square.row.into());
            let what = match () {
                () if number == state.fox => {
                    scene.piece(area, side, "F");
                    "fox"
                }
                () if state.hounds & bit(number) != 0 => {
                    scene.piece(area, side.other(), "H");
                    "hound"
                }
                () => "empty",
            };
            scene.place(format!("{square}, {what}"), area, what != "empty");
        }
        scene
    }

    fn clicks(&self, _: &State, mv: Move) -> Vec<usize> {
        match mv {
            Move::Step { from, to } => {
                [from, to].map(|square| usize::from(self.number(square))).to_vec()
            }
            Move::Pass => Vec::new(),
        }
    }
}

impl Acyclic for FoxAndHounds {
    /// Twice the rows that the hounds have gone, and one more when they are to move.
    fn progress(&self, state: &State) -> u32 {
        let rows: u32 = Bits(state.hounds).map(|hound| u32::from(hound / self.half())).sum();
        2 * rows + u32::from(!state.fox_to_move)
    }

    /// While hounds pass, the fox can go to and fro.
    fn is_acyclic(&self) -> bool {
        self.stuck != Stuck::Pass
    }
}

impl Encode for FoxAndHounds {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        (u32::from(self.half()) + 1) * self.square_bits() + 1
    }

    /// The side, the fox and the hounds in order, each as the number of its square.
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

/// No two positions are alike: on an even board a mirror takes dark squares to light ones.
impl Symmetry for FoxAndHounds {}

impl Indexed for FoxAndHounds {
    type Bank = NoBank;

    /// The rows that the hounds have yet to go, all together.
    fn layers(&self) -> u32 {
        self.progress().farthest() + 1
    }

    /// By side (hounds first), hounds and fox; numbers that put the fox on a hound stand for nothing.
    fn size(&self, layer: u32) -> u64 {
        2 * self.half_of(layer)
    }

    /// The hounds are found once for all places of the fox.
    fn states(&self, layer: u32, part: Range<u64>) -> impl Iterator<Item = (u64, State)> {
        let (half, squares) = (self.half_of(layer), u64::from(self.squares()));
        let far = self.progress().farthest() - layer;
        let mut known = (u64::MAX, 0);
        part.filter_map(move |index| {
            let (number, fox) = (index % half / squares, (index % half % squares) as u8);
            if number != known.0 {
                known = (number, self.progress().set(far, number));
            }
            let state = State { hounds: known.1, fox, fox_to_move: index >= half };
            (state.hounds & bit(fox) == 0).then_some((index, state))
        })
    }

    fn lowest_after(&self, layer: u32) -> u32 {
        layer.saturating_sub(1)
    }

    fn index(&self, state: &State) -> (u32, u64) {
        let (far, number) = self.progress().index(state.hounds);
        let layer = self.progress().farthest() - far;
        let before = if state.fox_to_move { self.half_of(layer) } else { 0 };
        (layer, before + number * u64::from(self.squares()) + u64::from(state.fox))
    }

    fn state(&self, layer: u32, index: u64) -> Option<State> {
        self.states(layer, index..index + 1).next().map(|(_, state)| state)
    }
}

impl Banded for FoxAndHounds {
    fn most_in(&self, _: u32) -> i32 {
        1
    }

    /// With the hounds to move, then with the fox, which leaves the hounds where they are.
    fn blocks(&self, layer: u32) -> Vec<Block> {
        let half = self.half_of(layer);
        let size = SETS_IN_BLOCK * usize::from(self.squares());
        let cut = |wave: u32| {
            let from = u64::from(wave) * half;
            let starts = (from..from + half).step_by(size);
            starts.map(move |start| Block {
                wave,
                numbers: start..(start + size as u64).min(from + half),
            })
        };
        cut(0).chain(cut(1)).collect()
    }

    /// All squares of the fox are a band.
    fn bands<'g>(&'g self, layer: u32, block: &Block, visit: &mut dyn FnMut(&Band<'g>)) {
        let (half, squares) = (self.half_of(layer), u64::from(self.squares()));
        let fox_to_move = block.numbers.start >= half;
        let far = self.progress().farthest() - layer;
        let first = block.numbers.start % half / squares;
        let mut band = Band::default();
        let numbers = block.numbers.clone().step_by(squares as usize);
        for (first, hounds) in numbers.zip(self.progress().sets_from(far, first)) {
            band.begin(first, 1, squares as u32);
            band.missing.extend(Bits(hounds).map(u32::from));
            let home = (bit(self.half()) - 1) & !hounds;
            let shut_in = !self.beside(!hounds) & !hounds & !home & self.all();
            let value = |win: bool| Value(if win == fox_to_move { 1 } else { -1 });
            let over = |set: u128, value: Value| Bits(set).map(move |at| (u32::from(at), value));
            band.over.extend(over(home, value(true)).chain(over(shut_in, value(false))));
            if fox_to_move {
                let first = first - half;
                let way = |pairs: &'g Vec<(u32, u32)>| BandMove {
                    layer,
                    first,
                    step: 1,
                    passes: true,
                    gain: 0,
                    places: Places::Pairs(pairs),
                };
                band.moves.extend(self.steps.iter().map(way));
            } else {
                let mut goals = 0;
                self.progress().steps(hounds, far, &self.ahead, |to, number| {
                    goals |= bit(to);
                    band.moves.push(BandMove {
                        layer: layer - 1,
                        first: self.half_of(layer - 1) + number * squares,
                        step: 1,
                        passes: true,
                        gain: 0,
                        places: Places::Same,
                    });
                });
                // No hound can move, unless the fox makes room.
                if goals & goals.wrapping_sub(1) == 0 {
                    let stuck = if goals == 0 { self.all() } else { goals };
                    let value = if self.stuck == Stuck::Draw { Value(0) } else { Value(-1) };
                    band.over.extend(over(stuck & !(hounds | home | shut_in), value));
                }
            }
            visit(&band);
        }
    }
}

impl SearchHints for FoxAndHounds {
    fn key_bits(&self) -> u32 {
        Encode::bits(self)
    }

    #[inline]
    fn key(&self, state: &State) -> Option<(u64, Value)> {
        Some((self.encode(state) as u64, Value(0)))
    }

    /// All positions are remembered alike: there are few.
    fn near_end(&self, _: &State) -> bool {
        false
    }

    /// A square to move to, for the hounds and for the fox.
    fn history_slots(&self) -> usize {
        2 * usize::from(self.size) * usize::from(self.half()) + 1
    }

    #[inline]
    fn history_slot(&self, state: &State, mv: Move) -> usize {
        let squares = usize::from(self.size) * usize::from(self.half());
        match mv {
            Move::Step { to, .. } => {
                usize::from(self.number(to)) + if state.fox_to_move { squares } else { 0 }
            }
            Move::Pass => 2 * squares,
        }
    }

    /// Once no hound stands on a row before the fox, none can come between it and row 1. The fox
    /// goes for row 1, the hounds move those behind first.
    #[inline]
    fn bounds_and_moves(&self, state: &State, moves: &mut Candidates<'_, Move>) -> (Value, Value) {
        let before = bit(state.fox / self.half() * self.half()) - 1;
        let (mut low, mut high) = (Value(-1), Value(1));
        if state.hounds & before == 0 {
            // All that can still happen is that the hounds run out of moves first.
            let fox = if self.stuck == Stuck::Draw { 0 } else { 1 };
            match state.fox_to_move {
                true => low = Value(fox),
                false => high = Value(-fox),
            }
        }
        for mv in self.moves(state) {
            let promise = match mv {
                Move::Step { from, to } if state.fox_to_move => {
                    i32::from(from.row) - i32::from(to.row)
                }
                Move::Step { from, .. } => -i32::from(from.row),
                Move::Pass => 0,
            };
            moves.push(promise, mv);
        }
        (low, high)
    }
}

impl FoxAndHounds {
    /// Bits that the number of a square needs: at most 7.
    fn square_bits(&self) -> u32 {
        (u32::from(self.size) * u32::from(self.half()) - 1).ilog2() + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::Conform;
    use crate::family::specification;

    fn game(given: &[(&str, &str)]) -> Result<FoxAndHounds, Invalid> {
        FoxAndHounds::create(&Args::new(&FoxAndHounds::ABOUT, given.iter().copied())?)
    }

    #[test]
    fn keeps_its_promises() {
        for size in ["4", "6", "8", "10", "12", "14", "16"] {
            for stuck in ["draw", "pass", "lose"] {
                for first in ["fox", "hounds"] {
                    let game = game(&[("size", size), ("stuck", stuck), ("first", first)]).unwrap();
                    let conform = Conform::sampled(&game, 1000, 7);
                    let conform = conform
                        .notation()
                        .picture()
                        .acyclic()
                        .encode_merged()
                        .symmetry()
                        .indexed()
                        .measured_numbers();
                    let conform = if game.is_acyclic() { conform.banded() } else { conform };
                    let conform = if game.is_acyclic() { conform.search_hints() } else { conform };
                    let report = conform.finish();
                    report.unwrap_or_else(|broken| panic!("{}: {broken}", specification(&game)));
                }
            }
        }
    }

    #[test]
    fn the_fox_starts_right_of_the_middle() {
        let columns = |size: &str| game(&[("size", size)]).unwrap().arguments()[3].clone();
        let starts = ["4", "6", "8", "10", "16"].map(columns);
        assert_eq!(starts, ["d", "d", "f", "f", "j"]);
        let game = game(&[]).unwrap();
        assert_eq!(specification(&game), "fox-and-hounds(size=8,stuck=draw,first=fox,fox=f)");
        assert_eq!(game.format(&game.start()), "h:a1,c1,e1,g1 f:f8 fox");
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for (given, expected) in [
            (("size", "5"), "4, 6, 8, 10"),
            (("size", "18"), "4, 6, 8, 10"),
            (("size", "x"), "4, 6, 8, 10"),
            (("fox", "a"), "one of b, d, f, h"),
            (("stuck", "win"), "draw, pass, lose"),
            (("hounds", "4"), "size, stuck, first, fox"),
        ] {
            let error = game(&[given]).unwrap_err();
            assert!(error.expected.contains(expected), "{given:?}: {error}");
        }
    }

    #[test]
    fn the_three_readings_of_hounds_that_cannot_move() {
        // All four hounds on row 8 but the fox: nothing can move but the fox.
        let text = "h:b8,d8,f8,h8 f:d4 hounds";
        for (stuck, outcome) in [
            ("draw", Some(Outcome::DRAW)),
            ("pass", None),
            ("lose", Some(Outcome::win(Side::First))),
        ] {
            let game = game(&[("stuck", stuck)]).unwrap();
            let state = game.parse(text).unwrap();
            assert_eq!(game.outcome(&state), outcome, "{stuck}");
            let moves: Vec<_> = game.moves(&state).map(|mv| mv.to_string()).collect();
            assert_eq!(moves, ["pass"]);
            assert_eq!(game.turn(&game.play(&state, Move::Pass)), Side::First);
        }
    }

    #[test]
    fn bad_positions_are_refused() {
        let game = game(&[]).unwrap();
        for (text, expected) in [
            ("", "hounds, fox and side"),
            ("h:a1,c1,e1 f:f8 fox", "4 hounds"),
            ("h:a1,a1,e1,g1 f:f8 fox", "4 hounds"),
            ("h:a1,c1,e1,g1 f:a1 fox", "without a hound"),
            ("h:a1,c1,e1,g1 f:f7 fox", "dark square"),
            ("h:a1,c1,e1,g1 f:z9 fox", "dark square"),
            ("h:a1,c1,e1,g1 f:f+8 fox", "dark square"),
            ("h:a1,c1,e1,g1 f:é8 fox", "dark square"),
            ("h:a1,c1,e1,g1 f:f8 wolf", "fox or hounds"),
        ] {
            let error = game.parse(text).unwrap_err();
            assert!(error.expected.contains(expected), "{text}: {error}");
        }
    }
}
