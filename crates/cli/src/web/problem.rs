//! Why a question has no answer, as programs read it: problem details for HTTP (RFC 9457). All that
//! goes wrong in the API, and all that the server refuses before it looks at a path, has this shape.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use foregone::Invalid;
use serde::Serialize;

use super::queues::NoAnswer;
use super::reply::error_page;

/// The kind of the content.
const CONTENT: &str = "application/problem+json";

/// A problem. Its type is `about:blank`: what kind it is, the status says.
#[derive(Clone, Debug)]
pub struct Problem(Box<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    status: StatusCode,
    body: Body,
    /// After how long it may be worth while to ask again.
    again: Option<Duration>,
}

/// Problem details (RFC 9457).
#[derive(Clone, Debug, Serialize)]
pub struct Body {
    /// Always about:blank: the status says what kind of problem it is.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The name of the status.
    title: &'static str,
    /// The status.
    status: u16,
    /// What is wrong, and what to do, in words.
    detail: String,
    /// The parameter of the address that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<String>,
    /// The text that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    /// What was expected in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
}

impl Parts {
    /// Says after how long to ask again.
    fn retry(&self, response: &mut Response) {
        if let Some(again) = self.again {
            response.headers_mut().insert(header::RETRY_AFTER, seconds(again).into());
        }
    }
}

impl Problem {
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Problem {
        let body = Body {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.into(),
            parameter: None,
            found: None,
            expected: None,
        };
        Problem(Box::new(Parts { status, body, again: None }))
    }

    /// The question is wrong.
    pub fn wrong(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    /// A parameter of the question is wrong.
    pub fn parameter(name: &str, why: impl std::fmt::Display) -> Problem {
        Problem::wrong(format!("{name}: {why}")).with_parameter(name)
    }

    /// Adds the name of the parameter that is wrong.
    pub fn with_parameter(mut self, name: &str) -> Problem {
        self.0.body.parameter = Some(name.to_owned());
        self
    }

    /// The server has no room for the question now; it may have some after this time.
    pub fn later(detail: impl Into<String>, again: Duration) -> Problem {
        let mut problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail);
        problem.0.again = Some(again);
        problem
    }

    /// The visitor asks too often; after this time there is room again.
    pub fn often(again: Duration) -> Problem {
        let why = format!("too many requests: ask again in {} s", seconds(again));
        let mut problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, why);
        problem.0.again = Some(again);
        problem
    }

    /// The problem for people, with this title.
    pub fn as_page(&self, path: &str, title: &str) -> Response {
        let mut response = error_page(self.0.status, path, title, &self.0.body.detail);
        self.0.retry(&mut response);
        response
    }

    pub fn missing() -> Problem {
        Problem::new(
            StatusCode::NOT_FOUND,
            "there is no such path in the API; /api/v1/openapi.json names those there are",
        )
    }

    pub fn not_allowed() -> Problem {
        Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "every question is a GET request, with its parameters in the address",
        )
    }

    pub fn mistake() -> Problem {
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the program made a mistake on this question; others are answered",
        )
    }
}

impl From<NoAnswer> for Problem {
    fn from(why: NoAnswer) -> Problem {
        match why {
            NoAnswer::Busy { again } => {
                let seconds = seconds(again);
                let detail = format!(
                    "too many questions are waiting for an answer: ask again in {seconds} s"
                );
                Problem::later(detail, again)
            }
            NoAnswer::Panicked => Problem::mistake(),
        }
    }
}

impl From<Invalid> for Problem {
    fn from(error: Invalid) -> Problem {
        let mut problem = Problem::wrong(error.to_string());
        problem.0.body.found = Some(error.found);
        problem.0.body.expected = Some(error.expected);
        problem
    }
}

impl Problem {
    /// The kind of the content, and the content.
    pub fn written(&self) -> (HeaderValue, String) {
        // Texts and a number are always JSON.
        let body = serde_json::to_string(&self.0.body).unwrap_or_default();
        (HeaderValue::from_static(CONTENT), body)
    }
}

/// A time in whole seconds, at least one, as the header `Retry-After` has it.
pub fn seconds(time: Duration) -> u64 {
    time.as_millis().div_ceil(1000).clamp(1, u64::MAX.into()) as u64
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (kind, body) = self.written();
        let mut response = (self.0.status, [(header::CONTENT_TYPE, kind)], body).into_response();
        self.0.retry(&mut response);
        response
    }
}
