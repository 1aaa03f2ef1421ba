//! Kalah (Kalaha), with any number of pits to 8 and of stones to 12, and the published endings.
//!
//! **Rules.** Each player has a row of pits and a store on the right. A move takes all stones of
//! one own pit and sows them one by one to the right: over the own pits, into the own store, over
//! the opponent's pits, past the opponent's store, and round again, the emptied pit included. The
//! last stone in the own store gives another turn. The last stone in an own pit that was empty is
//! taken to the own store together with the stones of the pit opposite: with `capture=always` also
//! where that one is empty, with `capture=nonempty` only where it is not.
//!
//! With `end=either` the game is over after a move that leaves either side's pits all empty, with
//! `end=mover` only when the player to move has no stones. The stones left then go to the side
//! they lie on (`rest=owner`), to the player who moved last (`rest=mover`), or to nobody
//! (`rest=none`). The score is the difference of the stores; a ply is one sowing.
//!
//! **Which variant is whose.**
//!
//! | capture | end | rest | |
//! | --- | --- | --- | --- |
//! | always | either | owner | the default: Gyldenbrand 2017, the founding text; gives the values of Irving, Donkers and Uiterwijk, *Solving Kalah* (2000) |
//! | nonempty | either | owner | the usual book rule, that of Wikipedia's article on Kalah |
//! | either one | mover | owner | rules that end the game "when the player to move cannot", the opponent keeping what is left on the own side |
//! | either one | either one | mover | rules by which who ends the game takes what is left |
//! | either one | either one | none | rules that count the stores alone |
//!
//! The last three rows are told in many ways, on boxes and on pages, without one author to name.
//!
//! **Moves** are the number of the pit, from 1, counted from the mover's left: 1 is farthest from
//! the own store. **Positions** are the first player's pits and store, the second player's pits and
//! store, and the side to move: `4 0 2 0 0 1 15 2 10 0 2 0 13 22 first` (at most 255 stones).
//!
//! **Known.** Under the default rules the first player's best result is 2, 6, 8 stones on (4,1),
//! (4,2), (4,3), 0 on (5,1) and (5,2), and 10 on (6,4) (Irving, Donkers and Uiterwijk 2000).
//!
//! A side's pits are the bytes of one word, so that a sowing is an addition of two words that are
//! looked up, however many stones it sows.

use std::fmt;
use std::sync::OnceLock;

use super::rows::{Class, Rows};
use super::squares::parse_side;
use crate::bands::{Band, BandMove, Banded, Block, Loose, Places};
use crate::drawing::Drawing;
use crate::family::{About, Args, Family, Invalid, Kind, Parameter};
use crate::game::{Game, Outcome, Side, Value};
use crate::promise::{
    Candidates, Evaluate, Foresight, Indexed, Notation, Order, Packed, Picture, Ranked, Reduce,
    Reduced,
};
use crate::scene::{Area, Ink, Scene, Shape};

/// When the last stone takes the pit opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// Always; where that is empty, the last stone alone goes to the store.
    Always,
    /// Only when there are stones in it.
    Nonempty,
}

/// When the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As soon as either side's pits are all empty.
    Either,
    /// When the player to move has no stones.
    Mover,
}

/// Who gets the stones that are left in the pits at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The player on whose side they lie.
    Owner,
    /// The player who moved last.
    Mover,
    /// Nobody.
    None,
}

const SIDES: [&str; 2] = ["first", "second"];
const CAPTURES: [(&str, Capture); 2] =
    [("always", Capture::Always), ("nonempty", Capture::Nonempty)];
const ENDS: [(&str, End); 2] = [("either", End::Either), ("mover", End::Mover)];
const RESTS: [(&str, Rest); 3] =
    [("owner", Rest::Owner), ("mover", Rest::Mover), ("none", Rest::None)];

/// With so few stones left in the pits a position is near the end of the game.
const NEAR: u8 = 6;

/// What a sowing of fewer stones than a whole round adds, seen by the mover.
#[derive(Clone, Copy, Debug, Default)]
struct Sowing {
    own: u64,
    store: u8,
    other: u64,
}

/// Kalah; see the file's text for its rules.
#[derive(Clone, Debug)]
pub struct Kalah {
    pits: u8,
    stones: u8,
    capture: Capture,
    end: End,
    rest: Rest,
    /// By pit and number of stones, the latter below a whole round.
    sowings: Vec<[Sowing; Kalah::LONGEST_ROUND]>,
    /// By pit, counted over both sides, and number of stones up to it: how many sets of so many
    /// ends of pits there are among the things before.
    sets: Vec<[u64; Kalah::MOST_STONES as usize + 2]>,
    rows: OnceLock<Rows>,
    /// By stones: see [`Kalah::less`].
    less: Vec<OnceLock<Vec<u64>>>,
}

/// A position of [`Kalah`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// A byte for each pit, the leftmost (as its owner sees it) lowest.
    pits: [u64; 2],
    stores: [u8; 2],
    turn: Side,
}

/// A pit of the mover, from 0; shown from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pit(u8);

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// The stones of a pit in a row of pits.
#[inline]
const fn stones_in(row: u64, pit: u8) -> u8 {
    (row >> (8 * pit)) as u8
}

