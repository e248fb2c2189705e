//! A training that moves from one machine to another through a store.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tabia_core::Stop;
use tabia_net::metrics::GenerationMetrics;
use tabia_net::settings::{Preset, Settings};
use tabia_net::training::{BEST, FINAL, Progress, StopReason, Training};
use tabia_store::{Location, Mirror, fetch};

/// A folder of the test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tabia-store-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn settings() -> Settings {
    let mut settings = Preset::Tiny.settings();
    for assignment in [
        "blocks=1",
        "generations=4",
        "games=2",
        "simulations=4",
        "quick_simulations=2",
        "candidates=2",
        "ply_limit=12",
        "most_branches=4",
        "least_samples=1",
        "batch=8",
        "rate_every=0",
        "keep_every=2",
    ] {
        settings.set(assignment).unwrap();
    }
    settings
}

type Messages = Arc<Mutex<Vec<String>>>;

fn mirror(address: &str, directory: &Path, resumed: bool) -> (Mirror, Messages) {
    mirror_keeping(address, directory, 2, resumed)
}

fn mirror_keeping(address: &str, directory: &Path, keep_every: u32, resumed: bool) -> (Mirror, Messages) {
    mirror_to(Location::open(address).unwrap(), directory, keep_every, resumed)
}

fn mirror_to(location: Location, directory: &Path, keep_every: u32, resumed: bool) -> (Mirror, Messages) {
    let said = Messages::default();
    let heard = said.clone();
    let report = Box::new(move |text: &str| heard.lock().unwrap().push(text.to_owned()));
    (Mirror::start(location, directory, keep_every, resumed, report), said)
}

/// Trains until this generation is finished, like a machine that is switched off then.
fn train(training: &mut Training, mirror: &Mirror, until: u32) -> StopReason {
    let stop = Stop::new();
    let mut report = |progress: &Progress<'_>| {
        if let Progress::Done(line) = progress {
            mirror.generation(line);
            if line.generation == until {
                stop.stop();
            }
        }
    };
    training.run(1, None, &stop, &mut report).unwrap()
}

#[test]
fn a_training_goes_on_elsewhere_to_the_same_network() {
    let root = folder("moves");
    let address = format!("file://{}/kept", root.display());
    let (here, there) = (root.join("here"), root.join("there"));

    let mut training = Training::start(&here, settings(), "test").unwrap();
    let (mirroring, said) = mirror(&address, &here, false);
    assert_eq!(train(&mut training, &mirroring, 3), StopReason::Stopped);
    // Switched off without a word, while the third generation is being uploaded: only what was there by then is there.
    drop(mirroring);
    drop(training);
    wait_for(&root.join("kept/checkpoint-0003.safetensors"));
    wait_until(|| !root.join("kept/checkpoint-0001.safetensors").exists(), "the old checkpoint is removed");
    fs::remove_file(root.join("kept/games-0003.bin")).unwrap();

    let location = Location::open(&address).unwrap();
    assert_eq!(fetch(&location, &there).unwrap(), 2);
    let mut training = Training::resume(&there, settings(), "test").unwrap();
    assert_eq!(training.generation(), 2);
    let (mirroring, more) = mirror(&address, &there, true);
    assert_eq!(train(&mut training, &mirroring, 9), StopReason::Finished);
    assert!(mirroring.finish(training.generation()));
    let expected: &[String] = &[];
    assert_eq!((&**said.lock().unwrap(), &**more.lock().unwrap()), (expected, expected));

    // The first machine, had it not been switched off.
    let mut training = Training::resume(&here, settings(), "test").unwrap();
    training.run(1, None, &Stop::new(), &mut |_| {}).unwrap();
    let last = fs::read(here.join(FINAL)).unwrap();
    assert_eq!(last, fs::read(there.join(FINAL)).unwrap());
    assert_eq!(last, fs::read(root.join("kept").join(FINAL)).unwrap());
    fs::remove_dir_all(root).unwrap();
}

fn wait_for(path: &Path) {
    wait_until(|| path.exists(), &path.display().to_string());
}

