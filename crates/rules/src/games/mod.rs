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
use crate::promise::{Indexed, Notation, Packed, Reduce, Written};

/// Something to do with a family of games that numbers its positions, whichever it is.
pub trait ForIndexed {
    /// What comes of it.
    type Output;

    /// Does it with the family.
    fn with<F: Family + Indexed + Notation>(self) -> Self::Output;
}

/// Something to do with a family of games whose positions have keys, so that there are proofs of it and
/// tables that list them, whichever it is.
pub trait ForKeyed {
    /// What comes of it.
    type Output;

    /// Does it with the family, and with how its positions are written, if they are.
    fn with<F: Family + Packed + Reduce>(self, notation: Option<Written<F>>) -> Self::Output;
}

fn written<G: Notation>() -> Option<Written<G>> {
    Some(Written::default())
}

/// Does something with the family of that name, if its positions have keys.
pub fn keyed<D: ForKeyed>(name: &str, todo: D) -> Option<D::Output> {
    Some(match name {
        _ if name == Mnk::ABOUT.name => todo.with::<Mnk>(written()),
        _ if name == ConnectFour::ABOUT.name => todo.with::<ConnectFour>(written()),
        _ if name == FoxAndHounds::ABOUT.name => todo.with::<FoxAndHounds>(written()),
        _ if name == Kalah::ABOUT.name => todo.with::<Kalah>(written()),
        _ if name == Nim::ABOUT.name => todo.with::<Nim>(written()),
        _ if name == QuantumTicTacToe::ABOUT.name => todo.with::<QuantumTicTacToe>(None),
        _ if name == NineMensMorris::ABOUT.name => todo.with::<NineMensMorris>(written()),
        _ if name == ThreeMensMorris::ABOUT.name => todo.with::<ThreeMensMorris>(written()),
        _ => return None,
    })
}

/// Does something with the family of that name, if it numbers its positions.
pub fn indexed<D: ForIndexed>(name: &str, todo: D) -> Option<D::Output> {
    Some(match name {
        _ if name == Mnk::ABOUT.name => todo.with::<Mnk>(),
        _ if name == ConnectFour::ABOUT.name => todo.with::<ConnectFour>(),
        _ if name == FoxAndHounds::ABOUT.name => todo.with::<FoxAndHounds>(),
        _ if name == Kalah::ABOUT.name => todo.with::<Kalah>(),
        _ if name == Nim::ABOUT.name => todo.with::<Nim>(),
        _ if name == NineMensMorris::ABOUT.name => todo.with::<NineMensMorris>(),
        _ if name == ThreeMensMorris::ABOUT.name => todo.with::<ThreeMensMorris>(),
        _ => return None,
    })
}
