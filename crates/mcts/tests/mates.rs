//! Mates of chess, found and proven with nothing but material and mobility to go by.

use shakmaty::{Color, Position, Role};
use tabia_core::{Agent, ChessGame, Game, Limits, Stop};
use tabia_mcts::{Evaluation, Mcts, PolicyValue, Settings};

/// Material and mobility as value; captures, promotions and checks first.
struct Material;

fn worth(role: Role) -> f32 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => 0.0,
    }
}

impl PolicyValue<ChessGame> for Material {
    fn infer(
        &self,
        leaves: &[ChessGame],
        _actions: &[Vec<<ChessGame as Game>::Action>],
        out: &mut Vec<Evaluation>,
    ) {
        out.clear();
        out.extend(leaves.iter().map(|game| {
            let position = game.position();
            let side = |color: Color| -> f32 {
                Role::ALL
                    .iter()
                    .map(|role| worth(*role) * position.board().by_piece(role.of(color)).count() as f32)
                    .sum()
            };
            let moves = position.legal_moves();
            let turn = position.turn();
            let balance = side(turn) - side(turn.other()) + 0.02 * moves.len() as f32;
            let priors = moves.iter().map(|m| {
                let mut next = position.clone();
                next.play_unchecked(*m);
                let check = if next.is_check() { 4.0 } else { 0.0 };
                1.0 + check + m.capture().map_or(0.0, worth) + m.promotion().map_or(0.0, worth)
            });
            Evaluation { value: (balance / 8.0).tanh(), draw: 0.0, priors: priors.collect() }
        }));
    }
}

#[test]
fn mates_in_two_are_proven() {
    for (fen, first) in [
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", "d2h6"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6"),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", ""),
    ] {
        let game = ChessGame::from_fen(fen).unwrap();
        let settings = Settings { batch: 4, ..Settings::default() };
        let mut agent =
            Mcts::new(Material, settings, Some(20_000), 1, |game: &ChessGame| game.moves().len() as u32);
        let mut last = None;
        let chosen = agent
            .choose(&game, &Limits::default(), &Stop::new(), &mut |info| last = Some(info.clone()))
            .unwrap();
        let info = last.unwrap();
        assert!(info.score.is_mate(), "{fen}: {:?}", info.score);
        assert_eq!(info.line[0], chosen);
        if !first.is_empty() {
            assert_eq!(game.write_move(chosen), first, "{fen}");
            assert!(info.score.moves_to_mate() <= Some(2), "{fen}: {}", info.score);
        }
    }
}

#[test]
fn a_lost_position_is_proven_lost() {
    // Whatever Black does, the rook mates on the back rank.
    let game = ChessGame::from_fen("7k/R7/5K2/8/8/8/8/1R6 b - - 0 1").unwrap();
    let mut agent =
        Mcts::new(Material, Settings::default(), Some(5000), 1, |game: &ChessGame| game.moves().len() as u32);
    let mut last = None;
    agent.choose(&game, &Limits::default(), &Stop::new(), &mut |info| last = Some(info.clone())).unwrap();
    let score = last.unwrap().score;
    assert_eq!(score.moves_to_mate(), Some(-1), "{score}");
}
