//! Files of datasets: what is kept beside the rows, going on after a stop, and what a hostile folder may do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use foregone::record::format::checksum::Checksum;
use foregone_trial::Folder;
use serde_json::{Value, json};

fn dataset(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foregone"));
    command.arg("dataset").args(args).current_dir(folder).output().unwrap()
}

fn makes(folder: &Path, args: &[&str]) {
    let output = dataset(folder, args);
    assert!(output.status.success(), "{output:?}");
}

/// The error of a command that must fail, without a panic.
fn refused(folder: &Path, args: &[&str]) -> String {
    let output = dataset(folder, args);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{args:?}");
    assert!(!error.contains("panicked"), "{error}");
    error
}

/// All files of a folder, with their bytes.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    all.sort();
    all.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap()
}

const RULES: &str = "game Tiny\nparameter size = 3 in 2..4\nboard size size\npiece mark X O\nstuck draws\nmove\n  choose at in empty\n  put mark on at\nend\n  if line(mine, size): win\n";

#[test]
fn rules_from_a_file_are_kept_beside_the_rows() {
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    fs::write(folder.file("tiny.rules"), RULES).unwrap();
    makes(&folder.file("."), &["nim(heaps=1-2)", "-o", "with-a-slash/"]);
    makes(
        &folder.file("."),
        &["tiny.rules", "tiny.rules(size=2)", "-o", "positions", "--positions", "50"],
    );
    let found = manifest(&folder.file("positions"));
    assert_eq!(found["games"][1]["game"], "tiny.rules(size=2)");
    assert_eq!(found["games"][1]["source"]["name"], "tiny.rules");
    assert_eq!((&found["whole"], &found["time"]), (&10_000_000.into(), &2.0.into()));
    // The file that it came from may be gone.
    fs::rename(folder.file("positions"), elsewhere.file("positions")).unwrap();
    makes(&elsewhere.file("."), &["check", "positions"]);
    // Other rules make other values, whatever the manifest says of the file.
    let (here, other) = (elsewhere.file("positions"), RULES.replace(": win", ": lose"));
    fs::write(here.join("tiny.rules"), &other).unwrap();
    let mut found = manifest(&here);
    for game in found["games"].as_array_mut().unwrap() {
        game["source"]["checksum"] = Checksum::of(other.as_bytes()).to_string().into();
    }
    fs::write(here.join("manifest.json"), found.to_string()).unwrap();
    assert!(refused(&elsewhere.file("."), &["check", "positions"]).contains("is false"));
}

#[test]
fn a_dataset_that_was_stopped_goes_on_and_is_the_same() {
    let folder = Folder::new();
    let games = ["tic-tac-toe", "nim(heaps=1-2-3)", "text:hexapawn", "-o", "positions"];
    makes(&folder.file("."), &games);
    let whole = folder.file("positions");
    let before = files(&whole);
    // As it stands when two of three games are done.
    let begun = folder.file("positions.begun");
    fs::rename(&whole, &begun).unwrap();
    let mut found = manifest(&begun);
    found["games"].as_array_mut().unwrap().truncate(2);
    fs::write(begun.join("manifest.json"), found.to_string()).unwrap();
    fs::remove_file(begun.join("README.md")).unwrap();
    let other = [&games[..], &["--seed", "2"]].concat();
    assert!(refused(&folder.file("."), &other).contains("begun with other options"));
    let kept = fs::read(begun.join("manifest.json")).unwrap();
    fs::write(begun.join("manifest.json"), "{").unwrap();
    assert!(refused(&folder.file("."), &games).contains("cannot go on with positions.begun"));
    fs::write(begun.join("manifest.json"), kept).unwrap();
    makes(&folder.file("."), &games);
    assert_eq!(files(&whole), before);
    makes(&folder.file("."), &["check", "positions"]);
}

#[test]
fn rules_that_changed_meanwhile_are_refused() {
    let folder = Folder::new();
    fs::write(folder.file("tiny.rules"), RULES).unwrap();
    let games = ["tiny.rules(size=2)", "tic-tac-toe", "--positions", "20", "-o", "positions"];
    makes(&folder.file("."), &games);
    fs::rename(folder.file("positions"), folder.file("positions.begun")).unwrap();
    fs::write(folder.file("tiny.rules"), RULES.replace(": win", ": lose")).unwrap();
    assert!(refused(&folder.file("."), &games).contains("tiny.rules has changed since"));
    fs::write(folder.file("tiny.rules"), RULES).unwrap();
    makes(&folder.file("."), &games);
}

