//! Files are read as they were meant: every number and every key of files with several blocks, of cells
//! of both widths; and whatever is not as it was written is an error.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone_record::format::LONGEST_MANIFEST;
use foregone_record::format::block::{self, BLOCK, BlockEntry};
use foregone_record::format::checksum::Checksum;
use foregone_record::format::head::{HEAD, MAGIC};
use foregone_record::format::keys::KEYS;
use foregone_record::format::layer::{worth_of, worth_order, written};
use foregone_record::format::manifest::MAX_VALUE;
use foregone_record::format::{
    Head, KeysPart, LayerPart, Manifest, Values, fingerprint, fingerprint_keyed,
};
use foregone_record::proof::{Claim, ProofManifest};
use foregone_record::read::{Bytes, Source, key_of, state_of, with_banked};
use foregone_record::{Error, Table};
use foregone_rules::games::{Kalah, Nim};
use foregone_rules::sample::Dice;
use foregone_rules::{Banked, Distance, Encode, Game, Indexed, Outcome, Symmetry, Value, Worth};
use foregone_trial::{Folder, Forged, Graph, Hoard, Whole, game};
use xxhash_rust::xxh3::xxh3_64_with_seed;

fn worth(value: i32, plies: u32) -> Worth {
    Worth::new(Value(value), Distance::Plies(plies))
}

/// What a number is to say: a few different worths, and nothing now and then.
fn cell(index: u64) -> Option<Worth> {
    let value = (index % 7) as i32 - 3;
    (!index.is_multiple_of(11)).then(|| worth(value, (index / 100 % 50) as u32))
}

fn forged<'a>(layers: &'a [Vec<Option<Worth>>], keys: Option<&'a [u128]>) -> Forged<'a> {
    let (game, fingerprint, values) = ("game", Checksum(7), Values::ScoreDistance);
    Forged { game, fingerprint, values, layers, keys, proof: None }
}

fn read(bytes: Vec<u8>) -> Result<Table, Error> {
    Table::read(Bytes(bytes))
}

fn why<T>(result: Result<T, Error>) -> String {
    result.err().map_or("no error".to_owned(), |error| error.to_string())
}

#[test]
fn every_number_is_found() {
    let layers: [Vec<_>; 3] = [3, 20_000, 1].map(|size| (0..size).map(cell).collect());
    let bytes = forged(&layers, None).bytes();
    let (table, length) = (read(bytes.clone()).unwrap(), bytes.len() as u64);
    assert_eq!(table.size().unwrap(), length);
    assert_eq!((table.manifest().numbers(), table.manifest().positions()), (20_004, 18_183));
    for (layer, expected) in (0..).zip(&layers) {
        for (index, expected) in (0..).zip(expected) {
            assert_eq!(table.get(layer, index).unwrap(), *expected, "{layer} {index}");
        }
        let size = expected.len() as u64;
        assert_eq!(table.get(layer, size).unwrap(), None);
        let cells = table.layer(layer).unwrap();
        let said = |cell: &u16| Some(table.worths(layer)[usize::from(*cell).checked_sub(1)?]);
        assert!(cells.iter().map(said).eq(expected.iter().copied()));
    }
    assert_eq!(table.get(3, 0).unwrap(), None);
    assert_eq!((table.layer(3).unwrap(), table.worths(3)), (vec![], &[][..]));
    // The lowest layers that fit, of two bytes a number.
    for (bytes, count) in [(0, 0), (5, 0), (6, 1), (40_005, 1), (40_006, 2), (40_008, 3)] {
        let table = read(forged(&layers, None).bytes()).unwrap();
        let lowest = table.lowest(bytes).unwrap();
        assert_eq!(lowest.len(), count, "{bytes}");
        assert!(lowest.iter().zip(0..).all(|(cells, layer)| *cells == table.layer(layer).unwrap()));
        assert_eq!(table.lowest(0).unwrap().len(), count, "it stays as it was first asked for");
    }
    // Now from a file.
    let folder = Folder::new();
    std::fs::write(folder.file("table"), &bytes).unwrap();
    let table = Table::open(&folder.file("table")).unwrap();
    assert_eq!(table.size().unwrap(), length);
    for index in [0, 8_191, 8_192, 16_383, 16_384, 19_999, 12, 9_000] {
        assert_eq!(table.get(1, index).unwrap(), cell(index));
    }
    assert!(why(Table::open(&folder.file(""))).contains("not a regular file"));
    assert!(matches!(Table::open(&folder.file("missing")), Err(Error::Io(_))));
}

