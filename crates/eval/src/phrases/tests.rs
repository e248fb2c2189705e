//! Paragraphs of explanations made by hand.

use proptest::prelude::*;

use super::*;
use crate::explain::Term;
use crate::{AnyEvaluation, Evaluate, View, registry, testing};

/// A term by what each side has of it and what that is worth.
fn term(name: &str, white: f64, black: f64, weight: f64) -> Term {
    let centipawns = ((white - black) * weight).round() as i32;
    Term { name: name.to_owned(), white, black, weight, centipawns }
}

fn explained(terms: Vec<Term>) -> Explanation {
    let score = Score::cp(terms.iter().map(|term| term.centipawns).sum());
    Explanation { score, terms, fields: Vec::new() }
}

fn tell(terms: Vec<Term>) -> String {
    paragraph(&explained(terms))
}

fn scored(score: Score) -> String {
    paragraph(&Explanation { score, ..Explanation::default() })
}

#[test]
fn the_largest_differences_are_told_and_what_speaks_against_them() {
    let terms = vec![
        term("material", 39.0, 39.0, 100.0),
        term("space in the centre", 9.0, 2.0, 10.0),
        term("king_shield", 3.0, 0.0, 15.0),
        term("tempo", 1.0, 0.0, 5.0),
        term("connected rooks", 1.0, 0.0, 10.0),
        term("passed_pawns", 0.0, 2.0, 20.0),
        term("bishop pair", 0.0, 1.0, 10.0),
    ];
    assert_eq!(
        tell(terms),
        "White is better (+0.80), mainly because of space in the centre and the safer king. Black's passed pawns are \
         worth 0.40 in return."
    );
}

#[test]
fn a_single_reason_is_the_whole_story() {
    assert_eq!(
        tell(vec![term("pawns", 8.0, 5.0, 100.0)]),
        "White is much better (+3.00), because of more pawns."
    );
    assert_eq!(
        tell(vec![term("material", 0.0, 900.0, 1.0)]),
        "Black is far ahead (−9.00), because of more material."
    );
    assert_eq!(
        tell(vec![term("tempo", 1.0, 0.0, 15.0)]),
        "White is slightly better (+0.15), because of the tempo."
    );
}

#[test]
fn a_side_gains_by_the_others_faults() {
    let terms = vec![
        term("doubled_pawns", 0.0, 2.0, -30.0),
        term("mobility", 30.0, 20.0, 4.0),
        term("isolated", 1.0, 0.0, -25.0),
    ];
    assert_eq!(
        tell(terms),
        "White is better (+0.75), because of more mobility and Black's doubled pawns. White's isolated pawns are worth \
         0.25 in return."
    );
}

#[test]
fn an_owner_is_named_once() {
    let terms = vec![
        term("space", 10.0, 0.0, 10.0),
        term("coordination", 0.0, 3.0, 10.0),
        term("bishop pair", 0.0, 1.0, 25.0),
    ];
    assert_eq!(
        tell(terms),
        "White is better (+0.45), because of space. Black's coordination and bishop pair are worth 0.55 in return."
    );
}

#[test]
fn compensation_is_in_the_singular_or_plural() {
    let against = |name: &str| tell(vec![term("space", 9.0, 0.0, 10.0), term(name, 0.0, 1.0, 30.0)]);
    for (name, tail) in [
        ("coordination", "Black's coordination is worth 0.30 in return."),
        ("knight outposts", "Black's knight outposts are worth 0.30 in return."),
        ("weakness", "Black's weakness is worth 0.30 in return."),
        ("pressure on pawns", "Black's pressure on pawns is worth 0.30 in return."),
        ("rook_open_file", "Black's rooks on open files are worth 0.30 in return."),
    ] {
        assert!(against(name).ends_with(tail), "{}", against(name));
    }
}

#[test]
fn terms_of_one_meaning_are_told_as_one() {
    let terms = vec![
        term("shelter near", 3.0, 0.0, 10.0),
        term("shelter open", 0.0, 2.0, -8.0),
        term("shelter far", 0.0, 1.0, 6.0),
    ];
    assert_eq!(tell(terms), "White is better (+0.40), because of the safer king.");
}

#[test]
fn a_level_position_is_told_by_what_is_balanced() {
    assert_eq!(
        tell(vec![term("material", 39.0, 39.0, 100.0)]),
        "The position is equal. No side has an advantage in any term."
    );
    assert_eq!(tell(Vec::new()), "The position is equal. No side has an advantage in any term.");
    let terms = vec![term("mobility", 30.0, 20.0, 4.0), term("passed pawns", 0.0, 1.0, 38.0)];
    assert_eq!(
        tell(terms),
        "The position is about equal. White's mobility (0.40) balances Black's passed pawns (0.38)."
    );
    assert_eq!(
        tell(vec![term("tempo", 0.0, 1.0, 8.0)]),
        "The position is about equal. Black's tempo is worth 0.08."
    );
}