/// How many stones a row of pits holds, where that is at most 255.
#[inline]
const fn stones_of(row: u64) -> u8 {
    // The highest byte of the product is the sum of all bytes.
    (row.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

impl Kalah {
    const MOST_PITS: usize = 8;
    /// Pits of both sides, and the own store.
    const LONGEST_ROUND: usize = 2 * Kalah::MOST_PITS + 1;
    const MOST_STONES: u32 = 255;
    /// Stands for all numbers that are larger; the sum of one for each pit is still a number.
    const MANY: u64 = u64::MAX / 32;
    /// With more stones left search does not number a position: tables of so many would be larger than memory.
    const MOST_NUMBERED: usize = 23;

    /// The game with so many pits on a side and so many stones in each.
    fn new(pits: u8, stones: u8, capture: Capture, end: End, rest: Rest) -> Kalah {
        let sowing = |from: usize, stones: usize| {
            let mut sowing = Sowing::default();
            for spot in (from + 1..=from + stones).map(|spot| spot % (2 * usize::from(pits) + 1)) {
                match spot.checked_sub(usize::from(pits)) {
                    None => sowing.own += 1 << (8 * spot),
                    Some(0) => sowing.store += 1,
                    Some(beyond) => sowing.other += 1 << (8 * (beyond - 1)),
                }
            }
            sowing
        };
        let round = 2 * usize::from(pits) + 1;
        let sowings = (0..usize::from(pits))
            .map(|from| std::array::from_fn(|stones| sowing(from, stones % round)))
            .collect();
        let sets = (0..2 * u64::from(pits)).map(|pit| {
            let sets = |stones: usize| {
                let things = u128::from(pit) + stones as u128;
                let choose = |sets, nth| sets * things.saturating_sub(nth) / (nth + 1);
                let sets = (0..=u128::from(pit)).fold(1u128, choose);
                sets.min(u128::from(Kalah::MANY)) as u64
            };
            std::array::from_fn(sets)
        });
        let sets = sets.collect();
        let less = vec![OnceLock::new(); 2 * usize::from(pits) * usize::from(stones) + 1];
        Kalah { pits, stones, capture, end, rest, sowings, sets, rows: OnceLock::new(), less }
    }

    const fn round(&self) -> u8 {
        2 * self.pits + 1
    }

    /// Where the last stone of a pit falls: on an own pit, the own store, or beyond.
    #[inline]
    const fn landing(&self, pit: u8, stones: u8) -> u8 {
        let part = if stones < self.round() { stones } else { stones % self.round() };
        let last = pit + part;
        if last < self.round() { last } else { last - self.round() }
    }

    /// The number of a position among all with as many pits, whoever has banked what.
    #[inline]
    fn place(&self, state: &State) -> u64 {
        // Every byte becomes the sum of those up to it.
        let sums = |row: u64| row.wrapping_mul(0x0101_0101_0101_0101);
        let [own, other] = Kalah::rows(state).map(sums);
        let held = stones_in(own, self.pits - 1);
        let (first, second) = self.sets.split_at(usize::from(self.pits));
        let row = |sets: &[[u64; Kalah::MOST_STONES as usize + 2]], sums: u64, before: u8| -> u64 {
            let sets = (0u8..).zip(sets);
            sets.map(|(pit, sets)| sets[usize::from(before.wrapping_add(stones_in(sums, pit)))])
                .sum()
        };
        row(first, own, 0) + row(second, other, held)
    }

    /// How many positions have fewer stones left in their pits.
    #[inline]
    fn fewer(&self, stones: u32) -> u64 {
        self.sets[2 * usize::from(self.pits) - 1][stones as usize]
    }

    /// A row with one stone in every pit.
    const fn ones(&self) -> u64 {
        0x0101_0101_0101_0101 >> (8 * (Kalah::MOST_PITS as u8 - self.pits))
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        match self.end {
            End::Either => state.pits[0] == 0 || state.pits[1] == 0,
            End::Mover => state.pits[state.turn.index()] == 0,
        }
    }

    /// A position that is over, with the stones left in the pits put where they belong. It would
    /// be the other player's turn, also after a last stone in the store.
    fn swept(&self, state: &State, last_mover: Side) -> State {
        let mut swept = State { pits: [0, 0], turn: last_mover.other(), ..*state };
        for side in Side::BOTH {
            let left = stones_of(state.pits[side.index()]);
            match self.rest {
                Rest::Owner => swept.stores[side.index()] += left,
                Rest::Mover => swept.stores[last_mover.index()] += left,
                Rest::None => {}
            }
        }
        swept
    }

    /// The pits of the mover and of the other side.
    #[inline]
    fn rows(state: &State) -> [u64; 2] {
        [state.turn, state.turn.other()].map(|side| state.pits[side.index()])
    }

    /// The stores' difference, as the mover sees it.
    #[inline]
    fn banked(state: &State) -> Value {
        Outcome(Kalah::lead(state)).value_for(state.turn)
    }

    /// The stores' difference, as the first player sees it.
    fn lead(state: &State) -> i32 {
        i32::from(state.stores[0]) - i32::from(state.stores[1])
    }
}

impl Game for Kalah {
    type State = State;
    type Move = Pit;

    fn start(&self) -> State {
        let row = self.ones() * u64::from(self.stones);
        State { pits: [row, row], stores: [0, 0], turn: Side::First }
    }

    #[inline]
    fn turn(&self, state: &State) -> Side {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.is_over(state).then(|| Outcome(Kalah::lead(state)))
    }

    #[inline]
    fn moves(&self, state: &State) -> impl Iterator<Item = Pit> {
        let row = state.pits[state.turn.index()];
        (0..self.pits).filter(move |&pit| stones_in(row, pit) != 0).map(Pit)
    }

    #[inline]
    fn play(&self, state: &State, Pit(pit): Pit) -> State {
        let mover = state.turn;
        let [mut own, mut other] = [mover, mover.other()].map(|side| state.pits[side.index()]);
        let stones = stones_in(own, pit);
        // A division takes longer than all the rest.
        let (rounds, part) = match stones < self.round() {
            true => (0, stones),
            false => (stones / self.round(), stones % self.round()),
        };
        let sowing = &self.sowings[usize::from(pit)][usize::from(part)];
        let whole = self.ones() * u64::from(rounds);
        own = (own & !(0xff << (8 * pit))) + whole + sowing.own;
        other += whole + sowing.other;
        let mut store = state.stores[mover.index()] + rounds + sowing.store;

        let last = self.landing(pit, part);
        if last < self.pits && stones_in(own, last) == 1 {
            let opposite = self.pits - 1 - last;
            let taken = stones_in(other, opposite);
            if taken > 0 || self.capture == Capture::Always {
                own &= !(0xff << (8 * last));
                other &= !(0xff << (8 * opposite));
                store += taken + 1;
            }
        }
        let turn = if last == self.pits { mover } else { mover.other() };
        let mut next = State { pits: [own, other], stores: state.stores, turn };
        if mover == Side::Second {
            next.pits.swap(0, 1);
        }
        next.stores[mover.index()] = store;
        if self.is_over(&next) { self.swept(&next, mover) } else { next }
    }
}

impl Family for Kalah {
    const ABOUT: About = About {
        name: "kalah",
        summary: "sow stones around the pits, gather most in your store",
        rules: "Each player has a row of pits and a store on the right. A move takes all stones of \
                one own pit and sows them one by one to the right: over the own pits, into the own \
                store, over the opponent's pits, past the opponent's store, and round again. The \
                last stone in the own store gives another turn. The last stone in an own pit that \
                was empty is taken to the own store, together with the stones of the pit opposite \
                (with capture=nonempty, only where there are any). The game is over after a move \
                that leaves a side without stones in its pits (with end=mover, when the player to \
                move has none); what is left goes to the side it lies on (rest=owner), to who \
                moved last (mover) or to nobody (none). The score is the difference of the \
                stores.",
        move_notation: "the number of the pit from 1, counted from the mover's left (1 is farthest \
                        from the own store)",
        position_notation: "first player's pits and store, second player's pits and store, side to \
                            move: `4 0 2 0 0 1 15 2 10 0 2 0 13 22 first`",
        known: "With the default rules the first player wins by 2, 6, 8 on (4,1), (4,2), (4,3), \
                draws on (5,1) and (5,2), and wins by 10 on (6,4) (Irving, Donkers and Uiterwijk \
                2000).",
        unit: "stones",
        parameters: &[
            Parameter {
                name: "pits",
                kind: Kind::Number { min: 1, max: 8, step: 1 },
                default: "6",
                meaning: "pits on a side",
            },
            Parameter {
                name: "stones",
                kind: Kind::Number { min: 1, max: 12, step: 1 },
                default: "4",
                meaning: "stones in each pit at the start",
            },
            Parameter {
                name: "capture",
                kind: Kind::Choice(&["always", "nonempty"]),
                default: "always",
                meaning: "whether a last stone is taken also when the pit opposite is empty",
            },
            Parameter {
                name: "end",
                kind: Kind::Choice(&["either", "mover"]),
                default: "either",
                meaning: "over when either side is empty, or only the side to move",
            },
            Parameter {
                name: "rest",
                kind: Kind::Choice(&["owner", "mover", "none"]),
                default: "owner",
                meaning: "who gets the stones left: their side, who moved last, nobody",
            },
        ],
    };

    fn create(args: &Args) -> Result<Kalah, Invalid> {
        let number = |name| args.number(name) as u8;
        let (capture, end, rest) =
            (args.choice("capture"), args.choice("end"), args.choice("rest"));
        let (capture, end, rest) = (CAPTURES[capture].1, ENDS[end].1, RESTS[rest].1);
        Ok(Kalah::new(number("pits"), number("stones"), capture, end, rest))
    }

    fn arguments(&self) -> Vec<String> {
        fn name<T: PartialEq>(names: &[(&str, T)], value: T) -> String {
            names.iter().find(|(_, each)| *each == value).map_or("", |(name, _)| name).to_owned()
        }
        vec![
            self.pits.to_string(),
            self.stones.to_string(),
            name(&CAPTURES, self.capture),
            name(&ENDS, self.end),
            name(&RESTS, self.rest),
        ]
    }
}

impl Notation for Kalah {
    fn format(&self, state: &State) -> String {
        let mut numbers = Vec::new();
        for side in 0..2 {
            numbers.extend((0..self.pits).map(|pit| stones_in(state.pits[side], pit)));
            numbers.push(state.stores[side]);
        }
        let numbers: Vec<_> = numbers.iter().map(u8::to_string).collect();
        format!("{} {}", numbers.join(" "), SIDES[state.turn.index()])
    }

    /// Commas and square brackets count as spaces. In a position that is over, stones that still
    /// lie in the pits are put where they belong; the player who moved last is then taken to be
    /// the one who is not to move.
    fn parse(&self, text: &str) -> Result<State, Invalid> {
        let words = text.split(|c: char| c.is_whitespace() || "[],".contains(c));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let pits = usize::from(self.pits);
        let form = || {
            format!(
                "{} numbers (pits and store of the first player, then of the second) and the side \
                 to move, such as `{}`",
                2 * pits + 2,
                self.format(&self.start())
            )
        };
        let Some((side, numbers)) = words.split_last() else {
            return Err(Invalid::new(text, form()));
        };
        if numbers.len() != 2 * pits + 2 {
            return Err(Invalid::new(text, form()));
        }
        let turn = parse_side(side, SIDES)?;
        let mut total = 0;
        let mut counts = Vec::with_capacity(numbers.len());
        for number in numbers {
            let plain = number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit());
            let count: u32 = number.parse().ok().filter(|_| plain).ok_or_else(|| {
                Invalid::new(*number, format!("a number of stones, at most {}", Kalah::MOST_STONES))
            })?;
            total += count;
            counts.push(count as u8);
        }
        if total > Kalah::MOST_STONES {
            let expected = format!("at most {} stones in all", Kalah::MOST_STONES);
            return Err(Invalid::new(format!("{total} stones"), expected));
        }
        let (first, second) = counts.split_at(pits + 1);
        let row = |side: &[u8]| {
            side[..pits].iter().rev().fold(0u64, |row, stones| row << 8 | u64::from(*stones))
        };
        let stores = [first[pits], second[pits]];
        let state = State { pits: [row(first), row(second)], stores, turn };
        Ok(if self.is_over(&state) { self.swept(&state, turn.other()) } else { state })
    }
}

impl Picture for Kalah {
    /// The founding text's three lines: the second player's pits from right to left, the stores,
    /// the first player's pits.
    fn draw(&self, state: &State) -> Drawing {
        let total: u32 = state
            .pits
            .iter()
            .map(|row| u32::from(stones_of(*row)))
            .chain(state.stores.iter().map(|store| u32::from(*store)))
            .sum();
        let width = total.to_string().len();
        let number = |stones: u8| format!("{stones:>width$}");
        let row =
            |side: usize| (0..self.pits).map(move |pit| number(stones_in(state.pits[side], pit)));
        let margin = " ".repeat(width);
        let join = |pits: Vec<String>| format!("{margin} {}", pits.join(" "));
        let gap = " ".repeat(usize::from(self.pits) * (width + 1) + 1);
        Drawing::Lines(vec![
            join(row(1).rev().collect()),
            format!("{}{gap}{}", number(state.stores[1]), number(state.stores[0])),
            join(row(0).collect()),
        ])
    }

    /// The first player's pits are below, from left to right, its store on the right.
    fn scene(&self, state: &State) -> Scene {
        let pits = usize::from(self.pits);
        let mut scene = Scene::new(pits as f32 + 2.4, 2.9);
        let board = Area::new(0.0, 0.3, scene.width, 2.3);
        scene.shapes.push(Shape::Plate(board, 0.4, Ink::Board));
        for side in Side::BOTH {
            let own = side.index();
            for pit in 0..self.pits {
                let stones = stones_in(state.pits[own], pit);
                let (column, row) = match side {
                    Side::First => (usize::from(pit), 1),
                    Side::Second => (pits - 1 - usize::from(pit), 0),
                };
                let square = Area::square(column, row);
                let area = Area { x: square.x + 1.2, y: square.y + 0.45, ..square };
                scene.shapes.push(Shape::Disc(area.middle(), 0.44, Ink::Hollow));
                seeds(&mut scene, area.within(0.1), stones);
                let y = if row == 0 { 0.15 } else { 2.75 };
                let label = stones.to_string();
                scene.shapes.push(Shape::Text([area.middle()[0], y], 0.26, label, Ink::Label));
                let name = format!("pit {} of {}: {stones}", pit + 1, SIDES[own]);
                let corner = Area { x: area.x - 0.04, y: area.y - 0.06, ..area };
                scene.corner(corner, (pit + 1).to_string());
                scene.place(name, area, stones > 0);
            }
        }
        for side in Side::BOTH {
            let stones = state.stores[side.index()];
            let x = if side == Side::First { scene.width - 1.1 } else { 0.1 };
            let area = Area::new(x, 0.45, 1.0, 2.0);
            scene.shapes.push(Shape::Plate(area.within(0.08), 0.4, Ink::Hollow));
            seeds(&mut scene, Area { height: 1.5, ..area }.within(0.12), stones);
            let middle = [area.middle()[0], 2.1];
            scene.shapes.push(Shape::Text(middle, 0.36, stones.to_string(), Ink::Of(side)));
            scene.place(format!("store of {}: {stones}", SIDES[side.index()]), area, true);
        }
        scene
    }

    fn picks(&self, state: &State, Pit(pit): Pit) -> Vec<usize> {
        vec![usize::from(pit) + state.turn.index() * usize::from(self.pits)]
    }

    /// Where the last stone falls.
    fn lands(&self, state: &State, Pit(pit): Pit) -> Option<usize> {
        let pits = usize::from(self.pits);
        let last = self.landing(pit, stones_in(state.pits[state.turn.index()], pit));
        let (own, other) = (state.turn.index(), state.turn.other().index());
        Some(match usize::from(last) {
            pit if pit < pits => own * pits + pit,
            store if store == pits => 2 * pits + own,
            beyond => other * pits + beyond - pits - 1,
        })
    }
}

/// So many stones in an area, in rows; as a heap of many where they would be too small.
fn seeds(scene: &mut Scene, area: Area, stones: u8) {
    const MOST: u8 = 30;
    let stones = stones.min(MOST);
    let fits = |columns: &usize| {
        let size = area.width / *columns as f32;
        (area.height / size) as usize * columns >= usize::from(stones)
    };
    let columns = (2..).find(fits).unwrap_or(2);
    let size = area.width / columns as f32;
    let rows = usize::from(stones).div_ceil(columns);
    let top = area.middle()[1] - rows as f32 * size / 2.0;
    for nth in 0..usize::from(stones) {
        let in_row = columns.min(usize::from(stones) - nth / columns * columns);
        let left = area.middle()[0] - in_row as f32 * size / 2.0;
        let x = left + ((nth % columns) as f32 + 0.5) * size;
        let y = top + ((nth / columns) as f32 + 0.5) * size;
        scene.shapes.push(Shape::Disc([x, y], size.min(0.3) * 0.42, Ink::Seed));
    }
}

impl Ranked for Kalah {
    /// Stones leave the pits for good; a sowing that lets none go moves all of its stones nearer
    /// to the store.
    fn rank(&self, state: &State) -> u32 {
        let mut left = 0;
        let mut nearness = 0;
        for row in state.pits {
            for pit in 0..self.pits {
                let stones = u32::from(stones_in(row, pit));
                left += stones;
                nearness += stones * u32::from(pit);
            }
        }
        (Kalah::MOST_STONES - left) * (Kalah::MOST_STONES * Kalah::MOST_PITS as u32) + nearness
    }
}

impl Evaluate for Kalah {
    /// The difference of the stores.
    fn evaluate(&self, state: &State) -> Outcome {
        Outcome(Kalah::lead(state))
    }
}

impl Packed for Kalah {
    fn bits(&self) -> u32 {
        16 * u32::from(self.pits)
    }

    /// The pits of the representative, whose stores are empty and whose first player is to move.
    #[inline]
    fn pack(&self, state: &State) -> u128 {
        u128::from(state.pits[1]) << (8 * self.pits) | u128::from(state.pits[0])
    }

    fn unpack(&self, packed: u128) -> State {
        let row = |packed: u128| packed as u64 & (self.ones() * 0xff);
        let pits = [row(packed), row(packed >> (8 * self.pits))];
        State { pits, stores: [0, 0], turn: Side::First }
    }
}

impl Reduce for Kalah {
    /// The same pits with the mover as the first player, nothing banked yet.
    #[inline]
    fn reduce(&self, state: &State) -> Reduced<State> {
        let offset = Kalah::banked(state);
        let state = State { pits: Kalah::rows(state), stores: [0, 0], turn: Side::First };
        Reduced { state, offset }
    }
}

impl Kalah {
    /// How the rows of either side are numbered, made when first asked for.
    #[inline]
    fn numbered(&self) -> &Rows {
        let most = 2 * u32::from(self.pits) * u32::from(self.stones);
        self.rows.get_or_init(|| Rows::new(self.pits.into(), most))
    }

    /// The first number, in the layer of all their stones, of the positions whose mover has a row of
    /// one class and whose other side has one of another. Rows of all classes go by the mover's
    /// stones, then by the other side's row, then by the mover's, class by class: a tile of two
    /// classes lies in one piece.
    #[inline]
    fn tile(&self, own: Class, other: Class) -> u64 {
        let rows = self.numbered();
        let before = rows.before(own).wrapping_mul(rows.all(other.stones));
        self.less(own.stones + other.stones)[own.stones as usize]
            .wrapping_add(before)
            .wrapping_add(rows.len(own).wrapping_mul(rows.before(other)))
    }

    /// For so many stones, by those of the mover: how many positions there are with less of them on
    /// the mover's side.
    #[inline]
    fn less(&self, stones: u32) -> &[u64] {
        self.less[stones as usize].get_or_init(|| {
            let rows = self.numbered();
            let mut sum = 0;
            let with = |own: u32| {
                let before = sum;
                // Layers that have more have no numbers.
                sum = rows.all(own).wrapping_mul(rows.all(stones - own)).wrapping_add(before);
                before
            };
            (0..=stones).map(with).collect()
        })
    }

    /// The classes of the tile that a number is in.
    fn tile_of(&self, layer: u32, index: u64) -> [Class; 2] {
        let rows = self.numbered();
        let less = self.less(layer);
        let stones = less.partition_point(|less| *less <= index) as u32 - 1;
        let index = index - less[stones as usize];
        let all = rows.all(layer - stones);
        let own = rows.class(stones, index / all);
        let number = (index - rows.before(own) * all) / rows.len(own);
        [own, rows.class(layer - stones, number)]
    }

    /// The position with these rows, the mover's first, and nothing banked.
    const fn with_rows(own: u64, other: u64) -> State {
        State { pits: [own, other], stores: [0, 0], turn: Side::First }
    }

    /// What a move that many positions share leads to, by what is left of the rows: the layer, the
    /// number of the place 0 and from one to the next, whether the turn passes, and what is gained.
    /// The places are those of the other side's row in its class.
    #[inline]
    fn led_to(
        &self,
        (own, place): (Class, u64),
        other: Class,
        again: bool,
        gain: u32,
    ) -> BandMove<'_> {
        let over = match self.end {
            End::Either => own.stones == 0 || other.stones == 0,
            // Who moves next has none left.
            End::Mover => [other, own][usize::from(again)].stones == 0,
        };
        let places = Places::Same;
        let gain = gain as i32;
        if over {
            // Swept: what is left is gained or lost, and it is the other side's turn.
            let [own, other] = [own, other].map(|class| class.stones as i32);
            let gain = gain
                + match self.rest {
                    Rest::Owner => own - other,
                    Rest::Mover => own + other,
                    Rest::None => 0,
                };
            return BandMove { layer: 0, first: 0, step: 0, passes: true, gain, places };
        }
        let layer = own.stones + other.stones;
        match again {
            true => {
                let first = self.tile(own, other) + place;
                let step = self.numbered().len(own);
                BandMove { layer, first, step, passes: false, gain, places }
            }
            false => {
                let first = self.tile(other, own) + place * self.numbered().len(other);
                BandMove { layer, first, step: 1, passes: true, gain, places }
            }
        }
    }

    /// The moves of a pit of all positions that have this row of the mover, and a row of one class on
    /// the other side.
    fn common<'g>(&'g self, band: &mut Band<'g>, own: u64, other: Class, pit: u8) {
        let stones = stones_in(own, pit);
        let rows = self.numbered();
        let sowing = &self.sowings[usize::from(pit)][usize::from(stones)];
        let sown = (own & !(0xff << (8 * pit))) + sowing.own;
        let last = self.landing(pit, stones);
        let gain = u32::from(sowing.store);
        if last < self.pits && stones_in(sown, last) == 1 {
            let opposite = self.pits - 1 - last;
            let left = rows.place(sown & !(0xff << (8 * last)));
            for taken in 0..=other.stones {
                if taken * u32::from(opposite) > other.near {
                    break;
                }
                let pairs = rows.without(other, opposite.into(), taken);
                if pairs.is_empty() {
                    continue;
                }
                let takes = taken > 0 || self.capture == Capture::Always;
                let (left, gain) =
                    if takes { (left, gain + taken + 1) } else { (rows.place(sown), gain) };
                let mv = self.led_to(left, other.without(opposite.into(), taken), false, gain);
                band.moves.push(BandMove { places: Places::Pairs(pairs), ..mv });
            }
            return;
        }
        let sown = rows.place(sown);
        // So many stones go beyond the own store.
        let beyond = u32::from(stones).saturating_sub(u32::from(self.pits - pit));
        let mv = self.led_to(sown, other.with_more(beyond), last == self.pits, gain);
        let places = match beyond {
            0 => Places::Same,
            beyond => Places::To(rows.more(other, beyond)),
        };
        band.moves.push(BandMove { places, ..mv });
    }
}

