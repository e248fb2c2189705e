//! The agents by what they do: take what can be had, win what can be won, and repeat themselves.

use tabia_core::{Game, Limits, Stop, Turn, seed};
use tabia_quantum::{Action, QuantumGame, agents};

fn choose(spec: &str, position: &str) -> String {
    let mut agent = agents::catalogue().build_from_text(spec).unwrap_or_else(|error| panic!("{error}"));
    let game: QuantumGame = position.parse().unwrap();
    let action = agent.choose(&game, &Limits::default(), &Stop::new(), &mut |_| {}).unwrap();
    action.to_string()
}

#[test]
fn a_king_that_can_be_taken_is_taken() {
    let position = "4k3/8/8/8/q6b/8/8/4QK2 w - - 0 1";
    for spec in ["greedy", "mcts(simulations=200)"] {
        assert_eq!(choose(spec, position), "e1e8", "{spec}");
    }
}

#[test]
fn a_sure_queen_goes_before_half_a_rook() {
    let position = "w 0 1: 1*q3k3/8/8/8/8/8/8/R3K2r - - + 1*q3k3/8/8/8/8/7r/8/R3K3 - -";
    assert_eq!(choose("greedy", position), "a1a8");
    assert_eq!(choose("mcts(simulations=400)", position), "a1a8");
}

#[test]
fn a_king_in_danger_leaves() {
    // The rook takes the king next, and White is winning: there is nothing to gamble for.
    let position = "4k3/8/8/8/4r3/8/7Q/4K3 w - - 0 1";
    let chosen = choose("mcts(simulations=400)", position);
    assert!(["e1d1", "e1d2", "e1f1", "e1f2"].contains(&chosen.as_str()), "{chosen}");
}

#[test]
fn the_same_seeds_play_the_same_game() {
    let play = |specs: [&str; 2]| {
        let mut players = specs.map(|spec| agents::catalogue().build_from_text(spec).unwrap());
        let mut random = seed::random(3);
        let mut game = QuantumGame::default();
        let mut plies = Vec::new();
        while let Turn::Player(color) = game.turn()
            && game.ply() < 40
        {
            let player = &mut players[color.fold_wb(0, 1)];
            let action = player.choose(&game, &Limits::default(), &Stop::new(), &mut |_| {}).unwrap();
            let Action::Move(m) = action else { panic!("{action:?} is no move") };
            plies.push(game.play(m, &mut random).unwrap().text);
        }
        plies
    };
    for specs in [
        ["random(seed=1)", "random(seed=2)"],
        ["greedy", "random"],
        ["mcts(simulations=60,noise=0.25,temperature=1,seed=4)", "mcts(simulations=60,batch=4)"],
    ] {
        assert_eq!(play(specs), play(specs), "{specs:?}");
    }
    assert_ne!(play(["random(seed=1)", "random"]), play(["random(seed=2)", "random"]));
}

#[test]
fn a_finished_game_has_no_move() {
    let game: QuantumGame = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    for spec in ["random", "greedy", "mcts"] {
        let mut agent = agents::catalogue().build_from_text(spec).unwrap();
        assert!(agent.choose(&game, &Limits::default(), &Stop::new(), &mut |_| {}).is_err(), "{spec}");
    }
}

#[test]
fn wrong_options_are_refused() {
    let error = |spec: &str| agents::catalogue().build_from_text(spec).err().unwrap().to_string();
    assert!(error("mcts(simulation=3)").contains("did you mean \"simulations\"?"));
    assert!(error("mtcs").contains("did you mean \"mcts\"?"));
}

#[test]
fn random_games_end_by_the_rules() {
    let mut actions = Vec::new();
    for game_seed in 0..40 {
        let mut random = seed::random(game_seed);
        let mut game = QuantumGame::default();
        while game.outcome().is_none() {
            let action = game.measure(&mut random).unwrap_or_else(|| {
                game.actions(&mut actions);
                // Half of the games split rarely, so that their branches stay few and the test quick.
                let few = |action: &&Action| matches!(action, Action::Move(m) if !m.is_split());
                let quiet: Vec<Action> = actions.iter().filter(few).copied().collect();
                let from = if game.branches().len() >= 8 && !quiet.is_empty() { &quiet } else { &actions };
                from[rand::Rng::random_range(&mut random, 0..from.len())]
            });
            game.apply(action);
        }
        assert!(game.ply() <= game.ply_limit());
    }
}

#[test]
fn reseeded_agents_play_otherwise_and_the_same_seed_alike() {
    let line = |spec: &str, seed: u64| {
        let mut agent = agents::catalogue().build_from_text(spec).unwrap();
        agent.reseed(seed);
        let mut game = QuantumGame::default();
        let mut plies = Vec::new();
        for _ in 0..6 {
            let action = agent.choose(&game, &Limits::default(), &Stop::new(), &mut |_| {}).unwrap();
            plies.push(action);
            game.apply(action);
        }
        plies
    };
    for spec in ["random", "greedy", "mcts(simulations=30,noise=0.5,temperature=1)"] {
        assert_eq!(line(spec, 5), line(spec, 5), "{spec}");
        assert_ne!(line(spec, 5), line(spec, 6), "{spec}");
    }
}
