//! The proofs that are kept in the repository hold, and go on doing so: whoever changes the rules of a
//! game or the form of the files learns of it here.

use std::path::Path;
use std::process::Command;

/// Checks a file by the program, and gives its report.
fn report(name: &str, more: &[&str]) -> serde_json::Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs");
    let program = env!("CARGO_BIN_EXE_foregone-check");
    let output =
        Command::new(program).arg("--json").args(more).arg(folder.join(name)).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_proofs_of_the_repository_hold() {
    let (first, second) = (|n| (true, n), |n| (false, n));
    for (name, game, claims) in [
        ("tic-tac-toe", "mnk(columns=3,rows=3,line=3,misere=false)", &[first(0), second(0)][..]),
        ("quantum-tic-tac-toe", "quantum-tic-tac-toe", &[first(1), second(-1)]),
        ("fox-and-hounds", "fox-and-hounds(size=8,stuck=draw,first=fox,fox=f)", &[second(1)]),
        (
            "kalah-4-4",
            "kalah(pits=4,stones=4,capture=always,end=either,rest=owner)",
            &[first(2), second(-2)],
        ),
        (
            "connect-four-5x5",
            "connect-four(columns=5,rows=5,line=4,score=result)",
            &[first(0), second(0)],
        ),
    ] {
        let report = report(&format!("{name}.proof"), &[]);
        assert_eq!(report["verdict"], "right", "{report:#}");
        assert_eq!(report["game"], game);
        let proof = &report["proof"];
        assert_eq!(
            (proof["position"].is_null(), proof["moves"].as_array().unwrap().len()),
            (true, 0)
        );
        let claimed =
            proof["claims"].as_array().unwrap().iter().map(|claim| {
                (claim["first"].as_bool().unwrap(), claim["at_least"].as_i64().unwrap())
            });
        assert_eq!(claimed.collect::<Vec<_>>(), claims, "{name}");
        // They hold without any merging, too.
        let plain = self::report(&format!("{name}.proof"), &["--plain"]);
        assert_eq!(plain["verdict"], "right", "{plain:#}");
    }
}
