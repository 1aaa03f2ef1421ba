//! The folder of files that any static host serves: the pages' shells, what they load, and the module.

use std::io;
use std::time::Duration;

use foregone::Registry;
use foregone::record::format::checksum::Checksum;
use foregone_page::assets::{ASSETS, CARD};
use foregone_page::lessons::LESSONS;
use foregone_page::route::{PAGES, Queue, Route};
use foregone_page::service::{Deadline, Service};
use foregone_page::view::frame::{Reply, head, with_card};
use maud::{DOCTYPE, Markup, html};
use serde::Serialize;

/// The module's path in the folder.
pub const MODULE: &str = "assets/foregone.wasm";

/// The folder of the first pages of games.
const STARTS: &str = "start";

/// The memory to make them, in bytes.
const MEMORY: u64 = 256 << 20;

/// What hosts show at an address that has no file.
const MISSING: &str = "404.html";

/// The list of the tables in their folder.
pub const LIST: &str = "tables/index.json";

/// What answers in place of a server. It has to know which pages there are.
const SITE: (&str, &str) = ("assets/site.js", include_str!("site/site.js"));

const SCRIPTS: [(&str, &str); 6] = [
    ("assets/worker.js", include_str!("site/worker.js")),
    ("assets/wasi/wasi.js", include_str!("site/wasi/wasi.js")),
    ("assets/wasi/wasi_defs.js", include_str!("site/wasi/wasi_defs.js")),
    ("assets/wasi/fs_mem.js", include_str!("site/wasi/fs_mem.js")),
    ("assets/wasi/fd.js", include_str!("site/wasi/fd.js")),
    ("assets/wasi/debug.js", include_str!("site/wasi/debug.js")),
];

/// A service worker controls what lies beside it, so it lies beside the pages.
const OFFLINE: (&str, &str) = ("offline.js", include_str!("site/offline.js"));

/// What a browser may load: the folder's own files, and the module.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; worker-src 'self'; form-action 'self'; \
                      base-uri 'none'";

/// A file of the folder.
pub struct File {
    /// Its path in the folder, with slashes.
    pub path: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// The most bytes of a table that browsers keep for use without a network.
const SMALL: u64 = 1 << 20;

/// A table that lies in the folder `tables`.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// The name of the file.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Of what browsers keep, the checksum of its content, so that another content is another edition of the folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
}

impl Table {
    /// A table with this content, or of this size if it is too large for browsers to keep.
    ///
    /// # Errors
    /// If the content cannot be read.
    pub fn new(
        name: String,
        bytes: u64,
        content: impl FnOnce() -> io::Result<Vec<u8>>,
    ) -> io::Result<Table> {
        let content = (bytes <= SMALL).then(content).transpose()?;
        Ok(Table {
            name,
            bytes,
            checksum: content.map(|content| Checksum::of(&content).to_string()),
        })
    }
}

/// All files of the folder but the tables themselves. A browser that has kept an older edition loads the new one, if any
/// file has changed. With the address of the folder, links to its pages have a picture.
pub fn files(module: Vec<u8>, tables: &[Table], address: Option<&str>) -> Vec<File> {
    let text = |path: &str, text: String| File { path: path.to_owned(), bytes: text.into_bytes() };
    let page_file = |path: &str, page: &str| {
        text(path, address.map_or_else(|| page.to_owned(), |address| with_card(page, address)))
    };
    let service = Service::new(Registry::standard(), MEMORY, 1, None);
    let home = page(&service, "index.html", "").map(|home| {
        // The frame has all but what loads the module.
        home.replacen("<head>", &format!("<head>{}", loading().into_string()), 1)
    });
    let shells = PAGES.map(|page| match (&home, page) {
        (Some(home), "index") => page_file("index.html", home),
        _ => page_file(&format!("{page}.html"), &shell()),
    });
    let starts = starts(&service);
    let assets = ASSETS.iter().map(|asset| text(asset.link.path, asset.body.to_owned()));
    let scripts = SCRIPTS.iter().map(|(path, script)| text(path, (*script).to_owned()));
    let mut files: Vec<File> = shells.into_iter().chain(assets).chain(scripts).collect();
    let quoted = |names: &[String]| {
        // Lists of texts are always JSON.
        let all = serde_json::to_string(names).unwrap_or_default();
        all.trim_matches(['[', ']']).to_owned()
    };
    let (path, script) = SITE;
    let pairs = starts.iter().map(|(address, file)| format!("[\"{address}\", \"{}\"]", file.path));
    let pairs = pairs.collect::<Vec<_>>().join(", ");
    let script = script.replace("PAGES_LIST", &quoted(&PAGES.map(str::to_owned)));
    files.push(text(path, script.replace("STARTS_LIST", &pairs)));
    files.push(File { path: MODULE.to_owned(), bytes: module });
    files.push(text(MISSING, missing()));
    if address.is_some() {
        files.push(File { path: CARD.0.to_owned(), bytes: CARD.1.to_vec() });
    }
    // Lists of plain structures are always JSON.
    files.push(text(LIST, serde_json::to_string(tables).unwrap_or_default()));
    let kept = files.iter().map(|file| file.path.clone()).filter(|path| path != MISSING);
    let small = tables.iter().filter(|table| table.bytes <= SMALL);
    let small = small.map(|table| format!("tables/{}", table.name));
    let kept: Vec<String> = ["./".to_owned()].into_iter().chain(kept).chain(small).collect();
    let (path, script) = OFFLINE;
    let script = script.replace("FILES_LIST", &quoted(&kept));
    files.extend(starts.into_iter().map(|(_, file)| file));
    files.push(text(path, script.replace("VERSION", &edition(&files))));
    files
}

