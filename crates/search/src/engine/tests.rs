//! What the whole search promises, through its public door.

use std::time::Duration;

use shakmaty::{Chess, Position as _};
use tabia_core::{AgentError, ChessGame, Clock, Game, Limits, Score, SearchInfo, Stop};
use tabia_eval::pst::Pst;

use super::tablebases::{RankedMove, TablebaseResult, Tablebases};
use super::{Engine, SearchResult, Settings};

fn engine(settings: Settings) -> Engine<Pst> {
    Engine::new(Pst, Settings { hash_mb: 4, ..settings })
}

fn search(fen: &str, limits: &Limits) -> SearchResult {
    let game = ChessGame::from_fen(fen).unwrap();
    engine(Settings::default()).search(&game, limits, &Stop::new(), &mut |_| {}).unwrap()
}

fn best(fen: &str, limits: &Limits) -> String {
    search(fen, limits).best.to_string()
}

const MIDDLEGAME: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1P1P1/PP2BP1P/R1BQ1RK1 w - - 1 12";

#[test]
fn the_same_search_twice_visits_the_same_nodes() {
    let first = search(MIDDLEGAME, &Limits::depth(9));
    let again = search(MIDDLEGAME, &Limits::depth(9));
    assert_eq!((first.nodes, first.best, first.score), (again.nodes, again.best, again.score));
}

#[test]
fn a_cleared_engine_is_a_new_engine() {
    let game = ChessGame::from_fen(MIDDLEGAME).unwrap();
    let mut engine = engine(Settings::default());
    let mut nodes = || {
        let found = engine.search(&game, &Limits::depth(8), &Stop::new(), &mut |_| {}).unwrap();
        engine.clear();
        found.nodes
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn a_panic_in_the_main_thread_ends_the_helpers() {
    let mut engine = engine(Settings { threads: 3, ..Settings::default() });
    let searched = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut report = |_: &SearchInfo<_>| panic!("heard enough");
        engine.search(&ChessGame::default(), &Limits::default(), &Stop::new(), &mut report)
    }));
    assert!(searched.is_err());
}

#[test]
fn node_limits_are_kept_to_the_node() {
    for limit in [1, 2, 50, 1_000, 5_003, 20_000] {
        assert!(search(MIDDLEGAME, &Limits::nodes(limit)).nodes <= limit, "{limit}");
    }
}

#[test]
fn mates_are_found_with_their_exact_distance() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
        ("1B6/2R2PN1/8/7P/2p1pk2/2Q1pN1P/8/1B5K w - - 0 1", 2),
        ("r1b4R/ppp2rk1/2q1p1N1/n3PpB1/3P4/n1PB4/P3QPP1/R3K3 w Q - 0 1", 2),
        // Hardly a move is possible here, until one iteration costs more than all before it.
        ("8/7B/8/1p2P1P1/pp1P2P1/qp2RP2/pk1K4/b7 w - - 0 1", 2),
        ("1Q6/3r4/q1k1bP1p/1pBp1p2/3P4/8/1P4PP/5RK1 w - - 0 1", 3),
        ("8/8/8/8/1p1N4/1Bk1K3/3N4/b7 w - - 0 1", 3),
    ] {
        let found = search(fen, &Limits::nodes(100_000));
        assert_eq!(found.score.moves_to_mate(), Some(moves), "{fen}");
    }
}

#[test]
fn being_mated_is_seen_too() {
    // Black's only moves allow mate.
    let found = search("7k/5ppp/8/8/8/8/6PP/3R3K b - - 0 1", &Limits::depth(8));
    assert!(!found.score.is_mate(), "luft saves the king");
    let found = search("k7/8/1K6/8/8/8/8/7R b - - 0 1", &Limits::depth(6));
    assert_eq!(found.score.moves_to_mate(), Some(-1));
}

#[test]
fn a_mate_search_stops_when_the_mate_is_found() {
    let limits = Limits { mate: Some(2), ..Limits::default() };
    let found = search("1B6/2R2PN1/8/7P/2p1pk2/2Q1pN1P/8/1B5K w - - 0 1", &limits);
    assert_eq!(found.score.moves_to_mate(), Some(2));
}

#[test]
fn a_short_mate_is_found_where_a_move_has_a_time() {
    // A problem by Paul Morphy: 1.Ra6 leaves Black no good move. The main search alone, which prunes, may not see it for long.
    let game = ChessGame::from_fen("kbK5/pp6/1P6/8/8/8/R7/8 w - - 0 1").unwrap();
    let stop = Stop::new();
    let mut give_up = |info: &SearchInfo<_>| {
        if info.nodes > 100_000 {
            stop.stop();
        }
    };
    let limits = Limits::movetime(Duration::from_mins(10));
    let found = engine(Settings::default()).search(&game, &limits, &stop, &mut give_up).unwrap();
    assert_eq!((found.best.to_string().as_str(), found.score.moves_to_mate()), ("Ra2-a6", Some(2)));
}

