//! Checks of [`Encode`].

use super::{Conform, hold, same};
use crate::game::Game;
use crate::promise::{Encode, Merged};
use crate::sample::Dice;

impl<G: Game> Conform<'_, G> {
    /// Checks [`Encode`]: the number of a state is within its bits and decodes to the state, so
    /// that no two states share it; any other number decodes to some state.
    pub fn encode(self) -> Self
    where
        G: Encode,
    {
        self.check_code(|_, state| *state)
    }

    /// Checks [`Encode`] of positions as files store them: representatives, with nothing banked.
    pub fn encode_merged(self) -> Self
    where
        G: Encode,
    {
        self.check_code(|game, state| Merged::of(game, state).state)
    }

    fn check_code(self, representative: impl Fn(&G, &G::State) -> G::State) -> Self
    where
        G: Encode,
    {
        self.check("Encode", |game, state| {
            let state = representative(game, state);
            let code = game.encode(&state);
            let bits = game.bits();
            hold(bits <= 128, "at most 128 bits", || bits.to_string())?;
            let fits = bits == 128 || code >> bits == 0;
            hold(fits, &format!("a number below 2^{bits}"), || code.to_string())?;
            same(&format!("{code} to decode to"), state, game.decode(code))?;
            // Any other number decodes to some state.
            let mut dice = Dice::new(code as u64);
            let other = (0..4).fold(0, |all, _| all << 32 | (dice.roll() >> 32) as u128);
            let other = if bits == 128 { other } else { other & ((1 << bits) - 1) };
            game.decode(other);
            (0..bits).for_each(|bit| _ = game.decode(code ^ 1 << bit));
            Ok(())
        })
    }
}
