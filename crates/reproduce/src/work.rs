//! What a step has to work with: players, threads, files that were named, and how much is asked of it.

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
    /// Seconds: every part runs, no number means much.
    Taste,
    /// Minutes.
    Quick,
    /// An hour of a core: as many games and positions as the seeds have, or more.
    #[default]
    Full,
}

impl Extent {
    /// The number that belongs to it.
    pub fn of<T>(self, taste: T, quick: T, full: T) -> T {
        match self {
            Extent::Taste => taste,
            Extent::Quick => quick,
            Extent::Full => full,
        }
    }

    /// As people say it.
    pub const fn words(self) -> &'static str {
        match self {
            Extent::Taste => "a taste: every part runs, no number means much",
            Extent::Quick => "quick: fewer games and positions than the seeds have",
            Extent::Full => "full",
        }
    }
}

/// Files of one's own to measure with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// Games of masters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<PathBuf>,
    /// Test positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epd: Option<PathBuf>,
    /// The directory of a training.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training: Option<PathBuf>,
}

/// Who can play, and how engines of others are started.
#[derive(Clone)]
pub struct Players {
    /// Every agent there is.
    pub catalogue: fn() -> Catalogue<ChessGame>,
    /// Starts engines.
    pub launcher: Launcher,
}

impl Players {
    /// The agent of a spec.
    pub fn agent(&self, spec: &str) -> Result<Box<dyn Agent<ChessGame>>, ReproduceError> {
        Ok((self.catalogue)().build_from_text(spec)?)
    }

    /// Whether a spec can be played with here; an engine that is not installed cannot.
    pub fn has(&self, spec: &str) -> bool {
        self.agent(spec).is_ok()
    }
}

/// What a step has to work with.
pub struct Work<'a> {
    /// Who can play.
    pub players: &'a Players,
    /// How much is asked for.
    pub extent: Extent,
    /// How many threads work at once.
    pub threads: usize,
    /// Ends it.
    pub stop: &'a Stop,
    /// Files of one's own.
    pub inputs: &'a Inputs,
    /// The directory of the run, for steps that keep more than their figures.
    pub directory: &'a Path,
    /// Hears how far the step has come: so many parts, of how many.
    pub tell: &'a mut dyn FnMut(usize, usize),
}

/// All results, or none when the work was stopped.
pub type Done<T> = Result<Option<T>, ReproduceError>;

impl Work<'_> {
    /// Does something with every item, on all threads, and gives the results in the order of the items. None when it was stopped: whoever does
    /// something may say so too.
    pub fn each<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        work: impl Fn(&T) -> Done<R> + Sync,
    ) -> Done<Vec<R>> {
        let next = AtomicUsize::new(0);
        let (sender, ended) = mpsc::channel::<(usize, Done<R>)>();
        let stop = self.stop;
        let labour = |sender: mpsc::Sender<(usize, Done<R>)>| {
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
                    .spawn_scoped(scope, || labour(sender))
                    .map_err(ReproduceError::Thread)?;
            }
            drop(sender);
            let mut done = 0;
            for (index, result) in &ended {
                match result {
                    Ok(result) => results[index] = result,
                    Err(error) => {
                        // Those who still work find nothing left to do.
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
            let failed: Done<Vec<()>> = work.each(&items, |_| Err(ReproduceError::Settings("no".to_owned())));
            assert_eq!(failed.unwrap_err().to_string(), "no");
            work.stop.stop();
            assert!(work.each(&items, |item| Ok(Some(*item))).unwrap().is_none());
        });
    }
}
