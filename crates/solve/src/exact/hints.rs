//! Search hints of a game: its own [`SearchHints`], or hints derived from its moves and its codes
//! alone.

use std::marker::PhantomData;

use foregone_rules::{
    Acyclic, Banded, Bank, Candidates, Encode, Game, Merged, Order, Outcome, SearchHints, Value,
};

use crate::control::{Control, Halted};
use crate::tables::endgame::Endgame;

/// A source of search hints. Each function does what the function of [`SearchHints`] with the same
/// name does.
pub trait Hints<G: Game>: Send + Sync + 'static {
    /// See [`SearchHints::key_bits`].
    fn key_bits(game: &G) -> u32;

    /// See [`SearchHints::key`].
    fn key(game: &G, state: &G::State) -> Option<(u64, Value)>;

    /// See [`SearchHints::near_end`].
    fn near_end(_: &G, _: &G::State) -> bool {
        false
    }

    /// See [`SearchHints::quick_bounds`].
    #[inline]
    fn quick_bounds(_: &G, _: &G::State) -> (Value, Value) {
        (Value(-Outcome::LIMIT), Value(Outcome::LIMIT))
    }

    /// See [`SearchHints::bounds_and_moves`].
    fn bounds_and_moves(
        game: &G,
        state: &G::State,
        moves: &mut Candidates<'_, G::Move>,
    ) -> (Value, Value);

    /// See [`SearchHints::priority`].
    #[inline]
    fn priority(_: &G, _: &G::State, _: G::Move) -> i32 {
        0
    }

    /// The bounds alone.
    fn bounds(game: &G, state: &G::State) -> (Value, Value) {
        Self::bounds_and_moves(game, state, &mut Candidates::at_most(&mut Vec::new(), 0))
    }

    /// The layer of a position, its number there, and the offset from the stored value to its value, if its
    /// layer is below this one; `None` without an endgame table.
    #[inline]
    fn number(_: &G, _: &G::State, _below: u32) -> Option<(u32, u64, Value)> {
        None
    }

    /// See [`SearchHints::endgame`].
    fn endgame(_: &G, _: &G::State) -> u32 {
        0
    }

    /// See [`SearchHints::endgame_pace`].
    fn endgame_pace(_: &G) -> u64 {
        1
    }

    /// Bytes of memory for an endgame table of the lowest layers.
    fn endgame_bytes(_: &G, _layers: u32) -> u64 {
        0
    }

    /// Adds the next layer to an endgame table; whether there was one.
    ///
    /// # Errors
    /// If a limit of `control` is reached.
    fn add_layer(_: &G, _: &mut Endgame, _threads: usize, _: &Control) -> Result<bool, Halted> {
        Ok(false)
    }

    /// See [`SearchHints::history_slots`].
    fn history_slots(_: &G) -> usize {
        1
    }

    /// See [`SearchHints::history_slot`].
    #[inline]
    fn history_slot(_: &G, _: &G::State, _: G::Move) -> usize {
        0
    }
}

/// The functions that hand on to the game's own.
macro_rules! own_hints {
    ($game:ident) => {
        fn key_bits(game: &$game) -> u32 {
            game.key_bits()
        }

        #[inline]
        fn key(game: &$game, state: &$game::State) -> Option<(u64, Value)> {
            game.key(state)
        }

        #[inline]
        fn near_end(game: &$game, state: &$game::State) -> bool {
            game.near_end(state)
        }

        #[inline]
        fn quick_bounds(game: &$game, state: &$game::State) -> (Value, Value) {
            game.quick_bounds(state)
        }

        #[inline]
        fn bounds_and_moves(
            game: &$game,
            state: &$game::State,
            moves: &mut Candidates<'_, $game::Move>,
        ) -> (Value, Value) {
            game.bounds_and_moves(state, moves)
        }

        #[inline]
        fn priority(game: &$game, state: &$game::State, mv: $game::Move) -> i32 {
            game.priority(state, mv)
        }

        fn history_slots(game: &$game) -> usize {
            game.history_slots()
        }

        #[inline]
        fn history_slot(game: &$game, state: &$game::State, mv: $game::Move) -> usize {
            game.history_slot(state, mv)
        }
    };
}

/// The game's own hints.
#[derive(Clone, Copy, Debug)]
pub struct OwnHints;

impl<G: SearchHints> Hints<G> for OwnHints {
    own_hints!(G);
}

/// The game's own hints, and an endgame table of its lowest layers.
#[derive(Clone, Copy, Debug)]
pub struct WithEndgame;

impl<G: SearchHints + Banded> Hints<G> for WithEndgame {
    own_hints!(G);

    #[inline(always)]
    fn number(game: &G, state: &G::State, below: u32) -> Option<(u32, u64, Value)> {
        if game.layer(state) >= below {
            return None;
        }
        let (layer, number) = game.index(state);
        Some((layer, number, G::Bank::banked(game, state)))
    }

    fn endgame(game: &G, state: &G::State) -> u32 {
        game.endgame(state)
    }

    fn endgame_pace(game: &G) -> u64 {
        game.endgame_pace()
    }

    fn endgame_bytes(game: &G, layers: u32) -> u64 {
        Endgame::bytes(game, layers)
    }

    fn add_layer(
        game: &G,
        endgame: &mut Endgame,
        threads: usize,
        control: &Control,
    ) -> Result<bool, Halted> {
        endgame.add(game, threads, control)
    }
}

/// Hints for a game without its own: the keys are codes, if these have at most 64 bits, and all
/// moves are tried, in the order of the rules or of `O`.
#[derive(Clone, Copy, Debug)]
pub struct ByCode<O = AsListed>(PhantomData<O>);

/// Moves in the order of the rules.
#[derive(Clone, Copy, Debug)]
pub struct AsListed;

/// Moves in the game's own [`Order`].
#[derive(Clone, Copy, Debug)]
pub struct InOrder;

/// How promising moves look, by an order alone.
pub trait Promise<G: Game>: Send + Sync + 'static {
    /// How promising a move looks; larger first.
    fn of(game: &G, state: &G::State, mv: G::Move) -> i32;
}

impl<G: Game> Promise<G> for AsListed {
    #[inline]
    fn of(_: &G, _: &G::State, _: G::Move) -> i32 {
        0
    }
}

impl<G: Order> Promise<G> for InOrder {
    #[inline]
    fn of(game: &G, state: &G::State, mv: G::Move) -> i32 {
        let max = Candidates::<G::Move>::MAX as i32;
        game.order(state, mv).clamp(-max, max)
    }
}

impl<G: Acyclic + Encode, O: Promise<G>> Hints<G> for ByCode<O> {
    /// Keys need at least one bit.
    fn key_bits(game: &G) -> u32 {
        game.bits().clamp(1, u64::BITS)
    }

    /// The code of a position without banked points, which are the offset.
    #[inline]
    fn key(game: &G, state: &G::State) -> Option<(u64, Value)> {
        if game.bits() > u64::BITS {
            return None;
        }
        let Merged { state, offset } = Merged::of(game, state);
        Some((game.encode(&state) as u64, offset))
    }

    fn bounds_and_moves(
        game: &G,
        state: &G::State,
        moves: &mut Candidates<'_, G::Move>,
    ) -> (Value, Value) {
        for mv in game.moves(state) {
            if moves.is_full() {
                break;
            }
            moves.push(O::of(game, state, mv), mv);
        }
        let value = game.max_value();
        (Value(-value), Value(value))
    }
}
