//! Points that a player keeps whatever comes.

use crate::game::{Game, Value};

/// Points that a player keeps whatever comes, such as the stones in Kalah's stores.
///
/// What a position is worth is what its mover has banked plus what the same position is worth with
/// nothing banked. That holds for values alone: a distance depends on what is banked, because who
/// wins hurries, and so does the sign of a value. If play can loop, what play without end is worth
/// ([`Game::endless`]) depends on what is banked in the same way.
pub trait Banked: Game {
    /// What the mover has banked, less what the other side has.
    fn banked(&self, state: &Self::State) -> Value;

    /// The same position with nothing banked.
    fn unbanked(&self, state: &Self::State) -> Self::State;
}

/// What the numbers of positions leave out: [`NoBank`], nothing, or [`PointBank`], what is banked.
pub trait Bank<G: Game + ?Sized>: 'static {
    /// Whether points are ever banked.
    const BANKS: bool;
    /// What the mover has banked, less what the other side has.
    fn banked(game: &G, state: &G::State) -> Value;
    /// The same position with nothing banked.
    fn unbanked(game: &G, state: &G::State) -> G::State;
}

/// Of a game that banks no points.
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

/// Of a game that is [`Banked`]: states that differ only in what is banked share a number.
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
