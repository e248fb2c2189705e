//! Captures listed alone are the captures among all moves, in the same order.

use proptest::prelude::*;
use shakmaty::{Chess, Move, MoveList, Position};
use tabia_eval::testing;

use super::super::captures;

fn check(position: &Chess) -> Result<(), TestCaseError> {
    let mut alone = MoveList::new();
    captures::list(position, &mut alone);
    let among_all: Vec<Move> = position.legal_moves().into_iter().filter(|m| m.is_capture()).collect();
    prop_assert_eq!(alone.as_slice(), among_all.as_slice(), "in {:?}", position);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn captures_alone_are_the_captures_among_all_moves(seed: u64) {
        let position = testing::random_position(seed);
        check(&position)?;
        for m in position.legal_moves() {
            let mut child = position.clone();
            child.play_unchecked(m);
            check(&child)?;
        }
    }
}

#[test]
fn pins_promotions_and_en_passant_are_among_them() {
    for fen in [
        // A pawn that may not take in passing: its king would stand open to the rook.
        "8/8/8/KPp4r/8/8/8/7k w - c6 0 2",
        "8/8/8/1Pp5/8/8/8/K6k w - c6 0 2",
        // A pawn that promotes by taking either way, and one pinned along a diagonal that may take along it.
        "1n1n3k/2P5/8/8/8/b7/1P6/2K5 w - - 0 1",
        // In check, where only what answers it counts.
        "4k3/8/8/8/4r3/3B1P2/8/4K3 w - - 0 1",
    ] {
        let game = super::ChessGame::from_fen(fen).unwrap();
        check(game.position()).unwrap();
    }
}
