//! Any text is a position or an error with words in it. A position survives being written down, and the engine's
//! own position agrees with shakmaty about its moves and where they lead, however strange it is.

use shakmaty::{Chess, Position as _};
use tabia_core::ChessGame;
use tabia_search::engine::moves::{Move as PackedMove, MoveList};
use tabia_search::engine::position::Position;

/// Reads the input; panics where what must hold does not.
pub fn check(text: &str) {
    match ChessGame::from_fen(text) {
        Ok(game) => {
            let position = game.position();
            let again = ChessGame::from_fen(&game.fen()).expect("what is written can be read");
            assert_eq!(again.position(), position);
            assert_eq!(again.position().halfmoves(), position.halfmoves());
            assert_eq!(again.position().fullmoves(), position.fullmoves());
            assert_eq!(again.fen(), game.fen());
            engine_agrees(position);
        }
        Err(error) => assert!(!error.why.is_empty()),
    }
}

fn engine_agrees(chess: &Chess) {
    let position = Position::new(chess);
    let mut list = MoveList::new();
    position.generate_all(&mut list);
    let mut generated: Vec<u16> = list.iter().map(|scored| scored.mv.bits()).collect();
    let mut legal: Vec<u16> =
        chess.legal_moves().into_iter().map(|m| PackedMove::from_shakmaty(m).bits()).collect();
    generated.sort_unstable();
    legal.sort_unstable();
    assert_eq!(generated, legal);
    for m in chess.legal_moves() {
        let mut next = chess.clone();
        next.play_unchecked(m);
        let after = position.after(PackedMove::from_shakmaty(m));
        assert_eq!(after.board(), next.board());
        assert_eq!(after.keys(), Position::new(&next).keys());
    }
}
