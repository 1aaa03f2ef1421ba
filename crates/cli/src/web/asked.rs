//! The parameters of a question of the API as a structure; an error is a problem.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// The parameters of an address; the rejection says what cannot be read.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Response> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(fields)) => Ok(Asked(fields)),
            Err(why) => Err(Problem::wrong(why.body_text()).into_response()),
        }
    }
}
