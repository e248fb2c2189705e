//! Games are split as wholes, whatever the order and the threads; settings that cannot work are refused.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use shakmaty::{Chess, Position};
use tabia_core::seed::derive;

use super::data::{self, Choice, Split};
use super::{Device, NnueError, Request, Settings, train};
use crate::games::{self, ScoredGame};
use crate::sample::GameResult;
use crate::samples::Reader;

const CHOICE: Choice = Choice { first_ply: 16, lambda: 0.0, seed: 7 };

fn game(seed: u64) -> ScoredGame {
    let mut position = Chess::default();
    let mut game = ScoredGame {
        start: None,
        moves: Vec::new(),
        opening: 0,
        scores: Vec::new(),
        result: GameResult::Draw,
    };
    for ply in 0..60 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let draw = derive(seed, ply);
        let played = moves[(draw % moves.len() as u64) as usize];
        game.moves.push(played);
        game.scores.push((draw >> 40) as i16 % 300);
        position.play_unchecked(played);
    }
    game
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tabia-nnue-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn games(&self, name: &str, seeds: std::ops::Range<u64>) -> PathBuf {
        let mut bytes = Vec::new();
        games::write_header(&mut bytes).unwrap();
        for seed in seeds {
            assert!(game(seed).write(&mut bytes));
        }
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn split(&self, files: &[PathBuf], threads: usize) -> (Split, [Vec<u8>; 2]) {
        let split = data::split(files, &self.0, CHOICE, threads).unwrap();
        data::adopt(&self.0).unwrap();
        let read = |path| fs::read(path).unwrap();
        (split, [read(data::training_path(&self.0)), read(data::validation_path(&self.0))])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn games_are_held_out_as_wholes() {
    let folder = Folder::new("split");
    let files: Vec<PathBuf> =
        (0..6).map(|i| folder.games(&format!("{i}.games"), i * 20..(i + 1) * 20)).collect();
    let (split, bytes) = folder.split(&files, 1);
    assert_eq!(folder.split(&files, 3), (split.clone(), bytes.clone()));
    assert_eq!(split.games, 120);
    assert!(split.held_out > 0 && split.held_out * 4 < split.learned, "{split:?}");
    // A random game is known by any of its later positions.
    let boards = |bytes: &[u8]| -> HashSet<String> {
        let samples = Reader::new(bytes).unwrap().map(Result::unwrap);
        samples.filter(|sample| sample.ply > 20).map(|sample| format!("{:?}", sample.board)).collect()
    };
    assert_eq!(boards(&bytes[0]).intersection(&boards(&bytes[1])).count(), 0);
    // Another order of files holds out the same games.
    let backwards: Vec<PathBuf> = files.iter().rev().cloned().collect();
    let (other, _) = folder.split(&backwards, 2);
    assert_eq!(other, split);
}

#[test]
fn a_file_cut_short_is_named_and_one_that_is_no_game_is_refused() {
    let folder = Folder::new("cut");
    let path = folder.games("a.games", 0..60);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
    let (split, _) = folder.split(std::slice::from_ref(&path), 1);
    assert_eq!((split.games, split.cut_short.len()), (59, 1));
    fs::write(&path, b"1. e4 e5").unwrap();
    let error = data::split(&[path], &folder.0, CHOICE, 1).unwrap_err().to_string();
    assert!(error.contains("a.games") && error.contains("TABIA-GAMES/1"), "{error}");
}

#[test]
fn what_cannot_work_is_refused() {
    let wrong = |settings: Settings| settings.check().unwrap_err().to_string();
    let usual = Settings::default;
    usual().check().unwrap();
    assert!(wrong(Settings { epochs: 0, ..usual() }).contains("0 epochs"));
    assert!(wrong(Settings { rate: 2.0, ..usual() }).contains("rate of 2"));
    assert!(wrong(Settings { result_share: 1.5, ..usual() }).contains("1.5"));
    assert!(wrong(Settings { lambda: 1.0, ..usual() }).contains("lambda of 1"));
    assert!(wrong(Settings { steepness: Some(0.0), ..usual() }).contains("steepness of 0"));
    assert!(wrong(Settings { power: 0.5, ..usual() }).contains("0.5"));
    assert!(wrong(Settings { hidden: 300, ..usual() }).contains("hidden layer of 300"));
    assert!(wrong(Settings { king_buckets: 3, ..usual() }).contains("3 king buckets"));
}

#[test]
fn a_python_that_is_not_there_is_named() {
    let folder = Folder::new("python");
    let settings = Settings::default();
    let request = Request {
        settings: &settings,
        run: &folder.0,
        from: None,
        device: Device::Any,
        python: "no-such-python",
        threads: 1,
    };
    let error = train(&request, &tabia_core::Stop::new(), &mut |_| {}).unwrap_err();
    assert!(matches!(&error, NnueError::Python { .. }), "{error}");
    assert!(error.to_string().contains("no-such-python"), "{error}");
}

/// Learns from a few games, some epochs at a time.
fn learned(
    folder: &Folder,
    king_buckets: usize,
    threads: usize,
    stopped_after: Option<u32>,
) -> Option<Vec<u8>> {
    let settings = Settings { epochs: 4, batch: 256, king_buckets, ..Settings::default() };
    let request =
        Request { settings: &settings, run: &folder.0, from: None, device: Device::Cpu, python: "", threads };
    let stop = tabia_core::Stop::new();
    let mut losses = Vec::new();
    let trained = train(&request, &stop, &mut |event| {
        if let super::Event::Epoch { epoch, loss, .. } = event {
            losses.push(*loss);
            if stopped_after == Some(*epoch) {
                stop.stop();
            }
        }
    });
    if losses.len() == 4 {
        assert!(losses[3] < losses[0] * 0.98, "{losses:?}");
    }
    trained.unwrap().map(|path| fs::read(path).unwrap())
}

#[test]
fn what_is_learned_does_not_depend_on_threads_or_on_interruptions() {
    for king_buckets in [1, 4] {
        let [one, broken] = ["one", "broken"].map(|name| {
            let folder = Folder::new(&format!("{name}-{king_buckets}"));
            let path = folder.games("a.games", 0..80);
            folder.split(&[path], 1);
            folder
        });
        let whole = learned(&one, king_buckets, 1, None).unwrap();
        assert_eq!(learned(&broken, king_buckets, 3, Some(2)), None);
        assert_eq!(learned(&broken, king_buckets, 2, None).unwrap(), whole);
    }
}

#[test]
fn a_network_of_another_shape_does_not_start_a_training() {
    let shape =
        |hidden: usize, king_buckets: usize| Settings { hidden, king_buckets, ..Settings::default() }.shape();
    super::check_initial(&shape(256, 1), &shape(256, 4)).unwrap();
    super::check_initial(&shape(512, 4), &shape(512, 4)).unwrap();
    for (found, expected) in [(shape(256, 4), shape(256, 1)), (shape(512, 1), shape(256, 1))] {
        let error = super::check_initial(&found, &expected).unwrap_err().to_string();
        assert!(error.contains("expected 256"), "{error}");
    }
}
