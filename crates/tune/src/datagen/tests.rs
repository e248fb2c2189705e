//! Shards are identical bytes on every machine, and resuming creates what is missing.

use std::fs;
use std::path::{Path, PathBuf};

use tabia_core::Stop;

use super::{Settings, pack, shards, task};
use crate::games;
use crate::samples::Reader;

fn settings() -> Settings {
    Settings { nodes: 100, shard_games: 2, evaluation: "pst".to_owned(), ..Settings::default() }
}

/// A folder that is gone with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tabia-datagen-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn made(folder: &Path, threads: usize) -> Vec<Vec<u8>> {
    let settings = settings();
    let grid = task::on_threads(&settings, threads);
    shards::make(folder, &settings, 4, &grid, &Stop::new(), &mut |_| {}).unwrap();
    (0..4).map(|number| fs::read(shards::path(folder, number)).unwrap()).collect()
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads_and_after_a_loss() {
    let (one, three) = (Folder::new("one"), Folder::new("three"));
    let bytes = made(&one.0, 1);
    assert_eq!(made(&three.0, 3), bytes);
    fs::remove_file(shards::path(&one.0, 2)).unwrap();
    assert_eq!(made(&one.0, 2), bytes);
    assert!(bytes.iter().all(|shard| shard.len() > 32), "every shard has games");
}

#[test]
fn what_is_kept_is_quiet_and_packed_once() {
    let folder = Folder::new("pack");
    let shards = made(&folder.0, 2);
    let games = shards.iter().flat_map(|bytes| games::Reader::new(&bytes[..]).unwrap().map(Result::unwrap));
    let all: usize = games.map(|game| game.samples(16).len()).sum();
    let to = folder.0.join("all.samples");
    let packed = pack::pack(&folder.0, 0..4, 16, 7, &to).unwrap();
    assert_eq!(packed.samples + packed.repeated, all as u64);
    let bytes = fs::read(&to).unwrap();
    let samples: Vec<_> = Reader::new(&bytes[..]).unwrap().map(Result::unwrap).collect();
    for sample in &samples {
        let position = sample.position().unwrap();
        assert!(!shakmaty::Position::is_check(&position));
        assert!(sample.ply >= 16);
    }
    let mut boards: Vec<String> =
        samples.iter().map(|sample| format!("{:?}{}", sample.board, sample.turn)).collect();
    boards.sort();
    boards.dedup();
    assert!(boards.len() + 3 > samples.len(), "repeated but for castling and en passant");
}

#[test]
fn a_stopped_run_leaves_whole_shards_only() {
    let folder = Folder::new("stop");
    let stop = Stop::new();
    let settings = settings();
    let grid = task::on_threads(&settings, 2);
    shards::make(&folder.0, &settings, 50, &grid, &stop, &mut |_| stop.stop()).unwrap();
    let names: Vec<String> = fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(!names.is_empty() && names.len() < 5, "{names:?}");
    assert!(
        names.iter().all(|name| Path::new(name).extension().is_some_and(|end| end == "games")),
        "{names:?}"
    );
}

#[test]
fn impossible_settings_are_refused() {
    let error = |settings: Settings| settings.check().unwrap_err().to_string();
    assert!(error(Settings { nodes: 0, ..settings() }).contains("at least one node"));
    assert!(error(Settings { evaluation: "pts".to_owned(), ..settings() }).contains("\"pts\""));
}
