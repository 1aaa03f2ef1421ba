//! That the theorems in `docs/soundness` and the code speak of each other: each hypothesis that is a
//! check names the function that makes it, and that function names the hypothesis.

use std::collections::BTreeSet;
use std::path::Path;

/// The name after a word, up to a space or a colon.
fn name_after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(word)?;
    rest.split([' ', ':', '*']).next()
}

/// A function with the comment above it, to the brace that ends it.
fn function<'a>(code: &'a str, name: &str) -> Option<&'a str> {
    let begin = [format!("fn {name}("), format!("fn {name}<")].iter().find_map(|s| code.find(s))?;
    let line = code[..begin].rfind('\n').map_or(0, |end| end + 1);
    let indent = code[line..].len() - code[line..].trim_start().len();
    let closing = format!("\n{}}}\n", &code[line..line + indent]);
    let end = line + code[line..].find(&closing)?;
    let above = code[..line].trim_end().rfind("\n\n").unwrap_or(0);
    Some(&code[above..end])
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
            let (file, name_of) = place.take().unwrap_or_else(|| panic!("{path:?}: {name}"));
            let code = std::fs::read_to_string(top.join("crates").join(&file)).unwrap();
            let code = function(&code, &name_of);
            let code = code.unwrap_or_else(|| panic!("{path:?}: no function {name_of} in {file}"));
            assert!(code.contains(&format!("`{name}`")), "{name_of} ({file}) does not name {name}");
            names.insert(name.to_owned());
        }
    }
    assert!(names.len() > 15, "{names:?}");
}
