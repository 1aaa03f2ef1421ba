//! Which moves of a position to try, and between which bounds its value lies: by functions of the game, so that
//! the search is compiled once for each game and not once more for each kind of hints.

use foregone_rules::{Candidates, Game, Value};

use crate::exact::Hints;

/// The largest number of listed moves of a position; a list of this length may be cut.
pub(super) const MAX_MOVES: usize = 1 << 16;

/// Bounds of the value of a position that is not over. If they differ, the list gets enough moves that the value is the
/// maximum of the lower bound and the values of these moves, each with a number.
type Moves<G> = fn(&G, &<G as Game>::State, &mut Vec<(i32, <G as Game>::Move)>) -> (Value, Value);

/// A source of moves.
pub(crate) struct Guide<G: Game> {
    /// Moves with their priorities.
    pub by_priority: Moves<G>,
    /// Moves with their kinds.
    pub by_kind: Moves<G>,
    /// How many kinds of moves are told apart; 0 if none are.
    pub kinds: fn(&G) -> usize,
    /// The kind of a move, below the number of kinds.
    pub kind: fn(&G, &G::State, G::Move) -> usize,
}

impl<G: Game> Clone for Guide<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Guide<G> {}

impl<G: Game> Guide<G> {
    /// The rules alone.
    pub const PLAIN: Guide<G> = Guide {
        by_priority: all_moves::<G>,
        by_kind: all_moves::<G>,
        kinds: |_| 0,
        kind: |_, _, _| 0,
    };

    /// The hints for a search.
    pub const fn by_hints<H: Hints<G>>() -> Guide<G> {
        Guide {
            by_priority: |game, state, list| {
                H::bounds_and_moves(game, state, &mut Candidates::at_most(list, MAX_MOVES))
            },
            by_kind: |game, state, list| {
                let moves = &mut Candidates::at_most(list, MAX_MOVES);
                let bounds = H::bounds_and_moves(game, state, moves);
                for (kind, mv) in list {
                    *kind = H::history_slot(game, state, *mv) as i32;
                }
                bounds
            },
            kinds: H::history_slots,
            kind: H::history_slot,
        }
    }
}

fn all_moves<G: Game>(
    game: &G,
    state: &G::State,
    list: &mut Vec<(i32, G::Move)>,
) -> (Value, Value) {
    list.extend(game.moves(state).take(MAX_MOVES).map(|mv| (0, mv)));
    (Value(-game.max_value()), Value(game.max_value()))
}
