//! Writes true tables of small games into a folder, in every kind of values that can be shown: by numbers
//! (`GAME-VALUES.table`) and by keys (`GAME-VALUES.keys`).
//!
//! The command `foregone table build` lists no positions by keys where a game numbers them, and makes
//! no ranks of these games. And no game of the registry lists positions by keys and has extra turns:
//! `whole-kalah` is Kalah with what is banked in the key (`foregone_trial::Whole`); it is checked by
//! `edits` and by `checkers/check.py`.
//!
//! `cargo run --release -p foregone-check --example files -- FOLDER`

#[path = "../tests/common/mod.rs"]
mod common;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use common::{Values, games, keyed_table_of, table_of, write_dense, write_keyed};
use foregone_rules::family::{Family, specification};
use foregone_rules::games::Kalah;
use foregone_rules::{Encode, Indexed, NoBank};
use foregone_trial::Whole;

const ALL: [Values; 4] = [Values::Wdl, Values::Score, Values::ScoreDistance, Values::ScoreRank];

/// What can be shown if play can loop.
const LOOPING: &[Values] = &[Values::ScoreDistance, Values::ScoreRank];

/// What can be shown where points are banked.
const BANKING: &[Values] = &[Values::Score, Values::ScoreRank];

fn file(folder: &Path, name: &str, values: Values, ending: &str) -> PathBuf {
    folder.join(format!("{name}-{}.{ending}", values.name()))
}

fn numbered<G: Family + Indexed>(game: &G, name: &str, kinds: &[Values], folder: &Path) {
    for values in kinds {
        let table = table_of(game, *values);
        write_dense(game, &specification(game), &table, &file(folder, name, *values, "table"));
    }
}

fn listed<G: Encode<Bank = NoBank>>(
    game: &G,
    (name, full_name): (&str, &str),
    kinds: &[Values],
    folder: &Path,
) {
    for values in kinds {
        let table = keyed_table_of(game, *values);
        write_keyed(game, full_name, *values, &table, &file(folder, name, *values, "keys"));
    }
}

fn both<G>(game: &G, name: &str, kinds: &[Values], folder: &Path)
where
    G: Family + Indexed + Encode<Bank = NoBank>,
{
    numbered(game, name, kinds, folder);
    listed(game, (name, &specification(game)), kinds, folder);
}

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: files FOLDER");
        return ExitCode::from(2);
    };
    both(&games::tic_tac_toe(), "tic-tac-toe", &ALL, &folder);
    both(&games::morris(), "three-mens-morris", LOOPING, &folder);
    both(&games::nim("1-2-3"), "nim", &ALL, &folder);
    let kalah: Kalah = games::kalah("2", "2");
    numbered(&kalah, "kalah", BANKING, &folder);
    let full_name = format!("whole-{}", specification(&kalah));
    listed(&Whole(kalah), ("whole-kalah", &full_name), &ALL, &folder);
    ExitCode::SUCCESS
}
