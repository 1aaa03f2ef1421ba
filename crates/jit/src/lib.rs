//! Native code for games whose rules are text, by [Cranelift](https://cranelift.dev).
//!
//! The machine of `foregone-text` reads an instruction, jumps to its code, and loads and stores its
//! registers. Native code does none of that: a choice is a loop, "go back" a jump to the end of that
//! loop, and the position stays in the registers of the processor. Walks are two to four times
//! faster; what a search waits for, its tables, is not.
//!
//! [`install`] is all that a program calls. From then on a game that plays much gets native code after
//! its first thousands of moves, a few milliseconds of work. It plays as the machine does, move by move,
//! in the same order; before it is used it is held against the machine. Where a processor or a hardened
//! system does not allow native code, or the rules are too large, the machine goes on.
//!
//! ```
//! foregone_jit::install();
//! ```

mod choice;
mod code;
mod count;
mod helpers;
mod op;
mod translate;

use foregone_text::native::{self, Native};

/// How often a game is asked for its moves before it gets native code: what takes a millisecond is not
/// worth five.
const RUNS: u32 = 1 << 13;

/// From now on games from text get native code.
pub fn install() {
    install_after(RUNS);
}

/// As [`install`]; a game gets native code once it has been asked so often for moves, or what they lead to.
pub fn install_after(runs: u32) {
    let compile = |program: &_, words| {
        code::Code::new(program, words).map(|code| Box::new(code) as Box<dyn Native>)
    };
    native::install(compile, runs);
}
