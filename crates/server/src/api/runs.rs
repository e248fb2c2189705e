//! Runs (matches, evolutions, trainings): list, read and watch them.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::{Stream, StreamExt, stream};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;
use utoipa::IntoParams;

use super::responses::Problems;
use crate::app_state::AppState;
use crate::extract::{Json, Path, Query};
use crate::problem::{Kind, Problem};
use crate::runs::document::{MetricsLine, MetricsList, RunDocument, RunList, RunState};
use crate::runs::{MetricsOffset, RunError, Runs};

/// How often a watched run directory is polled.
const LOOK: Duration = Duration::from_millis(250);
/// Lines of metrics in one answer.
const MAX_LINES: usize = 10_000;
/// Lines of metrics read at a time for a stream.
const LINES_AT_A_TIME: usize = 256;
/// Bytes of an artefact read at a time.
const CHUNK_BYTES: usize = 64 * 1024;

/// Where to begin.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SinceLine {
    /// The number of the last line that is known already.
    #[serde(default)]
    pub since: Option<u64>,
}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Problem {
        match error {
            RunError::Name(_) => Problem::unprocessable(error),
            RunError::Missing { .. } => Problem::new(Kind::NotFound, error.to_string()),
            RunError::Taken(_) => Problem::new(Kind::Conflict, error.to_string()),
            RunError::Unreadable { .. } => Problem::internal(error),
        }
    }
}

/// Reads files on a blocking thread.
async fn reading<T: Send + 'static>(
    app: &AppState,
    read: impl FnOnce(&Runs) -> Result<T, RunError> + Send + 'static,
) -> Result<T, Problem> {
    let Some(runs) = app.runs.clone() else {
        return Err(Problem::new(Kind::NotFound, "this server has no data folder, and so no runs"));
    };
    let done = tokio::task::spawn_blocking(move || read(&runs)).await.map_err(Problem::internal)?;
    Ok(done?)
}

/// List the runs.
///
/// Those of the data folder, whoever made them.
#[utoipa::path(get, path = "/runs", tag = "runs",
    responses((status = 200, description = "The runs", body = RunList), Problems))]
pub async fn list(State(app): State<Arc<AppState>>) -> Result<Json<RunList>, Problem> {
    if app.runs.is_none() {
        return Ok(Json(RunList { runs: Vec::new() }));
    }
    Ok(Json(RunList { runs: reading(&app, Runs::list).await? }))
}

/// Look at a run.
#[utoipa::path(get, path = "/runs/{id}", tag = "runs", params(("id" = String, Path, description = "The run")),
    responses((status = 200, description = "The run", body = RunDocument), Problems))]
pub async fn show(
    State(app): State<Arc<AppState>>,
    Path(id): Path<String>,
) -> Result<Json<RunDocument>, Problem> {
    Ok(Json(reading(&app, move |runs| runs.show(&id)).await?))
}

/// Read how a run went.
#[utoipa::path(get, path = "/runs/{id}/metrics", tag = "runs",
    params(("id" = String, Path, description = "The run"), SinceLine),
    responses((status = 200, description = "The steps", body = MetricsList), Problems))]
pub async fn metrics(
    State(app): State<Arc<AppState>>,
    Path(id): Path<String>,
    Query(query): Query<SinceLine>,
) -> Result<Json<MetricsList>, Problem> {
    let since = query.since.unwrap_or(0);
    let metrics =
        reading(&app, move |runs| runs.metrics(&id, MetricsOffset::default(), since, MAX_LINES)).await?;
    let lines = metrics.lines.into_iter().map(|(line, values)| MetricsLine { line, values });
    Ok(Json(MetricsList { lines: lines.collect() }))
}

/// Read a file of a run.
#[utoipa::path(get, path = "/runs/{id}/artefacts/{name}", tag = "runs",
    params(("id" = String, Path, description = "The run"), ("name" = String, Path, description = "The file")),
    responses((status = 200, description = "The file", body = Vec<u8>, content_type = "application/octet-stream"), Problems))]
pub async fn artefact(
    State(app): State<Arc<AppState>>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let called = name.clone();
    let path = reading(&app, move |runs| runs.artefact(&id, &name)).await?;
    let opened =
        tokio::task::spawn_blocking(move || std::fs::File::open(path)).await.map_err(Problem::internal)?;
    let file = opened.map_err(Problem::internal)?;
    let mut response = Body::from_stream(chunks(file)).into_response();
    // Sent as a download: the file may be HTML, and must not run as a page of this site.
    let disposition = format!("attachment; filename=\"{called}\"");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    let value = HeaderValue::from_str(&disposition).expect("the name was checked");
    headers.insert(header::CONTENT_DISPOSITION, value);
    Ok(response)
}

