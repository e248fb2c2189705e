//! Agents for quantum chess: random, greedy and search.

use rand::Rng;
use tabia_core::{
    Agent, AgentEntry, AgentError, Catalogue, Game, Limits, OptionEntry, OptionKind, Options, Score,
    SearchInfo, Stop, Turn, seed,
};
use tabia_mcts::{Evaluation, Mcts, PolicyValue, Settings};

use crate::action::Action;
use crate::evaluate;
use crate::game::QuantumGame;

/// Value of a won game in pawns: more than any material.
const WIN: f64 = 1000.0;

/// The agents of this crate.
pub fn entries() -> Vec<AgentEntry<QuantumGame>> {
    vec![mcts(), greedy(), random()]
}

/// All agents that play quantum chess.
///
/// ```
/// use tabia_quantum::agents;
///
/// let catalogue = agents::catalogue();
/// assert!(catalogue.entries().iter().any(|entry| entry.name == "random"));
/// ```
pub fn catalogue() -> Catalogue<QuantumGame> {
    let mut catalogue = Catalogue::default();
    catalogue.add(entries());
    catalogue
}

/// Material, activity and king safety, for the search.
#[derive(Copy, Clone, Debug, Default)]
pub struct HandcraftedEvaluator;

impl PolicyValue<QuantumGame> for HandcraftedEvaluator {
    fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Evaluation>) {
        out.clear();
        for (game, actions) in leaves.iter().zip(actions) {
            let mut priors = Vec::with_capacity(actions.len());
            evaluate::priors(game, actions, &mut priors);
            out.push(Evaluation { value: evaluate::value(game) as f32, draw: 0.0, priors });
        }
    }
}

/// Uniform over legal moves, splits included. Its choice is a function of the seed, the ply and the state.
#[derive(Copy, Clone, Debug)]
pub struct RandomAgent {
    own_seed: u64,
    seed: u64,
}

/// Maximises the expected material one ply ahead. A split that is no better than a classical move is not played; ties are
/// broken at random, as by [`RandomAgent`].
#[derive(Copy, Clone, Debug)]
pub struct GreedyAgent {
    own_seed: u64,
    seed: u64,
}

impl RandomAgent {
    pub fn new(seed: u64) -> RandomAgent {
        RandomAgent { own_seed: seed, seed }
    }
}

impl GreedyAgent {
    pub fn new(seed: u64) -> GreedyAgent {
        GreedyAgent { own_seed: seed, seed }
    }
}

impl Agent<QuantumGame> for RandomAgent {
    fn choose(
        &mut self,
        game: &QuantumGame,
        _limits: &Limits<Action>,
        _stop: &Stop,
        _report: &mut dyn FnMut(&SearchInfo<Action>),
    ) -> Result<Action, AgentError> {
        draw(game, &listed(game)?, self.seed)
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = seed::derive(self.own_seed, seed);
    }
}

impl Agent<QuantumGame> for GreedyAgent {
    fn choose(
        &mut self,
        game: &QuantumGame,
        _limits: &Limits<Action>,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<Action>),
    ) -> Result<Action, AgentError> {
        /// Tolerance of comparisons: sums of weights are rounded.
        const EQUAL: f64 = 1e-9;
        let actions = listed(game)?;
        let (mut best, mut equals) = (f64::NEG_INFINITY, Vec::new());
        let sign = game.side_to_move().fold_wb(1.0, -1.0);
        for action in &actions {
            let mut next = game.clone();
            next.apply(*action);
            let gain = sign * expected_material(&next);
            if gain > best + EQUAL {
                best = gain;
                equals.clear();
            }
            if gain > best - EQUAL {
                equals.push(*action);
            }
            if stop.is_stopped() {
                break;
            }
        }
        let is_split = |action: &Action| matches!(action, Action::Move(m) if m.is_split());
        if !equals.iter().all(is_split) {
            equals.retain(|action| !is_split(action));
        }
        let chosen = draw(game, &equals, self.seed)?;
        report(&SearchInfo {
            depth: 1,
            selective_depth: 1,
            rank: 1,
            score: if best > WIN - 1.0 { Score::mate_in_plies(1) } else { Score::cp((100.0 * best) as i32) },
            bound: tabia_core::Bound::Exact,
            wdl: None,
            nodes: actions.len() as u64,
            table_hits: 0,
            hash_full: 0,
            elapsed: std::time::Duration::ZERO,
            line: vec![chosen],
        });
        Ok(chosen)
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = seed::derive(self.own_seed, seed);
    }
}

/// White's expected material over the pending measurements.
fn expected_material(game: &QuantumGame) -> f64 {
    match game.turn() {
        Turn::Over(outcome) => outcome.winner.map_or(0.0, |winner| winner.fold_wb(WIN, -WIN)),
        Turn::Player(_) => evaluate::material(game),
        Turn::Chance => {
            let mut chances = Vec::new();
            game.chances(&mut chances);
            let after = |(answer, probability): (Action, f64)| {
                let mut next = game.clone();
                next.apply(answer);
                probability * expected_material(&next)
            };
            chances.into_iter().map(after).sum()
        }
    }
}

