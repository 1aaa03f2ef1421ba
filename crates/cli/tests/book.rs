//! The commands of the book's tutorial print what stands there, those of all documents are understood, the reference is
//! what the parser says, and no link is dead.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::error::ErrorKind;

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

/// Each picture of the concepts stands beside the commands that draw it, of which the last ends with `> NAME.svg`.
/// `PICTURES=overwrite cargo test -p foregone-cli --test book` draws them anew.
#[test]
fn pictures_are_what_their_commands_draw() {
    let mut count = 0;
    for page in pages(&docs().join("concepts")) {
        let text = fs::read_to_string(&page).unwrap();
        for block in blocks(&text, "console") {
            let folder = tempfile::tempdir().unwrap();
            for line in block.lines() {
                let words = shlex::split(line.trim_start_matches("$ ")).unwrap();
                let [program, arguments @ ..] = &words[..] else { panic!("{line}") };
                assert_eq!(program, "foregone");
                let (arguments, file) = match arguments {
                    [arguments @ .., to, file] if to == ">" => (arguments, Some(file)),
                    _ => (arguments, None),
                };
                let mut command = Command::new(env!("CARGO_BIN_EXE_foregone"));
                let done = command.args(arguments).current_dir(&folder).output().unwrap();
                assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
                let Some(file) = file else { continue };
                let picture = docs().join("pictures/concepts").join(file);
                if std::env::var_os("PICTURES").is_some() {
                    fs::write(&picture, &done.stdout).unwrap();
                }
                assert!(fs::read(&picture).unwrap() == done.stdout, "{line}: another picture");
                assert!(text.contains(&format!("(../pictures/concepts/{file})")), "{file}");
                count += 1;
            }
        }
    }
    assert!(count >= 7, "{count}");
}

/// The documents outside of the book that people read first.
const OUTSIDE: [&str; 5] =
    ["README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "CHANGELOG.md"];

fn all_pages() -> Vec<PathBuf> {
    let mut all = pages(&docs());
    all.extend(OUTSIDE.map(|name| top().join(name)));
    // The readmes of the crates and of other folders; links to documents are looked at as documents.
    let folders = [top(), top().join("crates")].map(|folder| fs::read_dir(folder).unwrap());
    let readmes =
        folders.into_iter().flatten().map(|folder| folder.unwrap().path().join("README.md"));
    all.extend(readmes.filter(|readme| readme.is_file() && !readme.is_symlink()));
    all
}

/// The command lines of a page that begin with `foregone`, in blocks and in sentences.
fn commands(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_block = false;
    let mut open = String::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            let line = line.trim().trim_start_matches("$ ");
            open += line.trim_end_matches('\\');
            if !line.ends_with('\\') {
                found.push(std::mem::take(&mut open));
            }
        }
    }
    let mut outside =
        page.split("```").step_by(2).flat_map(|text| text.split('`').skip(1).step_by(2));
    found
        .extend(outside.by_ref().map(|span| span.split_whitespace().collect::<Vec<_>>().join(" ")));
    found.retain(|line| line.starts_with("foregone "));
    found
}