/// A file read in chunks. Fused, because the compression layer may poll once more after the end.
fn chunks(file: std::fs::File) -> impl Stream<Item = std::io::Result<Vec<u8>>> {
    stream::unfold(file, |file| async move {
        let read = tokio::task::spawn_blocking(move || {
            let mut file = file;
            let mut bytes = vec![0; CHUNK_BYTES];
            let read = std::io::Read::read(&mut file, &mut bytes);
            (
                file,
                read.map(|length| {
                    bytes.truncate(length);
                    bytes
                }),
            )
        });
        match read.await {
            Ok((_, Ok(bytes))) if bytes.is_empty() => None,
            Ok((file, read)) => Some((read, file)),
            Err(_) => None,
        }
    })
    .fuse()
}

/// Watch a run.
///
/// Server-Sent Events: `metrics` for every step, numbered, so that `Last-Event-ID` or `since` resumes; `run` with the
/// whole run at the start and whenever its state, result or workers change; of a match also `live`, not numbered, whenever a
/// move was made: the games being played, the result so far, and the curve of its sequential test. It ends when the run is
/// no longer running.
#[utoipa::path(get, path = "/runs/{id}/events", tag = "runs",
    params(("id" = String, Path, description = "The run"), SinceLine,
        ("Last-Event-ID" = Option<u64>, Header, description = "The number of the last step that is known already")),
    responses((status = 200, description = "The stream; `data` is JSON: `metrics` has a MetricsLine, `run` a RunDocument, `live` what `live.json` says",
        body = MetricsLine, content_type = "text/event-stream"), Problems))]
pub async fn watch(
    State(app): State<Arc<AppState>>,
    Path(id): Path<String>,
    Query(query): Query<SinceLine>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, Problem> {
    let since = super::events::last_event_id(&headers).or(query.since).unwrap_or(0);
    let name = id.clone();
    let run = reading(&app, move |runs| runs.show(&name)).await?;
    let watcher = Watcher {
        place: MetricsOffset::default(),
        since,
        ready: VecDeque::from([Event::default().event("run").json_data(&run)]),
        last: run,
        live: None,
        id,
        closing: Box::pin(app.closing()),
        _open: app.stream()?,
        app,
    };
    Ok(Sse::new(watcher.stream()).keep_alive(KeepAlive::default()))
}

struct Watcher {
    app: Arc<AppState>,
    id: String,
    last: RunDocument,
    live: Option<Value>,
    place: MetricsOffset,
    since: u64,
    ready: VecDeque<Result<Event, axum::Error>>,
    closing: Pin<Box<dyn Future<Output = ()> + Send>>,
    _open: OwnedSemaphorePermit,
}

impl Watcher {
    fn stream(self) -> impl Stream<Item = Result<Event, axum::Error>> {
        stream::unfold(self, |mut watcher| async move {
            loop {
                if let Some(event) = watcher.ready.pop_front() {
                    return Some((event, watcher));
                }
                let more = watcher.look().await?;
                if watcher.ready.is_empty() && !more {
                    if watcher.last.state != RunState::Running {
                        return None;
                    }
                    tokio::select! {
                        () = tokio::time::sleep(LOOK) => {}
                        () = &mut watcher.closing => return None,
                    }
                }
            }
        })
    }

    /// Reads what is new in the directory. Returns whether more can be read at once; `None` when the directory is
    /// gone.
    async fn look(&mut self) -> Option<bool> {
        let (id, place, since) = (self.id.clone(), self.place, self.since);
        let seen = reading(&self.app, move |runs| {
            // Check first whether the run is still running: what is read after its end is then complete.
            let run = runs.show(&id)?;
            Ok((run, runs.metrics(&id, place, since, LINES_AT_A_TIME)?, runs.live(&id)?))
        });
        let (run, metrics, live) = seen.await.ok()?;
        let more = metrics.lines.len() == LINES_AT_A_TIME;
        self.place = metrics.place;
        for (line, values) in metrics.lines {
            let event = Event::default().event("metrics").id(line.to_string());
            self.ready.push_back(event.json_data(MetricsLine { line, values }));
        }
        if run.state != self.last.state || run.result != self.last.result || run.grid != self.last.grid {
            self.ready.push_back(Event::default().event("run").json_data(&run));
        }
        self.last = run;
        if live.is_some() && live != self.live {
            self.ready.push_back(Event::default().event("live").json_data(&live));
            self.live = live;
        }
        Some(more)
    }
}
