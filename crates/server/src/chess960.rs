//! The 960 start positions by Scharnagl's numbering; 518 is the standard one.

use rand::TryRngCore;
use rand::rngs::OsRng;

pub const STARTS: u16 = 960;

/// Squares of the knights among the five that are left, in Scharnagl's order.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// The start position with a number, as FEN.
pub fn start(number: u16) -> String {
    let mut squares = [' '; 8];
    let number = usize::from(number % STARTS);
    let (number, light) = (number / 4, number % 4);
    squares[2 * light + 1] = 'b';
    let (number, dark) = (number / 4, number % 4);
    squares[2 * dark] = 'b';
    let (knights, queen) = (number / 6, number % 6);
    put(&mut squares, queen, 'q');
    let (first, second) = KNIGHTS[knights];
    put(&mut squares, second, 'n');
    put(&mut squares, first, 'n');
    for piece in ['r', 'k', 'r'] {
        put(&mut squares, 0, piece);
    }
    let black: String = squares.iter().collect();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_uppercase())
}

/// A random start position.
pub fn any_start() -> String {
    let number = OsRng.try_next_u32().expect("the operating system has random numbers") % u32::from(STARTS);
    start(number as u16)
}

/// Puts a piece on the `nth` free square.
fn put(squares: &mut [char; 8], nth: usize, piece: char) {
    let free = squares.iter_mut().filter(|square| **square == ' ').nth(nth);
    *free.expect("there are as many free squares as pieces to come") = piece;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_usual_start_is_number_518() {
        assert_eq!(start(518), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(start(0).starts_with("bbqnnrkr/"));
        assert!(start(959).starts_with("rkrnnqbb/"));
    }

    #[test]
    fn all_starts_differ_and_can_be_played() {
        let starts: HashSet<String> = (0..STARTS).map(start).collect();
        assert_eq!(starts.len(), 960);
        for fen in starts {
            let mode = shakmaty::CastlingMode::Chess960;
            let game = tabia_core::ChessGame::from_fen_in_mode(&fen, mode).unwrap();
            assert_eq!(game.fen().split(' ').nth(2), Some("KQkq"), "{fen}");
            let row = fen.split('/').next().unwrap();
            let bishops: Vec<usize> = row.match_indices('b').map(|(at, _)| at % 2).collect();
            assert_eq!(bishops.iter().sum::<usize>(), 1, "bishops on both colours: {fen}");
        }
    }
}
