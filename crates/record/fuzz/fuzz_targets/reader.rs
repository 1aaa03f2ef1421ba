//! Feeds the reader of tables and proofs bytes as they come, and files that say what they like with checksums
//! that are right: it may answer or refuse, and must neither panic nor take much memory.
//!
//! `cargo fuzz run reader --fuzz-dir crates/record/fuzz`

#![no_main]

use std::sync::OnceLock;

use arbitrary::Arbitrary;
use foregone_record::format::{
    Contents, HEAD, LayerContents, Values, checksum, fingerprint, fingerprint_listed, head,
};
use foregone_record::keys::KeyContents;
use foregone_record::proof::{Claim, ProofContents, check};
use foregone_record::table::Bytes;
use foregone_record::{Effort, Table, verify, verify_listed};
use foregone_rules::Game;
use foregone_rules::games::Mnk;
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

#[derive(Arbitrary, Debug)]
enum Input {
    Bytes(Vec<u8>),
    File { layers: Vec<Layer>, keys: Option<Part>, claims: Option<Vec<(bool, i16)>> },
}

/// Blocks and their entries, and what the contents say of them.
#[derive(Arbitrary, Debug)]
struct Part {
    blocks: Vec<Vec<u8>>,
    /// Where a block is said to end, if not where it does.
    ends: Vec<Option<u64>>,
    /// What its first key is said to be.
    firsts: Vec<u128>,
    /// How many bytes there are said to be, if not as many as there are.
    bytes: Option<u64>,
}

#[derive(Arbitrary, Debug)]
struct Layer {
    part: Part,
    size: u64,
    wide: bool,
    worths: Vec<(i16, Option<u32>)>,
}

impl Part {
    /// The bytes of the blocks, and the entries with right checksums.
    fn written(&self, layer: u32, with_keys: bool) -> (Vec<u8>, Vec<u8>) {
        let (mut blocks, mut entries) = (Vec::new(), Vec::new());
        for (number, block) in self.blocks.iter().enumerate() {
            blocks.extend(block);
            let end = self.ends.get(number).copied().flatten().unwrap_or(blocks.len() as u64);
            entries.extend(end.to_le_bytes());
            entries.extend(checksum(block, layer, number as u64).to_le_bytes());
            if with_keys {
                entries.extend(self.firsts.get(number).copied().unwrap_or(0).to_le_bytes());
            }
        }
        (blocks, entries)
    }
}

fn file(layers: &[Layer], keys: Option<&Part>, claims: Option<&[(bool, i16)]>) -> Vec<u8> {
    let game = Mnk::tic_tac_toe();
    static PRINTS: OnceLock<[u64; 2]> = OnceLock::new();
    let prints = PRINTS.get_or_init(|| [fingerprint(&game), fingerprint_listed(&game)]);
    let print = prints[usize::from(keys.is_some())];
    let mut contents = Contents {
        game: "mnk".to_owned(),
        fingerprint: format!("{print:016x}"),
        values: Values::ScoreDistance,
        layers: Vec::new(),
        keys: None,
        proof: claims.map(|claims| ProofContents {
            position: None,
            moves: Vec::new(),
            claims: claims
                .iter()
                .map(|(first, value)| Claim { first: *first, at_least: (*value).into() })
                .collect(),
        }),
    };
    let mut body = Vec::new();
    for (number, layer) in layers.iter().enumerate() {
        let offset = (HEAD + body.len()) as u64;
        let (blocks, entries) = layer.part.written(number as u32, false);
        contents.layers.push(LayerContents {
            size: layer.size,
            positions: layer.size,
            width: 1 + u8::from(layer.wide),
            offset,
            bytes: layer.part.bytes.unwrap_or(blocks.len() as u64),
            entries: xxh3_64(&entries),
            worths: layer.worths.iter().map(|(value, plies)| ((*value).into(), *plies)).collect(),
        });
        body.extend([blocks, entries].concat());
    }
    if let Some(part) = keys {
        let offset = (HEAD + body.len()) as u64;
        let (blocks, entries) = part.written(u32::MAX, true);
        let bytes = part.bytes.unwrap_or(blocks.len() as u64);
        contents.keys = Some(KeyContents { offset, bytes, entries: xxh3_64(&entries) });
        body.extend([blocks, entries].concat());
    }
    let text = serde_json::to_vec(&contents).expect("contents are plain");
    [&head((HEAD + body.len()) as u64, &text)[..], &body, &text].concat()
}

fuzz_target!(|input: Input| {
    let bytes = match &input {
        Input::Bytes(bytes) => bytes.clone(),
        Input::File { layers, keys, claims } => file(layers, keys.as_ref(), claims.as_deref()),
    };
    let Ok(table) = Table::read(Bytes(bytes)) else { return };
    let game = Mnk::tic_tac_toe();
    for layer in 0..3 {
        for index in [0, 1, 100, 16_383, 16_384, u64::MAX] {
            let _ = table.get(layer, index);
        }
    }
    for key in [0, 1, 1 << 64, u128::MAX] {
        let _ = table.place(key);
        let _ = table.listed(key as u64);
    }
    let effort = Effort { threads: 1, memory: 1 << 20 };
    let _ = verify(&game, &table, effort, &|_| true);
    let _ = verify_listed(&game, &table, effort, &|_| true);
    let _ = check(&game, &table, &game.start(), 1 << 20, &|_| true);
});
