//! Alpha-beta and proof-number search in turns, until one of them has the answer.
//!
//! Alpha-beta finds most values sooner, but proof-number search finds deep forced wins so much
//! sooner that it pays to try it for a while. Both take turns, which grow. A turn is measured in
//! positions and moves, never in time, so that one thread always does the same.

use foregone_rules::{Game, Value};

use crate::control::Halted;
use crate::exact::Proven;
use crate::exact::{Valuer, Valuing};

/// The work of the first turn.
const FIRST_TURN: u64 = 1 << 16;

/// Proof-number search gets no more turns after this much work without an answer, unless it gave the last one.
const PATIENCE: u64 = 1 << 23;

/// Proof-number search gets half the turn after each answer of alpha-beta, but no less than this power of a half: in
/// Connect Four its work takes five times as long.
const MOST_BEHIND: u32 = 4;

/// Both searches.
pub(super) struct Race<'a, G: Game> {
    searches: [Valuer<'a, G>; 2],
    /// The remaining work of both searches.
    allowed: u64,
    /// The remaining work of proof-number search without an answer.
    patience: u64,
    /// How many answers alpha-beta gave since the last one of proof-number search.
    behind: u32,
    /// Whether proof-number search gave the first answer; `None` if there is none yet.
    pub by_proof: Option<bool>,
}

const BY_PROOF: usize = 1;

impl<'a, G: Game> Race<'a, G> {
    /// A race of alpha-beta and proof-number search.
    pub fn new(alpha_beta: Valuer<'a, G>, by_proof: Valuer<'a, G>) -> Race<'a, G> {
        let searches = [alpha_beta, by_proof];
        Race { searches, allowed: u64::MAX, patience: PATIENCE, behind: 0, by_proof: None }
    }

    /// Gives turns to both searches, until one has the answer.
    fn ask<R>(
        &mut self,
        mut question: impl FnMut(&mut dyn Valuing<G>) -> Result<R, Halted>,
    ) -> Result<R, Halted> {
        let mut turn = FIRST_TURN;
        loop {
            for at in [0, BY_PROOF] {
                let share = match at {
                    BY_PROOF => (turn >> self.behind.min(MOST_BEHIND)).min(self.patience),
                    // The other search has no more turns, so this one needs no limit.
                    _ if self.patience == 0 => u64::MAX,
                    _ => turn,
                };
                let share = share.min(self.allowed);
                if share == 0 {
                    continue;
                }
                let search = &mut self.searches[at];
                let before = search.work();
                search.allow(share);
                let answer = question(&mut **search);
                let done = search.work() - before;
                self.allowed = self.allowed.saturating_sub(done);
                let in_vain = matches!(answer, Err(Halted::Positions { .. }));
                self.patience = match at {
                    BY_PROOF if in_vain => self.patience.saturating_sub(done),
                    BY_PROOF => u64::MAX,
                    _ if in_vain => self.patience,
                    _ => self.patience.min(PATIENCE),
                };
                if !in_vain {
                    self.behind = if at == BY_PROOF { 0 } else { self.behind + 1 };
                    self.by_proof.get_or_insert(at == BY_PROOF);
                    return answer;
                }
            }
            if self.allowed == 0 {
                return Err(Halted::Positions { limit: 0 });
            }
            turn = turn.saturating_mul(2);
        }
    }
}

impl<G: Game> Valuing<G> for Race<'_, G> {
    fn bounds_within(
        &mut self,
        state: &G::State,
        known: (Value, Value),
        guess: Option<Value>,
    ) -> Proven {
        let (mut low, mut high) = known;
        let answer = self.ask(|search| {
            // Each search continues from the bounds that the other has proven.
            let proven = search.bounds_within(state, (low, high), guess);
            (low, high) = (proven.low, proven.high);
            match proven.halted {
                Some(halted) if low < high => Err(halted),
                _ => Ok(()),
            }
        });
        Proven { low, high, halted: answer.err() }
    }

    fn order(&self, state: &G::State, moves: &[G::Move]) -> Vec<usize> {
        self.searches[0].order(state, moves)
    }

    fn least(&self, state: &G::State) -> Value {
        self.searches[0].least(state)
    }

    fn at_least(&mut self, state: &G::State, value: Value) -> Result<bool, Halted> {
        self.ask(|search| search.at_least(state, value))
    }

    fn nodes(&self) -> u64 {
        self.searches.iter().map(|search| search.nodes()).sum()
    }

    fn work(&self) -> u64 {
        self.searches.iter().map(|search| search.work()).sum()
    }

    fn allow(&mut self, work: u64) {
        self.allowed = work;
    }
}