impl Indexed for Kalah {
    /// The stones left in the pits.
    fn layers(&self) -> u32 {
        2 * u32::from(self.pits) * u32::from(self.stones) + 1
    }

    fn size(&self, layer: u32) -> u64 {
        let all = self.fewer(layer + 1);
        if all >= Kalah::MANY { u64::MAX } else { all - self.fewer(layer) }
    }

    #[inline]
    fn layer(&self, state: &State) -> u32 {
        state.pits.iter().map(|row| u32::from(stones_of(*row))).sum()
    }

    /// The pits, the mover's first; what is in the stores is banked.
    #[inline]
    fn index(&self, state: &State) -> (u32, u64) {
        let rows = self.numbered();
        let stones = self.layer(state);
        if stones >= self.layers() {
            // A position can be set up that has more stones than the game: it has no layer.
            return (stones, 0);
        }
        let [(own, own_place), (other, other_place)] =
            Kalah::rows(state).map(|row| rows.place(row));
        let place = other_place.wrapping_mul(rows.len(own)).wrapping_add(own_place);
        let index = self.tile(own, other).wrapping_add(place);
        (own.stones + other.stones, index)
    }

    fn state(&self, layer: u32, index: u64) -> Option<State> {
        let rows = self.numbered();
        let [own, other] = self.tile_of(layer, index);
        let place = index - self.tile(own, other);
        let (own_place, other_place) = (place % rows.len(own), place / rows.len(own));
        Some(Kalah::with_rows(rows.row(own, own_place), rows.row(other, other_place)))
    }

