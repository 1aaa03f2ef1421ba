//! Checks of [`Finer`].

use super::{Conform, children, hold, mover_result, same};
use crate::game::{Distance, Game, Value, Worth};
use crate::promise::Finer;

impl<G: Game> Conform<'_, G> {
    /// Checks [`Finer`]: the finest variant has the same sides to move, moves and ends of play, and the results of both
    /// tell the same.
    pub fn finer(self) -> Self
    where
        G: Finer,
    {
        let finest = self.game.finest();
        self.check("Finer", move |game, state| {
            let turns = [game, &finest].map(|game| game.turn(state));
            same("the side to move as in the finest variant,", turns[1], turns[0])?;
            let [here, there] = [game, &finest].map(|game| Vec::from_iter(children(game, state)));
            let count = || format!("{} moves", here.len());
            hold(here == there, "the moves of the finest variant", count)?;
            match (mover_result(&finest, state), mover_result(game, state)) {
                (Some(finest), Some(result)) => {
                    let worth = Worth::new(Value(result), Distance::Plies(0));
                    same(
                        "the worth by the finest result",
                        game.worth_by(state, Value(finest)),
                        worth,
                    )
                }
                (finest, result) => {
                    same("an end of both variants or of none,", finest.is_some(), result.is_some())
                }
            }
        })
    }
}
