//! Random games, in which the machine and what was derived are compared with the plain interpreter: the
//! guard of what rests on them.

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Outcome};

use crate::budget::Budget;
use crate::game::TextGame;
use crate::interpret;
use crate::machine::Word;
use crate::state::Position;
use crate::words::position_in_words;

#[cfg(test)]
mod tests;

/// What the random games of [`Loaded::compare`](crate::Loaded::compare) find if the crate is wrong.
const OTHERWISE: &str = "the game is not played as its text says, which is an error of Foregone";

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize>
    TextGame<S, N, R, K, D>
{
    /// See [`Loaded::compare`](crate::Loaded::compare).
    pub(crate) fn compare(&self, games: u32, budget: &Budget) -> Result<u64, String> {
        let mut dice = Dice::new(1);
        let mut compared = 0;
        for _ in 0..games {
            let mut position = self.rules().start.clone();
            for _ in 0..60 {
                let Some(next) = self.compare_at(&position, budget)? else { return Ok(compared) };
                if next.is_empty() {
                    break;
                }
                compared += next.len() as u64;
                position = next[dice.below(next.len())].clone();
            }
        }
        Ok(compared)
    }

    /// Compares at a position; the positions after its moves, none if the game is over. `None` if the budget is spent.
    fn compare_at(
        &self,
        position: &Position,
        budget: &Budget,
    ) -> Result<Option<Vec<Position>>, String> {
        let rules = self.rules();
        // The machine has no limit, and is several times as fast.
        let Some(plain) = interpret::moves_within(rules, position, budget) else { return Ok(None) };
        let images = 1 + self.images().count();
        if budget.take(images * (1 + plain.len() as u64)).is_none() {
            return Ok(None);
        }
        let state: [S; N] = self.pack(position);
        let words = || position_in_words(rules, position);
        let same = |what: &str, equal: bool| match equal {
            true => Ok(()),
            false => Err(format!("{OTHERWISE}: {what} of {}", words())),
        };
        same("the words", self.unpack(&state) == *position)?;
        let outcome = interpret::outcome(rules, position);
        same("the outcome", self.outcome(&state) == outcome.map(Outcome))?;
        if outcome.is_some() {
            return Ok(Some(Vec::new()));
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
        Ok(Some(plain.into_iter().map(|(_, next)| next).collect()))
    }

    /// [`compare`](Self::compare) at all positions that can arise, up to a number of them.
    #[cfg(test)]
    pub(crate) fn compare_all(&self, most: usize) -> Result<usize, String> {
        let mut known = std::collections::HashSet::from([self.rules().start.clone()]);
        let mut open = vec![self.rules().start.clone()];
        while let Some(position) = open.pop() {
            let next = self.compare_at(&position, &Budget::new(u64::MAX))?;
            for next in next.unwrap_or_default() {
                if known.len() < most && known.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        Ok(known.len())
    }

    /// Whether what was derived from the rules holds at a position that is not over and its successors.
    fn derived_holds(&self, state: &[S; N]) -> Result<(), String> {
        let like = self.images().least(self.words(), state);
        let (mut others, mut next) = (Vec::new(), Vec::new());
        for (_, after) in self.successors(&like) {
            others.push(self.images().least(self.words(), &after));
        }
        for (_, after) in self.successors(state) {
            if self.cannot_loop() && self.progress_of(&after) <= self.progress_of(state) {
                return Err(format!("the progress of {}", self.in_words(&after)));
            }
            let outcome = self.outcome(&after).map(|Outcome(value)| value);
            let [least, most] = self.results();
            if outcome.is_some_and(|value| !(least..=most).contains(&value)) {
                return Err(format!("the bounds of results at {}", self.in_words(&after)));
            }
            next.push(self.images().least(self.words(), &after));
        }
        others.sort_unstable();
        next.sort_unstable();
        match others == next {
            true => Ok(()),
            false => Err(format!("the symmetries of {}", self.in_words(state))),
        }
    }

    fn in_words(&self, state: &[S; N]) -> String {
        position_in_words(self.rules(), &self.unpack(state))
    }
}
