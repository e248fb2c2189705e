//! Choice of an action: Dirichlet noise before the search, temperature or lower bounds after it.

use rand::Rng;
use rand_distr::{Distribution, Gamma};
use tabia_core::Game;
use tabia_core::seed::Random;

use crate::tree::{RootAction, Tree};

/// Tolerance for comparing bounds.
const EPSILON: f64 = 1e-9;
/// Standard deviations between a value and its lower bound.
const DEVIATIONS: f64 = 2.0;
/// An action with fewer of the most visited one's visits is not chosen by its lower bound.
const MIN_VISIT_SHARE: f64 = 0.1;

/// A sample of a symmetric Dirichlet distribution. (`rand_distr`'s has a dimension fixed at compile time.)
///
/// ```
/// use tabia_core::seed;
/// use tabia_mcts::choice::dirichlet;
///
/// let noise = dirichlet(20, 0.3, &mut seed::random(1));
/// assert!((noise.iter().sum::<f64>() - 1.0).abs() < 1e-9);
/// ```
pub fn dirichlet(count: usize, alpha: f32, rng: &mut Random) -> Vec<f64> {
    let Ok(gamma) = Gamma::new(f64::from(alpha), 1.0) else { return vec![1.0 / count.max(1) as f64; count] };
    let mut noise: Vec<f64> = (0..count).map(|_| gamma.sample(rng)).collect();
    let sum: f64 = noise.iter().sum();
    if sum > 0.0 {
        for part in &mut noise {
            *part /= sum;
        }
    } else {
        // The concentration is so small that all samples underflow: put everything on one.
        if let Some(first) = noise.first_mut() {
            *first = 1.0;
        }
    }
    noise
}

/// Mixes Dirichlet noise into the priors of an expanded root.
pub fn add_noise<G: Game>(tree: &mut Tree<G>, alpha: f32, share: f32, rng: &mut Random) {
    if share > 0.0 {
        let noise = dirichlet(tree.root_actions().len(), alpha, rng);
        tree.mix_noise(&noise, f64::from(share));
    }
}

/// The action to play. With a temperature of 0 it is the most visited, with a higher one it is drawn in proportion to
/// `visits^(1/temperature)`; what is proven to be worse than another is not played, and what is proven to be best is.
pub fn choose<A: Copy>(actions: &[RootAction<A>], temperature: f32, rng: &mut Random) -> Option<A> {
    let open = match candidates(actions) {
        Candidates::Proven(best) => return Some(best),
        Candidates::Open(open) => open,
    };
    let most = open.iter().map(|action| action.visits).max()?;
    if temperature <= 0.0 || most == 0 {
        return most_visited(&open);
    }
    let weight = |action: &RootAction<A>| {
        // Relative to the most visited, so that a small temperature does not overflow.
        (f64::from(action.visits) / f64::from(most)).powf(1.0 / f64::from(temperature))
    };
    let mut point = rng.random::<f64>() * open.iter().map(|action| weight(action)).sum::<f64>();
    for action in &open {
        point -= weight(action);
        if point < 0.0 {
            return Some(action.action);
        }
    }
    open.iter().find(|action| action.visits == most).map(|action| action.action)
}

/// The action whose value is highest at the lower end of its confidence interval, among those with a fair share of the
/// visits (KataGo's LCB). Visits lag behind values: an action that looked better at first keeps its lead for a while.
///
/// Proofs count as in [`choose`]. The variance of a result is that of its win, draw and loss probabilities, which is
/// more than that of the averages below a node.
pub fn choose_by_lower_bound<A: Copy>(actions: &[RootAction<A>]) -> Option<A> {
    let open = match candidates(actions) {
        Candidates::Proven(best) => return Some(best),
        Candidates::Open(open) => open,
    };
    let most = open.iter().map(|action| action.visits).max()?;
    let lower_bound = |action: &RootAction<A>| {
        let (visits, value) = (f64::from(action.visits), action.value.unwrap_or(-1.0));
        let variance = (1.0 - action.draw - value * value).max(0.0);
        value - DEVIATIONS * (variance / visits.max(1.0)).sqrt()
    };
    let known = |action: &&RootAction<A>| {
        action.visits > 0 && f64::from(action.visits) >= MIN_VISIT_SHARE * f64::from(most)
    };
    open.iter()
        .copied()
        .filter(known)
        .reduce(|best, action| if lower_bound(action) > lower_bound(best) { action } else { best })
        .map(|action| action.action)
        .or_else(|| most_visited(&open))
}

/// What may be played.
enum Candidates<'a, A> {
    /// One that is proven to be best.
    Proven(A),
    /// All that are not proven to be worse than another.
    Open(Vec<&'a RootAction<A>>),
}

