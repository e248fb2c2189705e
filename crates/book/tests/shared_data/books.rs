//! GNU Chess's book against what python-chess reads in it.

use std::collections::HashSet;
use std::fs;

use shakmaty::{Chess, Position};
use tabia_book::polyglot::{Book, BookMove, key};
use tabia_core::{ChessGame, Game};

use super::data;

fn gnuchess() -> Book {
    Book::open(data("books/polyglot/gnuchess-book.bin")).unwrap()
}

fn after(line: &str) -> ChessGame {
    let mut game = ChessGame::default();
    for text in line.split_whitespace() {
        let m = game.read_move(text).unwrap();
        game.apply(m);
    }
    game
}

#[test]
#[ignore = "needs public data: make test-data"]
fn the_moves_of_known_positions_are_those_python_chess_finds() {
    let book = gnuchess();
    assert_eq!(book.entry_count(), 180_358);
    for (line, expected) in [
        (
            "",
            "e2e4 12135 d2d4 11257 g1f3 3745 c2c4 3294 g2g3 243 b2b3 38 f2f4 35 b1c3 16 b2b4 16 e2e3 7 d2d3 5 \
             g2g4 4 a2a3 2",
        ),
        ("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6", "e1g1 7424 d2d3 239 d1e2 175 d2d4 166 b1c3 136 a4c6 29"),
        ("d2d4 d7d5 c2c4", "e7e6 3264 c7c6 2584 d5c4 1456 e7e5 95 b8c6 82 c8f5 32 g8f6 27 c7c5 9 g7g6 2"),
    ] {
        let game = after(line);
        let entries = book.entries(game.position());
        let written = |entry: &BookMove| format!("{} {}", game.write_move(entry.m), entry.weight);
        assert_eq!(entries.iter().map(written).collect::<Vec<_>>().join(" "), expected, "after {line:?}");
    }
}

#[test]
#[ignore = "needs public data: make test-data"]
fn walking_the_whole_book_meets_as_many_moves_as_python_chess_does() {
    let book = gnuchess();
    let mut seen = HashSet::from([key(&Chess::default())]);
    let mut unwalked = vec![Chess::default()];
    let (mut moves, mut weights, mut castles) = (0, 0_u64, 0);
    while let Some(position) = unwalked.pop() {
        for entry in book.entries(&position) {
            moves += 1;
            weights += u64::from(entry.weight);
            castles += usize::from(entry.m.is_castle());
            let mut after = position.clone();
            after.play_unchecked(entry.m);
            if !book.entries(&after).is_empty() && seen.insert(key(&after)) {
                unwalked.push(after);
            }
        }
    }
    assert_eq!((seen.len(), moves, weights, castles), (112_294, 142_776, 2_426_486, 8_616));
}

#[test]
#[ignore = "needs public data: make test-data"]
fn a_book_with_a_newline_after_it_is_refused() {
    let path = data("torture/polyglot_bad/gnuchess-smallbook.bin");
    let fault = Book::open(&path).unwrap_err().to_string();
    assert!(
        fault.contains("it has 38673 bytes, expected a multiple of 16 (1 left over after entry 2417)"),
        "{fault}"
    );
    let mut bytes = fs::read(path).unwrap();
    assert_eq!(bytes.pop(), Some(b'\n'));
    assert!(!Book::from_bytes(bytes).unwrap().entries(&Chess::default()).is_empty());
}