fn wait_until(holds: impl Fn() -> bool, what: &str) {
    let waited = std::time::Instant::now();
    while !holds() {
        assert!(waited.elapsed().as_secs() < 300, "waited in vain: {what}");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[test]
fn whenever_a_machine_vanishes_there_is_something_to_resume_from() {
    let root = folder("vanishes");
    let address = format!("file://{}/kept", root.display());
    let kept = |name: &str| root.join("kept").join(name);
    let mut settings = settings();
    // As in the preset: no checkpoint is kept permanently.
    settings.set("keep_every=0").unwrap();
    let mut training = Training::start(&root.join("here"), settings, "test").unwrap();
    let (mirroring, said) = mirror_keeping(&address, &root.join("here"), 0, false);
    // Before the first generation is finished: the start.
    wait_for(&kept("manifest.toml"));
    let location = Location::open(&address).unwrap();
    assert_eq!(fetch(&location, &root.join("start")).unwrap(), 0);
    let resumed = Training::resume(&root.join("start"), settings, "test").unwrap();
    assert_eq!((resumed.generation(), resumed.network()), (0, training.network()));
    drop(resumed);
    // In the fourth generation: the third.
    assert_eq!(train(&mut training, &mirroring, 3), StopReason::Stopped);
    wait_for(&kept("checkpoint-0003.safetensors"));
    assert_eq!(fetch(&location, &root.join("there")).unwrap(), 3);
    let resumed = Training::resume(&root.join("there"), settings, "test").unwrap();
    assert_eq!((resumed.generation(), resumed.network()), (3, training.network()));
    drop(resumed);
    assert!(mirroring.finish(training.generation()));
    assert!(!kept("checkpoint-0001.safetensors").exists(), "only the two newest stay");
    assert!(kept("checkpoint-0002.safetensors").exists());
    assert!(said.lock().unwrap().is_empty());
    drop(training);
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn a_failing_store_is_reported_retried_and_stops_nothing() {
    let root = folder("fails");
    let (kept, here) = (root.join("kept"), root.join("here"));
    let address = format!("file://{}", kept.display());
    let mut training = Training::start(&here, settings(), "test").unwrap();
    let location = Location::open(&address).unwrap();
    // A file where the folder should be: nothing can be listed or put.
    fs::remove_dir_all(&kept).unwrap();
    fs::write(&kept, "in the way").unwrap();
    let (mirroring, said) = mirror_to(location, &here, 2, false);
    assert_eq!(train(&mut training, &mirroring, 2), StopReason::Stopped);
    let waited = std::time::Instant::now();
    while said.lock().unwrap().is_empty() {
        assert!(waited.elapsed().as_secs() < 300, "waited in vain for a message");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(said.lock().unwrap()[0].contains("the file is kept locally and the upload retried later"));
    fs::remove_file(&kept).unwrap();
    fs::create_dir(&kept).unwrap();
    assert!(mirroring.finish(training.generation()));
    for name in ["manifest.toml", "games-0001.bin", "games-0002.bin", "checkpoint-0002.safetensors", FINAL] {
        assert!(kept.join(name).exists(), "{name}");
    }
    drop(training);

    // Another training refuses the location.
    let second = root.join("second");
    let mut training = Training::start(&second, settings(), "test").unwrap();
    let (mirroring, said) = mirror(&address, &second, false);
    let before = fs::read(kept.join(FINAL)).unwrap();
    assert_eq!(train(&mut training, &mirroring, 1), StopReason::Stopped);
    assert!(!mirroring.finish(training.generation()));
    assert!(said.lock().unwrap()[0].contains("holds another training"));
    assert_eq!(before, fs::read(kept.join(FINAL)).unwrap());
    drop(training);
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn a_best_network_that_stays_is_uploaded_once() {
    let root = folder("stays");
    let (kept, here) = (root.join("kept"), root.join("here"));
    fs::create_dir(&here).unwrap();
    fs::write(here.join("manifest.toml"), "settings").unwrap();
    fs::write(here.join(BEST), "the first").unwrap();
    let (mirroring, said) = mirror(&format!("file://{}", kept.display()), &here, false);
    // A generation's checkpoint is uploaded last.
    let generation = |generation: u32| {
        let name = format!("checkpoint-{generation:04}.safetensors");
        fs::write(here.join(&name), "state").unwrap();
        mirroring.generation(&GenerationMetrics { generation, ..GenerationMetrics::default() });
        wait_for(&kept.join(name));
    };
    generation(1);
    assert_eq!(fs::read(kept.join(BEST)).unwrap(), b"the first");
    // What is not there any more would come back with an upload.
    fs::remove_file(kept.join(BEST)).unwrap();
    fs::remove_file(kept.join("manifest.toml")).unwrap();
    generation(2);
    assert!(!kept.join(BEST).exists() && !kept.join("manifest.toml").exists());
    fs::write(here.join(BEST), "the other").unwrap();
    generation(3);
    assert_eq!(fs::read(kept.join(BEST)).unwrap(), b"the other");
    assert!(mirroring.finish(3));
    assert!(said.lock().unwrap().is_empty());
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn of_checkpoints_that_are_far_apart_two_stay_and_before_the_first_the_games_are_enough() {
    let root = folder("apart");
    let address = format!("file://{}/kept", root.display());
    let kept = |name: &str| root.join("kept").join(name);
    let mut settings = settings();
    for assignment in ["generations=7", "save_every=2", "keep_every=0"] {
        settings.set(assignment).unwrap();
    }
    let mut training = Training::start(&root.join("here"), settings, "test").unwrap();
    let (mirroring, _said) = mirror_keeping(&address, &root.join("here"), 0, false);
    // A stop while the network learns writes no checkpoint; neither does a machine that vanishes.
    let stop = Stop::new();
    let mut report = |progress: &Progress<'_>| match progress {
        Progress::Done(line) => mirroring.generation(line),
        Progress::Learning { generation: 2, .. } => stop.stop(),
        _ => {}
    };
    assert_eq!(training.run(1, None, &stop, &mut report).unwrap(), StopReason::Stopped);
    assert_eq!(training.generation(), 1);
    drop(training);
    wait_for(&kept("games-0001.bin"));
    let location = Location::open(&address).unwrap();
    assert_eq!(fetch(&location, &root.join("there")).unwrap(), 0);
    let mut resumed = Training::resume(&root.join("there"), settings, "test").unwrap();
    assert_eq!(resumed.generation(), 0);
    let mut played = Vec::new();
    let stop = Stop::new();
    let mut report = |progress: &Progress<'_>| match progress {
        Progress::Playing { generation, .. } => played.push(*generation),
        Progress::Done(_) => stop.stop(),
        _ => {}
    };
    resumed.run(1, None, &stop, &mut report).unwrap();
    assert!(
        played.is_empty() && resumed.generation() == 1,
        "the games of the first generation are there: {played:?}"
    );
    drop(resumed);
    let mut training = Training::resume(&root.join("here"), settings, "test").unwrap();
    assert_eq!(train(&mut training, &mirroring, 5), StopReason::Stopped);
    assert!(mirroring.finish(5));
    // The stop wrote the checkpoint of the fifth generation.
    assert!(!kept("checkpoint-0002.safetensors").exists());
    assert!(kept("checkpoint-0004.safetensors").exists() && kept("checkpoint-0005.safetensors").exists());
    assert_eq!(fetch(&location, &root.join("later")).unwrap(), 5);
    assert!(root.join("later/games-0005.bin").exists());
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn games_that_were_kept_for_later_generations_are_uploaded_at_the_end() {
    let root = folder("later");
    let (kept, here) = (root.join("kept"), root.join("here"));
    fs::create_dir(&here).unwrap();
    for name in ["manifest.toml", "games-0001.bin", "checkpoint-0001.safetensors"] {
        fs::write(here.join(name), name).unwrap();
    }
    let (mirroring, said) = mirror(&format!("file://{}", kept.display()), &here, false);
    mirroring.generation(&GenerationMetrics { generation: 1, ..GenerationMetrics::default() });
    wait_for(&kept.join("checkpoint-0001.safetensors"));
    for generation in [2, 3, 5] {
        fs::write(here.join(format!("games-{generation:04}.bin")), "games").unwrap();
    }
    fs::write(here.join("games-0004.part"), "games").unwrap();
    assert!(mirroring.finish(1));
    assert!(kept.join("games-0002.bin").exists() && kept.join("games-0003.bin").exists());
    assert!(!kept.join("games-0005.bin").exists(), "those of the fourth generation are not complete");
    assert!(said.lock().unwrap().is_empty());
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn checkpoints_after_the_one_that_was_resumed_from_do_not_count() {
    let root = folder("damaged");
    let (kept, here) = (root.join("kept"), root.join("here"));
    fs::create_dir(&here).unwrap();
    fs::create_dir(&kept).unwrap();
    let checkpoint = |generation: u32| format!("checkpoint-{generation:04}.safetensors");
    for generation in [14, 16, 18, 20] {
        fs::write(kept.join(checkpoint(generation)), "state").unwrap();
    }
    fs::write(here.join(checkpoint(17)), "state").unwrap();
    // The last two were damaged: it goes on from the one before them.
    let (mirroring, said) = mirror_keeping(&format!("file://{}", kept.display()), &here, 0, true);
    assert!(mirroring.finish(17));
    let there: Vec<u32> = (0..30).filter(|generation| kept.join(checkpoint(*generation)).exists()).collect();
    assert_eq!(there, [16, 17, 18, 20]);
    assert!(said.lock().unwrap().is_empty());
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn nothing_is_fetched_where_there_is_no_training() {
    let root = folder("nothing");
    let location = Location::open(&format!("file://{}/kept", root.display())).unwrap();
    let error = fetch(&location, &root.join("there")).unwrap_err().to_string();
    assert!(error.ends_with("holds no training: there is no manifest.toml in it"), "{error}");
    fs::write(root.join("kept/manifest.toml"), "").unwrap();
    fs::write(root.join("kept/checkpoint-0002.safetensors"), "").unwrap();
    fs::write(root.join("kept/games-0001.bin"), "").unwrap();
    let error = fetch(&location, &root.join("there")).unwrap_err().to_string();
    assert!(error.ends_with("holds no checkpoint with all its games"), "{error}");
    assert!(!root.join("there").exists());
    fs::remove_dir_all(root).unwrap();
}
