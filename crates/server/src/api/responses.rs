//! What every path may answer when it cannot do what it was asked.

use std::collections::BTreeMap;

use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use crate::problem::ProblemDocument;

/// The problems that any path may answer with.
pub struct Problems;

impl IntoResponses for Problems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        [
            (400, "The request cannot be read"),
            (401, "A token is needed"),
            (403, "Not allowed, or not from here"),
            (404, "There is no such thing"),
            (409, "Not in this state"),
            (413, "Too large"),
            (415, "Not in this form"),
            (422, "Readable, and not possible"),
            (429, "Too often; `Retry-After` says when"),
            (503, "Everything is in use; `Retry-After` says when"),
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
