//! A state as a number of few bits.

use super::{Bank, Symmetry};
use crate::game::Value;

/// A state as a number of few bits, both ways, exactly: different states have different numbers.
///
/// This is promised of states with nothing [banked](Encode::Bank); if the game has a
/// [`Symmetry`], of representatives alone.
pub trait Encode: Symmetry {
    /// What the numbers leave out.
    type Bank: Bank<Self>;
    /// How many bits the numbers need: every one is below `2^bits`. At most 128.
    fn bits(&self) -> u32;
    /// The number of a state.
    fn encode(&self, state: &Self::State) -> u128;
    /// The state of a number that [`encode`](Encode::encode) gave. Any other below `2^bits` may come in
    /// too, from a file for one: it gives some state.
    fn decode(&self, code: u128) -> Self::State;
}

/// A position as files merge it with others: without what is banked, up to symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Merged<S> {
    /// The representative, with nothing banked.
    pub state: S,
    /// What the mover has banked: the position's value, less that of the representative.
    pub offset: Value,
}

impl<S> Merged<S> {
    /// The position that stands for a state.
    #[inline]
    pub fn of<G: Encode<State = S>>(game: &G, state: &S) -> Merged<S> {
        let offset = G::Bank::banked(game, state);
        let state = game.representative(&G::Bank::unbanked(game, state));
        Merged { state, offset }
    }
}
