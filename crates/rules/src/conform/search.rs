//! Checks of [`Evaluate`], [`Order`] and [`SearchHints`].

use std::cell::RefCell;
use std::collections::HashMap;

use super::{Conform, children, hold, in_range, plain_value, same};
use crate::game::{Game, Outcome, Value};
use crate::promise::{Banded, Candidates, Evaluate, Order, SearchHints};

impl<G: Game> Conform<'_, G> {
    /// Checks [`Evaluate`]: evaluations are within the range of outcomes.
    pub fn evaluate(self) -> Self
    where
        G: Evaluate,
    {
        self.check("Evaluate", |game, state| match game.outcome(state) {
            Some(_) => Ok(()),
            None => in_range(game.evaluate(state), Outcome::LIMIT),
        })
    }

    /// Checks [`Order`]: every legal move has a priority, the same each time.
    pub fn order(self) -> Self
    where
        G: Order,
    {
        self.check("Order", |game, state| {
            if game.outcome(state).is_some() {
                return Ok(());
            }
            game.moves(state).try_for_each(|mv| {
                same("the same priority of a move,", game.order(state, mv), game.order(state, mv))
            })
        })
    }
}

impl<G: SearchHints> Conform<'_, G> {
    /// Checks [`SearchHints`]:
    /// - Keys, slots of moves and priorities are in range.
    /// - Positions with the same key, finished ones included, have the same value minus offset.
    /// - The value is within both pairs of bounds. If the second pair differs, the listed moves
    ///   decide the value.
    ///
    /// Values come from plain search, where it needs at most 5000 positions.
    pub fn search_hints(self) -> Self {
        if !self.game.is_acyclic() {
            return self;
        }
        // For each key: a position that has it, and its value minus its offset.
        let known: RefCell<HashMap<u64, (G::State, i32)>> = RefCell::default();
        self.check("SearchHints", |game, state| {
            for (mv, _) in children(game, state) {
                let (slot, slots) = (game.history_slot(state, mv), game.history_slots());
                hold(slot < slots, &format!("a history slot below {slots}"), || slot.to_string())?;
            }
            let key = game.key(state);
            let bits = game.key_bits();
            if let Some((key, _)) = key {
                let fits = (1..=64).contains(&bits) && (bits == 64 || key >> bits == 0);
                hold(fits, &format!("a key below 2^{bits}"), || key.to_string())?;
            }
            let Some(Value(value)) = plain_value(game, state, &mut 5_000) else { return Ok(()) };
            let (Value(low), Value(high)) = game.quick_bounds(state);
            let around = (low..=high).contains(&value);
            hold(around, &format!("quick bounds around {value}"), || format!("{low}..={high}"))?;
            if let Some((key, Value(offset))) = key {
                let mut known = known.borrow_mut();
                let (other, expected) = *known.entry(key).or_insert((*state, value - offset));
                let what = format!("the same value as {other:?}, which has the same key,");
                same(&what, expected, value - offset)?;
            }
            if game.outcome(state).is_some() {
                return Ok(());
            }
            let mut list = Vec::new();
            let (Value(low), Value(high)) =
                game.bounds_and_moves(state, &mut Candidates::new(&mut list));
            let around = (low..=high).contains(&value);
            hold(around, &format!("bounds around {value}"), || format!("{low}..={high}"))?;
            for (priority, mv) in &list {
                let priority = priority.saturating_add(game.priority(state, *mv));
                let fits = priority.unsigned_abs() <= Candidates::<G::Move>::MAX;
                hold(fits, "a priority within ±2^20", || priority.to_string())?;
            }
            if low == high {
                return Ok(());
            }
            let values = list.iter().map(|(_, mv)| {
                let child = game.play(state, *mv);
                let value = plain_value(game, &child, &mut 5_000);
                value.map(|value| value.seen_from(game.turn(&child), game.turn(state)).0)
            });
            match values.collect::<Option<Vec<_>>>() {
                Some(values) => {
                    let best = values.into_iter().fold(low, i32::max);
                    same("the best of the listed moves to have the value", value, best)
                }
                None => Ok(()),
            }
        })
    }
}

impl<G: SearchHints + Banded> Conform<'_, G> {
    /// Checks [`SearchHints::endgame`]: the game has that many layers.
    pub fn endgame(self) -> Self {
        let layers = self.game.layers();
        self.check("Banded and SearchHints", |game, state| {
            let endgame = game.endgame(state);
            hold(endgame <= layers, &format!("at most {layers} layers"), || endgame.to_string())
        })
    }
}