/// A file with one layer of cells of a width.
fn of_cells(cells: &[u16], width: u8, worths: &[(i32, Option<u32>)]) -> (Vec<u8>, Manifest) {
    let (mut body, mut entries, mut plain) = (Vec::new(), Vec::new(), Vec::new());
    for (nth, cells) in (0..).zip(cells.chunks(BLOCK / usize::from(width))) {
        block::plain(cells, width, &mut plain);
        assert_eq!(plain.len(), cells.len() * usize::from(width));
        let packed = zstd::bulk::compress(&plain, 1).unwrap();
        body.extend(&packed);
        let checksum = Checksum::of_block(&packed, 0, nth);
        entries.extend(BlockEntry { end: body.len() as u64, checksum }.encode());
    }
    let part = LayerPart {
        size: cells.len() as u64,
        positions: 0,
        width,
        offset: HEAD as u64,
        bytes: body.len() as u64,
        entries: Checksum::of(&entries),
        worths: worths.to_vec(),
    };
    let manifest = Manifest {
        program: "a test".to_owned(),
        game: "game".to_owned(),
        rules: None,
        fingerprint: Checksum(7),
        values: Values::ScoreDistance,
        layers: vec![part],
        keys: None,
        horizon: None,
        proof: None,
    };
    ([body, entries].concat(), manifest)
}

fn file(body: &[u8], manifest: &Manifest) -> Vec<u8> {
    let text = serde_json::to_vec(manifest).unwrap();
    [&Head::of((HEAD + body.len()) as u64, &text).encode(), body, &text].concat()
}

#[test]
fn cells_of_both_widths() {
    let worths: Vec<_> = (0..300).map(|plies| (0, Some(plies))).collect();
    let mut dice = Dice::new(3);
    for (width, max) in [(1, 255), (2, 300)] {
        let worths = &worths[..max];
        let cells: Vec<u16> = (0..40_000).map(|_| dice.below(max + 1) as u16).collect();
        let (body, manifest) = of_cells(&cells, width, worths);
        let table = read(file(&body, &manifest)).unwrap();
        assert_eq!(table.layer(0).unwrap(), cells);
        let blocks = table.manifest().layers[0].blocks();
        assert_eq!(blocks, 40_000u64.div_ceil(16_384 / u64::from(width)));
        let all: Vec<u16> =
            (0..blocks).flat_map(|at| table.block(0, at).unwrap().to_vec()).collect();
        assert_eq!(all, cells);
        // With one worth less, the largest cell has no meaning.
        let (body, manifest) = of_cells(&cells, width, &worths[1..]);
        assert!(
            why(read(file(&body, &manifest)).unwrap().layer(0))
                .contains("not in the list of worths")
        );
    }
    // A block that unpacks to fewer cells than it has to have, and a last one with too many.
    let (body, mut manifest) = of_cells(&[1, 1, 1], 1, &worths[..9]);
    manifest.layers[0].size = 4;
    assert!(why(read(file(&body, &manifest)).unwrap().layer(0)).contains("a wrong length"));
    manifest.layers[0].size = 2;
    assert!(why(read(file(&body, &manifest)).unwrap().layer(0)).contains("cannot be unpacked"));
}

