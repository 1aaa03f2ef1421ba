//! The OpenAPI description of the API: `openapi.json`, which is written by hand. Tests hold every answer against it, and
//! the parameters that handlers read.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

const TEXT: &str = include_str!("openapi.json");

/// The addresses of this document beside its own.
pub const ROOTS: [&str; 2] = ["/api/v1", "/api/v1/"];

/// This document.
pub async fn contract() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], TEXT).into_response()
}

static API: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(TEXT).unwrap_or_default());

/// Every path of the API with the names of its parameters.
pub fn parameters() -> impl Iterator<Item = (String, Vec<String>)> {
    let name = |parameter: &Value| Some(parameter["name"].as_str()?.to_owned());
    API["paths"].as_object().into_iter().flatten().map(move |(path, item)| {
        let all = item["get"]["parameters"].as_array();
        (format!("/api/v1{path}"), all.into_iter().flatten().filter_map(name).collect())
    })
}
