//! Feeds the reader and the checkers bytes as they come: they may answer or refuse, and must neither
//! panic nor take much memory.
//!
//! `cargo fuzz run files`

#![no_main]

use foregone_check::{Effort, dense, keyed, plain, proofs};
use foregone_record::Table;
use foregone_record::read::Bytes;
use foregone_rules::games::Mnk;
use foregone_rules::{Acyclic, Game};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: Vec<u8>| {
    let Ok(table) = Table::read(Bytes(bytes)) else { return };
    let game = Mnk::tic_tac_toe();
    for layer in 0..3 {
        for index in [0, 1, 100, 16_383, 16_384, u64::MAX] {
            let _ = table.get(layer, index);
        }
    }
    for key in [0, 1, 1 << 64, u128::MAX] {
        let _ = table.place(key);
        let _ = table.keys_from(key as u64);
    }
    let effort = Effort { memory: 1 << 20, ..Effort::default() };
    let measure = Some(Mnk::progress as _);
    let _ = dense::check(&game, &table, measure, effort, &|_| true);
    let _ = keyed::check(&game, &table, measure, effort, &|_| true);
    let _ = plain::check_dense(&game, &table, measure, effort, &|_| true);
    let _ = proofs::check(&game, &table, &game.start(), effort, &|_| true);
    let _ = plain::check_proof(&game, &table, &game.start(), effort, &|_| true);
});
