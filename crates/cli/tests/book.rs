//! The commands of the book's tutorial print what stands there, and no link in the documentation is dead.

use std::fs;
use std::path::{Path, PathBuf};

fn top() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

fn docs() -> PathBuf {
    top().join("docs")
}

/// All pages of a folder and of those in it.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension() {
            _ if path.is_dir() => found.extend(pages(&path)),
            Some(kind) if kind == "md" => found.push(path),
            _ => {}
        }
    }
    found
}

/// The texts in blocks of a kind.
fn blocks<'p>(page: &'p str, kind: &str) -> Vec<&'p str> {
    let begin = format!("```{kind}\n");
    let rest = page.split(begin.as_str()).skip(1);
    rest.map(|rest| rest.split("```").next().unwrap()).collect()
}

/// Commands see the rules that stand on the same page, in files by their names.
#[test]
fn the_tutorial_prints_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    for page in pages(&docs().join("tutorial")) {
        let text = fs::read_to_string(&page).unwrap();
        let copy = folder.path().join(page.file_name().unwrap());
        fs::write(&copy, &text).unwrap();
        let (before, after) = (copy.with_extension("in"), copy.with_extension("out"));
        fs::create_dir(&before).unwrap();
        // With it, commands run in a folder of their own.
        fs::create_dir(after).unwrap();
        for rules in blocks(&text, "rules") {
            let name = rules.lines().next().and_then(|line| line.strip_prefix("game ")).unwrap();
            fs::write(before.join(name.to_lowercase() + ".rules"), rules).unwrap();
        }
    }
    trycmd::TestCases::new().case(folder.path().join("*.md"));
}

/// Where the links of a page lead to, without those to other sites and to places on the same page.
fn links(page: &str) -> Vec<&str> {
    let mut in_code = false;
    let mut found = Vec::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if !in_code {
            found.extend(line.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
        }
    }
    found.retain(|link| !link.starts_with("http") && !link.starts_with('#'));
    found
}

/// The name of a heading in an address, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn no_link_is_dead() {
    let mut all = pages(&docs());
    for name in
        ["README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "CHANGELOG.md"]
    {
        all.push(top().join(name));
    }
    let mut count = 0;
    for page in &all {
        let text = fs::read_to_string(page).unwrap();
        for link in links(&text) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = page.parent().unwrap().join(file);
            assert!(target.exists(), "{}: {link}", page.display());
            let is_page = target.extension().is_some_and(|kind| kind == "md");
            if !place.is_empty() && is_page {
                let target = fs::read_to_string(target).unwrap();
                let mut headings = target.lines().filter_map(|line| line.strip_prefix('#'));
                let named = headings.any(|line| anchor(line.trim_start_matches('#')) == place);
                assert!(named, "{}: {link}", page.display());
            }
            // In the book there is nothing outside of docs/.
            if page.starts_with(docs()) {
                let within = fs::canonicalize(page.parent().unwrap().join(file)).unwrap();
                assert!(
                    within.starts_with(docs()),
                    "{}: {link} leads out of the book",
                    page.display()
                );
            }
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
    // Every page is a chapter.
    let summary = fs::read_to_string(docs().join("SUMMARY.md")).unwrap();
    for page in pages(&docs()) {
        let name = page.strip_prefix(docs()).unwrap().to_str().unwrap().replace('\\', "/");
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name}");
    }
}
