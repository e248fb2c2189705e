//! Starts, stops and resumes runs.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::responses::Problems;
use crate::agents;
use crate::app_state::{AppState, RETRY};
use crate::budget::{Demand, Reservation};
use crate::extract::{Json, Path};
use crate::id::Id;
use crate::problem::{Kind, Problem};
use crate::runs::document::RunState;
use crate::runs::start::StartError;
use crate::runs::{LOG, MANIFEST, MATCH, complaint};

/// The most agents in a match.
const MAX_AGENTS: usize = 16;
/// The most games of a pairing.
const MAX_GAMES: u32 = 1_000_000;
/// The longest name of an agent.
const LONGEST_NAME: usize = 40;
/// Memory of a match beside its agents, in mebibytes.
const MATCH_MB: u64 = 64;
/// How long to wait for the manifest of a new run, and how often to look for it.
const INTRODUCTION: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(20);

/// What kind of run.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunKind {
    /// Games between agents.
    Match,
}

/// Where the games of a match begin.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OpeningSource {
    /// From the balanced openings that come with Tabia, each with both colours.
    #[serde(rename = "built-in")]
    BuiltIn,
    /// All from the usual start.
    Startpos,
}

impl OpeningSource {
    const fn as_str(self) -> &'static str {
        match self {
            OpeningSource::BuiltIn => "built-in",
            OpeningSource::Startpos => "startpos",
        }
    }
}

/// A match to be played, as `tabia match` takes it. Without a limit: a clock of 8 seconds and 0.08 a move.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRun {
    /// What kind of run.
    pub kind: RunKind,
    /// What its directory is called; without a name it gets one.
    #[serde(default)]
    #[schema(example = "axon-against-pst")]
    pub name: Option<String>,
    /// Who plays: two or more agent specs, each with a name before it if you like (`new=engine(eval=pst)`).
    #[schema(min_items = 2, max_items = 16, example = json!(["axiomx-speed(depth=2)", "random"]))]
    pub agents: Vec<String>,
    /// Games of each pairing.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1_000_000, example = 10)]
    pub games: Option<u32>,
    /// The first meets every other; else everybody meets everybody.
    #[serde(default)]
    pub gauntlet: bool,
    /// A clock in seconds for each side.
    #[serde(default)]
    #[schema(example = "8+0.08")]
    pub tc: Option<String>,
    /// Nodes a move.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub nodes: Option<u64>,
    /// Depth at each move.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 120)]
    pub depth: Option<u32>,
    /// Milliseconds a move.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub movetime_ms: Option<u64>,
    /// Stop when the first agent is known to be below the one or above the other, in Elo.
    #[serde(default)]
    #[schema(example = json!(null))]
    pub sprt: Option<[f64; 2]>,
    /// Where games begin; without a word, from the built-in openings.
    #[serde(default)]
    pub openings: Option<OpeningSource>,
    /// Where everything random comes from.
    #[serde(default)]
    pub seed: Option<u32>,
    /// Games at the same time.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 64)]
    pub concurrency: Option<u16>,
}

/// A run that was started.
#[derive(Debug, Serialize, ToSchema)]
pub struct StartedRun {
    /// Its name.
    pub id: String,
}

impl From<StartError> for Problem {
    fn from(error: StartError) -> Problem {
        match error {
            StartError::Full(_) => Problem::new(Kind::TooManyRequests, error.to_string()).retry_after(RETRY),
            StartError::GoesOn(_) | StartError::NotHere(_) | StartError::Ended(_) => {
                Problem::new(Kind::Conflict, error.to_string())
            }
            StartError::NoProgram => Problem::new(Kind::Forbidden, error.to_string()),
            StartError::Process(_) => Problem::internal(error),
        }
    }
}

/// Start a run.
///
/// A match, in a process of its own. It is watched and read as any other run.
#[utoipa::path(post, path = "/runs", tag = "runs", request_body = NewRun,
    responses((status = 202, description = "It was started", body = StartedRun,
        headers(("location" = String, description = "Where it is"))), Problems))]
