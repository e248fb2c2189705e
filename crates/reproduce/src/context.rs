//! The context of a step: agents, threads, input files and the extent of the measurement.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use serde::{Deserialize, Serialize};
use tabia_arena::driver::Launcher;
use tabia_core::{Agent, Catalogue, ChessGame, Stop};
use tabia_search::engine::STACK_BYTES;

use crate::error::ReproduceError;

/// How much is measured.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Extent {
    /// A smoke test of some seconds; the figures mean little.
    Taste,
    /// Minutes.
    Quick,
    /// About three hours of one core: at least as many games and positions as the seeds.
    #[default]
    Full,
}

impl Extent {
    /// Selects the value for this extent.
    pub fn of<T>(self, taste: T, quick: T, full: T) -> T {
        match self {
            Extent::Taste => taste,
            Extent::Quick => quick,
            Extent::Full => full,
        }
    }

    /// Description for reports.
    pub const fn label(self) -> &'static str {
        match self {
            Extent::Taste => "a taste: every step runs, but the figures mean little",
            Extent::Quick => "quick: fewer games and positions than the seeds have",
            Extent::Full => "full",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// Games of masters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<PathBuf>,
    /// Test positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epd: Option<PathBuf>,
    /// Directory of a training run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training: Option<PathBuf>,
}

/// Agents, and how external engines are started.
#[derive(Clone)]
pub struct Players {
    pub catalogue: fn() -> Catalogue<ChessGame>,
    /// Starts external engines.
    pub launcher: Launcher,
}

impl Players {
    /// Builds the agent of a spec.
    pub fn agent(&self, spec: &str) -> Result<Box<dyn Agent<ChessGame>>, ReproduceError> {
        Ok((self.catalogue)().build_from_text(spec)?)
    }

    /// Whether a spec can be built; an engine that is not installed cannot.
    pub fn has(&self, spec: &str) -> bool {
        self.agent(spec).is_ok()
    }
}

pub struct StepContext<'a> {
    pub players: &'a Players,
    /// How much is measured.
    pub extent: Extent,
    pub threads: usize,
    pub stop: &'a Stop,
    pub inputs: &'a Inputs,
    /// Directory of the run, for steps with files of their own.
    pub directory: &'a Path,
    /// Receives progress: finished parts and their total.
    pub tell: &'a mut dyn FnMut(usize, usize),
}

/// A result, or `None` if the step was stopped.
pub type Interruptible<T> = Result<Option<T>, ReproduceError>;

impl StepContext<'_> {
    /// Parallel map over items; results are in the order of the items. `None` if stopped, by the flag or by `work` itself.
    pub fn each<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        work: impl Fn(&T) -> Interruptible<R> + Sync,
    ) -> Interruptible<Vec<R>> {
        let next = AtomicUsize::new(0);
        let (sender, ended) = mpsc::channel::<(usize, Interruptible<R>)>();
        let stop = self.stop;
        let worker = |sender: mpsc::Sender<(usize, Interruptible<R>)>| {
            while !stop.is_stopped() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { break };
                if sender.send((index, work(item))).is_err() {
                    break;
                }
            }
        };
        let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, items.len().max(1)) {
                let sender = sender.clone();
                thread::Builder::new()
                    .name("reproduction".to_owned())
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, || worker(sender))
                    .map_err(ReproduceError::Thread)?;
            }
            drop(sender);
            let mut done = 0;
            for (index, result) in &ended {
                match result {
                    Ok(result) => results[index] = result,
                    Err(error) => {
                        // The other threads find no items left.
                        next.store(items.len(), Ordering::Relaxed);
                        return Err(error);
                    }
                }
                done += 1;
                (self.tell)(done, items.len());
            }
            Ok(())
        })?;
        Ok(if stop.is_stopped() { None } else { results.into_iter().collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        testing::work(Extent::Taste, |work| {
            let items: Vec<u64> = (0..100).collect();
            let done = work.each(&items, |item| Ok(Some(item * item))).unwrap().unwrap();
            assert_eq!(done, items.iter().map(|item| item * item).collect::<Vec<_>>());
        });
    }

    #[test]
    fn one_error_ends_it_and_a_stop_gives_nothing() {
        testing::work(Extent::Taste, |work| {
            let items = [0u8; 50];
            let failed: Interruptible<Vec<()>> =
                work.each(&items, |_| Err(ReproduceError::Settings("no".to_owned())));
            assert_eq!(failed.unwrap_err().to_string(), "no");
            work.stop.stop();
            assert!(work.each(&items, |item| Ok(Some(*item))).unwrap().is_none());
        });
    }
}
