//! Files that were believed though they are false: the rules that they carry only look symmetric. They were made by the
//! program as it was when it believed them.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use foregone_check::{Options, Report, Subject, check};
use foregone_record::Error;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile").join(name)
}

fn checked(name: &str, options: Options) -> Result<Report, Error> {
    check(&file(name), options, |_| |_| true)
}

fn is_believed(name: &str, options: Options) -> bool {
    match checked(name, options).map(|report| report.subject) {
        Ok(Subject::Table { verdict, .. } | Subject::Book { verdict, .. }) => verdict.is_right(),
        Ok(Subject::Proof { verdict, .. }) => verdict.is_proven(),
        Ok(Subject::Unknown(_)) | Err(_) => false,
    }
}

#[test]
fn false_files_by_rules_that_only_look_symmetric_are_refused() {
    for game in ["collide", "sowmany", "casesow"] {
        for kind in ["fgt", "proof"] {
            let name = format!("{game}.{kind}");
            assert!(file(&name).exists(), "{name}");
            for compiled in [false, true] {
                assert!(!is_believed(&name, Options { compiled, ..Options::default() }), "{name}");
            }
        }
    }
}

/// The verdict says whose rules they are, and `--rules` prints all of them.
#[test]
fn verdicts_name_the_rules() {
    let run = |args: &[&str], name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_foregone-check"));
        let done = command.args(args).arg(file(name)).output().unwrap();
        String::from_utf8(done.stdout).unwrap() + &String::from_utf8(done.stderr).unwrap()
    };
    let differs = |name| {
        format!("NOT the rules that come with Foregone under the name {name}, or a like one")
    };
    for (name, whose, words) in [
        ("hexb.fgt", "differs", differs("hexapawn")),
        ("trunc.fgt", "differs", differs("tic-tac-toe")),
        ("casesow.fgt", "own", "by rules of your own".to_owned()),
    ] {
        let found = run(&[], name);
        assert!(found.contains(&words), "{found}");
        let found = run(&["--json"], name);
        assert!(found.contains(&format!("\"rules_are\": \"{whose}\"")), "{found}");
        let rules = checked(name, Options::default()).unwrap().rules.unwrap();
        let found = run(&["--rules"], name);
        assert!(rules.lines().all(|line| found.contains(&format!("\n  {line}\n"))), "{found}");
    }
    // The decisive words stand behind 200 others.
    assert!(run(&["--rules"], "trunc.fgt").contains("mine & b2: win"));
}

/// Rules that would take all memory or time are refused, or checked within bounds, when a file brings them: under a limit
/// of address space, which is 64 MB more than the program takes before it does anything.
#[cfg(unix)]
#[test]
fn rules_of_a_file_have_a_limit() {
    let folder = foregone_trial::Folder::new();
    for (rules, words) in [
        (include_str!("../../text/tests/hostile/dirs.rules"), "the rules in it are wrong"),
        (include_str!("../../text/tests/hostile/zones.rules"), ""),
        (include_str!("../../text/tests/hostile/heavy.rules"), ""),
    ] {
        for kind in ["fgt", "proof"] {
            let text = foregone_text::Text::parse(rules);
            let rules = text.map_or(rules.to_owned(), |text| text.bare());
            let bytes = common::with_manifest(&file(&format!("collide.{kind}")), |manifest| {
                manifest.rules = Some(rules.clone());
            });
            let path = folder.file("hostile.fgt");
            std::fs::write(&path, bytes).unwrap();
            let mut command = Command::new("sh");
            let line = "ulimit -v 131072; exec \"$0\" --memory 64M \"$1\"";
            command.args(["-c", line, env!("CARGO_BIN_EXE_foregone-check")]).arg(&path);
            let done = command.output().unwrap();
            let error = String::from_utf8(done.stderr).unwrap();
            let said = String::from_utf8(done.stdout).unwrap() + &error;
            assert!(matches!(done.status.code(), Some(1..=3)), "{kind} {:?} {said}", done.status);
            assert!(said.contains(words), "{said}");
        }
    }
}
