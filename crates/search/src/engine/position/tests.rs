//! The engine's position against shakmaty's, over random games of chess and Chess960.

use proptest::prelude::*;
use rand::Rng;
use shakmaty::{CastlingMode, Chess, FromSetup, Position as _, Setup, perft};
use tabia_core::{ChessGame, seed};

use super::super::moves::{Move, MoveList};
use super::Position;

fn moves(position: &Position) -> Vec<u16> {
    let mut list = MoveList::new();
    position.generate_all(&mut list);
    let mut bits: Vec<u16> = list.iter().map(|scored| scored.mv.bits()).collect();
    bits.sort_unstable();
    bits
}

fn shakmaty_actions(chess: &Chess) -> Vec<u16> {
    let mut bits: Vec<u16> = chess.legal_moves().into_iter().map(|m| Move::from_shakmaty(m).bits()).collect();
    bits.sort_unstable();
    bits
}

fn chess960(index: u32) -> Chess {
    let setup = Setup {
        board: shakmaty::Board::chess960(index),
        castling_rights: shakmaty::Board::chess960(index).rooks(),
        ..Setup::initial()
    };
    Chess::from_setup(setup, CastlingMode::Chess960).unwrap()
}

/// Plays a random game, calling `check` at every position.
fn random_game(start: &Chess, seed: u64, check: impl Fn(&Chess, &Position)) {
    let mut random = seed::random(seed);
    let mut chess = start.clone();
    let mut position = Position::new(&chess);
    for _ in 0..160 {
        check(&chess, &position);
        let moves = chess.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Prefer castling and captures now and then, so that rare rules come up.
        let special: Vec<_> = moves.iter().filter(|m| m.is_castle() || m.is_en_passant()).collect();
        let m = if !special.is_empty() && random.random_bool(0.7) {
            *special[random.random_range(0..special.len())]
        } else {
            moves[random.random_range(0..moves.len())]
        };
        position = position.after(Move::from_shakmaty(m));
        chess.play_unchecked(m);
    }
}

fn assert_same(chess: &Chess, position: &Position) {
    assert_eq!(moves(position), shakmaty_actions(chess), "{chess:?}");
    assert_eq!(position.board(), chess.board());
    assert_eq!(position.checkers(), chess.checkers());
    assert_eq!(*position.keys(), position.keys_from_scratch());
    let fresh = Position::new(chess);
    assert_eq!(position.keys(), fresh.keys(), "{chess:?}");
    assert_eq!(position.en_passant(), fresh.en_passant());
    assert_eq!(position.castling(), fresh.castling());
    assert_eq!(u32::from(position.halfmove_clock()), chess.halfmoves());
    assert_eq!(position.is_insufficient_material(), chess.is_insufficient_material(), "{chess:?}");
    assert_eq!(position.has_legal_move(), !chess.legal_moves().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_position_of_a_random_game_equals_shakmatys(seed in any::<u64>()) {
        random_game(&Chess::default(), seed, assert_same);
    }

    #[test]
    fn every_position_of_a_random_chess960_game_equals_shakmatys(seed in any::<u64>(), index in 0u32..960) {
        random_game(&chess960(index), seed, assert_same);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn sixteen_bits_are_legal_exactly_when_they_are_generated(seed in any::<u64>(), index in 0u32..960) {
        random_game(&chess960(index), seed, |_, position| {
            let generated = moves(position);
            for bits in 0..=u16::MAX {
                let legal = position.is_legal(Move::from_bits(bits));
                assert_eq!(legal, generated.binary_search(&bits).is_ok(), "{}", Move::from_bits(bits));
            }
        });
    }
}

/// Counts leaves with the engine's own generator.
fn count(position: &Position, depth: u32) -> u64 {
    let mut list = MoveList::new();
    position.generate_all(&mut list);
    if depth == 1 {
        return list.len() as u64;
    }
    list.iter().map(|scored| count(&position.after(scored.mv), depth - 1)).sum()
}

#[test]
fn counting_moves_agrees_with_shakmaty() {
    for (fen, depth) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3),
    ] {
        let game = ChessGame::from_fen(fen).unwrap();
        assert_eq!(count(&Position::new(game.position()), depth), perft(game.position(), depth), "{fen}");
    }
}

fn see(fen: &str, m: &str) -> i32 {
    let game = ChessGame::from_fen(fen).unwrap();
    let mv = Move::from_shakmaty(game.read_move(m).unwrap());
    let position = Position::new(game.position());
    (-2_000..=2_000).rev().find(|threshold| position.see_at_least(mv, *threshold)).unwrap()
}

#[test]
fn exchanges_are_counted_to_the_end() {
    assert_eq!(see("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5"), 100);
    assert_eq!(see("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5"), 100 - 320);
    assert_eq!(see("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5"), 100);
    assert_eq!(see("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "exd5"), 0);
    assert_eq!(see("4k3/8/8/8/8/8/4p3/2K5 b - - 0 1", "e1=Q"), 950 - 100);
    assert_eq!(see("4k3/8/8/8/8/8/4pK2/8 b - - 0 1", "e1=Q"), -100);
    assert_eq!(see("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "dxc6"), 100);
    // The king may not recapture what is still protected.
    assert_eq!(see("8/4k3/4p3/8/8/8/4R3/4R2K w - - 0 1", "Rxe6"), 100);
}

#[test]
fn passing_keeps_everything_but_the_turn() {
    let game = ChessGame::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9").unwrap();
    let position = Position::new(game.position());
    let passed = position.after_null();
    assert_eq!(passed.keys(), &passed.keys_from_scratch());
    assert_eq!(passed.reversible_plies(), 0);
    assert_ne!(passed.key(), position.key());
}

#[test]
fn counters_at_the_brim_do_not_overflow() {
    for fen in ["4k3/8/8/8/8/8/8/4K3 w - - 4294967295 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 4294967295"] {
        let game = ChessGame::from_fen(fen).unwrap();
        let mut position = Position::new(game.position());
        for _ in 0..200 {
            let mut list = MoveList::new();
            position.generate_all(&mut list);
            position = position.after(list[0].mv);
        }
        assert_eq!(*position.keys(), position.keys_from_scratch(), "{fen}");
    }
}
