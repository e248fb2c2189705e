//! The seed's tables, entry by entry, and the table of weights.

use super::*;
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, FromSetup, Piece, Position, Role, Setup, Square};

#[test]
fn material_is_table_one() {
    let values = Role::ALL.map(material::value);
    assert_eq!(values, [100, 300, 300, 500, 900, 0]);
    let start = explained(&Axon::default(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let whole: f64 = start.terms[..5].iter().map(|term| term.white * term.weight).sum();
    assert_eq!(whole as i32, 3900, "seed 002: \"the initial material value of the pieces on one side\"");
}

/// Table II, as printed: White's pieces, Black's pieces.
const TABLE_TWO: [(&str, &str); 13] = [
    ("", ""),
    ("n", ""),
    ("n", "n"),
    ("n", "b"),
    ("n", "nn"),
    ("b", ""),
    ("b", "n"),
    ("b", "b"),
    ("b", "nn"),
    ("nn", ""),
    ("nn", "n"),
    ("nn", "b"),
    ("nn", "nn"),
];

/// Kings on b2 and g7, White's pieces on the second rank, Black's on the seventh: nobody is in check.
fn board(white: &str, black: &str, turn: Color) -> Chess {
    let mut setup = Setup { turn, castling_rights: shakmaty::Bitboard::EMPTY, ..Setup::empty() };
    setup.board.set_piece_at(Square::B2, Color::White.king());
    setup.board.set_piece_at(Square::G7, Color::Black.king());
    for (color, pieces, squares) in
        [(Color::White, white, [Square::D2, Square::F2]), (Color::Black, black, [Square::C7, Square::E7])]
    {
        for (piece, square) in pieces.chars().zip(squares) {
            let role = Role::from_char(piece).unwrap();
            setup.board.set_piece_at(square, Piece { color, role });
        }
    }
    Chess::from_setup(setup, CastlingMode::Standard).unwrap()
}

#[test]
fn every_row_of_table_two_is_a_draw_for_both_colours_and_either_to_move() {
    for (white, black) in TABLE_TWO {
        for turn in Color::ALL {
            for position in [board(white, black, turn), board(black, white, turn)] {
                assert!(!position.is_check());
                let score = Axon::default().evaluate(View::from(&position));
                assert_eq!(score, Score::DRAW, "king {white} against king {black}, {turn} to move");
            }
        }
    }
}

#[test]
fn what_is_not_in_table_two_is_no_draw() {
    for (white, black) in
        [("bb", ""), ("bn", ""), ("r", ""), ("q", "nn"), ("bb", "n"), ("bn", "b"), ("r", "b")]
    {
        for position in [board(white, black, Color::White), board(black, white, Color::Black)] {
            assert!(!draws::is_draw(View::from(&position)), "king {white} against king {black}");
            assert_ne!(Axon::default().evaluate(View::from(&position)), Score::DRAW);
        }
    }
}

#[test]
fn in_check_no_row_of_four_pieces_or_more_is_a_draw() {
    assert_eq!(score("7k/4N3/8/8/8/8/N7/K7 b - - 0 1"), 0, "Black is not in check");
    assert!(score("7k/5N2/8/8/8/8/N7/K7 b - - 0 1") > 300, "Black is in check");
    assert!(score("7K/5n2/8/8/8/8/n7/k7 w - - 0 1") < -300, "White is in check");
    assert_eq!(score("7k/5N2/8/8/8/8/8/K7 b - - 0 1"), 0, "three pieces");
    assert_eq!(score("7k/8/8/4B3/8/8/8/K7 b - - 0 1"), 0, "three pieces");
}

#[test]
fn with_a_pawn_no_row_of_table_two_is_a_draw() {
    for (white, black) in TABLE_TWO {
        for (color, square) in [(Color::White, Square::H3), (Color::Black, Square::A6)] {
            let mut setup = board(white, black, Color::White).to_setup(shakmaty::EnPassantMode::Legal);
            setup.board.set_piece_at(square, color.pawn());
            let position = Chess::from_setup(setup, CastlingMode::Standard).unwrap();
            assert!(!draws::is_draw(View::from(&position)), "king {white} against king {black}");
        }
    }
}

#[test]
fn contempt_makes_a_draw_worth_less_to_the_engine_and_nothing_to_anybody_else() {
    let draw = "4k3/8/8/8/8/8/8/4KN2 w - - 0 1";
    let with = |contempt, engine_side| {
        score_of(&Axon::new(Options { contempt, engine_side, ..Options::default() }), draw)
    };
    assert_eq!(with(25, Some(Color::White)), -25);
    assert_eq!(with(25, Some(Color::Black)), 25);
    assert_eq!(with(-25, Some(Color::White)), 25, "who fears to lose likes a draw");
    assert_eq!(with(25, None), 0);
    let axon = Axon::new(Options { contempt: 25, engine_side: Some(Color::White), ..Options::default() });
    assert_eq!(axon.draw_score(), Score::cp(-25));
    assert_eq!(axon.explain(View::from(&testing::position(draw))).sum(), -25);
    let no_draw = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    assert_eq!(score_of(&axon, no_draw), score(no_draw));
}

#[test]
fn the_knights_matrix_is_table_three() {
    let on = |square| matrices::of(Role::Knight, square);
    assert_eq!((on(Square::D5), on(Square::E5)), (64, 64));
    assert_eq!((on(Square::A1), on(Square::H1)), (-48, -48));
    assert_eq!((on(Square::A8), on(Square::H8)), (-16, -16));
    assert_eq!((on(Square::D4), on(Square::E4), on(Square::D6)), (60, 60, 62));
    assert_eq!((on(Square::C3), on(Square::F3), on(Square::B1)), (24, 24, -32));
    let sum: i32 = Square::ALL.into_iter().map(on).sum();
    assert_eq!(sum, 2 * (-28 + 88 + 182 + 204 + 164 + 44 - 28 - 120), "row by row");
}

#[test]
fn matrices_are_symmetric_and_like_the_opponents_half() {
    for role in Role::ALL {
        let on = |square| matrices::of(role, square);
        assert!(Square::ALL.into_iter().all(|square| on(square) == on(square.flip_horizontal())), "{role:?}");
        let half = |up: bool| -> i32 {
            Square::ALL
                .into_iter()
                .filter(|square| (square.rank() >= shakmaty::Rank::Fifth) == up)
                .map(on)
                .sum()
        };
        assert!(half(true) > half(false), "{role:?}");
        assert!(Square::ALL.into_iter().all(|square| on(square).abs() <= 64), "{role:?}");
    }
}

#[test]
fn a_matrix_counts_by_its_weight_and_black_reads_it_upside_down() {
    let knight = term("4k3/p7/8/3n4/8/8/P7/4K3 w - - 0 1", "knight matrix");
    assert_eq!(knight.black, 60.0, "d5 is Black's d4");
    let percent = Weights::default()[Weight::KnightMatrix];
    assert_eq!(knight.weight, percent / 100.0);
    assert!(knight.centipawns <= (-60.0 * knight.weight) as i32 + 1);
}

#[test]
fn every_weight_is_declared_within_its_range_in_the_order_of_parts_and_can_be_set() {
    let mut weights = Weights::default();
    for (weight, declaration) in Weight::ALL.into_iter().zip(weights::DECLARATIONS) {
        assert_eq!(weight.declaration().name, declaration.name);
        assert!(weight.declaration().part.range().contains(&(weight as usize)), "{weight:?}");
        weights.set(declaration.name, declaration.default).unwrap();
        weights.set(declaration.name, declaration.max).unwrap();
        assert_eq!(weights[weight], f64::from(declaration.max));
        assert!(declaration.unit.quantisation() > 0 && declaration.min <= declaration.max);
    }
    let parts = [Part::Trade, Part::Attack, Part::Position, Part::Promotion];
    assert_eq!(parts.map(|part| part.range().len()).iter().sum::<usize>(), COUNT);
}

#[test]
fn bad_names_and_values_are_refused_with_the_reason() {
    let mut weights = Weights::default();
    let error = weights.set("knigt_mobility", 1).unwrap_err().to_string();
    assert!(error.contains("did you mean \"knight_mobility\"?"), "{error}");
    let error = weights.set("castled", 999).unwrap_err().to_string();
    assert!(error.contains("outside 0 to 80"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn but_for_the_limit_the_score_is_linear_in_the_weights(seed: u64) {
        let position = testing::random_position(seed);
        let view = View::from(&position);
        prop_assume!(!draws::is_draw(view));
        let (tally, weights) = (count(view), Weights::default());
        let in_centipawns: f64 = Weight::ALL
            .into_iter()
            .map(|weight| {
                let difference = tally.amount(Color::White, weight) - tally.amount(Color::Black, weight);
                let unit = weight.declaration().unit;
                f64::from(difference) * weights[weight] / f64::from(unit.share() * unit.steps())
            })
            .sum();
        let explanation = Axon::default().explain(view);
        let limit = named(&explanation, "limit").centipawns;
        let material: i32 = explanation.terms[..5].iter().map(|term| term.centipawns).sum();
        let score = f64::from(explanation.score.raw() - limit - material);
        prop_assert!((score - in_centipawns).abs() < 3.0, "{score} {in_centipawns}");
    }
}
