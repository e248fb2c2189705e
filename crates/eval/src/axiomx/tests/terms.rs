//! Terms and weights, against numbers worked out by hand from seed 000 §3.4 to §3.6 and §10.3.

use super::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_start_is_worth_nothing_to_either() {
    for options in all_options() {
        let score = Axiomx::new(&options).evaluate(View::from(&testing::position(START)));
        assert_eq!(score.raw(), 0, "{options:?}");
    }
}

#[test]
fn material_is_counted_in_centipawns() {
    assert_eq!(amounts("rnb1k3/p7/8/8/8/8/8/3QK3 w - - 0 1", "material"), (900.0, 1250.0, 1.0));
}

#[test]
fn control_is_weighed_by_the_centre_and_counts_half() {
    // Kings in the corners: eight on three squares each, weights 2, 1 and 1, twice (A + D).
    let kings = 2.0 * 8.0 * (2.0 + 1.0 + 1.0);
    assert_eq!(amounts("k7/8/8/8/8/8/8/7K w - - 0 1", "control"), (kings, kings, 0.5));
    // A knight on d4: its own 10 four times, W = 4; its jumps 3 twice, W = 2 on b3 b5 c2 e2 and 3 on f3 f5 c6 e6.
    let knight = 10.0 * 4.0 * 4.0 + 3.0 * 2.0 * (4.0 * 2.0 + 4.0 * 3.0);
    assert_eq!(amounts("k7/8/8/8/3N4/8/8/7K w - - 0 1", "control"), (kings + knight, kings, 0.5));
}

#[test]
fn pawns_in_the_centre_count_fifteen() {
    let fen = "rnbqkbnr/ppp2ppp/8/3pp3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
    assert_eq!(amounts(fen, "centre pawns"), (1.0, 2.0, 50.0 * 0.3));
}

#[test]
fn knights_count_as_developed_off_both_back_ranks() {
    // White: f3, d2 and b8; Black: c6 and g1.
    let fen = "1N2k3/8/2n5/8/8/5N2/3N4/4K1n1 w - - 0 1";
    assert_eq!(amounts(fen, "knight development"), (2.0, 1.0, 30.0 * 0.3));
}

#[test]
fn bishops_count_as_developed_from_the_third_rank_to_the_seventh() {
    // White: c3 and c7 count, g2 and f1 do not, nor would the eighth rank.
    let fen = "1B2k3/2B5/8/8/8/2B5/6B1/4KB2 b - - 0 1";
    assert_eq!(amounts(fen, "bishop development"), (2.0, 0.0, 25.0 * 0.3));
    let mirrored = "4kb2/6b1/2b5/8/8/8/2b5/1b2K3 w - - 0 1";
    assert_eq!(amounts(mirrored, "bishop development"), (0.0, 2.0, 25.0 * 0.3));
}

#[test]
fn a_king_on_the_g_or_c_file_at_home_has_castled() {
    let castled = |fen| amounts(fen, "castling");
    assert_eq!(castled("4k3/8/8/8/8/8/8/6K1 w - - 0 1"), (1.0, 0.0, 60.0 * 0.3));
    assert_eq!(castled("2k5/8/8/8/8/8/8/2K5 w - - 0 1"), (1.0, 1.0, 60.0 * 0.3));
    assert_eq!(castled("8/6k1/8/8/8/8/8/1K6 w - - 0 1"), (0.0, 0.0, 60.0 * 0.3));
    assert_eq!(castled("6K1/8/8/8/8/8/8/6k1 w - - 0 1"), (0.0, 0.0, 60.0 * 0.3), "the other side's home");
}

#[test]
fn opening_terms_count_below_move_fifteen_and_not_from_then_on() {
    let at = |number| {
        let fen = format!("4k3/8/8/8/3PN3/2B5/8/6K1 w - - 0 {number}");
        explanation(&Axiomx::default(), &fen)
    };
    let names = ["centre pawns", "knight development", "bishop development", "castling"];
    let centipawns = |explanation: &Explanation| -> i32 {
        names.iter().map(|name| term(explanation, name).centipawns).sum()
    };
    let (in_time, too_late) = (at(14), at(15));
    // 15 + 9 + 7.5 + 18, with the half left to neighbouring terms.
    assert!([49, 50].contains(&centipawns(&in_time)), "{in_time:?}");
    assert_eq!(centipawns(&too_late), 0);
    assert!(names.iter().all(|name| term(&too_late, name).weight == 0.0));
    let difference = in_time.score.raw() - too_late.score.raw();
    assert!([49, 50].contains(&difference), "{difference}");
}

#[test]
fn doubled_pawns_cost_four_for_each_beyond_the_first() {
    let fen = "4k3/p7/p7/8/3P4/3P4/3P2P1/4K3 w - - 0 1";
    // White: three on d, one on g; Black: two on a.
    assert_eq!(amounts(fen, "doubled"), (2.0, 1.0, -20.0 * 0.2));
}

