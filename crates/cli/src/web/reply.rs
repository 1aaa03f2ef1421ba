//! What answers have in common: their headers, error pages, and how pages become answers.

use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use foregone_page::view::frame::{self, Reply};

use super::problem;
use super::queues::NoAnswer;

/// Whether an address belongs to the API, where errors are problems instead of pages.
pub fn is_api(uri: &Uri) -> bool {
    uri.path() == "/api" || uri.path().starts_with("/api/")
}

/// An error page, for whatever path was asked for.
pub fn error_page(status: StatusCode, path: &str, title: &str, why: &str) -> Response {
    (status, Html(frame::wrong_at(path, title, why).into_string())).into_response()
}

/// A page as an answer.
pub fn answer(reply: Reply) -> Response {
    match reply {
        Reply::Page(page) => Html(page.into_string()).into_response(),
        Reply::Wrong(page) => (StatusCode::BAD_REQUEST, Html(page.into_string())).into_response(),
        Reply::Go(address) => Redirect::to(&address).into_response(),
    }
}

impl IntoResponse for NoAnswer {
    fn into_response(self) -> Response {
        match self {
            NoAnswer::Busy { again } => {
                let again = problem::seconds(again);
                let why = format!("Too many questions are waiting; try again in {again} seconds.");
                let status = StatusCode::SERVICE_UNAVAILABLE;
                let mut response = error_page(status, "/", "The server is busy", &why);
                response.headers_mut().insert(header::RETRY_AFTER, again.into());
                response
            }
            NoAnswer::Panicked => error_page(
                StatusCode::INTERNAL_SERVER_ERROR,
                "/",
                "Something went wrong",
                "The program has an error in this request; other requests still work.",
            ),
        }
    }
}

/// What a browser may load and do, and who may show the page in a frame.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                          connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The headers of every answer: the browser loads nothing from other sites, runs no inline scripts,
/// and does not show the page in a frame.
pub const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Gives an answer its headers; `framed` is the policy where some sites may show the page in a frame.
pub fn with_headers(framed: Option<&HeaderValue>, mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, value);
    }
    if let Some(policy) = framed {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
        headers.remove(header::X_FRAME_OPTIONS);
    }
    response
}
