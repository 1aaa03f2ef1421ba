//! The program `foregone-check`, on files that are made here by the plain rules.

mod common;

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::{Values, derived, games, table_of, write_dense};
use foregone_record::TableWriter;
use foregone_record::format::fingerprint_keyed;
use foregone_record::proof::{Claim, ProofManifest, proof_key};
use foregone_rules::family::specification;
use foregone_rules::games::Nim;
use foregone_rules::{Distance, Encode, Game, Merged, Notation, Value, Worth};
use foregone_trial::Folder;
use serde_json::Value as Json;

fn run(args: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_foregone-check")).args(args).arg(file).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A table of nim with every position, but that `wrong` is worth another thing.
fn table(file: &Path, wrong: Option<&str>) -> u64 {
    let game = games::nim("1-2-4");
    let mut table = table_of(&game, Values::ScoreDistance);
    let position = |state: &<Nim as Game>::State| Some(game.format(state).as_str()) == wrong;
    for (state, worth) in table.entries_mut() {
        if position(&state) {
            *worth = Worth::endless(Value(0));
        }
    }
    write_dense(&game, &specification(&game), &table, file);
    table.positions()
}

/// A proof that the first player wins, by all positions from which the mover does, that can arise; the
/// one that is left out is missing in it.
fn proof(file: &Path, left_out: Option<&str>, spare: bool) -> u64 {
    let game = games::nim("1-2-4");
    let name = specification(&game);
    let mut known = HashMap::new();
    let mut entries = HashMap::new();
    let mut open = vec![game.start()];
    while let Some(state) = open.pop() {
        let like = Merged::of(&game, &state).state;
        if game.outcome(&like).is_some() {
            continue;
        }
        let wins = |child| derived(&game, &child, &mut known).value() < Value(0);
        let mv = game.moves(&like).map(|mv| game.play(&like, mv)).position(wins).unwrap();
        let child = game.play(&like, game.moves(&like).nth(mv).unwrap());
        let text = game.format(&like);
        let rank: u32 = text.bytes().filter(u8::is_ascii_digit).map(|d| u32::from(d - b'0')).sum();
        entries.insert(proof_key(game.encode(&like), 0), (text, mv as i32, rank));
        if game.outcome(&child).is_none() {
            open.extend(game.moves(&child).map(|mv| game.play(&child, mv)));
        }
    }
    let mut entries: Vec<_> = entries.into_iter().collect();
    entries.retain(|(_, (position, ..))| Some(position.as_str()) != left_out);
    if spare {
        let state = game.parse("0-0-1 second").unwrap();
        entries.push((proof_key(game.encode(&state), 0), (String::new(), 0, 0)));
    }
    entries.sort_unstable_by_key(|(key, _)| *key);
    let (print, values) = (fingerprint_keyed(&game), Values::ScoreDistance);
    let mut writer = TableWriter::open(file, &name, print, values).unwrap();
    let claims = vec![Claim { first: true, at_least: 1 }];
    writer.set_proof(ProofManifest { position: None, moves: Vec::new(), claims });
    let size = entries.len() as u64;
    let bound = |(.., rank): &(_, _, u32)| Worth::new(Value(1), Distance::Plies(*rank));
    let at = |at: u64| &entries[at as usize].1;
    writer.write_layer_by(0, size, 1, &|number| Some(bound(at(number)))).unwrap();
    let mv = |(_, mv, _): &(_, i32, _)| Worth::new(Value(*mv), Distance::Plies(0));
    writer.write_layer_by(1, size, 1, &|number| Some(mv(at(number)))).unwrap();
    writer.write_keys(entries.iter().map(|(key, _)| *key)).unwrap();
    writer.finish(2).unwrap();
    size
}

#[test]
fn a_right_table_is_right_and_a_wrong_one_names_the_position() {
    let folder = Folder::new();
    let file = folder.file("right");
    let positions = table(&file, None);
    let checked = run(&[], &file);
    let said = text(&checked.stdout);
    assert_eq!(checked.status.code(), Some(0), "{said}");
    let words = format!("{positions} positions checked, all right (");
    assert!(said.starts_with("nim(heaps=1-2-4,misere=false) with score+distance: "), "{said}");
    assert!(said.contains(&words) && said.ends_with("; covers all 8 layers\n"), "{said}");
    assert!(text(&run(&["--layers"], &file).stdout).contains("\n  layer 7: 2 positions (2 won"));
    for more in [&[][..], &["--threads", "2"], &["--plain"]] {
        let report = json(&run(&[&["--json"], more].concat(), &file));
        assert_eq!(report["verdict"], "right", "{report:#}");
        assert_eq!(report["covers"]["of"], 8);
        assert_eq!(report["positions"], positions);
        // Not every position that has a number can arise.
        let plainly = report["plainly"].as_u64();
        assert_eq!(plainly.is_some(), more == ["--plain"]);
        assert!(plainly.is_none_or(|plainly| plainly < positions));
    }
    // An entry that no play leads to is checked all the same.
    let file = folder.file("beyond");
    table(&file, Some("1-2-4 second"));
    assert_eq!(json(&run(&["--json", "--plain"], &file))["verdict"], "false");
    let file = folder.file("wrong");
    table(&file, Some("1-0-2 second"));
    let checked = run(&[], &file);
    assert_eq!(checked.status.code(), Some(1));
    let said = text(&checked.stderr);
    assert!(said.contains("at `1-0-2 second`, number "), "{said}");
    let fault = "the table says 0 without end, but +1 in 3 plies follows from the moves";
    assert!(said.contains(fault), "{said}");
    assert_eq!(json(&run(&["--json"], &file))["position"], "1-0-2 second");
    assert_eq!(json(&run(&["--json", "--plain"], &file))["verdict"], "false");
}

#[test]
fn a_right_proof_is_right_and_a_wrong_one_names_the_position() {
    let folder = Folder::new();
    let file = folder.file("right");
    let entries = proof(&file, None, false);
    let checked = run(&[], &file);
    let said = text(&checked.stdout);
    assert_eq!(checked.status.code(), Some(0), "{} {said}", text(&checked.stderr));
    assert!(said.contains("proven that from the start the first player wins"), "{said}");
    let report = json(&run(&["--json"], &file));
    assert_eq!((&report["entries"], &report["plainly"]), (&Json::from(entries), &Json::Null));
    let report = json(&run(&["--json", "--plain"], &file));
    assert_eq!(report["verdict"], "right");
    assert!(report["plainly"].is_u64());
    let file = folder.file("fewer");
    assert_eq!(proof(&file, Some("0-0-1 first"), false), entries - 1);
    let checked = run(&[], &file);
    assert_eq!(checked.status.code(), Some(1));
    let said = text(&checked.stderr);
    let wrong = "the proof that from the start the first player wins is wrong";
    assert!(said.contains(wrong), "{said}");
    assert!(said.contains("at `0-0-1 first`, the proof has no move here"), "{said}");
    assert_eq!(json(&run(&["--json"], &file))["position"], "0-0-1 first");
    assert_eq!(json(&run(&["--json", "--plain"], &file))["verdict"], "false");
    let file = folder.file("more");
    assert_eq!(proof(&file, None, true), entries + 1);
    for more in [&[][..], &["--plain"]] {
        let said = text(&run(more, &file).stderr);
        assert!(said.contains("at `0-0-1 second`, the proof does not need its entry"), "{said}");
    }
}

/// What a file calls its game is shown so that a terminal does nothing else.
#[test]
fn names_from_files_are_spelt_out() {
    let folder = Folder::new();
    let file = folder.file("table");
    table(&file, None);
    let bytes =
        common::with_manifest(&file, |manifest| "foo\u{1b}[2K\r".clone_into(&mut manifest.game));
    std::fs::write(&file, bytes).unwrap();
    let checked = run(&[], &file);
    assert_eq!(checked.status.code(), Some(3));
    assert!(!text(&checked.stderr).contains('\u{1b}'), "{checked:?}");
    let missing = run(&[], Path::new("no\u{1b}[2Kfile"));
    assert!(!text(&missing.stderr).contains('\u{1b}'), "{missing:?}");
}

/// Of a game that it does not know it says that, if the file is whole; of a table or a proof alike.
#[test]
fn unknown_games() {
    let folder = Folder::new();
    let file = folder.file("file");
    for write in [|file: &Path| _ = table(file, None), |file: &Path| _ = proof(file, None, false)] {
        write(&file);
        let mut bytes =
            common::with_manifest(&file, |manifest| "foo(a=1)".clone_into(&mut manifest.game));
        std::fs::write(&file, &bytes).unwrap();
        let report = run(&["--json"], &file);
        assert_eq!(report.status.code(), Some(3));
        let report = json(&report);
        assert_eq!(report["verdict"], "unshown");
        assert_eq!(report["why"], "this program knows no game `foo`");
        bytes[70] ^= 1;
        std::fs::write(&file, &bytes).unwrap();
        assert_eq!(run(&[], &file).status.code(), Some(1), "a block of it is damaged");
    }
}

/// An answer that is lost is no success, and where JSON is asked for every answer is JSON.
#[test]
fn answers_arrive() {
    let folder = Folder::new();
    let file = folder.file("table");
    table(&file, None);
    let wrong = run(&["--json", "--colour"], &file);
    assert_eq!((wrong.status.code(), &json(&wrong)["verdict"]), (Some(2), &Json::from("request")));
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        for args in [&[][..], &["--json"], &["--help"], &["--version"]] {
            let full = full.try_clone().unwrap();
            let mut command = Command::new(env!("CARGO_BIN_EXE_foregone-check"));
            let ended = command.args(args).arg(&file).stdout(full).output().unwrap();
            assert_eq!(ended.status.code(), Some(2), "{args:?}");
            assert!(text(&ended.stderr).contains("cannot be written"), "{args:?}");
        }
    }
}

