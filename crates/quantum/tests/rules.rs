//! Every example and count of the rules.

#![allow(clippy::float_cmp, reason = "halves, quarters and their sums are exact")]

use shakmaty::{Color, Piece, Square};
use tabia_core::{Game, Outcome, Reason, Stop, Turn, testkit};
use tabia_quantum::planes::SIZE;
use tabia_quantum::{Action, Marginals, QuantumGame, Rules, perft};

/// A game after some plies.
fn after(start: &str, plies: &str) -> QuantumGame {
    let mut game: QuantumGame = start.parse().unwrap();
    play(&mut game, plies);
    game
}

fn play(game: &mut QuantumGame, plies: &str) {
    for ply in plies.split_whitespace() {
        game.play_text(ply).unwrap_or_else(|error| panic!("{ply}: {error}"));
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn chance(game: &QuantumGame, piece: Piece, square: Square) -> f64 {
    Marginals::new(game).probability(piece, square)
}

fn weights(game: &QuantumGame) -> Vec<u64> {
    let mut weights: Vec<u64> = game.branches().iter().map(tabia_quantum::Branch::weight).collect();
    weights.sort_unstable();
    weights
}

fn planes(game: &QuantumGame) -> Box<[f32; SIZE]> {
    let mut planes = Box::new([0.0; SIZE]);
    game.planes(&mut planes);
    planes
}

fn plane(planes: &[f32; SIZE], number: usize, square: Square) -> f32 {
    planes[number * 64 + square.to_usize()]
}

const WHITE_KNIGHT: Piece = Piece { color: Color::White, role: shakmaty::Role::Knight };
const BLACK_KNIGHT: Piece = Piece { color: Color::Black, role: shakmaty::Role::Knight };
const WHITE_ROOK: Piece = Piece { color: Color::White, role: shakmaty::Role::Rook };
const WHITE_QUEEN: Piece = Piece { color: Color::White, role: shakmaty::Role::Queen };

#[test]
fn there_are_forty_actions_at_the_start() {
    let mut actions = Vec::new();
    QuantumGame::default().actions(&mut actions);
    let splits = actions.iter().filter(|action| matches!(action, Action::Move(m) if m.is_split())).count();
    assert_eq!((actions.len(), splits), (40, 20));
    assert_eq!(QuantumGame::default(), START.parse().unwrap());
}

#[test]
fn a_split_makes_two_equal_branches() {
    let game = after(START, "b1~c3");
    assert_eq!(weights(&game), [1, 1]);
    assert_eq!(chance(&game, WHITE_KNIGHT, Square::B1), 0.5);
    assert_eq!(chance(&game, WHITE_KNIGHT, Square::C3), 0.5);
    let planes = planes(&game);
    assert_eq!(plane(&planes, 1, Square::B1), 0.5);
    assert_eq!(plane(&planes, 1, Square::C3), 0.5);
    assert_eq!(plane(&planes, 13, Square::B1), 0.0, "exactly a half is not more than a half");
    assert_eq!(plane(&planes, 13, Square::C3), 0.0);
    assert_eq!(plane(&planes, 13, Square::G1), 1.0);
    assert!(Square::ALL.iter().all(|square| (plane(&planes, 24, *square) - 0.1).abs() < 1e-6));
}

#[test]
fn three_splits_make_six_branches() {
    let game = after(START, "b1~c3 g8~f6 c3~d5");
    assert_eq!(weights(&game), [1, 1, 1, 1, 2, 2]);
    assert_eq!(game.total(), 8);
    assert_eq!(chance(&game, WHITE_KNIGHT, Square::B1), 0.5);
    assert_eq!(chance(&game, WHITE_KNIGHT, Square::C3), 0.25);
    assert_eq!(chance(&game, WHITE_KNIGHT, Square::D5), 0.25);
    assert!((plane(&planes(&game), 24, Square::A1) - 0.2585).abs() < 1e-4);
}

#[test]
fn a_move_past_a_piece_that_may_be_there_entangles() {
    let mut game = after("7k/8/8/8/8/1n6/8/R6K b - - 0 1", "b3~a5 a1a7");
    assert_eq!(chance(&game, WHITE_ROOK, Square::A1), 0.5);
    assert_eq!(chance(&game, WHITE_ROOK, Square::A7), 0.5);
    assert_eq!(chance(&game, BLACK_KNIGHT, Square::B3), 0.5);
    let links = game.entangled(BLACK_KNIGHT, Square::B3);
    let rook = links.iter().find(|link| link.square == Square::A1).unwrap();
    assert_eq!((rook.piece, rook.if_present, rook.if_absent), (WHITE_ROOK, 0.0, 1.0));
    assert!(links.iter().all(|link| link.square != Square::H1), "the kings are where they are");
    // Both may be where the capture wants them, and never at once: nothing is measured.
    let m = game.read_move("b3a1").unwrap();
    game.apply(Action::Move(m));
    assert_eq!(game.turn(), Turn::Player(Color::White));
}

#[test]
fn a_capture_is_measured() {
    let game = after("7k/8/5n2/8/8/8/8/3Q3K b - - 0 1", "f6~d5");
    let mut measuring = game.clone();
    measuring.apply(Action::Move(game.read_move("d1d5").unwrap()));
    assert_eq!(measuring.turn(), Turn::Chance);
    let mut chances = Vec::new();
    measuring.chances(&mut chances);
    assert_eq!(chances, [(Action::Capture(true), 0.5), (Action::Capture(false), 0.5)]);
    assert_eq!(measuring.question().unwrap(), "it captures the knight");
    assert_eq!(measuring.tell(Action::Capture(false)).unwrap(), "the knight was not on d5: 50%");
    assert_eq!(measuring.tell(Action::Capture(true)).unwrap(), "d1d5 took the knight: 50%");
    let mut taken = game.clone();
    play(&mut taken, "d1d5+");
    assert_eq!(taken.to_string(), "7k/8/8/3Q4/8/8/8/7K b - - 0 2");
    let mut missed = game;
    play(&mut missed, "d1d5-");
    assert_eq!(missed.to_string(), "7k/8/5n2/3Q4/8/8/8/7K b - - 2 2");
    assert_eq!(chance(&missed, WHITE_QUEEN, Square::D5), 1.0);
}

#[test]
fn a_king_that_may_be_there_is_won_half_the_time() {
    let game = after("6k1/8/8/7Q/8/8/8/7K b - - 0 1", "g8~h8");
    let mut measuring = game.clone();
    measuring.apply(Action::Move(game.read_move("h5h8").unwrap()));
    let mut chances = Vec::new();
    measuring.chances(&mut chances);
    assert_eq!(chances, [(Action::Capture(true), 0.5), (Action::Capture(false), 0.5)]);
    measuring.apply(Action::Capture(true));
    assert_eq!(measuring.turn(), Turn::Over(Outcome::win(Color::White, Reason::KingCaptured)));
    let mut missed = game;
    play(&mut missed, "h5h8-");
    assert_eq!(missed.to_string(), "6kQ/8/8/8/8/8/8/7K b - - 2 2");
}

#[test]
fn a_capture_that_may_be_of_the_king_is_measured_twice() {
    // The king may have gone to h8 or have stayed, with its rook there: the queen takes something either way.
    let start = "b 0 1: 1*7k/8/8/7Q/8/8/8/7K - - + 2*6kr/8/8/7Q/8/8/8/7K - - + 1*6k1/8/7r/7Q/8/8/8/7K - -";
    let game = after(start, "g8f8");
    assert_eq!(game.branches().len(), 3);
    let mut measuring = game.clone();
    measuring.apply(Action::Move(game.read_move("h5h8").unwrap()));
    let mut chances = Vec::new();
    measuring.chances(&mut chances);
    assert_eq!(chances, [(Action::Capture(true), 0.75), (Action::Capture(false), 0.25)]);
    measuring.apply(Action::Capture(true));
    assert_eq!(measuring.turn(), Turn::Chance);
    measuring.chances(&mut chances);
    assert_eq!(chances, [(Action::King(true), 1.0 / 3.0), (Action::King(false), 2.0 / 3.0)]);
    assert_eq!(measuring.tell(Action::King(false)).unwrap(), "the king was not on h8: 66.7%");
    for (ply, won) in [("h5h8++", true), ("h5h8+-", false)] {
        let mut end = game.clone();
        play(&mut end, ply);
        assert_eq!(end.outcome().is_some(), won, "{ply}");
    }
    let mut end = game;
    play(&mut end, "h5h8+-");
    assert_eq!(end.to_string(), "5k1Q/8/8/8/8/8/8/7K b - - 0 2");
}

#[test]
fn a_move_back_merges_what_was_split() {
    let game = after(START, "b1~c3 a7a6 c3b1");
    assert_eq!(game.branches().len(), 1);
    assert_eq!(game.to_string(), "rnbqkbnr/1ppppppp/p7/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 2");
}

#[test]
fn leaves_are_those_of_the_rules() {
    let start = QuantumGame::default();
    let count = |depth, classical| perft::count(&start, depth, classical, &Stop::new()).unwrap();
    assert_eq!([1, 2, 3, 4].map(|depth| count(depth, true)), [20, 400, 8902, 197_742]);
    assert_eq!([1, 2, 3].map(|depth| count(depth, false)), [40, 1600, 75_328]);
}

#[test]
fn it_is_a_proper_game() {
    testkit::check_game(&QuantumGame::default(), 4, 1);
    for (seed, fen) in [
        (2, "7k/8/5n2/8/8/8/8/3Q3K b - - 0 1"),
        (3, "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1"),
        (4, "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1"),
        (5, "4k3/8/8/8/8/8/8/4K2R w K - 90 1"),
    ] {
        testkit::check_game(&fen.parse::<QuantumGame>().unwrap(), 6, seed);
    }
}

#[test]
fn there_is_no_check() {
    // The king may stay in the queen's line, and the queen may take it.
    let game = after("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "e1d1 e2d1");
    assert_eq!(game.outcome(), Some(Outcome::win(Color::Black, Reason::KingCaptured)));
}

#[test]
fn castling_needs_the_right_the_rook_and_an_empty_path() {
    for (fen, legal) in [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", true),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", false),
        ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", true),
    ] {
        let game: QuantumGame = fen.parse().unwrap();
        assert_eq!(game.is_legal("e1g1".parse().unwrap()), legal, "{fen}");
        assert!(!game.is_legal("e1~g1".parse().unwrap()), "castling is never split");
    }
    let game = after("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1");
    assert_eq!(game.to_string(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    let game = after("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8");
    assert_eq!(game.to_string(), "2kr4/8/8/8/8/8/8/4K3 w - - 1 2");
    // A captured rook takes its right with it.
    let game = after("4k3/8/8/8/8/8/6b1/4K2R b K - 0 1", "g2h1");
    assert_eq!(game.to_string(), "4k3/8/8/8/8/8/8/4K2b w - - 0 2");
}

#[test]
fn a_castling_that_some_branches_cannot_do_entangles_king_and_knight() {
    let game = after("4k3/p7/8/8/8/7N/8/4K2R w K - 0 1", "h3~g1 a7a6 e1g1");
    assert_eq!(game.branches().len(), 2);
    let king = Piece { color: Color::White, role: shakmaty::Role::King };
    assert_eq!(chance(&game, king, Square::G1), 0.5);
    let links = game.entangled(WHITE_KNIGHT, Square::G1);
    assert!(links.iter().any(|link| link.square == Square::F1 && link.piece == WHITE_ROOK));
}

#[test]
fn en_passant_is_a_capture_and_lasts_one_ply() {
    let start = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
    let game = after(start, "d7d5");
    assert_eq!(game.to_string(), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
    let game = after(start, "d7d5 e5d6");
    assert_eq!(game.to_string(), "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2");
    let game = after(start, "d7d5 e1e2 e8e7");
    assert!(!game.is_legal("e5d6".parse().unwrap()));
    // A pawn that may have gone two steps may be taken in passing: that is measured.
    let mut game = after(start, "d7~d5");
    let planes = planes(&game);
    assert_eq!(plane(&planes, 27, Square::D6), 0.5);
    assert!(!game.is_legal("e5~d6".parse().unwrap()));
    game.apply(Action::Move("e5d6".parse().unwrap()));
    assert_eq!(game.turn(), Turn::Chance);
    game.apply(Action::Capture(false));
    // It had not gone: the pawn could not capture, and that branch passes.
    assert_eq!(game.to_string(), "4k3/3p4/8/4P3/8/8/8/4K3 b - - 2 2");
}

#[test]
fn a_pawn_becomes_a_queen_where_a_rook_would_only_go_on() {
    let start = "w 0 1: 1*7k/P7/8/8/8/8/8/7K - - + 1*7k/R7/8/8/8/8/8/7K - -";
    let mut actions = Vec::new();
    let game = after(start, "");
    game.actions(&mut actions);
    let to_a8: Vec<String> = actions
        .iter()
        .filter_map(|action| match action {
            Action::Move(m) if !m.is_split() && m.from() == Square::A7 && m.to() == Square::A8 => {
                Some(game.write_move(*m))
            }
            _ => None,
        })
        .collect();
    assert_eq!(to_a8, ["a7a8q", "a7a8n", "a7a8b", "a7a8r"]);
    let game = after(start, "a7a8q");
    assert_eq!(game.to_string(), "b 0 1: 1*Q6k/8/8/8/8/8/8/7K - - + 1*R6k/8/8/8/8/8/8/7K - -");
    let game = after(start, "a7~a8n");
    assert_eq!(
        game.to_string(),
        "b 1 1: 2*7k/R7/8/8/8/8/8/7K - - + 1*7k/P7/8/8/8/8/8/7K - - + 1*N6k/8/8/8/8/8/8/7K - -"
    );
}

#[test]
fn castling_rights_are_weighed_in_their_plane() {
    let game = after("4k3/p7/8/8/8/8/8/4K2R w K - 0 1", "h1~h2");
    let planes = planes(&game);
    assert_eq!(plane(&planes, 26, Square::G1), 0.5);
    assert_eq!(plane(&planes, 26, Square::C1), 0.0);
    assert_eq!(plane(&planes, 25, Square::E4), 0.0);
}

#[test]
fn draws_are_those_of_the_rules() {
    let draw = |start: &str, plies: &str| after(start, plies).outcome().map(|outcome| outcome.reason);
    assert_eq!(draw("7k/8/8/8/8/8/8/R6K w - - 98 60", "a1a2"), None);
    assert_eq!(draw("7k/8/8/8/8/8/8/R6K w - - 99 60", "a1a2"), Some(Reason::FiftyMoves));
    let split = "7k/8/8/8/8/8/P7/7K w - - 99 60";
    assert_eq!(draw(split, "a2a3"), None, "a classical pawn move is progress");
    assert_eq!(draw(split, "a2~a3"), Some(Reason::FiftyMoves), "a split pawn move is none");
    let mut older = split.parse::<QuantumGame>().unwrap().with_rules(Rules::V1);
    play(&mut older, "a2~a3");
    assert_eq!(older.outcome(), None, "it was, under the first version of the rules");
    assert_eq!(older.no_progress(), 0);
    assert_eq!(draw("7k/8/8/8/8/8/6r1/7K w - - 0 1", "h1g2"), Some(Reason::InsufficientMaterial));
    assert_eq!(draw(START, "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1"), None);
    assert_eq!(draw(START, "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8"), Some(Reason::Repetition));
    let over = after(START, "b1c3").with_ply_limit(1).outcome();
    assert_eq!(over, Some(Outcome::draw(Reason::MoveLimit)));
}

#[test]
fn a_side_that_cannot_move_at_all_draws() {
    // King, bishops, rook and pawns shut one another in: without check, only walls leave no action.
    let shut = "7k/8/8/8/p1p5/P1Pp4/PBRP4/KBB5 b - - 0 1";
    assert_eq!(after(shut, "h8g8").outcome(), Some(Outcome::draw(Reason::Stalemate)));
    // Where a single branch can move, there is an action.
    let mixed = "b 0 1: 1*7k/8/8/8/p1p5/P1Pp4/PBRP4/KBB5 - - + 1*7k/8/8/8/p1p5/P1P5/PBRP4/KBB5 - -";
    assert_eq!(after(mixed, "h8g8").outcome(), None);
}

#[test]
fn illegal_moves_are_explained() {
    let game = after(START, "b1~c3 a7a6");
    for (text, expected) in [
        ("e4e5", "nothing of yours can be on e4 in any branch"),
        ("a6a5", "nothing of yours can be on a6 in any branch, only of the other side"),
        ("e2e5", "the pawn on e2 cannot go to e5 in any branch"),
        ("a1b1", "the rook on a1"),
        ("a1a2", "wherever the rook on a1 may be, something of yours is on a2"),
        ("c3c4", "the knight on c3 cannot go to c4 in any branch"),
    ] {
        match game.read_move(text) {
            Ok(_) => assert_eq!(text, "a1b1", "the knight may have left b1"),
            Err(error) => assert!(error.to_string().contains(expected), "{text}: {error}"),
        }
    }
    let game = after("4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1", "");
    for (text, expected) in [
        ("e4~d5", "a split never captures, and whatever can go to d5 captures there"),
        ("e1~g1", "castling cannot be split"),
        ("h1h2q", "no pawn promotes to a queen"),
    ] {
        let error = game.read_move(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let mut game = after("7k/8/5n2/8/8/8/8/3Q3K b - - 0 1", "f6~d5");
    for (ply, expected) in [
        ("d1d5", "measures whether it captures the knight: write d1d5+ if so, d1d5- if not"),
        ("d1d5+-", "nothing is measured after d1d5+"),
        ("d1d2+", "nothing is measured after d1d2"),
        ("d1d5?", "is not a move"),
    ] {
        let error = game.play_text(ply).unwrap_err().to_string();
        assert!(error.contains(expected), "{ply}: {error}");
    }
    play(&mut game, "d1d5+");
    assert!(game.read_move("h1h2").is_err());
}

#[test]
fn success_is_shown_as_the_rules_have_it() {
    let game = after(START, "b1~c3 a7a6");
    let chance = |text: &str| game.success_chance(text.parse().unwrap());
    assert_eq!(chance("c3d5"), 0.5);
    assert_eq!(chance("c3~d5"), 0.25);
    assert_eq!(chance("e2e4"), 1.0);
    assert_eq!(chance("e2~e4"), 0.5);
    assert_eq!(chance("e2e5"), 0.0);
}

#[test]
fn branches_never_pass_their_limit() {
    // Knights split over and over until nothing more fits.
    let mut game: QuantumGame = "n6k/8/n7/n7/N7/N7/8/N6K w - - 0 1".parse().unwrap();
    let mut actions = Vec::new();
    let mut widest = 0;
    for turn in 0..60 {
        game.actions(&mut actions);
        if game.turn() == Turn::Chance || game.outcome().is_some() {
            break;
        }
        let splits: Vec<_> =
            actions.iter().filter(|action| matches!(action, Action::Move(m) if m.is_split())).collect();
        let Some(action) = splits.get(turn * 7 % splits.len().max(1)) else { break };
        game.apply(**action);
        widest = widest.max(game.branches().len());
        assert!(game.branches().len() <= 1024);
    }
    assert!(widest > 512, "{widest}");
    // A split that fits nowhere is refused, and the others are still listed.
    game.actions(&mut actions);
    for action in &actions {
        let Action::Move(m) = action else { panic!() };
        assert!(game.is_legal(*m), "{m}");
    }
}

#[test]
fn what_a_move_may_come_to_is_known_before() {
    let odds = |game: &QuantumGame, text: &str| game.odds(text.parse().unwrap());
    let game = after("7k/8/5n2/8/8/8/8/3Q3K b - - 0 1", "f6~d5");
    let asks = odds(&game, "d1d5");
    assert_eq!((asks.success(), asks.capture(), asks.win()), (1.0, 0.5, 0.0));
    assert!(asks.is_measured());
    let split = odds(&game, "d1~d4");
    assert_eq!((split.success(), split.is_measured()), (0.5, false));
    let king = after("6k1/8/8/7Q/8/8/8/7K b - - 0 1", "g8~h8");
    let takes = odds(&king, "h5h8");
    assert_eq!((takes.success(), takes.win(), takes.is_measured()), (1.0, 0.5, true));
    // A king where it is certain needs no measurement.
    let certain = odds(&after("7k/8/8/7Q/8/8/8/7K w - - 0 1", ""), "h5h8");
    assert_eq!((certain.win(), certain.is_measured()), (1.0, false));
    assert_eq!(odds(&game, "h1h3").made, 0);
}
