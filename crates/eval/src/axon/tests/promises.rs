//! The promises of every evaluation, on ten thousand random legal positions each, and those of this one.

use super::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn it_keeps_the_promises_of_every_evaluation(seed: u64) {
        testing::check_evaluation(&Axon::default(), &testing::random_position(seed));
    }

    #[test]
    fn style_breaks_no_promise(seed: u64, style in -STYLE_BOUND..=STYLE_BOUND) {
        let axon = Axon::new(Options { style, ..Options::default() });
        testing::check_evaluation(&axon, &testing::random_position(seed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn with_contempt_colours_swap_together_with_the_engines_side(seed: u64, contempt in -100..=100) {
        let position = testing::random_position(seed);
        let score = |side, position: &shakmaty::Chess| {
            let options = Options { contempt, engine_side: Some(side), ..Options::default() };
            Axon::new(options).evaluate(View::from(position))
        };
        let swapped = testing::swap_colors(&position);
        prop_assert_eq!(score(Color::White, &position), -score(Color::Black, &swapped));
    }

    #[test]
    fn whose_move_it_is_does_not_matter(seed: u64) {
        let position = testing::random_position(seed);
        let view = View::from(&position);
        prop_assume!(!draws::is_draw(view));
        let other = View { turn: !view.turn, en_passant: None, ..view };
        prop_assume!(!draws::is_draw(other));
        prop_assert_eq!(Axon::default().evaluate(view), Axon::default().evaluate(other));
    }

    #[test]
    fn the_positional_part_never_exceeds_its_limit(seed: u64) {
        let position = testing::random_position(seed);
        let explanation = Axon::default().explain(View::from(&position));
        prop_assume!(explanation.terms.len() > 1);
        let positional = sum_of(&explanation, &[Part::Attack, Part::Position]);
        let limited = positional + named(&explanation, "limit").centipawns;
        prop_assert!(limited.abs() <= POSITIONAL_LIMIT);
        prop_assert!(positional.abs() > POSITIONAL_LIMIT || limited == positional);
    }
}

#[test]
fn a_board_full_of_queens_neither_panics_nor_leaves_the_scale() {
    let mut board = shakmaty::Board::empty();
    for square in shakmaty::Square::ALL {
        board.set_piece_at(square, Color::White.queen());
    }
    board.set_piece_at(shakmaty::Square::A1, Color::White.king());
    board.set_piece_at(shakmaty::Square::H8, Color::Black.king());
    let view = View {
        board: &board,
        turn: Color::White,
        castling: shakmaty::Bitboard::EMPTY,
        en_passant: None,
        move_number: 1,
    };
    let explanation = Axon::default().explain(view);
    assert_eq!(Axon::default().evaluate(view), Score::EVALUATION_BOUND);
    assert_eq!(explanation.sum(), Score::EVALUATION_BOUND.raw());
}
