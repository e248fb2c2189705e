//! Many problems at once, with one agent to a thread.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use tabia_core::{Agent, AgentError, ChessGame, Limits, Stop};
use tabia_search::engine::STACK_BYTES;

use super::problem::{Problem, Solution};

/// The result of a problem; `None` if the run was stopped before it.
pub type Attempt = Option<Result<Solution, AgentError>>;

/// Solves problems on several threads. `make_agent` gives each thread its own agent; `done` is called for each problem as it
/// is finished. A problem in progress when `stop` is raised does not count.
pub fn run<E: Send>(
    problems: &[Problem],
    threads: NonZero<usize>,
    make_agent: impl Fn() -> Result<Box<dyn Agent<ChessGame>>, E> + Sync,
    limits: &Limits,
    stop: &Stop,
    mut done: impl FnMut(usize, &Result<Solution, AgentError>),
) -> Result<Vec<Attempt>, E> {
    let next = AtomicUsize::new(0);
    let work = |agent: &mut dyn Agent<ChessGame>,
                tell: &mpsc::Sender<(usize, Result<Solution, AgentError>)>| {
        while !stop.is_stopped() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = problems.get(index) else { break };
            let solution = problem.solve(agent, limits, stop);
            // An answer given in haste is none.
            if stop.is_stopped() || tell.send((index, solution)).is_err() {
                break;
            }
        }
    };
    let wanted = threads.get().min(problems.len());
    let agents = (0..wanted).map(|_| make_agent()).collect::<Result<Vec<_>, E>>()?;
    let mut results: Vec<Attempt> = problems.iter().map(|_| None).collect();
    thread::scope(|scope| {
        let (tell, hear) = mpsc::channel();
        for mut agent in agents {
            let (tell, work) = (tell.clone(), &work);
            // Searches recurse deeply. A thread that cannot be started is not needed, as long as there is one.
            let thread = thread::Builder::new().name("suite".to_owned()).stack_size(STACK_BYTES);
            let _ = thread.spawn_scoped(scope, move || work(agent.as_mut(), &tell));
        }
        drop(tell);
        for (index, solution) in hear {
            done(index, &solution);
            results[index] = Some(solution);
        }
    });
    Ok(results)
}
