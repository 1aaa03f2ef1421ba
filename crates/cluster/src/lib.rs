//! Tables of games, built by many processes at once, on one machine or on many.

mod greeting;
mod hosts;
mod layout;
mod run;
mod store;
mod stream;
mod watch;
mod wire;

pub use greeting::{Agreed, Greeter, Purpose, Refused};
pub use hosts::{Host, Wrong, hosts};
pub use layout::{Piece, layout};
pub use run::{Build, Ended, Finished};
pub use store::Held;
pub use watch::{Done, Fault, Line, SILENT, Watch};
