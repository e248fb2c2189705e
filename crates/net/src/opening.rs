//! Starting positions of self-play and rating games: random classical moves, so that games differ, and optionally positions with
//! material imbalances.

use rand::Rng;
use rand::seq::IndexedRandom;
use shakmaty::{Board, Color, Piece, Role, Square};
use tabia_core::seed::Random;
use tabia_core::{Game, Turn};
use tabia_quantum::{Action, QuantumGame, perft};

/// Smallest probability with which a side keeps each of its pieces and pawns.
const MIN_KEEP_PROBABILITY: f64 = 0.1;

/// A starting position in which each side has lost some of its pieces and pawns at random; in every second one the rest are
/// scattered over the board. There are no castling rights.
pub(crate) fn imbalanced_start(rng: &mut Random) -> QuantumGame {
    loop {
        let game = random_setup(rng);
        // King against king is a draw.
        if matches!(game.turn(), Turn::Player(_)) {
            return game;
        }
    }
}

fn random_setup(rng: &mut Random) -> QuantumGame {
    let scattered = rng.random_bool(0.5);
    let mut board = Board::empty();
    let start = Board::new();
    for color in Color::ALL {
        let kept = rng.random_range(MIN_KEEP_PROBABILITY..1.0);
        for square in start.by_color(color) {
            let Some(piece) = start.piece_at(square) else { continue };
            if piece.role == Role::King || rng.random_bool(kept) {
                let to = if scattered { free_square(&board, piece, rng) } else { square };
                board.set_piece_at(to, piece);
            }
        }
    }
    let turn = if rng.random() { 'w' } else { 'b' };
    format!("{board} {turn} - - 0 1").parse().expect("both kings are there, and pawns where pawns can be")
}

/// A random empty square; for pawns not on the first or last rank.
fn free_square(board: &Board, piece: Piece, rng: &mut Random) -> Square {
    let free: Vec<Square> = Square::ALL
        .into_iter()
        .filter(|square| board.piece_at(*square).is_none())
        .filter(|square| piece.role != Role::Pawn || !matches!(square.rank().to_usize(), 0 | 7))
        .collect();
    *free.choose(rng).expect("a board has more squares than pieces")
}

/// Plays this many random classical plies, or fewer if the next would end the game or lead to a measurement.
pub(crate) fn after_random_plies(mut game: QuantumGame, plies: u32, rng: &mut Random) -> QuantumGame {
    for _ in 0..plies {
        let moves = perft::moves(&game, true);
        let Some(chosen) = moves.choose(rng) else { break };
        let mut next = game.clone();
        next.apply(Action::Move(*chosen));
        if !matches!(next.turn(), Turn::Player(_)) {
            break;
        }
        game = next;
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::seed;

    #[test]
    fn imbalanced_starts_can_be_played_from_any_seed() {
        let mut sparse = 0;
        for number in 0..3000 {
            let mut rng = seed::random(number);
            let game = imbalanced_start(&mut rng);
            let pieces = game.branches()[0].board().occupied().count();
            sparse += u32::from(pieces < 8);
            assert!((3..=32).contains(&pieces));
            let later = after_random_plies(game, 6, &mut rng);
            assert!(matches!(later.turn(), Turn::Player(_)), "{later}");
        }
        assert!(sparse > 30, "{sparse} with few pieces");
    }
}
