//! Search for values of any [`Game`], as a trait object.

use std::marker::PhantomData;

use foregone_rules::{Game, Value, Written};

use super::{ANY_VALUE, Exact, Hints, Options, Proven};
use crate::control::{Control, Halted};
use crate::monte_carlo::Guide;
use crate::tables::endgame;
use crate::tables::leaves::Leaf;

/// A search for values of a game.
pub(crate) trait ValueSearch<G: Game>: Send + Sync {
    /// Creates a search within limits.
    ///
    /// # Errors
    /// If there is not enough memory.
    fn valuer<'a>(
        &self,
        game: &'a G,
        control: &'a Control,
        options: Options,
        given: Given<'a, G>,
    ) -> Result<Valuer<'a, G>, Halted>;

    /// Whether searches of the game can begin with an endgame table.
    fn has_endgame(&self, game: &G) -> bool;

    /// The hints of this search, for Monte Carlo tree search.
    fn guide(&self) -> Guide<G>;
}

/// What else a search is given.
pub(crate) struct Given<'a, G: Game> {
    /// Known worths of positions.
    pub leaf: Option<Leaf<'a, G::State>>,
    pub notation: Option<Written<G>>,
    /// The endgame table of earlier searches, and for later ones.
    pub endgame: Option<&'a endgame::Store>,
}

impl<G: Game> Clone for Given<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Given<'_, G> {}

/// Search by [`Exact`], with hints from `H`.
pub(crate) struct BySearch<H>(PhantomData<H>);

impl<H> BySearch<H> {
    pub const NEW: BySearch<H> = BySearch(PhantomData);
}

impl<G: Game, H: Hints<G>> ValueSearch<G> for BySearch<H> {
    fn valuer<'a>(
        &self,
        game: &'a G,
        control: &'a Control,
        options: Options,
        Given { leaf, notation, endgame }: Given<'a, G>,
    ) -> Result<Valuer<'a, G>, Halted> {
        let exact = Exact::<G, H>::hinted(game, control, options)?;
        Ok(Box::new(exact.with_leaf(leaf).with_notation(notation).sharing(endgame)))
    }

    fn has_endgame(&self, game: &G) -> bool {
        H::endgame_bytes(game, 1) > 0
    }

    fn guide(&self) -> Guide<G> {
        Guide::by_hints::<H>()
    }
}

/// A boxed search for values.
pub(crate) type Valuer<'a, G> = Box<dyn Valuing<G> + 'a>;

/// [`Exact`] for any game, as a trait object.
pub(crate) trait Valuing<G: Game> {
    fn bounds_within(
        &mut self,
        state: &G::State,
        known: (Value, Value),
        guess: Option<Value>,
    ) -> Proven;
    fn order(&self, state: &G::State, moves: &[G::Move]) -> Vec<usize>;
    fn least(&self, state: &G::State) -> Value;
    fn at_least(&mut self, state: &G::State, value: Value) -> Result<bool, Halted>;
    fn nodes(&self) -> u64;
    fn work(&self) -> u64;
    fn allow(&mut self, work: u64);

    fn bounds(&mut self, state: &G::State) -> Proven {
        self.bounds_within(state, ANY_VALUE, None)
    }

    /// A best move, if one is known without search.
    fn best(&mut self, _: &G::State) -> Result<Option<G::Move>, Halted> {
        Ok(None)
    }
}

/// Whether a move that leads to a position keeps `value`, as seen from there: the mover gets no more than that.
/// `again` if the mover moves there, too.
pub(crate) fn keeps<G: Game>(
    valuer: &mut dyn Valuing<G>,
    child: &G::State,
    value: Value,
    again: bool,
) -> Result<bool, Halted> {
    match again {
        true => valuer.at_least(child, value),
        // The other side gets no less, so no more is enough.
        false => valuer.at_least(child, Value(value.0 + 1)).map(|more| !more),
    }
}

impl<G: Game, H: Hints<G>> Valuing<G> for Exact<'_, G, H> {
    fn bounds_within(
        &mut self,
        state: &G::State,
        known: (Value, Value),
        guess: Option<Value>,
    ) -> Proven {
        Exact::bounds_within(self, state, known, guess)
    }

    fn order(&self, state: &G::State, moves: &[G::Move]) -> Vec<usize> {
        Exact::order(self, state, moves)
    }

    fn least(&self, state: &G::State) -> Value {
        Exact::least(self, state)
    }

    fn at_least(&mut self, state: &G::State, value: Value) -> Result<bool, Halted> {
        Exact::at_least(self, state, value)
    }

    fn nodes(&self) -> u64 {
        Exact::nodes(self)
    }

    fn work(&self) -> u64 {
        Exact::work(self)
    }

    fn allow(&mut self, work: u64) {
        Exact::allow(self, work);
    }
}