    fn banked(&self, state: &State) -> Value {
        Kalah::banked(state)
    }

    fn banks(&self) -> bool {
        true
    }
}

impl Banded for Kalah {
    /// All stones left.
    fn most(&self, layers: u32) -> i32 {
        layers as i32
    }

    /// Tiles, those first whose stones lie nearest to the stores: a sowing that banks nothing brings
    /// them nearer.
    fn blocks(&self, layer: u32) -> Vec<Block> {
        let rows = self.numbered();
        let nearest = rows.nearest(layer);
        let mut blocks = Vec::new();
        for (wave, near) in (0..=nearest).rev().enumerate() {
            for stones in 0..=layer {
                let others = rows.nearest(layer - stones);
                for own in near.saturating_sub(others)..=near.min(rows.nearest(stones)) {
                    let own = Class { stones, near: own };
                    let other = Class { stones: layer - stones, near: near - own.near };
                    let (begin, size) = (self.tile(own, other), rows.len(own) * rows.len(other));
                    if size > 0 {
                        blocks.push(Block { wave: wave as u32, numbers: begin..begin + size });
                    }
                }
            }
        }
        blocks
    }

    /// A row of the mover with all rows of a class on the other side is a band.
    fn bands<'g>(&'g self, layer: u32, block: &Block, visit: &mut dyn FnMut(&Band<'g>)) {
        let rows = self.numbered();
        let [own, other] = self.tile_of(layer, block.numbers.start);
        let over = own.stones == 0 || self.end == End::Either && other.stones == 0;
        let (step, len) = (rows.len(own), rows.len(other) as u32);
        let mut band = Band::default();
        for (row, first) in
            rows.told(own.stones).rows[rows.places(own)].iter().zip(block.numbers.start..)
        {
            band.begin(first, step, len);
            if over {
                band.over.extend((0..len).map(|place| (place, Value(0))));
                visit(&band);
                continue;
            }
            for pit in (0..self.pits).filter(|pit| stones_in(*row, *pit) > 0) {
                if stones_in(*row, pit) <= 2 * self.pits - pit {
                    self.common(&mut band, *row, other, pit);
                    continue;
                }
                // Round to the own side again: too much changes, and it is rare.
                for (place, other) in (0..).zip(&rows.told(other.stones).rows[rows.places(other)]) {
                    let state = Kalah::with_rows(*row, *other);
                    let next = self.play(&state, Pit(pit));
                    let passes = next.turn != state.turn;
                    let gain = Kalah::lead(&next);
                    band.loose.push(Loose { place, to: self.index(&next), passes, gain });
                }
            }
            visit(&band);
        }
    }
}

