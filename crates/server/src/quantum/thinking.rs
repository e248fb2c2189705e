//! An agent's turn at quantum chess: it thinks on a thread of its own, tells what it thinks, and moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tabia_core::{AgentError, CatalogueError, Outcome, Reason, Stop, seed};
use tabia_quantum::{Action, Move};

use super::document::QuantumLine;
use super::error::QuantumError;
use super::state::QuantumGameState;
use crate::agents;
use crate::app_state::AppState;
use crate::chess::document::Awaits;
use crate::chess::setup::Player;
use crate::engine_pool::EngineError;
use crate::sessions::session::{GameSession, LiveThought, UpdateError};

/// Whatever is random in the two agents follows from the game's seed, each from a part of its own.
const WHITE_SEED: u64 = u64::MAX;
const BLACK_SEED: u64 = u64::MAX - 1;

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
    #[error("it chose what is not a legal move")]
    Illegal,
}

/// Lets the agent whose turn it is think, and plays its move.
pub async fn think(
    app: Arc<AppState>,
    session: Arc<GameSession<QuantumGameState>>,
    state: Arc<QuantumGameState>,
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
    let changed = session
        .update(&app, move |state| {
            if state.position_version != version || state.awaits() != Awaits::Agent {
                // A move was taken back, or the game ended.
                return Err(QuantumError::Stale);
            }
            match chosen {
                Ok((m, thought)) => state.play_move(m, thought.as_ref())?,
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
    if let Err(UpdateError::Store(error)) = changed {
        tracing::error!(%error, "an agent's move could not be kept");
    }
}

async fn choose(
    app: &Arc<AppState>,
    session: &Arc<GameSession<QuantumGameState>>,
    state: &Arc<QuantumGameState>,
    stop: &Stop,
    suspended: Arc<AtomicBool>,
) -> Result<(Move, Option<QuantumLine>), Failure> {
    let color = state.game.side_to_move();
    let Player::Agent { spec, limits } = state.setup.player(color) else {
        return Err(Failure::Refused("nobody sits there who could think".to_owned()));
    };
    let checked = agents::check(&app.quantum.catalogue, &app.config, spec)
        .map_err(|problem| Failure::Refused(problem.detail().to_owned()))?;
    let limits = *limits;
    let (thread_app, session, state, stop) = (app.clone(), session.clone(), state.clone(), stop.clone());
    let work = move || {
        let app = thread_app;
        if suspended.load(Ordering::Relaxed) {
            return Err(Failure::Refused("nobody looks at the game any more".to_owned()));
        }
        let limits = agents::limits(&checked.options, &limits, None, app.config.bounds.think_time);
        let room = &app.quantum;
        let mut agent = if let Some(agent) = room.agent_cache.take(state.id, color) {
            agent
        } else {
            let folder = app.config.allowed_programs.as_deref();
            let mut agent = room.catalogue.build(&agents::with_paths(checked.spec, folder))?;
            agent.reseed(seed::derive(state.setup.seed, color.fold_wb(WHITE_SEED, BLACK_SEED)));
            agent
        };
        let mut last = None;
        let chosen = agent.choose(&state.game, &limits, &stop, &mut |thought| {
            let line = QuantumLine::new(&state.game, thought);
            last = Some(line.clone());
            session.publish_thought(LiveThought { position_version: state.position_version, line });
        });
        room.agent_cache.keep(state.id, color, agent);
        match chosen? {
            Action::Move(m) if state.game.is_legal(m) => Ok((m, last)),
            _ => Err(Failure::Illegal),
        }
    };
    app.engine_pool.run(work, || app.suspend_abandoned()).await?
}
