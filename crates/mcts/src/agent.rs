//! A player made of a search and somebody who values leaves.

use rand::SeedableRng;
use tabia_core::seed::{self, Random};
use tabia_core::{Agent, AgentError, Game, Limits, Stop, Thought, Turn};

use crate::choice;
use crate::policy_value::PolicyValue;
use crate::search::search;
use crate::settings::Settings;
use crate::tree::Tree;

/// How far ahead the state after the next two moves is looked for in the tree.
const PLIES_BETWEEN_MOVES: u32 = 2;

/// A player that searches.
///
/// Its choice depends on the seed, the state and the ply, and on what it has kept of its tree; with one thread and a number of
/// simulations it is the same every time.
pub struct Mcts<G: Game, P> {
    evaluator: P,
    settings: Settings,
    /// Simulations for a move; nothing is as many as the limits allow.
    simulations: Option<u64>,
    own_seed: u64,
    seed: u64,
    /// Which ply of its game a state is.
    ply: fn(&G) -> u32,
    tree: Option<Tree<G>>,
}

impl<G: Game, P: PolicyValue<G>> Mcts<G, P> {
    /// A player from all that steers it. `ply` tells how far a game has come, for the temperature.
    pub fn new(
        evaluator: P,
        settings: Settings,
        simulations: Option<u64>,
        seed: u64,
        ply: fn(&G) -> u32,
    ) -> Mcts<G, P> {
        Mcts { evaluator, settings, simulations, own_seed: seed, seed, ply, tree: None }
    }

    /// The tree of the last move, if it was kept.
    pub fn tree(&self) -> Option<&Tree<G>> {
        self.tree.as_ref()
    }

    /// The tree to go on with, its root valued and its priors noisy where that is wanted.
    fn prepare(&mut self, game: &G, random: &mut Random) -> Tree<G> {
        let mut tree = match self.tree.take() {
            Some(mut tree) if self.settings.reuse => {
                tree.advance(game, PLIES_BETWEEN_MOVES);
                tree
            }
            _ => Tree::new(game.clone(), self.settings),
        };
        if self.settings.noise_share > 0.0 {
            if tree.visits() == 0 {
                search(&mut tree, &self.evaluator, 1, 1, &Limits::nodes(1), &Stop::new(), &mut |_| {});
            }
            choice::add_noise(&mut tree, self.settings.noise_alpha, self.settings.noise_share, random);
        }
        tree
    }
}

impl<G: Game, P: PolicyValue<G>> Agent<G> for Mcts<G, P> {
    fn choose(
        &mut self,
        game: &G,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Thought<G::Action>),
    ) -> Result<G::Action, AgentError> {
        match game.turn() {
            Turn::Player(_) => {}
            Turn::Over(_) => return Err(AgentError::GameOver),
            Turn::Chance => return Err(AgentError::Failed("chance acts now, no player".to_owned())),
        }
        let ply = (self.ply)(game);
        let turn = seed::derive(self.seed, u64::from(ply));
        let mut random = Random::seed_from_u64(seed::derive(turn, game.key()));
        let mut tree = self.prepare(game, &mut random);
        let nodes = match (limits.nodes, self.simulations) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let limits = Limits { nodes, ..limits.clone() };
        let Settings { threads, batch, .. } = self.settings;
        search(&mut tree, &self.evaluator, threads, batch, &limits, stop, report);
        let temperature = if ply < self.settings.temperature_plies { self.settings.temperature } else { 0.0 };
        let chosen = choice::choose(&tree.root_actions(), temperature, &mut random);
        self.tree = Some(tree);
        chosen.ok_or(AgentError::GameOver)
    }

    fn new_game(&mut self) {
        self.tree = None;
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = seed::derive(self.own_seed, seed);
    }
}
