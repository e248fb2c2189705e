//! Every principle on positions counted by hand, through explanations.

use super::{START, explain};
use crate::chromosome::Chromosome;

/// White's and Black's amount of a principle.
fn count(principle: &str, fen: &str) -> (f64, f64) {
    let explanation = explain(&Chromosome::default(), fen);
    let term = explanation.terms.iter().find(|term| term.name == principle).unwrap();
    (term.white, term.black)
}

#[track_caller]
fn check(principle: &str, fen: &str, white: f64, black: f64) {
    assert_eq!(count(principle, fen), (white, black), "{principle} in {fen}");
}

#[test]
fn at_the_start_both_sides_have_what_the_pieces_give() {
    for (principle, amount) in [
        ("material", 39.0),
        ("mobility", 20.0),
        ("castling", 1.0),
        ("development", 0.0),
        ("doubled_pawns", 0.0),
        ("isolated_pawns", 0.0),
        ("connected_pawns", 0.0),
        ("passed_pawns", 0.0),
        ("enemy_king_pressure", 0.0),
        // All but the rooks.
        ("defended_pieces", 13.0),
        ("bishop_pair", 1.0),
        ("connected_rooks", 0.0),
        // Three steps to the centre, seven ranks to go.
        ("king_centralisation", -4.75),
        ("knight_outposts", 0.0),
        // All but the knights.
        ("blocked_pieces", 5.0),
        ("space", 0.0),
        ("king_shield", 3.0),
        ("king_pressure", 0.0),
    ] {
        check(principle, START, amount, amount);
    }
}

#[test]
fn material_is_counted_in_pawns() {
    check("material", "rn2k3/8/8/8/8/8/8/3QK3 w - - 0 1", 9.0, 8.0);
    check("material", "2b1k3/p7/8/8/8/8/PPP5/4K3 w - - 0 1", 3.0, 4.0);
}

#[test]
fn moves_onto_squares_that_more_enemies_attack_are_not_counted() {
    // The knight has eight squares. One pawn guards e6, which the knight itself attacks as often; two guard c6.
    // The king has three. Black's king has three; its pawns may go to b6, d6 and d5, not to b5, which the knight attacks.
    check("mobility", "7k/1p1p4/8/8/3N4/8/8/K7 w - - 0 1", 7.0 + 3.0, 3.0 + 3.0);
    // It does not matter who is to move.
    check("mobility", "7k/1p1p4/8/8/3N4/8/8/K7 b - - 0 1", 7.0 + 3.0, 3.0 + 3.0);
}

#[test]
fn a_second_piece_makes_a_guarded_square_worth_going_to() {
    // On c6, two pawns against knight and rook: each may go there, the other defending. Thirteen rook's moves.
    check("mobility", "7k/1p1p4/8/8/3N4/8/8/K1R5 w - - 0 1", 8.0 + 13.0 + 3.0, 3.0 + 3.0);
}

#[test]
fn a_push_needs_as_many_defenders_as_there_are_attackers() {
    // The pawn on e4 guards d3, White's guards e3: White's may go to d4 only, Black's nowhere. The kings have
    // three and five moves.
    check("mobility", "4k3/8/8/8/4p3/8/3P4/K7 w - - 0 1", 3.0 + 1.0, 5.0);
    // A king on e2 defends d3; d3 and f3 are forbidden to itself.
    check("mobility", "4k3/8/8/8/4p3/8/3PK3/8 w - - 0 1", 5.0 + 2.0, 5.0);
}

#[test]
fn pinned_pieces_and_checks_leave_only_legal_moves() {
    // The knight is pinned; the king has d1, d2, f1 and f2. Black's rook has seven squares along its rank,
    // e7, e8, e5 to e3, and e2, where one attacks and one defends. Black's king has three.
    check("mobility", "k7/8/4r3/8/8/8/4N3/4K3 w - - 0 1", 4.0, 7.0 + 2.0 + 4.0 + 3.0);
    // In check from e8 the bishop blocks on e4 or e2; the king has four squares off the file. Black's rook has
    // six along its rank and five on the file, not e2, which two attack; its king may not go to h7, and nobody
    // takes a king.
    check("mobility", "4r2k/8/8/8/8/3B4/8/4K3 w - - 0 1", 2.0 + 4.0, 6.0 + 5.0 + 2.0);
}

