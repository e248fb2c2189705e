//! Positions whose reason every chess book knows, explained by the real search. Bounded by nodes on one thread, so that
//! the result is the same on every machine. Every claim made is verified by the independent checker.

mod common;

use common::{after, checker, explain, fen};
use shakmaty::Chess;
use tabia_coach::messages::German;
use tabia_coach::{Locale, Review, ReviewDocument, Verdict, text};

const NODES: u64 = 300_000;

/// The Opera Game, Morphy against two amateurs, Paris 1858.
const OPERA: &str = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5";

fn reviewed(position: &Chess, m: Option<&str>) -> (Review, String) {
    let review = explain(position, m, NODES);
    let failures = checker::failures(&review, position);
    let text = text::text(&review, m.is_some());
    // Read with --nocapture.
    println!("{text}\n{}\n", text::text_in(&German, &review, m.is_some()));
    assert!(failures.is_empty(), "{text}\n{failures:?}");
    (review, text)
}

fn motifs(review: &Review) -> Vec<&'static str> {
    review.reasons.iter().filter_map(tabia_coach::review::Reason::motif).collect()
}

#[test]
fn the_opera_game_takes_on_b5_before_the_bishop_is_lost() {
    let (review, text) = reviewed(&after(OPERA), Some("Nxb5"));
    assert!(review.is_best(), "{text}");
    // What Black would get for the bishop depends on how far the network's search looks.
    assert!(text.contains("It parries the threat of 10...bxc4, winning a bishop"), "{text}");
}

#[test]
fn the_opera_game_ends_with_a_queen_sacrifice() {
    let moves = format!("{OPERA} Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7");
    let (review, text) = reviewed(&after(&moves), Some("Qb8+"));
    assert!(text.contains("forces mate in 2: 16...Nxb8 17.Rd8#. It offers the queen on b8."), "{text}");
    assert!(motifs(&review).contains(&"deflection") || motifs(&review).contains(&"sacrifice"), "{text}");
}

#[test]
fn legals_mate_punishes_the_capture_of_the_queen() {
    let position = after("e4 e5 Nf3 Nc6 Bc4 d6 Nc3 Bg4 h3 Bh5 Nxe5");
    let (review, text) = reviewed(&position, Some("Bxd1"));
    assert_eq!(review.verdict, Verdict::AllowedMate);
    assert!(text.starts_with("6...Bxd1?? allows mate in 2: 7.Bxf7+ Ke7 8.Nd5#."), "{text}");
}

#[test]
fn the_lasker_trap_promotes_to_a_knight() {
    let position = after("d4 d5 c4 e5 dxe5 d4 e3 Bb4+ Bd2 dxe3");
    let (review, text) = reviewed(&position, Some("Bxb4"));
    assert!(review.verdict.is_bad() && text.contains("6...exf2+"), "{text}");
    let position = after("d4 d5 c4 e5 dxe5 d4 e3 Bb4+ Bd2 dxe3 Bxb4 exf2+ Ke2");
    let (review, text) = reviewed(&position, Some("fxg1=N+"));
    assert!(!review.verdict.is_bad(), "{text}");
    assert!(text.contains("7...fxg1=N+"), "{text}");
}

#[test]
fn a_queen_that_is_traded_is_not_given_up() {
    // After the trade the knight takes one of two pawns. That no check saves the queen is not to be said.
    let position = fen("3qk3/pp3ppp/8/2n5/P2QP3/6P1/5PKP/2B5 w - - 0 1");
    let (review, text) = reviewed(&position, Some("Qxd8+"));
    assert!(review.verdict.is_bad() && text.contains("1.Qxc5, which wins a knight"), "{text}");
    assert!(!text.contains("is met by"), "{text}");
}

#[test]
fn philidors_legacy_is_a_smothered_mate() {
    let (review, text) = reviewed(&fen("r4rk1/5Npp/8/8/2Q5/8/5PPP/6K1 w - - 0 1"), None);
    assert!(text.contains("forces mate in 3: 1...Kh8 2.Qg8+ Rxg8 3.Nf7#."), "{text}");
    assert!(text.contains("smothered mate"), "{text}");
    assert!(motifs(&review).contains(&"smotheredMate"));
}

