//! What the agents promise.

use super::*;
use tabia_core::{Catalogue, Turn};

fn catalogue() -> Catalogue<ChessGame> {
    let mut catalogue = Catalogue::default();
    catalogue.add(entries(|path| std::fs::read_to_string(path)));
    catalogue
}

fn agent(spec: &str) -> Box<dyn Agent<ChessGame>> {
    catalogue().build_from_text(spec).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

fn settings(spec: &str) -> Settings {
    classic_settings(&catalogue().check(&spec.parse().unwrap()).unwrap().1)
}

fn choose(agent: &mut dyn Agent<ChessGame>, game: &ChessGame) -> Move {
    agent.choose(game, &Limits::default(), &Stop::new(), &mut |_| ()).unwrap()
}

/// Plays one agent against another for some plies.
fn play(white: &str, black: &str, plies: usize) -> ChessGame {
    let (mut white, mut black) = (agent(white), agent(black));
    let mut game = ChessGame::default();
    for _ in 0..plies {
        let Turn::Player(color) = game.turn() else { break };
        let m = choose(color.fold_wb(white.as_mut(), black.as_mut()), &game);
        game.apply(m);
    }
    game
}

#[test]
fn the_defaults_are_seed_001() {
    assert_eq!(settings("alphabeta"), Settings::ALPHABETA);
    let (_, options) = catalogue().check(&"alphabeta".parse().unwrap()).map(|(e, o)| (e.name, o)).unwrap();
    assert_eq!(options.text("eval"), Some("mat_mob"));
}

#[test]
fn every_switch_can_be_set() {
    let spec = "alphabeta(depth=3,ordering=seed000,killers=on,table=200000,quiescence=4)";
    assert_eq!(settings(spec), Settings::AXIOMX);
    assert_eq!(settings("alphabeta(depth=3,ordering=mvv-lva)"), Settings::AXIOMX_SPEED);
    let off = settings("alphabeta(ordering=off,pruning=off,deepening=on)");
    assert_eq!((off.ordering, off.pruning, off.iterative_deepening), (MoveOrdering::Off, false, true));
    assert_eq!(settings("alphabeta(ordering=victim)"), settings("alphabeta(ordering=on)"));
}

#[test]
fn what_does_not_exist_is_refused_with_what_does() {
    let error = |spec: &str| catalogue().build_from_text(spec).err().unwrap().to_string();
    assert!(error("alphabeta(eval=mat_mop)").contains("mat_mob"));
    assert!(error("alphabeta(depth=9)").contains("1 to 8"));
    assert!(error("random(sed=1)").contains("seed"));
}

#[test]
fn every_evaluation_plays() {
    for name in registry::NAMES {
        let m = choose(agent(&format!("alphabeta(eval={name},depth=2)")).as_mut(), &ChessGame::default());
        assert!(ChessGame::default().position().is_legal(m), "{name}");
    }
}

#[test]
fn the_same_seed_plays_the_same_game_and_another_seed_another() {
    let moves = |white: &str| play(white, "random(seed=2)", 60).moves().to_vec();
    assert_eq!(moves("random(seed=1)"), moves("random(seed=1)"));
    assert_ne!(moves("random(seed=1)"), moves("random(seed=3)"));
}

#[test]
fn a_random_game_taken_up_in_the_middle_goes_on_as_it_would_have() {
    let game = play("random(seed=5)", "random(seed=5)", 40);
    let mut half = ChessGame::default();
    game.moves()[..20].iter().for_each(|m| half.apply(*m));
    assert_eq!(choose(agent("random(seed=5)").as_mut(), &half), game.moves()[20]);
}

#[test]
fn random_moves_are_uniform() {
    let game = ChessGame::default();
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..4000 {
        *counts.entry(game.write_move(choose(&mut RandomAgent::new(seed), &game))).or_insert(0) += 1;
    }
    // 200 of each of 20 moves are expected, give or take 14.
    assert_eq!(counts.len(), 20);
    assert!(counts.values().all(|count| (140..260).contains(count)), "{counts:?}");
}

#[test]
fn alphabeta_beats_random() {
    let game = play("alphabeta(depth=3,eval=pst)", "random(seed=4)", 200);
    assert_eq!(game.outcome().and_then(|outcome| outcome.winner), Some(shakmaty::Color::White));
}
