//! What the fuzz targets share: files of right form with right checksums, whatever they say, and what
//! positions are worth by the plain rules.

use std::collections::HashMap;

use foregone::reference;
use foregone_record::format::block::{self, BlockEntry};
use foregone_record::format::checksum::Checksum;
use foregone_record::format::head::HEAD;
use foregone_record::format::keys::{self, KEYS_LAYER, KeyBlockEntry};
use foregone_record::format::manifest::{worth_order, written};
use foregone_record::format::{Head, KeysPart, LayerPart, Manifest, Values};
use foregone_record::proof::ProofManifest;
use foregone_rules::family::specification;
use foregone_rules::{Args, Family, Game, Worth};

/// A game of a family by its parameters.
pub fn game<F: Family>(given: &[(&str, &str)]) -> F {
    F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
}

/// What positions that can arise are worth.
pub fn worths<G: Game>(game: &G) -> HashMap<G::State, Worth> {
    reference::worths(game, &game.start())
}

/// A file of one block a layer, whose cells and worths are made of these entries; a layer may have at
/// most 8,192 of them, and keys as many.
pub fn file<F: Family>(
    game: &F,
    fingerprint: Checksum,
    values: Values,
    layers: &[Vec<Option<Worth>>],
    keys: Option<&[u128]>,
    proof: Option<ProofManifest>,
) -> Vec<u8> {
    let mut body = Vec::new();
    let layers = (0..).zip(layers).map(|(number, cells)| {
        let offset = (HEAD + body.len()) as u64;
        let mut worths: Vec<Worth> = cells.iter().flatten().copied().collect();
        worths.sort_unstable_by_key(|worth| worth_order(*worth));
        worths.dedup();
        let place = |worth: &Worth| worths.iter().position(|other| other == worth).unwrap_or(0);
        let cell =
            |worth: &Option<Worth>| worth.as_ref().map_or(0, |worth| place(worth) as u16 + 1);
        let numbers: Vec<u16> = cells.iter().map(cell).collect();
        let mut plain = Vec::new();
        block::plain(&numbers, 2, &mut plain);
        let (bytes, entries) = match plain.is_empty() {
            true => (0, Vec::new()),
            false => {
                let packed = zstd::bulk::compress(&plain, 1).unwrap();
                let checksum = Checksum::of_block(&packed, number, 0);
                let end = packed.len() as u64;
                body.extend(packed);
                (end, BlockEntry { end, checksum }.encode().to_vec())
            }
        };
        body.extend(&entries);
        LayerPart {
            size: cells.len() as u64,
            positions: cells.iter().flatten().count() as u64,
            width: 2,
            offset,
            bytes,
            entries: Checksum::of(&entries),
            worths: worths.iter().map(|worth| written(*worth)).collect(),
        }
    });
    let layers = layers.collect();
    let keys = keys.map(|keys| {
        let offset = (HEAD + body.len()) as u64;
        let mut plain = Vec::new();
        keys::plain(keys.iter().copied(), &mut plain);
        let (bytes, entries) = match keys.first() {
            None => (0, Vec::new()),
            Some(first) => {
                let packed = zstd::bulk::compress(&plain, 1).unwrap();
                let checksum = Checksum::of_block(&packed, KEYS_LAYER, 0);
                let end = packed.len() as u64;
                body.extend(packed);
                (end, KeyBlockEntry { end, checksum, first: *first }.encode().to_vec())
            }
        };
        body.extend(&entries);
        KeysPart { offset, bytes, entries: Checksum::of(&entries) }
    });
    let manifest = Manifest {
        program: "a fuzzer".to_owned(),
        game: specification(game),
        fingerprint,
        values,
        layers,
        keys,
        proof,
    };
    let text = serde_json::to_vec(&manifest).unwrap();
    [&Head::of((HEAD + body.len()) as u64, &text).encode()[..], &body, &text].concat()
}