#[test]
fn a_piece_more_is_an_extra_piece_and_otherwise_it_is_better_placed() {
    let knights = [term("knight f3", 160.0, 0.0, 1.0), term("knight d7", 0.0, 140.0, 1.0)];
    assert_eq!(
        tell(knights.to_vec()),
        "White is slightly better (+0.20), because of the better placed knight."
    );
    let four =
        [knights.to_vec(), vec![term("knight b8", 0.0, 150.0, 1.0), term("knight c3", 150.0, 0.0, 1.0)]];
    assert_eq!(tell(four.concat()), "White is slightly better (+0.20), because of better placed knights.");
    let more = [knights.to_vec(), vec![term("knight b8", 0.0, 150.0, 1.0)]].concat();
    assert_eq!(tell(more), "Black is better (−1.30), because of an extra knight.");
    let bias = vec![term("pawn a2", 30.0, 0.0, 1.0), term("bias", 10.0, 0.0, 1.0)];
    assert_eq!(tell(bias), "White is better (+0.40), because of an extra pawn.");
}

#[test]
fn the_most_and_the_least_useful_piece_are_named() {
    let mut terms = vec![
        term("queen e5", 586.0, 0.0, 1.0),
        term("queen e7", 0.0, 437.0, 1.0),
        term("bishop b2", 166.0, 0.0, 1.0),
        term("knight b3", 0.0, 85.0, 1.0),
        term("pawn h2", 200.0, 0.0, 1.0),
    ];
    let told = tell(terms.clone());
    let expected = " For its kind, White's queen on e5 (5.86) is the most useful piece, Black's queen on e7 (4.37) the least.";
    assert!(told.ends_with(expected), "{told}");
    // Pieces that are worth about as much as others of their kind are not mentioned, nor is one that is alone.
    terms[1].black = 560.0;
    terms[3].black = -10.0;
    let told = tell(terms.clone());
    let expected = " For its kind, White's bishop on b2 (1.66) is the most useful piece, Black's knight on b3 (−0.10) the least.";
    assert!(told.ends_with(expected), "{told}");
    terms.remove(3);
    assert!(!tell(terms).contains("useful"));
}

#[test]
fn trifles_are_not_told() {
    let terms = vec![term("space", 9.0, 0.0, 10.0), term("rounding", 0.0, 1.0, 1.0)];
    assert_eq!(tell(terms), "White is better (+0.89), because of space.");
}

#[test]
fn mates_and_tables_need_no_reasons() {
    assert_eq!(scored(Score::mate_in_plies(5)), "White mates in 3 moves.");
    assert_eq!(scored(Score::mate_in_plies(4)), "White mates in 2 moves.");
    assert_eq!(scored(-Score::mate_in_plies(1)), "Black mates in 1 move.");
    assert_eq!(scored(Score::mated_in_plies(0)), "Black has mated.");
    assert_eq!(scored(-Score::TABLEBASE_WIN), "Black wins according to the tablebases.");
}

#[test]
fn a_known_draw_is_called_one() {
    let draw = |centipawns| {
        let term = term("theoretical draw", f64::from(centipawns), 0.0, 1.0);
        paragraph(&Explanation { score: Score::cp(centipawns), terms: vec![term], fields: Vec::new() })
    };
    assert_eq!(draw(0), "The position is a theoretical draw.");
    assert_eq!(draw(-20), "The position is a theoretical draw, counted as 0.20 for Black.");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_evaluation_can_be_told_of_and_swapping_colours_swaps_the_sides(seed: u64) {
        let position = testing::random_position(seed);
        let view = View::from(&position);
        for name in registry::NAMES {
            let explanation = AnyEvaluation::named(name).unwrap().explain(view);
            let text = paragraph(&explanation);
            prop_assert!(text.ends_with('.') && !text.contains('_') && !text.contains("  "), "{}: {}", name, text);
            let mut swapped = explanation.clone();
            swapped.score = -swapped.score;
            for term in &mut swapped.terms {
                (term.white, term.black) = (term.black, term.white);
                term.centipawns = -term.centipawns;
            }
            if explanation.score.raw().abs() >= LEVEL_CP {
                let exchanged = paragraph(&swapped).replace("White", "?").replace("Black", "White").replace('?', "Black");
                // The score is White's view; what a piece is worth is its own side's.
                let (score, rest) = exchanged.split_at(exchanged.find(')').unwrap());
                let score = score.replace("(+", "?").replace("(−", "(+").replace('?', "(−");
                prop_assert_eq!(score + rest, text);
            }
        }
    }
}
