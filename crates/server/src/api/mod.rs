//! The paths under `/api/v1`, and their description.

pub mod agents;
pub mod analysis;
pub mod events;
pub mod explorer;
pub mod game_reviews;
pub mod games;
pub mod lines;
pub mod moves;
pub mod problems;
pub mod quantum;
pub mod quantum_analysis;
pub mod records;
pub mod responses;
pub mod review;
pub mod runs;
pub mod setup;
pub mod starts;
pub mod watching;

use std::sync::Arc;

use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app_state::AppState;

/// Base path of the API.
pub const PREFIX: &str = "/api/v1";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tabia",
        description = "A chess laboratory over HTTP: games against agents, positions taken apart, runs watched.\n\n\
            Errors are `application/problem+json` (RFC 9457): `detail` says what was wrong and what would be right. \
            Streams are Server-Sent Events; numbered ones resume with `Last-Event-ID` or `?since=`.\n\n\
            A game's id is the right to see and play it: it cannot be guessed, and is shared by sharing it. \
            `POST /games/{id}/watch` gives a name for watchers, who cannot play."
    ),
    components(schemas(crate::problem::ProblemDocument, events::ThinkingDocument, lines::BestDocument,
        lines::FailedDocument, crate::reviews::document::Positions,
        crate::reviews::document::ReviewedMove, tabia_arena::analysis::document::Summary,
        tabia_coach::ExerciseDocument, crate::documents::quantum::QuantumLine)),
    tags(
        (name = "games", description = "Playing: set up a game, move, watch it."),
        (name = "quantum", description = "Quantum chess: the same for chess in superposition."),
        (name = "analysis", description = "Positions taken apart, the lines that agents find in them, and why moves are good or bad."),
        (name = "explorer", description = "What was played in a position, in the games that the server was started with."),
        (name = "agents", description = "Who can play."),
        (name = "runs", description = "Matches, evolutions and trainings: each a directory under the data folder."),
    )
)]
struct Description;

/// The router of the API and its description.
pub fn router() -> (axum::Router<Arc<AppState>>, utoipa::openapi::OpenApi) {
    let v1 = OpenApiRouter::new()
        .routes(routes!(setup::create, games::list))
        .routes(routes!(games::show, games::delete))
        .routes(routes!(games::legal))
        .routes(routes!(moves::play))
        .routes(routes!(moves::undo))
        .routes(routes!(moves::resign))
        .routes(routes!(moves::draw))
        .routes(routes!(moves::move_now))
        .routes(routes!(events::watch))
        .routes(routes!(watching::share))
        .routes(routes!(watching::show))
        .routes(routes!(watching::events))
        .routes(routes!(watching::as_pgn))
        .routes(routes!(records::as_pgn))
        .routes(routes!(records::as_replay))
        .routes(routes!(records::import))
        .routes(routes!(analysis::evaluations))
        .routes(routes!(analysis::evaluate))
        .routes(routes!(analysis::square))
        .routes(routes!(analysis::check))
        .routes(routes!(lines::lines))
        .routes(routes!(review::review))
        .routes(routes!(game_reviews::start))
        .routes(routes!(game_reviews::show, game_reviews::delete))
        .routes(routes!(game_reviews::cancel))
        .routes(routes!(game_reviews::watch))
        .routes(routes!(game_reviews::as_pgn))
        .routes(routes!(game_reviews::exercises))
        .routes(routes!(explorer::collection))
        .routes(routes!(explorer::explore))
        .routes(routes!(explorer::players))
        .routes(routes!(explorer::game))
        .routes(routes!(agents::list))
        .routes(routes!(runs::list, starts::start))
        .routes(routes!(runs::show))
        .routes(routes!(starts::stop))
        .routes(routes!(starts::resume))
        .routes(routes!(runs::metrics))
        .routes(routes!(runs::artefact))
        .routes(routes!(runs::watch))
        .routes(routes!(quantum::create, quantum::list))
        .routes(routes!(quantum::show, quantum::delete))
        .routes(routes!(quantum::position))
        .routes(routes!(quantum::look))
        .routes(routes!(quantum::play))
        .routes(routes!(quantum::undo))
        .routes(routes!(quantum::resign))
        .routes(routes!(quantum::draw))
        .routes(routes!(quantum::move_now))
        .routes(routes!(quantum::watch))
        .routes(routes!(quantum::as_replay))
        .routes(routes!(quantum::import))
        .routes(routes!(quantum_analysis::analysis));
    OpenApiRouter::with_openapi(Description::openapi()).nest(PREFIX, v1).split_for_parts()
}
