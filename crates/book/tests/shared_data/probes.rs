//! Probes against every expected value there is, and the answers that must be none.

use std::thread;

use tabia_book::TableWdl::{self, BlessedLoss, CursedWin, Draw, Loss, Win};
use tabia_book::Tables;

use super::{data, game, is_wdl, part_of_the_tables, tables, text};

/// One position with the result and the distance expected of it.
struct Expected {
    fen: String,
    wdl: TableWdl,
    dtz: i32,
}

fn wdl(number: &str) -> TableWdl {
    match number {
        "-2" => Loss,
        "-1" => BlessedLoss,
        "0" => Draw,
        "1" => CursedWin,
        "2" => Win,
        other => panic!("no result: {other}"),
    }
}

/// Everything the probe files expect: 200 + 216 + 1400 positions.
fn expected() -> Vec<Expected> {
    let line = |fen: &str, result: &str, dtz: &str| Expected {
        fen: fen.to_owned(),
        wdl: wdl(result),
        dtz: dtz.parse().unwrap(),
    };
    let mut all = Vec::new();
    for epd in text("syzygy/endgame.epd").lines() {
        let (fen, operations) = epd.split_once(" wdl_table ").unwrap();
        let value =
            |name| operations.split(';').find_map(|operation| operation.trim().strip_prefix(name)).unwrap();
        all.push(line(fen, value("wdl "), value("dtz ")));
    }
    for row in text("syzygy/shakmaty_chess_expected.csv").lines().skip(1) {
        let [fen, wdl, dtz] = row.split(',').collect::<Vec<_>>()[..] else { panic!("{row}") };
        all.push(line(fen, wdl, dtz));
    }
    for row in text("syzygy/random_wdl_dtz_dev.tsv").lines().skip(1) {
        let [_, fen, wdl, dtz] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        all.push(line(fen, wdl, dtz));
    }
    all
}

#[test]
#[ignore = "needs public data: make test-data"]
fn all_tables_are_found() {
    let tables = tables();
    assert_eq!((tables.wdl_count(), tables.dtz_count(), tables.max_pieces()), (35, 35, 4));
}

#[test]
#[ignore = "needs public data: make test-data"]
fn every_expected_result_and_distance_is_what_the_tables_say() {
    let tables = tables();
    let (mut known, mut unknown) = (0, 0);
    for Expected { fen, wdl, dtz } in expected() {
        let game = game(&fen);
        if tables.covers(game.position()) {
            assert_eq!(tables.probe_wdl_after_zeroing(game.position()), Some(wdl), "{fen}");
            assert_eq!(tables.probe_wdl(game.position()), Some(wdl), "{fen}");
            assert_eq!(tables.probe_dtz(game.position()), Some(dtz), "{fen}");
            known += 1;
        } else {
            assert_eq!(tables.probe_wdl(game.position()), None, "{fen}");
            unknown += 1;
        }
    }
    // Sixteen have five pieces or more (one could be answered through a capture; we do not try).
    assert_eq!((known, unknown), (1800, 16));
    assert_eq!(tables.fault(), None);
}

#[test]
#[ignore = "needs public data: make test-data"]
fn threads_probing_at_once_get_the_same_answers() {
    let tables = tables();
    let expected = expected();
    thread::scope(|scope| {
        for _ in 0..4 {
            let (tables, expected) = (tables.clone(), &expected);
            scope.spawn(move || {
                for Expected { fen, dtz, .. } in expected {
                    let position = game(fen).position().clone();
                    assert_eq!(
                        tables.probe_dtz(&position),
                        tables.covers(&position).then_some(*dtz),
                        "{fen}"
                    );
                }
            });
        }
    });
}

#[test]
#[ignore = "needs public data: make test-data"]
fn castling_rights_and_too_many_pieces_have_no_answer() {
    let tables = tables();
    for fen in ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1"] {
        let game = game(fen);
        assert_eq!(tables.probe_wdl(game.position()), None, "{fen}");
        assert_eq!(tables.probe_wdl_after_zeroing(game.position()), None, "{fen}");
        assert_eq!(tables.probe_dtz(game.position()), None, "{fen}");
        assert_eq!(tables.rank_root_moves(&game), None, "{fen}");
    }
}

