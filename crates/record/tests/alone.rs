//! That the checker has no solver in it.

use std::process::Command;

#[test]
fn the_checker_depends_on_no_solver() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "foregone-record", "--edges", "normal", "--prefix", "none"])
        .args(["--offline", "--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let tree = String::from_utf8(tree.stdout).unwrap();
    let names: Vec<_> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    let ours: Vec<_> = names.iter().filter(|name| name.starts_with("foregone")).collect();
    assert_eq!(ours, [&"foregone-record", &"foregone-rules"], "{tree}");
}
