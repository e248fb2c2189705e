//! What whoever watches a match finds in its directory.

use std::fs;

use serde_json::Value;
use tabia_arena::tournament::chess::{Concurrency, SprtSettings};
use tabia_core::Stop;
use tabia_games::openings::Openings;
use tabia_stats::EloModel;

use super::{chess_match, directory, settings};

#[test]
fn games_being_played_are_shown_and_the_end_has_none() {
    let openings = Openings::built_in();
    let mut settings =
        settings(&["a=engine(nodes=20000,hash=1)", "b=engine(nodes=2000,hash=1)"], "own", 4, &openings);
    settings.sprt =
        Some(SprtSettings { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic });
    let run = directory("live");
    let read = || -> Option<Value> { serde_json::from_slice(&fs::read(run.join("live.json")).ok()?).ok() };
    let mut shown = Vec::new();
    let chess_match = chess_match(&settings, &openings, Some(&run)).unwrap();
    chess_match
        .play(Concurrency { workers: 2, pinned: false }, None, &Stop::new(), &mut |_| shown.extend(read()))
        .unwrap();

    let games = shown.iter().flat_map(|live| live["games"].as_array().unwrap());
    let moves = |game: &Value| game["moves"].as_str().unwrap().split(' ').count();
    let longest =
        games.clone().max_by_key(|game| moves(game)).expect("games are shown while they are played");
    assert!(moves(longest) > 10, "{longest}");
    assert_ne!(longest["white"], longest["black"]);
    assert!(games.clone().any(|game| game["score_cp"].is_i64() || game["mate"].is_i64()));

    let last = read().unwrap();
    assert_eq!((last["finished"].as_u64(), last["total"].as_u64()), (Some(4), Some(4)));
    assert_eq!(last["games"].as_array().unwrap().len(), 0);
    assert_eq!(last["result"]["games"], 4);
    assert_eq!(last["llr"].as_array().unwrap().len(), 2, "a point for every pair");
    fs::remove_dir_all(run).unwrap();
}
