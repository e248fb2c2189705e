//! What can be measured from outside: `/metrics` for Prometheus, `/healthz` for whoever watches over the process.

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

/// Bounds of the histogram of durations, in seconds.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// The process has one recorder, whatever number of servers run in it.
static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// Starts recording, once in a process.
pub fn start() {
    RECORDER.get_or_init(|| {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("seconds".to_owned()), &SECONDS)
            .expect("there are bounds");
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        // Somebody else may record already; then there is nothing to show here.
        let _ = metrics::set_global_recorder(recorder);
        handle
    });
}

/// The two paths.
pub fn router() -> Router<Arc<AppState>> {
    Router::new().route("/metrics", routing::get(show)).route("/healthz", routing::get(health))
}

async fn show(State(app): State<Arc<AppState>>) -> Response {
    let mut text = RECORDER.get().map(PrometheusHandle::render).unwrap_or_default();
    if let Some(runs) = app.runs.clone() {
        // Files are read where waiting for a disk holds up nobody.
        text += &tokio::task::spawn_blocking(move || grid::figures(&runs)).await.unwrap_or_default();
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

/// Well when the storage answers.
async fn health(State(app): State<Arc<AppState>>) -> Result<&'static str, Problem> {
    app.store.run(|connection| Ok(connection.execute_batch("SELECT 1")?)).await.map_err(Problem::internal)?;
    Ok("ok\n")
}

/// Measures every request.
pub async fn measure(request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().map_or("page", MatchedPath::as_str).to_owned();
    // Anything may be sent as a method, and every name that is counted is kept for ever.
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

/// Lets old measurements go; called now and then.
pub fn tidy() {
    if let Some(handle) = RECORDER.get() {
        handle.run_upkeep();
    }
}
