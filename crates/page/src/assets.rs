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

impl Asset {
    /// A number that is another one for other contents.
    pub fn version(&self) -> u64 {
        // FNV-1a: nobody gains by files that look the same.
        let (bytes, mut hash, mut at) = (self.body.as_bytes(), 0xcbf2_9ce4_8422_2325u64, 0);
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            at += 1;
        }
        hash
    }

    /// The address in a page: a browser may keep what it gets from there.
    pub fn address(&self) -> String {
        format!("{}?v={}", self.path, self.version())
    }
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

pub const STYLE: Asset = Asset {
    path: "assets/style.css",
    kind: "text/css; charset=utf-8",
    body: include_str!("assets/style.css"),
};
pub const PAGE: Asset =
    Asset { path: "assets/page.js", kind: SCRIPT, body: include_str!("assets/page.js") };
pub const STUDY: Asset =
    Asset { path: "assets/study.js", kind: SCRIPT, body: include_str!("assets/study.js") };
pub const HTMX: Asset =
    Asset { path: "assets/htmx.min.js", kind: SCRIPT, body: include_str!("assets/htmx.min.js") };
pub const ICON: Asset =
    Asset { path: "assets/icon.svg", kind: "image/svg+xml", body: include_str!("assets/icon.svg") };

/// All files.
pub const ASSETS: [Asset; 5] = [STYLE, PAGE, STUDY, HTMX, ICON];