#[test]
#[ignore = "needs public data: make test-data"]
fn ended_games_have_their_result() {
    let tables = tables();
    assert_eq!(tables.probe_wdl(game("R6k/8/6K1/8/8/8/8/8 b - - 0 1").position()), Some(Loss), "mated");
    assert_eq!(tables.probe_wdl(game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").position()), Some(Draw), "stalemate");
    assert_eq!(tables.probe_wdl(game("7k/8/6K1/8/8/8/8/8 b - - 0 1").position()), Some(Draw), "bare kings");
}

#[test]
#[ignore = "needs public data: make test-data"]
fn mates_of_known_length_are_won_and_lost_for_the_right_side() {
    let tables = tables();
    let mut known = 0;
    for line in text("syzygy/endgame-dm-4.epd").lines().filter(|line| line.contains(" dm ")) {
        let (fen, moves) = line.trim_end_matches(';').split_once(" dm ").unwrap();
        let expected = match moves.parse::<i32>().unwrap().signum() {
            -1 => Loss,
            0 => Draw,
            _ => Win,
        };
        assert_eq!(tables.probe_wdl(game(fen).position()), Some(expected), "{line}");
        known += 1;
    }
    assert!(known > 40, "only {known} positions");
}

/// Bishop and knight against the bare king, mate in 33 moves: 65 plies, which the table rounds to 64.
fn bishop_and_knight(clock: u32) -> String {
    format!("8/8/7N/8/8/8/8/K1k1B3 w - - {clock} 80")
}

#[test]
#[ignore = "needs public data: make test-data"]
fn a_win_that_the_clock_overtakes_is_cursed() {
    let tables = tables();
    assert_eq!(tables.probe_dtz(game(&bishop_and_knight(0)).position()), Some(64));
    for clock in 0..100 {
        let position = game(&bishop_and_knight(clock)).position().clone();
        let expected = match 64 + clock {
            ..100 => Some(Win),
            100 => None, // 100 plies or 101: the table does not say.
            _ => Some(CursedWin),
        };
        assert_eq!(tables.probe_wdl(&position), expected, "clock {clock}");
        assert_eq!(tables.probe_wdl_after_zeroing(&position), Some(Win), "clock {clock}");
    }
}

#[test]
#[ignore = "needs public data: make test-data"]
fn without_distances_a_running_clock_leaves_only_draws_certain() {
    let part = part_of_the_tables("wdl-only", is_wdl);
    let tables = Tables::open(part.to_str().unwrap()).unwrap();
    assert_eq!((tables.wdl_count(), tables.dtz_count()), (35, 0));
    let probe = |fen: &str| tables.probe_wdl(game(fen).position());
    assert_eq!(probe(&bishop_and_knight(0)), Some(Win));
    assert_eq!(probe(&bishop_and_knight(1)), None);
    assert_eq!(probe("8/8/8/8/8/2k5/8/K1N5 w - - 1 80"), Some(Draw));
    assert_eq!(tables.probe_dtz(game(&bishop_and_knight(0)).position()), None);
    assert_eq!(tables.fault(), None, "a missing table is no fault");
}

#[test]
#[ignore = "needs public data: make test-data"]
fn of_a_table_found_twice_the_first_is_used() {
    let broken = part_of_the_tables("broken", |_| false);
    std::fs::write(broken.join("KBNvK.rtbw"), [7; 80]).unwrap();
    let whole = data("syzygy/3-4");
    let open = |paths| Tables::open(std::env::join_paths(paths).unwrap().to_str().unwrap()).unwrap();
    let position = game(&bishop_and_knight(0)).position().clone();
    let tables = open([&whole, &broken]);
    assert_eq!((tables.probe_wdl(&position), tables.wdl_count()), (Some(Win), 35));
    let tables = open([&broken, &whole]);
    assert_eq!((tables.probe_wdl(&position), tables.wdl_count()), (None, 35));
    assert!(tables.fault().is_some_and(|fault| fault.contains("KBNvK")));
}
