//! Limits, the stop flag, and reports during the search.

use super::*;
use std::time::Duration;

fn deepening(depth: u32) -> Classic<MatMob> {
    Classic::new(MatMob, Settings { depth, iterative_deepening: true, ..Settings::ALPHABETA })
}

#[test]
fn the_limits_depth_wins_over_the_settings() {
    let found = deepening(2).search(&game(START), &Limits::depth(3), &Stop::new(), &mut |_| ()).unwrap();
    assert_eq!(found.depth, 3);
}

#[test]
fn a_node_limit_is_kept_and_the_last_finished_iteration_counts() {
    let whole = deepening(3).search(&game(BUSY), &Limits::default(), &Stop::new(), &mut |_| ()).unwrap();
    let limit = Limits { depth: Some(8), ..Limits::nodes(whole.counts.all_nodes() + 100) };
    let cut = deepening(3).search(&game(BUSY), &limit, &Stop::new(), &mut |_| ()).unwrap();
    assert_eq!((cut.depth, cut.score, &cut.line), (whole.depth, whole.score, &whole.line));
    assert_eq!(cut.counts.all_nodes(), whole.counts.all_nodes() + 100);
}

#[test]
fn a_search_that_may_not_start_still_has_a_move() {
    let stop = Stop::new();
    stop.stop();
    let found = deepening(4).search(&game(START), &Limits::default(), &stop, &mut |_| ()).unwrap();
    assert_eq!((found.score, found.depth, found.counts), (None, 0, Counts::default()));
    assert!(game(START).position().is_legal(found.best));
}

#[test]
fn a_search_cut_short_in_its_first_iteration_keeps_the_best_move_so_far() {
    // Rook takes queen is tried first; ten nodes are enough to see it, and too few for two plies.
    let game = game("q5k1/8/8/8/8/8/8/R5K1 w - - 0 1");
    let settings = Settings { depth: 2, ..Settings::ALPHABETA };
    let found = Classic::new(Material, settings).search(&game, &Limits::nodes(10), &Stop::new(), &mut |_| ());
    let found = found.unwrap();
    assert_eq!((game.write_move(found.best).as_str(), found.score), ("a1a8", None));
}

#[test]
fn time_ends_a_search() {
    let limits = Limits { depth: Some(60), ..Limits::movetime(Duration::from_millis(1)) };
    assert!(deepening(4).search(&game(BUSY), &limits, &Stop::new(), &mut |_| ()).unwrap().depth < 60);
}

#[test]
fn every_iteration_is_reported() {
    let mut infos = Vec::new();
    let found = deepening(3)
        .search(&game(BUSY), &Limits::default(), &Stop::new(), &mut |info| infos.push(info.clone()))
        .unwrap();
    assert_eq!(infos.iter().map(|info| info.depth).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(infos.is_sorted_by_key(|info| info.nodes));
    let last = &infos[2];
    assert_eq!(
        (Some(last.score), &last.line, last.nodes),
        (found.score, &found.line, found.counts.all_nodes())
    );
    assert_eq!((last.selective_depth, last.line.len()), (3, 3));
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let game = game("q5k1/8/8/8/8/8/8/R5K1 w - - 0 1");
    let only = game.read_move("g1f1").unwrap();
    let limits = Limits { search_moves: vec![only], ..Limits::default() };
    let settings = Settings { table: 1000, ..Settings::ALPHABETA };
    let mut search = Classic::new(Material, settings);
    assert_eq!(search.search(&game, &limits, &Stop::new(), &mut |_| ()).unwrap().best, only);
    let free = search.search(&game, &Limits::default(), &Stop::new(), &mut |_| ()).unwrap();
    assert_eq!(game.write_move(free.best), "a1a8", "the restriction is not remembered");
    let limits = Limits { search_moves: vec![ChessGame::default().read_move("e2e4").unwrap()], ..limits };
    let error = search.search(&game, &limits, &Stop::new(), &mut |_| ()).unwrap_err();
    assert!(matches!(error, AgentError::NoSearchMoves));
}

#[test]
fn a_mate_that_was_asked_for_ends_the_search() {
    let limits = Limits { mate: Some(4), ..Limits::default() };
    let game = game("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1");
    let found = deepening(1).search(&game, &limits, &Stop::new(), &mut |_| ()).unwrap();
    assert_eq!((found.depth, found.score), (3, Some(Score::mate_in_plies(3))));
}

#[test]
fn a_finished_game_has_no_move() {
    let mated = game("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    let error = deepening(2).search(&mated, &Limits::default(), &Stop::new(), &mut |_| ()).unwrap_err();
    assert!(matches!(error, AgentError::GameOver));
}
