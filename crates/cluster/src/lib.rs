//! Tables of games, built and checked by many processes at once, on one machine or on many.

/// Does the same with a kernel with cells of any size.
macro_rules! with_kernel {
    ($any:expr, $kernel:ident => $what:expr) => {
        match $any {
            foregone::tables::kernel::AnyKernel::Byte($kernel) => $what,
            foregone::tables::kernel::AnyKernel::Short($kernel) => $what,
            foregone::tables::kernel::AnyKernel::Word($kernel) => $what,
        }
    };
}

mod build;
mod connect;
mod files;
mod greeting;
mod hosts;
mod layer;
#[cfg(feature = "object-store")]
mod mirror;
mod plan;
mod settle;
mod shard;
mod stream;
mod verify;
mod watch;
mod wire;
mod worker;

pub use build::{Ended, Process};
pub use connect::{Connections, Party, Unmet};
pub use files::{Files, Folder};
pub use greeting::{Agreed, Greeter, Purpose, Refused, secret};
pub use hosts::{Host, Wrong, hosts};
#[cfg(feature = "object-store")]
pub use mirror::Bucket;
pub use plan::{Measured, Planned, PlannedLayer, Site, plan};
pub use shard::{Broken, Step, Tasks, steps};
pub use verify::Checker;
pub use watch::{Done, Fault, Line, SILENT, Watch};
