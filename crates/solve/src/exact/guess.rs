//! A guess of a position's value, for the first question of a long search: what both sides have banked after
//! a few moves of good play.
//!
//! Depth-first search to growing depths, counted in changes of turn; at its end a position is worth what is
//! banked. The sides profit in turn from the last move, so the guess is the middle of the last two depths. (For
//! Kalah (6,4), worth 10, depths 11 and 12 find 10 and 8.)

use std::marker::PhantomData;

use foregone_rules::sort::by_rank;
use foregone_rules::{Candidates, Game, Value};

use super::bounds::seen_before;
use super::hints::Hints;
use super::run::{LONGEST, MANY};
use crate::control::Control;
use crate::tables::endgame::Endgame;

/// If no points are banked in this many positions, there is nothing to go by.
const EARLY: u64 = 1 << 12;

/// A search for a guess.
pub(super) struct Guessing<'r, G: Game, H> {
    game: &'r G,
    endgame: &'r Endgame,
    control: &'r Control,
    moves: Vec<(i32, G::Move)>,
    /// Positions so far, and when to give up.
    pub nodes: u64,
    max: u64,
    /// Whether any position had banked points: otherwise all looks alike.
    banked: bool,
    hints: PhantomData<H>,
}

/// There were too many positions, too long a line, or the time is over.
struct GivenUp;

impl<'r, G: Game, H: Hints<G>> Guessing<'r, G, H> {
    /// A search of at most `max` positions.
    pub fn new(game: &'r G, endgame: &'r Endgame, control: &'r Control, max: u64) -> Self {
        let (moves, hints) = (Vec::new(), PhantomData);
        Guessing { game, endgame, control, moves, nodes: 0, max, banked: false, hints }
    }

    /// The guess; `None` if no points are banked within reach.
    pub fn guess(&mut self, state: &G::State) -> Option<Value> {
        let (mut last, mut middle) = (None, None);
        for depth in 1..LONGEST {
            let Ok(value) = self.look(state, (i32::MIN + 1, i32::MAX), depth, 0) else { break };
            middle = last.map(|last: i32| last.midpoint(value));
            last = Some(value);
        }
        middle.map(Value).filter(|_| self.banked)
    }

    /// What the position is worth after `depth` changes of turn: exact within the bounds.
    fn look(
        &mut self,
        state: &G::State,
        (mut low, high): (i32, i32),
        depth: u32,
        plies: u32,
    ) -> Result<i32, GivenUp> {
        let game = self.game;
        self.nodes += 1;
        let over = self.nodes.is_multiple_of(Control::INTERVAL) && self.control.is_over();
        let max = if self.banked { self.max } else { self.max.min(EARLY) };
        if self.nodes > max || plies > LONGEST || over {
            return Err(GivenUp);
        }
        if let Some(outcome) = game.outcome(state) {
            return Ok(outcome.value_for(game.turn(state)).0);
        }
        if let Some((layer, number, Value(banked))) = H::number(game, state, self.endgame.layers())
        {
            self.banked |= banked != 0;
            if let Some(Value(value)) = self.endgame.value(layer, number) {
                return Ok(value + banked);
            }
        }
        if depth == 0 {
            let banked = H::key(game, state).map_or(0, |(_, Value(banked))| banked);
            self.banked |= banked != 0;
            return Ok(banked);
        }
        let first = self.moves.len();
        let candidates = &mut Candidates::at_most(&mut self.moves, MANY);
        let (Value(least), Value(max)) = H::bounds_and_moves(game, state, candidates);
        let mut best = least;
        if least < high && max > low {
            for (promise, mv) in &mut self.moves[first..] {
                *promise += H::priority(game, state, *mv);
            }
            by_rank(&mut self.moves[first..], &|(promise, _)| -i64::from(*promise));
            let mover = game.turn(state);
            for at in first..self.moves.len() {
                low = low.max(best);
                let child = game.play(state, self.moves[at].1);
                let again = game.turn(&child) == mover;
                let depth = if again { depth } else { depth - 1 };
                let value = self.look(&child, seen_before((low, high), again), depth, plies + 1)?;
                best = best.max(if again { value } else { -value });
                if best >= high {
                    break;
                }
            }
        }
        self.moves.truncate(first);
        Ok(best.min(max))
    }
}