fn listed(game: &QuantumGame) -> Result<Vec<Action>, AgentError> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    match game.turn() {
        Turn::Player(_) => Ok(actions),
        Turn::Over(_) => Err(AgentError::GameOver),
        Turn::Chance => Err(AgentError::Failed("a measurement is pending: no player is to move".to_owned())),
    }
}

fn draw(game: &QuantumGame, actions: &[Action], seed: u64) -> Result<Action, AgentError> {
    if actions.is_empty() {
        return Err(AgentError::GameOver);
    }
    let turn = seed::derive(seed, u64::from(game.ply()));
    let mut random = seed::random(seed::derive(turn, game.key()));
    Ok(actions[random.random_range(0..actions.len())])
}

fn random() -> AgentEntry<QuantumGame> {
    AgentEntry {
        name: "random",
        summary: "uniform over legal moves, splits included",
        options: vec![seed_option()],
        build: Box::new(|options| Ok(Box::new(RandomAgent::new(seed_of(options))))),
    }
}

fn greedy() -> AgentEntry<QuantumGame> {
    AgentEntry {
        name: "greedy",
        summary: "one ply ahead: the most material on average over what may be measured",
        options: vec![seed_option()],
        build: Box::new(|options| Ok(Box::new(GreedyAgent::new(seed_of(options))))),
    }
}

fn mcts() -> AgentEntry<QuantumGame> {
    let mut options = vec![OptionEntry {
        key: "simulations",
        kind: OptionKind::Integer { min: 0, max: 100_000_000 },
        default: "800",
        help: "simulations for a move; 0 is as many as the limits allow",
    }];
    options.extend(search_options(false));
    AgentEntry {
        name: "mcts",
        summary: "Monte Carlo tree search with material, activity and king safety made by hand",
        options,
        build: Box::new(|options| {
            let simulations = options.integer("simulations").filter(|n| *n > 0).map(|n| n as u64);
            let settings = search_settings(options);
            Ok(Box::new(Mcts::new(
                HandcraftedEvaluator,
                settings,
                simulations,
                seed_of(options),
                QuantumGame::ply,
            )))
        }),
    }
}

/// The search options, shared by all agents that search with an evaluator of their own; `lower_bound` is the default of the
/// option of that name.
pub fn search_options(lower_bound: bool) -> Vec<OptionEntry> {
    let real = |min, max| OptionKind::Real { min, max };
    let count = |min, max| OptionKind::Integer { min, max };
    let option = |key, kind, default, help| OptionEntry { key, kind, default, help };
    vec![
        option("exploration", real(0.0, 100.0), "1.5", "how much priors count against values"),
        option("noise", real(0.0, 1.0), "0", "share of noise in the root's priors; 0.25 in self-play"),
        option("alpha", real(0.001, 1000.0), "0.3", "concentration of that noise"),
        option("temperature", real(0.0, 100.0), "0", "0 plays the most visited, 1 in proportion to visits"),
        option("temperature-plies", count(0, 10_000), "30", "plies of the game with that temperature"),
        option(
            "lower-bound",
            OptionKind::Switch,
            if lower_bound { "on" } else { "off" },
            "without a temperature, play the highest lower bound of the values instead of the most visited",
        ),
        option("batch", count(1, 4096), "1", "leaves valued together"),
        option("threads", count(1, 256), "1", "threads that search one tree"),
        option(
            "memory",
            count(1, 65_536),
            "256",
            "room for the tree in mebibytes; when it is full the search ends",
        ),
        option("reuse", OptionKind::Switch, "on", "keep the tree from move to move"),
        seed_option(),
    ]
}

/// The settings that [`search_options`] describe.
pub fn search_settings(options: &Options) -> Settings {
    let default = Settings::default();
    let real = |key: &str, default: f32| options.real(key).map_or(default, |value| value as f32);
    let count = |key: &str, default: usize| options.integer(key).map_or(default, |value| value as usize);
    Settings {
        exploration: real("exploration", default.exploration),
        first_play_reduction: default.first_play_reduction,
        noise_alpha: real("alpha", default.noise_alpha),
        noise_share: real("noise", default.noise_share),
        temperature: real("temperature", default.temperature),
        temperature_plies: count("temperature-plies", default.temperature_plies as usize) as u32,
        lower_bound: options.switch("lower-bound"),
        batch: count("batch", default.batch),
        threads: count("threads", default.threads),
        memory_mb: count("memory", default.memory_mb),
        kept_states: default.kept_states,
        reuse: options.switch("reuse"),
    }
}

fn seed_option() -> OptionEntry {
    OptionEntry {
        key: "seed",
        kind: OptionKind::Integer { min: 0, max: i64::MAX },
        default: "0",
        help: "which player of this kind: the same seed plays the same game",
    }
}

fn seed_of(options: &Options) -> u64 {
    options.integer("seed").unwrap_or(0) as u64
}
