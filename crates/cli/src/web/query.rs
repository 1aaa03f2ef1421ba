//! The parameters of the questions of the API. Unknown and repeated names are refused, so that a typing error does
//! not silently change the question. Their names come from the API's description.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::extract::Request;
use axum::http::Uri;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use foregone_page::route;

use super::openapi;
use super::problem::Problem;

/// The names of the parameters of every path.
static KNOWN: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let roots = openapi::ROOTS.map(|root| (root.to_owned(), Vec::new()));
    openapi::parameters().chain(roots).collect()
});

/// A wrong parameter of an address, and the reason.
fn refused(uri: &Uri) -> Option<route::Refused> {
    let known = KNOWN.get(uri.path())?;
    route::refused(uri.path(), uri.query()?, known, None)
}

/// Refuses requests with wrong parameters.
pub async fn only_known(request: Request, next: Next) -> Response {
    match refused(request.uri()) {
        None => next.run(request).await,
        Some((name, why)) => Problem::wrong(why).with_parameter(&name).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_parameters_are_named_with_the_nearest() {
        let why = |uri: &'static str| refused(&Uri::from_static(uri)).map(|(_, why)| why);
        assert_eq!(why("/api/v1/show?game=nim&moves=1&position=x"), None);
        assert_eq!(
            why("/api/v1/show?gmae=nim").unwrap(),
            "`gmae` is not a parameter of /api/v1/show: it has game, position, moves; \
             did you mean `game`?"
        );
        // One that another question has.
        assert!(why("/api/v1/show?game=nim&depth=3").unwrap().contains("`depth` is not"));
        assert!(why("/api/v1/?x=1").unwrap().contains("it has none"));
    }
}
