//! Compact numbers of states.

use super::{Bank, Symmetry};
use crate::game::Value;

/// A number of few bits for each state, and the state of each number: different states have
/// different numbers.
///
/// This holds for states with nothing [banked](Encode::Bank); if the game has a [`Symmetry`], only
/// for representatives.
pub trait Encode: Symmetry {
    /// What the numbers leave out.
    type Bank: Bank<Self>;
    /// The number of bits: every number is below `2^bits`. At most 128.
    fn bits(&self) -> u32;
    /// The number of a state.
    fn encode(&self, state: &Self::State) -> u128;
    /// The state of a number from [`encode`](Encode::encode). Other numbers below `2^bits`, for
    /// example from a file, give some state and do not panic.
    fn decode(&self, code: u128) -> Self::State;
}

/// A position as files store it: the representative, with nothing banked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Merged<S> {
    /// The representative, with nothing banked.
    pub state: S,
    /// The value of the position minus the value of `state`: what the mover has banked.
    pub offset: Value,
}

impl<S> Merged<S> {
    /// The merged form of `state`.
    #[inline]
    pub fn of<G: Encode<State = S>>(game: &G, state: &S) -> Merged<S> {
        let offset = G::Bank::banked(game, state);
        let state = game.representative(&G::Bank::unbanked(game, state));
        Merged { state, offset }
    }
}