impl Foresight for Kalah {
    /// Five bits a pit, four on the widest boards.
    fn key_bits(&self) -> u32 {
        2 * u32::from(self.pits) * self.pit_bits()
    }

    /// The pits, the mover's first; what is banked is the offset. Nothing where a pit holds too
    /// many stones.
    #[inline]
    fn key(&self, state: &State) -> Option<(u64, Value)> {
        let bits = self.pit_bits();
        let [own, other] = Kalah::rows(state);
        let too_many = self.ones() * (0xff << bits & 0xff);
        if (own | other) & too_many != 0 {
            return None;
        }
        // Bytes close up in pairs, these in fours, these in one of eight.
        let narrow = |row: u64| {
            let close = |row: u64, lanes: u64, width: u32, gap: u32| {
                let low = lanes * ((1 << width) - 1);
                row & low | row >> gap & low << width
            };
            let gap = 8 - bits;
            let row = close(row, 0x0001_0001_0001_0001, bits, gap);
            let row = close(row, 0x0000_0001_0000_0001, 2 * bits, 2 * gap);
            close(row, 1, 4 * bits, 4 * gap)
        };
        let key = narrow(other) << (u32::from(self.pits) * bits) | narrow(own);
        Some((key, Kalah::banked(state)))
    }

    #[inline]
    fn near_end(&self, state: &State) -> bool {
        state.pits.iter().map(|row| stones_of(*row)).sum::<u8>() <= NEAR
    }

