//! Where the prover gets values from: a search, or a strong solution.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use foregone_rules::{Bank, Encode, Game, Merged, Value};

use crate::control::{Control, Halted};
use crate::exact::Proven;
use crate::exact::Valuer;
use crate::strong::Strong;

/// A search of at most this many positions and moves finds a value soon.
const SOON: u64 = 1 << 9;

/// A source of values.
pub(crate) trait Oracle<G: Game> {
    /// The value of a position that is not over, seen by its mover, and a lower bound on all
    /// results for both sides.
    fn value(&mut self, state: &G::State) -> Result<(Value, Value), Halted>;

    /// Whether a position is worth at least `value` to its mover.
    fn at_least(&mut self, state: &G::State, value: i32) -> Result<bool, Halted>;

    /// As [`at_least`](Oracle::at_least); `None` if the answer would take long.
    fn soon_at_least(&mut self, state: &G::State, value: i32) -> Result<Option<bool>, Halted> {
        self.at_least(state, value).map(Some)
    }

    /// Whether play may loop; `true` if unknown.
    fn can_loop(&self) -> bool;

    /// A number that falls along some value-preserving move of a side, and along every move of the
    /// other side, while endless play is not enough; `None` if play cannot loop, where it is
    /// not needed.
    fn rank(&mut self, state: &G::State) -> Option<u64>;

    /// The memory that it may take, in bytes.
    fn bytes(&self) -> u64;
}

/// Values from a search.
pub(crate) struct ByValues<'a, G: Game> {
    pub valuer: Valuer<'a, G>,
    /// The memory limit of the search.
    pub bytes: u64,
    /// Becomes true after the first query: from then on the proof reports progress, not the search.
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

    fn soon_at_least(&mut self, state: &G::State, value: i32) -> Result<Option<bool>, Halted> {
        self.valuer.allow(SOON);
        let holds = self.valuer.at_least(state, Value(value));
        self.valuer.allow(u64::MAX);
        match holds {
            Err(Halted::Positions { .. }) => Ok(None),
            holds => holds.map(Some),
        }
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

/// A strong solution of all positions, one for each symmetry class, without banked points.
pub(crate) struct ByStrong<'a, G: Encode> {
    game: &'a G,
    strong: Strong<G>,
}

impl<'a, G: Encode> ByStrong<'a, G> {
    /// Solves all positions that can arise from `state`.
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

    fn known_value(&self, state: &G::State) -> Option<Value> {
        let Merged { state, offset: Value(banked) } = Merged::of(self.game, state);
        let Value(value) = self.strong.worth(&state)?.value();
        Some(Value(value + banked))
    }
}

impl<G: Encode> Oracle<G> for ByStrong<'_, G> {
    fn value(&mut self, state: &G::State) -> Result<(Value, Value), Halted> {
        let values = self.strong.iter().map(|(_, worth)| worth.value());
        let least = match G::Bank::BANKS {
            // These values exclude banked points.
            true => Some(Value(-self.game.max_value())),
            false => values.map(|Value(value)| Value(-value.abs())).min(),
        };
        let value = self.known_value(state).unwrap_or(Value(0));
        Ok((value, least.unwrap_or(Value(0))))
    }

    fn at_least(&mut self, state: &G::State, value: i32) -> Result<bool, Halted> {
        Ok(self.known_value(state).is_some_and(|worth| worth >= Value(value)))
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
