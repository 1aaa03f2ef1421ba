//! Which moves of a position to try, and between which bounds its value lies.

use std::marker::PhantomData;

use foregone_rules::{Candidates, Game, Value};

use crate::exact::Hints;

/// A source of moves.
pub(crate) trait Guide<G: Game>: 'static {
    /// Bounds of the value of a position that is not over. If they differ, adds enough moves to `list` that the
    /// value is the maximum of the lower bound and the values of these moves, each with a priority.
    fn bounds_and_moves(
        game: &G,
        state: &G::State,
        list: &mut Vec<(i32, G::Move)>,
    ) -> (Value, Value);

    /// How many kinds of moves are told apart; 0 if none are.
    fn kinds(_: &G) -> usize {
        0
    }

    /// The kind of a move, below [`kinds`](Guide::kinds).
    #[inline]
    fn kind(_: &G, _: &G::State, _: G::Move) -> usize {
        0
    }
}

/// The rules alone.
pub(crate) struct Plain;

impl<G: Game> Guide<G> for Plain {
    #[inline]
    fn bounds_and_moves(
        game: &G,
        state: &G::State,
        list: &mut Vec<(i32, G::Move)>,
    ) -> (Value, Value) {
        list.extend(game.moves(state).take(MOST_MOVES).map(|mv| (0, mv)));
        (Value(-game.most()), Value(game.most()))
    }
}

/// The most moves of a position that are listed; with so many, some may be missing.
pub(super) const MOST_MOVES: usize = 1 << 16;

/// Hints for a search.
pub(crate) struct ByHints<H>(PhantomData<H>);

impl<G: Game, H: Hints<G>> Guide<G> for ByHints<H> {
    #[inline]
    fn bounds_and_moves(
        game: &G,
        state: &G::State,
        list: &mut Vec<(i32, G::Move)>,
    ) -> (Value, Value) {
        H::bounds_and_moves(game, state, &mut Candidates::at_most(list, MOST_MOVES))
    }

    fn kinds(game: &G) -> usize {
        H::history_slots(game)
    }

    #[inline]
    fn kind(game: &G, state: &G::State, mv: G::Move) -> usize {
        H::history_slot(game, state, mv)
    }
}
