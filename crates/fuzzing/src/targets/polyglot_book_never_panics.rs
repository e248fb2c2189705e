//! Any bytes are a book or an error with words in it, and a book answers any position with legal moves, the
//! heaviest first.
//!
//! Random bytes are hardly ever in the order of their keys, and hardly ever have the key of a position. So the
//! bytes are tried as they are, and then as a book that would be asked: entries in order, with keys that occur.

use std::sync::LazyLock;

use shakmaty::{Chess, Position};
use tabia_book::{Book, polyglot};
use tabia_core::ChessGame;

const KEY_BYTES: usize = 8;
const ENTRY_BYTES: usize = 16;

/// The start, castling both ways, promotions, en passant, Chess960, and a mate.
const FENS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "rkr1nqbb/pppppppp/8/8/8/8/PPPPPPPP/RKR1NQBB w KQkq - 0 1",
    "R5k1/5ppp/8/8/8/8/8/6K1 b - - 1 1",
];

static POSITIONS: LazyLock<Vec<Chess>> = LazyLock::new(|| {
    FENS.iter()
        .map(|fen| ChessGame::from_fen(fen).expect("the positions are legal").position().clone())
        .collect()
});
static KEYS: LazyLock<Vec<u64>> = LazyLock::new(|| POSITIONS.iter().map(polyglot::key).collect());

/// Reads the input; panics where what must hold does not.
pub fn check(bytes: &[u8]) {
    check_book(bytes.to_vec());
    check_book(in_order(bytes));
}

/// Whole entries with keys of our positions, as their first byte chooses.
fn in_order(bytes: &[u8]) -> Vec<u8> {
    let mut entries: Vec<[u8; ENTRY_BYTES]> = bytes.as_chunks().0.to_vec();
    for entry in &mut entries {
        let key = KEYS[usize::from(entry[0]) % KEYS.len()];
        entry[..KEY_BYTES].copy_from_slice(&key.to_be_bytes());
    }
    entries.sort_by(|one, other| one[..KEY_BYTES].cmp(&other[..KEY_BYTES]));
    entries.concat()
}

fn check_book(bytes: Vec<u8>) {
    let random = bytes.iter().fold(0, |number: u64, byte| number.rotate_left(8) ^ u64::from(*byte));
    let book = match Book::from_bytes(bytes) {
        Ok(book) => book,
        Err(fault) => {
            assert!(!fault.to_string().is_empty());
            return;
        }
    };
    for position in POSITIONS.iter() {
        let moves = book.entries(position);
        assert!(moves.len() <= book.entry_count());
        assert!(moves.iter().all(|entry| position.is_legal(entry.m)));
        assert!(moves.is_sorted_by(|one, next| one.weight >= next.weight));
    }
    let position = &POSITIONS[random as usize % POSITIONS.len()];
    let moves = book.entries(position);
    assert_eq!(book.best(position).as_ref(), moves.first().filter(|entry| entry.weight > 0));
    assert!(book.choose(position, random).is_none_or(|chosen| chosen.weight > 0 && moves.contains(&chosen)));
}
