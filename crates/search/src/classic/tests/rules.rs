//! Mates with their distance, and every draw.

use super::*;
use tabia_core::Game;

fn depth(depth: u32) -> Settings {
    Settings { depth, ..Settings::ALPHABETA }
}

fn play(game: &mut ChessGame, moves: &str) {
    for text in moves.split_whitespace() {
        let m = game.read_move(text).unwrap();
        game.apply(m);
    }
}

#[test]
fn mates_are_found_with_their_distance() {
    for (fen, plies, first) in [
        // The back rank; the scholar's mate.
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1, "a1a8"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1, "h5f7"),
        // Two rooks walk the king to the edge.
        ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 3, ""),
        ("8/8/8/8/8/1k6/2q5/K7 b - - 0 1", 1, ""),
    ] {
        let game = game(fen);
        for base in [depth(plies), depth(4), Settings { table: 1000, ..depth(4) }] {
            let found = find(&game, base);
            assert_eq!(found.score, Some(Score::mate_in_plies(plies as u16)), "{fen}");
            assert!(first.is_empty() || game.write_move(found.best) == first, "{fen}");
        }
    }
}

#[test]
fn being_mated_is_put_off_as_long_as_possible() {
    // Whatever Black plays, a rook mates on the back rank; no move mates Black later than the next.
    let found = find(&game("7k/R7/1R6/8/8/8/8/4K3 b - - 0 1"), depth(4));
    assert_eq!(found.score, Some(Score::mated_in_plies(2)));
}

#[test]
fn a_mate_in_two_is_found_through_a_remembered_position() {
    let game = game("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1");
    let settings = Settings { table: 10_000, iterative_deepening: true, ..depth(5) };
    let mut search = Classic::new(Material, settings);
    for _ in 0..2 {
        let found = search.search(&game, &Limits::default(), &Stop::new(), &mut |_| ()).unwrap();
        assert_eq!(found.score, Some(Score::mate_in_plies(3)));
    }
}

#[test]
fn a_queen_does_not_stalemate_a_bare_king() {
    // Qb6 and Qc7 leave Black without a move; at two plies the search knows.
    let game = game("k7/8/8/8/8/2Q5/8/4K3 w - - 0 1");
    let found = find(&game, depth(2));
    let mut after = game.clone();
    after.apply(found.best);
    assert_eq!(after.outcome(), None);
    assert_eq!(found.score, Some(Score::cp(900)));
}

#[test]
fn a_lost_side_forces_the_stalemate() {
    // The rook gives itself up with check; once it is taken Black has no move.
    let game = game("k7/8/1Q6/6r1/8/4P3/7P/7K b - - 0 1");
    let found = find(&game, depth(2));
    assert_eq!((game.write_move(found.best).as_str(), found.score), ("g5g1", Some(Score::DRAW)));
}

#[test]
fn a_repetition_is_sought_by_the_loser_and_shunned_by_the_winner() {
    // White is a rook and three pawns up, and has shuffled to and fro.
    let mut game = game("6k1/8/8/8/8/8/5PPP/R5K1 w - - 0 1");
    play(&mut game, "a1b1 g8f8 b1a1 f8g8 a1b1 g8f8");
    for settings in [depth(1), depth(2), Settings { table: 1000, ..depth(4) }] {
        assert_ne!(best(&game, settings), "b1a1", "Kg8 would repeat the first position for the third time");
    }
    play(&mut game, "b1a1");
    let found = find(&game, depth(1));
    assert_eq!((game.write_move(found.best).as_str(), found.score), ("f8g8", Some(Score::DRAW)));
}

#[test]
fn the_fiftieth_move_is_a_draw_unless_it_mates() {
    let found = find(&game("7k/8/6K1/8/8/8/8/1R6 w - - 99 80"), depth(2));
    assert_eq!(found.score, Some(Score::mate_in_plies(1)));
    let found = find(&game("7k/8/8/6K1/8/8/8/1R6 w - - 99 80"), depth(2));
    assert_eq!(found.score, Some(Score::DRAW));
}

#[test]
fn a_lone_minor_piece_cannot_win() {
    let found = find(&game("8/8/4k3/8/3p4/8/4N3/4K3 w - - 0 1"), depth(1));
    assert_eq!(found.score, Some(Score::cp(200)), "knight and pawn may yet win something");
    let found = find(&game("8/8/4k3/8/3n4/8/4N3/4K3 w - - 0 1"), depth(1));
    assert_eq!(found.score, Some(Score::DRAW), "knight takes knight, and nobody can mate");
}

#[test]
fn quiescence_sees_that_a_pawn_is_defended() {
    // At one ply the queen takes a pawn; with captures followed, it sees the recapture.
    let game = game("4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1");
    assert_eq!(best(&game, depth(1)), "d3d6");
    assert_ne!(best(&game, Settings { quiescence: 4, ..depth(1) }), "d3d6");
}

