//! The king: a target, then a piece.

use super::*;

#[test]
fn the_king_is_a_target_above_1500_and_a_piece_below_1200_of_opposing_pieces() {
    let matrix = 60.0;
    let king = |fen: &str| {
        let explanation = explained(&Axon::default(), fen);
        let of = |name: &str| named(&explanation, name).white;
        (of("castling broken"), of("king centralization") / matrix)
    };
    assert_eq!(king("qrn4k/8/8/8/4K3/8/P7/8 w - - 0 1"), (1.0, 0.0), "1700");
    assert_eq!(king("qnb4k/8/8/8/4K3/8/P7/8 w - - 0 1"), (1.0, 0.0), "1500");
    assert_eq!(king("qr5k/8/8/8/4K3/8/P7/8 w - - 0 1"), (42.0 / 64.0, 22.0 / 64.0), "1400");
    assert_eq!(king("qn5k/8/8/8/4K3/8/P7/8 w - - 0 1"), (0.0, 1.0), "1200");
    assert_eq!(king("rnn4k/8/8/8/4K3/8/P7/8 w - - 0 1"), (0.0, 1.0), "1100");
}

#[test]
fn the_limits_of_the_king_are_the_seeds() {
    assert_eq!((share::danger(1199), share::danger(1200), share::danger(1201)), (0, 0, 0));
    assert_eq!((share::danger(1350), share::danger(1500), share::danger(3100)), (32, 64, 64));
}

#[test]
fn in_a_pawn_ending_a_central_king_counts_most() {
    let king = |fen: &str| {
        let of = |name: &str| {
            let term = term(fen, name);
            term.white * term.weight
        };
        of("king centralization") + of("king pawn ending")
    };
    let pawn_ending = king("7k/p7/8/8/4K3/8/P7/8 w - - 0 1");
    let rook_ending = king("r6k/p7/8/8/4K3/8/P7/8 w - - 0 1");
    let middlegame = king("rq5k/pb6/8/8/4K3/8/P7/8 w - - 0 1");
    assert!(pawn_ending > rook_ending && rook_ending > middlegame);
    assert_eq!(middlegame, 0.0);
}

#[test]
fn castling_is_rewarded_and_broken_castling_punished() {
    let castled = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQ1RK1 b kq - 0 1";
    let can_castle = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R b KQkq - 0 1";
    let broken = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQ1K1R b kq - 0 1";
    assert_eq!((term(castled, "castled").white, term(castled, "castling broken").white), (1.0, 0.0));
    assert_eq!((term(can_castle, "castled").white, term(can_castle, "castling broken").white), (0.0, 0.0));
    assert_eq!((term(broken, "castled").white, term(broken, "castling broken").white), (0.0, 1.0));
    assert!(score(castled) > score(can_castle) && score(can_castle) > score(broken));
    let long = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/2KR1Q1R b kq - 0 1";
    assert_eq!(term(long, "castled").white, 1.0);
}

#[test]
fn a_torn_shelter_and_attackers_at_the_king_are_punished() {
    let sound = "r1bq1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R1BQ1RK1 w - - 0 1";
    let torn = "r1bq1rk1/ppp2ppp/2n2n2/8/6P1/2N2N1P/PPP2P2/R1BQ1RK1 w - - 0 1";
    let shelter = |fen: &str| {
        ["shelter near", "shelter far", "shelter open"]
            .iter()
            .map(|name| term(fen, name).centipawns)
            .sum::<i32>()
    };
    assert_eq!(shelter(sound), 0);
    assert!(shelter(torn) < 0);
    let besieged = "2b2rk1/ppp2ppp/5n2/8/4n3/2r2Nq1/PPP2P2/R1BQ1RK1 w - - 0 1";
    assert!(term(besieged, "king attack").centipawns < -20);
}

#[test]
fn a_queen_against_a_naked_king_counts_even_in_an_ending() {
    let naked = "6k1/5ppp/8/8/1K6/8/5PPP/3q4 w - - 0 1";
    assert_eq!(term(naked, "naked king").black, 1.0);
    let dressed = "6k1/5ppp/8/8/8/8/5PPP/3q2K1 w - - 0 1";
    assert_eq!(term(dressed, "naked king").black, 0.0);
    let no_queen = "6k1/5ppp/8/8/1K6/8/5PPP/3r4 w - - 0 1";
    assert_eq!(term(no_queen, "naked king").black, 0.0);
}