/// An entry of a block may not lead out of the layer, or to more than a block can have.
#[test]
fn entries_of_blocks() {
    let worths = [(0, Some(0))];
    let (body, manifest) = of_cells(&[1; 20_000], 1, &worths);
    let bytes = manifest.layers[0].bytes as usize;
    let with_end = |block: usize, end: u64| {
        let mut body = body.clone();
        body[bytes + 16 * block..][..8].copy_from_slice(&end.to_le_bytes());
        let table = read(file(&body, &manifest)).unwrap();
        (why(table.block(0, 0)), why(table.block(0, 1)))
    };
    let first = u64::from_le_bytes(*body[bytes..].first_chunk().unwrap());
    assert_eq!(with_end(0, first), ("no error".to_owned(), "no error".to_owned()));
    let (wrong, mismatch) = ("wrong entry", "does not match its checksum");
    let (one, other) = with_end(0, first + 1);
    assert!(one.contains(mismatch) && other.contains(mismatch), "{one} {other}");
    let (one, other) = with_end(0, bytes as u64 + 1);
    assert!(one.contains(wrong) && other.contains(wrong), "{one} {other}");
    let (one, other) = with_end(0, u64::MAX);
    assert!(one.contains(wrong) && other.contains(wrong), "{one} {other}");
    let (one, other) = with_end(1, first - 1);
    assert!(one == "no error" && other.contains(wrong), "{one} {other}");
    // A block that is longer than compression ever makes it.
    let long = vec![0; 3 * BLOCK];
    let checksum = Checksum::of_block(&long, 0, 0);
    let entry = BlockEntry { end: long.len() as u64, checksum }.encode();
    let (_, mut manifest) = of_cells(&[1], 1, &worths);
    manifest.layers[0].bytes = long.len() as u64;
    let table = read(file(&[&long[..], &entry].concat(), &manifest)).unwrap();
    assert!(why(table.block(0, 0)).contains(wrong));
}

/// Entries are checked piece by piece; here there are more than one piece has. The blocks themselves are
/// not read for it, so that each can be a byte.
#[test]
fn entries_of_many_blocks() {
    let (_, mut manifest) = of_cells(&[1], 1, &[(0, Some(0))]);
    let blocks = (1u64 << 16) + 3;
    let checksum = 0;
    let entries: Vec<u8> =
        (1..=blocks).flat_map(|end| BlockEntry { end, checksum }.encode()).collect();
    let part = &mut manifest.layers[0];
    (part.size, part.bytes) = (blocks * part.cells(), blocks);
    part.entries = Checksum::of(&entries);
    let body = [vec![0; blocks as usize], entries].concat();
    let checked = |body: &[u8]| why(read(file(body, &manifest)).unwrap().check_entries(0));
    assert_eq!(checked(&body), "no error");
    for at in [blocks as usize, blocks as usize + (1 << 20), body.len() - 1] {
        let mut other = body.clone();
        other[at] ^= 1;
        assert!(checked(&other).contains("the entries of layer 0 do not match"), "{at}");
    }
}

/// Rising keys of all sizes, in three blocks.
fn some_keys() -> Vec<u128> {
    let mut dice = Dice::new(1);
    let mut key = 5;
    let mut all = Vec::new();
    for at in 0..2 * KEYS + 500 {
        all.push(key);
        let more = (1 + dice.below(1000)) as u128;
        key += if at % 50 == 0 { more << 64 } else { more };
    }
    all
}

