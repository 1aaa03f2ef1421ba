//! Files in memory: of right form, with right checksums, whatever they say.

use foregone_record::format::block::{self, BlockEntry};
use foregone_record::format::checksum::Checksum;
use foregone_record::format::head::HEAD;
use foregone_record::format::keys::{self, KEYS, KEYS_LAYER, KeyBlockEntry};
use foregone_record::format::manifest::{worth_order, written};
use foregone_record::format::{Head, KeysPart, LayerPart, Manifest, Values};
use foregone_record::proof::ProofManifest;
use foregone_rules::Worth;

/// What a file is to say.
#[derive(Clone, Debug)]
pub struct Forged<'a> {
    /// The game with its parameters.
    pub game: &'a str,
    /// The fingerprint of its rules.
    pub fingerprint: Checksum,
    /// What is kept of each position.
    pub values: Values,
    /// By layer and number: the worth, `None` if the number stands for no position.
    pub layers: &'a [Vec<Option<Worth>>],
    /// The keys of the positions, in order.
    pub keys: Option<&'a [u128]>,
    /// What is claimed.
    pub proof: Option<ProofManifest>,
}

/// A block as it lies in a file.
fn packed(plain: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(plain, 1).unwrap_or_else(|error| panic!("{error}"))
}

impl Forged<'_> {
    /// The bytes of the file.
    ///
    /// # Panics
    /// If keys do not rise, or there are more worths than cells can tell apart.
    pub fn bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        let layers = (0..).zip(self.layers).map(|(number, cells)| layer(number, cells, &mut body));
        let mut layers: Vec<LayerPart> = layers.collect();
        if self.keys.is_some() {
            // Every key is stated to be a position's, also one whose cell says nothing.
            layers.iter_mut().for_each(|layer| layer.positions = layer.size);
        }
        let keys = self.keys.map(|keys| keys_part(keys, &mut body));
        let manifest = Manifest {
            program: "a test".to_owned(),
            game: self.game.to_owned(),
            fingerprint: self.fingerprint,
            values: self.values,
            layers,
            keys,
            proof: self.proof.clone(),
        };
        let text = serde_json::to_vec(&manifest).unwrap_or_else(|error| panic!("{error}"));
        [&Head::of((HEAD + body.len()) as u64, &text).encode()[..], &body, &text].concat()
    }
}

fn layer(number: u32, cells: &[Option<Worth>], body: &mut Vec<u8>) -> LayerPart {
    let mut worths: Vec<Worth> = cells.iter().flatten().copied().collect();
    worths.sort_unstable_by_key(|worth| worth_order(*worth));
    worths.dedup();
    let place = |worth: &Worth| {
        worths.partition_point(|other| worth_order(*other) < worth_order(*worth)) as u16 + 1
    };
    let numbers: Vec<u16> = cells.iter().map(|cell| cell.as_ref().map_or(0, place)).collect();
    let mut part = LayerPart {
        size: cells.len() as u64,
        positions: cells.iter().flatten().count() as u64,
        width: 2,
        offset: (HEAD + body.len()) as u64,
        bytes: 0,
        entries: Checksum::default(),
        worths: worths.iter().map(|worth| written(*worth)).collect(),
    };
    let (mut plain, mut entries) = (Vec::new(), Vec::new());
    for (nth, cells) in (0..).zip(numbers.chunks(part.cells() as usize)) {
        block::plain(cells, part.width, &mut plain);
        let packed = packed(&plain);
        part.bytes += packed.len() as u64;
        let checksum = Checksum::of_block(&packed, number, nth);
        entries.extend(BlockEntry { end: part.bytes, checksum }.encode());
        body.extend(packed);
    }
    part.entries = Checksum::of(&entries);
    body.extend(entries);
    part
}

fn keys_part(all: &[u128], body: &mut Vec<u8>) -> KeysPart {
    let offset = (HEAD + body.len()) as u64;
    let mut part = KeysPart { offset, bytes: 0, entries: Checksum::default() };
    let (mut plain, mut entries) = (Vec::new(), Vec::new());
    for (nth, some) in (0..).zip(all.chunks(KEYS as usize)) {
        keys::plain(some.iter().copied(), &mut plain);
        let packed = packed(&plain);
        part.bytes += packed.len() as u64;
        let checksum = Checksum::of_block(&packed, KEYS_LAYER, nth);
        entries.extend(KeyBlockEntry { end: part.bytes, checksum, first: some[0] }.encode());
        body.extend(packed);
    }
    part.entries = Checksum::of(&entries);
    body.extend(entries);
    part
}
