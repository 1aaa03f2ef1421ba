//! Files that were believed though they are false: the rules that they carry only look symmetric. They were made by the
//! program as it was when it believed them.

use std::path::{Path, PathBuf};

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
        Ok(Subject::Table { verdict, .. }) => verdict.is_right(),
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