/// Tells editions of the folder apart.
fn edition(files: &[File]) -> String {
    let of_file = |file: &File| format!("{} {}\n", file.path, Checksum::of(&file.bytes));
    let all: String = files.iter().map(of_file).collect();
    Checksum::of(all.as_bytes()).to_string()
}

/// A page that is answered at once.
fn page(service: &Service, path: &str, query: &str) -> Option<String> {
    let deadline = Deadline::after(Duration::from_secs(60));
    match Route::parse(path, query)?.ok()?.at_once(service, Queue::default(), &deadline)? {
        Reply::Page(page) => Some(page.into_string()),
        _ => None,
    }
}

/// The first pages of games and of lessons, by their addresses, which are shown while the module comes.
fn starts(service: &Service) -> Vec<(String, File)> {
    let games = service.registry.names();
    let games = games.map(|name| ("play.html", format!("game={name}"), name.to_owned()));
    let lessons = LESSONS.iter().map(|lesson| lesson.name);
    let lessons =
        lessons.map(|name| ("learn.html", format!("lesson={name}"), format!("lesson-{name}")));
    let list = ("learn.html", String::new(), "lessons".to_owned());
    let start = |(path, query, name): (&str, String, String)| {
        let page = page(service, path, &query)?;
        let address = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
        Some((address, File { path: format!("{STARTS}/{name}.html"), bytes: page.into_bytes() }))
    };
    games.chain(lessons).chain([list]).filter_map(start).collect()
}

/// What the head of a page needs to be answered by the module.
fn loading() -> Markup {
    html! {
        meta http-equiv="Content-Security-Policy" content=(POLICY);
        meta name="description" content="Play games against a perfect opponent, and see what every move is worth.";
        script src="assets/site.js" type="module" async fetchpriority="high" {}
    }
}

/// The file of every page, before the module has answered.
fn shell() -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (loading())
                (head("", "Foregone"))
            }
            body {
                header.top { a.name href="index.html" { "Foregone" } }
                main id="page" { p.status role="status" { "Loading…" } }
                noscript { p { "This edition of Foregone runs in the browser, and needs scripts." } }
            }
        }
    };
    page.into_string()
}

fn missing() -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "No such page – Foregone" }
            }
            body {
                h1 { "There is no such page" }
                p { a href="index.html" { "All games" } }
            }
        }
    };
    page.into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_loads_is_in_the_folder() {
        let tables = [("nim.table", 5), ("large.table", SMALL + 1)];
        let content = || Ok(b"right".to_vec());
        let tables =
            tables.map(|(name, bytes)| Table::new(name.to_owned(), bytes, content).unwrap());
        let files = files(b"module".to_vec(), &tables, None);
        let has = |path: &str| files.iter().any(|file| file.path == path);
        let text = |path: &str| {
            let file = files.iter().find(|file| file.path == path).unwrap();
            String::from_utf8(file.bytes.clone()).unwrap()
        };
        let shell = text("play.html");
        for link in shell.split("href=\"").chain(shell.split("src=\"")).skip(1) {
            let path = link.split(['"', '?']).next().unwrap();
            assert!(path.starts_with('<') || has(path), "{path}");
        }
        for script in ["assets/worker.js", "assets/wasi/wasi.js", "assets/wasi/fs_mem.js"] {
            for import in text(script).split("from\"./").skip(1) {
                let path = format!("assets/wasi/{}", import.split('"').next().unwrap());
                assert!(has(&path), "{script} loads {path}");
            }
        }
        let offline = text("offline.js");
        let site = text("assets/site.js");
        assert!(site.contains("const PAGES = [\"index\",\"play\","));
        assert!(site.contains("new Map([[\"play.html?game=mnk\", \"start/mnk.html\"], [\"play.html?game=connect-four\","));
        assert!(site.contains("[\"learn.html?lesson=tree\", \"start/lesson-tree.html\"]"));
        assert!(text("start/lesson-minimax.html").contains("Minimax: what a position is worth"));
        assert!(text("start/lessons.html").contains("How games are solved"));
        assert!(text("start/kalah.html").contains("pit 1 of first: 4"));
        assert!(text("index.html").contains("play.html?game=mu-torere"));
        assert!(
            offline.contains("\"assets/foregone.wasm\"")
                && offline.contains(&format!("`${{OWN}}{}`", edition(&files[..files.len() - 1])))
        );
        assert!(offline.contains("\"tables/nim.table\"") && !offline.contains("large.table"));
        let mut changed = tables.clone();
        changed[0].checksum = Some("another".to_owned());
        let changed = super::files(b"module".to_vec(), &changed, None);
        assert_ne!(changed.last().unwrap().bytes, offline.as_bytes(), "a table of the same size");
        let other = super::files(b"module".to_vec(), &[], None);
        assert_ne!(other.last().unwrap().bytes, offline.as_bytes(), "another list of tables");
        assert!(text("404.html").contains("There is no such page") && !offline.contains("404"));
        let shared = super::files(b"module".to_vec(), &[], Some("https://example.org/games/"));
        let of = |path: &str| shared.iter().find(|file| file.path == path).unwrap();
        for page in ["index.html", "play.html"] {
            let page = String::from_utf8_lossy(&of(page).bytes);
            let card =
                r#"<meta property="og:image" content="https://example.org/games/assets/card.png">"#;
            assert_eq!(page.matches(card).count(), 1, "{page}");
        }
        assert!(of("assets/card.png").bytes.starts_with(b"\x89PNG"));
        assert!(!text("index.html").contains("og:image"), "without an address there is none");
        let list = text("tables/index.json");
        let begins = r#"[{"name":"nim.table","bytes":5,"checksum":"#;
        let ends = r#"{"name":"large.table","bytes":1048577}]"#;
        assert!(list.starts_with(begins) && list.ends_with(ends), "{list}");
    }
}
