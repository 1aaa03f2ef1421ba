//! Rules as instructions for a small machine, and the machine. What is public here is for crates that
//! translate programs.

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
pub use layout::{AGAIN, Field, HAS_RESULT, RESULT, Words};
pub use op::{Op, Place, REGISTERS, Register};
pub(crate) use program::TooLarge;
pub use program::{Entries, Masks, Program, Rays, Rows, SowTable, WinsAt};
pub use run::alone;
pub(crate) use run::{Machine, Memory};
pub use steps::{behind, completing, each_cell, each_ray, has_row, step};
pub use word::Word;

pub use crate::choices::{LABEL, LARGEST, MAX_CHOICES, NUMBER};
pub use crate::typed::{MAX_SCORE, Sign};
