//! Many games at once: each has one leaf in flight, and the leaves of a thread's games are valued together.
//!
//! A game's luck comes from its own number, and nothing about it depends on who else plays; so a generation is the same with any number of
//! threads, and what was finished before an interruption need not be played again.

mod story;
mod table;
pub mod transcript;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use tabia_core::Stop;
use tabia_mcts::{PolicyValue, Verdict};
use tabia_quantum::{Action, QuantumGame};

use crate::error::NetError;
use crate::settings::Knobs;
use crate::shard::Played;
use table::Table;

/// Finished games that nobody took yet, at most.
const UNTAKEN: usize = 64;

/// How games are played.
#[derive(Copy, Clone, Debug)]
pub struct Hall<'a> {
    /// Every number of it.
    pub knobs: &'a Knobs,
    /// Simulations of a move that is learned from.
    pub simulations: u32,
    /// Simulations of the other moves.
    pub quick_simulations: u32,
    /// Where the luck of all games comes from.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
}

impl Hall<'_> {
    /// Plays the games of these numbers, and hands on each as it ends. Tells whether all were played; when `stop` is raised, games that are not
    /// finished are given up.
    pub fn play(
        &self,
        evaluator: &dyn PolicyValue<QuantumGame>,
        numbers: &[u32],
        stop: &Stop,
        finished: &mut dyn FnMut(Played) -> Result<(), NetError>,
    ) -> Result<bool, NetError> {
        let next = AtomicUsize::new(0);
        // Whoever is slow to take games is waited for.
        let (send, receive) = mpsc::sync_channel(UNTAKEN);
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, numbers.len().max(1)) {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || self.work(evaluator, numbers, next, stop, &send));
            }
            drop(send);
            let mut count = 0;
            for game in receive {
                count += 1;
                if let Err(error) = finished(game) {
                    stop.stop();
                    return Err(error);
                }
            }
            Ok(count == numbers.len())
        })
    }

    /// One thread's games.
    fn work(
        &self,
        evaluator: &dyn PolicyValue<QuantumGame>,
        numbers: &[u32],
        next: &AtomicUsize,
        stop: &Stop,
        finished: &mpsc::SyncSender<Played>,
    ) {
        let mut tables: Vec<Table> = Vec::new();
        let mut verdicts: Vec<Verdict> = Vec::new();
        loop {
            // Seats that are free are taken.
            while tables.len() < self.knobs.games_at_once as usize
                && let Some(number) = numbers.get(next.fetch_add(1, Ordering::Relaxed))
            {
                tables.push(Table::new(*number, self));
            }
            if tables.is_empty() || stop.is_stopped() {
                return;
            }
            let (mut games, mut actions): (Vec<QuantumGame>, Vec<Vec<Action>>) = Default::default();
            tables.retain_mut(|table| {
                if let Some(leaf) = table.go_on(self) {
                    games.push(leaf.game.clone());
                    actions.push(leaf.actions().to_vec());
                    return true;
                }
                // Nobody listens any more when something went wrong; then it ends soon.
                let _ = finished.send(table.record());
                false
            });
            evaluator.infer(&games, &actions, &mut verdicts);
            for (table, verdict) in tables.iter_mut().zip(&verdicts) {
                table.answer(verdict);
            }
        }
    }
}
