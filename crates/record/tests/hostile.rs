//! Files that say what they like, with checksums that are right: errors or answers, no panic, and no
//! more memory than the file is long.

use foregone_record::format::block::{BLOCK, BlockEntry};
use foregone_record::format::checksum::Checksum;
use foregone_record::format::head::{HEAD, MAGIC};
use foregone_record::format::{Head, LayerPart, Manifest, Values};
use foregone_record::read::Bytes;
use foregone_record::{Error, Table};
use proptest::prelude::*;

/// A manifest with these layers.
fn manifest(values: Values, layers: Vec<LayerPart>) -> Manifest {
    Manifest {
        program: "a test".to_owned(),
        game: "nim(heaps=1-1,misere=false)".to_owned(),
        rules: None,
        fingerprint: Checksum(0),
        values,
        layers,
        keys: None,
        horizon: None,
        proof: None,
    }
}

/// A file with this body and manifest and right checksums.
fn file(body: &[u8], manifest: &Manifest) -> Vec<u8> {
    let text = serde_json::to_vec(manifest).unwrap();
    [&Head::of((HEAD + body.len()) as u64, &text).encode(), body, &text].concat()
}

/// A layer of one block, and its bytes.
fn layer(packed: &[u8], part: LayerPart) -> (Vec<u8>, LayerPart) {
    let (bytes, checksum) = (packed.len() as u64, Checksum::of_block(packed, 0, 0));
    let entry = BlockEntry { end: bytes, checksum }.encode();
    (
        [packed, &entry].concat(),
        LayerPart { offset: HEAD as u64, bytes, entries: Checksum::of(&entry), ..part },
    )
}

/// A layer with this many numbers that has no bytes yet.
fn numbers(size: u64, width: u8, worths: &[(i32, Option<u32>)]) -> LayerPart {
    LayerPart {
        size,
        positions: size,
        width,
        offset: 0,
        bytes: 0,
        entries: Checksum(0),
        worths: worths.to_vec(),
    }
}

fn some_number() -> impl Strategy<Value = u64> {
    prop_oneof![0u64..200, Just(u64::MAX), Just(1 << 63), any::<u64>()]
}

prop_compose! {
    fn some_layer()(
        size in some_number(),
        width in 0u8..4,
        offset in prop_oneof![Just(HEAD as u64), some_number()],
        bytes in some_number(),
        worths in proptest::collection::vec((any::<i32>(), proptest::option::of(any::<u32>())), 0..4),
    ) -> LayerPart {
        LayerPart { size, positions: 0, width, offset, bytes, entries: Checksum(0), worths }
    }
}

