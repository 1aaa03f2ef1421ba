//! The command `foregone` with the games that it comes with.

use std::process::ExitCode;

fn main() -> ExitCode {
    foregone_cli::run(foregone::Registry::standard())
}