#[test]
fn every_key_is_found() {
    let keys = some_keys();
    let layers = [(0..keys.len() as u64).map(cell).collect::<Vec<_>>()];
    let table = read(forged(&layers, Some(&keys)).bytes()).unwrap();
    for (place, key) in (0..).zip(&keys) {
        assert_eq!(table.place(*key).unwrap(), Some(place));
        let next = keys.get(place as usize + 1);
        assert_eq!(
            table.place(key + 1).unwrap(),
            next.filter(|n| **n == key + 1).map(|_| place + 1)
        );
    }
    // One from another block than the last.
    for place in [0, KEYS, 1, 2 * KEYS, KEYS - 1, 2 * KEYS + 499] {
        assert_eq!(table.place(keys[place as usize]).unwrap(), Some(place));
        let from = table.keys_from(place).unwrap();
        let end = keys.len().min((place / KEYS + 1) as usize * KEYS as usize);
        assert_eq!(from, keys[place as usize..end]);
    }
    assert_eq!((table.place(4).unwrap(), table.place(u128::MAX).unwrap()), (None, None));
    assert_eq!(table.keys_from(2 * KEYS + 500).unwrap(), []);
    assert_eq!(table.keys_from(3 * KEYS).unwrap(), []);
    let (one, block) = ([vec![cell(1); KEYS as usize]], (0..u128::from(KEYS)).collect::<Vec<_>>());
    let full = read(forged(&one, Some(&block)).bytes()).unwrap();
    assert_eq!(full.keys_from(KEYS).unwrap(), [], "there is no second block");
    assert_eq!(table.all_keys().unwrap(), keys);
    let mut seen = 0;
    let stopped = table.each_key(|key| {
        assert_eq!(key, keys[seen]);
        seen += 1;
        if seen < 3000 { Ok(()) } else { Err(Error::Magic) }
    });
    assert!(matches!(stopped, Err(Error::Magic)) && seen == 3000);
    // A table without keys.
    let table = read(forged(&layers, None).bytes()).unwrap();
    assert_eq!((table.place(5).unwrap(), table.all_keys().unwrap()), (None, vec![]));
    assert_eq!(table.keys_from(0).unwrap(), []);
}

/// Blocks of keys in another order, or one key at the end of a block and again at the beginning of the
/// next.
#[test]
fn keys_out_of_order() {
    let layers = [vec![cell(1); KEYS as usize + 1]];
    for (next, expected) in [(KEYS - 1, "out of order"), (5, "out of order"), (KEYS, "no error")] {
        let keys: Vec<u128> = (0..KEYS).chain([next]).map(u128::from).collect();
        let table = read(forged(&layers, Some(&keys)).bytes()).unwrap();
        assert!(why(table.all_keys()).contains(expected), "{next}");
    }
}

/// The entries of the blocks of keys have the right checksum, and end where the blocks do.
#[test]
fn entries_of_keys() {
    let layers = [vec![cell(1)]];
    let bytes = forged(&layers, Some(&[5])).bytes();
    let mut manifest = read(bytes.clone()).unwrap().manifest().clone();
    let part = manifest.keys.clone().unwrap();
    let entries = (part.offset + part.bytes) as usize;
    let end = Head::decode(bytes.first_chunk().unwrap()).unwrap().offset as usize;
    let mut asked = |body: &[u8], checksum| {
        manifest.keys = Some(KeysPart { entries: checksum, ..part.clone() });
        why(read(file(&body[HEAD..end], &manifest)).unwrap().all_keys())
    };
    let mut other = bytes.clone();
    assert_eq!(asked(&bytes, Checksum::of(&bytes[entries..end])), "no error");
    let wrong = "the entries of its keys do not match";
    assert!(asked(&bytes, Checksum(1)).contains(wrong));
    let field = bytes[entries..end].windows(8).position(|w| w == part.bytes.to_le_bytes()).unwrap();
    other[entries + field] += 1;
    assert!(asked(&other, Checksum::of(&other[entries..end])).contains(wrong));
}

/// Reads everything there is.
fn whole(bytes: Vec<u8>) -> Result<(), Error> {
    let table = read(bytes)?;
    for layer in 0..table.manifest().layers.len() as u32 {
        table.layer(layer)?;
    }
    table.all_keys().map(|_| ())
}