/// Looks everywhere that a number may be.
fn read(bytes: Vec<u8>) -> Result<(), Error> {
    let table = Table::read(Bytes(bytes))?;
    for layer in 0..4 {
        for index in [0, 1, 100, 16_383, 16_384, u64::MAX - 1, u64::MAX] {
            // What is wrong with one block says nothing of the next.
            let _ = table.get(layer, index);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_are_a_table_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(read(bytes.clone()).is_err());
        prop_assert!(read([&MAGIC[..], &bytes].concat()).is_err());
    }

    #[test]
    fn any_manifest_is_a_table_or_an_error(
        body in proptest::collection::vec(any::<u8>(), 0..200),
        layers in proptest::collection::vec(some_layer(), 0..3),
    ) {
        let _ = read(file(&body, &manifest(Values::ScoreDistance, layers)));
    }

    /// A whole layer whose block is right in all but what it holds.
    #[test]
    fn any_block_is_cells_or_an_error(
        raw in proptest::collection::vec(any::<u8>(), 1..100),
        size in 1u64..100,
        plain in any::<bool>(),
        width in 1u8..3,
    ) {
        let packed = if plain { raw } else { zstd::bulk::compress(&raw, 3).unwrap() };
        let (body, part) = layer(&packed, numbers(size, width, &[(0, None), (1, Some(3))]));
        let file = file(&body, &manifest(Values::ScoreDistance, vec![part]));
        let table = Table::read(Bytes(file)).unwrap();
        if let Ok(cells) = table.block(0, 0) {
            prop_assert_eq!(cells.len() as u64, size);
            prop_assert!(cells.iter().all(|cell| *cell <= 2));
        }
    }
}

#[test]
fn a_block_that_would_grow_without_end_is_refused() {
    // A small frame of many zeros, in a layer that says it is small.
    let packed = zstd::bulk::compress(&vec![0; 64 << 20], 3).unwrap();
    let (body, part) = layer(&packed, numbers(BLOCK as u64, 1, &[]));
    let file = file(&body, &manifest(Values::ScoreDistance, vec![part]));
    assert!(Table::read(Bytes(file)).unwrap().block(0, 0).is_err());
}

/// What a manifest may not say, each thing alone, is refused when the file is opened.
#[test]
fn a_manifest_that_cannot_be_is_refused() {
    let cells = zstd::bulk::compress(&[1, 1, 1], 3).unwrap();
    let refused = |values, size, positions, width, worths: &[(i32, Option<u32>)]| {
        let (body, part) = layer(&cells, numbers(size, width, worths));
        let part = LayerPart { positions, ..part };
        Table::read(Bytes(file(&body, &manifest(values, vec![part])))).err()
    };
    let (won, lost) = ((1, Some(3)), (-1, Some(2)));
    let why = |error: Option<Error>| error.map_or(String::new(), |error| error.to_string());
    assert_eq!(why(refused(Values::ScoreDistance, 3, 3, 1, &[lost, (0, None), won])), "");
    assert_eq!(why(refused(Values::ScoreDistance, 3, 0, 1, &[won])), "", "checking counts them");
    assert_eq!(why(refused(Values::Wdl, 3, 3, 1, &[(-1, Some(0)), (1, Some(0))])), "");
    assert_eq!(why(refused(Values::ScoreRank, 3, 3, 2, &[(-5, Some(9)), (0, Some(0))])), "");
    // What endless play is worth is the game's to say: a checker compares it.
    assert_eq!(why(refused(Values::ScoreDistance, 3, 3, 1, &[(-5, None), (5, None)])), "");
    assert_eq!(why(refused(Values::ScoreRank, 3, 3, 1, &[(0, Some(1))])), "");
    for (values, size, positions, width, worths, expected) in [
        (Values::ScoreDistance, 3, 4, 1, &[won][..], "more positions"),
        (Values::ScoreDistance, 3, 1_000_000_000_000_000, 1, &[won], "more positions"),
        (Values::ScoreDistance, 1 << 54, 3, 1, &[won], "more positions"),
        (Values::ScoreDistance, 3, 3, 0, &[won], "neither 1 nor 2 bytes"),
        (Values::ScoreDistance, 3, 3, 3, &[won], "neither 1 nor 2 bytes"),
        (Values::ScoreDistance, 3, 3, 1, &[(1 << 29 | 1, Some(1))], "worth that no game has"),
        (Values::ScoreDistance, 3, 3, 1, &[(1, Some(1 << 30 | 1))], "worth that no game has"),
        (Values::ScoreDistance, 3, 3, 1, &[won, lost], "out of order"),
        (Values::ScoreDistance, 3, 3, 1, &[won, won], "out of order"),
        (Values::ScoreDistance, 3, 3, 1, &[(0, None), (0, Some(5))], "out of order"),
        (Values::Wdl, 3, 3, 1, &[(2, Some(0))], "`wdl` has no room for"),
        (Values::Wdl, 3, 3, 1, &[won], "`wdl` has no room for"),
        (Values::Score, 3, 3, 1, &[won], "`score` has no room for"),
        (Values::Score, 3, 3, 1, &[(0, None)], "`score` has no room for"),
        (Values::ScoreRank, 3, 3, 1, &[(0, None)], "`score+rank` has no room for"),
        (Values::ScoreRank, 3, 3, 1, &[(5, None)], "`score+rank` has no room for"),
        (Values::ScoreDistance, 20_000, 3, 1, &[won], "do not fit together"),
    ] {
        let found = why(refused(values, size, positions, width, worths));
        assert!(found.contains(expected), "{expected}: {found}");
    }
    let none = file(&[], &manifest(Values::Wdl, Vec::new()));
    let found = why(Table::read(Bytes(none)).err());
    assert!(found.contains("it has no layers"), "{found}");
}

/// Entries of blocks that do not match their checksum, or do not fill their part, are refused with the
/// layer.
#[test]
fn entries_are_compared() {
    let cells = zstd::bulk::compress(&[1, 1, 1], 3).unwrap();
    let whole = layer(&cells, numbers(3, 1, &[(1, Some(3))]));
    let read = |body: &[u8], part: &LayerPart| {
        let file = file(body, &manifest(Values::ScoreDistance, vec![part.clone()]));
        Table::read(Bytes(file)).and_then(|table| table.layer(0))
    };
    assert!(read(&whole.0, &whole.1).is_ok());
    let other = LayerPart { entries: Checksum(0), ..whole.1.clone() };
    assert!(matches!(read(&whole.0, &other), Err(Error::Damaged(_))));
    let mut longer = cells.clone();
    longer.extend([0; 5]);
    let (mut body, part) = layer(&longer, numbers(3, 1, &[(1, Some(3))]));
    let checksum = Checksum::of_block(&cells, 0, 0);
    let entry = BlockEntry { end: cells.len() as u64, checksum }.encode();
    body.truncate(longer.len());
    body.extend(entry);
    let part = LayerPart { entries: Checksum::of(&entry), ..part };
    assert!(matches!(read(&body, &part), Err(Error::Damaged(_))));
}

/// A block is one frame of zstd: with more of them, or some that are skipped, one content would have many
/// files.
#[test]
fn a_block_is_one_frame() {
    let whole = zstd::bulk::compress(&[1, 1, 1], 3).unwrap();
    let [one, two] = [&[1][..], &[1, 1]].map(|part| zstd::bulk::compress(part, 3).unwrap());
    let skipped = [&0x184d_2a50_u32.to_le_bytes()[..], &4u32.to_le_bytes(), b"more"].concat();
    let read = |block: &[u8]| {
        let (body, part) = layer(block, numbers(3, 1, &[(1, Some(3))]));
        let file = file(&body, &manifest(Values::ScoreDistance, vec![part]));
        Table::read(Bytes(file)).and_then(|table| table.layer(0))
    };
    assert_eq!(read(&whole).unwrap(), [1, 1, 1]);
    for parts in [[&one, &two], [&skipped, &whole], [&whole, &skipped]] {
        assert!(matches!(read(&parts.map(Vec::as_slice).concat()), Err(Error::Damaged(_))));
    }
}

/// An object is no array, what is not there is not null, and nothing is there twice.
#[test]
fn a_manifest_has_one_form() {
    let cells = zstd::bulk::compress(&[1, 1, 1], 3).unwrap();
    let (body, part) = layer(&cells, numbers(3, 1, &[(1, Some(3))]));
    let text = serde_json::to_string(&manifest(Values::ScoreDistance, vec![part])).unwrap();
    let read = |text: &str| {
        let head = Head::of((HEAD + body.len()) as u64, text.as_bytes()).encode();
        Table::read(Bytes([&head[..], &body, text.as_bytes()].concat()))
    };
    assert!(read(&text).is_ok());
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(read(&serde_json::to_string_pretty(&object).unwrap()).is_ok(), "spaces are free");
    let fields = |value: &serde_json::Value| {
        let object = value.as_object().unwrap();
        let names = ["program", "game", "fingerprint", "values", "layers"];
        let others = ["size", "positions", "width", "offset", "bytes", "entries", "worths"];
        let in_order = names.iter().chain(&others).filter_map(|name| object.get(*name));
        serde_json::Value::Array(in_order.cloned().collect())
    };
    let mut array = object.clone();
    array["layers"][0] = fields(&object["layers"][0]);
    for wrong in [
        fields(&object).to_string(),
        array.to_string(),
        text.replacen('{', "{\"keys\":null,", 1),
        text.replacen('{', "{\"game\":\"\",", 1),
        text.replacen('{', "{\"more\":1,", 1),
        text[1..].to_owned(),
        // Names are told so that a terminal does nothing else, and not at any length.
        text.replacen('{', "{\"\\r\\u001b[2Kall right\":1,", 1),
        text.replacen('{', &format!("{{\"{}\":1,", "long".repeat(10_000)), 1),
    ] {
        let Err(error) = read(&wrong) else { panic!("{wrong}") };
        assert!(matches!(error, Error::Damaged(_)));
        let told = error.to_string();
        assert!(told.len() < 300 && !told.contains(char::is_control), "{told}");
    }
}

/// A layer has no more worths than its cells can hold.
#[test]
fn worths_beyond_the_cells() {
    for (width, max) in [(1, 255), (2, 65_534)] {
        let worths: Vec<_> = (0..=max).map(|plies| (1, Some(plies))).collect();
        let cells = zstd::bulk::compress(&vec![1; usize::from(width)], 3).unwrap();
        let read = |count: u32| {
            let (body, part) = layer(&cells, numbers(1, width, &worths[..count as usize]));
            Table::read(Bytes(file(&body, &manifest(Values::ScoreDistance, vec![part]))))
        };
        assert!(read(max).is_ok());
        assert!(
            matches!(read(max + 1), Err(Error::Damaged(why)) if why.contains("cells can hold"))
        );
    }
}

/// Checksums in a manifest are written in one way, as text.
#[test]
fn checksums_are_text() {
    let text = serde_json::to_string(&Checksum(0xabc)).unwrap();
    assert_eq!(text, "\"0000000000000abc\"");
    assert_eq!(serde_json::from_str::<Checksum>(&text).unwrap(), Checksum(0xabc));
    for wrong in ["2748", "\"abc\"", "\"0000000000000ABC\"", "\"+000000000000abc\"", "\"\""] {
        assert!(serde_json::from_str::<Checksum>(wrong).is_err(), "{wrong}");
    }
}
