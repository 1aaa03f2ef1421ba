//! That the theorems in `docs/soundness` and the code speak of each other: each hypothesis that is a
//! check names the function that makes it, and that file names the hypothesis.

use std::collections::BTreeSet;
use std::path::Path;

/// The name after a word, up to a space or a colon.
fn name_after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(word)?;
    rest.split([' ', ':', '*']).next()
}

#[test]
fn every_checked_hypothesis_names_its_function_and_is_named_there() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(top.join("docs/soundness")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "v") {
            continue;
        }
        let mut place: Option<(String, String)> = None;
        let text = std::fs::read_to_string(&path).unwrap();
        for line in text.lines() {
            if let Some((_, rest)) = line.split_once("checked by: ") {
                let (file, function) = rest.split_once(", ").unwrap();
                let function = function.split([' ', '*']).next().unwrap();
                place = Some((file.to_owned(), function.to_owned()));
            }
            let Some(name) = name_after(line, "Hypothesis ").filter(|n| n.starts_with("checked"))
            else {
                continue;
            };
            let (file, function) = place.as_ref().unwrap_or_else(|| panic!("{path:?}: {name}"));
            let code = std::fs::read_to_string(top.join("crates").join(file)).unwrap();
            let is_there = code.contains(&format!("fn {function}("))
                || code.contains(&format!("fn {function}<"));
            assert!(is_there, "{path:?}: no function {function} in {file}");
            assert!(code.contains(&format!("`{name}`")), "{file} does not name {name}");
            names.insert(name.to_owned());
        }
    }
    assert!(names.len() > 15, "{names:?}");
}