    /// Stones and the ends of pits, the mover's first, as a row of things: which of them are ends
    /// of pits is a set, and sets have numbers (the combinatorial number system). All positions
    /// with fewer stones come before those with more.
    #[inline]
    fn number(&self, state: &State) -> Option<(u64, Value)> {
        let left: usize = state.pits.iter().map(|row| usize::from(stones_of(*row))).sum();
        (left <= Kalah::MOST_NUMBERED).then(|| (self.place(state), Kalah::banked(state)))
    }

    /// Counts stones in the pits.
    fn numbers(&self, left: u32) -> u64 {
        let sets = &self.sets[2 * usize::from(self.pits) - 1];
        sets[(left as usize + 1).min(Kalah::MOST_NUMBERED + 1)]
    }

    /// A pit of either side and the stones in it, many counting as 15.
    fn kinds(&self) -> usize {
        2 * Kalah::MOST_PITS * 16
    }

    #[inline]
    fn kind(&self, state: &State, Pit(pit): Pit) -> usize {
        let side = state.turn.index();
        let stones = usize::from(stones_in(state.pits[side], pit)).min(15);
        (side * Kalah::MOST_PITS + usize::from(pit)) * 16 + stones
    }

    /// What is banked, less or more all that is not.
    #[inline]
    fn hint(&self, state: &State) -> (Value, Value) {
        let Value(lead) = Kalah::banked(state);
        let left: i32 = state.pits.iter().map(|row| i32::from(stones_of(*row))).sum();
        (Value(lead - left), Value(lead + left))
    }

