//! What tests of the coach share: the real search as a prover, and an independent checker of claims.

#[allow(dead_code, reason = "each test crate uses what it needs")]
pub mod checker;

use shakmaty::{Chess, Move};
use tabia_coach::Review;
use tabia_core::{Agent, AgentSpec, Catalogue, ChessGame, Game, Limits, Stop};

/// The strong search on one thread.
pub fn engine() -> Box<dyn Agent<ChessGame>> {
    let mut catalogue = Catalogue::default();
    catalogue.add(tabia_search::agents::entries(|path| std::fs::read_to_string(path)));
    catalogue.build(&"engine(hash=4)".parse::<AgentSpec>().unwrap()).unwrap()
}

/// A game from the start by moves in standard notation.
#[allow(dead_code, reason = "each test crate uses what it needs")]
pub fn after(moves: &str) -> Chess {
    let mut game = ChessGame::default();
    for text in moves.split_whitespace() {
        let m = game.read_move(text).unwrap();
        game.apply(m);
    }
    game.position().clone()
}

/// A position from its FEN.
#[allow(dead_code, reason = "each test crate uses what it needs")]
pub fn fen(text: &str) -> Chess {
    ChessGame::from_fen(text).unwrap().position().clone()
}

#[allow(dead_code, reason = "each test crate uses what it needs")]
/// Reviews a move as `tabia explain` does, or the best move where none is given.
pub fn explain(position: &Chess, asked: Option<&str>, nodes: u64) -> Review {
    let (mut agent, stop, limits) = (engine(), Stop::new(), Limits::nodes(nodes));
    let game = ChessGame::from_position(position.clone(), shakmaty::CastlingMode::Standard);
    let asked: Option<Move> = asked.map(|text| game.read_move(text).unwrap());
    tabia_coach::explain(agent.as_mut(), position, asked, &limits, None, &stop).unwrap()
}
