//! Tables of games, built and checked by many processes at once, on one machine or on many.

mod build;
mod connect;
mod desk;
mod files;
mod greeting;
mod hosts;
mod layer;
mod plan;
mod settle;
mod stream;
mod verify;
mod watch;
mod wire;

pub use build::{Ended, Process};
pub use connect::{Connections, Party, Unmet};
pub use files::{Files, Folder};
pub use greeting::{Agreed, Greeter, Purpose, Refused, secret};
pub use hosts::{Host, Wrong, hosts};
pub use plan::{Measured, Planned, Site, plan};
pub use verify::Checker;
pub use watch::{Done, Fault, Line, SILENT, Watch};
