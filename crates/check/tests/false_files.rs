//! False files with right checksums that were accepted once, each by name, and the true ones beside
//! them, which are accepted.

mod common;

use common::{
    Table, TableWriter, Values, dense_verdict, games, keyed_table_of, keyed_verdict, table_of,
    write_dense, write_keyed,
};
use foregone_check::{Effort, Flaw, Verdict, dense};
use foregone_record::Error;
use foregone_record::format::fingerprint_keyed;
use foregone_rules::family::specification;
use foregone_rules::{Acyclic, Distance, Game, Indexed, Outcome, Value, Worth};
use foregone_trial::{Folder, Whole};

fn is_unshown<S>(verdict: &Verdict<S>, why: &str) -> bool {
    matches!(verdict, Verdict::Unshown(unshown) if unshown.why.contains(why))
}

/// In a game that loops, positions may win by each other alone: local agreement shows nothing.
#[test]
fn endless_draws_of_three_mens_morris_as_wins() {
    let (game, folder) = (games::morris(), Folder::new());
    let name = specification(&game);
    let truth = table_of(&game, Values::ScoreDistance);
    let endless = truth.clone().entries_mut().filter(|(_, worth)| worth.is_endless()).count();
    assert_eq!(endless, 1_208);
    for values in [Values::Wdl, Values::Score, Values::ScoreDistance, Values::ScoreRank] {
        let file = folder.file(values.name());
        let mut table = truth.clone();
        table.values = values;
        for (state, worth) in table.entries_mut() {
            if worth.is_endless() {
                // Won by the first player, whoever moves.
                let value = Outcome(1).value_for(game.turn(&state));
                *worth = Worth::new(value, Distance::Plies(9));
            }
            *worth = values.keep(*worth, Value(0));
        }
        write_dense(&game, &name, &table, &file);
        let verdict = dense_verdict(&game, None, &file);
        assert!(!verdict.is_right(), "{values:?} {verdict:?}");
        if values.need_progress() {
            // Such wins agree with each other, so nothing false is found, and nothing is shown.
            assert!(is_unshown(&verdict, "no measure proves that play ends"), "{verdict:?}");
        }
    }
    // The same without end: such wins agree with each other, too.
    let mut table = truth.clone();
    for (state, worth) in table.entries_mut().filter(|(_, worth)| worth.is_endless()) {
        *worth = Worth::endless(Outcome(1).value_for(game.turn(&state)));
    }
    write_dense(&game, &name, &table, &folder.file("without-end"));
    let verdict = dense_verdict(&game, None, &folder.file("without-end"));
    assert!(matches!(verdict, Verdict::False(_)), "{verdict:?}");
    // The true table of values alone cannot be shown, with distances it can.
    write_dense(&game, &name, &table_of(&game, Values::Wdl), &folder.file("true-wdl"));
    assert!(is_unshown(&dense_verdict(&game, None, &folder.file("true-wdl")), "no measure"));
    write_dense(&game, &name, &truth, &folder.file("true"));
    let Verdict::Right(counts) = dense_verdict(&game, None, &folder.file("true")) else { panic!() };
    assert_eq!(counts.total().endless, 1_208);
}

/// Signs do not carry what is banked.
#[test]
fn kalah_by_signs() {
    let (game, folder) = (games::kalah("3", "2"), Folder::new());
    let name = specification(&game);
    write_dense(&game, &name, &table_of(&game, Values::Wdl), &folder.file("wdl"));
    let verdict = dense_verdict(&game, Some(Acyclic::progress), &folder.file("wdl"));
    assert!(is_unshown(&verdict, "a sign cannot be added"), "{verdict:?}");
    write_dense(&game, &name, &table_of(&game, Values::Score), &folder.file("score"));
    assert!(dense_verdict(&game, Some(Acyclic::progress), &folder.file("score")).is_right());
    // Without a measure of progress not even a true table is shown.
    let verdict = dense_verdict(&game, None, &folder.file("score"));
    assert!(is_unshown(&verdict, "no measure proves that play ends"), "{verdict:?}");
}

/// Who wins hurries, and who wins depends on what is banked.
#[test]
fn kalah_with_distances() {
    let (game, folder) = (games::kalah("2", "2"), Folder::new());
    let name = specification(&game);
    write_dense(&game, &name, &table_of(&game, Values::ScoreDistance), &folder.file("table"));
    let verdict = dense_verdict(&game, Some(Acyclic::progress), &folder.file("table"));
    assert!(is_unshown(&verdict, "a number has no single distance"), "{verdict:?}");
}