fn candidates<A: Copy>(actions: &[RootAction<A>]) -> Candidates<'_, A> {
    let best_low = actions.iter().map(|action| action.bounds.0).fold(f64::NEG_INFINITY, f64::max);
    let is_best = |action: &RootAction<A>| {
        action.bounds.0 >= best_low - EPSILON
            && actions.iter().all(|other| other.bounds.1 <= best_low + EPSILON)
    };
    if let Some(best) = actions.iter().filter(|action| is_best(action)).max_by_key(|action| action.visits) {
        return Candidates::Proven(best.action);
    }
    let open = actions
        .iter()
        .filter(|action| action.bounds.1 > best_low + EPSILON || action.bounds.0 >= best_low - EPSILON)
        .filter(|action| {
            action.bounds.1 > -1.0 + EPSILON || actions.iter().all(|a| a.bounds.1 <= -1.0 + EPSILON)
        });
    Candidates::Open(open.collect())
}

fn most_visited<A: Copy>(open: &[&RootAction<A>]) -> Option<A> {
    let value = |action: &RootAction<A>| (action.visits, action.value.unwrap_or(-1.0), action.prior);
    open.iter()
        .copied()
        .reduce(|best, action| if value(action) > value(best) { action } else { best })
        .map(|action| action.action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::seed;

    fn root(action: char, visits: u32, bounds: (f64, f64)) -> RootAction<char> {
        RootAction { action, visits, value: Some(0.0), draw: 0.0, bounds, prior: 0.1 }
    }

    const OPEN: (f64, f64) = (-1.0, 1.0);

    #[test]
    fn noise_is_spread_as_its_concentration_says() {
        let mut rng = seed::random(1);
        for (alpha, least, most) in [(0.03, 0.5, 1.0), (0.3, 0.1, 0.9), (1000.0, 0.04, 0.07)] {
            let noise = dirichlet(20, alpha, &mut rng);
            assert!((noise.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let largest = noise.iter().copied().fold(0.0, f64::max);
            assert!((least..=most).contains(&largest), "{alpha}: {largest}");
        }
    }

    #[test]
    fn the_most_visited_is_played_when_it_is_cold() {
        let actions = [root('a', 10, OPEN), root('b', 30, OPEN), root('c', 20, OPEN)];
        assert_eq!(choose(&actions, 0.0, &mut seed::random(1)), Some('b'));
        assert_eq!(choose(&actions, 0.02, &mut seed::random(1)), Some('b'));
    }

    #[test]
    fn at_temperature_one_actions_are_drawn_as_often_as_they_were_visited() {
        let actions = [root('a', 10, OPEN), root('b', 30, OPEN), root('c', 0, OPEN)];
        let mut rng = seed::random(1);
        let drawn = (0..4000).filter(|_| choose(&actions, 1.0, &mut rng) == Some('a')).count();
        assert!((900..1100).contains(&drawn), "{drawn} of 4000, expected a quarter");
    }

    #[test]
    fn a_lower_bound_is_worth_more_than_visits_and_a_few_visits_are_no_bound() {
        let valued = |action, visits, value| RootAction {
            value: Some(value),
            draw: 0.1,
            ..root(action, visits, OPEN)
        };
        let actions = [valued('a', 1500, 0.76), valued('b', 900, 0.82), valued('c', 100, 0.99)];
        assert_eq!(choose(&actions, 0.0, &mut seed::random(1)), Some('a'));
        assert_eq!(choose_by_lower_bound(&actions), Some('b'));
        // The same values after few visits: nobody knows.
        let early = [valued('a', 30, 0.76), valued('b', 9, 0.82), valued('c', 2, 0.99)];
        assert_eq!(choose_by_lower_bound(&early), Some('a'));
        let unvisited = [root('a', 0, OPEN), RootAction { prior: 0.7, ..root('b', 0, OPEN) }];
        assert_eq!(choose_by_lower_bound(&unvisited), Some('b'));
        let won = [valued('a', 90, 0.9), root('b', 3, (1.0, 1.0))];
        assert_eq!(choose_by_lower_bound(&won), Some('b'));
        assert_eq!(choose_by_lower_bound::<char>(&[]), None);
    }

    #[test]
    fn proof_goes_before_visits() {
        let mut rng = seed::random(1);
        let won = [root('a', 90, OPEN), root('b', 3, (1.0, 1.0))];
        assert_eq!(choose(&won, 1.0, &mut rng), Some('b'));
        let lost = [root('a', 90, (-1.0, -1.0)), root('b', 3, OPEN)];
        assert_eq!(choose(&lost, 1.0, &mut rng), Some('b'));
        let worse = [root('a', 90, (-1.0, 0.2)), root('b', 3, (0.5, 1.0))];
        assert_eq!(choose(&worse, 0.0, &mut rng), Some('b'));
        let all_lost = [root('a', 2, (-1.0, -1.0)), root('b', 3, (-1.0, -1.0))];
        assert_eq!(choose(&all_lost, 0.0, &mut rng), Some('b'));
    }
}
