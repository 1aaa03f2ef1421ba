//! Solves games that loop, from forward moves alone, in some 20 bytes a position: 10^8 positions in a few gigabytes.
//!
//! A game is seen by its keys: which positions a move leads to, and what finished ones are worth. Nothing says what comes
//! before a position. Finished positions are never stored. Step one (`find.rs`) finds all others; step two
//! (`settle.rs`) keeps the moves between those that are not decided at once, sorted by where they lead to, and settles
//! positions backwards: retrograde analysis (Ströhlein 1970, Thompson 1986) over lists of moves instead of un-moves.
//! The largest results come first, quick ones before slow ones, so that threads cannot change anything.
//!
//! Results are relative to what endless play is worth, which must be the same for the first player everywhere.

mod find;
mod kept;
mod set;
mod settle;
mod sort;
#[cfg(test)]
mod tests;

use std::io;

use foregone_rules::{Distance, Encode, Merged, NoBank, Value, Worth, Written};

pub(crate) use self::kept::Folder;
use self::set::Numbers;
use crate::control::{Control, Halted};
use crate::moves;

/// Which positions are solved. Finished ones never are: the rules say what they are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follow {
    /// All that can arise.
    All,
    /// Those that can arise while nobody passes over a win at once: where a move ends the game with the best result there
    /// is, other moves are not followed. They change neither the value nor the distance (`InPlay.v`).
    InPlay,
}

/// A position that a move leads to.
#[derive(Clone, Copy)]
struct Child {
    key: u64,
    /// Whether the same side moves again.
    again: bool,
}

/// What the moves of a position lead to, for the side that makes them.
#[derive(Default)]
struct Near {
    /// What finished positions are worth, relative to endless play.
    ends: Vec<i32>,
    children: Vec<Child>,
    /// Whether endless play is worth the same after every move.
    even: bool,
}

/// A game as this solver sees it.
trait Rules: Sync {
    /// The number of bits of a key, from 1 to 64.
    fn bits(&self) -> u32;

    /// The key of the position to start from.
    fn start(&self) -> u64;

    /// No result differs more from endless play.
    fn most(&self) -> i32;

    /// What the moves of a position lead to.
    fn near(&self, key: u64, near: &mut Near) -> Result<(), Halted>;
}

/// The rules of a game whose keys have at most 64 bits.
struct Keyed<'a, G: Encode<Bank = NoBank>> {
    game: &'a G,
    start: &'a G::State,
    written: Option<Written<G>>,
    follow: Follow,
}

impl<G: Encode<Bank = NoBank>> Keyed<'_, G> {
    fn key(&self, state: &G::State) -> u64 {
        self.game.encode(&Merged::of(self.game, state).state) as u64
    }
}

impl<G: Encode<Bank = NoBank>> Rules for Keyed<'_, G> {
    fn bits(&self) -> u32 {
        self.game.bits().max(1)
    }

    fn start(&self) -> u64 {
        self.key(self.start)
    }

    fn most(&self) -> i32 {
        self.game.max_value().saturating_add(self.game.endless(self.start).0.abs())
    }

    fn near(&self, key: u64, near: &mut Near) -> Result<(), Halted> {
        let game = self.game;
        let state = game.decode(key.into());
        let mover = game.turn(&state);
        let endless = game.endless(&state).value_for(mover);
        near.ends.clear();
        near.children.clear();
        near.even = true;
        let endless_after = |after: &G::State, next| {
            game.endless(after).value_for(game.turn(after)).seen_from(next, mover)
        };
        // An error is the result of a move that wins at once.
        let seen = game.each_successor(&state, |_, child| {
            let next = game.turn(child);
            if let Some(outcome) = game.outcome(child) {
                let value = outcome.value_for(mover);
                let even = endless_after(child, next) == endless;
                let best = value.0 >= game.max_value() && value > endless && even;
                if best && self.follow == Follow::InPlay {
                    return Err(value);
                }
                near.ends.push(value.0 - endless.0);
                near.even &= even;
                return Ok(());
            }
            let like = Merged::of(game, child).state;
            near.even &= endless_after(&like, next) == endless;
            near.children.push(Child { key: game.encode(&like) as u64, again: next == mover });
            Ok(())
        });
        if let Err(Value(best)) = seen {
            near.ends.clear();
            near.ends.push(best - endless.0);
            near.children.clear();
            near.even = true;
        }
        match near.ends.is_empty() && near.children.is_empty() {
            true => Err(moves::none(game, &state, self.written)),
            false => Ok(()),
        }
    }
}

