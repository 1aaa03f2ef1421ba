//! Nim: heaps of sticks, from one of which a move takes any number.
//!
//! **Rules.** The players take turns to choose a heap and take one or more of its sticks. Who takes
//! the last stick of all wins; with `misere=true`, loses.
//!
//! **Moves** are `2:3`: from the second heap take three. **Positions** are the heaps and the side
//! to move: `3-4-5 first`.
//!
//! **Known.** The side to move loses just where the sizes of the heaps, as binary numbers, add up
//! to 0 without carrying; in the misère game too, except that with no heap above 1 it loses where
//! their number is odd (Charles L. Bouton 1901).

use std::fmt;

use super::squares::parse_side;
use crate::family::{About, Args, Family, Invalid, Kind, Parameter};
use crate::game::{Game, Outcome, Side};
use crate::promise::{Acyclic, Encode, Indexed, NoBank, Notation, Picture, Symmetry};
use crate::show::Drawing;
use crate::show::{Area, Ink, Scene, Shape};

const SIDES: [&str; 2] = ["first", "second"];
const HEAPS: &str = "1 to 8 heaps of 0 to 63 sticks joined by `-`, such as 3-4-5";

/// Nim; see the file's text for its rules.
#[derive(Clone, Debug)]
pub struct Nim {
    count: usize,
    heaps: [u8; Nim::MOST_HEAPS],
    misere: bool,
}

/// A position of [`Nim`]; heaps that the game does not have are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    heaps: [u8; Nim::MOST_HEAPS],
    turn: Side,
}

/// Sticks to take from a heap, both from 1 when shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Take {
    heap: u8,
    sticks: u8,
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.heap + 1, self.sticks)
    }
}

impl Nim {
    const MOST_HEAPS: usize = 8;
    const MOST_STICKS: u8 = 63;

    fn read_heaps(text: &str) -> Result<(usize, [u8; Nim::MOST_HEAPS]), Invalid> {
        let mut heaps = [0; Nim::MOST_HEAPS];
        let count = text.split('-').count();
        if count > heaps.len() {
            return Err(Invalid::new(text, HEAPS));
        }
        for (heap, number) in heaps.iter_mut().zip(text.split('-')) {
            let plain = number.bytes().all(|byte| byte.is_ascii_digit());
            let sticks = number.parse().ok().filter(|n| plain && *n <= Nim::MOST_STICKS);
            *heap = sticks.ok_or_else(|| Invalid::new(text, HEAPS))?;
        }
        Ok((count, heaps))
    }

    fn write_heaps(&self, heaps: &[u8; Nim::MOST_HEAPS]) -> String {
        heaps[..self.count].iter().map(u8::to_string).collect::<Vec<_>>().join("-")
    }

    /// The largest that each heap is, in a game from the start.
    fn sizes(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.heaps[..self.count].iter().map(|sticks| u64::from(*sticks) + 1)
    }
}

impl Game for Nim {
    type State = State;
    type Move = Take;

    fn start(&self) -> State {
        State { heaps: self.heaps, turn: Side::First }
    }

    fn turn(&self, state: &State) -> Side {
        state.turn
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let winner = if self.misere { state.turn } else { state.turn.other() };
        (state.heaps == [0; Nim::MOST_HEAPS]).then(|| Outcome::win(winner))
    }

    fn moves(&self, state: &State) -> impl Iterator<Item = Take> {
        let heaps = state.heaps;
        (0..Nim::MOST_HEAPS as u8).flat_map(move |heap| {
            (1..=heaps[usize::from(heap)]).map(move |sticks| Take { heap, sticks })
        })
    }

    fn play(&self, state: &State, mv: Take) -> State {
        let mut next = State { turn: state.turn.other(), ..*state };
        next.heaps[usize::from(mv.heap)] -= mv.sticks;
        next
    }

    fn most(&self) -> i32 {
        1
    }
}

