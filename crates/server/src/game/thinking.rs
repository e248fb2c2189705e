//! An agent's turn: it thinks on a thread of its own, tells what it thinks, and moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::Move;
use tabia_core::{AgentError, CatalogueError, Outcome, Reason, Stop};

use super::document::Awaits;
use super::error::PlayError;
use super::play::Play;
use super::setup::Seat;
use super::table::{LiveThought, Table};
use crate::agents;
use crate::engines::EngineError;
use crate::lab::Lab;
use crate::line::LineDocument;

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
    lab: Arc<Lab>,
    table: Arc<Table>,
    play: Arc<Play>,
    stop: Stop,
    put_aside: Arc<AtomicBool>,
) {
    let version = play.position_version;
    let chosen = choose(&lab, &table, &play, &stop, put_aside.clone()).await;
    if put_aside.load(Ordering::Relaxed) {
        // The game goes on when somebody looks.
        return;
    }
    if lab.is_closing() {
        // The game goes on when the server is back.
        return table.thought_about(version);
    }
    let longest = lab.config.bounds.plies;
    let changed = table
        .change(&lab, move |play| {
            if play.position_version != version || play.awaits() != Awaits::Agent {
                // A move was taken back, or the game ended.
                return Err(PlayError::Stale);
            }
            match chosen {
                Ok((m, thought)) => play.agent_moves(m, thought, longest),
                Err(Failure::Chose(AgentError::Resigned)) => {
                    let loser = play.game.side_to_move();
                    play.end(Outcome::win(loser.other(), Reason::Resignation), Some(loser), None);
                }
                Err(failure) => {
                    let loser = play.game.side_to_move();
                    tracing::warn!(game = %play.id, %failure, "an agent failed");
                    play.end(Outcome::win(loser.other(), Reason::Fault), None, Some(failure.to_string()));
                }
            }
            Ok(())
        })
        .await;
    table.thought_about(version);
    if table.is_over() {
        // It may have ended, or been deleted, while the agent thought.
        lab.warm.forget(play.id);
    }
    if let Err(super::table::ChangeError::Store(error)) = changed {
        tracing::error!(%error, "an agent's move could not be kept");
    }
}

async fn choose(
    lab: &Arc<Lab>,
    table: &Arc<Table>,
    play: &Arc<Play>,
    stop: &Stop,
    put_aside: Arc<AtomicBool>,
) -> Result<(Move, Option<LineDocument>), Failure> {
    let color = play.game.side_to_move();
    let Seat::Agent { spec, limits } = play.setup.seat(color) else {
        return Err(Failure::Refused("nobody sits there who could think".to_owned()));
    };
    let checked = agents::check(&lab.catalogue, &lab.config, spec)
        .map_err(|problem| Failure::Refused(problem.detail().to_owned()))?;
    let limits = *limits;
    let (thread_lab, table, play, stop) = (lab.clone(), table.clone(), play.clone(), stop.clone());
    let work = move || {
        let lab = thread_lab;
        if put_aside.load(Ordering::Relaxed) {
            return Err(Failure::Refused("nobody looks at the game any more".to_owned()));
        }
        let clock = play.clock.as_ref().map(super::clock::GameClock::for_search);
        let limits = agents::limits(&checked.options, &limits, clock, lab.config.bounds.think_time);
        let mut agent = match lab.warm.take(play.id, color) {
            Some(agent) => agent,
            None => lab
                .catalogue
                .build(&agents::with_paths(checked.spec, lab.config.allowed_programs.as_deref()))?,
        };
        let mut last = None;
        let chosen = agent.choose(&play.game, &limits, &stop, &mut |thought| {
            let line = LineDocument::new(&play.game, thought);
            if thought.rank == 1 {
                last = Some(line.clone());
            }
            table.tell(LiveThought { position_version: play.position_version, line });
        });
        lab.warm.keep(play.id, color, agent);
        let chosen = chosen?;
        if !shakmaty::Position::is_legal(play.game.position(), chosen) {
            return Err(Failure::Illegal);
        }
        Ok((chosen, last))
    };
    lab.engines.run(work, || lab.put_aside_those_left()).await?
}
