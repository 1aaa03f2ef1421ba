//! The games, one file each.

mod connect_four;
mod fox_and_hounds;
mod kalah;
mod mnk;
mod nim;
mod progress;
mod quantum_tic_tac_toe;
mod squares;
mod three_mens_morris;

pub use connect_four::ConnectFour;
pub use fox_and_hounds::{FoxAndHounds, Stuck};
pub use kalah::{Capture, End, Kalah, Rest};
pub use mnk::Mnk;
pub use nim::Nim;
pub use quantum_tic_tac_toe::QuantumTicTacToe;
pub use three_mens_morris::ThreeMensMorris;
