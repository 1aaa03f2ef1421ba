//! The parameters of an address as a structure; an error is a page, or a problem of the API.

use axum::extract::{FromRequestParts, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

use super::problem::Problem;
use super::reply::{error_page, is_api};

/// The page for an address that cannot be read.
pub fn unreadable(why: &str) -> Response {
    error_page(StatusCode::BAD_REQUEST, "This address cannot be read", why)
}

/// The parameters of an address; the rejection says what cannot be read.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Response> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(fields)) => Ok(Asked(fields)),
            Err(why) if is_api(&parts.uri) => Err(Problem::wrong(why.body_text()).into_response()),
            Err(why) => Err(unreadable(&why.body_text())),
        }
    }
}
