//! The built-in games, a file or a folder each.

mod awari;
mod connect_four;
mod dots_and_boxes;
mod fox_and_hounds;
mod hex;
mod kalah;
mod mnk;
mod nim;
mod nine_mens_morris;
mod quantum_tic_tac_toe;
mod reversi;
mod three_mens_morris;

pub use awari::{Awari, Slam};
pub use connect_four::ConnectFour;
pub use dots_and_boxes::DotsAndBoxes;
pub use fox_and_hounds::{FoxAndHounds, Stuck};
pub use hex::Hex;
pub use kalah::{Capture, End, Kalah, Rest};
pub use mnk::Mnk;
pub use nim::Nim;
pub use nine_mens_morris::NineMensMorris;
pub use quantum_tic_tac_toe::QuantumTicTacToe;
pub use reversi::Reversi;
pub use three_mens_morris::ThreeMensMorris;

use crate::family::{About, Family, Invalid};
use crate::promise::Declare;

/// A visitor that receives a family of games.
pub trait WithFamily {
    /// The result of the visit.
    type Output;

    /// Receives the family.
    fn with<F: Family + Declare>(self) -> Self::Output;
}

/// A visitor that receives all families of games, one after the other.
pub trait EachFamily {
    /// Receives a family, with the other names of its games.
    fn family<F: Family + Declare>(&mut self, aliases: &[Alias]);
}

/// Another name for a game, with some parameters set.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    /// The other name.
    pub name: &'static str,
    /// The other name in headings, such as `Tic-tac-toe`.
    pub title: &'static str,
    /// The game, as `name(key=value,...)`.
    pub stands_for: &'static str,
}

/// The list of games. A game in it can be played, solved, tabulated and checked, as far as its type
/// implements the promises for this; a test checks them.
macro_rules! games {
    ($($game:ident $(($($parameter:ident),*))? $({ $($alias:literal $title:literal: $stands_for:literal),* })?,)*) => {
        $(crate::declare!($game);)*

        $($(impl $game {
            /// The game with these parameters; all others have their defaults. Its rules above say what they mean,
            /// and [`ABOUT`](Family::ABOUT) what is valid.
            ///
            /// # Errors
            /// If a value is not valid, or the values do not go together.
            pub fn new($($parameter: u32),*) -> Result<$game, Invalid> {
                $game::with(&[$((stringify!($parameter), &$parameter.to_string())),*])
            }
        })?)*

        /// Facts about each family.
        pub const ALL: &[About] = &[$($game::ABOUT),*];

        /// Passes each family to a visitor.
        pub fn each(visitor: &mut impl EachFamily) {
            $(visitor.family::<$game>(&[
                $($(Alias { name: $alias, title: $title, stands_for: $stands_for }),*)?
            ]);)*
        }

        /// Passes the family called `name` to a visitor; `None` if there is none.
        pub fn with_family<V: WithFamily>(name: &str, visitor: V) -> Option<V::Output> {
            match name {
                $(_ if name == $game::ABOUT.name => Some(visitor.with::<$game>()),)*
                _ => None,
            }
        }
    };
}

games! {
    Mnk(columns, rows, line) { "tic-tac-toe" "Tic-tac-toe": "mnk(columns=3,rows=3,line=3)" },
    ConnectFour(columns, rows),
    FoxAndHounds(size),
    Kalah(pits, stones) { "kalaha" "Kalaha": "kalah" },
    Awari(pits, stones) { "oware" "Oware": "awari(slam=void)" },
    QuantumTicTacToe(),
    NineMensMorris(men),
    ThreeMensMorris(),
    Nim,
    Reversi(size) { "othello" "Othello": "reversi(size=8)" },
    Hex(size),
    DotsAndBoxes(columns, rows),
}