#[test]
fn a_hanging_queen_is_taken_and_a_poisoned_pawn_is_not() {
    assert_eq!(best("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", &Limits::depth(5)), "e4xd5");
    assert_ne!(best("4k3/2p5/1p6/8/8/8/1Q6/4K3 w - - 0 1", &Limits::depth(5)), "Qb2xb6");
}

#[test]
fn a_lost_side_takes_the_perpetual() {
    // White is far behind, but Qe8+ Kh7 Qh5+ repeats for ever.
    let fen = "6k1/6p1/8/7Q/8/1q6/1r4PP/7K w - - 0 1";
    let found = search(fen, &Limits::depth(10));
    assert!(found.score.raw().abs() < 20, "{}", found.score);
    assert_eq!(found.best.to_string(), "Qh5-e8");
}

#[test]
fn stalemate_and_bare_kings_are_draws() {
    let found = search("7k/7P/6K1/8/8/8/8/8 w - - 0 1", &Limits::depth(8));
    assert!(found.score.raw().abs() <= 2, "{}", found.score);
    let found = search("8/8/8/8/8/2k5/2n5/K7 w - - 0 1", &Limits::depth(6));
    assert!(found.score.raw().abs() <= 2, "{}", found.score);
}

#[test]
fn the_fifty_move_rule_ends_hope() {
    let found = search("8/8/8/3k4/8/8/8/KQ6 w - - 99 120", &Limits::depth(6));
    assert!(found.score.raw().abs() <= 2, "{}", found.score);
    // Mate on the hundredth half-move still counts.
    let found = search("7k/8/6K1/8/8/8/8/R7 w - - 99 120", &Limits::depth(4));
    assert_eq!(found.score.moves_to_mate(), Some(1));
}

#[test]
fn a_third_repetition_is_avoided_by_the_winning_side() {
    let mut game = ChessGame::from_fen("7k/8/8/8/8/8/8/KQ6 w - - 0 1").unwrap();
    for text in ["Qb2", "Kg8", "Qb1", "Kh8", "Qb2", "Kg8"] {
        let m = game.read_move(text).unwrap();
        game.apply(m);
    }
    // Qb1 Kh8 would be the third time; the queen has better.
    let found = engine(Settings::default()).search(&game, &Limits::depth(8), &Stop::new(), &mut |_| {});
    let found = found.unwrap();
    assert!(found.score > Score::cp(300), "{}", found.score);
}

