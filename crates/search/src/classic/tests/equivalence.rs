//! Switches that may change how much work is done, but never what is found.

use super::*;
use proptest::prelude::*;
use shakmaty::CastlingMode;
use tabia_eval::testing;

fn random_game(seed: u64) -> ChessGame {
    ChessGame::from_position(testing::random_position(seed), CastlingMode::Standard)
}

fn value(game: &ChessGame, settings: Settings) -> Score {
    let mut search = Classic::new(MatMob, settings);
    let found = search.search(game, &Limits::default(), &Stop::new(), &mut |_| ()).unwrap();
    found.score.unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn pruning_in_any_order_finds_the_value_of_plain_negamax(seed: u64) {
        let game = random_game(seed);
        let base = Settings { depth: 2, quiescence: 2, ..Settings::ALPHABETA };
        let plain = value(&game, Settings { pruning: false, ordering: MoveOrdering::Off, ..base });
        for ordering in EVERY_ORDERING {
            for killers in [false, true] {
                let pruned = Settings { ordering, killers, ..base };
                prop_assert_eq!(value(&game, pruned), plain, "{:?} in {}", pruned, game.fen());
            }
        }
    }

    #[test]
    fn three_plies_with_pruning_are_three_plies_of_negamax(seed: u64) {
        let game = random_game(seed);
        let base = Settings { depth: 3, ..Settings::ALPHABETA };
        let plain = find(&game, Settings { pruning: false, ..base });
        for ordering in EVERY_ORDERING {
            for killers in [false, true] {
                let pruned = find(&game, Settings { ordering, killers, ..base });
                prop_assert_eq!(pruned.score, plain.score, "{:?} {} in {}", ordering, killers, game.fen());
                prop_assert!(pruned.counts.nodes <= plain.counts.nodes);
            }
        }
    }

    /// Within three plies per position can only recur at the same distance from the root (to lose a move takes
    /// each side two), so the table never answers with a deeper search than was asked for.
    #[test]
    fn a_table_does_not_change_the_value_of_three_plies(seed: u64) {
        let game = random_game(seed);
        let base = Settings { depth: 3, ..Settings::ALPHABETA };
        let with_table = find(&game, Settings { table: 100_000, ..base });
        let without = find(&game, base);
        prop_assert_eq!(with_table.score, without.score, "in {}", game.fen());
        prop_assert_eq!(without.counts.table_probes, 0);
    }

    #[test]
    fn a_table_does_not_change_the_value_of_plain_negamax(seed: u64) {
        let game = random_game(seed);
        let base = Settings { depth: 3, pruning: false, ..Settings::ALPHABETA };
        let with_table = find(&game, Settings { table: 100_000, ..base });
        prop_assert_eq!(with_table.score, find(&game, base).score, "in {}", game.fen());
    }

    #[test]
    fn deepening_ends_at_the_same_value(seed: u64) {
        let game = random_game(seed);
        let base = Settings { depth: 3, killers: true, ..Settings::ALPHABETA };
        let deepened = find(&game, Settings { iterative_deepening: true, ..base });
        prop_assert_eq!(deepened.score, find(&game, base).score, "in {}", game.fen());
    }

    #[test]
    fn the_line_found_is_legal_and_leads_to_its_value(seed: u64) {
        let game = random_game(seed);
        let settings = Settings { depth: 3, ..Settings::ALPHABETA };
        let found = find(&game, settings);
        let mut end = game.clone();
        for m in &found.line {
            prop_assert!(end.position().is_legal(*m));
            tabia_core::Game::apply(&mut end, *m);
        }
        prop_assert_eq!(found.line[0], found.best);
        if end.outcome().is_none() {
            prop_assert_eq!(found.line.len(), 3);
            let leaf = Material.evaluate(tabia_eval::View::from(end.position()));
            let leaf = if game.side_to_move().is_white() { leaf } else { -leaf };
            prop_assert_eq!(found.score, Some(leaf));
        }
    }
}

#[test]
fn the_same_search_gives_the_same_line_and_counts() {
    for settings in [Settings::ALPHABETA, Settings::AXIOMX_SPEED, Settings::AXIOMX] {
        let game = game(BUSY);
        assert_eq!(find(&game, settings), find(&game, settings));
    }
}

#[test]
fn a_search_after_forgetting_is_a_search_afresh() {
    let game = game(BUSY);
    let mut search = Classic::new(Material, Settings::AXIOMX);
    let mut run = || search.search(&game, &Limits::default(), &Stop::new(), &mut |_| ()).unwrap();
    let (first, again) = (run(), run());
    assert!(again.counts.nodes < first.counts.nodes, "the table remembers");
    search.forget();
    let afresh = search.search(&game, &Limits::default(), &Stop::new(), &mut |_| ()).unwrap();
    assert_eq!(afresh, first);
}
