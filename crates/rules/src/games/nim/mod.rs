//! Nim: a move takes any number of sticks from one heap.
//!
//! **Moves** are `2:3`: take three sticks from the second heap. **Positions** are the heaps and the
//! side to move: `3-4-5 first`.
//!
//! **Known.** The side to move loses if and only if the exclusive or of the heaps' sizes is 0. In
//! the misère game the same holds if some heap is larger than 1; otherwise the side to move loses
//! if the number of heaps of 1 is odd (Charles L. Bouton 1901).

mod numbers;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::family::{About, Args, Family, Group, Invalid, Kind, Parameter};
use crate::game::{Game, Outcome, Side};
use crate::kit::{Board, Cells, OnBoard};
use crate::promise::{Actions, Acyclic, Encode, NoBank, Symmetry};

const MAX_HEAPS: usize = 8;
const MAX_STICKS: u8 = 63;
const HEAPS: &str = "1 to 8 heaps of 0 to 63 sticks joined by `-`, such as 3-4-5";

/// Nim.
///
#[doc = include_str!("rules.txt")]
#[derive(Clone, Debug)]
pub struct Nim {
    count: usize,
    heaps: [u8; MAX_HEAPS],
    misere: bool,
    board: Board,
}

/// A position of [`Nim`]; heaps that the game does not have are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    heaps: [u8; MAX_HEAPS],
    turn: Side,
}

/// A number of sticks to take from a heap; heaps are numbered from 0 in code, from 1 in text.
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
    /// The game with these heaps; who takes the last stick wins.
    ///
    /// # Errors
    /// If there are too many heaps, or too many sticks in one.
    pub fn new(heaps: &[u8]) -> Result<Nim, Invalid> {
        let sizes: Vec<_> = heaps.iter().map(u8::to_string).collect();
        Nim::with(&[("heaps", &sizes.join("-"))])
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
        (state.heaps == [0; MAX_HEAPS]).then(|| Outcome::win(winner))
    }

    fn moves(&self, state: &State) -> impl Iterator<Item = Take> {
        let heaps = state.heaps;
        (0..MAX_HEAPS as u8).flat_map(move |heap| {
            (1..=heaps[usize::from(heap)]).map(move |sticks| Take { heap, sticks })
        })
    }

    fn play(&self, state: &State, mv: Take) -> State {
        let mut next = State { turn: state.turn.other(), ..*state };
        next.heaps[usize::from(mv.heap)] -= mv.sticks;
        next
    }

    fn max_value(&self) -> i32 {
        1
    }
}

impl Actions for Nim {
    fn actions(&self) -> usize {
        let max = self.heaps.iter().copied().max().unwrap_or(0);
        self.count * usize::from(max)
    }

    fn action(&self, mv: Self::Move) -> usize {
        let max = self.heaps.iter().copied().max().unwrap_or(0);
        usize::from(mv.heap) * usize::from(max) + usize::from(mv.sticks) - 1
    }
}

impl Family for Nim {
    const ABOUT: About = About {
        name: "nim",
        title: "Nim",
        summary: "take sticks from heaps, the last one wins",
        group: Group::LastMove,
        rules: include_str!("rules.txt"),
        move_notation: "heap:sticks, such as `2:3`, which takes three from the second heap",
        position_notation: "heaps and side to move: `3-4-5 first`",
        known: "The side to move loses if and only if the exclusive or of the heaps' sizes is 0 \
                (Bouton 1901).",
        unit: "result",
        parameters: &[
            Parameter {
                name: "heaps",
                kind: Kind::Text(HEAPS),
                default: "3-4-5",
                meaning: "sticks in each heap",
            },
            Parameter::flag("misere", false, "whether the player who takes the last stick loses"),
        ],
    };

    fn create(args: &Args) -> Result<Nim, Invalid> {
        let text = args.text("heaps");
        let sizes = text.split('-').map(|number| {
            let plain = number.bytes().all(|byte| byte.is_ascii_digit());
            number.parse().ok().filter(|sticks| plain && *sticks <= MAX_STICKS)
        });
        let sizes = sizes.collect::<Option<Vec<u8>>>().filter(|sizes| sizes.len() <= MAX_HEAPS);
        let sizes = sizes.ok_or_else(|| Invalid::new(text, HEAPS))?;
        let mut heaps = [0; MAX_HEAPS];
        heaps[..sizes.len()].copy_from_slice(&sizes);
        let board = Board::heaps(&sizes);
        Ok(Nim { count: sizes.len(), heaps, misere: args.flag("misere"), board })
    }

    fn arguments(&self) -> Vec<String> {
        let heaps: Vec<_> = self.heaps[..self.count].iter().map(u8::to_string).collect();
        vec![heaps.join("-"), self.misere.to_string()]
    }
}

impl OnBoard for Nim {
    fn board(&self) -> &Board {
        &self.board
    }

    fn cells(&self, state: &State) -> Cells {
        let heaps = (0..).zip(&state.heaps[..self.count]);
        heaps.fold(Cells::new(state.turn), |cells, (nth, sticks)| cells.counting(nth, *sticks))
    }

    fn state_of(&self, cells: &Cells) -> Result<State, String> {
        let heaps = std::array::from_fn(|nth| cells.count(nth) as u8);
        Ok(State { heaps, turn: cells.turn })
    }

    /// A stick: it and all sticks to its right are taken.
    fn move_cells(&self, state: &State, Take { heap, sticks }: Take) -> Vec<usize> {
        let heap = usize::from(heap);
        let before: usize = self.heaps[..heap].iter().map(|sticks| usize::from(*sticks)).sum();
        vec![before + usize::from(state.heaps[heap] - sticks)]
    }

    /// No cell shows a move's name, because a heap has many moves.
    fn target(&self, _: &State, _: Take) -> Option<usize> {
        None
    }
}

impl Acyclic for Nim {
    fn progress(&self, state: &State) -> u32 {
        MAX_HEAPS as u32 * u32::from(MAX_STICKS) - sticks(state)
    }

    fn plies_left(&self, state: &State) -> Option<u32> {
        Some(sticks(state))
    }
}

/// The sticks left.
fn sticks(state: &State) -> u32 {
    state.heaps.iter().map(|sticks| u32::from(*sticks)).sum()
}

/// Written by hand, because a heap of a representative can exceed the maximum at its place.
impl Encode for Nim {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        6 * self.count as u32 + 1
    }

    fn encode(&self, state: &State) -> u128 {
        let heaps = state.heaps[..self.count].iter();
        heaps.fold(state.turn.index() as u128, |all, sticks| all << 6 | u128::from(*sticks))
    }

    fn decode(&self, code: u128) -> State {
        let mut heaps = [0; MAX_HEAPS];
        for (nth, heap) in heaps[..self.count].iter_mut().rev().enumerate() {
            *heap = (code >> (6 * nth)) as u8 & MAX_STICKS;
        }
        State { heaps, turn: Side::BOTH[(code >> (6 * self.count)) as usize] }
    }
}

impl Symmetry for Nim {
    /// The heaps sorted; positions with the same heaps in any order are equivalent.
    fn representative(&self, state: &State) -> State {
        let mut sorted = *state;
        sorted.heaps[..self.count].sort_unstable();
        sorted
    }

    fn images(&self) -> u64 {
        (1..=self.count as u64).product()
    }
}
