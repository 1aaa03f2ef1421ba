//! The files that pages load.

/// A file inside the program.
pub struct Asset {
    /// Its path below the root.
    pub path: &'static str,
    /// Its kind, as a media type.
    pub kind: &'static str,
    /// Its contents.
    pub body: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files.
pub const ASSETS: [Asset; 4] = [
    Asset {
        path: "assets/style.css",
        kind: "text/css; charset=utf-8",
        body: include_str!("assets/style.css"),
    },
    Asset { path: "assets/page.js", kind: SCRIPT, body: include_str!("assets/page.js") },
    Asset { path: "assets/htmx.min.js", kind: SCRIPT, body: include_str!("assets/htmx.min.js") },
    Asset { path: "assets/icon.svg", kind: "image/svg+xml", body: include_str!("assets/icon.svg") },
];
