//! Kalah (Kalaha), with 1 to 8 pits on a side, 1 to 12 stones in each, and the published endings.
//!
//! **Sources of the variants.**
//!
//! | capture | end | rest | |
//! | --- | --- | --- | --- |
//! | always | either | owner | the default: Gyldenbrand 2017, the founding text; gives the values of Irving, Donkers and Uiterwijk, *Solving Kalah* (2000) |
//! | nonempty | either | owner | the usual book rule, also in Wikipedia's article on Kalah |
//! | either one | mover | owner | rules that end the game "when the player to move cannot"; the opponent keeps the stones on the own side |
//! | either one | either one | mover | rules that give the remaining stones to the player who ends the game |
//! | either one | either one | none | rules that count only the stores |
//!
//! The last three rows are printed in many forms, on boxes and web pages, without a single author.
//!
//! **Moves** are the number of the pit, from 1, counted from the mover's left; pit 1 is farthest
//! from the own store. **Positions** are the first player's pits and store, the second player's
//! pits and store, and the side to move: `4 0 2 0 0 1 15 2 10 0 2 0 13 22 first` (at most 255
//! stones).
//!
//! **Known.** Under the default rules the first player's best result is 2, 6, 8 stones on (4,1),
//! (4,2), (4,3), 0 on (5,1) and (5,2), and 10 on (6,4) (Irving, Donkers and Uiterwijk 2000).
//!
//! A side's pits are the bytes of one word. A sowing of any number of stones adds two words from a
//! table (`sowing`). `hints` has the search hints, `numbers` the numbers of positions in a table.

mod hints;
mod numbers;
mod rows;
mod sowing;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use self::hints::sets;
use self::numbers::RowMoves;
use self::rows::Rows;
use self::sowing::{Sowing, nearness_of};
use crate::family::{About, Args, Family, Group, Invalid, Parameter};
use crate::game::{Game, Outcome, Side, Value};
use crate::kit::{Board, Cells, MAX_PITS, Number, OnBoard, Pits, ones, stones_in, stones_of};
use crate::promise::{
    Actions, Acyclic, Banked, Encode, Evaluate, Indexed, Order, PointBank, Symmetry,
};

/// When the last stone captures the opposite pit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// Always; if the opposite pit is empty, only the last stone goes to the store.
    Always,
    /// Only if the opposite pit has stones.
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

/// Who gets the remaining stones in the pits at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The player on whose side they lie.
    Owner,
    /// The player who moved last.
    Mover,
    /// Nobody.
    None,
}

const CAPTURES: [(&str, Capture); 2] =
    [("always", Capture::Always), ("nonempty", Capture::Nonempty)];
const ENDS: [(&str, End); 2] = [("either", End::Either), ("mover", End::Mover)];
const RESTS: [(&str, Rest); 3] =
    [("owner", Rest::Owner), ("mover", Rest::Mover), ("none", Rest::None)];

/// The pits of both sides and the own store.
const LONGEST_ROUND: usize = 2 * MAX_PITS + 1;
const MAX_STONES: u32 = 255;

/// Kalah.
///
#[doc = include_str!("rules.txt")]
#[derive(Clone, Debug)]
pub struct Kalah {
    pits: u8,
    stones: u8,
    capture: Capture,
    end: End,
    rest: Rest,
    board: Board,
    /// By pit and number of stones, which is below a whole round.
    sowings: Vec<[Sowing; LONGEST_ROUND]>,
    /// See [`sets`].
    sets: Vec<[u64; MAX_STONES as usize + 2]>,
    rows: OnceLock<Rows>,
    /// By stones: see [`Kalah::less`].
    less: Vec<OnceLock<Vec<(u64, u32)>>>,
    /// By stones: see [`Kalah::moves_of`].
    row_moves: Vec<OnceLock<RowMoves>>,
}

impl Game for Kalah {
    type State = Pits;
    type Move = Number;

    fn start(&self) -> Pits {
        Pits::start(self.pits, self.stones)
    }

    #[inline]
    fn turn(&self, state: &Pits) -> Side {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &Pits) -> Option<Outcome> {
        self.is_over(state).then(|| state.lead())
    }

