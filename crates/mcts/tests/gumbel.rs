//! The root with few simulations, by what it promises: it spends what it has, and what it learns is better than what it knew.

use shakmaty::Color;
use tabia_core::{Game, Outcome, Reason, Turn, seed};
use tabia_mcts::gumbel::Settings;
use tabia_mcts::{Evaluation, Gumbel, Selection, Tree};

/// One choice among many; the higher the number, the better.
#[derive(Clone, Debug)]
struct Choice {
    taken: Option<u8>,
}

const ACTIONS: u8 = 30;
/// The evaluator's probability of a draw after any action.
const DRAW: f32 = 0.25;

impl Game for Choice {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.taken {
            None => Turn::Player(Color::White),
            Some(0) => Turn::Over(Outcome::win(Color::Black, Reason::Adjudication)),
            Some(_) => Turn::Player(Color::Black),
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.clear();
        out.extend(0..if self.taken.is_none() { ACTIONS } else { 1 });
    }

    fn apply(&mut self, action: u8) {
        // Black's only answer ends nothing, so that values are the evaluator's alone.
        self.taken = self.taken.or(Some(action));
    }

    fn key(&self) -> u64 {
        self.taken.map_or(0, u64::from)
    }
}

/// What Black, who is to move, has of it: less the higher White's number was.
fn evaluation(game: &Choice) -> Evaluation {
    match game.taken {
        None => Evaluation { priors: vec![1.0; ACTIONS as usize], ..Evaluation::default() },
        Some(taken) => {
            let value = 0.5 - f32::from(taken) / f32::from(ACTIONS);
            Evaluation { value, draw: DRAW, priors: vec![1.0] }
        }
    }
}

fn valued(
    settings: Settings,
    allowed: impl Fn(&u8) -> bool,
    seed_number: u64,
) -> (Tree<Choice>, Gumbel, u32) {
    let mut tree = Tree::new(Choice { taken: None }, tabia_mcts::Settings::default());
    let step = |tree: &mut Tree<Choice>, first: Option<usize>| match tree.select_through(first) {
        Selection::Leaf(path) => {
            let leaf = path.follow(tree.game());
            let evaluation = leaf.needs_evaluation().then(|| evaluation(&leaf.game));
            tree.expand(leaf, evaluation.as_ref());
        }
        Selection::Finished => {}
        other => panic!("{other:?}"),
    };
    step(&mut tree, None);
    let mut gumbel = Gumbel::new(&tree, settings, allowed, &mut seed::random(seed_number));
    let mut simulations = 0;
    while let Some(first) = gumbel.next(&tree) {
        step(&mut tree, Some(first));
        simulations += 1;
    }
    (tree, gumbel, simulations)
}

#[test]
fn all_simulations_are_spent_on_few_candidates_and_most_on_the_best() {
    for simulations in [1, 8, 16, 50, 64, 200] {
        let settings = Settings { simulations, ..Settings::default() };
        let (tree, mut gumbel, spent) = valued(settings, |_| true, 3);
        assert_eq!(spent, simulations);
        let tried: Vec<_> = tree.root_actions().into_iter().filter(|action| action.visits > 0).collect();
        assert!(tried.len() <= settings.candidates.min(simulations as usize));
        let chosen = gumbel.choice(&tree).unwrap();
        if simulations >= 50 {
            let best = tried.iter().map(|action| action.action).max().unwrap();
            assert_eq!(chosen, usize::from(best), "{simulations} simulations");
            let most = tried.iter().map(|action| action.visits).max().unwrap();
            assert_eq!(tree.root_actions()[chosen].visits, most);
        }
    }
}

#[test]
fn the_policy_learned_is_better_than_the_one_before() {
    let settings = Settings { simulations: 64, ..Settings::default() };
    let worth = |policy: &[f32]| policy.iter().enumerate().map(|(at, share)| at as f32 * share).sum::<f32>();
    let before = worth(&[1.0 / f32::from(ACTIONS); ACTIONS as usize]);
    for seed_number in 0..20 {
        let (tree, gumbel, _) = valued(settings, |_| true, seed_number);
        let policy = gumbel.policy(&tree);
        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(worth(&policy) > before, "{seed_number}: {} and {before}", worth(&policy));
    }
}

#[test]
fn what_is_not_allowed_is_neither_tried_nor_learned() {
    let (tree, mut gumbel, _) = valued(Settings::default(), |action| *action < 10, 5);
    let policy = gumbel.policy(&tree);
    assert!(tree.root_actions().iter().skip(10).all(|action| action.visits == 0));
    assert!(policy[10..].iter().all(|share| *share < 1e-9));
    assert!(gumbel.choice(&tree).unwrap() < 10);
    let (tree, mut gumbel, _) = valued(Settings::default(), |_| false, 5);
    assert!(gumbel.choice(&tree).is_some(), "where nothing is allowed, everything is");
}

#[test]
fn without_noise_the_likeliest_are_tried_and_the_seed_does_not_matter() {
    let settings = Settings { noise: 0.0, ..Settings::default() };
    let visits = |seed_number| {
        valued(settings, |_| true, seed_number).0.root_actions().iter().map(|a| a.visits).collect::<Vec<_>>()
    };
    assert_eq!(visits(1), visits(2));
    let noisy = |seed_number| {
        valued(Settings::default(), |_| true, seed_number)
            .0
            .root_actions()
            .iter()
            .map(|a| a.visits)
            .collect::<Vec<_>>()
    };
    assert_ne!(noisy(1), noisy(2));
}

#[test]
fn the_value_target_is_what_the_improved_policy_expects() {
    for seed_number in 0..20 {
        let (tree, gumbel, _) =
            valued(Settings { simulations: 64, ..Settings::default() }, |_| true, seed_number);
        let estimate = gumbel.estimate(&tree);
        let best = tree.root_actions().iter().filter_map(|action| action.value).fold(-1.0, f64::max);
        assert!(
            estimate.value > tree.value() + 0.02,
            "the average over candidates is pessimistic: {seed_number}"
        );
        assert!(estimate.value <= best + 1e-6, "{seed_number}");
        // Every leaf is drawn as often; the root's own evaluation, which knows no draws, is one visit of 65.
        assert!((estimate.draw - f64::from(DRAW)).abs() < 0.01, "{seed_number}: {}", estimate.draw);
    }
}
