//! What holds in every state of every game: random games, some ten thousand states in all.

use proptest::prelude::*;
use rand::seq::IndexedRandom;
use shakmaty::{Color, Square};
use std::collections::BTreeMap;
use tabia_core::{Game, Turn, seed};
use tabia_quantum::{Action, Branch, Kind, Marginals, Move, QuantumGame};

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/P1P3P1/8/8/8/8/p1p3p1/4K3 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n2qk3/8/8/8/8/8/8/3QK2N w - - 0 1",
];
/// Games split only below this many branches, so that the tests stay quick.
const FEW: usize = 64;
/// 200 games of 50 plies.
const GAMES: u32 = 200;
const PLIES: usize = 50;

fn moves(game: &QuantumGame) -> Vec<Move> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions
        .iter()
        .map(|action| match action {
            Action::Move(m) => *m,
            other => panic!("{other:?} among the moves"),
        })
        .collect()
}

/// Every state of a random game, chance turns included, and the action that left it.
fn states(start: usize, seed: u64) -> Vec<(QuantumGame, Option<Action>)> {
    let mut random = seed::random(seed);
    let mut game: QuantumGame = STARTS[start % STARTS.len()].parse().unwrap();
    let mut states = Vec::new();
    while states.len() < PLIES && game.outcome().is_none() {
        let action = game.measure(&mut random).unwrap_or_else(|| {
            let moves = moves(&game);
            let few: Vec<Move> =
                moves.iter().copied().filter(|m| game.branches().len() < FEW || !m.is_split()).collect();
            Action::Move(*few.choose(&mut random).unwrap_or(&moves[0]))
        });
        states.push((game.clone(), Some(action)));
        game.apply(action);
    }
    states.push((game, None));
    states
}

fn shares(game: &QuantumGame) -> BTreeMap<String, f64> {
    let mut shares = BTreeMap::new();
    for branch in game.branches() {
        // En passant squares are cleared by moving and by passing alike, so that only what stands is compared.
        let share = branch.weight() as f64 / game.total() as f64;
        *shares.entry(branch.board().to_string()).or_default() += share;
    }
    shares
}

fn is_normal(game: &QuantumGame) -> bool {
    let branches = game.branches();
    let divisor = branches.iter().fold(0, |divisor, branch| gcd(divisor, branch.weight()));
    let keys_are_sorted = branches.windows(2).all(|pair| pair[0].key() < pair[1].key());
    let total: u64 = branches.iter().map(Branch::weight).sum();
    divisor == 1 && keys_are_sorted && total == game.total() && branches.len() <= 1024
}

