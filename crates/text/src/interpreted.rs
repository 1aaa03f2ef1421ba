//! A game from text that is played by the plain interpreter instead of the machine: for a check that trusts neither the
//! instructions nor what runs them. Keys, symmetries and progress are those of [`TextGame`].

use foregone_rules::promise::{Acyclic, Encode, NoBank, Notation, Promises, Symmetry};
use foregone_rules::{Game, Invalid, Outcome, Side};

use crate::choices::{CROWDED, Choices, MAX_MOVES};
use crate::game::TextGame;
use crate::interpret;
use crate::machine::Word;

/// A game from text, played by the plain interpreter.
#[derive(Clone, Debug)]
pub struct Interpreted<S: Word, const N: usize, const R: usize, const K: usize, const D: usize>(
    TextGame<S, N, R, K, D>,
);

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize>
    Interpreted<S, N, R, K, D>
{
    /// The same game, played by the interpreter.
    pub fn new(game: TextGame<S, N, R, K, D>) -> Self {
        Interpreted(game)
    }

    /// Tells what this game promises of what files need.
    pub fn promise(&self, promises: &mut impl Promises<Self>) {
        promises.notation();
        promises.symmetry();
        if self.0.code().is_some() {
            promises.encode();
            promises.keyed();
        }
        if self.0.cannot_loop() {
            promises.acyclic();
        }
    }

    fn after(&self, state: &[S; N]) -> Vec<(Choices, [S; N])> {
        let mut all = interpret::moves(self.0.rules(), &self.0.unpack(state));
        if all.len() > MAX_MOVES {
            self.0.note_misplayed(CROWDED.to_owned());
            all.truncate(MAX_MOVES);
        }
        all.into_iter().map(|(mv, next)| (mv, self.0.pack(&next))).collect()
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Game
    for Interpreted<S, N, R, K, D>
{
    type State = [S; N];
    type Move = Choices;

    fn start(&self) -> [S; N] {
        self.0.start()
    }

    fn turn(&self, state: &[S; N]) -> Side {
        self.0.turn(state)
    }

    fn outcome(&self, state: &[S; N]) -> Option<Outcome> {
        interpret::outcome(self.0.rules(), &self.0.unpack(state)).map(Outcome)
    }

    fn moves(&self, state: &[S; N]) -> impl Iterator<Item = Choices> {
        self.after(state).into_iter().map(|(mv, _)| mv)
    }

    fn play(&self, state: &[S; N], mv: Choices) -> [S; N] {
        let next = self.after(state).into_iter().find(|(other, _)| *other == mv);
        next.map_or(*state, |(_, next)| next)
    }

    fn successors(&self, state: &[S; N]) -> impl Iterator<Item = (Choices, [S; N])> {
        self.after(state).into_iter()
    }

    fn move_text(&self, mv: Choices) -> String {
        self.0.move_text(mv)
    }

    fn max_value(&self) -> i32 {
        self.0.max_value()
    }

    fn endless(&self, state: &[S; N]) -> Outcome {
        self.0.endless(state)
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Notation
    for Interpreted<S, N, R, K, D>
{
    fn format(&self, state: &[S; N]) -> String {
        self.0.format(state)
    }

    fn parse(&self, text: &str) -> Result<[S; N], Invalid> {
        self.0.parse(text)
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Acyclic
    for Interpreted<S, N, R, K, D>
{
    fn progress(&self, state: &[S; N]) -> u32 {
        self.0.progress(state)
    }

    fn is_acyclic(&self) -> bool {
        self.0.is_acyclic()
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Symmetry
    for Interpreted<S, N, R, K, D>
{
    fn representative(&self, state: &[S; N]) -> [S; N] {
        self.0.representative(state)
    }

    fn images(&self) -> u64 {
        Symmetry::images(&self.0)
    }

    fn image(&self, state: &[S; N], number: u64) -> Option<[S; N]> {
        self.0.image(state, number)
    }

    fn exchanges(&self) -> bool {
        self.0.exchanges()
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Encode
    for Interpreted<S, N, R, K, D>
{
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        self.0.bits()
    }

    fn encode(&self, state: &[S; N]) -> u128 {
        self.0.encode(state)
    }

    fn decode(&self, code: u128) -> [S; N] {
        self.0.decode(code)
    }
}