#[test]
fn every_command_is_understood() {
    let mut count = 0;
    for page in all_pages().into_iter().filter(|page| !page.ends_with("options.md")) {
        for line in commands(&fs::read_to_string(&page).unwrap()) {
            // Without what stands for something else, and what a shell does afterwards.
            let words = shlex::split(&line).unwrap().into_iter();
            let stands = |word: &str| {
                word.starts_with('[') || ["VERB", "PLAYER", "OPPONENT", "SHELL"].contains(&word)
            };
            let words = words.filter(|word| !stands(word));
            let words = words.take_while(|word| !["|", ">", "&", "&&"].contains(&word.as_str()));
            if let Err(error) = foregone_cli::parser().try_get_matches_from(words) {
                // Sentences leave out what is clear.
                let unfinished = [
                    ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
                    ErrorKind::MissingRequiredArgument,
                ];
                let named = !error.use_stderr() || unfinished.contains(&error.kind());
                assert!(named, "{}: {line}\n{error}", page.display());
            }
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

/// What a newcomer types first. A server does not end by itself, and has tests of its own.
#[test]
fn the_commands_of_the_readme_run() {
    let readme = fs::read_to_string(top().join("README.md")).unwrap();
    let first = readme.replace("cargo run --release --", "foregone");
    let folder = tempfile::tempdir().unwrap();
    let mut outputs = Vec::new();
    for line in commands(&first) {
        let words = shlex::split(&line).unwrap();
        let whole = foregone_cli::parser().try_get_matches_from(&words).is_ok();
        if whole && words[1] != "serve" && !words.iter().any(|word| word == "DIR") {
            let mut command = Command::new(env!("CARGO_BIN_EXE_foregone"));
            let done = command.args(&words[1..]).current_dir(&folder).output().unwrap();
            assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
            outputs.push(String::from_utf8(done.stdout).unwrap());
        }
    }
    for (install, file) in
        [("cargo install --path ", "Cargo.toml"), ("pip install ./", "pyproject.toml")]
    {
        let ways: Vec<_> =
            readme.split('`').filter_map(|span| span.strip_prefix(install)).collect();
        assert!(!ways.is_empty(), "{install}");
        for way in ways {
            assert!(top().join(way).join(file).is_file(), "{way}");
        }
    }
    // What it says of the games.
    let mut command = Command::new(env!("CARGO_BIN_EXE_foregone"));
    let listed = String::from_utf8(command.arg("rules").output().unwrap().stdout).unwrap();
    let texts = listed.lines().take_while(|line| !line.is_empty()).count();
    for page in [&readme, &fs::read_to_string(docs().join("introduction.md")).unwrap()] {
        assert!(page.contains(&format!("{texts} in a")), "{texts} texts");
    }
    assert!(readme.contains("the hounds win, in 44 plies"));
    for said in
        ["Hounds win in 44 plies.", "Second player wins in 6 plies.", "a move for 627 positions"]
    {
        assert!(outputs.iter().any(|output| output.contains(said)), "{said}: {outputs:?}");
    }
}

/// The page about HTTP names every path and every parameter of the contract.
#[test]
fn the_page_about_http_is_complete() {
    let page = fs::read_to_string(docs().join("http.md")).unwrap();
    let contract = fs::read_to_string(docs().join("../crates/cli/src/web/openapi.json")).unwrap();
    let contract: serde_json::Value = serde_json::from_str(&contract).unwrap();
    for (path, methods) in contract["paths"].as_object().unwrap() {
        let line = page.lines().find(|line| line.starts_with(&format!("| `/api/v1{path}` |")));
        let line = line.unwrap_or_else(|| panic!("{path} is missing"));
        let parameters = methods["get"]["parameters"].as_array();
        for parameter in parameters.into_iter().flatten() {
            let name = format!("`{}`", parameter["name"].as_str().unwrap());
            assert!(line.contains(&name), "{path}: {name}");
            assert!(page.contains(&format!("\n| {name} | ")), "{name}");
        }
    }
}

/// `REFERENCE=overwrite cargo test -p foregone-cli --test book` writes it anew.
#[test]
fn the_reference_is_what_the_parser_says() {
    let page = docs().join("options.md");
    let options = clap_markdown::MarkdownOptions::new()
        .title("Every option".to_owned())
        .show_footer(false)
        .show_table_of_contents(false);
    let parser = foregone_cli::parser().version("");
    let written = clap_markdown::help_markdown_command_custom(&parser, &options);
    let written = written.replace(
        "This document contains the help content for the `foregone` command-line program.",
        "What `--help` says of each command.",
    );
    let written: String = written.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    if std::env::var_os("REFERENCE").is_some() {
        fs::write(&page, &written).unwrap();
    }
    let found = fs::read_to_string(&page).unwrap();
    let differs = found.lines().zip(written.lines()).find(|(found, written)| found != written);
    assert!(
        found == written,
        "docs/options.md is not what --help says, first {differs:?}: write it anew with \
         REFERENCE=overwrite cargo test -p foregone-cli --test book"
    );
}

/// Where the links and pictures of a page lead to, without those of other sites.
fn links(page: &str) -> Vec<&str> {
    let mut in_code = false;
    let mut found = Vec::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if !in_code {
            found.extend(line.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
            found.extend(line.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()));
        }
    }
    found.retain(|link| !link.starts_with("http"));
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
    let all = all_pages();
    let mut count = 0;
    for page in &all {
        let text = fs::read_to_string(page).unwrap();
        for link in links(&text) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let folder = page.parent().unwrap();
            let target = if file.is_empty() { page.clone() } else { folder.join(file) };
            assert!(target.exists(), "{}: {link}", page.display());
            let is_page = target.extension().is_some_and(|kind| kind == "md");
            if !place.is_empty() && is_page {
                let text = fs::read_to_string(&target).unwrap();
                let mut headings = text.lines().filter_map(|line| line.strip_prefix('#'));
                let named = headings.any(|line| anchor(line.trim_start_matches('#')) == place);
                assert!(named, "{}: {link}", page.display());
            }
            // In the book there is nothing outside of docs/.
            if page.starts_with(docs()) {
                let within = fs::canonicalize(&target).unwrap();
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
