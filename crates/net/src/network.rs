//! Leaf evaluation by a network for the tree search, with a cache.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tabia_core::Game;
use tabia_mcts::{Evaluation, PolicyValue};
use tabia_quantum::{Action, QuantumGame};

use crate::architecture::Architecture;
use crate::encoding::{self, EncodedPosition, INPUT_SIZE};
use crate::error::NetError;
use crate::forward::{FoldedNetwork, Workspace, softmax};
use crate::weights::Weights;

/// Entries of the cache; a full cache is cleared.
const CACHE_CAPACITY: usize = 20_000;

/// A network that evaluates leaves.
pub struct Network {
    folded: FoldedNetwork,
    /// Evaluations by position key; `None` without a cache.
    cache: Option<Mutex<HashMap<u64, Evaluation>>>,
    workspaces: Mutex<Vec<Workspace>>,
}

impl Network {
    /// Prepares weights for inference, with a cache.
    pub fn new(weights: &Weights) -> Network {
        let cache = Some(Mutex::new(HashMap::new()));
        Network { folded: FoldedNetwork::new(weights), cache, workspaces: Mutex::new(Vec::new()) }
    }

    /// Without a cache, for callers that hardly ever repeat a position.
    #[must_use]
    pub fn without_cache(mut self) -> Network {
        self.cache = None;
        self
    }

    /// Reads a weights file.
    pub fn read(path: &Path) -> Result<Network, NetError> {
        Ok(Network::new(&Weights::read(path)?))
    }

    /// The network's shape.
    pub fn architecture(&self) -> Architecture {
        self.folded.architecture()
    }

    /// Evaluates a position with these legal actions.
    pub fn evaluate(&self, game: &QuantumGame, actions: &[Action]) -> Evaluation {
        let mut workspace = lock(&self.workspaces).pop().unwrap_or_default();
        let mut input = vec![0.0; INPUT_SIZE];
        let evaluation = self.infer_one(game, actions, &mut input, &mut workspace);
        lock(&self.workspaces).push(workspace);
        evaluation
    }

    fn infer_one(
        &self,
        game: &QuantumGame,
        actions: &[Action],
        input: &mut [f32],
        workspace: &mut Workspace,
    ) -> Evaluation {
        let turn = game.side_to_move();
        EncodedPosition::new(game).write(false, input);
        let moves: Vec<usize> = actions.iter().map(|action| encoding::policy_index(*action, turn)).collect();
        let output = self.folded.forward(input, &moves, workspace);
        let mut priors = output.logits;
        softmax(&mut priors);
        Evaluation { value: output.value, draw: output.wdl.map_or(0.0, |[_, draw, _]| draw), priors }
    }
}

impl PolicyValue<QuantumGame> for Network {
    fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Evaluation>) {
        let mut workspace = lock(&self.workspaces).pop().unwrap_or_default();
        let mut input = vec![0.0; INPUT_SIZE];
        out.clear();
        for (game, actions) in leaves.iter().zip(actions) {
            let key = game.key();
            let cached = self.cache.as_ref().and_then(|cache| lock(cache).get(&key).cloned());
            // A key collision is noticed only if the number of legal actions differs.
            let evaluation =
                cached.filter(|evaluation| evaluation.priors.len() == actions.len()).unwrap_or_else(|| {
                    let evaluation = self.infer_one(game, actions, &mut input, &mut workspace);
                    if let Some(cache) = &self.cache {
                        let mut cache = lock(cache);
                        if cache.len() >= CACHE_CAPACITY {
                            cache.clear();
                        }
                        cache.insert(key, evaluation.clone());
                    }
                    evaluation
                });
            out.push(evaluation);
        }
        lock(&self.workspaces).push(workspace);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