#[test]
fn a_promotion_is_four_moves() {
    check("mobility", "8/4P3/8/8/k7/8/8/K7 w - - 0 1", 4.0 + 3.0, 5.0);
}

#[test]
fn castling_gives_one_for_the_right_and_two_for_the_deed() {
    check("castling", "r3k2r/8/8/8/8/8/8/R3K2R w K - 0 1", 1.0, 0.0);
    check("castling", "r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", 0.0, 1.0);
    check("castling", "5rk1/8/8/8/8/8/8/2KR4 w - - 0 1", 2.0, 2.0);
    check("castling", "6k1/8/8/8/8/8/8/1K6 w - - 0 1", 2.0, 2.0);
}

#[test]
fn a_king_beside_its_shut_in_rook_has_not_castled() {
    check("castling", "rk6/8/8/8/8/8/8/5K1R w - - 0 1", 0.0, 0.0);
    check("castling", "1k6/8/8/8/8/8/6K1/8 w - - 0 1", 0.0, 2.0);
    check("castling", "3k4/8/8/8/8/8/8/4K3 w - - 0 1", 0.0, 0.0);
    // A bishop in the corner is no rook, nor is an enemy's rook one's own.
    check("castling", "6kr/8/8/8/8/8/8/6KB w - - 0 1", 2.0, 0.0);
    check("castling", "6kR/8/8/8/8/8/8/6KB b - - 0 1", 2.0, 2.0);
}

