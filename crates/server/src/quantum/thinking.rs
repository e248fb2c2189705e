//! An agent's turn at quantum chess: it thinks on a thread of its own, tells what it thinks, and moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tabia_core::{AgentError, CatalogueError, Outcome, Reason, Stop, seed};
use tabia_quantum::{Action, Move};

use super::document::QuantumLine;
use super::error::QuantumError;
use super::play::QuantumPlay;
use crate::agents;
use crate::engines::EngineError;
use crate::game::document::Awaits;
use crate::game::setup::Seat;
use crate::game::table::{ChangeError, LiveThought, Table};
use crate::lab::Lab;

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
    lab: Arc<Lab>,
    table: Arc<Table<QuantumPlay>>,
    play: Arc<QuantumPlay>,
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
    let changed = table
        .change(&lab, move |play| {
            if play.position_version != version || play.whom() != Awaits::Agent {
                // A move was taken back, or the game ended.
                return Err(QuantumError::Stale);
            }
            match chosen {
                Ok((m, thought)) => play.advance(m, thought.as_ref())?,
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
    if let Err(ChangeError::Store(error)) = changed {
        tracing::error!(%error, "an agent's move could not be kept");
    }
}

async fn choose(
    lab: &Arc<Lab>,
    table: &Arc<Table<QuantumPlay>>,
    play: &Arc<QuantumPlay>,
    stop: &Stop,
    put_aside: Arc<AtomicBool>,
) -> Result<(Move, Option<QuantumLine>), Failure> {
    let color = play.game.side_to_move();
    let Seat::Agent { spec, limits } = play.setup.seat(color) else {
        return Err(Failure::Refused("nobody sits there who could think".to_owned()));
    };
    let checked = agents::check(&lab.quantum.catalogue, &lab.config, spec)
        .map_err(|problem| Failure::Refused(problem.detail().to_owned()))?;
    let limits = *limits;
    let (thread_lab, table, play, stop) = (lab.clone(), table.clone(), play.clone(), stop.clone());
    let work = move || {
        let lab = thread_lab;
        if put_aside.load(Ordering::Relaxed) {
            return Err(Failure::Refused("nobody looks at the game any more".to_owned()));
        }
        let limits = agents::limits(&checked.options, &limits, None, lab.config.bounds.think_time);
        let room = &lab.quantum;
        let mut agent = if let Some(agent) = room.warm.take(play.id, color) {
            agent
        } else {
            let folder = lab.config.allowed_programs.as_deref();
            let mut agent = room.catalogue.build(&agents::with_paths(checked.spec, folder))?;
            agent.reseed(seed::derive(play.setup.seed, color.fold_wb(WHITE_SEED, BLACK_SEED)));
            agent
        };
        let mut last = None;
        let chosen = agent.choose(&play.game, &limits, &stop, &mut |thought| {
            let line = QuantumLine::new(&play.game, thought);
            last = Some(line.clone());
            table.tell(LiveThought { position_version: play.position_version, line });
        });
        room.warm.keep(play.id, color, agent);
        match chosen? {
            Action::Move(m) if play.game.is_legal(m) => Ok((m, last)),
            _ => Err(Failure::Illegal),
        }
    };
    lab.engines.run(work, || lab.put_aside_those_left()).await?
}
