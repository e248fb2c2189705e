//! Errors as problem documents (RFC 9457, `application/problem+json`): a kind, a title, and a sentence that says what
//! was wrong and what would be right.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Kind of problem. Each has a status, a title and a name that programs can compare.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 400: malformed request.
    BadRequest,
    /// 401: no token, or a wrong one.
    Unauthorized,
    /// 403: from another site, or to a name that is not this server's.
    CrossSite,
    /// 403: not allowed here.
    Forbidden,
    /// 404.
    NotFound,
    /// 405: the resource does not support this method.
    MethodNotAllowed,
    /// 409: the resource is not in the state that the request assumes.
    Conflict,
    /// 413: the body is too large.
    TooLarge,
    /// 415: unsupported media type.
    UnsupportedMediaType,
    /// 422: well-formed but impossible, such as an illegal move, an invalid position or an unknown agent.
    Unprocessable,
    /// 429: rate limit exceeded.
    TooManyRequests,
    /// 503: all capacity is in use.
    Busy,
    /// 500: internal error.
    Internal,
}

impl Kind {
    const fn facts(self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Kind::BadRequest => (StatusCode::BAD_REQUEST, "bad-request", "Malformed request"),
            Kind::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized", "Authentication required"),
            Kind::CrossSite => (StatusCode::FORBIDDEN, "cross-site", "Cross-site request refused"),
            Kind::Forbidden => (StatusCode::FORBIDDEN, "forbidden", "Forbidden"),
            Kind::NotFound => (StatusCode::NOT_FOUND, "not-found", "Not found"),
            Kind::MethodNotAllowed => {
                (StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", "Method not allowed")
            }
            Kind::Conflict => (StatusCode::CONFLICT, "conflict", "Conflict with the current state"),
            Kind::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "too-large", "Request too large"),
            Kind::UnsupportedMediaType => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "Unsupported media type")
            }
            Kind::Unprocessable => (StatusCode::UNPROCESSABLE_ENTITY, "unprocessable", "Not possible"),
            Kind::TooManyRequests => {
                (StatusCode::TOO_MANY_REQUESTS, "too-many-requests", "Too many requests")
            }
            Kind::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy", "Server busy"),
            Kind::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal", "Internal server error"),
        }
    }
}

/// `Retry-After` when all capacity is in use.
pub const RETRY: Duration = Duration::from_secs(2);

/// A problem to be sent to a client.
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
    /// A problem with a sentence of detail.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Problem {
        Problem { kind, detail: detail.into(), retry_after: None }
    }

    /// Sets `Retry-After`.
    #[must_use]
    pub fn retry_after(mut self, time: Duration) -> Problem {
        self.retry_after = Some(time);
        self
    }

    /// 503: all capacity is in use.
    pub fn busy(detail: impl Into<String>, retry_after: Duration) -> Problem {
        Problem::new(Kind::Busy, detail).retry_after(retry_after)
    }

    /// 422: well-formed but impossible.
    pub fn unprocessable(error: impl std::fmt::Display) -> Problem {
        Problem::new(Kind::Unprocessable, error.to_string())
    }

    /// 500: the cause is logged, not sent to the client.
    pub fn internal(error: impl std::fmt::Display) -> Problem {
        tracing::error!(%error, "a request failed");
        Problem::new(Kind::Internal, "something failed within the server; its log says what")
    }

    /// The sentence of detail.
    pub fn detail(&self) -> &str {
        &self.detail
    }

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
