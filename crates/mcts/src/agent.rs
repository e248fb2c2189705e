//! An agent that plays by tree search with an evaluator.

use rand::SeedableRng;
use tabia_core::seed::{self, Random};
use tabia_core::{Agent, AgentError, Game, Limits, SearchInfo, Stop, Turn};

use crate::choice;
use crate::policy_value::PolicyValue;
use crate::search::search;
use crate::settings::Settings;
use crate::tree::Tree;

/// Plies to search the tree for the current state after both sides have moved.
const PLIES_BETWEEN_MOVES: u32 = 2;

/// An agent that searches.
///
/// Its choice depends on the seed, the state and the ply, and on what it has kept of its tree; with one thread and a number of
/// simulations it is the same every time.
///
/// ```
/// # use tabia_core::{ChessGame, Game, Limits, Stop};
/// # use tabia_mcts::{Evaluation, PolicyValue};
/// # struct Uniform;
/// # impl PolicyValue<ChessGame> for Uniform {
/// #     fn infer(
/// #         &self,
/// #         leaves: &[ChessGame],
/// #         _: &[Vec<shakmaty::Move>],
/// #         out: &mut Vec<Evaluation>,
/// #     ) {
/// #         out.clear();
/// #         out.resize(leaves.len(), Evaluation::default());
/// #     }
/// # }
///
/// use tabia_core::Agent;
/// use tabia_mcts::{Mcts, Settings};
///
/// let ply = |game: &ChessGame| game.moves().len() as u32;
/// let mut agent = Mcts::new(Uniform, Settings::default(), Some(400), 7, ply);
/// // Mate in one: with uniform priors, the solver proves it.
/// let game = ChessGame::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")?;
/// let m = agent.choose(&game, &Limits::default(), &Stop::new(), &mut |_| {})?;
/// assert_eq!(game.write_move(m), "a1a8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Mcts<G: Game, P> {
    evaluator: P,
    settings: Settings,
    /// Simulations per move; `None` is as many as the limits allow.
    simulations: Option<u64>,
    own_seed: u64,
    seed: u64,
    /// Ply of a state, for the temperature.
    ply: fn(&G) -> u32,
    tree: Option<Tree<G>>,
}

impl<G: Game, P: PolicyValue<G>> Mcts<G, P> {
    /// An agent with these settings. `ply` returns the ply of a state, for the temperature.
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

    /// The tree for this search, reused if possible, with Dirichlet noise at the root if configured.
    fn prepare(&mut self, game: &G, rng: &mut Random) -> Tree<G> {
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
            choice::add_noise(&mut tree, self.settings.noise_alpha, self.settings.noise_share, rng);
        }
        tree
    }
}

impl<G: Game, P: PolicyValue<G>> Agent<G> for Mcts<G, P> {
    fn choose(
        &mut self,
        game: &G,
        limits: &Limits<G::Action>,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<G::Action>),
    ) -> Result<G::Action, AgentError> {
        match game.turn() {
            Turn::Player(_) => {}
            Turn::Over(_) => return Err(AgentError::GameOver),
            Turn::Chance => {
                return Err(AgentError::Failed("a chance event is pending, no player is to move".to_owned()));
            }
        }
        let ply = (self.ply)(game);
        let turn = seed::derive(self.seed, u64::from(ply));
        let mut rng = Random::seed_from_u64(seed::derive(turn, game.key()));
        let mut tree = self.prepare(game, &mut rng);
        let nodes = match (limits.nodes, self.simulations) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let limits = Limits { nodes, ..limits.clone() };
        let Settings { threads, batch, .. } = self.settings;
        search(&mut tree, &self.evaluator, threads, batch, &limits, stop, report);
        if let Some(why) = self.evaluator.failure() {
            return Err(AgentError::Failed(why));
        }
        let temperature = if ply < self.settings.temperature_plies { self.settings.temperature } else { 0.0 };
        let chosen = if self.settings.lower_bound && temperature <= 0.0 {
            choice::choose_by_lower_bound(&tree.root_actions())
        } else {
            choice::choose(&tree.root_actions(), temperature, &mut rng)
        };
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
