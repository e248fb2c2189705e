//! What the textbook search promises.

mod captures;
mod equivalence;
mod fingerprint;
mod ordering;
mod rules;
mod stopping;

use super::*;
use tabia_core::{AgentSpec, Options};
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

/// The agent of a spec, as the catalogue builds it.
fn agent(spec: &str) -> Box<dyn Agent<ChessGame>> {
    let catalogue = crate::agents::entries(|_| Err(std::io::ErrorKind::NotFound.into()));
    let spec: AgentSpec = spec.parse().unwrap();
    let entry = catalogue.iter().find(|entry| entry.name == spec.name).unwrap();
    (entry.build)(&Options::new(entry.name, &entry.options, &spec).unwrap()).unwrap()
}

/// What an agent reports last before it moves, and the move.
fn asked(agent: &mut dyn Agent<ChessGame>, game: &ChessGame) -> (SearchInfo<Move>, String) {
    let mut last = None;
    let best =
        agent.choose(game, &Limits::default(), &Stop::new(), &mut |info| last = Some(info.clone())).unwrap();
    (last.unwrap(), game.write_move(best))
}

/// The same position with White's pieces Black's, and the other side to move.
fn colours_swapped(fen: &str) -> ChessGame {
    let mut setup = game(fen).position().to_setup(shakmaty::EnPassantMode::Legal);
    setup.mirror();
    let text = shakmaty::fen::Fen::try_from_setup(setup).unwrap().to_string();
    game(&text)
}