#[test]
fn several_lines_are_reported_in_order_without_repeats() {
    let game = ChessGame::from_fen(MIDDLEGAME).unwrap();
    let mut last: Vec<SearchInfo<shakmaty::Move>> = Vec::new();
    let mut engine = engine(Settings { multipv: 4, ..Settings::default() });
    engine
        .search(&game, &Limits::depth(7), &Stop::new(), &mut |info| {
            if info.rank == 1 {
                last.clear();
            }
            last.push(info.clone());
        })
        .unwrap();
    assert_eq!(last.iter().map(|info| info.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.is_sorted_by(|a, b| a.score >= b.score));
    let moves: std::collections::BTreeSet<String> =
        last.iter().map(|info| info.line[0].to_string()).collect();
    assert_eq!(moves.len(), 4);
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let game = ChessGame::default();
    let requested = vec![game.read_move("a2a3").unwrap(), game.read_move("h2h3").unwrap()];
    let limits = Limits { search_moves: requested.clone(), ..Limits::depth(5) };
    let found = engine(Settings::default()).search(&game, &limits, &Stop::new(), &mut |_| {}).unwrap();
    assert!(requested.contains(&found.best));
}

#[test]
fn finished_games_have_no_move() {
    let game = ChessGame::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    let result = engine(Settings::default()).search(&game, &Limits::depth(3), &Stop::new(), &mut |_| {});
    assert!(matches!(result, Err(AgentError::GameOver)));
}

#[test]
fn a_raised_flag_ends_the_search_with_a_legal_move() {
    let game = ChessGame::from_fen(MIDDLEGAME).unwrap();
    let stop = Stop::new();
    let raised = stop.clone();
    let mut engine = engine(Settings { threads: 2, ..Settings::default() });
    let found = engine.search(&game, &Limits::default(), &stop, &mut |info| {
        if info.depth >= 5 {
            raised.stop();
        }
    });
    assert!(game.position().is_legal(found.unwrap().best));
    // Raised before it began: still a move.
    let found = engine.search(&game, &Limits::default(), &stop, &mut |_| {}).unwrap();
    assert!(game.position().is_legal(found.best));
}

#[test]
fn pondering_ignores_the_clock_until_the_hit() {
    let game = ChessGame::from_fen(MIDDLEGAME).unwrap();
    let moment = Duration::from_millis(1);
    let clock = Clock {
        white: moment,
        black: moment,
        white_increment: Duration::ZERO,
        black_increment: Duration::ZERO,
        moves_to_go: None,
    };
    let stop = Stop::pondering();
    let hit = stop.clone();
    let mut deepest = 0;
    let found = engine(Settings::default())
        .search(&game, &Limits::clock(clock), &stop, &mut |info| {
            deepest = info.depth;
            if info.depth >= 9 {
                hit.ponder_hit();
            }
        })
        .unwrap();
    assert!(deepest >= 9 && found.depth >= 9, "it went on although a millisecond had long passed");
}

#[test]
fn no_more_threads_search_than_there_are_processors() {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut engine = engine(Settings { threads: 512, ..Settings::default() });
    assert_eq!(engine.thread_count(), processors.min(512));
    engine.configure(Settings::default()).unwrap();
    assert_eq!(engine.thread_count(), 1);
    engine.configure(Settings { threads: 4_096, ..Settings::default() }).unwrap();
    assert_eq!(engine.thread_count(), processors);
}

#[test]
fn options_that_do_not_fit_into_memory_change_nothing() {
    let mut engine = engine(Settings { hash_mb: 2, ..Settings::default() });
    let before = (engine.settings().hash_mb, engine.settings().multipv);
    let refused = engine.configure(Settings { hash_mb: usize::MAX >> 20, multipv: 3, ..Settings::default() });
    assert!(refused.unwrap_err().to_string().contains("MiB"));
    assert_eq!((engine.settings().hash_mb, engine.settings().multipv), before);
    assert!(engine.search(&ChessGame::default(), &Limits::depth(3), &Stop::new(), &mut |_| {}).is_ok());
}

#[test]
fn threads_share_one_table_and_agree_on_a_legal_move() {
    let game = ChessGame::from_fen(MIDDLEGAME).unwrap();
    let mut engine = engine(Settings { threads: 3, ..Settings::default() });
    let found = engine.search(&game, &Limits::depth(9), &Stop::new(), &mut |_| {}).unwrap();
    assert!(game.position().is_legal(found.best));
    assert!(found.nodes > 0 && found.depth >= 9);
}

#[test]
fn every_line_reported_is_legal_to_its_end() {
    for fen in crate::bench::POSITIONS {
        let game = ChessGame::from_fen(fen).unwrap();
        let mut check = |info: &SearchInfo<shakmaty::Move>| {
            let mut position = game.position().clone();
            assert!(!info.line.is_empty());
            for m in &info.line {
                assert!(position.is_legal(*m), "{fen}: {m}");
                position.play_unchecked(*m);
            }
        };
        engine(Settings::default()).search(&game, &Limits::depth(6), &Stop::new(), &mut check).unwrap();
    }
}

/// Tables that know one thing: the side with the queen wins.
struct QueenWins;

impl Tablebases for QueenWins {
    fn max_pieces(&self) -> usize {
        3
    }

    fn result(&self, position: &Chess) -> Option<TablebaseResult> {
        let queens = position.board().queens();
        Some(if (queens & position.us()).any() {
            TablebaseResult::Win
        } else if queens.any() {
            TablebaseResult::Loss
        } else {
            TablebaseResult::Draw
        })
    }

    fn rank_moves(&self, game: &ChessGame) -> Option<Vec<RankedMove>> {
        let position = game.position();
        let ranked = position.legal_moves().into_iter().map(|m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            let result = match self.result(&after) {
                Some(TablebaseResult::Win) => TablebaseResult::Loss,
                Some(TablebaseResult::Loss) => TablebaseResult::Win,
                _ => TablebaseResult::Draw,
            };
            RankedMove { mv: m, rank: result as i32, result }
        });
        Some(ranked.collect())
    }
}

#[test]
fn endgame_tables_choose_at_the_root_and_count_in_the_tree() {
    let tables = std::sync::Arc::new(QueenWins);
    let settings = Settings { tables: Some(tables), ..Settings::default() };
    // At the root: promoting to a queen is the only win the tables see.
    let game = ChessGame::from_fen("8/P7/8/8/8/8/7k/K7 w - - 0 1").unwrap();
    let found = engine(settings.clone()).search(&game, &Limits::depth(4), &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(found.best.to_string(), "a7-a8=Q");
    assert!(found.score.is_decisive());
    // In the tree: one capture away from three pieces.
    let game = ChessGame::from_fen("8/8/8/8/8/5k2/1r6/QK6 w - - 0 1").unwrap();
    let mut hits = 0;
    let mut engine = engine(settings);
    let found = engine.search(&game, &Limits::depth(4), &Stop::new(), &mut |t| hits = t.table_hits).unwrap();
    assert!(hits > 0 && found.score.is_decisive(), "{hits} {}", found.score);
}

#[test]
fn several_lines_stay_in_order_wherever_the_nodes_run_out() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let game = ChessGame::from_fen(fen).unwrap();
    for nodes in (2_000..12_000).step_by(700) {
        let settings = Settings { multipv: 4, hash_mb: 1, ..Settings::default() };
        let mut engine = Engine::new(tabia_eval::pst::Pst, settings);
        let mut scores = [Score::DRAW; 4];
        let mut hear = |info: &SearchInfo<shakmaty::Move>| scores[info.rank as usize - 1] = info.score;
        engine.search(&game, &Limits::nodes(nodes), &Stop::new(), &mut hear).unwrap();
        assert!(scores.is_sorted_by(|better, worse| better >= worse), "{nodes} nodes: {scores:?}");
    }
}
