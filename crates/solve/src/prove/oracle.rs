//! Whom the prover asks what positions are worth: a search, or all positions solved.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use foregone_rules::{Bank, Encode, Game, Merged, Value};

use crate::control::{Control, Halted};
use crate::exact::Proven;
use crate::exact::Valuer;
use crate::strong::Strong;

/// Who knows what positions are worth.
pub(crate) trait Oracle<G: Game> {
    /// The value of a position that is not over, seen by its mover, and what no result is below for
    /// either side.
    fn value(&mut self, state: &G::State) -> Result<(Value, Value), Halted>;

    /// Whether a position is worth at least so much to its mover.
    fn at_least(&mut self, state: &G::State, value: i32) -> Result<bool, Halted>;

    /// Whether play may loop, as far as is known.
    fn can_loop(&self) -> bool;

    /// A number that falls along some move of a side that keeps what it gets, and along every move of
    /// the other side, as long as play without end is not enough; `None` if play cannot loop, and it is
    /// of no use.
    fn rank(&mut self, state: &G::State) -> Option<u64>;

    /// How many bytes of memory it may take.
    fn bytes(&self) -> u64;
}

/// A game whose values a search knows.
pub(crate) struct ByValues<'a, G: Game> {
    pub valuer: Valuer<'a, G>,
    /// What the search may take.
    pub bytes: u64,
    /// Turns true after the first question: from then on it is heard of the proof itself.
    pub quiet: Arc<AtomicBool>,
}

impl<G: Game> Oracle<G> for ByValues<'_, G> {
    fn value(&mut self, state: &G::State) -> Result<(Value, Value), Halted> {
        let least = self.valuer.least(state);
        let Proven { low, halted, .. } = self.valuer.bounds(state);
        halted.map_or(Ok((low, least)), Err)
    }

    fn at_least(&mut self, state: &G::State, value: i32) -> Result<bool, Halted> {
        let holds = self.valuer.at_least(state, Value(value));
        self.quiet.store(true, Ordering::Relaxed);
        holds
    }

    fn can_loop(&self) -> bool {
        false
    }

    fn rank(&mut self, _: &G::State) -> Option<u64> {
        None
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// A game of which all positions are solved, one for all alike, with nothing banked.
pub(crate) struct ByStrong<'a, G: Encode> {
    game: &'a G,
    strong: Strong<G>,
}

impl<'a, G: Encode> ByStrong<'a, G> {
    /// Solves all positions that can arise from one.
    pub fn new(
        game: &'a G,
        state: &G::State,
        control: &Control,
    ) -> Result<ByStrong<'a, G>, Halted> {
        let strong = Strong::solve_bare(game, state, control)?;
        Ok(ByStrong { game, strong })
    }

    #[cfg(test)]
    pub(crate) fn is_even(&self) -> bool {
        self.strong.is_even()
    }

    fn told(&self, state: &G::State) -> Option<Value> {
        let Merged { state, offset: Value(banked) } = Merged::of(self.game, state);
        let Value(value) = self.strong.worth(&state)?.value();
        Some(Value(value + banked))
    }
}

impl<G: Encode> Oracle<G> for ByStrong<'_, G> {
    fn value(&mut self, state: &G::State) -> Result<(Value, Value), Halted> {
        let values = self.strong.iter().map(|(_, worth)| worth.value());
        let least = match G::Bank::BANKS {
            // These are without what is banked.
            true => Some(Value(-self.game.most())),
            false => values.map(|Value(value)| Value(-value.abs())).min(),
        };
        let value = self.told(state).unwrap_or(Value(0));
        Ok((value, least.unwrap_or(Value(0))))
    }

    fn at_least(&mut self, state: &G::State, value: i32) -> Result<bool, Halted> {
        Ok(self.told(state).is_some_and(|worth| worth >= Value(value)))
    }

    fn can_loop(&self) -> bool {
        true
    }

    fn rank(&mut self, state: &G::State) -> Option<u64> {
        self.strong.rank(self.game, &Merged::of(self.game, state).state)
    }

    fn bytes(&self) -> u64 {
        self.strong.bytes()
    }
}