pub async fn start(State(app): State<Arc<AppState>>, Json(new): Json<NewRun>) -> Result<Response, Problem> {
    let runs = app.runs.as_ref().ok_or_else(|| {
        Problem::new(Kind::Forbidden, "this server has no data folder, and so nowhere to keep a run")
    })?;
    let id = match &new.name {
        Some(name) => name.clone(),
        None => format!("match-{:.8}", Id::random().to_string()),
    };
    let path = runs.new_directory(&id)?;
    let (mut args, entrants) = args(&app, &new)?;
    let is_timed = new.nodes.is_none() && new.depth.is_none();
    let (concurrency, reservation) = reserve(&app, &entrants, new.concurrency, is_timed).await?;
    args.push(format!("--concurrency={concurrency}"));
    args.extend(["--run".to_owned(), path.display().to_string()]);
    std::fs::create_dir_all(&path).map_err(Problem::internal)?;
    let log = path.join(LOG);
    let started = app.launcher.start(&id, &args, &log, reservation).map_err(Problem::from);
    let introduced = match started {
        Ok(()) => introduced(&app, &id, &path).await,
        refused => refused,
    };
    if let Err(problem) = introduced {
        // Remove the useless directory. If that fails, the first error is still the one to report.
        let _ = std::fs::remove_file(log);
        let _ = std::fs::remove_dir(&path);
        return Err(problem);
    }
    let mut response = (StatusCode::ACCEPTED, Json(StartedRun { id: id.clone() })).into_response();
    let location =
        HeaderValue::from_str(&format!("{}/runs/{id}", super::PREFIX)).expect("the name was checked");
    response.headers_mut().insert(header::LOCATION, location);
    Ok(response)
}

/// Reserves what a match of these agents may use; with how many games at once it is played.
async fn reserve(
    app: &Arc<AppState>,
    entrants: &[Demand],
    concurrency: Option<u16>,
    is_timed: bool,
) -> Result<(u64, Reservation), Problem> {
    // The two most demanding agents may play each other. Only one of two players thinks at a time.
    let threads = entrants.iter().map(|entrant| entrant.threads).max().unwrap_or(1).max(1);
    let mut memory: Vec<u64> = entrants.iter().map(|entrant| entrant.memory_mb).collect();
    memory.sort_unstable_by(|a, b| b.cmp(a));
    let game = Demand { memory_mb: memory.iter().take(2).sum(), threads };
    // As `tabia match` has it: half of the cores where a clock is watched.
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get) as u64;
    let usual = (cores / if is_timed { 2 } else { 1 } / threads).max(1);
    let concurrency = concurrency.map_or(usual, u64::from);
    let process = Demand { memory_mb: MATCH_MB, threads: 0 };
    Ok((concurrency, app.reserve(game.times(concurrency).plus(process)).await?))
}

/// Waits until a run has written its manifest. A run that ends before has refused its arguments; its log says why.
async fn introduced(app: &AppState, id: &str, path: &std::path::Path) -> Result<(), Problem> {
    let manifest = path.join(MANIFEST);
    let waiting = async {
        while !manifest.is_file() && app.launcher.goes_on(id) {
            tokio::time::sleep(LOOK).await;
        }
    };
    // A slower start is no error: a later request will find the manifest.
    let in_time = tokio::time::timeout(INTRODUCTION, waiting).await.is_ok();
    if !in_time || manifest.is_file() {
        return Ok(());
    }
    let why = complaint(path).unwrap_or_else(|| "the match ended before it began".to_owned());
    Err(Problem::unprocessable(why))
}

/// Stop a run.
///
/// One that this server started. It keeps what was done, and can be resumed.
#[utoipa::path(post, path = "/runs/{id}/stop", tag = "runs", params(("id" = String, Path, description = "The run")),
    responses((status = 202, description = "It was told", body = StartedRun), Problems))]
pub async fn stop(State(app): State<Arc<AppState>>, Path(id): Path<String>) -> Result<Response, Problem> {
    if !app.launcher.goes_on(&id) {
        let runs = app.runs.as_ref().ok_or_else(|| missing(&id))?;
        let error = match runs.show(&id)?.state {
            RunState::Running => StartError::NotHere(id),
            _ => StartError::Ended(id),
        };
        return Err(error.into());
    }
    app.launcher.stop(&id)?;
    Ok((StatusCode::ACCEPTED, Json(StartedRun { id })).into_response())
}

/// Resume a run.
///
/// A match that was stopped goes on as if nothing had happened.
#[utoipa::path(post, path = "/runs/{id}/resume", tag = "runs", params(("id" = String, Path, description = "The run")),
    responses((status = 202, description = "It goes on", body = StartedRun), Problems))]
pub async fn resume(State(app): State<Arc<AppState>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let runs = app.runs.as_ref().ok_or_else(|| missing(&id))?;
    let run = runs.show(&id)?;
    if run.kind != MATCH {
        return Err(Problem::unprocessable(format_args!(
            "\"{id}\" is no match: resume it where it was started"
        )));
    }
    if run.state == RunState::Running {
        return Err(StartError::GoesOn(id).into());
    }
    let mut entrants = Vec::new();
    for text in run.agents() {
        let checked = agents::check_resumed(&app.catalogue, &app.config, text)?;
        entrants.push(agents::demand(&checked, &app.config.confinement));
    }
    let path = runs.directory(&id)?;
    let (concurrency, reservation) = reserve(&app, &entrants, None, true).await?;
    let concurrency = format!("--concurrency={concurrency}");
    let args = ["match", "--json", "--resume", &path.display().to_string(), &concurrency].map(str::to_owned);
    app.launcher.start(&id, &args, &path.join(LOG), reservation)?;
    Ok((StatusCode::ACCEPTED, Json(StartedRun { id })).into_response())
}

