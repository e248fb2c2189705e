//! Proves perpetual check: after every reply there is another check, until a position repeats.

use shakmaty::{Chess, Position};

/// Maximum number of positions of a proof.
const NODES: u32 = 20_000;
/// Maximum number of consecutive checks.
const CHECKS: usize = 16;

/// Whether the side that has just given check can give perpetual check.
pub fn is_perpetual(checked: &Chess) -> bool {
    checked.is_check() && goes_on(checked, &mut Vec::new(), &mut { NODES })
}

/// Every reply allows another check that continues the proof. A repeated position on the path is a success: the same
/// checks can be repeated.
fn goes_on(checked: &Chess, path: &mut Vec<Chess>, nodes: &mut u32) -> bool {
    let same = |other: &Chess| {
        other.board() == checked.board()
            && other.castles().castling_rights() == checked.castles().castling_rights()
    };
    if path.iter().any(same) {
        return true;
    }
    if *nodes == 0 || path.len() == CHECKS {
        return false;
    }
    *nodes -= 1;
    path.push(checked.clone());
    let holds = checked.legal_moves().into_iter().all(|reply| {
        let mut after = checked.clone();
        after.play_unchecked(reply);
        let checks = after.legal_moves().into_iter().filter_map(|m| {
            let mut next = after.clone();
            next.play_unchecked(m);
            next.is_check().then_some(next)
        });
        let mut checks: Vec<Chess> = checks.collect();
        // Try moves with few replies first.
        checks.sort_by_key(|next| next.legal_moves().len());
        checks.iter().any(|next| goes_on(next, path, nodes))
    });
    path.pop();
    holds
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::{ChessGame, Game};

    fn after(fen: &str, m: &str) -> Chess {
        let mut game = ChessGame::from_fen(fen).unwrap();
        let m = game.read_move(m).unwrap();
        game.apply(m);
        game.position().clone()
    }

    #[test]
    fn a_queen_that_checks_between_two_squares_draws() {
        // The king has nowhere to hide from Qe8+ and Qh5+.
        assert!(is_perpetual(&after("6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1", "Qe8+")));
    }

    #[test]
    fn checks_that_run_out_do_not() {
        assert!(
            !is_perpetual(&after("6k1/6p1/6n1/8/8/8/qr6/4Q2K w - - 0 1", "Qe8+")),
            "the knight goes between"
        );
        assert!(!is_perpetual(&after("4k3/8/8/8/8/8/4q3/R3K3 w - - 0 1", "Kxe2")), "it is no check");
    }
}