#[test]
fn a_game_is_named_once() {
    let folder = Folder::new();
    for twice in [["tic-tac-toe", "tic-tac-toe"], ["nim", "nim(heaps=3-4-5)"]] {
        let error = refused(&folder.file("."), &[&twice[..], &["-o", "positions"]].concat());
        assert!(error.contains("is there twice"), "{error}");
    }
    assert!(fs::read_dir(folder.file(".")).unwrap().next().is_none(), "nothing is left behind");
    // Names that differ in signs alone have files of their own.
    fs::write(folder.file("a.rules"), RULES).unwrap();
    fs::write(folder.file("a_rules.rules"), RULES).unwrap();
    fs::write(folder.file("a-rules.rules"), RULES).unwrap();
    fs::write(folder.file("a+rules.rules"), RULES).unwrap();
    makes(&folder.file("."), &["a_rules.rules", "a+rules.rules", "-o", "positions"]);
    makes(&folder.file("."), &["check", "positions"]);
    // So have copies with a number, and other names of a game.
    fs::write(folder.file("a (1).rules"), RULES).unwrap();
    let given = ["a (1).rules", "oware(pits=2,stones=2)", "-o", "more", "--positions", "20"];
    makes(&folder.file("."), &given);
    fs::remove_file(folder.file("a (1).rules")).unwrap();
    makes(&folder.file("."), &["check", "more"]);
}

/// Whatever stands in the files, it is an error, even if the manifest says that they are right.
#[test]
fn damaged_files_are_errors_and_never_a_panic() {
    let folder = Folder::new();
    for format in ["parquet", "jsonl"] {
        let name = format!("as-{format}");
        makes(
            &folder.file("."),
            &["nim(heaps=1-2-3)", "--positions", "40", "--format", format, "-o", &name],
        );
        let here = folder.file(&name);
        let file = here.join(manifest(&here)["games"][0]["files"][0]["name"].as_str().unwrap());
        let bytes = fs::read(&file).unwrap();
        let put = |bytes: &[u8]| {
            let mut found = manifest(&here);
            found["games"][0]["files"][0]["checksum"] = Checksum::of(bytes).to_string().into();
            fs::write(here.join("manifest.json"), found.to_string()).unwrap();
            fs::write(&file, bytes).unwrap();
        };
        let step = bytes.len() / 24;
        for at in (0..bytes.len()).step_by(step) {
            put(&bytes[..at]);
            refused(&folder.file("."), &["check", &name]);
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x10;
            put(&flipped);
            // Some bytes are of no account, such as those of statistics.
            let output = dataset(&folder.file("."), &["check", &name]);
            let error = String::from_utf8(output.stderr).unwrap();
            assert!(!error.contains("panicked"), "byte {at}: {error}");
            assert!(output.status.code().is_some_and(|code| code < 3), "byte {at}: {error}");
        }
        put(&bytes);
        makes(&folder.file("."), &["check", &name]);
    }
}

/// What the manifest says is derived again as well, no row counts twice, and no group of rows is unpacked beyond the memory.
#[test]
fn false_manifests_and_doubled_rows_are_named() {
    let folder = Folder::new();
    let make = |name: &str, format: &str| {
        makes(&folder.file("."), &["tic-tac-toe", "--format", format, "-o", name]);
        folder.file(name)
    };
    let here = make("lines", "jsonl");
    let right = manifest(&here);
    let check = |found: &Value| {
        fs::write(here.join("manifest.json"), found.to_string()).unwrap();
        refused(&folder.file("."), &["check", "lines"])
    };
    for field in ["title", "rules", "unit"] {
        let mut found = right.clone();
        found["games"][0][field] = "something else".into();
        let error = check(&found);
        assert!(error.contains(&format!("the field {field} of mnk")), "{error}");
    }
    for (field, changed) in [("difficulty", "only"), ("found", "search")] {
        let mut found = right.clone();
        match field {
            "found" => found["games"][0][field] = changed.into(),
            _ => found["games"][0][field][changed] = 7.into(),
        }
        let error = check(&found);
        assert!(error.contains(&format!("the field {field}")), "{error}");
    }
    for change in [
        &|found: &mut Value| found["games"][0]["open"] = 9.into(),
        &|found: &mut Value| found["games"][0]["found"] = "an oracle".into(),
        &|found: &mut Value| found["positions"] = 1.into(),
        &|found: &mut Value| found["games"][0]["files"] = Value::Array(Vec::new()),
        &|found: &mut Value| {
            let game = found["games"][0].clone();
            found["games"].as_array_mut().unwrap().push(game);
        },
    ] as [&dyn Fn(&mut Value); 5]
    {
        let mut found = right.clone();
        change(&mut found);
        let error = check(&found);
        assert!(error.contains("manifest.json") || error.contains("field found"), "{error}");
    }
    let mut found = right.clone();
    let part = &mut found["games"][0]["files"][0];
    let file = here.join(part["name"].as_str().unwrap());
    let text = fs::read_to_string(&file).unwrap();
    let doubled = format!("{text}{}\n", text.lines().next().unwrap());
    fs::write(&file, &doubled).unwrap();
    part["checksum"] = Checksum::of(doubled.as_bytes()).to_string().into();
    part["rows"] = (part["rows"].as_u64().unwrap() + 1).into();
    assert!(check(&found).contains("it is there twice"));
    make("columns", "parquet");
    let error = refused(&folder.file("."), &["check", "columns", "--memory", "1M"]);
    assert!(error.contains("unpacked"), "{error}");
}

