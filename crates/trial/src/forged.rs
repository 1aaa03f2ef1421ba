//! Files of right form with right checksums, whatever they say, made in memory: what a checker has to
//! refuse. The writer of `foregone-record` makes files on a disk, and takes care that they last.

use foregone_record::format::block::{self, BLOCK, BlockEntry};
use foregone_record::format::checksum::Checksum;
use foregone_record::format::head::HEAD;
use foregone_record::format::keys::{self, KEYS, KEYS_LAYER, KeyBlockEntry};
use foregone_record::format::layer::{worth_order, written};
use foregone_record::format::{Head, KeysPart, LayerPart, Listed, Manifest, Values};
use foregone_record::proof::ProofManifest;
use foregone_rules::Worth;

/// A part of a file: its bytes, and what the manifest says of it, with the offset 0.
#[derive(Clone, Debug)]
pub struct Made<P> {
    bytes: Vec<u8>,
    part: P,
}

/// A layer with these entries.
///
/// # Panics
/// If there are more worths than cells can tell apart.
pub fn layer(number: u32, entries: &[Option<Worth>]) -> Made<LayerPart> {
    let mut worths: Vec<Worth> = entries.iter().flatten().copied().collect();
    worths.sort_unstable_by_key(|worth| worth_order(*worth));
    worths.dedup();
    let width = if worths.len() < 256 { 1 } else { 2 };
    let place = |worth: &Worth| {
        let place = worths.binary_search_by_key(&worth_order(*worth), |worth| worth_order(*worth));
        place.ok().and_then(|place| u16::try_from(place + 1).ok())
    };
    let cell = |entry: &Option<Worth>| match entry {
        None => 0,
        Some(worth) => place(worth).unwrap_or_else(|| panic!("too many worths")),
    };
    let cells: Vec<u16> = entries.iter().map(cell).collect();
    let (mut bytes, mut ends, mut plain) = (Vec::new(), Vec::new(), Vec::new());
    for (block, cells) in (0..).zip(cells.chunks(BLOCK / usize::from(width))) {
        block::plain(cells, width, &mut plain);
        let packed = packed(&plain);
        let checksum = Checksum::of_block(&packed, number, block);
        bytes.extend(packed);
        ends.extend(BlockEntry { end: bytes.len() as u64, checksum }.encode());
    }
    let part = LayerPart {
        size: entries.len() as u64,
        positions: entries.iter().flatten().count() as u64,
        width,
        offset: 0,
        bytes: bytes.len() as u64,
        entries: Checksum::of(&ends),
        worths: worths.iter().map(|worth| written(*worth)).collect(),
    };
    Made { bytes: [bytes, ends].concat(), part }
}

/// The part of these keys, which rise.
///
/// # Panics
/// If they do not rise.
pub fn keys(all: &[u128]) -> Made<KeysPart> {
    let (mut bytes, mut ends, mut plain) = (Vec::new(), Vec::new(), Vec::new());
    for (block, some) in (0..).zip(all.chunks(KEYS as usize)) {
        keys::plain(some.iter().copied(), &mut plain);
        let packed = packed(&plain);
        let checksum = Checksum::of_block(&packed, KEYS_LAYER, block);
        bytes.extend(packed);
        ends.extend(KeyBlockEntry { end: bytes.len() as u64, checksum, first: some[0] }.encode());
    }
    let (length, entries) = (bytes.len() as u64, Checksum::of(&ends));
    let part = KeysPart { offset: 0, bytes: length, entries, listed: Listed::All };
    Made { bytes: [bytes, ends].concat(), part }
}

fn packed(plain: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(plain, 1).unwrap_or_else(|error| panic!("{error}"))
}

/// A file of these parts. Of the manifest all else is taken as it is: the game, the values, what a proof
/// claims.
///
/// # Panics
/// If the manifest cannot be written as JSON.
pub fn file<'a>(
    mut manifest: Manifest,
    layers: impl IntoIterator<Item = &'a Made<LayerPart>>,
    keys: Option<&Made<KeysPart>>,
) -> Vec<u8> {
    let mut body = Vec::new();
    let mut offset = |bytes: &[u8]| {
        let offset = (HEAD + body.len()) as u64;
        body.extend_from_slice(bytes);
        offset
    };
    let place = |Made { bytes, part }: &Made<LayerPart>| LayerPart {
        offset: offset(bytes),
        ..part.clone()
    };
    manifest.layers = layers.into_iter().map(place).collect();
    if keys.is_some() {
        // Every key is stated to be a position's, also one whose cell says nothing.
        manifest.layers.iter_mut().for_each(|layer| layer.positions = layer.size);
    }
    manifest.keys =
        keys.map(|Made { bytes, part }| KeysPart { offset: offset(bytes), ..part.clone() });
    let text = serde_json::to_vec(&manifest).unwrap_or_else(|error| panic!("{error}"));
    [&Head::of((HEAD + body.len()) as u64, &text).encode()[..], &body, &text].concat()
}

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

impl Forged<'_> {
    /// The bytes of the file.
    ///
    /// # Panics
    /// If keys do not rise, or there are more worths than cells can tell apart.
    pub fn bytes(&self) -> Vec<u8> {
        let manifest = Manifest {
            program: "a test".to_owned(),
            game: self.game.to_owned(),
            rules: None,
            fingerprint: self.fingerprint,
            values: self.values,
            layers: Vec::new(),
            keys: None,
            horizon: None,
            proof: self.proof.clone(),
        };
        let layers: Vec<_> =
            (0..).zip(self.layers).map(|(number, entries)| layer(number, entries)).collect();
        file(manifest, &layers, self.keys.map(keys).as_ref())
    }
}

#[cfg(test)]
mod tests {
    use foregone_record::Table;
    use foregone_record::read::Bytes;
    use foregone_rules::{Distance, Value};

    use super::*;

    /// What is made is read back, with several blocks of cells and of keys.
    #[test]
    fn what_is_made_is_read_back() {
        for worths in [3, 300] {
            let entry = |number: u32| {
                let worth = Worth::new(Value(1), Distance::Plies(number % worths));
                (!number.is_multiple_of(7)).then_some(worth)
            };
            let entries: Vec<_> = (0..40_000).map(entry).collect();
            let all: Vec<u128> = (0..40_000).map(|number| number << 80 | number).collect();
            let manifest = Manifest {
                program: "a test".to_owned(),
                game: "a game".to_owned(),
                rules: None,
                fingerprint: Checksum(1),
                values: Values::ScoreDistance,
                layers: Vec::new(),
                keys: None,
                horizon: None,
                proof: None,
            };
            let bytes = file(manifest, [&layer(0, &entries)], Some(&keys(&all)));
            let table = Table::read(Bytes(bytes)).unwrap();
            assert_eq!(table.all_keys().unwrap(), all);
            for (number, entry) in (0..).zip(entries) {
                assert_eq!(table.get(0, number).unwrap(), entry, "{number} {worths}");
            }
        }
    }
}
