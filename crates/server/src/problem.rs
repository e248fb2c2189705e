//! What goes wrong, as RFC 9457 writes it: `application/problem+json` with a kind, a title and a sentence that says
//! what was wrong and what would be right.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// What kind of problem it is. Each has a status, a title and a name that programs can compare.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The request cannot be read.
    BadRequest,
    /// No token, or a wrong one.
    Unauthorized,
    /// From another site, or by a name that is not this server's.
    CrossSite,
    /// Not allowed here.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// The thing is there, and does not take this method.
    MethodNotAllowed,
    /// The thing is not in the state that the request supposes.
    Conflict,
    /// More than the server reads.
    TooLarge,
    /// Not in a form that the server reads.
    UnsupportedMediaType,
    /// Readable, and not possible: an illegal move, a wrong position, an unknown agent.
    Unprocessable,
    /// Too often.
    TooManyRequests,
    /// Everything is in use.
    Busy,
    /// The server's own fault.
    Internal,
}

impl Kind {
    const fn facts(self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Kind::BadRequest => (StatusCode::BAD_REQUEST, "bad-request", "The request cannot be read"),
            Kind::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized", "A token is needed"),
            Kind::CrossSite => (StatusCode::FORBIDDEN, "cross-site", "Not from here"),
            Kind::Forbidden => (StatusCode::FORBIDDEN, "forbidden", "Not allowed"),
            Kind::NotFound => (StatusCode::NOT_FOUND, "not-found", "There is no such thing"),
            Kind::MethodNotAllowed => {
                (StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", "Not with this method")
            }
            Kind::Conflict => (StatusCode::CONFLICT, "conflict", "Not in this state"),
            Kind::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "too-large", "Too large"),
            Kind::UnsupportedMediaType => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "Not in this form")
            }
            Kind::Unprocessable => (StatusCode::UNPROCESSABLE_ENTITY, "unprocessable", "Not possible"),
            Kind::TooManyRequests => (StatusCode::TOO_MANY_REQUESTS, "too-many-requests", "Too often"),
            Kind::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy", "Everything is in use"),
            Kind::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal", "The server's own fault"),
        }
    }
}

/// When to come back after everything was in use.
pub const RETRY: Duration = Duration::from_secs(2);

/// A problem on its way to a client.
#[derive(Clone, Debug)]
pub struct Problem {
    kind: Kind,
    detail: String,
    retry_after: Option<Duration>,
}

/// RFC 9457's document.
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemDocument {
    /// The kind of problem, as a relative reference: `/problems/conflict`.
    #[serde(rename = "type")]
    #[schema(example = "/problems/unprocessable")]
    kind: String,
    /// The kind in words.
    #[schema(example = "Not possible")]
    title: &'static str,
    /// The HTTP status.
    #[schema(example = 422)]
    status: u16,
    /// What was wrong this time, and what would be right.
    #[schema(example = "\"e2e5\" is not legal here")]
    detail: String,
    /// Seconds after which another attempt makes sense.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_s: Option<u64>,
}

impl Problem {
    /// A problem of a kind, in a sentence.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Problem {
        Problem { kind, detail: detail.into(), retry_after: None }
    }

    /// Says when another attempt makes sense.
    #[must_use]
    pub fn retry_after(mut self, time: Duration) -> Problem {
        self.retry_after = Some(time);
        self
    }

    /// Everything is in use.
    pub fn busy(detail: impl Into<String>, retry_after: Duration) -> Problem {
        Problem::new(Kind::Busy, detail).retry_after(retry_after)
    }

    /// Readable, and not possible.
    pub fn unprocessable(error: impl std::fmt::Display) -> Problem {
        Problem::new(Kind::Unprocessable, error.to_string())
    }

    /// The server's own fault: the cause goes to the log, not to the client.
    pub fn internal(error: impl std::fmt::Display) -> Problem {
        tracing::error!(%error, "a request failed");
        Problem::new(Kind::Internal, "something failed within the server; its log says what")
    }

    /// What is said of it.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// What kind it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, slug, title) = self.kind.facts();
        let seconds = self.retry_after.map(|time| time.as_secs().max(1));
        let document = ProblemDocument {
            kind: format!("/problems/{slug}"),
            title,
            status: status.as_u16(),
            detail: self.detail,
            retry_after_s: seconds,
        };
        let body = serde_json::to_vec(&document).expect("a problem is plain data");
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.kind == Kind::Unauthorized {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"tabia\""));
        }
        response
    }
}
