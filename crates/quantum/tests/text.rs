//! States as text: what is read, what is written, and what is said of what cannot be read.

use shakmaty::Square;
use tabia_core::Game;
use tabia_quantum::QuantumGame;

const B1: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const C3: &str = "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR";

fn read(text: &str) -> QuantumGame {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_superposition_reads_as_it_is_written() {
    let mut game = QuantumGame::default();
    game.play_text("b1~c3").unwrap();
    let text = format!("b 1 1: 1*{C3} KQkq - + 1*{B1} KQkq -");
    assert_eq!(game.to_string(), text);
    assert_eq!(read(&text), game);
    assert_eq!(read(&text).key(), game.key());
}

#[test]
fn order_common_divisors_and_repetitions_do_not_matter() {
    let plain = read(&format!("b 1 1: 1*{C3} KQkq - + 1*{B1} KQkq -"));
    for text in [
        format!("b 1 1:6*{B1} KQkq -+6*{C3} KQkq -"),
        format!("  b 1 1 :  1 * {B1}  KQkq -  + 2*{C3} KQkq - + 1*{B1} KQkq -  "),
        format!("b 1 1: 18446744073709551615*{C3} KQkq - + 18446744073709551615*{B1} KQkq -"),
    ] {
        assert_eq!(read(&text), plain, "{text}");
    }
    // One board twice is one board, and written as one.
    assert_eq!(read(&format!("w 0 1: 3*{B1} KQkq - + 4*{B1} KQkq -")), QuantumGame::default());
}

#[test]
fn what_cannot_matter_is_forgiven() {
    assert_eq!(read(&format!("{B1} w KQkq -")), QuantumGame::default());
    assert_eq!(read("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1").to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(read("4k3/8/8/8/8/8/8/4K3 w - e6 0 1").to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    let passing = read("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    assert_eq!(passing.branches()[0].en_passant(), Some(Square::D6));
    // A king may be attacked when it is not its side's turn: there is no check.
    read("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1");
}

#[test]
fn faults_are_named_with_their_branch() {
    for (text, expected) in [
        (String::new(), "the position is empty"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1".to_owned(), "the board has 7 ranks, expected 8"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1".to_owned(), "branch 1: Black has no king"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1".to_owned(), "the side to move is \"x\", expected w or b"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0".to_owned(), "the move number is \"0\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 more".to_owned(), "\"more\" follows the move number"),
        (format!("w 0: 1*{B1} KQkq -"), "expected side to move, half-move clock and move number"),
        (format!("w 0 1: 1*{B1} KQkq - + {C3} KQkq -"), "branch 2: it has no weight"),
        (format!("w 0 1: 1*{B1} KQkq - +"), "branch 2: nothing is there"),
        (format!("w 0 1: 1*{B1} KQkq - + 0*{C3} KQkq -"), "branch 2: its weight is 0"),
        (format!("w 0 1: 1*{B1} KQkq - + -3*{C3} KQkq -"), "branch 2: its weight is \"-3\""),
        (format!("w 0 1: 1*{B1} KQkq - + 1*{C3} KQkq"), "branch 2: it has 2 fields after the weight"),
        (format!("w 0 1: 1*{B1} KQkq - + 1*{C3} KQzq -"), "branch 2: the castling field \"KQzq\" has 'z'"),
        (format!("w 0 1: 1*{B1} KQkq - + 1*{C3} KQkq e9"), "branch 2: the en passant square is \"e9\""),
        (
            format!("w 0 1: 1*{B1} KQkq - + 1*4k3/8/8/8/8/8/8/4K2P - -"),
            "branch 2: there is a pawn on the first",
        ),
        (format!("w 0 1: 1*{B1} KQkq - + 1*4kk2/8/8/8/8/8/8/4K3 - -"), "branch 2: Black has 2 kings"),
        (
            format!("w 0 1: 18446744073709551615*{B1} KQkq - + 1*{C3} KQkq -"),
            "the weights sum to 18446744073709551616",
        ),
    ] {
        let error = text.parse::<QuantumGame>().expect_err(&text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn there_cannot_be_more_branches_than_the_rules_allow() {
    // The white king in its corner, the black one anywhere above, two knights anywhere below.
    let board = |king: usize, knights: [usize; 2]| {
        let mut squares = ["1"; 64];
        (squares[63], squares[king]) = ("K", "k");
        for at in knights {
            squares[32 + at] = "N";
        }
        let ranks: Vec<String> = squares.chunks(8).map(<[&str]>::concat).collect();
        format!("1*{} - -", ranks.join("/"))
    };
    let branches: Vec<String> =
        (0..32).flat_map(|king| (1..34).map(move |n| board(king, [n % 30, n % 30 + 1 - n / 30]))).collect();
    let text = |count: usize| format!("w 0 1: {}", branches[..count].join(" + "));
    assert_eq!(read(&text(1024)).branches().len(), 1024);
    assert_eq!(
        text(1025).parse::<QuantumGame>().unwrap_err().to_string(),
        "there are 1025 different branches, at most 1024 are allowed"
    );
}
