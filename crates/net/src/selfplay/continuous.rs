//! Self-play without an end: games go on while the network learns, and take over each new network between two leaves, as in AlphaZero.
//!
//! A generation that waits for its last game leaves a GPU idle: games differ in length by a factor of ten, and when most are over, the
//! batches are small. It is idle again while the network learns. Here no thread ever waits for a generation. The price is that games
//! depend on when a network arrived, so that neither threads nor interruptions leave a training unchanged.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use tabia_core::Stop;
use tabia_mcts::{Evaluation, PolicyValue};
use tabia_quantum::{Action, QuantumGame};

use super::SelfPlay;
use crate::device::Evaluator;
use crate::error::NetError;
use crate::shard::PlayedGame;

/// Interval at which somebody who waits for a game looks up.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The network that plays at the moment, and how many positions it has evaluated.
pub struct CurrentNetwork {
    evaluator: RwLock<Evaluator>,
    /// Evaluated leaves since they were last taken.
    leaves: AtomicU64,
}

impl CurrentNetwork {
    pub fn new(evaluator: Evaluator) -> CurrentNetwork {
        CurrentNetwork { evaluator: RwLock::new(evaluator), leaves: AtomicU64::new(0) }
    }

    /// From now on this network plays.
    pub fn replace(&self, evaluator: Evaluator) {
        *self.evaluator.write().unwrap_or_else(PoisonError::into_inner) = evaluator;
    }

    /// Number of leaves evaluated since the last call.
    pub fn take_leaves(&self) -> u64 {
        self.leaves.swap(0, Ordering::Relaxed)
    }

    fn evaluator(&self) -> Evaluator {
        Evaluator::clone(&self.evaluator.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl PolicyValue<QuantumGame> for CurrentNetwork {
    fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Evaluation>) {
        self.leaves.fetch_add(leaves.len() as u64, Ordering::Relaxed);
        self.evaluator().infer(leaves, actions, out);
    }

    fn failure(&self) -> Option<String> {
        self.evaluator().failure()
    }
}

/// Finished games, as they come.
pub struct FinishedGames<'a> {
    games: Receiver<PlayedGame>,
    pub network: &'a CurrentNetwork,
    /// Raised when a thread that plays has panicked.
    panicked: &'a Stop,
}

impl<'a> FinishedGames<'a> {
    pub(crate) fn new(
        games: Receiver<PlayedGame>,
        network: &'a CurrentNetwork,
        panicked: &'a Stop,
    ) -> FinishedGames<'a> {
        FinishedGames { games, network, panicked }
    }

    /// The next finished game, which is waited for briefly; `None` if no game has ended by then. An error if self-play is over, because
    /// the network failed or a thread panicked.
    pub fn next(&self) -> Result<Option<PlayedGame>, NetError> {
        if !self.panicked.is_stopped() {
            match self.games.recv_timeout(POLL_INTERVAL) {
                Ok(game) => return Ok(Some(game)),
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => {}
            }
        }
        let why = if self.panicked.is_stopped() {
            "a thread of self-play has panicked"
        } else {
            "self-play has ended"
        };
        Err(NetError::Evaluator(self.network.failure().unwrap_or_else(|| why.to_owned())))
    }

    /// A game that is finished already, if there is one.
    pub fn waiting(&self) -> Option<PlayedGame> {
        self.games.try_recv().ok()
    }
}

impl SelfPlay<'_> {
    /// Plays games on other threads for as long as `work` takes; games that are not finished then are abandoned. Up to `waiting`
    /// finished games wait to be taken; then play waits. When a thread panics the others end as well, `work` gets an error instead of its
    /// next game, and after it this panics.
    pub fn while_playing<T>(
        &self,
        network: &CurrentNetwork,
        waiting: usize,
        work: impl FnOnce(&FinishedGames<'_>) -> T,
    ) -> T {
        let (stop, started) = (Stop::new(), AtomicU32::new(0));
        let next = || Some(started.fetch_add(1, Ordering::Relaxed));
        let (send, games) = mpsc::sync_channel(waiting);
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let (send, stop, next) = (send.clone(), &stop, &next);
                scope.spawn(move || {
                    let _raised = RaisedByPanic(stop);
                    self.work(network, next, stop, &send);
                });
            }
            drop(send);
            // However `work` ends, threads that wait to hand over a game find nobody, and then the flag.
            let _raised = RaisedAtEnd(&stop);
            // While `work` goes on, only a panic raises the flag.
            let finished = FinishedGames::new(games, network, &stop);
            work(&finished)
        })
    }
}

/// Raises a flag if its thread panics.
struct RaisedByPanic<'a>(&'a Stop);

impl Drop for RaisedByPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Raises a flag when it goes out of scope, after a panic as well.
pub(crate) struct RaisedAtEnd<'a>(pub(crate) &'a Stop);

impl Drop for RaisedAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::settings::Hyperparameters;

    /// Panics when it is first asked; whoever asks afterwards waits.
    #[derive(Default)]
    struct PanicsOnce {
        has_panicked: AtomicBool,
        is_over: AtomicBool,
    }

    impl PolicyValue<QuantumGame> for PanicsOnce {
        fn infer(&self, leaves: &[QuantumGame], _: &[Vec<Action>], out: &mut Vec<Evaluation>) {
            assert!(self.has_panicked.swap(true, Ordering::SeqCst), "a panic that belongs to this test");
            while !self.is_over.load(Ordering::SeqCst) {
                thread::sleep(Duration::from_millis(1));
            }
            out.clear();
            out.resize(leaves.len(), Evaluation::default());
        }
    }

    #[test]
    fn a_panic_in_one_thread_ends_self_play() {
        let hyper = Hyperparameters { games_at_once: 1, ..Hyperparameters::default() };
        let play = SelfPlay { hyper: &hyper, simulations: 2, quick_simulations: 2, seed: 1, threads: 2 };
        let evaluator = Arc::new(PanicsOnce::default());
        let network = CurrentNetwork::new(evaluator.clone());
        let mut error = None;
        let ended = catch_unwind(AssertUnwindSafe(|| {
            play.while_playing(&network, 1, |games| {
                // The other thread is still there. It would be a minute until this gives up.
                error = (0..3000).find_map(|_| games.next().err());
                evaluator.is_over.store(true, Ordering::SeqCst);
            });
        }));
        assert_eq!(error.unwrap().to_string(), "a thread of self-play has panicked");
        assert!(ended.is_err(), "the panic is passed on");
    }
}
