//! Alpha-beta and search by proof numbers side by side: whichever answers a question first.
//!
//! Alpha-beta finds most values sooner, and proof numbers find deep forced wins so much sooner that
//! it pays to try them for a while. Both have turns, which grow; a turn is measured in positions and
//! moves looked at, never in time, so that one thread always does the same.

use foregone_rules::{Game, Value};

use crate::control::Halted;
use crate::exact::Proven;
use crate::exact::{Valuer, Valuing};

/// The first turn that each has at a question.
const FIRST_TURN: u64 = 1 << 16;

/// After so much in vain there are no more turns for proof numbers.
const PATIENCE: u64 = 1 << 23;

/// Both searches.
pub(super) struct Race<'a, G: Game> {
    searches: [Valuer<'a, G>; 2],
    /// How much may still be looked at, by both.
    allowed: u64,
    /// How much proof numbers may still look at in vain.
    patience: u64,
    /// Whether the first question was answered by proof numbers; `None` if there is no answer yet.
    pub by_proof: Option<bool>,
}

const BY_PROOF: usize = 1;

impl<'a, G: Game> Race<'a, G> {
    /// Alpha-beta, and search by proof numbers.
    pub fn new(alpha_beta: Valuer<'a, G>, by_proof: Valuer<'a, G>) -> Race<'a, G> {
        let searches = [alpha_beta, by_proof];
        Race { searches, allowed: u64::MAX, patience: PATIENCE, by_proof: None }
    }

    /// Asks one after the other, until one has the answer.
    fn ask<R>(
        &mut self,
        mut question: impl FnMut(&mut dyn Valuing<G>) -> Result<R, Halted>,
    ) -> Result<R, Halted> {
        let mut turn = FIRST_TURN;
        loop {
            for at in [0, BY_PROOF] {
                let share = match at {
                    BY_PROOF => turn.min(self.patience),
                    // Nobody waits for the end of its turn.
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
                if at == BY_PROOF {
                    let left = if in_vain { self.patience.saturating_sub(done) } else { PATIENCE };
                    self.patience = left;
                }
                if !in_vain {
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
    fn bounds_within(&mut self, state: &G::State, known: (Value, Value)) -> Proven {
        let (mut low, mut high) = known;
        let answer = self.ask(|search| {
            // What one has proven is known to the other.
            let proven = search.bounds_within(state, (low, high));
            (low, high) = (proven.low, proven.high);
            match proven.halted {
                Some(halted) if low < high => Err(halted),
                _ => Ok(()),
            }
        });
        Proven { low, high, halted: answer.err() }
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