/// Every bit that is turned, and every length that a file is cut to, is seen.
#[test]
fn no_damage_goes_unseen() {
    let keys: Vec<u128> = (0..40).map(|key| (key * key) << 60).collect();
    let layers = [(0..40).map(cell).collect::<Vec<_>>()];
    let bytes = forged(&layers, Some(&keys)).bytes();
    assert_eq!(why(whole(bytes.clone())), "no error");
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut other = bytes.clone();
            other[at] ^= 1 << bit;
            assert!(whole(other).is_err(), "bit {bit} of byte {at}");
        }
        let error = whole(bytes[..at].to_vec());
        match at {
            0..8 => assert!(matches!(error, Err(Error::Magic)), "cut to {at}"),
            8..HEAD => assert!(why(error).contains("cut short"), "cut to {at}"),
            _ => assert!(why(error).contains("a wrong length"), "cut to {at}"),
        }
    }
    assert!(why(whole([&bytes[..], &[0]].concat())).contains("a wrong length"));
    let mut other = bytes.clone();
    other[8] = 3;
    assert!(matches!(whole(other), Err(Error::Version { found: 3 })));
    // A head alone is whole; what it lacks is a manifest.
    let head = Head::of(HEAD as u64, b"").encode();
    assert_eq!((head.len(), &head[..8]), (HEAD, &MAGIC[..]));
    let error = why(whole(head.to_vec()));
    assert!(error.contains("damaged") && !error.contains("cut"), "{error}");
}

/// A file that begins with a head, goes on with zeros, and says it is long.
struct Long(u64);

impl Source for Long {
    fn size(&self) -> io::Result<u64> {
        Ok(HEAD as u64 + self.0)
    }
    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let head = Head { offset: HEAD as u64, length: self.0, checksum: Checksum(0) };
        if offset == 0 {
            bytes.copy_from_slice(&head.encode()[..bytes.len()]);
        }
        Ok(())
    }
}

#[test]
fn a_manifest_that_is_too_long_is_not_read() {
    let error = why(Table::read(Long(LONGEST_MANIFEST)));
    assert!(error.contains("the checksum of its manifest"), "{error}");
    assert!(why(Table::read(Long(LONGEST_MANIFEST + 1))).contains("a wrong length"));
    assert!(why(Table::read(Long(u64::MAX - 64))).contains("a wrong length"));
}

#[test]
fn bytes_in_memory_end_where_they_end() {
    let bytes = Bytes([1, 2, 3]);
    let mut two = [0; 2];
    assert!(bytes.read(1, &mut two).is_ok() && two == [2, 3] && bytes.size().unwrap() == 3);
    for offset in [2, 3, 4, u64::MAX - 1, u64::MAX] {
        let error = bytes.read(offset, &mut two).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}

/// Bytes that count how often they are read.
struct Counted(Vec<u8>, Arc<AtomicU64>);

impl Source for Counted {
    fn size(&self) -> io::Result<u64> {
        Bytes(&self.0).size()
    }
    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Bytes(&self.0).read(offset, bytes)
    }
}

/// 256 blocks are kept; the one that was not used for longest makes room.
#[test]
fn blocks_are_kept() {
    let (body, manifest) = of_cells(&vec![1; 300 * BLOCK], 1, &[(0, Some(0))]);
    let reads = Arc::new(AtomicU64::new(0));
    let table = Table::read(Counted(file(&body, &manifest), reads.clone())).unwrap();
    let is_read = |block| {
        let before = reads.load(Ordering::Relaxed);
        assert_eq!(table.block(0, block).unwrap().len(), BLOCK);
        reads.load(Ordering::Relaxed) > before
    };
    assert!((0..256).all(is_read));
    assert!(!is_read(0) && !is_read(255) && is_read(256));
    assert!(!is_read(0) && !is_read(2) && is_read(1), "the oldest was the second");
    assert!(is_read(3), "and then the fourth");
}

