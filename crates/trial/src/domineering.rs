//! Domineering (Göran Andersson, before 1974) on a square board: the first player puts dominoes
//! upright, the second flat; who cannot move loses. A representative may exchange the sides: a
//! quarter turn makes upright dominoes flat.

use std::fmt;

use foregone_rules::{Encode, Game, NoBank, Outcome, Side, Symmetry};

/// See the file's text.
#[derive(Clone, Debug)]
pub struct Domineering {
    size: u8,
}

/// Taken squares, and the side to move.
pub type State = (u32, Side);

/// The lower or left square of a domino.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square(u8);

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Domineering {
    /// On a board of `size` squares a side, at most 5.
    pub fn new(size: u8) -> Domineering {
        Domineering { size }
    }

    fn places(&self, &(taken, turn): &State) -> impl Iterator<Item = Square> + use<> {
        let size = self.size;
        let all = (0..size * size).map(Square);
        all.filter(move |square| {
            let fits = match turn {
                Side::First => square.0 / size + 1 < size,
                Side::Second => square.0 % size + 1 < size,
            };
            fits && taken & domino(size, turn, *square) == 0
        })
    }

    /// The image of a set, where each square goes to the one that `to` says.
    fn image(&self, taken: u32, to: impl Fn(u8, u8) -> (u8, u8)) -> u32 {
        let squares = (0..self.size * self.size).filter(|square| taken >> square & 1 == 1);
        squares.fold(0, |image, square| {
            let (row, column) = to(square / self.size, square % self.size);
            image | 1 << (row * self.size + column)
        })
    }
}

fn domino(size: u8, turn: Side, Square(square): Square) -> u32 {
    let other = square + if turn == Side::First { size } else { 1 };
    1 << square | 1 << other
}

impl Game for Domineering {
    type State = State;
    type Move = Square;

    fn start(&self) -> State {
        (0, Side::First)
    }

    fn turn(&self, state: &State) -> Side {
        state.1
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.places(state).next().is_none().then(|| Outcome::win(state.1.other()))
    }

    fn moves(&self, state: &State) -> impl Iterator<Item = Square> {
        self.places(state)
    }

    fn play(&self, &(taken, turn): &State, square: Square) -> State {
        (taken | domino(self.size, turn, square), turn.other())
    }
}

impl Symmetry for Domineering {
    /// Of the four images that keep the sides and the four that exchange them, the smallest.
    fn representative(&self, &(taken, turn): &State) -> State {
        let last = self.size - 1;
        type Flip = fn(u8, u8, u8) -> (u8, u8);
        let flips: [Flip; 4] = [
            |_, row, column| (row, column),
            |last, row, column| (last - row, column),
            |last, row, column| (row, last - column),
            |last, row, column| (last - row, last - column),
        ];
        let kept = flips.iter().map(|to| (self.image(taken, |r, c| to(last, r, c)), turn));
        let turned =
            flips.iter().map(|to| (self.image(taken, |r, c| to(last, c, r)), turn.other()));
        kept.chain(turned)
            .min_by_key(|(taken, turn)| (*taken, turn.index()))
            .unwrap_or((taken, turn))
    }

    fn exchanges(&self) -> bool {
        true
    }

    fn images(&self) -> u64 {
        8
    }
}

impl Encode for Domineering {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        u32::from(self.size * self.size) + 1
    }

    fn encode(&self, &(taken, turn): &State) -> u128 {
        u128::from(taken) << 1 | turn.index() as u128
    }

    fn decode(&self, packed: u128) -> State {
        ((packed >> 1) as u32, Side::BOTH[packed as usize & 1])
    }
}
