//! Gumbel AlphaZero at the root, for searches with few simulations (Danihelka et al., 2022).
//!
//! With a few dozen simulations, visit counts say little. Candidates are sampled without replacement (Gumbel top-k: the largest sums of
//! logit and Gumbel noise) and share the simulations by sequential halving. The best remaining candidate is played, which improves on
//! the policy in expectation. The policy target is the softmax of logits plus transformed Q-values, with unvisited actions completed
//! by a mixed value estimate. Below the root the search is unchanged.

use rand::Rng;
use tabia_core::Game;
use tabia_core::seed::Random;

use crate::estimate::Estimate;
use crate::tree::{RootAction, Tree};

#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Settings {
    /// Number of candidates.
    pub candidates: usize,
    /// Simulations after the root's evaluation.
    pub simulations: u32,
    /// `c_visit` of the paper.
    pub visits: f64,
    /// `c_scale` of the paper.
    pub scale: f64,
    /// Scale of the Gumbel noise: 1 samples from the policy, 0 is greedy.
    pub noise: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { candidates: 16, simulations: 64, visits: 50.0, scale: 0.5, noise: 1.0 }
    }
}

/// The state of a search at the root.
#[derive(Clone, Debug)]
pub struct Gumbel {
    settings: Settings,
    /// Logit plus noise of every action; `None` for forbidden ones.
    noisy_logits: Vec<Option<f64>>,
    logits: Vec<f64>,
    /// The evaluator's estimate of the root.
    root: Estimate,
    /// Remaining candidates, best first.
    candidates: Vec<usize>,
    /// Visits of each candidate at the end of this round.
    quota: u32,
    started: u32,
}

impl Gumbel {
    /// Starts at an evaluated root. Actions that are not `allowed` are excluded from search and policy; if none is allowed, all are.
    pub fn new<G: Game>(
        tree: &Tree<G>,
        settings: Settings,
        allowed: impl Fn(&G::Action) -> bool,
        rng: &mut Random,
    ) -> Gumbel {
        let actions = tree.root_actions();
        let none = !actions.iter().any(|action| allowed(&action.action));
        let logits: Vec<f64> = actions.iter().map(|action| action.prior.max(1e-12).ln()).collect();
        let noisy_logit = |(action, logit): (&RootAction<G::Action>, &f64)| {
            // Drawn for every action, so that later draws do not depend on what is allowed.
            let uniform: f64 = rng.random_range(f64::MIN_POSITIVE..1.0);
            let gumbel = -(-uniform.ln()).ln();
            (none || allowed(&action.action)).then_some(logit + settings.noise * gumbel)
        };
        let noisy_logits: Vec<Option<f64>> = actions.iter().zip(&logits).map(noisy_logit).collect();
        let mut candidates: Vec<usize> =
            (0..actions.len()).filter(|at| noisy_logits[*at].is_some()).collect();
        candidates.sort_by(|a, b| {
            noisy_logits[*b].unwrap_or_default().total_cmp(&noisy_logits[*a].unwrap_or_default())
        });
        candidates.truncate(settings.candidates.max(1).min(settings.simulations.max(1) as usize));
        let mut gumbel = Gumbel {
            settings,
            noisy_logits,
            logits,
            root: tree.estimate(),
            candidates,
            quota: 0,
            started: 0,
        };
        gumbel.quota = gumbel.visits_per_candidate();
        gumbel
    }

    /// Additional visits of each candidate in this round.
    fn visits_per_candidate(&self) -> u32 {
        let rounds = (self.settings.candidates.max(2) as f64).log2().ceil();
        let even = f64::from(self.settings.simulations) / (rounds * self.candidates.len().max(1) as f64);
        (even as u32).max(1)
    }

    /// Index of the root action for the next simulation; `None` when the budget is spent.
    pub fn next<G: Game>(&mut self, tree: &Tree<G>) -> Option<usize> {
        if self.started >= self.settings.simulations || tree.is_proven() || self.candidates.is_empty() {
            return None;
        }
        let mut actions = tree.root_actions();
        let least = |gumbel: &Gumbel, actions: &[RootAction<G::Action>]| {
            gumbel.candidates.iter().copied().min_by_key(|at| actions[*at].visits)
        };
        let mut next = least(self, &actions)?;
        if actions[next].visits >= self.quota {
            if self.candidates.len() > 2 {
                self.rank(&actions);
                self.candidates.truncate(self.candidates.len().div_ceil(2));
            }
            next = least(self, &actions)?;
            self.quota = actions[next].visits + self.visits_per_candidate();
            actions.clear();
        }
        self.started += 1;
        Some(next)
    }

