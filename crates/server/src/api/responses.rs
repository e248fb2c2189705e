//! Error responses common to all paths.

use std::collections::BTreeMap;

use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use crate::problem::ProblemDocument;

/// The problems that any path may answer with.
pub struct Problems;

impl IntoResponses for Problems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        [
            (400, "Malformed request"),
            (401, "Authentication required"),
            (403, "Forbidden, or a cross-site request"),
            (404, "Not found"),
            (409, "Conflict with the current state"),
            (413, "Request too large"),
            (415, "Unsupported media type"),
            (422, "Well-formed but not possible"),
            (429, "Too many requests; see `Retry-After`"),
            (503, "Server busy; see `Retry-After`"),
        ]
        .into_iter()
        .map(|(status, description)| (status.to_string(), RefOr::T(problem(description))))
        .collect()
    }
}

fn problem(description: &str) -> Response {
    let schema = Ref::from_schema_name(ProblemDocument::name());
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().description(description).content("application/problem+json", content).build()
}
