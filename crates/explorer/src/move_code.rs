//! A move in sixteen bits: from, to (castling: the rook's square), what a pawn becomes.

use shakmaty::Move;

/// Stands for "the game ended here".
pub const NONE: u16 = 0;

/// The code of a move. No move goes from a square to itself, so none is [`NONE`].
pub fn encode(m: Move) -> u16 {
    let from = m.from().map_or(0, |square| square as u16);
    let promotion = m.promotion().map_or(0, |role| role as u16);
    from | (m.to() as u16) << 6 | promotion << 12
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use shakmaty::Position;
    use tabia_core::ChessGame;

    use super::*;

    #[test]
    fn legal_moves_of_a_position_have_different_codes() {
        for fen in [
            "r3k2r/pP1p1ppp/8/2pP4/8/8/P1P2PPP/R3K2R w KQkq c6 0 1",
            "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1",
        ] {
            let game = ChessGame::from_fen(fen).unwrap();
            let moves = game.position().legal_moves();
            let codes: HashSet<u16> = moves.iter().map(|m| encode(*m)).collect();
            assert_eq!(codes.len(), moves.len(), "{fen}");
            assert!(!codes.contains(&NONE));
        }
    }
}