    /// Sorts the candidates, best first.
    fn rank<A: Copy>(&mut self, actions: &[RootAction<A>]) {
        let values = self.scores(actions);
        let most = max_visits(actions);
        let score = |at: &usize| {
            self.noisy_logits[*at].unwrap_or(f64::NEG_INFINITY) + self.weight(most) * values[*at]
        };
        let mut candidates = self.candidates.clone();
        candidates.sort_by(|a, b| score(b).total_cmp(&score(a)));
        self.candidates = candidates;
    }

    fn weight(&self, most: u32) -> f64 {
        (self.settings.visits + f64::from(most)) * self.settings.scale
    }

    /// Completed Q-values: unvisited actions get the mixed estimate of the root's evaluation and the visited actions.
    fn completed<A: Copy>(&self, actions: &[RootAction<A>]) -> Vec<Estimate> {
        let visits: f64 = actions.iter().map(|action| f64::from(action.visits)).sum();
        let (mut prior, mut sum) = (0.0, Estimate::default());
        for action in actions {
            if let Some(value) = action.value {
                prior += action.prior;
                sum.value += action.prior * value;
                sum.draw += action.prior * action.draw;
            }
        }
        let average = if prior > 0.0 {
            Estimate { value: sum.value / prior, draw: sum.draw / prior }
        } else {
            self.root
        };
        let mix = |root: f64, average: f64| (root + visits * average) / (1.0 + visits);
        let mixed =
            Estimate { value: mix(self.root.value, average.value), draw: mix(self.root.draw, average.draw) };
        actions
            .iter()
            .map(|action| action.value.map_or(mixed, |value| Estimate { value, draw: action.draw }))
            .collect()
    }

    /// Completed Q-values from 0 to 1.
    fn scores<A: Copy>(&self, actions: &[RootAction<A>]) -> Vec<f64> {
        self.completed(actions).into_iter().map(|estimate| f64::midpoint(estimate.value, 1.0)).collect()
    }

    /// The value target: what the improved policy expects. The root's own average would count every candidate that was tried and
    /// discarded, and so be lower than what is played is worth.
    pub fn estimate<G: Game>(&self, tree: &Tree<G>) -> Estimate {
        if tree.is_proven() {
            return tree.estimate();
        }
        let policy = self.policy(tree).into_iter().map(f64::from);
        let mixture = Estimate::mixture(policy.zip(self.completed(&tree.root_actions())));
        Estimate::new(mixture.value, mixture.draw)
    }

    /// The policy target, in the order of the root's actions.
    pub fn policy<G: Game>(&self, tree: &Tree<G>) -> Vec<f32> {
        let actions = tree.root_actions();
        let (values, weight) = (self.scores(&actions), self.weight(max_visits(&actions)));
        let score = |at: usize| self.noisy_logits[at].map(|_| self.logits[at] + weight * values[at]);
        let scores: Vec<Option<f64>> = (0..actions.len()).map(score).collect();
        let most = scores.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> =
            scores.iter().map(|score| score.map_or(0.0, |score| (score - most).exp())).collect();
        let sum: f64 = shares.iter().sum();
        shares.iter().map(|share| (share / sum) as f32).collect()
    }

    /// Index of the action to play: a proven best one, or else the best candidate.
    pub fn choice<G: Game>(&mut self, tree: &Tree<G>) -> Option<usize> {
        let actions = tree.root_actions();
        if tree.is_proven() {
            let best = |a: &usize, b: &usize| {
                let rank = |at: &usize| (actions[*at].bounds.0, actions[*at].visits);
                rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal)
            };
            return (0..actions.len()).filter(|at| self.noisy_logits[*at].is_some()).max_by(best);
        }
        self.rank(&actions);
        self.candidates.first().copied()
    }
}

fn max_visits<A>(actions: &[RootAction<A>]) -> u32 {
    actions.iter().map(|action| action.visits).max().unwrap_or(0)
}
