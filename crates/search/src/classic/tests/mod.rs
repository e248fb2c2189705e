//! What the textbook search promises.

mod captures;
mod equivalence;
mod fingerprint;
mod ordering;
mod rules;
mod stopping;

use super::*;
use tabia_eval::simple::{MatMob, Material};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Full of captures, checks and castling.
const BUSY: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

const EVERY_ORDERING: [MoveOrdering; 4] =
    [MoveOrdering::Off, MoveOrdering::Victim, MoveOrdering::MvvLva, MoveOrdering::Seed000];

fn game(fen: &str) -> ChessGame {
    ChessGame::from_fen(fen).unwrap()
}

/// Searches with material alone, to the depth of the settings.
fn find(game: &ChessGame, settings: Settings) -> SearchResult {
    Classic::new(Material, settings).search(game, &Limits::default(), &Stop::new(), &mut |_| ()).unwrap()
}

fn best(game: &ChessGame, settings: Settings) -> String {
    game.write_move(find(game, settings).best)
}