impl Family for Nim {
    const ABOUT: About = About {
        name: "nim",
        summary: "take sticks from heaps, the last one wins",
        rules: "The players take turns to choose a heap and take one or more of its sticks. Who \
                takes the last stick of all wins; in the misère game, loses.",
        move_notation: "heap:sticks, from the second heap three: `2:3`",
        position_notation: "heaps and side to move: `3-4-5 first`",
        known: "The side to move loses just where the heaps' sizes add up to 0 in binary without \
                carrying (Bouton 1901).",
        unit: "result",
        parameters: &[
            Parameter {
                name: "heaps",
                kind: Kind::Text(HEAPS),
                default: "3-4-5",
                meaning: "sticks in each heap",
            },
            Parameter {
                name: "misere",
                kind: Kind::Flag,
                default: "false",
                meaning: "who takes the last stick loses",
            },
        ],
    };

    fn create(args: &Args) -> Result<Nim, Invalid> {
        let (count, heaps) = Nim::read_heaps(args.text("heaps"))?;
        Ok(Nim { count, heaps, misere: args.flag("misere") })
    }

    fn arguments(&self) -> Vec<String> {
        vec![self.write_heaps(&self.heaps), self.misere.to_string()]
    }
}

impl Notation for Nim {
    fn format(&self, state: &State) -> String {
        format!("{} {}", self.write_heaps(&state.heaps), SIDES[state.turn.index()])
    }

    fn parse(&self, text: &str) -> Result<State, Invalid> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [heaps, side] = words[..] else {
            let expected =
                format!("heaps and side to move, such as `{}`", self.format(&self.start()));
            return Err(Invalid::new(text, expected));
        };
        let (count, heaps) = Nim::read_heaps(heaps)?;
        let largest = self.write_heaps(&self.heaps);
        if count != self.count || heaps.iter().zip(&self.heaps).any(|(heap, start)| heap > start) {
            return Err(Invalid::new(words[0], format!("heaps no larger than {largest}")));
        }
        Ok(State { heaps, turn: parse_side(side, SIDES)? })
    }
}

impl Picture for Nim {
    fn draw(&self, state: &State) -> Drawing {
        let line = |(at, sticks): (usize, &u8)| {
            format!("{}: {} {sticks}", at + 1, "|".repeat(usize::from(*sticks)))
        };
        Drawing::Lines(state.heaps[..self.count].iter().enumerate().map(line).collect())
    }

    /// A row for each heap, a place for each stick; to pick one takes it and all to its right.
    fn scene(&self, state: &State) -> Scene {
        const STEP: f32 = 0.4;
        let most = self.heaps.iter().copied().max().unwrap_or(0).max(5);
        let mut scene = Scene::new(f32::from(most) * STEP + 1.2, self.count as f32 * 1.1 + 0.1);
        let plate = Area::new(0.0, 0.0, scene.width, scene.height);
        scene.shapes.push(Shape::Plate(plate, 0.2, Ink::Board));
        for heap in 0..self.count {
            let (sticks, y) = (state.heaps[heap], heap as f32 * 1.1 + 0.1);
            let label = format!("{}:", heap + 1);
            scene.shapes.push(Shape::Text([0.35, y + 0.5], 0.35, label, Ink::Label));
            for stick in 0..self.heaps[heap] {
                let area = Area::new(0.7 + STEP * f32::from(stick), y, STEP, 1.0);
                let what = if stick < sticks { "stick" } else { "empty" };
                if stick < sticks {
                    let x = area.middle()[0];
                    let line = Shape::Line([x, y + 0.15], [x, y + 0.85], 0.12, Ink::Seed);
                    scene.shapes.push(line);
                }
                scene.place(format!("heap {}, {what} {}", heap + 1, stick + 1), area, false);
            }
        }
        scene
    }

    fn clicks(&self, state: &State, Take { heap, sticks }: Take) -> Vec<usize> {
        let heap = usize::from(heap);
        let before: usize = self.heaps[..heap].iter().map(|sticks| usize::from(*sticks)).sum();
        vec![before + usize::from(state.heaps[heap] - sticks)]
    }
}