fn missing(id: &str) -> Problem {
    Problem::new(Kind::NotFound, format!("there is no run \"{id}\""))
}

/// The command line of the run, with every argument checked, and what each agent may use.
fn args(app: &AppState, new: &NewRun) -> Result<(Vec<String>, Vec<Demand>), Problem> {
    let RunKind::Match = new.kind;
    let mut args: Vec<String> = vec!["match".to_owned(), "--json".to_owned()];
    if !(2..=MAX_AGENTS).contains(&new.agents.len()) {
        let count = new.agents.len();
        return Err(Problem::unprocessable(format_args!(
            "a match has 2 to {MAX_AGENTS} agents; {count} given"
        )));
    }
    let mut entrants = Vec::new();
    for text in &new.agents {
        let (name, text) = named(text)?;
        let checked = agents::check(&app.catalogue, &app.config, text)?;
        entrants.push(agents::demand(&checked, &app.config.confinement));
        let spec = agents::with_paths(checked.spec, app.config.allowed_programs.as_deref());
        if spec.to_string().parse().ok().as_ref() != Some(&spec) {
            return Err(Problem::internal("the path of the folder of --allow-uci has `,`, `(` or `)` in it"));
        }
        let name = name.map(|name| format!("{name}=")).unwrap_or_default();
        args.push(format!("--agent={name}{spec}"));
    }
    if new.gauntlet {
        args.push("--gauntlet".to_owned());
    }
    let mut option = |name: &str, value: Option<String>| {
        args.extend(value.map(|value| format!("--{name}={value}")));
    };
    let limits = [new.tc.is_some(), new.nodes.is_some(), new.depth.is_some(), new.movetime_ms.is_some()];
    if limits.into_iter().filter(|given| *given).count() > 1 {
        return Err(Problem::unprocessable("one limit is enough: tc, nodes, depth or movetime_ms"));
    }
    let positive = |name: &str, number: Option<u64>, max: u64| match number {
        Some(number) if number == 0 || number > max => {
            Err(Problem::unprocessable(format_args!("{name} is {number}; it takes 1 to {max}")))
        }
        number => Ok(number.map(|number| number.to_string())),
    };
    option("games", positive("games", new.games.map(u64::from), MAX_GAMES.into())?);
    option("nodes", positive("nodes", new.nodes, i64::MAX as u64)?);
    option("depth", positive("depth", new.depth.map(u64::from), 120)?);
    option("movetime", positive("movetime_ms", new.movetime_ms, 3_600_000)?);
    positive("concurrency", new.concurrency.map(u64::from), 64)?;
    option("openings", new.openings.map(|openings| openings.as_str().to_owned()));
    option("seed", new.seed.map(|seed| seed.to_string()));
    if let Some(tc) = &new.tc {
        let is_clock = tc.len() <= 20 && tc.chars().all(|c| c.is_ascii_digit() || "+./".contains(c));
        if !is_clock {
            return Err(Problem::unprocessable("tc is a clock in seconds, such as 8+0.08 or 40/60+0.5"));
        }
        option("tc", Some(tc.clone()));
    }
    if let Some([low, high]) = new.sprt {
        if !(low.is_finite() && high.is_finite() && low < high) {
            return Err(Problem::unprocessable("sprt is two numbers of Elo, the lower first"));
        }
        if new.agents.len() > 2 {
            return Err(Problem::unprocessable(format_args!(
                "a sequential test is between two agents, not {}",
                new.agents.len()
            )));
        }
        option("sprt", Some(format!("{low},{high}")));
    }
    Ok((args, entrants))
}

/// `name=spec`, or a spec alone.
fn named(text: &str) -> Result<(Option<&str>, &str), Problem> {
    let head = text.find('(').map_or(text, |at| &text[..at]);
    let Some(at) = head.find('=') else { return Ok((None, text)) };
    let (name, spec) = (text[..at].trim(), &text[at + 1..]);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-. ".contains(c);
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_plain) {
        return Err(Problem::unprocessable(format_args!(
            "\"{}\" is no name for an agent: up to {LONGEST_NAME} letters, digits, `_`, `-`, `.` and spaces",
            name.chars().take(LONGEST_NAME).collect::<String>()
        )));
    }
    Ok((Some(name), spec))
}
