//! How games of self-play and of ratings begin: with random classical moves, so that no two are the same; and, where that is
//! wanted, with fewer men.

use rand::Rng;
use rand::seq::IndexedRandom;
use shakmaty::{Board, Color, Piece, Role, Square};
use tabia_core::seed::Random;
use tabia_core::{Game, Turn};
use tabia_quantum::{Action, QuantumGame, perft};

/// How many of its men a side keeps at least, as a chance for each of them.
const FEWEST: f64 = 0.1;

/// A start in which each side has lost some of its men, as many as chance has it, and in every second the rest stand anywhere. Nobody can castle.
pub(crate) fn uneven(random: &mut Random) -> QuantumGame {
    loop {
        let game = drawn_up(random);
        // Two kings alone are a draw.
        if matches!(game.turn(), Turn::Player(_)) {
            return game;
        }
    }
}

fn drawn_up(random: &mut Random) -> QuantumGame {
    let scattered = random.random_bool(0.5);
    let mut board = Board::empty();
    let start = Board::new();
    for color in Color::ALL {
        let kept = random.random_range(FEWEST..1.0);
        for square in start.by_color(color) {
            let Some(piece) = start.piece_at(square) else { continue };
            if piece.role == Role::King || random.random_bool(kept) {
                let to = if scattered { free_square(&board, piece, random) } else { square };
                board.set_piece_at(to, piece);
            }
        }
    }
    let turn = if random.random() { 'w' } else { 'b' };
    format!("{board} {turn} - - 0 1").parse().expect("both kings are there, and pawns where pawns can be")
}

/// Where nothing stands yet; a pawn neither at home of its pieces nor where it would be one.
fn free_square(board: &Board, piece: Piece, random: &mut Random) -> Square {
    let free: Vec<Square> = Square::ALL
        .into_iter()
        .filter(|square| board.piece_at(*square).is_none())
        .filter(|square| piece.role != Role::Pawn || !matches!(square.rank().to_usize(), 0 | 7))
        .collect();
    *free.choose(random).expect("a board has more squares than men")
}

/// The game after so many random classical plies, or fewer where the next would end it or ask chance.
pub(crate) fn after_random_plies(mut game: QuantumGame, plies: u32, random: &mut Random) -> QuantumGame {
    for _ in 0..plies {
        let moves = perft::moves(&game, true);
        let Some(chosen) = moves.choose(random) else { break };
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
    fn uneven_games_can_be_played_from_any_luck() {
        let mut bare = 0;
        for number in 0..3000 {
            let mut random = seed::random(number);
            let game = uneven(&mut random);
            let men = game.branches()[0].board().occupied().count();
            bare += u32::from(men < 8);
            assert!((3..=32).contains(&men));
            let later = after_random_plies(game, 6, &mut random);
            assert!(matches!(later.turn(), Turn::Player(_)), "{later}");
        }
        assert!(bare > 30, "{bare} with few men");
    }
}