#[test]
fn a_greek_gift_that_works() {
    let position = fen("rnbq1rk1/pp1n1ppp/4p3/2ppP3/1b1P4/2NB1N2/PPP2PPP/R1BQK2R w KQ - 0 8");
    let (review, text) = reviewed(&position, Some("Bxh7+"));
    assert!(!review.verdict.is_bad(), "{text}");
    assert!(motifs(&review).contains(&"sacrifice"), "{text}");
    assert!(text.contains("8...Kxh7 9.Ng5+") && text.contains("It offers a bishop on h7."), "{text}");
}

#[test]
fn a_greek_gift_that_does_not_work() {
    // The bishop on e7 guards g5, where the knight would give check.
    let position = fen("r1bq1rk1/pp1nbppp/2n1p3/2ppP3/3P1B2/2PB1N2/PP1N1PPP/R2QK2R w KQ - 0 9");
    let (review, text) = reviewed(&position, Some("Bxh7+"));
    assert!(review.verdict.is_bad(), "{text}");
    // How much is lost in the end depends on how far the network's search looks.
    assert!(text.starts_with("9.Bxh7+?? loses "), "{text}");
    assert!(text.contains("9...Kxh7") && text.contains("10.Ng5+ is met by 10...Bxg5."), "{text}");
}

#[test]
fn a_stalemate_saves_the_game() {
    // 1.Qf8+ Qg8 2.Qf6+ Bxf6: the pawn on b2 is pinned, and White has no move.
    let (review, text) = reviewed(&fen("3b3k/p6p/1p5P/3q4/8/n7/PP6/K4Q2 w - - 0 1"), None);
    assert!(review.best.score.raw().abs() < 60, "{text}");
    assert!(text.contains("holds the draw") && text.contains("is stalemate"), "{text}");
}

#[test]
fn an_under_promotion_avoids_stalemate() {
    // Saavedra: 6.c8=R! threatens mate; a queen would be met by a stalemate sacrifice.
    let position = fen("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1");
    let (review, text) = reviewed(&position, Some("c8=R"));
    assert!(!review.verdict.is_bad(), "{text}");
    assert!(motifs(&review).contains(&"underPromotion"), "{text} {:?}", review.reasons);
    assert!(text.contains("It is an under-promotion: a queen would be worse (+0.00)."), "{text}");
    let (_, text) = reviewed(&position, Some("c8=Q"));
    assert!(
        text.starts_with("1.c8=Q?? lets the win slip: 1...Rc4+ 2.Qxc4 is stalemate. 1.c8=R leads to mate"),
        "{text}"
    );
}

#[test]
fn a_trebuchet_is_zugzwang() {
    let (review, text) = reviewed(&fen("8/8/2K5/4p3/4Pk2/8/8/8 w - - 0 1"), Some("Kd5"));
    assert!(motifs(&review).contains(&"zugzwang"), "{text} {:?}", review.reasons);
    assert!(text.contains("Black is in zugzwang"), "{text}");
}

#[test]
fn the_wrong_bishop_does_not_win() {
    let (review, text) = reviewed(&fen("8/6k1/8/7p/4K1PP/3B4/8/8 w - - 0 1"), Some("gxh5"));
    assert!(review.verdict.is_bad(), "{text}");
    assert!(text.contains("the bishop does not control h8"), "{text}");
}

#[test]
fn a_perpetual_check_saves_the_game() {
    // Two rooks down, White checks on e8 and h5 for ever.
    let position = fen("6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1");
    let (review, text) = reviewed(&position, None);
    assert!(motifs(&review).contains(&"perpetualCheck"), "{text} {:?}", review.reasons);
    assert!(text.contains("holds the draw") && text.contains("gives perpetual check"), "{text}");
    let (review, text) = reviewed(&position, Some("Kg1"));
    assert!(review.verdict.is_bad(), "{text}");
    assert!(text.contains("1.Kg1?? misses 1.Qe8+, which draws:") || text.contains("mate"), "{text}");
}

#[test]
fn the_same_input_gives_the_same_text() {
    let position = after("e4 e5 Nf3 Nc6 Bc4 Nd4");
    let document = || {
        let review = explain(&position, Some("Nxe5"), 50_000);
        Locale::ALL.map(|locale| serde_json::to_string(&ReviewDocument::new(&review, true, locale)).unwrap())
    };
    let first = document();
    assert_eq!(first, document());
    // Nor does it matter what else the machine does at the time.
    let beside: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(document)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(beside.iter().all(|other| *other == first));
}
