//! Leaves valued by a network, many at a time, and remembered.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tabia_core::Game;
use tabia_mcts::{PolicyValue, Verdict};
use tabia_quantum::{Action, QuantumGame};

use crate::architecture::Architecture;
use crate::error::NetError;
use crate::forward::{Folded, Room, softmax};
use crate::view::{self, INPUT_SIZE, Seen};
use crate::weights::Weights;

/// Verdicts that are remembered; when there are more, all are forgotten.
const REMEMBERED: usize = 20_000;

/// A network that values leaves.
pub struct Network {
    folded: Folded,
    /// Verdicts by the state's key; nothing where nothing is to be remembered.
    memory: Option<Mutex<HashMap<u64, Verdict>>>,
    rooms: Mutex<Vec<Room>>,
}

impl Network {
    /// A network from its weights.
    pub fn new(weights: &Weights) -> Network {
        let memory = Some(Mutex::new(HashMap::new()));
        Network { folded: Folded::new(weights), memory, rooms: Mutex::new(Vec::new()) }
    }

    /// The same without a memory, for those who hardly ever ask twice.
    #[must_use]
    pub fn forgetful(mut self) -> Network {
        self.memory = None;
        self
    }

    /// A network from a file.
    pub fn read(path: &Path) -> Result<Network, NetError> {
        Ok(Network::new(&Weights::read(path)?))
    }

    /// The network's shape.
    pub fn architecture(&self) -> Architecture {
        self.folded.architecture()
    }

    /// What the network says of a state with these actions.
    pub fn verdict(&self, game: &QuantumGame, actions: &[Action]) -> Verdict {
        let mut room = lock(&self.rooms).pop().unwrap_or_default();
        let mut input = vec![0.0; INPUT_SIZE];
        let verdict = self.ask(game, actions, &mut input, &mut room);
        lock(&self.rooms).push(room);
        verdict
    }

    fn ask(&self, game: &QuantumGame, actions: &[Action], input: &mut [f32], room: &mut Room) -> Verdict {
        let turn = game.side_to_move();
        Seen::new(game).write(false, input);
        let moves: Vec<usize> = actions.iter().map(|action| view::index(*action, turn)).collect();
        let answer = self.folded.answer(input, &moves, room);
        let mut priors = answer.logits;
        softmax(&mut priors);
        Verdict { value: answer.value, priors }
    }
}

impl PolicyValue<QuantumGame> for Network {
    fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Verdict>) {
        let mut room = lock(&self.rooms).pop().unwrap_or_default();
        let mut input = vec![0.0; INPUT_SIZE];
        out.clear();
        for (game, actions) in leaves.iter().zip(actions) {
            let key = game.key();
            let known = self.memory.as_ref().and_then(|memory| lock(memory).get(&key).cloned());
            // Two states with one key would have to differ in their number of actions to be told apart.
            let verdict =
                known.filter(|verdict| verdict.priors.len() == actions.len()).unwrap_or_else(|| {
                    let verdict = self.ask(game, actions, &mut input, &mut room);
                    if let Some(memory) = &self.memory {
                        let mut memory = lock(memory);
                        if memory.len() >= REMEMBERED {
                            memory.clear();
                        }
                        memory.insert(key, verdict.clone());
                    }
                    verdict
                });
            out.push(verdict);
        }
        lock(&self.rooms).push(room);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
