//! Mobility and the seed's Fig. 1, development, the limit of the positional part, style, fields.

use super::*;

/// Fig. 1's theme: a knight on e4 held in by its own pieces on c3, g3, d2, f2 and by pawns that bar c5, d6, f6, g5.
const DOUBLY_MASKED: &str = "4k3/4p3/1p5p/8/4N3/2P3P1/3P1P2/4K3 w - - 0 1";

#[test]
fn at_the_start_nobody_is_better() {
    assert_eq!(score(START), 0);
}

#[test]
fn a_masked_knight_in_the_centre_is_punished() {
    let explanation = explained(&Axon::default(), DOUBLY_MASKED);
    let of = |name: &str| named(&explanation, name);
    assert_eq!(of("knight matrix").white, 60.0, "it is excellently placed");
    assert_eq!((of("masked").white, of("doubly masked").white), (1.0, 1.0));
    assert_eq!(of("knight mobility").white, -4.0, "its mobility is reduced to zero, four fewer than usual");
    let names = ["knight mobility", "masked", "doubly masked", "knight matrix"];
    let knight: f64 = names.iter().map(|name| of(name).white * of(name).weight).sum();
    assert!(knight < 0.0, "its positional weight is {knight}");
}

#[test]
fn the_same_knight_unmasked_is_worth_more() {
    // The own pieces step aside, and then Black's pawns too.
    let half_free = "4k3/4p3/1p5p/8/4N3/1P5P/P6P/4K3 w - - 0 1";
    let free = "4k3/pp5p/8/8/4N3/1P5P/P6P/4K3 w - - 0 1";
    let knight = |fen: &str| {
        let of = |name: &str| {
            let term = term(fen, name);
            term.white * term.weight
        };
        of("knight mobility") + of("masked") + of("doubly masked") + of("knight matrix")
    };
    let worth = [DOUBLY_MASKED, half_free, free].map(knight);
    assert!(worth[0] < 0.0 && worth[0] < worth[1] && worth[1] < worth[2], "{worth:?}");
}

#[test]
fn a_piece_blocked_by_its_own_pieces_alone_is_masked_once() {
    // The rook in the corner has no move; no pawn of Black's is near.
    let corner = "4k3/8/8/8/8/8/P7/RK6 w - - 0 1";
    assert_eq!(term(corner, "masked").white, 1.0);
    assert_eq!(term(corner, "doubly masked").white, 0.0);
}

#[test]
fn squares_controlled_by_lesser_pieces_are_no_mobility() {
    let rook = |fen: &str| term(fen, "rook mobility").white;
    let alone = rook("4k3/8/8/8/3R4/8/8/K6r w - - 0 1");
    assert_eq!(alone, 14.0 - 7.0);
    assert_eq!(rook("4k3/8/8/2p5/3R4/8/8/K6r w - - 0 1"), 13.0 - 7.0 - 0.0, "b4 is barred");
    assert_eq!(rook("4k3/8/4n3/8/3R4/8/8/K6r w - - 0 1"), 12.0 - 7.0, "d8 and f4 are barred");
    assert_eq!(rook("4k3/8/8/8/3R4/8/8/K6q w - - 0 1"), 14.0 - 7.0, "what a queen controls is not");
}

#[test]
fn the_bishop_pair_likes_open_boards() {
    let pair = |fen: &str| term(fen, "bishop pair").centipawns + term(fen, "bishop pair open").centipawns;
    let open = "4k3/p7/8/8/8/8/P7/2B1KB2 w - - 0 1";
    let closed = "4k3/pppppppp/8/8/8/8/PPPPPPPP/2B1KB2 w - - 0 1";
    assert!(pair(open) > pair(closed) && pair(closed) > 0);
    let same_colour = "4k3/p7/8/8/8/8/P7/2B1K1B1 w - - 0 1";
    assert_eq!(pair(same_colour), 0);
}

#[test]
fn the_opening_plan_is_rewarded_step_by_step() {
    let plan = [
        START,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 0 1",
    ];
    let scores = plan.map(score);
    assert!(scores.is_sorted() && scores[0] < scores[4], "{scores:?}");
}

