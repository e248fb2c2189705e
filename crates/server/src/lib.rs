//! The HTTP server: games against agents, analysis, runs, and the embedded page.
//!
//! [`router`] builds an axum router from an [`app_state::AppState`]; [`serve`] runs it on a listener. A game is a
//! [session](sessions) of [`chess`] or [`quantum`] chess. Agents think in an [`engine_pool`]. Every change is saved in SQLite
//! ([`store`]) before clients see it. Handlers and their OpenAPI description are in [`api`].
#![allow(missing_docs, reason = "an application: names and types of its internals speak for themselves")]

pub mod agents;
pub mod api;
pub mod app_state;
pub mod budget;
pub mod caller;
pub mod chess;
pub mod chess960;
pub mod client;
pub mod config;
pub mod connections;
pub mod documents;
pub mod engine_pool;
pub mod explorer;
pub mod external;
pub mod extract;
pub mod guard;
pub mod headers;
pub mod id;
pub mod input_error;
pub mod legacy;
pub mod line;
pub mod login;
pub mod logins;
pub mod page;
pub mod problem;
pub mod quantum;
pub mod rates;
pub mod reviews;
pub mod runs;
pub mod serve;
pub mod served_game;
pub mod sessions;
pub mod store;
pub mod telemetry;
pub mod thinking;
pub mod timestamp;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::{Method, Uri};
use axum::{Router, middleware};
use tower_http::compression::CompressionLayer;
use tower_http::trace::TraceLayer;
use utoipa_swagger_ui::SwaggerUi;

use app_state::AppState;
use problem::{Kind, Problem};

/// The router of the whole server.
pub fn router(app: Arc<AppState>) -> Router {
    telemetry::start();
    let (api, description) = api::router();
    api.merge(SwaggerUi::new("/api/docs").url("/api/v1/openapi.json", description))
        .merge(legacy::router())
        .merge(login::router())
        .merge(telemetry::router())
        .fallback(page::show)
        .method_not_allowed_fallback(not_with_this_method)
        .layer(middleware::from_fn(telemetry::measure))
        .layer(DefaultBodyLimit::max(app.config.bounds.body_bytes))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
        .layer(middleware::from_fn(headers::add))
        .layer(TraceLayer::new_for_http())
        .with_state(app)
}

/// The OpenAPI description of the API.
pub fn description() -> utoipa::openapi::OpenApi {
    api::router().1
}

async fn not_with_this_method(method: Method, uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(100).collect();
    let detail = format!("{path} does not take {method}; the header `Allow` says what it takes");
    Problem::new(Kind::MethodNotAllowed, detail)
}