#[test]
fn a_file_is_of_one_game_and_one_kind() {
    let nim: Nim = game(&[("heaps", "1-2")]);
    let layers = [vec![Some(worth(1, 1))]];
    let claims = vec![Claim { first: true, at_least: 0 }];
    let proof = ProofManifest { position: None, moves: vec![], claims };
    let two = [layers[0].clone(), layers[0].clone()];
    let numbered = Forged { fingerprint: fingerprint(&nim), ..forged(&layers, None) };
    let print = fingerprint_keyed(&nim);
    let keyed = Forged { fingerprint: print, ..forged(&layers, Some(&[1])) };
    let proving =
        Forged { layers: &two, proof: Some(proof), ..Forged { layers: &two, ..keyed.clone() } };
    let all = [&numbered, &keyed, &proving].map(|forged| read(forged.bytes()).unwrap());
    let is_of = |table: &Table, name| {
        [table.is_of(&nim, name), table.is_keyed_of(&nim, name), table.is_proof_of(&nim, name)]
            .map(why)
    };
    let holds = |found, expected| format!("the file holds {found}, expected {expected}");
    let right = "no error".to_owned();
    let (none, a_proof) = (holds("a table", "a proof"), holds("a proof", "a table"));
    let (of_keys, of_numbers) =
        (holds("keyed positions", "numbered ones"), holds("numbered positions", "keyed ones"));
    assert_eq!(is_of(&all[0], "game"), [right.clone(), of_numbers, none.clone()]);
    assert_eq!(is_of(&all[1], "game"), [of_keys, right.clone(), none]);
    assert_eq!(is_of(&all[2], "game"), [a_proof.clone(), a_proof, right]);
    for (nth, table) in all.iter().enumerate() {
        let error = &is_of(table, "other")[nth];
        assert_eq!(error, "the file says that its game is game, expected other");
    }
    for (nth, forged) in [numbered, keyed, proving].into_iter().enumerate() {
        let forged = Forged { fingerprint: Checksum(0xabc), ..forged };
        let error = &is_of(&read(forged.bytes()).unwrap(), "game")[nth];
        assert!(error.contains("game with other rules (0000000000000abc), expected"), "{error}");
    }
}

#[test]
fn what_is_banked_is_added() {
    for seed in 0..40 {
        let game = Hoard::new(seed);
        let state = game.start();
        for lead in [-3, 0, 4] {
            let state = game.at(game.encode(&state) as u8, lead);
            let Value(banked) = game.banked(&state);
            assert_eq!(with_banked(&game, &state, worth(2, 9)), worth(2 + banked, 9));
            let layers: Vec<Vec<_>> = (0..game.layers())
                .map(|layer| {
                    (0..game.size(layer)).map(|index| Some(worth(index as i32, 1))).collect()
                })
                .collect();
            let table = read(forged(&layers, None).bytes()).unwrap();
            let index = game.index(&state).1 as i32;
            assert_eq!(table.probe(&game, &state).unwrap(), Some(worth(index + banked, 1)));
        }
    }
}

#[test]
fn keys_of_states() {
    let graph = Graph::new(1);
    let size = graph.moves.len() as u128;
    for key in 0..size {
        let state = state_of(&graph, key);
        assert_eq!(state, Some(key as u8));
        assert_eq!(key_of(&graph, &state.unwrap()), key);
    }
    for key in [size, 255, 256, 1 << 64, u128::MAX] {
        assert_eq!(state_of(&graph, key), None, "{key}");
    }
    let whole = Whole(game::<Kalah>(&[("pits", "2"), ("stones", "2")]));
    let start = whole.representative(&whole.start());
    let key = key_of(&whole, &whole.start());
    assert!(whole.bits() == 128 && state_of(&whole, key) == Some(start));
    let layers = [vec![Some(worth(3, 4))]];
    let table = read(forged(&layers, Some(&[key])).bytes()).unwrap();
    assert_eq!(table.find(&whole, &start).unwrap(), Some(worth(3, 4)));
    let other = whole.play(&start, whole.moves(&start).next().unwrap());
    assert_eq!(table.find(&whole, &other).unwrap(), None);
}

