//! The opening explorer: statistics of the moves played in a position, and games that reached it.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use tabia_book::{Names, OpeningName};
use tabia_explorer::{GameHead, MoveCount, PositionCount, Results};
use utoipa::{IntoParams, ToSchema};

use super::analysis::position;
use super::records::{PGN, file};
use super::responses::Problems;
use crate::app_state::AppState;
use crate::extract::{Json, Path, Query};
use crate::problem::{Kind, Problem};

/// Number of PGN errors reported with their line.
const TOLD_FAULTS: usize = 5;

/// Which position.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ExplorerQuery {
    /// The position; without one, the start of a game.
    #[serde(default)]
    #[param(example = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")]
    pub fen: Option<String>,
}

/// State of the index of games.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CollectionState {
    /// The server was started without games.
    None,
    /// Games are being indexed; results so far are available.
    Indexing,
    /// The index is complete.
    Ready,
    /// Indexing failed.
    Failed,
}

/// The games of the explorer.
#[derive(Debug, Serialize, ToSchema)]
pub struct CollectionDocument {
    pub state: CollectionState,
    /// Names of the files.
    pub files: Vec<String>,
    /// Games read so far.
    pub games: u64,
    /// Games that could not be read.
    pub faults: u64,
    /// The first of them, each with its file and line.
    pub first_faults: Vec<String>,
    /// Bytes read so far.
    pub bytes: u64,
    /// Bytes of all files.
    pub of_bytes: u64,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Statistics of a position.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExploredPosition {
    /// The opening name of the position, if it has one.
    pub opening: Option<ExploredOpening>,
    /// All games that reached it.
    pub results: ResultsDocument,
    /// The moves played in it, most frequent first.
    pub moves: Vec<ExploredMove>,
    /// Some of the games, the highest rated first.
    pub games: Vec<ExploredGame>,
}

/// The name of an opening.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExploredOpening {
    #[schema(example = "C50")]
    pub eco: &'static str,
    #[schema(example = "Italian Game")]
    pub name: &'static str,
}

/// How games ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResultsDocument {
    pub white: u32,
    pub draws: u32,
    pub black: u32,
    /// All of them, and those without a result.
    pub games: u32,
}

/// A move that was played.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExploredMove {
    pub uci: String,
    pub san: String,
    pub results: ResultsDocument,
    /// The opening name of the position after it, if it has one.
    pub opening: Option<ExploredOpening>,
}

/// A game without its moves.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExploredGame {
    /// Its number, for `/explorer/games/{number}`.
    pub number: i64,
    pub white: String,
    pub black: String,
    pub white_elo: Option<u16>,
    pub black_elo: Option<u16>,
    #[schema(example = "1/2-1/2")]
    pub result: &'static str,
    /// As the file writes it.
    #[schema(example = "2019.03.14")]
    pub date: String,
    pub event: String,
}

/// Get the state of the explorer's index.
///
/// Those of the files that the server was started with (`tabia serve --games FILE.pgn`), and how far they are read.
#[utoipa::path(get, path = "/explorer", tag = "explorer",
    responses((status = 200, description = "The collection", body = CollectionDocument), Problems))]
pub async fn collection(State(app): State<Arc<AppState>>) -> Result<Json<CollectionDocument>, Problem> {
    let Some(collection) = &app.collection else {
        return Ok(Json(CollectionDocument {
            state: CollectionState::None,
            files: Vec::new(),
            games: 0,
            faults: 0,
            first_faults: Vec::new(),
            bytes: 0,
            of_bytes: 0,
            detail: None,
        }));
    };
    let standing = collection.standing();
    let progress = standing.progress;
    let first_faults = if progress.faults == 0 {
        Vec::new()
    } else {
        ask(&app, |lookup| lookup.faults(TOLD_FAULTS))
            .await?
            .into_iter()
            .map(|(path, line, why)| {
                format!("{}, line {line}: {why}", path.file_name().unwrap_or_default().to_string_lossy())
            })
            .collect()
    };
    Ok(Json(CollectionDocument {
        state: match (&standing.problem, progress.complete) {
            (Some(_), _) => CollectionState::Failed,
            (None, false) => CollectionState::Indexing,
            (None, true) => CollectionState::Ready,
        },
        files: collection.files.clone(),
        games: progress.games,
        faults: progress.faults,
        first_faults,
        bytes: progress.bytes,
        of_bytes: progress.of_bytes,
        detail: standing.problem,
    }))
}