    #[inline]
    fn moves(&self, state: &Pits) -> impl Iterator<Item = Number> {
        let row = state.pits[state.turn.index()];
        (0..self.pits).filter(move |&pit| stones_in(row, pit) != 0).map(Number)
    }

    #[inline]
    fn play(&self, state: &Pits, Number(pit): Number) -> Pits {
        let mover = state.turn;
        let [mut own, mut other] = state.rows();
        let stones = stones_in(own, pit);
        own &= !(0xff << (8 * pit));
        let mut store = state.stores[mover.index()];
        let mut part = stones;
        // A division takes longer than everything else here.
        if stones >= self.round() {
            let rounds = stones / self.round();
            part = stones % self.round();
            own += self.ones() * u64::from(rounds);
            other += self.ones() * u64::from(rounds);
            store += rounds;
        }
        let sowing = &self.sowings[usize::from(pit)][usize::from(part)];
        own += sowing.own;
        other += sowing.other;
        store += sowing.store;

        let last = sowing.last;
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
        let mut next = Pits { pits: [own, other], stores: state.stores, turn };
        if mover == Side::Second {
            next.pits.swap(0, 1);
        }
        next.stores[mover.index()] = store;
        if self.is_over(&next) { self.swept(&next, mover) } else { next }
    }
}

impl Actions for Kalah {
    fn actions(&self) -> usize {
        self.pits.into()
    }

    fn action(&self, mv: Self::Move) -> usize {
        mv.0.into()
    }
}

impl Kalah {
    /// The game with `pits` pits on a side and `stones` stones in each.
    fn of(pits: u8, stones: u8, capture: Capture, end: End, rest: Rest) -> Kalah {
        let less = vec![OnceLock::new(); 2 * usize::from(pits) * usize::from(stones) + 1];
        Kalah {
            pits,
            stones,
            capture,
            end,
            rest,
            board: Board::pits(usize::from(pits), MAX_STONES as u16),
            sowings: sowing::all(pits),
            sets: sets(pits),
            rows: OnceLock::new(),
            row_moves: vec![OnceLock::new(); less.len()],
            less,
        }
    }

    const fn round(&self) -> u8 {
        2 * self.pits + 1
    }

    /// The hole of the last stone of a sowing: an own pit, then the own store, then the other's
    /// pits.
    #[inline]
    const fn last_hole(&self, pit: u8, stones: u8) -> u8 {
        let part = if stones < self.round() { stones } else { stones % self.round() };
        let last = pit + part;
        if last < self.round() { last } else { last - self.round() }
    }

    /// A row with one stone in every pit.
    const fn ones(&self) -> u64 {
        ones(self.pits)
    }

    #[inline]
    fn is_over(&self, state: &Pits) -> bool {
        match self.end {
            End::Either => state.pits[0] == 0 || state.pits[1] == 0,
            End::Mover => state.pits[state.turn.index()] == 0,
        }
    }

    /// A finished position, with the remaining stones given to their owners. It is the turn of the
    /// player who did not move last, even if the last stone fell into the store.
    fn swept(&self, state: &Pits, last_mover: Side) -> Pits {
        let mut swept = Pits { pits: [0, 0], turn: last_mover.other(), ..*state };
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
}

impl Family for Kalah {
    const ABOUT: About = About {
        name: "kalah",
        title: "Kalah",
        summary: "sow stones around the pits, gather most in your store",
        group: Group::Sowing,
        rules: include_str!("rules.txt"),
        move_notation: "the number of the pit from 1, counted from the mover's left (1 is farthest \
                        from the own store)",
        position_notation: "first player's pits and store, second player's pits and store, side to \
                            move: `4 0 2 0 0 1 15 2 10 0 2 0 13 22 first`",
        known: "With the default rules the first player wins by 2, 6, 8 on (4,1), (4,2), (4,3), \
                draws on (5,1) and (5,2), and wins by 10 on (6,4) (Irving, Donkers and Uiterwijk \
                2000).",
        unit: "stones",
        parameters: &[
            Parameter::number("pits", [1, 8], "6", "pits on a side"),
            Parameter::number("stones", [1, 12], "4", "stones in each pit at the start"),
            Parameter::choice(
                "capture",
                &["always", "nonempty"],
                "whether a last stone is also captured if the opposite pit is empty",
            ),
            Parameter::choice(
                "end",
                &["either", "mover"],
                "the game is over if either side is empty, or only if the side to move is",
            ),
            Parameter::choice(
                "rest",
                &["owner", "mover", "none"],
                "who gets the remaining stones: their side, the player who moved last, nobody",
            ),
        ],
    };

