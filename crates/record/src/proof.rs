//! Proofs that a side gets at least some value in a position. A proof has one move for every
//! position that can arise while that side follows the proof, and in which it moves. Every move of
//! the other side is answered.
//!
//! A proof is a file of keyed positions, each with key, bound and move. This module defines their
//! meaning; `foregone-check` defines and checks when a proof is valid.

use foregone_rules::{Bank, Encode, Game, Invalid, Merged, Side, Value, Worth, Written};

use crate::error::Error;
pub use crate::format::proof::{Claim, ProofManifest};
use crate::read::Table;
use crate::words::{amount, escaped};

impl ProofManifest {
    /// The position of the proof, after the moves.
    ///
    /// # Errors
    /// If it is not a position of the game.
    pub fn root<G: Game>(
        &self,
        game: &G,
        notation: Option<Written<G>>,
    ) -> Result<G::State, Invalid> {
        let mut state = match (&self.position, notation) {
            (None, _) => game.start(),
            (Some(text), Some(written)) => {
                let state = (written.parse)(game, text)?;
                let usual = (written.format)(game, &state);
                (usual == *text).then_some(state).ok_or_else(|| Invalid::new(text, usual))?
            }
            (Some(text), None) => {
                return Err(Invalid::new(text, "no position, because the game has no notation"));
            }
        };
        for text in &self.moves {
            let over = game.outcome(&state).is_some();
            let found =
                game.moves(&state).find(|mv| game.move_text(*mv) == *text).filter(|_| !over);
            let mv = found.ok_or_else(|| Invalid::new(text, "a legal move"))?;
            state = game.play(&state, mv);
        }
        Ok(state)
    }

    /// The claims, in words. `unit` is the unit of values (see
    /// [`About::unit`](foregone_rules::family::About::unit)); `reached` is the text of the position
    /// after the moves, which replaces them if they are too long.
    pub fn words(&self, unit: &str, reached: &str) -> String {
        let unit = &escaped(unit);
        let mut words = match &self.position {
            None => "from the start".to_owned(),
            // Texts write a result that the rules would not give.
            Some(position) if position.contains(" result:") => {
                format!("from `{}`, with this result taken as given,", escaped(position))
            }
            Some(position) => format!("from `{}`", escaped(position)),
        };
        if !self.moves.is_empty() {
            let moves = self.moves.join(" ");
            words += &match moves.len() {
                0..=200 => format!(" after {}", escaped(&moves)),
                _ => format!(" after {} moves to `{}`", self.moves.len(), escaped(reached)),
            };
        }
        for (nth, claim) in self.claims.iter().enumerate() {
            words += if nth > 0 { " and " } else { " " };
            words += &claim.words(unit);
        }
        words
    }
}

impl Claim {
    /// The side of the claim.
    pub const fn side(self) -> Side {
        if self.first { Side::First } else { Side::Second }
    }

    /// The claim, in words.
    pub fn words(self, unit: &str) -> String {
        let side = if self.first { "first" } else { "second" };
        let points = amount(self.at_least.unsigned_abs(), unit);
        match self.at_least {
            0 => format!("the {side} player does not lose"),
            1 if unit == "result" => format!("the {side} player wins"),
            -1 if unit == "result" => format!("the {side} player gets at least a loss"),
            _ if unit == "result" => format!("the {side} player gets at least {}", self.at_least),
            1.. => format!("the {side} player wins by at least {points}"),
            _ => format!("the {side} player loses by at most {points}"),
        }
    }
}

/// The entry of a proof for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The mover gets at least this much, without banked points.
    pub at_least: i32,
    /// The index of its move, in the order of the rules.
    pub mv: u32,
    /// A number that falls from one entry to the next while play [has to end](has_to_end).
    pub rank: u32,
}

impl Entry {
    /// Decodes an entry from its worths in the two layers of a proof; `None` if they are not valid.
    pub fn of(bound: Worth, mv: Worth) -> Option<Entry> {
        let (rank, mv) = (bound.distance().plies()?, u32::try_from(mv.value().0).ok()?);
        Some(Entry { at_least: bound.value().0, mv, rank })
    }
}

/// Whether play has to end for a side to get `at_least`: it does unless endless play is worth
/// that much to the side.
#[inline]
pub const fn has_to_end(at_least: Value, endless: Value) -> bool {
    endless.0 < at_least.0
}

/// The key of a position in a proof, for the claim with index `claim`.
pub const fn proof_key(packed: u128, claim: usize) -> u128 {
    packed << 1 | claim as u128
}

/// The move and the entry of a proof for a position in which the side of a claim moves; `claim` is
/// the index of the claim. `None` if the proof has no entry.
///
/// # Errors
/// If the file is damaged.
pub fn advice<G: Encode>(
    game: &G,
    table: &Table,
    claim: usize,
    state: &G::State,
) -> Result<Option<(G::Move, Entry)>, Error> {
    advice_of(game, claim, state, |key| entry(table, key))
}

/// The same from entries by their [keys](proof_key), wherever they are.
///
/// # Errors
/// If `find` has one.
pub fn advice_of<G: Encode>(
    game: &G,
    claim: usize,
    state: &G::State,
    find: impl FnOnce(u128) -> Result<Option<Entry>, Error>,
) -> Result<Option<(G::Move, Entry)>, Error> {
    let like = Merged::of(game, state).state;
    let entry = find(proof_key(game.encode(&like), claim))?;
    Ok(entry.and_then(|entry| Some((move_like(game, state, &like, entry)?, entry))))
}

/// What the side of a claim gets at least by a proof in a position in which it moves, banked points included; `None` if
/// the proof has no entry.
///
/// # Errors
/// If the file is damaged.
pub fn bound<G: Encode>(
    game: &G,
    table: &Table,
    claim: usize,
    state: &G::State,
) -> Result<Option<Value>, Error> {
    let Merged { state: like, offset } = Merged::of(game, state);
    let entry = entry(table, proof_key(game.encode(&like), claim))?;
    Ok(entry.map(|entry| Value(entry.at_least + offset.0)))
}

/// The entry of a key.
fn entry(table: &Table, key: u128) -> Result<Option<Entry>, Error> {
    let Some(place) = table.place(key)? else { return Ok(None) };
    let worths = table.get(0, place)?.zip(table.get(1, place)?);
    Ok(worths.and_then(|(bound, mv)| Entry::of(bound, mv)))
}

/// The move of a position that corresponds to the entry's move from the representative `like`.
pub fn move_like<G: Encode>(
    game: &G,
    state: &G::State,
    like: &G::State,
    entry: Entry,
) -> Option<G::Move> {
    let reached = |from: &G::State, mv| {
        let child = game.play(from, mv);
        let (merged, again) = (Merged::of(game, &child), game.turn(&child) == game.turn(from));
        // The banked points that the mover gains.
        let Value(banked) = merged.offset;
        let gained = (if again { banked } else { -banked }) - G::Bank::banked(game, from).0;
        (merged.state, again, gained)
    };
    let wanted = reached(like, game.moves(like).nth(entry.mv as usize)?);
    game.moves(state).find(|mv| reached(state, *mv) == wanted)
}
