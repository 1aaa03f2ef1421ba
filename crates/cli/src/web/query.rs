//! The parameters of an address. Unknown and repeated names are refused, so that a typing error does
//! not silently change the question. The names of the API come from its description.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use axum::extract::Request;
use axum::http::Uri;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::asked::unreadable;
use super::problem::{Problem, no_parameter, shown};
use super::reply::is_api;
use super::{address, editor, form, openapi};

/// The parameters of a path, and the prefix of further ones that the page checks itself.
#[derive(Clone, Debug, Default)]
struct Known {
    names: Vec<String>,
    others: Option<&'static str>,
}

/// The parameters of every page and of every path of the API.
static KNOWN: LazyLock<HashMap<String, Known>> = LazyLock::new(|| {
    let page = |path: &str, names: &[&str], others| {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        (path.to_owned(), Known { names, others })
    };
    let typed = [&address::NAMES[..], &address::TYPED[..]].concat();
    let pages = [
        page("/", &[], None),
        page("/play", &typed, None),
        page("/new", &form::NAMES, Some(form::OWN)),
        page("/rules", &editor::NAMES, None),
        page("/tree", &address::NAMES, None),
        page("/table", &["game"], None),
        page("/api/v1/", &[], None),
    ];
    let questions = openapi::parameters().map(|(path, names)| {
        let others = None;
        (path, Known { names, others })
    });
    pages.into_iter().chain(questions).collect()
});

/// A wrong parameter of an address, and the reason.
fn refused(uri: &Uri) -> Option<(String, String)> {
    let (path, query) = (uri.path(), uri.query()?);
    let known = KNOWN.get(path)?;
    let mut seen = HashSet::new();
    for (name, _) in form_urlencoded::parse(query.as_bytes()) {
        let other = known.others.is_some_and(|others| name.starts_with(others));
        if !other && !known.names.iter().any(|known| *known == name) {
            return Some((shown(&name), no_parameter(&name, path, &known.names)));
        }
        if seen.contains(&name) {
            let name = shown(&name);
            let why = format!("`{name}` is given twice: give it once");
            return Some((name, why));
        }
        seen.insert(name);
    }
    None
}

/// Refuses requests with wrong parameters.
pub async fn only_known(request: Request, next: Next) -> Response {
    match refused(request.uri()) {
        None => next.run(request).await,
        Some((name, why)) if is_api(request.uri()) => {
            Problem::wrong(why).with_parameter(&name).into_response()
        }
        Some((_, why)) => unreadable(&why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::problem::SHOWN;

    fn why(uri: &'static str) -> Option<String> {
        refused(&Uri::from_static(uri)).map(|(_, why)| why)
    }

    #[test]
    fn unknown_parameters_are_named_with_the_nearest() {
        assert_eq!(why("/api/v1/show?game=nim&moves=1&position=x"), None);
        assert_eq!(
            why("/api/v1/show?gmae=nim").unwrap(),
            "`gmae` is not a parameter of /api/v1/show: it has game, position, moves; \
             did you mean `game`?"
        );
        // One that another question has.
        assert!(why("/api/v1/show?game=nim&depth=3").unwrap().contains("`depth` is not"));
        assert!(why("/play?game=nim&hint=on").unwrap().ends_with("did you mean `hints`?"));
        assert_eq!(why("/?x=1").unwrap(), "`x` is not a parameter of /: it has none");
        assert!(why("/tree?game=nim&wait=on").is_some());
        assert_eq!(why("/new?game=nim&p.heaps=1-2"), None);
        assert_eq!(why("/nowhere?x=1"), None);
        assert!(why("/play?game=nim&game=nim").unwrap().contains("given twice"));
        assert_eq!(why("/play?game=nim&&"), None);
    }

    #[test]
    fn long_names_are_not_repeated_whole() {
        let uri: Uri = format!("/play?{}=1", "x".repeat(60_000)).parse().unwrap();
        let (name, why) = refused(&uri).unwrap();
        assert!(name.len() == SHOWN && why.len() < 400, "{why}");
        let uri: Uri = format!("/new?p.{0}=1&p.{0}=2", "x".repeat(20_000)).parse().unwrap();
        assert!(refused(&uri).unwrap().1.len() < 400);
        assert!(no_parameter(&"x".repeat(60_000), "nim", &["p.heaps"]).len() < 400);
    }
}
