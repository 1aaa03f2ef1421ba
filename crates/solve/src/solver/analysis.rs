//! What is answered: the position's worth, every move's, and a line of best play.

use std::time::Duration;

use foregone_rules::{Game, Side, Value};

use super::Method;
use crate::control::Halted;
use crate::found::Found;

/// What was found out about a position.
#[derive(Clone, Debug)]
pub struct Analysis<M> {
    /// The side to move, whose view everything is.
    pub turn: Side,
    /// What the position is worth; `None` if solving was halted before that was known.
    pub found: Option<Found>,
    /// What play without end is worth to the side to move.
    pub endless: Value,
    /// Between which values the position's was proven to lie when solving was halted.
    pub bounds: Option<(Value, Value)>,
    /// Every legal move with what it leads to, that ply counted; of a halted search, the moves
    /// that were finished.
    pub moves: Vec<(M, Found)>,
    /// Of the best moves, those that bring what they are worth nearer: by the ranks of a table, in which
    /// who gets more than by play without end hurries and who gets less delays; or to where play goes on
    /// without end for that value, if going on here would be worth less. None if distances tell.
    pub nearer: Vec<M>,
    /// How many plies estimates look ahead that stand in for what could not be proven.
    pub ahead: Option<u32>,
    /// How chance games end, in the mean, after moves of which the estimates are the same and the
    /// best, for the side that makes them; none if the game has an opinion of its own.
    pub chances: Vec<(M, f64)>,
    /// A line of best play: to the end of the game, to a position that came up before (where play
    /// is endless), or to the depth limit.
    pub line: Vec<M>,
    /// The method that was used, never [`Method::Auto`].
    pub method: Method,
    /// Why that one, and what it did.
    pub why: String,
    /// How many different positions were solved or remembered, if that was counted.
    pub positions: Option<u64>,
    /// How many positions were visited for the moves' values, each as often as it was.
    pub nodes: u64,
    /// How long that took; the line is looked for afterwards.
    pub time: Duration,
    /// Why there is no result, or only a part of it (what was found is right all the same).
    pub halted: Option<Halted>,
}

impl<M: Copy> Analysis<M> {
    /// Of a position about which nothing is known yet.
    pub(super) fn begun<G: Game<Move = M>>(
        game: &G,
        state: &G::State,
        (method, why): (Method, String),
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
            ahead: None,
            chances: Vec::new(),
            line: Vec::new(),
            method,
            why,
            positions: None,
            nodes: 0,
            time: Duration::ZERO,
            halted,
        }
    }

    /// All moves that are as good as the best, distance included, in the order of the game. Where
    /// chance games were played, those of them that these like best; where no distance tells which
    /// moves come nearer to what they are worth, those that do.
    pub fn best(&self) -> Vec<M> {
        if !self.nearer.is_empty() {
            return self.nearer.clone();
        }
        let most = self.chances.iter().map(|(_, mean)| *mean).max_by(f64::total_cmp);
        if let Some(most) = most {
            let best = self.chances.iter().filter(|(_, mean)| *mean == most);
            return best.map(|(mv, _)| *mv).collect();
        }
        // In a halted search the best moves may be missing.
        let known = self.found.map(|found| found.value());
        let key = |found: &Found| found.key(self.endless);
        let best = self.moves.iter().map(|(_, found)| key(found)).max();
        let moves = self
            .moves
            .iter()
            .filter(|(_, found)| Some(key(found)) == best && Some(found.value()) == known);
        moves.map(|(mv, _)| *mv).collect()
    }
}
