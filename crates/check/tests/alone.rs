//! That the checker has neither a solver nor a writer in it.

use std::collections::BTreeSet;
use std::process::Command;

/// What the checker depends on, by name, and what that depends on, so deep.
fn depends(depth: &str) -> Vec<String> {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "foregone-check", "--edges", "normal", "--prefix", "none"])
        .args(["--depth", depth, "--offline", "--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let tree = String::from_utf8(tree.stdout).unwrap();
    tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn the_checker_depends_on_no_solver() {
    let names = depends("100");
    let ours: BTreeSet<_> = names.iter().filter(|name| name.starts_with("foregone")).collect();
    let ours = Vec::from_iter(ours);
    let expected = ["foregone-check", "foregone-record", "foregone-rules", "foregone-text"];
    assert_eq!(ours, expected, "{names:?}");
}

/// Built by itself, the checker takes no feature of the crate that reads files: none that writes them.
#[test]
fn the_checker_is_built_without_a_writer() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "foregone-check", "--edges", "features,normal"])
        .args(["--prefix", "none", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let tree = String::from_utf8(tree.stdout).unwrap();
    assert!(tree.contains("foregone-record feature \"default\""), "{tree}");
    assert!(!tree.contains("feature \"write\""), "{tree}");
}

/// Both programs tell their commit. A package holds its build script, and not every system has links: there are two copies.
#[test]
fn the_build_script_is_that_of_the_command() {
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/build.rs");
    // A published crate comes without it.
    let Ok(other) = std::fs::read_to_string(other) else { return };
    assert_eq!(include_str!("../build.rs"), other);
}

/// The first line that a reader of the README of the project tries.
#[test]
fn the_proofs_that_come_with_the_project_are_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proofs");
    // A published crate comes without them.
    let Ok(files) = std::fs::read_dir(folder) else { return };
    let files = files.map(|file| file.unwrap().path());
    let proofs: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|is| is == "proof")).collect();
    assert!(proofs.len() >= 5, "{proofs:?}");
    let done = Command::new(env!("CARGO_BIN_EXE_foregone-check")).args(&proofs).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn the_readme_names_what_the_checker_depends_on() {
    let readme = include_str!("../README.md");
    let direct = depends("1");
    assert!(direct.len() > 5, "{direct:?}");
    for name in &direct {
        assert!(readme.contains(name), "the README does not tell of {name}");
    }
}
