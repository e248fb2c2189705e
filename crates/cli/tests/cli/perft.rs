//! `tabia perft`.

use std::fs;

use super::{folder, tabia};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn known_counts_are_found_by_both_generators() {
    for (fen, depth, nodes) in [
        ("startpos", "4", 197_281),
        ("startpos", "0", 1),
        ("startpos", "1", 20),
        (KIWIPETE, "3", 97_862),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "3", 0),
    ] {
        for generator in [&[][..], &["--engine"]] {
            let run = tabia(&[&["perft", depth, fen], generator].concat());
            assert_eq!(run.code, 0);
            assert!(run.stdout.starts_with(&format!("{nodes} nodes, ")), "{fen}: {}", run.stdout);
            let run = tabia(&[&["perft", depth, fen, "--json"], generator].concat());
            assert_eq!(run.json()["nodes"], nodes, "{fen}");
        }
    }
}

#[test]
fn a_position_needs_no_quotes() {
    let words: Vec<&str> = KIWIPETE.split(' ').collect();
    let run = tabia(&[&["perft", "2"], &words[..]].concat());
    assert!(run.stdout.starts_with("2039 nodes, "), "{}{}", run.stdout, run.stderr);
}

#[test]
fn the_shares_of_first_moves_sum_to_the_whole() {
    for generator in [&[][..], &["--engine"]] {
        let run = tabia(&[&["perft", "3", KIWIPETE, "--divide", "--json"], generator].concat()).json();
        let shares = run["divide"].as_array().unwrap();
        assert_eq!(shares.len(), 48);
        let sum: u64 = shares.iter().map(|share| share["nodes"].as_u64().unwrap()).sum();
        assert_eq!(sum, 97_862);
        let castling = shares.iter().find(|share| share["san"] == "O-O").unwrap();
        assert_eq!((&castling["uci"], &castling["nodes"]), (&"e1g1".into(), &2059.into()));
    }
    let text = tabia(&["perft", "2", "--divide"]).stdout;
    assert!(text.lines().any(|line| line.split_whitespace().eq(["e2e4", "e4", "20"])), "{text}");
}

const SUITE: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902 ;D4 197281\r
8/5kpp/8/8/1p3P2/6PP/r3KP2/1R1q4 w - -  0 1; D4 23441\u{0}
2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9 ;D1 21 ;D2 807 ;D3 18002 ;D4 667366
k7/8/8/8/8/8/8/K7 w - -; D9 99999999
";

const TRICKY: &str = "\
# Impossible checker alignment, and impossible castling rights.
id align-diag-1
epd 3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - -
perft 1 4
perft 2 125
perft 3 2854

id xfen-04
epd 4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ -
perft 3 12858

id asymmetrical-and-king-on-h
epd r2r3k/p7/3p4/8/8/P6P/8/R3K2R b KQq -
perft 3 3672
perft 4 64639
";

#[test]
fn suites_of_both_forms_are_checked() {
    let folder = folder("suites");
    fs::write(folder.join("some.epd"), SUITE).unwrap();
    fs::write(folder.join("tricky.perft"), TRICKY).unwrap();
    fs::write(folder.join("SOURCE.md"), "not a suite").unwrap();
    for generator in [&[][..], &["--engine"]] {
        let path = folder.to_str().unwrap();
        let run = tabia(&[&["perft", "--suite", path, "--max-nodes", "200000"], generator].concat());
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        let nodes = 197_281 + 23_441 + 18_002 + 2_854 + 12_858 + 64_639;
        assert_eq!(run.last_line(), format!("6 positions, {nodes} nodes, 0 wrong"));
        assert!(run.stdout.contains("1 skipped"), "{}", run.stdout);
    }
}

#[test]
fn a_wrong_count_is_named_and_fails() {
    let file = folder("wrong").join("wrong.epd");
    fs::write(&file, SUITE.replace("D3 8902 ;D4 197281", "D3 8903")).unwrap();
    let file = file.to_str().unwrap();
    let run = tabia(&["perft", "--suite", file, "--max-nodes", "200000"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains(&format!("{file}:1: depth 3: expected 8903, got 8902")), "{}", run.stdout);
    assert!(run.last_line().ends_with(", 1 wrong"));
    let document = tabia(&["perft", "--suite", file, "--max-nodes", "200000", "--json"]).json();
    assert_eq!((&document["wrong"], &document["failures"][0]["got"]), (&1.into(), &8902.into()));
}

#[test]
fn a_suite_that_cannot_be_read_is_an_error_with_its_place() {
    let folder = folder("broken");
    let missing = tabia(&["perft", "--suite", "no-such-file.epd"]);
    assert_eq!(missing.code, 1);
    assert!(missing.stderr.contains("cannot read no-such-file.epd"), "{}", missing.stderr);
    fs::write(folder.join("broken.epd"), "\n8/8/8/8/8/8/8/K1k4 w - - 0 1 ;D1 1\n").unwrap();
    let broken = tabia(&["perft", "--suite", folder.to_str().unwrap()]);
    assert_eq!(broken.code, 1);
    assert!(broken.stderr.contains("broken.epd:2"), "{}", broken.stderr);
    assert!(broken.stderr.contains("rank 1 has 7 squares"), "{}", broken.stderr);
}
