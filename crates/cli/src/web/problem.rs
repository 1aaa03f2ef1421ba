//! Why a question has no answer, as programs read it: problem details for HTTP (RFC 9457). All that
//! goes wrong in the API, and all that the server refuses before it looks at a path, has this shape.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use foregone::Invalid;
use serde::Serialize;
use utoipa::openapi::{self, Content};
use utoipa::{IntoResponses, ToSchema};

use super::queues::NoAnswer;

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
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct Body {
    /// Always about:blank: the status says what kind of problem it is.
    #[serde(rename = "type")]
    #[schema(format = "uri-reference")]
    kind: &'static str,
    /// The name of the status.
    title: &'static str,
    /// The status.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// What is wrong, and what to do, in words.
    detail: String,
    /// The parameter of the address that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    parameter: Option<String>,
    /// The text that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    found: Option<String>,
    /// What was expected in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    expected: Option<String>,
}

/// The error statuses in the description of the API, each with the name of its answer and its cause.
const STATUSES: [(&str, &str, &str); 6] = [
    (
        "400",
        "Wrong",
        "The question is wrong: a parameter is unknown, missing or cannot be read, the move is not \
         legal, or the method cannot answer it.",
    ),
    ("403", "CrossSite", "A page of another site asked through a browser."),
    ("421", "Misdirected", "The header Host names no host of this server."),
    ("500", "Mistake", "An error in the program, or a damaged table."),
    ("503", BUSY, "Too many questions are waiting, or this one exceeds the server's limits."),
    (
        "default",
        "Problem",
        "All other errors: 404 for a path that does not exist, 405 (with Allow) for another method \
         than GET, 429 (with Retry-After) for a visitor who asks too often, 400, 414 and 431 for invalid \
         requests.",
    ),
];

/// The answer of a busy server, only to questions that wait for a worker.
const BUSY: &str = "Busy";

/// The error answers in the description of the API, by name.
pub fn responses() -> impl Iterator<Item = (&'static str, openapi::Response)> {
    STATUSES.into_iter().map(|(_, name, when)| {
        let body = Content::new(Some(openapi::Ref::from_schema_name("Problem")));
        let response = openapi::ResponseBuilder::new().description(when).content(CONTENT, body);
        let response = match name {
            BUSY => response.header("Retry-After", retry_after()),
            _ => response,
        };
        (name, response.build())
    })
}

/// The description of the header `Retry-After`.
fn retry_after() -> openapi::Header {
    let seconds = openapi::ObjectBuilder::new().schema_type(openapi::Type::Integer);
    openapi::HeaderBuilder::new()
        .description(Some("After how many seconds to ask again."))
        .schema(Some(seconds.minimum(Some(1)).build()))
        // The library has no field for this one.
        .extensions(Some([("required", true)].into_iter().collect()))
        .build()
}

type Responses = BTreeMap<String, openapi::RefOr<openapi::Response>>;

/// References to some of the error answers.
fn references(wanted: impl Fn(&str) -> bool) -> Responses {
    let named = STATUSES.into_iter().filter(|(_, name, _)| wanted(name));
    let reference = |(status, name, _): (&str, _, _)| {
        (status.to_owned(), openapi::Ref::from_response_name(name).into())
    };
    named.map(reference).collect()
}

/// The errors of every question.
impl IntoResponses for Problem {
    fn responses() -> Responses {
        references(|name| name != BUSY)
    }
}

/// The further errors of a question that waits for a worker.
impl IntoResponses for NoAnswer {
    fn responses() -> Responses {
        references(|name| name == BUSY)
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
        if let Some(again) = self.0.again {
            response.headers_mut().insert(header::RETRY_AFTER, seconds(again).into());
        }
        response
    }
}
