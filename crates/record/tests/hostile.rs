//! Files that say what they like, with checksums that are right: errors or answers, no panic, and no
//! more memory than the file is long.

use foregone_record::format::{
    BLOCK, Contents, HEAD, LayerContents, MAGIC, Values, checksum, head,
};
use foregone_record::table::Bytes;
use foregone_record::{Broken, Table};
use proptest::prelude::*;

/// A file with these layers (and whatever bytes for them) and right checksums.
fn file(body: &[u8], layers: Vec<LayerContents>) -> Vec<u8> {
    let contents = Contents {
        keys: None,
        proof: None,
        game: "nim(heaps=1-1,misere=false)".to_owned(),
        fingerprint: "0".repeat(16),
        values: Values::ScoreDistance,
        layers,
    };
    let text = serde_json::to_vec(&contents).unwrap();
    [&head((HEAD + body.len()) as u64, &text), body, &text].concat()
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
    ) -> LayerContents {
        LayerContents { size, positions: 0, width, offset, bytes, entries: 0, worths }
    }
}

/// Looks everywhere that a number may be.
fn read(bytes: Vec<u8>) -> Result<(), Broken> {
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
    fn any_contents_are_a_table_or_an_error(
        body in proptest::collection::vec(any::<u8>(), 0..200),
        layers in proptest::collection::vec(some_layer(), 0..3),
    ) {
        let _ = read(file(&body, layers));
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
        let mut body = packed.clone();
        body.extend((packed.len() as u64).to_le_bytes());
        body.extend(checksum(&packed, 0, 0).to_le_bytes());
        let layer = LayerContents {
            size, positions: 0, width, offset: HEAD as u64, bytes: packed.len() as u64, entries: 0,
            worths: vec![(1, Some(3)), (0, None)],
        };
        let table = Table::read(Bytes(file(&body, vec![layer]))).unwrap();
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
    let mut body = packed.clone();
    body.extend((packed.len() as u64).to_le_bytes());
    body.extend(checksum(&packed, 0, 0).to_le_bytes());
    let layer = LayerContents {
        size: BLOCK as u64,
        positions: 0,
        width: 1,
        offset: HEAD as u64,
        bytes: packed.len() as u64,
        entries: 0,
        worths: Vec::new(),
    };
    let table = Table::read(Bytes(file(&body, vec![layer]))).unwrap();
    assert!(table.block(0, 0).is_err());
}
