//! Pawn structure, and the seed's Fig. 2.

use super::*;

#[test]
fn passed_pawns_double_with_each_rank() {
    let power = |rank: u32| {
        let mut ranks = ["8"; 8].map(str::to_owned);
        ranks[8 - rank as usize] = "P7".to_owned();
        ranks[0] = if rank == 8 { ranks[0].clone() } else { "7k".to_owned() };
        ranks[7] = if rank == 1 { ranks[7].clone() } else { "7K".to_owned() };
        term(&format!("{} w - - 0 1", ranks.join("/")), "passed pawn").white
    };
    assert_eq!([2, 3, 4, 5, 6, 7].map(power), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
}

#[test]
fn connected_passed_pawns_count_more_and_blocked_ones_less() {
    let fen = "7k/8/8/8/3PP3/8/8/7K w - - 0 1";
    assert_eq!(term(fen, "passed connected").white, 8.0);
    assert_eq!(term("7k/8/8/8/2P1P3/8/8/7K w - - 0 1", "passed connected").white, 0.0);
    assert!(score(fen) > score("7k/8/8/8/2P1P3/8/8/7K w - - 0 1"));
    assert_eq!(term("7k/8/8/4n3/4P3/8/8/7K w - - 0 1", "passed blocked").white, 4.0);
}

#[test]
fn two_connected_pawns_on_the_sixth_beat_a_rook_when_the_king_is_far() {
    // Fig. 2's theme: Black to move, a rook against two pawns, 300 ahead, and lost.
    let far = "8/8/PP6/8/7k/8/7r/1K6 b - - 0 1";
    let explanation = explained(&Axon::default(), far);
    let material: i32 = explanation.terms[..5].iter().map(|term| term.centipawns).sum();
    assert_eq!(material, -300);
    assert!(explanation.score.raw() > 300, "{}", explanation.score);
    assert!(sum_of(&explanation, &[Part::Promotion]) > POSITIONAL_LIMIT, "no positional part could show it");
    let swing = explanation.score.raw() - material;
    assert!((650..=750).contains(&swing), "the seed says 7 pawns, not {swing}");

    let near = "2k5/8/PP6/8/8/8/7r/1K6 b - - 0 1";
    assert!(score(near) < 0, "with the king near the rook wins");
    let fifth = "8/8/8/PP6/7k/8/7r/1K6 b - - 0 1";
    assert!(score(fifth) < score(far) - 300, "on the fifth they are not there yet");
    let queen = "8/8/PP6/8/7k/8/7q/1K6 b - - 0 1";
    assert!(score(queen) < 0, "a queen stops them");
}

#[test]
fn doubled_tripled_isolated_pawns_and_islands_are_counted() {
    let fen = "4k3/8/8/8/P2P4/P7/P1PP2P1/4K3 w - - 0 1";
    let of = |name: &str| term(fen, name).white;
    assert_eq!(of("doubled"), 2.0, "the a-file and the d-file");
    assert_eq!(of("tripled"), 1.0, "the third on the a-file");
    assert_eq!(of("isolated"), 4.0, "three on the a-file, one on the g-file");
    assert_eq!(of("islands"), 3.0, "a, c-d, g");
    for name in ["doubled", "tripled", "isolated", "islands"] {
        assert!(term(fen, name).centipawns < 0, "{name}");
    }
}

#[test]
fn weak_pawns_matter_more_when_pieces_are_gone() {
    let weak = |fen: &str| term(fen, "weak endgame").centipawns;
    let many = "rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR w - - 0 1";
    let none = "4k3/pppppppp/8/8/8/P7/P1PPPPPP/4K3 w - - 0 1";
    assert_eq!(weak(many), 0);
    assert!(weak(none) < 0);
}

#[test]
fn a_pawn_outside_the_square_of_a_bare_king_is_as_good_as_a_queen() {
    let runs = |fen: &str| term(fen, "unstoppable").white;
    assert_eq!(runs("8/8/P7/8/7k/8/8/7K b - - 0 1"), 1.0);
    assert_eq!(runs("8/8/P2k4/8/8/8/8/7K b - - 0 1"), 0.0, "the king is in its square");
    assert_eq!(runs("8/N7/P7/8/7k/8/8/7K b - - 0 1"), 0.0, "something is in the way");
    assert_eq!(runs("8/8/P7/8/7k/8/8/n6K b - - 0 1"), 0.0, "a piece may stop it");
    // From the second rank a pawn needs five moves, as from the third: six files away the king is in time.
    assert_eq!(runs("7k/8/8/8/8/8/P7/6K1 b - - 0 1"), 1.0);
    assert_eq!(runs("6k1/8/8/8/8/8/P7/6K1 b - - 0 1"), 0.0);
}

#[test]
fn a_pawn_with_an_enemy_pawn_ahead_on_its_file_or_beside_is_not_passed() {
    let passed = |fen: &str| term(fen, "passed pawn").white;
    assert_eq!(passed("7k/4p3/8/8/4P3/8/8/7K w - - 0 1"), 0.0);
    assert_eq!(passed("7k/3p4/8/8/4P3/8/8/7K w - - 0 1"), 0.0);
    assert_eq!(passed("7k/8/8/8/3pP3/8/8/7K w - - 0 1"), 4.0, "side by side they have passed each other");
    assert_eq!(passed("7k/8/8/8/4P3/4P3/8/7K w - - 0 1"), 4.0, "only the foremost of doubled pawns");
}
