//! Every request is counted, and written to the log if there is one.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{Method, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use foregone_page::route::PAGES;

use super::Server;
use super::gate::{Gate, Peer};
use super::reply::is_api;
use super::visitor::{Tab, Visitor};

/// The status of a request whose visitor has gone away before the answer, as nginx counts it.
const ABANDONED: u16 = 499;

/// The address that a request comes from, if that is certain.
#[derive(Clone, Copy)]
pub struct AskedFrom(pub Option<IpAddr>);

/// A request that takes longer is slow.
pub const SLOW: Duration = Duration::from_secs(1);

/// The longest query in the log, in characters.
const LONGEST: usize = 400;

/// What a request asks for, as one of few words.
fn page(uri: &Uri) -> &'static str {
    const API: [&str; 5] = ["solve", "move", "show", "tree", "games"];
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("assets/") {
        return "asset";
    }
    if let Some(name) = path.strip_prefix("api/v1/") {
        return API.iter().find(|known| **known == name).copied().unwrap_or("api");
    }
    let name = path.strip_suffix(".html").unwrap_or(path);
    let name = if name.is_empty() { "index" } else { name };
    let mut known = PAGES.into_iter().chain(["report"]);
    known.find(|known| *known == name).unwrap_or("other")
}

/// The game that a request is about, as far as it has a name of its own.
fn game(server: &Server, uri: &Uri) -> Option<String> {
    let query = form_urlencoded::parse(uri.query()?.as_bytes());
    let (_, game) = query.into_iter().find(|(name, _)| name == "game")?;
    let name = game.split(['(', ':']).next().unwrap_or_default().trim();
    let known = server.games.iter().any(|known| known == name);
    Some(match name {
        "rules" | "text" => "text".to_owned(),
        name if known => name.to_owned(),
        _ => "unknown".to_owned(),
    })
}

pub async fn watch(
    State((server, gate)): State<(Arc<Server>, Arc<Gate>)>,
    Extension(Peer(peer)): Extension<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    let (address, certain) = gate.hosting.proxies.asker(peer, request.headers());
    let visitor = Visitor::at(address);
    let tab = Tab::of(visitor, request.headers());
    request.extensions_mut().insert(tab);
    request.extensions_mut().insert(AskedFrom(certain.then_some(address)));
    let mut watched = Watched {
        method: request.method().clone(),
        uri: request.uri().clone(),
        visitor,
        begun: Instant::now(),
        status: ABANDONED,
        server,
    };
    let response = match watched.server.rate.check(visitor) {
        Ok(()) => next.run(request).await,
        Err(problem) if is_api(&watched.uri) => problem.into_response(),
        Err(problem) => problem.as_page(watched.uri.path(), "Too many requests"),
    };
    watched.status = response.status().as_u16();
    response
}

/// A request, which is counted and written to the log when this is dropped: with the answer, or when the visitor goes
/// away before.
struct Watched {
    method: Method,
    uri: Uri,
    visitor: Visitor,
    begun: Instant,
    status: u16,
    server: Arc<Server>,
}

impl Drop for Watched {
    fn drop(&mut self) {
        let Watched { method, uri, visitor, begun, status, server } = self;
        let (time, page) = (begun.elapsed(), page(uri));
        server.metrics.answered(page, *status, time);
        if page != "asset"
            && let Some(game) = game(server, uri)
        {
            server.metrics.asked(&game);
        }
        let query: String = uri.query().unwrap_or_default().chars().take(LONGEST).collect();
        let (path, ms, visitor) = (uri.path(), time.as_secs_f64() * 1e3, visitor.to_string());
        let ms = (ms * 10.0).round() / 10.0;
        if time > SLOW {
            tracing::warn!(%method, path, query, status, ms, visitor, "slow request");
        } else {
            tracing::info!(%method, path, query, status, ms, visitor, "request");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_told_apart_by_few_words() {
        for (uri, word) in [
            ("/", "index"),
            ("/play.html?game=nim", "play"),
            ("/play", "play"),
            ("/assets/style.css", "asset"),
            ("/api/v1/solve?game=nim", "solve"),
            ("/api/v1/nothing", "api"),
            ("/nothing/else", "other"),
        ] {
            assert_eq!(page(&Uri::from_static(uri)), word, "{uri}");
        }
    }
}