#[test]
fn a_queen_out_before_the_minor_pieces_is_punished() {
    let early = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5Q2/PPPP1PPP/RNB1KBNR w KQkq - 0 1";
    assert_eq!(term(early, "early queen").white, 4.0);
    let later = "rnbqk1nr/pppp1ppp/8/2b1p3/2B1P3/2NPBQ2/PPP1NPPP/R4RK1 w kq - 0 1";
    assert_eq!(term(later, "early queen").white, 0.0);
}

#[test]
fn rooks_like_open_files() {
    let fen = "4k3/pp3p2/8/8/8/8/P4PP1/R2R1K1R w - - 0 1";
    assert_eq!(term(fen, "rook open file").white, 2.0, "d and h");
    let half = "4k3/p6p/8/8/8/8/P7/R3K2R w - - 0 1";
    assert_eq!((term(half, "rook open file").white, term(half, "rook half open file").white), (0.0, 1.0));
}

#[test]
fn the_positional_part_is_held_within_two_pawns() {
    // Equal material; Black is undeveloped, cramped, its king in the open and its pawns a ruin.
    let crushing = "rnbkqbnr/p1p4p/p1p4p/8/2BPPB2/2N2N2/P4PPP/R2Q1RK1 w - - 0 1";
    let explanation = explained(&Axon::default(), crushing);
    let position = sum_of(&explanation, &[Part::Attack, Part::Position]);
    let limit = named(&explanation, "limit").centipawns;
    assert!(position > POSITIONAL_LIMIT, "{position}");
    assert_eq!(position + limit, POSITIONAL_LIMIT);
    let swapped = testing::swap_colors(&testing::position(crushing));
    let explanation = Axon::default().explain(View::from(&swapped));
    assert_eq!(named(&explanation, "limit").centipawns, -limit);
}

#[test]
fn an_attacking_style_values_an_attack_more() {
    let attack = "2b2rk1/ppp2ppp/5n2/8/3N1N1Q/3B2R1/PPP2PPP/5RK1 w - - 0 1";
    let with = |style| {
        let axon = Axon::new(Options { style, ..Options::default() });
        named(&explained(&axon, attack), "king attack").centipawns
    };
    assert!(with(100) > with(0) && with(0) > with(-100) && with(-100) > 0);
}

#[test]
fn fields_show_who_controls_what() {
    let explanation = explained(&Axon::default(), START);
    let names: Vec<&str> = explanation.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["white control", "black control", "mobility", "king zones", "placement"]);
    let [white, black, mobility] = [0, 1, 2].map(|index| &explanation.fields[index]);
    assert_eq!(white.unit, "attackers");
    // f3: two pawns and the knight; f6 the same for Black. Rank 8 is row 0.
    assert_eq!((white.values[5][5], black.values[2][5], white.values[2][5]), (3.0, 3.0, 0.0));
    assert_eq!((mobility.values[7][1], mobility.values[0][1]), (2.0, -2.0), "knights have two squares each");
}

#[test]
fn style_moves_weight_from_the_lasting_to_the_attacking_half() {
    let fen = "r1bq1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R1BQ1RK1 w - - 0 1";
    let styled = |style| explained(&Axon::new(Options { style, ..Options::default() }), fen);
    let (cautious, normal, attacking) = (styled(-100), styled(0), styled(100));
    let gains = |style: &Explanation, name: &str| named(style, name).weight / named(&normal, name).weight;
    let is = |gained: f64, expected: f64| (gained - expected).abs() < 1e-9;
    for name in ["king attack", "knight mobility"] {
        assert!(is(gains(&attacking, name), 1.5) && is(gains(&cautious, name), 0.5), "{name}");
    }
    for name in ["isolated", "bishop pair", "castled"] {
        assert!(is(gains(&attacking, name), 0.5) && is(gains(&cautious, name), 1.5), "{name}");
    }
    for name in ["pawns", "queens", "trade pieces", "pair on sixth"] {
        assert!(is(gains(&attacking, name), 1.0) && is(gains(&cautious, name), 1.0), "{name}");
    }
    assert_eq!(styled(1000), attacking, "beyond the range is the end of it");
}
