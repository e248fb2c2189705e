//! Better orders cost less, and each ordering is the one its seed prints.

use super::super::ordering::{MovePicker, OrderingContext};
use super::*;
use shakmaty::{Color, Square};

fn picker(fen: &str, ordering: MoveOrdering, context: &OrderingContext<'_>) -> Vec<String> {
    let game = game(fen);
    let moves = game.position().legal_moves();
    MovePicker::new(&moves, ordering, context).map(|m| game.write_move(m)).collect()
}

/// White may take a queen with pawn, knight, or king, or a pawn with the knight.
const CHOICE: &str = "6k1/8/8/8/3q1p2/2P5/4N3/2K5 w - - 0 1";

#[test]
fn plain_negamax_visits_every_line() {
    let found =
        find(&game(START), Settings { pruning: false, ordering: MoveOrdering::Off, ..Settings::ALPHABETA });
    assert_eq!(found.counts.nodes, 1 + 20 + 400 + 8_902 + 197_281);
    assert_eq!(found.counts.cutoffs, 0);
}

#[test]
fn pruning_saves_much_and_ordering_more() {
    let nodes = |settings| find(&game(BUSY), settings).counts.nodes;
    let base = Settings { depth: 3, ..Settings::ALPHABETA };
    let plain = nodes(Settings { pruning: false, ..base });
    let unordered = nodes(Settings { ordering: MoveOrdering::Off, ..base });
    let ordered = nodes(base);
    assert!(unordered * 3 < plain, "{unordered} of {plain}");
    assert!(ordered * 2 < unordered, "{ordered} of {unordered}");
}

#[test]
fn killers_and_a_table_save_nodes() {
    let italian = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5";
    let nodes = |settings| find(&game(italian), settings).counts.nodes;
    let base = Settings { depth: 4, ..Settings::ALPHABETA };
    let without = nodes(base);
    assert!(nodes(Settings { killers: true, ..base }) < without);
    assert!(nodes(Settings { table: 200_000, ..base }) < without);
}

#[test]
fn cutoffs_by_the_first_move_are_among_the_cutoffs() {
    let counts = find(&game(BUSY), Settings { table: 1000, ..Settings::ALPHABETA }).counts;
    assert!(counts.first_move_cutoffs * 2 > counts.cutoffs, "a good order is right more often than not");
    assert!(counts.first_move_cutoffs < counts.cutoffs);
    assert!(counts.table_hits < counts.table_probes && counts.table_hits > 0);
}

#[test]
fn victims_come_in_the_order_of_their_value() {
    let order = picker(CHOICE, MoveOrdering::Victim, &OrderingContext::none(Color::White));
    assert_eq!(order[2], "e2f4", "after two ways to take the queen");
}

#[test]
fn the_least_attacker_takes_first() {
    let order = picker(CHOICE, MoveOrdering::MvvLva, &OrderingContext::none(Color::White));
    assert_eq!(order[..3], ["c3d4", "e2d4", "e2f4"]);
}

#[test]
fn a_king_that_captures_risks_nothing() {
    let order = picker(
        "6k1/8/8/8/8/8/3q4/R1K5 w - - 0 1",
        MoveOrdering::MvvLva,
        &OrderingContext::none(Color::White),
    );
    assert_eq!(order[0], "c1d2");
}

#[test]
fn seed_000_orders_captures_killers_centre_development_and_pushes() {
    let fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1";
    let killer = game(fen).read_move("h2h4").unwrap();
    let context = OrderingContext { killers: [None, Some(killer)], ..OrderingContext::none(Color::White) };
    let order = picker(fen, MoveOrdering::Seed000, &context);
    assert_eq!(order[..4], ["e4d5", "h2h4", "e4e5", "d2d4"], "{order:?}: a capture, the killer, the centre");
    let (developing, rest) = order[4..].split_at(5 + 5);
    assert!(developing.iter().all(|m| ["b1", "g1", "f1"].contains(&&m[..2])), "{order:?}");
    let (pushes, rest) = rest.split_at(5 + 7);
    assert!(pushes[..5].iter().all(|m| m.ends_with('4')), "{order:?}: the further, the sooner");
    assert!(pushes[5..].iter().all(|m| m.ends_with('3')), "{order:?}");
    assert!(rest.iter().all(|m| ["d1", "e1"].contains(&&m[..2])), "{order:?}: the rest");
}

#[test]
fn black_orders_as_white_does() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    let order = picker(fen, MoveOrdering::Seed000, &OrderingContext::none(Color::Black));
    let mut first: Vec<&str> = order[..2].iter().map(String::as_str).collect();
    first.sort_unstable();
    assert_eq!(first, ["d7d5", "e7e5"]);
}

#[test]
fn quiet_moves_can_be_guided_by_the_worth_of_squares() {
    // The further right a square, the better for the side to move.
    let mut worth = [0; 64];
    (0..64).for_each(|square| worth[square] = (square % 8) as i32 * 1000);
    let context = OrderingContext { guide: Some(&worth), ..OrderingContext::none(Color::Black) };
    let order = picker("6k1/8/8/8/1r6/8/8/1R4K1 b - - 0 1", MoveOrdering::Seed000, &context);
    assert_eq!(order[..2], ["b4b1", "b4h4"], "captures still come first");
    let guide: SquareValueFn = Box::new(move |_| worth);
    let mut search = Classic::new(Material, Settings::AXIOMX_SPEED).with_square_values(guide);
    let found = search.search(&game(BUSY), &Limits::default(), &Stop::new(), &mut |_| ()).unwrap();
    assert_eq!(found.score, find(&game(BUSY), Settings::AXIOMX_SPEED).score);
}

/// Quiet positions of the middlegame, away from the fifteenth move, where the terms of openings end.
const QUIET: [&str; 4] = [
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 b - - 0 25",
    "2r2rk1/1p1qbppp/p2pbn2/4p3/4P3/1NN1BP2/PPPQ2PP/2KR3R w - - 0 30",
    "r3r1k1/pp3pbp/2p2np1/q2p4/3P4/P1N1PN2/1PQ2PPP/2R2RK1 b - - 0 21",
];

#[test]
fn castling_is_guided_by_where_the_king_then_stands() {
    // The corner is the best square, the king's new one the worst.
    let mut worth = [0; 64];
    (worth[usize::from(Square::H1)], worth[usize::from(Square::G1)]) = (1000, -1000);
    let context = OrderingContext { guide: Some(&worth), ..OrderingContext::none(Color::White) };
    let order = picker("4k3/8/8/8/8/8/8/4K2R w K - 0 1", MoveOrdering::Seed000, &context);
    assert_eq!(
        order.last().map(String::as_str),
        Some("h1g1"),
        "{order:?}: from the best square to the worst"
    );
    assert_eq!(order[order.len() - 2], "e1g1", "{order:?}");
}

#[test]
fn guided_ordering_serves_both_colours_alike() {
    let nodes = |game: &ChessGame| asked(agent("axiomx(guided=on)").as_mut(), game).0.nodes;
    for fen in QUIET {
        assert_eq!(nodes(&game(fen)), nodes(&colours_swapped(fen)), "{fen}");
    }
}