/// The manual page names the options of the help, and no others.
#[test]
fn the_manual_is_complete() {
    let help = run(&["--help"], Path::new(""));
    let options = |text: &str| {
        let words = text.split_whitespace().filter(|word| word.starts_with("--"));
        words.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let manual = include_str!("../foregone-check.1").replace('\\', "");
    let described = manual.lines().filter_map(|line| line.strip_prefix("fB--"));
    let described = described.map(|line| format!("--{}", line.split_once("fR").unwrap().0));
    let of_help = options(text(&help.stdout).split_once("\n\n").unwrap().1);
    assert_eq!(described.collect::<BTreeSet<_>>(), of_help);
}

#[test]
fn requests_are_checked_and_a_closed_pipe_is_no_harm() {
    let folder = Folder::new();
    let file = folder.file("table");
    table(&file, None);
    let code = |args: &[&str], file: &Path| run(args, file).status.code();
    assert_eq!(code(&["--help"], &file), Some(0));
    let version = run(&["--version"], &file);
    let expected = concat!("foregone-check ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!((version.status.code(), text(&version.stdout).as_str()), (Some(0), expected));
    assert_eq!(code(&["--memory", "1G", "--threads=2"], &file), Some(0));
    for wrong in
        [&["--threads", "0"][..], &["--threads", "x"], &["--memory", "much"], &["--colour"]]
    {
        let refused = run(wrong, &file);
        assert_eq!(refused.status.code(), Some(2), "{wrong:?}");
        assert!(refused.stdout.is_empty(), "{wrong:?}");
        assert!(text(&refused.stderr).ends_with("see foregone-check --help\n"), "{wrong:?}");
    }
    let none = Command::new(env!("CARGO_BIN_EXE_foregone-check")).output().unwrap();
    assert_eq!(none.status.code(), Some(2));
    assert_eq!(code(&[], &folder.file("missing")), Some(2));
    assert_eq!(code(&[], &folder.file("")), Some(2));
    assert_eq!(json(&run(&["--json"], &folder.file("missing")))["verdict"], "unreadable");
    std::fs::write(folder.file("other"), "FOREGONE, or so it says").unwrap();
    assert_eq!(code(&[], &folder.file("other")), Some(1));
    std::fs::write(folder.file("text"), "something else").unwrap();
    assert_eq!(code(&[], &folder.file("text")), Some(2));
    // Of several files the worst decides.
    let path = |name: &str| folder.file(name).display().to_string();
    let (right, text_file, other) = (file.display().to_string(), path("text"), path("other"));
    let both = run(&[&right], &file);
    assert_eq!((both.status.code(), text(&both.stdout).lines().count()), (Some(0), 2));
    assert_eq!(code(&[&text_file], &file), Some(2));
    assert_eq!(code(&[&text_file, &other], &file), Some(1));
    let reports = json(&run(&["--json", &right, &text_file], &file));
    let verdicts: Vec<_> =
        reports.as_array().unwrap().iter().map(|each| &each["verdict"]).collect();
    assert_eq!(verdicts, ["right", "unreadable", "right"]);
    let mut unread = Command::new(env!("CARGO_BIN_EXE_foregone-check"))
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(unread.stdout.take());
    let ended = unread.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), text(&ended.stderr)), (Some(0), String::new()));
}
