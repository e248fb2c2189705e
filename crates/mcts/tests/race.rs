//! A small race with dice, solved exactly, and the search against the solution.
//!
//! Two runners, a track. Who is to move takes one safe step, or throws a coin for three steps or none, or a die for as many
//! steps as it shows, where a one sends the runner back to the start. Who first passes the end wins; after a number of
//! turns it is a draw, so that every game ends.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use shakmaty::Color;
use tabia_core::{Agent, Clock, Game, Limits, Outcome, Reason, Stop, Turn, testkit};
use tabia_mcts::{Evaluation, Mcts, PolicyValue, Selection, Settings, StopReason, Tree, choice, search};

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Act {
    Step,
    Coin,
    Die,
    Shown(u8),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Race {
    runners: [u8; 2],
    turn: usize,
    thrown: Option<Act>,
    left: u8,
    track: u8,
}

impl Race {
    fn new(track: u8, left: u8) -> Race {
        Race { runners: [0, 0], turn: 0, thrown: None, left, track }
    }

    fn go(&mut self, steps: u8) {
        self.runners[self.turn] = (self.runners[self.turn] + steps).min(self.track);
        self.thrown = None;
        self.turn = 1 - self.turn;
        self.left -= 1;
    }
}

impl Game for Race {
    type Action = Act;

    fn turn(&self) -> Turn {
        let color = |at: usize| if at == 0 { Color::White } else { Color::Black };
        match self.runners.iter().position(|runner| *runner >= self.track) {
            Some(winner) => Turn::Over(Outcome::win(color(winner), Reason::Adjudication)),
            None if self.left == 0 => Turn::Over(Outcome::draw(Reason::MoveLimit)),
            None if self.thrown.is_some() => Turn::Chance,
            None => Turn::Player(color(self.turn)),
        }
    }

    fn actions(&self, out: &mut Vec<Act>) {
        out.clear();
        if matches!(self.turn(), Turn::Player(_)) {
            out.extend([Act::Step, Act::Coin, Act::Die]);
        }
    }

    fn chances(&self, out: &mut Vec<(Act, f64)>) {
        out.clear();
        match self.thrown {
            Some(Act::Coin) => out.extend([(Act::Shown(0), 0.5), (Act::Shown(3), 0.5)]),
            Some(Act::Die) => out.extend((1..=6).map(|pips| (Act::Shown(pips), 1.0 / 6.0))),
            _ => {}
        }
    }

    fn apply(&mut self, action: Act) {
        match action {
            Act::Step => self.go(1),
            Act::Coin | Act::Die => self.thrown = Some(action),
            Act::Shown(1) if self.thrown == Some(Act::Die) => {
                self.runners[self.turn] = 0;
                self.go(0);
            }
            Act::Shown(steps) => self.go(steps),
        }
    }

    fn key(&self) -> u64 {
        let thrown = match self.thrown {
            None => 0,
            Some(Act::Coin) => 1,
            Some(_) => 2,
        };
        [
            u64::from(self.runners[0]),
            u64::from(self.runners[1]),
            self.turn as u64,
            thrown,
            u64::from(self.left),
        ]
        .iter()
        .fold(17, |key, part| key * 1009 + part)
    }
}

/// The exact value for White, by looking at everything.
fn exact(game: &Race, known: &mut HashMap<Race, f64>) -> f64 {
    if let Some(value) = known.get(game) {
        return *value;
    }
    let after = |action: Act, known: &mut HashMap<Race, f64>| {
        let mut next = game.clone();
        next.apply(action);
        exact(&next, known)
    };
    let value = match game.turn() {
        Turn::Over(outcome) => 2.0 * outcome.points(Color::White) - 1.0,
        Turn::Chance => {
            let mut chances = Vec::new();
            game.chances(&mut chances);
            chances.into_iter().map(|(action, p)| p * after(action, known)).sum()
        }
        Turn::Player(color) => {
            let values = [Act::Step, Act::Coin, Act::Die].map(|action| after(action, known));
            match color {
                Color::White => values.into_iter().fold(-1.0, f64::max),
                Color::Black => values.into_iter().fold(1.0, f64::min),
            }
        }
    };
    known.insert(game.clone(), value);
    value
}

/// Knows nothing: all is worth nothing, all actions are alike. Counts what it is asked.
#[derive(Default)]
struct Ignorant {
    batches: AtomicUsize,
    leaves: AtomicUsize,
}

impl PolicyValue<Race> for Ignorant {
    fn infer(&self, leaves: &[Race], _actions: &[Vec<<Race as Game>::Action>], out: &mut Vec<Evaluation>) {
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.leaves.fetch_add(leaves.len(), Ordering::Relaxed);
        out.clear();
        out.resize(leaves.len(), Evaluation::default());
    }
}

fn searched(game: &Race, settings: Settings, simulations: u64) -> (Tree<Race>, StopReason) {
    let mut tree = Tree::new(game.clone(), settings);
    let limits = Limits::nodes(simulations);
    let (threads, batch) = (settings.threads, settings.batch);
    let ended = search(&mut tree, &Ignorant::default(), threads, batch, &limits, &Stop::new(), &mut |_| {});
    (tree, ended)
}

#[test]
fn the_race_is_a_proper_game() {
    testkit::check_game(&Race::new(12, 30), 50, 1);
}

#[test]
fn short_races_are_proven_to_their_exact_value() {
    let mut known = HashMap::new();
    for (track, left) in [(3, 4), (4, 4), (5, 3), (6, 4)] {
        let game = Race::new(track, left);
        let (tree, ended) = searched(&game, Settings::default(), 200_000);
        assert_eq!(ended, StopReason::Proven, "{track} {left}");
        let (low, high) = tree.bounds();
        let value = exact(&game, &mut known);
        assert!((low - value).abs() < 1e-9 && (high - value).abs() < 1e-9, "{low} {high} {value}");
        assert!((tree.value() - value).abs() < 1e-9, "{} {value}", tree.value());
        // What is played is worth what the root is worth.
        let best = choice::choose(&tree.root_actions(), 0.0, &mut tabia_core::seed::random(1)).unwrap();
        let mut next = game.clone();
        next.apply(best);
        assert!((exact(&next, &mut known) - value).abs() < 1e-9, "{best:?}");
    }
}

/// The least and the greatest probability of a draw among all best plays.
fn exact_draw(game: &Race, known: &mut HashMap<Race, f64>) -> (f64, f64) {
    let after = |action: Act| {
        let mut next = game.clone();
        next.apply(action);
        next
    };
    match game.turn() {
        Turn::Over(outcome) => {
            let draw = if outcome.winner.is_none() { 1.0 } else { 0.0 };
            (draw, draw)
        }
        Turn::Chance => {
            let mut chances = Vec::new();
            game.chances(&mut chances);
            chances.into_iter().fold((0.0, 0.0), |sum, (action, p)| {
                let (low, high) = exact_draw(&after(action), known);
                (sum.0 + p * low, sum.1 + p * high)
            })
        }
        Turn::Player(_) => {
            let value = exact(game, known);
            let mut range = (1.0f64, 0.0f64);
            for next in [Act::Step, Act::Coin, Act::Die].map(after) {
                if (exact(&next, known) - value).abs() < 1e-9 {
                    let (low, high) = exact_draw(&next, known);
                    range = (range.0.min(low), range.1.max(high));
                }
            }
            range
        }
    }
}

#[test]
fn win_draw_and_loss_are_backed_up_as_three_numbers() {
    let mut known = HashMap::new();
    for (track, left) in [(4, 2), (4, 3), (5, 3), (6, 4)] {
        let game = Race::new(track, left);
        let (tree, ended) = searched(&game, Settings::default(), 200_000);
        assert_eq!(ended, StopReason::Proven);
        let (estimate, (low, high)) = (tree.estimate(), exact_draw(&game, &mut known));
        assert!(low - 1e-9 <= estimate.draw && estimate.draw <= high + 1e-9, "{low} {estimate:?} {high}");
        let [win, draw, loss] = estimate.wdl();
        assert!((win + draw + loss - 1.0).abs() < 1e-9);
        assert!((win - loss - exact(&game, &mut known)).abs() < 1e-9);
    }
    // A race that is too short to be won is drawn, and not won half of the time.
    let (tree, _) = searched(&Race::new(9, 1), Settings::default(), 100);
    assert!(tree.estimate().wdl().iter().zip([0.0, 1.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-12));
    // Unproven: every visit below counts with its own chances.
    let (tree, ended) = searched(&Race::new(12, 8), Settings::default(), 300);
    assert_eq!(ended, StopReason::Simulations);
    let draws: f64 = tree.root_actions().iter().map(|action| f64::from(action.visits) * action.draw).sum();
    assert!((tree.estimate().draw - draws / f64::from(tree.visits())).abs() < 1e-9);
}

#[test]
fn bounds_always_hold_the_exact_value() {
    let mut known = HashMap::new();
    for simulations in [10, 100, 1000, 5000] {
        let game = Race::new(7, 8);
        let (tree, _) = searched(&game, Settings::default(), simulations);
        let (value, (low, high)) = (exact(&game, &mut known), tree.bounds());
        assert!(low - 1e-9 <= value && value <= high + 1e-9, "{low} {value} {high}");
        for root in tree.root_actions() {
            let mut next = game.clone();
            next.apply(root.action);
            let value = exact(&next, &mut known);
            let (low, high) = root.bounds;
            assert!(low - 1e-9 <= value && value <= high + 1e-9, "{:?}: {low} {value} {high}", root.action);
        }
    }
}

#[test]
fn longer_races_come_near_their_value_and_the_best_action_is_found() {
    let mut known = HashMap::new();
    for batch in [1, 8] {
        let settings = Settings { batch, ..Settings::default() };
        for (white, black, turn) in [(0, 0, 0), (5, 3, 1), (2, 6, 0), (6, 6, 1)] {
            let game = Race { runners: [white, black], turn, ..Race::new(10, 40) };
            let (tree, _) = searched(&game, settings, 30_000);
            let sign = if turn == 0 { 1.0 } else { -1.0 };
            let value = sign * exact(&game, &mut known);
            assert!((tree.value() - value).abs() < 0.06, "{} {value}", tree.value());
            let best = choice::choose(&tree.root_actions(), 0.0, &mut tabia_core::seed::random(1)).unwrap();
            let mut next = game.clone();
            next.apply(best);
            let loss = value - sign * exact(&next, &mut known);
            assert!(loss < 0.02, "{best:?} in {game:?} loses {loss}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_tree_with_one_thread() {
    for batch in [1, 7] {
        let settings = Settings { batch, noise_share: 0.25, ..Settings::default() };
        let run = |seed: u64| {
            let mut tree = Tree::new(Race::new(10, 40), settings);
            let evaluator = Ignorant::default();
            search(&mut tree, &evaluator, 1, 1, &Limits::nodes(1), &Stop::new(), &mut |_| {});
            choice::add_noise(&mut tree, 0.3, 0.25, &mut tabia_core::seed::random(seed));
            search(&mut tree, &evaluator, 1, batch, &Limits::nodes(2000), &Stop::new(), &mut |_| {});
            tree.root_actions()
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2), "another noise, another tree");
    }
}

#[test]
fn keeping_states_saves_time_and_changes_nothing() {
    let run = |kept_states| {
        let settings = Settings { kept_states, ..Settings::default() };
        searched(&Race::new(12, 40), settings, 2000).0.root_actions()
    };
    assert_eq!(run(0), run(1024));
    assert_eq!(run(7), run(1024));
}

#[test]
fn simulations_are_counted_whatever_threads_and_batches_there_are() {
    for (threads, batch) in [(1, 1), (1, 16), (4, 1), (3, 8)] {
        let settings = Settings { threads, batch, ..Settings::default() };
        let (tree, ended) = searched(&Race::new(14, 60), settings, 3000);
        assert_eq!(ended, StopReason::Simulations);
        assert_eq!(tree.visits(), 3000, "{threads} threads, {batch} a batch");
        let visits: u32 = tree.root_actions().iter().map(|action| action.visits).sum();
        assert_eq!(visits, 2999, "all but the root's own");
    }
}

#[test]
fn leaves_come_in_batches() {
    let evaluator = Ignorant::default();
    let mut tree = Tree::new(Race::new(20, 60), Settings::default());
    search(&mut tree, &evaluator, 1, 16, &Limits::nodes(2000), &Stop::new(), &mut |_| {});
    let (batches, leaves) = (evaluator.batches.into_inner(), evaluator.leaves.into_inner());
    assert!(leaves <= 2000 && leaves > 8 * batches, "{leaves} leaves in {batches} batches");
}

#[test]
fn a_full_tree_ends_the_search_and_still_has_a_move() {
    let settings = Settings { memory_mb: 1, ..Settings::default() };
    let (tree, ended) = searched(&Race::new(40, 200), settings, 10_000_000);
    assert_eq!(ended, StopReason::Full);
    assert!(tree.fullness() >= 1000 && tree.fullness() < 1010, "{}", tree.fullness());
    assert!(choice::choose(&tree.root_actions(), 0.0, &mut tabia_core::seed::random(1)).is_some());
}

#[test]
fn stop_and_time_end_a_search_that_nothing_else_bounds() {
    let stop = Stop::new();
    stop.stop();
    let mut tree = Tree::new(Race::new(40, 200), Settings::default());
    let run = |tree: &mut Tree<Race>, limits: &Limits<<Race as Game>::Action>, stop: &Stop| {
        search(tree, &Ignorant::default(), 1, 1, limits, stop, &mut |_| {})
    };
    assert_eq!(run(&mut tree, &Limits::default(), &stop), StopReason::Stopped);
    assert_eq!(tree.visits(), 1, "one simulation is made whatever happens");
    let movetime = Limits::movetime(Duration::from_millis(5));
    assert_eq!(run(&mut tree, &movetime, &Stop::new()), StopReason::TimeLimit);
    let second = Duration::from_secs(1);
    let clock = Clock {
        white: second,
        black: second,
        white_increment: Duration::ZERO,
        black_increment: Duration::ZERO,
        moves_to_go: Some(200),
    };
    assert_eq!(run(&mut tree, &Limits::clock(clock), &Stop::new()), StopReason::TimeLimit);
}

#[test]
fn what_is_known_of_the_next_state_is_kept() {
    let game = Race::new(10, 40);
    let (mut tree, _) = searched(&game, Settings::default(), 5000);
    let mut next = game.clone();
    for action in [Act::Die, Act::Shown(4), Act::Step] {
        next.apply(action);
    }
    assert!(tree.advance(&next, 2));
    assert!(tree.visits() > 0 && tree.visits() < 5000, "{}", tree.visits());
    assert_eq!(tree.game(), &next);
    let kept = tree.visits();
    search(&mut tree, &Ignorant::default(), 1, 1, &Limits::nodes(6000), &Stop::new(), &mut |_| {});
    assert_eq!(tree.visits(), 6000);
    assert!(kept > 10, "{kept}");
    // A state that cannot follow is not found, and the tree starts anew.
    assert!(!tree.advance(&game, 2));
    assert_eq!(tree.visits(), 0);
}

#[test]
fn a_tree_can_be_driven_by_hand() {
    let mut tree = Tree::new(Race::new(10, 40), Settings::default());
    for _ in 0..50 {
        match tree.select() {
            Selection::Leaf(way) => {
                assert!(
                    tree.visits() > 0 || matches!(tree.select(), Selection::Pending),
                    "the root is being valued"
                );
                let root = tree.game().clone();
                let leaf = way.follow(&root);
                let evaluation = leaf.needs_evaluation().then(|| Evaluation {
                    value: 0.1,
                    draw: 0.5,
                    priors: vec![1.0, 2.0, 1.0],
                });
                tree.expand(leaf, evaluation.as_ref());
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(tree.visits(), 50);
    assert!((tree.root_actions()[1].prior - 0.5).abs() < 1e-9);
    let Selection::Leaf(way) = tree.select() else { panic!() };
    let before = tree.root_actions();
    tree.cancel(&way);
    assert_eq!(tree.root_actions(), before);
}

#[test]
fn the_agent_plays_to_the_end_and_repeats_itself() {
    let play = || {
        let settings = Settings::default().self_play();
        let mut agents = [1, 2].map(|seed| {
            Mcts::new(Ignorant::default(), settings, Some(200), seed, |race: &Race| 40 - u32::from(race.left))
        });
        let mut random = tabia_core::seed::random(9);
        let mut game = Race::new(10, 40);
        let mut played = Vec::new();
        loop {
            let action = match game.turn() {
                Turn::Over(_) => return played,
                Turn::Player(_) => {
                    let mut nodes = 0;
                    let chosen =
                        agents[game.turn].choose(&game, &Limits::default(), &Stop::new(), &mut |info| {
                            nodes = info.nodes;
                        });
                    assert!(nodes > 0 && nodes <= 200, "{nodes}");
                    chosen.unwrap()
                }
                Turn::Chance => {
                    let mut chances = Vec::new();
                    game.chances(&mut chances);
                    chances[rand::Rng::random_range(&mut random, 0..chances.len())].0
                }
            };
            played.push(action);
            game.apply(action);
        }
    };
    let played = play();
    assert!(played.len() >= 4);
    assert_eq!(played, play());
}
