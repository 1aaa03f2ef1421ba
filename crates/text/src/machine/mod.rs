//! Rules as instructions for a small machine, and the machine.

mod emit;
mod layout;
mod op;
mod program;
mod run;
mod shorten;
mod sow;
mod steps;
mod word;

pub(crate) use emit::{emit, shift_of};
pub(crate) use layout::{Field, Words};
pub(crate) use op::Place;
pub(crate) use program::{Program, TooLarge};
pub(crate) use run::{Machine, Memory};
pub(crate) use steps::completing;
pub use word::Word;
