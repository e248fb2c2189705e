//! A training as a whole: it learns, it is the same twice, and whatever interrupts it loses nothing that was finished.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tabia_core::Stop;
use tabia_net::ablation::Ablation;
use tabia_net::device::Evaluator;
use tabia_net::rating::MatchSettings;
use tabia_net::settings::{Preset, Settings};
use tabia_net::training::{FINAL, METRICS, Progress, StopReason};
use tabia_net::{NetError, Network, Training, Weights, checkpoint, metrics, rating, shard};
use tabia_stats::Tally;

/// So small that a generation takes a second or two.
fn settings() -> Settings {
    let mut settings = Preset::Tiny.settings();
    for assignment in [
        "blocks=1",
        "generations=3",
        "games=6",
        "games_at_once=3",
        "simulations=8",
        "quick_simulations=4",
        "candidates=4",
        "ply_limit=16",
        "most_branches=8",
        "least_samples=10",
        "batch=32",
        "passes=2",
        "rate_every=0",
        "warm_steps=2",
    ] {
        settings.set(assignment).unwrap();
    }
    settings
}

/// A directory that goes away with the test.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("tabia-training-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Directory(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run(training: &mut Training, threads: usize) -> StopReason {
    training.run(threads, None, &Stop::new(), &mut |_| {}).unwrap()
}

fn resume(path: &Path) -> Result<Training, NetError> {
    Training::resume(path, Training::settings_of(path)?, "test")
}

