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
pub mod external;
pub mod extract;
pub mod game;
pub mod guard;
pub mod headers;
pub mod id;
pub mod lab;
pub mod legacy;
pub mod line;
pub mod login;
pub mod moment;
pub mod page;
pub mod problem;
pub mod quantum;
pub mod runs;
pub mod serve;
pub mod store;
pub mod telemetry;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::{Method, Uri};
use axum::{Router, middleware};
use tower_http::compression::CompressionLayer;
use tower_http::trace::TraceLayer;
use utoipa_swagger_ui::SwaggerUi;

use lab::Lab;
use problem::{Kind, Problem};

/// Everything the server answers.
pub fn app(lab: Arc<Lab>) -> Router {
    telemetry::start();
    let (api, description) = api::router();
    api.merge(SwaggerUi::new("/api/docs").url("/api/v1/openapi.json", description))
        .merge(legacy::router())
        .merge(login::router())
        .merge(telemetry::router())
        .fallback(page::show)
        .method_not_allowed_fallback(not_with_this_method)
        .layer(middleware::from_fn(telemetry::measure))
        .layer(DefaultBodyLimit::max(lab.config.bounds.body_bytes))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(lab.clone(), guard::guard))
        .layer(middleware::from_fn(headers::add))
        .layer(TraceLayer::new_for_http())
        .with_state(lab)
}

/// The description of the API, as it is served.
pub fn description() -> utoipa::openapi::OpenApi {
    api::router().1
}

async fn not_with_this_method(method: Method, uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(100).collect();
    let detail = format!("{path} does not take {method}; the header `Allow` says what it takes");
    Problem::new(Kind::MethodNotAllowed, detail)
}