/// Parts in which positions are sorted.
const PARTS: usize = 16;

/// Which positions there are, and what each is worth.
pub(crate) struct Solution {
    numbers: Numbers,
    /// By number: a place in `sizes`; 0 for endless play.
    codes: Vec<u16>,
    /// Results relative to endless play, and plies.
    sizes: Vec<(i32, u32)>,
}

/// Why there is no solution.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The game cannot be solved in this way: its keys have more than 64 bits, endless play is not worth the same
    /// everywhere, or it has more positions, moves or different results than numbers are kept for.
    Unfit,
    Halted(Halted),
    /// Moves could not be put aside, or what was found could not be kept.
    File(io::Error),
}

impl From<Halted> for Failure {
    fn from(halted: Halted) -> Failure {
        Failure::Halted(halted)
    }
}

/// How to solve a game.
#[derive(Clone, Copy)]
pub(crate) struct Way<'a> {
    pub follow: Follow,
    /// The number of threads; the result does not depend on it.
    pub threads: usize,
    /// A folder for moves that do not fit into memory, and for what was found by a run that ended early; `None` if there
    /// is none.
    pub folder: Option<Folder<'a>>,
}

/// Solves what can arise from a position that is not over.
pub(crate) fn solve<G: Encode<Bank = NoBank>>(
    (game, start): (&G, &G::State),
    written: Option<Written<G>>,
    way: Way<'_>,
    control: &Control,
) -> Result<Solution, Failure> {
    if game.bits() > u64::BITS {
        return Err(Failure::Unfit);
    }
    let rules = Keyed { game, start, written, follow: way.follow };
    let found = find::find(&rules, way, control)?;
    settle::settle(&rules, found, way, control)
}

impl Solution {
    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.numbers.len as u64
    }

    pub fn bytes(&self) -> u64 {
        self.numbers.bytes() + (self.codes.len() * size_of::<u16>()) as u64
    }

    /// The worth of a position; `None` if it is not one of those that were solved.
    #[cfg(test)]
    pub fn worth<G: Encode>(&self, game: &G, state: &G::State) -> Option<Worth> {
        let like = Merged::of(game, state).state;
        let number = self.numbers.number(game.encode(&like) as u64)?;
        let endless = game.endless(&like).value_for(game.turn(&like));
        Some(self.worth_of(self.codes[number as usize], endless))
    }

    /// The worth that a code stands for, at a position where endless play has this value.
    pub fn worth_of(&self, code: u16, Value(endless): Value) -> Worth {
        let (size, plies) = self.sizes[usize::from(code)];
        match code {
            0 => Worth::endless(Value(endless)),
            _ => Worth::new(Value(endless + size), Distance::Plies(plies)),
        }
    }

    /// All positions in the order of their keys: the key of each, and the code of its worth. They are sorted in
    /// [`PARTS`] parts, so that it takes few bytes a position.
    pub fn in_order(&self) -> impl Iterator<Item = (u64, u16)> + '_ {
        /// Keys of which bounds are made.
        const SAMPLE: usize = 1 << 12;
        let shards = 0..self.numbers.split.shards;
        let keys = move || shards.clone().flat_map(|shard| self.numbers.keys(shard));
        let each = (self.numbers.len / SAMPLE).max(1);
        let mut sample: Vec<u64> = keys().step_by(each).collect();
        sample.sort_unstable();
        let bound = move |part: usize| sample.get(part * sample.len() / PARTS).copied();
        (0..PARTS).flat_map(move |part| {
            let from = if part == 0 { 0 } else { bound(part).unwrap_or(u64::MAX) };
            let to = if part + 1 == PARTS { None } else { bound(part + 1) };
            let here = |key: u64| key >= from && to.is_none_or(|to| key < to);
            let all = keys().zip(&self.codes).map(|(key, code)| (key, *code));
            let mut part: Vec<_> = all.filter(|(key, _)| here(*key)).collect();
            part.sort_unstable();
            part
        })
    }
}
