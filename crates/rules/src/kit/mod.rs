//! Building blocks of board games: texts, pictures, clicks, codes and symmetries, from a
//! description of the board and of the pieces on it.
//!
//! A game stores its positions in any form that makes its rules short and fast. It implements
//! [`OnBoard`]: its [`Board`], and the conversion of a position to [`Cells`] and back. From this it
//! gets [`Notation`] and [`Picture`]. [`EncodedByCells`] adds [`Encode`], and [`SymmetricAsBoard`]
//! adds [`Symmetry`]; a game can also implement these two by hand, if that is faster.
//!
//! ```
//! use foregone_rules::kit::{Board, Cells, Number, OnBoard, Piece};
//! use foregone_rules::{Conform, Game, Notation, Outcome, Side};
//!
//! /// A move puts a stone on an empty point of a row of five. Stones may not touch. A player who
//! /// cannot move loses.
//! struct Apart(Board);
//!
//! impl Game for Apart {
//!     type State = (u8, Side);
//!     type Move = Number;
//!
//!     fn start(&self) -> Self::State {
//!         (0, Side::First)
//!     }
//!     fn turn(&self, state: &Self::State) -> Side {
//!         state.1
//!     }
//!     fn outcome(&self, state: &Self::State) -> Option<Outcome> {
//!         self.moves(state).next().is_none().then(|| Outcome::win(state.1.other()))
//!     }
//!     fn moves(&self, &(stones, _): &Self::State) -> impl Iterator<Item = Number> {
//!         let closed = stones | stones << 1 | stones >> 1;
//!         (0..5).filter(move |cell| closed >> cell & 1 == 0).map(Number)
//!     }
//!     fn play(&self, &(stones, turn): &Self::State, Number(cell): Number) -> Self::State {
//!         (stones | 1 << cell, turn.other())
//!     }
//! }
//!
//! impl OnBoard for Apart {
//!     fn board(&self) -> &Board {
//!         &self.0
//!     }
//!     fn cells(&self, &(stones, turn): &Self::State) -> Cells {
//!         Cells::new(turn).with(0, stones)
//!     }
//!     fn state_of(&self, cells: &Cells) -> Result<Self::State, String> {
//!         let stones = cells.set(0) as u8;
//!         let touching = stones & stones << 1 != 0;
//!         if touching { Err("stones that do not touch".into()) } else { Ok((stones, cells.turn)) }
//!     }
//!     fn move_cells(&self, _: &Self::State, Number(cell): Number) -> Vec<usize> {
//!         vec![cell.into()]
//!     }
//! }
//!
//! let game = Apart(Board::squares(5, 1).pieces([Piece::new('S', "stone", None)]));
//! assert_eq!(game.format(&game.start()), "..... first");
//! assert_eq!(game.parse("S.... second").unwrap(), (1, Side::Second));
//! assert!(game.parse("SS... second").is_err());
//! Conform::new(&game).notation().picture().finish().unwrap();
//! ```

mod bits;
mod board;
mod cells;
mod chains;
mod code;
mod lines;
mod look;
mod moves;
mod orbits;
pub(crate) mod pits;
mod stones;
mod symmetry;
mod ternary;
mod text;

pub use bits::{Bits, Steps};
pub(crate) use bits::{MANY, choose, rank, rank_beside, spread, unrank};
pub use board::{Board, Count, Face, Feature, Look, Piece, piece_numbers};
pub use cells::Cells;
pub use chains::Chains;
pub use lines::Lines;
pub(crate) use lines::rows_of;
pub use look::add_featured;
pub use moves::{Number, Placing, Square};
pub(crate) use orbits::Orbits;
pub use pits::Pits;
pub(crate) use pits::{MAX_PITS, ones, stones_in, stones_of};
pub use stones::Stones;
pub use symmetry::Symmetries;
pub(crate) use symmetry::image;
pub(crate) use ternary::Ternary;

use crate::family::Invalid;
use crate::game::{Game, Side};
use crate::promise::{Bank, Encode, Merged, Notation, Picture, Symmetry};
use crate::show::{Drawing, Scene};

/// The usual letters of the two sides' stones.
pub const LETTERS: [&str; 2] = ["X", "O"];

/// A game on a [`Board`].
pub trait OnBoard: Game {
    /// The board.
    fn board(&self) -> &Board;

    /// The pieces on all cells, the counts, and the side to move.
    fn cells(&self, state: &Self::State) -> Cells;

    /// The position with these cells; any cells of the board are allowed as input.
    ///
    /// # Errors
    /// If there is no such position: what is valid, as a phrase after "expected".
    fn state_of(&self, cells: &Cells) -> Result<Self::State, String>;

    /// The places that a person clicks to make a legal move, in order. A place is a cell of the
    /// board, unless its [`Look`] says otherwise. The places of one move must not be among those of another: a piece
    /// that leaves the board, where others step, is clicked twice.
    fn move_cells(&self, state: &Self::State, mv: Self::Move) -> Vec<usize>;

    /// The cell that shows the name of a legal move when the board is drawn; by default the last of
    /// [`move_cells`](OnBoard::move_cells).
    fn target(&self, state: &Self::State, mv: Self::Move) -> Option<usize> {
        self.move_cells(state, mv).last().copied()
    }