#[test]
fn isolated_pawns_cost_three_a_file() {
    // White: a and c-d: the a-file alone; Black: a (two pawns, one file), f and h.
    let fen = "4k3/p4p1p/p7/8/8/8/P1PP4/4K3 w - - 0 1";
    assert_eq!(amounts(fen, "isolated"), (1.0, 3.0, -15.0 * 0.2));
}

#[test]
fn passed_pawns_gain_six_for_each_rank_they_have_advanced() {
    // White: a5 is passed (three ranks beyond the second), g4 is not (Black's h6), nor d3 (Black's d7).
    // Black: h6 is passed no more than d7, b3 is (a5 is behind it): row 5, four ranks beyond the seventh.
    let fen = "4k3/3p4/7p/P7/6P1/1p1P4/8/4K3 w - - 0 1";
    assert_eq!(amounts(fen, "passed"), (3.0, 4.0, 30.0 * 0.2));
}

#[test]
fn a_pawn_beside_or_behind_does_not_stop_a_passed_pawn() {
    // e5 and d5, f5 side by side: none is ahead of the other.
    assert_eq!(amounts("4k3/8/8/3pPp2/8/8/8/4K3 w - - 0 1", "passed"), (3.0, 2.0 + 2.0, 6.0));
    // On the second and seventh rank a passed pawn has advanced nothing.
    assert_eq!(amounts("4k3/p7/8/8/8/8/7P/4K3 w - - 0 1", "passed"), (0.0, 0.0, 6.0));
    // One step from promotion: five.
    assert_eq!(amounts("4k3/7P/8/8/8/8/p7/4K3 w - - 0 1", "passed"), (5.0, 5.0, 6.0));
}

#[test]
fn coordination_counts_own_control_under_own_pieces_but_not_pawns() {
    // The knight on d4 alone: C = 40 there. The kings have nothing on their own squares, the pawn is no piece.
    assert_eq!(amounts("k7/8/8/8/3N4/8/8/7K w - - 0 1", "coordination"), (40.0, 0.0, 5.0 * 0.2));
    assert_eq!(amounts("k7/8/8/8/3N4/P7/8/7K w - - 0 1", "coordination").0, 40.0);
    // Attacked by a pawn it has 40 − 2·2; the side that attacks gains nothing.
    assert_eq!(amounts("k7/8/8/2p5/3N4/8/8/7K w - - 0 1", "coordination"), (36.0, 0.0, 1.0));
    assert_eq!(amounts("k7/8/8/3n4/2P5/8/8/7K w - - 0 1", "coordination"), (0.0, 36.0, 1.0));
    // A rook has nothing of its own under it; attacked, control there is the enemy's, and counts zero.
    assert_eq!(amounts("k7/8/8/2p5/3R4/8/8/7K w - - 0 1", "coordination"), (0.0, 0.0, 1.0));
}

#[test]
fn the_whole_is_the_weighted_sum() {
    // White's knight on d4, kings in corners, move 20:
    // 320 + 0.5·(control: 160 + 120) + 0.2·5·40.
    let fen = "k7/8/8/8/3N4/8/8/7K w - - 0 20";
    let score = Axiomx::default().evaluate(View::from(&testing::position(fen)));
    assert_eq!(score.raw(), 320 + 140 + 40);
    // In the opening 0.3·30 more.
    let fen = "k7/8/8/8/3N4/8/8/7K w - - 0 1";
    let score = Axiomx::default().evaluate(View::from(&testing::position(fen)));
    assert_eq!(score.raw(), 320 + 140 + 40 + 9);
}

#[test]
fn a_developed_castled_white_is_good_for_white() {
    let fen = "rnbqkbnr/pppppppp/8/8/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 0 5";
    let score = Axiomx::default().evaluate(View::from(&testing::position(fen)));
    assert!(score.raw() > 50, "{score}");
}

#[test]
fn terms_are_named_in_the_order_of_the_formula() {
    let names = |options: &Options| -> Vec<String> {
        let explanation = explanation(&Axiomx::new(options), START);
        explanation.terms.into_iter().map(|term| term.name).collect()
    };
    let mut expected = vec![
        "material",
        "control",
        "centre pawns",
        "knight development",
        "bishop development",
        "castling",
        "doubled",
        "isolated",
        "passed",
        "coordination",
    ];
    assert_eq!(names(&Options::default()), expected);
    expected.push("attention");
    assert_eq!(names(&Options { attention: true, ..Options::default() }), expected);
}

#[test]
fn attention_is_a_soft_maximum_of_the_norms_of_fields() {
    // White: a king with 3·8 = 24 and a knight with 10 + 8·3 = 34; Black: a king with 24.
    let options = Options { attention: true, ..Options::default() };
    let explanation = explanation(&Axiomx::new(&options), "k7/8/8/8/3N4/8/8/7K w - - 0 1");
    let attention = term(&explanation, "attention");
    let (king, knight) = ((24.0f64 / 64.0).exp(), (34.0f64 / 64.0).exp());
    let expected = (24.0 * king + 34.0 * knight) / (king + knight);
    assert!((attention.white - expected).abs() < 1e-4, "{} {expected}", attention.white);
    assert_eq!((attention.black, attention.weight), (24.0, 0.5));
}
