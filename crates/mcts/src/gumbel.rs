//! The root of a search with few simulations: which actions get them, and what policy follows (Danihelka and others, 2022).
//!
//! With a few dozen simulations, visits say little. So some actions are drawn without replacement (the largest sums of logit and Gumbel noise), they
//! share the simulations, and in each of several rounds the worse half drops out. What is played is the best of the last, which is
//! at least as good as the policy on average; and what is learned is the policy shifted by the values that were found, those of actions that were
//! not tried completed by the average. Below the root the search is as ever.

use rand::Rng;
use tabia_core::Game;
use tabia_core::seed::Random;

use crate::tree::{RootAction, Tree};

/// How it is steered.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Settings {
    /// Actions that are tried at all.
    pub candidates: usize,
    /// Simulations after the root itself is valued.
    pub simulations: u32,
    /// Visits that values are trusted for from the beginning.
    pub visits: f64,
    /// How much values count against logits.
    pub scale: f64,
    /// How much noise: 1 draws actions as the policy has them, 0 takes the best.
    pub noise: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { candidates: 16, simulations: 64, visits: 50.0, scale: 0.5, noise: 1.0 }
    }
}

/// A root being searched. The tree's root has been valued before.
#[derive(Clone, Debug)]
pub struct Gumbel {
    settings: Settings,
    /// Noise and logit of every action; nothing for those that may not be played.
    urges: Vec<Option<f64>>,
    logits: Vec<f64>,
    /// What the root was worth before the search.
    first_value: f64,
    /// Those that are still in, best first.
    left: Vec<usize>,
    /// Visits that each of them has at the end of this round.
    quota: u32,
    /// Simulations begun.
    begun: u32,
}

impl Gumbel {
    /// Begins at a root that was just valued. Actions that are not `allowed` are neither tried nor learned; if none is, all are.
    pub fn new<G: Game>(
        tree: &Tree<G>,
        settings: Settings,
        allowed: impl Fn(&G::Action) -> bool,
        random: &mut Random,
    ) -> Gumbel {
        let actions = tree.root_actions();
        let none = !actions.iter().any(|action| allowed(&action.action));
        let logits: Vec<f64> = actions.iter().map(|action| action.prior.max(1e-12).ln()).collect();
        let urge = |(action, logit): (&RootAction<G::Action>, &f64)| {
            // Drawn for every action, so that what is drawn later does not depend on what is allowed.
            let uniform: f64 = random.random_range(f64::MIN_POSITIVE..1.0);
            let gumbel = -(-uniform.ln()).ln();
            (none || allowed(&action.action)).then_some(logit + settings.noise * gumbel)
        };
        let urges: Vec<Option<f64>> = actions.iter().zip(&logits).map(urge).collect();
        let mut left: Vec<usize> = (0..actions.len()).filter(|at| urges[*at].is_some()).collect();
        left.sort_by(|a, b| urges[*b].unwrap_or_default().total_cmp(&urges[*a].unwrap_or_default()));
        left.truncate(settings.candidates.max(1).min(settings.simulations.max(1) as usize));
        let mut gumbel =
            Gumbel { settings, urges, logits, first_value: tree.value(), left, quota: 0, begun: 0 };
        gumbel.quota = gumbel.share();
        gumbel
    }

    /// What each of those that are left gets in this round.
    fn share(&self) -> u32 {
        let rounds = (self.settings.candidates.max(2) as f64).log2().ceil();
        let even = f64::from(self.settings.simulations) / (rounds * self.left.len().max(1) as f64);
        (even as u32).max(1)
    }

    /// The number of the root's action that the next simulation goes through; nothing when all are done.
    pub fn next<G: Game>(&mut self, tree: &Tree<G>) -> Option<usize> {
        if self.begun >= self.settings.simulations || tree.is_proven() || self.left.is_empty() {
            return None;
        }
        let mut actions = tree.root_actions();
        let least = |gumbel: &Gumbel, actions: &[RootAction<G::Action>]| {
            gumbel.left.iter().copied().min_by_key(|at| actions[*at].visits)
        };
        let mut next = least(self, &actions)?;
        if actions[next].visits >= self.quota {
            if self.left.len() > 2 {
                self.rank(&actions);
                self.left.truncate(self.left.len().div_ceil(2));
            }
            next = least(self, &actions)?;
            self.quota = actions[next].visits + self.share();
            actions.clear();
        }
        self.begun += 1;
        Some(next)
    }

    /// Sorts those that are left, best first.
    fn rank<A: Copy>(&mut self, actions: &[RootAction<A>]) {
        let values = self.completed(actions);
        let most = most_visits(actions);
        let score =
            |at: &usize| self.urges[*at].unwrap_or(f64::NEG_INFINITY) + self.weight(most) * values[*at];
        let mut left = self.left.clone();
        left.sort_by(|a, b| score(b).total_cmp(&score(a)));
        self.left = left;
    }

    fn weight(&self, most: u32) -> f64 {
        (self.settings.visits + f64::from(most)) * self.settings.scale
    }

    /// What actions are worth, from 0 to 1; those never tried what the average is.
    fn completed<A: Copy>(&self, actions: &[RootAction<A>]) -> Vec<f64> {
        let visits: f64 = actions.iter().map(|action| f64::from(action.visits)).sum();
        let (mut prior, mut sum) = (0.0, 0.0);
        for action in actions {
            if let Some(value) = action.value {
                prior += action.prior;
                sum += action.prior * value;
            }
        }
        let average = if prior > 0.0 { sum / prior } else { self.first_value };
        let mixed = (self.first_value + visits * average) / (1.0 + visits);
        actions.iter().map(|action| f64::midpoint(action.value.unwrap_or(mixed), 1.0)).collect()
    }

    /// The policy to learn, in the order of the root's actions.
    pub fn policy<G: Game>(&self, tree: &Tree<G>) -> Vec<f32> {
        let actions = tree.root_actions();
        let (values, weight) = (self.completed(&actions), self.weight(most_visits(&actions)));
        let score = |at: usize| self.urges[at].map(|_| self.logits[at] + weight * values[at]);
        let scores: Vec<Option<f64>> = (0..actions.len()).map(score).collect();
        let most = scores.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> =
            scores.iter().map(|score| score.map_or(0.0, |score| (score - most).exp())).collect();
        let sum: f64 = shares.iter().sum();
        shares.iter().map(|share| (share / sum) as f32).collect()
    }

    /// The number of the action to play: what is proven to be best, or else the best of those that were tried to the end.
    pub fn choice<G: Game>(&mut self, tree: &Tree<G>) -> Option<usize> {
        let actions = tree.root_actions();
        if tree.is_proven() {
            let best = |a: &usize, b: &usize| {
                let rank = |at: &usize| (actions[*at].bounds.0, actions[*at].visits);
                rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal)
            };
            return (0..actions.len()).filter(|at| self.urges[*at].is_some()).max_by(best);
        }
        self.rank(&actions);
        self.left.first().copied()
    }
}

fn most_visits<A>(actions: &[RootAction<A>]) -> u32 {
    actions.iter().map(|action| action.visits).max().unwrap_or(0)
}
