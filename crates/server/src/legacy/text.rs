//! Board and status in seed 003's format.

use std::fmt::Write;

use shakmaty::{Board, File, Position, Rank, Square};

use crate::chess::state::ChessGameState;
use crate::sessions::side::Side;

/// Ranks from the eighth, a tab after the number, bars between squares; empty light squares are `1`, dark ones `0`.
pub fn board(board: &Board) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        write!(text, "{}\t|", rank.char()).expect("text takes everything");
        for file in File::ALL {
            let square = Square::from_coords(file, rank);
            let empty = if square.is_light() { '1' } else { '0' };
            let letter = board.piece_at(square).map_or(empty, shakmaty::Piece::char);
            write!(text, "{letter}|").expect("text takes everything");
        }
        text.push('\n');
    }
    text.push_str("\n\t A B C D E F G H \n");
    text
}

/// Who won, or whose turn it is.
pub fn status(state: &ChessGameState) -> String {
    match state.outcome().map(|outcome| outcome.winner) {
        Some(Some(winner)) => format!("{} wins", Side::from(winner).name()),
        Some(None) => "Game is a draw".to_owned(),
        None => {
            let side = Side::from(state.game().side_to_move()).name();
            if state.game().position().is_check() {
                format!("{side} is in check")
            } else {
                format!("{side} to move")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_written_as_the_seed_prints_it() {
        assert_eq!(
            board(&Board::default()),
            "8\t|r|n|b|q|k|b|n|r|\n7\t|p|p|p|p|p|p|p|p|\n6\t|1|0|1|0|1|0|1|0|\n5\t|0|1|0|1|0|1|0|1|\n\
             4\t|1|0|1|0|1|0|1|0|\n3\t|0|1|0|1|0|1|0|1|\n2\t|P|P|P|P|P|P|P|P|\n1\t|R|N|B|Q|K|B|N|R|\n\n\
             \t A B C D E F G H \n"
        );
    }
}