    /// The bounds of [`hint`](Foresight::hint). Moves that give another turn first, then those that
    /// take most; else better across the own store than not, with few stones for the other side,
    /// and from a pit near the store. (The weights were found by trying many on boards of 4 to 6
    /// pits; docs/performance.md tells what order is worth.)
    #[inline]
    fn foresee(&self, state: &State, moves: &mut Candidates<'_, Pit>) -> (Value, Value) {
        let [own, other] = Kalah::rows(state);
        for pit in 0..self.pits {
            let stones = stones_in(own, pit);
            if stones == 0 {
                continue;
            }
            let last = self.landing(pit, stones);
            let mut promise = i32::from(pit);
            if last == self.pits {
                promise += 158;
            } else if last < self.pits
                && stones <= self.round()
                && (last == pit || stones_in(own, last) == 0)
            {
                let taken = stones_in(other, self.pits - 1 - last);
                if taken > 0 || self.capture == Capture::Always {
                    promise += 3 + 31 * i32::from(taken);
                }
            }
            let beyond = i32::from(stones) - i32::from(self.pits - pit);
            if beyond > 0 {
                promise += 5 - beyond;
            }
            moves.push(promise, Pit(pit));
        }
        self.hint(state)
    }
}

impl Kalah {
    /// How many bits of a key a pit has.
    #[inline]
    fn pit_bits(&self) -> u32 {
        if self.pits <= 6 { 5 } else { 4 }
    }
}