    fn create(args: &Args) -> Result<Kalah, Invalid> {
        let number = |name| args.number(name) as u8;
        let (capture, end, rest) =
            (args.choice("capture"), args.choice("end"), args.choice("rest"));
        let (capture, end, rest) = (CAPTURES[capture].1, ENDS[end].1, RESTS[rest].1);
        Ok(Kalah::of(number("pits"), number("stones"), capture, end, rest))
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

impl OnBoard for Kalah {
    fn board(&self) -> &Board {
        &self.board
    }

    fn cells(&self, state: &Pits) -> Cells {
        state.cells(self.pits)
    }

    /// If the game is over, the stones in the pits are swept; the side that is not to move counts as the one
    /// who moved last.
    fn state_of(&self, cells: &Cells) -> Result<Pits, String> {
        let state = Pits::of_cells(cells, self.pits, MAX_STONES)?;
        let over = self.is_over(&state);
        Ok(if over { self.swept(&state, cells.turn.other()) } else { state })
    }

    fn move_cells(&self, state: &Pits, Number(pit): Number) -> Vec<usize> {
        vec![state.cell(self.pits, pit)]
    }

    fn steps(&self, state: &Pits, Number(pit): Number) -> Vec<Cells> {
        state.sowing(self.pits, pit, true, true)
    }

    /// Where the last stone falls.
    fn landing(&self, state: &Pits, Number(pit): Number) -> Option<usize> {
        let pits = usize::from(self.pits);
        let last = self.last_hole(pit, stones_in(state.pits[state.turn.index()], pit));
        let (own, other) = (state.turn.index(), state.turn.other().index());
        Some(match usize::from(last) {
            pit if pit < pits => own * pits + pit,
            store if store == pits => 2 * pits + own,
            beyond => other * pits + beyond - pits - 1,
        })
    }
}

impl Acyclic for Kalah {
    /// Stones that leave the pits never return; a sowing that banks no stone moves all of its
    /// stones nearer to the store.
    fn progress(&self, state: &Pits) -> u32 {
        let left = self.layer(state);
        let nearness: u32 = state.pits.iter().map(|row| nearness_of(*row)).sum();
        (MAX_STONES - left) * (MAX_STONES * MAX_PITS as u32) + nearness
    }
}

impl Evaluate for Kalah {
    /// The difference of the stores.
    fn evaluate(&self, state: &Pits) -> Outcome {
        state.lead()
    }
}

impl Encode for Kalah {
    type Bank = PointBank;

    fn bits(&self) -> u32 {
        16 * u32::from(self.pits)
    }

    /// The pits of the representative, in which the stores are empty and the first player is to
    /// move.
    #[inline]
    fn encode(&self, state: &Pits) -> u128 {
        state.encode(self.pits)
    }

    fn decode(&self, code: u128) -> Pits {
        Pits::decode(code, self.pits, MAX_STONES)
    }
}

impl Symmetry for Kalah {
    /// The same position with the mover as the first player.
    #[inline]
    fn representative(&self, state: &Pits) -> Pits {
        state.with_mover_first()
    }

    fn exchanges(&self) -> bool {
        true
    }

    fn images(&self) -> u64 {
        2
    }

    fn image(&self, state: &Pits, number: u64) -> Option<Pits> {
        match number {
            0 => Some(*state),
            1 => Some(state.turned()),
            _ => None,
        }
    }
}

impl Banked for Kalah {
    /// The difference of the stores.
    #[inline]
    fn banked(&self, state: &Pits) -> Value {
        state.banked()
    }

    #[inline]
    fn unbanked(&self, state: &Pits) -> Pits {
        state.unbanked()
    }
}

impl Order for Kalah {
    /// Extra turns first, then pits near the store.
    #[inline]
    fn order(&self, state: &Pits, Number(pit): Number) -> i32 {
        let stones = stones_in(state.pits[state.turn.index()], pit);
        let extra = self.last_hole(pit, stones) == self.pits;
        i32::from(extra) * 100 + i32::from(pit)
    }
}