#[test]
fn development_counts_pieces_that_came_out_and_half_the_pawns() {
    check("development", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 1", 1.5, 0.5);
    // Kings do not develop; pieces of the other side's home rank did.
    check("development", "3Qk3/4p3/8/8/8/8/4K3/r7 b - - 0 1", 1.0, 1.0);
}

#[test]
fn a_third_pawn_on_a_file_is_doubled_twice() {
    check("doubled_pawns", "4k3/p7/p7/8/P7/P7/P1P5/4K3 w - - 0 1", 2.0, 1.0);
}

#[test]
fn every_pawn_without_neighbours_is_isolated() {
    check("isolated_pawns", "4k3/pp6/8/8/P7/P7/3P4/4K3 w - - 0 1", 3.0, 0.0);
    check("isolated_pawns", "4k3/7p/8/8/8/8/P5P1/4K3 w - - 0 1", 2.0, 1.0);
}

#[test]
fn a_pawn_guarded_from_both_sides_is_connected_twice() {
    check("connected_pawns", "4k3/8/3p4/4p3/3P4/2P1P3/1P6/4K3 w - - 0 1", 3.0, 1.0);
    // Not around the edge of the board.
    check("connected_pawns", "4k3/8/8/8/P7/7P/8/4K3 w - - 0 1", 0.0, 0.0);
}

#[test]
fn a_passed_pawn_has_no_enemy_strictly_ahead_on_three_files() {
    check("passed_pawns", "4k3/8/8/P2pP3/8/8/8/4K3 w - - 0 1", 2.0, 1.0);
    check("passed_pawns", "4k3/3p4/8/4P3/8/8/8/4K3 w - - 0 1", 0.0, 0.0);
    check("passed_pawns", "4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1", 0.0, 0.0);
    check("passed_pawns", "4k3/2p5/8/8/4P3/4P3/8/4K3 w - - 0 1", 2.0, 1.0);
}

#[test]
fn pressure_counts_attacked_neighbours_and_pieces_aimed_at_the_king() {
    // d1, d2 and e2 are attacked, and the queen would give check if the pawn were gone.
    let fen = "3r3k/8/8/8/4q3/8/4P3/4K3 w - - 0 1";
    check("king_pressure", fen, 4.0, 0.0);
    check("enemy_king_pressure", fen, 0.0, 4.0);
    // An enemy's own piece in the way still shields: the knight attacks nothing there.
    check("king_pressure", "4r2k/8/8/4n3/8/8/8/4K3 w - - 0 1", 0.0, 0.0);
}

#[test]
fn defended_pieces_have_a_friend_behind_them() {
    // The pawn on c3 by the one on b2, the knight by its king; the pawn on b2 by nobody.
    check("defended_pieces", "4k3/8/8/8/8/2P5/1P1N4/4K3 w - - 0 1", 2.0, 0.0);
    check("defended_pieces", "4k3/8/3r4/8/8/3r4/8/4K3 w - - 0 1", 0.0, 2.0);
}

#[test]
fn two_bishops_are_a_pair() {
    check("bishop_pair", "2b1kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", 0.0, 1.0);
    check("bishop_pair", "bbb1k3/8/8/8/8/8/8/4K3 w - - 0 1", 0.0, 1.0);
}

#[test]
fn rooks_are_connected_when_nothing_stands_between_a_pair() {
    check("connected_rooks", "r3k2r/8/8/8/8/8/8/R2R1RK1 w - - 0 1", 2.0, 0.0);
    check("connected_rooks", "r3k3/8/8/r7/8/8/1R6/2R1K3 w - - 0 1", 0.0, 1.0);
}

#[test]
fn a_king_in_the_centre_has_only_ranks_before_it() {
    check("king_centralisation", "7k/8/8/8/4K3/8/8/8 w - - 0 1", -1.0, -4.75);
    check("king_centralisation", "7K/8/8/8/4k3/8/8/8 w - - 0 1", -3.0, -0.75);
}

#[test]
fn an_outpost_is_guarded_by_a_pawn_and_attacked_by_none() {
    check("knight_outposts", "4k3/8/8/3N4/2P5/8/8/4K3 w - - 0 1", 1.0, 0.0);
    check("knight_outposts", "4k3/8/4p3/3N4/2P5/8/8/4K3 w - - 0 1", 0.0, 0.0);
    check("knight_outposts", "4k3/8/2p5/3N4/2P5/8/8/4K3 w - - 0 1", 0.0, 0.0);
    check("knight_outposts", "4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", 0.0, 0.0);
    check("knight_outposts", "4k3/8/8/3p4/4n3/8/8/4K3 w - - 0 1", 0.0, 1.0);
}

#[test]
fn outposts_are_alike_on_the_rim_and_none_on_the_last_rank_or_at_home() {
    check("knight_outposts", "4k3/8/8/N7/1P6/8/8/4K3 w - - 0 1", 1.0, 0.0);
    check("knight_outposts", "4k3/8/1p6/N7/1P6/8/8/4K3 w - - 0 1", 0.0, 0.0);
    check("knight_outposts", "4k3/8/8/7N/6P1/8/8/4K3 w - - 0 1", 1.0, 0.0);
    check("knight_outposts", "3N2k1/2P5/8/8/8/8/8/4K3 w - - 0 1", 0.0, 0.0);
    check("knight_outposts", "4k3/8/8/8/3N4/2P5/8/4K3 w - - 0 1", 0.0, 0.0);
    // What is true of one knight does not stick to the next.
    check("knight_outposts", "4k3/8/2p5/3N3N/2P3P1/8/8/4K3 w - - 0 1", 1.0, 0.0);
}

#[test]
fn a_blocked_piece_has_friends_on_all_its_squares() {
    check("blocked_pieces", "4k3/8/8/8/8/8/PP6/RN2K3 w - - 0 1", 1.0, 0.0);
    // An enemy in the way can be taken; a pin is no block.
    check("blocked_pieces", "4k3/8/8/8/8/8/p7/Rn2K3 w - - 0 1", 0.0, 0.0);
    check("blocked_pieces", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", 0.0, 0.0);
}

#[test]
fn space_is_what_is_attacked_beyond_the_middle() {
    check("space", "4k3/8/8/8/4R3/8/8/4K3 b - - 0 1", 4.0, 0.0);
    // Two pieces on one square are one square; the h-file counts.
    check("space", "4k3/8/8/8/7R/8/8/4K2R b - - 0 1", 4.0, 0.0);
    check("space", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1", 0.0, 2.0);
}

#[test]
fn a_shield_is_a_pawn_or_better_a_piece_before_the_king() {
    check("king_shield", "4k3/4b3/8/8/8/8/5PP1/6K1 w - - 0 1", 2.0, 2.0);
    // An enemy is no shield, nor is anything beyond the edge.
    check("king_shield", "7K/8/8/8/8/8/5p2/k7 w - - 0 1", 0.0, 0.0);
    check("king_shield", "k7/1q6/8/8/8/8/6pP/7K w - - 0 1", 1.0, 2.0);
}
