//! Where tasks are done. Here: on threads of this machine. The trait is all that an evolution knows of it, so that the same tasks can be
//! handed to workers anywhere.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use tabia_core::{Catalogue, ChessGame, Stop};
use tabia_search::engine::STACK_BYTES;

use crate::error::EvolveError;
use crate::task::{Done, Task};
use crate::worker::Worker;

/// Whoever gets tasks done.
pub trait Grid {
    /// Does all tasks, in any order and anywhere, and hands over each result once. Returns early, without an error, when it is stopped;
    /// an error of a task or of `on_done` ends it.
    fn run(
        &self,
        tasks: &[Task],
        stop: &Stop,
        on_done: &mut dyn FnMut(Done) -> Result<(), EvolveError>,
    ) -> Result<(), EvolveError>;
}

/// Threads of this process.
pub struct Threads<'a> {
    count: usize,
    catalogue: &'a Catalogue<ChessGame>,
    /// Workers that have nothing to do, with the engines they have started.
    idle: Mutex<Vec<Worker<'a>>>,
}

impl<'a> Threads<'a> {
    /// So many threads, with players from a catalogue.
    pub fn new(threads: usize, catalogue: &'a Catalogue<ChessGame>) -> Threads<'a> {
        Threads { count: threads.max(1), catalogue, idle: Mutex::default() }
    }

    fn worker(&self) -> Worker<'a> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| Worker::new(self.catalogue))
    }
}

impl Grid for Threads<'_> {
    fn run(
        &self,
        tasks: &[Task],
        stop: &Stop,
        on_done: &mut dyn FnMut(Done) -> Result<(), EvolveError>,
    ) -> Result<(), EvolveError> {
        let next = AtomicUsize::new(0);
        let (sender, results) = mpsc::channel::<Result<Done, EvolveError>>();
        let work = |sender: mpsc::Sender<_>| {
            let mut worker = self.worker();
            while !stop.is_stopped() {
                let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                let result = worker.perform(task, stop).transpose();
                // Nobody listens any more after an error.
                if result.is_some_and(|result| sender.send(result).is_err()) {
                    return;
                }
            }
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        };
        thread::scope(|scope| {
            for _ in 0..self.count.min(tasks.len()) {
                let sender = sender.clone();
                thread::Builder::new()
                    .name("evolution".to_owned())
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, || work(sender))
                    .map_err(EvolveError::Thread)?;
            }
            drop(sender);
            for result in &results {
                if let Err(error) = result.and_then(&mut *on_done) {
                    // Those who still work find no task left, and their results nobody.
                    next.store(tasks.len(), Ordering::Relaxed);
                    drop(results);
                    return Err(error);
                }
            }
            Ok(())
        })
    }
}
