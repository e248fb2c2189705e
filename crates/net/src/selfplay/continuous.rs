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

/// The network that plays at the moment, and how much it was asked.
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
}

impl FinishedGames<'_> {
    /// Waits for a finished game, for a moment only. `None` if there is none yet; an error if the network failed and there will be none.
    pub fn next(&self) -> Result<Option<PlayedGame>, NetError> {
        match self.games.recv_timeout(POLL_INTERVAL) {
            Ok(game) => Ok(Some(game)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                let why = self.network.failure().unwrap_or_else(|| "self-play has ended".to_owned());
                Err(NetError::Evaluator(why))
            }
        }
    }

    /// A game that is finished already, if there is one.
    pub fn waiting(&self) -> Option<PlayedGame> {
        self.games.try_recv().ok()
    }
}

impl SelfPlay<'_> {
    /// Plays games on other threads for as long as `work` takes; games that are not finished then are abandoned. Up to `waiting`
    /// finished games wait to be taken; then play waits.
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
                scope.spawn(move || self.work(network, next, stop, &send));
            }
            drop(send);
            // However `work` ends, threads that wait to hand over a game find nobody, and then the flag.
            let _raised = RaisedAtEnd(&stop);
            let finished = FinishedGames { games, network };
            work(&finished)
        })
    }
}

/// Raises a flag when it goes out of scope, after a panic as well.
pub(crate) struct RaisedAtEnd<'a>(pub(crate) &'a Stop);

impl Drop for RaisedAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
