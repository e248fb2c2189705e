//! What `pst` promises.

use super::*;
use crate::testing;
use proptest::prelude::*;
use shakmaty::Position;

fn score(fen: &str) -> i32 {
    Pst.evaluate(View::from(&testing::position(fen))).raw()
}

#[test]
fn at_the_start_only_the_move_counts() {
    assert_eq!(score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), TEMPO);
    assert_eq!(score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"), -TEMPO);
}

#[test]
fn bare_kings_and_pawns_are_scored_by_the_endgame_tables_alone() {
    let tables = (&tables::PAWN, &tables::KING);
    let (e4, e1, e8) = ((4, 3), (7, 3), (7, 3));
    let pawn = tables.0.material.endgame + tables.0.endgame[e4.0][e4.1];
    let kings = tables.1.endgame[e1.0][e1.1] - tables.1.endgame[e8.0][e8.1];
    assert_eq!(score("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"), pawn + kings + TEMPO);
}

#[test]
fn the_phase_runs_from_maximum_to_zero_and_promotions_do_not_exceed_it() {
    let phase = |fen: &str| phase(testing::position(fen).board());
    assert_eq!(phase("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"), FULL_PHASE);
    assert_eq!(phase("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"), 0);
    assert_eq!(phase("4k3/8/8/8/8/8/8/QR2K1NB w - - 0 1"), 8);
    assert_eq!(phase("qqqqk3/8/8/8/8/8/8/QQQQK3 w - - 0 1"), FULL_PHASE);
}

#[test]
fn an_ordinary_army_is_worth_what_people_say() {
    for (role, min, max) in [
        (Role::Pawn, 60, 130),
        (Role::Knight, 270, 370),
        (Role::Bishop, 290, 380),
        (Role::Rook, 450, 560),
        (Role::Queen, 880, 1050),
    ] {
        let material = tables::ALL[index(role)].material;
        assert!((min..=max).contains(&material.middlegame), "{role:?}");
        assert!((min..=max).contains(&material.endgame), "{role:?}");
    }
}

#[test]
fn a_castled_king_is_better_early_and_a_central_one_late() {
    let value = |square| value(Color::White.king(), square);
    assert!(value(Square::G1).middlegame() > value(Square::E1).middlegame());
    assert!(value(Square::G1).middlegame() > value(Square::E4).middlegame());
    assert!(value(Square::E4).endgame() > value(Square::G1).endgame());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn it_keeps_the_promises_of_every_evaluation(seed: u64) {
        testing::check_evaluation(&Pst, &testing::random_position(seed));
    }

    #[test]
    fn sums_kept_move_by_move_agree(seed: u64) {
        let position = testing::random_position(seed);
        let (mut sum, mut weight) = (Packed::default(), 0);
        for (square, piece) in position.board() {
            sum += value(piece, square);
            weight += phase_weight(piece.role);
        }
        let tempo = position.turn().fold_wb(TEMPO, -TEMPO);
        prop_assert_eq!(Pst.evaluate(View::from(&position)).raw(), taper(sum, weight) + tempo);
    }
}
