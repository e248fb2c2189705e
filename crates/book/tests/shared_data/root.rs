//! Ranking of root moves: it agrees with the tables' own best move, and it wins what is won.

use shakmaty::{Chess, Move, Position};
use shakmaty_syzygy::Tablebase;
use tabia_book::TableWdl::{CursedWin, Draw, Loss, Win};
use tabia_book::Tables;
use tabia_book::syzygy::best_class;
use tabia_core::{ChessGame, Game, Outcome, Reason};

use super::{data, game, is_wdl, part_of_the_tables, tables, text};

fn random_positions() -> Vec<ChessGame> {
    text("syzygy/random_wdl_dtz_dev.tsv")
        .lines()
        .skip(1)
        .map(|row| game(row.split('\t').nth(1).unwrap()))
        .collect()
}

#[test]
#[ignore = "needs public data: make test-data"]
fn the_best_move_keeps_the_result_and_is_as_fast_as_the_tables_own() {
    let tables = tables();
    let mut own = Tablebase::<Chess>::new();
    own.add_directory(data("syzygy/3-4")).unwrap();
    for game in random_positions() {
        let ranked = tables.rank_root_moves(&game).unwrap();
        assert_eq!(ranked.len(), game.position().legal_moves().len());
        assert!(ranked.is_sorted_by(|a, b| a.rank >= b.rank && a.wdl >= b.wdl), "{}", game.fen());
        let Some((m, _)) = own.best_move(game.position()).unwrap() else { continue };
        let best = &ranked[0];
        assert_eq!(Some(best.wdl), tables.probe_wdl_after_zeroing(game.position()), "{}", game.fen());
        let same = ranked.iter().find(|root_move| root_move.m == m).unwrap();
        assert!(best_class(&ranked).contains(same), "{} {m:?}", game.fen());
        assert_eq!(best.dtz, same.dtz, "{} {m:?} {best:?}", game.fen());
        assert!(best_class(&ranked).iter().all(|root_move| root_move.wdl == best.wdl));
    }
}

/// Plays the ranked moves for both sides: the winner takes the move `pick` likes of its best class, the loser
/// its most stubborn one.
fn play_out(tables: &Tables, start: &ChessGame, pick: impl Fn(&[Move]) -> Move) -> Outcome {
    let winner = start.side_to_move();
    let mut game = start.clone();
    loop {
        if let Some(outcome) = game.outcome() {
            return outcome;
        }
        let ranked = tables.rank_root_moves(&game).unwrap();
        let best: Vec<Move> = best_class(&ranked).iter().map(|root_move| root_move.m).collect();
        game.apply(if game.side_to_move() == winner { pick(&best) } else { best[0] });
    }
}

const WON: [&str; 5] = [
    "8/8/7N/8/8/8/8/K1k1B3 w - - 0 1",
    "8/8/8/1k6/8/8/K5P1/8 w - - 0 1",
    "8/8/8/8/8/2k5/1R6/K7 w - - 0 1",
    "8/8/8/8/8/2k3P1/6P1/K7 w - - 0 1",
    "8/7N/8/8/8/5k2/7P/K7 w - - 0 1",
];

#[test]
#[ignore = "needs public data: make test-data"]
fn the_first_ranked_moves_mate() {
    let tables = tables();
    for fen in WON {
        let start = game(fen);
        let mate = Outcome::win(start.side_to_move(), Reason::Checkmate);
        assert_eq!(play_out(&tables, &start, |best| best[0]), mate, "{fen}");
    }
}

#[test]
#[ignore = "needs public data: make test-data"]
fn a_winner_that_always_takes_the_slowest_move_of_the_best_class_still_mates() {
    let tables = tables();
    for fen in WON {
        let start = game(fen);
        let mate = Outcome::win(start.side_to_move(), Reason::Checkmate);
        assert_eq!(play_out(&tables, &start, |best| best[best.len() - 1]), mate, "{fen}");
    }
}

#[test]
#[ignore = "needs public data: make test-data"]
fn a_mate_on_the_last_half_move_before_the_draw_is_first() {
    let game = game("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    let ranked = tables().rank_root_moves(&game).unwrap();
    assert_eq!(game.write_move(ranked[0].m), "a1a8");
    assert_eq!((ranked[0].wdl, ranked[0].dtz, best_class(&ranked).len()), (Win, Some(1), 1));
    assert!(ranked[1..].iter().all(|root_move| root_move.wdl == Draw));
}

#[test]
#[ignore = "needs public data: make test-data"]
fn a_pawn_move_that_saves_the_win_from_the_clock_is_preferred() {
    let game = game("8/8/8/8/8/2k5/7P/K6Q w - - 98 80");
    let ranked = tables().rank_root_moves(&game).unwrap();
    let best: Vec<String> =
        best_class(&ranked).iter().map(|root_move| game.write_move(root_move.m)).collect();
    assert_eq!(best, ["h2h3", "h2h4"]);
    assert!(ranked[2..].iter().any(|root_move| root_move.wdl == CursedWin));
}

fn after(fen: &str, moves: &str) -> ChessGame {
    let mut game = game(fen);
    for text in moves.split_whitespace() {
        assert_eq!(game.outcome(), None, "before {text}");
        let m = game.read_move(text).unwrap();
        game.apply(m);
    }
    game
}

#[test]
#[ignore = "needs public data: make test-data"]
fn the_loser_takes_the_third_repetition_and_the_winner_avoids_it() {
    let tables = tables();
    let game = after("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "b2b1 c3d4 b1b2 d4c3 b2b1 c3d4 b1b2");
    let ranked = tables.rank_root_moves(&game).unwrap();
    assert_eq!(
        (game.write_move(ranked[0].m).as_str(), ranked[0].wdl, ranked[0].dtz),
        ("d4c3", Draw, Some(0))
    );
    assert_eq!((best_class(&ranked).len(), ranked[1].wdl), (1, Loss));

    let game = after("8/8/8/8/3k4/8/1R6/K7 b - - 0 1", "d4c3 b2b1 c3d4 b1b2 d4c3 b2b1 c3d4");
    let ranked = tables.rank_root_moves(&game).unwrap();
    let last = ranked[ranked.len() - 1];
    assert_eq!((game.write_move(last.m).as_str(), last.wdl, last.dtz), ("b1b2", Draw, Some(0)));
    let fastest = ranked[0].dtz;
    assert!(best_class(&ranked).iter().all(|root_move| root_move.wdl == Win && root_move.dtz == fastest));
    assert!(ranked.iter().any(|root_move| root_move.wdl == Win && root_move.dtz > fastest));
}

#[test]
#[ignore = "needs public data: make test-data"]
fn without_distances_moves_are_ranked_by_result() {
    let part = part_of_the_tables("rank-wdl-only", is_wdl);
    let by_result = Tables::open(part.to_str().unwrap()).unwrap();
    let ranked = by_result.rank_root_moves(&game(WON[0])).unwrap();
    assert!(ranked.iter().all(|root_move| root_move.dtz.is_none()));
    let by_distance = tables();
    for game in random_positions() {
        let ranked = by_result.rank_root_moves(&game).unwrap();
        let results = |tables: &Tables| {
            let ranked = tables.rank_root_moves(&game).unwrap();
            ranked.iter().map(|root_move| root_move.wdl).collect::<Vec<_>>()
        };
        assert_eq!(results(&by_result), results(&by_distance), "{}", game.fen());
        assert!(best_class(&ranked).iter().all(|root_move| root_move.wdl == ranked[0].wdl));
    }
}
