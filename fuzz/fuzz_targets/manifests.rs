//! Feeds the reader manifests with right checksums around them: it may refuse them, and what it accepts
//! it can look up in without a panic.
//!
//! `cargo fuzz run manifests`

#![no_main]

use foregone_record::Table;
use foregone_record::format::Head;
use foregone_record::format::head::HEAD;
use foregone_record::read::Bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<u8>, Vec<u8>)| {
    let (body, text) = input;
    let head = Head::of((HEAD + body.len()) as u64, &text).encode();
    let Ok(table) = Table::read(Bytes([&head[..], &body, &text].concat())) else { return };
    let manifest = table.manifest();
    assert!(manifest.positions() <= manifest.numbers());
    for layer in 0..manifest.layers.len() as u32 {
        let _ = table.get(layer, 0);
        let _ = table.layer(layer).map(|cells| cells.len());
    }
    let _ = table.place(5);
    let _ = table.each_key(|_| Ok(()));
});
