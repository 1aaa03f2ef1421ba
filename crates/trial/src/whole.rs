//! Kalah with keys of whole positions, what is banked included: the second form in which a table can
//! hold the game, as a list of keys.

use foregone_rules::games::Kalah;
use foregone_rules::{Acyclic, Encode, Game, NoBank, Notation, Outcome, Side, Symmetry};

/// See the file's text.
#[derive(Clone, Debug)]
pub struct Whole(pub Kalah);

impl Game for Whole {
    type State = <Kalah as Game>::State;
    type Move = <Kalah as Game>::Move;

    fn start(&self) -> Self::State {
        self.0.start()
    }

    fn turn(&self, state: &Self::State) -> Side {
        self.0.turn(state)
    }

    fn outcome(&self, state: &Self::State) -> Option<Outcome> {
        self.0.outcome(state)
    }

    fn moves(&self, state: &Self::State) -> impl Iterator<Item = Self::Move> {
        self.0.moves(state)
    }

    fn play(&self, state: &Self::State, mv: Self::Move) -> Self::State {
        self.0.play(state, mv)
    }
}

impl Acyclic for Whole {
    fn progress(&self, state: &Self::State) -> u32 {
        self.0.progress(state)
    }
}

impl Symmetry for Whole {
    /// The mover becomes the first player.
    fn representative(&self, state: &Self::State) -> Self::State {
        self.0.representative(state)
    }

    fn exchanges(&self) -> bool {
        true
    }

    fn images(&self) -> u64 {
        self.0.images()
    }
}

impl Encode for Whole {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        128
    }

    /// The numbers of the notation as bytes, the lowest for the first player's first pit; at most
    /// 16 of them, so at most 7 pits.
    fn encode(&self, state: &Self::State) -> u128 {
        let text = self.0.format(state);
        let numbers = text.split(' ').filter_map(|word| word.parse::<u8>().ok());
        numbers.enumerate().fold(0, |all, (at, number)| all | u128::from(number) << (8 * at))
    }

    /// The start, if there is no such position.
    fn decode(&self, packed: u128) -> Self::State {
        let start = self.0.format(&self.start());
        let count = start.split(' ').count() - 1;
        let numbers = (0..count).map(|at| ((packed >> (8 * at)) as u8).to_string());
        let text = format!("{} first", numbers.collect::<Vec<_>>().join(" "));
        self.0.parse(&text).unwrap_or_else(|_| self.start())
    }
}
