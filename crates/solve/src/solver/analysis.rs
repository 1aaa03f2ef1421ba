//! The analysis of a position: its worth, the worth of every move, and a principal variation.

use std::time::Duration;

use foregone_rules::{Game, Side, Value};

use super::haste::{Haste, ONCE};
use super::{Method, Request};
use crate::control::Halted;
use crate::found::Found;
use crate::monte_carlo::Chances;
use crate::moves::wins_at_once;

/// Where a value comes from if it was known before anything was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// A table.
    Table,
    /// A book.
    Book,
    /// A proof; values of moves that it does not name come from search.
    Proof,
    /// All positions from here on were solved before.
    Before,
}

impl Source {
    /// Its name, such as `book`.
    pub fn name(self) -> &'static str {
        match self {
            Source::Table => "table",
            Source::Book => "book",
            Source::Proof => "proof",
            Source::Before => "before",
        }
    }
}

/// How a position is solved.
pub(super) struct Picked {
    pub method: Method,
    pub why: String,
    pub source: Option<Source>,
}

/// The analysis of a position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Analysis<M> {
    /// The side to move; all values are from its view.
    pub turn: Side,
    /// The result of the position; `None` if solving was halted before it was known.
    pub found: Option<Found>,
    /// The value of endless play for the side to move.
    pub endless: Value,
    /// The proven bounds of the value when solving was halted.
    pub bounds: Option<(Value, Value)>,
    /// Every legal move with its result, whose distance includes the move; for a halted search, the
    /// finished moves.
    pub moves: Vec<(M, Found)>,
    /// The best moves that make progress, if distances do not show it; otherwise empty. With the
    /// ranks of a table, these are the moves that a winner uses to hurry or a loser uses to delay,
    /// relative to endless play. If play goes on without end elsewhere for a better value than
    /// here, these are the moves that come nearer to that.
    pub nearer: Vec<M>,
    /// Some of the best moves: in a draw those after which the opponent has the fewest replies that hold
    /// it, if all replies were soon known; elsewhere those that win soonest or lose latest, as far as was
    /// soon seen, where plies are not known. Empty if that tells none of the best from the others.
    pub hardest: Vec<M>,
    /// The search depth in plies of the estimates that replace missing proofs.
    pub ahead: Option<u32>,
    /// What random games show of all moves, if nothing could be proven and estimates were asked for
    /// ([`Request::estimate`](super::Request::estimate)).
    pub chances: Option<Chances<M>>,
    /// The principal variation: to the end of the game, to a repeated position (if play is
    /// endless), or to the depth limit.
    pub line: Vec<M>,
    /// The method that was used, never [`Method::Auto`].
    pub method: Method,
    /// Why that method, and what it did.
    pub why: String,
    /// Where the result comes from if it was known before; `None` if it was searched for.
    pub source: Option<Source>,
    /// The number of different positions solved or remembered, if counted.
    pub positions: Option<u64>,
    /// The number of position visits for the values of the moves.
    pub nodes: u64,
    /// The time for that, without the time for the line.
    pub time: Duration,
    /// Why the result is missing or incomplete (partial results are still right).
    pub halted: Option<Halted>,
}

impl<M: Copy> Analysis<M> {
    /// Takes back all that was found, since it is not to be trusted.
    pub(crate) fn distrust(&mut self, halted: Halted) {
        (self.found, self.bounds, self.ahead, self.chances) = (None, None, None, None);
        self.moves.clear();
        self.nearer.clear();
        self.hardest.clear();
        self.line.clear();
        (self.source, self.halted) = (None, Some(halted));
    }

    /// An empty analysis of a position.
    pub(super) fn begun<G: Game<Move = M>>(
        game: &G,
        state: &G::State,
        Picked { method, why, source }: Picked,
        halted: Option<Halted>,
    ) -> Analysis<M> {
        let turn = game.turn(state);
        Analysis {
            turn,
            found: None,
            endless: game.endless(state).value_for(turn),
            bounds: None,
            moves: Vec::new(),
            nearer: Vec::new(),
            hardest: Vec::new(),
            ahead: None,
            chances: None,
            line: Vec::new(),
            method,
            why,
            source,
            positions: None,
            nodes: 0,
            time: Duration::ZERO,
            halted,
        }
    }

    /// Takes moves that end the game with the best result there is, where a search was ended before it came to them.
    pub(super) fn win_at_once<G: Game<Move = M>>(
        &mut self,
        game: &G,
        state: &G::State,
        request: &Request,
    ) where
        M: PartialEq,
    {
        let wins = wins_at_once(game, state);
        let Some((mv, found)) = wins.first().copied() else { return };
        (self.found, self.bounds) = (Some(found), None);
        if request.moves {
            // Of other moves that win no plies are known.
            self.nearer.clear();
            for (win, found) in wins {
                self.nearer.push(win);
                match self.moves.iter_mut().find(|(mv, _)| *mv == win) {
                    Some((_, known)) => *known = found,
                    None => self.moves.push((win, found)),
                }
            }
        } else {
            self.halted = None;
        }
        if request.line && self.line.is_empty() {
            self.line.push(mv);
        }
    }

    /// Whether it has the value, and a move that keeps it if moves were asked for.
    pub(super) fn names_a_move(&self, request: &Request) -> bool {
        let Some(value) = self.found.map(|found| found.value()) else { return false };
        let keeps = |(_, found): &(M, Found)| found.is_proven() && found.value() == value;
        !request.moves || self.moves.iter().any(keeps)
    }

    /// Of the best moves, takes those that win soonest or lose latest, as far as is soon seen.
    pub(super) fn hasten<G: Game<Move = M>>(
        &mut self,
        haste: &mut Haste<'_, G>,
        state: &G::State,
    ) -> Result<(), Halted> {
        let Some(found) = self.found else { return Ok(()) };
        let mut best = self.best();
        let all = best.len();
        haste.restrict(state, found.value(), &mut best, ONCE)?;
        if best.len() < all {
            self.hardest = best;
        }
        Ok(())
    }

    /// The moves from which perfect play chooses: of the [best](Analysis::best) only the
    /// [hardest](Analysis::hardest) to answer, if they are known.
    pub fn preferred(&self) -> Vec<M> {
        if self.hardest.is_empty() { self.best() } else { self.hardest.clone() }
    }

    /// All best moves, in the order of the game: of those that keep the value, where plies are known those that win soonest
    /// or lose latest. If random games were
    /// played, the one that they favour; if distances do not show progress, only the
    /// [moves that make progress](Analysis::nearer).
    pub fn best(&self) -> Vec<M> {
        if !self.nearer.is_empty() {
            return self.nearer.clone();
        }
        if let Some(chances) = &self.chances {
            return vec![chances.moves[chances.best].mv];
        }
        // In a halted search the best moves may be missing.
        let known = self.found.map(|found| found.value());
        // A move without plies is not as good as one that is known to take as many as the position.
        let key = |found: &Found| match (self.found, found) {
            (Some(Found::Value(_)), _) => i64::from(found.value().0),
            (Some(Found::Proven(_)), Found::Value(_)) => i64::MIN,
            _ => found.key(self.endless),
        };
        let best = self.moves.iter().map(|(_, found)| key(found)).max();
        let moves = self
            .moves
            .iter()
            .filter(|(_, found)| Some(key(found)) == best && Some(found.value()) == known);
        moves.map(|(mv, _)| *mv).collect()
    }
}
