//! That the checker has no solver in it.

use std::process::Command;

/// What the checker depends on, by name, and what that depends on, so deep.
fn depends(depth: &str) -> Vec<String> {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "foregone-record", "--edges", "normal", "--prefix", "none"])
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
    let ours: Vec<_> = names.iter().filter(|name| name.starts_with("foregone")).collect();
    assert_eq!(ours, ["foregone-record", "foregone-rules"], "{names:?}");
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