#[test]
fn what_tables_keep() {
    let worths = [worth(5, 7), worth(0, 7), worth(-5, 7), Worth::endless(Value(0))];
    let kept = |values: Values| worths.map(|worth| values.keep(worth, Value(0)));
    assert_eq!(kept(Values::Wdl), [worth(1, 0), worth(0, 0), worth(-1, 0), worth(0, 0)]);
    assert_eq!(kept(Values::Score), [worth(5, 0), worth(0, 0), worth(-5, 0), worth(0, 0)]);
    assert_eq!(kept(Values::ScoreDistance), worths);
    assert_eq!(kept(Values::ScoreRank), [worth(5, 7), worth(0, 0), worth(-5, 7), worth(0, 0)]);
    for (name, values) in Values::ALL {
        assert_eq!(values.name(), name);
        assert_eq!(values.need_progress(), matches!(name, "wdl" | "score"));
    }
    assert_eq!(
        [written(worth(-5, 7)), written(Worth::endless(Value(0)))],
        [(-5, Some(7)), (0, None)]
    );
    assert_eq!(
        [worth_of((-5, Some(7))), worth_of((0, None))],
        [worth(-5, 7), Worth::endless(Value(0))]
    );
    let mut order = [Worth::endless(Value(0)), worth(1, 0), worth(0, 9), worth(-1, 4), worth(0, 8)];
    order.sort_by_key(|worth| worth_order(*worth));
    let sorted = [worth(-1, 4), worth(0, 8), worth(0, 9), Worth::endless(Value(0)), worth(1, 0)];
    assert_eq!(order, sorted);
}

/// What may just be said in a manifest, and what may not any more.
#[test]
fn limits_of_a_manifest() {
    let (body, right) = of_cells(&[1, 1, 1], 1, &[(0, Some(0))]);
    let opened = |change: &dyn Fn(&mut Manifest)| {
        let mut manifest = right.clone();
        change(&mut manifest);
        why(read(file(&body, &manifest)))
    };
    let worths = |worth| opened(&|manifest| manifest.layers[0].worths = vec![worth]);
    let max = MAX_VALUE as i32;
    for value in [max, -max] {
        assert_eq!(worths((value, Some(1 << 30))), "no error");
    }
    for wrong in [(max + 1, Some(0)), (-max - 1, Some(0)), (0, Some((1 << 30) + 1))] {
        assert!(worths(wrong).contains("a worth that no game has"));
    }
    assert_eq!(worths((0, None)), "no error");
    let positions = |positions| opened(&|manifest| manifest.layers[0].positions = positions);
    assert_eq!(positions(3), "no error");
    assert!(positions(4).contains("more positions than"));
    // All layers together: these do not fit into the file, but that is seen later.
    let sizes = |sizes: &[u64]| {
        opened(&|manifest| {
            let part = |size: &u64| LayerPart { size: *size, ..manifest.layers[0].clone() };
            manifest.layers = sizes.iter().map(part).collect();
        })
    };
    let all = 1 << 53;
    for fits in [&[all][..], &[all - 1, 1], &[all / 2, all / 2]] {
        assert!(sizes(fits).contains("do not fit together"), "{fits:?}");
    }
    for wrong in [&[all + 1][..], &[all, 1], &[all / 2, all / 2 + 1], &[u64::MAX, u64::MAX]] {
        assert!(sizes(wrong).contains("more positions than"), "{wrong:?}");
    }
    // Each part begins where the one before ends.
    for by in [-1, 1] {
        let moved = opened(&|manifest| {
            let offset = &mut manifest.layers[0].offset;
            *offset = offset.wrapping_add_signed(by);
        });
        assert!(moved.contains("do not fit together"));
        let longer = opened(&|manifest| {
            let bytes = &mut manifest.layers[0].bytes;
            *bytes = bytes.wrapping_add_signed(by);
        });
        assert!(longer.contains("do not fit together"));
    }
    let longest = opened(&|manifest| manifest.layers[0].bytes = u64::MAX);
    assert!(longest.contains("do not fit together"));
    // Keys.
    let layers = [vec![cell(1)], vec![cell(2)]];
    let bytes = forged(&layers[..1], Some(&[5])).bytes();
    let manifest = read(bytes.clone()).unwrap().manifest().clone();
    let claims = vec![Claim { first: true, at_least: 0 }];
    let proof = Some(ProofManifest { position: None, moves: vec![], claims });
    let again = |change: &dyn Fn(&mut Manifest)| {
        let mut manifest = manifest.clone();
        change(&mut manifest);
        let head = Head::decode(bytes.first_chunk().unwrap()).unwrap();
        why(read(file(&bytes[HEAD..head.offset as usize], &manifest)))
    };
    assert_eq!(again(&|_| ()), "no error");
    let keys = |count| {
        again(&|manifest| {
            let layer = &mut manifest.layers[0];
            (layer.size, layer.positions) = (count, count);
        })
    };
    assert!(keys(1 << 36).contains("do not fit together"));
    assert!(keys((1 << 36) + 1).contains("more keys than there can be"));
    let moved = again(&|manifest| {
        let offset = manifest.keys.as_ref().unwrap().offset + 1;
        manifest.keys = Some(KeysPart { offset, ..manifest.keys.clone().unwrap() });
    });
    assert!(moved.contains("do not fit together"));
    let others = "do not fit together";
    assert!(again(&|manifest| manifest.proof = proof.clone()).contains(others));
    assert!(again(&|manifest| manifest.layers.push(manifest.layers[0].clone())).contains(others));
    assert!(opened(&|manifest| manifest.proof = proof.clone()).contains(others));
    let two = |sizes: [usize; 2]| {
        let layers = sizes.map(|size| vec![cell(1); size]);
        why(read(Forged { proof: proof.clone(), ..forged(&layers, Some(&[5])) }.bytes()))
    };
    assert_eq!(two([1, 1]), "no error");
    assert!(two([1, 2]).contains(others));
}