    /// The place where a legal move ends, if it is not one of the clicked places.
    fn landing(&self, _state: &Self::State, _mv: Self::Move) -> Option<usize> {
        None
    }

    /// The board while a legal move is made, one after the other, without those before and after it; none
    /// if a move is one step.
    fn steps(&self, _state: &Self::State, _mv: Self::Move) -> Vec<Cells> {
        Vec::new()
    }

    /// The first and the last cell of each line that has decided the game.
    fn decided(&self, _state: &Self::State) -> Vec<[usize; 2]> {
        Vec::new()
    }
}

impl<G: OnBoard> Notation for G {
    fn format(&self, state: &G::State) -> String {
        text::format(self.board(), &self.cells(state))
    }

    fn parse(&self, text: &str) -> Result<G::State, Invalid> {
        let example = || self.format(&self.start());
        let cells = text::parse(self.board(), text, example)?;
        self.state_of(&cells).map_err(|expected| Invalid::new(text, expected))
    }
}

impl<G: OnBoard> Picture for G {
    fn draw(&self, state: &G::State) -> Drawing {
        let mut targets = vec![false; self.board().len()];
        if self.outcome(state).is_none() {
            let cells = self.moves(state).filter_map(|mv| self.target(state, mv));
            cells.for_each(|cell| targets[cell] = true);
        }
        look::draw(self.board(), &self.cells(state), &targets)
    }

    fn scene(&self, state: &G::State) -> Scene {
        look::scene(self.board(), &self.cells(state), &self.decided(state))
    }

    fn contents(&self, state: &G::State, out: &mut Vec<i16>) {
        self.board().contents(&self.cells(state), out);
    }

    fn clicks(&self, state: &G::State, mv: G::Move) -> Vec<usize> {
        self.move_cells(state, mv)
    }

    fn destination(&self, state: &G::State, mv: G::Move) -> Option<usize> {
        self.landing(state, mv)
    }

    fn steps(&self, state: &G::State, mv: G::Move) -> Vec<Scene> {
        let steps = OnBoard::steps(self, state, mv);
        steps.iter().map(|cells| look::scene(self.board(), cells, &[])).collect()
    }
}

/// A game whose positions are [encoded](Encode) by their cells: a digit for each cell, then the
/// counts, then the side to move. [Banked](crate::Banked) counts must be 0 when a position is
/// encoded. Search remembers positions only if the codes have at most 64 bits: a shape can often be
/// encoded in fewer bits by hand.
pub trait EncodedByCells: OnBoard + Symmetry {
    /// What the codes leave out.
    type Bank: Bank<Self>;
}

impl<G: EncodedByCells> Encode for G {
    type Bank = G::Bank;

    fn bits(&self) -> u32 {
        self.board().code().bits()
    }

    fn encode(&self, state: &G::State) -> u128 {
        self.board().code().encode(&self.cells(state))
    }

    fn decode(&self, code: u128) -> G::State {
        let cells = self.board().code().decode(code);
        // A number without a position gives some state.
        self.state_of(&cells).unwrap_or_else(|_| Merged::of(self, &self.start()).state)
    }
}

/// A game with the [symmetries](Board::symmetries) of its board, and optionally the exchange of
/// sides. They must hold in all positions; a symmetry of only some positions needs
/// [`Symmetry`] by hand.
pub trait SymmetricAsBoard: OnBoard {
    /// The same position with the sides exchanged, if this keeps its worth for the mover: if both
    /// sides have the same rules on the same board, or on its image by a reflection, which then is a part of the
    /// exchange. `None` for all positions or for none.
    fn exchanged(&self, _state: &Self::State) -> Option<Self::State> {
        None
    }
}

impl<G: SymmetricAsBoard> Symmetry for G {
    /// If sides can be exchanged, the first player is to move in the representative. It is the
    /// image whose first piece has the smallest set of cells, then the second piece, and so on.
    fn representative(&self, state: &G::State) -> G::State {
        let state = match self.turn(state) {
            Side::First => *state,
            Side::Second => self.exchanged(state).unwrap_or(*state),
        };
        let cells = self.cells(&state);
        // Boards with symmetries have at most 64 cells.
        let sets = cells.sets().map(|set| set as u64);
        let smallest = self.board().symmetries().smallest(sets);
        if smallest == sets {
            return state;
        }
        // The image of a position is a position.
        self.state_of(&cells.with_sets(smallest.map(u128::from))).unwrap_or(state)
    }

    fn images(&self) -> u64 {
        self.board().symmetries().len() as u64 * if self.exchanges() { 2 } else { 1 }
    }

    fn image(&self, state: &G::State, number: u64) -> Option<G::State> {
        let symmetries = self.board().symmetries();
        let (sides, nth) = (number / symmetries.len() as u64, number % symmetries.len() as u64);
        let state = match sides {
            0 => *state,
            1 => self.exchanged(state)?,
            _ => return None,
        };
        let cells = self.cells(&state);
        let sets = symmetries.image(cells.sets().map(|set| set as u64), nth)?;
        self.state_of(&cells.with_sets(sets.map(u128::from))).ok()
    }

    fn exchanges(&self) -> bool {
        self.exchanged(&self.start()).is_some()
    }
}
