//! Monitoring: `/metrics` for Prometheus, `/healthz` for health checks.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::{Router, routing};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::app_state::AppState;
use crate::problem::Problem;
use crate::runs::grid;

/// Buckets of the histogram of durations, in seconds.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// One recorder per process, even if several servers run in it.
static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// Installs the recorder, once per process.
pub fn start() {
    RECORDER.get_or_init(|| {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("seconds".to_owned()), &SECONDS)
            .expect("there are bounds");
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        // Another recorder is installed already; `/metrics` is then empty.
        let _ = metrics::set_global_recorder(recorder);
        handle
    });
}

/// The routes.
pub fn router() -> Router<Arc<AppState>> {
    Router::new().route("/metrics", routing::get(show)).route("/healthz", routing::get(health))
}

async fn show(State(app): State<Arc<AppState>>) -> Response {
    let mut text = RECORDER.get().map(PrometheusHandle::render).unwrap_or_default();
    if let Some(runs) = app.runs.clone() {
        // Files are read on a blocking thread.
        text += &tokio::task::spawn_blocking(move || grid::figures(&runs)).await.unwrap_or_default();
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

/// Healthy when the database answers.
async fn health(State(app): State<Arc<AppState>>) -> Result<&'static str, Problem> {
    app.store.run(|connection| Ok(connection.execute_batch("SELECT 1")?)).await.map_err(Problem::internal)?;
    Ok("ok\n")
}

/// Records every request.
pub async fn measure(request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().map_or("page", MatchedPath::as_str).to_owned();
    // Unknown methods share one label: every label value is kept for ever.
    let method = match request.method().as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "OPTIONS") => known.to_owned(),
        _ => "other".to_owned(),
    };
    let began = Instant::now();
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    metrics::histogram!("tabia_http_seconds", "method" => method.clone(), "path" => path.clone())
        .record(began.elapsed());
    metrics::counter!("tabia_http_requests", "method" => method, "path" => path, "status" => status)
        .increment(1);
    response
}

/// Trims old measurements; called now and then.
pub fn tidy() {
    if let Some(handle) = RECORDER.get() {
        handle.run_upkeep();
    }
}
