//! The games, one file each.

mod connect_four;
mod fox_and_hounds;
mod kalah;
mod mnk;
mod nim;
mod nine_mens_morris;
mod orbits;
mod progress;
mod quantum_tic_tac_toe;
mod squares;
mod three_mens_morris;

pub use connect_four::ConnectFour;
pub use fox_and_hounds::{FoxAndHounds, Stuck};
pub use kalah::{Capture, End, Kalah, Rest};
pub use mnk::Mnk;
pub use nim::Nim;
pub use nine_mens_morris::NineMensMorris;
pub use quantum_tic_tac_toe::QuantumTicTacToe;
pub use three_mens_morris::ThreeMensMorris;

use crate::family::Family;
use crate::promise::{Acyclic, Encode, Indexed, NoBank, Notation, Symmetry, Written};

/// The name of each family.
pub const NAMES: [&str; 8] = [
    Mnk::ABOUT.name,
    ConnectFour::ABOUT.name,
    FoxAndHounds::ABOUT.name,
    Kalah::ABOUT.name,
    Nim::ABOUT.name,
    QuantumTicTacToe::ABOUT.name,
    NineMensMorris::ABOUT.name,
    ThreeMensMorris::ABOUT.name,
];

/// A visitor that receives a family of games that numbers its positions.
pub trait ForIndexed {
    /// What comes of it.
    type Output;

    /// Receives the family, and the measure that rises with every move where it has one.
    fn with<F: Family + Indexed + Notation>(self, measure: Option<Measure<F>>) -> Self::Output;
}

/// A visitor that receives a family of games whose positions have keys and which banks no points, so
/// that tables can list its positions.
pub trait ForKeyed {
    /// What comes of it.
    type Output;

    /// Receives the family, the measure that rises with every move, and how positions are written.
    fn with<F: Family + Encode<Bank = NoBank> + Symmetry>(
        self,
        measure: Option<Measure<F>>,
        notation: Option<Written<F>>,
    ) -> Self::Output;
}

/// A visitor that receives a family of games whose positions have keys, so that there are proofs.
pub trait ForProofs {
    /// What comes of it.
    type Output;

    /// Receives the family, and how positions are written.
    fn with<F: Family + Encode + Symmetry>(self, notation: Option<Written<F>>) -> Self::Output;
}

/// [`Acyclic::progress`] without what it asks of the game.
pub type Measure<G> = fn(&G, &<G as crate::game::Game>::State) -> u32;

fn measure<G: Acyclic>() -> Option<Measure<G>> {
    Some(G::progress)
}

fn written<G: Notation>() -> Option<Written<G>> {
    Some(Written::default())
}

/// Hands the family of that name to a visitor, if there can be proofs of its positions.
pub fn provable<V: ForProofs>(name: &str, visitor: V) -> Option<V::Output> {
    Some(match name {
        _ if name == Mnk::ABOUT.name => visitor.with::<Mnk>(written()),
        _ if name == ConnectFour::ABOUT.name => visitor.with::<ConnectFour>(written()),
        _ if name == FoxAndHounds::ABOUT.name => visitor.with::<FoxAndHounds>(written()),
        _ if name == Kalah::ABOUT.name => visitor.with::<Kalah>(written()),
        _ if name == Nim::ABOUT.name => visitor.with::<Nim>(written()),
        _ if name == QuantumTicTacToe::ABOUT.name => visitor.with::<QuantumTicTacToe>(None),
        _ if name == NineMensMorris::ABOUT.name => visitor.with::<NineMensMorris>(written()),
        _ if name == ThreeMensMorris::ABOUT.name => visitor.with::<ThreeMensMorris>(written()),
        _ => return None,
    })
}

/// Hands the family of that name to a visitor, if tables can list its positions by their keys.
pub fn keyed<V: ForKeyed>(name: &str, visitor: V) -> Option<V::Output> {
    let v = visitor;
    Some(match name {
        _ if name == Mnk::ABOUT.name => v.with::<Mnk>(measure(), written()),
        _ if name == ConnectFour::ABOUT.name => v.with::<ConnectFour>(measure(), written()),
        _ if name == FoxAndHounds::ABOUT.name => v.with::<FoxAndHounds>(measure(), written()),
        _ if name == Nim::ABOUT.name => v.with::<Nim>(measure(), written()),
        _ if name == QuantumTicTacToe::ABOUT.name => v.with::<QuantumTicTacToe>(measure(), None),
        _ if name == NineMensMorris::ABOUT.name => v.with::<NineMensMorris>(None, written()),
        _ if name == ThreeMensMorris::ABOUT.name => v.with::<ThreeMensMorris>(None, written()),
        _ => return None,
    })
}

/// Hands the family of that name to a visitor, if it numbers its positions.
pub fn indexed<V: ForIndexed>(name: &str, visitor: V) -> Option<V::Output> {
    Some(match name {
        _ if name == Mnk::ABOUT.name => visitor.with::<Mnk>(measure()),
        _ if name == ConnectFour::ABOUT.name => visitor.with::<ConnectFour>(measure()),
        _ if name == FoxAndHounds::ABOUT.name => visitor.with::<FoxAndHounds>(measure()),
        _ if name == Kalah::ABOUT.name => visitor.with::<Kalah>(measure()),
        _ if name == Nim::ABOUT.name => visitor.with::<Nim>(measure()),
        _ if name == NineMensMorris::ABOUT.name => visitor.with::<NineMensMorris>(None),
        _ if name == ThreeMensMorris::ABOUT.name => visitor.with::<ThreeMensMorris>(None),
        _ => return None,
    })
}