#[test]
fn checks_lengthen_a_line_by_so_many_plies() {
    // A rook checks, is taken, and the other mates: three plies.
    let game = game("r5k1/5ppp/8/8/8/8/3R4/3R3K w - - 0 1");
    let seen = |plies: u32, checks: u32| find(&game, Settings { checks, ..depth(plies) }).score;
    let mate = Some(Score::mate_in_plies(3));
    assert_eq!(seen(3, 0), mate);
    assert_ne!(seen(2, 0), mate);
    assert_eq!(seen(2, 1), mate);
    assert_ne!(seen(1, 16), mate, "the rook that takes gives no check");
}

#[test]
fn the_root_is_searched_though_the_game_could_be_claimed_drawn() {
    let mut game = ChessGame::default();
    play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert!(game.outcome().is_some());
    assert!(find(&game, depth(2)).score.is_some());
}

#[test]
fn contempt_reaches_every_kind_of_draw() {
    let score = |game: &ChessGame, contempt: i32| {
        let found = find(game, Settings { contempt, ..depth(2) });
        found.score.map(Score::raw)
    };
    // The rook gives itself up, and stalemate follows; a move before the fifty moves end; the knight takes the queen,
    // and nobody can mate; Black, a rook and three pawns behind, repeats the position.
    let stalemate = game("k7/8/1Q6/6r1/8/4P3/7P/7K b - - 0 1");
    let fifty_moves = game("7k/p1p5/P1P5/8/8/8/8/K7 w - - 99 90");
    let material = game("8/8/4k3/8/3q4/8/4N3/4K3 w - - 0 1");
    let repetition = repetition();
    for contempt in [0, 100, -100] {
        for (drawn, game) in [
            ("stalemate", &stalemate),
            ("fifty moves", &fifty_moves),
            ("too little material", &material),
            ("repetition", &repetition),
        ] {
            assert_eq!(score(game, contempt), Some(-contempt), "{drawn}");
        }
    }
}

/// Black to move is a rook and three pawns behind, and can repeat a position.
fn repetition() -> ChessGame {
    let mut game = game("6k1/8/8/8/8/8/5PPP/R5K1 w - - 0 1");
    play(&mut game, "a1b1 g8f8 b1a1 f8g8 a1b1 g8f8 b1a1");
    game
}

#[test]
fn the_contempt_of_axon_reaches_repetitions_in_its_search() {
    let mut swapped = colours_swapped("6k1/8/8/8/8/8/5PPP/R5K1 w - - 0 1");
    play(&mut swapped, "a8b8 g1f1 b8a8 f1g1 a8b8 g1f1 b8a8");
    for contempt in [0, 100, -100] {
        let mut axon = agent(&format!("axon(contempt={contempt},depth=1)"));
        for (game, repeats) in [(&repetition(), "f8g8"), (&swapped, "f1g1")] {
            let (info, best) = asked(axon.as_mut(), game);
            assert_eq!((info.score, best.as_str()), (Score::cp(-contempt), repeats));
        }
    }
}

#[test]
fn a_perpetual_check_is_seen_in_quiescence() {
    // White has two rooks and a knight for a queen, but one square for its king; then Black checks as it did before.
    let mut game = game("6k1/RR6/N7/8/8/6P1/6P1/3q2K1 w - - 0 1");
    play(&mut game, "g1h2 d1h5");
    for contempt in [0, 100, -100] {
        let found = find(&game, Settings { quiescence: 8, quiescence_checks: 1, contempt, ..depth(1) });
        let seen = (game.write_move(found.best), found.score);
        assert_eq!(seen, ("h2g1".to_owned(), Some(Score::cp(-contempt))));
    }
}

#[test]
fn quiescence_follows_checks_and_promotions_where_it_is_told_to() {
    // A pawn promotes one ply beyond the horizon.
    let promotion = game("8/P5k1/8/8/8/8/6K1/8 b - - 0 1");
    let base = Settings { quiescence: 4, ..depth(1) };
    let with = Settings { quiescence_promotions: true, ..base };
    assert!(find(&promotion, base).score.unwrap().raw() > -200);
    assert!(find(&promotion, with).score.unwrap().raw() < -700);
    // A check on the back rank mates one ply beyond the horizon.
    let mate = game("6k1/5ppp/8/8/8/8/r4PPP/4R1K1 b - - 0 1");
    let with = Settings { quiescence_checks: 1, ..base };
    assert_ne!(best(&mate, with), "a2b2");
    let found = find(&mate, with);
    assert!(found.counts.quiescence_nodes > find(&mate, base).counts.quiescence_nodes);
}
