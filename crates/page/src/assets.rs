//! The files that pages load.

use std::fmt;

/// Where a page finds a file. The module for browsers has these alone: there the files lie beside it.
#[derive(Clone, Copy)]
pub struct Link {
    /// The path below the root.
    pub path: &'static str,
    /// A number that is another one for other contents.
    pub version: u64,
}

impl Link {
    const fn to(path: &'static str, body: &str) -> Link {
        // FNV-1a: nobody gains by files that look the same.
        let (bytes, mut hash, mut at) = (body.as_bytes(), 0xcbf2_9ce4_8422_2325u64, 0);
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            at += 1;
        }
        Link { path, version: hash }
    }
}

/// The address in a page: a browser may keep what it gets from there.
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}?v={}", self.path, self.version)
    }
}

pub const STYLE: Link = Link::to("assets/style.css", include_str!("assets/style.css"));
pub const PAGE: Link = Link::to("assets/page.js", include_str!("assets/page.js"));
pub const STUDY: Link = Link::to("assets/study.js", include_str!("assets/study.js"));
pub const SETUP: Link = Link::to("assets/setup.js", include_str!("assets/setup.js"));
pub const EDITOR: Link = Link::to("assets/editor.js", include_str!("assets/editor.js"));
pub const LANGUAGE: Link = Link::to("assets/rules.txt", foregone::text::DOCUMENT);
pub const GRAMMAR: Link = Link::to("assets/rules.tmLanguage.json", foregone::text::GRAMMAR);
pub const HTMX: Link = Link::to("assets/htmx.min.js", include_str!("assets/htmx.min.js"));
pub const ICON: Link = Link::to("assets/icon.svg", include_str!("assets/icon.svg"));

/// The picture of links that people send: where it lies, and the file. `results/card` draws it.
pub const CARD: (&str, &[u8]) = ("assets/card.png", include_bytes!("assets/card.png"));

/// A file inside the program.
pub struct Asset {
    pub link: Link,
    /// Its kind, as a media type.
    pub kind: &'static str,
    /// Its contents.
    pub body: &'static str,
}

const SHEET: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files.
pub static ASSETS: [Asset; 9] = [
    Asset { link: STYLE, kind: SHEET, body: include_str!("assets/style.css") },
    Asset { link: PAGE, kind: SCRIPT, body: include_str!("assets/page.js") },
    Asset { link: STUDY, kind: SCRIPT, body: include_str!("assets/study.js") },
    Asset { link: SETUP, kind: SCRIPT, body: include_str!("assets/setup.js") },
    Asset { link: EDITOR, kind: SCRIPT, body: include_str!("assets/editor.js") },
    Asset { link: LANGUAGE, kind: "text/plain; charset=utf-8", body: foregone::text::DOCUMENT },
    Asset { link: GRAMMAR, kind: "application/json", body: foregone::text::GRAMMAR },
    Asset { link: HTMX, kind: SCRIPT, body: include_str!("assets/htmx.min.js") },
    Asset { link: ICON, kind: "image/svg+xml", body: include_str!("assets/icon.svg") },
];
