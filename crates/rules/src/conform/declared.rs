//! Checks of all promises of a game.

use super::Conform;
use crate::game::Game;
use crate::promise::{
    Actions, Acyclic, Banded, Banked, Declare, Encode, Evaluate, Finer, Indexed, Notation, Order,
    Picture, Promises, SearchHints, Symmetry,
};

impl<G: Declare> Conform<'_, G> {
    /// Checks every promise that the game [declares](Declare).
    pub fn declared(self) -> Self {
        let mut all = All(Some(self));
        G::declare(&mut all);
        all.0.expect("each check gives it back")
    }
}

/// The check so far; `None` only while a promise is checked.
struct All<'g, G: Game>(Option<Conform<'g, G>>);

impl<'g, G: Game> All<'g, G> {
    fn then(&mut self, check: impl FnOnce(Conform<'g, G>) -> Conform<'g, G>) {
        self.0 = self.0.take().map(check);
    }
}

impl<G: Game> Promises<G> for All<'_, G> {
    fn actions(&mut self)
    where
        G: Actions,
    {
        self.then(Conform::actions);
    }

    fn notation(&mut self)
    where
        G: Notation,
    {
        self.then(Conform::notation);
    }

    fn picture(&mut self)
    where
        G: Picture,
    {
        self.then(Conform::picture);
    }

    fn acyclic(&mut self)
    where
        G: Acyclic,
    {
        self.then(Conform::acyclic);
    }

    fn evaluate(&mut self)
    where
        G: Evaluate,
    {
        self.then(Conform::evaluate);
    }

    fn order(&mut self)
    where
        G: Order,
    {
        self.then(Conform::order);
    }

    fn symmetry(&mut self)
    where
        G: Symmetry,
    {
        self.then(Conform::symmetry);
    }

    fn banked(&mut self)
    where
        G: Banked,
    {
        self.then(Conform::banked);
    }

    fn encode(&mut self)
    where
        G: Encode,
    {
        self.then(Conform::encode_merged);
    }

    fn finer(&mut self)
    where
        G: Finer,
    {
        self.then(Conform::finer);
    }

    fn indexed(&mut self)
    where
        G: Indexed,
    {
        self.then(Conform::indexed);
    }

    fn indexed_acyclic(&mut self)
    where
        G: Indexed + Acyclic,
    {
        self.then(Conform::measured_numbers);
    }

    fn banded(&mut self)
    where
        G: Banded,
    {
        self.then(Conform::banded);
    }

    fn search_hints(&mut self)
    where
        G: SearchHints,
    {
        self.then(Conform::search_hints);
    }

    fn search_with_endgame(&mut self)
    where
        G: SearchHints + Banded,
    {
        self.then(Conform::search_hints);
        self.then(Conform::endgame);
    }
}
