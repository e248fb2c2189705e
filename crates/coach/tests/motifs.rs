//! Motifs of a few puzzles of lichess (CC0), written out: the first move is the opponent's.

use tabia_coach::motif;
use tabia_coach::puzzle::{self, Puzzle};
use tabia_coach::tagging;

/// FEN, moves, the motifs that must be found, separated by blanks, and some that must not.
const PUZZLES: &[(&str, &str, &str, &str)] = &[
    (
        "7k/1p1q4/pB5p/3Pb1p1/PQ1P3n/6PP/5rBK/3RR3 w - - 2 33",
        "d1d2 f2g2 d2g2 h4f3 h2h1 d7h3 g2h2 h3h2",
        "deflection fork mate mateIn4 pin sacrifice",
        "skewer promotion",
    ),
    (
        "r2q1k1r/ppN1ppbp/4bnp1/4Q3/8/1P6/PBP2PPP/R3KB1R w KQ - 5 13",
        "c7a8 f6e8 a1d1 d8c8 e5e3 g7b2",
        "skewer quietMove",
        "mate fork",
    ),
    (
        "r1b2rk1/qp1n1Npp/p7/3Q4/5P2/2b3P1/P5BP/R3R2K b - - 0 24",
        "c3e1 f7h6 g8h8 d5g8 f8g8 h6f7",
        "doubleCheck kingsideAttack mate mateIn3 sacrifice smotheredMate",
        "backRankMate",
    ),
    (
        "2k4r/p1p2p2/1p2p2p/4P1pq/Q1Pr1n2/B7/P4PPP/1R3RK1 w - - 0 21",
        "a4a7 f4e2 g1h1 h5h2 h1h2 d4h4",
        "anastasiaMate attraction kingsideAttack mateIn3 sacrifice",
        "hookMate",
    ),
    (
        "2kr3r/pp1n2bp/1qR1Q3/8/3P4/3B2B1/P5PP/6K1 b - - 0 25",
        "b6c6 e6c6 b7c6 d3a6",
        "bodenMate mateIn2",
        "doubleBishopMate",
    ),
    (
        "6k1/pb5p/1p2Pqp1/2p5/2Q5/PK5R/1PB2r1P/1R4r1 b - - 9 33",
        "g1b1 e6e7 g8g7 e7e8n g7f8 e8f6",
        "advancedPawn discoveredAttack fork promotion underPromotion",
        "mate",
    ),
    (
        "4rrk1/pbp2pp1/1p6/3P3Q/8/1Bq5/P1P2PPN/R3R1K1 w - - 2 18",
        "e1e8 c3a1 h2f1 f8e8",
        "hangingPiece intermezzo",
        "fork",
    ),
    (
        "6rr/1kp2p2/ppn1q3/4P1Bp/4Q3/1PP1R3/P5P1/4RK2 w - - 4 30",
        "g5h4 g8g4 e4f3 g4h4",
        "interference",
        "mate",
    ),
    (
        "r1bk1b1r/pp2n1p1/4Pp2/1Q3Bqp/3P4/8/PP3PPP/2R1R1K1 b - - 4 20",
        "g5f5 c1c8 d8c8 e1c1 e7c6 b5f5",
        "attraction deflection exposedKing pin sacrifice",
        "mate",
    ),
    (
        "N1k4r/pp2pp1p/3p2p1/1B1P4/8/8/q1N3PP/2Q1K2n b - - 4 21",
        "a2a5 c2b4 c8b8 c1c3 h8c8 b4c6 b7c6 c3a5",
        "clearance discoveredAttack queensideAttack",
        "kingsideAttack",
    ),
    (
        "8/2Q3pp/2p1pk2/2q5/4R3/2p2PK1/1b4PP/8 b - - 10 41",
        "c5g5 e4g4 g5e5 g4f4 e5f4 c7f4",
        "defensiveMove xRayAttack",
        "fork",
    ),
    (
        "rn3rk1/p4ppp/2p1pn2/qp6/1bBP4/P1N1PQ1P/1P1B1PP1/R3K2R w KQ - 0 12",
        "c4b5 b4c3 d2c3 a5b5",
        "capturingDefender intermezzo",
        "pin",
    ),
    (
        "r1bqk2r/ppp2pp1/2np1n1p/2b1p3/8/3P1NP1/PPPNPPBP/R1BQ1RK1 w kq - 0 7",
        "f1e1 c5f2 g1f2 f6g4 f2g1 g4e3",
        "attraction kingsideAttack sacrifice",
        "mate",
    ),
    (
        "6k1/pp4pp/2p5/3r4/8/2P3B1/Pn1R1PPP/6K1 w - - 0 27",
        "d2b2 d5d1",
        "backRankMate mateIn1",
        "kingsideAttack",
    ),
    (
        "r2qr1k1/bppn2p1/4b1Q1/PP1p4/3P1R2/B1NpP3/6PP/5RK1 b - - 4 23",
        "c7c5 b5c6 b7c6 f1f3 a7d4 e3d4",
        "enPassant quietMove",
        "promotion",
    ),
    (
        "r1b1k2r/p3bppp/4pn2/q5B1/2p5/2N2Q2/PPP2PPP/2KRR3 w kq - 0 13",
        "f3a8 a5g5 c1b1 e8g8",
        "castling defensiveMove hangingPiece",
        "quietMove",
    ),
];

