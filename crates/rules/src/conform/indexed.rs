//! Checks of [`Indexed`].

use super::{Conform, children, hold, numbered, same};
use crate::game::{Game, Value};
use crate::promise::{Bank, Indexed};
use crate::sample::Dice;

impl<G: Game> Conform<'_, G> {
    /// Checks [`Indexed`]: layer and number are in range, and lead back to the state; no move leads
    /// to a higher layer; predecessors agree with the moves; a random number has no state, or a
    /// state with this number. If the numbers of a layer do not fit in a `u64`, nothing is checked.
    pub fn indexed(self) -> Self
    where
        G: Indexed,
    {
        if !numbered(self.game) {
            return self;
        }
        self.check("Indexed", |game, state| {
            let (layer, index) = game.index(state);
            let layers = game.layers();
            same("the layer of the position,", layer, game.layer(state))?;
            hold(layer < layers, &format!("a layer below {layers}"), || layer.to_string())?;
            let size = game.size(layer);
            let expected = format!("a number below {size} in layer {layer}");
            hold(index < size, &expected, || index.to_string())?;
            let number = format!("number {index} of layer {layer} to be");
            let Some(back) = game.state(layer, index) else {
                return Err((format!("{number} {state:?}"), "nothing".to_owned()));
            };
            match game.merges() {
                false => same(&number, G::Bank::unbanked(game, state), back)?,
                true => {
                    let (here, there) = (game.index(state), game.index(&back));
                    same("the state of a number to have it,", here, there)?;
                    same("nothing banked there,", Value(0), G::Bank::banked(game, &back))?;
                }
            }
            let Value(banked) = G::Bank::banked(game, state);
            let ways = |state: &G::State, banked: i32| -> Vec<_> {
                if let Some(outcome) = game.outcome(state) {
                    return vec![(0, 0, outcome.value_for(game.turn(state)).0 - banked)];
                }
                let mover = game.turn(state);
                let way = |mv| {
                    let child = game.play(state, mv);
                    let (layer, index) = game.index(&child);
                    let after = G::Bank::banked(game, &child).seen_from(game.turn(&child), mover);
                    (layer, index, after.0 - banked)
                };
                let mut ways: Vec<_> = game.moves(state).map(way).collect();
                ways.sort_unstable();
                ways
            };
            same("moves to lead to the same numbers,", ways(state, banked), ways(&back, 0))?;
            for earlier in game.predecessors(state).unwrap_or_default() {
                let there = game.outcome(&earlier).is_none() && game.index(&earlier).0 == layer;
                hold(there, "predecessors in the same layer", || format!("{earlier:?}"))?;
                let leads = children(game, &earlier).any(|(_, child)| child == *state);
                hold(leads, "a move from each predecessor", || format!("{earlier:?}"))?;
            }
            let after = game.layers_after(layer);
            hold(after.is_sorted(), "rising layers after a layer", || format!("{after:?}"))?;
            for (mv, child) in children(game, state) {
                if game.index(&child).0 == layer
                    && let Some(earlier) = game.predecessors(&child)
                {
                    let listed = earlier.contains(state);
                    let expected = format!("{state:?} among the predecessors of {child:?}");
                    hold(listed, &expected, || format!("none, though {mv} leads there"))?;
                }
                let (lower, _) = game.index(&child);
                let expected = format!("one of the layers {after:?} after {mv}");
                hold(after.contains(&lower) && lower <= layer, &expected, || lower.to_string())?;
            }
            let part = index..size.min(index + 5);
            let listed: Vec<_> = game.states(layer, part.clone()).collect();
            let single = |index| Some((index, game.state(layer, index)?));
            same("the states of single numbers,", part.filter_map(single).collect(), listed)?;
            let mut dice = Dice::new(index);
            let layer = dice.below(layers as usize) as u32;
            if game.size(layer) > 0 {
                let index = dice.roll() % game.size(layer);
                if let Some(other) = game.state(layer, index) {
                    same(
                        &format!("the number of {other:?} to be"),
                        (layer, index),
                        game.index(&other),
                    )?;
                }
            }
            Ok(())
        })
    }
}