/// A block's checksum depends on its layer and its number; of keys on the number alone.
#[test]
fn checksums_of_blocks() {
    for (layer, block) in [(0, 0), (1, 0), (0, 1), (3, 5), (1 << 16, 1), (u32::MAX, 1)] {
        let seed = (block << 16) ^ u64::from(layer);
        assert_eq!(Checksum::of_block(b"abc", layer, block), xxh3_64_with_seed(b"abc", seed));
    }
}

/// A graph with its keys in the upper bits.
#[derive(Clone)]
struct Shifted(Graph, u32);

impl Game for Shifted {
    type State = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        self.0.start()
    }
    fn turn(&self, state: &u8) -> foregone_rules::Side {
        self.0.turn(state)
    }
    fn outcome(&self, state: &u8) -> Option<Outcome> {
        self.0.outcome(state)
    }
    fn moves(&self, state: &u8) -> impl Iterator<Item = u8> {
        self.0.moves(state)
    }
    fn play(&self, state: &u8, mv: u8) -> u8 {
        self.0.play(state, mv)
    }
}

impl Encode for Shifted {
    type Bank = foregone_rules::NoBank;

    fn bits(&self) -> u32 {
        self.1 + 8
    }
    fn encode(&self, state: &u8) -> u128 {
        self.0.encode(state) << self.1
    }
    fn decode(&self, packed: u128) -> u8 {
        self.0.decode(packed >> self.1)
    }
}

impl Symmetry for Shifted {
    fn representative(&self, state: &u8) -> u8 {
        *state
    }
}

/// Rules or numbers that differ have another fingerprint.
#[test]
fn fingerprints_differ() {
    let graph = |seed| Graph::new(seed);
    let mut all = std::collections::BTreeSet::new();
    for seed in 0..50 {
        all.insert(fingerprint(&graph(seed)).0);
    }
    assert!(all.len() > 40, "{}", all.len());
    let mut last = graph(3);
    let before = (fingerprint(&last), fingerprint_keyed(&last));
    last.outcomes.iter_mut().flatten().for_each(|outcome| outcome.0 += 1);
    assert!(fingerprint(&last) != before.0 && fingerprint_keyed(&last) != before.1);
    // Keys count in all of their bits.
    let shifted: Vec<_> = [0, 8, 64, 72, 120]
        .into_iter()
        .map(|by| fingerprint_keyed(&Shifted(graph(3), by)).0)
        .collect();
    let distinct: std::collections::BTreeSet<_> = shifted.iter().collect();
    assert_eq!(distinct.len(), shifted.len());
}