impl Order for Kalah {
    /// Extra turns first, then pits near the store.
    #[inline]
    fn order(&self, state: &State, Pit(pit): Pit) -> i32 {
        let stones = stones_in(state.pits[state.turn.index()], pit);
        let extra = self.landing(pit, stones) == self.pits;
        i32::from(extra) * 100 + i32::from(pit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::Conform;
    use crate::family::specification;

    fn variants(pits: u8, stones: u8) -> impl Iterator<Item = Kalah> {
        let all = CAPTURES.iter().flat_map(|(_, capture)| {
            ENDS.iter().flat_map(move |(_, end)| RESTS.map(|(_, rest)| (*capture, *end, rest)))
        });
        all.map(move |(capture, end, rest)| Kalah::new(pits, stones, capture, end, rest))
    }

    #[test]
    fn keeps_its_promises() {
        for (pits, stones) in [(1, 1), (1, 12), (2, 2), (3, 3), (6, 4), (8, 12)] {
            for game in variants(pits, stones) {
                let conform = Conform::sampled(&game, 2000, 3).notation().picture().ranked();
                let conform = conform.evaluate().packed_reduced().reduce().order();
                // Of the largest boards not even the numbers have room.
                let numbered = (0..game.layers()).all(|layer| game.size(layer) < u64::MAX);
                assert_eq!(numbered, pits < 8);
                let conform = if numbered { conform.indexed().banded() } else { conform };
                let report = conform.foresight().finish();
                report.unwrap_or_else(|broken| panic!("{}: {broken}", specification(&game)));
            }
        }
    }

    /// The rules told plainly, stone by stone, to hold the wide additions against.
    fn plain(game: &Kalah, state: &State, pit: u8) -> State {
        let pits = usize::from(game.pits);
        let round = 2 * pits + 1;
        let mover = state.turn;
        let mut spots = vec![0u8; round];
        for at in 0..pits {
            spots[at] = stones_in(state.pits[mover.index()], at as u8);
            spots[pits + 1 + at] = stones_in(state.pits[mover.other().index()], at as u8);
        }
        spots[pits] = state.stores[mover.index()];
        let mut at = usize::from(pit);
        let mut hand = std::mem::take(&mut spots[at]);
        while hand > 0 {
            at = (at + 1) % round;
            spots[at] += 1;
            hand -= 1;
        }
        let opposite = 2 * pits - at.min(pits);
        let empty = spots[opposite] == 0;
        if at < pits && spots[at] == 1 && (game.capture == Capture::Always || !empty) {
            spots[pits] += 1 + std::mem::take(&mut spots[opposite]);
            spots[at] = 0;
        }
        let turn = if at == pits { mover } else { mover.other() };
        let own: u8 = spots[..pits].iter().sum();
        let other: u8 = spots[pits + 1..].iter().sum();
        let mut stores = [spots[pits], state.stores[mover.other().index()]];
        let over = match game.end {
            End::Either => own == 0 || other == 0,
            End::Mover => (if turn == mover { own } else { other }) == 0,
        };
        if over {
            match game.rest {
                Rest::Owner => {
                    stores[0] += own;
                    stores[1] += other;
                }
                Rest::Mover => stores[0] += own + other,
                Rest::None => {}
            }
            spots.fill(0);
        }
        let turn = if over { mover.other() } else { turn };
        let row = |from: usize| {
            (0..pits).rev().fold(0u64, |row, pit| row << 8 | u64::from(spots[from + pit]))
        };
        let mut next = State { pits: [row(0), row(pits + 1)], stores, turn };
        if mover == Side::Second {
            next.pits.swap(0, 1);
            next.stores.swap(0, 1);
        }
        next
    }

    #[test]
    fn a_sowing_as_an_addition_is_a_sowing_stone_by_stone() {
        for (pits, stones) in [(1, 1), (1, 9), (2, 5), (3, 2), (6, 4), (6, 12), (8, 12)] {
            for game in variants(pits, stones) {
                for sample in crate::sample::positions(&game, 1000, u64::from(stones)) {
                    if game.outcome(&sample.state).is_some() {
                        continue;
                    }
                    for Pit(pit) in game.moves(&sample.state) {
                        let expected = plain(&game, &sample.state, pit);
                        let found = game.play(&sample.state, Pit(pit));
                        let from = game.format(&sample.state);
                        assert_eq!(found, expected, "{} {from}: {pit}", specification(&game));
                    }
                }
            }
        }
    }

    #[test]
    fn positions_are_read_as_the_founding_text_writes_them() {
        let game = Kalah::new(2, 2, Capture::Always, End::Either, Rest::Owner);
        let state = game.parse("[0,1,3,0,2,2] second").unwrap();
        assert_eq!(game.format(&state), "0 1 3 0 2 2 second");
        // Over, so the stones left go to their side.
        let state = game.parse("0 0 3 0 2 2 first").unwrap();
        assert_eq!(game.format(&state), "0 0 3 0 0 4 first");
        for (text, expected) in [
            ("", "6 numbers"),
            ("1 2 3 first", "6 numbers"),
            ("0 1 3 0 2 2", "6 numbers"),
            ("0 1 3 0 2 2 third", "first or second"),
            ("0 1 3 0 -2 2 first", "a number of stones"),
            ("0 1 3 0 999999999999 2 first", "a number of stones"),
            ("100 100 100 0 2 2 first", "at most 255 stones in all"),
        ] {
            let error = game.parse(text).unwrap_err();
            assert!(error.expected.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn the_picture_is_three_aligned_lines() {
        let game = Kalah::new(6, 4, Capture::Always, End::Either, Rest::Owner);
        let state = game.parse("4 0 2 0 0 1 15 2 10 0 2 0 13 22 first").unwrap();
        let lines = "   13  0  2  0 10  2\n22                   15\n    4  0  2  0  0  1";
        assert_eq!(game.draw(&state).to_string(), lines);
    }
}
