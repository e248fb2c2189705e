//! For tests of evaluations: random legal positions, mirror images, and the invariants of every evaluation.
//!
//! Behind the feature `testkit` for other crates' tests; never in a release build.

use shakmaty::{Bitboard, CastlingMode, Chess, EnPassantMode, FromSetup, Move, Position, Setup};
use tabia_core::seed::derive;

use crate::evaluate::Evaluate;
use crate::view::View;

/// The longest random game that leads to a position, in plies.
const LONGEST_PLAYOUT: u64 = 160;

/// Every n-th move is a capture if there is one, so that endgames are reached too.
const CAPTURE_EVERY: u64 = 3;

/// Reads a valid FEN.
pub fn position(fen: &str) -> Chess {
    tabia_core::fen::read(fen, None).expect("a test's FEN is good").0
}

/// A legal position with a legal move left, from a random game; the same seed gives the same position.
pub fn random_position(seed: u64) -> Chess {
    let plies = derive(seed, u64::MAX) % LONGEST_PLAYOUT;
    let mut position = Chess::default();
    for ply in 0..plies {
        let draw = derive(seed, ply);
        let m = random_move(&position, draw);
        let mut next = position.clone();
        next.play_unchecked(m);
        if next.legal_moves().is_empty() {
            break;
        }
        position = next;
    }
    position
}

fn random_move(position: &Chess, draw: u64) -> Move {
    let moves = position.legal_moves();
    let captures: Vec<Move> = moves.iter().copied().filter(|m| m.is_capture()).collect();
    let (choice, rest) = (draw / CAPTURE_EVERY, draw % CAPTURE_EVERY);
    let among = if rest == 0 && !captures.is_empty() { &captures[..] } else { &moves[..] };
    among[(choice % among.len() as u64) as usize]
}

/// The same position with colours exchanged: ranks flipped, the other side to move.
pub fn swap_colors(position: &Chess) -> Chess {
    rebuild(setup_of(position).into_mirrored())
}

/// The same position with files a to h exchanged for h to a; no castling, which is not symmetric.
pub fn mirror_files(position: &Chess) -> Chess {
    let mut setup = setup_of(&without_castling(position));
    setup.board.flip_horizontal();
    setup.ep_square = setup.ep_square.map(shakmaty::Square::flip_horizontal);
    rebuild(setup)
}

/// The same position without castling rights.
pub fn without_castling(position: &Chess) -> Chess {
    let mut setup = setup_of(position);
    setup.castling_rights = Bitboard::EMPTY;
    rebuild(setup)
}

fn setup_of(position: &Chess) -> Setup {
    position.to_setup(EnPassantMode::Legal)
}

fn rebuild(setup: Setup) -> Chess {
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .expect("the mirror image of a legal position is legal")
}

/// Checks the invariants of every evaluation on one position; panics at the first violation.
///
/// Evaluating twice gives the same; exchanging colours negates; mirroring files changes nothing, castling
/// aside; the explained terms sum to the score; all numbers are finite.
pub fn check_evaluation<E: Evaluate>(evaluation: &E, position: &Chess) {
    check_evaluation_without_mirror(evaluation, position);
    let score = |position: &Chess| evaluation.clone().evaluate(View::from(position));
    let fen = tabia_core::chess::fen_of(position);
    assert_eq!(
        score(&mirror_files(position)),
        score(&without_castling(position)),
        "mirroring files changes the score of {fen}"
    );
}

/// As [`check_evaluation`], for an evaluation that treats the two wings differently.
pub fn check_evaluation_without_mirror<E: Evaluate>(evaluation: &E, position: &Chess) {
    let mut kept = evaluation.clone();
    let score = kept.evaluate(View::from(position));
    let fen = tabia_core::chess::fen_of(position);
    assert_eq!(kept.evaluate(View::from(position)), score, "evaluating {fen} twice differs");
    assert!(!score.is_decisive(), "the score {score} of {fen} is no evaluation");

    let swapped = kept.evaluate(View::from(&swap_colors(position)));
    assert_eq!(swapped, -score, "exchanging colours does not negate the score of {fen}");

    let explanation = evaluation.explain(View::from(position));
    assert_eq!(explanation.score, score, "the explanation of {fen} explains another score");
    assert_eq!(explanation.sum(), score.raw(), "the terms of {fen} do not sum to the score");
    let finite = explanation.terms.iter().all(|t| [t.white, t.black, t.weight].iter().all(|x| x.is_finite()));
    assert!(finite, "a term of {fen} is not finite");
    let finite = explanation.fields.iter().flat_map(|f| f.values.iter().flatten()).all(|x| x.is_finite());
    assert!(finite, "a field of {fen} is not finite");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn mirror_images_are_their_own_inverse(seed: u64) {
            let position = random_position(seed);
            prop_assert_eq!(swap_colors(&swap_colors(&position)), position.clone());
            let bare = without_castling(&position);
            prop_assert_eq!(mirror_files(&mirror_files(&position)), bare.clone());
            let moves = bare.legal_moves().len();
            prop_assert_eq!(mirror_files(&position).legal_moves().len(), moves);
            prop_assert_eq!(swap_colors(&bare).legal_moves().len(), moves);
        }

        #[test]
        fn the_same_seed_gives_the_same_position(seed: u64) {
            prop_assert_eq!(random_position(seed), random_position(seed));
        }
    }

    #[test]
    fn openings_and_endgames_are_both_among_random_positions() {
        let pieces: Vec<usize> =
            (0..200).map(|seed| random_position(seed).board().occupied().count()).collect();
        assert!(pieces.iter().any(|&n| n >= 30) && pieces.iter().any(|&n| n <= 8), "{pieces:?}");
    }
}
