//! An agent's turn: it thinks on a thread of its own, tells what it thinks, and moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::Move;
use tabia_core::{AgentError, CatalogueError, Outcome, Reason, Stop};

use super::document::Awaits;
use super::error::ChessError;
use super::setup::Player;
use super::state::ChessGameState;
use crate::agents;
use crate::app_state::AppState;
use crate::engine_pool::EngineError;
use crate::line::LineDocument;
use crate::sessions::session::{GameSession, LiveThought};

/// Why an agent did not move.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Built(#[from] CatalogueError),
    #[error(transparent)]
    Chose(#[from] AgentError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("{0}")]
    Refused(String),
    #[error("it chose a move that is not legal")]
    Illegal,
}

/// Lets the agent whose turn it is think, and plays its move.
pub async fn think(
    app: Arc<AppState>,
    session: Arc<GameSession>,
    state: Arc<ChessGameState>,
    stop: Stop,
    suspended: Arc<AtomicBool>,
) {
    let version = state.position_version;
    let chosen = choose(&app, &session, &state, &stop, suspended.clone()).await;
    if suspended.load(Ordering::Relaxed) {
        // The game goes on when somebody looks.
        return;
    }
    if app.is_closing() {
        // The game goes on when the server is back.
        return session.finish_thinking(version);
    }
    let longest = app.config.bounds.plies;
    let changed = session
        .update(&app, move |state| {
            if state.position_version != version || state.awaits() != Awaits::Agent {
                // A move was taken back, or the game ended.
                return Err(ChessError::Stale);
            }
            match chosen {
                Ok((m, thought)) => state.play_agent_move(m, thought, longest),
                Err(Failure::Chose(AgentError::Resigned)) => {
                    let loser = state.game.side_to_move();
                    state.end(Outcome::win(loser.other(), Reason::Resignation), Some(loser), None);
                }
                Err(failure) => {
                    let loser = state.game.side_to_move();
                    tracing::warn!(game = %state.id, %failure, "an agent failed");
                    state.end(Outcome::win(loser.other(), Reason::Fault), None, Some(failure.to_string()));
                }
            }
            Ok(())
        })
        .await;
    session.finish_thinking(version);
    if session.is_over() {
        // It may have ended, or been deleted, while the agent thought.
        app.agent_cache.forget(state.id);
    }
    if let Err(crate::sessions::session::UpdateError::Store(error)) = changed {
        tracing::error!(%error, "an agent's move could not be kept");
    }
}

async fn choose(
    app: &Arc<AppState>,
    session: &Arc<GameSession>,
    state: &Arc<ChessGameState>,
    stop: &Stop,
    suspended: Arc<AtomicBool>,
) -> Result<(Move, Option<LineDocument>), Failure> {
    let color = state.game.side_to_move();
    let Player::Agent { spec, limits } = state.setup.player(color) else {
        return Err(Failure::Refused("nobody sits there who could think".to_owned()));
    };
    let checked = agents::check(&app.catalogue, &app.config, spec)
        .map_err(|problem| Failure::Refused(problem.detail().to_owned()))?;
    let limits = *limits;
    let (thread_app, session, state, stop) = (app.clone(), session.clone(), state.clone(), stop.clone());
    let work = move || {
        let app = thread_app;
        if suspended.load(Ordering::Relaxed) {
            return Err(Failure::Refused("nobody looks at the game any more".to_owned()));
        }
        let clock = state.clock.as_ref().map(crate::sessions::clock::GameClock::for_search);
        let limits = agents::limits(&checked.options, &limits, clock, app.config.bounds.think_time);
        let mut agent = match app.agent_cache.take(state.id, color) {
            Some(agent) => agent,
            None => app
                .catalogue
                .build(&agents::with_paths(checked.spec, app.config.allowed_programs.as_deref()))?,
        };
        let mut last = None;
        let chosen = agent.choose(&state.game, &limits, &stop, &mut |thought| {
            let line = LineDocument::new(&state.game, thought);
            if thought.rank == 1 {
                last = Some(line.clone());
            }
            session.publish_thought(LiveThought { position_version: state.position_version, line });
        });
        app.agent_cache.keep(state.id, color, agent);
        let chosen = chosen?;
        if !shakmaty::Position::is_legal(state.game.position(), chosen) {
            return Err(Failure::Illegal);
        }
        Ok((chosen, last))
    };
    app.engine_pool.run(work, || app.suspend_abandoned()).await?
}
