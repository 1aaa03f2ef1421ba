//! Checks of [`Notation`].

use super::{Conform, hold, same};
use crate::game::Game;
use crate::promise::Notation;
use crate::sample::Dice;

impl<G: Game> Conform<'_, G> {
    /// Checks [`Notation`]: the text of a state parses to the same state; a damaged text gives an
    /// error or a position, never a panic.
    pub fn notation(self) -> Self
    where
        G: Notation,
    {
        self.check("Notation", |game, state| {
            let text = game.format(state);
            hold(!text.contains(['\n', '\r']), "one line of text", || format!("{text:?}"))?;
            same(&format!("`{text}` to parse to"), Ok(*state), game.parse(&text))?;
            let mut dice = Dice::new(text.len() as u64);
            let mut letters: Vec<char> = text.chars().collect();
            let at = dice.below(letters.len().max(1));
            if let Some(letter) = letters.get_mut(at) {
                *letter = ['.', 'X', '9', ' ', '/', ',', 'é', '-'][dice.below(8)];
            }
            letters.truncate(dice.below(2 * letters.len() + 1).max(1));
            let damaged: String = letters.into_iter().collect();
            if let Ok(other) = game.parse(&damaged) {
                let again = game.format(&other);
                same(&format!("`{again}` to parse to"), Ok(other), game.parse(&again))?;
            }
            Ok(())
        })
    }
}
