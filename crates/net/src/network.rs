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
use crate::forward::{FoldedNetwork, Output, Workspace, softmax};
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

    pub fn architecture(&self) -> Architecture {
        self.folded.architecture()
    }

    /// Evaluates a position with these legal actions.
    pub fn evaluate(&self, game: &QuantumGame, actions: &[Action]) -> Evaluation {
        self.infer_all(&[(game, actions)]).remove(0)
    }

    /// Evaluates positions with their legal actions, in one batch.
    fn infer_all(&self, positions: &[(&QuantumGame, &[Action])]) -> Vec<Evaluation> {
        let mut inputs = vec![0.0; positions.len() * INPUT_SIZE];
        for ((game, _), input) in positions.iter().zip(inputs.chunks_exact_mut(INPUT_SIZE)) {
            EncodedPosition::new(game).write(false, input);
        }
        let moves: Vec<Vec<usize>> = positions
            .iter()
            .map(|(game, actions)| {
                let turn = game.side_to_move();
                actions.iter().map(|action| encoding::policy_index(*action, turn)).collect()
            })
            .collect();
        let moves: Vec<&[usize]> = moves.iter().map(Vec::as_slice).collect();
        let mut workspace = lock(&self.workspaces).pop().unwrap_or_default();
        let outputs = self.folded.forward_batch(&inputs, &moves, &mut workspace);
        lock(&self.workspaces).push(workspace);
        let evaluation = |output: Output| {
            let mut priors = output.logits;
            softmax(&mut priors);
            Evaluation { value: output.value, draw: output.wdl.map_or(0.0, |[_, draw, _]| draw), priors }
        };
        outputs.into_iter().map(evaluation).collect()
    }
}

impl PolicyValue<QuantumGame> for Network {
    fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Evaluation>) {
        let cached = |(game, actions): (&QuantumGame, &Vec<Action>)| {
            let found = self.cache.as_ref().and_then(|cache| lock(cache).get(&game.key()).cloned());
            // A key collision is noticed only if the number of legal actions differs.
            found.filter(|evaluation| evaluation.priors.len() == actions.len())
        };
        let known: Vec<Option<Evaluation>> = leaves.iter().zip(actions).map(cached).collect();
        let open: Vec<(&QuantumGame, &[Action])> = known
            .iter()
            .zip(leaves.iter().zip(actions))
            .filter(|(known, _)| known.is_none())
            .map(|(_, (game, actions))| (game, &actions[..]))
            .collect();
        let inferred = if open.is_empty() { Vec::new() } else { self.infer_all(&open) };
        if let Some(cache) = &self.cache {
            let mut cache = lock(cache);
            for ((game, _), evaluation) in open.iter().zip(&inferred) {
                if cache.len() >= CACHE_CAPACITY {
                    cache.clear();
                }
                cache.insert(game.key(), evaluation.clone());
            }
        }
        let mut inferred = inferred.into_iter();
        out.clear();
        out.extend(known.into_iter().filter_map(|known| known.or_else(|| inferred.next())));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