/// Keys that leave out what is banked: the program knows no such tables. With keys of whole positions
/// there are, and the start of Kalah (3,2) is worth 4.
#[test]
fn kalah_by_keys_without_stores() {
    let (game, folder) = (games::kalah("3", "2"), Folder::new());
    let name = specification(&game);
    let file = folder.file("table");
    let (print, values) = (fingerprint_keyed(&game), Values::Score);
    let mut writer = TableWriter::open(&file, &name, print, values).unwrap();
    let zero = Worth::new(Value(0), Distance::Plies(0));
    writer.write_layer_by(0, 1, 1, &|_| Some(zero)).unwrap();
    writer.write_keys([5].into_iter()).unwrap();
    writer.finish(1).unwrap();
    let checked = foregone_check::check(&file, Default::default(), |_| |_| true).unwrap();
    let foregone_check::Subject::Unknown(why) = checked.subject else { panic!() };
    assert_eq!(why, "there are no tables of keyed positions of kalah");

    let whole = Whole(game);
    for values in [Values::Wdl, Values::Score, Values::ScoreDistance] {
        let file = folder.file(values.name());
        let table = keyed_table_of(&whole, values);
        write_keyed(&whole, "whole", values, &table, &file);
        assert!(keyed_verdict(&whole, Some(Acyclic::progress), &file).is_right());
        let start = Table::open(&file).unwrap().find(&whole, &whole.start());
        let expected = if values == Values::Wdl { 1 } else { 4 };
        assert_eq!(start.unwrap().map(Worth::value), Some(Value(expected)));
    }
}

/// The number of positions that a file states is counted.
#[test]
fn more_positions_than_there_are() {
    let (game, folder) = (games::nim("1-2-3"), Folder::new());
    let name = specification(&game);
    let file = folder.file("table");
    write_dense(&game, &name, &table_of(&game, Values::Wdl), &file);
    let table = Table::open(&file).unwrap();
    let layer = table.manifest().layers.iter().position(|layer| layer.positions > 2).unwrap();
    let stated = table.manifest().layers[layer].positions;
    let wrong = common::with_manifest(&file, |manifest| manifest.layers[layer].positions -= 1);
    let table = Table::read(foregone_record::read::Bytes(wrong)).unwrap();
    let verdict =
        dense::check(&game, &table, Some(Acyclic::progress), Effort::default(), &|_| true).unwrap();
    let flaw = Flaw::Count { layer: layer as u32, stated: stated - 1, counted: stated };
    assert_eq!(verdict, Verdict::False(flaw));
    // What cannot be is not even opened (hostile.rs has all of that).
    let wrong = common::with_manifest(&file, |manifest| manifest.layers[0].positions = 1 << 50);
    let opened = Table::read(foregone_record::read::Bytes(wrong));
    assert!(matches!(opened, Err(Error::Damaged(_))));
    let wrong = common::with_manifest(&file, |manifest| manifest.layers[0].worths[0] = (5, None));
    let opened = Table::read(foregone_record::read::Bytes(wrong));
    assert!(matches!(opened, Err(Error::Damaged(_))));
}

/// A file that has only some of the layers says so, and one without any is damaged.
#[test]
fn some_layers_or_none() {
    let (game, folder) = (games::morris(), Folder::new());
    let name = specification(&game);
    let mut table = table_of(&game, Values::ScoreDistance);
    let whole = folder.file("whole");
    write_dense(&game, &name, &table, &whole);
    table.layers.truncate(6);
    let file = folder.file("six");
    write_dense(&game, &name, &table, &file);
    let words = |file| dense::coverage(&game, &Table::open(file).unwrap()).to_string();
    assert_eq!(words(&file), "layers 0 to 5 of 7, not the start");
    table.layers.truncate(2);
    let file = folder.file("two");
    write_dense(&game, &name, &table, &file);
    assert!(dense_verdict(&game, None, &file).is_right());
    assert_eq!(words(&file), "layers 0 to 1 of 7, not the start");
    assert_eq!(words(&whole), "all 7 layers");
    table.layers.truncate(1);
    write_dense(&game, &name, &table, &file);
    assert_eq!(words(&file), "layer 0 of 7 alone, not the start");
    let none = common::with_manifest(&whole, |manifest| manifest.layers.clear());
    assert!(matches!(Table::read(foregone_record::read::Bytes(none)), Err(Error::Damaged(_))));
    // More layers than the game has are too many.
    assert_eq!(game.layers(), 7);
}

/// A worth that no entry has could mislead whoever reads the manifest alone.
#[test]
fn a_worth_that_no_position_has() {
    let (game, folder) = (games::nim("1-2-3"), Folder::new());
    let name = specification(&game);
    let file = folder.file("table");
    write_dense(&game, &name, &table_of(&game, Values::ScoreDistance), &file);
    let wrong = common::with_manifest(&file, |manifest| manifest.layers[2].worths.push((5, None)));
    let table = Table::read(foregone_record::read::Bytes(wrong)).unwrap();
    let effort = Effort::default();
    for memory in [effort.memory, 0] {
        let effort = Effort { memory, ..effort };
        let checked = dense::check(&game, &table, Some(Acyclic::progress), effort, &|_| true);
        let expected = "layer 2 lists a worth that no position has";
        assert!(matches!(checked, Err(Error::Damaged(why)) if why == expected));
    }
    // One of many looks for it, also in the last layer, and all hear of it.
    for layer in 0..game.layers() {
        let more = |manifest: &mut foregone_record::Manifest| {
            manifest.layers[layer as usize].worths.push((5, None));
        };
        let wrong = common::with_manifest(&file, more);
        let table = Table::read(foregone_record::read::Bytes(wrong)).unwrap();
        let expected = format!("layer {layer} lists a worth that no position has");
        for checked in common::checked_by_many(&game, Some(Acyclic::progress), &table, 3) {
            assert!(matches!(checked, Err(Error::Damaged(why)) if why == expected));
        }
    }
}
