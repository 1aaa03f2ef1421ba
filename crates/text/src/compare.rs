//! Random games, in which the machine and what was derived are compared with the plain interpreter: the
//! guard of what rests on them.

use std::collections::HashMap;
use std::rc::Rc;

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Outcome};

use crate::budget::Budget;
use crate::choices::{CROWDED, Choices, MAX_MOVES};
use crate::game::TextGame;
use crate::interpret::{self, Seen};
use crate::machine::Word;
use crate::state::Position;
use crate::words::position_in_words;

#[cfg(test)]
mod tests;

/// After this many games without a new position, all there are have been compared, as a rule.
const IDLE: u32 = 20;

/// Moves of compared positions are kept up to this number, so that small games are gone through fast.
const KEPT: usize = 1 << 13;

/// One position in two to the power of this is compared with an image where positions are merged: one in some hundreds of
/// those that a solver expands, since it merges those that the moves lead to.
const GUARDED: u32 = 12;

/// Positions are not compared whose moves have more images than this: some ten milliseconds.
const GUARDED_IMAGES: u64 = 1 << 17;

/// What the random games of [`Loaded::compare`](crate::Loaded::compare) find if the crate is wrong.
const OTHERWISE: &str = "the game is not played as its text says, which is an error of Foregone";

/// A number that seems random, if a position is to be compared.
#[inline]
fn is_guarded<S: Word>(state: &[S]) -> Option<u64> {
    let join = |mixed: u64, word: &S| mixed.rotate_left(23) ^ word.number() as u64;
    let mixed = state.iter().fold(0, join);
    let mixed = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (64 - GUARDED) == 0).then_some(mixed)
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize>
    TextGame<S, N, R, K, D>
{
    /// See [`Loaded::compare`](crate::Loaded::compare).
    pub(crate) fn compare(&self, games: u32, budget: &Budget) -> Result<u64, String> {
        // What is compared is what will play.
        self.compile();
        let (mut dice, seen) = (Dice::new(1), Seen::default());
        let (mut compared, mut known) = (0, HashMap::new());
        let mut room = KEPT;
        // Where statements were run for the first time: games go on from there, to come to others.
        let mut first_seen = vec![self.rules().start.clone()];
        // Games without a new position.
        let mut idle = 0;
        for game in 0..games {
            let from = if game % 2 == 0 { 0 } else { dice.below(first_seen.len()) };
            let mut position = first_seen[from].clone();
            idle += 1;
            for _ in 0..60 {
                let before = seen.count();
                let plain: Rc<[_]> = match known.get(&position) {
                    Some(Some(plain)) => Rc::clone(plain),
                    _ => {
                        let within = interpret::moves_within;
                        let plain = within(self.rules(), &position, budget, Some(&seen));
                        let Some(plain) = plain else { return Ok(compared) };
                        plain.into()
                    }
                };
                if plain.len() > MAX_MOVES {
                    return Err(format!(
                        "{CROWDED}: {}",
                        position_in_words(self.rules(), &position)
                    ));
                }
                if !known.contains_key(&position) {
                    if !self.compare_at(&position, &plain, budget)? {
                        return Ok(compared);
                    }
                    let is_kept = plain.len() < room;
                    room -= if is_kept { plain.len() } else { 0 };
                    known.insert(position.clone(), is_kept.then(|| Rc::clone(&plain)));
                    compared += plain.len() as u64;
                    idle = 0;
                }
                if seen.count() > before {
                    first_seen.push(position.clone());
                }
                if plain.is_empty() {
                    break;
                }
                position = plain[dice.below(plain.len())].1.clone();
            }
            if idle > IDLE {
                break;
            }
        }
        Ok(compared)
    }

    /// Compares at a position with these moves by the interpreter; `false` if the budget is spent.
    fn compare_at(
        &self,
        position: &Position,
        plain: &[(Choices, Position)],
        budget: &Budget,
    ) -> Result<bool, String> {
        let rules = self.rules();
        // The machine has no limit, and is several times as fast. An image of a position takes about four steps.
        let steps = 8 + 4 * self.images().count();
        if budget.take(steps * (1 + plain.len() as u64)).is_none() {
            return Ok(false);
        }
        let state: [S; N] = self.pack(position);
        let words = || position_in_words(rules, position);
        let same = |what: &str, equal: bool| match equal {
            true => Ok(()),
            false => Err(format!("{OTHERWISE}: {what} of {}", words())),
        };
        same("the words", self.unpack(&state) == *position)?;
        let Some(outcome) = interpret::outcome_within(rules, position, budget) else {
            return Ok(false);
        };
        same("the outcome", self.outcome(&state) == outcome.map(Outcome))?;
        if outcome.is_some() {
            return Ok(true);
        }
        let after = |mv| (mv, self.unpack(&self.play(&state, mv)));
        same("the moves", self.moves(&state).map(after).eq(plain.iter().cloned()))?;
        let unpacked = |(mv, next)| (mv, self.unpack(&next));
        let successors = self.successors(&state).map(unpacked);
        same("the successors", successors.eq(plain.iter().cloned()))?;
        if plain.is_empty() {
            return Err(format!(
                "no move is left at {}, though the text says `stuck never`: say what happens to a player who \
                 cannot move",
                words()
            ));
        }
        self.derived_holds(&state).map_err(|what| format!("{OTHERWISE}: {what}"))?;
        Ok(true)
    }

    /// What the [guard](Self::guard) does with some positions, with all that can arise and all images.
    #[cfg(test)]
    pub(crate) fn compare_all_with_images(&self) {
        let mut known = std::collections::HashSet::from([self.start()]);
        let mut open = vec![self.start()];
        while let Some(state) = open.pop() {
            (0..self.images().count()).for_each(|number| self.compare_with_image(&state, number));
            if self.outcome(&state).is_none() {
                let next = self.successors(&state).map(|(_, next)| next);
                open.extend(next.filter(|next| known.insert(*next)));
            }
        }
    }

    /// [`compare`](Self::compare) at all positions that can arise, up to a number of them.
    #[cfg(test)]
    pub(crate) fn compare_all(&self, max: usize) -> Result<usize, String> {
        let mut known = std::collections::HashSet::from([self.rules().start.clone()]);
        let mut open = vec![self.rules().start.clone()];
        while let Some(position) = open.pop() {
            let plain = interpret::moves(self.rules(), &position);
            self.compare_at(&position, &plain, &Budget::unlimited())?;
            for (_, next) in plain {
                if known.len() < max && known.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        Ok(known.len())
    }

    /// Whether two positions are alike: over with the same result for their movers, or their moves lead to the same
    /// representatives.
    fn are_alike(&self, one: &[S; N], other: &[S; N]) -> bool {
        let result =
            |state: &[S; N]| self.outcome(state).map(|outcome| outcome.value_for(self.turn(state)));
        let next = |state: &[S; N]| {
            let after = |(_, next)| self.images().least(self.words(), &next);
            let mut all: Vec<[S; N]> = self.successors(state).map(after).collect();
            all.sort_unstable();
            all
        };
        let is_over = result(one).is_some();
        result(one) == result(other) && (is_over || next(one) == next(other))
    }

    /// Compares a position, of which one in some thousands is taken, with one of its images: the guard of all that
    /// merges positions. A difference is kept for [`Loaded::misplayed`](crate::Loaded::misplayed).
    #[inline]
    pub(crate) fn guard(&self, state: &[S; N]) {
        if let Some(mixed) = is_guarded(state) {
            self.compare_with_image(state, mixed);
        }
    }

    #[cold]
    fn compare_with_image(&self, state: &[S; N], mixed: u64) {
        let number = mixed % self.images().count();
        let max = (GUARDED_IMAGES / self.images().count()) as usize;
        if self.outcome(state).is_none() && self.moves(state).take(max + 1).count() > max {
            return;
        }
        let image = self.images().of(self.words(), state, number);
        let like = self.images().least(self.words(), state);
        for other in [image, like] {
            if !self.are_alike(state, &other) {
                self.note_misplayed(format!(
                    "{OTHERWISE}: {} and {} count as alike, and are not",
                    self.in_words(state),
                    self.in_words(&other)
                ));
            }
        }
    }

    /// Whether what was derived from the rules holds at a position that is not over and its successors.
    fn derived_holds(&self, state: &[S; N]) -> Result<(), String> {
        let like = self.images().least(self.words(), state);
        for (_, after) in self.successors(state) {
            if self.cannot_loop() && self.progress_of(&after) <= self.progress_of(state) {
                return Err(format!("the progress of {}", self.in_words(&after)));
            }
            let outcome = self.outcome(&after).map(|Outcome(value)| value);
            let [least, max] = self.results();
            if outcome.is_some_and(|value| !(least..=max).contains(&value)) {
                return Err(format!("the bounds of results at {}", self.in_words(&after)));
            }
        }
        match self.are_alike(state, &like) {
            true => Ok(()),
            false => Err(format!("the symmetries of {}", self.in_words(state))),
        }
    }

    fn in_words(&self, state: &[S; N]) -> String {
        position_in_words(self.rules(), &self.unpack(state))
    }
}
