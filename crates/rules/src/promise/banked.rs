//! Banked points: points that a player cannot lose again.

use crate::game::{Game, Value};

/// Points that a player cannot lose again, such as the stones in Kalah's stores.
///
/// The value of a position is the mover's bank plus the value of the same position with nothing
/// banked. This holds only for values: the bank can change the sign of a value, and so the
/// distance, because winners minimise plies. If play can loop, it must also hold for endless play
/// ([`Game::endless`]).
pub trait Banked: Game {
    /// The mover's banked points minus the other side's.
    fn banked(&self, state: &Self::State) -> Value;

    /// The same position with nothing banked.
    fn unbanked(&self, state: &Self::State) -> Self::State;
}

/// What the numbers of positions leave out: nothing ([`NoBank`]) or the banked points
/// ([`PointBank`]).
pub trait Bank<G: Game + ?Sized>: 'static {
    /// Whether points are ever banked.
    const BANKS: bool;
    /// The mover's banked points minus the other side's.
    fn banked(game: &G, state: &G::State) -> Value;
    /// The same position with nothing banked.
    fn unbanked(game: &G, state: &G::State) -> G::State;
}

/// The bank of a game that banks no points.
#[derive(Clone, Copy, Debug)]
pub struct NoBank;

impl<G: Game> Bank<G> for NoBank {
    const BANKS: bool = false;

    #[inline]
    fn banked(_: &G, _: &G::State) -> Value {
        Value(0)
    }

    #[inline]
    fn unbanked(_: &G, state: &G::State) -> G::State {
        *state
    }
}

/// The bank of a [`Banked`] game: states that differ only in banked points share a number.
#[derive(Clone, Copy, Debug)]
pub struct PointBank;

impl<G: Banked> Bank<G> for PointBank {
    const BANKS: bool = true;

    #[inline]
    fn banked(game: &G, state: &G::State) -> Value {
        game.banked(state)
    }

    #[inline]
    fn unbanked(game: &G, state: &G::State) -> G::State {
        game.unbanked(state)
    }
}