/// The card and the rules are what people read first.
#[test]
fn a_changed_card_or_file_of_rules_is_refused() {
    let folder = Folder::new();
    fs::write(folder.file("tiny.rules"), RULES).unwrap();
    makes(&folder.file("."), &["tiny.rules", "-o", "positions"]);
    for (name, why) in [("README.md", "it says something else"), ("tiny.rules", "checksum")] {
        let path = folder.file("positions").join(name);
        let right = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{right}\n")).unwrap();
        let error = refused(&folder.file("."), &["check", "positions"]);
        assert!(error.contains(name) && error.contains(why), "{error}");
        fs::remove_file(&path).unwrap();
        refused(&folder.file("."), &["check", "positions"]);
        fs::write(&path, right).unwrap();
    }
    // It may stand anywhere, under any name.
    fs::rename(folder.file("positions"), folder.file("moved")).unwrap();
    makes(&folder.file("."), &["check", "moved"]);
}

#[test]
fn what_is_no_file_beside_the_manifest_is_not_opened() {
    let folder = Folder::new();
    makes(&folder.file("."), &["nim(heaps=1-2)", "-o", "positions"]);
    let here = folder.file("positions");
    let right = manifest(&here);
    for name in ["../secret", "/etc/passwd", "..", "", "nothing", "pipe", "folder"] {
        let mut found = right.clone();
        found["games"][0]["files"][0]["name"] = name.into();
        fs::write(here.join("manifest.json"), found.to_string()).unwrap();
        if name == "folder" {
            fs::create_dir(here.join(name)).unwrap();
        }
        #[cfg(unix)]
        if name == "pipe" {
            let made = Command::new("mkfifo").arg(here.join(name)).status().unwrap();
            assert!(made.success());
        }
        refused(&folder.file("."), &["check", "positions"]);
    }
    // The rules of a game are no pipe, either.
    #[cfg(unix)]
    {
        let mut found = right.clone();
        fs::rename(here.join("pipe"), here.join("pipe.rules")).unwrap();
        found["games"][0]["source"] = json!({"name": "pipe.rules", "checksum": ""});
        found["games"][0]["game"] = "pipe.rules".into();
        fs::write(here.join("manifest.json"), found.to_string()).unwrap();
        assert!(refused(&folder.file("."), &["check", "positions"]).contains("not a file"));
    }
    fs::write(here.join("manifest.json"), "[".repeat(100_000)).unwrap();
    refused(&folder.file("."), &["check", "positions"]);
}

/// A small suite: the variants are games with decisions, named by nothing that anybody knows.
#[test]
fn a_suite_has_variants_under_new_names() {
    let folder = Folder::new();
    let args = ["suite", "tic-tac-toe", "notakto", "--variants", "3", "--positions", "200"];
    let suite = |name: &str, seed: &str| {
        makes(&folder.file("."), &[&args[..], &["-o", name, "--seed", seed]].concat());
        let games = manifest(&folder.file(name))["games"].clone();
        games.as_array().unwrap().clone()
    };
    let (one, other) = (suite("one", "1"), suite("other", "2"));
    makes(&folder.file("."), &["check", "one"]);
    assert_eq!((one.len(), one[0]["title"].as_str()), (5, Some("Tic-tac-toe")));
    for game in &one[2..] {
        let rules = game["rules"].as_str().unwrap();
        assert!(rules.contains("In this variant, "), "{rules}");
        assert!(game["source"]["name"].is_string());
        assert!(other.iter().all(|each| each["title"] != game["title"]));
        let kinds = game["difficulty"].as_object().unwrap();
        assert!(kinds.keys().any(|kind| kind != "free"), "{kinds:?}");
    }
}
