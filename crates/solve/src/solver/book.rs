//! What a book knows: the worth of a position and of all its moves without any search, and bounds for a search that
//! goes beyond the book.

use foregone_record::{Error, Table};
use foregone_rules::{Game, Value, Worth};

use super::line::line;
use super::{Analysis, Question, Solver};
use crate::control::Halted;
use crate::declared::Declared;
use crate::exact::{Proven, Valuing};
use crate::found::Found;

/// What a book says; `None` if that is beyond it.
type Looked<T> = Result<Option<T>, Error>;

/// A book of a game or of its finest variant.
pub(super) struct Book<'a, G: Game> {
    pub declared: &'a Declared<G>,
    pub book: &'a Table,
}

impl<G: Game> Clone for Book<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Book<'_, G> {}

impl<G: Game> Book<'_, G> {
    /// What is known of a position without search: `None` if it is beyond the book.
    fn found(self, state: &G::State) -> Looked<Found> {
        let Declared { game, books, finer, .. } = self.declared;
        if let Some(outcome) = game.outcome(state) {
            let worth = Worth::finished(outcome, game.turn(state));
            return Ok(Some(match finer {
                Some(_) => Found::Proven(worth),
                None => Found::Value(worth.value()),
            }));
        }
        let Some(value) = books.map(|books| books.value(game, self.book, state)) else {
            return Ok(None);
        };
        Ok(value?.map(|value| match finer {
            Some((_, worth_by)) => Found::Proven(worth_by(game, state, value)),
            None => Found::Value(value),
        }))
    }

    /// All moves of a position with what is known of them; `None` if one leads beyond the book.
    fn moves(self, state: &G::State) -> Looked<Vec<(G::Move, Found)>> {
        let game = &self.declared.game;
        let mut moves = Vec::new();
        for (mv, child) in game.successors(state) {
            let Some(found) = self.found(&child)? else { return Ok(None) };
            let (next, mover) = (game.turn(&child), game.turn(state));
            moves.push((
                mv,
                match found {
                    Found::Proven(worth) => Found::Proven(worth.backed_up(next, mover)),
                    found => Found::Value(found.value().seen_from(next, mover)),
                },
            ));
        }
        Ok(Some(moves))
    }
}

impl<G: Game> Solver<G> {
    /// The book, if there is one.
    pub(super) fn book(&self) -> Option<Book<'_, G>> {
        let book = self.book.as_deref()?;
        Some(Book { declared: &self.declared, book })
    }

    /// Whether a book has a position and all that its moves lead to, with distances if they are wanted. Also if it
    /// is damaged, so that the analysis says so.
    pub(super) fn is_in_book(&self, state: &G::State, distances: bool) -> bool {
        let suits = !distances || self.declared.finer.is_some();
        suits
            && self.declared.game.outcome(state).is_none()
            && self.book().is_some_and(|book| {
                !matches!(book.found(state), Ok(None)) && !matches!(book.moves(state), Ok(None))
            })
    }

    pub(super) fn analyse_by_book(
        &self,
        Question { declared, state, request, started, .. }: Question<'_, G>,
        analysis: &mut Analysis<G::Move>,
    ) {
        let Some(book) = self.book() else { return };
        let looked_up = book.found(state).and_then(|found| Ok((found, book.moves(state)?)));
        match looked_up {
            Ok((found, moves)) => {
                (analysis.found, analysis.moves) = (found, moves.unwrap_or_default());
                analysis.nodes = 1 + analysis.moves.len() as u64;
            }
            Err(error) => analysis.halted = Some(Halted::Damaged { why: error.to_string() }),
        }
        if request.line {
            // To the end of the book.
            let moves = &mut |state: &G::State| book.moves(state).ok().flatten();
            analysis.line = line(&declared.game, state, request.seed, moves);
        }
        analysis.time = started.elapsed();
    }
}

/// A search that asks a book first.
pub(super) struct ByBook<'a, 'v, G: Game> {
    pub book: Option<Book<'a, G>>,
    pub valuer: &'a mut (dyn Valuing<G> + 'v),
}

impl<G: Game> ByBook<'_, '_, G> {
    fn value(&self, state: &G::State) -> Result<Option<Value>, Halted> {
        let Some(book) = self.book else { return Ok(None) };
        match book.found(state) {
            Ok(found) => Ok(found.map(Found::value)),
            Err(error) => Err(Halted::Damaged { why: error.to_string() }),
        }
    }
}

impl<G: Game> Valuing<G> for ByBook<'_, '_, G> {
    fn bounds_within(
        &mut self,
        state: &G::State,
        known: (Value, Value),
        guess: Option<Value>,
    ) -> Proven {
        match self.value(state) {
            Ok(None) => self.valuer.bounds_within(state, known, guess),
            Ok(Some(value)) => Proven { low: value, high: value, halted: None },
            Err(halted) => Proven { low: known.0, high: known.1, halted: Some(halted) },
        }
    }

    fn order(&self, state: &G::State, moves: &[G::Move]) -> Vec<usize> {
        self.valuer.order(state, moves)
    }

    fn least(&self, state: &G::State) -> Value {
        self.valuer.least(state)
    }

    fn at_least(&mut self, state: &G::State, value: Value) -> Result<bool, Halted> {
        match self.value(state)? {
            Some(known) => Ok(known >= value),
            None => self.valuer.at_least(state, value),
        }
    }

    fn nodes(&self) -> u64 {
        self.valuer.nodes()
    }

    fn work(&self) -> u64 {
        self.valuer.work()
    }

    fn allow(&mut self, work: u64) {
        self.valuer.allow(work);
    }
}