fn gcd(a: u64, b: u64) -> u64 {
    if a == 0 { b } else { gcd(b % a, a) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: GAMES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn weights_are_in_normal_form_and_kings_are_somewhere(start in 0usize..5, seed: u64) {
        for (game, _) in states(start, seed) {
            if game.turn() == Turn::Chance {
                continue;
            }
            prop_assert!(is_normal(&game), "{}", game);
            if game.outcome().is_some_and(|outcome| outcome.winner.is_some()) {
                continue;
            }
            let marginals = Marginals::new(&game);
            for color in Color::ALL {
                let king: u64 =
                    Square::ALL.iter().map(|square| marginals.weight(color.king(), *square)).sum();
                prop_assert_eq!(king, game.total());
            }
        }
    }

    #[test]
    fn classical_moves_add_no_branch_and_splits_at_most_double(start in 0usize..5, seed: u64) {
        let states = states(start, seed);
        for pair in states.windows(2) {
            let ((before, action), (after, _)) = (&pair[0], &pair[1]);
            let (before, after) = (before.branches().len(), after.branches().len());
            match action {
                Some(Action::Move(m)) if m.is_split() => prop_assert!(after <= 2 * before),
                _ => prop_assert!(after <= before),
            }
        }
    }

    #[test]
    fn measuring_changes_nothing_on_average(start in 0usize..5, seed: u64) {
        for (game, _) in states(start, seed) {
            if game.turn() != Turn::Chance {
                continue;
            }
            // What would stand where if the move were made everywhere and nobody looked.
            let mut chances = Vec::new();
            game.chances(&mut chances);
            let measurement = game.measurement().unwrap();
            let (yes, no) = (chances[0], chances[1]);
            prop_assert!((yes.1 + no.1 - 1.0).abs() < 1e-15);
            let mut average: BTreeMap<String, f64> = BTreeMap::new();
            for (answer, probability) in [yes, no] {
                let mut after = game.clone();
                after.apply(answer);
                for (board, share) in shares(&after) {
                    *average.entry(board).or_default() += probability * share;
                }
            }
            let unseen = if measurement.about_king {
                shares(&game)
            } else {
                let m = measurement.asked_by;
                let mut unseen: BTreeMap<String, f64> = BTreeMap::new();
                for branch in game.branches() {
                    // Alone, a branch moves or passes without any measurement.
                    let text = format!(
                        "{} {} {} {} 0 1",
                        branch.board(),
                        game.side_to_move().char(),
                        branch.castling(),
                        branch.en_passant().map_or_else(|| "-".to_owned(), |square| square.to_string()),
                    );
                    let mut alone: QuantumGame = text.parse().unwrap();
                    let share = branch.weight() as f64 / game.total() as f64;
                    if alone.is_legal(m) {
                        alone.apply(Action::Move(m));
                    }
                    for (board, part) in shares(&alone) {
                        *unseen.entry(board).or_default() += share * part;
                    }
                }
                unseen
            };
            prop_assert_eq!(average.len(), unseen.len(), "{}", game);
            for (board, share) in unseen {
                prop_assert!((average[&board] - share).abs() < 1e-12, "{board}: {} {share}", average[&board]);
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes(start in 0usize..5, seed: u64) {
        let text = || states(start, seed).iter().map(|(game, _)| game.to_string()).collect::<Vec<_>>();
        prop_assert_eq!(text(), text());
    }

    #[test]
    fn without_splits_there_is_one_branch_and_no_measurement(start in 0usize..5, seed: u64) {
        let mut random = seed::random(seed);
        let mut game: QuantumGame = STARTS[start].parse().unwrap();
        for _ in 0..PLIES {
            let classical: Vec<Move> =
                moves(&game).into_iter().filter(|m| m.kind() == Kind::Classical).collect();
            let Some(m) = classical.choose(&mut random) else { break };
            game.apply(Action::Move(*m));
            prop_assert!(game.turn() != Turn::Chance);
            prop_assert_eq!(game.branches().len(), 1);
        }
    }

    #[test]
    fn legal_moves_survive_their_index_and_their_text(start in 0usize..5, seed: u64) {
        for (game, _) in states(start, seed) {
            let mut indices = Vec::new();
            for m in moves(&game) {
                prop_assert_eq!(Move::from_index(m.index()), Some(m));
                prop_assert_eq!(game.read_move(&game.write_move(m)), Ok(m));
                prop_assert!(game.is_legal(m) && game.success_chance(m) > 0.0 && game.success_chance(m) <= 1.0);
                indices.push(m.index());
            }
            let count = indices.len();
            indices.sort_unstable();
            indices.dedup();
            prop_assert_eq!(indices.len(), count, "two moves with one index");
        }
    }

    #[test]
    fn what_will_be_measured_is_known_before(start in 0usize..5, seed: u64) {
        for (game, _) in states(start, seed).iter().step_by(4) {
            for m in moves(game) {
                let mut next = game.clone();
                next.apply(Action::Move(m));
                prop_assert_eq!(game.odds(m).is_measured(), next.turn() == Turn::Chance, "{} in {}", m, game);
            }
        }
    }

    #[test]
    fn what_is_not_listed_is_illegal_and_explained(start in 0usize..5, seed: u64, indices in prop::collection::vec(0..9344usize, 40)) {
        for (game, _) in states(start, seed).iter().step_by(10) {
            let listed = moves(game);
            for m in indices.iter().filter_map(|index| Move::from_index(*index)) {
                prop_assert_eq!(listed.contains(&m), game.is_legal(m), "{} in {}", m, game);
                prop_assert_eq!(game.why_illegal(m).is_none(), game.is_legal(m));
            }
        }
    }

    #[test]
    fn mirrored_games_are_mirrors(start in 2usize..5, seed: u64) {
        let states = states(start, seed);
        let mut mirror = states[0].0.mirrored();
        for (game, action) in &states {
            // While something is measured the branches are in no order yet.
            if game.turn() == Turn::Chance {
                let (mut own, mut mirrored) = (Vec::new(), Vec::new());
                game.chances(&mut own);
                mirror.chances(&mut mirrored);
                prop_assert_eq!(own, mirrored);
            } else {
                prop_assert_eq!(&mirror, &game.mirrored());
            }
            let mut own: Vec<usize> = moves(game).into_iter().map(|m| m.mirrored().index()).collect();
            let mut mirrored: Vec<usize> = moves(&mirror).into_iter().map(Move::index).collect();
            own.sort_unstable();
            mirrored.sort_unstable();
            prop_assert_eq!(own, mirrored);
            match action {
                Some(Action::Move(m)) => mirror.apply(Action::Move(m.mirrored())),
                Some(answer) => mirror.apply(*answer),
                None => prop_assert_eq!(mirror.outcome(), game.outcome()),
            }
        }
    }

    #[test]
    fn states_survive_their_text(start in 0usize..5, seed: u64) {
        for (game, _) in states(start, seed) {
            if game.turn() == Turn::Chance || game.outcome().is_some() {
                continue;
            }
            let again: QuantumGame = game.to_string().parse().unwrap();
            prop_assert_eq!(&again, &game);
            prop_assert_eq!(again.key(), game.key());
            prop_assert_eq!((again.ply(), again.no_progress()), (game.ply(), game.no_progress()));
            prop_assert_eq!(again.to_string(), game.to_string());
        }
    }

    #[test]
    fn games_replay_from_their_plies(start in 0usize..5, seed: u64) {
        let mut random = seed::random(seed);
        let mut game: QuantumGame = STARTS[start].parse().unwrap();
        let mut replayed = game.clone();
        for _ in 0..PLIES {
            let moves = moves(&game);
            let few: Vec<Move> = moves.iter().copied().filter(|m| game.branches().len() < FEW || !m.is_split()).collect();
            let Some(m) = few.choose(&mut random) else { break };
            let played = game.play(*m, &mut random).unwrap();
            prop_assert_eq!(played.told.len(), played.measured.len());
            replayed.play_text(&played.text).unwrap();
            prop_assert_eq!(&replayed, &game);
            prop_assert_eq!(replayed.to_string(), game.to_string());
        }
    }

    #[test]
    fn no_text_panics(text in "[-+*: /0-9a-hKQkqrnbpRNBPw~]{0,60}") {
        let _ = text.parse::<QuantumGame>();
        let _ = text.parse::<Move>();
        let _ = QuantumGame::default().play_text(&text);
    }
}
