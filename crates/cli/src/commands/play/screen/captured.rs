//! Captured pieces and the material balance.

use shakmaty::{Board, Color, Role};

/// Roles that can be captured, by increasing value in pawns.
const WORTH: [(Role, i32); 5] =
    [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];

/// Captured pieces of the other side since the start. A promoted pawn does not count as captured.
pub fn taken(by: Color, start: &Board, now: &Board) -> Vec<Role> {
    let (before, after) = (start.material_side(by.other()), now.material_side(by.other()));
    let more: u8 = WORTH.iter().map(|(role, _)| after[*role].saturating_sub(before[*role])).sum();
    let missing = |role: Role| {
        let gone = before[role].saturating_sub(after[role]);
        if role == Role::Pawn { gone.saturating_sub(more) } else { gone }
    };
    WORTH.iter().flat_map(|(role, _)| vec![*role; usize::from(missing(*role))]).collect()
}

/// Material balance of a side on the board, in pawns.
pub fn lead(side: Color, board: &Board) -> i32 {
    let sum = |color: Color| {
        let pieces = board.material_side(color);
        WORTH.iter().map(|(role, worth)| worth * i32::from(pieces[*role])).sum::<i32>()
    };
    sum(side) - sum(side.other())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).unwrap()
    }

    #[test]
    fn what_is_gone_was_taken_by_the_other_side() {
        let now = board("rnb1kbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNB1KBN1");
        assert_eq!(taken(Color::White, &Board::default(), &now), [Role::Queen]);
        assert_eq!(taken(Color::Black, &Board::default(), &now), [Role::Rook, Role::Queen]);
        assert_eq!((lead(Color::White, &now), lead(Color::Black, &now)), (-5, 5));
    }

    #[test]
    fn a_pawn_that_became_a_queen_was_not_taken() {
        let (start, now) = (board("4k3/P6p/8/8/8/8/8/4K3"), board("Q3k3/7p/8/8/8/8/8/4K3"));
        assert!(taken(Color::Black, &start, &now).is_empty());
        assert_eq!(lead(Color::White, &now), 8);
    }
}