/// Tells whether it is time to interrupt.
type Condition = fn(&Progress<'_>) -> bool;

/// Runs until something happens for which the flag is raised.
fn run_until(training: &mut Training, is_time: impl Fn(&Progress<'_>) -> bool) -> StopReason {
    let stop = Stop::new();
    let raise = stop.clone();
    let ending = training.run(1, None, &stop, &mut |progress| {
        if is_time(progress) {
            raise.stop();
        }
    });
    ending.unwrap()
}

/// The weights at the end of a training that nothing interrupts.
fn undisturbed(name: &str, threads: usize) -> (Directory, Weights) {
    let directory = Directory::new(name);
    let mut training = Training::start(&directory.0, settings(), "test").unwrap();
    assert_eq!(run(&mut training, threads), StopReason::Finished);
    let weights = training.network().clone();
    assert_eq!(Weights::read(&directory.0.join(FINAL)).unwrap(), weights);
    (directory, weights)
}

#[test]
fn the_same_seed_gives_the_same_weights_with_any_number_of_threads() {
    let (one, weights) = undisturbed("one", 1);
    let (_three, again) = undisturbed("three", 3);
    assert!(weights == again);
    let lines = metrics::read(&one.0.join(METRICS), u32::MAX).unwrap();
    assert_eq!(lines.iter().map(|line| line.generation).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(lines.iter().all(|line| line.loss.is_finite() && line.new_samples > 0));
    let other = Directory::new("other");
    let mut settings = settings();
    settings.set("seed=2").unwrap();
    let mut training = Training::start(&other.0, settings, "test").unwrap();
    run(&mut training, 1);
    assert!(*training.network() != weights);
}

#[test]
fn interrupted_anywhere_it_ends_with_the_same_weights() {
    let (_undisturbed, weights) = undisturbed("whole", 1);
    let conditions: [(&str, Condition); 4] = [
        ("first game", |progress| matches!(progress, Progress::Playing { generation: 1, done: 1, .. })),
        ("later game", |progress| matches!(progress, Progress::Playing { generation: 2, done: 4, .. })),
        ("step", |progress| matches!(progress, Progress::Learning { generation: 2, done: 2, .. })),
        ("generation", |progress| matches!(progress, Progress::Done(line) if line.generation == 2)),
    ];
    for (name, condition) in conditions {
        let directory = Directory::new(&name.replace(' ', "-"));
        let mut training = Training::start(&directory.0, settings(), "test").unwrap();
        assert_eq!(run_until(&mut training, condition), StopReason::Stopped, "{name}");
        assert!(Weights::read(&directory.0.join(FINAL)).is_ok(), "{name}");
        drop(training);
        let mut training = resume(&directory.0).unwrap();
        assert!(training.generation() < 3, "{name}");
        assert_eq!(run(&mut training, 2), StopReason::Finished, "{name}");
        assert!(*training.network() == weights, "{name}");
        assert_eq!(metrics::read(&directory.0.join(METRICS), u32::MAX).unwrap().len(), 3, "{name}");
    }
}

#[test]
fn only_the_games_of_the_replay_buffer_are_needed_to_resume() {
    let whole = Directory::new("window-whole");
    let mut settings = settings();
    // The buffer holds about one generation.
    settings.set("first_window=40").unwrap();
    settings.learning.window = 40;
    let mut training = Training::start(&whole.0, settings, "test").unwrap();
    assert_eq!(run(&mut training, 1), StopReason::Finished);
    let weights = training.network().clone();
    drop(training);
    let cut = Directory::new("window-cut");
    let mut training = Training::start(&cut.0, settings, "test").unwrap();
    let last = |progress: &Progress<'_>| matches!(progress, Progress::Done(line) if line.generation == 2);
    assert_eq!(run_until(&mut training, last), StopReason::Stopped);
    drop(training);
    assert!(
        shard::read(&cut.0, 2).unwrap().unwrap().iter().map(|game| game.samples.len()).sum::<usize>() >= 40
    );
    fs::remove_file(shard::path(&cut.0, 1)).unwrap();
    let mut training = resume(&cut.0).unwrap();
    assert_eq!(run(&mut training, 1), StopReason::Finished);
    assert!(*training.network() == weights);
    drop(training);
    // What the buffer needs must be there.
    fs::remove_file(shard::path(&cut.0, 3)).unwrap();
    let error = resume(&cut.0).err().unwrap().to_string();
    assert!(error.contains("games-0003.bin") && error.contains("replay buffer"), "{error}");
}

#[test]
fn a_broken_checkpoint_is_said_and_the_one_before_it_used() {
    let (directory, weights) = undisturbed("broken", 1);
    let last = checkpoint::path(&directory.0, 3);
    let bytes = fs::read(&last).unwrap();
    for broken in [&bytes[..bytes.len() / 2], &b"nothing"[..]] {
        fs::write(&last, broken).unwrap();
        let mut training = resume(&directory.0).unwrap();
        assert_eq!(training.generation(), 2);
        let mut said = Vec::new();
        training
            .run(1, None, &Stop::new(), &mut |progress| {
                if let Progress::DamagedCheckpoint(fault) = progress {
                    said.push(fault.to_string());
                }
            })
            .unwrap();
        assert_eq!(said.len(), 1);
        assert!(said[0].contains("checkpoint-0003.safetensors is not valid"), "{}", said[0]);
        assert!(*training.network() == weights);
    }
}

#[test]
fn a_kill_between_a_checkpoint_and_its_line_loses_nothing() {
    let (directory, weights) = undisturbed("line", 1);
    // As if the second generation's line, and everything after it, had never been written.
    let file = directory.0.join(METRICS);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.lines().next().unwrap().to_owned() + "\n{\"generation\":2,\"st").unwrap();
    fs::remove_file(checkpoint::path(&directory.0, 3)).unwrap();
    fs::remove_file(shard::path(&directory.0, 3)).unwrap();
    let mut training = resume(&directory.0).unwrap();
    assert_eq!((training.generation(), training.history().len()), (2, 2));
    run(&mut training, 1);
    assert!(*training.network() == weights);
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 3);
}

#[test]
fn with_fewer_checkpoints_an_interruption_repeats_the_steps_since_the_last_one() {
    let (_directory, weights) = undisturbed("every", 1);
    let directory = Directory::new("save-every");
    let mut settings = settings();
    settings.set("save_every=2").unwrap();
    let mut training = Training::start(&directory.0, settings, "test").unwrap();
    let third = |progress: &Progress<'_>| matches!(progress, Progress::Learning { generation: 3, .. });
    assert_eq!(run_until(&mut training, third), StopReason::Stopped);
    assert_eq!(checkpoint::generations(&directory.0).unwrap(), [2]);
    drop(training);
    fs::remove_file(checkpoint::path(&directory.0, 2)).unwrap();
    let mut training = resume(&directory.0).unwrap();
    assert_eq!(training.generation(), 0);
    assert_eq!(run(&mut training, 2), StopReason::Finished);
    assert!(*training.network() == weights);
    assert_eq!(checkpoint::generations(&directory.0).unwrap(), [2, 3], "the last generation has one, too");
    assert_eq!(metrics::read(&directory.0.join(METRICS), u32::MAX).unwrap().len(), 3);
}

#[test]
fn a_stop_between_two_generations_writes_the_missing_checkpoint() {
    let (_undisturbed, weights) = undisturbed("between", 1);
    let conditions: [(&str, Condition); 3] = [
        ("done", |progress| matches!(progress, Progress::Done(line) if line.generation == 2)),
        ("playing", |progress| matches!(progress, Progress::Playing { generation: 3, done: 2, .. })),
        ("played", |progress| matches!(progress, Progress::Playing { generation: 3, done: 6, .. })),
    ];
    for (name, condition) in conditions {
        let directory = Directory::new(&format!("between-{name}"));
        let mut settings = settings();
        settings.set("save_every=10").unwrap();
        let mut training = Training::start(&directory.0, settings, "test").unwrap();
        assert_eq!(run_until(&mut training, condition), StopReason::Stopped, "{name}");
        assert_eq!(checkpoint::generations(&directory.0).unwrap(), [2], "{name}");
        drop(training);
        let mut training = resume(&directory.0).unwrap();
        assert_eq!(training.generation(), 2, "{name}");
        assert_eq!(run(&mut training, 2), StopReason::Finished, "{name}");
        assert!(*training.network() == weights, "{name}");
    }
}

#[test]
fn games_go_on_while_the_network_learns() {
    let directory = Directory::new("continuous");
    let mut settings = settings();
    for assignment in ["continuous=1", "save_every=2", "generations=4"] {
        settings.set(assignment).unwrap();
    }
    let mut training = Training::start(&directory.0, settings, "test").unwrap();
    let initial = training.network().clone();
    let third =
        |progress: &Progress<'_>| matches!(progress, Progress::Playing { generation: 3, done: 4, .. });
    assert_eq!(run_until(&mut training, third), StopReason::Stopped);
    assert_eq!(training.generation(), 2);
    drop(training);
    let mut training = resume(&directory.0).unwrap();
    assert_eq!(run(&mut training, 2), StopReason::Finished);
    let history = training.history();
    assert_eq!(
        history.iter().map(|line| (line.generation, line.games)).collect::<Vec<_>>(),
        [(1, 6), (2, 6), (3, 6), (4, 6)]
    );
    assert!(history.iter().all(|line| line.new_samples > 0 && line.loss.is_finite()));
    assert!(history[3].steps > history[0].steps);
    assert!(history.iter().map(|line| line.leaves).sum::<u64>() > 0);
    // Every finished game counts once, and what it learned from is there. No game was played twice. Games are numbered within their
    // generation.
    let mut seeds = BTreeSet::new();
    for generation in 1..=4 {
        let games = shard::read(&directory.0, generation).unwrap().unwrap();
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        seeds.extend(games.iter().map(|game| game.seed));
    }
    assert_eq!(seeds.len(), 24);
    assert!(*training.network() != initial);
}

#[test]
fn a_generation_of_continuous_self_play_can_end_by_time() {
    let directory = Directory::new("by-time");
    let mut settings = settings();
    for assignment in ["continuous=1", "games=100000", "generation_seconds=0.001"] {
        settings.set(assignment).unwrap();
    }
    let mut training = Training::start(&directory.0, settings, "test").unwrap();
    assert_eq!(run(&mut training, 2), StopReason::Finished);
    assert!(training.history().iter().all(|line| line.games > 0));
    let stopped = Directory::new("by-time-stopped");
    settings.set("generation_seconds=0").unwrap();
    let mut training = Training::start(&stopped.0, settings, "test").unwrap();
    let ending = training.run(2, Some(Duration::from_millis(200)), &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!((ending, training.generation()), (StopReason::TimeLimit, 0));
    drop(training);
    let before = settings;
    settings.set("gate=55").unwrap();
    let error = Training::resume(&stopped.0, settings, "test").err().unwrap().to_string();
    assert!(error.contains("goes without --grid, taught_generations and gate"), "{error}");
    assert_eq!(Training::settings_of(&stopped.0).unwrap(), before, "what is refused leaves no trace");
    settings = before;
    settings.learning.generation_seconds = -1.0;
    let error = Training::resume(&stopped.0, settings, "test").err().unwrap().to_string();
    assert!(error.contains("generation_seconds cannot be \"-1\""), "{error}");
}

#[test]
fn a_training_goes_on_with_fewer_games_a_generation() {
    let directory = Directory::new("fewer");
    let mut settings = settings();
    let mut training = Training::start(&directory.0, settings, "test").unwrap();
    let second =
        |progress: &Progress<'_>| matches!(progress, Progress::Playing { generation: 2, done: 5, .. });
    assert_eq!(run_until(&mut training, second), StopReason::Stopped);
    drop(training);
    settings.set("games=2").unwrap();
    let mut training = Training::resume(&directory.0, settings, "test").unwrap();
    assert_eq!(run(&mut training, 1), StopReason::Finished);
    let games: Vec<u32> = training.history().iter().map(|line| line.games).collect();
    assert!(games[0] == 6 && (2..=6).contains(&games[1]) && games[2] == 2, "{games:?}");
}

#[test]
fn what_cannot_be_is_refused() {
    let directory = Directory::new("refused");
    let training = Training::start(&directory.0, settings(), "test").unwrap();
    assert!(matches!(resume(&directory.0), Err(NetError::Run(_))), "it is in use");
    drop(training);
    assert!(matches!(Training::start(&directory.0, settings(), "test"), Err(NetError::Run(_))));
    let mut other = settings();
    other.set("channels=32").unwrap();
    let error = Training::resume(&directory.0, other, "test").err().unwrap().to_string();
    assert!(error.contains("its shape cannot be changed"), "{error}");
    let nowhere = Directory::new("nowhere");
    assert!(resume(&nowhere.0).is_err());
}

#[test]
fn a_budget_ends_it_and_a_generation_cut_off_is_none() {
    let directory = Directory::new("budget");
    let mut settings = settings();
    settings.set("games=100000").unwrap();
    let mut training = Training::start(&directory.0, settings, "test").unwrap();
    let ending = training.run(1, Some(Duration::from_millis(200)), &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(ending, StopReason::TimeLimit);
    assert_eq!(training.generation(), 0);
    assert!(directory.0.join(FINAL).exists());
    assert!(!checkpoint::path(&directory.0, 1).exists());
}

#[test]
fn a_training_can_begin_with_a_network_even_if_it_is_cut_off_at_once() {
    let (directory, other) = (Directory::new("begin"), Directory::new("begin-shape"));
    let learned = Weights::initial(settings().network, 77);
    let training = Training::start(&directory.0, settings(), "test").unwrap();
    drop(training.with_initial_weights(learned.clone()).unwrap());
    let resumed = Training::resume(&directory.0, settings(), "test").unwrap();
    assert_eq!((resumed.network(), resumed.generation()), (&learned, 0));
    let mut larger = settings();
    larger.set("blocks=3").unwrap();
    let training = Training::start(&other.0, larger, "test").unwrap();
    let error = training.with_initial_weights(learned).err().unwrap().to_string();
    assert!(error.contains("the initial network has"), "{error}");
}

#[test]
fn a_network_can_be_matched_and_a_match_can_be_stopped() {
    let network: Evaluator = Arc::new(Network::new(&Weights::initial(settings().network, 1)));
    let stop = Stop::new();
    let terms = |threads: usize| MatchSettings { games: 5, simulations: 2, seed: 1, threads };
    let score = rating::match_score(&network, &network, terms(1), &stop).unwrap();
    assert!((0.0..=1.0).contains(&score));
    let [one, two] =
        [1, 2].map(|threads| rating::play_opponent(&network, "greedy", terms(threads), &stop).unwrap());
    assert_eq!((one, one.games(), one.pairs()), (two, 5, 2));
    stop.stop();
    assert_eq!(rating::match_score(&network, &network, terms(2), &stop), None);
}

#[test]
fn matches_played_together_end_as_each_would_alone() {
    let networks = [1, 2, 3]
        .map(|seed| -> Evaluator { Arc::new(Network::new(&Weights::initial(settings().network, seed))) });
    let pairs = [[&networks[0], &networks[1]], [&networks[0], &networks[2]], [&networks[1], &networks[2]]];
    let (stop, terms) = (Stop::new(), MatchSettings { games: 3, simulations: 2, seed: 1, threads: 2 });
    let mut together = [None; 3];
    assert!(rating::network_matches(&pairs, terms, &stop, &mut |at, tally| together[at] = Some(tally)));
    let alone = pairs.map(|[first, second]| rating::network_match(first, second, terms, &stop));
    assert_eq!(together, alone);
    stop.stop();
    let mut none = |_, _| panic!("a stopped match has no result");
    assert!(!rating::network_matches(&pairs, terms, &stop, &mut none));
    assert!(rating::network_matches(&[], terms, &stop, &mut none), "there is nothing to play");
    let mut empty = [None; 3];
    let terms = MatchSettings { games: 0, ..terms };
    assert!(rating::network_matches(&pairs, terms, &Stop::new(), &mut |at, tally| empty[at] = Some(tally)));
    assert_eq!(empty, [Some(Tally::default()); 3]);
}

#[test]
fn behind_a_gate_the_player_changes_only_when_the_new_network_is_good_enough() {
    let network = |gate: &str| {
        let directory = Directory::new(&format!("gate-{gate}"));
        let mut settings = settings();
        for assignment in [&format!("gate={gate}"), "gate_games=2", "rate_simulations=2"] {
            settings.set(assignment).unwrap();
        }
        let mut training = Training::start(&directory.0, settings, "test").unwrap();
        assert_eq!(run(&mut training, 1), StopReason::Finished);
        assert!(
            training.history().iter().all(|line| line.gate.is_some_and(|score| (0.0..=1.0).contains(&score)))
        );
        let last =
            checkpoint::Checkpoint::read(&checkpoint::path(&directory.0, 3), settings.network).unwrap();
        (last, training.history().to_vec())
    };
    let (easy, _) = network("0.001");
    assert!(easy.player == easy.optimiser.averaged);
    let (hard, lines) = network("100");
    let passed = lines.iter().rposition(|line| line.gate >= Some(1.0));
    assert_eq!(hard.player == hard.optimiser.averaged, passed == Some(2));
}

#[test]
fn a_training_can_begin_with_a_teacher_and_be_rated() {
    let directory = Directory::new("taught");
    let mut settings = settings();
    for assignment in ["generations=1", "taught_generations=1", "teacher_simulations=8", "rate_every=1"] {
        settings.set(assignment).unwrap();
    }
    for assignment in ["rate_games=2", "rate_simulations=2"] {
        settings.set(assignment).unwrap();
    }
    let mut training = Training::start(&directory.0, settings, "test").unwrap();
    assert_eq!(run(&mut training, 2), StopReason::Finished);
    let scores = &training.history()[0].scores;
    assert_eq!(
        scores.keys().map(String::as_str).collect::<Vec<_>>(),
        ["greedy", "mcts(simulations=800)", "random"]
    );
    assert_eq!(Weights::read(&directory.0.join("best.safetensors")).unwrap(), *training.network());
}

#[test]
fn the_best_network_is_there_from_the_first_checkpoint_and_can_be_chosen_by_its_loss() {
    for rating in ["rate_every=0", "rate_every=1"] {
        let directory = Directory::new("best");
        let mut settings = settings();
        for assignment in ["best_by_loss=1", "rate_games=2", "rate_simulations=2", rating] {
            settings.set(assignment).unwrap();
        }
        let mut training = Training::start(&directory.0, settings, "test").unwrap();
        let best = directory.0.join("best.safetensors");
        let (mut lowest, mut expected) = (f64::INFINITY, None);
        for generation in 1..=3 {
            let is_done = |progress: &Progress<'_>| matches!(progress, Progress::Done(line) if line.generation == generation);
            run_until(&mut training, is_done);
            let loss = training.history().last().unwrap().loss;
            if loss < lowest {
                (lowest, expected) = (loss, Some(training.network().clone()));
            }
            assert!(Some(Weights::read(&best).unwrap()) == expected, "{rating}, generation {generation}");
            // It goes on from what the directory says.
            drop(training);
            training = resume(&directory.0).unwrap();
        }
    }
}

#[test]
fn a_network_to_begin_with_is_the_best_so_far() {
    let directory = Directory::new("best-initial");
    let settings = settings();
    let weights = Weights::initial(settings.network, 9);
    let training = Training::start(&directory.0, settings, "test").unwrap();
    training.with_initial_weights(weights.clone()).unwrap();
    assert!(Weights::read(&directory.0.join("best.safetensors")).unwrap() == weights);
}

#[test]
fn an_ablation_trains_both_sides_and_goes_on_where_it_was_stopped() {
    let directory = Directory::new("ablation");
    let mut base = settings();
    base.set("generations=1").unwrap();
    let mut changed = base;
    changed.set("simulations=4").unwrap();
    let (games, simulations) = (2, 2);
    let ablation =
        Ablation { path: directory.0.clone(), base, changed, seeds: 2, games, simulations, threads: 1 };
    let stop = Stop::new();
    let raise = stop.clone();
    let stopped = ablation.run("test", &stop, &mut |path, _| {
        if path.ends_with("changed-1") {
            raise.stop();
        }
    });
    assert_eq!(stopped.unwrap(), None);
    let results = ablation.run("test", &Stop::new(), &mut |_, _| {}).unwrap().unwrap();
    assert_eq!(
        results.iter().map(|result| (result.seed, result.tally.games())).collect::<Vec<_>>(),
        [(1, 2), (2, 2)]
    );
    assert_eq!(ablation.run("test", &Stop::new(), &mut |_, _| {}).unwrap().unwrap(), results, "it is kept");
    let other = Ablation { changed: base, ..ablation };
    let error = other.run("test", &Stop::new(), &mut |_, _| {}).err().unwrap().to_string();
    assert!(error.contains("was trained with other settings"), "{error}");
}
