//! The frame of every page, and the reply to a request.

use maud::{DOCTYPE, Markup, html};

use crate::assets::{CARD, EDITOR, HTMX, ICON, LANGUAGE, PAGE, SETUP, STUDY, STYLE};
use crate::words::capital;

/// The reply to a request.
#[derive(Debug)]
pub enum Reply {
    /// The page that was asked for.
    Page(Markup),
    /// The request was wrong: a page that says how.
    Wrong(Markup),
    /// Another address has the answer.
    Go(String),
}

/// The address of all games: in a folder it is a file.
pub const HOME: &str = "index.html";

/// What people read of a link that somebody sends them.
const ABOUT: &str = "Play board games against an opponent of your strength, and see what every move is worth: proven, not guessed.";

/// A frame for any page; without scripts, the browser goes to the address of `refresh` after its seconds.
/// All links are relative, so that pages may lie below any path.
pub fn frame(title: &str, refresh: Option<(&str, u32)>, body: &Markup) -> Markup {
    frame_below("", title, refresh, body)
}

/// What every head has.
pub fn head(up: &str, title: &str) -> Markup {
    html! {
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="description" content=(ABOUT);
        meta property="og:title" content=(title);
        meta property="og:description" content=(ABOUT);
        meta name="htmx-config" content="defaultTimeout:1800000";
        title { (title) }
        link rel="stylesheet" href={ (up) (STYLE) };
        link rel="icon" href={ (up) (ICON) } type="image/svg+xml";
        script src={ (up) (HTMX) } defer {}
        script src={ (up) (PAGE) } defer {}
        script src={ (up) (STUDY) } defer {}
        script src={ (up) (SETUP) } defer {}
        script src={ (up) (EDITOR) } defer {}
    }
}

/// A page with the picture that people see of a link to it. `address` is where the pages are, such as
/// `https://example.org/games/`: sites that show links want the whole address of a picture.
pub fn with_card(page: &str, address: &str) -> String {
    let card = html! {
        meta property="og:image" content={ (address) (CARD.0) };
        meta name="twitter:card" content="summary_large_image";
    };
    page.replacen("</head>", &(card.into_string() + "</head>"), 1)
}

/// A frame for an address that is further below the root: `up` leads there, such as `../`.
fn frame_below(up: &str, title: &str, refresh: Option<(&str, u32)>, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (head(up, &format!("{title} · Foregone")))
                @if let Some((address, seconds)) = refresh {
                    noscript {
                        meta http-equiv="refresh" content={ (seconds) ";url=" (address) };
                    }
                }
            }
            body hx-boost:inherited="target:#page, select:#page, swap:'outerHTML show:none'" {
                header.top {
                    a.name href={ (up) (HOME) } { "Foregone" }
                    nav aria-label="Pages" {
                        a href={ (up) (HOME) } { "Games" }
                        a href={ (up) "learn.html" } { "Learn" }
                        a href={ (up) "rules.html" } { "Create" }
                    }
                    button.plain id="theme" type="button" hidden {}
                }
                main id="page" tabindex="-1" data-title={ (title) " · Foregone" } { (body) }
                footer.bottom {
                    p { "Foregone solves games. What it calls proven is proven; what it only believes, it calls an estimate." }
                    p {
                        a href={ (up) "learn.html" } { "How games are solved" } " · "
                        a href={ (up) (LANGUAGE) } { "The language of rules" }
                    }
                    p {
                        "Free software: MIT or Apache 2.0. Nothing is kept of you: no accounts, no cookies; games that you save "
                        "stay in this browser."
                    }
                }
            }
        }
    }
}

/// A page that says what is wrong with a request.
pub fn wrong(title: &str, why: &str, instead: Option<(&str, &str)>) -> Markup {
    wrong_below("", title, why, instead)
}

/// An error page for a path that may be further below the root.
pub fn wrong_at(path: &str, title: &str, why: &str) -> Markup {
    let up = "../".repeat(path.matches('/').count().saturating_sub(1));
    wrong_below(&up, title, why, None)
}

/// An error page for an address that is not below the root of the pages.
pub fn wrong_from(root: &str, title: &str, why: &str) -> Markup {
    wrong_below(root, title, why, None)
}

/// A text, with what stands between backticks as code.
pub fn with_code(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn wrong_below(up: &str, title: &str, why: &str, instead: Option<(&str, &str)>) -> Markup {
    frame_below(
        up,
        title,
        None,
        &html! {
            div.notice {
                h1 { (title) }
                p.error role="alert" { (with_code(&capital(why))) }
                p {
                    @if let Some((link, text)) = instead { a.button href=(link) { (text) } " " }
                    a.button href={ (up) (HOME) } { "All games" }
                }
            }
        },
    )
}
