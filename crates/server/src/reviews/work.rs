//! Runs a review job on a thread of its own.

use std::sync::Arc;

use tabia_arena::analysis::{ReviewProgress, analyse_and_review};
use tabia_coach::game::MATE_NODES;
use tabia_coach::prover::proof_limits;
use tabia_coach::{AgentProver, Exercise, ExerciseDocument};
use tabia_core::{Agent, ChessGame, Limits};
use tabia_search::engine::tablebases::Tablebases;

use super::job::Job;
use super::request::Request;
use crate::app_state::AppState;
use crate::budget::{Demand, Use};
use crate::problem::Problem;
use crate::{agents, external};

/// Adds a job to the queue.
pub fn start(app: &Arc<AppState>, request: Request) -> Result<Arc<Job>, Problem> {
    app.budget.check(Use::Work, demand(app, &request))?;
    let job = app.reviews.add(request)?;
    let (app, started) = (app.clone(), job.clone());
    tokio::spawn(async move {
        let (thread_app, thread_job) = (app.clone(), started.clone());
        let work = move || run(&thread_app, &thread_job);
        if let Err(error) = app.reviews.engines.run(work, || {}).await {
            started.fail(&error.to_string());
        }
    });
    Ok(job)
}

/// What a review may use. It has two agents, one that analyses and one that proves; only one thinks at a time.
fn demand(app: &AppState, request: &Request) -> Demand {
    let agent = agents::demand(&request.agent, &app.config.confinement);
    Demand { memory_mb: agent.times(2).memory_mb, threads: agent.threads }
}

/// Reviews the game of a job. Fails if an agent fails.
fn run(app: &AppState, job: &Job) {
    if !job.begin() {
        return;
    }
    match review(app, job) {
        Ok(()) => job.finish(),
        Err(why) => job.fail(&why),
    }
}

fn review(app: &AppState, job: &Job) -> Result<(), String> {
    let demand = demand(app, &job.request);
    let reserved = app.budget.wait_for(
        Use::Work,
        demand,
        || job.stop.is_stopped(),
        || app.budget.is_short_of_memory(demand) && app.drop_warm_agent(),
    );
    let reserved = reserved.map_err(|refusal| refusal.to_string())?;
    let Some(_reservation) = reserved else { return Ok(()) };
    // Built-in agents stop at their node limit. With an additional time limit they would check the clock and visit
    // other nodes than `tabia analyze`. External engines get one, because they may not respect the node limit.
    let is_program = job.request.agent.options.text(external::COMMAND).is_some();
    let limits = Limits {
        nodes: Some(job.request.nodes),
        movetime: is_program.then_some(app.config.bounds.think_time),
        ..Limits::default()
    };
    let mut agent = build(app, job)?;
    // Proofs use a separate agent, so that the analysis is identical to `tabia analyze`.
    let mut second = build(app, job)?;
    let tables = app.config.tables.as_ref().map(|tables| -> &dyn Tablebases { tables });
    let mut prover =
        AgentProver::new(second.as_mut(), proof_limits(&limits), &job.stop, MATE_NODES).with_tables(tables);
    let record = &job.request.record;
    let tell = |told: ReviewProgress<'_>| match told {
        ReviewProgress::Position { done, of } => job.searched(done, of),
        ReviewProgress::Move { index, game, judged } => job.judged(game, judged, index),
        ReviewProgress::Review { index, review } => job.reviewed(review, index),
    };
    let reviewed = analyse_and_review(record, agent.as_mut(), &mut prover, &limits, &job.stop, tell)
        .map_err(|error| error.to_string())?;
    job.opening(reviewed.analysis.opening);
    if job.request.exercises {
        let mut prover = AgentProver::new(second.as_mut(), limits, &job.stop, MATE_NODES);
        for (index, review) in reviewed.reviews.iter().enumerate() {
            let Some(review) = review else { continue };
            if let Some(exercise) = Exercise::new(review, &mut prover) {
                let language = job.request.language;
                job.exercise(&ExerciseDocument::new(&exercise, review, index + 1, language));
            }
        }
    }
    Ok(())
}

fn build(app: &AppState, job: &Job) -> Result<Box<dyn Agent<ChessGame>>, String> {
    let folder = app.config.allowed_programs.as_deref();
    let spec = agents::with_paths(job.request.agent.spec.clone(), folder);
    app.catalogue.build(&spec).map_err(|error| error.to_string())
}
