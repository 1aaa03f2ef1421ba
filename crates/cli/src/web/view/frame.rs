//! The frame of every page, and the reply to a request.

use maud::{DOCTYPE, Markup, html};

/// The reply to a request.
pub enum Reply {
    Page(Markup),
    /// The request was wrong: a page that says how.
    Wrong(Markup),
    /// Another address has the answer.
    Go(String),
}

/// A frame for any page; without scripts, the browser goes to the address of `refresh` after its seconds.
pub fn frame(title: &str, refresh: Option<(&str, u32)>, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="htmx-config" content="defaultTimeout:1800000";
                title { (title) " · Foregone" }
                link rel="stylesheet" href="/assets/style.css";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                script src="/assets/htmx.min.js" defer {}
                script src="/assets/page.js" defer {}
                @if let Some((address, seconds)) = refresh {
                    noscript {
                        meta http-equiv="refresh" content={ (seconds) ";url=" (address) };
                    }
                }
            }
            body hx-boost:inherited="target:#page, select:#page, swap:outerHTML" {
                header.top {
                    a.name href="/" { "Foregone" }
                    nav aria-label="Pages" {
                        a href="/" { "Games" }
                        a href="/rules" { "Your own game" }
                        a href="/api/v1/" { "API" }
                    }
                }
                main id="page" data-title={ (title) " · Foregone" } { (body) }
            }
        }
    }
}

/// A page that says what is wrong with a request.
pub fn wrong(title: &str, why: &str, instead: Option<(&str, &str)>) -> Markup {
    frame(
        title,
        None,
        &html! {
            div.notice {
                h1 { (title) }
                p.error role="alert" { (why) }
                p {
                    @if let Some((link, text)) = instead { a.button href=(link) { (text) } " " }
                    a.button href="/" { "All games" }
                }
            }
        },
    )
}
