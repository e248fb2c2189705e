//! The opening explorer: statistics of the moves played in a position, and games that reached it.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use shakmaty::{Color, KnownOutcome};
use tabia_book::{Names, OpeningName};
use tabia_explorer::{Date, Filter, GameHead, MoveCount, PositionCount, Results, Span};
use utoipa::{IntoParams, ToSchema};

use super::analysis::position;
use super::records::{PGN, file};
use super::responses::Problems;
use crate::app_state::AppState;
use crate::extract::{Json, Path, Query};
use crate::problem::{Kind, Problem};
use crate::sessions::side::Side;

/// Number of PGN errors reported with their line.
const TOLD_FAULTS: usize = 5;

/// The longest part of a name that is looked for, in letters.
const LONGEST_NAME: usize = 100;
/// Names of players that are told.
const TOLD_PLAYERS: usize = 10;

/// Which position, and which games count.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ExplorerQuery {
    /// The position; without one, the start of a game.
    #[serde(default)]
    #[param(example = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")]
    pub fen: Option<String>,
    /// The least average rating of both players; games in which a rating is missing do not count then.
    #[serde(default)]
    #[param(example = 2500)]
    pub min_rating: Option<u16>,
    /// The greatest average rating of both players.
    #[serde(default)]
    pub max_rating: Option<u16>,
    /// Played in this year, month or on this day (`2019`, `2019-03`, `2019-03-14`) or later.
    #[serde(default)]
    #[param(example = "2019")]
    pub since: Option<String>,
    /// Played in this year, month or on this day or earlier.
    #[serde(default)]
    pub until: Option<String>,
    /// How the game ended.
    #[serde(default)]
    #[param(inline)]
    pub result: Option<FilteredResult>,
    /// A part of the name of one of the players.
    #[serde(default)]
    #[param(example = "Carlsen")]
    pub player: Option<String>,
    /// The colour that this player had; without it, either.
    #[serde(default)]
    #[param(inline)]
    pub color: Option<Side>,
}

/// How a game ended.
#[derive(Copy, Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FilteredResult {
    /// White won.
    White,
    Draw,
    /// Black won.
    Black,
}

/// Which players.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PlayersQuery {
    /// A part of the name.
    #[param(example = "carl")]
    pub name: String,
}

/// Players of the collection.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExplorerPlayers {
    /// Those with the most games first; at most ten.
    pub players: Vec<ExplorerPlayer>,
}

/// A player of the collection.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExplorerPlayer {
    /// As the files write it.
    #[schema(example = "Carlsen,M")]
    pub name: String,
    /// Games with this name.
    pub games: u32,
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
    /// The average ratings that can be filtered by; none where games have no ratings.
    pub ratings: Option<SpanDocument>,
    /// The years that can be filtered by; none where games have no dates.
    pub years: Option<SpanDocument>,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// From and to.
#[derive(Debug, Serialize, ToSchema)]
pub struct SpanDocument {
    pub min: u16,
    pub max: u16,
}

/// What games made of a position.
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
            ratings: None,
            years: None,
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
    let (ratings, years) = ask(&app, |lookup| Ok((lookup.ratings()?, lookup.years()?))).await?;
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
        ratings: ratings.map(Into::into),
        years: years.map(Into::into),
        detail: standing.problem,
    }))
}

/// Get the moves and games of a position.
///
/// All games of the collection count, or those that meet every condition that is given. Without a collection of games, only
/// the name of the opening is known.
#[utoipa::path(get, path = "/explorer/position", tag = "explorer", params(ExplorerQuery),
    responses((status = 200, description = "The position", body = ExploredPosition), Problems))]
pub async fn explore(
    State(app): State<Arc<AppState>>,
    Query(query): Query<ExplorerQuery>,
) -> Result<Json<ExploredPosition>, Problem> {
    let game = position(query.fen.as_deref(), None)?;
    let asked = game.position().clone();
    let filter = filter(query)?;
    let count = if app.collection.is_some() {
        ask(&app, move |lookup| lookup.position(&asked, &filter)).await?
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

/// Find players of the collection by a part of their name.
#[utoipa::path(get, path = "/explorer/players", tag = "explorer", params(PlayersQuery),
    responses((status = 200, description = "The players", body = ExplorerPlayers), Problems))]
pub async fn players(
    State(app): State<Arc<AppState>>,
    Query(query): Query<PlayersQuery>,
) -> Result<Json<ExplorerPlayers>, Problem> {
    let name = name(&query.name)?;
    let found = match name {
        Some(name) if app.collection.is_some() => {
            ask(&app, move |lookup| lookup.players(&name, TOLD_PLAYERS)).await?
        }
        _ => Vec::new(),
    };
    let players = found.into_iter().map(|(name, games)| ExplorerPlayer { name, games }).collect();
    Ok(Json(ExplorerPlayers { players }))
}

/// The games that count.
fn filter(query: ExplorerQuery) -> Result<Filter, Problem> {
    let date = |text: Option<String>| text.map(|text| text.parse::<Date>()).transpose();
    let (since, until) = (date(query.since), date(query.until));
    let rating = match (query.min_rating, query.max_rating) {
        (None, None) => None,
        (Some(min), Some(max)) if min > max => {
            return Err(Problem::unprocessable(format_args!(
                "min_rating is {min} and max_rating {max}: no rating lies between them"
            )));
        }
        (min, max) => Some(min.unwrap_or(0)..=max.unwrap_or(u16::MAX)),
    };
    let player = query.player.as_deref().map(name).transpose()?.flatten();
    if query.color.is_some() && player.is_none() {
        return Err(Problem::unprocessable("color is a player's: it needs player, a part of the name"));
    }
    Ok(Filter {
        rating,
        since: since.map_err(Problem::unprocessable)?,
        until: until.map_err(Problem::unprocessable)?,
        result: query.result.map(|result| match result {
            FilteredResult::White => KnownOutcome::Decisive { winner: Color::White },
            FilteredResult::Draw => KnownOutcome::Draw,
            FilteredResult::Black => KnownOutcome::Decisive { winner: Color::Black },
        }),
        player,
        color: query.color.map(Into::into),
    })
}

/// A part of a name that can be looked for; none if nothing is left of it.
fn name(text: &str) -> Result<Option<String>, Problem> {
    let letters = text.chars().count();
    if letters > LONGEST_NAME {
        return Err(Problem::unprocessable(format_args!(
            "a part of a name has at most {LONGEST_NAME} letters; this one has {letters}"
        )));
    }
    let trimmed = text.trim();
    Ok((!trimmed.is_empty()).then(|| trimmed.to_owned()))
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

impl From<Span> for SpanDocument {
    fn from(Span { min, max }: Span) -> SpanDocument {
        SpanDocument { min, max }
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