fn puzzles() -> Vec<Puzzle> {
    let mut text = "PuzzleId,FEN,Moves,Themes\n".to_owned();
    for (index, (fen, moves, themes, _)) in PUZZLES.iter().enumerate() {
        text.extend([&format!("p{index}"), ",", fen, ",", moves, ",", themes, "\n"]);
    }
    let (puzzles, faults) = puzzle::read(&text).unwrap();
    assert!(faults.is_empty(), "{faults:?}");
    puzzles
}

#[test]
fn the_motifs_of_known_puzzles_are_found() {
    for (puzzle, (fen, _, themes, absent)) in puzzles().iter().zip(PUZZLES) {
        let found: Vec<&str> = motif::find(&puzzle.line).iter().map(|motif| motif.theme.name()).collect();
        for theme in themes.split(' ') {
            assert!(found.contains(&theme), "{theme} is not found in {fen}: {found:?}");
        }
        for theme in absent.split(' ') {
            assert!(!found.contains(&theme), "{theme} is found in {fen}: {found:?}");
        }
    }
}

#[test]
fn a_motif_says_where_it_is() {
    let line = &puzzles()[0].line;
    let fork = motif::find(line).into_iter().find(|motif| motif.theme.name() == "fork").unwrap();
    // 35...Nf3+ forks nothing but king and rook.
    assert_eq!(fork.actor.to_string(), "f3");
    assert_eq!(fork.ply, 3);
    assert!(fork.targets.iter().any(|square| square.to_string() == "h2"), "{fork:?}");
}

#[test]
fn agreement_is_counted_a_theme_at_a_time() {
    let tagging = tagging::compare(&puzzles());
    let fork = tagging.themes[&tabia_coach::Theme::Fork];
    assert_eq!((fork.tagged, fork.both), (2, 2));
    assert!((fork.recall - 1.0).abs() < 1e-9);
    assert_eq!(tagging.puzzles, PUZZLES.len());
}

#[test]
fn bad_rows_are_named_and_the_others_kept() {
    let text = "FEN,Moves,Themes\n\
                8/8/8/8/8/8/8/8 w - - 0 1,e2e4,fork\n\
                6k1/pp4pp/2p5/3r4/8/2P3B1/Pn1R1PPP/6K1 w - - 0 27,d2b2 d5d1,mate\n\
                6k1/pp4pp/2p5/3r4/8/2P3B1/Pn1R1PPP/6K1 w - - 0 27,d2b2 d5h4,mate\n\
                6k1/pp4pp/2p5/3r4/8/2P3B1/Pn1R1PPP/6K1 w - - 0 27,castle,mate\n";
    let (puzzles, faults) = puzzle::read(text).unwrap();
    assert_eq!(puzzles.len(), 1);
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(faults[0].starts_with("line 2: "), "{faults:?}");
    assert!(faults[1].starts_with("line 4: half-move 2") || faults[1].contains("d5h4"), "{faults:?}");
    assert!(faults[2].contains("\"castle\" is not a move"), "{faults:?}");
    let error = puzzle::read("FEN,Moves\n").unwrap_err().to_string();
    assert!(error.contains("no column Themes"), "{error}");
}
