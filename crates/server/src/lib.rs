//! The laboratory over HTTP: games against agents, positions taken apart, runs watched, and the page that shows it.
//!
//! [`app`] makes a router of a [`lab::Lab`]; whoever owns a listener serves it ([`serve`]). Games are played at
//! tables ([`game`]), agents think on threads of their own ([`engines`]), what happens is kept by SQLite ([`store`])
//! before anybody is told. The paths are described where they are ([`api`]), and the description is served with them.

pub mod agents;
pub mod api;
pub mod caller;
pub mod chess960;
pub mod config;
pub mod engines;
pub mod extract;
pub mod game;
pub mod id;
pub mod lab;
pub mod line;
pub mod moment;
pub mod problem;
pub mod serve;
pub mod store;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{Method, Uri};
use utoipa_swagger_ui::SwaggerUi;

use lab::Lab;
use problem::{Kind, Problem};

/// Everything the server answers.
pub fn app(lab: Arc<Lab>) -> Router {
    let (api, description) = api::router();
    api.merge(SwaggerUi::new("/api/docs").url("/api/v1/openapi.json", description))
        .fallback(nothing)
        .method_not_allowed_fallback(not_with_this_method)
        .layer(DefaultBodyLimit::max(lab.config.bounds.body_bytes))
        .with_state(lab)
}

/// The description of the API, as it is served.
pub fn description() -> utoipa::openapi::OpenApi {
    api::router().1
}

async fn nothing(uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(100).collect();
    Problem::new(Kind::NotFound, format!("there is nothing at {path}; /api/docs says what there is"))
}

async fn not_with_this_method(method: Method, uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(100).collect();
    let detail = format!("{path} does not take {method}; the header `Allow` says what it takes");
    Problem::new(Kind::MethodNotAllowed, detail)
}
