//! Theoretical endings that searches misjudge.

use shakmaty::{Bitboard, Board, Color, File, Rank, Square};

/// The side that cannot win with bishop and rook's pawns against a bare king in front of them: the bishop does not
/// control the corner where they promote, and the king stands in it or beside it. Also gives the corner.
pub fn wrong_bishop(board: &Board) -> Option<(Color, Square)> {
    let side = Color::ALL.into_iter().find(|side| board.by_color(side.other()).count() == 1)?;
    let own = board.by_color(side);
    let (pawns, bishops) = (own & board.pawns(), own & board.bishops());
    if pawns.is_empty() || bishops.is_empty() || (own & !pawns & !bishops).count() != 1 {
        return None;
    }
    let file = [File::A, File::H].into_iter().find(|file| pawns.is_subset(Bitboard::from_file(*file)))?;
    let corner = Square::from_coords(file, side.fold_wb(Rank::Eighth, Rank::First));
    let wrong = bishops.into_iter().all(|bishop| bishop.is_light() != corner.is_light());
    let king = board.king_of(side.other())?;
    (wrong && king.distance(corner) <= 1).then_some((side, corner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Position;
    use tabia_core::ChessGame;

    fn of(fen: &str) -> Option<(Color, Square)> {
        wrong_bishop(ChessGame::from_fen(fen).unwrap().position().board())
    }

    #[test]
    fn only_the_wrong_bishop_is_wrong() {
        assert_eq!(of("7k/8/8/7P/4K3/3B4/8/8 w - - 0 1"), Some((Color::White, Square::H8)));
        assert_eq!(of("7k/8/8/7P/4K3/4B3/8/8 w - - 0 1"), None, "the bishop controls h8");
        assert_eq!(of("7k/8/8/6PP/4K3/3B4/8/8 w - - 0 1"), None, "the g-pawn promotes");
        assert_eq!(of("k7/8/8/7P/4K3/3B4/8/8 w - - 0 1"), None, "the king is far away");
    }
}
