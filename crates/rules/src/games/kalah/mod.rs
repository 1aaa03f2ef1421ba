//! Kalah (Kalaha), with any number of pits to 8 and of stones to 12, and the published endings.
//!
//! **Rules.** Each player has a row of pits and a store on the right. A move takes all stones of
//! one own pit and sows them one by one to the right: over the own pits, into the own store, over
//! the opponent's pits, past the opponent's store, and round again, the emptied pit included. The
//! last stone in the own store gives another turn. The last stone in an own pit that was empty is
//! taken to the own store together with the stones of the pit opposite: with `capture=always` also
//! where that one is empty, with `capture=nonempty` only if it is not.
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
//! looked up, however many stones it sows. What search makes of a position stands in `foresight`, its
//! number in a table in `numbers`.

mod foresight;
mod numbers;
mod rows;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::OnceLock;

use rows::Rows;

use super::squares::parse_side;
use crate::family::{About, Args, Family, Invalid, Kind, Parameter};
use crate::game::{Game, Outcome, Side, Value};
use crate::promise::{
    Acyclic, Banked, Encode, Evaluate, Indexed, Notation, Order, Picture, PointBank, Symmetry,
};
use crate::show::Drawing;
use crate::show::{Area, Ink, Scene, Shape};

/// When the last stone takes the pit opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// Always; if that is empty, the last stone alone goes to the store.
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

/// How many stones a row of pits holds, if that is at most 255.
#[inline]
const fn stones_of(row: u64) -> u8 {
    // The highest byte of the product is the sum of all bytes.
    (row.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

/// The sum over all pits of stones times the pit's number, where there are at most 255 stones.
#[inline]
const fn nearness_of(row: u64) -> u32 {
    // In lanes of 16 bits, the highest lane of each product is the sum over the even or the odd pits.
    let lanes = 0x00ff_00ff_00ff_00ff;
    let even = (row & lanes).wrapping_mul(0x0000_0002_0004_0006) >> 48;
    let odd = (row >> 8 & lanes).wrapping_mul(0x0001_0003_0005_0007) >> 48;
    (even + odd) as u32
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

    fn clicks(&self, state: &State, Pit(pit): Pit) -> Vec<usize> {
        vec![usize::from(pit) + state.turn.index() * usize::from(self.pits)]
    }

    /// Where the last stone falls.
    fn destination(&self, state: &State, Pit(pit): Pit) -> Option<usize> {
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

impl Acyclic for Kalah {
    /// Stones leave the pits for good; a sowing that lets none go moves all of its stones nearer
    /// to the store.
    fn progress(&self, state: &State) -> u32 {
        let left = self.layer(state);
        let nearness: u32 = state.pits.iter().map(|row| nearness_of(*row)).sum();
        (Kalah::MOST_STONES - left) * (Kalah::MOST_STONES * Kalah::MOST_PITS as u32) + nearness
    }
}

impl Evaluate for Kalah {
    /// The difference of the stores.
    fn evaluate(&self, state: &State) -> Outcome {
        Outcome(Kalah::lead(state))
    }
}

impl Encode for Kalah {
    type Bank = PointBank;

    fn bits(&self) -> u32 {
        16 * u32::from(self.pits)
    }

    /// The pits of the representative, whose stores are empty and whose first player is to move.
    #[inline]
    fn encode(&self, state: &State) -> u128 {
        u128::from(state.pits[1]) << (8 * self.pits) | u128::from(state.pits[0])
    }

    fn decode(&self, packed: u128) -> State {
        let row = |packed: u128| packed as u64 & (self.ones() * 0xff);
        let pits = [row(packed), row(packed >> (8 * self.pits))];
        State { pits, stores: [0, 0], turn: Side::First }
    }
}

impl Symmetry for Kalah {
    /// The same position with the mover as the first player.
    #[inline]
    fn representative(&self, state: &State) -> State {
        match state.turn {
            Side::First => *state,
            Side::Second => State {
                pits: [state.pits[1], state.pits[0]],
                stores: [state.stores[1], state.stores[0]],
                turn: Side::First,
            },
        }
    }

    fn exchanges(&self) -> bool {
        true
    }

    fn images(&self) -> u64 {
        2
    }
}

impl Banked for Kalah {
    /// The difference of the stores.
    #[inline]
    fn banked(&self, state: &State) -> Value {
        Outcome(Kalah::lead(state)).value_for(state.turn)
    }

    #[inline]
    fn unbanked(&self, state: &State) -> State {
        State { stores: [0, 0], ..*state }
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