/// Get the moves and games of a position.
///
/// Without a collection of games, only the name of the opening is known.
#[utoipa::path(get, path = "/explorer/position", tag = "explorer", params(ExplorerQuery),
    responses((status = 200, description = "The position", body = ExploredPosition), Problems))]
pub async fn explore(
    State(app): State<Arc<AppState>>,
    Query(query): Query<ExplorerQuery>,
) -> Result<Json<ExploredPosition>, Problem> {
    let game = position(query.fen.as_deref(), None)?;
    let asked = game.position().clone();
    let count = if app.collection.is_some() {
        ask(&app, move |lookup| lookup.position(&asked)).await?
    } else {
        PositionCount::default()
    };
    let position = game.position();
    let moves = count.moves.iter().map(|MoveCount { played, results }| {
        let mut after = position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut after, *played).to_string();
        ExploredMove {
            uci: game.write_move(*played),
            san,
            results: (*results).into(),
            opening: Names::known().lookup(&after).map(Into::into),
        }
    });
    Ok(Json(ExploredPosition {
        opening: Names::known().lookup(position).map(Into::into),
        results: count.results.into(),
        moves: moves.collect(),
        games: count.games.into_iter().map(Into::into).collect(),
    }))
}

/// Read a game of the collection as PGN, as it stands in its file.
#[utoipa::path(get, path = "/explorer/games/{number}", tag = "explorer",
    params(("number" = i64, Path, description = "Its number")),
    responses((status = 200, description = "The game", body = String, content_type = "application/x-chess-pgn"), Problems))]
pub async fn game(State(app): State<Arc<AppState>>, Path(number): Path<i64>) -> Result<Response, Problem> {
    let found =
        if app.collection.is_some() { ask(&app, move |lookup| lookup.pgn(number)).await? } else { None };
    let text = found.ok_or_else(|| {
        Problem::new(Kind::NotFound, format!("there is no game {number} in the collection of this server"))
    })?;
    Ok(file(PGN, &format!("game-{number}.pgn"), text))
}

/// Queries the index on a blocking thread.
async fn ask<T: Send + 'static>(
    app: &Arc<AppState>,
    question: impl FnOnce(&tabia_explorer::Lookup) -> Result<T, tabia_explorer::ExplorerError> + Send + 'static,
) -> Result<T, Problem> {
    let app = app.clone();
    let work = move || app.collection.as_ref().map(|collection| collection.ask(question));
    match tokio::task::spawn_blocking(work).await.map_err(Problem::internal)? {
        Some(answer) => answer.map_err(Problem::internal),
        None => Err(Problem::new(Kind::NotFound, "this server has no collection of games")),
    }
}

impl From<Results> for ResultsDocument {
    fn from(Results { white, draws, black, games }: Results) -> ResultsDocument {
        ResultsDocument { white, draws, black, games }
    }
}

impl From<OpeningName> for ExploredOpening {
    fn from(OpeningName { eco, name }: OpeningName) -> ExploredOpening {
        ExploredOpening { eco, name }
    }
}

impl From<GameHead> for ExploredGame {
    fn from(head: GameHead) -> ExploredGame {
        let GameHead { id, white, black, white_elo, black_elo, result, date, event } = head;
        ExploredGame { number: id, white, black, white_elo, black_elo, result, date, event }
    }
}
