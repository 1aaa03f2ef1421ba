//! What tests of several crates share: small games that do what no game of the registry does (loop
//! and bank points, exchange the sides in a representative, break their rules), files that say what
//! they like, and folders that go away.

mod difficult;
mod domineering;
pub mod forged;
mod graph;
mod hoard;
pub mod texts;
mod whole;

use std::path::PathBuf;

use foregone_rules::Family;
use tempfile::TempDir;

pub use difficult::{Endless, Stuck, Wide};
pub use domineering::Domineering;
pub use forged::Forged;
pub use graph::Graph;
pub use hoard::Hoard;
pub use whole::Whole;

/// A game of a family by its parameters.
///
/// # Panics
/// If the family has no such parameters.
pub fn game<F: Family>(given: &[(&str, &str)]) -> F {
    F::with(given).unwrap_or_else(|error| panic!("{error}"))
}

/// An empty folder that goes away with the value.
pub struct Folder(TempDir);

impl Folder {
    /// Makes one.
    ///
    /// # Panics
    /// If it cannot be made.
    #[expect(clippy::new_without_default, reason = "it makes a folder")]
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap_or_else(|error| panic!("{error}")))
    }

    /// A path in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// Sends a signal, such as `INT`, to a process. A shell has the command; not every system has it as a program. Windows
/// has no signals: there the process ends, whatever the signal is.
///
/// # Panics
/// If there is no such process or signal.
pub fn signal(process: &std::process::Child, signal: &str) {
    let (shell, option, line) = match cfg!(windows) {
        true => ("cmd", "/C", format!("taskkill /F /PID {}", process.id())),
        false => ("sh", "-c", format!("kill -s {signal} {}", process.id())),
    };
    let sent = std::process::Command::new(shell).args([option, &line]).output();
    assert!(sent.is_ok_and(|done| done.status.success()), "{line}");
}

#[cfg(test)]
mod tests {
    use foregone_rules::Conform;
    use foregone_rules::games::Kalah;

    use super::*;

    #[test]
    fn the_games_keep_their_promises() {
        for size in 2..=5 {
            let game = Domineering::new(size);
            Conform::sampled(&game, 300, 1).encode_merged().symmetry().finish().unwrap();
        }
        for (pits, stones) in [("1", "2"), ("2", "2"), ("3", "2")] {
            let game = Whole(game::<Kalah>(&[("pits", pits), ("stones", stones)]));
            Conform::sampled(&game, 300, 1).acyclic().encode_merged().symmetry().finish().unwrap();
        }
        for seed in 0..100 {
            let game = Hoard::new(seed);
            for game in [game.clone(), game.clone().with_endless(2), game.with_loops(seed)] {
                let conform = Conform::sampled(&game, 300, seed).banked().encode_merged();
                conform.symmetry().indexed().finish().unwrap();
            }
            let graph = Graph::new(seed);
            for graph in [graph.clone(), graph.clone().with_endless(-1), graph.with_loops(seed)] {
                let conform = Conform::sampled(&graph, 300, seed);
                if graph.turns[0] == foregone_rules::Side::First {
                    conform.encode().symmetry().indexed().finish().unwrap();
                }
            }
        }
    }
}