impl Acyclic for Nim {
    fn progress(&self, state: &State) -> u32 {
        let left: u32 = state.heaps.iter().map(|sticks| u32::from(*sticks)).sum();
        Nim::MOST_HEAPS as u32 * u32::from(Nim::MOST_STICKS) - left
    }
}

impl Encode for Nim {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        6 * self.count as u32 + 1
    }

    fn encode(&self, state: &State) -> u128 {
        let heaps = state.heaps[..self.count].iter();
        heaps.fold(state.turn.index() as u128, |all, sticks| all << 6 | u128::from(*sticks))
    }

    fn decode(&self, packed: u128) -> State {
        let mut heaps = [0; Nim::MOST_HEAPS];
        for (nth, heap) in heaps[..self.count].iter_mut().rev().enumerate() {
            *heap = (packed >> (6 * nth)) as u8 & Nim::MOST_STICKS;
        }
        State { heaps, turn: Side::BOTH[(packed >> (6 * self.count)) as usize] }
    }
}

impl Symmetry for Nim {
    /// The heaps in order; positions with the same heaps are alike.
    fn representative(&self, state: &State) -> State {
        let mut sorted = *state;
        sorted.heaps[..self.count].sort_unstable();
        sorted
    }

    fn images(&self) -> u64 {
        (1..=self.count as u64).product()
    }
}

impl Indexed for Nim {
    type Bank = NoBank;

    /// Layers are the sticks left.
    fn layers(&self) -> u32 {
        self.heaps.iter().map(|sticks| u32::from(*sticks)).sum::<u32>() + 1
    }

    /// Every layer is numbered by all heaps and the side as digits, most of them of no state.
    fn size(&self, _: u32) -> u64 {
        self.sizes().product::<u64>() * 2
    }

    fn index(&self, state: &State) -> (u32, u64) {
        let digits = state.heaps.iter().zip(self.sizes());
        let index = digits.fold(state.turn.index() as u64, |index, (sticks, size)| {
            index * size + u64::from(*sticks)
        });
        (state.heaps.iter().map(|sticks| u32::from(*sticks)).sum(), index)
    }

    fn state(&self, layer: u32, mut index: u64) -> Option<State> {
        let mut heaps = [0; Nim::MOST_HEAPS];
        for (heap, size) in heaps[..self.count].iter_mut().rev().zip(self.sizes().rev()) {
            *heap = (index % size) as u8;
            index /= size;
        }
        let state = State { heaps, turn: *Side::BOTH.get(index as usize)? };
        (self.index(&state).0 == layer).then_some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::Conform;
    use crate::family::specification;

    fn nim(heaps: &str) -> Result<Nim, Invalid> {
        Nim::create(&Args::new(&Nim::ABOUT, [("heaps", heaps), ("misere", "true")])?)
    }

    #[test]
    fn keeps_its_promises() {
        for heaps in ["3-4-5", "1", "0", "63", "2-2-2-2-2-2-2-2", "0-7-0"] {
            let game = nim(heaps).unwrap();
            assert_eq!(specification(&game), format!("nim(heaps={heaps},misere=true)"));
            let conform = Conform::new(&game).notation().picture().acyclic().encode();
            let report = conform.indexed().measured_numbers().finish();
            report.unwrap_or_else(|broken| panic!("{heaps}: {broken}"));
        }
    }

    #[test]
    fn bad_texts_are_refused() {
        for wrong in ["", "-", "3-", "64", "3 4", "1-1-1-1-1-1-1-1-1", "+3", "a"] {
            assert!(nim(wrong).is_err(), "{wrong}");
        }
        let game = nim("3-4-5").unwrap();
        for wrong in ["3-4-5", "3-4 first", "4-4-5 first", "3-4-5 third", "3-4-5-0 first"] {
            assert!(game.parse(wrong).is_err(), "{wrong}");
        }
    }
}
